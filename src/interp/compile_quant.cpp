#include "interp/compile_quant.h"

#include <algorithm>

namespace leto::interp {

using core::Op;

namespace {

bool holds_quantifier(const core::Program& program, core::ExprId id) {
  const auto& node = program.exprs[id].node;
  // A definition too may have no value.
  if (std::holds_alternative<core::Quant>(node) || std::holds_alternative<core::Defined>(node))
    return true;
  bool found = false;
  core::for_each_child(
      program, id, [&](core::ExprId child) { found = found || holds_quantifier(program, child); });
  return found;
}

bool bounds_below(Op op) {
  return op == Op::Gt || op == Op::Ge || op == Op::Eq;
}
bool bounds_above(Op op) {
  return op == Op::Lt || op == Op::Le || op == Op::Eq;
}

bool is_finite(const Level& level) {
  if (level.truth) return true;
  bool low = level.from_zero, high = false;
  for (const Level::Limit& limit : level.bounds) {
    low = low || bounds_below(limit.op);
    high = high || bounds_above(limit.op);
  }
  return low && high;
}

}  // namespace

// The variable whose range is known first is tried first: in `i < j < n` that is j. What takes
// more than that is left to the tree.
std::optional<Quantifier> QuantifierCompiler::quantifier(core::ExprId id, const core::Quant& node) {
  Quantifier out;
  out.part = {id, names_};
  out.universal = node.universal;
  std::vector<core::VarId> open = node.bound;
  while (!open.empty()) {
    const std::size_t before = open.size();
    for (std::size_t k = 0; k < open.size() && open.size() == before; ++k) {
      std::vector<core::VarId> others = open;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
      Level found = level(node, open[k], others);
      if (!same_always_) return std::nullopt;
      if (!is_finite(found)) continue;
      names_.bound.emplace_back(found.var, found.at);
      out.levels.push_back(std::move(found));
      open = std::move(others);
    }
    if (open.size() == before) return std::nullopt;
  }
  out.body = exprs_.scalar(node.body, names_);
  return out;
}

Level QuantifierCompiler::level(const core::Quant& node, core::VarId var,
                                const std::vector<core::VarId>& open) {
  const core::Type& type = program_.vars[var].type;
  Level out;
  out.var = var;
  out.at = exprs_.fresh();
  out.truth = type.base == core::Base::Bool;
  // Where it is a word the tree looks at it.
  if (out.truth || type.base == core::Base::Real || type.base == core::Base::Word) return out;
  out.from_zero = type.natural;
  open_ = open;
  narrow(node.body, node.universal, out);
  return out;
}

void QuantifierCompiler::narrow(core::ExprId guard, bool negated, Level& level) {
  const auto* apply = std::get_if<core::Apply>(&program_.exprs[guard].node);
  if (apply == nullptr) return;
  if (apply->op == Op::Not) return narrow(apply->args[0], !negated, level);
  if (apply->op == (negated ? Op::Or : Op::And)) {
    for (core::ExprId arg : apply->args) narrow(arg, negated, level);
    return;
  }
  if (negated && apply->op == Op::Implies) {
    narrow(apply->args[0], false, level);
    narrow(apply->args[1], true, level);
    return;
  }
  const Op op = negated ? contrary(apply->op) : apply->op;
  if ((bounds_below(op) || bounds_above(op)) && program_.exprs[apply->args[0]].type.rank == 0)
    compare(*apply, op, level);
}

void QuantifierCompiler::compare(const core::Apply& apply, Op op, Level& level) {
  const auto left = linear(apply.args[0], level);
  const auto right = linear(apply.args[1], level);
  if (!left || !right) return;
  const Number factor = left->factor - right->factor;
  if (factor.sign() == 0) return;
  const Number* bound = exprs_.append(Do::Sub, right->rest, left->rest, level.limits);
  if (!(factor == Number(1)))
    bound = exprs_.append(Do::Quotient, bound, exprs_.constant(factor), level.limits);
  level.bounds.push_back({factor.sign() < 0 ? turned(op) : op, bound});
}

std::optional<QuantifierCompiler::Linear> QuantifierCompiler::linear(core::ExprId id,
                                                                     Level& level) {
  if (!mentions(program_, id, [&](core::VarId v) { return v == level.var; })) {
    if (mentions(program_, id, [&](core::VarId v) {
          return std::find(open_.begin(), open_.end(), v) != open_.end();
        }))
      return std::nullopt;
    same_always_ = same_always_ && !holds_quantifier(program_, id);
    if (!same_always_) return std::nullopt;
    return Linear{0, exprs_.append(id, names_, level.limits), exprs_.literal(id)};
  }
  const auto& node = program_.exprs[id].node;
  if (std::holds_alternative<core::VarRef>(node)) return Linear{1, exprs_.constant(0), Number(0)};
  const auto* apply = std::get_if<core::Apply>(&node);
  if (apply == nullptr) return std::nullopt;
  std::vector<Linear> args;
  for (core::ExprId arg : apply->args) {
    std::optional<Linear> one = linear(arg, level);
    if (!one) return std::nullopt;
    args.push_back(std::move(*one));
  }
  return combine(*apply, args, level.limits);
}

std::optional<QuantifierCompiler::Linear> QuantifierCompiler::combine(
    const core::Apply& apply, const std::vector<Linear>& args, Code& out) {
  if (apply.op == Op::Neg)
    return Linear{-args[0].factor, exprs_.append(Do::Neg, args[0].rest, nullptr, out), {}};
  if (apply.op == Op::Add)
    return Linear{args[0].factor + args[1].factor,
                  exprs_.append(Do::Add, args[0].rest, args[1].rest, out),
                  {}};
  if (apply.op == Op::Sub)
    return Linear{args[0].factor - args[1].factor,
                  exprs_.append(Do::Sub, args[0].rest, args[1].rest, out),
                  {}};
  if (apply.op != Op::Mul) return std::nullopt;
  if (args[0].factor.sign() != 0 && args[1].factor.sign() != 0) return std::nullopt;
  return args[0].factor.sign() != 0 ? product(args[0], args[1], out)
                                    : product(args[1], args[0], out);
}

// Of a sum with the variable and one without it. By how much the variable is multiplied must be
// known, since its sign decides what is a bound from where.
std::optional<QuantifierCompiler::Linear> QuantifierCompiler::product(const Linear& a,
                                                                      const Linear& b, Code& out) {
  same_always_ = same_always_ && (b.known || a.factor.sign() == 0);
  if (!same_always_) return std::nullopt;
  return Linear{a.factor * b.known.value_or(0), exprs_.append(Do::Mul, a.rest, b.rest, out), {}};
}

}  // namespace leto::interp
