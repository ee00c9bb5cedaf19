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
// Writing a whole vector into a region is one write per element, in index order.
// The states between the writes are an array M over the index: M[0] is the state
// before, M[n] the state after, and the step above relates M[k], M[k+1] and the
// k-th element. State that no specification modifies is not put into an array. That the k-th
// write can be done is to be shown only if all before it were; and the model's invariants hold
// before it and behind the last, for every specification keeps them.
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
  StepEnvironment old(walk.setting(), before, before), now(walk.setting(), after, before);
  const Term when = spec.when.valid() ? encoder.formula(spec.when, old) : terms.boolean(true);
  std::vector<Term> parts;
  for (core::ExprId ensures : spec.ensures) parts.push_back(encoder.formula(ensures, now));
  for (core::VarId param : spec.params) encoder.unbind(param);
  encoder.unbind(spec.outcome);
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
  const std::map<core::VarId, Value> before = model_state(*this);
  std::map<core::VarId, Value> after = before;
  for (core::VarId var : core::states_modified(program(), s.site))
    after[var] = fresh(program().vars[var].name, program().vars[var].type, {});
  const Value outcome = fresh(s.site.what, type, {});
  const Step step = specified_step(*this, s.site, args, outcome, before, after);
  if (!falls_into(Trap::NotEnabled)) prove(ClaimKind::Enabled, step.enabled, {s.site.what}, at, {});
  assume(step.outcome);
  note_choice(id, s.site, encoder().coerce(value(s.exact, Side::Relaxed), type).term, outcome,
              step.allows, before, after);
  for (const auto& [var, v] : after) set(var, Side::Relaxed, v);
  set(s.target, Side::Relaxed, outcome);
}

