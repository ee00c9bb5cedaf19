#include "driver/programs.h"

#include <fmt/core.h>

#include <istream>
#include <ostream>

#include "driver/driver.h"

namespace leto::driver {

namespace {

// A program that imports "-" means a file.
bool means_standard_input(const std::string& path, files::NamedBy who) {
  return who == files::NamedBy::User && is_standard_input(path);
}

}  // namespace

bool is_standard_input(const std::string& path) {
  return path == workspace::kStandardInput || path == "/dev/stdin" || path == "/dev/fd/0";
}

std::string shown(const std::string& path) {
  if (is_standard_input(path)) return workspace::kStandardInputShown;
  return path == workspace::kStandardInputShown ? "./" + path : path;
}

bool can_be_written(const std::vector<std::string>& paths, const char* option, Streams& streams) {
  for (const std::string& path : paths)
    if (is_standard_input(path)) {
      streams.err << fmt::format(
          "leto: error: {} writes into files, and '{}' is none; 'leto infer {}' prints the "
          "program\n",
          option, path, path);
      return false;
    }
  return true;
}

bool can_be_read(std::initializer_list<Asked> all, Streams& streams) {
  const Asked* first = nullptr;
  for (const Asked& one : all) {
    if (!is_standard_input(one.path)) continue;
    if (first != nullptr) {
      streams.err << fmt::format(
          "leto: error: {} and {} both ask for the standard input, which is read once: put one of "
          "them into a file\n",
          first->option, one.option);
      return false;
    }
    first = &one;
  }
  return true;
}

workspace::FileSystem::Content Programs::read(const std::string& path, files::NamedBy who) {
  if (!means_standard_input(path, who)) return RealFileSystem::read(path, who);
  if (!standard_input_) standard_input_ = files::read(in_);
  return *standard_input_;
}

workspace::Identity Programs::identify(const std::string& path, files::NamedBy who) {
  return means_standard_input(path, who) ? workspace::Identity{} : FileSystem::identify(path, who);
}

}  // namespace leto::driver
