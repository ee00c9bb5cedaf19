// Rule 13 by itself, on hand-made programs.
#include <gtest/gtest.h>

#include "vcgen/test_bench.h"

namespace leto::vcgen {

// while (i < n), with something that falls or not.
struct Falling : Bench {
  VarId n = b.var(VarKind::Param, "n"), i = b.local("i");
  core::While loop = b.loop(b.op(Op::Lt, b.ref(i), b.ref(n)), {step(i)});

  // It falls as long as it is at least 0.
  void measure(ExprId what) {
    const ExprId before = b.expr(core::kIntType, core::Snapshot{loop.loop, false, what});
    loop.falls = b.op(Op::And, b.op(Op::Lt, what, before), b.op(Op::Le, b.num("0"), before));
  }
  FunctionId count_up() { return b.function("f", {n}, {b.declare(i), b.stmt(loop)}); }
};

TEST(MeasureRule, IsClaimedOfEachRunWhereItIterates) {
  Falling t;
  t.measure(t.b.op(Op::Sub, t.b.ref(t.n), t.b.ref(t.i)));
  t.walk(t.count_up());
  EXPECT_EQ(
      t.situations(ClaimKind::Decreases),
      (std::vector<std::string>{"when both runs iterate", "when only the relaxed run iterates"}));
  EXPECT_EQ(t.count(ClaimKind::Decreases, Side::Original), 1u);
  EXPECT_TRUE(t.all_stand(ClaimKind::Decreases));
  EXPECT_TRUE(t.all_stand(ClaimKind::Decreases, Side::Original));
}

TEST(MeasureRule, WhatRisesIsNoMeasure) {
  Falling t;
  t.measure(t.b.ref(t.i));
  t.walk(t.count_up());
  EXPECT_FALSE(t.all_stand(ClaimKind::Decreases));
  EXPECT_FALSE(t.all_stand(ClaimKind::Decreases, Side::Original));
}

TEST(MeasureRule, ARunAloneHasToComeToItsEndToo) {
  Falling t;
  t.measure(t.b.op(Op::Sub, t.b.ref(t.n), t.b.ref(t.i)));
  const FunctionId f = t.count_up();
  t.walk(f, trapped(Trap::MeasureInLockstep));
  EXPECT_EQ(t.count(ClaimKind::Decreases), 1u);
}

TEST(MeasureRule, ALoopWithoutOneIsClaimedOnlyOfWhoHasToEnd) {
  Falling t;
  const FunctionId f = t.count_up();
  t.walk(f);
  EXPECT_EQ(t.count(ClaimKind::LoopMeasured), 0u);
  t.at(f).ends = true;
  t.walk(f);
  EXPECT_EQ(t.count(ClaimKind::LoopMeasured), 2u);
  EXPECT_EQ(t.count(ClaimKind::LoopMeasured, Side::Original), 1u);
  EXPECT_FALSE(t.all_stand(ClaimKind::LoopMeasured));
}

TEST(MeasureRule, RepeatEndsByItself) {
  Falling t;
  t.loop.times = t.b.num("3");
  const FunctionId f = t.count_up();
  t.at(f).ends = true;
  t.walk(f);
  EXPECT_EQ(t.count(ClaimKind::LoopMeasured), 0u);
}

// A contract says nothing of ending.
TEST(MeasureRule, WhoIsCalledByContractHasToBeClaimedToEnd) {
  Falling t;
  const FunctionId g = t.b.function("g", {}, {});
  t.ensure(g, t.b.truth(true));
  const FunctionId f = t.b.function("f", {}, {t.b.call(g, {})});
  t.at(f).ends = true;
  t.walk(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::CalleeEnds));
  EXPECT_FALSE(t.all_stand(ClaimKind::CalleeEnds, Side::Original));
  t.walk(f, trapped(Trap::ContractEnds));
  EXPECT_EQ(t.count(ClaimKind::CalleeEnds), 0u);
  t.at(g).ends = true;
  t.walk(f);
  EXPECT_TRUE(t.all_stand(ClaimKind::CalleeEnds));
}

// f(n) { f(n - 1) } from what was passed, with `decreases n`.
TEST(MeasureRule, RecursionFallsFromCallToCall) {
  Falling t;
  const FunctionId f = t.b.function("f", {t.n}, {});
  t.ensure(f, t.b.truth(true));
  const auto calls_with = [&](ExprId next) {
    t.at(f).body = t.b.block({t.b.branch(t.positive(t.n), {t.b.call(f, {next})})});
    t.walk(f);
  };
  const ExprId less = t.b.op(Op::Sub, t.b.ref(t.n), t.b.num("1"));
  t.at(f).measure = {t.b.ref(t.n)};
  calls_with(less);
  EXPECT_TRUE(t.all_stand(ClaimKind::RecursionFalls));
  EXPECT_TRUE(t.all_stand(ClaimKind::RecursionFalls, Side::Original));
  calls_with(t.b.ref(t.n));
  EXPECT_FALSE(t.all_stand(ClaimKind::RecursionFalls));
  // What was passed counts, not what became of it.
  t.at(f).body = t.b.block({t.step(t.n), t.b.call(f, {less})});
  t.walk(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::RecursionFalls));
  // Without a measure there is nothing to compare.
  t.at(f).measure.clear();
  t.at(f).ends = true;
  calls_with(less);
  EXPECT_FALSE(t.all_stand(ClaimKind::RecursionMeasured));
}

// Two parts: the first may stay, then the second has to fall.
TEST(MeasureRule, TheFirstPartThatChangesFalls) {
  Falling t;
  const VarId k = t.b.var(VarKind::Param, "k");
  const FunctionId f = t.b.function("f", {t.n, k}, {});
  t.ensure(f, t.b.truth(true));
  t.at(f).measure = {t.b.ref(t.n), t.b.ref(k)};
  const auto one_less = [&](VarId x) { return t.b.op(Op::Sub, t.b.ref(x), t.b.num("1")); };
  const auto stands = [&](ExprId n, ExprId second) {
    const ExprId both = t.b.op(Op::And, t.positive(t.n), t.positive(k));
    t.at(f).body = t.b.block({t.b.branch(both, {t.b.call(f, {n, second})})});
    t.walk(f);
    return t.all_stand(ClaimKind::RecursionFalls);
  };
  EXPECT_TRUE(stands(t.b.ref(t.n), one_less(k)));
  EXPECT_TRUE(stands(one_less(t.n), t.b.num("9")));
  EXPECT_FALSE(stands(t.b.op(Op::Add, t.b.ref(t.n), t.b.num("1")), one_less(k)));
  EXPECT_FALSE(stands(t.b.ref(t.n), t.b.ref(k)));
}

// Where a callee may not come back, whatever stands behind its call is claimed of runs that did.
TEST(MeasureRule, WhatIsNotShownOfEndingIsNotKnownBehindIt) {
  Falling t;
  const FunctionId g = t.b.function("g", {}, {});
  t.ensure(g, t.b.truth(true));
  const FunctionId f = t.b.function("f", {}, {t.b.call(g, {}), t.b.relate(t.b.truth(false))});
  t.at(f).ends = true;
  t.walk(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
}

}  // namespace leto::vcgen
