// Options that several commands have, each declared once.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "driver/interrupt.h"
#include "workbench/ranges.h"
#include "workspace/workspace.h"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace leto::driver {

enum class Format { Text, Json, Sarif, Junit, Csv };
enum class Colour { Auto, Always, Never };

inline constexpr std::uint64_t kMostMegabytes = 1u << 30;

// One of a few words, which stand for values of an enumeration.
[[nodiscard]] CLI::Validator one_of(const std::map<std::string, int>& known);
// A number that is not below another one; "-5" for a count is a mistake, not a large number.
[[nodiscard]] CLI::Validator at_least(double least);
[[nodiscard]] CLI::Validator within(const workbench::Range& range);

// Not '-', for what is neither read from the standard input nor written to the standard output.
[[nodiscard]] CLI::Validator no_stream(const std::string& why);
// What `--model` and the like take.
[[nodiscard]] CLI::Validator names_a_model();

// "text, json or sarif"
void add_format(CLI::App& command, Format& format, std::initializer_list<Format> offered);
void add_colour(CLI::App& command, Colour& colour);
void add_places(CLI::App& command, workspace::Places& places);
void add_limits(CLI::App& command, CommandLimits& limits);
void add_jobs(CLI::App& command, unsigned& jobs);

}  // namespace leto::driver
