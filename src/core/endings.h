// Which functions come to their end, whatever they are given.
#pragma once

#include <optional>
#include <vector>

#include "core/effects.h"
#include "core/program.h"

namespace leto::core {

// By function: whether every run that enters it, and breaks no claim in it, surely leaves it. It
// says `assume` nowhere, calls nothing external and not itself, and each of its loops counts up or
// down to a bound. The same goes for all that it calls. Of others nothing is said.
[[nodiscard]] std::vector<bool> find_ending(const Program& program, Effects& effects);

// A loop that counts up, by 1 or more each time, while `counter < bound`, or `<=`; the bound is the
// same all the time, and so is every run's way to count.
struct CountsUp {
  VarId counter;
  ExprId bound;
  bool including;  // the bound
};
// Nothing: it does not, or not for all to see.
[[nodiscard]] std::optional<CountsUp> find_counting_up(const Program& program, Effects& effects,
                                                       const While& loop);

}  // namespace leto::core
