#include "interp/evaluate.h"

#include <fmt/core.h>

#include <algorithm>

#include "interp/choose.h"
#include "interp/results.h"
#include "interp/word.h"

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
  if (value.none) return "no value";
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

std::string describe(const core::Program& program, const Undecidable& undecidable) {
  const auto about = [&](fmt::format_string<const std::string&> text) {
    return fmt::format(text, program.vars[undecidable.var].name);
  };
  switch (undecidable.obstacle) {
    case Obstacle::Definition:
      break;
    case Obstacle::NoLowerBound:
      return about("a quantifier cannot be tried out: no lower bound was found for '{}'");
    case Obstacle::NoUpperBound:
      return about("a quantifier cannot be tried out: no upper bound was found for '{}'");
    case Obstacle::NoBounds:
      return about("a quantifier cannot be tried out: no bounds were found for '{}'");
    case Obstacle::Real:
      return about(
          "a quantifier cannot be tried out: '{}' is a real number, and nothing fixes its value");
    case Obstacle::TooMany:
      return about("a quantifier cannot be tried out: '{}' can have more than ") +
             fmt::format("{} values", kMostValues);
    case Obstacle::Root:
      return "a sum with roots is known to 200 digits only, which do not tell";
    case Obstacle::DivisionByZero:
      return "a quotient by zero is asked for";
    case Obstacle::Time:
      return about("the time was over while the values of '{}' were tried");
  }
  return "a definition or a pure function has no value that can be found: it is asked for outside "
         "of what it requires, or of its types, it does not end, or it takes too much";
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

Evaluator::Evaluator(const core::Program& program, const Allowance* allowance)
    : program_(program), allowance_(allowance), constants_(program.exprs.size()) {
  for (std::uint32_t i = 0; i < program.exprs.size(); ++i)
    if (const auto* literal = std::get_if<core::NumberConst>(&program.exprs[core::ExprId{i}].node))
      constants_[i] = Number::parse(literal->text).value_or(0);
}

const Array* Evaluator::array(core::ExprId id, Scope& scope, Value& kept) const {
  if (const auto* ref = std::get_if<core::VarRef>(&program_.exprs[id].node))
    return named(*ref, scope).array.get();
  kept = value(id, scope);
  return kept.array.get();
}

// Not one that is bound.
const Value& Evaluator::named(const core::VarRef& ref, const Scope& scope) const {
  if (const Value* given = find_given(ref.var, scope)) return *given;
  return scope.now.side(ref.side == Side::Open ? scope.open : ref.side)[ref.var.value];
}

const Value* Evaluator::find_given(core::VarId var, const Scope& scope) const {
  if (scope.given == nullptr) return nullptr;
  const std::vector<core::VarId>& params = program_.definitions[scope.given->definition].params;
  const auto it = std::find(params.begin(), params.end(), var);
  return it == params.end() ? nullptr
                            : &scope.given->args[static_cast<std::size_t>(it - params.begin())];
}

Value Evaluator::row(const core::Row& node, Scope& scope) const {
  Value kept;
  const Array* matrix = array(node.matrix, scope, kept);
  Value out;
  const std::int64_t width = matrix != nullptr ? matrix->sizes[1] : 0;
  out.array =
      std::make_shared<Array>(Array{{width}, std::vector<Number>(static_cast<std::size_t>(width))});
  const std::optional<std::int64_t> at = number(node.index, scope).small();
  if (matrix == nullptr || !at || *at < 0 || *at >= matrix->sizes[0]) return out;
  const auto from = matrix->elements.begin() + *at * width;
  std::copy(from, from + width, out.array->elements.begin());
  return out;
}

Value Evaluator::updated(const core::Update& node, Scope& scope) const {
  Value out = value(node.vector, scope);
  if (!out.array) return out;
  const Number changed = number(node.value, scope);
  const auto at = position(*out.array, {number(node.index, scope)});
  if (!at) return out;
  out.array = std::make_shared<Array>(*out.array);
  out.array->elements[*at] = changed;
  return out;
}

Value Evaluator::listed(const core::Listed& node, Scope& scope) const {
  Value out = zeros({static_cast<std::int64_t>(node.elements.size())});
  for (std::size_t i = 0; i < node.elements.size(); ++i)
    out.array->elements[i] = number(node.elements[i], scope);
  return out;
}

Number Evaluator::meaning_of(core::ExprId used, const Given& given, Scope& scope) const {
  const core::Definition& definition = program_.definitions[given.definition];
  if (!definition.function.valid()) return number(definition.body, scope);
  const std::optional<Number> found =
      run_pure ? run_pure(definition.function, given.args, scope) : std::nullopt;
  if (!found) throw Undecidable{used, {}};
  return *found;
}

Number Evaluator::defined(core::ExprId id, const core::Defined& node, Scope& scope) const {
  const core::Definition& definition = program_.definitions[node.definition];
  Given given{node.definition, {}};
  for (std::size_t i = 0; i < node.args.size(); ++i) {
    given.args.push_back(value(node.args[i], scope));
    const bool made = !std::holds_alternative<core::VarRef>(program_.exprs[node.args[i]].node);
    if (std::shared_ptr<Array>& array = given.args.back().array;
        array && made && scope.results != nullptr)
      array = scope.results->intern(array);
    const core::Type& type = program_.vars[definition.params[i]].type;
    const bool outside = type.natural && type.rank == 0 && given.args.back().scalar.sign() < 0;
    if (outside && (scope.results == nullptr || !scope.results->is_waiting()))
      throw Undecidable{id, {}};
  }
  if (definition.is_unknown()) return ask(id, given, scope);
  if (scope.results != nullptr) return scope.results->find(*this, id, std::move(given), scope);
  Results own;
  return own.find(*this, id, std::move(given), scope);
}

// A function that nobody knows: what it was before, or else what is found for it now.
Number Evaluator::ask(core::ExprId id, const Given& given, const Scope& scope) const {
  if (scope.results != nullptr && scope.results->is_waiting()) return 0;
  const std::shared_ptr<Tables>& tables = scope.now.tables;
  std::vector<Number> args;
  for (const Value& arg : given.args) args.push_back(arg.scalar);
  const Number* known = tables ? tables->find(given.definition, args) : nullptr;
  if (known != nullptr) return *known;
  if (!tables || tables->closed || !find_value) throw Undecidable{id, {}};
  Number found = find_value(given.definition, args, scope);
  tables->set(given.definition, args, found);
  return found;
}

Value Evaluator::variable(core::VarId var, Side side, const Scope& scope) const {
  for (auto it = scope.bound.rbegin(); it != scope.bound.rend(); ++it)
    if (it->first == var) return {it->second, nullptr};
  return named({var, side}, scope);
}

Scope Evaluator::scope_at(const core::Snapshot& label, const Scope& scope) {
  const auto it = scope.snapshots->find(label.loop);
  LETO_ASSERT(it != scope.snapshots->end());
  return {label.entry ? it->second.entry : it->second.start,
          scope.open,
          scope.snapshots,
          scope.bound,
          scope.old,
          scope.results,
          scope.given};
}

core::VarId Evaluator::reads_without_value(core::ExprId id, Scope& scope,
                                           bool inside_quantifier) const {
  const auto& node = program_.exprs[id].node;
  if (const auto* ref = std::get_if<core::VarRef>(&node)) {
    if (program_.vars[ref->var].kind == core::VarKind::Bound) return {};
    return variable(ref->var, ref->side, scope).none ? ref->var : core::VarId{};
  }
  if (const auto* snapshot = std::get_if<core::Snapshot>(&node)) {
    Scope then = scope_at(*snapshot, scope);
    return reads_without_value(snapshot->expr, then, inside_quantifier);
  }
  const bool within = inside_quantifier || std::holds_alternative<core::Quant>(node);
  const std::vector<core::ExprId> children = core::children(program_, id);
  const auto* apply = std::get_if<core::Apply>(&node);
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (const core::VarId var = reads_without_value(children[i], scope, within); var.valid())
      return var;
    if (apply != nullptr && apply->op == Op::Choose && i == 0 && !inside_quantifier)
      return reads_without_value(children[truth(children[0], scope) ? 1 : 2], scope, within);
    if (apply == nullptr || i > 0) continue;
    const bool stops = apply->op == Op::Or || apply->op == Op::And || apply->op == Op::Implies;
    // All that stands in the body of a quantifier counts.
    if (stops && !inside_quantifier && truth(children[0], scope) == (apply->op == Op::Or))
      return {};
  }
  return {};
}

