// Random programs for `leto reliability`: models with rates, blocks that are tried and recovered,
// rightly, nearly rightly and wrongly, and bounds that are right or a bit too high.
#pragma once

#include "world.h"

namespace leto::soundness {

void write_reliable(World& world, Nodes& items);

}  // namespace leto::soundness
