// Proofs as a command makes them: with its options, its clock, and what it says of trouble.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/commands.h"
#include "driver/interrupt.h"
#include "report/claims.h"
#include "workbench/proving.h"
#include "workbench/verifying.h"

namespace leto::driver {

// What the commands have in common that prove something of programs.
struct ProvingOptions : workbench::ProofOptions {
  std::vector<std::string> files;
  std::vector<std::string> models;
  workspace::Places places;
  bool verbose = false;
  Format format = Format::Text;
  Colour colour = Colour::Auto;
};
// Programs, one model, places.
void add_programs(CLI::App& command, ProvingOptions& options);
void add_no_infer(CLI::App& command, ProvingOptions& options);
// Solvers, limits, the cache.
void add_engine(CLI::App& command, ProvingOptions& options, CommandLimits& limits);
void add_no_cache(CLI::App& command, ProvingOptions& options);

struct Proving : workbench::Proving {
  Proving(const ProvingOptions& options, const Watchdog& watchdog, Streams& streams);

  // True, and said once, with what to do, if a solver that was asked for cannot be started.
  [[nodiscard]] bool no_solver(Streams& streams) const;
  // Says so if the command or the cache was given up half-way.
  void tell_of_ends(Streams& streams) const;
  // True, and said, if questions were to be written down and could not be.
  [[nodiscard]] bool dump_failed(Streams& streams) const;

  const Watchdog& watchdog;  // of the command
};

// False, and said, if several models are named for a command that takes one.
[[nodiscard]] bool has_one_model(const ProvingOptions& options, Streams& streams);

// One program under the one model, with what was loaded for it; nothing, with diagnostics, if one
// of them is not right.
[[nodiscard]] std::optional<workbench::Verified> verify_program(
    const std::string& path, const ProvingOptions& options, Proving& proving,
    workspace::Workspace& workspace, workspace::Program& program, DiagnosticList& diagnostics);
[[nodiscard]] ExitCode exit_code_of(const workbench::Verified& v);

// Says so if a program claims nothing: then nothing was proved, although nothing failed.
void warn_if_nothing_claimed(const workbench::Verified& v, Streams& streams);

// How claims are shown.
[[nodiscard]] report::ClaimStyle style_of(const ProvingOptions& options, const Streams& streams);
// Of a command that verified all these, when all is shown.
[[nodiscard]] ExitCode conclude(const std::vector<workbench::Verified>& all, const Proving& proving,
                                Streams& streams);

}  // namespace leto::driver
