#include "lower/context.h"

#include <algorithm>

namespace leto::lower {

using core::Base;
using core::Op;

core::Type lower_type(const check::Type& type) {
  core::Type result;
  switch (type.scalar) {
    case syntax::Scalar::Bool:
      result.base = Base::Bool;
      break;
    case syntax::Scalar::Real:
      result.base = Base::Real;
      break;
    case syntax::Scalar::Uint:
      result.natural = true;
      break;
    case syntax::Scalar::Bits:
      result.base = Base::Word;
      result.width = type.width;
      break;
    case syntax::Scalar::Int:
    case syntax::Scalar::Void:
      break;
  }
  result.rank = type.row || type.shape == syntax::Shape::Scalar ? 0
                : type.shape == syntax::Shape::Vector           ? 1
                                                                : 2;
  return result;
}

Op lower_op(syntax::BinaryOp op) {
  using B = syntax::BinaryOp;
  switch (op) {
    case B::Add:
      return Op::Add;
    case B::Sub:
      return Op::Sub;
    case B::Mul:
      return Op::Mul;
    case B::Div:
      return Op::Div;
    case B::Mod:
      return Op::Mod;
    case B::And:
      return Op::And;
    case B::Or:
      return Op::Or;
    case B::Implies:
      return Op::Implies;
    case B::Eq:
      return Op::Eq;
    case B::Ne:
      return Op::Ne;
    case B::Lt:
      return Op::Lt;
    case B::Le:
      return Op::Le;
    case B::Gt:
      return Op::Gt;
    case B::Ge:
      return Op::Ge;
    case B::BitAnd:
    case B::BitOr:
    case B::BitXor:
    case B::ShiftLeft:
    case B::ShiftRight:
    case B::Join:
      break;  // of words only
  }
  LETO_ASSERT(false);
}

Op builtin_op(std::string_view name) {
  if (name == "abs") return Op::Abs;
  if (name == "min") return Op::Min;
  if (name == "max") return Op::Max;
  if (name == "floor") return Op::Floor;
  if (name == "real") return Op::ToReal;
  LETO_ASSERT(name == "uint");
  return Op::ToNatural;
}

namespace {

std::optional<core::WordOp> find_word_op(syntax::BinaryOp op) {
  using B = syntax::BinaryOp;
  using W = core::WordOp;
  switch (op) {
    case B::Add:
      return W::Add;
    case B::Sub:
      return W::Sub;
    case B::Mul:
      return W::Mul;
    case B::Div:
      return W::Div;
    case B::Mod:
      return W::Mod;
    case B::Lt:
      return W::Less;
    case B::Le:
      return W::AtMost;
    case B::Gt:
      return W::Greater;
    case B::Ge:
      return W::AtLeast;
    case B::BitAnd:
      return W::And;
    case B::BitOr:
      return W::Or;
    case B::BitXor:
      return W::Xor;
    case B::ShiftLeft:
      return W::ShiftLeft;
    case B::ShiftRight:
      return W::ShiftRight;
    case B::Join:
      return W::Join;
    case B::And:
    case B::Or:
    case B::Implies:
    case B::Eq:
    case B::Ne:
      break;  // the same of all types
  }
  return std::nullopt;
}

}  // namespace

std::optional<core::WordOp> word_op(std::string_view name, const core::Type& first) {
  using W = core::WordOp;
  if (name == "uint" && first.is_word()) return W::ToNatural;
  if (name == "int") return W::ToInt;
  constexpr std::pair<std::string_view, W> kNames[] = {
      {"bit", W::Bit},          {"with_bit", W::WithBit}, {"popcount", W::Ones},
      {"parity", W::Parity},    {"sdiv", W::SignedDiv},   {"srem", W::SignedRem},
      {"sless", W::SignedLess}, {"sar", W::ShiftSigned}};
  for (const auto& [own, op] : kNames)
    if (name == own) return op;
  return std::nullopt;
}

core::ExprId Context::combine(syntax::BinaryOp op, core::ExprId a, core::ExprId b, Span span) {
  const auto of_words = find_word_op(op);
  if (!type(a).is_word() || !of_words) return apply(lower_op(op), {a, b}, span);
  core::Type result = type(a);
  if (is_comparison(op)) result = {Base::Bool, false, 0};
  if (op == syntax::BinaryOp::Join)
    result.width = static_cast<std::uint16_t>(type(a).width + type(b).width);
  return word(*of_words, {a, b}, result, span);
}

core::ExprId Context::combine(syntax::UnaryOp op, core::ExprId operand, Span span) {
  if (op == syntax::UnaryOp::Not) return apply(Op::Not, {operand}, span);
  const core::Type of = type(operand);
  if (!of.is_word()) return apply(Op::Neg, {operand}, span);
  const bool turns = op == syntax::UnaryOp::Complement;
  return word(turns ? core::WordOp::Not : core::WordOp::Neg, {operand}, of, span);
}

core::ExprId Context::widen(std::string_view name, std::uint16_t width, core::ExprId arg,
                            Span span) {
  const core::Type result{Base::Word, false, 0, width};
  const core::WordOp op = name == "zero_extend"   ? core::WordOp::ZeroExtend
                          : name == "sign_extend" ? core::WordOp::SignExtend
                                                  : core::WordOp::OfInt;
  return word(op, {arg}, result, span);
}

core::ExprId Context::part(core::ExprId base, const std::string& high, const std::string& low,
                           Span span) {
  const int from = std::stoi(high), to = std::stoi(low);
  const core::Type result{Base::Word, false, 0, static_cast<std::uint16_t>(from - to + 1)};
  return word(core::WordOp::Part, {base}, result, span, static_cast<std::uint16_t>(to));
}

// What has the type already stays as it is.
core::ExprId Context::apply_builtin(Op op, std::vector<core::ExprId> args, Span span) {
  if (op == Op::ToReal && type(args[0]).base == Base::Real) return args[0];
  if (op == Op::ToNatural && core::is_surely_natural(program, args[0])) return args[0];
  if (op == Op::Floor && type(args[0]).base == Base::Int)
    args[0] = apply(Op::ToReal, {args[0]}, span);
  return apply(op, std::move(args), span);
}

bool Context::of_picked_model(check::SymbolId symbol) const {
  if (!checked.model.valid()) return false;
  const auto& members = checked.models[checked.model].reachable;
  const auto it = members.find(checked.symbols[symbol].name);
  return it != members.end() &&
         std::find(it->second.begin(), it->second.end(), symbol) != it->second.end();
}

std::string Context::member_name(check::SymbolId symbol) const {
  const check::Symbol& s = checked.symbols[symbol];
  return std::string(of_picked_model(symbol) ? "model" : names.text(checked.models[s.model].name)) +
         "." + std::string(names.text(s.name));
}

std::vector<core::VarId> Context::vars_of(check::SymbolId symbol) {
  std::vector<core::VarId> list;
  for (check::SymbolId part : checked.parts_of(symbol)) list.push_back(var(part));
  return list;
}

std::vector<core::Type> Context::types_of(const check::Type& type) {
  if (type.record == nullptr) return {lower_type(type)};
  std::vector<core::Type> list;
  for (std::size_t i = 0; i < type.record->fields.size(); ++i)
    list.push_back(lower_type(check::field_type(type, i)));
  return list;
}

core::ExprId Context::compare(syntax::BinaryOp op, const std::vector<core::ExprId>& a,
                              const std::vector<core::ExprId>& b, Span span) {
  LETO_ASSERT(a.size() == b.size());
  if (a.size() == 1) return combine(op, a[0], b[0], span);
  std::vector<core::ExprId> parts;
  for (std::size_t i = 0; i < a.size(); ++i) parts.push_back(apply(Op::Eq, {a[i], b[i]}, span));
  const core::ExprId equal = conjunction(parts, span);
  return op == syntax::BinaryOp::Ne ? apply(Op::Not, {equal}, span) : equal;
}

core::VarId Context::var(check::SymbolId symbol) {
  if (const auto it = vars.find(symbol); it != vars.end()) return it->second;
  const check::Symbol& s = checked.symbols[symbol];
  LETO_ASSERT(s.type.record == nullptr);
  core::VarKind kind = core::VarKind::Local;
  switch (s.kind) {
    case check::SymbolKind::Param:
      kind = s.inout ? core::VarKind::Local : core::VarKind::Param;
      break;
    case check::SymbolKind::Ghost:
      kind = core::VarKind::Ghost;
      break;
    case check::SymbolKind::State:
      kind = core::VarKind::State;
      break;
    case check::SymbolKind::Constant:
    case check::SymbolKind::ModelConstant:
      kind = core::VarKind::Constant;
      break;
    case check::SymbolKind::Binder:
    case check::SymbolKind::DefinitionParam:
    case check::SymbolKind::OperatorParam:
    case check::SymbolKind::Destination:
    case check::SymbolKind::Outcome:
    case check::SymbolKind::Exact:
      kind = core::VarKind::Bound;
      break;
    case check::SymbolKind::Result:
      kind = core::VarKind::Result;
      break;
    case check::SymbolKind::Local:
      break;
    case check::SymbolKind::Function:
    case check::SymbolKind::Property:
    case check::SymbolKind::Definition:
    case check::SymbolKind::Lemma:
    case check::SymbolKind::Rigid:
    case check::SymbolKind::PropertyParam:
    case check::SymbolKind::Model:
    case check::SymbolKind::Record:
    case check::SymbolKind::Field:
    case check::SymbolKind::Label:
      LETO_ASSERT(false);  // no variables
  }
  std::string name(names.text(s.name));
  if (s.kind == check::SymbolKind::State || s.kind == check::SymbolKind::ModelConstant)
    name = member_name(symbol);
  const core::VarId id = add_var(kind, std::move(name), lower_type(s.type), s.span);
  if (s.whole.valid()) {
    const auto [it, fresh] = records.try_emplace(s.whole, 0);
    if (fresh) it->second = new_record();
    program.vars[id].record = it->second;
  }
  vars.emplace(symbol, id);
  return id;
}

core::ExprId Context::apply(Op op, std::vector<core::ExprId> args, Span span) {
  core::Type result{Base::Bool, false, 0};
  const auto join = [&](const core::Type& a, const core::Type& b) {
    if (a.base == Base::Real || b.base == Base::Real) return core::Type{Base::Real, false, 0};
    return core::Type{Base::Int, a.natural && b.natural, 0};
  };
  switch (op) {
    case Op::Neg:
      result = {type(args[0]).base, false, 0};
      break;
    case Op::Abs:
      result = {type(args[0]).base, type(args[0]).base == Base::Int, 0};
      break;
    case Op::Sub:
      result = join(type(args[0]), type(args[1]));
      result.natural = false;
      break;
    case Op::ToReal:
      result = {Base::Real, false, 0};
      break;
    case Op::Floor:
    case Op::ToNatural:
      result = {Base::Int, op == Op::ToNatural, 0};
      break;
    case Op::Add:
    case Op::Mul:
    case Op::Div:
    case Op::Mod:
    case Op::Min:
    case Op::Max:
      result = join(type(args[0]), type(args[1]));
      break;
    case Op::Choose:
      if (type(args[1]).base == Base::Bool) break;
      if (type(args[1]).base == Base::Word) {
        result = type(args[1]);
        break;
      }
      result = join(type(args[1]), type(args[2]));
      for (std::size_t i = 1; i < 3; ++i)
        if (result.base == Base::Real && type(args[i]).base != Base::Real)
          args[i] = apply(Op::ToReal, {args[i]}, span);
      break;
    case Op::Not:
    case Op::And:
    case Op::Or:
    case Op::Implies:
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
      break;
  }
  return add(result, span, core::Apply{op, std::move(args)});
}

core::ExprId Context::conjunction(const std::vector<core::ExprId>& parts, Span span) {
  if (parts.empty()) return add({Base::Bool, false, 0}, span, core::BoolConst{true});
  core::ExprId all = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) all = apply(Op::And, {all, parts[i]}, span);
  return all;
}

}  // namespace leto::lower
