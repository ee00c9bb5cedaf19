// JSON as the user writes it: numbers stay exact, no name comes twice.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace leto::script {

// Nothing, and why, if it is no JSON, or nested more deeply than inputs are.
[[nodiscard]] std::optional<nlohmann::json> parse_json(std::string_view text, std::string& problem);
// On one line. Bytes that are no UTF-8, which a name of a file may have, become U+FFFD.
[[nodiscard]] std::string to_line(const nlohmann::json& value);

}  // namespace leto::script
