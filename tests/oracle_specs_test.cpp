// The oracle against what docs/language.md says of types, specifications, properties and constants.
#include "oracle_case.h"

namespace leto::oracle {
namespace {

// Whether a specification of one run holds for a function with these parameters.
End assertion(const std::string& claim) {
  Case c("void f(uint n, vector<int> v(n), int x, real y, vector<bool> b(n)) { assert " + claim +
         "; }");
  c.both("n", 3).both("v", vector({4, 5, 6})).both("x", -7).both("y", Number(1, 2));
  return c.both("b", vector({1, 1, 1})).run().end;
}

TEST(Specifications, WhatWouldFailIsZero) {
  EXPECT_EQ(assertion("v[n] == 0 && v[0 - 1] == 0 && v[2] == 6"), End::Done);
  EXPECT_EQ(assertion("x / 0 == 0 && x % 0 == 0 && y / 0 == 0"), End::Done);
  EXPECT_EQ(assertion("b[2] && !b[3]"), End::Done);
  EXPECT_EQ(assertion("v[n] == 1"), End::OriginalFailed);
  EXPECT_EQ(assertion("!(false && 1 / 0 == 1) && (true || v[n] == 3) && (false -> v[n] == 3)"),
            End::Done);
}

TEST(Specifications, ArithmeticGoesByTypes) {
  EXPECT_EQ(assertion("x / 2 == 0 - 4 && x % 2 == 1 && x / (0 - 2) == 4 && x % (0 - 2) == 1"),
            End::Done);
  EXPECT_EQ(assertion("n / 2 == 1 && n / 2.0 == 1.5 && y / 2 == 0.25 && 1 / 2 == 0"), End::Done);
  EXPECT_EQ(assertion("abs(x) == 7 && min(x, n) == x && max(y, 1) == 1 && max(x, x) == x"),
            End::Done);
  EXPECT_EQ(assertion("1e-3 == 0.001 && 1.5e2 == 150 && 2 - 3 == 0 - 1 && -x == 7"), End::Done);
  EXPECT_EQ(assertion("abs(x) / 2 == 3 && min(n, 7) / 2 == 1 && max(y, 3) / 2 == 1.5"), End::Done);
  EXPECT_EQ(assertion("(n - 4) / 2 == 0 - 1 && (n + n) / 4 == 1"), End::Done);
}

TEST(Specifications, VectorsCompareBySizeAndElements) {
  EXPECT_EQ(assertion("v == v && !(v != v)"), End::Done);
  Case c(R"(
      bool f(uint n, vector<real> v(n), uint m, vector<real> w(m)) {
          assert_r eq(v) && v<o> == v<r> && w<o> != w<r> && !eq(w);
          return v == w;
      })");
  c.both("n", 2).both("v", vector({1, 2})).apart("m", 2, 3);
  c.original("w", vector({1, 2})).relaxed("w", vector({1, 2, 3}));
  const Report report = c.run();
  EXPECT_EQ(c.violated(report), Lines{});
  EXPECT_EQ(report.original->scalar, 1);
  EXPECT_EQ(report.relaxed->scalar, 0);
}

// Of records by their fields, in the run that is meant.
TEST(Specifications, RecordsAreArguments) {
  Case c(R"(
      record pair { int a; int b; }
      property above(pair p, pair q): p.a > q.a && p.b < q.b;
      property all_above(uint n, vector<pair> v, pair q): forall(uint i)(i < n -> above(v[i], q));
      property_r apart(pair p): p<o>.a == p<r>.a && p<o>.b < p<r>.b && p<o> != p<r> && !eq(p);
      define int weighted(pair p): 10 * p.a + p.b;
      define int last(uint n, vector<pair> v): weighted(v[n - 1]);
      requires p.a > 0 ensures weighted(p) > p.b lemma heavy(pair p) {}
      ensures result == p.b pure int second(pair p) { return p.b; }
      void f(pair p, vector<pair> v(2)) {
          pair q = p;
          q.a = 0;
          q.b = 9;
          assert above(p, q) && all_above(2, v, q) && !above(q, v[0]);
          assert weighted(p) == 10 * p.a + p.b && last(2, v) == 52;
          assert second(v[0]) == 3 && second(p) == p.b;
          assert_r apart(p);
          heavy(p);
          heavy(v[1]);
      })");
  c.both("p.a", 4).apart("p.b", 1, 2).both("v.a", vector({4, 5})).both("v.b", vector({3, 2}));
  const Report report = c.run();
  EXPECT_EQ(report.end, End::Done) << report.why;
  EXPECT_EQ(c.violated(report), Lines{});
  EXPECT_FALSE(c.violated(c.both("p.b", 1).run()).empty());
}

TEST(Quantifiers, WithFiniteRanges) {
  EXPECT_EQ(assertion("forall(uint i)(i < n -> v[i] == 4 + i)"), End::Done);
  EXPECT_EQ(assertion("forall(uint i, uint j)(i < j < n -> v[i] < v[j])"), End::Done);
  EXPECT_EQ(assertion("forall(uint i)(forall(uint j)(i < j && j < n -> v[i] < v[j]))"), End::Done);
  EXPECT_EQ(assertion("exists(uint i)(i < n && v[i] == 6) && !exists(uint i)(i < n && v[i] == 7)"),
            End::Done);
  EXPECT_EQ(assertion("forall(int k)(x <= k <= n - 1 -> k < 3) && forall(bool c)(c || !c)"),
            End::Done);
  EXPECT_EQ(assertion("forall(int k)(2 * k + 1 > 9 || k < 0 || k <= 4)"), End::Done);
  EXPECT_EQ(assertion("forall(int k)(0 <= k && !(k > 1) -> k * k == k)"), End::Done);
  EXPECT_EQ(assertion("exists(int k)(k == x && k < 0) && exists(real r)(r == y && 2 * r == 1)"),
            End::Done);
  EXPECT_EQ(assertion("forall(uint i)(i < 0 -> false) && !exists(uint i)(i < 0)"), End::Done);
  EXPECT_EQ(assertion("exists(uint i)(i < n && forall(uint j)(j < n -> v[i] <= v[j]))"), End::Done);
  EXPECT_EQ(assertion("forall(uint i)(i < n -> v[i] == 4)"), End::OriginalFailed);
}

TEST(Quantifiers, WithoutAFiniteRangeAreUndecidable) {
  EXPECT_EQ(assertion("forall(int k)(k < 3 -> v[k] < 9)"), End::Undecidable);
  EXPECT_EQ(assertion("exists(real r)(0 < r < 1)"), End::Undecidable);
  EXPECT_EQ(assertion("forall(uint i)(v[i] == 0)"), End::Undecidable);
  EXPECT_EQ(assertion("forall(uint i)(i < 1e9 -> v[i] < 9)"), End::Undecidable);
}

TEST(Properties, PutArgumentsInPlaceOfParameters) {
  Case c(R"(
      const real i = 40;
      property half(real x, real y): x / 2 == y;
      property within(int k, uint n): 0 <= k < n;
      property sorted(vector<int> v, uint n):
          forall(uint i, uint j)(i < j && within(j, n) -> v[i] <= v[j]);
      property_r close(vector<int> v, uint n, real bound):
          forall(uint i)(i < n<r> -> abs(v<o>[i] - v<r>[i]) < bound);
      property_r same(real x): eq(x);
      property_r both(vector<int> v, uint n, real x): close(v, n, 2) && same(x) && sorted(v<r>, n<r>);
      property_r at_most(real a, real b): a <= b;
      void f(uint n, vector<int> v(n), real i_real, uint j) {
          assert sorted(v, n) && half(j, 1.5) && i == 40;
          assert_r close(v, n, 2) && close(v, n - 1, 1) && !close(v, n, 1);
          assert_r sorted(v<o>, n<o>) && both(v, n, i_real + j) && !same(v[n - 1]);
          assert_r at_most(v<o>[2], v<r>[2]) && !at_most(v<r>[2], v<o>[2]);
          assert_r eq(half(j, 1.5)) && forall(uint k)(k < n<r> -> at_most(v<o>[k], v<r>[k]));
      })");
  c.both("n", 3).original("v", vector({1, 2, 3})).relaxed("v", vector({1, 2, 4}));
  const Report report = c.both("i_real", 1).both("j", 3).run();
  EXPECT_EQ(report.end, End::Done) << report.why << c.text(report.where);
  EXPECT_EQ(c.violated(report), Lines{});
}

TEST(Properties, NameVariablesOnlyWhereTheyUseThem) {
  Case c(R"(
      property_r first(real a, real b): a > 0;
      property_r either(real x): x<o> > 0 || x<r> > 0;
      property_r relaxed_first(real x): x<r> > 0 || x<o> > 0;
      void f(bool b) {
          if (b) {
              real z = 1;
              assert_r first(z<r>, z<o>);
              assert_r either(z);
              assert_r relaxed_first(z);
          }
      })");
  const Report report = c.apart("b", 0, 1).run();
  EXPECT_EQ(c.violated(report), (Lines{"assert_r either(z); (relaxed)"}));
}

TEST(Constants, OfTheProgram) {
  Case c(R"(
      model m { const real eps; const real twice = 2 * eps; }
      use model m;
      const real half = limit / 2;
      const real limit = 2 * model.twice;
      const uint n;
      requires n > 3 && limit >= model.eps;
      requires forall(uint k)(k < n -> k + 1 <= n);
      requires x <= model.twice
      real f(real x) { return half + limit + model.eps + n; })");
  c.both("x", 0).constant("eps", 1).constant("n", 4);
  const Report report = c.run();
  EXPECT_EQ(report.end, End::Done) << report.why;
  EXPECT_EQ(report.relaxed->scalar, 11);
  EXPECT_EQ(c.constant("n", 3).run().end, End::BadInput);
  EXPECT_EQ(c.constant("n", 4).both("x", 3).run().end, End::BadInput);
  EXPECT_EQ(c.both("x", 0).constant("n", -4).run().end, End::BadInput);
}

TEST(Inputs, MustFitTheParameters) {
  Case c("void f(uint n, vector<real> v(n)) {}");
  c.both("n", 2);
  EXPECT_EQ(c.run().end, End::BadInput);
  EXPECT_EQ(c.both("v", vector({1})).run().end, End::BadInput);
  EXPECT_EQ(c.both("v", vector({1, 2})).run().end, End::Done);
  EXPECT_EQ(c.apart("n", 2, Number(1, 2)).run().end, End::BadInput);
  EXPECT_EQ(c.apart("n", 2, 1).relaxed("v", vector({1})).run().end, End::Done);
}

TEST(Functions, ReturnVectors) {
  Case c(R"(
      vector<real> g(uint n) { vector<real> w(n); w[0] = 3; return w; }
      real f(uint n) {
          vector<real> v(2);
          v = g(n);
          return v[0];
      })");
  EXPECT_EQ(c.both("n", 2).run().relaxed->scalar, 3);
  EXPECT_EQ(c.both("n", 3).run().why, "vectors of different sizes");
}

// The example of docs/language.md that says what a wrong claim is.
TEST(Examples, ZHasNoValueInTheOriginal) {
  for (const bool holds : {true, false}) {
    Case c(std::string(R"(
        model seu {
            const real eps;
            bool upset = false;
            operator *(real a, real b) ensures result == a * b;
            operator *(real a, real b) when !upset modifies upset
                ensures upset && a * b - eps < result < a * b + eps;
        }
        use model seu;
        requires_r eq(*)
        void f(real x) {
            real y = x *. x;
            if (y > 1) {
                real z = 2;)") +
           (holds ? "assert_r z<r> == 2;" : "assert_r eq(z);") + "} }");
    const Report report =
        c.both("x", 1).constant("eps", 1).run({{1, Number(3, 2), {{"upset", 1}}}});
    EXPECT_EQ(report.end, End::Done) << report.why;
    EXPECT_EQ(report.violated.empty(), holds);
  }
}

}  // namespace
}  // namespace leto::oracle
