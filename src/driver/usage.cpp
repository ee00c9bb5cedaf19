#include "driver/usage.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/base.h"

namespace leto::driver {

std::string did_you_mean(const NearestName& nearest) {
  return nearest.best().empty() ? "" : fmt::format("; did you mean '{}'?", nearest.best());
}

namespace {

// The command that is called, as far as it is known, and how it is called.
struct Called {
  const CLI::App* app;
  std::string name;
  std::size_t next;  // the first argument behind it
};

Called called_by(const CLI::App& app, const std::vector<std::string>& arguments) {
  Called called{&app, "leto", 0};
  while (called.next < arguments.size()) {
    const std::vector<const CLI::App*> all = called.app->get_subcommands({});
    const auto inner = std::find_if(all.begin(), all.end(), [&](const CLI::App* one) {
      return one->get_name() == arguments[called.next];
    });
    if (inner == all.end()) break;
    called = {*inner, called.name + " " + (*inner)->get_name(), called.next + 1};
  }
  return called;
}

std::string unknown_command(const Called& called, const std::string& given) {
  NearestName nearest(given);
  for (const CLI::App* one : called.app->get_subcommands({})) nearest.offer(one->get_name());
  return fmt::format("there is no command '{}'{}", given, did_you_mean(nearest));
}

// What another command has to be asked for, and this one does anyway.
std::string done_anyway(const Called& called, const std::string& given) {
  const bool inputs = called.name == "leto inject" && given == "--random-input";
  return inputs ? ": without '--input', every run has random inputs of its own" : "";
}

// The first option that the command does not have; empty if it has all.
std::string unknown_option(const Called& called, const std::vector<std::string>& arguments) {
  for (std::size_t i = called.next; i < arguments.size(); ++i) {
    const std::string given = arguments[i].substr(0, arguments[i].find('='));
    if (given == "--") break;
    if (!given.starts_with("--") || called.app->get_option_no_throw(given) != nullptr) continue;
    if (const std::string why = done_anyway(called, given); !why.empty())
      return fmt::format("'{}' has no option '{}'{}", called.name, given, why);
    NearestName nearest(given);
    for (const CLI::Option* option : called.app->get_options({}))
      for (const std::string& name : option->get_lnames()) nearest.offer("--" + name);
    return fmt::format("'{}' has no option '{}'{}", called.name, given, did_you_mean(nearest));
  }
  return "";
}

}  // namespace

std::string describe_misuse(const CLI::App& app, const std::vector<std::string>& arguments,
                            const CLI::ParseError& error) {
  const Called called = called_by(app, arguments);
  const bool wants_command = !called.app->get_subcommands({}).empty();
  std::string what = unknown_option(called, arguments);
  if (what.empty() && wants_command && called.next == arguments.size())
    what = fmt::format("'{}' needs a command", called.name);
  else if (what.empty() && wants_command && !arguments[called.next].starts_with("-"))
    what = unknown_command(called, arguments[called.next]);
  if (what.empty()) what = error.what();
  return fmt::format("leto: error: {}\n  '{} --help' shows what there is\n", what, called.name);
}

}  // namespace leto::driver
