// What is left out stops nothing. In each system of the second kind the naive rule, by which what
// the claim does not mention is left out, would find runs that there are not.
#include "transition/cone.h"

#include <gtest/gtest.h>

#include "transition/portfolio.h"
#include "transition/test_systems.h"

namespace leto::transition {

namespace {

using test::system_of;

std::optional<Cone> cone_of(const System& system, const std::vector<Term>& facts = {}) {
  const Allowance allowance;
  Slice slice{10};
  return find_cone(system, 0, facts, slice, 1000, allowance);
}
System counting(const std::string& initial, const std::string& step, const std::string& rest) {
  return system_of("((x Int) (y Int) (b Bool))", initial, step, rest);
}
Decision decided(const System& system) {
  const Allowance allowance;
  Means means;
  means.cpu_seconds = 2;
  means.engines = {"k-induction", "bounded-search"};
  return decide(system, 0, means, allowance, [](const std::string&) {});
}

TEST(Cone, LeavesOutWhatNothingReads) {
  const System system =
      counting("(and (= x 0) (= y 7) (not b))",
               "(or (and (= x' (+ x 1)) (= y' (+ y x)) b') (and (= x' x) (= y' (- y 3)) (not b')))",
               "(query T (< x 2))");
  const auto cone = cone_of(system);
  ASSERT_TRUE(cone.has_value());
  EXPECT_EQ(cone->kept, (std::vector<std::size_t>{0}));
  EXPECT_EQ(find_fault(cone->system), std::nullopt);
  // The run that is shown has values for them, and it is replayed with them.
  const Decision broken = decided(system);
  EXPECT_EQ(broken.verdict, Verdict::Invalid);
  EXPECT_EQ(broken.trace->states[0].size(), 3u);
  EXPECT_EQ(broken.trace->states[0][1].number, 7);
  EXPECT_TRUE(broken.dismissed.empty());
}

TEST(Cone, LeavesOutBoundsThatAreKept) {
  const System system = counting("(and (= x 0) (= y 0))", "(and (= x' (+ x 1)) (= y' (ite b 1 0)))",
                                 "(assume T (and (<= 0 y) (< y 2)))(query T (<= 0 x))");
  const auto cone = cone_of(system);
  ASSERT_TRUE(cone.has_value());
  EXPECT_EQ(cone->kept, (std::vector<std::size_t>{0}));
  EXPECT_EQ(decided(system).verdict, Verdict::Valid);
}

TEST(Cone, KeepsWhatCanStopARun) {
  const char* const start = "(and (= x 0) (= y 0))";
  const std::string both = "(= x' (+ x 1)) (= y' (+ y 1))";
  for (const System& system :
       {// A condition of a step, of both, of one alternative.
        counting(start, "(and " + both + " (< y 3))", "(query T (< x 5))"),
        counting(start, "(or (and " + both + " (< y 3)) (and (= x' x) (= y' y)))",
                 "(query T (< x 5))"),
        // A condition on what comes out of it.
        counting(start, "(and " + both + " (< y' 3))", "(query T (< x 5))"),
        // Two values at once.
        counting(start, "(and " + both + " (= y' 1))", "(query T (< x 5))"),
        // What is assumed.
        counting(start, "(and " + both + ")", "(assume T (< y 3))(query T (< x 5))"),
        counting(start, "(and " + both + ")",
                 "(assume T (or (< y 3) b))(assume T (not b))(query T (< x 5))"),
        // Through another variable.
        counting(start, "(and (= x' (ite b x (+ x 1))) (= y' (+ y 1)) (= b' (< y 3)))",
                 "(query T (< x 99))")})
    if (const auto cone = cone_of(system)) {
      EXPECT_NE(cone->kept, (std::vector<std::size_t>{0})) << "y is needed";
    }
  const System stopped = counting(start, "(and " + both + " (< y 3))", "(query T (< x 5))");
  EXPECT_NE(decided(stopped).verdict, Verdict::Invalid);
  const System assumed =
      counting(start, "(and " + both + ")", "(assume T (< y 3))(query T (< x 5))");
  EXPECT_NE(decided(assumed).verdict, Verdict::Invalid);
}

TEST(Cone, KeepsABeginningThatThereIsNot) {
  const System none = counting("(and (= x 0) (= y 5))", "(and (= x' x) (= y' 1))",
                               "(assume T (< y 3))(query T (= x 1))");
  EXPECT_FALSE(cone_of(none).has_value());
  EXPECT_EQ(decided(none).verdict, Verdict::Vacuous);
}

TEST(Cone, KeepsWhatFactsSpeakOf) {
  const System system = counting("(and (= x 0) (= y 0))", "(and (= x' (+ x 1)) (= y' (+ y 1)))",
                                 "(query T (<= 0 x))");
  TermTable& t = *system.terms;
  ASSERT_TRUE(cone_of(system).has_value());
  const auto with = cone_of(system, {t.le(t.integer(0), system.variables[1].now)});
  ASSERT_TRUE(with.has_value()) << "b is not needed";
  EXPECT_EQ(with->kept, (std::vector<std::size_t>{0, 1}));
}

}  // namespace

}  // namespace leto::transition
