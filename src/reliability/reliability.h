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
//
// One file per concern, each opening with its rule: rates.h (operations), backwards.cpp
// (statements), recovery.cpp (try, check, recover), mending.cpp (what is done again), footing.h
// (what proofs stand on), right.cpp (what a problem calls right), budget.h (what a proof under a
// budget of faults gives), sites.h (how many faults there can be).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/core.h"
#include "reliability/chance.h"

namespace leto::reliability {

// What is known of a recovery block. Nobody but a proof, or the user by a declaration, says so.
struct Known {
  // The check passes in the original run, and passes nothing in the relaxed run but what is right.
  bool check_proved = false;
  // How often it fails what is right, and passes what is wrong.
  struct Declared {
    Chance false_positive, false_negative;
  };
  std::optional<Declared> declared = {};
  // Why `recover`, done without faults, leaves what the original run has.
  enum class Mending : std::uint8_t {
    No,      // it is not known to do so
    Again,   // it is `try` once more: see mending.h
    Proved,  // by the relational rules
  } mending = Mending::No;
};

// What is known of a bound on what a problem calls right; see right.cpp.
struct KnownRight {
  bool original = false;                 // what the original run hands out is right
  bool accepts = false, passes = false;  // of the check that guards the outputs
  Known::Mending mending = Known::Mending::No;
};
// A clause: of which function, and which of its bounds.
using ClauseKey = std::pair<core::FunctionId, std::size_t>;

struct Options {
  // Else a recovery block is a branch like any other.
  bool recovery_rule = true;
  // By index of the program's recoveries; of those that are not there nothing can be said but
  // that they are branches.
  std::map<std::size_t, Known> recoveries = {};
  // How many faults a function is proved to bear, for the results that a clause of it names; see
  // budget.h.
  std::map<ClauseKey, std::uint64_t> budgets = {};
  // Of bounds that are not there nothing is known.
  std::map<ClauseKey, KnownRight> right = {};
  // Values of constants instead of their own.
  std::map<core::VarId, Chance> constants = {};
  // Walk every iteration: for a test of not doing so.
  bool unroll = false;
  Trap trap = Trap::None;  // for the test of unsound rules only
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
  // What the bound is as good as: functions of which the clause was used, not the body, and
  // recoveries for which the rule was used, by index.
  std::set<core::FunctionId> relies_on;
  std::set<std::size_t> recoveries;
  // Of what a problem calls right: by a block that guards it, not by being equal.
  std::optional<std::size_t> guard = {};
  std::vector<Share> shares;                        // of what is lost, largest first
  std::vector<std::pair<Span, std::string>> trail;  // what is needed before each statement
};

// What has to hold at the function's entry for these variables to be right at its end.
[[nodiscard]] Analysis analyse(const core::Program& program, core::FunctionId function,
                               const std::set<core::VarId>& wanted, const Options& options);

// Whether a bound can only fall as the constant grows, whatever else there is: it stands for rates,
// and nothing is counted by it.
[[nodiscard]] bool is_only_a_rate(const core::Program& program, core::VarId constant);

// "0.998 * R(x, y)"
[[nodiscard]] std::string text(const core::Program& program, const Predicate& predicate);

}  // namespace leto::reliability
