#include "oracle/machine.h"

namespace leto::oracle {

namespace {

[[noreturn]] void refuse_input(std::string why, Span where = {}) {
  throw Stop{End::BadInput, where, std::move(why)};
}

}  // namespace

Machine::Machine(const Subject& subject, const Inputs& inputs, const Chooser& chooser,
                 const Limits& limits, const External& external)
    : program_(subject.trees, subject.names),
      subject_(subject),
      inputs_(inputs),
      chooser_(chooser),
      limits_(limits),
      external_(external),
      specs_(program_, limits_) {
  specs_.functions = &inputs_.functions;
  specs_.run_pure = [this](const Program::Function& function, const std::vector<Typed>& args,
                           Span span) { return run_pure(function, args, span); };
}

Report Machine::run() {
  try {
    start();
    if (relaxed_end_) throw *relaxed_end_;
  } catch (const Stop& stop) {
    report_.end = stop.end;
    report_.where = stop.where;
    report_.why = stop.why;
  }
  return std::move(report_);
}

void Machine::start() {
  for (const syntax::Tree* tree : subject_.trees)
    if (tree->has_errors) refuse({}, "the program does not parse");
  if (!subject_.model.empty()) {
    picked_ = force(program_.find(subject_.model), true);
    report_.broken_invariants = picked_->instance->broken(picked_->instance->initial());
  }
  set_constants();
  check_constraints();
  const Program::Function* function = program_.function(program_.find(subject_.function));
  if (!function) refuse({}, "there is no function '" + subject_.function + "'");
  const PerRun<Back> results =
      call(*function, take_inputs(*function), Runs::both(), function->item->name.span);
  for (Side side : alive(Runs::both()).list()) {
    const bool original = side == Side::Original;
    const Back& back = *results[side];
    if (back.returned.size() == 1 && back.returned[0].type.record == nullptr)
      (original ? report_.original : report_.relaxed) = back.returned[0].value;
    std::vector<Value>& all = original ? report_.all_original : report_.all_relaxed;
    const auto put = [&](const Value& value) {
      if (value.fields.empty())
        all.push_back(value);
      else
        all.insert(all.end(), value.fields.begin(), value.fields.end());
    };
    for (const Typed& one : back.returned) put(one.value);
    for (const Value& value : back.changed) put(value);
  }
}

Force* Machine::force(Name model, bool picked) {
  if (!model.valid()) refuse({}, "there is no model of this name");
  Force& force = forces_[model];
  if (force.instance) return &force;
  force.instance = std::make_unique<Instance>(program_, inputs_, picked, specs_, model);
  force.state[Side::Original] = force.state[Side::Relaxed] = force.instance->initial();
  return &force;
}

// A value may use constants that are declared later, so there are as many rounds as constants.
void Machine::set_constants() {
  std::vector<Name> computed;
  for (Name name : program_.constants()) {
    const syntax::ConstItem& item = *program_.constant(name)->item;
    const Type type = type_of(item.type);
    constants_[name] = {type, {}};
    if (item.init.valid() || !item.elements.empty()) {
      computed.push_back(name);
      continue;
    }
    const auto given = inputs_.constants.find(std::string(program_.text(name)));
    if (given == inputs_.constants.end() || !fits(type, given->second))
      refuse_input("no value of its type for a constant", item.name.span);
    constants_[name].value = given->second;
  }
  const ProgramNames names(*this, ProgramNames::Where::Outside);
  for (std::size_t round = 0; round < computed.size(); ++round)
    for (Name name : computed) {
      const Program::Constant& constant = *program_.constant(name);
      const Context context{constant.tree, &names, Mode::Relaxed, nullptr};
      if (constant.item->init.valid()) {
        constants_[name].value = specs_.evaluate(context, constant.item->init).value;
        continue;
      }
      Value& list = constants_[name].value;
      list = zero({static_cast<std::int64_t>(constant.item->elements.size())});
      for (std::size_t k = 0; k < constant.item->elements.size(); ++k)
        list.elements[k] = specs_.evaluate(context, constant.item->elements[k]).value.scalar;
    }
  for (const auto& [name, constant] : constants_)
    if (!fits(constant.type, constant.value))
      refuse_input("a constant's value is not of its type",
                   program_.constant(name)->item->name.span);
  for (const auto& [name, constant] : constants_) {
    if (constant.type.shape == Shape::Scalar) continue;
    Slot slot{name, constant.type, {}, false, {}};
    for (Side side : {Side::Original, Side::Relaxed}) slot.value[side] = constant.value;
    vectors_.push_back(std::move(slot));
  }
}

void Machine::check_constraints() {
  const ProgramNames names(*this, ProgramNames::Where::Outside);
  for (const Program::Constraint& constraint : program_.constraints()) {
    const Context context{constraint.tree, &names, Mode::Relaxed, nullptr};
    if (!specs_.judge(context, constraint.item->expr).holds)
      refuse_input("the constants are not as required",
                   constraint.tree->exprs[constraint.item->expr].span);
  }
}

PerRun<std::vector<Typed>> Machine::take_inputs(const Program::Function& function) {
  PerRun<std::vector<Typed>> all;
  for (Side side : Runs::both().list()) {
    all[side].emplace();
    for (const syntax::Param& param : function.item->params)
      all[side]->push_back(take_input(param, side));
  }
  return all;
}

Typed Machine::take_input(const syntax::Param& param, Side side) const {
  const auto& inputs = side == Side::Original ? inputs_.original : inputs_.relaxed;
  const Type type = program_.type_of(param.type);
  const auto take = [&](const std::string& name) -> const Value& {
    const auto it = inputs.find(name);
    if (it == inputs.end()) refuse_input("no value for a parameter", param.name.span);
    return it->second;
  };
  const std::string name(program_.text(param.name.name));
  Value value;
  if (type.record == nullptr) value = take(name);
  if (type.record != nullptr)
    for (const syntax::Binder& field : type.record->fields) {
      value.fields.push_back(take(name + "." + std::string(program_.text(field.name.name))));
      value.sizes = value.fields.back().sizes;
    }
  if (!fits(type, value)) refuse_input("a value is not of the parameter's type", param.name.span);
  return {type, value};
}

void Machine::fail(Side side, const Failure& failure) {
  if (starting_) refuse_input(failure.why, failure.where);
  if (making_ > 0) throw Stop{End::Undecidable, failure.where, "a lemma makes nothing"};
  const bool original = side == Side::Original;
  End end = original ? End::OriginalFailed : End::RelaxedFailed;
  if (failure.kind == Failure::Kind::Stuck) end = End::Stuck;
  if (failure.kind == Failure::Kind::Hung) end = original ? End::OriginalHung : End::RelaxedHung;
  const Stop stop{end, failure.where, failure.why};
  if (original) throw stop;
  relaxed_end_ = stop;
  over_ = Runs::only(Side::Relaxed);
}

Runs Machine::tick(Runs who, Span span) {
  each_does(who, [&](Side side) {
    if (++steps_[static_cast<std::size_t>(side)] > limits_.steps)
      throw Failure{span, "too many steps", Failure::Kind::Hung};
  });
  return alive(who);
}

void Machine::check_size(const Number& value, Span span) const {
  if (bits(value) > limits_.bits) throw Failure{span, "a number is too long", Failure::Kind::Hung};
}

}  // namespace leto::oracle
