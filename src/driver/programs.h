// The programs that a command reads: files, and the standard input where it is called '-'.
#pragma once

#include <iosfwd>
#include <optional>

#include "workspace/workspace.h"

namespace leto::driver {

class Programs final : public workspace::RealFileSystem {
 public:
  explicit Programs(std::istream& in) : in_(in) {}

  [[nodiscard]] Content read(const std::string& path, files::NamedBy who) override;
  [[nodiscard]] workspace::Identity identify(const std::string& path, files::NamedBy who) override;

 private:
  std::istream& in_;
  std::optional<Content> standard_input_;  // it can be read once only
};

}  // namespace leto::driver