Value Evaluator::value(core::ExprId id, Scope& scope) const {
  const core::Expr& e = program_.exprs[id];
  return std::visit(
      Overload{
          [&](const core::BoolConst& node) {
            return Value{node.value ? 1 : 0, nullptr};
          },
          [&](const core::NumberConst&) {
            return Value{constants_[id.value], nullptr};
          },
          [&](const core::VarRef& node) { return variable(node.var, node.side, scope); },
          [&](const core::OldRef& node) {
            for (const auto& [var, value] : scope.old)
              if (var == node.var) return Value{value, nullptr};
            return scope.now.relaxed[node.var.value];
          },
          [&](const core::Length& node) {
            Value kept;
            const Array* vector = array(node.vector, scope, kept);
            return Value{vector != nullptr ? vector->sizes[node.dimension] : 0, nullptr};
          },
          [&](const core::Select& node) {
            std::vector<Number> indices;
            for (core::ExprId index : node.indices) indices.push_back(number(index, scope));
            Value kept;
            return Value{element(array(node.vector, scope, kept), indices), nullptr};
          },
          [&](const core::Apply& node) {
            return Value{apply(node, e.type, scope), nullptr};
          },
          [&](const core::Word& node) {
            return Value{word(node, e.type, scope), nullptr};
          },
          [&](const core::Row& node) { return row(node, scope); },
          [&](const core::Update& node) { return updated(node, scope); },
          [&](const core::Listed& node) { return listed(node, scope); },
          [&](const core::Defined& node) {
            return Value{defined(id, node, scope), nullptr};
          },
          [&](const core::Quant& node) {
            return Value{quantified(id, node, node.bound, scope) ? 1 : 0, nullptr};
          },
          [&](const core::Snapshot& node) {
            Scope then = scope_at(node, scope);
            return value(node.expr, then);
          },
      },
      e.node);
}

