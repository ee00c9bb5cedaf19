#include "lsp/open_texts.h"

#include <filesystem>

namespace leto::lsp {

namespace fs = std::filesystem;

std::string place_of(const std::string& path) {
  workspace::RealFileSystem disk;
  if (std::string real = disk.real_path(path); !real.empty()) return real;
  const fs::path normal = workspace::normal_path(path);
  const fs::path folder = normal.parent_path();
  const std::string real = disk.real_path(folder.empty() ? "." : folder.string());
  return real.empty() ? normal.string() : (fs::path(real) / normal.filename()).string();
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
