#include <copied_capi.h>

int main(void) {
  const int64_t a[] = {3, 4}, b[] = {3, 4}, wrong[] = {3, 5}, twice[] = {6, 8};
  if (copied(2, a, 2, b, 2, twice, 2) != 1) return 1;
  if (copied(2, a, 2, wrong, 2, twice, 2) != 0) return 2;
  if (copied(2, a, 2, a, 2, twice, 2) != 2) return 3;
  if (copied(2, 0, 2, b, 2, twice, 2) != 2) return 4;
  if (copied(2, a, 2, b, 1, twice, 2) != 0) return 5;
  if (copied(2, a, 2, b, (size_t)-1, twice, 2) != 2) return 6;
  return copied(0, 0, 0, 0, 0, 0, 0) == 1 ? 0 : 7;
}
