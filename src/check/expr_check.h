// Types and meanings of expressions.
#pragma once

#include <utility>

#include "check/name_use.h"

namespace leto::check {

// Where a lemma is called, or a pure function is used.
struct LemmaUse {
  SymbolId lemma;
  Span at;
};

// A function of words by its name: popcount and its like.
[[nodiscard]] bool is_word_function(std::string_view name);
// How a value of one type becomes one of the other, where one of them is a word; empty: not at all.
[[nodiscard]] std::string conversion_help(const Type& from, const Type& to);

class ExprChecker {
 public:
  ExprChecker(Session& session, Scope& scope)
      : session_(session), scope_(scope), names_(session, scope) {}

  // The type of a value; complains where there is none.
  Type value(syntax::ExprId id, const Place& place);
  // A value where a word of so many bits is wanted; 0: where none is.
  Type value_as(syntax::ExprId id, const Place& place, std::uint16_t width);
  // The same, and it must fit into `wanted`, which messages call `what`.
  void expect(syntax::ExprId id, const Place& place, const Type& wanted,
              std::string_view what = {});
  void expect_bool(syntax::ExprId id, const Place& place);
  // Declares bound variables in the scope at hand.
  void bind(const std::vector<syntax::Binder>& binders, TreeIndex tree);
  // A call that stands as a statement: its result is not needed.
  void call_statement(syntax::ExprId id, const Place& place);
  // The lemma that a statement calls; invalid: it is no lemma.
  [[nodiscard]] SymbolId find_lemma(syntax::ExprId id, const Place& place) const;
  // Its arguments are specifications.
  void call_lemma(syntax::ExprId id, const Place& place, SymbolId lemma);

  // Whether an expression that has been looked at is a variable, or a field of one, by its name.
  [[nodiscard]] bool is_variable(syntax::ExprId id, const Place& place) const;
  // Whether the last call that changes variables changes one of these.
  [[nodiscard]] bool changes_any(const std::vector<SymbolId>& parts) const;

  // Functions called so far, for whoever builds a call graph.
  std::vector<SymbolId> called;
  std::vector<Span> called_at;
  std::vector<LemmaUse> lemmas;
  // Pure functions in specifications.
  std::vector<LemmaUse> pure_uses;
  // Where state of the model is named.
  std::vector<Span> states_named;
  // The call that is a statement, or all that one assigns; such a call may change variables.
  syntax::ExprId by_itself = {};
  // What the last such call changes in place, field by field.
  std::vector<SymbolId> changed_in_place;
  // Dotted operations met so far.
  std::size_t relaxed_operations = 0;

 private:
  Type raw(syntax::ExprId id, const Place& place);
  Type visit(syntax::ExprId id, const syntax::NameExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::SidedExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::ModelExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::MemberExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::FieldExpr& e, const Place& place);
  Type use_sided(syntax::ExprId id, const syntax::SidedExpr& e, Name name, const std::string& plain,
                 const Place& place);
  [[nodiscard]] SymbolId find_in_place(syntax::ExprId id, const Place& place) const;
  [[nodiscard]] bool gives_several(syntax::ExprId id, const syntax::CallExpr& e,
                                   const Place& place);
  void refuse_inside(const syntax::CallExpr& e, const syntax::FunctionItem& function);
  [[nodiscard]] Name name_part(Name whole, Name part);
  Type report_field(const Record& record, const syntax::Ident& field);
  Type use_variable(syntax::ExprId id, SymbolId symbol, const syntax::Ident& ident,
                    const Place& place);
  // False, and reported: there are several results, and none is called so.
  [[nodiscard]] bool is_result(const syntax::Ident& part);
  Type visit(syntax::ExprId id, const syntax::IndexExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::PartExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::WidenExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::UnaryExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::BinaryExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::ChainExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::CallExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::MemberCallExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::EqExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::OldExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::IfExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::UpdateExpr& e, const Place& place);
  // Whether it is what a call returns, or a field of that.
  [[nodiscard]] bool calls(syntax::ExprId id, const Place& place) const;
  Type vector_value(syntax::ExprId id, const Place& place);
  Type visit(syntax::ExprId id, const syntax::QuantExpr& e, const Place& place);
  Type visit(syntax::ExprId id, const syntax::CountExpr& e, const Place& place);

  // Two values, of which a literal has the type of the other one.
  std::pair<Type, Type> alike(syntax::ExprId lhs, syntax::ExprId rhs, const Place& place,
                              std::uint16_t width);
  [[nodiscard]] bool is_literal(syntax::ExprId id, const Place& place) const;
  Type literal(syntax::ExprId id, const syntax::IntegerExpr& e, std::uint16_t width,
               const Place& place);
  void report_words(std::string_view sign, const Type& a, const Type& b, Span at);
  Type combine_words(const syntax::BinaryExpr& e, const Type& a, const Type& b, const Place& place);
  Type join_words(const syntax::BinaryExpr& e, const Type& a, const Type& b);
  [[nodiscard]] bool names_word_function(const syntax::Ident& callee, const Place& place) const;
  Type call_word_function(const syntax::CallExpr& e, const Place& place, std::uint16_t width);
  Type snapshot(syntax::ExprId id, const syntax::IndexExpr& e, const Place& place, SymbolId label,
                bool entry);
  Type call_builtin(syntax::ExprId id, const syntax::CallExpr& e, const Place& place);
  [[nodiscard]] bool is_problem(Name name) const;
  [[nodiscard]] bool has_as_many_parameters(const Symbol& property, std::size_t count) const;
  [[nodiscard]] bool is_conversion(const syntax::Ident& callee, const Place& place) const;
  Type convert(const syntax::CallExpr& e, const Place& place);
  Type call_function(syntax::ExprId id, const syntax::CallExpr& e, const Place& place,
                     SymbolId callee);
  void pass_in_place(const syntax::CallExpr& e, std::size_t i, const syntax::Param& param,
                     const Place& place);
  Type call_property(const syntax::CallExpr& e, const Place& place, SymbolId callee);
  Type call_definition(const syntax::CallExpr& e, const Place& place, SymbolId callee);
  Type call_rigid(const syntax::Ident& callee, const std::vector<syntax::ExprId>& args,
                  const Place& place, SymbolId rigid);
  void specification_arguments(const syntax::CallExpr& e, const Place& place,
                               const std::vector<syntax::Param>& params);
  bool count_arguments(const syntax::CallExpr& e, std::size_t wanted) {
    return count_arguments(e.callee, e.args.size(), wanted);
  }
  bool count_arguments(const syntax::Ident& callee, std::size_t found, std::size_t wanted);
  Type compare(syntax::BinaryOp op, const Type& a, const Type& b, Span at);
  void relaxed(std::string_view sign, bool unary, const Type& operands, const Place& place,
               Span at);
  [[nodiscard]] Place with_hint(Place place, Name name) const;
  [[nodiscard]] Span span(syntax::ExprId id, const Place& place) const;

  Session& session_;
  Scope& scope_;
  NameUse names_;
  // Of the word that is wanted of the next value that is looked at; 0: none is.
  std::uint16_t wanted_width_ = 0;
};

}  // namespace leto::check
