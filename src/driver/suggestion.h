// Which invariants would close claims that fail for want of them. Many facts are made up; runs
// show which of them are false; of the rest those that are proved are kept, and of those the few
// without which the claims fail again.
#pragma once

#include <vector>

#include "driver/verification.h"
#include "explain/explain.h"

namespace leto::driver {

struct Suggestion {
  std::vector<std::size_t> claims;  // that it closes
  std::vector<Verification::Invariant> invariants;
};

// For claims of one function. Nothing is left out because it failed: what is not found is not
// there.
[[nodiscard]] std::vector<Suggestion> suggest(const Verification& v, core::FunctionId function,
                                              const std::vector<std::size_t>& claims,
                                              const VerifySettings& settings,
                                              prove::Engine& engine);

}  // namespace leto::driver
