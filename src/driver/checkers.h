// Which checks of recovery blocks are perfect: proved, not assumed.
#pragma once

#include <map>

#include "prove/prove.h"
#include "reliability/reliability.h"

namespace leto::driver {

// By index of the program's recoveries, those that are. For each it is proved that from equal
// states the check passes in the relaxed run exactly if what the block sets is what the
// original run sets, and that it passes in the original run.
[[nodiscard]] std::map<std::size_t, reliability::Checker> prove_checkers(
    const core::Program& program, prove::Engine& engine);

}  // namespace leto::driver
