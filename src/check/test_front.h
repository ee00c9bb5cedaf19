// For tests only: a program from a text, with what there is to say about it.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "check/check.h"
#include "syntax/syntax.h"

namespace leto::check {

class Front {
 public:
  // Under the model that the text names in `use model`, or under none.
  explicit Front(std::string text) {
    const FileId id = sources.add("test.leto", std::move(text));
    tree = syntax::parse(sources[id], id, names, said);
    Options options;
    for (const syntax::Item& item : tree.items)
      if (const auto* use = std::get_if<syntax::UseModelItem>(&item.node))
        options.model = use->model.name;
    checked = check({&tree}, options, names, said);
    said.sort_and_unique();
  }
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;

  [[nodiscard]] std::set<std::string_view> codes() const {
    std::set<std::string_view> out;
    for (const Diagnostic& d : said.all()) out.insert(info(d.kind).code);
    return out;
  }
  [[nodiscard]] std::string messages() const {
    std::string out;
    for (const Diagnostic& d : said.all())
      out += std::string(info(d.kind).code) + ": " + d.message() + "\n";
    return out;
  }

  SourceStore sources;
  NameTable names;
  DiagnosticList said;
  syntax::Tree tree;
  Checked checked;
};

}  // namespace leto::check
