// Facts that loops may have as invariants, to be tried by `infer`. Only facts that the loop
// could break are proposed: what it does not modify is known anyway.
#pragma once

#include <optional>
#include <vector>

#include "vcgen/vcgen.h"

namespace leto::prove {

struct Proposed {
  vcgen::Candidate candidate;
  // A stronger candidate of the same loop: while that one stands, this one need not be tried.
  std::optional<std::size_t> follows_from = {};
  // Speaks of what the loop itself leaves alone: if it is plain all along, it says nothing.
  bool outer = false;
};

enum class Width : std::uint8_t {
  Hidden,  // only what no user could write: that `repeat` counts alike in both runs
  Usual,
  // Many more, of all loops, also where nothing is to be inferred: too many to be tried always.
  // For suggestions, once runs have shown which of them are false.
  Wide,
};

// By LoopId. The expressions are added to the program, which means the same as before.
using Proposals = std::vector<std::vector<Proposed>>;
// For the loops of the functions that are wanted; empty: of all.
[[nodiscard]] Proposals propose(core::Program& program, Width width,
                                const std::vector<bool>& wanted = {});

}  // namespace leto::prove
