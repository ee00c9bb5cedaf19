// JSON as it is printed. Bytes that are no UTF-8, which a name of a file may have, become U+FFFD.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace leto::driver {

[[nodiscard]] inline std::string to_line(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}
[[nodiscard]] inline std::string to_text(const nlohmann::json& value) {
  return value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace leto::driver
