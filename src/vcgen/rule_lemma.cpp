// Rule 15, lemmas. A lemma is a theorem about all values of its parameters: what it ensures holds
// in either run, in lockstep and alone.
//
//   L(e), by each run that comes by:  prove what L requires of e in that run, and that e is what
//                                     the parameters can be; then what L ensures of e is known
//   x = L(e):                         the same; x is anything of its type and of the size that the
//                                     lemma says of e, another in each run and at each call, of
//                                     which what L ensures is known
//   L(e<o>, f<r>):                    the same of the pair, where the relaxed run comes by, as
//                                     assert_r (rule 3)
//   forall(x; c) { L(e); }:           prove for any x that c -> what L requires; then for all x
//                                     that c -> what L ensures is known
//
// Nothing is trusted of the original run: nobody runs a lemma, so no run that fails stands behind
// what it requires.
//
// A lemma itself is walked by one run alone, which has no model and trusts nothing. In it the lemma
// is known only where it is called with a smaller measure (rule 13), else `ensures false` would
// prove itself; and it has to end, else a loop would prove anything. What it makes it has to make:
// until its body assigns it, it is anything, so what cannot be met is not proved. Where a lemma is
// not proved, nothing is that rests on it, directly or by way of others (prove/verification.cpp).
#include <algorithm>

#include "vcgen/walk.h"

namespace leto::vcgen {

namespace {

ClaimKind claim_of(core::NeedKind kind) {
  switch (kind) {
    case core::NeedKind::Argument:
      return ClaimKind::LemmaArgument;
    case core::NeedKind::Requires:
      return ClaimKind::LemmaRequires;
    case core::NeedKind::Falls:
      return ClaimKind::LemmaFalls;
    case core::NeedKind::Taken:
      return ClaimKind::LemmaTaken;
  }
  LETO_ASSERT(false);
}

}  // namespace

void Walk::recall(const core::Recall& s, Run run, Span at) {
  const Names names = {program().functions[s.lemma].name};
  if (s.relational) {
    if (run != Run::Original) recall_of_pair(s, names, at);
    return;
  }
  each_side(run, [&](Side side) {
    const bool trusted = side == Side::Original && falls_into(Trap::LemmaTrustsOriginal);
    for (const core::Recall::Need& need : s.needs) {
      if (need.kind == core::NeedKind::Falls && falls_into(Trap::LemmaUnmeasured)) continue;
      const Term needed = formula(need.expr, side);
      if (trusted)
        assume(needed);
      else
        prove(claim_of(need.kind), needed, names, at, {need.expr, side});
    }
    make(s, run, side);
    for (core::ExprId ensured : s.ensures) assume(formula(ensured, side));
  });
}

void Walk::make(const core::Recall& s, Run run, Side side) {
  const bool shared =
      run == Run::Both && side == Side::Relaxed && falls_into(Trap::LemmaMakesOneForBoth);
  std::vector<Value> made;  // all of them before any is set
  for (const core::Recall::Made& one : s.made) {
    std::vector<Term> sizes;
    for (core::ExprId size : one.sizes) sizes.push_back(formula(size, side));
    made.push_back(shared ? state.side(Side::Original).at(one.var)
                          : unknown(one.var, side, std::move(sizes)));
  }
  for (std::size_t i = 0; i < made.size(); ++i) set(s.made[i].var, side, made[i]);
}

// A lemma speaks of values: of what has none it says nothing.
void Walk::recall_of_pair(const core::Recall& s, const Names& names, Span at) {
  const bool missing =
      std::any_of(s.needs.begin(), s.needs.end(),
                  [&](const auto& need) { return names_missing(need.expr, state); }) ||
      std::any_of(s.ensures.begin(), s.ensures.end(),
                  [&](core::ExprId ensured) { return names_missing(ensured, state); });
  if (missing) return prove(ClaimKind::LemmaArgument, terms().boolean(false), names, at, {});
  for (const core::Recall::Need& need : s.needs)
    prove(claim_of(need.kind), relation(need.expr), names, at, {need.expr});
  for (core::ExprId ensured : s.ensures) assume(relation(ensured));
}

}  // namespace leto::vcgen
