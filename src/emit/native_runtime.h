// The C++ that every native campaign rests on, whatever the program.
#pragma once

#include <string>

namespace leto::emit {

[[nodiscard]] std::string native_numbers();   // what it computes with
[[nodiscard]] std::string native_choices();   // random numbers, and what is drawn by them
[[nodiscard]] std::string native_campaign();  // runs, what became of them, and a `main`

}  // namespace leto::emit
