// A sort that is fast to write, and a checker that does not believe it.
#include <algorithm>
#include <by_counts.hpp>
#include <cstdio>
#include <vector>

using Numbers = std::vector<std::int64_t>;

// The smaller one comes to the front. Where it was, nothing takes its place.
Numbers fast_sort(Numbers v) {
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = i + 1; j < v.size(); ++j)
      if (v[j] < v[i]) v[i] = v[j];
  return v;
}

void print(const char* what, const Numbers& v) {
  std::printf("%s", what);
  for (const std::int64_t x : v) std::printf(" %d", static_cast<int>(x));
}

void sort(const Numbers& a) {
  const std::int64_t range = 10;
  Numbers b = fast_sort(a);
  print("", a);
  print("  ->", b);
  switch (emitted::by_counts(static_cast<std::int64_t>(a.size()), range, a, b)) {
    case leto::verdict::accept:
      std::printf("  accepted: this is right, and that is proved\n");
      return;
    case leto::verdict::reject:
      b = a;
      std::sort(b.begin(), b.end());
      print("  rejected; sorted again:", b);
      std::printf("\n");
      return;
    case leto::verdict::undecided:
      std::printf("  undecided: nothing is known\n");
      return;
  }
}

int main() {
  sort({1, 2, 2, 7});
  sort({3, 1, 2});
  sort({12, 3});
}
