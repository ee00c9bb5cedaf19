// The header, as installed.
#include <divide.hpp>

int main() {
  const auto got = emitted::divide(-7, 2);
  if (!got || (*got).result_q != -4 || (*got).result_r != 1) return 1;
  if (emitted::divide(1, 0).reason() != leto::why::unmet) return 2;
  return emitted::divide(INT64_MIN, -1).reason() == leto::why::range ? 0 : 3;
}
