// What a command that verifies needs besides the program: solvers and the cache, by its options.
#pragma once

#include <memory>

#include "driver/commands.h"
#include "prove/cache.h"

namespace leto::driver {

// The solver of a worker, by what was asked for. Versions are asked for once, if at
// all.
[[nodiscard]] prove::SolverMaker solver_maker(const VerifyOptions& options);

// Null if there is to be none, or with a warning if there can be none.
[[nodiscard]] std::unique_ptr<prove::FileCache> cache_of(const VerifyOptions& options,
                                                         Streams& streams);

}  // namespace leto::driver
