#include "interp/ranges.h"

#include <algorithm>
#include <map>

#include "interp/evaluate.h"

namespace leto::interp {

using core::Op;

namespace {

// More than this is left out, which makes the stretches longer at most.
constexpr std::size_t kMostSystems = 32, kMostConstraints = 100;

// Evaluating it is as much work as reading it.
bool is_plain(const core::Program& program, core::ExprId id) {
  const auto& node = program.exprs[id].node;
  if (std::holds_alternative<core::Quant>(node) || std::holds_alternative<core::Defined>(node))
    return false;
  bool plain = true;
  core::for_each_child(program, id,
                       [&](core::ExprId child) { plain = plain && is_plain(program, child); });
  return plain;
}

std::vector<Stretch> joined(std::vector<Stretch> found) {
  std::sort(found.begin(), found.end(), [](const Stretch& a, const Stretch& b) {
    return b.low && (!a.low || *a.low < *b.low);
  });
  std::vector<Stretch> out;
  for (Stretch& next : found) {
    const bool apart = out.empty() || (out.back().high && next.low && *out.back().high < *next.low);
    if (apart) {
      out.push_back(std::move(next));
    } else if (!next.high || (out.back().high && *out.back().high < *next.high)) {
      out.back().high = next.high;
    }
  }
  return out;
}

// How far up numbers go.
struct Farthest {
  std::optional<Number> at;
  bool excluded = false;

