#include "driver/programs.h"

#include <istream>

namespace leto::driver {

workspace::FileSystem::Content Programs::read(const std::string& path, files::NamedBy who) {
  // A program that imports "-" means a file.
  if (path != workspace::kStandardInput || who != files::NamedBy::User)
    return RealFileSystem::read(path, who);
  if (!standard_input_) standard_input_ = files::read(in_);
  return *standard_input_;
}

}  // namespace leto::driver
