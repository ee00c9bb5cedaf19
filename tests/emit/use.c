/* The interface for C, as installed. */
#include <divide_capi.h>

int main(void) {
  int64_t q = 0, r = 0;
  if (divide(-7, 2, &q, &r) != 1 || q != -4 || r != 1) return 1;
  if (divide(-7, -2, &q, &r) != 1 || q != 4 || r != 1) return 2;
  if (divide(1, 0, &q, &r) != 2) return 3;          /* requires d != 0 */
  if (divide(INT64_MIN, -1, &q, &r) != 2) return 4; /* does not fit */
  return divide(1, 1, 0, &r) == 2 ? 0 : 5;
}
