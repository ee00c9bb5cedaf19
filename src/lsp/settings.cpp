#include "lsp/settings.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace leto::lsp {

namespace fs = std::filesystem;

namespace {

// One text, with colons between paths, or a list of them.
void take_paths(const json& said, std::vector<std::string>& into) {
  if (said.is_array()) {
    into.clear();
    for (const json& one : said)
      if (one.is_string() && !one.get_ref<const std::string&>().empty())
        into.push_back(one.get<std::string>());
    return;
  }
  if (!said.is_string()) return;
  into.clear();
  std::string rest = said.get<std::string>();
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) into.push_back(rest.substr(0, colon));
    rest.erase(0, std::min(rest.size(), colon + 1));
  }
}

}  // namespace

void Settings::take(const json& said) {
  verify_on_save = flag(said, "verifyOnSave", verify_on_save);
  if (const json& name = member(said, "model"); name.is_string()) model = name.get<std::string>();
  take_paths(member(said, "modelPath"), model_path);
  take_paths(member(said, "allowImport"), imports);
  if (const json& limit = member(said, "seconds"); limit.is_number_unsigned())
    seconds = std::min(1e6, static_cast<double>(limit.get<std::uint64_t>()));
  if (const json& many = member(said, "jobs"); many.is_number_unsigned())
    jobs = static_cast<unsigned>(std::min<std::uint64_t>(many.get<std::uint64_t>(), 256));
}

std::vector<std::string> library_of(const std::string& executable_dir) {
  std::vector<std::string> found;
  if (executable_dir.empty()) return found;
  const fs::path here = executable_dir;
  for (const fs::path& place :
       {here / "share/leto/models", here.parent_path() / "share/leto/models"}) {
    std::error_code error;
    if (fs::is_directory(place, error)) found.push_back(place.string());
  }
  return found;
}

workspace::Places places_of(const Settings& settings, const std::vector<std::string>& library) {
  workspace::Places places{settings.model_path, settings.imports};
  if (const char* variable = std::getenv("LETO_MODEL_PATH"); variable != nullptr) {
    std::vector<std::string> more;
    take_paths(json(std::string(variable)), more);
    places.models.insert(places.models.end(), more.begin(), more.end());
  }
  places.models.insert(places.models.end(), library.begin(), library.end());
  return places;
}

}  // namespace leto::lsp
