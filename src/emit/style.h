// How numbers are written in C++, by policy.
#pragma once

#include <string>

#include "emit/emit.h"

namespace leto::emit {

// Why something cannot be emitted. Thrown in this room, and reported at its front door.
struct Refused {
  Span span;
  std::string what;
  std::string help = {};
};

class Style {
 public:
  explicit Style(const Request& request)
      : integers_(request.integers), reals_(request.reals), checker_(request.checker) {}

  [[nodiscard]] std::string scalar(const core::Type& type) const;   // of a variable in a body
  [[nodiscard]] std::string element(const core::Type& type) const;  // of a vector, or handed over
  [[nodiscard]] std::string view(const core::Type& type) const;     // std::span<const ...>
  [[nodiscard]] std::string span(const core::Type& type) const;     // that is written to
  [[nodiscard]] std::string memory(const core::Type& type) const;   // leto::buffer<...>
  // A decimal literal of the language.
  [[nodiscard]] std::string literal(const std::string& text, const core::Type& type, Span at) const;
  // Whether an operation on such numbers is a statement that may fail, rather than an operator.
  [[nodiscard]] bool is_checked(const core::Type& type) const {
    return type.base == core::Base::Int || (type.base == core::Base::Real && reals_ == Reals::Gmp);
  }
  // Whether such numbers are doubles.
  [[nodiscard]] bool is_rounded(const core::Type& type) const {
    return type.base == core::Base::Real && reals_ == Reals::Double;
  }
  // Of an integer, as a real.
  [[nodiscard]] std::string to_real(const std::string& text) const;
  // Whether what a variable holds may not fit into an element.
  [[nodiscard]] bool narrows(const core::Type& type) const {
    return type.base == core::Base::Int && integers_ == Integers::Int128;
  }

 private:
  Integers integers_;
  Reals reals_;
  bool checker_;
};

}  // namespace leto::emit
