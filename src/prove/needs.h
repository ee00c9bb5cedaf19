// Which variables the claims of a function depend on, and where its variables are used.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "core/core.h"

namespace leto::prove {

// Those that the claims speak of, those that decide which way a run goes and whether it may go on
// (tests, checks, what is handed to other functions), and those from which these are computed.
[[nodiscard]] std::set<core::VarId> find_needed(const core::Program& program,
                                                const core::Function& function,
                                                const std::vector<core::ExprId>& claims);

// By the order of statements in the text: the first that sets a variable, the last that reads it.
struct Uses {
  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);
  struct Use {
    std::size_t first_set = kNever;
    std::size_t last_read = 0;  // kNever: by what the function ensures, behind all statements
  };
  std::map<core::VarId, Use> of;
  std::map<core::LoopId, std::size_t> loops;
};
[[nodiscard]] Uses find_uses(const core::Program& program, const core::Function& function);

}  // namespace leto::prove
