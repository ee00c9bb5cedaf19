// What a function means, as a text: equal texts, equal meaning. A record of a proof is kept under
// it, so whatever a proof about the function could read is in it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/program.h"

namespace leto::core {

using Digest = std::function<std::string(const std::string&)>;

// By function: the digest of the function, of the model and the constants, and of all functions
// that it calls, whether directly or by way of others. Places count from where their function
// begins, so a function that is moved as a whole keeps its digest. Names count.
[[nodiscard]] std::vector<std::string> find_fingerprints(const Program& program,
                                                         const Digest& digest);

// Where the text of each function lies, its clauses included. Empty (begin == end): it shares some
// of it with another function, or has none.
[[nodiscard]] std::vector<Span> find_grounds(const Program& program);

}  // namespace leto::core
