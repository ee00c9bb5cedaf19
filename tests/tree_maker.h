// Random trees from a tape of bytes: each choice reads one byte, an empty tape
// always chooses the smallest thing. A shorter tape so makes a smaller tree,
// which is what lets a failing case shrink.
#pragma once

#include <vector>

#include "syntax/tree.h"

namespace leto::tests {

class TreeMaker {
 public:
  TreeMaker(std::vector<std::uint8_t> tape, NameTable& names)
      : tape_(std::move(tape)), names_(names) {}

  syntax::Tree make();

 private:
  unsigned pick(unsigned choices);
  bool flip() { return pick(2) == 1; }
  Name name();
  syntax::Ident ident() { return {name(), {}}; }
  syntax::TypeSyntax type(bool may_be_void = false);
  syntax::ExprId add(decltype(syntax::Expr::node) node) {
    return tree_.exprs.add({{}, std::move(node)});
  }
  syntax::StmtId add(decltype(syntax::Stmt::node) node) {
    return tree_.stmts.add({{}, std::move(node)});
  }
  syntax::ExprId atom();
  syntax::ExprId field();
  syntax::ExprId place();
  syntax::ExprId expr(int depth, int precedence = 0);
  std::vector<syntax::ExprId> exprs(int depth, unsigned most);
  syntax::Attributes attributes(bool region, bool label, bool noinf);
  std::vector<syntax::Param> params(unsigned least, unsigned most);
  std::vector<syntax::Clause> clauses(bool loop);
  syntax::StmtId simple();
  syntax::StmtId declaration(bool in_header);
  syntax::StmtId statement(int depth);
  syntax::StmtId step_statement(int depth);
  std::vector<syntax::Binder> binders();
  syntax::StmtId block(int depth);
  syntax::Member member();
  syntax::EnumItem enumeration();
  decltype(syntax::Member::node) of_messages();
  syntax::Part part();
  decltype(syntax::Member::node) function_constant();
  syntax::OperatorMember operation();
  syntax::QualifiedName qualified() { return {ident(), ident()}; }
  void item();
  syntax::Literal literal(unsigned depth);
  syntax::ProblemItem problem();
  syntax::ProvedCheckerItem proved_checker();

  std::vector<std::uint8_t> tape_;
  std::size_t at_ = 0;
  NameTable& names_;
  syntax::Tree tree_;
  bool in_step_ = false;
};

}  // namespace leto::tests
