#include "workspace/places.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace leto::workspace {

std::vector<std::string> split_paths(std::string_view paths) {
  std::vector<std::string> out;
  while (!paths.empty()) {
    const std::size_t colon = std::min(paths.find(':'), paths.size());
    if (colon > 0) out.emplace_back(paths.substr(0, colon));
    paths.remove_prefix(std::min(paths.size(), colon + 1));
  }
  return out;
}

std::vector<std::string> library_of(const std::string& executable_dir) {
  std::vector<std::string> found;
  if (executable_dir.empty()) return found;
  const std::filesystem::path here = executable_dir;
  for (const std::filesystem::path& place :
       {here / "share/leto/models", here.parent_path() / "share/leto/models"}) {
    std::error_code error;
    if (std::filesystem::is_directory(place, error)) found.push_back(place.string());
  }
  return found;
}

Places all_places(Places given, const std::vector<std::string>& library) {
  if (const char* variable = std::getenv("LETO_MODEL_PATH"); variable != nullptr)
    for (std::string& path : split_paths(variable)) given.models.push_back(std::move(path));
  given.models.insert(given.models.end(), library.begin(), library.end());
  return given;
}

}  // namespace leto::workspace
