// What a run has to do to break a claim.
#pragma once

#include <optional>

#include "explain/explain.h"
#include "vcgen/vcgen.h"

namespace leto::diagnose {

// Of the claim of an obligation; nothing if no run can break it.
[[nodiscard]] std::optional<explain::Target> target_of(const vcgen::Obligation& o);

}  // namespace leto::diagnose
