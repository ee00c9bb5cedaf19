// What bench/inject compares with: the campaign of examples/vector_product.leto written by hand, in
// C++ with GMP's rationals. Both products, one upset within the model's bounds, the claim for every
// element, the class of the run.
//
//     inject_gmp RUNS N
#include <gmpxx.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 3) return 4;
  const auto runs = std::strtoull(argv[1], nullptr, 10);
  const auto n = static_cast<std::size_t>(std::strtoull(argv[2], nullptr, 10));
  std::vector<mpq_class> x, y;
  for (std::size_t k = 0; k < n; ++k) {
    x.emplace_back(static_cast<long>(k % 7) - 3);
    y.emplace_back(static_cast<long>(k % 5) + 1);
  }
  const mpq_class eps = 1;
  std::uint64_t masked = 0, acceptable = 0, corrupt = 0;
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t run = 0; run < runs; ++run) {
    std::mt19937_64 random(run);
    const std::size_t upset = random() % n;
    mpq_class fault(static_cast<long>(1 + random() % 15), 16);
    fault.canonicalize();
    std::vector<mpq_class> original(n), relaxed(n);
    for (std::size_t i = 0; i < n; ++i) {
      original[i] = x[i] * y[i];
      relaxed[i] = x[i] * y[i];
      if (i == upset) relaxed[i] = relaxed[i] - eps + 2 * eps * fault;
    }
    bool holds = true, same = true;
    for (std::size_t i = 0; i < n; ++i) {
      holds = holds && abs(original[i] - relaxed[i]) < eps;
      same = same && original[i] == relaxed[i];
    }
    ++(!holds ? corrupt : same ? masked : acceptable);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%.0f %llu %llu %llu\n", static_cast<double>(runs) / took.count(),
              static_cast<unsigned long long>(masked), static_cast<unsigned long long>(acceptable),
              static_cast<unsigned long long>(corrupt));
  return 0;
}
