// An explanation as text: what happened, and what to do next. At most a screen, unless all of it
// is wanted.
#pragma once

#include <string>

#include "base/base.h"
#include "driver/explanation.h"

namespace leto::driver {

struct ExplanationStyle {
  bool full = false;
  bool colour = false;
};
[[nodiscard]] std::string render(const Verification& v, const Claim& claim,
                                 const SourceStore& sources, const ExplanationStyle& style);

// What to do next, in one sentence or two.
[[nodiscard]] std::string advice(const Verification& v, const Claim& claim,
                                 const SourceStore& sources);

}  // namespace leto::driver
