#include "workspace/documents.h"

#include <algorithm>
#include <filesystem>

namespace leto::workspace {

namespace fs = std::filesystem;

namespace {

// Absolute, for whoever opens it may go elsewhere. ".." stays: what is before it may be a link.
std::string name_of(const std::string& path) {
  std::error_code error;
  fs::path out;
  for (const fs::path& part : fs::absolute(path.empty() ? "." : path, error))
    if (part != "." && !part.empty()) out /= part;
  return out.string();
}

}  // namespace

Identity Documents::identity_of(const std::string& path) const {
  return behind_.identify(path, files::NamedBy::Program);
}

void Documents::put(const std::string& path, std::string text) {
  open_[name_of(path)] = {std::move(text), ++changes_};
}

void Documents::close(const std::string& path) {
  if (open_.erase(name_of(path)) != 0) return;
  const Identity identity = identity_of(path);
  std::erase_if(open_, [&](const auto& one) { return identity_of(one.first) == identity; });
}

// Asked each time: a document may come to the disk, or a link to it, while it is open.
const std::string* Documents::find(const std::string& path) const {
  if (open_.empty()) return nullptr;
  const Identity identity = identity_of(path);
  const Document* newest = nullptr;
  for (const auto& [name, document] : open_)
    if ((newest == nullptr || document.change > newest->change) && identity_of(name) == identity)
      newest = &document;
  return newest == nullptr ? nullptr : &newest->text;
}

FileSystem::Content Documents::read(const std::string& path, files::NamedBy who) {
  if (const std::string* text = find(path)) return {*text};
  return behind_.read(path, who);
}

bool Documents::exists(const std::string& path) {
  return behind_.exists(path) || find(path) != nullptr;
}

std::string Documents::real_path(const std::string& path) {
  std::string real = behind_.real_path(path);
  return real.empty() && find(path) != nullptr ? identity_of(path).path : real;
}

Identity Documents::identify(const std::string& path, files::NamedBy who) {
  return behind_.identify(path, who);
}

// What is open and is no file lies where its folder does. If there is no such folder either, only
// the names are left to go by.
bool Documents::lies_in(const std::string& path, const std::string& directory) {
  if (behind_.exists(path) || find(path) == nullptr) return behind_.lies_in(path, directory);
  const fs::path folder = fs::path(identity_of(path).path).parent_path();
  const std::string outer = directory.empty() ? "." : directory;
  if (behind_.lies_in(folder.string(), outer)) return true;
  const fs::path inside = folder.lexically_normal().lexically_relative(
      fs::path(identity_of(outer).path).lexically_normal());
  return behind_.real_path(folder.string()).empty() && !inside.empty() && *inside.begin() != "..";
}

std::optional<std::vector<std::string>> Documents::list(const std::string& directory) {
  auto paths = behind_.list(directory);
  const fs::path folder = identity_of(directory).path;
  for (const auto& [name, document] : open_) {
    const fs::path lies = identity_of(name).path;
    if (lies.extension() != ".leto" || lies.parent_path() != folder) continue;
    if (!paths) paths.emplace();
    const std::string path = (fs::path(directory) / lies.filename()).string();
    if (std::find(paths->begin(), paths->end(), path) == paths->end()) paths->push_back(path);
  }
  if (paths) std::sort(paths->begin(), paths->end());
  return paths;
}

}  // namespace leto::workspace
