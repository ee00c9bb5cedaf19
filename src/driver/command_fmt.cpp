#include <fmt/core.h>

#include <ostream>

#include "driver/commands.h"
#include "driver/escape.h"
#include "driver/formatting.h"
#include "driver/render.h"
#include "driver/workspace.h"
#include "files/files.h"

namespace leto::driver {

Formatted format_text(const std::string& name, const std::string& text, SourceStore& sources,
                      DiagnosticList& diagnostics, const Allowance* allowance) {
  NameTable names;
  const FileId id = sources.add(name, text);
  const std::size_t before = diagnostics.errors();
  const syntax::Tree tree = syntax::parse(sources[id], id, names, diagnostics, allowance);
  if (diagnostics.errors() != before || tree.has_errors) return {};
  Formatted result{true, syntax::format(tree, names, &sources[id], {.allowance = allowance})};
  SourceStore again_sources;
  const FileId again_id = again_sources.add(name, result.text);
  DiagnosticList again_diagnostics;
  const syntax::Tree again =
      syntax::parse(again_sources[again_id], again_id, names, again_diagnostics, allowance);
  LETO_ASSERT(again_diagnostics.errors() == 0 && syntax::equal(tree, again));
  LETO_ASSERT(tree.comments.size() == again.comments.size());
  return result;
}

ExitCode command_fmt(const FmtOptions& options, const Watchdog& watchdog, Streams& streams) {
  RealFileSystem disk;
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
      const Formatted result =
          format_text("<stdin>", *content.text, sources, diagnostics, &watchdog.allowance());
      if (!result.parsed) continue;
      if (!options.check)
        streams.for_programs() << result.text;
      else if (result.text != *content.text)
        differs = true;
      continue;
    }
    const FileSystem::Content content = disk.read(path, files::NamedBy::User);
    if (!content.text) {
      diagnostics.report(
          {DiagnosticKind::CannotRead, std::nullopt, {path, content.problem}, {}, {}});
      continue;
    }
    const Formatted result =
        format_text(path, *content.text, sources, diagnostics, &watchdog.allowance());
    if (!result.parsed || result.text == *content.text) continue;
    differs = true;
    if (options.check) {
      streams.out << fmt::format("{}: not formatted\n", name_on_line(path));
      continue;
    }
    const files::Problem problem = files::replace(path, *content.text, result.text);
    if (!problem.empty()) {
      streams.err << fmt::format("leto: error: cannot write '{}': {}\n", name_on_line(path),
                                 problem);
      return ExitCode::BadInput;
    }
    streams.out << fmt::format("{}: formatted\n", name_on_line(path));
  }
  streams.err << render_text(diagnostics, sources,
                             {use_colour(options.colour, streams.err_is_terminal), 100});
  if (diagnostics.errors() > 0) return ExitCode::BadInput;
  return options.check && differs ? ExitCode::DoesNotHold : ExitCode::Fine;
}

std::string with_lines(const std::string& name, std::string text,
                       const std::map<std::uint32_t, std::string>& lines,
                       DiagnosticList& diagnostics) {
  // From behind, so that places stay right.
  for (auto it = lines.rbegin(); it != lines.rend(); ++it)
    text.insert(it->first, "\n" + it->second + "\n");
  SourceStore own;
  Formatted formatted = format_text(name, text, own, diagnostics, nullptr);
  LETO_ASSERT(formatted.parsed);  // it was a program, and what was put into it is one too
  return std::move(formatted.text);
}

}  // namespace leto::driver
