#include "workbench/bounding.h"

namespace leto::workbench {

Examined examine(const core::Program& program, bool recovery_rule,
                 const checks::RecoverySettings& settings, prove::Engine& engine) {
  Examined examined{program, {}, {}, {}, {}};
  reliability::Options& options = examined.options;
  options.recovery_rule = recovery_rule;
  checks::RecoverySettings own = settings;
  own.recovery_rule = recovery_rule;
  examined.recoveries = checks::prove_recoveries(program, engine, own);
  options.recoveries = examined.recoveries.known;
  options.right = examined.recoveries.right;
  reliability::Options best = options;
  best.recoveries = examined.recoveries.at_best;
  best.right = examined.recoveries.right_at_best;
  examined.bounds = reliability::decide_all(program, options, best);
  if (!recovery_rule) return examined;
  examined.budgets = checks::prove_budgets(program, examined.bounds, engine, settings);
  for (const auto& [clause, shown] : examined.budgets) {
    if (shown.proved) options.budgets[clause] = shown.faults;
    if (shown.proved || shown.undecided) best.budgets[clause] = shown.faults;
  }
  if (!best.budgets.empty()) examined.bounds = reliability::decide_all(program, options, best);
  return examined;
}

}  // namespace leto::workbench
