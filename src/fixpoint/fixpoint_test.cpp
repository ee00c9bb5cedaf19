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

TEST(Pdr, FindsWhatTheClaimNeeds) {
  const Told told = tell(kInStep, {Engine::Pdr});
  ASSERT_EQ(told.verdict, "valid") << told.text;
  EXPECT_TRUE(is_certificate(kInStep, told)) << told.text;
}

TEST(Pdr, SaysHowFarAwayABrokenClaimIs) {
  std::string text = kInStep;
  text.replace(text.find("(<= x y)"), 8, "(< x 5)");
  const Told told = tell(text, {Engine::Pdr});
  EXPECT_EQ(told.verdict, "invalid") << told.text;
  EXPECT_EQ(told.rest, "5");
}

}  // namespace
}  // namespace leto::fixpoint