// While a definition waits for what it needs, numbers stand for what is not known yet.
Number Evaluator::divided_by_zero(core::ExprId divisor, const Scope& scope) const {
  const bool waits = scope.results != nullptr && scope.results->is_waiting();
  if (refuses_division_by_zero && !waits) throw Undecidable{divisor, {}, Obstacle::DivisionByZero};
  return 0;
}

Number Evaluator::word(const core::Word& node, const core::Type& type, Scope& scope) const {
  std::vector<Number> args;
  for (core::ExprId arg : node.args) args.push_back(number(arg, scope));
  if (divides(node.op) && args[1].sign() == 0) return divided_by_zero(node.args[1], scope);
  // What waits for a definition has any number, not only words.
  for (std::size_t i = 0; i < args.size(); ++i) {
    const core::Type& of = program_.exprs[node.args[i]].type;
    if (!Domain{of, {}, {}, 0}.contains(args[i])) args[i] = 0;
  }
  return apply_word(program_, node, type, args);
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
    case Op::ToReal:
      return left();
    case Op::Floor:
      return left().floor();
    case Op::ToNatural: {
      const Number x = left();
      return x.sign() < 0 ? Number(0) : x;
    }
    case Op::Add: {
      const Number x = left();
      return x + right();
    }
    case Op::Sub: {
      const Number x = left();
      return x - right();
    }
    case Op::Mul: {
      const Number x = left();
      return x * right();
    }
    case Op::Div: {
      const Number x = left(), y = right();
      if (y.sign() == 0) return divided_by_zero(node.args[1], scope);
      return type.base == core::Base::Real ? quotient(x, y) : euclidean_quotient(x, y);
    }
    case Op::Mod: {
      const Number x = left(), y = right();
      if (y.sign() == 0) return divided_by_zero(node.args[1], scope);
      return x - y * euclidean_quotient(x, y);
    }
    case Op::And:
      return truth(a, scope) && truth(node.args[1], scope) ? 1 : 0;
    case Op::Or:
      return truth(a, scope) || truth(node.args[1], scope) ? 1 : 0;
    case Op::Implies:
      return !truth(a, scope) || truth(node.args[1], scope) ? 1 : 0;
    case Op::Eq:
    case Op::Ne: {
      const Value x = value(a, scope);
      return equal(x, value(node.args[1], scope)) == (node.op == Op::Eq) ? 1 : 0;
    }
    case Op::Lt: {
      const Number x = left();
      return x < right() ? 1 : 0;
    }
    case Op::Le: {
      const Number x = left();
      return x <= right() ? 1 : 0;
    }
    case Op::Gt: {
      const Number x = left();
      return right() < x ? 1 : 0;
    }
    case Op::Ge: {
      const Number x = left();
      return right() <= x ? 1 : 0;
    }
    case Op::Min: {
      const Number x = left(), y = right();
      return x <= y ? x : y;
    }
    case Op::Max: {
      const Number x = left(), y = right();
      return x <= y ? y : x;
    }
    case Op::Choose:
      return number(node.args[truth(a, scope) ? 1 : 2], scope);
  }
  LETO_ASSERT(false);
}

