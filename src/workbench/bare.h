// A program without what is there for proofs only: what a checker does when it runs.
#pragma once

#include "core/core.h"

namespace leto::workbench {

// Leaves out contracts, invariants, measures, assertions, lemmas and ghost variables. Numbers of
// variables and functions stay what they are. What is assumed stays, and checks of what the program
// itself computes.
void leave_out_proofs(core::Program& program);

}  // namespace leto::workbench
