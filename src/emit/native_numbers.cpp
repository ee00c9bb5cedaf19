// The C++ that native campaigns compute with: integers that say where they do not fit, doubles with
// a bound of their error, arrays.
#include "emit/native_runtime.h"

namespace leto::emit {

namespace {

constexpr std::string_view kNativeNumbers = R"text(#pragma once
#if !defined(__GNUC__)
#error "this header needs GCC or Clang"
#endif
#if defined(__FAST_MATH__) || (defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0)
#error "error bounds need plain doubles: no -ffast-math, no x87"
#endif
#if !defined(LETO_FP_CONTRACT_OFF)
#error "compile with -ffp-contract=off, and with -DLETO_FP_CONTRACT_OFF to say so"
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace leto_native {

// How a pair of runs ends; the numbers are those of the interpreter.
enum class end : unsigned char {
  done, original_failed, original_hung, assert_failed, check_failed, stuck, hung, impossible, undecidable
};
// Why nothing can be said, where no place in the program says it.
enum why : std::uint32_t { nothing, rounding, wide, many, broad, first_own };
struct halt {
  end how;
  std::uint32_t reason, place;  // place 0: where the run is
};
[[noreturn, gnu::cold, gnu::noinline]] inline void stop(end how, std::uint32_t reason, std::uint32_t place) {
  throw halt{how, reason, place};
}
[[noreturn, gnu::cold, gnu::noinline]] inline void undecided(why reason) {
  throw halt{end::undecidable, reason, 0};
}

// Integers -----------------------------------------------------------------------------------------

struct integer {
  std::int64_t n = 0;
};
inline integer operator+(integer a, integer b) {
  integer out;
  if (__builtin_add_overflow(a.n, b.n, &out.n)) undecided(wide);
  return out;
}
inline integer operator-(integer a, integer b) {
  integer out;
  if (__builtin_sub_overflow(a.n, b.n, &out.n)) undecided(wide);
  return out;
}
inline integer operator*(integer a, integer b) {
  integer out;
  if (__builtin_mul_overflow(a.n, b.n, &out.n)) undecided(wide);
  return out;
}
inline integer operator-(integer a) { return integer{0} - a; }
// The remainder is never negative; by zero both are zero.
inline integer quotient(integer a, integer b) {
  if (b.n == 0) return {0};
  if (b.n == -1) return integer{0} - a;
  const std::int64_t q = a.n / b.n, r = a.n % b.n;
  return {r >= 0 ? q : b.n > 0 ? q - 1 : q + 1};
}
inline integer remainder(integer a, integer b) {
  if (b.n == 0 || b.n == -1) return {0};
  const std::int64_t r = a.n % b.n;
  if (r >= 0) return {r};
  return b.n > 0 ? integer{r + b.n} : integer{r} - b;
}
inline int order(integer a, integer b) { return (a.n > b.n) - (a.n < b.n); }
inline integer absolute(integer a) { return a.n < 0 ? -a : a; }
inline integer natural(integer a) { return a.n < 0 ? integer{0} : a; }

// Reals: a double, and how far it is off at most ---------------------------------------------------

// The same tag means that both were computed alike, and so are the same number, whatever it is.
struct real {
  double v = 0, e = 0;
  std::uint64_t tag = 0;
  std::uint64_t id() const {
    if (e != 0) return tag;
    std::uint64_t bits = 0;
    const double x = v == 0 ? 0.0 : v;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
  }
};
inline constexpr double up = 1 + 0x1p-48, tiny = 0x1p-1070;

inline std::uint64_t tag_of(std::uint64_t a, std::uint64_t b, std::uint64_t op) {
  std::uint64_t h = (a + op * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  h ^= h >> 32;
  h = (h ^ b) * 0x94d049bb133111ebu;
  return h ^ (h >> 29);
}
inline real made(double v, double e, const real& a, const real& b, std::uint64_t op) {
  if (e == 0) return {v, 0, 0};
  return {v, e, tag_of(a.id(), b.id(), op)};
}
inline bool is_zero(const real& a) { return a.v == 0 && a.e == 0; }
// The rounding error of a sum is a double.
inline double lost(double a, double b, double v) {
  const double t = v - a;
  return (a - (v - t)) + (b - t);
}
[[gnu::noinline]] inline real rounded_sum(real a, real b, std::uint64_t op) {
  const double v = a.v + b.v;
  double e = std::fabs(lost(a.v, b.v, v));
  if (a.e + b.e != 0) {
    if (is_zero(a) && op == 1) return b;
    if (is_zero(b)) return a;
    e = (e + a.e + b.e) * up;
  }
  return made(v, e, a, b, op);
}
inline real operator+(const real& a, const real& b) {
  const double v = a.v + b.v;
  if (a.e + b.e == 0 && lost(a.v, b.v, v) == 0) [[likely]] return {v, 0, 0};
  return rounded_sum(a, b, 1);
}
inline real operator-(const real& a) {
  if (a.e == 0) return {-a.v, 0, 0};
  return {-a.v, a.e, tag_of(a.tag, 0, 2)};
}
inline real operator-(const real& a, const real& b) {
  const double v = a.v - b.v;
  if (a.e + b.e == 0 && lost(a.v, -b.v, v) == 0) [[likely]] return {v, 0, 0};
  if (a.e + b.e != 0 && a.id() == b.id()) return {};
  return rounded_sum(a, {-b.v, b.e, b.tag}, 3);
}
[[gnu::noinline]] inline real rounded_product(real a, real b) {
  const double v = a.v * b.v;
  double e = std::fabs(std::fma(a.v, b.v, -v));
  if (std::fabs(v) < 0x1p-960 && a.v != 0 && b.v != 0) e += tiny;
  if (a.e + b.e != 0) {
    if (is_zero(a) || is_zero(b)) return {};
    e = (e + std::fabs(a.v) * b.e + std::fabs(b.v) * a.e + a.e * b.e) * up + tiny;
  }
  return made(v, e, a, b, 4);
}
inline real operator*(const real& a, const real& b) {
  const double v = a.v * b.v;
  if (a.e + b.e == 0 && std::fma(a.v, b.v, -v) == 0 && std::fabs(v) >= 0x1p-960) [[likely]]
    return {v, 0, 0};
  return rounded_product(a, b);
}
// By zero it is zero.
inline real quotient(const real& a, const real& b) {
  if (b.e == 0 && b.v == 0) return {};
  if (!(std::fabs(b.v) > b.e * up)) undecided(rounding);
  if (a.e == 0 && a.v == 0) return {};
  const double v = a.v / b.v, rest = std::fma(-v, b.v, a.v);
  const bool exact = a.e + b.e == 0 && rest == 0 && std::fabs(a.v) > 0x1p-900 && std::fabs(v) > 0x1p-900;
  const double e =
      exact ? 0 : (std::fabs(rest) + a.e + std::fabs(v) * b.e + tiny) / (std::fabs(b.v) - b.e) * up + tiny;
  return made(v, e, a, b, 5);
}
[[gnu::noinline]] inline int order(real a, real b) {
  const double e = a.e + b.e, d = a.v - b.v;
  if (e == 0) return (a.v > b.v) - (a.v < b.v);
  if (std::fabs(d) > e * up) return d > 0 ? 1 : -1;
  if (a.id() == b.id()) return 0;
  undecided(rounding);
}
inline real absolute(const real& a) {
  if (a.e == 0) return {std::fabs(a.v), 0, 0};
  return {std::fabs(a.v), a.e, tag_of(a.tag, 0, 6)};
}
inline real to_real(integer a) {
  const double v = static_cast<double>(a.n);
  const bool exact = a.n < (std::int64_t{1} << 53) && a.n > -(std::int64_t{1} << 53);
  if (exact) [[likely]] return {v, 0, 0};
  return {v, std::fabs(v) * 0x1p-52, tag_of(static_cast<std::uint64_t>(a.n), 0, 7)};
}
inline integer floor_of(const real& a) {
  const double f = std::floor(a.v);
  if (!(std::fabs(f) < 0x1p52)) undecided(wide);
  if (a.e != 0 && !(a.v - f > a.e * up && f + 1 - a.v > a.e * up)) undecided(rounding);
  return {static_cast<std::int64_t>(f)};
}
inline real number(std::int64_t top, std::int64_t bottom) {
  return bottom == 1 ? to_real({top}) : quotient(to_real({top}), to_real({bottom}));
}

template <class T>
concept numeric = std::is_same_v<T, integer> || std::is_same_v<T, real>;
// What is exact is compared as it is.
inline bool is_plain(integer, integer) { return true; }
inline bool is_plain(const real& a, const real& b) { return a.e + b.e == 0; }
inline std::int64_t plain(integer a) { return a.n; }
inline double plain(const real& a) { return a.v; }
template <numeric T> bool operator==(const T& a, const T& b) { return is_plain(a, b) ? plain(a) == plain(b) : order(a, b) == 0; }
template <numeric T> bool operator!=(const T& a, const T& b) { return is_plain(a, b) ? plain(a) != plain(b) : order(a, b) != 0; }
template <numeric T> bool operator<(const T& a, const T& b) { return is_plain(a, b) ? plain(a) < plain(b) : order(a, b) < 0; }
template <numeric T> bool operator<=(const T& a, const T& b) { return is_plain(a, b) ? plain(a) <= plain(b) : order(a, b) <= 0; }
template <numeric T> bool operator>(const T& a, const T& b) { return is_plain(a, b) ? plain(a) > plain(b) : order(a, b) > 0; }
template <numeric T> bool operator>=(const T& a, const T& b) { return is_plain(a, b) ? plain(a) >= plain(b) : order(a, b) >= 0; }
template <numeric T> T least_of(const T& a, const T& b) { return a <= b ? a : b; }
template <numeric T> T greatest_of(const T& a, const T& b) { return a <= b ? b : a; }

// Vectors and matrices -----------------------------------------------------------------------------

template <class T>
struct array {
  static constexpr T nowhere{};
  std::int64_t rows = 0, cols = 1;
  std::vector<T> all;
  void make(integer n, integer m = {1}) {
    rows = n.n > 0 ? n.n : 0;
    cols = m.n > 0 ? m.n : 0;
    std::int64_t most = 10'000'000;
    if (rows > most || cols > most / std::max<std::int64_t>(rows, 1)) undecided(broad);
    all.assign(static_cast<std::size_t>(rows * cols), T{});
  }
  // Zero where there is none.
  const T& at(integer i) const {
    if (i.n >= 0 && i.n < rows) [[likely]] return all[static_cast<std::size_t>(i.n)];
    return nowhere;
  }
  const T& at(integer i, integer j) const {
    if (i.n >= 0 && i.n < rows && j.n >= 0 && j.n < cols) [[likely]]
      return all[static_cast<std::size_t>(i.n * cols + j.n)];
    return nowhere;
  }
  // A check stands before every store.
  void set(integer i, const T& x) {
    if (i.n < 0 || i.n >= rows) std::abort();
    all[static_cast<std::size_t>(i.n)] = x;
  }
  void set(integer i, integer j, const T& x) {
    if (i.n < 0 || i.n >= rows || j.n < 0 || j.n >= cols) std::abort();
    all[static_cast<std::size_t>(i.n * cols + j.n)] = x;
  }
};
template <class T>
bool same(const array<T>& a, const array<T>& b) {
  return a.rows == b.rows && a.cols == b.cols && std::equal(a.all.begin(), a.all.end(), b.all.begin());
}
template <class T>
bool same(const T& a, const T& b) {
  return a == b;
}

// Quantifiers: from `low` to below `high`.
template <class F>
bool for_all(integer low, integer high, const F& holds) {
  std::int64_t count = 0;
  if (__builtin_sub_overflow(high.n, low.n, &count) || count > 1'000'000) undecided(many);
  for (integer i = low; i.n < high.n; ++i.n)
    if (!holds(i)) return false;
  return true;
}

)text";

}  // namespace

std::string native_numbers() {
  return std::string(kNativeNumbers);
}

}  // namespace leto::emit
