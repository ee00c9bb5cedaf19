// A program that is ready to run.
#pragma once

#include <memory>
#include <string>

#include "interp/interp.h"
#include "workspace/workspace.h"

namespace leto::workbench {

// A checked and lowered program and the function to run.
struct Executable {
  core::Program program;
  std::unique_ptr<interp::Machine> machine;
  core::FunctionId function;
};

// Which program, under which model, and which function of it; empty: the last one.
struct Wanted {
  std::string file, model, function;
};

// Nothing if something is wrong: with the program, in the diagnostics; with what is wanted of it,
// in `problem`. What is run ends with the allowance, which must live as long.
[[nodiscard]] std::unique_ptr<Executable> prepare(workspace::Workspace& workspace,
                                                  const Wanted& wanted, const Allowance& allowance,
                                                  DiagnosticList& diagnostics,
                                                  std::string& problem);

}  // namespace leto::workbench
