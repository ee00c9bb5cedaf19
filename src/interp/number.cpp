#include "interp/number.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/assert.h"
#include "interp/undecidable.h"

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

// By so much are the bounds of a number apart that is no fraction.
const mpz_class& precision() {
  static const mpz_class kScale = [] {
    mpz_class scale;
    mpz_ui_pow_ui(scale.get_mpz_t(), 10, 200);
    return scale;
  }();
  return kScale;
}

mpz_class floor_of(const mpq_class& value) {
  mpz_class out;
  mpz_fdiv_q(out.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return out;
}

// The next one below with so many digits.
mpq_class round_down(const mpq_class& value) {
  mpq_class out(floor_of(value * precision()), precision());
  out.canonicalize();
  return out;
}

mpq_class round_up(const mpq_class& value) {
  return -round_down(-value);
}

[[noreturn]] void leave_open() {
  throw Undecidable{{}, {}, Obstacle::Root};
}

// The square root of a fraction, if it is one.
std::optional<mpq_class> find_root(const mpq_class& square) {
  if (sgn(square) < 0 || !mpz_perfect_square_p(square.get_num_mpz_t()) ||
      !mpz_perfect_square_p(square.get_den_mpz_t()))
    return std::nullopt;
  return mpq_class(sqrt(square.get_num()), sqrt(square.get_den()));
}

}  // namespace

Number::Number(const mpq_class& value) {
  if (value.get_num().fits_slong_p() && value.get_den().fits_slong_p()) {
    top_ = value.get_num().get_si();
    bottom_ = value.get_den().get_si();
  } else {
    big_ = new Big{value, Form::Fraction, false, nullptr};
    bottom_ = 0;
  }
}

mpq_class Number::big() const {
  return bottom_ == 0 ? big_->value : mpq_class(integer(top_), integer(bottom_));
}

mpz_class Number::whole() const {
  LETO_ASSERT(is_integer());
  return big().get_num();
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
  if (text.starts_with("sqrt(") && text.ends_with(")")) {
    const std::optional<Number> square = parse(text.substr(5, text.size() - 6));
    const std::optional<Number> root = square ? square->root() : std::nullopt;
    return root && negative ? -*root : root;
  }
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
  if (bottom_ == 0) return big_text();
  return bottom_ == 1 ? std::to_string(top_) : std::to_string(top_) + "/" + std::to_string(bottom_);
}

std::string Number::big_text() const {
  switch (big_->form) {
    case Form::Fraction:
      return big_->value.get_str();
    case Form::Root:
      return (big_->negative ? "-sqrt(" : "sqrt(") + big_->value.get_str() + ")";
    case Form::Between:
      return "about " + std::to_string(approximate());
  }
  LETO_ASSERT(false);
}

double Number::approximate() const {
  if (bottom_ == 1) return static_cast<double>(top_);
  return form() == Form::Fraction ? big().get_d() : bounds().low.get_d();
}

bool Number::big_integer() const {
  if (big_->form == Form::Fraction) return big_->value.get_den() == 1;
  if (big_->form == Form::Root) return false;
  if (floor_of(big_->value) == floor_of(*big_->high) && big_->value.get_den() != 1) return false;
  leave_open();
}

int Number::big_sign() const {
  if (big_->form == Form::Fraction) return sgn(big_->value);
  if (big_->form == Form::Root) return big_->negative ? -1 : 1;
  if (sgn(big_->value) > 0) return 1;
  if (sgn(*big_->high) < 0) return -1;
  leave_open();
}

std::size_t Number::big_length() const {
  if (is_approximate()) return SIZE_MAX;
  return mpz_size(big_->value.get_num_mpz_t()) + mpz_size(big_->value.get_den_mpz_t());
}

Number Number::root_of(const mpq_class& square, bool negative) {
  if (const std::optional<mpq_class> root = find_root(square))
    return Number(negative ? mpq_class(-*root) : *root);
  Number out;
  out.big_ = new Big{square, Form::Root, negative, nullptr};
  out.bottom_ = 0;
  return out;
}

Number Number::between(Bounds bounds) {
  if (bounds.low == bounds.high) return Number(bounds.low);
  Number out;
  out.big_ = new Big{round_down(bounds.low), Form::Between, false,
                     std::make_unique<mpq_class>(round_up(bounds.high))};
  out.bottom_ = 0;
  return out;
}

mpq_class Number::square() const {
  if (form() == Form::Root) return big_->value;
  const mpq_class value = big();
  return value * value;
}

Number::Bounds Number::bounds() const {
  if (form() == Form::Fraction) return {big(), big()};
  if (form() == Form::Between) return {big_->value, *big_->high};
  const mpz_class& top = big_->value.get_num();
  const mpz_class& bottom = big_->value.get_den();
  const mpz_class scaled = sqrt(mpz_class(top * bottom * precision() * precision()));
  const mpz_class unit = bottom * precision();
  Bounds out{mpq_class(scaled, unit), mpq_class(scaled + 1, unit)};
  out.low.canonicalize();
  out.high.canonicalize();
  if (big_->negative) return {-out.high, -out.low};
  return out;
}

