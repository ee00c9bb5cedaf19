// Claims that a run breaks.
//
// A claim that does not hold cannot be proved, but a solver may take all the time there is to find
// that out. So before it has that time, somebody looks for a run that breaks the claim. What a run
// does is no matter of opinion; where none is found, nothing is known.
#pragma once

#include <vector>

#include "core/program.h"
#include "vcgen/vcgen.h"

namespace leto::prove {

using Claimed = std::vector<const vcgen::Obligation*>;

// Finds some of them. Used by all workers at once.
class Breaker {
 public:
  virtual ~Breaker() = default;
  // By obligation: whether an executed run of the function breaks what it claims.
  [[nodiscard]] virtual std::vector<bool> find_broken(core::FunctionId function, bool any_state,
                                                      const Claimed& claimed) = 0;
};

}  // namespace leto::prove
