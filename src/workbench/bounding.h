// One program's reliability: what is known of its recoveries, and its bounds.
#pragma once

#include <vector>

#include "checks/checks.h"
#include "checks/rate_search.h"
#include "reliability/bounds.h"

namespace leto::workbench {

struct Examined {
  const core::Program& program;
  reliability::Options options;
  checks::Recoveries recoveries;
  std::map<reliability::ClauseKey, checks::WithinBudget> budgets;
  std::vector<reliability::Bound> bounds;
};

// Proves what can be proved of the recoveries, decides the bounds, and proves of those that fail
// that so many faults are borne that they hold. Without the recovery rule: decides the bounds. The
// program must live as long as what is found.
[[nodiscard]] Examined examine(const core::Program& program, bool recovery_rule,
                               const checks::RecoverySettings& settings, prove::Engine& engine);

}  // namespace leto::workbench
