// The commands: one file for each, with the options that it alone knows. A command is declared
// before anybody knows whether it is the one that is called.
#pragma once

#include <functional>
#include <memory>

#include "base/base.h"
#include "driver/driver.h"
#include "driver/options.h"

namespace leto::driver {

// As it stands in the table of commands. Its options are filled in when a command line is read.
struct Command {
  CLI::App* app = nullptr;
  // One of them: under somebody who ends it when it takes too much, or at once.
  std::function<ExitCode(const Watchdog& watchdog, Streams& streams)> run = {};
  std::function<ExitCode(Streams& streams)> run_at_once = {};
};

// With its options, which live as long as it does.
template <class Options>
[[nodiscard]] Command watched(CLI::App& app, std::shared_ptr<Options> options,
                              ExitCode (*run)(const Options&, const Watchdog&, Streams&)) {
  return {&app,
          [options = std::move(options), run](const Watchdog& watchdog, Streams& streams) {
            return run(*options, watchdog, streams);
          },
          {}};
}

// What all of them are added to.
struct Table {
  CLI::App& app;
  CommandLimits& limits;  // of the one command that is run
};

[[nodiscard]] Command add_cache(const Table& table);
[[nodiscard]] Command add_check(const Table& table);
[[nodiscard]] Command add_checker(const Table& table);
[[nodiscard]] Command add_completions(const Table& table);
[[nodiscard]] Command add_core(const Table& table);
[[nodiscard]] Command add_emit(const Table& table);
[[nodiscard]] Command add_explain(const Table& table);
[[nodiscard]] Command add_fmt(const Table& table);
[[nodiscard]] Command add_infer(const Table& table);
[[nodiscard]] Command add_inject(const Table& table);
[[nodiscard]] Command add_models(const Table& table);
[[nodiscard]] Command add_protocol(const Table& table);
[[nodiscard]] Command add_refine(const Table& table);
[[nodiscard]] Command add_reliability(const Table& table);
[[nodiscard]] Command add_run(const Table& table);
[[nodiscard]] Command add_stability(const Table& table);
[[nodiscard]] Command add_stats(const Table& table);
[[nodiscard]] Command add_verify(const Table& table);

// Where models are looked for, besides the program's own directory: what was
// given, then $LETO_MODEL_PATH, then what is installed with the tool.
[[nodiscard]] workspace::Places all_places(const workspace::Places& given, const Streams& streams);
[[nodiscard]] bool use_colour(Colour choice, bool is_terminal);
// All of them, each once, as text.
void show_diagnostics(DiagnosticList& diagnostics, const SourceStore& sources, Colour colour,
                      Streams& streams);

}  // namespace leto::driver
