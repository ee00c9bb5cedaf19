// The programs that a command reads: files, and the standard input where it is called '-'.
#pragma once

#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "workspace/workspace.h"

namespace leto::driver {

struct Streams;

// What a user says to mean the standard input.
[[nodiscard]] bool is_standard_input(const std::string& path);
// A path that a user gave, as it is shown to people and to machines: as it is in all places in it.
[[nodiscard]] std::string shown(const std::string& path);
// False, and said, if an option is to write into these files and one of them is no file.
[[nodiscard]] bool can_be_written(const std::vector<std::string>& paths, const char* option,
                                  Streams& streams);
// False, and said, if more than one option asks for the standard input: it is read once.
struct Asked {
  const char* option;
  const std::string& path;
};
[[nodiscard]] bool can_be_read(std::initializer_list<Asked> all, Streams& streams);

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
