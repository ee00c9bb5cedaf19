// Proposed invariants that a few runs show false, so that no solver need find that out. What is
// left is proved all the same: a run that is not to the point costs a fact, never a proof that is
// none.
#pragma once

#include <memory>

#include "prove/infer.h"

namespace leto::diagnose {

// The program must outlive it. Facts may be proposed until the first function is asked about.
[[nodiscard]] std::unique_ptr<prove::Falsifier> make_falsifier(const core::Program& program,
                                                               const Allowance* allowance);

}  // namespace leto::diagnose
