#include "driver/programs.h"

#include <istream>

namespace leto::driver {

namespace {

// A program that imports "-" means a file.
bool is_standard_input(const std::string& path, files::NamedBy who) {
  return who == files::NamedBy::User &&
         (path == workspace::kStandardInput || path == "/dev/stdin" || path == "/dev/fd/0");
}

}  // namespace

workspace::FileSystem::Content Programs::read(const std::string& path, files::NamedBy who) {
  if (!is_standard_input(path, who)) return RealFileSystem::read(path, who);
  if (!standard_input_) standard_input_ = files::read(in_);
  return *standard_input_;
}

workspace::Identity Programs::identify(const std::string& path, files::NamedBy who) {
  return is_standard_input(path, who) ? workspace::Identity{} : FileSystem::identify(path, who);
}

}  // namespace leto::driver
