// Bounds by counting faults: what is proved to bear k faults, and how many sites there are. Each
// bound is compared with the truth, found by running every combination of faults.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "reliability/budget.h"
#include "reliability_compare.h"
#include "reliability_programs.h"
#include "reliability_shorthand.h"
#include "workbench/bounding.h"

namespace leto::tests {

namespace {

// `reliability 0 <= ..` in the text asks for what bearing so many faults would give.
std::string asking_for(std::string text, std::uint64_t faults) {
  const Loaded l(text);
  EXPECT_EQ(l.problem, "") << text;
  for (std::uint32_t i = 0; i < l.program.functions.size(); ++i) {
    const core::FunctionId id{i};
    for (const core::ReliabilityClause& clause : l.program.functions[id].reliability) {
      if (clause.number != "0") continue;
      const std::string number =
          reliability::at_most_struck(faults, reliability::find_exposure(l.program, id, {}))
              .text(30);
      return text.replace(text.find("reliability 0 "), 13, "reliability " + number);
    }
  }
  ADD_FAILURE() << text;
  return text;
}

struct CountedFor {
  bool holds = false, by_counting = false;
  std::string chance, why_not;
  std::vector<std::string> problems = {};
};
CountedFor count_for(const std::string& text) {
  const Loaded l(text);
  EXPECT_EQ(l.problem, "") << text;
  const auto examined = workbench::examine(l.program, true, {}, proofs().engine());
  const reliability::Bound& b = examined.bounds.at(0);
  CountedFor out{b.holds(), b.counting && b.counting->done, b.analysis.before.chance.text(12), ""};
  if (b.counting)
    for (const auto& problem : b.counting->exposure.problems) out.problems.push_back(problem.text);
  if (!examined.budgets.empty()) out.why_not = examined.budgets.begin()->second.why_not;
  return out;
}

// It bears so many faults, and that is no more than the truth.
void bears(std::uint64_t faults, const std::string& text) {
  const std::string asked = asking_for(text, faults);
  const CountedFor d = count_for(asked);
  EXPECT_TRUE(d.holds && d.by_counting) << d.why_not << "\n" << asked;
  EXPECT_EQ(Comparison(proofs().engine(), Trap::None).violation(asked, false), "") << asked;
}
// It does not, and the mistake would have said so: more than the truth.
void does_not_bear(std::uint64_t faults, const std::string& text, Trap trap = Trap::None) {
  const std::string asked = asking_for(text, faults);
  const CountedFor d = count_for(asked);
  EXPECT_FALSE(d.by_counting) << asked;
  EXPECT_NE(d.why_not, "") << asked;
  if (trap == Trap::None) return;
  EXPECT_EQ(Comparison(proofs().engine(), Trap::None).violation(asked, false), "") << asked;
  EXPECT_NE(Comparison(proofs().engine(), trap).violation(asked, false), "") << asked;
}
// Whether the mistake proves it.
bool is_proved_with(Trap trap, const std::string& asked) {
  const Loaded l(asked);
  checks::RecoverySettings settings;
  settings.trap = trap;
  const auto shown = checks::prove_budgets(l.program, reliability::decide_all(l.program, {}),
                                           proofs().engine(), settings);
  return shown.size() == 1 && shown.begin()->second.proved;
}
void is_not_counted(const std::string& text, const std::string& why) {
  const CountedFor d = count_for(text);
  EXPECT_FALSE(d.holds) << text;
  ASSERT_FALSE(d.problems.empty()) << text;
  EXPECT_NE(d.problems[0].find(why), std::string::npos) << d.problems[0];
}

const char* const kVote = "int out = b;\nif (a == b || a == c) { out = a; }\n";
std::string three_times(const std::string& vote = kVote) {
  return "reliability 0 <= R(result)\nint f(int x, int y) {\n"
         "int a = x *. y;\nint b = x *. y;\nint c = x *. y;\n" +
         vote + "return out;\n}\n";
}
std::string model_of(const std::string& inside) {
  return "model own { const real p = 0.125; int hits = 0;\n" + inside + "}\nuse model own;\n";
}
const char* const kProducts =
    "operator *(int a, int b) ensures result == a * b;\n"
    "@label(w) @rate(p) operator *(int a, int b) ensures true;\n";

}  // namespace

TEST(Budget, ThreeTimesBearsOneFault) {
  bears(1, model("0.125") + three_times());
  does_not_bear(2, model("0.125") + three_times());
}

// 1 - 3 p^2 (1 - p) - p^3 for p = 0.001, where the rules for statements give (1 - p)^3.
TEST(Budget, IsBetterThanOneOperation) {
  std::string text = model("0.001") + three_times();
  text.replace(text.find("reliability 0 "), 13, "reliability 0.99999");
  const CountedFor d = count_for(text);
  EXPECT_TRUE(d.holds && d.by_counting);
  EXPECT_EQ(d.chance, "0.999997002");
}

TEST(Budget, AVoteThatIsWrongBearsNothing) {
  does_not_bear(1,
                model("0.125") + three_times("int out = c;\nif (a == b || b == c) { out = a; }\n"));
  does_not_bear(1,
                model("0.125") + three_times("int out = a;\nif (a == b && b == c) { out = c; }\n"));
}

// Sites in the vote count, and can be struck.
TEST(Budget, AVoteCanBeStruck) {
  does_not_bear(1, model("0.125") + three_times("int out = b;\nif (a -. b == 0) { out = a; }\n"));
}

// The loop has three sites each time: of those of one iteration only, eight are forgotten.
TEST(Budget, SitesOfAllIterationsCount) {
  const std::string loop =
      model("0.125") +
      "reliability 0 <= R(result)\nint f(int x) {\nint s = 0;\n"
      "for (uint i = 0; i < 2; ++i) {\nint a = x *. 2;\nint b = x *. 2;\nint c = x *. 2;\n"
      "if (a == b || a == c) { s = s + a; } else { s = s + b; }\n}\nreturn s;\n}\n";
  bears(1, loop);
  const std::string asked = asking_for(loop, 1);
  EXPECT_NE(asked.find("reliability 0.833"), std::string::npos) << asked;  // of 6 sites, not 3
  EXPECT_NE(Comparison(proofs().engine(), Trap::SitesOfOneAttempt).violation(asked, false), "");
}

TEST(Budget, WhatIsRequiredBoundsLoops) {
  const auto loop = [](const std::string& clause, const std::string& bound = "n") {
    return model("0.125") + clause + "reliability 0 <= R(result)\nint f(uint n, int x) {\n" +
           "int s = 0;\nfor (uint i = 0; i < " + bound +
           "; ++i) {\nint a = x *. 2;\nint b = x *. 2;\nint c = x *. 2;\n"
           "if (a == b || a == c) { s = s + a; } else { s = s + b; }\n}\nreturn s;\n}\n";
  };
  bears(1, loop("requires n <= 2\n"));
  bears(1, loop("requires n == 2 && x > 0\n"));
  const auto asking = [&](const std::string& text) {
    std::string one = text;
    return one.replace(one.find("reliability 0 "), 13, "reliability 0.5");
  };
  for (const char* none : {"", "requires n >= 2\n", "requires_r n<o> <= 2\n", "requires x <= 2\n"})
    is_not_counted(asking(loop(none)), "how often this loop is done is not known");
  is_not_counted(asking(loop("requires n <= 2\n", "n + 1")), "how often this loop is done");
}

// A counter that a fault can set, or that may start below 0, bounds nothing.
TEST(Budget, OnlyWhatSurelyCountsBoundsLoops) {
  const auto loop = [](const std::string& begin, const std::string& step) {
    return model("0.125") + "reliability 0.5 <= R(result)\nint f(int x) {\nint s = 0;\n" + begin +
           "while (i < 3) {\ns = s *. 1;\n" + step + "}\nreturn s;\n}\n";
  };
  for (const auto& [begin, step] : std::vector<std::pair<std::string, std::string>>{

           {"int i = x;\n", "i = i + 1;\n"},
           {"uint i = 0;\n", "if (x > 0) { i = i + 1; }\n"},
           {"uint i = 0;\n", "i = i + 1;\nif (s == 7) { i = 0; }\n"}})
    is_not_counted(loop(begin, step), "how often this loop is done is not known");
}

TEST(Budget, ACounterThatIsStruckBoundsNothing) {
  is_not_counted(model_of(std::string(kProducts) +
                          "operator +(uint a, uint b) ensures result == a + b;\n"
                          "@label(v) @rate(p) operator +(uint a, uint b) ensures true;\n") +
                     "reliability 0.5 <= R(result)\nint f(int x) {\nint s = 0;\nuint i = 0;\n"
                     "while (i < 3) {\ns = s *. 1;\ni = i +. 1;\n}\nreturn s;\n}\n",
                 "how often this loop is done is not known");
}

// The program says that there have been faults enough; nobody told the hardware.
TEST(Budget, IsNotTheProgramsToSet) {
  does_not_bear(1,
                model_of(kProducts) +
                    "reliability 0 <= R(result)\nint f(int x, int y) {\nmodel.hits = 5;\n"
                    "int a = x *. y;\nint b = a *. 1;\nreturn b;\n}\n",
                Trap::BudgetIsState);
}

// What has no rate may happen any number of times.
TEST(Budget, WhatHasNoRateStaysFree) {
  const std::string often = "@label(often) operator *(int a, int b) ensures result == a * b + 1;\n";
  const std::string text = model_of(kProducts + often) + three_times();
  does_not_bear(1, text);
  EXPECT_FALSE(is_proved_with(Trap::None, asking_for(text, 1)));
  EXPECT_TRUE(is_proved_with(Trap::UnratedIsCounted, asking_for(text, 1)));
}

// Two faults of one operation, each with its rate: the sum counts.
TEST(Budget, RatesOfOneOperationAddUp) {
  const std::string text =
      model_of(std::string(kProducts) +
               "@label(v) @rate(0.25) operator *(int a, int b) ensures result == a * b + 1;\n") +
      three_times();
  bears(1, text);
  EXPECT_NE(asking_for(text, 1).find("reliability 0.68359375"), std::string::npos)
      << asking_for(text, 1);  // of 3/8, and not 1/8: 0.957
}

// Where it is called it counts with its sites, however little its contract says.
TEST(Budget, CalleesHaveSites) {
  bears(1, model("0.125") +
               "int twice(int x) { return x *. 2; }\n"
               "reliability 0 <= R(result)\nint f(int x) {\nint a = twice(x);\nint b = twice(x);\n"
               "int c = twice(x);\n" +
               kVote + "return out;\n}\n");
  is_not_counted(model("0.125") +
                     "ensures result >= 0 || result < 0\nint down(int x) { if (x <= 0) { return 0; "
                     "} return down(x - 1) +. 1; }\n"
                     "reliability 0.5 <= R(result)\nint f(int x) { return down(x); }\n",
                 "calls itself");
  is_not_counted(model("0.125") +
                     "reliability result >= 0.9 * R(x)\nextern int g(int x);\n"
                     "reliability 0.99 <= R(result)\nint f(int x) { return g(x *. 2); }\n",
                 "declared of its result");
}

// A run that does it by itself need not keep to what is required of a pair.
TEST(Budget, WhatACalleeRequiresBoundsNothing) {
  is_not_counted(model("0.125") +
                     "requires n <= 2\nint many(uint n, int x) {\nint s = 0;\n"
                     "for (uint i = 0; i < n; ++i) { s = s +. x; }\nreturn s;\n}\n"
                     "reliability 0.5 <= R(result)\nint f(int x) { return many(2, x); }\n",
                 "how often this loop is done is not known");
}

// Of a function that is called, what it requires would have to be shown where it is.
TEST(Budget, WhoIsCalledRequiresNothing) {
  const auto text = [](const std::string& clause) {
    return model("0.125") + clause +
           "reliability result >= 0.9 * R(x, y)\nint g(int x, int y) {\n"
           "int a = x *. y;\nint b = x *. y;\nint c = x *. y;\n" +
           kVote +
           "return out;\n}\nreliability 0.9 <= R(result)\nint f(int x) { return g(x, x); }\n";
  };
  EXPECT_TRUE(count_for(text("")).by_counting);
  is_not_counted(text("requires x > 0\n"), "is called");
}

// Parameters that the clause does not name have to be right too.
TEST(Budget, AllParametersCount) {
  const std::string text = model("0.125") +
                           "reliability result >= 0.9 * R(x)\nint f(int x, int y) {\n"
                           "int a = x *. 2;\nint b = x *. 2;\nint c = x *. 2;\n" +
                           kVote + "return out;\n}\n";
  EXPECT_FALSE(count_for(text).holds);
}

// What contradicts itself proves nothing; nor does what is taken for granted.
TEST(Budget, NothingIsProvedForNoReason) {
  const auto text = [](const std::string& clause, const std::string& begin) {
    return model("0.125") + clause + "reliability 0 <= R(result)\nint f(int x, int y) {\n" + begin +
           "int a = x *. y;\nint b = a *. 1;\nreturn b;\n}\n";
  };
  does_not_bear(1, text("requires x > 0 && x < 0\n", ""));
  does_not_bear(1, text("", "assume x > 0 && x < 0;\n"));
  does_not_bear(1, text("", "assert x > 0;\n"));
}

// What is declared of a function that nobody sees may be impossible for some arguments.
TEST(Budget, NothingRestsOnDeclarations) {
  does_not_bear(1, model("0.125") +
                       "ensures result > x && (x > 2 -> result < x)\npure extern int k(int x);\n"
                       "reliability 0 <= R(result)\nint f(int x, int y) {\nint z = k(y);\n"
                       "int a = x *. y;\nint b = x *. y;\nint c = x *. y;\n"
                       "if (y > 2) { return a; }\n" +
                       kVote + "return out;\n}\n");
}

// Solved for a rate, counting goes on.
TEST(Budget, RatesCanBeSolvedFor) {
  std::string text = model("0.001") + three_times();
  text.replace(text.find("reliability 0 "), 13, "reliability 0.99999");
  const Loaded l(text);
  const auto examined = workbench::examine(l.program, true, {}, proofs().engine());
  checks::RateSearch search(l.program, examined.options, proofs().engine(), {});
  core::VarId rate;
  for (const core::ConstantVar& c : l.program.constants)
    if (l.program.vars[c.var].name == "model.p") rate = c.var;
  const auto most = search.largest(rate, [&](const Options& with) {
    return reliability::all_hold(reliability::decide_all(l.program, with));
  });
  EXPECT_EQ(most, "0.001826854");
}

// Random programs with recoveries, right ones and wrong ones: what bears one fault, or two, is
// never more than there is.
TEST(Budget, OfRandomProgramsIsNeverMoreThanThereIs) {
  Comparison comparison(proofs().engine(), Trap::None);
  for (unsigned seed = 0; seed < 60; ++seed) {
    const MadeProgram made = make_program(seed, 7);
    if (!made.probe.empty()) continue;
    const std::string asked = asking_for(made.whole(), 1 + seed % 2);
    EXPECT_EQ(comparison.violation(asked, false), "") << "seed " << seed;
  }
  std::cout << fmt::format("{} proofs asked for, {} done\n", comparison.tally.asked_for_budgets,
                           comparison.tally.within_budgets);
  EXPECT_GT(comparison.tally.within_budgets, 2u);
  EXPECT_GT(comparison.tally.asked_for_budgets, comparison.tally.within_budgets);
}

}  // namespace leto::tests
