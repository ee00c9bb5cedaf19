#include "inject/inject.h"

#include <gtest/gtest.h>

namespace leto::inject {

// Expected values from the formula in exact arithmetic, rounded.
TEST(Wilson, Intervals) {
  EXPECT_NEAR(wilson(0, 100).high, 0.036994, 1e-5);
  EXPECT_EQ(wilson(0, 100).low, 0);
  EXPECT_NEAR(wilson(50, 100).low, 0.403832, 1e-5);
  EXPECT_NEAR(wilson(50, 100).high, 0.596168, 1e-5);
  EXPECT_EQ(wilson(100, 100).high, 1);
  EXPECT_EQ(wilson(0, 0).high, 1);
}

TEST(Classes, ByHowARunEnds) {
  interp::Outcome o;
  EXPECT_EQ(classify(o), Class::Masked);
  o.original = interp::Value{1, nullptr};
  o.relaxed = interp::Value{2, nullptr};
  EXPECT_EQ(classify(o), Class::Acceptable);
  o.violations.push_back({interp::ViolationKind::AssertR, {}, {}});
  EXPECT_EQ(classify(o), Class::Corruption);
  o.end = interp::End::AssertFailed;
  EXPECT_EQ(classify(o), Class::Detected);
  o.end = interp::End::Stuck;
  EXPECT_EQ(classify(o), Class::Failed);
  o.end = interp::End::Hung;
  EXPECT_EQ(classify(o), Class::Hung);
  o.end = interp::End::OriginalFailed;
  EXPECT_EQ(classify(o), Class::Void);
}

}  // namespace leto::inject
