// Variables that ever have a few values only.
#pragma once

#include <vector>

#include "fixpoint/ratio.h"
#include "fixpoint/system.h"

namespace leto::fixpoint {

struct Domain {
  std::size_t variable;  // of the state
  std::vector<Ratio> values;
};

// Every reachable state has its values in them: together with the facts they are inductive, which
// was asked twice. What has more than a few values, or may have, is left out.
[[nodiscard]] std::vector<Domain> find_domains(const System& system);

// That the variable has one of the values.
[[nodiscard]] z3::expr membership(const z3::expr& variable, const std::vector<Ratio>& values);

}  // namespace leto::fixpoint
