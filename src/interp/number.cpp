#include "interp/number.h"

#include <numeric>

namespace leto::interp {

namespace {

mpz_class integer(std::int64_t value) {
  mpz_class out;
  mpz_set_si(out.get_mpz_t(), value);
  return out;
}

__extension__ using Wide = __int128;

// Never 0, unless both are.
Wide common_factor(std::int64_t a, std::int64_t b) {
  const auto size = [](std::int64_t n) {
    return n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
  };
  return static_cast<Wide>(std::gcd(size(a), size(b)));
}

bool fits(Wide n) {
  return n >= INT64_MIN && n <= INT64_MAX;
}

}  // namespace

Number::Number(const mpq_class& value) {
  if (value.get_num().fits_slong_p() && value.get_den().fits_slong_p()) {
    top_ = value.get_num().get_si();
    bottom_ = value.get_den().get_si();
  } else {
    big_ = new Big{value};
    bottom_ = 0;
  }
}

mpq_class Number::big() const {
  return bottom_ == 0 ? big_->value : mpq_class(integer(top_), integer(bottom_));
}

void Number::share() const {
  big_->owners.fetch_add(1, std::memory_order_relaxed);
}

void Number::release() const {
  if (big_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete big_;
}

std::optional<Number> Number::parse(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  const auto digits = [](std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
  };
  mpq_class value;
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    const std::string_view top = text.substr(0, slash), bottom = text.substr(slash + 1);
    if (!digits(top) || !digits(bottom)) return std::nullopt;
    const mpz_class denominator(std::string(bottom), 10);
    if (denominator == 0) return std::nullopt;
    value = mpq_class(mpz_class(std::string(top), 10), denominator);
  } else {
    long exponent = 0;
    std::string mantissa(text);
    if (const std::size_t e = mantissa.find_first_of("eE"); e != std::string::npos) {
      std::string power = mantissa.substr(e + 1);
      const bool down = !power.empty() && power[0] == '-';
      if (!power.empty() && (power[0] == '-' || power[0] == '+')) power.erase(0, 1);
      if (!digits(power) || power.size() > 6) return std::nullopt;
      exponent = std::stol(power) * (down ? -1 : 1);
      mantissa.erase(e);
    }
    if (const std::size_t dot = mantissa.find('.'); dot != std::string::npos) {
      exponent -= static_cast<long>(mantissa.size() - dot - 1);
      mantissa.erase(dot, 1);
    }
    if (!digits(mantissa)) return std::nullopt;
    mpz_class scale;
    mpz_ui_pow_ui(scale.get_mpz_t(), 10, static_cast<unsigned long>(std::labs(exponent)));
    value = exponent < 0 ? mpq_class(mpz_class(mantissa, 10), scale)
                         : mpq_class(mpz_class(mantissa, 10) * scale);
  }
  value.canonicalize();
  return Number(negative ? mpq_class(-value) : value);
}

std::string Number::text() const {
  if (bottom_ == 0) return big_->value.get_str();
  return bottom_ == 1 ? std::to_string(top_) : std::to_string(top_) + "/" + std::to_string(bottom_);
}

double Number::approximate() const {
  return bottom_ == 1 ? static_cast<double>(top_) : big().get_d();
}

bool Number::big_integer() const {
  return big_->value.get_den() == 1;
}

std::size_t Number::big_length() const {
  return mpz_size(big_->value.get_num_mpz_t()) + mpz_size(big_->value.get_den_mpz_t());
}

Number Number::floor() const {
  if (bottom_ == 1) return *this;
  if (bottom_ != 0) return top_ / bottom_ - (top_ < 0 ? 1 : 0);
  mpz_class out;
  mpz_fdiv_q(out.get_mpz_t(), big_->value.get_num_mpz_t(), big_->value.get_den_mpz_t());
  return Number(mpq_class(out));
}

Number Number::ceiling() const {
  return -(-*this).floor();
}

// With the common part of the denominators taken out first, little is left to reduce.
std::optional<Number> Number::short_sum(const Number& a, const Number& b, int sign) {
  const auto common = static_cast<std::int64_t>(common_factor(a.bottom_, b.bottom_));
  const std::int64_t left = a.bottom_ / common, right = b.bottom_ / common;
  const Wide top = Wide{a.top_} * right + Wide{b.top_} * left * sign;
  const auto again =
      static_cast<std::int64_t>(common_factor(static_cast<std::int64_t>(top % common), common));
  const Wide bottom = Wide{left} * (b.bottom_ / again);
  const Wide reduced = top / again;
  if (!fits(reduced) || !fits(bottom)) return std::nullopt;
  return Number(static_cast<std::int64_t>(reduced), static_cast<std::int64_t>(bottom));
}

// a / b * c / d, with b and d positive.
std::optional<Number> Number::short_product(std::int64_t a, std::int64_t b, std::int64_t c,
                                            std::int64_t d) {
  const Wide across = common_factor(a, d), down = common_factor(c, b);
  const Wide top = (a / across) * (c / down), bottom = (b / down) * (d / across);
  if (!fits(top) || !fits(bottom)) return std::nullopt;
  return Number(static_cast<std::int64_t>(top), static_cast<std::int64_t>(bottom));
}

Number Number::sum(const Number& a, const Number& b) {
  if (inline_both(a, b))
    if (const auto out = short_sum(a, b, 1)) return *out;
  return Number(mpq_class(a.big() + b.big()));
}

Number Number::difference(const Number& a, const Number& b) {
  if (inline_both(a, b))
    if (const auto out = short_sum(a, b, -1)) return *out;
  return Number(mpq_class(a.big() - b.big()));
}

Number Number::product(const Number& a, const Number& b) {
  if (inline_both(a, b))
    if (const auto out = short_product(a.top_, a.bottom_, b.top_, b.bottom_)) return *out;
  return Number(mpq_class(a.big() * b.big()));
}

void Number::assign(const Number& other) {
  Number copy(other);
  swap(copy);
}

void Number::assign_sum(const Number& a, const Number& b) {
  *this = sum(a, b);
}

void Number::assign_difference(const Number& a, const Number& b) {
  *this = difference(a, b);
}

void Number::assign_product(const Number& a, const Number& b) {
  *this = product(a, b);
}

Number quotient(const Number& a, const Number& b) {
  if (Number::inline_both(a, b) && b.top_ != INT64_MIN) {
    const bool negative = b.top_ < 0;
    if (const auto out = Number::short_product(a.top_, a.bottom_, negative ? -b.bottom_ : b.bottom_,
                                               negative ? -b.top_ : b.top_))
      return *out;
  }
  return Number(mpq_class(a.big() / b.big()));
}

Number euclidean_quotient(const Number& a, const Number& b) {
  const Number ratio = quotient(a, b);
  return b.sign() > 0 ? ratio.floor() : ratio.ceiling();
}

int Number::order(const Number& a, const Number& b) {
  if (!inline_both(a, b)) return cmp(a.big(), b.big());
  const Wide left = Wide{a.top_} * b.bottom_, right = Wide{b.top_} * a.bottom_;
  return (left > right) - (left < right);
}

}  // namespace leto::interp
