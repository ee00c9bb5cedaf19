// Which checks of recovery blocks are perfect: proved, not assumed.
#pragma once

#include <map>

#include "prove/prove.h"
#include "reliability/reliability.h"

namespace leto::driver {

// What is to be feared of a check, and a run that shows it, if there is one that was executed.
struct Doubt {
  std::string text;
  std::vector<std::pair<std::string, std::string>> inputs = {};  // names and values
  struct Fault {
    Span at;
    std::string what, outcome, exact;
  };
  std::vector<Fault> faults = {};
};

// By index of the program's recoveries.
struct Checkers {
  std::map<std::size_t, reliability::Checker> proved;
  std::map<std::size_t, Doubt> doubts;  // of the others
};

// For each it is proved that from equal states the check passes in the relaxed run exactly if what
// the block sets is what the original run sets, and that it passes in the original run; with
// all that such a proof rests on: what the model says of itself, and the contracts of functions
// that are called.
[[nodiscard]] Checkers prove_checkers(const core::Program& program, prove::Engine& engine);

}  // namespace leto::driver
