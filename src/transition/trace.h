// Runs of a system, and whether they are runs: looked at with exact numbers and without a solver.
// Nothing is called invalid that was not replayed here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transition/system.h"
#include "transition/value.h"

namespace leto::transition {

// A step less than states; values in the order of the system's variables and inputs.
struct Trace {
  std::vector<std::vector<Value>> states;
  std::vector<std::vector<Value>> inputs;
};

struct Replayed {
  std::optional<std::string> fault;  // why it is no run that breaks the claim
  std::vector<std::size_t> steps;    // which one was taken, the first that could be
};

// Initial, a step each time, the assumption everywhere, the claim false at the end.
[[nodiscard]] Replayed replay(const System& system, const Claim& claim, const Trace& trace);
// Only whether it is an initial state that the assumption leaves.
[[nodiscard]] bool is_initial(const System& system, const std::vector<Value>& state);

// What a solver said to `get-value` of so many symbols of these sorts, in this order. Nothing if it
// is not understood, or not exact (a root of a polynomial).
[[nodiscard]] std::optional<std::vector<Value>> read_values(std::string_view reply,
                                                            const std::vector<Sort>& sorts);

}  // namespace leto::transition
