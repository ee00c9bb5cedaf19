#include "workbench/formatting.h"

#include "syntax/syntax.h"

namespace leto::workbench {

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

}  // namespace leto::workbench
