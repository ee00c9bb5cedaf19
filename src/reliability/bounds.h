// The bounds of a program's reliability clauses: whether they hold, given what is known of its
// recoveries.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reliability/budget.h"

namespace leto::reliability {

enum class Verdict : std::uint8_t {
  Holds,
  Fails,
  Undecided,  // it would hold if what a solver gave up on were proved
};

// One bound, and what was found.
struct Bound {
  // Of one that does not hold by the rules for statements: what counting faults would take.
  struct Counting {
    Exposure exposure;
    std::optional<std::uint64_t> faults;  // that have to be borne
    bool done = false;                    // they are, and that is why the bound holds
  };
  core::FunctionId function;
  const core::ReliabilityClause* clause;
  Analysis analysis;
  Verdict verdict = Verdict::Fails;
  std::string missing = {};  // parameters that the clause does not name
  std::optional<Counting> counting = {};
  std::string unshown = {};  // a function whose clause is used and does not hold
  [[nodiscard]] bool holds() const { return verdict == Verdict::Holds; }
};

[[nodiscard]] ClauseKey clause_of(const core::Program& program, const Bound& bound);

[[nodiscard]] Bound decide(const core::Program& program, core::FunctionId function,
                           const core::ReliabilityClause& clause, const Options& options);

// All bounds. One that rests on a function's clause holds only if that does.
[[nodiscard]] std::vector<Bound> decide_all(const core::Program& program, const Options& options);
// The same; those that do not hold, but do if all that is undecided is so, are undecided.
// `at_best`: with what would be known then.
[[nodiscard]] std::vector<Bound> decide_all(const core::Program& program, const Options& options,
                                            const Options& at_best);
[[nodiscard]] bool all_hold(const std::vector<Bound>& bounds);

}  // namespace leto::reliability
