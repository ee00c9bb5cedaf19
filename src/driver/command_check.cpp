#include <fmt/core.h>

#include <cstdlib>
#include <ostream>

#include "driver/commands.h"
#include "driver/programs.h"
#include "report/escape.h"
#include "report/render.h"
#include "workspace/places.h"

namespace leto::driver {

workspace::Places all_places(const workspace::Places& given, const Streams& streams) {
  return workspace::all_places(given, workspace::library_of(streams.executable_dir));
}

bool use_colour(Colour choice, bool is_terminal) {
  if (choice != Colour::Auto) return choice == Colour::Always;
  const char* no_colour = std::getenv("NO_COLOR");
  return is_terminal && (no_colour == nullptr || *no_colour == '\0');
}

void show_diagnostics(DiagnosticList& diagnostics, const SourceStore& sources, Colour colour,
                      Streams& streams) {
  diagnostics.sort_and_unique();
  streams.err << report::render_text(diagnostics, sources,
                                     {use_colour(colour, streams.err_is_terminal), 100});
}

ExitCode command_check(const CheckOptions& options, const Watchdog& watchdog, Streams& streams) {
  Programs files(streams.in);
  workspace::Workspace workspace(files, all_places(options.places, streams), &watchdog.allowance());
  DiagnosticList diagnostics;
  std::string summary;
  for (const std::string& path : options.files) {
    const std::size_t before = diagnostics.errors();
    const workspace::Program loaded = workspace.load(path, diagnostics);
    if (loaded.trees.empty()) continue;
    std::vector<std::string> wanted = options.models;
    if (wanted.empty()) wanted.emplace_back();  // the program's default, if it has one
    std::string against;
    for (const std::string& model : wanted) {
      workspace::Program program = loaded;
      const workspace::PickedModel picked = workspace.pick_model(program, model, diagnostics);
      const check::Checked checked =
          check::check(program.trees, workspace.options(picked), workspace.names(), diagnostics);
      if (checked.model.valid())
        against +=
            (against.empty() ? " under " : ", ") + std::string(workspace.names().text(picked.name));
    }
    if (diagnostics.errors() == before)
      summary += fmt::format("{}: no errors{}\n", report::name_on_line(path), against);
  }
  diagnostics.sort_and_unique();
  switch (options.format) {
    case Format::Text:
      streams.err << report::render_text(
          diagnostics, workspace.sources(),
          {use_colour(options.colour, streams.err_is_terminal), options.max_errors});
      if (!options.quiet) streams.out << summary;
      break;
    case Format::Csv:
    case Format::Junit:  // for verification only; the option is not offered here
    case Format::Json:
      streams.out << report::render_json(diagnostics, workspace.sources());
      break;
    case Format::Sarif:
      streams.out << report::render_sarif(diagnostics, workspace.sources());
      break;
  }
  return diagnostics.errors() == 0 ? ExitCode::Fine : ExitCode::BadInput;
}

}  // namespace leto::driver
