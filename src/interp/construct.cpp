#include "interp/construct.h"

#include <algorithm>

namespace leto::interp {

using core::Op;
using core::Side;

namespace {

bool is_comparison(Op op) {
  return op == Op::Lt || op == Op::Le || op == Op::Gt || op == Op::Ge || op == Op::Eq ||
         op == Op::Ne;
}

Op negation(Op op) {
  return op == Op::Lt   ? Op::Ge
         : op == Op::Ge ? Op::Lt
         : op == Op::Le ? Op::Gt
         : op == Op::Gt ? Op::Le
         : op == Op::Eq ? Op::Ne
                        : Op::Eq;
}

}  // namespace

bool Mender::mend(const std::vector<core::ExprId>& formulas, Side side) {
  constexpr int kPasses = 3;
  Scope scope{inputs_.values, side};
  try {
    for (int pass = 0; pass < kPasses; ++pass) {
      if (std::all_of(formulas.begin(), formulas.end(),
                      [&](core::ExprId formula) { return evaluator_.truth(formula, scope); }))
        break;
      domains_.clear();
      for (core::ExprId formula : formulas) make(formula, true, scope);
    }
  } catch (const Undecidable&) {
    // Nothing is proposed, and who evaluates the requirements says why.
  }
  return changed_;
}

void Mender::make(core::ExprId id, bool wanted, Scope& scope) {
  const auto& node = program_.exprs[id].node;
  if (std::holds_alternative<core::VarRef>(node)) {
    if (const std::optional<Spot> spot = spot_of(id, scope)) put(*spot, wanted ? 1 : 0);
  } else if (const auto* apply = std::get_if<core::Apply>(&node)) {
    make(*apply, id, wanted, scope);
  } else if (const auto* quant = std::get_if<core::Quant>(&node)) {
    make(*quant, id, wanted, scope);
  }
}

void Mender::make(const core::Apply& apply, core::ExprId id, bool wanted, Scope& scope) {
  if (apply.op == Op::Not) return make(apply.args[0], !wanted, scope);
  if (apply.op == (wanted ? Op::And : Op::Or)) {
    for (core::ExprId arg : apply.args) make(arg, wanted, scope);
  } else if (apply.op == Op::Implies && wanted) {
    if (evaluator_.truth(apply.args[0], scope)) make(apply.args[1], true, scope);
  } else if (apply.op == Op::Implies) {
    make(apply.args[0], true, scope);
    make(apply.args[1], false, scope);
  } else if (apply.op == Op::And || apply.op == Op::Or) {
    make_one_of(apply, id, wanted, scope);
  } else if (is_comparison(apply.op) && program_.exprs[apply.args[0]].type.rank == 0) {
    compare(apply, wanted ? apply.op : negation(apply.op), scope);
  }
}

void Mender::make_one_of(const core::Apply& apply, core::ExprId id, bool wanted, Scope& scope) {
  const std::size_t first = draw_.alternative(2);
  for (std::size_t k = 0; k < 2 && evaluator_.truth(id, scope) != wanted; ++k)
    make(apply.args[(first + k) % 2], wanted, scope);
}

// All instances, or one of them.
void Mender::make(const core::Quant& quant, core::ExprId id, bool wanted, Scope& scope) {
  const bool all = quant.universal == wanted;
  if (!all && evaluator_.truth(id, scope) == wanted) return;
  std::size_t count = 0;
  if (!all)
    evaluator_.for_each_instance(id, quant, quant.bound, scope, [&] { return ++count < 10'000; });
  if (!all && count == 0) return;
  std::size_t left = all ? 0 : draw_.alternative(count);
  evaluator_.for_each_instance(id, quant, quant.bound, scope, [&] {
    if (!all && left-- > 0) return true;
    make(quant.body, wanted, scope);
    return all;
  });
}

// Comparisons ------------------------------------------------------------------------------------

void Mender::compare(const core::Apply& apply, Op op, Scope& scope) {
  std::set<Spot> spots;
  for (core::ExprId arg : apply.args) spots_in(arg, scope, spots);
  for (auto it = spots.rbegin(); it != spots.rend(); ++it) {
    if (!bound(apply, op, *it, scope)) continue;
    const Domain& domain = domain_of(*it);
    if (!domain.contains(number_at(*it))) put(*it, draw_.within(domain));
    return;
  }
}

bool Mender::bound(const core::Apply& apply, Op op, const Spot& spot, Scope& scope) {
  const auto left = sum(apply.args[0], spot, scope), right = sum(apply.args[1], spot, scope);
  if (left && right) {
    const Sum all{left->factor - right->factor, left->rest - right->rest};
    if (all.factor.sign() == 0) return false;
    tighten(all, op, 0, spot);
    return true;
  }
  // The size of something, against a number.
  const bool first = right.has_value();
  const auto& known = first ? right : left;
  const auto* size = std::get_if<core::Apply>(&program_.exprs[apply.args[first ? 0 : 1]].node);
  if (!known || known->factor.sign() != 0 || size == nullptr || size->op != Op::Abs) return false;
  const auto inner = sum(size->args[0], spot, scope);
  return inner && inner->factor.sign() != 0 &&
         bound_size(*inner, first ? op : turned(op), known->rest, spot);
}

// |inner| OP value
bool Mender::bound_size(const Sum& inner, Op op, const Number& value, const Spot& spot) {
  if (op == Op::Lt || op == Op::Le) {
    tighten(inner, op, value, spot);
    tighten(inner, turned(op), -value, spot);
    return true;
  }
  // On the side where it is.
  const bool below = (inner.factor * number_at(spot) + inner.rest).sign() < 0;
  tighten(inner, below ? turned(op) : op, below ? -value : value, spot);
  return true;
}

// sum OP value
void Mender::tighten(const Sum& sum, Op op, const Number& value, const Spot& spot) {
  Domain& domain = domain_of(spot);
  const Number limit = quotient(value - sum.rest, sum.factor);
  if (op == Op::Ne) {
    if (number_at(spot) == limit) put(spot, limit + Number(1 + draw_.roll(3)));
    return;
  }
  const Op toward = sum.factor.sign() < 0 ? turned(op) : op;
  const Bound bound{limit, toward == Op::Lt || toward == Op::Gt};
  const bool upper = toward != Op::Gt && toward != Op::Ge;
  const bool lower = toward != Op::Lt && toward != Op::Le;
  if (upper && (!domain.high || limit < domain.high->value || bound.strict)) {
    if (!domain.high || limit <= domain.high->value) domain.high = bound;
  }
  if (lower && (!domain.low || domain.low->value < limit || bound.strict)) {
    if (!domain.low || domain.low->value <= limit) domain.low = bound;
  }
}

// Spots ------------------------------------------------------------------------------------------

void Mender::spots_in(core::ExprId id, Scope& scope, std::set<Spot>& out) const {
  if (const std::optional<Spot> spot = spot_of(id, scope)) {
    out.insert(*spot);
    return;
  }
  // What an element's place depends on is left as it is.
  if (std::holds_alternative<core::Select>(program_.exprs[id].node)) return;
  core::for_each_child(program_, id, [&](core::ExprId child) { spots_in(child, scope, out); });
}

std::optional<Mender::Spot> Mender::spot_of(core::ExprId id, Scope& scope) const {
  const auto& node = program_.exprs[id].node;
  const auto* select = std::get_if<core::Select>(&node);
  const auto* ref =
      std::get_if<core::VarRef>(select != nullptr ? &program_.exprs[select->vector].node : &node);
  if (ref == nullptr || (select == nullptr && program_.exprs[id].type.rank > 0))
    return std::nullopt;
  const Side side = ref->side == Side::Open ? scope.open : ref->side;
  const auto it = std::find(allowed_.begin(), allowed_.end(), std::pair{ref->var, side});
  if (it == allowed_.end()) return std::nullopt;
  Spot spot{static_cast<std::size_t>(it - allowed_.begin()), {}};
  if (select == nullptr) return spot;
  std::vector<Number> indices;
  for (core::ExprId index : select->indices) indices.push_back(evaluator_.number(index, scope));
  const auto& array = inputs_.values.side(side)[ref->var.value].array;
  if (array) spot.element = position(*array, indices);
  return spot.element ? std::optional<Spot>(spot) : std::nullopt;
}

bool Mender::touches(core::ExprId id, const Spot& spot) const {
  return mentions(program_, id,
                  [&](core::VarId var) { return var == allowed_[spot.allowed].first; });
}

std::optional<Mender::Sum> Mender::sum(core::ExprId id, const Spot& spot, Scope& scope) const {
  if (!touches(id, spot)) return Sum{0, evaluator_.number(id, scope)};
  if (spot_of(id, scope) == spot) return Sum{1, 0};
  const auto& node = program_.exprs[id].node;
  if (const auto* apply = std::get_if<core::Apply>(&node)) return sum(*apply, id, spot, scope);
  if (std::holds_alternative<core::VarRef>(node)) return Sum{0, evaluator_.number(id, scope)};
  const auto* select = std::get_if<core::Select>(&node);
  const bool another =
      select != nullptr && std::none_of(select->indices.begin(), select->indices.end(),
                                        [&](core::ExprId index) { return touches(index, spot); });
  if (!another) return std::nullopt;
  return Sum{0, evaluator_.number(id, scope)};
}

std::optional<Mender::Sum> Mender::sum(const core::Apply& apply, core::ExprId id, const Spot& spot,
                                       Scope& scope) const {
  const auto a = sum(apply.args[0], spot, scope);
  if (!a) return std::nullopt;
  if (apply.op == Op::Neg) return Sum{-a->factor, -a->rest};
  if (apply.op == Op::ToReal) return a;
  if (apply.args.size() != 2) return std::nullopt;
  const auto b = sum(apply.args[1], spot, scope);
  if (!b) return std::nullopt;
  if (apply.op == Op::Add) return Sum{a->factor + b->factor, a->rest + b->rest};
  if (apply.op == Op::Sub) return Sum{a->factor - b->factor, a->rest - b->rest};
  if (apply.op == Op::Mul && (a->factor.sign() == 0 || b->factor.sign() == 0))
    return Sum{a->factor * b->rest + b->factor * a->rest, a->rest * b->rest};
  if (apply.op == Op::Div && program_.exprs[id].type.base == core::Base::Real &&
      b->factor.sign() == 0 && b->rest.sign() != 0)
    return Sum{quotient(a->factor, b->rest), quotient(a->rest, b->rest)};
  return std::nullopt;
}

const Number& Mender::number_at(const Spot& spot) const {
  const auto& [var, side] = allowed_[spot.allowed];
  const Value& value = inputs_.values.side(side)[var.value];
  return spot.element ? value.array->elements[*spot.element] : value.scalar;
}

void Mender::put(const Spot& spot, Number n) {
  changed_ = true;
  const auto& [var, side] = allowed_[spot.allowed];
  const auto write = [&](Value& value) {
    if (!spot.element) {
      value.scalar = n;
      return;
    }
    if (value.array.use_count() > 1) value.array = std::make_shared<Array>(*value.array);
    value.array->elements[*spot.element] = n;
  };
  write(inputs_.values.side(side)[var.value]);
  // Constants are the same in both runs.
  if (program_.vars[var].kind == core::VarKind::Constant)
    write(inputs_.values.side(side == Side::Original ? Side::Relaxed : Side::Original)[var.value]);
}

Domain& Mender::domain_of(const Spot& spot) {
  const core::Type type = program_.vars[allowed_[spot.allowed].first].type.element();
  return domains_.try_emplace(spot, Domain{type, {}, {}, 0}).first->second;
}

}  // namespace leto::interp