Number Number::floor() const {
  if (bottom_ == 1) return *this;
  if (bottom_ != 0) return top_ / bottom_ - (top_ < 0 ? 1 : 0);
  const Bounds here = bounds();
  const mpz_class out = floor_of(here.low);
  if (out != floor_of(here.high)) leave_open();
  return Number(mpq_class(out));
}

Number Number::ceiling() const {
  return -(-*this).floor();
}

std::optional<Number> Number::root() const {
  if (form() != Form::Fraction || sign() < 0) return std::nullopt;
  return root_of(big(), false);
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
  if (!fractions(a, b)) return sum_of_roots(a, b, 1);
  return Number(mpq_class(a.big() + b.big()));
}

Number Number::difference(const Number& a, const Number& b) {
  if (inline_both(a, b))
    if (const auto out = short_sum(a, b, -1)) return *out;
  if (!fractions(a, b)) return sum_of_roots(a, b, -1);
  return Number(mpq_class(a.big() - b.big()));
}

Number Number::product(const Number& a, const Number& b) {
  if (inline_both(a, b))
    if (const auto out = short_product(a.top_, a.bottom_, b.top_, b.bottom_)) return *out;
  if (a.is_approximate() || b.is_approximate()) return product_between(a, b);
  if (!fractions(a, b)) return root_of(a.square() * b.square(), a.sign() * b.sign() < 0);
  return Number(mpq_class(a.big() * b.big()));
}

// One root of several is a root, as in sqrt(2) + sqrt(8); other sums are known between bounds.
Number Number::sum_of_roots(const Number& a, const Number& b, int sign) {
  if (a.form() == Form::Root && b.form() == Form::Root)
    if (const std::optional<mpq_class> ratio = find_root(a.square() / b.square())) {
      const mpq_class factor = a.sign() * *ratio + b.sign() * sign;
      return root_of(factor * factor * b.square(), sgn(factor) < 0);
    }
  const Bounds left = a.bounds(), right = b.bounds();
  if (left.low == 0 && left.high == 0 && b.form() == Form::Root)
    return root_of(b.square(), b.sign() * sign < 0);
  if (right.low == 0 && right.high == 0) return a;
  if (sign < 0) return between({left.low - right.high, left.high - right.low});
  return between({left.low + right.low, left.high + right.high});
}

Number Number::product_between(const Number& a, const Number& b) {
  const Bounds left = a.bounds(), right = b.bounds();
  const auto [low, high] =
      std::minmax({mpq_class(left.low * right.low), mpq_class(left.low * right.high),
                   mpq_class(left.high * right.low), mpq_class(left.high * right.high)});
  return between({low, high});
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
  if (a.is_approximate() || b.is_approximate()) {
    const int sign = b.sign();  // what may be 0 does not divide
    LETO_ASSERT(sign != 0);
    const Number::Bounds by = b.bounds();
    return Number::product_between(a, Number::between({1 / by.high, 1 / by.low}));
  }
  if (!Number::fractions(a, b))
    return Number::root_of(a.square() / b.square(), a.sign() * b.sign() < 0);
  return Number(mpq_class(a.big() / b.big()));
}

Number euclidean_quotient(const Number& a, const Number& b) {
  const Number ratio = quotient(a, b);
  return b.sign() > 0 ? ratio.floor() : ratio.ceiling();
}

int Number::order(const Number& a, const Number& b) {
  if (a.is_approximate() || b.is_approximate()) return order_between(a, b);
  if (!fractions(a, b)) return order_roots(a, b);
  if (!inline_both(a, b)) return cmp(a.big(), b.big());
  const Wide left = Wide{a.top_} * b.bottom_, right = Wide{b.top_} * a.bottom_;
  return (left > right) - (left < right);
}

int Number::order_roots(const Number& a, const Number& b) {
  if (a.sign() != b.sign()) return a.sign() < b.sign() ? -1 : 1;
  const int squares = cmp(a.square(), b.square());
  return a.sign() < 0 ? -squares : squares;
}

int Number::order_between(const Number& a, const Number& b) {
  const Bounds left = a.bounds(), right = b.bounds();
  if (left.high < right.low) return -1;
  if (right.high < left.low) return 1;
  leave_open();
}

bool Number::same(const Number& a, const Number& b) {
  if (a.is_approximate() || b.is_approximate()) return order_between(a, b) == 0;
  if (a.bottom_ != 0 || b.bottom_ != 0) return false;
  if (a.big_ == b.big_) return true;
  return a.big_->form == b.big_->form && a.big_->negative == b.big_->negative &&
         a.big_->value == b.big_->value;
}

}  // namespace leto::interp
