// What a shell completes, from the same table that commands and options are read by.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}  // namespace CLI

namespace leto::driver {

// A script for `bash`, `zsh` or `fish`; nothing for any other shell.
[[nodiscard]] std::optional<std::string> completion_script(const CLI::App& app,
                                                           std::string_view shell);

}  // namespace leto::driver
