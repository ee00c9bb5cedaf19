#include "driver/programs.h"

#include <istream>

namespace leto::driver {

workspace::FileSystem::Content Programs::read(const std::string& path, files::NamedBy who) {
  // A program that imports "-" means a file.
  if (path != workspace::kStandardInput || who != files::NamedBy::User)
    return disk_.read(path, who);
  if (!standard_input_) standard_input_ = files::read(in_);
  return *standard_input_;
}

bool Programs::exists(const std::string& path) {
  return disk_.exists(path);
}

std::string Programs::real_path(const std::string& path) {
  return disk_.real_path(path);
}

bool Programs::lies_in(const std::string& path, const std::string& directory) {
  return disk_.lies_in(path, directory);
}

std::optional<std::vector<std::string>> Programs::list(const std::string& directory) {
  return disk_.list(directory);
}

}  // namespace leto::driver
