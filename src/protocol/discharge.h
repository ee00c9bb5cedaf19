// Whether what has to be so beside the claims is so: asked of a solver, quantifiers and all.
#pragma once

#include <string>
#include <vector>

#include "protocol/protocol.h"
#include "solver/solver.h"

namespace leto::protocol {

struct Unmet {
  std::string text;
  Span span;
  bool refuted = false;  // else the solver does not know
  std::string example;   // "x = 1, y = 2"; may be empty
};
// Those that do not hold, or of which it is not known; each text and place once.
[[nodiscard]] std::vector<Unmet> find_unmet(const Lowered& lowered,
                                            const std::vector<Obligation>& obligations,
                                            solver::Solver& solver);

// Whether a 'trust' can leave out initial states, or that is not known.
[[nodiscard]] bool can_cut_beginning(const Lowered& lowered, const Trusted& trusted,
                                     solver::Solver& solver);
// Names of steps that a 'trust' can cut off, or of which that is not known.
[[nodiscard]] std::vector<std::string> find_cut_steps(const Lowered& lowered,
                                                      const Trusted& trusted,
                                                      solver::Solver& solver);

}  // namespace leto::protocol
