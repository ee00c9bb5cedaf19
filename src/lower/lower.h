// The front door of `lower`: a checked program and its model, woven into one
// core program. Properties are expanded, short circuits with effects become
// branches, early returns become flags, and every operation that the hardware
// may spoil becomes a fault site. The input must have been checked without errors.
#pragma once

#include "check/check.h"
#include "core/core.h"

namespace leto::lower {

[[nodiscard]] core::Program lower(const check::Checked& checked, const NameTable& names);

// A model and one of its super-models over the same state: what `leto refine` asks about.
struct Refinement {
  core::Program program;  // of the sub-model; the super-model's specifications stand behind its own
  std::string super;
  struct Pair {
    std::uint32_t sub, super;  // an added specification and the one that it refines
  };
  std::vector<Pair> pairs;
  // All specifications of one operator (sign, types, region) in both models.
  struct Group {
    std::string what;
    Span span;
    std::vector<std::uint32_t> sub, super;
    core::ExprId exact;  // over the parameters of the super-model's first specification
  };
  std::vector<Group> groups;
};
[[nodiscard]] Refinement lower_refinement(const check::Checked& checked, const NameTable& names,
                                          check::ModelId super);

}  // namespace leto::lower
