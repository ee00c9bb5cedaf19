// Rule 8, calls. Every activation has variables of its own: parameters, locals and the result,
// in the runs that make the call. The model's state is the caller's.
//
// A callee with a contract, where both runs call, or the original alone:
//   prove its requires (assumed of the original, proved of the relaxed run; the
//   relational ones of the pair); forget the model's state as far as the callee may
//   change it; the result is anything for which the ensures hold.
// A callee without a contract is looked into: its body is walked in place. In a large function
// what was summed up of it is used instead (rule 12).
//
// Where the relaxed run calls alone, the contract says nothing of it: it was proved of a
// pair of runs, and may rest on what the original asserts. So there the requires and
// ensures of one run are claims, and the body is walked between them; a recursive call
// cannot be followed. Of the original alone, the contract is trusted as assertions are.
//
// Of an external function there is nothing but its clauses. Its requires and ensures are
// about every call by itself, so they serve a run alone too; its relational ones are
// about the two calls of a pair. Whatever they leave open differs between the runs.
//
// Equal values give equal results where nothing is relaxed or external. So a body that was
// walked with the same values is not walked again, as long as all that became known then still is
// and the path at hand is at least as long: what was to be shown was shown then.
//
// Rule 16, pure functions. What a pure function gives depends on what it is given alone, so
// specifications may use it: f(x) is known by its contract (encode/define.cpp), and y == f(x)
// behind a call in each run that makes it. Before that it is proved of it, by the original run
// alone, which trusts nothing, that it ends, does not fail and ensures what it says; there nothing
// is known of f(x) itself. Where it is not proved, nothing is that rests on it
// (prove/verification.cpp).
//
// Nothing says that what a callee ensures can be met. Where it cannot, what follows holds for
// no reason: that is looked for (see note_assumption).
#include <fmt/core.h>

#include <algorithm>

#include "vcgen/strategy.h"
#include "vcgen/summary.h"

