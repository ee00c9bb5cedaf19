// Claims that runs break, and those of which they say nothing.
#include "diagnose/break.h"

#include <gtest/gtest.h>

#include "core/test_builder.h"

namespace leto::diagnose {

namespace {

using core::Op;

// assert n < 2; of a uint n, or assert n >= 0.
struct Asserting {
  core::Builder b;
  core::VarId n = b.param("n");
  core::FunctionId f;
  vcgen::Obligation obligation;

  explicit Asserting(bool holds) {
    const core::ExprId expr =
        holds ? b.op(Op::Ge, b.ref(n), b.num("0")) : b.op(Op::Lt, b.ref(n), b.num("2"));
    const core::StmtId assertion = b.claim(expr);
    f = b.function("f", {n}, {assertion});
    b.program.functions[f].requires_ = {{b.op(Op::Ge, b.ref(n), b.num("0")), false},
                                        {b.equal(n), true}};
    obligation.claim = {core::ClaimKind::Assert, "f", b.at(assertion)};
    obligation.expr = expr;
    obligation.side = core::Side::Original;
  }
  bool breaks(const Allowance* allowance = nullptr) {
    return make_breaker(b.program, allowance)->find_broken(f, false, {&obligation})[0];
  }
};

}  // namespace

TEST(Break, WhatARunBreaksIsFound) {
  EXPECT_TRUE(Asserting(false).breaks());
}

TEST(Break, WhatHoldsIsNotBroken) {
  EXPECT_FALSE(Asserting(true).breaks());
}

// The original run ends there first: nothing is held against the relaxed one.
TEST(Break, WhatTheOriginalRunBreaksIsNotHeldAgainstTheRelaxed) {
  Asserting a(false);
  a.obligation.side = core::Side::Relaxed;
  EXPECT_FALSE(a.breaks());
}

TEST(Break, ARunOfOneFunctionBreaksNothingOfAnother) {
  Asserting a(false);
  a.obligation.claim.function = "g";
  EXPECT_FALSE(a.breaks());
}

// What a run makes up of a function that nobody has seen need not be.
TEST(Break, NothingIsBrokenWhereFunctionsAreUnseen) {
  Asserting a(false);
  a.b.external("seen_by_nobody", {}, a.b.local("y"));
  EXPECT_FALSE(a.breaks());
}

TEST(Break, WhenTheTimeIsOverNothingIsBroken) {
  Allowance allowance;
  allowance.end(Allowance::End::Time);
  EXPECT_FALSE(Asserting(false).breaks(&allowance));
}

}  // namespace leto::diagnose
