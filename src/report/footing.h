// What a verdict rests on, as text and as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "workbench/footing.h"

namespace leto::report {

// Whether what the original run does was proved, taken for granted, or neither. `reliability`
// says so for each bound.
enum class Original : std::uint8_t { Proved, Trusted, Open, SaidElsewhere };

// For people, on a line or two.
[[nodiscard]] std::string to_text(const workbench::Footing& footing, Original original);
// For machines.
[[nodiscard]] nlohmann::json to_json(const workbench::Footing& footing, Original original);

}  // namespace leto::report
