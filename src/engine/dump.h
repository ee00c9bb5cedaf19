// Questions that are written down for people who want to ask them themselves, one file each.
#pragma once

#include <mutex>
#include <string>

namespace leto::engine {

class Dump {
 public:
  // Makes the directory; `problem` says if that cannot be done.
  explicit Dump(std::string directory);

  // Under that name, or with a number behind it if there is such a file.
  void write(const std::string& name, const std::string& question);
  // What could not be written first, and why; empty: nothing.
  [[nodiscard]] std::string problem() const;

 private:
  const std::string directory_;
  mutable std::mutex mutex_;
  std::string problem_;
};

}  // namespace leto::engine
