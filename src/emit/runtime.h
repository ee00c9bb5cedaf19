// The C++ that every emitted header rests on: outcomes, checked numbers, views and buffers.
#pragma once

#include <string>

namespace leto::emit {

struct Needs {
  bool wide = false, gmp = false, doubles = false;
};

[[nodiscard]] std::string runtime_text(const Needs& needs);

}  // namespace leto::emit
