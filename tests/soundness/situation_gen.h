// Small programs around mistakes that were made: each draws one situation in which a rule was wrong
// once, with other numbers, other relations and other claims. What the mistake would prove is
// mostly among the claims, next to what holds.
#pragma once

#include "world.h"

namespace leto::soundness {

// A whole program: a model, functions, claims.
void write_situation(World& world, Nodes& items);
// The same about calls of a function without a contract: which of them are alike?
void write_calls(World& world, Nodes& items);

}  // namespace leto::soundness
