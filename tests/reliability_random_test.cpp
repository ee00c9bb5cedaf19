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
  EXPECT_GT(t.declared, programs / 50);
  EXPECT_GT(t.tight, programs / 2);
}

TEST(Random, EveryTrapIsFound) {
  const char* only = std::getenv("LETO_TEST_TRAP");
  const unsigned most = wanted_programs(3000);
  for (const Named& one : kTraps) {
    if (one.trap < Trap::RecoverNotCompared || one.trap == Trap::SolveKeepsChecks) continue;
    if (only != nullptr && std::string(only) != one.name) continue;
    const auto start = std::chrono::steady_clock::now();
    Search search(one.trap);
    unsigned seed = 0;
    std::string wrong;
    while (seed < most && (wrong = search.violation(seed)).empty()) ++seed;
    EXPECT_FALSE(wrong.empty()) << one.name << " was not found";
    std::cout
        << fmt::format(
               "{:<26} found at {}, {:.1f} s\n", one.name, seed,
               std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count())
        << std::flush;
    if (only != nullptr) std::cout << wrong << "\n";
  }
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
