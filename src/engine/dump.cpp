#include "engine/dump.h"

#include <fmt/core.h>

#include "files/files.h"

namespace leto::engine {

Dump::Dump(std::string directory) : directory_(std::move(directory)) {
  if (const files::Problem why = files::make_directory(directory_); !why.empty())
    problem_ = fmt::format("{}: {}", directory_, why);
}

void Dump::write(const std::string& name, const std::string& question) {
  const std::lock_guard lock(mutex_);
  if (!problem_.empty()) return;
  std::string path = fmt::format("{}/{}.smt2", directory_, name);
  for (int n = 2; files::exists(path); ++n)
    path = fmt::format("{}/{}-{}.smt2", directory_, name, n);
  if (const files::Problem why = files::write(path, question); !why.empty())
    problem_ = fmt::format("{}: {}", path, why);
}

std::string Dump::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

}  // namespace leto::engine
