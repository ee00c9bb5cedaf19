#include "report/place.h"

#include <fmt/core.h>

#include "report/escape.h"

namespace leto::report {

std::string place(const SourceStore& sources, const Span& span) {
  if (!span.file.valid()) return "?";
  const Position at = sources[span.file].position(span.begin);
  return fmt::format("{}:{}:{}", name_on_line(sources[span.file].path()), at.line, at.column);
}

}  // namespace leto::report
