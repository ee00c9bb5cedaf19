// Random models: state, constants, invariants, specifications of operators and accesses,
// super-models, and a second model to do things again under.
#pragma once

#include "world.h"

namespace leto::soundness {

// One specification of an operator or an access, in parts.
struct Specification {
  std::string attributes = {};  // "@region(far) "
  std::string label = {};
  std::string head = {};  // "operator +(int a, int b)"
  std::string when = {};
  std::vector<std::string> modifies = {};
  std::vector<std::string> ensures = {};
  std::string rate = {};  // empty: none
};
// The text, without a label if none is wanted.
[[nodiscard]] std::string describe(const Specification& s, const std::string& label,
                                   const std::string& refines = "");

// Writes the model `m` of the program, with super-models where it has some, and `use model m;`;
// fills in what the program needs to know of it.
void write_models(World& world, Nodes& items);

// A super-model `sup` and a sub-model `sub` of it, for the rule of refinement.
void write_refinement(World& world, Nodes& items);

}  // namespace leto::soundness
