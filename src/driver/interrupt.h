// Interrupts of the user: whatever takes long looks at the flag.
#pragma once

#include <atomic>

namespace leto::driver {

// False until the user interrupts; true from then on.
[[nodiscard]] const std::atomic<bool>& interrupted();
// From now on an interrupt sets the flag instead of ending the program.
void catch_interrupts();

}  // namespace leto::driver
