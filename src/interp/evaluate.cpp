#include "interp/evaluate.h"

#include <algorithm>

namespace leto::interp {

using core::Op;
using core::Side;

bool equal(const Value& a, const Value& b) {
  if (!a.array && !b.array) return a.scalar == b.scalar;
  static const Array kNone;
  const Array& x = a.array ? *a.array : kNone;
  const Array& y = b.array ? *b.array : kNone;
  return &x == &y || (x.sizes == y.sizes && x.elements == y.elements);
}

std::string text(const Value& value, const core::Type& type) {
  const auto one = [&](const Number& n) {
    if (type.base == core::Base::Bool) return std::string(n.truth() ? "true" : "false");
    return n.text();
  };
  if (type.rank == 0) return one(value.scalar);
  if (!value.array) return "[]";
  const Array& a = *value.array;
  const auto row = [&](std::size_t from, std::size_t count) {
    std::string out = "[";
    for (std::size_t i = 0; i < count; ++i) out += (i ? ", " : "") + one(a.elements[from + i]);
    return out + "]";
  };
  if (type.rank == 1) return row(0, a.elements.size());
  std::string out = "[";
  const auto width = static_cast<std::size_t>(a.sizes[1]);
  for (std::size_t r = 0; r < static_cast<std::size_t>(a.sizes[0]); ++r)
    out += (r ? ", " : "") + row(r * width, width);
  return out + "]";
}

std::optional<std::size_t> position(const Array& array, const std::vector<Number>& indices) {
  std::size_t at = 0;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const std::optional<std::int64_t> index = indices[d].small();
    if (!index || *index < 0 || *index >= array.sizes[d]) return std::nullopt;
    at = at * static_cast<std::size_t>(array.sizes[d]) + static_cast<std::size_t>(*index);
  }
  return at;
}

Number element(const Array* array, const std::vector<Number>& indices) {
  if (array == nullptr || array->sizes.size() != indices.size()) return 0;
  const std::optional<std::size_t> at = position(*array, indices);
  return at ? array->elements[*at] : Number(0);
}

Evaluator::Evaluator(const core::Program& program)
    : program_(program), constants_(program.exprs.size()) {
  for (std::uint32_t i = 0; i < program.exprs.size(); ++i)
    if (const auto* literal = std::get_if<core::NumberConst>(&program.exprs[core::ExprId{i}].node))
      constants_[i] = Number::parse(literal->text).value_or(0);
}

const Array* Evaluator::array(core::ExprId id, Scope& scope, Value& kept) const {
  if (const auto* ref = std::get_if<core::VarRef>(&program_.exprs[id].node))
    return scope.now.side(ref->side == Side::Open ? scope.open : ref->side)[ref->var.value]
        .array.get();
  kept = value(id, scope);
  return kept.array.get();
}

Value Evaluator::variable(core::VarId var, Side side, const Scope& scope) const {
  for (auto it = scope.bound.rbegin(); it != scope.bound.rend(); ++it)
    if (it->first == var) return {it->second, nullptr};
  return scope.now.side(side == Side::Open ? scope.open : side)[var.value];
}

Value Evaluator::value(core::ExprId id, Scope& scope) const {
  const core::Expr& e = program_.exprs[id];
  return std::visit(
      [&](const auto& node) -> Value {
        using Node = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<Node, core::BoolConst>) {
          return {node.value ? 1 : 0, nullptr};
        } else if constexpr (std::is_same_v<Node, core::NumberConst>) {
          return {constants_[id.value], nullptr};
        } else if constexpr (std::is_same_v<Node, core::VarRef>) {
          return variable(node.var, node.side, scope);
        } else if constexpr (std::is_same_v<Node, core::OldRef>) {
          for (const auto& [var, value] : scope.old)
            if (var == node.var) return {value, nullptr};
          return scope.now.relaxed[node.var.value];
        } else if constexpr (std::is_same_v<Node, core::Length>) {
          Value kept;
          const Array* vector = array(node.vector, scope, kept);
          return {vector != nullptr ? vector->sizes[node.dimension] : 0, nullptr};
        } else if constexpr (std::is_same_v<Node, core::Select>) {
          std::vector<Number> indices;
          for (core::ExprId index : node.indices) indices.push_back(number(index, scope));
          Value kept;
          return {element(array(node.vector, scope, kept), indices), nullptr};
        } else if constexpr (std::is_same_v<Node, core::Apply>) {
          return {apply(node, e.type, scope), nullptr};
        } else if constexpr (std::is_same_v<Node, core::Quant>) {
          return {quantified(id, node, 0, scope) ? 1 : 0, nullptr};
        } else {
          const auto it = scope.snapshots->find(node.loop);
          LETO_ASSERT(it != scope.snapshots->end());
          Scope then{node.entry ? it->second.entry : it->second.start, scope.open, scope.snapshots,
                     scope.bound, scope.old};
          return value(node.expr, then);
        }
      },
      e.node);
}

