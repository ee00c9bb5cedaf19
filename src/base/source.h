// Source text and places in it. A file is read once, keeps its bytes, and
// answers questions about lines; a Span is a half-open range of bytes.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace leto {

struct FileTag;
using FileId = Id<FileTag>;

struct Span {
  FileId file;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  // Of a name that is declared in a copy of this text: which copy. 0: what was written.
  std::uint32_t copy = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

// The smallest span that covers both; they must be of one file.
[[nodiscard]] Span cover(Span first, Span last);

// One-based; columns count Unicode code points.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

class SourceFile {
 public:
  SourceFile(std::string path, std::string text);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(text_.size()); }
  [[nodiscard]] std::uint32_t line_count() const {
    return static_cast<std::uint32_t>(line_starts_.size());
  }
  // One-based line of a byte offset.
  [[nodiscard]] std::uint32_t line_of(std::uint32_t offset) const;
  [[nodiscard]] std::uint32_t line_begin(std::uint32_t line) const;
  // The line's text without its line ending.
  [[nodiscard]] std::string_view line_text(std::uint32_t line) const;
  [[nodiscard]] Position position(std::uint32_t offset) const;

 private:
  std::string path_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;
};

class SourceStore {
 public:
  FileId add(std::string path, std::string text);
  [[nodiscard]] const SourceFile& operator[](FileId id) const;
  [[nodiscard]] std::string_view text(Span span) const;

 private:
  std::deque<SourceFile> files_;
};

// Number of bytes of the well-formed UTF-8 sequence at the start of `text`;
// 0 if there is none.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

}  // namespace leto
