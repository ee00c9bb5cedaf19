#include <copied.hpp>
#include <vector>

int main() {
  const std::vector<std::int64_t> a = {3, 4}, b = {3, 4}, twice = {6, 8};
  return emitted::copied(2, a, b, twice) == leto::verdict::accept ? 0 : 1;
}
