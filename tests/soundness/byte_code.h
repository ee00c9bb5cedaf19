// Byte code against the tree. Both execute the core form; from the same inputs and the same seed
// they must do the same step by step: every value that is set, every site with what was taken
// there, every claim that does not hold, how and where the runs end, and how often the chooser was
// asked.
#pragma once

#include "ready.h"

namespace leto::soundness {

struct Bytes {
  bool compiled = false;   // else there was nothing to compare
  std::uint64_t runs = 0;  // that were compared; none where no inputs were found
  std::string difference;  // empty: none
};

// A few runs of a function, by a seed.
[[nodiscard]] Bytes compare_byte_code(const Ready& ready, core::FunctionId function,
                                      std::uint64_t seed);

}  // namespace leto::soundness
