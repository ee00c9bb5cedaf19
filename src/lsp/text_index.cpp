#include "lsp/text_index.h"

#include <algorithm>

namespace leto::lsp {

namespace {

constexpr std::size_t kBlock = 256;

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u;
}

// How many units the character that begins here has.
std::size_t width(char c) {
  if (continues(c)) return 0;
  return static_cast<unsigned char>(c) >= 0xf0u ? 2 : 1;
}

}  // namespace

TextIndex::TextIndex(std::string_view text, bool hides_mark)
    : text_(text), hidden_(hides_mark && text.starts_with("\xef\xbb\xbf") ? 1 : 0), starts_{0} {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (i % kBlock == 0) counted_.push_back(count);
    count += width(text_[i]);
    const bool pair = text_[i] == '\r' && i + 1 < text_.size() && text_[i + 1] == '\n';
    if (text_[i] == '\n' || (text_[i] == '\r' && !pair)) starts_.push_back(i + 1);
  }
  if (text_.size() % kBlock == 0) counted_.push_back(count);
}

std::size_t TextIndex::units(std::size_t offset) const {
  std::size_t count = counted_[offset / kBlock];
  for (std::size_t i = offset / kBlock * kBlock; i < offset; ++i) count += width(text_[i]);
  return count;
}

std::size_t TextIndex::line_end(std::size_t line) const {
  std::size_t end = line + 1 < starts_.size() ? starts_[line + 1] : text_.size();
  const std::size_t begin = starts_[line];
  if (end > begin && text_[end - 1] == '\n') --end;
  if (end > begin && text_[end - 1] == '\r') --end;
  return end;
}

Point TextIndex::point(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  for (int i = 0; i < 3 && offset > 0 && offset < text_.size() && continues(text_[offset]); ++i)
    --offset;
  const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto line = static_cast<std::size_t>(next - starts_.begin()) - 1;
  offset = std::min(offset, line_end(line));
  std::size_t character = units(offset) - units(starts_[line]);
  if (line == 0) character -= std::min(character, hidden_);
  return {static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(character)};
}

std::size_t TextIndex::offset(Point point) const {
  if (point.line >= starts_.size()) return text_.size();
  const std::size_t begin = starts_[point.line], end = line_end(point.line);
  const std::size_t wanted = units(begin) + point.character + (point.line == 0 ? hidden_ : 0);
  if (units(end) <= wanted) return end;
  // The last block that begins before it, and from there character by character.
  const auto first = counted_.begin() + static_cast<std::ptrdiff_t>(begin / kBlock);
  const auto past = counted_.begin() + static_cast<std::ptrdiff_t>(end / kBlock + 1);
  const auto block =
      static_cast<std::size_t>(std::upper_bound(first, past, wanted) - counted_.begin()) - 1;
  std::size_t at = std::max(begin, block * kBlock);
  std::size_t count = units(at);
  while (at < end) {
    if (count + width(text_[at]) > wanted) break;
    count += width(text_[at]);
    ++at;
    while (at < end && continues(text_[at])) ++at;
  }
  return at;
}

namespace {

constexpr std::string_view kHalf = "\xef\xbf\xbd";  // U+FFFD

// Whether a place lies between the halves of the character that begins at the offset.
bool splits(const TextIndex& index, std::string_view text, Point place, std::size_t offset) {
  if (offset >= text.size() || width(text[offset]) != 2) return false;
  const Point begin = index.point(offset);
  return begin.line == place.line && begin.character + 1 == place.character;
}

}  // namespace

std::string replaced(const std::string& text, Range range, std::string_view with) {
  if (range.end < range.start) std::swap(range.start, range.end);
  const TextIndex index(text);
  const std::size_t begin = index.offset(range.start);
  std::size_t end = index.offset(range.end);
  std::string out = text.substr(0, begin);
  if (splits(index, text, range.start, begin)) out += kHalf;
  out += with;
  if (splits(index, text, range.end, end)) {
    out += kHalf;
    do ++end;
    while (end < text.size() && continues(text[end]));
  }
  out += std::string_view(text).substr(end);
  return out;
}

std::string with_line_ends_of(std::string_view document, std::string_view text) {
  const std::size_t first = document.find('\n');
  const bool pairs = first != std::string::npos && first > 0 && document[first - 1] == '\r';
  std::string out;
  for (char c : text) {
    if (pairs && c == '\n' && !out.ends_with('\r')) out += '\r';
    out += c;
  }
  return out;
}

}  // namespace leto::lsp
