// Names of C++ for what the program calls by its own.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace leto::emit {

// Letters, digits and single underscores, beginning with a letter; no word of C++ or C, no macro.
[[nodiscard]] std::string identifier(std::string_view name);

// Whether a function, a namespace, a library and a folder can have this name: it is no word of C++
// or C, nothing that their libraries declare for C, and no target that CMake has already.
[[nodiscard]] bool can_be_name(std::string_view name);

// Names that are given out once.
class Names {
 public:
  [[nodiscard]] std::string fresh(std::string_view name);

 private:
  std::set<std::string> taken_;
};

}  // namespace leto::emit
