// Where everything random comes from. One seed makes one program.
#pragma once

#include <initializer_list>
#include <random>
#include <string>
#include <vector>

namespace leto::soundness {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  [[nodiscard]] bool chance(unsigned percent) { return pick(100) < percent; }
  template <class T>
  [[nodiscard]] const T& any(const std::vector<T>& list) {
    return list[pick(static_cast<unsigned>(list.size()))];
  }
  [[nodiscard]] std::string any(std::initializer_list<const char*> list) {
    return list.begin()[pick(static_cast<unsigned>(list.size()))];
  }
  // Which of several, by how often each is wanted.
  [[nodiscard]] unsigned weighted(std::initializer_list<unsigned> weights) {
    unsigned sum = 0;
    for (unsigned weight : weights) sum += weight;
    unsigned left = pick(sum), index = 0;
    for (unsigned weight : weights) {
      if (left < weight) break;
      left -= weight;
      ++index;
    }
    return index;
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace leto::soundness
