// Small rational numbers, exact: what does not fit is none.
#pragma once

#include <compare>
#include <cstdint>
#include <numeric>
#include <optional>

#include "fixpoint/terms.h"

namespace leto::fixpoint {

struct Ratio {
  std::int64_t over = 0;
  std::int64_t under = 1;  // above 0, and without a common factor

  friend bool operator==(const Ratio&, const Ratio&) = default;
};

namespace detail {

inline std::optional<std::int64_t> times(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
  return result;
}
inline std::optional<std::int64_t> plus(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
  return result;
}

}  // namespace detail

[[nodiscard]] inline std::optional<Ratio> ratio_of(std::int64_t over, std::int64_t under) {
  // The smallest number has no opposite.
  if (under == 0 || over == INT64_MIN || under == INT64_MIN) return std::nullopt;
  const std::int64_t common = std::gcd(over, under) * (under < 0 ? -1 : 1);
  return Ratio{over / common, under / common};
}

[[nodiscard]] inline std::optional<Ratio> sum_of(const Ratio& a, const Ratio& b) {
  const auto left = detail::times(a.over, b.under);
  const auto right = detail::times(b.over, a.under);
  const auto under = detail::times(a.under, b.under);
  if (!left || !right || !under) return std::nullopt;
  const auto over = detail::plus(*left, *right);
  return over ? ratio_of(*over, *under) : std::nullopt;
}

[[nodiscard]] inline std::optional<Ratio> product_of(const Ratio& a, const Ratio& b) {
  const auto over = detail::times(a.over, b.over);
  const auto under = detail::times(a.under, b.under);
  return over && under ? ratio_of(*over, *under) : std::nullopt;
}

[[nodiscard]] inline Ratio opposite_of(const Ratio& a) {
  return {-a.over, a.under};
}

// Negative, 0 or positive as `a` is below, at or above `b`; none where that does not fit.
[[nodiscard]] inline std::optional<int> order_of(const Ratio& a, const Ratio& b) {
  const auto left = detail::times(a.over, b.under);
  const auto right = detail::times(b.over, a.under);
  if (!left || !right) return std::nullopt;
  return *left < *right ? -1 : *left > *right ? 1 : 0;
}

[[nodiscard]] inline std::optional<Ratio> ratio_in(const z3::expr& numeral) {
  std::int64_t over = 0, under = 1;
  if (!numeral.is_numeral() || !numeral.is_arith() ||
      !Z3_get_numeral_small(numeral.ctx(), numeral, &over, &under))
    return std::nullopt;
  return ratio_of(over, under);
}

[[nodiscard]] inline z3::expr numeral_of(const z3::sort& sort, const Ratio& value) {
  z3::context& context = sort.ctx();
  const std::string text =
      std::to_string(value.over) + (value.under == 1 ? "" : "/" + std::to_string(value.under));
  return z3::to_expr(context, Z3_mk_numeral(context, text.c_str(), sort));
}

}  // namespace leto::fixpoint
