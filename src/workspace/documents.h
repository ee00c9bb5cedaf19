// Documents that are open in an editor, or exist nowhere else, in front of the files on the disk.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "workspace/workspace.h"

namespace leto::workspace {

// Reads what is open from memory, and the rest from the files behind it. A text stands before its
// file by whatever name somebody asks for that: relative, absolute, over a link.
class Documents final : public FileSystem {
 public:
  explicit Documents(FileSystem& behind) : behind_(behind) {}

  // Opens it, or changes what it says. If one file is open under several names, the last change of
  // them counts.
  void put(const std::string& path, std::string text);
  // From now on it is what the disk says.
  void close(const std::string& path);
  // Null if it is not open.
  [[nodiscard]] const std::string* find(const std::string& path) const;

  [[nodiscard]] Content read(const std::string& path, files::NamedBy who) override;
  [[nodiscard]] bool exists(const std::string& path) override;
  [[nodiscard]] std::string real_path(const std::string& path) override;
  [[nodiscard]] Identity identify(const std::string& path, files::NamedBy who) override;
  [[nodiscard]] bool lies_in(const std::string& path, const std::string& directory) override;
  [[nodiscard]] std::optional<std::vector<std::string>> list(const std::string& directory) override;

 private:
  struct Document {
    std::string text;
    std::uint64_t change = 0;  // the largest is the last
  };
  // A document is a file for who opens it, never the standard input.
  [[nodiscard]] Identity identity_of(const std::string& path) const;

  FileSystem& behind_;
  std::map<std::string, Document> open_;  // by absolute name
  std::uint64_t changes_ = 0;
};

}  // namespace leto::workspace