namespace leto::vcgen {

void Walk::call(const core::Call& s, core::StmtId id, Run run, Span at) {
  const core::Function& f = program().functions[s.callee];
  State inside;
  each_side(run, [&](Side side) {
    auto& variables = inside.side(side);
    for (const core::StateVar& m : program().model.states)
      variables[m.var] = state.side(side).at(m.var);
    for (std::size_t i = 0; i < s.args.size(); ++i)
      variables[f.params[i]] =
          encoder().coerce(value(s.args[i], side), program().vars[f.params[i]].type);
  });
  const State passed = f.pure.valid() ? inside : State{};
  State outside = std::move(state);
  state = std::move(inside);
  if (falls_into(Trap::SharedVariables) || falls_into(Trap::StalePartner))
    keep_others(outside, false);
  prove_sizes(f, run, at);
  // Of a pure function that calls itself nothing more is known than what it ensures.
  const bool calls_itself =
      f.pure.valid() && std::find(calls.begin(), calls.end(), s.callee) != calls.end();
  const bool by_contract =
      f.external() || calls_itself || setting_.strategy->relies_on_contract(*this, f, run);
  if (by_contract) {
    if (!f.external()) prove_callee_ends(s.callee, run, at);
    call_by_contract(f, run, at);
  } else {
    call_by_body(s, id, run, at);
  }
  inside = std::move(state);
  state = std::move(outside);
  if (falls_into(Trap::SharedVariables) || falls_into(Trap::StalePartner))
    keep_others(inside, true);
  each_side(run, [&](Side side) {
    for (const core::StateVar& m : program().model.states)
      set(m.var, side, inside.side(side).at(m.var));
    for (std::size_t i = 0; i < s.targets.size(); ++i)
      set(s.targets[i], side, inside.side(side).at(f.results[i]));
  });
  if (f.pure.valid()) know_value(f, passed, inside, run);
}

// What specifications mean by it is what it gives (rule 16).
void Walk::know_value(const core::Function& f, const State& passed, const State& after, Run run) {
  each_side(run, [&](Side side) {
    std::vector<Value> args;
    for (core::VarId param : f.params) args.push_back(passed.side(side).at(param));
    WalkEnvironment environment(*this, state, side);
    assume(
        terms().eq(after.side(side).at(f.result()).term, encoder().use(f.pure, args, environment)),
        Facts::Origin::Consequence);
  });
}

// What the traps do: variables are the same ones in all activations, or stay what they were when a
// run last called.
void Walk::keep_others(const State& other, bool after) {
  for (Side side : {Side::Original, Side::Relaxed})
    for (const auto& [var, v] : other.side(side)) {
      if (after && falls_into(Trap::SharedVariables))
        set(var, side, v);
      else
        state.side(side).emplace(var, v);
    }
}

void Walk::prove_sizes(const core::Function& f, Run run, Span at) {
  for (const core::ParamSize& size : f.sizes)
    each_side(run, [&](Side side) {
      const Term same = terms().eq(state.side(side).at(size.param).sizes[size.dimension],
                                   formula(size.size, side));
      if (side == Side::Original && !prove_original)
        trust(same, setting_.result.trusted.checks, at);
      else
        prove(ClaimKind::ArgumentSize, same, {f.name}, at, {{}, side});
    });
}

void Walk::prove_requirements(const core::Function& f, Run run, Span at) {
  if (falls_into(Trap::RequirementsNotShown)) return;
  for (const core::Clause& clause : f.requires_) {
    if (!clause.relational)
      unary_claim(ClaimKind::Requires, clause.expr, run, {f.name}, at);
    else if (run == Run::Both)
      prove(ClaimKind::Requires, relation(clause.expr), {f.name}, at, {clause.expr});
  }
}

void Walk::call_by_body(const core::Call& s, core::StmtId id, Run run, Span at) {
  const core::Function& f = program().functions[s.callee];
  const auto nested = static_cast<std::size_t>(std::count(calls.begin(), calls.end(), s.callee));
  const std::size_t most = setting_.strategy->most_nested();
  // Further inside it is the same claim.
  if (nested > 0 && most > 1 && calls.size() == 1) prove_callee_ends(s.callee, run, at);
  if (nested >= most) {
    setting_.strategy->recur(*this, f, run, at);
    forget_state(f, run);
    return forget_results(f, run);
  }
  const std::optional<WalkedKey> key = key_of(s.callee, run);
  if (const Walked* before = key ? walked_before(*key) : nullptr) {
    state = before->after;
    return;
  }
  if (setting_.summaries && setting_.summaries->covers(s.callee)) {
    forget_results(f, run);
    call_by_summary(s.callee, run, at);
    if (key) walked_[*key] = {path, facts.size(), facts.last(), state};
    return;
  }
  if (f.has_contract()) prove_requirements(f, run, at);
  forget_results(f, run);
  const State entry = state;
  walk_body(s.callee, id, run);
  // A contract speaks of parameters as they were passed.
  each_side(run, [&](Side side) {
    for (core::VarId param : f.params) set(param, side, entry.side(side).at(param));
  });
  for (const core::Clause& clause : f.ensures)
    if (!clause.relational) unary_claim(ClaimKind::CalleeEnsures, clause.expr, run, {f.name}, at);
  if (key) walked_[*key] = {path, facts.size(), facts.last(), state};
}

void Walk::walk_body(core::FunctionId callee, core::StmtId id, Run run) {
  const Restored outer_place(place);
  if (setting_.judge != nullptr) place = setting_.judge->behind(place, id);
  calls.push_back(callee);
  execute(program().functions[callee].body, run);
  calls.pop_back();  // a walk that is given up does not come here, and nobody goes on with it
}

std::optional<Walk::WalkedKey> Walk::key_of(core::FunctionId callee, Run run) {
  if (!setting_.strategy->remembers_calls() || !setting_.effects.is_deterministic(callee))
    return std::nullopt;
  std::vector<Term> values;
  each_side(run, [&](Side side) {
    for (const auto& [var, value] : state.side(side)) {
      values.push_back(value.term);
      values.insert(values.end(), value.sizes.begin(), value.sizes.end());
    }
  });
  return WalkedKey{callee, run, std::move(values)};
}

const Walk::Walked* Walk::walked_before(const WalkedKey& key) const {
  const auto it = walked_.find(key);
  if (it == walked_.end() || !facts.still_has(it->second.known, it->second.entry)) return nullptr;
  return is_part_of(it->second.path, path, setting_.terms) ? &it->second : nullptr;
}

// The model's state, as far as the callee may change it.
void Walk::forget_state(const core::Function& f, Run run) {
  const core::Modified& changed = setting_.effects.of(f.body);
  for (const core::StateVar& m : program().model.states) {
    if (run != Run::Relaxed && changed.original.contains(m.var)) forget({m.var}, Side::Original);
    if (run != Run::Original && changed.relaxed.contains(m.var)) forget({m.var}, Side::Relaxed);
  }
  if (run != Run::Original) assume_model_invariants();
}

// Until something is returned, it is anything. What is changed in place keeps its sizes.
void Walk::forget_results(const core::Function& f, Run run) {
  each_side(run, [&](Side side) {
    for (std::size_t i = 0; i < f.returned(); ++i)
      set(f.results[i], side, unknown(f.results[i], side));
    for (const core::Function::InOut& one : f.inouts) {
      set(one.now, side, state.side(side).at(one.passed));
      if (!falls_into(Trap::ChangedInPlaceKept)) forget({one.now}, side);
    }
  });
}

void Walk::call_by_contract(const core::Function& f, Run run, Span at) {
  prove_requirements(f, run, at);
  const std::uint32_t before = facts.last();
  for (const core::Function::Entered& one : f.entered)
    each_side(run, [&](Side side) { set(one.kept, side, state.side(side).at(one.state)); });
  if (!f.external()) forget_state(f, run);
  forget_results(f, run);
  if (run == Run::Both) {
    std::vector<core::ExprId> relations;
    for (const core::Clause& clause : f.ensures)
      if (clause.relational) relations.push_back(clause.expr);
    assume_relations(relations, std::set<core::VarId>(f.results.begin(), f.results.end()));
  }
  for (const core::Clause& clause : f.ensures)
    if (!clause.relational) each_side(run, [&](Side side) { assume(formula(clause.expr, side)); });
  note_assumption(ClaimKind::ContractMet, {f.name}, at, run, before);
  note_moment(encode::Moment::Kind::AfterCall, at);
}

}  // namespace leto::vcgen
