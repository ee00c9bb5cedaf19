// Which assumptions a run settles, and which it does not.
#include "prove/explore.h"

#include <gtest/gtest.h>

#include "core/test_builder.h"

namespace leto::prove {

namespace {

using core::ClaimKind;
using core::StmtId;

// A function with a loop.
struct Looping {
  core::Builder b;
  core::VarId i = b.local("i");
  StmtId loop = b.stmt(b.loop(b.op(core::Op::Lt, b.ref(i), b.num("3")),
                              {b.assign(i, b.op(core::Op::Add, b.ref(i), b.num("1")))}));
  core::FunctionId f = b.function("f", {}, {b.declare(i), loop});
  Visited visited{true, {loop}};

  [[nodiscard]] vcgen::Assumption assumption(ClaimKind kind, Span at) const {
    vcgen::Assumption a{};
    a.claim = {kind, "f", at};
    return a;
  }
  [[nodiscard]] bool settles(const vcgen::Assumption& a) const {
    return Visits(b.program, f, visited).settle(a);
  }
};

}  // namespace

TEST(Visited, ARunBehindALoopShowsThatItCanEnd) {
  Looping l;
  EXPECT_TRUE(l.settles(l.assumption(ClaimKind::LoopEnds, l.b.at(l.loop))));
  l.visited.statements.clear();
  EXPECT_FALSE(l.settles(l.assumption(ClaimKind::LoopEnds, l.b.at(l.loop))));
}

// The run did it with the other one: alone it may find what nobody can.
TEST(Visited, ARunOfBothSaysNothingOfOneAlone) {
  Looping l;
  vcgen::Assumption alone = l.assumption(ClaimKind::LoopEnds, l.b.at(l.loop));
  alone.by_one_of_both = true;
  EXPECT_FALSE(l.settles(alone));
}

// A function that is walked in place has places of its own.
TEST(Visited, APlaceInAnotherFunctionIsNotVisited) {
  Looping l;
  vcgen::Assumption elsewhere = l.assumption(ClaimKind::LoopEnds, l.b.at(l.loop));
  elsewhere.claim.function = "g";
  EXPECT_FALSE(l.settles(elsewhere));
}

// A call at the place of the loop is another thing; and so is what no statement assumes.
TEST(Visited, OnlyWhatTheStatementAssumesIsSettled) {
  Looping l;
  EXPECT_FALSE(l.settles(l.assumption(ClaimKind::ContractMet, l.b.at(l.loop))));
  EXPECT_FALSE(l.settles(l.assumption(ClaimKind::ConstraintsMet, l.b.at(l.loop))));
}

// Two statements at one place, as a recovery makes them: the run came by one of them.
TEST(Visited, OfTwoStatementsAtOnePlaceNoneIsSettled) {
  Looping l;
  const StmtId twin = l.b.program.stmts.add(l.b.program.stmts[l.loop]);
  l.b.program.functions[l.f].body = l.b.block({l.loop, twin});
  EXPECT_FALSE(l.settles(l.assumption(ClaimKind::LoopEnds, l.b.at(l.loop))));
}

TEST(Visited, WithoutARunToTheEndNothingIs) {
  Looping l;
  l.visited.end = false;
  const Span whole = l.b.program.functions[l.f].span;
  EXPECT_FALSE(l.settles(l.assumption(ClaimKind::RequirementsMet, whole)));
  l.visited.end = true;
  EXPECT_TRUE(l.settles(l.assumption(ClaimKind::RequirementsMet, whole)));
}

}  // namespace leto::prove
