// Whether anything happens: a claim that holds because a step can never be taken says little. What
// is found here is told beside the verdicts; no verdict rests on it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocol/discharge.h"

namespace leto::protocol {

struct Happening {
  unsigned depth = 0;  // runs of up to so many steps were looked at, all of them
  struct Step {
    std::string name;  // of all its choices of nodes
    Span span;
  };
  std::vector<Step> impossible;         // no state allows it
  std::vector<Step> not_taken;          // in no run that was looked at
  bool nothing = false;                 // no state allows any step
  std::optional<unsigned> stops_after;  // so many steps of a run that was replayed
};

[[nodiscard]] Happening find_what_happens(const Lowered& lowered, Examiner& examiner,
                                          unsigned most_steps = 10);

}  // namespace leto::protocol
