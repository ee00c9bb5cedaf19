#include "lsp/locator.h"

#include "lsp/uri.h"

namespace leto::lsp {

std::string Locator::uri(FileId file) const {
  const std::string& path = sources_[file].path();
  const auto open = open_.find(path);
  return open != open_.end() ? open->second : uri_of(path);
}

const TextIndex& Locator::index(FileId file) const {
  const auto found = indices_.find(file);
  if (found != indices_.end()) return found->second;
  const bool on_disk = !open_.contains(sources_[file].path());
  return indices_.emplace(file, TextIndex(sources_[file].text(), on_disk)).first->second;
}

Range Locator::range(Span span) const {
  const TextIndex& text = index(span.file);
  return {text.point(span.begin), text.point(span.end)};
}

std::uint32_t Locator::offset(FileId file, Point point) const {
  return static_cast<std::uint32_t>(index(file).offset(point));
}

json Locator::location(Span span) const {
  return {{"uri", uri(span.file)}, {"range", to_json(range(span))}};
}

}  // namespace leto::lsp
