// Which functions come to their end, whatever they are given.
#pragma once

#include <vector>

#include "core/effects.h"
#include "core/program.h"

namespace leto::core {

// By function: whether every run that enters it, and breaks no claim in it, surely leaves it. It
// says `assume` nowhere, calls nothing external and not itself, and each of its loops counts up or
// down to a bound. The same goes for all that it calls. Of others nothing is said.
[[nodiscard]] std::vector<bool> find_ending(const Program& program, Effects& effects);

}  // namespace leto::core
