// What has to be proved of a recovery block before the rule for it may be used, as functions that
// claim it. They start from any state of the model, with variables of which those are equal in both
// runs that the proofs stand on (reliability::Footing), and no others.
#pragma once

#include <string>
#include <vector>

#include "core/core.h"
#include "reliability/footing.h"

namespace leto::checks {

struct RecoveryClaims {
  core::FunctionId function;
  struct Feared {
    core::ExprId claim;
    std::string what;  // is to be feared if it does not hold
    bool passes_wrong = false;
  };
  std::vector<Feared> all;
};

// A function with a contract that somebody calls is verified from any state of the model: this adds
// somebody.
void add_caller(core::Program& program, core::FunctionId function);

// try, check: that the check passes in the original run; and if it passes in the relaxed run, that
// all is right that was set.
[[nodiscard]] RecoveryClaims claim_check(core::Program& program, const core::Recovery& recovery,
                                         const reliability::Footing& footing);

// try, check, and then `recover` without faults where the check fails: that all is right then that
// was set. With `original_too`, that the original run's own `recover` changes nothing, should the
// check fail there.
[[nodiscard]] RecoveryClaims claim_mending(core::Program& program, const core::Recovery& recovery,
                                           const reliability::Footing& footing, bool original_too);

// The same of what a problem calls right, see reliability/right.cpp. `right`: a claim about what
// the block leaves. That it holds if the check passes in the relaxed run;
[[nodiscard]] RecoveryClaims claim_accepts(core::Program& program, const core::Recovery& recovery,
                                           const reliability::Footing& footing, core::ExprId right);
// that the check passes in the original run;
[[nodiscard]] RecoveryClaims claim_passes(core::Program& program, const core::Recovery& recovery,
                                          const reliability::Footing& footing);
// that it holds behind `recover` without faults, where the check fails.
[[nodiscard]] RecoveryClaims claim_mends(core::Program& program, const core::Recovery& recovery,
                                         const reliability::Footing& footing, core::ExprId right);

}  // namespace leto::checks
