// Rule 1, operator step.
//
//   original:  t := exact(args)
//   relaxed:   prove   OR_i  when_i(m, args)
//              then assume  OR_i ( when_i(m, args)  &&  ensures_i(m, m', args, t)
//                                   &&  m'(x) = m(x) for every x that i does not modify )
//
// for fresh t and m'. The published rule assumes OR_i ( when_i -> ensures_i ),
// which any false guard makes true: a fault budget is lost with it, and state that
// a specification does not modify is left open.
//
// Under layers an operation is two such steps, each at a site of its own. What the layer below gave
// is known to the upper layer as `exact`: it is its last argument, behind the operands. A product
// of the two lists of specifications would be wrong: a guard that reads `exact` has to hold for
// every outcome of the layer below, and the product asks for some.
#include <fmt/core.h>

#include <algorithm>

#include "vcgen/walk.h"

namespace leto::vcgen {

namespace {

// Reads the model's state of one moment; old values are those of another.
class StepEnvironment final : public encode::Environment {
 public:
  StepEnvironment(Setting& setting, const std::map<core::VarId, Value>& now,
                  const std::map<core::VarId, Value>& before)
      : setting_(setting), now_(now), before_(before) {}
  Value variable(core::VarId var, Side) override {
    if (setting_.program.vars[var].kind == core::VarKind::Constant)
      return setting_.constants.at(var);
    return now_.at(var);
  }
  Value old_state(core::VarId var) override { return before_.at(var); }
  encode::Environment& snapshot(core::LoopId, bool) override { LETO_ASSERT(false); }

 private:
  Setting& setting_;
  const std::map<core::VarId, Value>& now_;
  const std::map<core::VarId, Value>& before_;
};

}  // namespace

Step one_specification(Walk& walk, std::uint32_t index, const std::vector<Value>& args,
                       const Value& outcome, const std::map<core::VarId, Value>& before,
                       const std::map<core::VarId, Value>& after) {
  logic::TermTable& terms = walk.terms();
  encode::Encoder& encoder = walk.encoder();
  const core::Specification& spec = walk.program().specifications[index];
  for (std::size_t i = 0; i < spec.params.size(); ++i)
    encoder.bind(spec.params[i], encoder.coerce(args[i], walk.program().vars[spec.params[i]].type));
  encoder.bind(spec.outcome, outcome);
  if (spec.exact.valid())
    encoder.bind(spec.exact, encoder.coerce(args.back(), walk.program().vars[spec.exact].type));
  StepEnvironment old(walk.setting(), before, before), now(walk.setting(), after, before);
  const Term when = spec.when.valid() ? encoder.formula(spec.when, old) : terms.boolean(true);
  std::vector<Term> parts;
  for (core::ExprId ensures : spec.ensures) parts.push_back(encoder.formula(ensures, now));
  for (core::VarId param : spec.params) encoder.unbind(param);
  encoder.unbind(spec.outcome);
  if (spec.exact.valid()) encoder.unbind(spec.exact);
  return {when, terms.and_(std::move(parts))};
}

Step specified_step(Walk& walk, const core::FaultSite& site, const std::vector<Value>& args,
                    const Value& outcome, const std::map<core::VarId, Value>& before,
                    std::map<core::VarId, Value>& after) {
  logic::TermTable& terms = walk.terms();
  const std::set<core::VarId> touched = core::states_modified(walk.program(), site);
  std::vector<Term> enabled, outcomes, allows;
  for (std::uint32_t index : site.specifications) {
    const core::Specification& spec = walk.program().specifications[index];
    const Step one = one_specification(walk, index, args, outcome, before, after);
    std::vector<Term> parts{one.enabled, one.outcome};
    if (walk.falls_into(Trap::ImplicationPerSpecification))
      parts = {terms.implies(one.enabled, one.outcome)};
    for (core::VarId var : touched)
      if (!walk.falls_into(Trap::NoFrame) &&
          std::find(spec.modifies.begin(), spec.modifies.end(), var) == spec.modifies.end())
        parts.push_back(terms.eq(after.at(var).term, before.at(var).term));
    enabled.push_back(one.enabled);
    outcomes.push_back(terms.and_(std::move(parts)));
    allows.push_back(outcomes.back());
  }
  return {terms.or_(std::move(enabled)), terms.or_(std::move(outcomes)), std::move(allows)};
}

std::map<core::VarId, Value> model_state(Walk& walk) {
  std::map<core::VarId, Value> states;
  for (const core::StateVar& s : walk.program().model.states)
    states[s.var] = walk.state.relaxed.at(s.var);
  return states;
}

void Walk::operator_step(const core::Relaxed& s, core::StmtId id, Run run, Span at) {
  const core::Type& type = program().vars[s.target].type;
  if (run != Run::Relaxed)
    set(s.target, Side::Original, encoder().coerce(value(s.exact, Side::Original), type));
  if (run == Run::Original) return;
  std::vector<Value> args;
  for (core::ExprId arg : s.args) args.push_back(value(arg, Side::Relaxed));
  args.push_back(encoder().coerce(value(s.exact, Side::Relaxed), type));
  const Term exact = args.back().term;
  set(s.target, Side::Relaxed, take_step(s.site, id, args, exact, {s.site.what, type}, at));
}

Value Walk::take_step(const core::FaultSite& site, core::StmtId id, const std::vector<Value>& args,
                      Term exact, const Outcome& wanted, Span at) {
  const std::map<core::VarId, Value> before = model_state(*this);
  std::map<core::VarId, Value> after = before;
  for (core::VarId var : core::states_modified(program(), site))
    after[var] = fresh(program().vars[var].name, program().vars[var].type, {});
  Value outcome = fresh(wanted.name, wanted.type, {});
  const Step step = specified_step(*this, site, args, outcome, before, after);
  if (!falls_into(Trap::NotEnabled)) prove(ClaimKind::Enabled, step.enabled, {site.what}, at, {});
  assume(step.outcome);
  note_choice(id, site, exact, outcome, step.allows, before, after);
  for (const auto& [var, v] : after) set(var, Side::Relaxed, v);
  return outcome;
}

}  // namespace leto::vcgen
