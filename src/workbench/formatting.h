// Programs in the house style, and files that are replaced by them.
#pragma once

#include <string>
#include <vector>

#include "prove/verification.h"

namespace leto::workbench {

struct Formatted {
  bool parsed = false;
  std::string text;
};

// Formats, and does not believe itself: what it made must parse to the same tree. Throws Spent.
[[nodiscard]] Formatted format_text(const std::string& name, const std::string& text,
                                    SourceStore& sources, DiagnosticList& diagnostics,
                                    const Allowance* allowance);

// A program with invariants written in before the bodies of its loops, as the house style has them
// and with the line ends of the file. All else stays as it is.
[[nodiscard]] std::string with_invariants(
    const SourceFile& file, const std::vector<prove::Verification::Invariant>& invariants);

}  // namespace leto::workbench
