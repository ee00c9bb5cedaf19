// The front door of the random programs: one seed, one program.
#pragma once

#include <cstdint>
#include <string>

#include "program.h"

namespace leto::soundness {

class Generator {
 public:
  // `theme`: one that every program has, by its name; empty: none.
  explicit Generator(std::uint64_t seed, std::string theme = {})
      : seed_(seed), theme_(std::move(theme)) {}
  // What programs can be about.
  [[nodiscard]] static std::vector<std::string> themes();

  // A model and a program for `leto verify`.
  [[nodiscard]] Program program() const;
  // A model with rates and a program for `leto reliability`; its bounds are claims.
  [[nodiscard]] Program reliable() const;
  // A super-model `sup`, a sub-model `sub` of it, and a program.
  struct Refined {
    std::string models;
    std::string program;
  };
  [[nodiscard]] Refined refined() const;

 private:
  std::uint64_t seed_;
  std::string theme_;
};

}  // namespace leto::soundness
