// The front door of `core`: the form of programs that every analysis reads, a
// validator that says what is wrong with one, and a printer.
#pragma once

#include <string>

#include "core/program.h"

namespace leto::core {

// Empty if the program is well-formed; else what is not, for our own eyes.
[[nodiscard]] std::string validate(const Program& program);

[[nodiscard]] std::string print(const Program& program);
[[nodiscard]] std::string print(const Program& program, ExprId expr);

}  // namespace leto::core
