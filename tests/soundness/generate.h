// The front door of the random programs: one seed, one program.
#pragma once

#include <cstdint>
#include <string>

#include "program.h"

namespace leto::soundness {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : seed_(seed) {}

  // A model and a program for `leto verify`.
  [[nodiscard]] Program program() const;
  // A super-model `sup`, a sub-model `sub` of it, and a program.
  struct Refined {
    std::string models;
    std::string program;
  };
  [[nodiscard]] Refined refined() const;

 private:
  std::uint64_t seed_;
};

}  // namespace leto::soundness
