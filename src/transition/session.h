// A solver to which one asks one question after the other, and which may be left alone in the
// middle of one. What it takes is counted in its own processor time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solver/process.h"
#include "solver/solver.h"

namespace leto::transition {

// Processor time of processes, in seconds, that somebody may take.
struct Slice {
  double seconds = 0;
};

// A process that was told everything, computes nothing and says nothing will never answer.
class Patience {
 public:
  // After each wait of 20 milliseconds.
  [[nodiscard]] bool is_lost(const solver::Process& process, bool has_moved);

 private:
  unsigned idle_ = 0;
};

class Session {
 public:
  Session(const solver::Command& command, std::uint64_t memory_mb);

  void tell(std::string_view text) { process_.queue(text); }
  // Asks; the reply is everything that is said until it is over. One at a time.
  void ask(std::string_view text);
  [[nodiscard]] bool is_asked() const { return asked_; }
  // Waits for the reply and takes at most so much processor time, which is taken off the slice.
  // Nothing: the slice is used up (go on later), or the process is dead.
  [[nodiscard]] std::optional<std::string> wait(Slice& slice, const Allowance& allowance);
  [[nodiscard]] bool is_dead() const { return dead_; }
  [[nodiscard]] double cpu_seconds() const { return process_.cpu_seconds(); }

 private:
  solver::Process process_;
  std::string reply_;
  Patience patience_;
  bool asked_ = false, dead_ = false;
};

// Z3 and cvc5 as they answer questions about runs.
[[nodiscard]] solver::Command z3_session();
[[nodiscard]] solver::Command cvc5_session();
// What comes before anything else.
[[nodiscard]] std::string session_prelude(solver::Dialect dialect);

enum class Answer : std::uint8_t { Sat, Unsat, Unknown };
// What is not understood is unknown.
[[nodiscard]] Answer answer_in(std::string_view reply);

}  // namespace leto::transition
