#include <fmt/core.h>

#include <ostream>

#include "driver/commands.h"
#include "driver/programs.h"
#include "files/files.h"
#include "report/escape.h"
#include "report/render.h"
#include "workbench/formatting.h"
#include "workspace/workspace.h"

namespace leto::driver {

ExitCode command_fmt(const FmtOptions& options, const Watchdog& watchdog, Streams& streams) {
  Programs disk(streams.in);
  SourceStore sources;
  DiagnosticList diagnostics;
  bool differs = false;
  for (const std::string& path : options.files) {
    if (path == "-") {
      const files::Content content = files::read(streams.in);
      if (!content.text) {
        diagnostics.report(
            {DiagnosticKind::CannotRead, std::nullopt, {"<stdin>", content.problem}, {}, {}});
        continue;
      }
      const workbench::Formatted result = workbench::format_text(
          "<stdin>", *content.text, sources, diagnostics, &watchdog.allowance());
      if (!result.parsed) continue;
      if (!options.check)
        streams.for_programs() << result.text;
      else if (result.text != *content.text)
        differs = true;
      continue;
    }
    const workspace::FileSystem::Content content = disk.read(path, files::NamedBy::User);
    if (!content.text) {
      diagnostics.report(
          {DiagnosticKind::CannotRead, std::nullopt, {path, content.problem}, {}, {}});
      continue;
    }
    const workbench::Formatted result =
        workbench::format_text(path, *content.text, sources, diagnostics, &watchdog.allowance());
    if (!result.parsed || result.text == *content.text) continue;
    differs = true;
    if (options.check) {
      streams.out << fmt::format("{}: not formatted\n", report::name_on_line(path));
      continue;
    }
    const files::Problem problem = files::replace(path, *content.text, result.text);
    if (!problem.empty()) {
      streams.err << fmt::format("leto: error: cannot write '{}': {}\n", report::name_on_line(path),
                                 problem);
      return ExitCode::BadInput;
    }
    streams.out << fmt::format("{}: formatted\n", report::name_on_line(path));
  }
  streams.err << report::render_text(diagnostics, sources,
                                     {use_colour(options.colour, streams.err_is_terminal), 100});
  if (diagnostics.errors() > 0) return ExitCode::BadInput;
  return options.check && differs ? ExitCode::DoesNotHold : ExitCode::Fine;
}

}  // namespace leto::driver
