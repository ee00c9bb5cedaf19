#include "workbench/bounding.h"

namespace leto::workbench {

Examined examine(const core::Program& program, bool recovery_rule,
                 const checks::RecoverySettings& settings, prove::Engine& engine) {
  Examined examined{program, {}, {}, {}};
  examined.options.recovery_rule = recovery_rule;
  checks::RecoverySettings own = settings;
  own.recovery_rule = recovery_rule;
  examined.recoveries = checks::prove_recoveries(program, engine, own);
  examined.options.recoveries = examined.recoveries.known;
  examined.options.right = examined.recoveries.right;
  examined.bounds = reliability::decide_all(program, examined.options, examined.recoveries.at_best,
                                            examined.recoveries.right_at_best);
  return examined;
}

}  // namespace leto::workbench
