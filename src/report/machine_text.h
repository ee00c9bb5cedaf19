// JSON as it is printed. Bytes that are no UTF-8, which a name of a file may have, become U+FFFD.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "script/parse.h"

namespace leto::report {

using script::to_line;
[[nodiscard]] inline std::string to_text(const nlohmann::json& value) {
  return value.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace leto::report
