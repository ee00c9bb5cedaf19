#include "lsp/open_texts.h"

namespace leto::lsp {

// A path that an editor gives is never the standard input.
std::string place_of(const std::string& path) {
  workspace::RealFileSystem disk;
  return disk.FileSystem::identify(path, files::NamedBy::Program).path;
}

bool OpenTexts::set_unknown(std::set<std::string> places) {
  const bool others = places != unknown_;
  unknown_ = std::move(places);
  return others;
}

workspace::FileSystem::Content OpenTexts::read(const std::string& path, files::NamedBy who) {
  if (!unknown_.empty() && unknown_.contains(place_of(path)))
    return {std::nullopt, "it is open in the editor, and its text there is not known"};
  return documents_.read(path, who);
}

}  // namespace leto::lsp
