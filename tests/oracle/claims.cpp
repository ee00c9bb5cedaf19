#include "oracle/machine.h"

namespace leto::oracle {

using syntax::ClauseKind;

Verdict Machine::judge(ExprId claim, Mode mode, bool contract) {
  using Where = ProgramNames::Where;
  const ProgramNames names(*this, contract ? Where::Contract : Where::Body);
  return specs_.judge({frame_->function->tree, &names, mode, nullptr}, claim);
}

void Machine::note(std::string_view kind, Span span, By by, const Verdict& verdict) {
  report_.violated.push_back({std::string(kind), span, by, verdict.no_value});
}

bool Machine::claim_of_one(const syntax::Clause& clause, Side side, bool contract) {
  const Verdict verdict = judge(clause.expr, mode_of(side), contract);
  if (!verdict.holds)
    note(syntax::spelling(clause.kind), clause.span,
         side == Side::Original ? By::Original : By::Relaxed, verdict);
  return verdict.holds;
}

bool Machine::claim_of_both(const syntax::Clause& clause, Runs came, bool contract) {
  const Verdict verdict = judge(clause.expr, Mode::Both, contract);
  const By by = came == Runs::both()       ? By::Both
                : came.has(Side::Original) ? By::Original
                                           : By::Relaxed;
  if (!verdict.holds) note(syntax::spelling(clause.kind), clause.span, by, verdict);
  return verdict.holds;
}

Held Machine::claim_requires(Runs who) {
  Held held{who, who == Runs::both()};
  for (const syntax::Clause& clause : frame_->function->item->contract) {
    if (clause.kind == ClauseKind::Requires)
      for (Side side : who.list())
        if (!claim_of_one(clause, side, true)) held.of_one = held.of_one.without(Runs::only(side));
    if (clause.kind == ClauseKind::RequiresR && who == Runs::both())
      held.of_both = claim_of_both(clause, who, true) && held.of_both;
  }
  return held;
}

void Machine::claim_ensures(Runs who) {
  for (const syntax::Clause& clause : frame_->function->item->contract) {
    if (clause.kind == ClauseKind::Ensures)
      for (Side side : who.list()) claim_of_one(clause, side, true);
    if (clause.kind == ClauseKind::EnsuresR && who == Runs::both())
      claim_of_both(clause, who, true);
  }
}

ProgramNames::ProgramNames(const Machine& machine, Where where)
    : machine_(machine),
      where_(where),
      scopes_(where == Where::Body       ? &machine.frame_->scopes
              : where == Where::Contract ? &machine.frame_->passed
                                         : nullptr),
      state_(machine.picked_ ? &machine.picked_->state : nullptr) {}

ProgramNames::ProgramNames(const Machine& machine, Where where, const Scopes* scopes,
                           const PerRun<State>* state)
    : machine_(machine), where_(where), scopes_(scopes), state_(state) {}

std::optional<View> ProgramNames::find_slot(Name name, Mode mode) const {
  if (!scopes_) return std::nullopt;
  for (auto scope = scopes_->rbegin(); scope != scopes_->rend(); ++scope)
    for (const Slot& slot : *scope) {
      if (slot.name != name) continue;
      if (mode == Mode::Both && !slot.ghost) refuse({}, "a variable without a side");
      const Side side = mode == Mode::Original ? Side::Original : Side::Relaxed;
      return View{slot.type, slot.value[side] ? &*slot.value[side] : nullptr};
    }
  return std::nullopt;
}

View ProgramNames::result(std::size_t k, Mode mode) const {
  const auto& results =
      machine_.frame_->results[mode == Mode::Original ? Side::Original : Side::Relaxed];
  return View{machine_.type_of_result(k), results ? &results->at(k) : nullptr};
}

// A contract means by a parameter what was passed; but by one that is changed in place, what it is.
std::optional<View> ProgramNames::find_in_place(Name name, Mode mode) const {
  const auto& params = machine_.frame_->function->item->params;
  for (std::size_t k = 0; k < params.size(); ++k) {
    if (!params[k].inout || params[k].name.name != name) continue;
    if (mode == Mode::Both) refuse({}, "a variable without a side");
    const Slot& slot = machine_.frame_->scopes.at(0).at(k);
    const Side side = mode == Mode::Original ? Side::Original : Side::Relaxed;
    return View{slot.type, slot.value[side] ? &*slot.value[side] : nullptr};
  }
  return std::nullopt;
}

std::optional<View> ProgramNames::find(Name name, Mode mode) const {
  const bool several = machine_.frame_ && !machine_.frame_->function->item->results.empty();
  if (where_ == Where::Contract && machine_.program_.text(name) == "result" && !several) {
    if (mode == Mode::Both) refuse({}, "'result' without a side");
    return result(0, mode);
  }
  if (where_ == Where::Contract && !passed_)
    if (const std::optional<View> now = find_in_place(name, mode)) return now;
  if (const std::optional<View> view = find_slot(name, mode)) return view;
  const auto constant = machine_.constants_.find(name);
  if (constant != machine_.constants_.end())
    return View{constant->second.type, &constant->second.value};
  if (where_ == Where::Body && machine_.program_.text(name) == "left" && mode != Mode::Both &&
      !machine_.frame_->around.empty()) {
    const Side side = mode == Mode::Original ? Side::Original : Side::Relaxed;
    const std::optional<Typed>& left = machine_.frame_->around.back().left[side];
    if (left) return View{left->type, &left->value};
  }
  // Inside of `l[e]` a name can be known that was not declared yet at that moment.
  if (where_ == Where::Body && scopes_ != &machine_.frame_->scopes) {
    const ProgramNames now(machine_, Where::Body);
    if (const std::optional<View> view = now.find_slot(name, mode))
      return View{view->type, nullptr};
  }
  return std::nullopt;
}

// Without a side it is the relaxed run's; only a measure is said of the original alone.
Typed ProgramNames::model_member(const syntax::Ident& member, Mode mode) const {
  if (!machine_.picked_) refuse(member.span, "no model is picked");
  const Instance& instance = *machine_.picked_->instance;
  const Model& model = instance.model();
  const std::optional<Model::Found> found = model.find(model.name(), member.name);
  if (!found) refuse(member.span, "the model has no such part");
  if (!found->state)
    return number(model.constants()[found->index].type, instance.constants()[found->index]);
  return number(
      model.state()[found->index].type,
      (*(*state_)[mode == Mode::Original ? Side::Original : Side::Relaxed])[found->index]);
}

Typed ProgramNames::qualified(const syntax::MemberExpr& member, Mode mode) const {
  const auto& results = machine_.frame_->function->item->results;
  if (where_ == Where::Contract && machine_.program_.text(member.scope.name) == "result")
    for (std::size_t k = 0; k < results.size(); ++k)
      if (results[k].name.name == member.member.name) {
        if (mode == Mode::Both) refuse(member.member.span, "'result' without a side");
        const View view = result(k, mode);
        if (view.value) return {view.type, *view.value};
      }
  refuse(member.member.span, "a qualified name in the program");
}

std::optional<Typed> ProgramNames::function(const syntax::Ident* scope, Name name,
                                            const std::vector<Typed>& args,
                                            Specifications& specs) const {
  if (scope || !machine_.picked_) return std::nullopt;
  const Instance& instance = *machine_.picked_->instance;
  const Model& model = instance.model();
  return ModelNames(machine_.program_, model, model.name(), instance.constants(),
                    instance.initial())
      .function(nullptr, name, args, specs);
}

const Names* ProgramNames::snapshot(Name label, bool entry) const {
  if (where_ != Where::Body) return nullptr;
  const std::vector<Loop>& loops = machine_.frame_->loops;
  for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
    if (loop->label != label) continue;
    const Moment& then = entry ? loop->entry : loop->start;
    std::unique_ptr<ProgramNames>& names = snapshots_[&then];
    if (!names)
      names = std::make_unique<ProgramNames>(machine_, Where::Body, &then.scopes, &then.state);
    return names.get();
  }
  return nullptr;
}

const Names* ProgramNames::before() const {
  if (where_ == Where::Outside) return nullptr;
  if (!before_) {
    before_ = std::make_unique<ProgramNames>(machine_, Where::Contract, &machine_.frame_->passed,
                                             &machine_.frame_->entered);
    before_->passed_ = true;
  }
  return before_.get();
}

const Names* ProgramNames::outside() const {
  if (!outside_)
    outside_ = std::make_unique<ProgramNames>(machine_, Where::Outside, nullptr, state_);
  return outside_.get();
}

std::vector<Name> ProgramNames::parameters() const {
  std::vector<Name> all;
  if (where_ == Where::Outside) return all;
  for (const syntax::Param& param : machine_.frame_->function->item->params)
    all.push_back(param.name.name);
  return all;
}

}  // namespace leto::oracle
