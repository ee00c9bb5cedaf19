// Random expressions of programs: numbers, conditions, relaxed operations, calls.
#pragma once

#include "world.h"

namespace leto::soundness {

class Expressions {
 public:
  explicit Expressions(World& world) : world_(world), dice_(world.dice) {}

  // A small number; how it is written may be odd.
  [[nodiscard]] std::string number(Scalar type, unsigned most = 3);
  // Needs no parentheses around it.
  [[nodiscard]] std::string atom(const Scope& scope, Scalar type);
  // Never fails: no division by what may be zero, no natural number below zero.
  [[nodiscard]] std::string exact(const Scope& scope, Scalar type);
  std::string converted(const Scope& scope, Scalar type, const std::string& a);
  std::string tabled(const Scope& scope, Scalar type);
  // One or two operations of the model; nothing if it has none for the type.
  [[nodiscard]] std::optional<std::string> relaxed(const Scope& scope, Scalar type);
  // Whatever comes: exact, relaxed, or a call.
  [[nodiscard]] std::string value(const Scope& scope, Scalar type);
  // One of two of them, by a condition; to be put in parentheses.
  [[nodiscard]] std::string choice(const Scope& scope, Scalar type);
  [[nodiscard]] std::string condition(const Scope& scope);
  [[nodiscard]] std::string comparison(const Scope& scope);
  // A call of a function with such a result; nothing if there is none.
  [[nodiscard]] std::optional<std::string> call(const Scope& scope, Scalar type);
  [[nodiscard]] std::optional<std::string> call(const Scope& scope, const Function& f);
  // A comparison of three or more, with something that matters in a later operand.
  [[nodiscard]] std::string chain(const Scope& scope);
  // Only what ghosts may read.
  [[nodiscard]] std::string pure(const Scope& scope, Scalar type);

  // Variables by what they can be used for. Empty if there are none.
  [[nodiscard]] std::string readable(const Scope& scope, Scalar type);
  [[nodiscard]] std::string exactly(const Scope& scope, Scalar type);
  [[nodiscard]] std::string assignable(const Scope& scope, Scalar type);
  [[nodiscard]] std::string element(const Scope& scope, Scalar type, bool exactly);

 private:
  [[nodiscard]] std::string odd(Scalar type, unsigned value);
  [[nodiscard]] std::string operand(const Scope& scope, const Operation& op, bool second);
  [[nodiscard]] std::string logic(const Scope& scope);

  World& world_;
  Dice& dice_;
};

// In parentheses if it is more than one word.
[[nodiscard]] std::string enclose(const std::string& text);

}  // namespace leto::soundness
