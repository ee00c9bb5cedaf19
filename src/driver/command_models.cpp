#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "driver/commands.h"
#include "driver/programs.h"
#include "report/screen.h"
#include "workspace/workspace.h"

namespace leto::driver {

namespace {

struct ModelsOptions {
  workspace::Places places;
};

ExitCode run_models(const ModelsOptions& options, const Watchdog& watchdog, Streams& streams) {
  Programs files(streams.in);
  workspace::Workspace workspace(files, all_places(options.places, streams), &watchdog.allowance());
  DiagnosticList diagnostics;
  for (const workspace::Workspace::Listed& model : workspace.list_models(diagnostics))
    streams.out << fmt::format("{:<22} {}\n", model.name, report::visible(model.summary));
  show_diagnostics(diagnostics, workspace.sources(), Colour::Auto, streams);
  return diagnostics.errors() == 0 ? ExitCode::Fine : ExitCode::BadInput;
}

}  // namespace

Command add_models(const Table& table) {
  const auto options = std::make_shared<ModelsOptions>();
  CLI::App& command =
      *table.app.add_subcommand("models", "List the models that can be picked by name");
  add_places(command, options->places);
  add_limits(command, table.limits);
  command.footer(
      "Models are looked for in every --model-path, in the directories of LETO_MODEL_PATH,\n"
      "among those installed with leto and, last, in the program's directory.\n"
      "Example:\n  leto models");
  return watched(command, options, run_models);
}

}  // namespace leto::driver
