#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "driver/commands.h"
#include "driver/programs.h"
#include "report/escape.h"
#include "report/render.h"
#include "workspace/workspace.h"

namespace leto::driver {

namespace {

struct CheckOptions {
  std::vector<std::string> files;
  std::vector<std::string> models;
  workspace::Places places;
  Format format = Format::Text;
  Colour colour = Colour::Auto;
  std::size_t max_errors = 100;
  bool quiet = false;
};

// One line that says so if nothing is wrong.
std::string check_file(const std::string& path, const CheckOptions& options,
                       workspace::Workspace& workspace, DiagnosticList& diagnostics) {
  const std::size_t before = diagnostics.errors();
  const workspace::Program loaded = workspace.load(path, diagnostics);
  if (loaded.trees.empty()) return "";
  std::vector<std::string> wanted = options.models;
  if (wanted.empty()) wanted.emplace_back();  // the program's default, if it has one
  std::string against;
  for (const std::string& model : wanted) {
    workspace::Program program = loaded;
    const workspace::PickedModel picked = workspace.pick_model(program, model, diagnostics);
    const check::Checked checked = check::check(program.trees, workspace.options(picked, true),
                                                workspace.names(), diagnostics);
    if (checked.model.valid())
      against +=
          (against.empty() ? " under " : ", ") + std::string(workspace.names().text(picked.name));
  }
  if (diagnostics.errors() != before) return "";
  return fmt::format("{}: no errors{}\n", report::name_on_line(shown(path)), against);
}

void show_checked(const CheckOptions& options, const DiagnosticList& diagnostics,
                  const SourceStore& sources, const std::string& summary, Streams& streams) {
  switch (options.format) {
    case Format::Text:
      streams.err << report::render_text(
          diagnostics, sources,
          {use_colour(options.colour, streams.err_is_terminal), options.max_errors});
      if (!options.quiet) streams.out << summary;
      break;
    case Format::Csv:
    case Format::Junit:  // for verification only; the option is not offered here
    case Format::Json:
      streams.out << report::render_json(diagnostics, sources);
      break;
    case Format::Sarif:
      streams.out << report::render_sarif(diagnostics, sources);
      break;
  }
}

ExitCode run_check(const CheckOptions& options, const Watchdog& watchdog, Streams& streams) {
  Programs files(streams.in);
  workspace::Workspace workspace(files, all_places(options.places, streams), &watchdog.allowance());
  DiagnosticList diagnostics;
  std::string summary;
  for (const std::string& path : options.files)
    summary += check_file(path, options, workspace, diagnostics);
  diagnostics.sort_and_unique();
  show_checked(options, diagnostics, workspace.sources(), summary, streams);
  return diagnostics.errors() == 0 ? ExitCode::Fine : ExitCode::BadInput;
}

}  // namespace

Command add_check(const Table& table) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App& command = *table.app.add_subcommand(
      "check", "Check names, types, sides, ghosts and models of programs");
  command.add_option("FILE", options->files, "Programs or models; '-' is the standard input")
      ->required();
  command
      .add_option("-m,--model", options->models,
                  "Model to check against: a name, FILE or FILE:NAME; can be repeated")
      ->option_text("MODEL")
      ->check(names_a_model())
      ->allow_extra_args(false);
  add_places(command, options->places);
  add_format(command, options->format, {Format::Text, Format::Json, Format::Sarif});
  command.add_option("--max-errors", options->max_errors, "Show at most so many errors (text)")
      ->option_text("N")
      ->check(at_least(0));
  add_limits(command, table.limits);
  command.add_flag("-q,--quiet", options->quiet, "Say nothing when there is nothing wrong");
  add_colour(command, options->colour);
  command.footer(
      "Examples:\n"
      "  leto check program.leto\n"
      "  leto check program.leto --model additive_seu --model multicycle\n"
      "  leto check program.leto --format sarif > result.sarif");
  return watched(command, options, run_check);
}

}  // namespace leto::driver
