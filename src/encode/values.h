// What variables are worth at one moment. A walk keeps many moments: at heads, at claims, before
// and behind branches, and most of them differ in few variables. So copies share what is the same
// in both, in small pieces, and only a piece that is written to is copied.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/core.h"
#include "encode/encode.h"

namespace leto::encode {

class Values {
 public:
  Values() = default;
  Values(const std::map<core::VarId, Value>& all) {
    for (const auto& [var, value] : all) (*this)[var] = value;
  }

  // Null: it has none.
  [[nodiscard]] const Value* find(core::VarId var) const;
  [[nodiscard]] bool contains(core::VarId var) const { return find(var) != nullptr; }
  [[nodiscard]] const Value& at(core::VarId var) const;
  // To be written to; a new one if it had none.
  [[nodiscard]] Value& operator[](core::VarId var);
  void emplace(core::VarId var, const Value& value) {
    if (!contains(var)) (*this)[var] = value;
  }
  void erase(core::VarId var);

  // All that there are, by number of the variable.
  class Iterator {
   public:
    using Item = std::pair<core::VarId, const Value&>;
    Iterator(const Values& values, std::size_t piece) : values_(values), piece_(piece) { skip(); }
    [[nodiscard]] Item operator*() const;
    Iterator& operator++() {
      ++place_;
      skip();
      return *this;
    }
    [[nodiscard]] bool operator==(const Iterator& other) const {
      return piece_ == other.piece_ && place_ == other.place_;
    }

   private:
    void skip();  // to the next place that is taken
    const Values& values_;
    std::size_t piece_, place_ = 0;
  };
  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, pieces_.size()}; }

 private:
  static constexpr std::uint32_t kSize = 16;
  using Places = std::array<std::optional<Value>, kSize>;
  struct Piece {
    std::uint32_t number;            // of the variables from number * kSize on
    std::shared_ptr<Places> places;  // shared: not to be written to
  };
  [[nodiscard]] std::size_t index_of(std::uint32_t number) const;  // or where it would be
  [[nodiscard]] Places& own(std::size_t index);

  std::vector<Piece> pieces_;  // by number
};

}  // namespace leto::encode
