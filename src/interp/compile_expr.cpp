#include "interp/compile_expr.h"

#include "interp/compile_quant.h"

namespace leto::interp {

using core::Op;
using core::Side;

namespace {

// The result in a register of one's own: whatever computed it last does so there, if nothing else
// wrote to where it was.
void put_result(Code& out, std::size_t from, const Number* result, Number* where) {
  std::size_t writes = 0;
  for (std::size_t i = from; i < out.steps.size(); ++i) writes += out.steps[i].to == result;
  if (writes == 1 && out.steps.back().to == result)
    out.steps.back().to = where;
  else
    out.steps.push_back({Do::Copy, 0, where, result});
}

void land_here(Code& out, std::size_t jump) {
  out.steps[jump].extra = static_cast<std::uint32_t>(out.steps.size());
}

bool stops_early(Op op) {
  return op == Op::And || op == Op::Or || op == Op::Implies;
}

// How deep operators that stop early are nested on the left: each is looked at once per level.
int left_depth(const core::Program& program, core::ExprId id) {
  int depth = 0;
  for (const auto* node = std::get_if<core::Apply>(&program.exprs[id].node);
       node != nullptr && (stops_early(node->op) || node->op == Op::Choose);
       node = std::get_if<core::Apply>(&program.exprs[node->args[0]].node))
    ++depth;
  return depth;
}

}  // namespace

Number* ExprCompiler::fresh() {
  return &code_.registers.emplace_back();
}

const Number* ExprCompiler::constant(Number value) {
  return &code_.registers.emplace_back(std::move(value));
}

std::optional<Number> ExprCompiler::literal(core::ExprId id) const {
  const auto* node = std::get_if<core::NumberConst>(&program_.exprs[id].node);
  if (node == nullptr) return std::nullopt;
  return Number::parse(node->text).value_or(0);
}

Place ExprCompiler::place(core::VarId var) {
  return {var, &code_.pair.original[var.value], &code_.pair.relaxed[var.value]};
}

Code ExprCompiler::scalar(core::ExprId id, const Names& names) {
  Code out;
  out.result = append(id, names, out);
  return out;
}

Sided ExprCompiler::sided(core::ExprId id) {
  return {scalar(id, {Side::Original}), scalar(id, {Side::Relaxed})};
}

const Value* ExprCompiler::vector(core::ExprId id, const Names& names) const {
  const auto* ref = std::get_if<core::VarRef>(&program_.exprs[id].node);
  if (ref == nullptr) return nullptr;
  return &code_.pair.side(ref->side == Side::Open ? names.open : ref->side)[ref->var.value];
}

const Number* ExprCompiler::append(Do what, const Number* a, const Number* b, Code& out) {
  Number* to = fresh();
  out.steps.push_back({what, 0, to, a, b});
  return to;
}

const Number* ExprCompiler::append_walk(core::ExprId id, const Names& names, Code& out) {
  const auto part = static_cast<std::uint32_t>(code_.parts.size());
  code_.parts.push_back({id, names});
  Number* to = fresh();
  out.steps.push_back({Do::Walk, part, to});
  return to;
}

const Number* ExprCompiler::append(core::ExprId id, const Names& names, Code& out) {
  const core::Expr& e = program_.exprs[id];
  if (e.type.rank > 0) return append_walk(id, names, out);
  return std::visit(
      Overload{
          [&](const core::BoolConst& node) { return constant(node.value ? 1 : 0); },
          [&](const core::NumberConst&) { return constant(*literal(id)); },
          [&](const core::VarRef& node) -> const Number* {
            for (auto it = names.bound.rbegin(); it != names.bound.rend(); ++it)
              if (it->first == node.var) return it->second;
            return &vector(id, names)->scalar;
          },
          [&](const core::OldRef& node) -> const Number* {
            for (const auto& [var, at] : names.old)
              if (var == node.var) return at;
            return &code_.pair.relaxed[node.var.value].scalar;
          },
          [&](const core::Length& node) -> const Number* {
            const Value* value = vector(node.vector, names);
            if (value == nullptr) return append_walk(id, names, out);
            Number* to = fresh();
            out.steps.push_back({Do::Length, node.dimension, to, nullptr, nullptr, value});
            return to;
          },
          [&](const core::Select& node) { return append_element(id, node, names, out); },
          [&](const core::Apply& node) { return append_apply(id, node, names, out); },
          [&](const core::Quant& node) { return append_quantifier(id, node, names, out); },
          [&](const core::Snapshot&) { return append_walk(id, names, out); },
          [&](const core::Row&) { return append_walk(id, names, out); },
          [&](const core::Update&) { return append_walk(id, names, out); },
          [&](const core::Defined&) { return append_walk(id, names, out); },
          [&](const core::Listed&) { return append_walk(id, names, out); },
          [&](const core::Word&) { return append_walk(id, names, out); },
      },
      e.node);
}

const Number* ExprCompiler::append_element(core::ExprId id, const core::Select& node,
                                           const Names& names, Code& out) {
  const Value* value = vector(node.vector, names);
  if (value == nullptr || node.indices.empty() || node.indices.size() > 2)
    return append_walk(id, names, out);
  const Number* row = append(node.indices[0], names, out);
  const Number* column = node.indices.size() > 1 ? append(node.indices[1], names, out) : nullptr;
  Number* to = fresh();
  out.steps.push_back({Do::Element, 0, to, row, column, value});
  return to;
}

// Whole vectors are compared; nothing else is done with them.
const Number* ExprCompiler::append_vectors(core::ExprId id, const core::Apply& node,
                                           const Names& names, Code& out) {
  const Value* left = vector(node.args[0], names);
  const Value* right = vector(node.args[1], names);
  if (left == nullptr || right == nullptr || (node.op != Op::Eq && node.op != Op::Ne))
    return append_walk(id, names, out);
  Number* to = fresh();
  out.steps.push_back(
      {node.op == Op::Eq ? Do::SameValues : Do::OtherValues, 0, to, nullptr, nullptr, left, right});
  return to;
}

const Number* ExprCompiler::append_apply(core::ExprId id, const core::Apply& node,
                                         const Names& names, Code& out) {
  for (core::ExprId arg : node.args)
    if (program_.exprs[arg].type.rank > 0) return append_vectors(id, node, names, out);
  if (stops_early(node.op)) return append_choice(node, names, out);
  if (node.op == Op::Choose) return append_either(node, names, out);
  const auto simple = [&](Do what, bool turned = false) {
    const Number* a = append(node.args[0], names, out);
    const Number* b = node.args.size() > 1 ? append(node.args[1], names, out) : nullptr;
    return turned ? append(what, b, a, out) : append(what, a, b, out);
  };
  switch (node.op) {
    case Op::Not:
      return simple(Do::Not);
    case Op::Neg:
      return simple(Do::Neg);
    case Op::Abs:
      return simple(Do::Abs);
    case Op::ToReal:
      return append(node.args[0], names, out);
    case Op::Floor:
      return simple(Do::Floor);
    case Op::ToNatural:
      return simple(Do::Natural);
    case Op::Add:
      return simple(Do::Add);
    case Op::Sub:
      return simple(Do::Sub);
    case Op::Mul:
      return simple(Do::Mul);
    case Op::Div:
      return simple(program_.exprs[id].type.base == core::Base::Real ? Do::Quotient
                                                                     : Do::WholeQuotient);
    case Op::Mod:
      return simple(Do::Remainder);
    case Op::Eq:
      return simple(Do::Equal);
    case Op::Ne:
      return simple(Do::Differ);
    case Op::Lt:
      return append_less(node, names, out);
    case Op::Le:
      return simple(Do::AtMost);
    case Op::Gt:
      return simple(Do::Less, true);
    case Op::Ge:
      return simple(Do::AtMost, true);
    case Op::Min:
      return simple(Do::Min);
    case Op::Max:
      return simple(Do::Max);
    case Op::And:
    case Op::Or:
    case Op::Implies:
    case Op::Choose:
      break;
  }
  LETO_ASSERT(false);
}

// Most checks are of an index against a vector's length.
const Number* ExprCompiler::append_less(const core::Apply& node, const Names& names, Code& out) {
  const Number* a = append(node.args[0], names, out);
  const auto* length = std::get_if<core::Length>(&program_.exprs[node.args[1]].node);
  const Value* value = length != nullptr ? vector(length->vector, names) : nullptr;
  if (value == nullptr) return append(Do::Less, a, append(node.args[1], names, out), out);
  Number* to = fresh();
  out.steps.push_back({Do::BelowLength, length->dimension, to, a, nullptr, value});
  return to;
}

// The right side is computed only if the left one leaves it open.
const Number* ExprCompiler::append_choice(const core::Apply& node, const Names& names, Code& out) {
  Number* to = fresh();
  std::size_t from = out.steps.size();
  const Number* left = append(node.args[0], names, out);
  if (node.op == Op::Implies)
    out.steps.push_back({Do::Not, 0, to, left});
  else
    put_result(out, from, left, to);
  const std::size_t jump = out.steps.size();
  out.steps.push_back({node.op == Op::And ? Do::JumpUnless : Do::JumpIf, 0, nullptr, to});
  from = out.steps.size();
  const Number* right = append(node.args[1], names, out);
  put_result(out, from, right, to);
  land_here(out, jump);
  return to;
}

// Only the value that is chosen is computed.
const Number* ExprCompiler::append_either(const core::Apply& node, const Names& names, Code& out) {
  Number* to = fresh();
  const Number* condition = append(node.args[0], names, out);
  const auto put = [&](core::ExprId value) {
    const std::size_t from = out.steps.size();
    put_result(out, from, append(value, names, out), to);
  };
  const std::size_t other = out.steps.size();
  out.steps.push_back({Do::JumpUnless, 0, nullptr, condition});
  put(node.args[1]);
  const std::size_t done = out.steps.size();
  out.steps.push_back({Do::Jump});
  land_here(out, other);
  put(node.args[2]);
  land_here(out, done);
  return to;
}

const Number* ExprCompiler::append_quantifier(core::ExprId id, const core::Quant& node,
                                              const Names& names, Code& out) {
  std::optional<Quantifier> made = QuantifierCompiler(program_, *this, names).quantifier(id, node);
  if (!made) return append_walk(id, names, out);
  const auto index = static_cast<std::uint32_t>(code_.quantifiers.size());
  code_.quantifiers.push_back(std::move(*made));
  Number* to = fresh();
  out.steps.push_back({Do::Quantify, index, to});
  return to;
}

// Values that are missing ------------------------------------------------------------------------

std::optional<Code> ExprCompiler::lacks_value(core::ExprId id) {
  bool plain = true;
  const std::function<void(core::ExprId)> look = [&](core::ExprId at) {
    plain = plain && !std::holds_alternative<core::Snapshot>(program_.exprs[at].node) &&
            left_depth(program_, at) <= 16;
    if (plain) core::for_each_child(program_, at, look);
  };
  look(id);
  if (!plain) return std::nullopt;
  Code out;
  std::vector<std::size_t> found;
  append_reads(id, false, out, found);
  Number* to = fresh();
  out.steps.push_back({Do::Copy, 0, to, constant(0)});
  const std::size_t none = out.steps.size();
  out.steps.push_back({Do::Jump});
  for (std::size_t jump : found) land_here(out, jump);
  out.steps.push_back({Do::Copy, 0, to, constant(1)});
  land_here(out, none);
  out.result = to;
  return out;
}

void ExprCompiler::append_reads(core::ExprId id, bool inside_quantifier, Code& out,
                                std::vector<std::size_t>& found) {
  const Names names{Side::Relaxed};
  const auto& node = program_.exprs[id].node;
  if (const auto* ref = std::get_if<core::VarRef>(&node)) {
    if (program_.vars[ref->var].kind == core::VarKind::Bound) return;
    found.push_back(out.steps.size());
    out.steps.push_back({Do::JumpIfNone, 0, nullptr, nullptr, nullptr, vector(id, names)});
    return;
  }
  const auto* apply = std::get_if<core::Apply>(&node);
  if (apply != nullptr && apply->op == Op::Choose && !inside_quantifier)
    return append_reads_of_either(*apply, out, found);
  const bool stops = apply != nullptr && stops_early(apply->op) && !inside_quantifier;
  const bool within = inside_quantifier || std::holds_alternative<core::Quant>(node);
  std::optional<std::size_t> enough;
  core::for_each_child(program_, id, [&](core::ExprId child) {
    append_reads(child, within, out, found);
    if (!stops || enough) return;
    const Number* left = append(child, names, out);
    enough = out.steps.size();
    out.steps.push_back({apply->op == Op::Or ? Do::JumpIf : Do::JumpUnless, 0, nullptr, left});
  });
  if (enough) land_here(out, *enough);
}

void ExprCompiler::append_reads_of_either(const core::Apply& node, Code& out,
                                          std::vector<std::size_t>& found) {
  append_reads(node.args[0], false, out, found);
  const Number* condition = append(node.args[0], Names{Side::Relaxed}, out);
  const std::size_t other = out.steps.size();
  out.steps.push_back({Do::JumpUnless, 0, nullptr, condition});
  append_reads(node.args[1], false, out, found);
  const std::size_t done = out.steps.size();
  out.steps.push_back({Do::Jump});
  land_here(out, other);
  append_reads(node.args[2], false, out, found);
  land_here(out, done);
}

}  // namespace leto::interp
