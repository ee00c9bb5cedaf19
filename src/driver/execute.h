// What `leto run` and `leto inject` share.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "driver/commands.h"
#include "workbench/executing.h"

namespace leto::driver {

// Says what is wrong and returns nothing. What is run ends with the allowance.
[[nodiscard]] std::unique_ptr<workbench::Executable> prepare(workspace::Workspace& workspace,
                                                             const ExecuteOptions& options,
                                                             const Allowance& allowance,
                                                             Streams& streams);

// A file, or JSON itself if it starts with a brace.
[[nodiscard]] std::optional<nlohmann::json> read_json(const std::string& given,
                                                      std::string& problem);

}  // namespace leto::driver
