// Values and states of concrete runs.
#pragma once

#include <memory>
#include <vector>

#include "core/core.h"
#include "interp/number.h"

namespace leto::interp {

// Elements row by row. Shared until one of the owners changes it.
struct Array {
  std::vector<std::int64_t> sizes;
  std::vector<Number> elements;
};

// A scalar, or a vector or matrix; or none: a variable of a run that did not come by its
// declaration has no value.
struct Value {
  Number scalar;
  std::shared_ptr<Array> array;
  bool none = false;
};

[[nodiscard]] bool equal(const Value& a, const Value& b);
// "3", "[1, 1/2]", "[[1, 0], [0, 1]]", "true"
[[nodiscard]] std::string text(const Value& value, const core::Type& type);

// All variables of one run, by number. Constants stand in both.
using Variables = std::vector<Value>;

struct Pair {
  Variables original, relaxed;
  [[nodiscard]] Variables& side(core::Side s) {
    return s == core::Side::Original ? original : relaxed;
  }
  [[nodiscard]] const Variables& side(core::Side s) const {
    return s == core::Side::Original ? original : relaxed;
  }
};

}  // namespace leto::interp
