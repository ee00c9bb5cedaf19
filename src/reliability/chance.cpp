#include "reliability/chance.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

namespace leto::reliability {

namespace {

// Numbers longer than this, in bits, are no longer exact.
constexpr std::size_t kLongest = 60'000;
constexpr unsigned kPrecision = 512;

std::size_t length(const mpq_class& q) {
  return mpz_sizeinbase(q.get_num_mpz_t(), 2) + mpz_sizeinbase(q.get_den_mpz_t(), 2);
}

// The closest binary fraction below (or above).
mpq_class rounded(const mpq_class& q, bool up) {
  const mpz_class scaled = q.get_num() << kPrecision;
  mpz_class n;
  if (up)
    mpz_cdiv_q(n.get_mpz_t(), scaled.get_mpz_t(), q.get_den_mpz_t());
  else
    mpz_fdiv_q(n.get_mpz_t(), scaled.get_mpz_t(), q.get_den_mpz_t());
  mpq_class out(n, mpz_class(1) << kPrecision);
  out.canonicalize();
  return out;
}

}  // namespace

// Numbers are equal by their numerators and denominators: 0/1000 would not be 0.
Chance::Chance(mpq_class exactly) : low_(std::move(exactly)) {
  low_.canonicalize();
  high_ = low_;
}
Chance::Chance(mpq_class low, mpq_class high) : low_(std::move(low)), high_(std::move(high)) {
  shorten();
}

void Chance::shorten() {
  if (length(low_) > kLongest) low_ = rounded(low_, false);
  if (length(high_) > kLongest) high_ = rounded(high_, true);
}

std::optional<Chance> Chance::parse(std::string_view text) {
  std::string digits;
  long exponent = 0;
  std::size_t i = 0;
  bool point = false, any = false;
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const auto a = parse(text.substr(0, slash)), b = parse(text.substr(slash + 1));
    if (!a || !b || b->low_ == 0) return std::nullopt;
    return Chance(mpq_class(a->low_ / b->low_));
  }
  for (; i < text.size(); ++i) {
    const char c = text[i];
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      digits += c;
      any = true;
      if (point) --exponent;
    } else if (c == '.' && !point) {
      point = true;
    } else {
      break;
    }
  }
  if (!any) return std::nullopt;
  if (i < text.size()) {
    if ((text[i] != 'e' && text[i] != 'E') || i + 1 >= text.size()) return std::nullopt;
    const bool negative = text[i + 1] == '-';
    const std::string_view rest = text.substr(i + 1 + (negative || text[i + 1] == '+' ? 1 : 0));
    if (rest.empty() || rest.size() > 4) return std::nullopt;
    long value = 0;
    for (char c : rest) {
      if (std::isdigit(static_cast<unsigned char>(c)) == 0) return std::nullopt;
      value = value * 10 + (c - '0');
    }
    exponent += negative ? -value : value;
  }
  mpz_class scale;
  mpz_ui_pow_ui(scale.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(exponent)));
  mpq_class value{mpz_class(digits, 10)};
  if (exponent < 0)
    value /= mpq_class(scale);
  else
    value *= mpq_class(scale);
  value.canonicalize();
  return Chance(std::move(value));
}

bool Chance::between_zero_and_one() const {
  return low_ >= 0 && high_ <= 1;
}

double Chance::approximate() const {
  return mpq_class((low_ + high_) / 2).get_d();
}

std::string Chance::text(unsigned digits) const {
  mpz_class scale, n;
  mpz_ui_pow_ui(scale.get_mpz_t(), 10, digits);
  const mpq_class scaled = low_ * mpq_class(scale);
  mpz_fdiv_q(n.get_mpz_t(), scaled.get_num_mpz_t(), scaled.get_den_mpz_t());
  std::string text = n.get_str();
  if (text.size() <= digits) text.insert(0, digits + 1 - text.size(), '0');
  text.insert(text.size() - digits, ".");
  while (text.ends_with("0")) text.pop_back();
  if (text.ends_with(".")) text.pop_back();
  return text;
}

Chance Chance::complement() const {
  return {mpq_class(1 - high_), mpq_class(1 - low_)};
}

Chance Chance::power(std::uint64_t n) const {
  Chance result = certain(), square = *this;
  // What will not be exact in the end need not be so on the way. (1 to the power of anything is.)
  if (!(*this == certain()) && n > kLongest / length(low_))
    square = {rounded(low_, false), rounded(high_, true)};
  for (; n > 0; n >>= 1) {
    if ((n & 1) != 0) result = result * square;
    if (n > 1) square = square * square;
  }
  return result;
}

Chance operator*(const Chance& a, const Chance& b) {
  Chance out{mpq_class(a.low_ * b.low_), mpq_class(a.high_ * b.high_)};
  // Binary fractions of that precision would grow with each product.
  if (!out.exact()) {
    out.low_ = rounded(out.low_, false);
    out.high_ = rounded(out.high_, true);
  }
  return out;
}
Chance operator+(const Chance& a, const Chance& b) {
  return {mpq_class(a.low_ + b.low_), mpq_class(a.high_ + b.high_)};
}
Chance min(const Chance& a, const Chance& b) {
  return {std::min(a.low_, b.low_), std::min(a.high_, b.high_)};
}

}  // namespace leto::reliability
