#include "interp/number.h"

namespace leto::interp {

namespace {

mpz_class integer(std::int64_t value) {
  mpz_class out;
  mpz_set_si(out.get_mpz_t(), value);
  return out;
}

}  // namespace

Number::Number(const mpq_class& value) {
  if (value.get_den() == 1 && value.get_num().fits_slong_p())
    small_ = value.get_num().get_si();
  else
    big_ = std::make_shared<const mpq_class>(value);
}

mpq_class Number::big() const {
  return big_ ? *big_ : mpq_class(integer(small_));
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
  return big_ ? big_->get_str() : std::to_string(small_);
}

double Number::approximate() const {
  return big_ ? big_->get_d() : static_cast<double>(small_);
}

bool Number::is_integer() const {
  return !big_ || big_->get_den() == 1;
}

std::size_t Number::length() const {
  if (!big_) return 1;
  return mpz_size(big_->get_num_mpz_t()) + mpz_size(big_->get_den_mpz_t());
}

int Number::sign() const {
  if (big_) return sgn(*big_);
  return small_ < 0 ? -1 : small_ > 0 ? 1 : 0;
}

Number Number::floor() const {
  if (!big_) return *this;
  mpz_class out;
  mpz_fdiv_q(out.get_mpz_t(), big_->get_num_mpz_t(), big_->get_den_mpz_t());
  return Number(mpq_class(out));
}

Number Number::ceiling() const {
  return -(-*this).floor();
}

std::optional<std::int64_t> Number::small() const {
  if (big_) return std::nullopt;
  return small_;
}

Number operator+(const Number& a, const Number& b) {
  std::int64_t out = 0;
  if (!a.big_ && !b.big_ && !__builtin_add_overflow(a.small_, b.small_, &out)) return out;
  return Number(mpq_class(a.big() + b.big()));
}

Number operator-(const Number& a, const Number& b) {
  std::int64_t out = 0;
  if (!a.big_ && !b.big_ && !__builtin_sub_overflow(a.small_, b.small_, &out)) return out;
  return Number(mpq_class(a.big() - b.big()));
}

Number operator*(const Number& a, const Number& b) {
  std::int64_t out = 0;
  if (!a.big_ && !b.big_ && !__builtin_mul_overflow(a.small_, b.small_, &out)) return out;
  return Number(mpq_class(a.big() * b.big()));
}

Number quotient(const Number& a, const Number& b) {
  if (!a.big_ && !b.big_ && b.small_ > 0 && a.small_ % b.small_ == 0) return a.small_ / b.small_;
  return Number(mpq_class(a.big() / b.big()));
}

Number euclidean_quotient(const Number& a, const Number& b) {
  const Number ratio = quotient(a, b);
  return b.sign() > 0 ? ratio.floor() : ratio.ceiling();
}

int compare(const Number& a, const Number& b) {
  if (!a.big_ && !b.big_) return a.small_ < b.small_ ? -1 : a.small_ > b.small_ ? 1 : 0;
  return cmp(a.big(), b.big());
}

}  // namespace leto::interp
