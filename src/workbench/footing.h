// What a verdict rests on: which model, which files were read for it, which solver was asked, and
// whether it was asked or a cache.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workbench/proving.h"
#include "workspace/workspace.h"

namespace leto::workbench {

struct Footing {
  // A file as it was when it was read.
  struct File {
    std::string name, path, hash;  // SHA-256; empty if it could not be read
  };
  std::optional<File> model;  // none: exact hardware
  std::vector<File> others;   // the program, what it and the model import, and further models
  std::vector<File> solvers;
  std::string cache;  // its folder; empty: everything was asked
};

[[nodiscard]] Footing footing_of(const check::Checked& checked,
                                 const workspace::Workspace& workspace, const Proving& proving);

}  // namespace leto::workbench
