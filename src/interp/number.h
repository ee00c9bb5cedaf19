// Exact numbers: integers and rationals of any size. Truth values are 0 and 1.
// Small integers are kept inline; everything else is GMP's.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace leto::interp {

class Number {
 public:
  Number() = default;
  Number(std::int64_t value) : small_(value) {}  // NOLINT: numbers are written as numbers
  explicit Number(const mpq_class& value);

  // "3", "-1/2", "0.25", "1e-3"; nothing if it is not a number.
  [[nodiscard]] static std::optional<Number> parse(std::string_view text);
  [[nodiscard]] std::string text() const;  // "3", "-1/2"
  [[nodiscard]] double approximate() const;

  [[nodiscard]] bool is_integer() const;
  // Of machine words, roughly.
  [[nodiscard]] std::size_t length() const;
  [[nodiscard]] int sign() const;
  [[nodiscard]] bool truth() const { return sign() != 0; }
  [[nodiscard]] Number floor() const;
  [[nodiscard]] Number ceiling() const;
  // As a machine integer, if it is one and fits.
  [[nodiscard]] std::optional<std::int64_t> small() const;

  friend Number operator+(const Number& a, const Number& b);
  friend Number operator-(const Number& a, const Number& b);
  friend Number operator*(const Number& a, const Number& b);
  friend Number operator-(const Number& a) { return Number(0) - a; }
  // Exact; the divisor must not be zero.
  friend Number quotient(const Number& a, const Number& b);
  // Of integers: the remainder is never negative. The divisor must not be zero.
  friend Number euclidean_quotient(const Number& a, const Number& b);
  friend int compare(const Number& a, const Number& b);
  friend bool operator==(const Number& a, const Number& b) { return compare(a, b) == 0; }
  friend bool operator<(const Number& a, const Number& b) { return compare(a, b) < 0; }
  friend bool operator<=(const Number& a, const Number& b) { return compare(a, b) <= 0; }

 private:
  [[nodiscard]] mpq_class big() const;

  std::int64_t small_ = 0;
  std::shared_ptr<const mpq_class> big_;  // set: this is the value, and it does not fit
};

[[nodiscard]] Number quotient(const Number& a, const Number& b);
[[nodiscard]] Number euclidean_quotient(const Number& a, const Number& b);
[[nodiscard]] int compare(const Number& a, const Number& b);

}  // namespace leto::interp
