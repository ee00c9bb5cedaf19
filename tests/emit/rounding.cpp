// Whether it is noticed that doubles are not what they should be. Compiled with CONTRACTED where
// they are fused.
#include <cfenv>
#include <cstdio>

#include "is_near.hpp"
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

int main() {
#ifdef CONTRACTED
  return leto::self_test() ? 1 : 0;
#else
  int failed = leto::self_test() ? 0 : 1;
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    if (leto::self_test()) ++failed;
  }
  std::fesetround(FE_TONEAREST);
#if defined(__x86_64__)
  const unsigned before = _mm_getcsr();
  for (const unsigned bit : {0x8000u, 0x0040u}) {  // results that are flushed, operands that are
    _mm_setcsr(before | bit);
    if (leto::self_test()) ++failed;
  }
  _mm_setcsr(before);
#endif
  if (!leto::self_test()) ++failed;
  std::printf("rounding: %d wrong\n", failed);
  return failed == 0 ? 0 : 1;
#endif
}
