// Terms as SMT-LIB on one line. What occurs more than once is named once, by `let`.
#pragma once

#include "fixpoint/terms.h"

namespace leto::fixpoint {

// GiveUp where an operator has no name in SMT-LIB.
[[nodiscard]] std::string printed(const z3::expr& term);
// As a conjunction at its top; each conjunct has names of its own, so that it can be taken alone.
[[nodiscard]] std::string printed_conjunction(const Terms& conjuncts);
// |x|, or x where that is a simple symbol.
[[nodiscard]] std::string printed_symbol(const std::string& name);

}  // namespace leto::fixpoint
