#include "driver/engine.h"

#include <fmt/core.h>

#include <ostream>
#include <random>

#include "driver/interrupt.h"
#include "files/files.h"
#include "prove/digest.h"

namespace leto::driver {

namespace {

solver::Limits limits_of(const VerifyOptions& options, const Watchdog& watchdog) {
  solver::Limits limits;
  limits.seconds = watchdog.at_most(options.question_seconds);
  limits.resource = options.resource;
  limits.memory_mb = options.memory_mb;
  limits.seed = options.seed;
  return limits;
}

// Which file is run, and what is in it.
SolverBinary binary_of(solver::Command command) {
  SolverBinary binary{std::move(command), "", ""};
  binary.path = files::real_path(solver::find_program(binary.command.arguments[0]));
  binary.hash = prove::digest_of_file(binary.path);
  return binary;
}

// Answers must not outlive the solver that gave them. One that cannot be read has no name that
// anything could be kept under.
std::string kept_under(const SolverBinary& binary, const Allowance& allowance) {
  const std::string hash =
      binary.hash.empty() ? fmt::format("at random {}", std::random_device{}()) : binary.hash;
  return fmt::format("{} {} sha256={}", solver::version_of(binary.command, allowance), binary.path,
                     hash);
}

// The solvers that were asked for. Versions are asked for once, if at all.
std::vector<SolverBinary> solvers_of(const VerifyOptions& options, const Watchdog& watchdog) {
  std::vector<SolverBinary> all;
  if (options.solver != SolverChoice::Cvc5) all.push_back(binary_of(solver::z3_command()));
  if (options.solver != SolverChoice::Z3)
    all.push_back(binary_of(solver::cvc5_command(limits_of(options, watchdog))));
  if (!options.no_cache)  // else nobody asks for the version
    for (SolverBinary& binary : all)
      binary.command.version = kept_under(binary, watchdog.allowance());
  return all;
}

// The solver of a worker.
prove::SolverMaker solver_maker(const VerifyOptions& options,
                                const std::vector<SolverBinary>& solvers,
                                const Watchdog& watchdog) {
  const solver::Limits limits = limits_of(options, watchdog);
  std::vector<solver::Command> commands;
  for (const SolverBinary& binary : solvers) commands.push_back(binary.command);
  const Allowance& allowance = watchdog.allowance();
  return [=, &allowance]() -> std::unique_ptr<solver::Solver> {
    auto first = solver::make_process_solver(commands[0], limits, allowance);
    if (commands.size() == 1) return first;
    return solver::make_cross_check(std::move(first),
                                    solver::make_process_solver(commands[1], limits, allowance));
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
  std::string problem = "there is no place for it; set HOME, XDG_CACHE_HOME or LETO_CACHE";
  std::unique_ptr<prove::FileCache> cache;
  if (!directory.empty()) cache = prove::open_cache(directory, prove::default_key_file(), problem);
  if (!cache) streams.err << fmt::format("leto: warning: the cache is not used: {}\n", problem);
  return cache;
}

}  // namespace

// In braces: from left to right.
Proving::Proving(const VerifyOptions& options, const Watchdog& watchdog_, Streams& streams)
    : watchdog{watchdog_},
      missing{missing_of(options)},
      solvers{solvers_of(options, watchdog)},
      crew{workers_of(options.jobs), solver_maker(options, solvers, watchdog)},
      cache(cache_of(options, streams)),
      dump(options.dump.empty() ? nullptr : std::make_unique<prove::Dump>(options.dump)) {}

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

void Proving::tell_of_ends(Streams& streams) const {
  if (const std::string why = watchdog.why(); !why.empty())
    streams.err << fmt::format("leto: {}\n", why);
  if (const std::string problem = cache ? cache->problem() : ""; !problem.empty())
    streams.err << fmt::format("leto: warning: the cache is not used any more: {}: {}\n",
                               cache->directory(), problem);
}

bool Proving::dump_failed(Streams& streams) const {
  if (!dump || dump->problem().empty()) return false;
  streams.err << fmt::format("leto: error: cannot write {}\n", dump->problem());
  return true;
}

Footing footing_of(const check::Checked& checked, const Workspace& workspace,
                   const Proving& proving) {
  Footing footing;
  if (checked.model.valid()) {
    const check::Model& model = checked.models[checked.model];
    const SourceFile& file = workspace.sources()[model.syntax->name.span.file];
    footing.model = {std::string(workspace.names().text(model.name)), file.path(),
                     prove::digest(std::string(file.text()))};
  }
  for (const syntax::Tree* tree : checked.trees) {
    const SourceFile& file = workspace.sources()[tree->file];
    if (!footing.model || file.path() != footing.model->path)
      footing.others.push_back({"", file.path(), prove::digest(std::string(file.text()))});
  }
  for (const SolverBinary& solver : proving.solvers)
    footing.solvers.push_back({solver.command.arguments[0], solver.path, solver.hash});
  if (proving.cache) footing.cache = proving.cache->directory();
  return footing;
}

VerifySettings settings_of(const VerifyOptions& options, const Proving& proving) {
  VerifySettings settings;
  settings.infer = !options.no_infer;
  settings.trust_original = options.trust_original;
  settings.dump = proving.dump.get();
  settings.steps = options.steps;
  settings.allowance = &proving.allowance();
  return settings;
}

}  // namespace leto::driver
