// Programs in the house style, and files that are replaced by them.
#pragma once

#include <map>
#include <string>

#include "base/base.h"

namespace leto::driver {

struct Formatted {
  bool parsed = false;
  std::string text;
};

// Formats, and does not believe itself: what it made must parse to the same tree.
[[nodiscard]] Formatted format_text(const std::string& name, const std::string& text,
                                    SourceStore& sources, DiagnosticList& diagnostics);

// The program with lines written in before places in it, formatted.
[[nodiscard]] std::string with_lines(const std::string& name, std::string text,
                                     const std::map<std::uint32_t, std::string>& lines,
                                     DiagnosticList& diagnostics);

// Whole or not at all: a crash half-way must not cost anybody a source file.
[[nodiscard]] bool replace_file(const std::string& path, const std::string& text);

}  // namespace leto::driver
