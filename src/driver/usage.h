// What is said of a command line that makes no sense: what was meant, most likely.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace leto {
class NearestName;
}  // namespace leto

namespace leto::driver {

// "; did you mean 'check'?"; empty if nothing is near.
[[nodiscard]] std::string did_you_mean(const NearestName& nearest);

[[nodiscard]] std::string describe_misuse(const CLI::App& app,
                                          const std::vector<std::string>& arguments,
                                          const CLI::ParseError& error);

}  // namespace leto::driver
