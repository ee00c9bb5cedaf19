// The front door of `lower`: a checked program and its model, woven into one
// core program. Properties are expanded, short circuits with effects become
// branches, early returns become flags, and every operation that the hardware
// may spoil becomes a fault site. The input must have been checked without errors.
#pragma once

#include <set>
#include <string>

#include "check/check.h"
#include "core/core.h"

namespace leto::lower {

// Without `wanted`: what somebody wrote, and the checkers that it calls, or all. With it: the
// functions of these names that stand for a problem or a checker, and the lemmas and pure functions
// that they may use.
[[nodiscard]] core::Program lower(const check::Checked& checked, const NameTable& names,
                                  Trap trap = Trap::None,
                                  const std::set<std::string>* wanted = nullptr,
                                  bool all_checkers = false);

// The picked model and one of its super-models.
[[nodiscard]] core::Refinement lower_refinement(const check::Checked& checked,
                                                const NameTable& names, check::ModelId super);

}  // namespace leto::lower
