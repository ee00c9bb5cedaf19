// The programs that a command reads: files, and the standard input where it is called '-'.
#pragma once

#include <iosfwd>
#include <optional>

#include "workspace/workspace.h"

namespace leto::driver {

class Programs final : public workspace::FileSystem {
 public:
  explicit Programs(std::istream& in) : in_(in) {}

  [[nodiscard]] Content read(const std::string& path, files::NamedBy who) override;
  [[nodiscard]] bool exists(const std::string& path) override;
  [[nodiscard]] std::string real_path(const std::string& path) override;
  [[nodiscard]] bool lies_in(const std::string& path, const std::string& directory) override;
  [[nodiscard]] std::optional<std::vector<std::string>> list(const std::string& directory) override;

 private:
  std::istream& in_;
  std::optional<Content> standard_input_;  // it can be read once only
  workspace::RealFileSystem disk_;
};

}  // namespace leto::driver
