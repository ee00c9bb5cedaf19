// Executes a program from small inputs, each with everything that the model allows, and says what
// breaks what was proved.
#pragma once

#include <set>

#include "ready.h"

namespace leto::soundness {

struct Found {
  bool violated = false;
  std::string story;
  std::uint64_t runs = 0;
  std::uint64_t ended = 0;  // of the runs: those that came to an end
  bool complete = true;     // all that there is from the inputs tried
};

// `absolute`: an original run that fails breaks what was proved, too. `lemmas`: all are proved, so
// that what they ensure holds wherever they are called.
[[nodiscard]] Found execute(const Ready& ready, core::FunctionId function, bool absolute,
                            std::uint64_t seed, std::uint64_t budget, bool lemmas = true);
// All functions but the lemmas that are not proved, each within the budget.
[[nodiscard]] Found execute_all(const Ready& ready, bool absolute, std::uint64_t seed,
                                std::uint64_t budget, const std::set<std::string>& open = {});

}  // namespace leto::soundness
