#include "emit/runtime.h"

namespace leto::emit {

namespace {

// What every header begins with; in a file that includes several it stands once.
constexpr std::string_view kBasis =
    R"text(#ifndef LETO_EMITTED_BASIS
#define LETO_EMITTED_BASIS 1
#if !defined(__GNUC__)
#error "this header needs GCC or Clang: it uses __builtin_add_overflow and asm"
#endif

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace leto {

inline constexpr int emitted_major = 1;

// Of a checker. Undecided: nothing is said, because of the sizes, of `requires`, of a
// number that does not fit, or of memory.
enum class verdict : unsigned char { reject, accept, undecided };

// What became of a function.
enum class why : unsigned char {
  value,    // there is one
  range,    // a number on the way does not fit into its type
  memory,   // there is not enough
  size,     // a vector does not have the size that it is declared with
  overlap,  // an input and an output share memory
  unmet,    // `requires` does not hold of the arguments, or cannot be decided
  failed,   // a check failed; not in what is proved
};

struct done {};  // the value of a function whose results are all written to spans

template <class T>
class outcome {
 public:
  outcome(why reason) noexcept
      : reason_(reason) {}  // NOLINT: returned where there is no
                            // value
  outcome(T value) noexcept
      : value_(std::move(value)) {}  // NOLINT: returned where there
                                     // is one
  explicit operator bool() const noexcept { return reason_ == why::value; }
  [[nodiscard]] why reason() const noexcept { return reason_; }
  // What it is where there is no value is nobody's business.
  [[nodiscard]] const T& operator*() const noexcept { return value_; }

 private:
  T value_{};
  why reason_ = why::value;
};

// An operand or an outcome that the compiler must not look through: what is computed
// twice on purpose is computed twice.
template <class T>
[[nodiscard]] inline T keep(T x) noexcept {
  if constexpr (std::is_floating_point_v<T>) {
#if defined(__x86_64__)
    asm volatile("" : "+x"(x));
#elif defined(__aarch64__)
    asm volatile("" : "+w"(x));
#else
    asm volatile("" : "+m"(x));
#endif
  } else if constexpr (std::is_same_v<T, bool>) {
    unsigned char byte = x ? 1 : 0;
    asm volatile("" : "+r"(byte));
    x = byte != 0;
  } else if constexpr (std::is_integral_v<T> && sizeof(T) <= sizeof(void*)) {
    asm volatile("" : "+r"(x));
  } else {
    asm volatile("" : "+m"(x));
  }
  return x;
}

// Whole numbers. False: the exact outcome does not fit.
[[nodiscard]] inline bool add(std::int64_t a, std::int64_t b, std::int64_t& out) noexcept {
  return !__builtin_add_overflow(a, b, &out);
}
[[nodiscard]] inline bool sub(std::int64_t a, std::int64_t b, std::int64_t& out) noexcept {
  return !__builtin_sub_overflow(a, b, &out);
}
[[nodiscard]] inline bool mul(std::int64_t a, std::int64_t b, std::int64_t& out) noexcept {
  return !__builtin_mul_overflow(a, b, &out);
}
[[nodiscard]] inline bool neg(std::int64_t a, std::int64_t& out) noexcept {
  return !__builtin_sub_overflow(std::int64_t{0}, a, &out);
}
[[nodiscard]] inline bool magnitude(std::int64_t a, std::int64_t& out) noexcept {
  out = a;
  return a >= 0 || neg(a, out);
}
// The remainder is never negative; by zero both are zero.
[[nodiscard]] inline bool quotient(std::int64_t a, std::int64_t b, std::int64_t& out) noexcept {
  out = 0;
  if (b == 0) return true;
  if (b == -1) return neg(a, out);
  out = a / b;
  if (a % b < 0) out += b > 0 ? -1 : 1;
  return true;
}
[[nodiscard]] inline bool remainder(std::int64_t a, std::int64_t b, std::int64_t& out) noexcept {
  out = 0;
  if (b == 0 || b == -1) return true;
  out = a % b;
  if (out < 0) out = b > 0 ? out + b : out - b;
  return true;
}
[[nodiscard]] inline bool fit(std::int64_t x, std::int64_t& out) noexcept {
  out = x;
  return true;
}

// False: no memory has that size.
[[nodiscard]] inline bool to_size(std::int64_t x, std::size_t& out) noexcept {
  out = static_cast<std::size_t>(x);
  return x >= 0;
}
[[nodiscard]] inline std::size_t index(std::int64_t i) noexcept {
#ifdef LETO_PARANOID
  if (i < 0) std::abort();
#endif
  return static_cast<std::size_t>(i);
}
[[nodiscard]] inline constexpr std::uint8_t byte(bool b) noexcept {
  return b ? 1 : 0;
}

// A matrix that somebody else owns, row by row, `stride` elements from row to row.
template <class T>
struct matrix_view {
  T* data = nullptr;
  std::size_t rows = 0, cols = 0, stride = 0;
  [[nodiscard]] std::size_t extent() const noexcept {
    return rows == 0 || cols == 0 ? 0 : (rows - 1) * stride + cols;
  }
};

// Memory for a vector, zero at first. It does not throw.
template <class T>
class buffer {
 public:
  buffer() = default;
  buffer(const buffer&) = delete;
  buffer& operator=(const buffer&) = delete;
  ~buffer() { delete[] data_; }
  [[nodiscard]] bool make(std::size_t size) noexcept {
    if (size > static_cast<std::size_t>(PTRDIFF_MAX) / sizeof(T)) return false;
    if (size != size_ || data_ == nullptr) {
      delete[] data_;
      size_ = 0;
      data_ = new (std::nothrow) T[size == 0 ? 1 : size]();
      if (data_ == nullptr) return false;
      size_ = size;
    } else {
      for (std::size_t i = 0; i < size; ++i) data_[i] = T{};
    }
    return true;
  }
  void swap(buffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
  }
  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<const T> view() const noexcept { return {data_, size_}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// The same for a matrix.
template <class T>
class grid {
 public:
  [[nodiscard]] bool make(std::size_t rows, std::size_t cols) noexcept {
    std::size_t size = 0;
    if (__builtin_mul_overflow(rows, cols, &size) || !elements_.make(size)) return false;
    rows_ = rows;
    cols_ = cols;
    return true;
  }
  void swap(grid& other) noexcept {
    elements_.swap(other.elements_);
    std::swap(rows_, other.rows_);
    std::swap(cols_, other.cols_);
  }
  [[nodiscard]] matrix_view<T> whole() noexcept { return {elements_.data(), rows_, cols_, cols_}; }
  [[nodiscard]] matrix_view<const T> view() const noexcept {
    return {elements_.data(), rows_, cols_, cols_};
  }

 private:
  buffer<T> elements_;
  std::size_t rows_ = 0, cols_ = 0;
};

// Elements. That they are there is proved; LETO_PARANOID looks again, and aborts.
template <class V>
[[nodiscard]] inline auto& at(V& v, std::size_t i) noexcept {
#ifdef LETO_PARANOID
  if (i >= v.size()) std::abort();
#endif
  return v.data()[i];
}
template <class T>
[[nodiscard]] inline T& at(const matrix_view<T>& m, std::size_t i,
                           std::size_t j) noexcept {
#ifdef LETO_PARANOID
  if (i >= m.rows || j >= m.cols) std::abort();
#endif
  return m.data[i * m.stride + j];
}
template <class T>
[[nodiscard]] inline T& at(grid<T>& m, std::size_t i, std::size_t j) noexcept {
  return at(m.whole(), i, j);
}

// The same for `requires`, where they are zero outside of the vector.
[[nodiscard]] inline std::size_t place(std::int64_t i) noexcept {
  std::size_t at = 0;
  return to_size(i, at) ? at : SIZE_MAX;
}
template <class T>
[[nodiscard]] inline T element(std::span<const T> v, std::size_t i) noexcept {
  return i < v.size() ? v[i] : T{};
}
template <class T>
[[nodiscard]] inline T element(const matrix_view<const T>& m, std::size_t i,
                               std::size_t j) noexcept {
  return i < m.rows && j < m.cols ? m.data[i * m.stride + j] : T{};
}

// Whole vectors.
template <class T>
[[nodiscard]] inline bool copy(std::span<const T> from, buffer<T>& to) noexcept {
  if (from.data() == to.data() && from.size() == to.size()) return true;
  if (!to.make(from.size())) return false;
  for (std::size_t i = 0; i < from.size(); ++i) to.data()[i] = from[i];
  return true;
}
template <class T>
[[nodiscard]] inline bool copy(const matrix_view<const T>& from, grid<T>& to) noexcept {
  if (from.data == to.whole().data && from.extent() == to.whole().extent()) return true;
  if (!to.make(from.rows, from.cols)) return false;
  for (std::size_t i = 0; i < from.rows; ++i)
    for (std::size_t j = 0; j < from.cols; ++j) at(to, i, j) = at(from, i, j);
  return true;
}
template <class T>
[[nodiscard]] inline bool equal(std::span<const T> a, std::span<const T> b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if constexpr (std::is_same_v<T, std::uint8_t>) {  // of truth values
      if ((a[i] != 0) != (b[i] != 0)) return false;
    } else if (a[i] != b[i]) {
      return false;
    }
  }
  return true;
}
template <class T>
[[nodiscard]] inline bool equal(const matrix_view<const T>& a,
                                const matrix_view<const T>& b) noexcept {
  if (a.rows != b.rows || a.cols != b.cols) return false;
  for (std::size_t i = 0; i < a.rows; ++i)
    if (!equal(std::span<const T>(a.data + i * a.stride, a.cols),
               std::span<const T>(b.data + i * b.stride, b.cols)))
      return false;
  return true;
}
// Whether all elements are at least 0, as those of a vector<uint> are.
template <class T>
[[nodiscard]] inline bool natural(std::span<const T> v) noexcept {
  for (const T& x : v)
    if (x < 0) return false;
  return true;
}
template <class T>
[[nodiscard]] inline bool natural(const matrix_view<const T>& m) noexcept {
  for (std::size_t i = 0; i < m.rows; ++i)
    if (!natural(std::span<const T>(m.data + i * m.stride, m.cols))) return false;
  return true;
}
// Whether two stretches of memory have a byte in common.
struct stretch {
  const void* data;
  std::size_t bytes;
};
template <class T>
[[nodiscard]] inline stretch reach(std::span<T> v) noexcept {
  return {v.data(), v.size_bytes()};
}
template <class T>
[[nodiscard]] inline stretch reach(const matrix_view<T>& m) noexcept {
  return {m.data, m.extent() * sizeof(T)};
}
[[nodiscard]] inline bool overlap(stretch a, stretch b) noexcept {
  if (a.bytes == 0 || b.bytes == 0) return false;
  const auto from_a = reinterpret_cast<std::uintptr_t>(a.data);
  const auto from_b = reinterpret_cast<std::uintptr_t>(b.data);
  return from_a < from_b + b.bytes && from_b < from_a + a.bytes;
}

}       // namespace leto
#endif  // LETO_EMITTED_BASIS
    )text";

constexpr std::string_view kWide = R"text(#ifndef LETO_EMITTED_WIDE
#define LETO_EMITTED_WIDE 1
namespace leto {

__extension__ typedef __int128 wide;

[[nodiscard]] inline bool add(wide a, wide b, wide& out) noexcept {
  return !__builtin_add_overflow(a, b, &out);
}
[[nodiscard]] inline bool sub(wide a, wide b, wide& out) noexcept {
  return !__builtin_sub_overflow(a, b, &out);
}
[[nodiscard]] inline bool mul(wide a, wide b, wide& out) noexcept {
  return !__builtin_mul_overflow(a, b, &out);
}
[[nodiscard]] inline bool neg(wide a, wide& out) noexcept {
  return !__builtin_sub_overflow(wide{0}, a, &out);
}
[[nodiscard]] inline bool magnitude(wide a, wide& out) noexcept {
  out = a;
  return a >= 0 || neg(a, out);
}
[[nodiscard]] inline bool quotient(wide a, wide b, wide& out) noexcept {
  out = 0;
  if (b == 0) return true;
  if (b == -1) return neg(a, out);
  out = a / b;
  if (a % b < 0) out += b > 0 ? -1 : 1;
  return true;
}
[[nodiscard]] inline bool remainder(wide a, wide b, wide& out) noexcept {
  out = 0;
  if (b == 0 || b == -1) return true;
  out = a % b;
  if (out < 0) out = b > 0 ? out + b : out - b;
  return true;
}
[[nodiscard]] inline bool fit(wide x, wide& out) noexcept {
  out = x;
  return true;
}
[[nodiscard]] inline bool fit(wide x, std::int64_t& out) noexcept {
  out = static_cast<std::int64_t>(x);
  return x == out;
}
[[nodiscard]] inline bool to_size(wide x, std::size_t& out) noexcept {
  out = static_cast<std::size_t>(x);
  return x >= 0 && x <= INT64_MAX;
}
[[nodiscard]] inline std::size_t place(wide i) noexcept {
  std::size_t at = 0;
  return to_size(i, at) ? at : SIZE_MAX;
}
[[nodiscard]] inline std::size_t index(wide i) noexcept {
#ifdef LETO_PARANOID
  if (i < 0 || i > INT64_MAX) std::abort();
#endif
  return static_cast<std::size_t>(i);
}

}       // namespace leto
#endif  // LETO_EMITTED_WIDE
)text";

constexpr std::string_view kGmp = R"text(#ifndef LETO_EMITTED_GMP
#define LETO_EMITTED_GMP 1
#include <gmpxx.h>

#include <string>

namespace leto {

[[nodiscard]] inline mpz_class keep(mpz_class x) {
  return x;
}
[[nodiscard]] inline mpq_class keep(mpq_class x) {
  return x;
}

[[nodiscard]] inline bool add(const mpz_class& a, const mpz_class& b, mpz_class& out) {
  out = a + b;
  return true;
}
[[nodiscard]] inline bool sub(const mpz_class& a, const mpz_class& b, mpz_class& out) {
  out = a - b;
  return true;
}
[[nodiscard]] inline bool mul(const mpz_class& a, const mpz_class& b, mpz_class& out) {
  out = a * b;
  return true;
}
[[nodiscard]] inline bool neg(const mpz_class& a, mpz_class& out) {
  out = -a;
  return true;
}
[[nodiscard]] inline bool magnitude(const mpz_class& a, mpz_class& out) {
  out = abs(a);
  return true;
}
[[nodiscard]] inline bool quotient(const mpz_class& a, const mpz_class& b, mpz_class& out) {
  mpz_class q;
  if (b > 0) mpz_fdiv_q(q.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
  if (b < 0) mpz_cdiv_q(q.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
  out = q;
  return true;
}
[[nodiscard]] inline bool remainder(const mpz_class& a, const mpz_class& b, mpz_class& out) {
  mpz_class r;
  if (b != 0) mpz_mod(r.get_mpz_t(), a.get_mpz_t(), b.get_mpz_t());
  out = r;
  return true;
}
[[nodiscard]] inline bool fit(const mpz_class& x, mpz_class& out) {
  out = x;
  return true;
}
[[nodiscard]] inline bool to_size(const mpz_class& x, std::size_t& out) {
  out = x.fits_slong_p() ? x.get_ui() : 0;
  return x >= 0 && x.fits_slong_p();
}
[[nodiscard]] inline std::size_t place(const mpz_class& i) {
  std::size_t at = 0;
  return to_size(i, at) ? at : SIZE_MAX;
}
[[nodiscard]] inline std::size_t index(const mpz_class& i) {
#ifdef LETO_PARANOID
  if (i < 0 || !i.fits_slong_p()) std::abort();
#endif
  return i.get_ui();
}

[[nodiscard]] inline mpq_class ratio(const char* text) {
  mpq_class x(text);
  x.canonicalize();
  return x;
}
[[nodiscard]] inline bool add(const mpq_class& a, const mpq_class& b, mpq_class& out) {
  out = a + b;
  return true;
}
[[nodiscard]] inline bool sub(const mpq_class& a, const mpq_class& b, mpq_class& out) {
  out = a - b;
  return true;
}
[[nodiscard]] inline bool mul(const mpq_class& a, const mpq_class& b, mpq_class& out) {
  out = a * b;
  return true;
}
[[nodiscard]] inline bool quotient(const mpq_class& a, const mpq_class& b, mpq_class& out) {
  if (b == 0)
    out = 0;
  else
    out = a / b;
  return true;
}
[[nodiscard]] inline bool neg(const mpq_class& a, mpq_class& out) {
  out = -a;
  return true;
}
[[nodiscard]] inline bool magnitude(const mpq_class& a, mpq_class& out) {
  out = abs(a);
  return true;
}
// Whether they are as GMP wants them, in lowest terms and over what is positive; else what it
// computes is anything. `canonicalize` makes them so.
[[nodiscard]] inline bool canonical(const mpq_class& x) {
  return sgn(x.get_den()) > 0 && gcd(x.get_num(), x.get_den()) == 1;
}
[[nodiscard]] inline bool canonical(std::span<const mpq_class> v) {
  for (const mpq_class& x : v)
    if (!canonical(x)) return false;
  return true;
}
[[nodiscard]] inline bool canonical(const matrix_view<const mpq_class>& m) {
  for (std::size_t i = 0; i < m.rows; ++i)
    if (!canonical(std::span<const mpq_class>(m.data + i * m.stride, m.cols))) return false;
  return true;
}

[[nodiscard]] inline bool floor_of(const mpq_class& x, mpz_class& out) {
  mpz_class q;
  mpz_fdiv_q(q.get_mpz_t(), x.get_num_mpz_t(), x.get_den_mpz_t());
  out = q;
  return true;
}
[[nodiscard]] inline bool floor_of(const mpq_class& x, std::int64_t& out) {
  mpz_class q;
  mpz_fdiv_q(q.get_mpz_t(), x.get_num_mpz_t(), x.get_den_mpz_t());
  out = q.fits_slong_p() ? q.get_si() : 0;
  return q.fits_slong_p();
}

}       // namespace leto
#endif  // LETO_EMITTED_GMP
)text";

constexpr std::string_view kDouble = R"text(#ifndef LETO_EMITTED_DOUBLE
#define LETO_EMITTED_DOUBLE 1
#include <cfloat>
#include <cmath>
#ifdef __FAST_MATH__
#error "compile without -ffast-math: it changes what doubles are"
#endif
#if FLT_EVAL_METHOD != 0
#error "doubles are computed with more digits here than they have"
#endif
#ifndef LETO_FP_CONTRACT_OFF
#error "compile with -ffp-contract=off, and say so with -DLETO_FP_CONTRACT_OFF"
#endif
namespace leto {

// Whether doubles are what they should be, here and in this thread: rounded to the
// nearest, small ones kept, products rounded before something is added to them.
[[nodiscard]] inline bool self_test() noexcept {
  volatile double one = 1, tie = 0x1p-53, more = 0x1.8p-53;
  volatile double least = DBL_MIN, smallest = 0x1p-1074, odd = 1 + 0x1p-27;
  const bool nearest = one + tie == 1 && one + more == 1 + 0x1p-52 && -one - more == -1 - 0x1p-52;
  const bool kept = least / 2 != 0 && smallest * 0x1p60 != 0;
  const double a = odd, b = odd;
  return nearest && kept && a * b - (1 + 0x1p-26) == 0;
}

// Whether they are numbers at all. What is none decides nothing.
[[nodiscard]] inline bool finite(double x) noexcept {
  return std::isfinite(x);
}
[[nodiscard]] inline bool finite(std::span<const double> v) noexcept {
  for (const double x : v)
    if (!finite(x)) return false;
  return true;
}
[[nodiscard]] inline bool finite(const matrix_view<const double>& m) noexcept {
  for (std::size_t i = 0; i < m.rows; ++i)
    if (!finite(std::span<const double>(m.data + i * m.stride, m.cols))) return false;
  return true;
}

[[nodiscard]] inline bool floor_of(double x, std::int64_t& out) noexcept {
  const double y = std::floor(x);
  const bool fits = y >= -0x1p63 && y < 0x1p63;
  out = fits ? static_cast<std::int64_t>(y) : 0;
  return fits;
}

}       // namespace leto
#endif  // LETO_EMITTED_DOUBLE
)text";

constexpr std::string_view kDoubleWide = R"text(#ifndef LETO_EMITTED_DOUBLE_WIDE
#define LETO_EMITTED_DOUBLE_WIDE 1
namespace leto {

[[nodiscard]] inline bool floor_of(double x, wide& out) noexcept {
  std::int64_t narrow = 0;
  const bool fits = floor_of(x, narrow);
  out = narrow;
  return fits;
}

}       // namespace leto
#endif  // LETO_EMITTED_DOUBLE_WIDE
)text";

constexpr std::string_view kDoubleGmp = R"text(#ifndef LETO_EMITTED_DOUBLE_GMP
#define LETO_EMITTED_DOUBLE_GMP 1
namespace leto {

[[nodiscard]] inline bool floor_of(double x, mpz_class& out) {
  const bool fits = std::isfinite(x);
  if (fits) out = mpz_class(std::floor(x));
  return fits;
}

}       // namespace leto
#endif  // LETO_EMITTED_DOUBLE_GMP
)text";

}  // namespace

std::string runtime_text(const Needs& needs) {
  std::string out(kBasis);
  const auto add = [&](bool needed, std::string_view part) {
    if (needed) out += "\n" + std::string(part);
  };
  add(needs.wide, kWide);
  add(needs.gmp, kGmp);
  add(needs.doubles, kDouble);
  add(needs.doubles && needs.wide, kDoubleWide);
  add(needs.doubles && needs.gmp, kDoubleGmp);
  return out;
}

}  // namespace leto::emit
