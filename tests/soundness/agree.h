// Two interpreters, one program. `interp` runs the core form; the oracle runs the syntax trees and
// was written from the language's page alone. From the same inputs and with the same choices of the
// hardware they must agree on how the runs end, on results, on every access in its order, and on
// which claims do not hold.
#pragma once

#include "ready.h"

namespace leto::soundness {

struct Agreement {
  bool compared = false;   // else one of them could not run it
  std::string difference;  // empty: none
};

// One run of a function, by a seed.
[[nodiscard]] Agreement compare_interpreters(const Ready& ready, core::FunctionId function,
                                             std::uint64_t seed);

}  // namespace leto::soundness
