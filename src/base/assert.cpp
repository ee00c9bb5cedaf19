#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace leto {

void assertion_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr,
               "leto: internal error at %s:%d: %s does not hold.\n"
               "This is a mistake in leto, not in your program; please report it with the input.\n",
               file, line, expression);
  std::_Exit(5);
}

}  // namespace leto
