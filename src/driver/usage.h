// What is said of a command line that makes no sense: what was meant, most likely.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace leto::driver {

[[nodiscard]] std::string describe_misuse(const CLI::App& app,
                                          const std::vector<std::string>& arguments,
                                          const CLI::ParseError& error);

}  // namespace leto::driver
