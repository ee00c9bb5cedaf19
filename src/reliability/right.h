// Bounds on what a problem calls right, number <= R(P(inputs; outputs)): with a chance of number or
// more, what the relaxed run hands out is right for what the original was given. Runs that fail
// have no result, as in all bounds.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/core.h"
#include "reliability/uses.h"

namespace leto::reliability {

// A recovery block in which the outputs get their last values.
struct Guard {
  std::size_t recovery;
  std::map<core::VarId, core::VarId> now;  // an output, and what its value is called there
  std::vector<core::StmtId> before;        // what is done before the block, in order
};
// Behind it nothing is done to inputs and outputs but copies. Nothing: there is no such block, or
// an input is changed.
[[nodiscard]] std::optional<Guard> find_guard(const core::Program& program, Uses& uses,
                                              core::FunctionId function,
                                              const core::ReliabilityClause& clause);

}  // namespace leto::reliability
