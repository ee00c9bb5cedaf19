// Where models are looked for, whoever asks: the command line, the language server.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "workspace/workspace.h"

namespace leto::workspace {

// "a:b" is a and b; what is empty is left out.
[[nodiscard]] std::vector<std::string> split_paths(std::string_view paths);

// The folders of the library of models: beside the executable in a build tree, below the prefix
// when installed.
[[nodiscard]] std::vector<std::string> library_of(const std::string& executable_dir);

// Those that are given, those of LETO_MODEL_PATH, the library's.
[[nodiscard]] Places all_places(Places given, const std::vector<std::string>& library);

}  // namespace leto::workspace
