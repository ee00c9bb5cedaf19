// A claim as Horn clauses, for solvers that look for the invariant themselves.
#pragma once

#include <string>

#include "transition/system.h"

namespace leto::transition {

// `sat`: there is an invariant, the claim holds. `unsat`: it does not.
[[nodiscard]] std::string write_horn(const System& system, const Claim& claim);

}  // namespace leto::transition
