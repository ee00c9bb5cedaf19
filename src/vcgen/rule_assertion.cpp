// Rule 3, assertions. A failing check (bounds, division, negative uint, sizes) is
// a failure like a failing assert, and is treated in the same way.
//
//   both runs:      assume e of the original, then prove e of the relaxed
//   relaxed alone:  prove e
//   original alone: assume e
//   assert_r e:     prove e of the pair; nothing where the original runs alone
//
// `assume` is treated as `assert`. With --check-original, what is assumed of the
// original here is proved in a walk of its own.
#include <fmt/core.h>

#include "vcgen/walk.h"

namespace leto::vcgen {

void Walk::check(const core::Check& s, Run run, Span at) {
  if (run != Run::Relaxed) {
    const Term original = formula(s.expr, Side::Original);
    if (prove_original)
      prove(ClaimKind::Check, original, fmt::format("{}, in the original run", describe(s.kind)),
            at, {s.expr, Side::Original});
    else
      trust(original, setting_.result.trusted.checks);
  }
  if (run != Run::Original)
    prove(ClaimKind::Check, formula(s.expr, Side::Relaxed), std::string(describe(s.kind)), at,
          {s.expr});
}

void Walk::claim(const core::Claim& s, Run run, Span at) {
  if (s.kind == core::ClaimKind::AssertR) {
    if (run != Run::Original)
      prove(ClaimKind::AssertR, relation(s.expr), "assert_r holds", at,
            {s.expr, Side::Relaxed, run == Run::Both});
    return;
  }
  const bool assumed = (run == Run::Relaxed && falls_into(Trap::RelaxedAloneAssumed)) ||
                       (s.kind == core::ClaimKind::Assume && falls_into(Trap::AssumeIsNotShown));
  if (assumed && run != Run::Original) assume(formula(s.expr, Side::Relaxed));
  const std::string word = s.kind == core::ClaimKind::Assert ? "assert holds" : "assume holds";
  if (run != Run::Relaxed) {
    const Term original = formula(s.expr, Side::Original);
    if (prove_original)
      prove(ClaimKind::Assert, original, word + " in the original run", at,
            {s.expr, Side::Original});
    else
      trust(original, setting_.result.trusted.assertions);
  }
  if (run != Run::Original && !assumed)
    prove(ClaimKind::Assert, formula(s.expr, Side::Relaxed), word, at,
          {s.expr, Side::Relaxed, run == Run::Both});
}

void Walk::unary_claim(ClaimKind kind, core::ExprId expr, Run run, const std::string& claim) {
  const Span at = program().exprs[expr].span;
  if (run != Run::Relaxed) {
    const Term original = formula(expr, Side::Original);
    if (prove_original)
      prove(kind, original, claim + " in the original run", at, {expr, Side::Original});
    else
      trust(original, setting_.result.trusted.invariants);
  }
  if (run != Run::Original) prove(kind, formula(expr, Side::Relaxed), claim, at, {expr});
}

void Walk::trust(Term fact, std::size_t& count) {
  if (terms().is_true(fact)) return;
  ++count;
  assume(fact);
}

}  // namespace leto::vcgen
