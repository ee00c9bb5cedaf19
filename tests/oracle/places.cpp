#include <algorithm>

#include "oracle/hardware.h"
#include "oracle/machine.h"

namespace leto::oracle {

Slot* Machine::find_slot(Name name) {
  for (auto scope = frame_->scopes.rbegin(); scope != frame_->scopes.rend(); ++scope)
    for (Slot& slot : *scope)
      if (slot.name == name) return &slot;
  return nullptr;
}

Machine::Place Machine::find_place(const Expr& whole) {
  Place place;
  place.span = whole.span;
  const Expr* here = &whole;
  while (const auto* index = std::get_if<syntax::IndexExpr>(&here->node)) {
    place.index_exprs.insert(place.index_exprs.begin(), index->index);
    here = &expr(index->base);
  }
  if (const auto* name = std::get_if<syntax::NameExpr>(&here->node)) {
    place.slot = find_slot(name->name);
    if (!place.slot) refuse(whole.span, "an unknown variable");
    return place;
  }
  const auto* member = std::get_if<syntax::ModelExpr>(&here->node);
  if (!member || !picked_ || !place.index_exprs.empty()) refuse(whole.span, "no place");
  const Model& model = picked_->instance->model();
  const auto found = model.find(model.name(), member->member.name);
  if (!found || !found->state) refuse(whole.span, "not a state variable");
  place.state = found->index;
  return place;
}

Type Machine::type_of_place(const Place& place) const {
  if (!place.slot) return {picked_->instance->model().state()[place.state].type, Shape::Scalar};
  if (place.index_exprs.empty()) return place.slot->type;
  return {place.slot->type.scalar, Shape::Scalar};
}

void Machine::evaluate_indices(Place& place, Runs who) {
  for (Side side : who.list()) place.indices[side].emplace();
  for (ExprId index : place.index_exprs) {
    const Values values = evaluate(index, who);
    for (Side side : alive(who).list()) place.indices[side]->push_back(values[side]->value.scalar);
  }
}

std::size_t Machine::bounded(const Place& place, Side side) const {
  const std::optional<Value>& whole = place.slot->value[side];
  if (!whole || whole->sizes.size() != place.indices[side]->size())
    refuse(place.span, "not an element");
  const std::optional<std::size_t> position = offset(*whole, *place.indices[side]);
  if (!position) throw Failure{place.span, "an index is out of bounds"};
  return *position;
}

Typed Machine::read(const Place& place, Side side) {
  if (!place.slot) return number(type_of_place(place).scalar, (*picked_->state[side])[place.state]);
  if (place.index_exprs.empty()) return read_whole(*place.slot, side, place.span);
  const std::size_t position = bounded(place, side);
  return number(
      place.slot->type.scalar,
      read_one(*place.slot, place.slot->value[side]->elements[position], side, place.span));
}

Typed Machine::read_whole(const Slot& slot, Side side, Span span) {
  if (!slot.value[side]) refuse(span, "a run uses a variable that it has not declared");
  Typed value{slot.type, *slot.value[side]};
  if (slot.type.shape == Shape::Scalar)
    value.value.scalar = read_one(slot, value.value.scalar, side, span);
  for (Number& element : value.value.elements) element = read_one(slot, element, side, span);
  return value;
}

Number Machine::read_one(const Slot& slot, const Number& stored, Side side, Span span) {
  if (!slot.region || side == Side::Original || ghost_) return stored;
  Request request;
  request.kind = syntax::OperationKind::Read;
  request.region = slot.region;
  request.type = request.outcome = slot.type.scalar;
  request.operands = {stored};
  request.exact = stored;
  Access one;
  one.at = span;
  one.what = "read";
  one.region = program_.text(*slot.region);
  return access(std::move(one), request);
}

Value Machine::converted(Type type, const Typed& value, Span span) const {
  const auto negative = [](const Number& number) { return number < 0; };
  const Value& from = value.value;
  if (type.scalar == Scalar::Uint &&
      (negative(from.scalar) || std::any_of(from.elements.begin(), from.elements.end(), negative)))
    throw Failure{span, "a negative value for a uint"};
  if (!fits(type, from)) refuse(span, "a value of another type");
  return from;
}

void Machine::store(const Place& place, const Values& value, Runs who, Span span) {
  each_does(who, [&](Side side) {
    if (!place.index_exprs.empty()) (void)bounded(place, side);
    const Value stored = converted(type_of_place(place), *value[side], span);
    if (place.slot && place.index_exprs.empty() && stored.sizes != place.slot->value[side]->sizes)
      throw Failure{span, "vectors of different sizes"};
    write(place, side, stored);
  });
}

void Machine::write(const Place& place, Side side, const Value& value) {
  if (!place.slot) {
    (*picked_->state[side])[place.state] = value.scalar;
    if (side == Side::Relaxed)
      for (Span span : picked_->instance->broken(*picked_->state[side]))
        report_.broken_invariants.push_back(span);
    return;
  }
  Slot& slot = *place.slot;
  Value& whole = *slot.value[side];
  if (!place.index_exprs.empty()) {
    Number& element = whole.elements[bounded(place, side)];
    element = write_one(slot, element, value.scalar, side, place.span);
    return;
  }
  if (slot.type.shape == Shape::Scalar)
    whole.scalar = write_one(slot, whole.scalar, value.scalar, side, place.span);
  for (std::size_t k = 0; k < whole.elements.size(); ++k)
    whole.elements[k] = write_one(slot, whole.elements[k], value.elements[k], side, place.span);
}

Number Machine::write_one(const Slot& slot, const Number& stored, const Number& value, Side side,
                          Span span) {
  if (!slot.region || side == Side::Original) return value;
  Request request;
  request.kind = syntax::OperationKind::Write;
  request.region = slot.region;
  request.type = request.outcome = slot.type.scalar;
  request.operands = {stored, value};
  request.exact = value;
  Access one;
  one.at = span;
  one.what = "write";
  one.region = program_.text(*slot.region);
  return access(std::move(one), request);
}

}  // namespace leto::oracle
