// Values and states of concrete runs.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "core/core.h"
#include "interp/number.h"
#include "interp/tables.h"

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

// All variables of one run, by number. Constants stand in both. They are all those of the program,
// of which a run needs few: blocks of them are shared by copies until one is changed, so that a
// copy costs next to nothing. A reference to one is good until the next copy.
class Variables {
 public:
  void resize(std::size_t size);
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const Value& operator[](std::size_t i) const {
    return (*blocks_[i / kBlock])[i % kBlock];
  }
  [[nodiscard]] Value& operator[](std::size_t i) {
    std::shared_ptr<Block>& block = blocks_[i / kBlock];
    if (block.use_count() > 1) block = std::make_shared<Block>(*block);
    return (*block)[i % kBlock];
  }
  // One that shares nothing with this one, whose references therefore stay good.
  [[nodiscard]] Variables duplicate() const;
  // Each by itself, where it is.
  void set_all(const Variables& other);

 private:
  static constexpr std::size_t kBlock = 256;
  using Block = std::array<Value, kBlock>;
  std::vector<std::shared_ptr<Block>> blocks_;
  std::size_t size_ = 0;
};

struct Pair {
  Variables original, relaxed;
  // Of function constants that nobody knows; null: there are none. Copies share them.
  std::shared_ptr<Tables> tables = {};
  // How many more bodies of definitions, statements of pure functions and values of bound variables
  // may be looked at; null: any number of them. What would take more has no value. Copies share it.
  std::shared_ptr<std::uint64_t> effort = {};
  // One more of them; false: nothing is left.
  [[nodiscard]] bool spend() const {
    if (!effort) return true;
    if (*effort > 0) --*effort;
    return *effort > 0;
  }
  [[nodiscard]] Variables& side(core::Side s) {
    return s == core::Side::Original ? original : relaxed;
  }
  [[nodiscard]] const Variables& side(core::Side s) const {
    return s == core::Side::Original ? original : relaxed;
  }
  [[nodiscard]] Pair duplicate() const {
    return {original.duplicate(), relaxed.duplicate(), tables, effort};
  }
};

}  // namespace leto::interp
