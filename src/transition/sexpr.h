// Lists in parentheses: how MCMT and SMT-LIB are written. A text of any depth and any garbage comes
// in; nothing here recurses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"

namespace leto::transition {

struct SexprTag;
using SexprId = Id<SexprTag>;

struct Sexpr {
  Span span;
  std::string_view text;       // of an atom, without the bars of |a b|
  std::vector<SexprId> parts;  // of a list
  bool is_list = false;
};

class Sexprs {
 public:
  explicit Sexprs(const SourceStore& sources) : sources_(sources) {}

  // What stands in a file side by side. An unbalanced parenthesis is reported, and then there is
  // nothing.
  [[nodiscard]] std::vector<SexprId> read(FileId file, DiagnosticSink& sink);
  [[nodiscard]] const Sexpr& operator[](SexprId id) const { return nodes_[id]; }
  [[nodiscard]] bool is_atom(SexprId id, std::string_view text) const {
    return !nodes_[id].is_list && nodes_[id].text == text;
  }
  // As it is written, for messages; long ones are cut.
  [[nodiscard]] std::string shown(SexprId id) const;

 private:
  const SourceStore& sources_;
  Store<SexprId, Sexpr> nodes_;
};

}  // namespace leto::transition
