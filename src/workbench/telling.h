// What was found, in the words of the library's header.
#pragma once

#include <string>
#include <vector>

#include "workbench/leto.h"
#include "workbench/verifying.h"

namespace leto::workbench {

// What is not about the program, and has no code.
[[nodiscard]] api::Remark trouble(std::string message, bool error = true);
[[nodiscard]] std::vector<api::Remark> remarks_of(DiagnosticList& diagnostics,
                                                  const SourceStore& sources);
[[nodiscard]] api::Place place_of(const SourceStore& sources, const Span& span);
[[nodiscard]] api::Status status_of(prove::Status status);
// With why it is not proved, if it is not, and what to do. `ended`: what ended the work before its
// time, if anything did.
[[nodiscard]] api::Claim claim_of(const Verified& v, const prove::Claim& claim,
                                  const SourceStore& sources, Allowance::End ended);

}  // namespace leto::workbench
