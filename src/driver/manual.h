// The man page, from the same table that commands and options are read by.
#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
}  // namespace CLI

namespace leto::driver {

// A page in roff in which lines stand for what the table says:
//   @synopsis@          how each command is called
//   @command NAME@      the head of its part
//   @options NAME@      its options, what its help adds, its examples
//   @exit codes@        what they mean
// Nothing, with the problem, if the page leaves out a command or knows one that there is not.
[[nodiscard]] std::optional<std::string> fill_manual(const CLI::App& app, const std::string& page,
                                                     std::string& problem);

}  // namespace leto::driver
