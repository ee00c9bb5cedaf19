// JSON that the user names: inputs and fault scripts.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace leto::driver {

// Nothing, and why, if it is no JSON, or nested more deeply than inputs are.
[[nodiscard]] std::optional<nlohmann::json> parse_json(std::string_view text, std::string& problem);
// A file, or JSON itself if it starts with a brace.
[[nodiscard]] std::optional<nlohmann::json> read_json(const std::string& given,
                                                      std::string& problem);

}  // namespace leto::driver
