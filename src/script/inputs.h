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
// and, if there are any that nobody knows, what the inputs say of "functions".
[[nodiscard]] nlohmann::json script_to_json(const core::Program& program, core::FunctionId function,
                                            const interp::Inputs& inputs,
                                            const std::vector<interp::Taken>& taken);
// What a script says of functions that nobody knows, put into the inputs:
// {"functions": {"bad": [[[3, 4], true]], "default": false}}. Nothing, if it says nothing.
void functions_from_json(const core::Program& program, const nlohmann::json& script,
                         interp::Inputs& inputs, std::string& problem);
[[nodiscard]] std::vector<interp::Taken> script_from_json(const core::Program& program,
                                                          const nlohmann::json& json,
                                                          std::string& problem);

}  // namespace leto::script
