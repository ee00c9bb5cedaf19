// The oracle against what docs/language.md says of relaxed operations, regions and models: which
// decisions are allowed and what they change.
#include "oracle_case.h"

namespace leto::oracle {
namespace {

const char* const budgeted = R"(
    model budgeted {
        const real eps;
        const uint budget = 3;
        requires eps > 0;
        uint faults = 0;
        bool armed;
        invariant faults <= budget;

        @label(exact)
        operator *(real a, real b)
            ensures result == a * b;

        @label(off)
        operator *(real a, real b)
            when armed && faults < budget
            modifies faults
            ensures faults == old(faults) + 1
            ensures a * b - eps < result < a * b + eps;

        @label(lost) @region(flash)
        write(uint dest, uint src)
            ensures dest == src || dest == old(dest);
    }
    use model budgeted;
)";

struct Budgeted : testing::Test {
  Case c{std::string(budgeted) + R"(
      requires_r eq(*)
      ensures_r abs(result<o> - result<r>) < model.eps || model.faults > 1
      real f(real x) {
          real y = x *. x;
          return y *. 1;
      })"};
  Budgeted() { c.constant("eps", 1).state("armed", 1).both("x", 2); }
};

TEST_F(Budgeted, WithoutDecisionsAllIsExact) {
  const Report report = c.run();
  EXPECT_EQ(report.end, End::Done);
  EXPECT_EQ(report.relaxed->scalar, 4);
  ASSERT_EQ(report.accesses.size(), 2u);
  EXPECT_EQ(report.accesses[0].fits, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(report.accesses[0].enabled, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(report.accesses[0].taken, (Decision{0, 4, {}}));
}

TEST_F(Budgeted, DecisionsChangeOutcomeAndState) {
  const Decision off{1, Number(9, 2), {{"faults", 1}}};
  const Report report = c.run({off});
  EXPECT_EQ(report.relaxed->scalar, Number(9, 2));
  EXPECT_EQ(report.original->scalar, 4);
  EXPECT_TRUE(report.violated.empty());
  EXPECT_TRUE(report.broken_invariants.empty());
}

TEST_F(Budgeted, DecisionsAreChecked) {
  const auto why = [&](Decision decision) {
    const Report report = c.run({std::move(decision)});
    EXPECT_EQ(report.end, End::Impossible);
    return report.why;
  };
  EXPECT_EQ(why({1, 5, {{"faults", 1}}}), "it is not what is ensured");  // eps away
  EXPECT_EQ(why({1, 4, {}}), "it is not what is ensured");               // faults must grow
  EXPECT_EQ(why({0, 4, {{"faults", 1}}}), "the specification does not modify 'faults'");
  EXPECT_EQ(why({0, 5, {}}), "it is not what is ensured");
  EXPECT_EQ(why({2, 4, {}}), "the specification is not one for this operation");
  EXPECT_EQ(why({1, 4, {{"faults", Number(1, 2)}}}),
            "the new value of 'faults' is not of its type");
  EXPECT_EQ(why({1, 4, {{"nothing", 1}}}), "there is no state variable 'nothing'");
  c.state("armed", 0);
  EXPECT_EQ(why({1, 4, {{"faults", 1}}}), "the specification is not enabled");
}

TEST_F(Budgeted, ConstantsAndStateMustBeGivenAndAsRequired) {
  EXPECT_EQ(c.constant("eps", 0).run().end, End::BadInput);
  EXPECT_EQ(c.constant("eps", 1).state("armed", 2).run().end, End::BadInput);
  EXPECT_EQ(c.state("armed", 0).relaxed("x", scalar(3)).run().end, End::BadInput);
}

TEST(Models, ProgramsAssignState) {
  Case c(std::string(budgeted) + R"(
      bool f() {
          model.armed = false;
          assert_r !model.armed;
          bool was = model.armed;
          model.faults += 2;
          ++model.faults;
          specvar uint seen = model.faults;
          assert_r seen == 3 && eq(seen) && model.budget == model.faults;
          model.faults = 9;
          return was;
      })");
  const Report report = c.constant("eps", 1).state("armed", 1).run();
  EXPECT_EQ(report.end, End::Done) << report.why;
  EXPECT_EQ(report.relaxed->scalar, 0);
  EXPECT_TRUE(report.violated.empty());
  EXPECT_EQ(report.broken_invariants.size(), 1u);
}

TEST(Models, NoSpecificationEnabledIsStuck) {
  Case c(R"(
      model m { operator *(real a, real b) when a > 0 ensures result == a * b; }
      use model m;
      real f(real x, real y) { real z = x *. 1; assert y > 0; return z; })");
  EXPECT_EQ(c.both("x", 1).both("y", 1).run().end, End::Done);
  EXPECT_EQ(c.both("x", 0).run().end, End::Stuck);
  EXPECT_EQ(c.both("y", 0).run().end, End::OriginalFailed);
}

TEST(Models, NothingThatIsEnsuredIsStuckToo) {
  Case c(R"(
      model m {
          bool hit = false;
          operator *(real a, real b) ensures result == a * b && a < 5;
          operator <(real a, real b) modifies hit ensures hit && !hit;
          operator +(real a, real b) ensures result > a + b && a < 5;
          operator -(real a, real b) ensures result == a - b;
          operator -(real a, real b) ensures a > 100;
      }
      use model m;
      void f(real x) {
          if (x == 1) { x = x *. 1; }
          if (x == 2) { if (x <. 1) {} }
          if (x == 3) { x = x +. 1; }
          if (x == 4) { x = x -. 1; }
      })");
  EXPECT_EQ(c.both("x", 1).run().end, End::Done);
  EXPECT_EQ(c.both("x", 2).run().end, End::Stuck);
  EXPECT_EQ(c.both("x", 3).run().end, End::NeedsDecision);
  EXPECT_EQ(c.run({{2, 5, {}}}).end, End::Done);
  EXPECT_EQ(c.both("x", 4).run().end, End::Done);
  EXPECT_EQ(c.run({{4, 3, {}}}).end, End::Stuck);
}

TEST(Models, WhatTheModelDoesNotMentionIsExact) {
  Case c(R"(
      model m { operator *(real a, real b) ensures true; }
      use model m;
      real f(uint n, real x) { return n *. n + x +. 1; })");
  const Report report = c.both("n", 3).both("x", 1).run();
  EXPECT_EQ(report.end, End::Done);
  EXPECT_FALSE(report.accesses[0].mentioned() || report.accesses[1].mentioned());
}

TEST(Models, OperandsAreBroughtToTheWiderType) {
  Case c(R"(
      model m {
          operator *(uint a, uint b) ensures true;
          operator *(int a, int b) ensures true;
          operator *(real a, real b) ensures true;
          operator -(uint a, uint b) ensures true;
          operator %(uint a, uint b) ensures true;
          operator -(real a) ensures true;
          operator !(bool a) ensures true;
          operator &&(bool a, bool b) ensures true;
          operator ==(real a, real b) ensures true;
      }
      use model m;
      real f(uint n, int i, real x) {
          real y = n *. 2 + n *. i + i *. x + n *. (n - 1) + n *. abs(i) + i *. min(n, 1);
          int d = n -. 1;
          d = n %. 2;
          x = -.x;
          bool b = !.(x ==. n) &&. true;
          return y;
      })");
  const Report report = c.both("n", 3).both("i", -2).both("x", 1).run();
  EXPECT_EQ(report.end, End::Done) << report.why;
  std::vector<std::size_t> used;
  for (const Access& access : report.accesses) used.push_back(access.fits.at(0));
  EXPECT_EQ(used, (std::vector<std::size_t>{0, 1, 2, 1, 0, 1, 3, 4, 5, 8, 6, 7}));
}

TEST(Models, OutcomesAreOfTheOperatorsType) {
  Case c(R"(
      model m {
          operator -(uint a, uint b) ensures true;
          operator %(uint a, uint b) ensures true;
          operator *(uint a, uint b) ensures true;
      }
      use model m;
      int f(uint n) { return n -. n + n %. 2 + n *. n; })");
  c.both("n", 3);
  EXPECT_EQ(c.run({{0, -7, {}}, {1, 1, {}}, {2, 5, {}}}).relaxed->scalar, -1);
  EXPECT_EQ(c.run({{0, -7, {}}, {1, -1, {}}}).end, End::Impossible);
  EXPECT_EQ(c.run({{0, -7, {}}, {1, 1, {}}, {2, -5, {}}}).end, End::Impossible);
  EXPECT_EQ(c.run({{0, Number(1, 2), {}}}).end, End::Impossible);
}

TEST(Models, DivisionByZeroFailsBeforeTheModelIsAsked) {
  Case c(R"(
      model m { operator /(real a, real b) ensures true; }
      use model m;
      real f(real x) { return 1 /. x; })");
  EXPECT_EQ(c.apart("x", 1, 0).run().end, End::RelaxedFailed);
  EXPECT_EQ(c.both("x", 1).run({{0, 17, {}}}).relaxed->scalar, 17);
}

const char* const memory = R"(
    model memory {
        uint reads = 0;
        @region(cell) read(uint src) ensures result == src;
        @region(cell) read(uint src) modifies reads ensures reads == old(reads) + 1;
        @region(cell) write(uint dest, uint src) ensures dest == src;
        @region(cell) write(uint dest, uint src) when dest < 5 ensures dest == old(dest);
        @region(other) write(uint dest, uint src) ensures dest == 7;
    }
    use model memory;
)";

TEST(Regions, ReadsDisturbWhatIsReadAndNotWhatIsThere) {
  Case c(std::string(memory) + R"(
      uint f(@region(cell) uint x) { uint y = x; assert x == 3; return y + x; })");
  const Report report = c.both("x", 3).run({{1, 8, {{"reads", 1}}}});
  EXPECT_EQ(report.end, End::Done) << report.why;
  EXPECT_EQ(report.relaxed->scalar, 11);
  EXPECT_EQ(c.run({{1, -8, {{"reads", 1}}}}).end, End::Impossible);
}

TEST(Regions, WritesCanBeLost) {
  Case c(std::string(memory) + R"(
      uint f(uint n) {
          @region(cell) uint x = n;
          x = 9;
          @region(other) uint y = 1;
          @region(elsewhere) uint z = 2;
          return y;
      })");
  c.both("n", 4);
  // The declaration is lost, then the place holds 0; the region `other` stores what it likes.
  const Report lost = c.run({{3, 0, {}}, {3, 0, {}}, {4, 7, {}}});
  EXPECT_EQ(lost.end, End::Done) << lost.why;
  EXPECT_EQ(lost.accesses[1].operands, (std::vector<Number>{0, 9}));
  EXPECT_EQ(lost.relaxed->scalar, 7);
  EXPECT_FALSE(lost.accesses[3].mentioned());
  // With 5 in place `when dest < 5` is false.
  EXPECT_EQ(c.both("n", 5).run({{2, 5, {}}, {3, 5, {}}}).why, "the specification is not enabled");
  EXPECT_EQ(c.run().end, End::NeedsDecision);  // `other` has nothing exact
}

TEST(Regions, WholeVectorsGoElementByElement) {
  Case c(std::string(memory) + R"(
      uint f(@region(cell) vector<uint> v(2)) {
          @region(cell) vector<uint> w(2);
          w = v;
          if (w == v) { return 1; }
          return 0;
      })");
  c.both("v", vector({1, 2}));
  const Report report = c.run({{0, 1, {}}, {1, 4, {{"reads", 1}}}, {2, 1, {}}, {3, 0, {}}});
  EXPECT_EQ(report.end, End::Done) << report.why;
  EXPECT_EQ(c.accesses(report), (Lines{"read v", "read v", "write w", "write w", "read w", "read w",
                                       "read v", "read v"}));
  EXPECT_EQ(report.accesses[3].operands, (std::vector<Number>{0, 4}));
  EXPECT_EQ(report.accesses[5].operands, (std::vector<Number>{0}));
  EXPECT_EQ(report.relaxed->scalar, 0);
}

TEST(Regions, PassingAnArgumentIsARead) {
  Case c(R"(
      uint g(@region(r) uint n, @region(r) vector<uint> v(n)) { return 0; }
      uint f(@region(r) uint n, @region(r) vector<uint> v(n)) { return g(n, v); })");
  const Report report = c.both("n", 2).both("v", vector({1, 2})).run();
  EXPECT_EQ(c.accesses(report), (Lines{"read n", "read v", "read v"}));
}

}  // namespace
}  // namespace leto::oracle
