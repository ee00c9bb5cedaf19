#include "driver/engine.h"

#include <fmt/core.h>

#include <ostream>

#include "driver/interrupt.h"

namespace leto::driver {

namespace {

solver::Limits limits_of(const VerifyOptions& options) {
  solver::Limits limits;
  limits.seconds = options.question_seconds;
  if (options.seconds > 0) limits.seconds = std::min(limits.seconds, options.seconds);
  limits.resource = options.resource;
  limits.memory_mb = options.memory_mb;
  limits.seed = options.seed;
  return limits;
}

// The solvers that were asked for. Versions are asked for once, if at all.
std::vector<solver::Command> commands_of(const VerifyOptions& options,
                                         const std::atomic<bool>& stop) {
  std::vector<solver::Command> all;
  if (options.solver != SolverChoice::Cvc5) all.push_back(solver::z3_command());
  if (options.solver != SolverChoice::Z3) all.push_back(solver::cvc5_command(limits_of(options)));
  if (!options.no_cache)  // else nobody asks for the version
    for (solver::Command& command : all) command.version = solver::version_of(command, stop);
  return all;
}

// The solver of a worker.
prove::SolverMaker solver_maker(const VerifyOptions& options, const std::atomic<bool>& stop) {
  const solver::Limits limits = limits_of(options);
  const std::vector<solver::Command> commands = commands_of(options, stop);
  return [=, &stop]() -> std::unique_ptr<solver::Solver> {
    auto first = solver::make_process_solver(commands[0], limits, stop);
    if (commands.size() == 1) return first;
    return solver::make_cross_check(std::move(first),
                                    solver::make_process_solver(commands[1], limits, stop));
  };
}

std::vector<std::string> missing_of(const VerifyOptions& options) {
  std::vector<std::string> missing;
  if (options.solver != SolverChoice::Cvc5 && !solver::can_start("z3")) missing.emplace_back("z3");
  if (options.solver != SolverChoice::Z3 && !solver::can_start("cvc5"))
    missing.emplace_back("cvc5");
  return missing;
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
  return workers_of(options.jobs);
}

}  // namespace

// In braces: from left to right.
Proving::Proving(const VerifyOptions& options, Streams& streams)
    : limit{options.seconds},
      missing{missing_of(options)},
      crew{ready_workers(options), solver_maker(options, limit.over())},
      cache(cache_of(options, streams)) {}

bool Proving::no_solver(Streams& streams) const {
  for (const std::string& name : missing)
    streams.err << fmt::format(
        "leto: error: the solver '{0}' is not in the PATH, and nothing is proved without it: "
        "install it (apt-get install {0}), or choose another one with --solver\n",
        name);
  return !missing.empty();
}

bool has_one_model(const VerifyOptions& options, Streams& streams) {
  if (options.models.size() <= 1) return true;
  streams.err << "leto: error: this command takes one model; run it once for each\n";
  return false;
}

VerifySettings settings_of(const VerifyOptions& options, const Proving& proving) {
  VerifySettings settings;
  settings.infer = !options.no_infer;
  settings.trust_original = options.trust_original;
  settings.dump = options.dump;
  settings.steps = options.steps;
  settings.stop = &proving.over();
  return settings;
}

}  // namespace leto::driver
