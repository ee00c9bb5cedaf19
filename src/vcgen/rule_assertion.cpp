// Rule 3, assertions. A failing check (bounds, division, negative uint, sizes) is
// a failure like a failing assert, and is treated in the same way.
//
//   both runs:      assume e of the original, then prove e of the relaxed
//   relaxed alone:  prove e
//   original alone: assume e
//   assert_r e:     prove e of the pair; nothing where the original runs alone
//
// What is assumed of the original here is proved in a walk of its own, unless the user trusts it.
// Of `assume` it is never proved: that is what the word says. Of the relaxed run `assume` is proved
// like `assert`.
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
      trust(original, setting_.result.trusted.checks, at);
  }
  if (run != Run::Original)
    prove(ClaimKind::Check, formula(s.expr, Side::Relaxed), std::string(describe(s.kind)), at,
          {s.expr});
}

void Walk::claim(const core::Claim& s, Run run, Span at) {
  if (s.kind == core::ClaimKind::AssertR) {
    if (run != Run::Original)
      prove(ClaimKind::AssertR, relation(s.expr), "assert_r holds", at, {s.expr});
    return;
  }
  const bool assumed = (run == Run::Relaxed && falls_into(Trap::RelaxedAloneAssumed)) ||
                       (s.kind == core::ClaimKind::Assume && falls_into(Trap::AssumeIsNotShown));
  if (assumed && run != Run::Original) assume(formula(s.expr, Side::Relaxed));
  const bool is_assert = s.kind == core::ClaimKind::Assert;
  const std::string word = is_assert ? "assert holds" : "assume holds";
  if (run != Run::Relaxed) {
    const Term original = formula(s.expr, Side::Original);
    if (!is_assert) {
      const std::uint32_t before = facts.last();
      if (!prove_original) ++setting_.result.trusted.assumed;
      assume(original);
      note_assumption("what is assumed can be met", at, Run::Both, before);
    } else if (prove_original) {
      prove(ClaimKind::Assert, original, word + " in the original run", at,
            {s.expr, Side::Original});
    } else {
      trust(original, setting_.result.trusted.assertions, at);
    }
  }
  if (run != Run::Original && !assumed)
    prove(ClaimKind::Assert, formula(s.expr, Side::Relaxed), word, at, {s.expr, Side::Relaxed});
}

void Walk::unary_claim(ClaimKind kind, core::ExprId expr, Run run, const std::string& claim,
                       Span at, core::ExprId only_if) {
  const auto claimed = [&](Side side) {
    const Term holds = formula(expr, side);
    return only_if.valid() ? terms().implies(formula(only_if, side), holds) : holds;
  };
  if (run != Run::Relaxed) {
    if (prove_original)
      prove(kind, claimed(Side::Original), claim + " in the original run", at,
            {expr, Side::Original});
    else
      trust(claimed(Side::Original), setting_.result.trusted.invariants, at);
  }
  if (run != Run::Original) prove(kind, claimed(Side::Relaxed), claim, at, {expr});
}

void Walk::trust(Term fact, std::size_t& count, Span at) {
  if (terms().is_true(fact)) return;
  ++count;
  const std::uint32_t before = facts.last();
  assume(fact);
  // What is proved of the original in its own walk cannot contradict itself.
  if (setting_.options.trust_original)
    note_assumption("what is trusted of the original run can be met", at, Run::Original, before);
}

}  // namespace leto::vcgen
