// Proofs as a command makes them: with its options, its clock, and what it says of trouble.
#pragma once

#include "driver/commands.h"
#include "driver/interrupt.h"
#include "workbench/proving.h"

namespace leto::driver {

struct Proving : workbench::Proving {
  Proving(const VerifyOptions& options, const Watchdog& watchdog, Streams& streams);

  // True, and said once, with what to do, if a solver that was asked for cannot be started.
  [[nodiscard]] bool no_solver(Streams& streams) const;
  // Says so if the command or the cache was given up half-way.
  void tell_of_ends(Streams& streams) const;
  // True, and said, if questions were to be written down and could not be.
  [[nodiscard]] bool dump_failed(Streams& streams) const;

  const Watchdog& watchdog;  // of the command
};

// False, and said, if several models are named for a command that takes one.
[[nodiscard]] bool has_one_model(const VerifyOptions& options, Streams& streams);

}  // namespace leto::driver
