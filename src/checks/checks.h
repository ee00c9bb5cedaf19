// The front door of `checks`: what is known of a program's recovery blocks: proved, or declared;
// never assumed. Which proofs a bound may rest on is decided here and nowhere else.
#pragma once

#include <map>
#include <set>

#include "prove/prove.h"
#include "reliability/bounds.h"

namespace leto::checks {

// What is to be feared of a check or of a recovery, and a run that shows it, if there is one that
// was executed.
struct Doubt {
  std::string text;
  bool passes_wrong = false;  // of a check; else it fails what is right
  bool undecided = false;     // nothing speaks against it: a solver, or the time, has given up
  std::vector<std::pair<std::string, std::string>> inputs = {};  // names and values
  std::vector<std::pair<std::string, std::string>> told = {};    // the same with records as such
  struct Fault {
    Span at;
    std::string what, outcome, exact;
  };
  std::vector<Fault> faults = {};
  [[nodiscard]] bool shown() const { return !inputs.empty() || !faults.empty(); }
};

// By index of the program's recoveries.
struct Recoveries {
  std::map<std::size_t, reliability::Known> known;
  // The same if all that is undecided were proved: what fails even so does fail.
  std::map<std::size_t, reliability::Known> at_best;
  std::map<std::size_t, Doubt> checks, mendings;  // of which nothing is proved
  std::map<std::size_t, vcgen::Trusted> trusted;  // of the original run, in its proofs
  std::set<std::size_t> in_vain;                  // declared to be what a run shows it is not
  // Of bounds on what a problem calls right; why it is not known, in the order of right.cpp.
  std::map<reliability::ClauseKey, reliability::KnownRight> right, right_at_best;
  std::map<reliability::ClauseKey, std::vector<Doubt>> right_doubts;
  std::map<reliability::ClauseKey, vcgen::Trusted> right_trusted;
};

struct RecoverySettings {
  std::size_t steps = 200'000;           // statements that are walked for one proof
  const Allowance* allowance = nullptr;  // what is not known when it is spent is undecided
  Trap trap = Trap::None;                // for the test of unsound rules only
  bool examples = true;                  // look for runs that show what is to be feared
  bool recovery_rule = true;             // else blocks are branches like others
  std::set<std::size_t> in_vain = {};    // recoveries whose declared rates a run has refuted
};

// Of each block: that its check is perfect, else its rates as they are declared; and that its
// `recover` puts right what `try` may have spoilt. With all that such proofs rest on: what the
// model says of itself, and the contracts of functions that are called. What is the same is proved
// once.
[[nodiscard]] Recoveries prove_recoveries(const core::Program& program, prove::Engine& engine,
                                          const RecoverySettings& settings = {});

// Whether a function bears so many faults, for what a clause of it names; see fault_budget.h.
struct WithinBudget {
  std::uint64_t faults = 0;
  bool proved = false, undecided = false;
  std::string why_not = {};
};
// Of each bound that would hold if it were so.
[[nodiscard]] std::map<reliability::ClauseKey, WithinBudget> prove_budgets(
    const core::Program& program, const std::vector<reliability::Bound>& bounds,
    prove::Engine& engine, const RecoverySettings& settings = {});

}  // namespace leto::checks