Number Evaluator::apply(const core::Apply& node, const core::Type& type, Scope& scope) const {
  const core::ExprId a = node.args[0];
  const auto left = [&] { return number(a, scope); };
  const auto right = [&] { return number(node.args[1], scope); };
  switch (node.op) {
    case Op::Not:
      return truth(a, scope) ? 0 : 1;
    case Op::Neg:
      return -left();
    case Op::Abs: {
      const Number x = left();
      return x.sign() < 0 ? -x : x;
    }
    case Op::Add:
      return left() + right();
    case Op::Sub:
      return left() - right();
    case Op::Mul:
      return left() * right();
    case Op::Div: {
      const Number x = left(), y = right();
      if (y.sign() == 0) return 0;
      return type.base == core::Base::Real ? quotient(x, y) : euclidean_quotient(x, y);
    }
    case Op::Mod: {
      const Number x = left(), y = right();
      if (y.sign() == 0) return 0;
      return x - y * euclidean_quotient(x, y);
    }
    case Op::And:
      return truth(a, scope) && truth(node.args[1], scope) ? 1 : 0;
    case Op::Or:
      return truth(a, scope) || truth(node.args[1], scope) ? 1 : 0;
    case Op::Implies:
      return !truth(a, scope) || truth(node.args[1], scope) ? 1 : 0;
    case Op::Eq:
      return equal(value(a, scope), value(node.args[1], scope)) ? 1 : 0;
    case Op::Ne:
      return equal(value(a, scope), value(node.args[1], scope)) ? 0 : 1;
    case Op::Lt:
      return left() < right() ? 1 : 0;
    case Op::Le:
      return left() <= right() ? 1 : 0;
    case Op::Gt:
      return right() < left() ? 1 : 0;
    case Op::Ge:
      return right() <= left() ? 1 : 0;
    case Op::Min: {
      const Number x = left(), y = right();
      return x <= y ? x : y;
    }
    case Op::Max: {
      const Number x = left(), y = right();
      return x <= y ? y : x;
    }
  }
  LETO_ASSERT(false);
}

bool mentions(const core::Program& program, core::ExprId id,
              const std::function<bool(core::VarId)>& wanted) {
  const auto inside = [&](core::ExprId e) { return mentions(program, e, wanted); };
  return std::visit(
      [&](const auto& node) -> bool {
        using Node = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<Node, core::VarRef>) {
          return wanted(node.var);
        } else if constexpr (std::is_same_v<Node, core::Length>) {
          return inside(node.vector);
        } else if constexpr (std::is_same_v<Node, core::Select>) {
          return inside(node.vector) ||
                 std::any_of(node.indices.begin(), node.indices.end(), inside);
        } else if constexpr (std::is_same_v<Node, core::Apply>) {
          return std::any_of(node.args.begin(), node.args.end(), inside);
        } else if constexpr (std::is_same_v<Node, core::Quant>) {
          return inside(node.body);
        } else if constexpr (std::is_same_v<Node, core::Snapshot>) {
          return inside(node.expr);
        } else {
          return false;
        }
      },
      program.exprs[id].node);
}

