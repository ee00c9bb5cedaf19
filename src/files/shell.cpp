#include <fmt/core.h>

#include "files/files.h"

namespace leto::files {

namespace {

constexpr std::string_view kPlain =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+";

unsigned byte(char c) {
  return static_cast<unsigned char>(c);
}
// Not a letter that a terminal shows as it is.
bool is_odd(char c) {
  return byte(c) < 0x20 || byte(c) >= 0x7f;
}

}  // namespace

std::string shell_word(std::string_view text) {
  bool plain = !text.empty(), odd = false;
  for (char c : text) {
    plain = plain && kPlain.find(c) != std::string_view::npos;
    odd = odd || is_odd(c);
  }
  if (plain) return std::string(text);
  std::string out = odd ? "$'" : "'";
  for (char c : text) {
    if (odd && is_odd(c))
      out += fmt::format("\\x{:02x}", byte(c));
    else if (odd && (c == '\'' || c == '\\'))
      out += std::string("\\") + c;
    else
      out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out + "'";
}

}  // namespace leto::files
