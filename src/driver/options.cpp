#include "driver/options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <limits>
#include <sstream>

#include "base/base.h"
#include "driver/usage.h"

namespace leto::driver {

namespace {

std::string_view name_of(Format format) {
  switch (format) {
    case Format::Text:
      return "text";
    case Format::Json:
      return "json";
    case Format::Sarif:
      return "sarif";
    case Format::Junit:
      return "junit";
    case Format::Csv:
      return "csv";
  }
  return "";
}

}  // namespace

CLI::Validator one_of(const std::map<std::string, int>& known) {
  const auto take = [known](std::string& given) -> std::string {
    if (const auto it = known.find(given); it != known.end()) {
      given = std::to_string(it->second);
      return "";
    }
    std::string all;
    NearestName nearest(given);
    for (const auto& [word, value] : known) {
      all += (all.empty() ? "" : ", ") + word;
      nearest.offer(word);
    }
    return fmt::format("'{}' is none of {}{}", given, all, did_you_mean(nearest));
  };
  std::string words;
  for (const auto& [word, value] : known) words += (words.empty() ? "one of " : "|") + word;
  return {take, words};
}

CLI::Validator within(const workbench::Range& range) {
  return CLI::Validator(
      [range](std::string& text) -> std::string {
        double number = 0;
        if (!CLI::detail::lexical_cast(text, number)) return "'" + text + "' is not a number";
        if (range.contains(number)) return {};
        std::ostringstream message;
        if (number > range.most)
          message << "it must be at most " << range.most;
        else
          message << "it must be at least " << range.least;
        return message.str();
      },
      "");
}

CLI::Validator no_stream(const std::string& why) {
  return CLI::Validator(
      [why](std::string& text) -> std::string {
        return text == workspace::kStandardInput ? why + "; a file of that name is './-'" : "";
      },
      "");
}

CLI::Validator names_a_model() {
  return no_stream("a model is not read from the standard input: put it into a file");
}

CLI::Validator at_least(double least) {
  return within({least, std::numeric_limits<double>::infinity()});
}

void add_format(CLI::App& command, Format& format, std::initializer_list<Format> offered) {
  std::map<std::string, int> words;
  std::string help;
  for (const Format one : offered) {
    const bool last = words.size() + 1 == offered.size();
    help += fmt::format("{}{}", words.empty() ? "" : last ? " or " : ", ", name_of(one));
    words.emplace(name_of(one), static_cast<int>(one));
  }
  command.add_option("--format", format, help)->transform(one_of(words))->option_text("FORMAT");
}

void add_colour(CLI::App& command, Colour& colour) {
  command.add_option("--color", colour, "auto (on a terminal), always or never")
      ->transform(one_of({{"auto", static_cast<int>(Colour::Auto)},
                          {"always", static_cast<int>(Colour::Always)},
                          {"never", static_cast<int>(Colour::Never)}}))
      ->option_text("WHEN");
}

void add_places(CLI::App& command, workspace::Places& places) {
  command
      .add_option("--model-path", places.models, "Directory to look for models in; can be repeated")
      ->option_text("DIR")
      ->check(CLI::ExistingDirectory)
      ->allow_extra_args(false);
  command
      .add_option("--allow-import", places.imports,
                  "Directory that programs may import from, beside their own; can be repeated")
      ->option_text("DIR")
      ->check(CLI::ExistingDirectory)
      ->allow_extra_args(false);
}

void add_limits(CLI::App& command, CommandLimits& limits) {
  command
      .add_option("--time", limits.seconds,
                  "Seconds for the whole command (default: 600; 0: no limit)")
      ->option_text("S")
      ->check(within(workbench::kSeconds));
  command
      .add_option("--own-memory", limits.own_memory_mb,
                  "Megabytes for leto itself (default: half of the machine)")
      ->option_text("MB")
      ->check(CLI::Range(std::uint64_t{1}, kMostMegabytes));
}

void add_jobs(CLI::App& command, unsigned& jobs) {
  command.add_option("-j,--jobs", jobs, "Workers (default: one per core)")
      ->option_text("N")
      ->check(within(workbench::kWorkers));
}

}  // namespace leto::driver
