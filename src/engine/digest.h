// SHA-256, in hexadecimal; and with a key (HMAC), which only who has the key can make.
#pragma once

#include <string>

namespace leto::engine {

[[nodiscard]] std::string digest(const std::string& text);
// Of a file, which is not kept in memory; empty if it cannot be read.
[[nodiscard]] std::string digest_of_file(const std::string& path);
[[nodiscard]] std::string sealed_digest(const std::string& key, const std::string& text);

}  // namespace leto::engine
