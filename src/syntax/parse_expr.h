// The one expression grammar, for programs, specifications and models.
#pragma once

#include "syntax/cursor.h"

namespace leto::syntax {

class ExprParser {
 public:
  explicit ExprParser(Cursor& cursor) : cursor_(cursor) {}

  ExprId parse();          // a whole expression
  ExprId parse_postfix();  // an assignable place or a call
  // `(` condition `)`, with its own recovery.
  ExprId parse_condition();
  ExprId parse_simple() { return parse_primary(); }  // a number, a name
  // What a clause says, behind its word. Its place is for the caller to say.
  Clause parse_clause(ClauseKind kind);
  // What a quantifier binds.
  std::vector<Binder> parse_binders();
  // `(` and what `one` parses, comma separated, and `)`. The `(` is consumed already.
  std::vector<ExprId> parse_list(const Token& open);
  TypeSyntax parse_type();
  // The N of bits<N> and its like, from '<' to '>'; 0: reported.
  std::uint16_t parse_width();
  ExprId error();
  // P.right(inputs<o>; outputs) of the problem and the names of a bound.
  ExprId make_right(const ReliabilityClause& bound, Span at, Side of_outputs);

 private:
  ExprId parse_binary(int min_precedence);
  ExprId parse_comparison(ExprId first);
  ExprId parse_unary();
  ExprId parse_primary();
  [[nodiscard]] bool at_count();
  ExprId parse_count();
  // What combines two operands here, and of how many tokens it is; nothing: nothing does.
  struct Sign {
    BinaryOp op;
    bool dotted;
    std::size_t tokens;
  };
  [[nodiscard]] std::optional<Sign> sign();
  [[nodiscard]] bool at_widening();
  ExprId parse_widening();
  ExprId parse_part(ExprId base, ExprId high, const Token& open);
  ExprId integer(const Token& token);
  ExprId refuse_primary(const Token& token);
  ExprId refuse_dotted_call(const Token& callee);
  [[nodiscard]] bool at_arguments();
  ExprId parse_quantifier();
  // A function constant, behind its name.
  ExprId parse_member_call(const Token& first, std::optional<Ident> scope, const Ident& member);
  // What a problem says is right, behind the inputs.
  ExprId parse_clauses(const Token& first, const Ident& problem, const Token& open,
                       std::vector<ExprId> args);
  // Comma separated, up to what closes them.
  void parse_more(std::vector<ExprId>& list);
  ExprId parse_if();
  void report_bare_if(ExprId choice);
  ExprId refuse_question(ExprId condition);
  bool refuse_assignment();  // `=` where a comparison must be meant
  // Adds a node whose children are already there, guarding the tree's height.
  ExprId add(Span span, decltype(Expr::node) node, std::initializer_list<ExprId> children);
  ExprId add(Span span, decltype(Expr::node) node, const std::vector<ExprId>& children);
  [[nodiscard]] Span span(ExprId id) { return cursor_.tree().exprs[id].span; }

  Cursor& cursor_;
  std::vector<int> heights_;  // by expression id
};

}  // namespace leto::syntax
