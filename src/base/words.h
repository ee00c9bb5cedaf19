// Powers of two as decimal text: how large a word can be, for rooms that have no large numbers.
#pragma once

#include <string>
#include <string_view>

namespace leto {

// 2 to that power, in decimal.
[[nodiscard]] std::string power_of_two(unsigned exponent);
// Whether a number in decimal, without a sign, is less than 2 to that power.
[[nodiscard]] bool fits_into_bits(std::string_view number, unsigned width);

}  // namespace leto