void Walk::write_step(const core::Write& s, core::StmtId id, Run run, Span at) {
  const core::Type& type = program().vars[s.target].type;
  const core::Type element = type.element();
  const auto put = [&](Side side, Value v) {
    if (s.indices.empty()) return set(s.target, side, std::move(v));
    std::vector<Term> indices;
    for (core::ExprId index : s.indices) indices.push_back(formula(index, side));
    set(s.target, side, encoder().store(state.side(side).at(s.target), indices, v.term));
  };
  if (run != Run::Relaxed)
    put(Side::Original,
        encoder().coerce(value(s.value, Side::Original), s.indices.empty() ? type : element));
  if (run == Run::Original) return;

  const Value source = value(s.value, Side::Relaxed);
  std::map<core::VarId, Value> before = model_state(*this);
  std::map<core::VarId, Value> after = before;
  const std::set<core::VarId> touched = core::states_modified(program(), s.site);
  const bool is_read = !s.site.specifications.empty() &&
                       program().specifications[s.site.specifications[0]].params.size() == 1;

  if (s.whole && bounds() != nullptr && !all_indices(source.sizes).empty())
    return write_each(s, id, source, at);
  if (!s.whole) {
    const Value target = state.relaxed.at(s.target);
    Value stored = target;
    if (!s.indices.empty()) {
      std::vector<Term> indices;
      for (core::ExprId index : s.indices) indices.push_back(formula(index, Side::Relaxed));
      stored = {encoder().select(target, indices), {}};
    }
    for (core::VarId var : touched)
      after[var] = fresh(program().vars[var].name, program().vars[var].type, {});
    const Value outcome = fresh(program().vars[s.target].name, element, {});
    const Step step = specified_step(*this, s.site, {stored, encoder().coerce(source, element)},
                                     outcome, before, after);
    if (!falls_into(Trap::NotEnabled))
      prove(ClaimKind::Enabled, step.enabled, {s.site.what}, at, {});
    assume(step.outcome);
    note_choice(id, s.site, encoder().coerce(source, element).term, outcome, step.allows, before,
                after);
    for (const auto& [var, v] : after) set(var, Side::Relaxed, v);
    return put(Side::Relaxed, outcome);
  }

  // Element by element. For a matrix the elements are counted row by row.
  const Value result = fresh(program().vars[s.target].name, type, source.sizes);
  Term count = source.sizes[0];
  if (source.sizes.size() == 2)
    count = terms().arith(logic::Kind::Mul, source.sizes[0], source.sizes[1]);
  std::map<core::VarId, Value> last = before;
  std::map<core::VarId, Term> histories;
  for (core::VarId var : touched) {
    core::Type history = program().vars[var].type;
    history.rank = 1;
    const Value states = fresh(program().vars[var].name + " over time", history, {count});
    setting_.log->outside.erase(states.term);  // a history, not a vector
    setting_.log->shapes.erase(states.term);
    assume(terms().eq(terms().select(states.term, terms().zero(logic::kInt)), before[var].term));
    histories[var] = states.term;
    last[var] = {terms().select(states.term, count), {}};
    // No element, no change: then M[0] is M[n] anyway.
  }
  // The state before an element is written, or behind that.
  const auto state_at = [&](const std::vector<Term>& indices, bool behind) {
    Term position = indices[0];
    if (indices.size() == 2)
      position =
          terms().arith(logic::Kind::Add,
                        terms().arith(logic::Kind::Mul, indices[0], source.sizes[1]), indices[1]);
    if (behind)
      position = terms().arith(logic::Kind::Add, position, terms().number("1", logic::kInt));
    std::map<core::VarId, Value> now = before;
    for (const auto& [var, states] : histories) now[var] = {terms().select(states, position), {}};
    return now;
  };
  const auto step_at = [&](const std::vector<Term>& indices) {
    std::map<core::VarId, Value> next = state_at(indices, true);
    std::vector<Value> args;
    if (!is_read) args.push_back({encoder().select(state.relaxed.at(s.target), indices), {}});
    args.push_back({encoder().select(source, indices), {}});
    return specified_step(*this, s.site, args, {encoder().select(result, indices), {}},
                          state_at(indices, false), next);
  };
  const auto any_indices = [&](const char* name) {
    std::vector<Term> indices;
    for (std::size_t d = 0; d < source.sizes.size(); ++d)
      indices.push_back(terms().bound(name, logic::kInt));
    return indices;
  };
  const std::vector<Term> indices = any_indices("k");
  const Step step = step_at(indices);
  const Term inside = encoder().in_bounds(source, indices);
  if (!falls_into(Trap::NotEnabled)) {
    Term enabled = step.enabled;
    // Who comes to an element has written those before it. That matters if guards read what
    // writes change.
    const auto& read = symbols_of(enabled);
    if (std::any_of(histories.begin(), histories.end(), [&](const auto& h) {
          return std::find(read.begin(), read.end(), h.second) != read.end();
        })) {
      const std::vector<Term> others = any_indices("j");
      Term earlier = terms().lt(others[0], indices[0]);
      if (others.size() == 2)
        earlier = terms().or_(earlier, terms().and_(terms().eq(others[0], indices[0]),
                                                    terms().lt(others[1], indices[1])));
      const Term written = terms().and_(encoder().in_bounds(source, others), earlier);
      std::vector<Term> known{
          terms().quant(true, others, terms().implies(written, step_at(others).outcome))};
      State now;
      now.relaxed = state_at(indices, false);
      WalkEnvironment environment(*this, now, Side::Relaxed);
      for (core::ExprId invariant : program().model.invariants)
        known.push_back(encoder().formula(invariant, environment));
      enabled = terms().implies(terms().and_(std::move(known)), enabled);
    }
    prove(ClaimKind::Enabled, terms().quant(true, indices, terms().implies(inside, enabled)),
          {s.site.what}, at, {});
  }
  assume(terms().quant(true, indices, terms().implies(inside, step.outcome)));
  for (core::VarId var : touched) set(var, Side::Relaxed, last[var]);
  if (!touched.empty()) assume_model_invariants();
  set(s.target, Side::Relaxed, result);
}

}  // namespace leto::vcgen
