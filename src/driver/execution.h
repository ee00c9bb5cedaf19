// What `leto run` and `leto inject` share: a program ready to run, inputs and fault scripts as
// JSON, and the solver that is asked where bounds and equations do not decide an outcome.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "driver/commands.h"
#include "driver/workspace.h"
#include "interp/interp.h"
#include "solver/solver.h"

namespace leto::driver {

// A checked and lowered program and the function to run.
struct Executable {
  core::Program program;
  std::unique_ptr<interp::Machine> machine;
  core::FunctionId function;
};
// Reports what is wrong and returns nothing. What is run ends with the allowance.
[[nodiscard]] std::unique_ptr<Executable> prepare(Workspace& workspace,
                                                  const ExecuteOptions& options,
                                                  const Allowance& allowance, Streams& streams);

// {"N": 2, "x": [1, "1/2"], "y<o>": ..., "y<r>": ..., "model.eps": 0.1}. Constants that are not
// given are chosen so that their constraints hold. An empty problem means that all is well.
[[nodiscard]] interp::Inputs inputs_from_json(const Executable& executable,
                                              const nlohmann::json& json, std::string& problem);
[[nodiscard]] nlohmann::json inputs_to_json(const Executable& executable,
                                            const interp::Inputs& inputs);

// {"inputs": {...}, "faults": [{"site": 3, "specification": "mul_upset", "outcome": "7/2",
//   "state": {"model.upset": true}}]}
[[nodiscard]] nlohmann::json script_to_json(const Executable& executable,
                                            const interp::Inputs& inputs,
                                            const std::vector<interp::Taken>& taken);
[[nodiscard]] std::vector<interp::Taken> script_from_json(const Executable& executable,
                                                          const nlohmann::json& json,
                                                          std::string& problem);

// Asks a solver for an outcome.
[[nodiscard]] interp::Oracle solver_oracle(const Executable& executable, solver::Solver& solver);

// What runs under the model in a statement; empty if nothing does.
[[nodiscard]] std::string operation(const core::Program& program, const core::Stmt& stmt);
// "file:line:column"
[[nodiscard]] std::string place(const SourceStore& sources, const Span& span);

}  // namespace leto::driver
