// Cases for an emitted checker, with verdicts that the interpreter computed exactly: the problem's
// examples, all that is small, results that are right, nearly right and wrong, numbers at the edges
// of 64 bits, and values that no type and no size allows.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "emit/emit.h"
#include "interp/interp.h"

namespace leto::workbench {

// Values that somebody wrote down, and of which parameters.
struct CaseExample {
  interp::Inputs values;
  std::set<core::VarId> given;
};

// One case in each line: inputs, outputs, witness, and A (accept), J (reject) or ? (undecided).
// What the interpreter cannot decide is left out. What examples do not give is looked for.
[[nodiscard]] std::vector<std::string> make_checker_cases(const core::Program& program,
                                                          const emit::Request& request,
                                                          const emit::Emitted& emitted,
                                                          const std::vector<CaseExample>& examples,
                                                          const Allowance& allowance);

// The program without what is there for proofs only, and without what functions promise: who runs
// it learns what they return.
[[nodiscard]] core::Program without_proofs(const core::Program& program);

}  // namespace leto::workbench
