// The longer texts behind the codes: the pages of docs/diagnostics, compiled in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace leto::report {

// The whole page, as Markdown; empty if there is none.
[[nodiscard]] std::string explanation(std::string_view code);

// The page for a terminal: headings and code fences without their marks.
[[nodiscard]] std::string explanation_text(std::string_view code, bool colour);

// The examples of a page. Several files can belong to one example; the first
// is the one that is checked.
struct Example {
  bool wrong = false;
  struct File {
    std::string name;
    std::string text;
  };
  std::vector<File> files;
};
[[nodiscard]] std::vector<Example> examples(std::string_view page);

}  // namespace leto::report
