// Which invariants would close claims that fail for want of them. Many facts are made up; runs
// show which of them are false; of the rest those that are proved are kept, and of those the few
// without which the claims fail again.
#pragma once

#include <vector>

#include "explain/explain.h"
#include "prove/verification.h"

namespace leto::diagnose {

struct Suggestion {
  std::vector<std::size_t> claims;  // that it closes
  std::vector<prove::Verification::Invariant> invariants;
};

// For claims of one function. Nothing is left out because it failed: what is not found is not
// there.
[[nodiscard]] std::vector<Suggestion> suggest(const prove::Verification& v,
                                              core::FunctionId function,
                                              const std::vector<std::size_t>& claims,
                                              const prove::VerifySettings& settings,
                                              prove::Engine& engine);

}  // namespace leto::diagnose
