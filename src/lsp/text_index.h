// Places in a text as the protocol counts them, and as offsets of bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leto::lsp {

// Both from zero; characters are UTF-16 code units.
struct Point {
  std::uint32_t line = 0, character = 0;
  friend auto operator<=>(const Point&, const Point&) = default;
};
struct Range {
  Point start, end;
  friend bool operator==(const Range&, const Range&) = default;
};

// The text must live as long. Lines end with "\n", "\r\n" or "\r".
class TextIndex {
 public:
  // An editor does not show the byte order mark of a file, so it does not count there.
  explicit TextIndex(std::string_view text, bool hides_mark = false);

  // What lies outside of the text is moved to its nearest place; what lies inside of a character,
  // to the beginning of it.
  [[nodiscard]] Point point(std::size_t offset) const;
  [[nodiscard]] std::size_t offset(Point point) const;

 private:
  [[nodiscard]] std::size_t units(std::size_t offset) const;  // before an offset
  [[nodiscard]] std::size_t line_end(std::size_t line) const;

  std::string_view text_;
  std::size_t hidden_ = 0;            // units of the first line
  std::vector<std::size_t> starts_;   // of lines
  std::vector<std::size_t> counted_;  // units before each block
};

// The text with a range of it replaced. A range that is the wrong way round is turned. What is left
// of a character that is cut in two is U+FFFD, so that both sides go on counting alike.
[[nodiscard]] std::string replaced(const std::string& text, Range range, std::string_view with);

// The house style says nothing of how lines end: they end as those of the document do.
[[nodiscard]] std::string with_line_ends_of(std::string_view document, std::string_view text);

}  // namespace leto::lsp
