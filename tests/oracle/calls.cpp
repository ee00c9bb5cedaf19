#include "oracle/machine.h"

namespace leto::oracle {

PerRun<Machine::Back> Machine::call(const Program::Function& function,
                                    const PerRun<std::vector<Typed>>& arguments, Runs who,
                                    Span span) {
  each_does(who, [&](Side) {
    if (depth_ >= limits_.depth) throw Failure{span, "too many calls", Failure::Kind::Hung};
  });
  who = alive(who);
  if (who.empty()) return {};
  Frame frame;
  frame.function = &function;
  Frame* const caller = frame_;
  Force* const force_before = in_force_;
  const bool ghost_before = ghost_;
  frame_ = &frame;
  in_force_ = picked_;  // wherever it is called from
  ghost_ = false;
  ++depth_;

  pass(arguments, who, span);
  check_sizes(alive(who), span);
  const Held held = claim_requires(alive(who));
  if (starting_ && !report_.violated.empty())
    throw Stop{End::BadInput, report_.violated.front().span, "the inputs are not as required"};
  starting_ = false;
  if (function.item->external)
    ask_external(alive(who), held, span);
  else
    do_body(alive(who));

  const PerRun<Back> results = each(who, [&](Side side) { return bring_back(frame, side); });
  --depth_;
  frame_ = caller;
  in_force_ = force_before;
  ghost_ = ghost_before;
  return results;
}

// What is returned, and what the parameters that are changed in place have become.
Machine::Back Machine::bring_back(const Frame& frame, Side side) const {
  const syntax::FunctionItem& item = *frame.function->item;
  Back back;
  const auto returned = [&](std::size_t k) {
    return frame.results[side] ? frame.results[side]->at(k) : Value{};
  };
  if (const Type type = program_.type_of(item.type); !type.is_void())
    back.returned = {{type, returned(0)}};
  for (std::size_t k = 0; k < item.results.size(); ++k)
    back.returned.push_back({program_.type_of(item.results[k].type), returned(k)});
  for (std::size_t k = 0; k < item.params.size(); ++k)
    if (item.params[k].inout) back.changed.push_back(*frame.scopes[0][k].value[side]);
  return back;
}

Typed Machine::run_pure(const Program::Function& function, const std::vector<Typed>& args,
                        Span span) const {
  Inputs inputs = inputs_;
  inputs.original.clear();
  for (std::size_t k = 0; k < args.size(); ++k) {
    const std::string name(program_.text(function.item->params[k].name.name));
    if (args[k].type.record == nullptr) inputs.original[name] = args[k].value;
    for (std::size_t f = 0; f < args[k].value.fields.size(); ++f)
      inputs.original[name + "." +
                      std::string(program_.text(args[k].type.record->fields[f].name.name))] =
          args[k].value.fields[f];
  }
  inputs.relaxed = inputs.original;
  const Subject subject{subject_.trees, subject_.names, subject_.model,
                        std::string(program_.text(function.item->name.name))};
  const Report report = Machine(subject, inputs, chooser_, limits_, external_).run();
  if (function.item->external || report.end != End::Done || !report.original)
    throw Stop{End::Undecidable, span, "a pure function without a value"};
  return {type_of(function.item->type), *report.original};
}

// Arguments become parameters, which is no write even if they live in a region.
void Machine::pass(const PerRun<std::vector<Typed>>& arguments, Runs who, Span span) {
  const std::vector<syntax::Param>& params = frame_->function->item->params;
  const PerRun<std::vector<Value>> values = each(who, [&](Side side) {
    if (arguments[side]->size() != params.size()) refuse(span, "a wrong number of arguments");
    std::vector<Value> all;
    for (std::size_t k = 0; k < params.size(); ++k)
      all.push_back(converted(program_.type_of(params[k].type), (*arguments[side])[k], span));
    return all;
  });
  Scope scope;
  for (std::size_t k = 0; k < params.size(); ++k) {
    Slot slot{params[k].name.name, program_.type_of(params[k].type), {}, false, {}};
    if (params[k].attributes.region) slot.region = params[k].attributes.region->name;
    for (Side side : alive(who).list()) slot.value[side] = (*values[side])[k];
    scope.push_back(std::move(slot));
  }
  frame_->passed = {scope};
  if (picked_) frame_->entered = picked_->state;
  frame_->scopes = {std::move(scope)};
}

void Machine::check_sizes(Runs who, Span span) {
  ghost_ = true;  // what was passed is compared; no parameter is read
  const std::vector<syntax::Param>& params = frame_->function->item->params;
  for (std::size_t k = 0; k < params.size(); ++k) {
    if (params[k].dims.empty()) continue;
    const PerRun<std::vector<std::int64_t>> wanted = sizes(params[k].dims, who);
    each_does(who, [&](Side side) {
      if (frame_->passed[0][k].value[side]->sizes != *wanted[side])
        throw Failure{span, "a vector of another size than the parameter has"};
    });
  }
  ghost_ = false;
}

void Machine::do_body(Runs who) {
  execute(frame_->function->item->body, who);
  const Runs done = alive(who);
  const syntax::FunctionItem& item = *frame_->function->item;
  if ((!program_.type_of(item.type).is_void() || !item.results.empty()) &&
      done.without(frame_->returned) != Runs::none())
    refuse(item.name.span, "a run does not return a value");
  claim_ensures(done);
}

// An external function's clauses are trusted: a value that breaks them is none that it returns.
// Of a call that breaks its requirements they say nothing.
void Machine::ask_external(Runs who, const Held& held, Span span) {
  const syntax::FunctionItem& item = *frame_->function->item;
  each_does(who, [&](Side side) {
    std::vector<Value> arguments;
    for (const Slot& slot : frame_->passed[0]) arguments.push_back(*slot.value[side]);
    std::optional<Value> value;
    if (external_)
      value =
          external_(std::string(program_.text(item.name.name)), arguments, side == Side::Original);
    if (!value) throw Stop{End::Undecidable, span, "no value for an external function"};
    if (!fits(type_of(item.type), *value))
      throw Stop{End::Impossible, span, "an external function's value is not of its type"};
    frame_->results[side] = std::vector<Value>{*std::move(value)};
  });
  for (const syntax::Clause& clause : item.contract) {
    bool holds = true;
    if (clause.kind == syntax::ClauseKind::Ensures)
      for (Side side : held.of_one.list())
        holds = holds && judge(clause.expr, mode_of(side), true).holds;
    const bool related = held.of_both && held.of_one == Runs::both();
    if (clause.kind == syntax::ClauseKind::EnsuresR && related)
      holds = judge(clause.expr, Mode::Both, true).holds;
    if (!holds)
      throw Stop{End::Impossible, span, "an external function's value is not what is ensured"};
  }
}

}  // namespace leto::oracle
