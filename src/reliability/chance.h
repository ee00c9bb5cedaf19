// Probabilities. Exact rationals as long as they stay small enough to be written down; beyond that
// (0.9999 to the power of a billion) an interval of binary fractions that is sure to hold them.
// What is compared is compared with the interval's safe end.
#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace leto::reliability {

class Chance {
 public:
  Chance() = default;  // 0
  explicit Chance(mpq_class exactly);
  // "0.999", "1e-3", "1/3"; nothing if it is no number.
  [[nodiscard]] static std::optional<Chance> parse(std::string_view text);

  [[nodiscard]] bool exact() const { return low_ == high_; }
  [[nodiscard]] const mpq_class& low() const { return low_; }
  [[nodiscard]] const mpq_class& high() const { return high_; }
  [[nodiscard]] bool between_zero_and_one() const;
  [[nodiscard]] double approximate() const;
  // Rounded down, so that it may be claimed: "0.999999".
  [[nodiscard]] std::string text(unsigned digits = 9) const;

  [[nodiscard]] Chance complement() const;  // 1 - p
  [[nodiscard]] Chance power(std::uint64_t n) const;
  friend Chance operator*(const Chance& a, const Chance& b);
  friend Chance operator+(const Chance& a, const Chance& b);
  // The smaller one; of intervals, what is sure to hold the smaller one.
  friend Chance min(const Chance& a, const Chance& b);
  friend bool operator==(const Chance& a, const Chance& b) = default;
  // Sure to be at least so much.
  [[nodiscard]] bool at_least(const Chance& bound) const { return bound.high_ <= low_; }

 private:
  Chance(mpq_class low, mpq_class high);
  void shorten();

  mpq_class low_, high_;
};

[[nodiscard]] Chance operator*(const Chance& a, const Chance& b);
[[nodiscard]] Chance operator+(const Chance& a, const Chance& b);
[[nodiscard]] Chance min(const Chance& a, const Chance& b);
[[nodiscard]] inline Chance certain() {
  return Chance(mpq_class(1));
}

}  // namespace leto::reliability
