// Statements, and the parts that statements share with items.
#pragma once

#include "syntax/parse_expr.h"

namespace leto::syntax {

// Where attributes stand decides which of them are allowed.
enum class AttributeSite : std::uint8_t { Loop, Declaration, Parameter, Operator, Statement, Item };

class StmtParser {
 public:
  StmtParser(Cursor& cursor, ExprParser& exprs) : cursor_(cursor), exprs_(exprs) {}

  StmtId parse_block();
  // The body of a step of a system, in which some words mean something.
  StmtId parse_step_body();
  Attributes parse_attributes();
  // Reports those attributes that cannot stand at the site.
  void require_site(const Attributes& attributes, AttributeSite site);
  std::vector<Param> parse_params();  // from `(` to `)`, with recovery
  std::vector<Param> parse_param_list();

 private:
  StmtId parse_statement();
  StmtId parse_declaration(const Token& first, Attributes attributes);
  void report_second_type();
  bool accept_inout();
  void accept_pointer(Param& param);
  StmtId parse_simple();  // assignment, step or call, without its semicolon
  StmtId parse_spread(const Token& first, ExprId target);
  StmtId parse_if();
  StmtId parse_forall();
  StmtId parse_while(const Token& first, Attributes attributes);
  StmtId parse_for(const Token& first, Attributes attributes);
  StmtId parse_repeat(const Token& first, Attributes attributes);
  StmtId parse_try(const Token& first);
  [[nodiscard]] bool at_nodes();
  StmtId parse_nodes(const Token& first);
  StmtId parse_choose(const Token& first);
  [[nodiscard]] bool at_message();
  StmtId parse_message(const Token& first, ExprId target);
  StmtId parse_jump(const Token& first, JumpKind kind);
  std::vector<Clause> parse_invariants();
  StmtId add(Span span, decltype(Stmt::node) node);
  StmtId error(const Token& first);

  Cursor& cursor_;
  ExprParser& exprs_;
  bool in_step_ = false;
};

}  // namespace leto::syntax
