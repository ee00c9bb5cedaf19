#include "fixpoint/fixpoint.h"

#include <gtest/gtest.h>

#include <sstream>

#include "fixpoint/print.h"
#include "fixpoint/test_bench.h"

namespace leto::fixpoint {
namespace {

// Two counters in step: their difference is what has to be found.
const char* const kInStep = R"(; state |x| |x'|
; state |y| |y'|
; input |i|
(declare-const |x| Int)(declare-const |x'| Int)
(declare-const |y| Int)(declare-const |y'| Int)(declare-const |i| Bool)
(define-fun init () Bool (and (= x 0) (= y 0)))
(define-fun trans () Bool (and (= |x'| (ite i (+ x 1) x)) (= |y'| (ite i (+ y 1) y))))
(define-fun claim () Bool (<= x y))
(define-fun facts () Bool true)
)";

std::string with(std::string text, const std::string& what, const std::string& other) {
  return text.replace(text.find(what), what.size(), other);
}

class Each : public testing::TestWithParam<Engine> {};
INSTANTIATE_TEST_SUITE_P(Engines, Each,
                         testing::Values(Engine::Pdr, Engine::PdKind, Engine::Spacer,
                                         Engine::SpacerNormalised));

TEST_P(Each, FindsWhatTheClaimNeeds) {
  const Told told = tell(kInStep, {GetParam()});
  ASSERT_EQ(told.verdict, "valid") << told.text;
  EXPECT_TRUE(is_certificate(kInStep, told)) << told.text;
}

TEST_P(Each, SaysThatAClaimIsBroken) {
  const Told told = tell(with(kInStep, "(<= x y)", "(< x 5)"), {GetParam()});
  EXPECT_EQ(told.verdict, "invalid") << told.text;
  // Spacer does not say how far away.
  EXPECT_TRUE(told.rest == "5" || told.rest.empty()) << told.rest;
}

// The claim fails at once, holds for nothing, or needs no step.
TEST_P(Each, AnswersWhatIsOddToo) {
  EXPECT_EQ(tell(with(kInStep, "(<= x y)", "(< x 0)"), {GetParam()}).verdict, "invalid");
  EXPECT_EQ(tell(with(kInStep, "(<= x y)", "false"), {GetParam()}).verdict, "invalid");
  for (const auto& [what, other] :
       {std::pair("(<= x y)", "true"), std::pair("(and (= x 0) (= y 0))", "false")}) {
    const std::string text = with(kInStep, what, other);
    const Told told = tell(text, {GetParam()});
    EXPECT_EQ(told.verdict, "valid") << told.text;
    EXPECT_TRUE(is_certificate(text, told)) << told.text;
  }
}

// x counts on, and the facts say that it stays at 0: what rests on the facts says so.
TEST_P(Each, SaysWhatFactsItRestsOn) {
  const std::string text =
      with(with(kInStep, "(<= x y)", "(< x 2)"), "facts () Bool true", "facts () Bool (= x 0)");
  const Told told = tell(text, {GetParam()});
  ASSERT_EQ(told.verdict, "valid") << told.text;
  const Certificate certificate = check_certificate(text, told);
  EXPECT_TRUE(certificate.initial && certificate.sufficient) << told.text;
  // The fact is wrong, and nobody but the certificate knows.
  EXPECT_FALSE(certificate.inductive);
}

// What the claim reads and no step does, and what is written and never read.
TEST_P(Each, KeepsWhatOnlyTheClaimReads) {
  const std::string text = R"(; state x |x'|
; state w |w'|
; state u |u'|
(declare-const x Int)(declare-const |x'| Int)(declare-const w Int)(declare-const |w'| Int)
(declare-const u Int)(declare-const |u'| Int)
(define-fun init () Bool (and (= x 0) (= w 0)))
(define-fun trans () Bool (and (= |x'| (+ x 1)) (= |w'| x) (= |u'| (+ x 7))))
(define-fun claim () Bool CLAIM)
(define-fun facts () Bool true)
)";
  const std::string holds = with(text, "CLAIM", "(<= w x)");
  const Told told = tell(holds, {GetParam()});
  ASSERT_EQ(told.verdict, "valid") << told.text;
  EXPECT_TRUE(is_certificate(holds, told)) << told.text;
  EXPECT_EQ(tell(with(text, "CLAIM", "(< w 3)"), {GetParam()}).verdict, "invalid");
}

// Values that are reached late, and more of them than are counted.
TEST_P(Each, CountsValuesToTheEnd) {
  const std::string text = R"(; state x |x'|
; state y |y'|
(declare-const x Int)(declare-const |x'| Int)(declare-const y Int)(declare-const |y'| Int)
(define-fun init () Bool (and (= x 0) (= y 0)))
(define-fun trans () Bool (and (= |x'| (ite (< x LAST) (+ x 1) x)) (= |y'| x)))
(define-fun claim () Bool (< y LAST))
(define-fun facts () Bool true)
)";
  for (const char* last : {"3", "7", "8", "9"}) {
    const std::string here = with(with(text, "LAST", last), "LAST", last);
    EXPECT_EQ(tell(here, {GetParam()}).verdict, "invalid") << last;
    const std::string longer =
        with(here, std::string("(< y ") + last, std::string("(<= y ") + last);
    const Told told = tell(longer, {GetParam()});
    ASSERT_EQ(told.verdict, "valid") << told.text;
    EXPECT_TRUE(is_certificate(longer, told)) << told.text;
  }
}

TEST_P(Each, RefusesWhatItDoesNotUnderstand) {
  for (const std::string& text :
       {std::string(), std::string("garbage"), std::string("; state x\n"),
        std::string("; state x x\n"), std::string("; nothing x\n"), std::string("; state |x\n"),
        with(kInStep, "; input |i|", "; input |x|"), with(kInStep, "; input |i|", "; input init"),
        with(kInStep, "; input |i|\n", ""), with(kInStep, "(<= x y)", "(<= x |y'|)"),
        with(kInStep, "(<= x y)", "(<= x q)"), with(kInStep, "(<= x y)", "(+ x y)"),
        with(kInStep, "(<= x y)", "(forall ((q Int)) (<= x (+ y (* q q))))"),
        with(kInStep, "(define-fun facts", "(assert (= x 0))(define-fun facts"),
        with(kInStep, "(define-fun facts", "(define-fun others"),
        with(kInStep, "|x'| Int", "|x'| Real"), with(kInStep, "(<= x y)", "(<= x y"),
        with(kInStep, "(= x 0)",
             "(= ((as const (Array Int Int)) 0) ((as const (Array Int Int)) x))")})
    EXPECT_EQ(tell(text, {GetParam()}).verdict, "unknown") << text;
}

// A clock that is set anew before its deadline, and a flag that says whether it runs.
const char* const kClock = R"(; state on |on'|
; state clock |clock'|
; state most |most'|
(declare-const on Bool)(declare-const |on'| Bool)
(declare-const clock Real)(declare-const |clock'| Real)
(declare-const most Real)(declare-const |most'| Real)
(define-fun init () Bool (and (not on) (= clock 0.0) (>= most 10.0)))
(define-fun trans () Bool (and (= |most'| most) (or
  (and (not on) |on'| (= |clock'| 0.0))
  (and on |on'| (> |clock'| clock) (<= |clock'| most) (< |clock'| 20.0))
  (and on (not |on'|) (= |clock'| 0.0)))))
(define-fun claim () Bool (and (=> (not on) (= clock 0.0)) (< clock 20.0)))
(define-fun facts () Bool true)
)";

TEST(Seeds, BoundWhatAGuardSays) {
  const Told told = tell(kClock, {Engine::Seeds});
  ASSERT_EQ(told.verdict, "valid") << told.text;
  EXPECT_TRUE(is_certificate(kClock, told)) << told.text;
}

// The invariant is the bounds of where runs begin: no clause of literals that lead to the claim's
// breach has them.
TEST(Seeds, AreBoundsOfTheBeginning) {
  const std::string text = R"(; state x |x'|
; state y |y'|
(declare-const x Real)(declare-const |x'| Real)(declare-const y Real)(declare-const |y'| Real)
(define-fun init () Bool (and (<= 0.0 x) (<= x 1.0) (<= 0.0 y) (<= y 1.0)))
(define-fun trans () Bool (and (= |x'| (+ (* 0.6 x) (* 0.4 y))) (= |y'| (+ (* 0.3 x) (* 0.7 y)))))
(define-fun claim () Bool (<= (+ x (* 3.0 y)) 4.5))
(define-fun facts () Bool true)
)";
  const Told told = tell(text, {Engine::Seeds});
  ASSERT_EQ(told.verdict, "valid") << told.text;
  EXPECT_TRUE(is_certificate(text, told)) << told.text;
}

TEST(Seeds, AreWeakenedWrongly) {
  const std::string broken =
      with(kClock, "(< clock 20.0)))\n(define-fun facts", "(< clock 15.0)))\n(define-fun facts");
  EXPECT_EQ(tell(broken, {Engine::Seeds}).verdict, "unknown");
  Options options{Engine::Seeds};
  options.mutant = Mutant::SeedOffByOne;
  const Told told = tell(broken, options);
  ASSERT_EQ(told.verdict, "valid") << told.text;
  EXPECT_FALSE(is_certificate(broken, told)) << told.text;
}

TEST(Bits, AreForSpacerAlone) {
  const std::string text = R"(; state x |x'|
(declare-const x (_ BitVec 4))(declare-const |x'| (_ BitVec 4))
(define-fun init () Bool (= x #x0))
(define-fun trans () Bool (= |x'| (bvadd x #x2)))
(define-fun claim () Bool (not (= x #x5)))
(define-fun facts () Bool true)
)";
  EXPECT_EQ(tell(text, {Engine::Pdr}).verdict, "unknown");
  EXPECT_EQ(tell(text, {Engine::PdKind}).verdict, "unknown");
  const Told told = tell(text, {Engine::Spacer});
  ASSERT_EQ(told.verdict, "valid") << told.text;
  EXPECT_TRUE(is_certificate(text, told)) << told.text;
}

// 60 doublings by `let`: 2^60 terms, were they written out.
TEST(Sharing, CostsOnce) {
  std::string shared = "(let ((d0 x)) ";
  for (int i = 0; i < 60; ++i)
    shared += "(let ((d" + std::to_string(i + 1) + " (+ d" + std::to_string(i) + " d" +
              std::to_string(i) + "))) ";
  shared += "(>= d60 0)" + std::string(61, ')');
  const std::string text = with(kInStep, "facts () Bool true", "facts () Bool " + shared);
  const Told told = tell(text, {Engine::Pdr});
  ASSERT_EQ(told.verdict, "valid") << told.text;
  EXPECT_LT(told.text.size(), 20000U);
  EXPECT_TRUE(is_certificate(text, told)) << told.text;
}

TEST(Printing, IsReadAgainAsTheSame) {
  z3::context context;
  for (const char* term :
       {"(<= (- x (/ 1.0 3.0)) (* (- 2.5) y))", "(=> b (xor b (= x y)))",
        "(let ((s (+ x y))) (and (<= s 1.0) (or b (>= (+ s s) 0.0))))",
        "(distinct x y (ite b x (- y)))", "(= ((_ extract 3 1) v) (_ bv5 3))",
        "(bvult ((_ zero_extend 2) v) #b000101)", "(= (to_real n) (+ x (to_real (mod n 3))))"}) {
    const auto read = [&](const std::string& text) {
      return context.parse_string(
          ("(declare-const x Real)(declare-const y Real)(declare-const b Bool)"
           "(declare-const v (_ BitVec 4))(declare-const n Int)(assert " +
           text + ")")
              .c_str())[0];
    };
    const z3::expr given = read(term);
    z3::solver solver(context);
    solver.add(given != read(printed(given)));
    EXPECT_EQ(solver.check(), z3::unsat) << printed(given);
  }
  EXPECT_EQ(printed_symbol("x!1"), "x!1");
  EXPECT_EQ(printed_symbol("a[1]"), "|a[1]|");
  EXPECT_THROW((void)printed_symbol("proxy|1"), GiveUp);
}

}  // namespace
}  // namespace leto::fixpoint
