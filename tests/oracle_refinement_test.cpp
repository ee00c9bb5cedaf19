// The oracle against what docs/language.md says of refinement, of doing things again under another
// model and of external functions; and how it looks for runs by itself.
#include <set>

#include "oracle_case.h"

namespace leto::oracle {
namespace {

const char* const family = R"(
    model burst {
        const real eps;
        requires eps > 0;
        bool stuck = false;
        uint length;
        @label(exact)
        operator *(real a, real b) when !stuck || length == 0 ensures result == a * b;
        @label(burst)
        operator *(real a, real b)
            when length > 0
            modifies stuck, length
            ensures stuck && length == old(length) - 1
            ensures a * b - eps < result < a * b + eps;
    }
    model other {
        bool stuck = false;
        @label(any)
        operator *(real a, real b) modifies stuck ensures true;
    }
    model short refines burst, other {
        uint seen = 0;
        burst.length = seen + 2;
        burst.eps = 0.5;
        @label(high)
        operator *(real a, real b)
            refines burst.burst, other.any
            when length > 0
            modifies length, seen
            ensures length == old(length) - 1 && seen == old(seen) + 1
            ensures burst.stuck == old(burst.stuck) && !other.stuck
            ensures a * b <= result < a * b + eps;
        import burst.exact refines other.any;
    }
    model shorter refines short {
        import short.exact;
        import short.high;
    }
    use model short;
    real f(real x) { return x *. x; }
)";

TEST(Refinement, OperatorsAreThoseImportedAndAdded) {
  Case c(family);
  c.both("x", 2);
  const Report report = c.run({{0, Number(17, 4), {{"length", 1}, {"seen", 1}}}});
  EXPECT_EQ(report.end, End::Done) << report.why;
  EXPECT_EQ(report.accesses[0].fits.size(), 2u);
  EXPECT_EQ(c.run({{0, Number(9, 2), {{"length", 1}, {"seen", 1}}}}).end, End::Impossible);
  EXPECT_EQ(c.run({{1, 4, {}}}).end, End::Done);
}

TEST(Refinement, NamesOfTwoSuperModelsAreKeptApart) {
  Case c(family);
  const Report report =
      c.both("x", 2).run({{0, 4, {{"length", 1}, {"seen", 1}, {"burst.stuck", 0}}}});
  EXPECT_EQ(report.end, End::Done) << report.why;
  EXPECT_EQ(c.run({{0, 4, {{"length", 1}, {"seen", 1}, {"other.stuck", 1}}}}).end, End::Impossible);
  EXPECT_EQ(c.run({{0, 4, {{"length", 1}, {"seen", 1}, {"stuck", 0}}}}).end, End::Impossible);
}

TEST(Refinement, ImportsOfImports) {
  Case c(family);
  const Report report = c.under("shorter").both("x", 2).run({{1, 4, {{"length", 1}, {"seen", 1}}}});
  EXPECT_EQ(report.end, End::Done) << report.why;
  EXPECT_EQ(c.under("burst").run().end, End::BadInput);
  EXPECT_EQ(c.constant("eps", 1).state("length", 0).run().end, End::Done);
}

TEST(Recovery, RedoUnderAnotherModel) {
  Case c(R"(
      model bad { operator *(real a, real b) ensures true; }
      model careful {
          uint left = 1;
          operator *(real a, real b) ensures result == a * b;
          operator *(real a, real b) when left > 0 modifies left ensures left == old(left) - 1;
      }
      use model bad;
      real g(real x) { return x *. 1; }
      real f(real x) {
          real y = 0;
          try { y = x *. x; } check (y == x *. 2) recover redo(2) under careful;
          try { y = y *. 3; } check (false) recover redo under careful;
          return g(y);
      })");
  c.both("x", 2);
  const Decision hit{1, 9, {{"left", 0}}};
  const Report report = c.run(
      {{0, 5, {}}, {0, 4, {}}, hit, {0, 4, {}}, {0, 4, {}}, {0, 7, {}}, {0, 21, {}}, {0, 8, {}}});
  EXPECT_EQ(report.end, End::Done) << report.why;
  Lines models;
  for (const Access& access : report.accesses) models.push_back(access.model);
  EXPECT_EQ(models, (Lines{"bad", "bad", "careful", "bad", "careful", "bad", "careful", "bad"}));
  EXPECT_EQ(report.relaxed->scalar, 8);
  // Its state lasts: what was used up stays used up.
  EXPECT_EQ(c.run({{0, 5, {}}, {0, 4, {}}, hit, {0, 4, {}}, hit}).end, End::Impossible);
}

TEST(Recovery, RunsPartWhileTheyTryAgain) {
  Case c(R"(
      uint f(uint enough) {
          uint tries = 0;
          try {
              ++tries;
              assert_r tries<o> == min(tries<r>, 2);
          } check (tries >= enough) recover redo(5);
          return tries;
      })");
  const Report report = c.apart("enough", 2, 4).run();
  EXPECT_EQ(c.violated(report), Lines{});
  EXPECT_EQ(report.original->scalar, 2);
  EXPECT_EQ(report.relaxed->scalar, 4);
}

TEST(Recovery, WhatIsDoneAgainMayTryByItself) {
  Case c(R"(
      model bad { operator *(real a, real b) ensures true; }
      model good { operator *(real a, real b) ensures result == a * b; }
      model best { operator *(real a, real b) ensures result == a * b; }
      use model bad;
      void f(real x) {
          try {
              x = x *. 1;
              try { x = x *. 2; } check (x *. 3 < 0) recover redo under best;
          } check (false) recover redo under good;
      })");
  Lines models;
  for (const Access& access : c.both("x", 1).run().accesses)
    models.push_back(c.text(access.at) + " " + access.model);
  EXPECT_EQ(models, (Lines{"x *. 1 bad", "x *. 2 bad", "x *. 3 bad", "x *. 2 best", "x *. 1 good",
                           "x *. 2 good", "x *. 3 good", "x *. 2 best"}));
}

TEST(Recovery, EachRunGoesItsOwnWay) {
  Case c(R"(
      real f(bool good) {
          real y = 1;
          try { y = y + 1; } check (good) recover {
              y = y + 10;
              assert_r y<o> == 2 && y<r> == 12;
          }
          return y;
      })");
  const Report report = c.apart("good", 1, 0).run();
  EXPECT_TRUE(report.violated.empty());
  EXPECT_EQ(report.original->scalar, 2);
  EXPECT_EQ(report.relaxed->scalar, 12);
}

TEST(Externals, AreAskedAndTrusted) {
  Case c(R"(
      requires x >= 0
      ensures result >= 0
      ensures_r eq(x) -> eq(result)
      extern real root(real x);
      real f(real x) { return root(x); })");
  Number answer = 2;
  c.external([&](const std::string& name, const std::vector<Value>& arguments, bool original) {
    EXPECT_EQ(name, "root");
    EXPECT_EQ(arguments.size(), 1u);
    return scalar(original ? 2 : answer);
  });
  EXPECT_EQ(c.both("x", 4).run().relaxed->scalar, 2);
  answer = 3;
  EXPECT_EQ(c.run().end, End::Impossible);
  EXPECT_EQ(c.apart("x", 4, 9).run().relaxed->scalar, 3);
  answer = -1;
  EXPECT_EQ(c.run().end, End::Impossible);
  const Report wrong = c.apart("x", 4, -9).run();  // nothing is ensured of such a call
  EXPECT_EQ(c.violated(wrong), (Lines{"requires x >= 0 (relaxed)"}));
  EXPECT_EQ(c.external({}).run().end, End::Undecidable);
}

TEST(Exploration, TriesWhatIsAllowed) {
  Case c(R"(
      model m {
          const real eps;
          bool upset = false;
          operator *(real a, real b) ensures result == a * b;
          operator *(real a, real b)
              when !upset
              modifies upset
              ensures upset && a * b - eps < result < a * b + eps;
          operator <(real a, real b) ensures true;
      }
      use model m;
      requires_r eq(*)
      ensures_r eq(result)
      real f(real x) {
          real y = x *. x;
          if (y <. 1) { return y; }
          return y *. 1;
      })");
  c.constant("eps", 1).both("x", 2);
  std::set<std::string> results;
  std::size_t wrong = 0;
  const Exploration all = c.explore([&](const Report& report) {
    EXPECT_EQ(report.end, End::Done) << report.why;
    results.insert(report.relaxed->scalar.get_str());
    wrong += report.violated.size();
    return true;
  });
  EXPECT_TRUE(all.complete);
  EXPECT_GT(all.runs, 4u);
  EXPECT_TRUE(results.contains("4") && results.contains("9/2") && results.contains("7/2"));
  EXPECT_FALSE(results.contains("5"));
  EXPECT_GT(wrong, 0u);
  EXPECT_FALSE(c.explore([](const Report&) { return true; }, 2).complete);
}

TEST(Exploration, TakesNumbersFromTheSpecifications) {
  Case c(R"(
      model m {
          uint left = 10;
          operator *(real a, real b)
              modifies left
              ensures result == a * b + 17 && left == old(left) - 3;
      }
      use model m;
      real f(real x) { return x *. x; })");
  const Exploration all = c.both("x", 2).explore([](const Report& report) {
    EXPECT_EQ(report.relaxed->scalar, 21);
    EXPECT_EQ(report.accesses[0].taken->state, (std::map<std::string, Number>{{"left", 7}}));
    return true;
  });
  EXPECT_EQ(all.runs, 1u);
}

TEST(Exploration, VisitsSpecificationsThatNothingSatisfies) {
  Case c(R"(
      model m {
          operator *(real a, real b) ensures result == a * b;
          operator *(real a, real b) ensures a > 100;
      }
      use model m;
      real f(real x) { return x *. x; })");
  std::set<End> ends;
  (void)c.both("x", 2).explore([&](const Report& report) {
    ends.insert(report.end);
    return true;
  });
  EXPECT_EQ(ends, (std::set<End>{End::Done, End::Stuck}));
}

}  // namespace
}  // namespace leto::oracle
