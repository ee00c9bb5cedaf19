// The front door of `reliability`: how likely a result is right, if operations go wrong at known
// rates. A predicate r * R(X) says that with a chance of r or more the variables in X have the
// values of the original run, given that those that it was derived from have. It is carried
// backwards through a function, from a bound on its result to its parameters.
//
// Loops are not unrolled: the set of variables takes on only so many values, so from some
// iteration on it repeats, and the chance is multiplied by the same factor each time round.
//
// Runs that fail (an index out of bounds, an assertion) have no result: what is bounded is the
// chance that a run comes to its end with a wrong one. It is at most one minus r.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/core.h"
#include "reliability/chance.h"

namespace leto::reliability {

// How good the check of a recovery block is.
struct Checker {
  Chance false_positive, false_negative;
  std::string how;  // "proved", "declared"
};

struct Options {
  // Else a recovery block is a branch like any other.
  bool recovery_rule = true;
  // By index of the program's recoveries; of those that are not there nothing can be said but
  // that they are branches.
  std::map<std::size_t, Checker> checkers = {};
  // Values of constants instead of their own.
  std::map<core::VarId, Chance> constants = {};
  // Walk every iteration: for a test of not doing so.
  bool unroll = false;
};

struct Predicate {
  Chance chance = certain();
  std::set<core::VarId> vars;
  friend bool operator==(const Predicate&, const Predicate&) = default;
};

// Something that keeps a bound from being derived, or makes it worthless.
struct Problem {
  Span at;
  std::string text;
  friend bool operator==(const Problem&, const Problem&) = default;
};

struct Share {
  enum class Kind : std::uint8_t { Operation, Call, Recovery } kind;
  Span at;
  std::string what;
  double weight = 0;  // the logarithm of its factor, over all iterations
};

struct Analysis {
  Predicate before;               // at the function's entry
  std::vector<Problem> problems;  // the chance is then 0
  // Functions of which the clause was used, not the body: the bound is as good as those.
  std::set<core::FunctionId> relies_on;
  std::vector<Share> shares;                        // of what is lost, largest first
  std::vector<std::pair<Span, std::string>> trail;  // what is needed before each statement
};

// What has to hold at the function's entry for these variables to be right at its end.
[[nodiscard]] Analysis analyse(const core::Program& program, core::FunctionId function,
                               const std::set<core::VarId>& wanted, const Options& options);

// "0.998 * R(x, y)"
[[nodiscard]] std::string text(const core::Program& program, const Predicate& predicate);

}  // namespace leto::reliability
