// The front door of `solver`: answers a question in SMT-LIB text. Solvers are
// other people's programs and run as processes of their own, so that limits
// really hold and a crash stays theirs. Whatever goes wrong is `Unknown` with a
// reason; nothing is ever thrown from here, and nothing is rounded up.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace leto::solver {

enum class Verdict : std::uint8_t { Unsat, Sat, Unknown };
enum class Reason : std::uint8_t {
  None,
  Time,
  Resource,
  Memory,
  Incomplete,
  Crash,
  Garbage,
  Missing,
  Interrupted,
  Disagreement,
};
[[nodiscard]] std::string_view describe(Reason reason);

// How much of the limits a question may use, and how to go about it. By matching, quantified facts
// are used only where a term calls for them: quick, good at proofs, and soon at its end. By models,
// it also looks whether what it found is a model of them: quick where something is possible. In
// general the solver does all it can.
// Patient is brief by the solver's own count, with all the time of the clock that a question may
// have: what ends it is then the same on a busy machine. Long is patient, and a few times as much.
enum class Effort : std::uint8_t { Full, Brief, Least, Patient, Long };
enum class Strategy : std::uint8_t { General, Matching, Models };

struct Query {
  std::string text;                      // declarations and assertions
  std::vector<std::string> values = {};  // terms to be evaluated if it is satisfiable
  Effort effort = Effort::Full;
  Strategy strategy = Strategy::General;
  // A symbol in the text from which the negated claim follows: what is asked is whether it can be
  // true. Empty: nothing is claimed, and the text is all.
  std::string claimed = {};
  // The values are what is claimed, one by one: which of them fail? More models are looked for
  // until none shows another one false. "false" is then said of what fails in some model, and
  // kDoubtful of what fails only where the solver does not know whether it is one.
  bool each = false;
  // Becomes true when nobody waits for the answer any more. Null: somebody does.
  const std::atomic<bool>* unwanted = nullptr;
};
inline constexpr std::string_view kDoubtful = "doubtful";

struct Answer {
  Verdict verdict = Verdict::Unknown;
  Reason reason = Reason::None;
  // Unsatisfiable, and the solver says that it took the claim: the rest may well be possible.
  bool took_claim = false;
  bool took_nothing = false;        // or that it did without the claim
  std::string detail;               // what the solver said, for people
  std::vector<std::string> values;  // one per term asked for; empty if there is none
  std::uint64_t resource = 0;       // the solver's own count, if it has one
  double seconds = 0;
  bool whole_time = false;  // out of time, and it had all the time that a question may have
  // Out of time though the solver counts what it does, and that was to end it: the machine is busy.
  bool cut_short = false;
};

struct Limits {
  std::uint64_t resource = 20'000'000;  // deterministic; reached before the time is
  double seconds = 20;                  // of the clock, for one question
  std::uint64_t memory_mb = 2048;
  unsigned seed = 0;

  [[nodiscard]] Limits of(Effort effort) const {
    switch (effort) {
      case Effort::Full:
        return *this;
      case Effort::Long:
        return at_most(2'000'000, seconds);
      case Effort::Brief:
        return at_most(500'000, 2);
      case Effort::Patient:
        return at_most(500'000, seconds);
      case Effort::Least:
        return at_most(150'000, 1);
    }
    LETO_ASSERT(false);
  }
  [[nodiscard]] Limits at_most(std::uint64_t most_resource, double most_seconds) const {
    Limits small = *this;
    small.resource = std::min(resource, most_resource);
    small.seconds = std::min(seconds, most_seconds);
    return small;
  }
};

class Solver {
 public:
  virtual ~Solver() = default;
  // Everything that can change an answer: program, version, options, limits.
  [[nodiscard]] virtual std::string identity() = 0;
  [[nodiscard]] virtual Answer solve(const Query& query) = 0;
  // What a person feeds to the solver to repeat a question.
  [[nodiscard]] virtual std::string script(const Query& query) const = 0;
};

enum class Dialect : std::uint8_t { Z3, Cvc5 };
struct Command {
  Dialect dialect = Dialect::Z3;
  std::vector<std::string> arguments;  // the program first
  std::string version = {};            // what it says of itself; asked for if empty
};

// The end of the allowance ends everything at once.
[[nodiscard]] std::unique_ptr<Solver> make_process_solver(Command command, const Limits& limits,
                                                          const Allowance& allowance);
[[nodiscard]] Command z3_command();
// Where in the PATH there is such a program; empty if there is none.
[[nodiscard]] std::string find_program(const std::string& program);
// Whether there is such a program in the PATH.
[[nodiscard]] bool can_start(const std::string& program);
[[nodiscard]] std::string version_of(const Command& command, const Allowance& allowance);
[[nodiscard]] Command cvc5_command(const Limits& limits);
// Asks both; a contradiction between them is Unknown with Reason::Disagreement.
[[nodiscard]] std::unique_ptr<Solver> make_cross_check(std::unique_ptr<Solver> first,
                                                       std::unique_ptr<Solver> second);

}  // namespace leto::solver
