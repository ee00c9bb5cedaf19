// What is needed before each statement of a function, for people.
#pragma once

#include "reliability/backwards.h"

namespace leto::reliability {

// In the program's order. Of a loop, one round for each set of variables that its iterations need.
[[nodiscard]] std::vector<std::pair<Span, std::string>> find_trail(const core::Program& program,
                                                                   Backwards& backwards,
                                                                   core::StmtId body,
                                                                   const Vars& wanted);

}  // namespace leto::reliability
