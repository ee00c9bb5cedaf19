#include "workbench/formatting.h"

#include <algorithm>
#include <map>

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

namespace {

// What goes before the body of a loop.
struct Insertion {
  std::string indent;
  std::string lines;
};

std::string indent_of(const SourceFile& file, std::uint32_t place) {
  const std::string_view line = file.line_text(file.line_of(place));
  return std::string(line.substr(0, std::min(line.find_first_not_of(" \t"), line.size())));
}

std::string line_end_of(std::string_view text) {
  const std::size_t end = text.find('\n');
  return end != std::string_view::npos && end > 0 && text[end - 1] == '\r' ? "\r\n" : "\n";
}

}  // namespace

std::string with_invariants(const SourceFile& file,
                            const std::vector<prove::Verification::Invariant>& invariants) {
  std::string text(file.text());
  const std::string end = line_end_of(text);
  std::map<std::uint32_t, Insertion> insertions;
  for (const prove::Verification::Invariant& one : invariants) {
    Insertion& here = insertions[one.body.begin];
    here.indent = indent_of(file, one.loop.begin);
    here.lines += here.indent + "    " + one.text + end;
  }
  // From behind, so that places stay right. The white space before the brace goes.
  for (auto it = insertions.rbegin(); it != insertions.rend(); ++it) {
    const std::size_t last = text.find_last_not_of(" \t\r\n", it->first - 1);
    text.replace(last + 1, it->first - last - 1, end + it->second.lines + it->second.indent);
  }
  SourceStore own;
  DiagnosticList diagnostics;
  // It was a program, and what was put into it is one too.
  LETO_ASSERT(format_text(file.path(), text, own, diagnostics, nullptr).parsed);
  return text;
}

}  // namespace leto::workbench
