// Which functions surely come to their end. Each "no" below is a function that need not.
#include "core/endings.h"

#include <gtest/gtest.h>

#include "core/test_builder.h"

namespace leto::core {

namespace {

// while (i < n) { ...; i = i + 1 }
struct CountingUp : Builder {
  VarId n = param("n"), i = local("i"), returned = local("returned", kBoolType);

  StmtId step(const std::string& by = "1") { return assign(i, op(Op::Add, ref(i), num(by))); }
  ExprId test(Op which = Op::Lt) { return op(which, ref(i), ref(n)); }
  bool ends(const std::vector<StmtId>& body) {
    const FunctionId f = function("f", {n}, body);
    Effects effects(program);
    return find_ending(program, effects)[f.value];
  }
  bool loop_ends(ExprId condition, std::vector<StmtId> body) {
    return ends({declare(i), stmt(loop(condition, std::move(body)))});
  }
};

}  // namespace

TEST(Endings, WhatCountsUpToABoundEnds) {
  CountingUp t;
  EXPECT_TRUE(t.loop_ends(t.test(), {t.step()}));
  EXPECT_TRUE(t.loop_ends(t.test(Op::Le), {t.block({t.step("0.5")})}));
  EXPECT_TRUE(t.loop_ends(t.op(Op::And, t.truth(true), t.test()), {t.step()}));
}

TEST(Endings, SoDoesWhatCountsDown) {
  CountingUp t;
  const auto down = [&] { return t.assign(t.i, t.op(Op::Sub, t.ref(t.i), t.num("1"))); };
  EXPECT_TRUE(t.loop_ends(t.test(Op::Gt), {down()}));
  EXPECT_TRUE(t.loop_ends(t.op(Op::Lt, t.ref(t.n), t.ref(t.i)), {down()}));
  EXPECT_TRUE(t.loop_ends(t.op(Op::Ge, t.ref(t.n), t.ref(t.i)), {t.step()}));
  EXPECT_FALSE(t.loop_ends(t.op(Op::Gt, t.ref(t.n), t.ref(t.i)), {down()}));
  EXPECT_FALSE(t.loop_ends(t.op(Op::Le, t.ref(t.n), t.ref(t.i)), {t.step()}));
}

TEST(Endings, ACountThatMayStandStillDoesNot) {
  CountingUp t;
  EXPECT_FALSE(t.loop_ends(t.test(), {}));
  EXPECT_FALSE(t.loop_ends(t.test(), {t.step("0")}));
  EXPECT_FALSE(t.loop_ends(t.test(Op::Ne), {t.step()}));
  EXPECT_FALSE(t.loop_ends(t.test(Op::Gt), {t.step()}));
  EXPECT_FALSE(t.loop_ends(t.op(Op::Or, t.truth(true), t.test()), {t.step()}));
  EXPECT_FALSE(t.loop_ends(t.test(), {t.branch(t.truth(false), {t.step()})}));
  EXPECT_FALSE(t.loop_ends(t.test(), {t.step(), t.assign(t.i, t.num("0"))}));
  EXPECT_FALSE(t.loop_ends(t.test(), {t.assign(t.i, t.op(Op::Sub, {t.ref(t.i), t.num("1")}))}));
  EXPECT_FALSE(t.loop_ends(t.test(), {t.assign(t.i, t.op(Op::Add, {t.ref(t.n), t.num("1")}))}));
}

TEST(Endings, NorDoesABoundThatMoves) {
  CountingUp t;
  EXPECT_FALSE(
      t.loop_ends(t.test(), {t.step(), t.assign(t.n, t.op(Op::Add, t.ref(t.n), t.num("1")))}));
  While moving = t.loop(t.test(), {t.step()});
  moving.before = t.block({t.assign(t.n, t.num("9"))});
  EXPECT_FALSE(t.ends({t.declare(t.i), t.stmt(moving)}));
  // The relaxed run may change what the original leaves alone.
  CountingUp u;
  const VarId m = u.state("m", kIntType, u.num("0"));
  const std::uint32_t spec = u.specification(u.operands(), {}, {}, {m});
  const StmtId upset = u.relaxed_op(u.local("x"), {spec}, {u.num("1"), u.num("2")}, u.num("3"));
  EXPECT_TRUE(u.loop_ends(u.op(Op::Lt, u.ref(u.i), u.ref(m)), {u.step()}));
  EXPECT_FALSE(u.loop_ends(u.op(Op::Lt, u.ref(u.i), u.ref(m)), {upset, u.step()}));
}

TEST(Endings, AFaultyCountMayStandStill) {
  CountingUp t;
  const std::uint32_t spec = t.exact_addition();
  EXPECT_FALSE(t.loop_ends(t.test(), {t.relaxed_op(t.i, {spec}, {t.ref(t.i), t.num("1")},
                                                   t.op(Op::Add, t.ref(t.i), t.num("1")))}));
  CountingUp u;
  const VarId m = u.state("m", kIntType, u.num("0"));
  EXPECT_FALSE(u.loop_ends(u.op(Op::Lt, u.ref(m), u.ref(u.n)),
                           {u.assign(m, u.op(Op::Add, u.ref(m), u.num("1")))}));
}

// if (!returned) i = i + 1, in a loop that goes on only while it has not returned.
TEST(Endings, WhoHasReturnedNeedNotCount) {
  const auto ends = [](bool tested, bool set_to, bool declared = true) {
    CountingUp t;
    const auto not_yet = [&] { return t.op(Op::Not, {t.ref(t.returned)}); };
    While loop = t.loop(tested ? t.op(Op::And, not_yet(), t.test()) : t.test(),
                        {t.assign(t.returned, t.truth(set_to)), t.branch(not_yet(), {t.step()})});
    if (declared) loop.exits = {t.returned};
    return t.ends({t.declare(t.returned), t.declare(t.i), t.stmt(loop)});
  };
  EXPECT_TRUE(ends(true, true));
  EXPECT_FALSE(ends(false, true));
  EXPECT_FALSE(ends(true, false));
  EXPECT_FALSE(ends(true, true, false));
}

TEST(Endings, WhatIsAssumedOrExternalMayBeTheEnd) {
  CountingUp t;
  EXPECT_TRUE(t.ends({t.claim(t.truth(true)), t.relate(t.truth(true))}));
  EXPECT_FALSE(t.ends({t.assume(t.truth(true))}));
  const FunctionId g = t.external("g", {}, t.var(VarKind::Result, "result"));
  EXPECT_FALSE(t.ends({t.call(g, {})}));
}

TEST(Endings, WhoCallsNeedsTheCalleesEnd) {
  CountingUp t;
  const FunctionId good = t.function("good", {}, {});
  const FunctionId bad = t.function("bad", {}, {t.assume(t.truth(true))});
  EXPECT_TRUE(t.ends({t.call(good, {})}));
  EXPECT_FALSE(t.ends({t.call(good, {}), t.call(bad, {})}));
}

TEST(Endings, CirclesNeedNotEnd) {
  CountingUp t;
  const FunctionId self{0}, one{1}, other{2};
  ASSERT_EQ(t.function("self", {}, {t.call(self, {})}), self);
  ASSERT_EQ(t.function("one", {}, {t.call(other, {})}), one);
  ASSERT_EQ(t.function("other", {}, {t.call(one, {})}), other);
  Effects effects(t.program);
  EXPECT_EQ(find_ending(t.program, effects), (std::vector<bool>{false, false, false}));
}

}  // namespace leto::core
