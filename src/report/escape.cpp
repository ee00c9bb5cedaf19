#include "report/escape.h"

#include <fmt/core.h>

#include "report/screen.h"

namespace leto::report {

namespace {

constexpr std::string_view kLetters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

bool is_one_of(char c, std::string_view set) {
  return set.find(c) != std::string_view::npos;
}
bool is_plain(char c, std::string_view marks) {
  return is_one_of(c, kLetters) || is_one_of(c, marks);
}
unsigned byte(char c) {
  return static_cast<unsigned char>(c);
}

}  // namespace

std::string uri_of(std::string_view path) {
  std::string out;
  for (char c : path)
    out += is_plain(c, "-._~/") ? std::string(1, c) : fmt::format("%{:02X}", byte(c));
  return out;
}

std::string csv_text(std::string_view text) {
  std::string out;
  for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out;
}

std::string xml_text(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    // U+FFFE and U+FFFF are characters, but none of XML's.
    if (const std::string_view three = text.substr(i, 3);
        three == "\xef\xbf\xbe" || three == "\xef\xbf\xbf") {
      out += "\xef\xbf\xbd";
      i += 2;
      continue;
    }
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:  // of characters
        out += byte(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string name_on_line(std::string_view name) {
  std::string out;
  for (char c : name) out += c == '\n' ? "\u240a" : c == '\t' ? "\u2409" : std::string(1, c);
  return visible(out);
}

}  // namespace leto::report
