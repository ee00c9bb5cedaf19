// What is told of a document: diagnostics, and edits that would mend them.
#pragma once

#include <string>
#include <vector>

#include "lsp/analysis.h"
#include "lsp/client.h"

namespace leto::lsp {

struct FileEdit {
  std::string uri;
  Range range;
  std::string text;
};

struct Fix {
  std::string title;
  json diagnostic;  // that it mends
  std::vector<FileEdit> edits;
};

// As the text that it changes has its lines.
[[nodiscard]] FileEdit edit_of(const Analysis& analysis, Span span, std::string_view text);

struct Told {
  json diagnostics = json::array();
  std::vector<Fix> fixes;
};

// That nothing is known, and why.
[[nodiscard]] Told tell_doubt(const std::string& why);

// What is wrong with the text itself.
[[nodiscard]] Told tell_problems(const Analysis& analysis, const Client& client);

// Something else that is known of the sources, and that happens to lie there.
struct Elsewhere {
  Span span;
  std::string text;
};

// A diagnostic of the analysed document. One about another file stands where that is imported, and
// points there.
[[nodiscard]] json diagnostic_at(const Analysis& analysis, const Client& client,
                                 std::optional<Span> span, std::string message,
                                 const std::vector<Elsewhere>& related);

// An editor, and whoever reads what it shows, can do with so many of one document.
inline constexpr std::size_t kMostDiagnostics = 200;

}  // namespace leto::lsp
