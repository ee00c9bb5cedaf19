// The oracle against the table "In which order" of docs/language.md. What happens before a failure
// shows in the accesses; without a model they are all exact and listed all the same.
#include "oracle_case.h"

namespace leto::oracle {
namespace {

// Each field is an access, in the order of their declaration, and all are read before one is
// written.
TEST(Oracle, RecordsAreAccessedFieldByField) {
  Case c(R"(
      record pair { int a; real b; }
      real f(@region(r) pair p, @region(r) vector<pair> v(2)) {
          @region(r) pair q;
          q = p;
          v[1] = q;
          q.b = v[1].b;
          @region(r) vector<pair> w(2) = v;
          return w.b[0];
      })");
  c.both("p.a", 1).both("p.b", 2).both("v.a", vector({3, 4})).both("v.b", vector({5, 6}));
  const Report report = c.run();
  EXPECT_EQ(report.end, End::Done) << report.why;
  EXPECT_EQ(c.accesses(report),
            (Lines{"read p", "read p", "write q", "write q", "read q", "read q", "write v[1]",
                   "write v[1]", "read v[1].b", "write q.b", "read v", "read v", "read v", "read v",
                   "write w", "write w", "write w", "write w", "read w.b[0]"}));
  std::vector<Number> values;
  for (const Access& access : report.accesses) values.push_back(access.exact);
  EXPECT_EQ(values, (std::vector<Number>{1, 2, 1, 2, 1, 2, 1, 2, 2, 2, 3, 1, 5, 2, 3, 1, 5, 2, 5}));
}

TEST(Order, OperandsThenDivisorThenOperation) {
  Case c("real f(real x, real y) { return (x *. x) /. (y *. y); }");
  const Report done = c.both("x", 3).both("y", 2).run();
  EXPECT_EQ(done.end, End::Done);
  EXPECT_EQ(c.accesses(done), (Lines{"x *. x", "y *. y", "(x *. x) /. (y *. y)"}));
  EXPECT_EQ(done.relaxed->scalar, Number(9, 4));
  EXPECT_EQ(done.accesses[2].operands, (std::vector<Number>{9, 4}));

  const Report failed = c.relaxed("y", scalar(0)).run();
  EXPECT_EQ(failed.end, End::RelaxedFailed);
  EXPECT_EQ(c.text(failed.where), "(x *. x) /. (y *. y)");
  EXPECT_EQ(c.accesses(failed), (Lines{"x *. x", "y *. y"}));
  EXPECT_EQ(failed.original->scalar, Number(9, 4));
  EXPECT_FALSE(failed.relaxed);
}

TEST(Order, ConnectivesStopEarly) {
  Case c(R"(
      bool f(real x, real y) {
          bool a = x > 0 && y *. 1 > 0;
          bool b = x > 0 || y *. 2 > 0;
          bool c = x > 0 -> y *. 3 > 0;
          return a && b && c;
      })");
  EXPECT_EQ(c.accesses(c.both("x", 0).both("y", 1).run()), (Lines{"y *. 2"}));
  EXPECT_EQ(c.accesses(c.both("x", 1).run()), (Lines{"y *. 1", "y *. 3"}));
  EXPECT_EQ(c.run().relaxed->scalar, 1);
}

TEST(Order, RelaxedConnectivesEvaluateBoth) {
  Case c("bool f(bool x, real y) { return x &&. 1 / y > 0 ||. false ->. x; }");
  EXPECT_EQ(c.both("x", 0).both("y", 1).run().accesses.size(), 3u);
  EXPECT_EQ(c.both("y", 0).run().end, End::OriginalFailed);
}

TEST(Order, ChainsEvaluateTheMiddleOnceAndTheRestByNeed) {
  Case c("bool f(real x, real y, real z) { return x *. 1 < y *. 1 <= z *. 1; }");
  c.both("x", 1).both("y", 2).both("z", 2);
  EXPECT_EQ(c.accesses(c.run()), (Lines{"x *. 1", "y *. 1", "z *. 1"}));
  EXPECT_EQ(c.run().relaxed->scalar, 1);
  EXPECT_EQ(c.accesses(c.both("x", 2).run()), (Lines{"x *. 1", "y *. 1"}));
}

TEST(Order, IndicesThenBoundsThenRead) {
  Case c(R"(
      real f(@region(r) matrix<real> A(2, 2), @region(r) uint i, @region(r) uint j) {
          return A[i][j];
      })");
  c.both("A", matrix(2, 2, {1, 2, 3, 4})).both("i", 1).both("j", 0);
  const Report done = c.run();
  EXPECT_EQ(c.accesses(done), (Lines{"read i", "read j", "read A[i][j]"}));
  EXPECT_EQ(done.relaxed->scalar, 3);
  const Report failed = c.relaxed("i", scalar(2)).run();
  EXPECT_EQ(c.accesses(failed), (Lines{"read i", "read j"}));
  EXPECT_EQ(failed.end, End::RelaxedFailed);
  EXPECT_EQ(c.text(failed.where), "A[i][j]");
}

TEST(Order, CallsTestArgumentsThenSizesThenRequirements) {
  Case c(R"(
      requires n > 100
      void g(uint n, vector<real> v(n), uint m) {}
      void f(int n, int m, vector<real> v(2)) { g(n, v, m); }
  )");
  c.both("v", vector({1, 2}));
  EXPECT_EQ(c.both("n", 1).both("m", -2).run().why, "a negative value for a uint");
  const Report sizes = c.both("m", 2).run();
  EXPECT_EQ(sizes.why, "a vector of another size than the parameter has");
  EXPECT_TRUE(sizes.violated.empty());
  const Report wrong = c.both("n", 2).run();
  EXPECT_EQ(wrong.end, End::Done);
  EXPECT_EQ(c.violated(wrong),
            (Lines{"requires n > 100 (original)", "requires n > 100 (relaxed)"}));
  EXPECT_TRUE(wrong.violated[0].original());
  EXPECT_FALSE(wrong.violated[1].original());
}

TEST(Order, CallsEvaluateAllArgumentsBeforeTheTests) {
  Case c(R"(
      void g(uint n, real x) {}
      void f(int n, real x) { g(n, x *. x); })");
  const Report report = c.apart("n", 1, -1).both("x", 1).run();
  EXPECT_EQ(report.end, End::RelaxedFailed);
  EXPECT_EQ(c.accesses(report), (Lines{"x *. x"}));
}

TEST(Order, AssignmentTestsSignThenSizesThenWrites) {
  Case c(R"(
      void f(int i) {
          @region(r) uint x;
          x = i *. 1;
      })");
  EXPECT_EQ(c.accesses(c.both("i", 2).run()), (Lines{"i *. 1", "write x"}));
  const Report failed = c.relaxed("i", scalar(-1)).run();
  EXPECT_EQ(c.accesses(failed), (Lines{"i *. 1"}));
  EXPECT_EQ(failed.why, "a negative value for a uint");

  Case d(R"(
      void f(uint n, @region(r) vector<real> v(n)) {
          @region(r) vector<real> w(2);
          w = v;
      })");
  d.both("n", 2).both("v", vector({5, 6}));
  const Report copied = d.run();
  EXPECT_EQ(d.accesses(copied), (Lines{"read v", "read v", "write w", "write w"}));
  EXPECT_EQ(copied.accesses[3].operands, (std::vector<Number>{0, 6}));
  d.relaxed("n", scalar(1)).relaxed("v", vector({5}));
  EXPECT_EQ(d.run().why, "vectors of different sizes");
  EXPECT_EQ(d.accesses(d.run()), (Lines{"read v"}));
}

TEST(Order, ElementAssignmentTestsBoundsBehindTheValueAndBeforeTheSign) {
  Case c(R"(
      void f(@region(r) int i, int x) {
          @region(r) vector<uint> v(2);
          v[i] = x *. 1;
      })");
  EXPECT_EQ(c.accesses(c.both("i", 1).both("x", 1).run()),
            (Lines{"read i", "x *. 1", "write v[i]"}));
  const Report bounds = c.relaxed("i", scalar(2)).relaxed("x", scalar(-1)).run();
  EXPECT_EQ(bounds.why, "an index is out of bounds");
  EXPECT_EQ(c.accesses(bounds), (Lines{"read i", "x *. 1"}));
  EXPECT_EQ(c.relaxed("i", scalar(0)).run().why, "a negative value for a uint");
}

TEST(Order, UpdatesReadFirst) {
  Case c(R"(
      real f(@region(r) real x, real y, int i) {
          @region(r) vector<real> v(2);
          x +=. y *. y;
          v[i] += y *. 2;
          return x + v[i];
      })");
  c.both("x", 1).both("y", 3).both("i", 0);
  const Report done = c.run();
  EXPECT_EQ(c.accesses(done), (Lines{"read x", "y *. y", "x +=. y *. y", "write x", "read v[i]",
                                     "y *. 2", "write v[i]", "read x", "read v[i]"}));
  EXPECT_EQ(done.relaxed->scalar, 16);
  const Report failed = c.relaxed("i", scalar(2)).run();
  EXPECT_EQ(failed.why, "an index is out of bounds");
  EXPECT_EQ(c.accesses(failed).back(), "write x");
}

TEST(Order, UpdatesTestTheDivisor) {
  Case c("int f(int x, int y) { x %= y; x /= y; return x; }");
  EXPECT_EQ(c.both("x", 7).both("y", 0).run().why, "division by zero");
  EXPECT_EQ(c.both("y", -3).run().relaxed->scalar, 0);
}

TEST(Order, StepsAreExactUpdates) {
  Case c("uint f(@region(r) uint x) { ++x; --x; --x; return x; }");
  const Report done = c.both("x", 1).run();
  EXPECT_EQ(done.relaxed->scalar, 0);
  EXPECT_EQ(c.accesses(done),
            (Lines{"read x", "write x", "read x", "write x", "read x", "write x", "read x"}));
  EXPECT_EQ(c.both("x", 0).run().why, "a negative value for a uint");
}

TEST(Order, DeclarationsTakeSizesThenTheValueThenWrite) {
  Case c(R"(
      void f(int n, int m, real x) {
          matrix<real> A(n, m);
          @region(r) real y = x *. x;
          @region(r) real z;
      })");
  const Report done = c.both("n", 1).both("m", 2).both("x", 3).run();
  EXPECT_EQ(c.accesses(done), (Lines{"x *. x", "write y"}));
  EXPECT_EQ(done.accesses[1].operands, (std::vector<Number>{0, 9}));
  const Report failed = c.relaxed("m", scalar(-1)).run();
  EXPECT_EQ(failed.why, "a negative size");
  EXPECT_EQ(c.text(failed.where), "m");

  Case d(R"(
      void f(int n, vector<real> v(2)) {
          vector<real> w(n) = v;
      })");
  EXPECT_EQ(d.both("v", vector({1, 2})).both("n", 2).run().end, End::Done);
  EXPECT_EQ(d.both("n", 3).run().why, "vectors of different sizes");
  EXPECT_EQ(d.both("n", -3).run().why, "a negative size");
}

TEST(Order, WhatHasNoValueIsZero) {
  Case c(R"(
      real f() {
          real x, y = 2;
          bool b;
          vector<real> v(2);
          if (!b && v[0] == 0 && v[1] == 0) { return x + y; }
          return 7;
      })");
  EXPECT_EQ(c.run().relaxed->scalar, 2);
}

TEST(Order, ReturnTestsTheSign) {
  Case c("uint f(int x) { return x *. 1; }");
  const Report failed = c.apart("x", 1, -1).run();
  EXPECT_EQ(failed.why, "a negative value for a uint");
  EXPECT_EQ(c.accesses(failed), (Lines{"x *. 1"}));
  EXPECT_EQ(c.both("x", 3).run().original->scalar, 3);
}

TEST(Order, ConditionsComeBeforeBranches) {
  Case c(R"(
      void f(real x) {
          if (x *. 1 > 0) { x = x *. 2; } else { x = x *. 3; }
          while (x *. 4 > 0) { x = x -. 5; }
      })");
  EXPECT_EQ(c.accesses(c.both("x", 1).run()),
            (Lines{"x *. 1", "x *. 2", "x *. 4", "x -. 5", "x *. 4"}));
  EXPECT_EQ(c.accesses(c.both("x", 0).run()), (Lines{"x *. 1", "x *. 3", "x *. 4"}));
}

TEST(Order, ForDoesInitTestBodyStep) {
  Case c(R"(
      void f(real x) {
          for (x = x *. 1; x *. 2 < 4; x = x +. 1) {
              real y = x *. 3;
          }
      })");
  EXPECT_EQ(c.accesses(c.both("x", 1).run()),
            (Lines{"x *. 1", "x *. 2", "x *. 3", "x +. 1", "x *. 2"}));
}

TEST(Order, RepeatDoesItsBlockSoOften) {
  Case c(R"(
      const int none = 0 - 3;
      const uint twice = 2;
      real f(real x) {
          repeat none { x = x *. 7; }
          repeat twice { x = x *. 2; }
          repeat 1 { x = x *. 3; }
          return x;
      })");
  const Report report = c.both("x", 1).run();
  EXPECT_EQ(c.accesses(report), (Lines{"x *. 2", "x *. 2", "x *. 3"}));
  EXPECT_EQ(report.relaxed->scalar, 12);
}

TEST(Order, TryChecksThenRecovers) {
  Case c(R"(
      real f(real x) {
          real y = 0;
          try { y = x *. 1; } check (y *. 2 > 2) recover { y = x *. 3; }
          return y;
      })");
  const Report report = c.both("x", 1).run();
  EXPECT_EQ(c.accesses(report), (Lines{"x *. 1", "y *. 2", "x *. 3"}));
  EXPECT_EQ(report.relaxed->scalar, 3);
  EXPECT_EQ(c.accesses(c.both("x", 2).run()), (Lines{"x *. 1", "y *. 2"}));
}

TEST(Order, RedoChecksAfterEachButTheLast) {
  Case c(R"(
      uint f(uint enough) {
          uint tries = 0;
          try { ++tries; } check (tries >= enough && 1 *. 1 == 1) recover redo(3);
          return tries;
      })");
  EXPECT_EQ(c.both("enough", 1).run().relaxed->scalar, 1);
  EXPECT_EQ(c.both("enough", 3).run().relaxed->scalar, 3);
  const Report never = c.both("enough", 9).run();
  EXPECT_EQ(never.relaxed->scalar, 4);
  EXPECT_EQ(c.both("enough", 4).run().accesses.size(), 0u);  // no check behind the last one
}

TEST(Order, StateIsReadWhenEvaluationComesToIt) {
  Case c(R"(
      model m {
          bool hit = false;
          operator *(real a, real b) modifies hit ensures hit && result == a * b;
      }
      use model m;
      bool f(real x) {
          bool before = model.hit || x *. x < 0;
          bool after = x *. x > 0 && model.hit;
          return !before && after;
      })");
  const Decision hit{0, 4, {{"hit", 1}}};
  const Report report = c.both("x", 2).run({hit, hit});
  EXPECT_EQ(report.end, End::Done);
  EXPECT_EQ(report.relaxed->scalar, 1);
  EXPECT_EQ(report.original->scalar, 0);  // its copy changes only by assignment
}

}  // namespace
}  // namespace leto::oracle
