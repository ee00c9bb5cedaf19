#include "protocol/evaluate.h"

#include <fmt/core.h>

#include <algorithm>

namespace leto::protocol {

using check::sys::Expr;
using check::sys::kAllNodes;
using logic::Kind;

Sort sort_of(const check::sys::Type& type) {
  switch (type.base) {
    case Base::Bool:
      return logic::kBool;
    case Base::Real:
      return logic::kReal;
    case Base::Int:
    case Base::Uint:
    case Base::Enum:
    case Base::Node:
      return logic::kInt;
    case Base::Error:
    case Base::Any:
      break;
  }
  LETO_ASSERT(false);
}

void Evaluator::refuse(DiagnosticKind kind, Span span, std::string what, std::string help) {
  Diagnostic d{kind, span, {std::move(what)}, {}, {}};
  if (!help.empty()) d.help = Help{std::move(help), {}};
  sink_.report(std::move(d));
  throw Refused{};
}

void Evaluator::demand(Span at, std::uint64_t parts) {
  parts_ += parts;
  const bool many = parts_ > limits_.parts;
  if (many || t_.size() > limits_.terms)
    refuse(DiagnosticKind::SystemTooLarge, at, std::to_string(many ? limits_.parts : limits_.terms),
           "loops and quantifiers over nodes are written out: fewer nodes, or smaller steps");
}

std::uint64_t Evaluator::size_of_state() const {
  std::uint64_t out = 0;
  for (const std::vector<Term>& elements : now) out += elements.size();
  return out;
}

// Nodes ------------------------------------------------------------------------------------------

std::pair<std::uint32_t, std::uint32_t> Evaluator::range_of(std::uint32_t kind) const {
  if (kind == kAllNodes) return {0, source_.nodes()};
  const check::sys::Sort& sort = source_.sorts[kind];
  return {sort.first, sort.first + sort.count};
}

std::string Evaluator::node_name(std::uint32_t node) const {
  for (const check::sys::Sort& sort : source_.sorts)
    if (node >= sort.first && node < sort.first + sort.count)
      return fmt::format("{}({})", sort.name, node - sort.first);
  LETO_ASSERT(false);
}

std::optional<std::uint32_t> Evaluator::known_node(Term term) const {
  const std::optional<std::int64_t> number = t_.integer(term);
  if (!number || *number < 0 || *number >= source_.nodes()) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

void Evaluator::for_nodes(const std::vector<std::uint32_t>& slots, const std::function<void()>& f,
                          std::size_t from) {
  if (from == slots.size()) return f();
  const auto [first, end] = range_of(source_.slots[slots[from]].type.which);
  for (std::uint32_t node = first; node < end; ++node) {
    slots_[slots[from]] = t_.integer(node);
    demand(source_.slots[slots[from]].span);
    for_nodes(slots, f, from + 1);
  }
}

const std::vector<std::vector<std::uint32_t>>& Evaluator::elements_of(std::uint32_t variable) {
  std::vector<std::vector<std::uint32_t>>& all = elements_[variable];
  if (!all.empty()) return all;
  all = {{}};
  for (std::uint32_t kind : source_.variables[variable].indices) {
    std::vector<std::vector<std::uint32_t>> longer;
    const auto [first, end] = range_of(kind);
    for (const std::vector<std::uint32_t>& one : all)
      for (std::uint32_t node = first; node < end; ++node) {
        longer.push_back(one);
        longer.back().push_back(node);
      }
    all = std::move(longer);
  }
  return all;
}

std::vector<Term> Evaluator::indices(const std::vector<ExprId>& written) {
  std::vector<Term> all;
  for (ExprId id : written) all.push_back(value(id));
  return all;
}

// Which element it is, if that is known.
std::optional<std::size_t> Evaluator::find_element(std::uint32_t variable,
                                                   const std::vector<Term>& indices) const {
  std::size_t element = 0;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::optional<std::uint32_t> node = known_node(indices[i]);
    const auto [first, end] = range_of(source_.variables[variable].indices[i]);
    if (!node || *node < first || *node >= end) return std::nullopt;
    element = element * (end - first) + (*node - first);
  }
  return element;
}

Term Evaluator::read(const State& state, std::uint32_t variable, const std::vector<Term>& indices) {
  if (const std::optional<std::size_t> element = find_element(variable, indices))
    return state[variable][*element];
  const std::vector<std::vector<std::uint32_t>>& elements = elements_of(variable);
  const std::vector<Term>& values = state[variable];
  Term result = values.back();
  for (std::size_t i = elements.size(); i > 0; --i) {
    std::vector<Term> here;
    for (std::size_t k = 0; k < indices.size(); ++k)
      here.push_back(t_.eq(indices[k], t_.integer(elements[i - 1][k])));
    const Term at = t_.and_(std::move(here));
    if (t_.is_true(at)) return values[i - 1];
    if (!t_.is_false(at) && i < elements.size()) result = t_.ite(at, values[i - 1], result);
  }
  return result;
}

void Evaluator::write(State& state, std::uint32_t variable, const std::vector<Term>& indices,
                      Term value, Term when) {
  if (const std::optional<std::size_t> element = find_element(variable, indices)) {
    Term& known = state[variable][*element];
    known = t_.ite(when, value, known);
    return;
  }
  const std::vector<std::vector<std::uint32_t>>& elements = elements_of(variable);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    std::vector<Term> here{when};
    for (std::size_t k = 0; k < indices.size(); ++k)
      here.push_back(t_.eq(indices[k], t_.integer(elements[i][k])));
    const Term at = t_.and_(std::move(here));
    if (t_.is_false(at)) continue;
    Term& element = state[variable][i];
    element = t_.ite(at, value, element);
  }
}

