// Documents that are open in an editor, or exist nowhere else, in front of the files on the disk.
#pragma once

#include <map>
#include <string>

#include "workspace/workspace.h"

namespace leto::workspace {

// Reads what is open from memory, and the rest from the files behind it.
class Documents final : public FileSystem {
 public:
  explicit Documents(FileSystem& behind) : behind_(behind) {}

  // Opens it, or changes what it says.
  void put(const std::string& path, std::string text);
  // From now on it is what the disk says.
  void close(const std::string& path);
  // Null if it is not open.
  [[nodiscard]] const std::string* find(const std::string& path) const;

  [[nodiscard]] Content read(const std::string& path, files::NamedBy who) override;
  [[nodiscard]] bool exists(const std::string& path) override;
  [[nodiscard]] std::string real_path(const std::string& path) override;
  [[nodiscard]] bool lies_in(const std::string& path, const std::string& directory) override;
  [[nodiscard]] std::optional<std::vector<std::string>> list(const std::string& directory) override;

 private:
  FileSystem& behind_;
  std::map<std::string, std::string> open_;  // by normal path
};

}  // namespace leto::workspace
