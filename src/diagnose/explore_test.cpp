// Places that runs come by, and those of which they say nothing.
#include "diagnose/explore.h"

#include <gtest/gtest.h>

#include "core/test_builder.h"

namespace leto::diagnose {

namespace {

using core::ExprId;
using core::FunctionId;
using core::Op;
using core::StmtId;
using core::VarId;

// if (n < 0) { x = 1; } else { x = 2; } of a uint n, with a claim behind it.
struct Parting {
  core::Builder b;
  VarId n = b.param("n"), x = b.local("x");
  StmtId never = b.assign(x, b.num("1")), always = b.assign(x, b.num("2"));
  FunctionId f;

  explicit Parting(bool holds = true) {
    const ExprId below = b.op(Op::Lt, b.ref(n), b.num("0"));
    f = b.function("f", {n},
                   {b.declare(x), b.branch(below, {never}, {always}), b.claim(b.truth(holds))});
    b.program.functions[f].requires_ = {{b.op(Op::Ge, b.ref(n), b.num("0")), false},
                                        {b.equal(n), true}};
  }
  prove::Visited explore() { return make_explorer(b.program, nullptr)->explore(f, false); }
};

}  // namespace

TEST(Explore, OnlyTheBranchThatIsTakenIsVisited) {
  Parting p;
  const prove::Visited visited = p.explore();
  EXPECT_TRUE(visited.end);
  EXPECT_TRUE(visited.statements.contains(p.always));
  EXPECT_FALSE(visited.statements.contains(p.never));
}

// What runs cost is bounded for each function, but a run of one executes those below it: a chain of
// calls would be run again and again.
TEST(Explore, FunctionsAtTheTopOfLongChainsAreNotRun) {
  core::Builder b;
  std::vector<FunctionId> chain;
  for (int i = 0; i < 80; ++i) {
    const VarId n = b.param("n");
    std::vector<StmtId> body;
    if (i > 0) body.push_back(b.call(chain.back(), {b.ref(n)}));
    body.push_back(b.claim(b.truth(true)));
    chain.push_back(b.function("f" + std::to_string(i), {n}, body));
  }
  const auto explorer = make_explorer(b.program, nullptr);
  EXPECT_TRUE(explorer->explore(chain[40], false).end);
  EXPECT_FALSE(explorer->explore(chain[79], false).end);
}

// One of the inputs that are tried takes the other branch.
TEST(Explore, RunsGoOnUntilAllPlacesAreVisited) {
  core::Builder b;
  const VarId n = b.param("n");
  const StmtId low = b.claim(b.truth(true)), high = b.claim(b.truth(true));
  const FunctionId f =
      b.function("f", {n}, {b.branch(b.op(Op::Lt, b.ref(n), b.num("0")), {low}, {high})});
  b.program.functions[f].requires_ = {{b.equal(n), true}};
  const prove::Visited visited = make_explorer(b.program, nullptr)->explore(f, false);
  EXPECT_TRUE(visited.statements.contains(low));
  EXPECT_TRUE(visited.statements.contains(high));
}

// It is not a model of what is known: the claim is assumed behind it.
TEST(Explore, ARunThatBreaksAClaimVisitsNothing) {
  Parting p(false);
  const prove::Visited visited = p.explore();
  EXPECT_FALSE(visited.end);
  EXPECT_TRUE(visited.statements.empty());
}

TEST(Explore, WhereNobodyMeetsTheRequirementsNothingIsVisited) {
  Parting p;
  p.b.program.functions[p.f].requires_.push_back({p.b.truth(false), false});
  EXPECT_FALSE(p.explore().end);
}

TEST(Explore, WhenTheTimeIsOverNothingIsVisited) {
  Parting p;
  Allowance allowance;
  allowance.end(Allowance::End::Time);
  EXPECT_FALSE(make_explorer(p.b.program, &allowance)->explore(p.f, false).end);
}

}  // namespace leto::diagnose
