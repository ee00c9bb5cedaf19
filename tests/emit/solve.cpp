// A system of 1,000 unknowns, solved by the emitted conjugate gradient with its copies in place.
#include <cmath>
#include <cstdio>
#include <vector>

#include "ss_cg.hpp"

int main() {
  const std::size_t n = 1000;
  std::vector<double> a(n * n), b(n), x(n), found(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t apart = i < j ? j - i : i - j;
      a[i * n + j] = apart == 0 ? 4.0 : 1.0 / static_cast<double>(1 + apart * apart);
      b[i] += a[i * n + j] * (j % 3 == 0 ? 1.0 : -0.5);
    }
  const auto got =
      emitted::ss_cg(static_cast<std::int64_t>(n), 40, 10, {a.data(), n, n, n}, b, x, found);
  if (!got) {
    std::printf("no value: %d\n", static_cast<int>(got.reason()));
    return 1;
  }
  double worst = 0;
  for (std::size_t j = 0; j < n; ++j)
    worst = std::fmax(worst, std::fabs(found[j] - (j % 3 == 0 ? 1.0 : -0.5)));
  std::printf("%zu unknowns, worst error %.1e\n", n, worst);
  return worst < 1e-9 ? 0 : 1;
}
