// What the parts of one lowering share: the program under construction and
// which core variable stands for which symbol.
#pragma once

#include <optional>
#include <unordered_map>

#include "lower/lower.h"

namespace leto::lower {

struct Context {
  Context(const check::Checked& checked_, const NameTable& names_)
      : checked(checked_), names(names_) {}

  const check::Checked& checked;
  const NameTable& names;
  Trap trap = Trap::None;  // for the test of unsound rules only
  core::Program program;
  bool has_to_end = false;  // some function of the program
  std::unordered_map<check::SymbolId, core::VarId> vars;
  // What an inout parameter was when it was passed; `vars` has what it is.
  std::unordered_map<check::SymbolId, core::VarId> passed;
  // Records that are variables, by number; `new_record` gives the next one.
  std::unordered_map<check::SymbolId, std::uint32_t> records;
  std::uint32_t record_count = 0;
  std::uint32_t new_record() { return ++record_count; }
  std::unordered_map<check::SymbolId, core::LoopId> loops;
  std::unordered_map<check::SymbolId, core::FunctionId> functions;
  std::unordered_map<check::SymbolId, core::DefinitionId> definitions;
  // Specifications of the operators of the picked model and of those that something is done
  // again under, each in the order of its list.
  std::unordered_map<check::ModelId, std::vector<std::uint32_t>> specifications;

  [[nodiscard]] const syntax::Tree& tree(check::TreeIndex index) const {
    return *checked.trees[index];
  }
  [[nodiscard]] const check::Facts& facts(check::TreeIndex index) const {
    return checked.facts[index];
  }
  [[nodiscard]] check::SymbolId declared(check::TreeIndex tree_index,
                                         const syntax::Ident& ident) const {
    return facts(tree_index).declared.at(check::key_of(ident.span));
  }

  core::VarId add_var(core::VarKind kind, std::string name, core::Type type, Span span) {
    return program.vars.add({kind, std::move(name), type, span});
  }
  // Whether a part of a model belongs to the picked one; else its name is that of its model.
  [[nodiscard]] bool of_picked_model(check::SymbolId symbol) const;
  // "model.eps"
  [[nodiscard]] std::string member_name(check::SymbolId symbol) const;
  // The variable for a symbol that is no record, made where it is first met.
  core::VarId var(check::SymbolId symbol);
  // The variables that it stands for: of a record one for each field, in order.
  std::vector<core::VarId> vars_of(check::SymbolId symbol);
  // What a type consists of: of a record its fields, of a vector of records vectors of them.
  [[nodiscard]] static std::vector<core::Type> types_of(const check::Type& type);
  // That all parts are equal, or that some are not.
  core::ExprId compare(syntax::BinaryOp op, const std::vector<core::ExprId>& a,
                       const std::vector<core::ExprId>& b, Span span);

  core::ExprId add(core::Type type, Span span, decltype(core::Expr::node) node) {
    demand(checked.allowance, "lowering");
    return program.exprs.add({type, span, std::move(node)});
  }
  core::ExprId ref(core::VarId var_id, Span span, core::Side side = core::Side::Open) {
    return add(program.vars[var_id].type, span, core::VarRef{var_id, side});
  }
  core::ExprId number(std::string text, Span span) {
    return add({core::Base::Int, true, 0}, span, core::NumberConst{std::move(text)});
  }
  core::ExprId apply(core::Op op, std::vector<core::ExprId> args, Span span);
  // What an operator means depends on the types of its operands.
  core::ExprId combine(syntax::BinaryOp op, core::ExprId a, core::ExprId b, Span span);
  core::ExprId combine(syntax::UnaryOp op, core::ExprId operand, Span span);
  core::ExprId word(core::WordOp op, std::vector<core::ExprId> args, const core::Type& type,
                    Span span, std::uint16_t low = 0) {
    return add(type, span, core::Word{op, std::move(args), low});
  }
  // bits<8>(i) and its like, of what is converted already to a value.
  core::ExprId widen(std::string_view name, std::uint16_t width, core::ExprId arg, Span span);
  core::ExprId part(core::ExprId base, const std::string& high, const std::string& low, Span span);
  // Of type `type`: a number, or a word.
  core::ExprId literal(const core::Type& type, std::string text, Span span) {
    return add(type, span, core::NumberConst{std::move(text)});
  }
  core::ExprId apply_builtin(core::Op op, std::vector<core::ExprId> args, Span span);
  core::ExprId conjunction(const std::vector<core::ExprId>& parts, Span span);
  [[nodiscard]] const core::Type& type(core::ExprId id) const { return program.exprs[id].type; }
};

[[nodiscard]] core::Type lower_type(const check::Type& type);
[[nodiscard]] core::Op lower_op(syntax::BinaryOp op);
[[nodiscard]] core::Op builtin_op(std::string_view name);  // abs, min, max, floor, real, uint
// popcount and its like; of words, uint and int too.
[[nodiscard]] std::optional<core::WordOp> word_op(std::string_view name, const core::Type& first);

}  // namespace leto::lower
