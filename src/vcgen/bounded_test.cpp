// Rule 17, bounded proofs.
#include <gtest/gtest.h>

#include "vcgen/test_bench.h"

namespace leto::vcgen {

namespace {

Options unrolling(unsigned most, Trap trap = Trap::None) {
  Options options;
  options.unroll = most;
  options.trap = trap;
  return options;
}

// i = 0; while (i < n) { i = i + 1; } and what is claimed behind it.
struct CountingUp : Bench {
  VarId n = b.param("n"), i = b.local("i");
  FunctionId count_up(StmtId claim) {
    return b.function(
        "f", {n},
        {b.declare(i), b.stmt(b.loop(b.op(Op::Lt, b.ref(i), b.ref(n)), {step(i)})), claim});
  }
};

}  // namespace

TEST(Bounded, NeedsNoInvariantWhereTheLoopIsBounded) {
  CountingUp t;
  const ExprId done = t.b.op(Op::Or, t.b.op(Op::Eq, t.b.ref(t.i), t.b.ref(t.n)),
                             t.b.op(Op::Lt, t.b.ref(t.n), t.b.num("0")));
  const FunctionId f = t.count_up(t.b.claim(done));
  t.require(f, t.b.op(Op::Le, t.b.ref(t.n), t.b.num("2")));
  t.walk(f, unrolling(2));
  for (const Side side : {Side::Original, Side::Relaxed}) {
    EXPECT_TRUE(t.all_stand(ClaimKind::LoopWithin, side));
    EXPECT_TRUE(t.all_stand(ClaimKind::Assert, side));
  }
  t.walk(f, unrolling(1));
  for (const Side side : {Side::Original, Side::Relaxed})
    EXPECT_FALSE(t.all_stand(ClaimKind::LoopWithin, side));
}

// The original does two iterations and the relaxed run none. Where the original is cut off after
// one, there is no pair of runs behind the loop, and anything is so of none.
TEST(Bounded, TheOriginalIsNotCutOffUnseen) {
  CountingUp t;
  const FunctionId f = t.count_up(t.b.relate(t.b.equal(t.i)));
  t.require_r(f, t.b.op(Op::And, t.b.op(Op::Eq, t.b.original(t.n), t.b.num("2")),
                        t.b.op(Op::Eq, t.b.relaxed(t.n), t.b.num("0"))));
  t.walk(f, unrolling(1));
  EXPECT_FALSE(t.all_stand(ClaimKind::LoopWithin, Side::Original));
  EXPECT_TRUE(t.all_stand(ClaimKind::LoopWithin));
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));  // of nobody
  t.walk(f, unrolling(1, Trap::OriginalCutOff));
  EXPECT_EQ(t.count(ClaimKind::LoopWithin, Side::Original), 0u);
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
  t.walk(f, unrolling(2));
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
}

// In lockstep an assertion of the original is trusted, and then its loop is bounded; alone it has
// to be shown, whatever may be trusted otherwise.
TEST(Bounded, TheOriginalIsWalkedAloneInAnyCase) {
  CountingUp t;
  const FunctionId f = t.count_up(t.b.claim(t.positive(t.n)));
  Options options = unrolling(1);
  options.trust_original = true;
  t.walk(f, options);
  bool alone = false;
  for (const Obligation* o : t.of(ClaimKind::LoopWithin, Side::Original)) alone = alone || o->alone;
  EXPECT_TRUE(alone);
  EXPECT_FALSE(t.all_stand(ClaimKind::Assert, Side::Original));
}

TEST(Bounded, SizesAreClaimedOfBothRuns) {
  Bench t;
  const VarId v = t.b.param("v", core::kIntVector);
  const FunctionId f =
      t.b.function("f", {v}, {t.b.claim(t.b.op(Op::Le, t.b.length(v), t.b.num("2")))});
  t.walk(f, unrolling(1));
  for (const Side side : {Side::Original, Side::Relaxed}) {
    EXPECT_FALSE(t.all_stand(ClaimKind::SizesWithin, side));
    EXPECT_TRUE(t.all_stand(ClaimKind::Assert, side));  // up to there
  }
  t.require(f, t.b.op(Op::Le, t.b.length(v), t.b.num("1")));
  t.walk(f, unrolling(1));
  for (const Side side : {Side::Original, Side::Relaxed})
    EXPECT_TRUE(t.all_stand(ClaimKind::SizesWithin, side));
}

// f calls itself for one less while it has something left: as often as it is deep. What it ensures
// is not believed.
TEST(Bounded, RecursionIsFollowedUpToADepth) {
  Bench t;
  const VarId n = t.b.param("n");
  const FunctionId f = t.b.function("f", {n}, {});
  const ExprId less = t.b.op(Op::Sub, t.b.ref(n), t.b.num("1"));
  const StmtId again = t.b.call(f, {less});
  t.at(f).body = t.b.block({t.b.branch(t.positive(n), {again})});
  t.require(f, t.b.op(Op::Le, t.b.ref(n), t.b.num("1")));
  t.walk(f, unrolling(2));
  EXPECT_TRUE(t.all_stand(ClaimKind::CallsWithin));
  EXPECT_TRUE(t.all_stand(ClaimKind::CallsWithin, Side::Original));
  t.walk(f, unrolling(1));
  EXPECT_FALSE(t.all_stand(ClaimKind::CallsWithin));
  EXPECT_FALSE(t.all_stand(ClaimKind::CallsWithin, Side::Original));
}

}  // namespace leto::vcgen
