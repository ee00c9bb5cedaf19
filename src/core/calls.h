// Who calls whom.
#pragma once

#include <functional>
#include <vector>

#include "core/program.h"

namespace leto::core {

// f(callee) for each call in a function's body, in order.
void for_each_callee(const Program& program, FunctionId id,
                     const std::function<void(FunctionId)>& f);

// By function: whether somebody calls it.
[[nodiscard]] std::vector<bool> find_called(const Program& program);

// By function: whether it is one of these, or they call it, directly or by way of others.
[[nodiscard]] std::vector<bool> find_reached(const Program& program,
                                             const std::vector<FunctionId>& from);

// The functions in groups: those that call one another in a circle are in one group, and every
// group stands behind all groups that it calls.
[[nodiscard]] std::vector<std::vector<FunctionId>> find_circles(const Program& program);

}  // namespace leto::core