  void limit(Number n, bool strict, bool whole) {
    if (whole) n = strict ? n.ceiling() - Number(1) : n.floor();
    if (at && *at < n) return;
    excluded = (strict && !whole) || (excluded && *at == n);
    at = n;
  }
};

}  // namespace

std::vector<Stretch> RangeReader::stretches(core::ExprId formula, bool wanted, core::VarId var,
                                            const std::vector<core::VarId>& open) {
  bound_.clear();
  columns_ = 0;
  const System types = bind(open);
  const Column keep = *column(var);
  const bool whole = program_.vars[var].type.base != core::Base::Real;
  std::vector<Stretch> found;
  for (System& system : both(read(formula, wanted), {types}))
    if (std::optional<Stretch> one = stretch(std::move(system), keep, whole))
      found.push_back(std::move(*one));
  return joined(std::move(found));
}

// Formulas ---------------------------------------------------------------------------------------

RangeReader::Systems RangeReader::read(core::ExprId id, bool wanted) {
  if (is_ground(id)) return read_ground(id, wanted);
  const auto& node = program_.exprs[id].node;
  if (const auto* apply = std::get_if<core::Apply>(&node)) return read(*apply, wanted);
  if (const auto* quant = std::get_if<core::Quant>(&node)) return read(*quant, wanted);
  if (const auto* ref = std::get_if<core::VarRef>(&node)) {
    // One for true, zero for false.
    const Sum value{{{*column(ref->var), wanted ? -1 : 1}}, wanted ? 1 : 0};
    return {{{value, false}}};
  }
  return {{}};
}

RangeReader::Systems RangeReader::read_ground(core::ExprId id, bool wanted) {
  const std::optional<Number> value =
      is_plain(program_, id) ? evaluate_(id) : std::optional<Number>();
  if (value && value->truth() != wanted) return {};
  return {{}};
}

RangeReader::Systems RangeReader::read(const core::Apply& apply, bool wanted) {
  const auto part = [&](std::size_t i, bool so) { return read(apply.args[i], so); };
  const auto combined = [&](bool all, Systems a, Systems b) {
    return all ? both(std::move(a), std::move(b)) : either(std::move(a), std::move(b));
  };
  const bool of_truths = program_.exprs[apply.args[0]].type.base == core::Base::Bool;
  switch (apply.op) {
    case Op::Not:
      return part(0, !wanted);
    case Op::And:
      return combined(wanted, part(0, wanted), part(1, wanted));
    case Op::Or:
      return combined(!wanted, part(0, wanted), part(1, wanted));
    case Op::Implies:
      return combined(!wanted, part(0, !wanted), part(1, wanted));
    case Op::Choose:
      return either(both(part(0, true), part(1, wanted)), both(part(0, false), part(2, wanted)));
    case Op::Eq:
    case Op::Ne: {
      if (program_.exprs[apply.args[0]].type.rank > 0) return {{}};
      if (!of_truths) return compare(apply, wanted);
      const bool same = wanted == (apply.op == Op::Eq);
      return either(both(part(0, true), part(1, same)), both(part(0, false), part(1, !same)));
    }
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
      return compare(apply, wanted);
    case Op::Neg:
    case Op::Abs:
    case Op::ToReal:
    case Op::Floor:
    case Op::ToNatural:
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Mod:
    case Op::Min:
    case Op::Max:
      break;
  }
  return {{}};
}

// Of either kind: every type has a value, so what is so for all of them is so for one. The same
// variable can be bound elsewhere, and is another one there.
RangeReader::Systems RangeReader::read(const core::Quant& quant, bool wanted) {
  const std::size_t outer = bound_.size();
  const System types = bind(quant.bound);
  Systems out = both(read(quant.body, wanted), {types});
  bound_.resize(outer);
  return out;
}

RangeReader::Systems RangeReader::compare(const core::Apply& apply, bool wanted) {
  System out;
  const Sum a = sum(apply.args[0], out), b = sum(apply.args[1], out);
  const Op op = wanted ? apply.op : contrary(apply.op);
  const Sum less = added(a, b, -1), more = added(b, a, -1);
  if (op == Op::Lt || op == Op::Le || op == Op::Eq) out.push_back({less, op == Op::Lt});
  if (op == Op::Gt || op == Op::Ge || op == Op::Eq) out.push_back({more, op == Op::Gt});
  return {std::move(out)};
}

RangeReader::Systems RangeReader::both(Systems a, Systems b) {
  if (a.empty() || b.empty()) return {};
  if (a.size() * b.size() > kMostSystems) return a.size() < b.size() ? a : b;
  Systems out;
  for (const System& x : a)
    for (const System& y : b) {
      out.push_back(x);
      out.back().insert(out.back().end(), y.begin(), y.end());
    }
  return out;
}

RangeReader::Systems RangeReader::either(Systems a, Systems b) {
  if (a.size() + b.size() > kMostSystems) return {{}};
  a.insert(a.end(), std::make_move_iterator(b.begin()), std::make_move_iterator(b.end()));
  return a;
}

// Numbers ----------------------------------------------------------------------------------------

RangeReader::Sum RangeReader::sum(core::ExprId id, System& known) {
  if (is_ground(id)) {
    const std::optional<Number> value = evaluate_(id);
    return value ? Sum{{}, *value} : fresh_sum();
  }
  const auto& node = program_.exprs[id].node;
  if (const auto* ref = std::get_if<core::VarRef>(&node)) return {{{*column(ref->var), 1}}, 0};
  if (const auto* apply = std::get_if<core::Apply>(&node)) return sum(id, *apply, known);
  return fresh_sum();
}

RangeReader::Sum RangeReader::sum(core::ExprId id, const core::Apply& apply, System& known) {
  const auto arg = [&](std::size_t i) { return sum(apply.args[i], known); };
  switch (apply.op) {
    case Op::Neg:
      return scaled(arg(0), -1);
    case Op::ToReal:
      return arg(0);
    case Op::Add: {
      const Sum a = arg(0);
      return added(a, arg(1), 1);
    }
    case Op::Sub: {
      const Sum a = arg(0);
      return added(a, arg(1), -1);
    }
    case Op::Mul:
      return product(id, apply, known);
    case Op::Div:
    case Op::Mod:
      return divided(id, apply, known);
    case Op::Abs: {
      const Sum a = arg(0);
      return extreme({a, scaled(a, -1)}, true, known);
    }
    case Op::Floor: {
      // It is not above the number, and less than one below it.
      const Sum a = arg(0), found = fresh_sum();
      known.push_back({added(found, a, -1), false});
      known.push_back({added(added(a, found, -1), {{}, 1}, -1), true});
      return found;
    }
    case Op::ToNatural: {
      const Sum a = arg(0);
      return extreme({a, {}}, true, known);
    }
    case Op::Min:
    case Op::Max: {
      const Sum a = arg(0);
      return extreme({a, arg(1)}, apply.op == Op::Max, known);
    }
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
    case Op::Choose:
      break;
  }
  return fresh_sum();
}

RangeReader::Sum RangeReader::product(core::ExprId id, const core::Apply& apply, System& known) {
  const Sum a = sum(apply.args[0], known), b = sum(apply.args[1], known);
  if (b.terms.empty()) return scaled(a, b.rest);
  if (a.terms.empty()) return scaled(b, a.rest);
  // The square of a whole number is no nearer to zero than the number.
  if (program_.exprs[id].type.base == core::Base::Int && a.terms == b.terms && a.rest == b.rest)
    return extreme({a, scaled(a, -1)}, true, known);
  return fresh_sum();
}

RangeReader::Sum RangeReader::divided(core::ExprId id, const core::Apply& apply, System& known) {
  const Sum a = sum(apply.args[0], known), b = sum(apply.args[1], known);
  if (!b.terms.empty()) return fresh_sum();
  const Number& by = b.rest;
  if (by.sign() == 0) return {};
  if (program_.exprs[id].type.base == core::Base::Real)
    return apply.op == Op::Div ? scaled(a, quotient(1, by)) : fresh_sum();
  // a == by * found + left, and left is not negative and less than |by|.
  const Sum found = fresh_sum(), left = added(a, found, -by);
  const Number most = (by.sign() < 0 ? -by : by) - Number(1);
  known.push_back({scaled(left, -1), false});
  known.push_back({added(left, {{}, most}, -1), false});
  return apply.op == Op::Div ? found : left;
}

RangeReader::Sum RangeReader::extreme(const std::vector<Sum>& others, bool greatest,
                                      System& known) {
  const Sum out = fresh_sum();
  for (const Sum& other : others)
    known.push_back({greatest ? added(other, out, -1) : added(out, other, -1), false});
  return out;
}

RangeReader::Sum RangeReader::added(const Sum& a, const Sum& b, const Number& factor) {
  std::map<Column, Number> terms(a.terms.begin(), a.terms.end());
  for (const auto& [column, n] : b.terms) terms[column] = terms[column] + n * factor;
  Sum out{{}, a.rest + b.rest * factor};
  for (const auto& [column, n] : terms)
    if (n.sign() != 0) out.terms.emplace_back(column, n);
  return out;
}

RangeReader::Sum RangeReader::scaled(const Sum& a, const Number& factor) {
  return added({}, a, factor);
}

// Variables --------------------------------------------------------------------------------------

RangeReader::System RangeReader::bind(const std::vector<core::VarId>& vars) {
  System out;
  for (core::VarId var : vars) {
    const core::Type& type = program_.vars[var].type;
    const Column own = fresh();
    bound_.emplace_back(var, own);
    const bool truth = type.base == core::Base::Bool;
    if (type.natural || truth) out.push_back({{{{own, -1}}, 0}, false});
    if (truth) out.push_back({{{{own, 1}}, -1}, false});
    if (type.base == core::Base::Word) {
      out.push_back({{{{own, -1}}, 0}, false});
      out.push_back({{{{own, 1}}, Number(0) - greatest_word(type.width)}, false});
    }
  }
  return out;
}

std::optional<RangeReader::Column> RangeReader::column(core::VarId var) const {
  for (auto it = bound_.rbegin(); it != bound_.rend(); ++it)
    if (it->first == var) return it->second;
  return std::nullopt;
}

bool RangeReader::is_ground(core::ExprId id) const {
  return !mentions(program_, id, [&](core::VarId var) { return column(var).has_value(); });
}

// Systems ----------------------------------------------------------------------------------------

Number RangeReader::factor_of(const Sum& sum, Column column) {
  for (const auto& [own, n] : sum.terms)
    if (own == column) return n;
  return 0;
}

RangeReader::System RangeReader::eliminate(const System& system, Column column) {
  System out, above, below;
  for (const Constraint& constraint : system) {
    const int sign = factor_of(constraint.sum, column).sign();
    (sign == 0 ? out : sign > 0 ? above : below).push_back(constraint);
  }
  if (out.size() + above.size() * below.size() > kMostConstraints) return out;
  for (const Constraint& a : above)
    for (const Constraint& b : below) {
      const Sum lifted = scaled(a.sum, -factor_of(b.sum, column));
      const Sum met = added(lifted, b.sum, factor_of(a.sum, column));
      out.push_back({met, a.strict || b.strict});
    }
  return out;
}

std::optional<Stretch> RangeReader::stretch(System system, Column keep, bool whole) {
  const auto another = [&]() -> std::optional<Column> {
    for (const Constraint& constraint : system)
      for (const auto& [column, n] : constraint.sum.terms)
        if (column != keep) return column;
    return std::nullopt;
  };
  while (const std::optional<Column> next = another()) system = eliminate(system, *next);
  Farthest low, high;  // the low end is that of the negated numbers
  for (const Constraint& constraint : system) {
    const Number factor = factor_of(constraint.sum, keep), &rest = constraint.sum.rest;
    if (factor.sign() > 0) high.limit(quotient(-rest, factor), constraint.strict, whole);
    if (factor.sign() < 0) low.limit(quotient(rest, factor), constraint.strict, whole);
    if (factor.sign() == 0 && (rest.sign() > 0 || (constraint.strict && rest.sign() == 0)))
      return std::nullopt;
  }
  Stretch out{low.at ? std::optional(-*low.at) : std::nullopt, high.at};
  if (!out.low || !out.high || *out.low < *out.high) {
    if (whole) return out;
    return Stretch{};  // endlessly many
  }
  if (*out.high < *out.low || low.excluded || high.excluded) return std::nullopt;
  return out;
}

}  // namespace leto::interp
