// A program's text, parsed, checked and lowered, with all that belongs to it.
#pragma once

#include <memory>
#include <string>

#include "interp/interp.h"
#include "workspace/workspace.h"

namespace leto::soundness {

struct Ready {
  workspace::RealFileSystem files;
  workspace::Workspace workspace{files, {}};
  workspace::Program loaded;
  check::Checked checked;
  std::unique_ptr<core::Program> program;

  [[nodiscard]] std::size_t line(const Span& span) const {
    return span.file.valid() ? workspace.sources()[span.file].position(span.begin).line : 0;
  }
};

// Under the model of that name, or the program's default if it is empty. Null if it is not
// well-formed; `problem` then says why.
[[nodiscard]] std::unique_ptr<Ready> prepare(const std::string& text, const std::string& model,
                                             std::string* problem = nullptr);

}  // namespace leto::soundness
