// Why something has no value.
#pragma once

#include <cstdint>

#include "core/program.h"

namespace leto::interp {

enum class Obstacle : std::uint8_t {
  Definition,    // a definition has none
  NoLowerBound,  // of the values of a variable that is bound
  NoUpperBound,
  NoBounds,
  Real,     // there is no end of numbers between two bounds
  TooMany,  // values
  Time,
  DivisionByZero,
  Root,  // of a sum with roots 200 digits are known, and they do not tell
};

// An expression that cannot be evaluated.
struct Undecidable {
  core::ExprId expr;  // invalid where only a number is at hand
  core::VarId var;    // whose values are to be tried; invalid: a definition has no value
  Obstacle obstacle = Obstacle::Definition;
};

}  // namespace leto::interp
