// One function per subcommand, each with the options that it alone knows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/base.h"
#include "driver/driver.h"
#include "driver/interrupt.h"
#include "workbench/proving.h"
#include "workspace/workspace.h"

namespace leto::driver {

enum class Format { Text, Json, Sarif, Junit, Csv };
enum class Colour { Auto, Always, Never };

struct CheckOptions {
  std::vector<std::string> files;
  std::vector<std::string> models;
  workspace::Places places;
  Format format = Format::Text;
  Colour colour = Colour::Auto;
  std::size_t max_errors = 100;
  bool quiet = false;
};
[[nodiscard]] ExitCode command_check(const CheckOptions& options, const Watchdog& watchdog,
                                     Streams& streams);

struct CoreOptions {
  std::string file, model;
  workspace::Places places;
};
[[nodiscard]] ExitCode command_core(const CoreOptions& options, const Watchdog& watchdog,
                                    Streams& streams);

struct VerifyOptions : workbench::ProofOptions {
  std::vector<std::string> files;
  std::vector<std::string> models;
  workspace::Places places;
  bool all_models = false;
  bool show_inferred = false;
  bool no_explain = false;
  bool full = false;
  bool suggest = false;
  bool apply = false;
  bool profile = false;
  bool verbose = false;
  bool quiet = false;
  Format format = Format::Text;
  Colour colour = Colour::Auto;
};
[[nodiscard]] ExitCode command_verify(const VerifyOptions& options, const Watchdog& watchdog,
                                      Streams& streams);

struct InferOptions {
  VerifyOptions verify;
  bool in_place = false;
};
// Prints programs with the invariants that are inferred written in.
[[nodiscard]] ExitCode command_infer(const InferOptions& options, const Watchdog& watchdog,
                                     Streams& streams);
// Counts what a verification takes: lines, annotations, obligations, questions.
[[nodiscard]] ExitCode command_stats(const VerifyOptions& options, const Watchdog& watchdog,
                                     Streams& streams);

struct StabilityOptions {
  VerifyOptions verify;
  unsigned seeds = 10;
};
// Proves everything again with other seeds and names: does any claim hang by a thread?
[[nodiscard]] ExitCode command_stability(const StabilityOptions& options, const Watchdog& watchdog,
                                         Streams& streams);

struct ReliabilityOptions {
  VerifyOptions verify;
  bool no_recovery_rule = false;
  bool explain = false;
  std::string solve;  // a constant
};
// How likely results are right, given rates of faults.
[[nodiscard]] ExitCode command_reliability(const ReliabilityOptions& options,
                                           const Watchdog& watchdog, Streams& streams);

struct RefineOptions {
  std::string model, super;
  VerifyOptions verify;  // solver, limits, cache, format
};
[[nodiscard]] ExitCode command_refine(const RefineOptions& options, const Watchdog& watchdog,
                                      Streams& streams);

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
};

struct RunOptions {
  ExecuteOptions execute;
  bool random_input = false;
  std::string faults;  // a script
  bool no_faults = false;
  bool exhaustive = false;
  bool trace = false;
  std::uint64_t max_runs = 1'000'000;
  std::string save;  // write a script of this run
};
[[nodiscard]] ExitCode command_run(const RunOptions& options, const Watchdog& watchdog,
                                   Streams& streams);

struct InjectOptions {
  ExecuteOptions execute;
  std::uint64_t runs = 10'000;
  unsigned jobs = 0;
  std::optional<std::uint64_t> script;  // print the script of this run
  std::string plot;                     // an SVG file
};
[[nodiscard]] ExitCode command_inject(const InjectOptions& options, const Watchdog& watchdog,
                                      Streams& streams);

struct CacheOptions {
  std::string cache;
  bool clear = false, verify = false;
  std::size_t sample = 100;
};
[[nodiscard]] ExitCode command_cache(const CacheOptions& options, const Watchdog& watchdog,
                                     Streams& streams);

struct FmtOptions {
  std::vector<std::string> files;
  bool check = false;
  Colour colour = Colour::Auto;
};
[[nodiscard]] ExitCode command_fmt(const FmtOptions& options, const Watchdog& watchdog,
                                   Streams& streams);

struct ExplainOptions {
  std::string code;
  bool list = false;
  bool markdown = false;
  Colour colour = Colour::Auto;
};
[[nodiscard]] ExitCode command_explain(const ExplainOptions& options, Streams& streams);

struct ModelsOptions {
  workspace::Places places;
};
[[nodiscard]] ExitCode command_models(const ModelsOptions& options, const Watchdog& watchdog,
                                      Streams& streams);

// Where models are looked for, besides the program's own directory: what was
// given, then $LETO_MODEL_PATH, then what is installed with the tool.
[[nodiscard]] workspace::Places all_places(const workspace::Places& given, const Streams& streams);
[[nodiscard]] bool use_colour(Colour choice, bool is_terminal);
// All of them, each once, as text.
void show_diagnostics(DiagnosticList& diagnostics, const SourceStore& sources, Colour colour,
                      Streams& streams);

}  // namespace leto::driver
