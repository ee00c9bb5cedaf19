#include "driver/engine.h"

#include <fmt/core.h>
#include <signal.h>

#include <ostream>

#include "driver/interrupt.h"

namespace leto::driver {

namespace {

// The solver of a worker, by what was asked for. Versions are asked for once, if at all.
prove::SolverMaker solver_maker(const VerifyOptions& options) {
  solver::Limits limits;
  limits.seconds = options.seconds;
  limits.resource = options.resource;
  limits.memory_mb = options.memory_mb;
  limits.seed = options.seed;
  const bool cached = !options.no_cache;  // else nobody asks for the version
  const auto versioned = [cached](solver::Command command) {
    if (cached) command.version = solver::version_of(command, interrupted());
    return command;
  };
  const bool first = options.solver != SolverChoice::Cvc5;
  const bool second = options.solver != SolverChoice::Z3;
  const solver::Command z3 = first ? versioned(solver::z3_command()) : solver::Command{};
  const solver::Command cvc5 = second ? versioned(solver::cvc5_command(limits)) : solver::Command{};
  return [=]() -> std::unique_ptr<solver::Solver> {
    if (!second) return solver::make_process_solver(z3, limits, interrupted());
    if (!first) return solver::make_process_solver(cvc5, limits, interrupted());
    return solver::make_cross_check(solver::make_process_solver(z3, limits, interrupted()),
                                    solver::make_process_solver(cvc5, limits, interrupted()));
  };
}

// With a warning if there should be one and can be none.
std::unique_ptr<prove::FileCache> cache_of(const VerifyOptions& options, Streams& streams) {
  if (options.no_cache) return nullptr;
  const std::string directory =
      options.cache.empty() ? prove::default_cache_directory() : options.cache;
  std::string problem = "there is no place for it";
  std::unique_ptr<prove::FileCache> cache;
  if (!directory.empty()) cache = prove::open_cache(directory, problem);
  if (!cache) streams.err << fmt::format("leto: warning: the cache is not used: {}\n", problem);
  return cache;
}

// How many workers, once the process is ready for them.
unsigned ready_workers(const VerifyOptions& options) {
  catch_interrupts();
  signal(SIGPIPE, SIG_IGN);  // a solver that is gone is no reason to be
  return workers_of(options.jobs);
}

}  // namespace

// In braces: from left to right.
Proving::Proving(const VerifyOptions& options, Streams& streams)
    : crew{ready_workers(options), solver_maker(options)}, cache(cache_of(options, streams)) {}

}  // namespace leto::driver
