// Claims that a few runs break, so that no solver need look for a proof that there is not.
#pragma once

#include <memory>

#include "prove/break.h"

namespace leto::diagnose {

// The program must outlive it.
[[nodiscard]] std::unique_ptr<prove::Breaker> make_breaker(const core::Program& program,
                                                           const Allowance* allowance);

}  // namespace leto::diagnose
