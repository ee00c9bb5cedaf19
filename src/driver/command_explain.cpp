#include <fmt/core.h>

#include <ostream>

#include "base/diagnostic.h"
#include "driver/commands.h"
#include "driver/programs.h"
#include "report/pages.h"
#include "report/screen.h"
#include "workspace/workspace.h"

namespace leto::driver {

ExitCode command_explain(const ExplainOptions& options, Streams& streams) {
  if (options.list || options.code.empty()) {
    for (const DiagnosticInfo& row : all_diagnostics())
      streams.out << fmt::format("{}  {:<8} {}\n", row.code,
                                 row.severity == Severity::Error ? "error" : "warning", row.name);
    return ExitCode::Fine;
  }
  const auto kind = diagnostic_by_code(options.code);
  if (!kind) {
    streams.err << fmt::format(
        "leto: error: there is no code '{}'; 'leto explain --list' shows them all\n", options.code);
    return ExitCode::Usage;
  }
  const std::string_view code = info(*kind).code;
  streams.out << (options.markdown
                      ? report::explanation(code)
                      : report::explanation_text(
                            code, use_colour(options.colour, streams.out_is_terminal)));
  return ExitCode::Fine;
}

ExitCode command_models(const ModelsOptions& options, const Watchdog& watchdog, Streams& streams) {
  Programs files(streams.in);
  workspace::Workspace workspace(files, all_places(options.places, streams), &watchdog.allowance());
  DiagnosticList diagnostics;
  for (const workspace::Workspace::Listed& model : workspace.list_models(diagnostics))
    streams.out << fmt::format("{:<22} {}\n", model.name, report::visible(model.summary));
  show_diagnostics(diagnostics, workspace.sources(), Colour::Auto, streams);
  return diagnostics.errors() == 0 ? ExitCode::Fine : ExitCode::BadInput;
}

}  // namespace leto::driver
