// Inputs and fault scripts as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "interp/interp.h"

namespace leto::script {

// {"N": 2, "x": [1, "1/2"], "y<o>": ..., "y<r>": ..., "model.eps": 0.1}. Constants that are not
// given are chosen so that their constraints hold. An empty problem means that all is well.
[[nodiscard]] interp::Inputs inputs_from_json(const interp::Machine& machine,
                                              core::FunctionId function, const nlohmann::json& json,
                                              std::string& problem);
[[nodiscard]] nlohmann::json inputs_to_json(const core::Program& program, core::FunctionId function,
                                            const interp::Inputs& inputs);

// {"inputs": {...}, "faults": [{"site": 3, "specification": "mul_upset", "outcome": "7/2",
//   "state": {"model.upset": true}}]}
[[nodiscard]] nlohmann::json script_to_json(const core::Program& program, core::FunctionId function,
                                            const interp::Inputs& inputs,
                                            const std::vector<interp::Taken>& taken);
[[nodiscard]] std::vector<interp::Taken> script_from_json(const core::Program& program,
                                                          const nlohmann::json& json,
                                                          std::string& problem);

}  // namespace leto::script
