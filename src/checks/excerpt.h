// A part of a program as a program of its own: some code, all functions that it calls, directly or
// by way of others, and all that is the model's. Nothing is left out but functions that nobody in
// it calls, so what is shown of the part is shown of the whole; and whoever goes through all of a
// program goes through the part and no further. What is kept keeps its order.
#pragma once

#include <unordered_map>

#include "core/core.h"
#include "reliability/footing.h"

namespace leto::checks {

class Excerpt {
 public:
  // A recovery block, with what its proofs stand on.
  Excerpt(const core::Program& whole, const core::Recovery& recovery,
          const reliability::Footing& footing, core::ExprId said = {});
  // One function.
  Excerpt(const core::Program& whole, core::FunctionId function);

  core::Program program = {};  // without a list of its recoveries
  // What was asked for, as it is there.
  core::Recovery recovery = {};
  reliability::Footing footing = {};
  core::ExprId said = {};  // of the values that the block leaves; invalid: nothing was asked for
  core::FunctionId function = {};
  // Of a function there, which one of the whole it is.
  [[nodiscard]] core::FunctionId in_whole(core::FunctionId id) const {
    return functions_of_whole_[id.value];
  }

 private:
  std::vector<core::FunctionId> functions_of_whole_ = {};
};

}  // namespace leto::checks
