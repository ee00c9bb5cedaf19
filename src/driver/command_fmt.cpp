#include <fmt/core.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ostream>

#include "driver/commands.h"
#include "driver/formatting.h"
#include "driver/render.h"
#include "driver/workspace.h"

namespace leto::driver {

namespace fs = std::filesystem;

Formatted format_text(const std::string& name, const std::string& text, SourceStore& sources,
                      DiagnosticList& diagnostics) {
  NameTable names;
  const FileId id = sources.add(name, text);
  const std::size_t before = diagnostics.errors();
  const syntax::Tree tree = syntax::parse(sources[id], id, names, diagnostics);
  if (diagnostics.errors() != before || tree.has_errors) return {};
  Formatted result{true, syntax::format(tree, names, &sources[id])};
  SourceStore again_sources;
  const FileId again_id = again_sources.add(name, result.text);
  DiagnosticList again_diagnostics;
  const syntax::Tree again =
      syntax::parse(again_sources[again_id], again_id, names, again_diagnostics);
  LETO_ASSERT(again_diagnostics.errors() == 0 && syntax::equal(tree, again));
  LETO_ASSERT(tree.comments.size() == again.comments.size());
  return result;
}

bool replace_file(const std::string& path, const std::string& text) {
  std::error_code error;
  const fs::path target = fs::is_symlink(path, error) ? fs::canonical(path, error) : fs::path(path);
  const fs::path temporary = target.string() + ".leto-fmt-tmp";
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out << text;
    out.flush();
    if (!out) {
      fs::remove(temporary, error);
      return false;
    }
  }
  fs::permissions(temporary, fs::status(target, error).permissions(), error);
  fs::rename(temporary, target, error);
  if (error) {
    fs::remove(temporary, error);
    return false;
  }
  return true;
}

ExitCode command_fmt(const FmtOptions& options, Streams& streams) {
  RealFileSystem files;
  SourceStore sources;
  DiagnosticList diagnostics;
  bool differs = false;
  for (const std::string& path : options.files) {
    if (path == "-") {
      const std::string text = read_all(streams.in);
      const Formatted result = format_text("<stdin>", text, sources, diagnostics);
      if (!result.parsed) continue;
      if (!options.check)
        streams.out << result.text;
      else if (result.text != text)
        differs = true;
      continue;
    }
    const FileSystem::Content content = files.read(path);
    if (!content.text) {
      diagnostics.report(
          {DiagnosticKind::CannotRead, std::nullopt, {path, content.problem}, {}, {}});
      continue;
    }
    const Formatted result = format_text(path, *content.text, sources, diagnostics);
    if (!result.parsed || result.text == *content.text) continue;
    differs = true;
    if (options.check) {
      streams.out << fmt::format("{}: not formatted\n", path);
    } else if (replace_file(path, result.text)) {
      streams.out << fmt::format("{}: formatted\n", path);
    } else {
      streams.err << fmt::format("leto: error: cannot write '{}'\n", path);
      return ExitCode::BadInput;
    }
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
  Formatted formatted = format_text(name, text, own, diagnostics);
  LETO_ASSERT(formatted.parsed);  // it was a program, and what was put into it is one too
  return std::move(formatted.text);
}

}  // namespace leto::driver
