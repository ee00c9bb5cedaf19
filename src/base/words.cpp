#include "base/words.h"

#include <algorithm>

namespace leto {

std::string power_of_two(unsigned exponent) {
  std::string digits = "1";  // the last one first
  for (unsigned i = 0; i < exponent; ++i) {
    int carry = 0;
    for (char& digit : digits) {
      const int twice = (digit - '0') * 2 + carry;
      digit = static_cast<char>('0' + twice % 10);
      carry = twice / 10;
    }
    if (carry != 0) digits += '1';
  }
  std::reverse(digits.begin(), digits.end());
  return digits;
}

bool fits_into_bits(std::string_view number, unsigned width) {
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  const std::string limit = power_of_two(width);
  return number.size() != limit.size() ? number.size() < limit.size() : number < limit;
}

}  // namespace leto
