#include <sys/auxv.h>

#include <filesystem>

#include "process/process.h"

namespace leto::process {

namespace {

// Where the executable is. Without /proc, as in a bare root, by the name that it was started by.
std::filesystem::path own_path() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) return self;
  const auto* name = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  const std::filesystem::path real = name == nullptr ? "" : std::filesystem::canonical(name, error);
  return error ? std::filesystem::path() : real;
}

}  // namespace

std::string own_directory() {
  return own_path().parent_path().string();
}

}  // namespace leto::process
