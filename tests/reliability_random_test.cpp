// Bounds against the truth, on random programs: what is proved is never more than the exact chance,
// which is found by running every combination of faults. And the test has teeth: for each rule that
// was once wrong, or could be, it is made wrong on purpose (Trap), and a program must turn up for
// which too much is then proved.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <iostream>

#include "reliability_programs.h"
#include "reliability_support.h"

namespace leto::tests {

using reliability::Chance;

namespace {

unsigned wanted_programs(unsigned usual) {
  const char* wanted = std::getenv("LETO_TEST_PROGRAMS");
  return wanted == nullptr ? usual : static_cast<unsigned>(std::stoul(wanted));
}

constexpr unsigned kSites = 7;
const std::vector<std::vector<std::int64_t>> kInputs = {{2, 3}, {1, 1}, {-1, 2}, {0, -2}};

// What a search over programs saw.
struct Tally {
  unsigned programs = 0, bounded = 0, lossy = 0, recovered = 0, again = 0, proved = 0, declared = 0,
           tight = 0, compared = 0;
};

class Search {
 public:
  explicit Search(Trap trap) : trap_(trap) {}

  // What is wrong with this program's bound; empty if nothing is.
  std::string violation(unsigned seed) {
    const MadeProgram made = make_program(seed, kSites);
    const Loaded l(made.whole());
    EXPECT_TRUE(l.problem.empty()) << l.problem;
    if (!l.problem.empty()) return "";
    ++tally.programs;
    options_ = proofs_.options(l.program, trap_);
    const interp::Machine machine(l.program);
    std::string wrong;
    for (const std::vector<std::int64_t>& values : kInputs)
      for (std::uint64_t seeded = 0; seeded < kStrategies && wrong.empty(); ++seeded)
        wrong = compare(l, machine, !made.probe.empty(), values, {seeded});
    return wrong.empty() ? "" : wrong + "\n" + made.whole();
  }

  Tally tally;

 private:
  // With the rates that checks have on these inputs.
  std::string compare(const Loaded& l, const interp::Machine& machine, bool probes,
                      const std::vector<std::int64_t>& values, Strategy strategy) {
    if (probes && !measure(l, machine, values, strategy)) return "";
    const std::optional<driver::Bound> bound = decide(l);
    if (!bound) return "";
    const interp::Inputs inputs = same_inputs(machine, l.last(), values);
    const std::optional<Odds> odds = find_odds(machine, l.last(), inputs, strategy);
    if (!odds) return "";
    EXPECT_EQ(odds->all, 1);
    ++tally.compared;
    const Chance& chance = bound->analysis.before.chance;
    const mpq_class right = 1 - odds->wrong;
    tally.tight += chance.low() == right ? 1 : 0;
    if (chance.low() <= right) return "";
    return fmt::format("proved {}, but it is {} for inputs {}, {} and faults of kind {}",
                       chance.text(), right.get_d(), values[0], values[1], strategy.seed);
  }

  std::optional<driver::Bound> decide(const Loaded& l) {
    const std::vector<driver::Bound> all = driver::decide_all(l.program, options_);
    const driver::Bound& last = all.back();
    if (!last.analysis.problems.empty() || !last.unshown.empty()) return std::nullopt;
    ++tally.bounded;
    tally.lossy += last.analysis.before.chance == reliability::certain() ? 0 : 1;
    tally.recovered += last.analysis.recoveries.empty() ? 0 : 1;
    for (std::size_t i : last.analysis.recoveries) {
      const reliability::Known& known = options_.recoveries.at(i);
      tally.again += known.mending == reliability::Known::Mending::Again ? 1 : 0;
      tally.proved += known.mending == reliability::Known::Mending::Proved ? 1 : 0;
      tally.declared += known.check_proved ? 0 : 1;
    }
    return last;
  }

  // How often the check fails what is right and passes what is wrong, on these inputs and with
  // these faults. That is what it is then declared to do.
  bool measure(const Loaded& l, const interp::Machine& machine,
               const std::vector<std::int64_t>& values, Strategy strategy) {
    const core::FunctionId probe = l.called("probe");
    mpq_class right, right_failed, wrong, wrong_passed;
    const auto watch = [&](const interp::Outcome& o, const mpq_class& p) {
      if (o.end != interp::End::Done) return;
      const bool passed = o.relaxed->array->elements[0].truth();
      bool same = true;
      for (std::size_t i = 1; i < o.relaxed->array->elements.size(); ++i)
        same = same && o.relaxed->array->elements[i] == o.original->array->elements[i];
      (same ? right : wrong) += p;
      if (same && !passed) right_failed += p;
      if (!same && passed) wrong_passed += p;
    };
    if (!find_odds(machine, probe, same_inputs(machine, probe, values), strategy, watch))
      return false;
    for (auto& [i, known] : options_.recoveries)
      if (known.declared)
        known.declared = reliability::Known::Declared{
            right == 0 ? reliability::certain() : Chance(mpq_class(right_failed / right)),
            wrong == 0 ? reliability::certain() : Chance(mpq_class(wrong_passed / wrong))};
    return true;
  }

  Trap trap_;
  Proofs proofs_;
  reliability::Options options_;
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
  for (unsigned seed = 0; seed < programs; ++seed)
    if (const std::string wrong = search.violation(seed); !wrong.empty())
      ADD_FAILURE() << "seed " << seed << ": " << wrong;
  const Tally& t = search.tally;
  std::cout << fmt::format(
      "{} programs, {} comparisons; bounds {}, with loss {}, exactly what there is {}; with "
      "recovery {}: again {}, proved {}, "
      "declared {}\n",
      t.programs, t.compared, t.bounded, t.lossy, t.tight, t.recovered, t.again, t.proved,
      t.declared);
  // Enough of everything, or nothing was tried.
  EXPECT_GT(t.compared, 4 * programs);
  EXPECT_GT(t.lossy, 2 * programs);
  EXPECT_GT(t.again, programs / 4);
  EXPECT_GT(t.proved, programs / 4);
  EXPECT_GT(t.declared, programs / 8);
  EXPECT_GT(t.tight, programs / 2);
}

TEST(Random, EveryTrapIsFound) {
  const char* only = std::getenv("LETO_TEST_TRAP");
  for (const Named& one : kTraps) {
    if (one.trap < Trap::RecoverNotCompared || one.trap == Trap::SolveKeepsChecks) continue;
    if (only != nullptr && std::string(only) != one.name) continue;
    const auto start = std::chrono::steady_clock::now();
    Search search(one.trap);
    unsigned seed = 0;
    while (seed < 3000 && search.violation(seed).empty()) ++seed;
    EXPECT_LT(seed, 3000u) << one.name << " was not found";
    std::cout << fmt::format(
        "{:<26} found after {} programs, {:.1f} s\n", one.name, seed + 1,
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
