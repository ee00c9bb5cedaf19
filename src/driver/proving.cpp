#include "driver/proving.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <ostream>

#include "driver/programs.h"
#include "report/escape.h"

namespace leto::driver {

using prove::Status;

void add_programs(CLI::App& command, ProvingOptions& options) {
  command.add_option("FILE", options.files, "Programs; '-' is the standard input")->required();
  command
      .add_option("-m,--model", options.models, "Model to verify under: a name, FILE or FILE:NAME")
      ->option_text("MODEL")
      ->check(names_a_model())
      ->allow_extra_args(false);
  add_places(command, options.places);
}

void add_no_infer(CLI::App& command, ProvingOptions& options) {
  command.add_flag("--no-infer", options.no_infer, "Use no invariants but those that are written");
}

void add_engine(CLI::App& command, ProvingOptions& options, CommandLimits& limits) {
  command.add_option("--solver", options.solver, "z3, cvc5 or both")
      ->transform(one_of({{"z3", static_cast<int>(engine::SolverChoice::Z3)},
                          {"cvc5", static_cast<int>(engine::SolverChoice::Cvc5)},
                          {"both", static_cast<int>(engine::SolverChoice::Both)}}))
      ->option_text("SOLVER");
  add_jobs(command, options.jobs);
  add_limits(command, limits);
  command
      .add_option("--question-time", options.question_seconds,
                  "Seconds for one question to a solver (default: 20)")
      ->option_text("S")
      ->check(within(workbench::kQuestionSeconds));
  command
      .add_option("--steps", options.steps, "Statements to look at in one function, on all ways")
      ->option_text("N")
      ->check(at_least(1));
  command.add_option("--resource", options.resource, "Z3's resource limit for one question")
      ->option_text("N")
      ->check(at_least(1));
  command.add_option("--memory", options.memory_mb, "Megabytes for one solver")
      ->option_text("MB")
      ->check(CLI::Range(std::uint64_t{1}, kMostMegabytes));
  command.add_option("--seed", options.seed, "Random seed of the solver")
      ->option_text("N")
      ->check(at_least(0));
  command.add_option("--cache", options.cache, "Directory of the cache of answers")
      ->option_text("DIR");
  add_no_cache(command, options);
}

void add_no_cache(CLI::App& command, ProvingOptions& options) {
  command.add_flag("--no-cache", options.no_cache, "Ask everything again and keep nothing");
}

Proving::Proving(const ProvingOptions& options, const Watchdog& watchdog_, Streams& streams)
    : workbench::Proving(options, watchdog_.allowance(),
                         watchdog_.at_most(options.question_seconds)),
      watchdog(watchdog_) {
  if (!cache_problem.empty())
    streams.err << fmt::format("leto: warning: the cache is not used: {}\n", cache_problem);
}

bool Proving::no_solver(Streams& streams) const {
  for (const std::string& name : missing)
    streams.err << fmt::format(
        "leto: error: the solver '{0}' is not in the PATH, and nothing is proved without it: "
        "install it (apt-get install {0}), or choose another one with --solver\n",
        name);
  return !missing.empty();
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

bool has_one_model(const ProvingOptions& options, Streams& streams) {
  if (options.models.size() <= 1) return true;
  streams.err << "leto: error: this command takes one model; run it once for each\n";
  return false;
}

std::optional<workbench::Verified> verify_program(const std::string& path,
                                                  const ProvingOptions& options, Proving& proving,
                                                  workspace::Workspace& workspace,
                                                  workspace::Program& program,
                                                  DiagnosticList& diagnostics) {
  const std::string model = options.models.empty() ? "" : options.models[0];
  const auto checked = workspace::load_checked(workspace, path, model, program, diagnostics);
  if (!checked) return std::nullopt;
  workbench::Verified v = workbench::verify(*checked, workspace.names(), proving.settings(options),
                                            proving.crew, proving.cache.get(), {});
  v.file = shown(path);
  return v;
}

ExitCode exit_code_of(const workbench::Verified& v) {
  if (v.count(Status::Refuted) + v.count(Status::Vacuous) > 0) return ExitCode::DoesNotHold;
  return v.count(Status::Unknown) > 0 ? ExitCode::Undecided : ExitCode::Fine;
}

void warn_if_nothing_claimed(const workbench::Verified& v, Streams& streams) {
  if (v.claims.empty())
    streams.err << fmt::format(
        "leto: warning: {}: nothing is claimed here, so nothing was proved\n",
        report::name_on_line(v.file));
}

report::ClaimStyle style_of(const ProvingOptions& options, const Streams& streams) {
  report::ClaimStyle style;
  style.colour = use_colour(options.colour, streams.out_is_terminal);
  style.proved_too = options.verbose || !streams.err_is_terminal;
  return style;
}

ExitCode conclude(const std::vector<workbench::Verified>& all, const Proving& proving,
                  Streams& streams) {
  proving.tell_of_ends(streams);
  bool refuted = false, unknown = proving.allowance.spent();
  for (const workbench::Verified& v : all) {
    for (const prove::Outcome& outcome : v.outcomes)
      if (outcome.reason == solver::Reason::Disagreement) {
        streams.err << "leto: ENGINE ERROR: the solvers contradict one another on an obligation; "
                       "nothing here can be trusted until that is understood\n";
        return ExitCode::Internal;
      }
    refuted = refuted || exit_code_of(v) == ExitCode::DoesNotHold;
    unknown = unknown || v.count(Status::Unknown) > 0;
  }
  return refuted ? ExitCode::DoesNotHold : unknown ? ExitCode::Undecided : ExitCode::Fine;
}

}  // namespace leto::driver
