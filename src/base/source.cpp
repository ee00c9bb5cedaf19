#include "base/source.h"

#include <algorithm>

namespace leto {

Span cover(Span first, Span last) {
  LETO_ASSERT(first.file == last.file);
  return {first.file, std::min(first.begin, last.begin), std::max(first.end, last.end)};
}

SourceFile::SourceFile(std::string path, std::string text)
    : path_(std::move(path)), text_(std::move(text)), line_starts_{0} {
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
}

std::uint32_t SourceFile::line_of(std::uint32_t offset) const {
  auto it = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return static_cast<std::uint32_t>(it - line_starts_.begin());
}

std::uint32_t SourceFile::line_begin(std::uint32_t line) const {
  LETO_ASSERT(line >= 1 && line <= line_starts_.size());
  return line_starts_[line - 1];
}

std::string_view SourceFile::line_text(std::uint32_t line) const {
  const std::uint32_t begin = line_begin(line);
  std::uint32_t end = line < line_starts_.size() ? line_starts_[line] : size();
  while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  return text().substr(begin, end - begin);
}

Position SourceFile::position(std::uint32_t offset) const {
  const std::uint32_t line = line_of(std::min(offset, size()));
  std::uint32_t at = line_begin(line), column = 1;
  if (line == 1 && text().starts_with("\xef\xbb\xbf") && offset >= 3) at = 3;
  while (at < offset && at < size()) {
    const std::size_t step = utf8_length(text().substr(at, 4));
    at += static_cast<std::uint32_t>(std::max<std::size_t>(step, 1));
    ++column;
  }
  return {line, column};
}

FileId SourceStore::add(std::string path, std::string text) {
  files_.emplace_back(std::move(path), std::move(text));
  return FileId{static_cast<std::uint32_t>(files_.size() - 1)};
}

const SourceFile& SourceStore::operator[](FileId id) const {
  LETO_ASSERT(id.value < files_.size());
  return files_[id.value];
}

std::string_view SourceStore::text(Span span) const {
  return (*this)[span.file].text().substr(span.begin, span.end - span.begin);
}

std::size_t utf8_length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead <= 0xdf) return tail(1) ? 2 : 0;
  if (lead >= 0xe0 && lead <= 0xef) {
    if (!tail(1) || !tail(2)) return 0;
    if (lead == 0xe0 && byte(1) < 0xa0) return 0;  // overlong
    if (lead == 0xed && byte(1) > 0x9f) return 0;  // surrogate
    return 3;
  }
  if (lead >= 0xf0 && lead <= 0xf4) {
    if (!tail(1) || !tail(2) || !tail(3)) return 0;
    if (lead == 0xf0 && byte(1) < 0x90) return 0;
    if (lead == 0xf4 && byte(1) > 0x8f) return 0;
    return 4;
  }
  return 0;
}

}  // namespace leto
