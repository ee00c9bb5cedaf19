// Files as SARIF has them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace leto::report {

// Whether what is shown so was read from a file, and not from the standard input.
[[nodiscard]] bool has_file(const std::string& path);
// An `artifactLocation`. What is in no file has no URI, and is described instead.
[[nodiscard]] nlohmann::json artifact_of(const std::string& path);

}  // namespace leto::report
