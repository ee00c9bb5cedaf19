// The solvers that are installed: which file is run, what is in it, and how one is made for a
// worker.
#pragma once

#include <future>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace leto::engine {

enum class SolverChoice { Z3, Cvc5, Both };

// A solver as it lies on the disk.
struct SolverBinary {
  solver::Command command;
  std::string path;
  // SHA-256; empty if it cannot be read. Solvers are large, so that takes as long as a small proof,
  // and is done beside it.
  std::shared_future<std::string> hash;
};

// Those that were chosen and cannot be started.
[[nodiscard]] std::vector<std::string> missing_solvers(SolverChoice choice);

// Those that were chosen. `kept`: with a name that answers can be kept under, for which each is
// asked for its version.
[[nodiscard]] std::vector<SolverBinary> find_solvers(SolverChoice choice,
                                                     const solver::Limits& limits, bool kept,
                                                     const Allowance& allowance);

// Makes the solver of a worker; of two, each checks what the other says. The allowance must live as
// long as what is made.
[[nodiscard]] SolverMaker maker_of(const std::vector<SolverBinary>& solvers,
                                   const solver::Limits& limits, const Allowance& allowance);

// As many workers as were asked for; 0: one per core.
[[nodiscard]] unsigned workers_of(unsigned jobs);

}  // namespace leto::engine
