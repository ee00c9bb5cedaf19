// A specvar is computed reliably, so it must not be fed by what a relaxed
// operation has produced: a claim about it would hold and mean nothing.
//
// A variable is *relaxed data* in a function if it lives in a region, if some
// assignment to it contains a relaxed operation or calls a function that does,
// or if it is a scalar and some assignment to it merely copies a scalar that is
// relaxed data. Whole vectors that are handed on, and values computed from relaxed
// data by exact operations, are not: they are the inputs of the next step, and a
// specvar says what that step should have made of them.
#pragma once

#include "check/function_check.h"

namespace leto::check {

// Those that have relaxed operations, or call one that has. What external functions do is under no
// model, but nobody knows that it is the same in both runs.
[[nodiscard]] std::unordered_set<SymbolId> relaxed_functions(
    const std::vector<FunctionFacts>& functions, bool or_external);

void check_ghosts(Session& session, const std::vector<FunctionFacts>& functions,
                  const std::unordered_set<SymbolId>& relaxed);

}  // namespace leto::check
