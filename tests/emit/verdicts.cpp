// What emitted checkers say where it matters: of sizes, of memory that is shared, of what is
// required and not met, of numbers that do not fit, of what is no number.
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "added.hpp"
#include "by_marks.hpp"
#include "by_odd_walk.hpp"
#include "copied.hpp"
#include "is_near.hpp"
#include "none.hpp"
#include "residual.hpp"

namespace {

using leto::verdict;
using Numbers = std::vector<std::int64_t>;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

int failed = 0;

void expect(verdict got, verdict wanted, const char* what) {
  if (got == wanted) return;
  ++failed;
  std::printf("wrong: %s: %d instead of %d\n", what, static_cast<int>(got),
              static_cast<int>(wanted));
}

verdict copied(const Numbers& a, const Numbers& b, const Numbers& twice) {
  return emitted::copied(static_cast<std::int64_t>(a.size()), a, b, twice);
}

void try_sizes() {
  expect(copied({1, 2}, {1, 2}, {2, 4}), verdict::accept, "a copy");
  expect(copied({1, 2}, {1, 3}, {2, 5}), verdict::reject, "no copy");
  expect(copied({1, 2}, {1}, {2, 4}), verdict::reject, "an output that is too short");
  expect(copied({1, 2}, {1, 2, 3}, {2, 4}), verdict::reject, "an output that is too long");
  expect(copied({1, 2}, {1, 2}, {2}), verdict::reject, "a witness that is too short");
  expect(copied({1, 2}, {1, 2}, {2, -4}), verdict::reject, "a witness below zero");
  const Numbers one = {1};
  expect(emitted::copied(2, one, one, one), verdict::undecided, "an input that is too short");
  expect(emitted::copied(-1, {}, {}, {}), verdict::undecided, "an input below zero");
  // The walk is untrusted, its length too: what does not fit says nothing, and nothing is read.
  const Numbers walk = {0};
  expect(emitted::by_odd_walk(1, 1, walk, Numbers{0}, false, std::vector<std::uint8_t>{0}, kMost,
                              Numbers{0}, Numbers{0}),
         verdict::undecided, "a size that is no number");
  expect(emitted::by_odd_walk(1, 1, walk, Numbers{0}, false, std::vector<std::uint8_t>{0},
                              kMost - 1, Numbers{0}, Numbers{0}),
         verdict::reject, "a size that is too large");
  const std::vector<std::uint8_t> edges = {7};
  expect(emitted::by_marks(1, {edges.data(), 1, 1, 1}, Numbers{0}), verdict::accept,
         "a truth value that is neither 0 nor 1");
  expect(emitted::by_marks(1, {edges.data(), 1, 1, 0}, Numbers{0}), verdict::accept,
         "one row, and nobody asks where the next one is");
  const std::vector<std::uint8_t> four = {1, 1, 1, 1};
  expect(emitted::by_marks(2, {four.data(), 2, 2, 2}, Numbers{0, 1}), verdict::accept, "two rows");
  expect(emitted::by_marks(2, {four.data(), 2, 2, 1}, Numbers{0, 1}), verdict::undecided,
         "rows that are shorter than they are");
  expect(emitted::by_marks(kMost, {four.data(), 1, SIZE_MAX, 0}, Numbers{0}), verdict::undecided,
         "a row that is longer than memory");
}

void try_sharing() {
  Numbers memory = {1, 2, 3};
  const Numbers twice = {2, 4, 6}, other = {1, 2, 3};
  expect(emitted::copied(3, memory, memory, twice), verdict::undecided, "the input is the output");
  expect(emitted::copied(3, memory, other, memory), verdict::undecided, "the input is the witness");
  const std::span<const std::int64_t> all(memory);
  expect(emitted::copied(2, all.first(2), all.last(2), twice), verdict::undecided, "one in common");
  expect(emitted::copied(1, all.first(1), all.last(2).first(1), Numbers{3}), verdict::reject,
         "neighbours");
  expect(emitted::copied(3, other, memory, twice), verdict::accept, "apart");
  expect(emitted::copied(0, all.first(0), all.first(0), all.first(0)), verdict::accept, "nothing");
}

void try_requirements() {
  expect(copied({-1}, {-1}, {2}), verdict::undecided, "a requirement that is not met");
  expect(copied({-1}, {7}, {2, 2}), verdict::undecided, "the same, of something wrong");
  expect(emitted::none(3, Numbers{3, 1, 2}, false, 0, 0, 0), verdict::undecided, "not sorted");
  expect(emitted::none(3, Numbers{1, 2, 3}, false, 0, 0, 0), verdict::accept, "sorted");
  expect(emitted::none(3, Numbers{1, 2, 3}, true, 0, 0, 0), verdict::reject, "not its kind");
  expect(emitted::added(1, 2, 3, 5), verdict::accept, "a sum");
  expect(emitted::added(100, 2, 3, 5), verdict::undecided, "too many");
  expect(emitted::added(3, 2, 3, 5), verdict::undecided, "a quotient that nobody knows");
}

void try_numbers() {
  const std::int64_t half = std::int64_t{1} << 62;
  expect(copied({half - 1}, {half - 1}, {2 * (half - 1)}), verdict::accept, "the largest sum");
  expect(copied({half}, {half}, {0}), verdict::undecided, "a sum that does not fit");
  expect(copied({half, 1}, {half - 1, 2}, {0, 0}), verdict::reject, "wrong before it is summed");
  expect(emitted::added(1, kMost, 1, -kMost - 1), verdict::undecided, "wrapped around");
  expect(emitted::none(3, Numbers{-kMost, -kMost, kMost}, false, 0, 0, 0), verdict::undecided,
         "three that do not fit");
}

void try_reals() {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const double most = std::numeric_limits<double>::max();
  expect(emitted::is_near(1, 0.5, 1.25), verdict::accept, "near");
  expect(emitted::is_near(1, 0.5, 2), verdict::reject, "far");
  expect(emitted::is_near(1, 0.5, nan), verdict::reject, "a result that is no number");
  expect(emitted::is_near(nan, 0.5, 1), verdict::undecided, "an input that is no number");
  expect(emitted::is_near(1, inf, 1), verdict::undecided, "any distance");
  expect(emitted::is_near(most, most, -most), verdict::undecided, "a difference that is no number");
  const std::vector<double> matrix = {most, most}, zero = {0};
  const leto::matrix_view<const double> view{matrix.data(), 1, 2, 2};
  expect(emitted::residual(1, 2, view, zero, 1, std::vector<double>{2, -2}), verdict::undecided,
         "infinite terms");
  expect(emitted::residual(1, 2, view, zero, 1, std::vector<double>{nan, 0}), verdict::reject,
         "a solution that is no number");
  expect(emitted::residual(1, 2, view, zero, 1, std::vector<double>{1, -1}), verdict::accept,
         "a solution");
}

}  // namespace

int main() {
  try_sizes();
  try_sharing();
  try_requirements();
  try_numbers();
  try_reals();
  std::printf("verdicts: %d wrong\n", failed);
  return failed == 0 ? 0 : 1;
}
