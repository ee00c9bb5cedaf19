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

namespace {

ClaimKind claim_of(core::CheckKind kind) {
  switch (kind) {
    case core::CheckKind::Bounds:
      return ClaimKind::Bounds;
    case core::CheckKind::DivisionByZero:
      return ClaimKind::Division;
    case core::CheckKind::Natural:
      return ClaimKind::NotNegative;
    case core::CheckKind::SameSize:
      return ClaimKind::SameSize;
    case core::CheckKind::Fits:
      return ClaimKind::Fits;
  }
  LETO_ASSERT(false);
}

}  // namespace

void Walk::check(const core::Check& s, Run run, Span at) {
  if (run != Run::Relaxed) {
    const Term original = formula(s.expr, Side::Original);
    if (prove_original)
      prove(claim_of(s.kind), original, {}, at, {s.expr, Side::Original});
    else
      trust(original, setting_.result.trusted.checks, at);
  }
  if (run != Run::Original)
    prove(claim_of(s.kind), formula(s.expr, Side::Relaxed), {}, at, {s.expr});
}

void Walk::claim(const core::Claim& s, Run run, Span at) {
  if (s.kind == core::AssertionKind::AssertR) {
    if (run != Run::Original) prove(ClaimKind::AssertR, relation(s.expr), {}, at, {s.expr});
    return;
  }
  const bool assumed =
      (run == Run::Relaxed && falls_into(Trap::RelaxedAloneAssumed)) ||
      (s.kind == core::AssertionKind::Assume && falls_into(Trap::AssumeIsNotShown));
  if (assumed && run != Run::Original) assume(formula(s.expr, Side::Relaxed));
  const bool is_assert = s.kind == core::AssertionKind::Assert;
  const ClaimKind kind = is_assert ? ClaimKind::Assert : ClaimKind::Assume;
  if (run != Run::Relaxed) {
    const Term original = formula(s.expr, Side::Original);
    if (!is_assert) {
      const std::uint32_t before = facts.last();
      if (!prove_original) ++setting_.result.trusted.assumed;
      assume(original);
      note_assumption(ClaimKind::AssumptionMet, {}, at, Run::Both, before);
    } else if (prove_original) {
      prove(kind, original, {}, at, {s.expr, Side::Original});
    } else {
      trust(original, setting_.result.trusted.assertions, at);
    }
  }
  if (run != Run::Original && !assumed)
    prove(kind, formula(s.expr, Side::Relaxed), {}, at, {s.expr, Side::Relaxed});
}

void Walk::unary_claim(ClaimKind kind, core::ExprId expr, Run run, const Names& names, Span at,
                       core::ExprId only_if) {
  const auto claimed = [&](Side side) {
    const Term holds = formula(expr, side);
    return only_if.valid() ? terms().implies(formula(only_if, side), holds) : holds;
  };
  if (run != Run::Relaxed) {
    if (prove_original)
      prove(kind, claimed(Side::Original), names, at, {expr, Side::Original});
    else
      trust(claimed(Side::Original), setting_.result.trusted.invariants, at);
  }
  if (run != Run::Original) prove(kind, claimed(Side::Relaxed), names, at, {expr});
}

void Walk::trust(Term fact, std::size_t& count, Span at) {
  if (terms().is_true(fact)) return;
  ++count;
  const std::uint32_t before = facts.last();
  const bool proved_elsewhere = !setting_.options.trust_original;
  assume(fact, proved_elsewhere ? Facts::Origin::Consequence : Facts::Origin::Assumed);
  // What is proved of the original in its own walk cannot contradict itself.
  if (setting_.options.trust_original)
    note_assumption(ClaimKind::TrustMet, {}, at, Run::Original, before);
}

}  // namespace leto::vcgen
