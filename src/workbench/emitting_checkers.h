// What `leto emit --checker` needs besides the emitter: which parameter is what, what is said of
// the checker for people, and the problem's examples.
#pragma once

#include <string>
#include <vector>

#include "check/check.h"
#include "problem/problem.h"
#include "workbench/checker_cases.h"
#include "workspace/workspace.h"

namespace leto::workbench {

struct CheckerSource {
  const workspace::Workspace& workspace;
  problem::FoundChecker checker;
  problem::Parts parts;
};

// A checker of a program's own text by its name, the last one without one; no item: there is none.
[[nodiscard]] problem::FoundChecker find_checker(const workspace::Workspace& workspace,
                                                 const workspace::Program& program,
                                                 const std::string& name, std::string& known);

// Inputs, outputs and witness, in the order of the function's parameters.
[[nodiscard]] std::vector<emit::Role> roles_of(const CheckerSource& source);

// What is right, what certifies it, and what the verdicts mean, line by line. `complete`: that is
// proved.
[[nodiscard]] std::vector<std::string> notes_of(const CheckerSource& source,
                                                const emit::Request& request,
                                                const emit::Emitted& emitted, bool complete);

[[nodiscard]] std::vector<CaseExample> examples_of(const CheckerSource& source,
                                                   const core::Program& program,
                                                   core::FunctionId function,
                                                   const Allowance& allowance);

}  // namespace leto::workbench
