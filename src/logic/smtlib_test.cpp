// Values as solvers write them. Whole questions are tested where they are asked.
#include "logic/smtlib.h"

#include <gtest/gtest.h>

namespace leto::logic {

TEST(Readable, NumbersAsPeopleWriteThem) {
  EXPECT_EQ(readable("7.0"), "7");
  EXPECT_EQ(readable("(- 3)"), "-3");
  EXPECT_EQ(readable("(/ 1.0 2.0)"), "1/2");
  EXPECT_EQ(readable("(- (/ 1.0 2.0))"), "-1/2");
  EXPECT_EQ(readable("(/ (- 1.0) 2.0)"), "-1/2");
  EXPECT_EQ(readable("(root-obj x 1)"), "(root-obj x 1)");
}

// However deep: a solver that has lost its way must not take us with it.
TEST(Readable, WhatIsNestedDeeplyIsLeftAsItIs) {
  std::string value;
  for (int i = 0; i < 200'000; ++i) value += "(- ";
  EXPECT_EQ(readable(value + "1" + std::string(200'000, ')')).substr(0, 8), "-----(- ");
}

}  // namespace leto::logic
