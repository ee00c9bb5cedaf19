#include "emit/style.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace leto::emit {

using core::Base;
using core::Type;

namespace {

bool fits_int64(const std::string& text) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc{} && end == text.data() + text.size();
}

// "0.25" as "25/100"; the exponent too.
std::string fraction(const std::string& text) {
  std::string digits;
  int places = 0, exponent = 0;
  bool behind = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '.') {
      behind = true;
    } else if (text[i] == 'e' || text[i] == 'E') {
      exponent = std::atoi(text.c_str() + i + 1);
      break;
    } else {
      digits += text[i];
      if (behind) ++places;
    }
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  const int shift = exponent - places;
  if (shift >= 0) return digits + std::string(static_cast<std::size_t>(shift), '0') + "/1";
  return digits + "/1" + std::string(static_cast<std::size_t>(-shift), '0');
}

}  // namespace

std::string_view spelling(Integers policy) {
  switch (policy) {
    case Integers::Int64:
      return "int64";
    case Integers::Int128:
      return "int128";
    case Integers::Gmp:
      return "gmp";
  }
  return "";
}

std::string_view spelling(Reals policy) {
  switch (policy) {
    case Reals::Double:
      return "double";
    case Reals::Gmp:
      return "gmp";
  }
  return "";
}

std::string Style::scalar(const Type& type) const {
  if (type.base == Base::Bool) return "bool";
  if (type.base == Base::Int && integers_ == Integers::Int128) return "leto::wide";
  return element(type);
}

std::string Style::element(const Type& type) const {
  switch (type.base) {
    case Base::Bool:
      return "std::uint8_t";
    case Base::Int:
      return integers_ == Integers::Gmp ? "mpz_class" : "std::int64_t";
    case Base::Real:
      return reals_ == Reals::Gmp ? "mpq_class" : "double";
    case Base::Word:
      break;  // refused before
  }
  return "";
}

std::string Style::view(const Type& type) const {
  return fmt::format("{}<const {}>", type.rank == 1 ? "std::span" : "leto::matrix_view",
                     element(type));
}

std::string Style::span(const Type& type) const {
  return fmt::format("{}<{}>", type.rank == 1 ? "std::span" : "leto::matrix_view", element(type));
}

std::string Style::memory(const Type& type) const {
  return fmt::format("{}<{}>", type.rank == 1 ? "leto::buffer" : "leto::grid", element(type));
}

std::string Style::literal(const std::string& text, const Type& type, Span at) const {
  if (type.base == Base::Real) {
    if (reals_ == Reals::Gmp) return fmt::format("leto::ratio(\"{}\")", fraction(text));
    return text.find_first_of(".eE") == std::string::npos ? text + ".0" : text;
  }
  if (fits_int64(text)) return text;
  if (integers_ == Integers::Gmp) return fmt::format("mpz_class(\"{}\")", text);
  throw Refused{at, fmt::format("the number {} does not fit into {}", text, spelling(integers_)),
                "emit it with '--int gmp'"};
}

std::string Style::to_real(const std::string& text) const {
  if (reals_ == Reals::Gmp) return fmt::format("mpq_class({})", text);
  if (integers_ == Integers::Gmp) return fmt::format("mpz_class({}).get_d()", text);
  return fmt::format("static_cast<double>({})", text);
}

}  // namespace leto::emit