// What a variable was before is another matter.
bool mentions(const core::Program& program, core::ExprId id,
              const std::function<bool(core::VarId)>& wanted) {
  if (const auto* ref = std::get_if<core::VarRef>(&program.exprs[id].node); ref && wanted(ref->var))
    return true;
  for (core::ExprId child : core::children(program, id))
    if (mentions(program, child, wanted)) return true;
  return false;
}

Op contrary(Op op) {
  switch (op) {
    case Op::Lt:
      return Op::Ge;
    case Op::Ge:
      return Op::Lt;
    case Op::Le:
      return Op::Gt;
    case Op::Gt:
      return Op::Le;
    case Op::Eq:
      return Op::Ne;
    case Op::Ne:
      return Op::Eq;
    case Op::Not:
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
    case Op::And:
    case Op::Or:
    case Op::Implies:
    case Op::Min:
    case Op::Max:
    case Op::Choose:
      return op;
  }
  LETO_ASSERT(false);
}

std::optional<Number> Evaluator::attempt(core::ExprId id, Scope& scope) const {
  const std::size_t bound = scope.bound.size();
  try {
    return number(id, scope);
  } catch (const Undecidable&) {
    scope.bound.erase(scope.bound.begin() + static_cast<std::ptrdiff_t>(bound), scope.bound.end());
    return std::nullopt;
  }
}

