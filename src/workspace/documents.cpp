#include "workspace/documents.h"

#include <algorithm>
#include <filesystem>

namespace leto::workspace {

namespace fs = std::filesystem;

namespace {

std::string normal_path(const std::string& path) {
  return fs::path(path).lexically_normal().string();
}

// The folder of a document, as the disk knows it: a document need not lie there, its folder may.
std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(normal_path(path)).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

void Documents::put(const std::string& path, std::string text) {
  open_[normal_path(path)] = std::move(text);
}

void Documents::close(const std::string& path) {
  open_.erase(normal_path(path));
}

const std::string* Documents::find(const std::string& path) const {
  const auto it = open_.find(normal_path(path));
  return it == open_.end() ? nullptr : &it->second;
}

FileSystem::Content Documents::read(const std::string& path, files::NamedBy who) {
  if (const std::string* text = find(path)) return {*text};
  return behind_.read(path, who);
}

bool Documents::exists(const std::string& path) {
  return find(path) != nullptr || behind_.exists(path);
}

std::string Documents::real_path(const std::string& path) {
  const std::string real = behind_.real_path(path);
  return real.empty() && find(path) != nullptr ? normal_path(path) : real;
}

// What is open and is no file lies where its folder does. If there is no such folder either, only
// the names are left to go by.
bool Documents::lies_in(const std::string& path, const std::string& directory) {
  if (find(path) == nullptr || behind_.exists(path)) return behind_.lies_in(path, directory);
  const std::string folder = folder_of(path);
  if (behind_.lies_in(folder, directory.empty() ? "." : directory)) return true;
  const fs::path inside = fs::path(folder).lexically_relative(normal_path(directory));
  return behind_.real_path(folder).empty() && !inside.empty() && *inside.begin() != "..";
}

std::optional<std::vector<std::string>> Documents::list(const std::string& directory) {
  auto paths = behind_.list(directory);
  for (const auto& [path, text] : open_) {
    if (!path.ends_with(".leto") || folder_of(path) != normal_path(directory)) continue;
    if (!paths) paths.emplace();
    if (std::find(paths->begin(), paths->end(), path) == paths->end()) paths->push_back(path);
  }
  if (paths) std::sort(paths->begin(), paths->end());
  return paths;
}

}  // namespace leto::workspace
