// What the editor has open, in front of the files on the disk. A text that the editor has and the
// server does not know cannot be read, whatever path leads there: nothing is said that rests on it.
#pragma once

#include <set>
#include <string>

#include "workspace/documents.h"

namespace leto::lsp {

class OpenTexts final : public workspace::FileSystem {
 public:
  explicit OpenTexts(workspace::FileSystem& disk) : documents_(disk) {}

  void put(const std::string& path, std::string text) { documents_.put(path, std::move(text)); }
  void close(const std::string& path) { documents_.close(path); }
  // The places of texts that are not known. Whether these are others than before.
  bool set_unknown(std::set<std::string> places);
  [[nodiscard]] const std::set<std::string>& unknown() const { return unknown_; }

  [[nodiscard]] Content read(const std::string& path, files::NamedBy who) override;
  [[nodiscard]] bool exists(const std::string& path) override { return documents_.exists(path); }
  [[nodiscard]] std::string real_path(const std::string& path) override {
    return documents_.real_path(path);
  }
  [[nodiscard]] workspace::Identity identify(const std::string& path, files::NamedBy who) override {
    return documents_.identify(path, who);
  }
  [[nodiscard]] bool lies_in(const std::string& path, const std::string& directory) override {
    return documents_.lies_in(path, directory);
  }
  [[nodiscard]] std::optional<std::vector<std::string>> list(
      const std::string& directory) override {
    return documents_.list(directory);
  }

 private:
  workspace::Documents documents_;
  std::set<std::string> unknown_;
};

// One name for all paths that lead to a file, or would if it were there.
[[nodiscard]] std::string place_of(const std::string& path);

}  // namespace leto::lsp
