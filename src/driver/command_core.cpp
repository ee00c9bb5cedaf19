#include <CLI/CLI.hpp>
#include <ostream>

#include "core/core.h"
#include "driver/commands.h"
#include "driver/programs.h"
#include "lower/lower.h"
#include "report/render.h"
#include "workspace/workspace.h"

namespace leto::driver {

namespace {

struct CoreOptions {
  std::string file, model;
  workspace::Places places;
};

ExitCode run_core(const CoreOptions& options, const Watchdog& watchdog, Streams& streams) {
  Programs files(streams.in);
  workspace::Workspace workspace(files, all_places(options.places, streams), &watchdog.allowance());
  DiagnosticList diagnostics;
  workspace::Program program = workspace.load(options.file, diagnostics);
  if (!program.trees.empty()) {
    const workspace::PickedModel picked = workspace.pick_model(program, options.model, diagnostics);
    const check::Checked checked =
        check::check(program.trees, workspace.options(picked), workspace.names(), diagnostics);
    if (diagnostics.errors() == 0)
      streams.out << core::print(lower::lower(checked, workspace.names()));
  }
  diagnostics.sort_and_unique();
  streams.err << report::render_text(diagnostics, workspace.sources(),
                                     {streams.err_is_terminal, 100});
  return diagnostics.errors() == 0 ? ExitCode::Fine : ExitCode::BadInput;
}

}  // namespace

Command add_core(const Table& table) {
  const auto options = std::make_shared<CoreOptions>();
  CLI::App& command = *table.app.add_subcommand("core", "Print the core form of a program");
  command.add_option("FILE", options->file, "A program; '-' is the standard input")->required();
  command.add_option("-m,--model", options->model, "Model to weave in")
      ->option_text("MODEL")
      ->check(names_a_model());
  add_places(command, options->places);
  add_limits(command, table.limits);
  command.footer("Example:\n  leto core program.leto --model additive_seu");
  return watched(command, options, run_core);
}

}  // namespace leto::driver
