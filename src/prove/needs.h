// Which variables the claims of a function depend on.
#pragma once

#include <set>
#include <vector>

#include "core/core.h"

namespace leto::prove {

// Those that the claims speak of, those that decide which way a run goes and whether it may go on
// (tests, checks, what is handed to other functions), and those from which these are computed.
[[nodiscard]] std::set<core::VarId> find_needed(const core::Program& program,
                                                const core::Function& function,
                                                const std::vector<core::ExprId>& claims);

}  // namespace leto::prove
