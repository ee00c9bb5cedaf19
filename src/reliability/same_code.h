// Whether two statements compute the same, because without faults they are the same code.
#pragma once

#include <string>

#include "core/core.h"

namespace leto::reliability {

// The statement without its fault sites, written so that two that are written alike do the same to
// all variables that outlive them, from states that agree on what they read. Names of temporaries
// and of variables that are declared inside do not matter. Empty: it is too long to be compared.
[[nodiscard]] std::string canonical(const core::Program& program, core::Effects& effects,
                                    core::StmtId id);

}  // namespace leto::reliability
