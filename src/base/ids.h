// Typed 4-byte ids and the stores they index. A store owns its nodes; ids are
// copied freely and mean nothing without their store.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/assert.h"

namespace leto {

template <class Tag>
struct Id {
  static constexpr std::uint32_t kNone = 0xffffffffu;
  std::uint32_t value = kNone;

  [[nodiscard]] constexpr bool valid() const { return value != kNone; }
  friend constexpr bool operator==(Id, Id) = default;
  friend constexpr auto operator<=>(Id, Id) = default;
};

template <class IdType, class T>
class Store {
 public:
  IdType add(T node) {
    nodes_.push_back(std::move(node));
    return IdType{static_cast<std::uint32_t>(nodes_.size() - 1)};
  }
  [[nodiscard]] const T& operator[](IdType id) const {
    LETO_ASSERT(id.value < nodes_.size());
    return nodes_[id.value];
  }
  [[nodiscard]] T& operator[](IdType id) {
    LETO_ASSERT(id.value < nodes_.size());
    return nodes_[id.value];
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
  [[nodiscard]] auto begin() const { return nodes_.begin(); }
  [[nodiscard]] auto end() const { return nodes_.end(); }

 private:
  std::vector<T> nodes_;
};

}  // namespace leto

template <class Tag>
struct std::hash<leto::Id<Tag>> {
  std::size_t operator()(leto::Id<Tag> id) const noexcept {
    return std::hash<std::uint32_t>{}(id.value);
  }
};
