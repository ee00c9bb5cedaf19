// An external function is a thing that can be called.
#include "measure_twice.hpp"

int main() {
  int calls = 0;
  auto measure = [&](std::int64_t x) {
    ++calls;
    return x * x;
  };
  const auto got = emitted::measure_twice(measure, 3);
  if (!got || *got != 16 || calls != 2) return 1;
  return emitted::measure_twice(measure, INT64_MAX).reason() == leto::why::range ? 0 : 2;
}
