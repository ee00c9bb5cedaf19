// Where something is, for people.
#pragma once

#include <string>

#include "base/base.h"

namespace leto::report {

// "file:line:column"
[[nodiscard]] std::string place(const SourceStore& sources, const Span& span);

}  // namespace leto::report
