// Programs in the house style, and files that are replaced by them.
#pragma once

#include <map>
#include <string>

#include "base/base.h"

namespace leto::workbench {

struct Formatted {
  bool parsed = false;
  std::string text;
};

// Formats, and does not believe itself: what it made must parse to the same tree. Throws Spent.
[[nodiscard]] Formatted format_text(const std::string& name, const std::string& text,
                                    SourceStore& sources, DiagnosticList& diagnostics,
                                    const Allowance* allowance);

// The program with lines written in before places in it, formatted.
[[nodiscard]] std::string with_lines(const std::string& name, std::string text,
                                     const std::map<std::uint32_t, std::string>& lines,
                                     DiagnosticList& diagnostics);

}  // namespace leto::workbench
