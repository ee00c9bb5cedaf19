// A system in a form that engines find easier, and the way back.
#pragma once

#include "fixpoint/domains.h"

namespace leto::fixpoint {

struct Normal {
  System system;
  // What was found on the way: it holds in every reachable state, in the variables as given.
  Terms found;
  // Variables of `system` that were not given, and what they stand for.
  Terms made, meant;

  // In the variables as given.
  [[nodiscard]] z3::expr given(const z3::expr& term) const { return replaced(term, made, meant); }
};

// Variables that no formula reads become inputs; variables that have a few values only become
// Booleans, one for each value, and conditions on them Boolean conditions.
[[nodiscard]] Normal normalise(const System& given);

}  // namespace leto::fixpoint
