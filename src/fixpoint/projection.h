// From one state to many: all states from which the same can happen for the same reason.
#pragma once

#include "fixpoint/terms.h"

namespace leto::fixpoint {

// A cube over `kept` that is true in `model`, and in whose states some values of `eliminated` make
// `formula` true. Where Z3 finds none worth having it is the one state of `model`.
[[nodiscard]] Cube project(z3::model& model, const z3::expr& formula, const Terms& kept,
                           const Terms& eliminated);

}  // namespace leto::fixpoint
