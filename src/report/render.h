// Diagnostics for people (text) and for machines (JSON, SARIF 2.1.0).
#pragma once

#include <string>

#include "base/base.h"

namespace leto::report {

struct TextStyle {
  bool colour = false;
  std::size_t max_errors = 100;
};

[[nodiscard]] std::string render_text(const DiagnosticList& diagnostics, const SourceStore& sources,
                                      const TextStyle& style);
[[nodiscard]] std::string render_json(const DiagnosticList& diagnostics,
                                      const SourceStore& sources);
[[nodiscard]] std::string render_sarif(const DiagnosticList& diagnostics,
                                       const SourceStore& sources);

}  // namespace leto::report
