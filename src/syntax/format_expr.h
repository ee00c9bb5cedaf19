// Printing expressions: on one line where they fit, broken at their outermost
// operators where they do not.
#pragma once

#include <string>
#include <vector>

#include "syntax/tree.h"

namespace leto::syntax {

[[nodiscard]] std::string format_type(const TypeSyntax& type, const NameTable& names);

class ExprPrinter {
 public:
  ExprPrinter(const Tree& tree, const NameTable& names, unsigned width)
      : tree_(tree), names_(names), width_(width), lengths_(tree.exprs.size(), 0) {}

  void flat(std::string& out, ExprId id) const;
  // Appends to `out`, whose last line may have begun already; continuation
  // lines are indented by `indent`. `reserve` columns are left for what follows.
  void print(std::string& out, ExprId id, unsigned indent, unsigned reserve = 1);

 private:
  [[nodiscard]] std::string callee(const MemberCallExpr& e) const;
  [[nodiscard]] std::string callee(const CallExpr& e) const;
  // What stands before an argument.
  [[nodiscard]] static std::string_view separator(const CallExpr& e, std::size_t i);
  void broken(std::string& out, ExprId id, unsigned indent, unsigned reserve);
  void child(std::string& out, ExprId id, bool parens) const;
  // On one line.
  void print_base(std::string& out, ExprId id) const;
  void print_flat(std::string& out, const IndexExpr& e) const;
  void print_flat(std::string& out, const UpdateExpr& e) const;
  void print_flat(std::string& out, const UnaryExpr& e) const;
  void print_flat(std::string& out, const BinaryExpr& e) const;
  void print_flat(std::string& out, const ChainExpr& e) const;
  void print_flat(std::string& out, const IfExpr& e) const;
  void print_flat(std::string& out, const QuantExpr& e) const;
  [[nodiscard]] bool needs_parens(ExprId child, int parent_precedence, bool strictly) const;
  [[nodiscard]] unsigned length(ExprId id);
  [[nodiscard]] std::string_view text(Name name) const { return names_.text(name); }

  const Tree& tree_;
  const NameTable& names_;
  unsigned width_;
  std::vector<unsigned> lengths_;  // of the flat text; 0 is "not yet known"
};

}  // namespace leto::syntax
