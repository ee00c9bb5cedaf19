// What a proof under a budget of faults is about.
//
//   Theorem. If under the model in which at most k rated specifications are taken every run ends
//   with the original's results, or fails, and no run of that model meets more than n sites, each
//   of which is struck with a chance of at most p whatever happened before, then the chance of a
//   wrong result is at most P(Bin(n, p) > k).
//
// For a run that goes wrong is struck k + 1 times: up to there it is a run of that model, so the
// last of these sites is among the first n. Nothing is assumed to be independent.
//
// The model is the program's with a counter: a rated specification is possible only while less than
// k were taken, and counts, whatever its outcome. One without a rate is as possible as it was. The
// counter is no state that the program could set. How likely a fault is does not matter to such a
// proof, so it is of all rates at once.
#pragma once

#include "core/core.h"

namespace leto::checks {

// Of a function in a program of its own: from equal parameters, without a fault so far, and with
// whatever state of the model, what the clause names is equal. The program is changed to say so.
void claim_within_budget(core::Program& program, core::FunctionId function,
                         const core::ReliabilityClause& clause, std::uint64_t faults, Trap trap);

}  // namespace leto::checks
