// The bounds of a program's reliability clauses: whether they hold, given what is known of its
// recoveries.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reliability/reliability.h"

namespace leto::reliability {

enum class Verdict : std::uint8_t {
  Holds,
  Fails,
  Undecided,  // it would hold if what a solver gave up on were proved
};

// One bound, and what was found.
struct Bound {
  core::FunctionId function;
  const core::ReliabilityClause* clause;
  Analysis analysis;
  Verdict verdict = Verdict::Fails;
  std::string missing = {};  // parameters that the clause does not name
  std::string unshown = {};  // a function whose clause is used and does not hold
  [[nodiscard]] bool holds() const { return verdict == Verdict::Holds; }
};

[[nodiscard]] Bound decide(const core::Program& program, core::FunctionId function,
                           const core::ReliabilityClause& clause, const Options& options);

// All bounds. One that rests on a function's clause holds only if that does.
[[nodiscard]] std::vector<Bound> decide_all(const core::Program& program, const Options& options);
// The same; those that do not hold, but do if all that is undecided is so, are undecided.
// `at_best`: what would be known of recoveries then.
[[nodiscard]] std::vector<Bound> decide_all(
    const core::Program& program, const Options& options,
    const std::map<std::size_t, Known>& at_best,
    const std::map<ClauseKey, KnownRight>& right_at_best = {});
[[nodiscard]] bool all_hold(const std::vector<Bound>& bounds);

}  // namespace leto::reliability
