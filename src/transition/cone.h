// What a claim depends on. Variables that nothing else needs are left out of what engines see: a
// variable that each step gives a value to, and that no condition reads, can stop no step and
// change no other variable.
//
// Nothing rests on this: certificates are checked, and runs are replayed, on the system as it was
// made. It is exact all the same, so that engines do not find runs that there are not:
//   - a part that is left out stands in `and`s and `or`s only, so that it is only made weaker;
//   - it is `v' = e` of a step, where nothing else in the same alternative speaks of v', or
//     `v = number` at the beginning, or a bound of v alone in what is assumed;
//   - the bounds are kept by all steps, and there is a beginning within them: both are asked of a
//     solver, and if it does not say so nothing is left out.
#pragma once

#include <optional>
#include <vector>

#include "transition/session.h"
#include "transition/trace.h"

namespace leto::transition {

struct Cone {
  System system;                  // its variables are some of the whole one's, in their order
  std::vector<std::size_t> kept;  // which
};

// Nothing: all is needed, or it is not known that something is not. Takes from the slice. The facts
// are needed, too.
[[nodiscard]] std::optional<Cone> find_cone(const System& whole, std::size_t claim,
                                            const std::vector<Term>& facts, Slice& slice,
                                            std::uint64_t memory_mb, const Allowance& allowance);

// A run of the cone with values for what was left out, asked step by step.
[[nodiscard]] std::optional<Trace> complete(const System& whole, const Cone& cone,
                                            const Trace& trace, Slice& slice,
                                            std::uint64_t memory_mb, const Allowance& allowance);

}  // namespace leto::transition
