// Which code is running.
#pragma once

#include <string>

namespace leto::engine {

// The build id that the linker gave to the executable or library that this code is in: a digest of
// all of it. Empty: it has none.
[[nodiscard]] std::string find_own_build_id();

}  // namespace leto::engine
