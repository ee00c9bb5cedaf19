// The front door of `script`: runs as text. What a run starts from and which faults strike it, so
// that it can be executed again.
#pragma once

#include <string>
#include <vector>

#include "interp/interp.h"

namespace leto::script {

// JSON, on one line: {"inputs": {...}, "faults": [...]}; see inputs.h.
[[nodiscard]] std::string script_text(const core::Program& program, core::FunctionId function,
                                      const interp::Inputs& inputs,
                                      const std::vector<interp::Taken>& taken);

}  // namespace leto::script
