// The oracle against "How the runs go together" of docs/language.md, and against what that means
// for claims: variables that a run does not have, invariants at heads, snapshots, failures.
#include "oracle_case.h"

namespace leto::oracle {
namespace {

TEST(Together, ConditionsThatDifferPartTheRunsAndTheOriginalGoesFirst) {
  Case c(R"(
      real f(bool b) {
          real x = 0;
          if (b) {
              x = 1;
              assert_r x<r> == 1 && x<o> == 2;
          } else {
              x = 2;
              assert_r x<r> == 2 && x<o> == 1;
          }
          assert_r x<o> != x<r>;
          return x;
      })");
  Report report = c.apart("b", 0, 1).run();
  EXPECT_EQ(report.end, End::Done);
  EXPECT_EQ(c.violated(report), Lines{});
  EXPECT_EQ(c.violated(c.apart("b", 1, 0).run()), Lines{});
  report = c.both("b", 1).run();
  EXPECT_EQ(c.violated(report),
            (Lines{"assert_r x<r> == 1 && x<o> == 2;", "assert_r x<o> != x<r>;"}));
}

TEST(Together, OperatorsThatStopEarlyPartTheRunsToo) {
  Case c(R"(
      ensures result
      ensures_r false
      bool g(real x) { assert_r x<r> > 0; return true; }
      bool f(bool b, real x) { return (b && g(x)) == (0 < x < 2) || (b -> g(x)); })");
  // Only the relaxed run calls, so nothing is claimed of two calls.
  EXPECT_EQ(c.violated(c.apart("b", 0, 1).both("x", 1).run()), Lines{});
  EXPECT_EQ(c.violated(c.both("b", 1).both("x", 1).run()), (Lines{"ensures_r false"}));
  EXPECT_EQ(c.violated(c.apart("b", 0, 1).both("x", 3).run()), Lines{});
}

TEST(Together, ARunThatLeavesALoopWaits) {
  Case c(R"(
      uint f(uint n) {
          uint i = 0;
          while (i < n)
              invariant i < 4
              invariant_r eq(i)
          {
              assert_r i<o> <= 2;
              ++i;
          }
          assert_r eq(n) -> eq(i);
          return i;
      })");
  const Report relaxed_longer = c.apart("n", 2, 4).run();
  EXPECT_EQ(relaxed_longer.relaxed->scalar, 4);
  EXPECT_EQ(c.violated(relaxed_longer),
            (Lines{"invariant_r eq(i) (relaxed)", "invariant i < 4 (relaxed)",
                   "invariant_r eq(i) (relaxed)"}));
  // While the original is alone, invariants of both are claimed at its heads, and asserts are not.
  EXPECT_EQ(c.violated(c.apart("n", 4, 2).run()),
            (Lines{"invariant_r eq(i) (original)", "invariant i < 4 (original)",
                   "invariant_r eq(i) (original)"}));
  EXPECT_TRUE(c.apart("n", 4, 2).run().violated[1].original());
  EXPECT_FALSE(c.apart("n", 4, 2).run().violated[0].original());
}

TEST(Together, AWaitingRunDoesNotEvaluateTheTestAgain) {
  Case c("void f(real x) { while (x *. 1 > 0) { x = x - 1; } }");
  EXPECT_EQ(c.apart("x", 5, 1).run().accesses.size(), 2u);
  EXPECT_EQ(c.apart("x", 1, 5).run().accesses.size(), 6u);
}

TEST(Together, ALoopOfTheOriginalAloneClaimsNothingOfBoth) {
  Case c(R"(
      void f(bool b) {
          if (b) {
              repeat 2 invariant_r false {}
          }
      })");
  EXPECT_EQ(c.violated(c.apart("b", 1, 0).run()), Lines{});
  EXPECT_EQ(c.apart("b", 0, 1).run().violated.size(), 3u);
}

TEST(Together, ARunThatReturnsWaitsAtTheEnd) {
  Case c(R"(
      ensures_r result<o> == 1 && result<r> == 7
      real f(real x) {
          real y = 3;
          for (uint i = 0; i < 4; ++i)
              invariant x > 0 || i < 3
              invariant_r i<o> <= 1
          {
              y = i;
              if (i == 1 && x > 0) { return y; }
              assert_r y<o> <= 1;
          }
          real z = 7;
          assert_r z<r> == 7 && eq(x) || true;
          assert_r z<o> == 7 || true;
          return z;
      })");
  const Report report = c.apart("x", 1, 0).run();
  EXPECT_EQ(report.end, End::Done);
  EXPECT_EQ(c.violated(report),
            (Lines{"invariant x > 0 || i < 3 (relaxed)", "invariant x > 0 || i < 3 (relaxed)",
                   "assert_r z<o> == 7 || true; (relaxed)"}));
  EXPECT_TRUE(report.violated.back().no_value);
}

TEST(Together, HeadsBehindTheRelaxedRunsReturnAreStillJointOnes) {
  Case c(R"(
      void f(bool b) {
          uint i = 0;
          while (i < 3)
              invariant_r eq(i)
          {
              ++i;
              if (b) { return; }
          }
      })");
  EXPECT_EQ(c.violated(c.apart("b", 0, 1).run()),
            (Lines{"invariant_r eq(i) (original)", "invariant_r eq(i) (original)"}));
}

TEST(Together, CallsThatBothMakeAreClaimedTogether) {
  Case c(R"(
      requires_r eq(*)
      ensures_r eq(result)
      real g(real x, vector<real> v(2)) { x = x + 1; return x; }
      real f(real x, vector<real> v(2)) { return g(x, v); })");
  c.both("v", vector({1, 2}));
  EXPECT_EQ(c.violated(c.both("x", 1).run()), Lines{});
  EXPECT_EQ(c.violated(c.apart("x", 1, 2).run()),
            (Lines{"requires_r eq(*)", "ensures_r eq(result)"}));
  EXPECT_EQ(c.violated(c.both("x", 1).relaxed("v", vector({1, 3})).run()),
            (Lines{"requires_r eq(*)"}));
}

TEST(Together, CallsOfOneRunHaveVariablesOfThatRunOnly) {
  Case c(R"(
      requires x > 0
      ensures result > x
      requires_r false
      real g(real x) {
          real y = x;
          assert_r y<r> == x<r>;
          assert_r x<o> == 1 || true;
          return y;
      }
      real f(bool b, real x) {
          if (b) { x = g(x); }
          return x;
      })");
  const Report relaxed = c.apart("b", 0, 1).both("x", 1).run();
  EXPECT_EQ(c.violated(relaxed),
            (Lines{"assert_r x<o> == 1 || true; (relaxed)", "ensures result > x (relaxed)"}));
  EXPECT_EQ(c.violated(c.apart("b", 1, 0).both("x", 0).run()),
            (Lines{"requires x > 0 (original)", "ensures result > x (original)"}));
}

TEST(Together, EveryActivationHasItsOwnVariables) {
  Case c(R"(
      requires n < 100
      ensures result == n * (n + 1) / 2
      uint sum(uint n) {
          uint mine = n;
          uint rest = 0;
          if (n > 0) { rest = sum(n - 1); }
          assert mine == n;
          assert_r n<r> <= 2 -> mine<o> == mine<r>;
          return mine + rest;
      }
      uint f(uint n) { return sum(n); })");
  const Report report = c.both("n", 4).run();
  EXPECT_EQ(report.relaxed->scalar, 10);
  EXPECT_EQ(report.violated.size(), 0u);
  // The deepest call of the relaxed run is made alone, the others differ.
  const Report apart = c.apart("n", 1, 2).run();
  EXPECT_EQ(apart.relaxed->scalar, 3);
  EXPECT_EQ(apart.violated.size(), 3u);
  EXPECT_TRUE(apart.violated[0].no_value);
  EXPECT_FALSE(apart.violated[1].no_value);
}

TEST(Together, ParametersInContractsMeanWhatWasPassed) {
  Case c(R"(
      ensures result == x + 1
      ensures_r result<r> == x<r> + 1
      real f(real x) { x = x + 1; assert x > 0; return x; })");
  EXPECT_EQ(c.both("x", 1).run().violated.size(), 0u);
}

TEST(NoValue, DeclarationsInABranchOfTheRelaxedRun) {
  Case c(R"(
      void f(bool b) {
          if (b) {
              real z = 2;
              assert_r z<r> == 2;
              assert_r z<r> == 2 || eq(z);
              assert_r eq(z) || z<r> == 2;
              assert_r forall(uint k)(k < 0 -> z<o> == k);
          }
      })");
  EXPECT_EQ(c.both("b", 1).run().violated.size(), 0u);
  const Report report = c.apart("b", 0, 1).run();
  EXPECT_EQ(c.violated(report), (Lines{"assert_r eq(z) || z<r> == 2; (relaxed)",
                                       "assert_r forall(uint k)(k < 0 -> z<o> == k); (relaxed)"}));
  EXPECT_TRUE(report.violated[0].no_value && report.violated[1].no_value);
}

TEST(NoValue, DeclarationsOfThisIteration) {
  Case c(R"(
      void f(uint n) {
          for (uint i = 0; i < n; ++i) {
              uint k = i;
              assert_r i<o> <= i<r> && (k<o> == k<r> || true);
          }
      })");
  EXPECT_EQ(c.both("n", 3).run().violated.size(), 0u);
  EXPECT_EQ(c.apart("n", 1, 3).run().violated.size(), 2u);
}

TEST(NoValue, ARunThatReturnedInThisIterationHasItsVariables) {
  Case c(R"(
      void f(bool b) {
          repeat 2 {
              real z = 1;
              if (b) { return; }
              assert_r eq(z);
          }
      })");
  EXPECT_EQ(c.apart("b", 1, 0).run().violated.size(), 1u);  // in the second iteration
}

TEST(NoValue, RedoneBlocksDeclareAnew) {
  Case c(R"(
      void f(bool b) {
          try { real z = 1; assert_r eq(z); } check (b) recover redo(1);
      })");
  EXPECT_EQ(c.apart("b", 1, 0).run().violated.size(), 1u);
  EXPECT_EQ(c.both("b", 0).run().violated.size(), 0u);
}

TEST(Failures, TheOriginalsFailureCountsWheneverItComes) {
  Case c(R"(
      void f(real x, real y) {
          assert x > 0;
          assert_r false;
          assume y > 0;
      })");
  const Report relaxed = c.apart("x", 1, 0).both("y", 1).run();
  EXPECT_EQ(relaxed.end, End::RelaxedFailed);
  EXPECT_EQ(c.text(relaxed.where), "assert x > 0;");
  EXPECT_TRUE(relaxed.violated.empty());
  const Report original = c.both("y", 0).run();
  EXPECT_EQ(original.end, End::OriginalFailed);
  EXPECT_EQ(c.text(original.where), "assume y > 0;");
  EXPECT_EQ(c.apart("x", 0, 1).run().end, End::OriginalFailed);
}

TEST(Failures, AnOriginalThatFailsDeepInsideEndsAll) {
  Case c(R"(
      real g(real x) { return 1 / x; }
      real f(real x) { while (g(x) > 0) { x = x - 1; } return x; })");
  EXPECT_EQ(c.both("x", 2).run().end, End::OriginalFailed);
  EXPECT_EQ(c.apart("x", -1, 2).run().end, End::RelaxedFailed);
}

TEST(Failures, RunsThatDoNotEnd) {
  Case c("void f(bool b) { while (b) {} }");
  EXPECT_EQ(c.apart("b", 1, 0).run().end, End::OriginalHung);
  EXPECT_EQ(c.apart("b", 0, 1).run().end, End::RelaxedHung);
  Case d("ensures true void g(bool b) { if (b) { g(b); } } void f(bool b) { g(b); }");
  EXPECT_EQ(d.apart("b", 0, 1).run().end, End::RelaxedHung);
  Case e("void f(int x) { while (x > 1) { x = x * x; } }");
  EXPECT_EQ(e.apart("x", 0, 2).run().why, "a number is too long");
}

TEST(Snapshots, StartOfTheIterationAndEntry) {
  Case c(R"(
      void f(uint n, real x) {
          @label(outer) for (uint i = 0; i < n; ++i)
              invariant outer[x] == x && outer[i] == i
              invariant outer.entry[x] + 2 * i == x && outer.entry[i] == 0
          {
              x = x + 1;
              @label(inner) repeat 1 {
                  x = x + 1;
                  assert inner[x] + 1 == x && outer[x] + 2 == x && inner[outer[x]] == outer[x];
                  assert_r eq(outer[x]) && outer.entry[x<o>] <= outer[x<r>];
              }
          }
      })");
  const Report report = c.both("n", 3).both("x", 5).run();
  EXPECT_EQ(report.end, End::Done);
  EXPECT_TRUE(report.violated.empty());
}

TEST(Snapshots, WhileTheRelaxedRunIsAloneTheOriginalIsAsItStood) {
  Case c(R"(
      void f(uint n) {
          uint i = 0;
          @label(l) while (i < n) {
              ++i;
              assert_r l[i<o>] == min(l[i<r>], 1);
          }
      })");
  EXPECT_EQ(c.violated(c.apart("n", 1, 4).run()), Lines{});
}

TEST(Snapshots, VectorsAndState) {
  Case c(R"(
      model m { uint count = 0; }
      use model m;
      void f(vector<real> v(2)) {
          @label(l) repeat 2 {
              v[0] = v[0] + 1;
              model.count = model.count + 1;
              assert forall(uint k)(k < 2 -> l[v[k]] + 1 - k == v[k]);
              assert l.entry[v][1] == v[1];
              assert_r l[model.count] + 1 == model.count && l.entry[model.count] == 0;
          }
      })");
  const Report report = c.both("v", vector({1, 2})).run();
  EXPECT_EQ(report.end, End::Done) << report.why;
  EXPECT_TRUE(report.violated.empty());
}

TEST(Snapshots, TheIterationStartsBeforeTheTest) {
  Case c(R"(
      model m {
          bool hit = false;
          operator <(real a, real b) ensures result == (a < b);
          operator <(real a, real b) modifies hit ensures hit && result == (a < b);
      }
      use model m;
      void f(real x) {
          @label(l) while (x <. 1) {
              x = x + 1;
              assert_r model.hit && !l[model.hit];
          }
      })");
  const Report report = c.both("x", 0).run({{1, 1, {{"hit", 1}}}});
  EXPECT_EQ(report.end, End::Done) << report.why;
  EXPECT_EQ(c.violated(report), Lines{});
}

TEST(Snapshots, WhatWasNotThereYetHasNoValue) {
  Case c(R"(
      void f() {
          @label(l) repeat 1 {
              real z = 1;
              assert_r l[z<r>] == 1 || true;
          }
      })");
  const Report report = c.run();
  ASSERT_EQ(report.violated.size(), 1u);
  EXPECT_TRUE(report.violated[0].no_value);
}

TEST(Ghosts, AreComputedInBothRunsAndMeanTheRelaxedOne) {
  Case c(R"(
      void f(@region(r) real x) {
          specvar real g = 2 * x;
          specvar vector<real> h(2);
          h[0] = g;
          g += x;
          assert_r g == 3 * x<r> && g<o> == 3 * x<o> && h[0] == 2 * x<r>;
          assert_r eq(g);
          assert g == 3 * x;
      })");
  const Report report = c.apart("x", 1, 5).run();
  EXPECT_EQ(report.end, End::Done) << report.why;
  EXPECT_EQ(c.violated(report), (Lines{"assert_r eq(g);"}));
  EXPECT_TRUE(report.accesses.empty());  // their reads are none
}

}  // namespace
}  // namespace leto::oracle
