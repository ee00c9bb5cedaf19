// The two runs, sets of them, and things that each of them has of its own.
#pragma once

#include <array>

#include "oracle/specs.h"

namespace leto::oracle {

class Runs {
 public:
  static Runs both() { return Runs(3); }
  static Runs none() { return Runs(0); }
  static Runs only(Side side) { return Runs(side == Side::Original ? 1u : 2u); }

  [[nodiscard]] bool has(Side side) const { return (bits_ & only(side).bits_) != 0; }
  [[nodiscard]] bool empty() const { return bits_ == 0; }
  [[nodiscard]] Runs without(Runs other) const { return Runs(bits_ & ~other.bits_); }
  [[nodiscard]] Runs with(Runs other) const { return Runs(bits_ | other.bits_); }
  // The original is always first.
  [[nodiscard]] std::vector<Side> list() const {
    std::vector<Side> sides;
    for (Side side : {Side::Original, Side::Relaxed})
      if (has(side)) sides.push_back(side);
    return sides;
  }
  friend bool operator==(Runs, Runs) = default;

 private:
  explicit Runs(unsigned bits) : bits_(bits) {}
  unsigned bits_;
};

// Something of each run, or of none or one of them.
template <class T>
class PerRun {
 public:
  [[nodiscard]] std::optional<T>& operator[](Side side) {
    return of_[static_cast<std::size_t>(side)];
  }
  [[nodiscard]] const std::optional<T>& operator[](Side side) const {
    return of_[static_cast<std::size_t>(side)];
  }

 private:
  std::array<std::optional<T>, 2> of_;
};

}  // namespace leto::oracle
