#include <algorithm>

#include "oracle/hardware.h"
#include "oracle/machine.h"

namespace leto::oracle {

Slot* Machine::find_slot(Name name) {
  for (auto scope = frame_->scopes.rbegin(); scope != frame_->scopes.rend(); ++scope)
    for (Slot& slot : *scope)
      if (slot.name == name) return &slot;
  for (Slot& slot : vectors_)
    if (slot.name == name) return &slot;
  return nullptr;
}

Machine::Place Machine::find_place(const Expr& whole) {
  Place place;
  place.span = whole.span;
  const Expr* here = &whole;
  std::optional<Name> field;
  while (true) {
    if (const auto* index = std::get_if<syntax::IndexExpr>(&here->node)) {
      place.index_exprs.insert(place.index_exprs.begin(), index->index);
      here = &expr(index->base);
    } else if (const auto* part = std::get_if<syntax::FieldExpr>(&here->node)) {
      field = part->field.name;
      here = &expr(part->base);
    } else if (const auto* paren = std::get_if<syntax::ParenExpr>(&here->node)) {
      here = &expr(paren->inner);
    } else {
      break;
    }
  }
  const auto* of_variable = std::get_if<syntax::MemberExpr>(&here->node);
  if (of_variable != nullptr) field = of_variable->member.name;
  if (const auto* name = std::get_if<syntax::NameExpr>(&here->node); name || of_variable) {
    place.slot = find_slot(name ? name->name : of_variable->scope.name);
    if (!place.slot) refuse(whole.span, "an unknown variable");
    if (field && place.slot->type.record == nullptr) refuse(whole.span, "no record");
    if (field) place.field = place.slot->type.find(*field);
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
  Type type = place.field ? place.slot->type.field(*place.field) : place.slot->type;
  if (!place.index_exprs.empty()) type.shape = Shape::Scalar;
  return type;
}

Value& Machine::stored_at(const Place& place, Side side) {
  if (!place.slot->value[side])
    refuse(place.span, "a run uses a variable that it has not declared");
  Value& whole = *place.slot->value[side];
  return place.field ? whole.fields.at(*place.field) : whole;
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
  std::optional<std::size_t> position;
  if (!place.index_exprs.empty()) position = bounded(place, side);
  const Type type = type_of_place(place);
  const Value& stored = stored_at(place, side);
  Typed out{type, {}};
  if (type.record == nullptr) {
    out.value = read_part(*place.slot, type.scalar, stored, position, side, place.span);
    return out;
  }
  if (!position) out.value.sizes = stored.sizes;
  for (std::size_t k = 0; k < stored.fields.size(); ++k)
    out.value.fields.push_back(
        read_part(*place.slot, type.field(k).scalar, stored.fields[k], position, side, place.span));
  return out;
}

// What is no record: an element, or all of it in order.
Value Machine::read_part(const Slot& slot, Scalar type, const Value& stored,
                         std::optional<std::size_t> position, Side side, Span span) {
  if (position) return scalar(read_one(slot, type, stored.elements[*position], side, span));
  Value value = stored;
  if (value.sizes.empty()) value.scalar = read_one(slot, type, value.scalar, side, span);
  for (Number& element : value.elements) element = read_one(slot, type, element, side, span);
  return value;
}

Typed Machine::read_whole(Slot& slot, Side side, Span span) {
  Place place;
  place.span = span;
  place.slot = &slot;
  return read(place, side);
}

Number Machine::read_one(const Slot& slot, Scalar type, const Number& stored, Side side,
                         Span span) {
  if (!slot.region || side == Side::Original || ghost_) return stored;
  Request request;
  request.kind = syntax::OperationKind::Read;
  request.region = slot.region;
  request.type = request.outcome = type;
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
  for (std::size_t k = 0; type.record != nullptr && k < from.fields.size(); ++k)
    (void)converted(type.field(k), {type.field(k), from.fields[k]}, span);
  if (type.record == nullptr && type.scalar == Scalar::Uint &&
      (negative(from.scalar) || std::any_of(from.elements.begin(), from.elements.end(), negative)))
    throw Failure{span, "a negative value for a uint"};
  if (!fits(type, from)) refuse(span, "a value of another type");
  return from;
}

void Machine::store(const Place& place, const Values& value, Runs who, Span span) {
  each_does(who, [&](Side side) {
    if (!place.index_exprs.empty()) (void)bounded(place, side);
    const Value stored = converted(type_of_place(place), *value[side], span);
    if (place.slot && place.index_exprs.empty() && stored.sizes != stored_at(place, side).sizes)
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
  std::optional<std::size_t> position;
  if (!place.index_exprs.empty()) position = bounded(place, side);
  const Type type = type_of_place(place);
  Value& stored = stored_at(place, side);
  if (type.record == nullptr) return write_part(place, type.scalar, stored, value, position, side);
  for (std::size_t k = 0; k < stored.fields.size(); ++k)
    write_part(place, type.field(k).scalar, stored.fields[k], value.fields[k], position, side);
}

void Machine::write_part(const Place& place, Scalar type, Value& stored, const Value& value,
                         std::optional<std::size_t> position, Side side) {
  const auto put = [&](Number& into, const Number& from) {
    into = write_one(*place.slot, type, into, from, side, place.span);
  };
  if (position) return put(stored.elements[*position], value.scalar);
  if (stored.sizes.empty()) put(stored.scalar, value.scalar);
  for (std::size_t k = 0; k < stored.elements.size(); ++k)
    put(stored.elements[k], value.elements[k]);
}

Number Machine::write_one(const Slot& slot, Scalar type, const Number& stored, const Number& value,
                          Side side, Span span) {
  if (!slot.region || side == Side::Original) return value;
  Request request;
  request.kind = syntax::OperationKind::Write;
  request.region = slot.region;
  request.type = request.outcome = type;
  request.operands = {stored, value};
  request.exact = value;
  Access one;
  one.at = span;
  one.what = "write";
  one.region = program_.text(*slot.region);
  return access(std::move(one), request);
}

}  // namespace leto::oracle
