#include "driver/execute.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <ostream>

#include "files/files.h"
#include "report/escape.h"
#include "script/parse.h"

namespace leto::driver {

void add_execution(CLI::App& command, ExecuteOptions& options, CommandLimits& limits) {
  command.add_option("FILE", options.file, "A program; '-' is the standard input")->required();
  command.add_option("-m,--model", options.model, "Model to run under: a name, FILE or FILE:NAME")
      ->option_text("MODEL")
      ->check(names_a_model());
  add_places(command, options.places);
  command.add_option("--function", options.function, "Function to run (default: the last)")
      ->option_text("NAME");
  command.add_option("--input", options.input, "Inputs, as JSON; '-' is the standard input")
      ->option_text("FILE");
  command.add_option("--seed", options.seed, "Seed of everything that is random")
      ->option_text("N")
      ->check(at_least(0));
  command.add_option("--steps", options.steps, "Statements after which a run counts as hung")
      ->option_text("N")
      ->check(at_least(1));
  add_limits(command, limits);
  command
      .add_option("--max-size", options.max_size,
                  "Largest size of random vectors (default: 3, or what the requirements need)")
      ->option_text("N")
      ->check(CLI::Range(1, 64));
  command.add_option("--max-number", options.max_number, "Largest random number")
      ->option_text("N")
      ->check(CLI::Range(1, 1'000'000));
  add_colour(command, options.colour);
}

std::unique_ptr<workbench::Executable> prepare(workspace::Workspace& workspace,
                                               const ExecuteOptions& options,
                                               const Allowance& allowance, Streams& streams) {
  DiagnosticList diagnostics;
  std::string problem;
  auto out = workbench::prepare(workspace, {options.file, options.model, options.function},
                                allowance, diagnostics, problem);
  show_diagnostics(diagnostics, workspace.sources(), options.colour, streams);
  if (!problem.empty())
    streams.err << fmt::format("leto: error: {}\n", report::name_on_line(problem));
  return out;
}

std::optional<nlohmann::json> read_json(const std::string& given, Programs& files,
                                        std::string& problem) {
  if (given.starts_with("{")) return script::parse_json(given, problem);
  const files::Content content = files.read(given, files::NamedBy::User);
  if (!content.text) problem = content.problem;
  return content.text ? script::parse_json(*content.text, problem) : std::nullopt;
}

}  // namespace leto::driver
