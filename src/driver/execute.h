// What `leto run` and `leto inject` share.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "driver/commands.h"
#include "driver/programs.h"
#include "workbench/executing.h"

namespace leto::driver {

// A program to execute, and on what.
struct ExecuteOptions {
  std::string file, model, function;
  workspace::Places places;
  std::string input;  // a file; empty: random inputs
  std::uint64_t seed = 1;
  std::uint64_t steps = 1'000'000;
  int max_size = 3, max_number = 4;
  Format format = Format::Text;
  Colour colour = Colour::Auto;
  // Sizes that nobody gave may be larger where the requirements need it.
  [[nodiscard]] interp::InputOptions inputs(int attempts) const {
    const interp::InputOptions usual;
    return {max_size, max_number, attempts,
            max_size == usual.max_size ? usual.largest_size : max_size};
  }
};
void add_execution(CLI::App& command, ExecuteOptions& options, CommandLimits& limits);

// Says what is wrong and returns nothing. What is run ends with the allowance.
[[nodiscard]] std::unique_ptr<workbench::Executable> prepare(workspace::Workspace& workspace,
                                                             const ExecuteOptions& options,
                                                             const Allowance& allowance,
                                                             Streams& streams);

// A file, the standard input, or JSON itself if it starts with a brace.
[[nodiscard]] std::optional<nlohmann::json> read_json(const std::string& given, Programs& files,
                                                      std::string& problem);

}  // namespace leto::driver
