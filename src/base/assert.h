// Our own mistakes: a failed LETO_ASSERT stops the process with its place and
// exit code 5 ("internal"). The user's mistakes are diagnostics, never this.
#pragma once

namespace leto {

[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace leto

#define LETO_ASSERT(expression)                         \
  (static_cast<bool>(expression) ? static_cast<void>(0) \
                                 : ::leto::assertion_failed(#expression, __FILE__, __LINE__))
