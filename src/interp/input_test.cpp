// Inputs that are made so that they meet requirements: with one attempt only, so that what is drawn
// and rejected does not count.
#include <gtest/gtest.h>

#include "core/test_builder.h"
#include "interp/interp.h"

namespace leto::interp {

namespace {

using core::Builder;
using core::ExprId;
using core::Op;
using core::VarId;

constexpr core::Type kRealVector{core::Base::Real, false, 1};

// f(uint n, real r, vector<real> a(n)), with requirements.
struct Required {
  Builder b;
  VarId n, r, a, k;
  core::FunctionId f;
  Required()
      : n(b.param("n", core::kUintType)),
        r(b.param("r", core::kRealType)),
        a(b.param("a", kRealVector)),
        k(b.var(core::VarKind::Bound, "k", core::kUintType)) {
    f = b.function("f", {n, r, a}, {});
    b.program.functions[f].sizes.push_back({a, 0, b.ref(n)});
  }
  void require(ExprId expr, bool relational = false) {
    b.program.functions[f].requires_.push_back({expr, relational});
  }
  ExprId cmp(Op op, ExprId x, ExprId y) { return b.op(op, x, y); }
  ExprId num(const char* text) { return b.num(text, core::kRealType); }
  // Of all elements of `a`.
  ExprId each(ExprId body) {
    return b.forall(k, b.op(Op::Implies, cmp(Op::Lt, b.ref(k), b.ref(n)), body));
  }
  ExprId element(core::Side side = core::Side::Open) { return b.select(a, b.ref(k), side); }

  // Of 200 seeds, for how many inputs were found at the first attempt.
  int found() {
    const Machine machine(b.program);
    int count = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      const auto inputs = random_inputs(machine, f, seed, {3, 4, 1});
      if (!inputs) continue;
      EXPECT_FALSE(unmet(machine, f, *inputs));
      ++count;
    }
    return count;
  }
};

}  // namespace

TEST(Inputs, AnEquationCostsNothing) {
  Required c;
  c.require(c.cmp(Op::Eq, c.b.ref(c.n), c.b.num("16")));
  EXPECT_EQ(c.found(), 200);
}

TEST(Inputs, SumsAreSolvedForOneOfTheirParts) {
  Required c;
  c.require(c.cmp(Op::Eq, c.b.op(Op::Sub, c.b.op(Op::Mul, c.num("3"), c.b.ref(c.r)), c.num("1")),
                  c.b.op(Op::ToReal, {c.b.ref(c.n)})));
  c.require(c.cmp(Op::Ge, c.b.ref(c.n), c.b.num("9")));
  EXPECT_EQ(c.found(), 200);
}

TEST(Inputs, BoundsOfEveryElement) {
  Required c;
  c.require(c.cmp(Op::Eq, c.b.ref(c.n), c.b.num("16")));
  c.require(c.each(c.b.op(Op::And, c.cmp(Op::Le, c.num("0"), c.element()),
                          c.cmp(Op::Le, c.element(), c.num("1")))));
  EXPECT_EQ(c.found(), 200);
}

TEST(Inputs, ElementsThatGrow) {
  Required c;
  const ExprId next = c.b.op(Op::Add, c.b.ref(c.k), c.b.num("1"));
  c.require(c.cmp(Op::Eq, c.b.ref(c.n), c.b.num("8")));
  c.require(c.b.forall(c.k, c.b.op(Op::Implies, c.cmp(Op::Lt, next, c.b.ref(c.n)),
                                   c.cmp(Op::Lt, c.element(), c.b.select(c.a, next)))));
  EXPECT_EQ(c.found(), 200);
}

TEST(Inputs, RunsThatAreCloseToEachOther) {
  Required c;
  const ExprId apart = c.b.op(
      Op::Abs, {c.b.op(Op::Sub, c.element(core::Side::Original), c.element(core::Side::Relaxed))});
  c.require(c.b.equal(c.n), true);
  c.require(c.each(c.cmp(Op::Lt, apart, c.num("1"))), true);
  EXPECT_EQ(c.found(), 200);
}

TEST(Inputs, SizesFromBelowAlternativesAndWhatIsNot) {
  Required c;
  c.require(c.cmp(Op::Gt, c.b.op(Op::Abs, {c.b.ref(c.r)}), c.num("20")));
  c.require(c.b.op(Op::Or, c.cmp(Op::Eq, c.b.ref(c.n), c.b.num("5")),
                   c.cmp(Op::Eq, c.b.ref(c.n), c.b.num("6"))));
  c.require(c.each(c.b.op(Op::Not, {c.cmp(Op::Eq, c.element(), c.num("0"))})));
  EXPECT_EQ(c.found(), 200);
}

// A size is kept, and the constant that it must stay below gives way, with what depends on it.
TEST(Inputs, ConstantsGiveWayToSizes) {
  Required c;
  const VarId most = c.b.constant("most", core::kUintType);
  const VarId eps = c.b.constant("eps", core::kUintType);
  c.b.program.constraints.push_back(c.cmp(Op::Le, c.b.ref(most), c.b.ref(eps)));
  c.require(c.cmp(Op::Lt, c.b.ref(c.n), c.b.ref(most)));
  EXPECT_EQ(c.found(), 200);
  const Machine machine(c.b.program);
  int empty = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    empty += random_inputs(machine, c.f, seed, {})->values.original[c.n.value].scalar.sign() == 0;
  EXPECT_LT(empty, 30);
}

// What cannot hold is not found, however it is mended.
TEST(Inputs, AreEvaluatedInTheEnd) {
  Required c;
  c.require(c.cmp(Op::Lt, c.b.ref(c.n), c.b.num("3")));
  c.require(c.cmp(Op::Gt, c.b.ref(c.n), c.b.num("5")));
  EXPECT_EQ(c.found(), 0);
}

}  // namespace leto::interp
