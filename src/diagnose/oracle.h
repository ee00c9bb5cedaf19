// The solver that is asked where bounds and equations do not decide an outcome.
#pragma once

#include "interp/interp.h"
#include "solver/solver.h"

namespace leto::diagnose {

// Both must live as long as what is made.
[[nodiscard]] interp::Oracle solver_oracle(const core::Program& program, solver::Solver& solver);

}  // namespace leto::diagnose
