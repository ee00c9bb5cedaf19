// What proofs need besides the program: solvers, the cache, limits.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "diagnose/diagnose.h"
#include "engine/cache.h"
#include "engine/dump.h"
#include "engine/notes.h"
#include "engine/solvers.h"

namespace leto::workbench {

struct ProofOptions {
  bool no_infer = false;
  bool trust_original = false;
  unsigned unroll = 0;  // other than 0: a bounded proof
  engine::SolverChoice solver = engine::SolverChoice::Z3;
  unsigned jobs = 0;             // 0: as many as there are cores
  double question_seconds = 20;  // for one question to a solver
  std::size_t steps = 200'000;   // statements that are walked for one function
  std::uint64_t resource = 20'000'000;
  std::uint64_t memory_mb = 2048;  // for one solver
  unsigned seed = 0;
  std::string dump;
  std::string cache;  // a directory; empty: the usual one
  bool no_cache = false;
};

struct Proving {
  // No question takes longer than `most_seconds`. `named`: solvers have names that answers can be
  // kept under, even if there is no cache on the disk.
  Proving(const ProofOptions& options, const Allowance& allowance, double most_seconds,
          bool named = false);

  // As it is used for everything but the proofs of programs: nothing is written down.
  [[nodiscard]] prove::Engine quiet_engine() { return {{}, crew, cache.get()}; }
  // For who proves several things in a row: the cache, or what was proved since.
  [[nodiscard]] engine::Cache* memory() {
    return cache ? static_cast<engine::Cache*>(cache.get()) : &notes;
  }
  [[nodiscard]] prove::VerifySettings settings(const ProofOptions& options) const;
  // For saying why what was verified so is not proved.
  [[nodiscard]] diagnose::Settings explaining(const ProofOptions& options,
                                              const prove::VerifySettings& verified,
                                              bool full = false) const;

  const Allowance& allowance;
  std::vector<std::string> missing;  // solvers that were chosen and cannot be started
  std::vector<engine::SolverBinary> solvers;
  engine::Crew crew;
  std::string cache_problem;  // why there is no cache; empty: there is, or is to be none
  std::unique_ptr<engine::FileCache> cache;  // null if there is to be none, or can be none
  engine::Notes notes;
  std::unique_ptr<engine::Dump> dump;  // null if questions are not written down
};

}  // namespace leto::workbench