Op turned(Op op) {
  switch (op) {
    case Op::Lt:
      return Op::Gt;
    case Op::Gt:
      return Op::Lt;
    case Op::Le:
      return Op::Ge;
    case Op::Ge:
      return Op::Le;
    default:
      return op;
  }
}

// From a guard that must hold (or, negated, must not) for the value to matter. Bounds that
// mention variables further in are of no use yet.
void Evaluator::narrow(core::ExprId guard, const core::Quant& quant, std::size_t next, Scope& scope,
                       bool negated, Range& range) const {
  const core::VarId var = quant.bound[next];
  const auto* apply = std::get_if<core::Apply>(&program_.exprs[guard].node);
  if (apply == nullptr) return;
  const auto further = [&](core::ExprId part, bool not_so) {
    narrow(part, quant, next, scope, not_so, range);
  };
  if (apply->op == Op::Not) return further(apply->args[0], !negated);
  if (apply->op == (negated ? Op::Or : Op::And)) {
    for (core::ExprId arg : apply->args) further(arg, negated);
    return;
  }
  if (negated && apply->op == Op::Implies) {
    further(apply->args[0], false);
    further(apply->args[1], true);
    return;
  }
  if (apply->args.size() != 2) return;
  const auto is_var = [&](core::ExprId e) {
    const auto* ref = std::get_if<core::VarRef>(&program_.exprs[e].node);
    return ref != nullptr && ref->var == var;
  };
  const bool left = is_var(apply->args[0]);
  if (!left && !is_var(apply->args[1])) return;
  const core::ExprId other = apply->args[left ? 1 : 0];
  const auto from = quant.bound.begin() + static_cast<std::ptrdiff_t>(next);
  if (mentions(program_, other, [&](core::VarId v) {
        return std::find(from, quant.bound.end(), v) != quant.bound.end();
      }))
    return;
  // var OP other, with the operator turned round as needed.
  Op op = apply->op;
  const auto opposite = [](Op o) {
    return o == Op::Lt   ? Op::Ge
           : o == Op::Ge ? Op::Lt
           : o == Op::Le ? Op::Gt
           : o == Op::Gt ? Op::Le
           : o == Op::Eq ? Op::Ne
           : o == Op::Ne ? Op::Eq
                         : o;
  };
  if (!left) op = turned(op);
  if (negated) op = opposite(op);
  const auto at_most = [&](const Number& n) {
    if (!range.high || n < *range.high) range.high = n;
  };
  const auto at_least = [&](const Number& n) {
    if (!range.low || *range.low < n) range.low = n;
  };
  if (op != Op::Lt && op != Op::Le && op != Op::Gt && op != Op::Ge && op != Op::Eq) return;
  Number bound;
  try {
    bound = number(other, scope);
  } catch (const Undecidable&) {
    return;
  }
  if (op == Op::Lt) at_most(bound.ceiling() - Number(1));
  if (op == Op::Le || op == Op::Eq) at_most(bound.floor());
  if (op == Op::Gt) at_least(bound.floor() + Number(1));
  if (op == Op::Ge || op == Op::Eq) at_least(bound.ceiling());
}

bool Evaluator::quantified(core::ExprId id, const core::Quant& node, std::size_t next,
                           Scope& scope) const {
  if (next == node.bound.size()) return truth(node.body, scope);
  const core::VarId var = node.bound[next];
  const core::Type& type = program_.vars[var].type;
  Range range;
  if (type.base == core::Base::Bool) {
    range = {Number(0), Number(1)};
  } else {
    if (type.base == core::Base::Real) throw Undecidable{id};
    if (type.natural) range.low = Number(0);
    narrow(node.body, node, next, scope, node.universal, range);
  }
  if (!range.low || !range.high) throw Undecidable{id};
  for (Number i = *range.low; i <= *range.high; i = i + Number(1)) {
    scope.bound.emplace_back(var, i);
    const bool holds = quantified(id, node, next + 1, scope);
    scope.bound.pop_back();
    if (holds != node.universal) return holds;
  }
  return node.universal;
}

}  // namespace leto::interp
