// SHA-256, in hexadecimal.
#pragma once

#include <string>

namespace leto::prove {

[[nodiscard]] std::string digest(const std::string& text);

}  // namespace leto::prove