Term Evaluator::in_range(Term term, const check::sys::Type& type) {
  const auto within = [&](std::int64_t low, std::int64_t end) {
    return t_.and_(t_.le(t_.integer(low), term), t_.lt(term, t_.integer(end)));
  };
  switch (type.base) {
    case Base::Uint:
      return t_.le(t_.integer(0), term);
    case Base::Enum:
      return within(0, static_cast<std::int64_t>(source_.enumerations[type.which].values.size()));
    case Base::Node: {
      const auto [first, end] = range_of(type.which);
      return within(first, end);
    }
    case Base::Bool:
    case Base::Int:
    case Base::Real:
      return t_.boolean(true);
    case Base::Error:
    case Base::Any:
      break;
  }
  LETO_ASSERT(false);
}

// Expressions ------------------------------------------------------------------------------------

void Evaluator::fail(Span at, std::string_view what, Term condition) {
  const Term when = t_.and_(guard, condition);
  if (t_.is_false(when)) return;
  LETO_ASSERT(fails);
  fails(at, what, when);
}

// Where a condition decides whether the value is needed at all.
Term Evaluator::under(Term condition, ExprId id) {
  const Term outside = guard;
  guard = t_.and_(guard, condition);
  const Term result = value(id);
  guard = outside;
  return result;
}

Term Evaluator::value(ExprId id) {
  const Expr& e = source_.exprs[id];
  demand(e.span);
  switch (e.op) {
    case Op::Error:
      throw Refused{};
    case Op::Truth:
      return t_.boolean(e.index != 0);
    case Op::Number:
      return t_.number(e.text, sort_of(e.type));
    case Op::Value:
      return t_.integer(e.index);
    case Op::NodeOf:
      return node_of(e);
    case Op::Variable:
      return read(now, e.index, indices(e.args));
    case Op::Round:
      return round(e);
    case Op::Slot:
      LETO_ASSERT(slots_[e.index].valid());
      return slots_[e.index];
    case Op::Let:
      slots_[e.index] = value(e.args[0]);
      return value(e.args[1]);
    case Op::Old:
      return old(e);
    case Op::Not:
      return t_.not_(value(e.args[0]));
    case Op::Neg:
      return t_.neg(value(e.args[0]));
    case Op::And: {
      const Term a = value(e.args[0]);
      return t_.and_(a, under(a, e.args[1]));
    }
    case Op::Or: {
      const Term a = value(e.args[0]);
      return t_.or_(a, under(t_.not_(a), e.args[1]));
    }
    case Op::Implies: {
      const Term a = value(e.args[0]);
      return t_.implies(a, under(a, e.args[1]));
    }
    case Op::Ite: {
      const Term condition = value(e.args[0]);
      const Term a = under(condition, e.args[1]);
      return t_.ite(condition, a, under(t_.not_(condition), e.args[2]));
    }
    case Op::Div:
    case Op::Mod:
      return divide(e);
    case Op::Eq:
    case Op::Lt:
    case Op::Le:
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Min:
    case Op::Max:
      return both(e);
    case Op::Abs: {
      const Term a = value(e.args[0]);
      return t_.ite(t_.lt(a, t_.zero(t_.sort(a))), t_.neg(a), a);
    }
    case Op::Forall:
    case Op::Exists:
    case Op::Count:
      return quantify(e);
    case Op::ToReal:
      return t_.to_real(value(e.args[0]));
    case Op::Narrow: {
      const Term a = value(e.args[0]);
      fail(e.span, "a value of type uint is negative", t_.lt(a, t_.integer(0)));
      return a;
    }
  }
  LETO_ASSERT(false);
}

