// Types and meanings of expressions. What an expression may hold depends on
// where it stands; that is its `Place`.
#pragma once

#include "check/session.h"

namespace leto::check {

enum class Mode : std::uint8_t {
  Program,     // runs, in both runs
  Ghost,       // computes a specvar
  Unary,       // a specification of one run
  Relational,  // a specification of both
  Model,       // a clause of a model
  Constant,    // values of constants and constraints on them
};

struct Place {
  Mode mode;
  TreeIndex tree;
  std::string where;                // for messages: "'assert'", "the index of an element"
  bool one_side = false;            // Relational: inside eq(...), where the side is chosen later
  bool post = false;                // Model: in `ensures`, where the outcome is known
  bool eq_all = false;              // Relational: eq(*) is allowed
  ModelId model = {};               // Model: whose clause this is
  SymbolId snapshot_of = {};        // inside l[...]: the label
  std::string hint = {};            // a help for names that are unknown here
  std::string property_name = {};   // one_side because of this property's
  std::string property_param = {};  // parameter
};

class ExprChecker {
 public:
  ExprChecker(Session& session, Scope& scope) : session_(session), scope_(scope) {}

  // The type of a value; complains where there is none.
  Type value(syntax::ExprId id, const Place& place);
  // The same, and it must fit into `wanted`, which messages call `what`.
  void expect(syntax::ExprId id, const Place& place, const Type& wanted,
              std::string_view what = {});
  void expect_bool(syntax::ExprId id, const Place& place);
  // A call that stands as a statement: its result is not needed.
  void call_statement(syntax::ExprId id, const Place& place);

  // Functions called so far, for whoever builds a call graph.
  std::vector<SymbolId> called;
  // Dotted operations met so far.
  std::size_t relaxed_operations = 0;

 private:
  Type raw(syntax::ExprId id, const Place& place);
  Type visit(syntax::ExprId id, const syntax::NameExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::SidedExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::ModelExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::MemberExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::IndexExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::UnaryExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::BinaryExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::ChainExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::CallExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::EqExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::OldExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::QuantExpr& e, const Place& place);

  Type snapshot(syntax::ExprId id, const syntax::IndexExpr& e, const Place& place, SymbolId label,
                bool entry);
  Type call_builtin(syntax::ExprId id, const syntax::CallExpr& e, const Place& place);
  Type call_function(const syntax::CallExpr& e, const Place& place, SymbolId callee);
  Type call_property(const syntax::CallExpr& e, const Place& place, SymbolId callee);
  bool count_arguments(const syntax::CallExpr& e, std::size_t wanted);
  Type compare(syntax::BinaryOp op, const Type& a, const Type& b, Span at);
  void relaxed(std::string_view sign, bool unary, const Type& operands, const Place& place,
               Span at);
  SymbolId lookup(const syntax::Ident& ident, const Place& place, std::string_view what);
  Type use_symbol(SymbolId id, const syntax::Ident& ident, const Place& place);
  void use_param(SymbolId id, ParamUse use, Span at);
  [[nodiscard]] Span span(syntax::ExprId id, const Place& place) const;
  Type state_or_constant(SymbolId id, const syntax::Ident& ident, const Place& place);
  void reach_model_member(syntax::ExprId id, const syntax::Ident& member, ModelId model, Type& type,
                          const Place& place);

  Session& session_;
  Scope& scope_;
};

}  // namespace leto::check
