// Random numbers: those of std::mt19937_64, made one at a time. The standard's generator prepares
// 312 before it gives the first, and a run seldom asks for more than a few.
#pragma once

#include <array>
#include <cstdint>

namespace leto::interp {

class Random {
 public:
  using result_type = std::uint64_t;
  explicit Random(std::uint64_t seed) { state_[0] = seed; }
  [[nodiscard]] static constexpr std::uint64_t min() { return 0; }
  [[nodiscard]] static constexpr std::uint64_t max() { return UINT64_MAX; }

  std::uint64_t operator()() {
    const std::size_t next = at_ + 1 == kSize ? 0 : at_ + 1;
    const std::size_t far = at_ < kSize - kFar ? at_ + kFar : at_ + kFar - kSize;
    if (seeded_ < kSize) seed_up_to(far > next ? far : next);
    const std::uint64_t y = (state_[at_] & ~kLow) | (state_[next] & kLow);
    state_[at_] = state_[far] ^ (y >> 1) ^ ((y & 1) != 0 ? 0xb5026f5aa96619e9u : 0);
    std::uint64_t z = state_[at_];
    z ^= (z >> 29) & 0x5555555555555555u;
    z ^= (z << 17) & 0x71d67fffeda60000u;
    z ^= (z << 37) & 0xfff7eee000000000u;
    at_ = next;
    return z ^ (z >> 43);
  }

 private:
  static constexpr std::size_t kSize = 312, kFar = 156;
  static constexpr std::uint64_t kLow = 0x7fffffffu;

  void seed_up_to(std::size_t last) {
    for (; seeded_ <= last; ++seeded_) {
      const std::uint64_t before = state_[seeded_ - 1];
      state_[seeded_] = 6364136223846793005u * (before ^ (before >> 62)) + seeded_;
    }
  }

  std::array<std::uint64_t, kSize> state_;
  std::size_t at_ = 0, seeded_ = 1;
};

}  // namespace leto::interp
