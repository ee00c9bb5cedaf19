#include "interp/compute.h"

namespace leto::interp {

namespace {

const Number kZero{};

std::int64_t length_of(const Instruction& i) {
  const Array* array = i.vector->array.get();
  return array != nullptr ? array->sizes[i.extra] : 0;
}

[[gnu::noinline]] bool is_below(const Number& index, std::int64_t length) {
  return index < Number(length);
}

// Zero outside of bounds.
void read_element(const Instruction& i) {
  const Number* found = &kZero;
  const Array* array = i.vector->array.get();
  const std::size_t rank = i.b == nullptr ? 1 : 2;
  if (array != nullptr && array->sizes.size() == rank) {
    const std::optional<std::int64_t> row = i.a->small();
    const std::optional<std::int64_t> column = rank == 2 ? i.b->small() : 0;
    const std::int64_t width = rank == 2 ? array->sizes[1] : 1;
    if (row && column && *row >= 0 && *row < array->sizes[0] && *column >= 0 && *column < width)
      found = &array->elements[static_cast<std::size_t>(*row * width + *column)];
  }
  *i.to = *found;
}

[[gnu::noinline]] void divide(const Instruction& i) {
  if (i.b->sign() == 0)
    *i.to = 0;
  else if (i.what == Do::Quotient)
    *i.to = quotient(*i.a, *i.b);
  else if (i.what == Do::WholeQuotient)
    *i.to = euclidean_quotient(*i.a, *i.b);
  else
    *i.to = *i.a - *i.b * euclidean_quotient(*i.a, *i.b);
}

struct Range {
  std::optional<Number> low, high;  // both included
};

void limit(Range& range, core::Op op, const Number& bound) {
  const auto at_most = [&](const Number& n) {
    if (!range.high || n < *range.high) range.high = n;
  };
  const auto at_least = [&](const Number& n) {
    if (!range.low || *range.low < n) range.low = n;
  };
  if (op == core::Op::Lt) at_most(bound.ceiling() - Number(1));
  if (op == core::Op::Le || op == core::Op::Eq) at_most(bound.floor());
  if (op == core::Op::Gt) at_least(bound.floor() + Number(1));
  if (op == core::Op::Ge || op == core::Op::Eq) at_least(bound.ceiling());
}

}  // namespace

void Computer::walk(const Part& part, Number& to) const {
  Scope scope{code_.pair, part.names.open, &snapshots_};
  scope.results = &results_;
  for (const auto& [var, at] : part.names.bound) scope.bound.emplace_back(var, *at);
  for (const auto& [var, at] : part.names.old) scope.old.emplace_back(var, *at);
  to = evaluator_.number(part.expr, scope);
}

bool Computer::instances(const Quantifier& quantifier, std::size_t level) {
  if (level == quantifier.levels.size()) return truth(quantifier.body) == quantifier.universal;
  const Level& here = quantifier.levels[level];
  Range range;
  if (here.truth) range = {Number(0), Number(1)};
  if (here.from_zero) range.low = Number(0);
  if (!here.bounds.empty()) execute(here.limits);
  for (const Level::Limit& bound : here.bounds) limit(range, bound.op, *bound.value);
  if (Number(kMostValues) < *range.high - *range.low)
    throw Undecidable{quantifier.part.expr, here.var, Obstacle::TooMany};
  for (Number i = *range.low; i <= *range.high; i = i + Number(1)) {
    if (spent(allowance_)) throw Undecidable{quantifier.part.expr, here.var, Obstacle::Time};
    *here.at = i;
    if (!instances(quantifier, level + 1)) return false;
  }
  return true;
}

// Where there are too many values the tree may find that fewer matter.
void Computer::quantify(const Quantifier& quantifier, Number& to) {
  try {
    to.become_integer(instances(quantifier, 0) == quantifier.universal ? 1 : 0);
  } catch (const Undecidable& undecidable) {
    if (undecidable.obstacle != Obstacle::TooMany || undecidable.expr != quantifier.part.expr)
      throw;
    walk(quantifier.part, to);
  }
}

void Computer::execute(const Code& code) {
  const Instruction* const first = code.steps.data();
  const Instruction* const end = first + code.steps.size();
  for (const Instruction* i = first; i != end; ++i) {
    switch (i->what) {
      case Do::Copy:
        *i->to = *i->a;
        break;
      case Do::Not:
        i->to->become_integer(i->a->truth() ? 0 : 1);
        break;
      case Do::Neg:
        i->to->become_difference(kZero, *i->a);
        break;
      case Do::Abs:
        if (i->a->sign() < 0)
          i->to->become_difference(kZero, *i->a);
        else
          *i->to = *i->a;
        break;
      case Do::Floor:
        *i->to = i->a->floor();
        break;
      case Do::Natural:
        *i->to = i->a->sign() < 0 ? kZero : *i->a;
        break;
      case Do::Add:
        i->to->become_sum(*i->a, *i->b);
        break;
      case Do::Sub:
        i->to->become_difference(*i->a, *i->b);
        break;
      case Do::Mul:
        i->to->become_product(*i->a, *i->b);
        break;
      case Do::Quotient:
      case Do::WholeQuotient:
      case Do::Remainder:
        divide(*i);
        break;
      case Do::Equal:
        i->to->become_integer(*i->a == *i->b ? 1 : 0);
        break;
      case Do::Differ:
        i->to->become_integer(*i->a == *i->b ? 0 : 1);
        break;
      case Do::Less:
        i->to->become_integer(*i->a < *i->b ? 1 : 0);
        break;
      case Do::AtMost:
        i->to->become_integer(*i->a <= *i->b ? 1 : 0);
        break;
      case Do::Min:
        *i->to = *i->a <= *i->b ? *i->a : *i->b;
        break;
      case Do::Max:
        *i->to = *i->a <= *i->b ? *i->b : *i->a;
        break;
      case Do::Jump:
        i = first + i->extra - 1;
        break;
      case Do::JumpIf:
        if (i->a->truth()) i = first + i->extra - 1;
        break;
      case Do::JumpUnless:
        if (!i->a->truth()) i = first + i->extra - 1;
        break;
      case Do::JumpIfNone:
        if (i->vector->none) i = first + i->extra - 1;
        break;
      case Do::Length:
        i->to->become_integer(length_of(*i));
        break;
      case Do::BelowLength: {
        const std::optional<std::int64_t> index = i->a->small();
        const bool below = index ? *index < length_of(*i) : is_below(*i->a, length_of(*i));
        i->to->become_integer(below ? 1 : 0);
        break;
      }
      case Do::Element:
        read_element(*i);
        break;
      case Do::SameValues:
        i->to->become_integer(equal(*i->vector, *i->other) ? 1 : 0);
        break;
      case Do::OtherValues:
        i->to->become_integer(equal(*i->vector, *i->other) ? 0 : 1);
        break;
      case Do::Quantify:
        quantify(code_.quantifiers[i->extra], *i->to);
        break;
      case Do::Walk:
        walk(code_.parts[i->extra], *i->to);
        break;
    }
  }
}

}  // namespace leto::interp
