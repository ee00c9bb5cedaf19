// The front door of `syntax`: text to `Tree` and back.
//
// `parse` always returns a tree. Where the text is wrong it reports to the
// sink, skips to the next place that makes sense and goes on, so one run shows
// several independent mistakes. `format` prints a tree in the one house style;
// parsing what it prints gives an equal tree, and no comment is lost.
#pragma once

#include <string>

#include "syntax/tree.h"

namespace leto::syntax {

// Throws Spent when the allowance is.
[[nodiscard]] Tree parse(const SourceFile& file, FileId id, NameTable& names, DiagnosticSink& sink,
                         const Allowance* allowance = nullptr);

struct FormatOptions {
  unsigned width = 100;                  // lines are broken to stay within it where they can be
  const Allowance* allowance = nullptr;  // throws Spent when it is
};

// `file` is the text that the tree was parsed from: comments and blank lines are taken
// from it. A tree that was built otherwise has none; pass nullptr.
[[nodiscard]] std::string format(const Tree& tree, const NameTable& names, const SourceFile* file,
                                 const FormatOptions& options = {});

// One expression on one line, for messages.
[[nodiscard]] std::string format(const Tree& tree, const NameTable& names, ExprId expr);

}  // namespace leto::syntax
