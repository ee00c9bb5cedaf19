// What a command that verifies needs besides the program: solvers and the cache, by its options.
#pragma once

#include <memory>

#include "driver/commands.h"
#include "driver/footing.h"
#include "driver/interrupt.h"
#include "driver/verification.h"
#include "driver/workspace.h"
#include "prove/cache.h"

namespace leto::driver {

// A solver as it lies on the disk.
struct SolverBinary {
  solver::Command command;
  std::string path, hash;  // SHA-256; empty if it cannot be read
};

struct Proving {
  Proving(const VerifyOptions& options, const Watchdog& watchdog, Streams& streams);

  // True, and said once, with what to do, if a solver that was asked for cannot be started.
  [[nodiscard]] bool no_solver(Streams& streams) const;
  [[nodiscard]] const Allowance& allowance() const { return watchdog.allowance(); }
  // Says so if the command or the cache was given up half-way.
  void tell_of_ends(Streams& streams) const;
  // True, and said, if questions were to be written down and could not be.
  [[nodiscard]] bool dump_failed(Streams& streams) const;

  const Watchdog& watchdog;          // of the command
  std::vector<std::string> missing;  // solvers
  std::vector<SolverBinary> solvers;
  prove::Crew crew;
  std::unique_ptr<prove::FileCache> cache;  // null if there is to be none, or can be none
  std::unique_ptr<prove::Dump> dump;        // null if questions are not written down
};

// False, and said, if several models are named for a command that takes one.
[[nodiscard]] bool has_one_model(const VerifyOptions& options, Streams& streams);

// What the verdicts of this command rest on, besides what the program and the model say.
[[nodiscard]] Footing footing_of(const check::Checked& checked, const Workspace& workspace,
                                 const Proving& proving);

// How a command with these options verifies.
[[nodiscard]] VerifySettings settings_of(const VerifyOptions& options, const Proving& proving);

}  // namespace leto::driver
