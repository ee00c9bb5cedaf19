// What a command that verifies needs besides the program: solvers and the cache, by its options.
#pragma once

#include <memory>

#include "driver/commands.h"
#include "prove/cache.h"

namespace leto::driver {

// From when it is made, an interrupt sets the flag instead of ending the program.
struct Proving {
  Proving(const VerifyOptions& options, Streams& streams);

  prove::Crew crew;
  std::unique_ptr<prove::FileCache> cache;  // null if there is to be none, or can be none
};

}  // namespace leto::driver