std::optional<Evaluator::Linear> Evaluator::linear(core::ExprId id, core::VarId var,
                                                   const std::vector<core::VarId>& open,
                                                   Scope& scope) const {
  const bool own = mentions(program_, id, [&](core::VarId v) { return v == var; });
  if (!own) {
    if (mentions(program_, id, [&](core::VarId v) {
          return std::find(open.begin(), open.end(), v) != open.end();
        }))
      return std::nullopt;
    const std::optional<Number> value = attempt(id, scope);
    return value ? std::optional(Linear{0, *value}) : std::nullopt;
  }
  const auto& node = program_.exprs[id].node;
  if (std::holds_alternative<core::VarRef>(node)) return Linear{1, 0};
  const auto* apply = std::get_if<core::Apply>(&node);
  if (apply == nullptr) return std::nullopt;
  std::vector<Linear> args;
  for (core::ExprId arg : apply->args) {
    const auto one = linear(arg, var, open, scope);
    if (!one) return std::nullopt;
    args.push_back(*one);
  }
  if (apply->op == Op::Neg) return Linear{-args[0].factor, -args[0].rest};
  if (apply->op == Op::Add)
    return Linear{args[0].factor + args[1].factor, args[0].rest + args[1].rest};
  if (apply->op == Op::Sub)
    return Linear{args[0].factor - args[1].factor, args[0].rest - args[1].rest};
  if (apply->op == Op::Mul && (args[0].factor.sign() == 0 || args[1].factor.sign() == 0))
    return Linear{args[0].factor * args[1].rest + args[1].factor * args[0].rest,
                  args[0].rest * args[1].rest};
  return std::nullopt;
}

