// What a command that verifies needs besides the program: solvers and the cache, by its options.
#pragma once

#include <memory>

#include "driver/commands.h"
#include "driver/interrupt.h"
#include "driver/verification.h"
#include "prove/cache.h"

namespace leto::driver {

// From when it is made, an interrupt sets the flag instead of ending the program.
struct Proving {
  Proving(const VerifyOptions& options, Streams& streams);

  // True, and said once, with what to do, if a solver that was asked for cannot be started.
  [[nodiscard]] bool no_solver(Streams& streams) const;
  [[nodiscard]] const std::atomic<bool>& over() const { return limit.over(); }

  TimeLimit limit;                   // of the command
  std::vector<std::string> missing;  // solvers
  prove::Crew crew;
  std::unique_ptr<prove::FileCache> cache;  // null if there is to be none, or can be none
};

// False, and said, if several models are named for a command that takes one.
[[nodiscard]] bool has_one_model(const VerifyOptions& options, Streams& streams);

// How a command with these options verifies.
[[nodiscard]] VerifySettings settings_of(const VerifyOptions& options, const Proving& proving);

}  // namespace leto::driver
