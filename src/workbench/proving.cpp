#include "workbench/proving.h"

#include "diagnose/break.h"
#include "diagnose/explore.h"
#include "diagnose/falsify.h"

namespace leto::workbench {

namespace {

solver::Limits limits_of(const ProofOptions& options, double seconds) {
  solver::Limits limits;
  limits.seconds = seconds;
  limits.resource = options.resource;
  limits.memory_mb = options.memory_mb;
  limits.seed = options.seed;
  return limits;
}

std::unique_ptr<engine::FileCache> cache_of(const ProofOptions& options, std::string& problem) {
  if (options.no_cache) return nullptr;
  const std::string directory =
      options.cache.empty() ? engine::default_cache_directory() : options.cache;
  if (!directory.empty()) return engine::open_cache(directory, engine::default_key_file(), problem);
  problem = "there is no place for it; set HOME, XDG_CACHE_HOME or LETO_CACHE";
  return nullptr;
}

}  // namespace

// In braces: from left to right.
Proving::Proving(const ProofOptions& options, const Allowance& allowance_, double most_seconds,
                 bool named)
    : allowance{allowance_},
      missing{engine::missing_solvers(options.solver)},
      solvers{engine::find_solvers(options.solver, limits_of(options, most_seconds),
                                   named || !options.no_cache, allowance)},
      crew{engine::workers_of(options.jobs),
           engine::maker_of(solvers, limits_of(options, most_seconds), allowance)},
      cache(cache_of(options, cache_problem)),
      dump(options.dump.empty() ? nullptr : std::make_unique<engine::Dump>(options.dump)) {}

prove::VerifySettings Proving::settings(const ProofOptions& options) const {
  prove::VerifySettings settings;
  settings.infer = !options.no_infer;
  settings.trust_original = options.trust_original;
  settings.unroll = options.unroll;
  settings.dump = dump.get();
  settings.steps = options.steps;
  settings.allowance = &allowance;
  settings.make_falsifier = [this](const core::Program& program) {
    return diagnose::make_falsifier(program, &allowance);
  };
  settings.make_breaker = [this](const core::Program& program) {
    return diagnose::make_breaker(program, &allowance);
  };
  settings.make_explorer = [this](const core::Program& program) {
    return diagnose::make_explorer(program, &allowance);
  };
  return settings;
}

diagnose::Settings Proving::explaining(const ProofOptions& options,
                                       const prove::VerifySettings& verified, bool full) const {
  return {full, options.resource, options.question_seconds, verified, &allowance};
}

}  // namespace leto::workbench