// From a guard that must hold (or, negated, must not) for the value to matter. Guards that
// mention variables whose values are not known yet are of no use yet.
void Evaluator::narrow(core::ExprId guard, core::VarId var, const std::vector<core::VarId>& open,
                       Scope& scope, bool negated, Range& range) const {
  const auto* apply = std::get_if<core::Apply>(&program_.exprs[guard].node);
  if (apply == nullptr) return;
  const auto further = [&](core::ExprId part, bool not_so) {
    narrow(part, var, open, scope, not_so, range);
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
  const auto opposite = [](Op o) {
    return o == Op::Lt   ? Op::Ge
           : o == Op::Ge ? Op::Lt
           : o == Op::Le ? Op::Gt
           : o == Op::Gt ? Op::Le
           : o == Op::Eq ? Op::Ne
           : o == Op::Ne ? Op::Eq
                         : o;
  };
  Op op = negated ? opposite(apply->op) : apply->op;
  if (op != Op::Lt && op != Op::Le && op != Op::Gt && op != Op::Ge && op != Op::Eq) return;
  if (program_.exprs[apply->args[0]].type.rank > 0) return;
  const auto left = linear(apply->args[0], var, open, scope);
  const auto right = linear(apply->args[1], var, open, scope);
  if (!left || !right) return;
  // factor * var OP rest
  const Number factor = left->factor - right->factor, rest = right->rest - left->rest;
  if (factor.sign() == 0) return;
  if (factor.sign() < 0) op = turned(op);
  const Number bound = quotient(rest, factor);
  const auto at_most = [&](const Number& n) {
    if (!range.high || n < *range.high) range.high = n;
  };
  const auto at_least = [&](const Number& n) {
    if (!range.low || *range.low < n) range.low = n;
  };
  if (op == Op::Lt) at_most(bound.ceiling() - Number(1));
  if (op == Op::Le || op == Op::Eq) at_most(bound.floor());
  if (op == Op::Gt) at_least(bound.floor() + Number(1));
  if (op == Op::Ge || op == Op::Eq) at_least(bound.ceiling());
}

Evaluator::Range Evaluator::range_of(const core::Quant& node, core::VarId var,
                                     const std::vector<core::VarId>& open, Scope& scope) const {
  const core::Type& type = program_.vars[var].type;
  if (type.base == core::Base::Bool) return {Number(0), Number(1)};
  Range range;
  if (type.base == core::Base::Word) range = {Number(0), greatest_word(type.width)};
  if (type.base == core::Base::Real) return range;
  if (type.natural) range.low = Number(0);
  narrow(node.body, var, open, scope, node.universal, range);
  return range;
}

namespace {

std::vector<core::VarId> all_but(std::vector<core::VarId> vars, std::size_t which) {
  vars.erase(vars.begin() + static_cast<std::ptrdiff_t>(which));
  return vars;
}

bool is_few(const std::vector<Stretch>& values) {
  Number sum = 0;
  for (const Stretch& part : values) sum = sum + (*part.high - *part.low);
  return sum <= Number(kMostValues);
}

// Nothing if there is none.
std::optional<Obstacle> obstacle_of(const std::vector<Stretch>& values, const core::Type& type) {
  const bool no_low = !values.empty() && !values.front().low;
  const bool no_high = !values.empty() && !values.back().high;
  if ((no_low || no_high) && type.base == core::Base::Real) return Obstacle::Real;
  if (no_low && no_high) return Obstacle::NoBounds;
  if (no_low) return Obstacle::NoLowerBound;
  if (no_high) return Obstacle::NoUpperBound;
  if (!is_few(values)) return Obstacle::TooMany;
  return std::nullopt;
}

}  // namespace

// The variable whose range is known first is tried first: in `i < j < n` that is j. Byte code
// does as much by itself.
std::optional<Evaluator::Choice> Evaluator::choose_by_guards(const core::Quant& node,
                                                             const std::vector<core::VarId>& open,
                                                             Scope& scope) const {
  for (std::size_t k = 0; k < open.size(); ++k) {
    const Range range = range_of(node, open[k], all_but(open, k), scope);
    if (!range.finite()) continue;
    Choice out{k, {}};
    if (*range.low <= *range.high) out.values.push_back({range.low, range.high});
    if (is_few(out.values)) return out;
  }
  return std::nullopt;
}

Evaluator::Choice Evaluator::choose_by_all(core::ExprId id, const core::Quant& node,
                                           const std::vector<core::VarId>& open,
                                           Scope& scope) const {
  RangeReader reader(program_, [&](core::ExprId part) { return attempt(part, scope); });
  std::optional<Undecidable> first;
  for (std::size_t k = 0; k < open.size(); ++k) {
    const core::VarId var = open[k];
    // Any value does for what is not mentioned.
    if (!mentions(program_, node.body, [&](core::VarId v) { return v == var; }))
      return {k, {{Number(0), Number(0)}}};
    Choice out{k, reader.stretches(node.body, !node.universal, var, open)};
    const auto obstacle = obstacle_of(out.values, program_.vars[var].type);
    if (!obstacle) return out;
    if (!first) first = Undecidable{id, var, *obstacle};
  }
  throw *first;
}

bool Evaluator::for_each_instance(core::ExprId id, const core::Quant& node,
                                  std::vector<core::VarId> open, Scope& scope,
                                  const std::function<bool()>& more) const {
  if (open.empty()) return more();
  std::optional<Choice> choice = choose_by_guards(node, open, scope);
  if (!choice) choice = choose_by_all(id, node, open, scope);
  const core::VarId var = open[choice->which];
  const std::vector<core::VarId> others = all_but(open, choice->which);
  for (const Stretch& part : choice->values)
    for (Number i = *part.low; i <= *part.high; i = i + Number(1)) {
      if (spent(allowance_)) throw Undecidable{id, var, Obstacle::Time};
      if (!scope.now.spend() || (instances_left != nullptr && *instances_left == 0))
        throw Undecidable{id, var, Obstacle::TooMany};
      if (instances_left != nullptr) --*instances_left;
      if (scope.results != nullptr && scope.results->is_waiting()) return true;
      scope.bound.emplace_back(var, i);
      const bool goes_on = for_each_instance(id, node, others, scope, more);
      scope.bound.pop_back();
      if (!goes_on) return false;
    }
  return true;
}

bool Evaluator::quantified(core::ExprId id, const core::Quant& node, std::vector<core::VarId> open,
                           Scope& scope) const {
  // A universal one fails with the first instance that does, an existential one holds likewise.
  const bool undisturbed = for_each_instance(
      id, node, std::move(open), scope, [&] { return truth(node.body, scope) == node.universal; });
  return undisturbed == node.universal;
}

}  // namespace leto::interp
