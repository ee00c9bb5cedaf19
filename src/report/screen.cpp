#include "report/screen.h"

#include <fmt/core.h>
#include <sys/random.h>

#include <algorithm>

#include "base/base.h"

namespace leto::report {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

// A zero and random bytes; only a zero if there are none, and then nothing is steered.
const std::string& steering_mark() {
  static const std::string mark = [] {
    char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes))
      return std::string(1, '\0');
    return '\0' + std::string(bytes, sizeof bytes);
  }();
  return mark;
}

std::string steering(char c) {
  return steering_mark().size() > 1 ? steering_mark() + c : "";
}

// How many bytes a character should have by its first; 1 if it can be none.
std::size_t announced(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
}

// U+061C, U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069; and what some take for the end of
// a line, U+2028 and U+2029.
bool turns_direction(std::string_view character) {
  if (character == "\xd8\x9c") return true;
  if (character.size() != 3 || character[0] != '\xe2') return false;
  const auto second = static_cast<unsigned char>(character[1]);
  const auto third = static_cast<unsigned char>(character[2]);
  return (second == 0x80 && third >= 0xa8 && third <= 0xae) ||
         (second == 0x80 && (third == 0x8e || third == 0x8f)) ||
         (second == 0x81 && third >= 0xa6 && third <= 0xa9);
}

// Of one character; `length` 0: it is none.
std::string show(std::string_view text, std::size_t length) {
  const auto byte = static_cast<unsigned char>(text[0]);
  if (byte == '\n' || byte == '\t') return std::string(1, text[0]);
  if (byte < 0x20) return {'\xe2', '\x90', static_cast<char>(0x80 + byte)};  // U+2400 and on
  if (byte == 0x7f) return "\xe2\x90\xa1";
  const bool c1 = length == 2 && byte == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
  if (length == 0 || c1 || turns_direction(text.substr(0, length)))
    return std::string(kReplacement);
  return std::string(text.substr(0, length));
}

}  // namespace

std::string painted(std::string_view text, std::string_view code) {
  const std::string escape = steering('\x1b');
  if (escape.empty()) return std::string(text);
  return fmt::format("{0}[{1}m{2}{0}[0m", escape, code, text);
}

std::string erased_line() {
  const std::string escape = steering('\x1b');
  return escape.empty() ? "\n" : steering('\r') + escape + "[K";
}

std::string visible(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text.substr(i, 4));
    out += show(text.substr(i), length);
    i += std::max<std::size_t>(length, 1);
  }
  return out;
}

Screen::~Screen() {
  pass_on(true);
}

Screen::int_type Screen::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char one = traits_type::to_char_type(c);
  return xsputn(&one, 1) == 1 ? c : traits_type::eof();
}

std::streamsize Screen::xsputn(const char* text, std::streamsize count) {
  waiting_.append(text, static_cast<std::size_t>(count));
  pass_on(false);
  return inner_ ? count : 0;
}

int Screen::sync() {
  inner_.flush();
  return inner_ ? 0 : -1;
}

void Screen::pass_on(bool all) {
  std::string out;
  std::size_t i = 0;
  while (i < waiting_.size()) {
    const std::string_view rest = std::string_view(waiting_).substr(i);
    const std::string& mark = steering_mark();
    const std::size_t whole = rest[0] == '\0' ? mark.size() + 1 : announced(rest[0]);
    if (rest.size() < whole && !all) break;
    if (mark.size() > 1 && rest.size() > mark.size() && rest.starts_with(mark)) {
      out += rest[mark.size()];
      i += mark.size() + 1;
      continue;
    }
    const std::size_t length = utf8_length(rest.substr(0, 4));
    out += show(rest, length);
    i += std::max<std::size_t>(length, 1);
  }
  waiting_.erase(0, i);
  inner_ << out;
}

}  // namespace leto::report
