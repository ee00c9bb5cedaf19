// Only what a solver says in so many words is a verdict.
#include "solver/answers.h"

#include <gtest/gtest.h>

namespace leto::solver {

TEST(Answers, AVerdictIsAllThatIsSaid) {
  EXPECT_EQ(verdict_in("unsat"), Said::Unsat);
  EXPECT_EQ(verdict_in("sat"), Said::Sat);
  EXPECT_EQ(verdict_in("unknown"), Said::Unknown);
  EXPECT_EQ(verdict_in("timeout"), Said::Unknown);
  for (const char* other :
       {"", " unsat", "unsat ", "unsat\n", "unsat\nsat", "UNSAT", "unsatisfiable",
        "(error \"line 1\")\nunsat", "unsat\n(error \"line 9\")"})
    EXPECT_EQ(verdict_in(other), Said::SomethingElse) << other;
}

TEST(Answers, TheResourceCountComesOffTheEnd) {
  std::string reply = "unsat\n(:rlimit 123)\n";
  EXPECT_EQ(take_resource(reply), 123u);
  drop_line_ends(reply);
  EXPECT_EQ(reply, "unsat");
  EXPECT_EQ(take_resource(reply), 0u);
  EXPECT_EQ(reply, "unsat");
}

TEST(Answers, PartsOfLists) {
  using List = std::vector<std::string>;
  EXPECT_EQ(parts_of("(a b)"), (List{"a", "b"}));
  EXPECT_EQ(parts_of(" ( (a  1)\n(b (- 2)) )"), (List{"(a 1)", "(b (- 2))"}));
  EXPECT_EQ(parts_of("()"), List{});
  for (const char* none : {"", "a", "(a", "((a)"}) EXPECT_EQ(parts_of(none), std::nullopt) << none;
}

TEST(Answers, WhatWasTaken) {
  Answer answer;
  read_assumptions("(claimed)\n", "claimed", answer);
  EXPECT_TRUE(answer.took_claim && !answer.took_nothing);
  read_assumptions("()\n", "claimed", answer);
  EXPECT_TRUE(!answer.took_claim && answer.took_nothing);
  for (const char* other : {"", "claimed", "(claimed x)", "((claimed))", "(error \"none\")"}) {
    read_assumptions(other, "claimed", answer);
    EXPECT_FALSE(answer.took_claim || answer.took_nothing) << other;
  }
}

TEST(Answers, ValuesAreAllThereOrNone) {
  using List = std::vector<std::string>;
  EXPECT_EQ(values_in("((x 1) (y (- 2)))", 2), (List{"1", "(- 2)"}));
  EXPECT_EQ(values_in("((x 1) (y))", 2), (List{"1", ""}));
  EXPECT_EQ(values_in("((x 1))", 2), List{});
  EXPECT_EQ(values_in("(error \"no model\")", 1), List{});
}

TEST(Answers, Reasons) {
  EXPECT_EQ(reason_of_something_else("(error \"out of memory\")"), Reason::Memory);
  EXPECT_EQ(reason_of_something_else("hello"), Reason::Garbage);
  EXPECT_EQ(reason_of_unknown("(:reason-unknown \"canceled\")", false), Reason::Time);
  EXPECT_EQ(reason_of_unknown("(:reason-unknown \"canceled\")", true), Reason::Resource);
  EXPECT_EQ(reason_of_unknown("(:reason-unknown memout)", true), Reason::Memory);
  EXPECT_EQ(reason_of_unknown("(:reason-unknown incomplete)", false), Reason::Incomplete);
}

}  // namespace leto::solver
