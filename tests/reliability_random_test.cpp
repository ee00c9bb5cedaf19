// Bounds against the truth, on random programs: what is proved is never more than the exact chance.
// And the test has teeth: for each rule that was once wrong, or could be, it is made wrong on
// purpose (Trap), and a program must turn up for which too much is then proved.
//
// LETO_TEST_PROGRAMS: how many programs. LETO_TEST_TRAP: one trap only. LETO_TEST_FROM_START: look
// for traps from program 0 on.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>

#include "reliability_compare.h"
#include "reliability_programs.h"

namespace leto::tests {

namespace {

unsigned wanted_programs(unsigned usual) {
  const char* wanted = std::getenv("LETO_TEST_PROGRAMS");
  return wanted == nullptr ? usual : static_cast<unsigned>(std::stoul(wanted));
}

constexpr unsigned kSites = 7;

class Search {
 public:
  explicit Search(Trap trap) : comparison_(proofs_.engine(), trap) {}

  // What is wrong with this program's bound; empty if nothing is.
  std::string violation(unsigned seed) {
    const MadeProgram made = make_program(seed, kSites);
    return comparison_.violation(made.whole(), !made.probe.empty());
  }
  [[nodiscard]] const ComparisonTally& tally() const { return comparison_.tally; }

 private:
  Proofs proofs_;
  Comparison comparison_;
};

struct Named {
  Trap trap;
  const char* name;
};
constexpr Named kTraps[] = {
#define LETO_TRAP(name, text) {Trap::name, text},
#include "base/traps.def"
#undef LETO_TRAP
};

}  // namespace

TEST(Random, WhatIsProvedIsNeverMoreThanThereIs) {
  const unsigned programs = wanted_programs(250);
  Search search(Trap::None);
  const auto start = std::chrono::steady_clock::now();
  for (unsigned seed = 0; seed < programs; ++seed)
    if (const std::string wrong = search.violation(seed); !wrong.empty())
      ADD_FAILURE() << "seed " << seed << ": " << wrong;
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  const ComparisonTally& t = search.tally();
  std::cout << fmt::format(
      "{} programs, {:.1f} a second; with a bound {}, less than 1 {}, with recovery {}: again {}, "
      "proved {}, "
      "declared {}; {} comparisons, exactly what there is {}; {} runs\n",
      t.programs, t.programs / taken.count(), t.bounded, t.lossy, t.recovered, t.again, t.proved,
      t.declared, t.compared, t.tight, t.runs);
  // Enough of everything, or nothing was tried.
  EXPECT_EQ(t.rejected, 0u);
  EXPECT_GT(t.compared, 4 * programs);
  EXPECT_GT(t.lossy, programs / 4);
  EXPECT_GT(t.again, programs / 25);
  EXPECT_GT(t.proved, programs / 25);
  EXPECT_GT(t.declared,
            programs / 100);  // few: most checks of programs with a probe are not usable
  EXPECT_GT(t.tight, programs / 2);
}

// Looking for each trap from program 0 on takes minutes: LETO_TEST_FROM_START does it, and prints
// where it was found. Those places stand here, so that a test of every day starts at them. Whoever
// changes the maker of programs finds them anew.
constexpr unsigned kWindow = 10;  // programs; a solver may answer a little less than it did
unsigned start_of(Trap trap) {
  static const std::map<Trap, unsigned> kStarts = {
      {Trap::CheckNotProved, 34},    {Trap::CalleeKeepsState, 160},
      {Trap::RedoForgetsState, 27},  {Trap::ElementsOnEitherPath, 31},
      {Trap::IndexIsRight, 72},      {Trap::LoopAlwaysRuns, 1177},
      {Trap::SpoiltIsRead, 91},      {Trap::RecoverAlwaysEnds, 111},
      {Trap::CheckNeedsLess, 1213},  {Trap::OriginalNeverRecovers, 3998},
      {Trap::LoopsAreNotLeft, 1518}, {Trap::TestChangesNothing, 2200},
      {Trap::RatesOfOne, 20},        {Trap::GuardedIsExact, 31},
  };
  const auto it = kStarts.find(trap);
  return it == kStarts.end() || std::getenv("LETO_TEST_FROM_START") != nullptr ? 0 : it->second;
}

TEST(Random, EveryTrapIsFound) {
  const char* only = std::getenv("LETO_TEST_TRAP");
  const bool all = std::getenv("LETO_TEST_FROM_START") != nullptr;
  const unsigned most = all ? wanted_programs(5000) : kWindow;
  for (const Named& one : kTraps) {
    // Whether '--solve' keeps proofs is for reliability_test: no bound of these programs rests on
    // it.
    if (one.trap < Trap::RecoverNotCompared || one.trap >= Trap::SolveKeepsChecks) continue;
    if (only != nullptr && std::string(only) != one.name) continue;
    const auto start = std::chrono::steady_clock::now();
    Search search(one.trap);
    unsigned tried = 0;
    std::string wrong;
    while (tried < most && wrong.empty()) wrong = search.violation(start_of(one.trap) + tried++);
    EXPECT_FALSE(wrong.empty()) << one.name << " was not found";
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::cout << fmt::format("{:<26} {} program {}, {:.1f} s\n", one.name,
                             wrong.empty() ? "NOT found up to" : "found by",
                             start_of(one.trap) + tried - 1, taken.count())
              << std::flush;
    if (only != nullptr) std::cout << wrong << "\n";
  }
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
