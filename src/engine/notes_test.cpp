// What is remembered while the program runs, and what is not.
#include "engine/notes.h"

#include <gtest/gtest.h>

namespace leto::engine {

using solver::Answer;
using solver::Effort;
using solver::Query;
using solver::Reason;
using solver::Verdict;

TEST(Notes, AnAnswerIsFoundForTheSameQuestionAndSolverOnly) {
  Notes notes;
  const Query query{"(assert false)"};
  Answer proved;
  proved.verdict = Verdict::Unsat;
  proved.seconds = 3;
  notes.keep("z3", query, proved);
  Answer found;
  ASSERT_TRUE(notes.find("z3", query, found));
  EXPECT_EQ(found.verdict, Verdict::Unsat);
  EXPECT_EQ(found.seconds, 0);
  EXPECT_FALSE(notes.find("cvc5", query, found));
  EXPECT_FALSE(notes.find("z3", {"(assert true)"}, found));
}

// Another time it may be answered.
TEST(Notes, WhatTheClockEndedIsAskedAgain) {
  Notes notes;
  const Query query{"(assert p)", {}, Effort::Brief};
  Answer late;
  late.reason = Reason::Time;
  notes.keep("z3", query, late);
  EXPECT_FALSE(notes.find("z3", query, late));
}

TEST(Notes, ARecordIsFoundByItsWholeKey) {
  Notes notes;
  notes.keep_record("f under m", "proved");
  EXPECT_EQ(notes.find_record("f under m"), "proved");
  EXPECT_EQ(notes.find_record("f under n"), std::nullopt);
}

}  // namespace leto::engine
