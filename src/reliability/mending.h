// Whether `recover` is `try` done again, and puts everything right because of that; see
// mending.cpp.
#pragma once

#include <string>

#include "reliability/reliability.h"
#include "reliability/uses.h"

namespace leto::reliability {

struct Again {
  bool same_code = false;  // else there is nothing to be said here
  bool mends = false;
  std::string why_not = {};  // with the variable's name, if it is the same code and does not mend
};

[[nodiscard]] Again find_again(const core::Program& program, Uses& uses,
                               const core::Recovery& recovery, Trap trap = Trap::None);

}  // namespace leto::reliability
