// What `leto emit` needs besides the emitter: whether a function is proved, and cases that the
// interpreter computed exactly.
#pragma once

#include <string>
#include <vector>

#include "emit/emit.h"
#include "workbench/verifying.h"

namespace leto::workbench {

// Claims that are not proved and that the function may rest on: all but those of functions that it
// does not call.
[[nodiscard]] std::vector<const prove::Claim*> find_unproved(const Verified& v,
                                                             core::FunctionId function);

// Inputs, what is expected, and results, one case in each line of text: small inputs, random ones,
// and numbers at the edges of 64 bits. What the interpreter cannot decide is left out.
[[nodiscard]] std::vector<std::string> make_cases(const core::Program& program,
                                                  const emit::Request& request,
                                                  const emit::Emitted& emitted,
                                                  const Allowance& allowance);

}  // namespace leto::workbench
