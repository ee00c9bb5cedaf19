// What stands at the top of a file, and what stands in a model.
#pragma once

#include <optional>

#include "syntax/parse_stmt.h"

namespace leto::syntax {

class ItemParser {
 public:
  explicit ItemParser(Cursor& cursor) : cursor_(cursor), exprs_(cursor), stmts_(cursor, exprs_) {}

  void parse_file();

 private:
  void parse_item();
  void parse_import();
  void parse_library(const Token& first, const Token& open);
  void parse_use();
  ConstItem parse_const();
  std::vector<ExprId> parse_elements();
  void parse_contracted();  // clauses, then a function; or a constraint on constants
  void parse_function(const Token& first, std::vector<Clause> contract,
                      std::vector<ReliabilityClause> reliability = {});
  void parse_results(FunctionItem& function);
  void parse_made(FunctionItem& function);
  void parse_checker();
  [[nodiscard]] bool at_problem();
  void parse_problem();
  void parse_problem_member(ProblemItem& problem);
  RightMember parse_right();
  [[nodiscard]] bool at_surely();
  ExampleMember parse_example();
  Literal parse_literal();
  std::vector<Literal> parse_literals(TokenKind closing, const Token& open);
  void parse_proved_checker();
  void parse_checker_clauses(ProvedCheckerItem& checker);
  std::optional<ExistsClause> parse_exists();
  std::optional<UnderClause> parse_under();
  void parse_record();
  void parse_field(RecordItem& item);
  ExprId parse_chance();
  bool parse_reliability(std::vector<ReliabilityClause>& list);
  void parse_bounded_names(ReliabilityClause& clause, TokenKind closing);
  void parse_bounded_problem(ReliabilityClause& clause);
  [[nodiscard]] std::optional<PropertyItem> parse_property();
  [[nodiscard]] bool at_system();
  void parse_system();
  void parse_part(SystemItem& system);
  NodesPart parse_nodes();
  VariablePart parse_variable(bool clock);
  StepPart parse_step();
  ElapsePart parse_elapse();
  ClaimPart parse_claim();
  std::vector<Binder> parse_binders();  // from `(` to `)`
  [[nodiscard]] bool at_enum();
  EnumItem parse_enum();
  void parse_message(ModelItem& model, const Token& first, Attributes attributes);
  void parse_message_clauses(MessageMember& message);
  void parse_define();
  void parse_model();
  void parse_member(ModelItem& model);
  void parse_model_const(ModelItem& model);
  void parse_value(ModelItem& model);
  void parse_witness(ModelItem& model);
  [[nodiscard]] std::vector<Ident> parse_names();
  void refuse_rigid();
  void parse_state(ModelItem& model);
  void parse_operator(ModelItem& model, const Token& first, Attributes attributes);
  struct OperatorHead {
    Token sign;
    std::size_t fewest, most;  // operands
  };
  [[nodiscard]] std::optional<OperatorHead> parse_operator_head(OperatorMember& op);
  void report_dot(const Token& sign);
  void parse_operator_clauses(OperatorMember& op);
  QualifiedName parse_qualified();
  void refuse_late_clauses();
  [[nodiscard]] bool at_function(std::size_t ahead);
  [[nodiscard]] bool at_record();
  [[nodiscard]] bool at_external();
  [[nodiscard]] bool at_ends();
  [[nodiscard]] bool at_lemma();
  [[nodiscard]] bool at_pure();
  [[nodiscard]] bool at_define();
  [[nodiscard]] bool at_witness();
  template <class Node>
  void add(const Token& first, Node node) {
    cursor_.tree().items.push_back({cursor_.span_from(first), std::move(node)});
  }

  Cursor& cursor_;
  ExprParser exprs_;
  StmtParser stmts_;
};

}  // namespace leto::syntax
