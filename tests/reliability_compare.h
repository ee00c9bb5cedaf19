// Bounds against the truth: what is proved of a program is compared with the exact chance, which is
// found by running every combination of faults.
#pragma once

#include <string>
#include <vector>

#include "reliability_support.h"

namespace leto::tests {

struct ComparisonTally {
  std::uint64_t programs = 0, rejected = 0;  // not well-formed
  // Programs with a bound that was compared; with one that is less than certain; with one that
  // uses the rule for recovery, of blocks that do `try` again, that are proved to mend, and with
  // declared rates.
  std::uint64_t bounded = 0, lossy = 0, recovered = 0, again = 0, proved = 0, declared = 0;
  // Bounds that were compared, for one choice of inputs and of what faults do; and those that were
  // exactly the truth.
  std::uint64_t compared = 0, tight = 0, runs = 0;
  // Proofs that so many faults are borne: asked for, and done.
  std::uint64_t asked_for_budgets = 0, within_budgets = 0;
};

class Comparison {
 public:
  Comparison(prove::Engine& engine, Trap trap) : engine_(engine), trap_(trap) {}

  // What is wrong with a bound of this program; empty if nothing is. `probes`: it has a function
  // `probe`, by which the rates of its declared check are measured (MadeProgram). Else a bound that
  // rests on declared rates is left alone: nobody knows whether they are true.
  [[nodiscard]] std::string violation(const std::string& text, bool probes);

  ComparisonTally tally;

 private:
  using Known = reliability::Known;
  struct Case {
    const Loaded& loaded;
    const interp::Machine& machine;
    core::FunctionId function;
  };
  [[nodiscard]] std::map<std::size_t, Known> known_of(const core::Program& program, Trap trap);
  [[nodiscard]] std::map<reliability::ClauseKey, std::uint64_t> budgets_of(
      const core::Program& program);
  [[nodiscard]] bool trap_matters(const core::Program& program);
  [[nodiscard]] std::vector<reliability::Bound> bounds_of(const Case& c, bool measured) const;
  [[nodiscard]] bool says_something(const reliability::Bound& bound, bool measured) const;
  [[nodiscard]] std::string compare(const Case& c, const std::vector<reliability::Bound>& bounds,
                                    const interp::Inputs& inputs, Strategy strategy);
  [[nodiscard]] std::string compare_measured(const Case& c, const interp::Inputs& inputs,
                                             Strategy strategy);
  [[nodiscard]] std::string compare_all(const Case& c, bool probes);
  [[nodiscard]] bool measure(const Case& c, const interp::Inputs& inputs, Strategy strategy);
  void count(const std::vector<reliability::Bound>& bounds);

  prove::Engine& engine_;
  Trap trap_;
  reliability::Options options_;
  bool counted_ = false;  // this program, in the tally
};

}  // namespace leto::tests
