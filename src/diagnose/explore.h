// Places that a few runs come by, so that no solver need find out whether anybody can get there.
#pragma once

#include <memory>

#include "prove/explore.h"

namespace leto::diagnose {

// The program must outlive it.
[[nodiscard]] std::unique_ptr<prove::Explorer> make_explorer(const core::Program& program,
                                                             const Allowance* allowance);

}  // namespace leto::diagnose
