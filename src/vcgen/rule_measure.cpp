// Rule 13, ending. A measure is a list of integers of one run, with that run's copy of the model's
// state. It falls from (a1, .., ak) to (b1, .., bk) if for some j: ai == bi for all i < j, aj > bj
// and aj >= 0. Only what falls has to be at least 0, and only before it falls. No measure falls for
// ever: its first part falls finitely often, between that its second one does, and so on.
//
//   Loop       from a head to the next one of the same run, where the test is true or may be, the
//              measure falls. Claimed of the relaxed run wherever it iterates, alone or not, and of
//              the original in its own walk; nothing is trusted. See lower/lower_function.cpp.
//   Recursion  from the entry of the function at hand to a call of one on a circle with it, the
//              measure falls. Where the relaxed run is alone such a call cannot be followed (rule
//              8).
//   Calls      by contract: the callee has to be claimed to end as well, which is shown of it in
//              any state of the model. A contract by itself says nothing of ending: `ensures false`
//              holds of what never returns. Looked into: its loops are claimed here.
//
// The last is claimed only where the function at hand `ends`, and so is that its loops have
// measures, of which the plain ones need not be written: of a test `a < b` or `a <= b` it is b - a.
// `repeat` needs none. An external function is trusted to return.
//
// Where a relaxed run comes to a head or a call that the original never gets to, what is known
// contradicts itself, and anything falls. So that a function ends is claimed only with the walk of
// the original run, in which that would show.
#include "vcgen/strategy.h"

namespace leto::vcgen {

void Walk::prove_falls(const core::While& s, Run who, Span at) {
  const bool missing = ending.claimed && !s.falls.valid() && !s.times.valid();
  if (!s.falls.valid() && !missing) return;
  const auto show = [&](Side side) {
    if (missing)
      prove(ClaimKind::LoopMeasured,
            s.likely.valid() ? formula(s.likely, side) : terms().boolean(false), {}, at,
            {s.likely, side});
    else
      prove(ClaimKind::Decreases, formula(s.falls, side), {}, program().exprs[s.falls].span,
            {s.falls, side});
  };
  if (who == Run::Both || (who == Run::Relaxed && !falls_into(Trap::MeasureInLockstep)))
    show(Side::Relaxed);
  if (who != Run::Relaxed && prove_original) show(Side::Original);
}

void Walk::begin_measure(core::FunctionId id, Run run) {
  const core::Function& f = program().functions[id];
  ending.claimed = f.ends;
  each_side(run, [&](Side side) { ending.at_entry[side] = values_of(f.measure, side); });
}

// The state is that of the call.
void Walk::prove_callee_ends(core::FunctionId callee, Run run, Span at) {
  const core::Function& f = program().functions[callee];
  const bool circle = setting_.circles && setting_.circles->at(callee.value) ==
                                              setting_.circles->at(calls.front().value);
  const auto show = [&](Side side) {
    const std::vector<Term>& entry = ending.at_entry[side];
    const bool comparable = !entry.empty() && entry.size() == f.measure.size();
    if (circle && comparable)
      prove(ClaimKind::RecursionFalls, falls(entry, values_of(f.measure, side)), {f.name}, at,
            {{}, side});
    else if (circle && (ending.claimed || !entry.empty()))
      prove(ClaimKind::RecursionMeasured, terms().boolean(false), {f.name}, at, {{}, side});
    if (ending.claimed && !falls_into(Trap::ContractEnds))
      prove(ClaimKind::CalleeEnds, terms().boolean(f.ends), {f.name}, at, {{}, side});
  };
  if (run != Run::Original) show(Side::Relaxed);
  if (run != Run::Relaxed && prove_original) show(Side::Original);
}

std::vector<Term> Walk::values_of(const std::vector<core::ExprId>& measure, Side side) {
  std::vector<Term> values;
  for (core::ExprId part : measure) values.push_back(formula(part, side));
  return values;
}

Term Walk::falls(const std::vector<Term>& then, const std::vector<Term>& to) {
  std::vector<Term> ways;
  Term same = terms().boolean(true);
  for (std::size_t k = 0; k < then.size(); ++k) {
    const Term now = to[k];
    const Term step =
        terms().and_(terms().lt(now, then[k]), terms().le(terms().integer(0), then[k]));
    ways.push_back(terms().and_(same, step));
    same = terms().and_(same, terms().eq(now, then[k]));
  }
  return terms().or_(std::move(ways));
}

}  // namespace leto::vcgen
