// Exact numbers: integers, rationals of any size, and their square roots. Truth values are 0 and 1.
// What fits into two machine words is kept inline; everything else is GMP's. Products of roots are
// roots, and all of them can be compared. A sum with roots is known between two bounds only, 200
// digits apart: what these do not decide throws Undecidable.
#pragma once

#include <gmpxx.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace leto::interp {

class Number {
 public:
  Number() = default;
  Number(std::int64_t value) : top_(value) {}  // NOLINT: numbers are written as numbers
  explicit Number(const mpq_class& value);
  Number(const Number& other) : top_(other.top_), bottom_(other.bottom_) {
    if (bottom_ == 0) share();
  }
  Number(Number&& other) noexcept : top_(other.top_), bottom_(other.bottom_) { other.bottom_ = 1; }
  Number& operator=(const Number& other) {
    if (bottom_ != 0 && other.bottom_ != 0) {
      top_ = other.top_;
      bottom_ = other.bottom_;
    } else {
      assign(other);
    }
    return *this;
  }
  Number& operator=(Number&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Number() {
    if (bottom_ == 0) release();
  }

  // "3", "-1/2", "0.25", "1e-3", "-sqrt(2)"; nothing if it is not a number.
  [[nodiscard]] static std::optional<Number> parse(std::string_view text);
  [[nodiscard]] std::string text() const;  // "3", "-1/2", "sqrt(2)"
  [[nodiscard]] double approximate() const;

  [[nodiscard]] bool is_integer() const { return bottom_ == 1 || (bottom_ == 0 && big_integer()); }
  // Of machine words, roughly; what is approximate is longer than anything that is kept.
  [[nodiscard]] std::size_t length() const { return bottom_ != 0 ? 2 : big_length(); }
  [[nodiscard]] int sign() const { return bottom_ != 0 ? (top_ > 0) - (top_ < 0) : big_sign(); }
  [[nodiscard]] bool truth() const { return bottom_ == 0 || top_ != 0; }
  // Of an integer.
  [[nodiscard]] mpz_class whole() const;
  [[nodiscard]] Number floor() const;
  [[nodiscard]] Number ceiling() const;
  // The square root, which is not negative; nothing of a negative number, or of what is no
  // fraction.
  [[nodiscard]] std::optional<Number> root() const;
  // Known between two bounds only. No variable has such a value.
  [[nodiscard]] bool is_approximate() const { return bottom_ == 0 && big_->form == Form::Between; }
  // As a machine integer, if it is one and fits.
  [[nodiscard]] std::optional<std::int64_t> small() const {
    return bottom_ == 1 ? std::optional<std::int64_t>(top_) : std::nullopt;
  }

  friend Number operator+(const Number& a, const Number& b) {
    std::int64_t out = 0;
    if (both_whole(a, b) && !__builtin_add_overflow(a.top_, b.top_, &out)) return out;
    return sum(a, b);
  }
  friend Number operator-(const Number& a, const Number& b) {
    std::int64_t out = 0;
    if (both_whole(a, b) && !__builtin_sub_overflow(a.top_, b.top_, &out)) return out;
    return difference(a, b);
  }
  friend Number operator*(const Number& a, const Number& b) {
    std::int64_t out = 0;
    if (both_whole(a, b) && !__builtin_mul_overflow(a.top_, b.top_, &out)) return out;
    return product(a, b);
  }
  friend Number operator-(const Number& a) { return Number(0) - a; }
  // The same, without a number in between: what byte code does most.
  void become_integer(std::int64_t value) {
    if (bottom_ == 0) release();
    become_whole(value);
  }
  void become_sum(const Number& a, const Number& b) {
    std::int64_t out = 0;
    if (both_whole(a, b) && bottom_ != 0 && !__builtin_add_overflow(a.top_, b.top_, &out))
      become_whole(out);
    else
      assign_sum(a, b);
  }
  void become_difference(const Number& a, const Number& b) {
    std::int64_t out = 0;
    if (both_whole(a, b) && bottom_ != 0 && !__builtin_sub_overflow(a.top_, b.top_, &out))
      become_whole(out);
    else
      assign_difference(a, b);
  }
  void become_product(const Number& a, const Number& b) {
    std::int64_t out = 0;
    if (both_whole(a, b) && bottom_ != 0 && !__builtin_mul_overflow(a.top_, b.top_, &out))
      become_whole(out);
    else
      assign_product(a, b);
  }
  // Exact; the divisor must not be zero.
  friend Number quotient(const Number& a, const Number& b);
  // Of integers: the remainder is never negative. The divisor must not be zero.
  friend Number euclidean_quotient(const Number& a, const Number& b);
  [[nodiscard]] friend int compare(const Number& a, const Number& b) {
    if (both_whole(a, b)) return (a.top_ > b.top_) - (a.top_ < b.top_);
    return order(a, b);
  }
  // Each value has one form only, unless it is approximate.
  friend bool operator==(const Number& a, const Number& b) {
    if (inline_both(a, b)) return a.bottom_ == b.bottom_ && a.top_ == b.top_;
    return same(a, b);
  }
  friend bool operator<(const Number& a, const Number& b) {
    return both_whole(a, b) ? a.top_ < b.top_ : order(a, b) < 0;
  }
  friend bool operator<=(const Number& a, const Number& b) {
    return both_whole(a, b) ? a.top_ <= b.top_ : order(a, b) <= 0;
  }

 private:
  enum class Form : std::uint8_t { Fraction, Root, Between };
  struct Big {
    mpq_class value;  // of a root its square, or the lower bound
    Form form = Form::Fraction;
    bool negative = false;            // of a root
    std::unique_ptr<mpq_class> high;  // the upper bound
    std::atomic<std::uint32_t> owners{1};
  };
  // What a number is between.
  struct Bounds {
    mpq_class low, high;
  };
  // In lowest terms, with a positive denominator.
  Number(std::int64_t top, std::int64_t bottom) : top_(top), bottom_(bottom) {}
  [[nodiscard]] static bool both_whole(const Number& a, const Number& b) {
    return a.bottom_ == 1 && b.bottom_ == 1;
  }
  [[nodiscard]] static bool inline_both(const Number& a, const Number& b) {
    return a.bottom_ != 0 && b.bottom_ != 0;
  }
  [[nodiscard]] static Number sum(const Number& a, const Number& b);
  [[nodiscard]] static Number difference(const Number& a, const Number& b);
  [[nodiscard]] static Number product(const Number& a, const Number& b);
  [[nodiscard]] static int order(const Number& a, const Number& b);
  [[nodiscard]] static bool same(const Number& a, const Number& b);
  [[nodiscard]] static Number between(Bounds bounds);
  [[nodiscard]] static Number root_of(const mpq_class& square, bool negative);
  [[nodiscard]] static Number sum_of_roots(const Number& a, const Number& b, int sign);
  [[nodiscard]] static Number product_between(const Number& a, const Number& b);
  [[nodiscard]] static int order_roots(const Number& a, const Number& b);
  [[nodiscard]] static int order_between(const Number& a, const Number& b);
  [[nodiscard]] static bool fractions(const Number& a, const Number& b) {
    return a.form() == Form::Fraction && b.form() == Form::Fraction;
  }
  [[nodiscard]] Form form() const { return bottom_ != 0 ? Form::Fraction : big_->form; }
  [[nodiscard]] mpq_class square() const;
  [[nodiscard]] Bounds bounds() const;
  [[nodiscard]] int big_sign() const;
  [[nodiscard]] std::string big_text() const;
  // Of both inline, `b` taken with that sign; nothing if it does not fit.
  [[nodiscard]] static std::optional<Number> short_sum(const Number& a, const Number& b, int sign);
  [[nodiscard]] static std::optional<Number> short_product(std::int64_t a, std::int64_t b,
                                                           std::int64_t c, std::int64_t d);
  [[nodiscard]] mpq_class big() const;
  [[nodiscard]] bool big_integer() const;
  [[nodiscard]] std::size_t big_length() const;
  void become_whole(std::int64_t value) {
    top_ = value;
    bottom_ = 1;
  }
  void assign(const Number& other);
  void assign_sum(const Number& a, const Number& b);
  void assign_difference(const Number& a, const Number& b);
  void assign_product(const Number& a, const Number& b);
  void share() const;
  void release() const;
  void swap(Number& other) noexcept {
    std::swap(top_, other.top_);
    std::swap(bottom_, other.bottom_);
  }

  union {
    std::int64_t top_ = 0;
    Big* big_;  // where `bottom_` is 0: the value does not fit
  };
  std::int64_t bottom_ = 1;
};

[[nodiscard]] Number quotient(const Number& a, const Number& b);
[[nodiscard]] Number euclidean_quotient(const Number& a, const Number& b);

}  // namespace leto::interp
