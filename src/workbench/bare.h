// A program without what is there for proofs only: what a checker does when it runs.
#pragma once

#include "core/core.h"
#include "interp/interp.h"

namespace leto::workbench {

// Leaves out contracts, invariants, measures, assertions, lemmas and ghost variables. Numbers of
// variables and functions stay what they are. What is assumed stays, and checks of what the program
// itself computes.
void leave_out_proofs(core::Program& program);

// Whether a run ended where something is assumed. A checker assumes nothing, but that it does not
// give up.
[[nodiscard]] bool stops_at_assumption(const core::Program& program,
                                       const interp::Outcome& outcome);

}  // namespace leto::workbench
