// What a verdict rests on: which model, which files were read for it, which solver was asked, and
// whether it was asked or a cache.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace leto::driver {

struct Footing {
  // A file as it was when it was read.
  struct File {
    std::string name, path, hash;  // SHA-256; empty if it could not be read
  };
  std::optional<File> model;  // none: exact hardware
  std::vector<File> others;   // the program, what it and the model import, and further models
  std::vector<File> solvers;
  std::string cache;  // its folder; empty: everything was asked
};

// Whether what the original run does was proved, taken for granted, or neither. `reliability`
// says so for each bound.
enum class Original : std::uint8_t { Proved, Trusted, Open, SaidElsewhere };

// For people, on a line or two.
[[nodiscard]] std::string to_text(const Footing& footing, Original original);
// For machines.
[[nodiscard]] nlohmann::json to_json(const Footing& footing, Original original);

}  // namespace leto::driver