Term Evaluator::both(const Expr& e) {
  const Term a = value(e.args[0]), b = value(e.args[1]);
  switch (e.op) {
    case Op::Eq:
      return t_.eq(a, b);
    case Op::Lt:
      return t_.lt(a, b);
    case Op::Le:
      return t_.le(a, b);
    case Op::Add:
      return t_.arith(Kind::Add, a, b);
    case Op::Sub:
      return t_.arith(Kind::Sub, a, b);
    case Op::Mul:
      return t_.arith(Kind::Mul, a, b);
    case Op::Min:
      return t_.ite(t_.le(a, b), a, b);
    case Op::Max:
      return t_.ite(t_.le(a, b), b, a);
    case Op::Error:
    case Op::Truth:
    case Op::Number:
    case Op::Value:
    case Op::NodeOf:
    case Op::Variable:
    case Op::Round:
    case Op::Slot:
    case Op::Let:
    case Op::Old:
    case Op::Not:
    case Op::Neg:
    case Op::And:
    case Op::Or:
    case Op::Implies:
    case Op::Div:
    case Op::Mod:
    case Op::Ite:
    case Op::Abs:
    case Op::Forall:
    case Op::Exists:
    case Op::Count:
    case Op::ToReal:
    case Op::Narrow:
      break;  // they are not of two values
  }
  LETO_ASSERT(false);
}

Term Evaluator::node_of(const Expr& e) {
  const check::sys::Sort& sort = source_.sorts[e.index];
  const Term number = value(e.args[0]);
  fail(e.span, fmt::format("there is no such node of '{}'", sort.name),
       t_.or_(t_.lt(number, t_.integer(0)), t_.le(t_.integer(sort.count), number)));
  if (const std::optional<std::int64_t> known = t_.integer(number))
    return t_.integer(static_cast<std::int64_t>(sort.first) + *known);
  return t_.arith(Kind::Add, t_.integer(sort.first), number);
}

// Only by what is written down: nothing else is known not to be zero, and a replay has no value for
// what is divided by zero.
Term Evaluator::divide(const Expr& e) {
  const Term a = value(e.args[0]), b = value(e.args[1]);
  const logic::Node& divisor = t_[b].kind == Kind::Neg ? t_[t_[b].args[0]] : t_[b];
  const bool zero = divisor.text.find_first_of("123456789") == std::string::npos;
  if (divisor.kind != Kind::Number || zero)
    refuse(DiagnosticKind::BadSystem, source_.exprs[e.args[1]].span,
           divisor.kind == Kind::Number ? "this divides by zero"
                                        : "what this divides by is not a number that is known",
           "in a system one divides by a number, or by a constant whose value is one");
  if (e.op == Op::Mod) return t_.arith(Kind::IntMod, a, b);
  return t_.arith(e.type.base == Base::Real ? Kind::RealDiv : Kind::IntDiv, a, b);
}

Term Evaluator::quantify(const Expr& e) {
  std::vector<Term> all;
  for_nodes({e.index}, [&] { all.push_back(value(e.args[0])); });
  if (e.op == Op::Forall) return t_.and_(std::move(all));
  if (e.op == Op::Exists) return t_.or_(std::move(all));
  Term sum = t_.integer(0);
  for (Term one : all) sum = t_.arith(Kind::Add, sum, t_.ite(one, t_.integer(1), t_.integer(0)));
  return sum;
}

Term Evaluator::round(const Expr& e) {
  LETO_ASSERT(told);
  const Term node = value(e.args[0]);
  if (const std::optional<std::uint32_t> known = known_node(node)) return told(e.index, *known);
  Term result = told(e.index, source_.nodes() - 1);
  for (std::uint32_t i = source_.nodes() - 1; i > 0; --i)
    result = t_.ite(t_.eq(node, t_.integer(i - 1)), told(e.index, i - 1), result);
  return result;
}

Term Evaluator::old(const Expr& e) {
  demand(e.span, size_of_state());
  State here = now;
  now = before;
  const Term result = value(e.args[0]);
  now = std::move(here);
  return result;
}

}  // namespace leto::protocol
