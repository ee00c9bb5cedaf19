#include "engine/memory.h"

#include <gtest/gtest.h>

namespace leto::engine {

namespace {

solver::Answer unsat() {
  solver::Answer answer;
  answer.verdict = solver::Verdict::Unsat;
  answer.took_claim = true;
  answer.seconds = 3;
  return answer;
}

}  // namespace

TEST(Memory, KnowsWhatItWasTold) {
  Memory memory;
  const solver::Query query{"(assert a)"};
  solver::Answer answer;
  EXPECT_FALSE(memory.find("z3", query, answer));
  memory.keep("z3", query, unsat());
  ASSERT_TRUE(memory.find("z3", query, answer));
  EXPECT_EQ(answer.verdict, solver::Verdict::Unsat);
  EXPECT_TRUE(answer.took_claim);
  EXPECT_EQ(answer.seconds, 0);
}

// An answer is one to this very question, by this very solver.
TEST(Memory, KnowsNothingOfOtherQuestions) {
  Memory memory;
  memory.keep("z3", {"(assert a)"}, unsat());
  solver::Answer answer;
  EXPECT_FALSE(memory.find("cvc5", {"(assert a)"}, answer));
  EXPECT_FALSE(memory.find("z3", {"(assert b)"}, answer));
  EXPECT_FALSE(memory.find("z3", {"(assert a)", {"x"}}, answer));
  EXPECT_FALSE(memory.find("z3", {"(assert a)", {}, solver::Effort::Brief}, answer));
}

// What is unknown may be known another time.
TEST(Memory, DoesNotKeepThatNothingIsKnown) {
  Memory memory;
  const solver::Query query{"(assert a)"};
  solver::Answer answer;
  for (const solver::Reason reason :
       {solver::Reason::Time, solver::Reason::Crash, solver::Reason::Resource}) {
    solver::Answer unknown;
    unknown.reason = reason;
    memory.keep("z3", query, unknown);
    EXPECT_FALSE(memory.find("z3", query, answer));
  }
}

TEST(Memory, AsksTheOneBehindItOnce) {
  Memory behind;
  behind.keep("z3", {"(assert a)"}, unsat());
  Memory memory(&behind);
  solver::Answer answer;
  EXPECT_TRUE(memory.find("z3", {"(assert a)"}, answer));
  EXPECT_TRUE(memory.find("z3", {"(assert a)"}, answer));
  EXPECT_EQ(behind.found(), 1u);
}

}  // namespace leto::engine
