// How the two runs go together, and what ends them early: for both ways of executing a program.
#pragma once

#include "interp/interp.h"

namespace leto::interp {

// Who takes part in what is executed.
enum class Run : std::uint8_t { Both, Original, Relaxed };

// Thrown where a run cannot go on.
struct Halt {
  End end;
  Span where;
  std::string why;
  core::ExprId expr = {};
  core::StmtId statement = {};
};

// Exact numbers can grow without end; a run that is past all use is given up.
[[noreturn]] void give_up_on_length(const Number& n, Span at);
inline void check_length(const Number& n, Span at) {
  if (n.length() > 1000) give_up_on_length(n, at);
}

// Where a claim stands, besides its own place.
struct Where {
  Span call = {};
  bool entry = false;
};

// Only if the original run ends well is anything claimed of the relaxed one: whether that is still
// to be found out, and what it says, of a run of the original alone.
[[nodiscard]] bool rests_on_original(const Outcome& outcome);
void judge_by_original(Outcome& outcome, const Outcome& alone);

}  // namespace leto::interp
