// Places that a few runs come by, so that no solver need find out whether anybody can get there.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "interp/interp.h"
#include "prove/explore.h"

namespace leto::diagnose {

// Inputs of a function that somebody knows, such as examples. They meet what it requires.
using KnownInputs =
    std::function<std::vector<interp::Inputs>(const interp::Machine&, core::FunctionId)>;

// The program must outlive it.
[[nodiscard]] std::unique_ptr<prove::Explorer> make_explorer(const core::Program& program,
                                                             const Allowance* allowance,
                                                             KnownInputs known = {});

}  // namespace leto::diagnose
