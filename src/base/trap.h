// The mistakes that the rules avoid. A test that looks for wrong proofs has to find some where
// there are some: it brings one mistake back at a time. Nothing but that test may ask for it.
#pragma once

#include <cstdint>

namespace leto {

enum class Trap : std::uint8_t {
  None,
#define LETO_TRAP(name, text) name,
#include "base/traps.def"
#undef LETO_TRAP
};

}  // namespace leto
