// A variable that has its old value again at the end of a scope, however the scope is left.
#pragma once

#include <utility>

namespace leto {

template <class T>
class Restored {
 public:
  explicit Restored(T& place) : place_(place), old_(place) {}
  Restored(T& place, T meanwhile)
      : place_(place), old_(std::exchange(place, std::move(meanwhile))) {}
  ~Restored() { place_ = std::move(old_); }
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;

  [[nodiscard]] const T& old() const { return old_; }

 private:
  T& place_;
  T old_;
};

}  // namespace leto
