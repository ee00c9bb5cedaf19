#include "workbench/bounding.h"

namespace leto::workbench {

Examined examine(const core::Program& program, bool recovery_rule,
                 const checks::RecoverySettings& settings, prove::Engine& engine) {
  Examined examined{program, {}, {}, {}};
  examined.options.recovery_rule = recovery_rule;
  if (recovery_rule) examined.recoveries = checks::prove_recoveries(program, engine, settings);
  examined.options.recoveries = examined.recoveries.known;
  examined.bounds = reliability::decide_all(program, examined.options, examined.recoveries.at_best);
  return examined;
}

}  // namespace leto::workbench
