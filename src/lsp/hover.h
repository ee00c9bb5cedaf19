// What is known of the place under the mouse.
#pragma once

#include "lsp/analysis.h"
#include "lsp/client.h"
#include "prove/verification.h"

namespace leto::lsp {

// Invariants of the document's loops.
using Inferred = std::vector<prove::Verification::Invariant>;

// Null if nothing is. `inferred` was found in the same text; null: it was not verified.
[[nodiscard]] json hover(Analysis& analysis, const Inferred* inferred, std::uint32_t offset,
                         const Client& client);

}  // namespace leto::lsp
