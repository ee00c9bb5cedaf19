// Spans of sources as the editor knows them.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/base.h"
#include "lsp/protocol.h"

namespace leto::lsp {

// What the editor calls the documents that it has open, by path.
using OpenUris = std::map<std::string, std::string>;

// The sources must live as long.
class Locator {
 public:
  Locator(const SourceStore& sources, OpenUris open) : sources_(sources), open_(std::move(open)) {}

  [[nodiscard]] std::string uri(FileId file) const;
  [[nodiscard]] Range range(Span span) const;
  [[nodiscard]] std::uint32_t offset(FileId file, Point point) const;
  [[nodiscard]] json location(Span span) const;  // {uri, range}
  [[nodiscard]] const SourceStore& sources() const { return sources_; }

 private:
  [[nodiscard]] const TextIndex& index(FileId file) const;

  const SourceStore& sources_;
  OpenUris open_;
  mutable std::map<FileId, TextIndex> indices_;
};

}  // namespace leto::lsp
