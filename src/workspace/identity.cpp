// Which text a path means.
#include <filesystem>

#include "workspace/workspace.h"

namespace leto::workspace {

namespace fs = std::filesystem;

Identity FileSystem::identify(const std::string& path, files::NamedBy) {
  if (std::string real = real_path(path); !real.empty()) return {std::move(real)};
  std::error_code error;
  fs::path folder = fs::absolute(path.empty() ? "." : path, error), below;
  while (folder.has_relative_path()) {
    if (folder.has_filename() && folder.filename() != ".")
      below = below.empty() ? folder.filename() : folder.filename() / below;
    folder = folder.parent_path();
    if (const std::string real = real_path(folder.string()); !real.empty())
      return {(fs::path(real) / below).string()};
  }
  return {(folder / below).string()};
}

std::string FileSystem::shorten(const std::string& path) {
  fs::path plain;  // "." is where one is, whatever is a link
  for (const fs::path& part : fs::path(path))
    if (part != ".") plain /= part;
  if (plain.empty()) return path;
  const std::string shorter = plain.lexically_normal().string(), real = real_path(path);
  return !real.empty() && real_path(shorter) == real ? shorter : plain.string();
}

}  // namespace leto::workspace
