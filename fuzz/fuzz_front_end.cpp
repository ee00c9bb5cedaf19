// libFuzzer target over lexer, parser, formatter and checker. Whatever the
// bytes are, nothing may crash; and what parses must survive formatting:
// equal tree, all comments, and formatting twice changes nothing more.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "check/check.h"
#include "problem/problem.h"
#include "syntax/syntax.h"

using namespace leto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  SourceStore sources;
  NameTable names;
  DiagnosticList diagnostics;
  const FileId id =
      sources.add("fuzz.leto", std::string(reinterpret_cast<const char*>(data), size));
  const syntax::Tree tree = syntax::parse(sources[id], id, names, diagnostics);
  if (tree.has_errors != (diagnostics.errors() > 0)) std::abort();
  if (!tree.has_errors) {
    const std::string once = syntax::format(tree, names, &sources[id]);
    const FileId again_id = sources.add("again.leto", once);
    DiagnosticList again_diagnostics;
    const syntax::Tree again = syntax::parse(sources[again_id], again_id, names, again_diagnostics);
    if (again_diagnostics.errors() != 0 || !syntax::equal(tree, again)) std::abort();
    if (tree.comments.size() != again.comments.size()) std::abort();
    if (syntax::format(again, names, &sources[again_id]) != once) std::abort();
  }
  // Any model of the file will do as the picked one.
  check::Options options;
  for (const syntax::Item& item : tree.items)
    if (const auto* model = std::get_if<syntax::ModelItem>(&item.node))
      options.model = model->name.name;
  std::deque<syntax::Tree> derived;
  if (!tree.has_errors) derived = problem::expand({&tree}, names, diagnostics);
  std::vector<const syntax::Tree*> trees;
  for (const syntax::Tree& one : derived) trees.push_back(&one);
  trees.push_back(&tree);
  (void)check::check(std::move(trees), options, names, diagnostics);
  diagnostics.sort_and_unique();
  for (const Diagnostic& d : diagnostics.all()) {
    if (d.message().empty()) std::abort();
    if (d.span && (d.span->begin > d.span->end || d.span->end > sources[d.span->file].size()))
      std::abort();
  }
  return 0;
}
