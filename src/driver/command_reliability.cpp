#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "driver/commands.h"
#include "driver/programs.h"
#include "driver/proving.h"
#include "lower/lower.h"
#include "report/escape.h"
#include "report/footing.h"
#include "report/machine_text.h"
#include "report/reliability_report.h"
#include "report/render.h"
#include "report/report.h"
#include "workspace/workspace.h"

namespace leto::driver {

using nlohmann::json;

namespace {

struct ReliabilityOptions : ProvingOptions {
  bool no_recovery_rule = false;
  bool explain = false;
  std::string solve;  // a constant
};

core::VarId find_constant(const core::Program& program, const std::string& name) {
  for (const core::ConstantVar& c : program.constants)
    if (program.vars[c.var].name == name || program.vars[c.var].name == "model." + name)
      return c.var;
  return {};
}

// Why bounds cannot be solved for this constant; empty if they can.
std::string why_not_solve(const core::Program& program, const std::string& name) {
  const core::VarId constant = find_constant(program, name);
  std::string rates;
  for (const core::ConstantVar& c : program.constants)
    if (reliability::is_only_a_rate(program, c.var))
      rates += (rates.empty() ? "" : ", ") + program.vars[c.var].name;
  if (rates.empty()) rates = "none";
  for (const core::Definition& function : program.definitions)
    if (function.rigid && (function.name == name || function.name == "model." + name))
      return fmt::format(
          "'{}' is a function, and bounds are solved for numbers; of rates there is {}", name,
          rates);
  if (!constant.valid())
    return fmt::format("there is no constant '{}'; of rates there is {}", name, rates);
  if (!reliability::is_only_a_rate(program, constant))
    return fmt::format("'{}' is not a rate, or not only one; of rates there is {}", name, rates);
  return "";
}

// The programs of one command, each under each model that was given.
class Bounding {
 public:
  Bounding(const ReliabilityOptions& options, const Watchdog& watchdog, Streams& streams)
      : options_(options),
        streams_(streams),
        files_(streams.in),
        workspace_(files_, all_places(options.places, streams), &watchdog.allowance()),
        proving_(options, watchdog, streams) {}

  ExitCode run() {
    if (proving_.no_solver(streams_)) return ExitCode::Undecided;
    std::vector<std::string> models = options_.models;
    if (models.empty()) models.emplace_back();
    for (const std::string& path : options_.files)
      for (const std::string& model : models) {
        workspace::Program loaded;
        const auto checked = workspace::load_checked(workspace_, path, model, loaded, diagnostics_);
        if (!checked) continue;
        streams_.err << report::warning_if_unmodelled(*checked, workspace_.sources());
        footing_ = workbench::footing_of(*checked, workspace_, proving_);
        const core::Program program = lower::lower(*checked, workspace_.names());
        if (const auto word = core::find_word(program)) {
          diagnostics_.report(
              {DiagnosticKind::WordsNotHere, *word, {"bounds of reliability"}, {}, {}});
          continue;
        }
        if (!examine(path, program)) return ExitCode::Usage;
      }
    return finish();
  }

 private:
  [[nodiscard]] static bool bounds_what_is_right(const core::Program& program) {
    return std::any_of(
        program.functions.begin(), program.functions.end(), [](const core::Function& f) {
          return std::any_of(f.reliability.begin(), f.reliability.end(),
                             [](const core::ReliabilityClause& c) { return c.relaxed.valid(); });
        });
  }
  [[nodiscard]] bool text() const { return options_.format == Format::Text; }

  // False: what was asked for makes no sense for this program.
  bool examine(const std::string& path, const core::Program& program) {
    if (!options_.solve.empty() && bounds_what_is_right(program)) {
      streams_.err << "leto: error: --solve is for bounds on results that are equal, and there is "
                      "one on what a problem calls right\n";
      return false;
    }
    if (!options_.solve.empty())
      if (const std::string why = why_not_solve(program, options_.solve); !why.empty()) {
        streams_.err << fmt::format("leto: error: {}\n", why);
        return false;
      }
    prove::Engine engine = proving_.quiet_engine();
    checks::RecoverySettings settings;
    settings.steps = options_.steps;
    settings.allowance = &proving_.allowance;
    const workbench::Examined examined =
        workbench::examine(program, !options_.no_recovery_rule, settings, engine);
    for (const reliability::Bound& b : examined.bounds) {
      fails_ = fails_ || b.verdict == reliability::Verdict::Fails;
      undecided_ = undecided_ || b.verdict == reliability::Verdict::Undecided;
    }
    settings.in_vain = examined.recoveries.in_vain;
    checks::RateSearch search(program, examined.options, engine, settings);
    show(path, examined, search);
    return true;
  }

  // The largest value of the constant that was asked for, into what is told to a machine.
  void solve(const workbench::Examined& examined, checks::RateSearch& search, json& one) {
    const std::optional<std::string> most = search.largest(
        find_constant(examined.program, options_.solve), [&](const reliability::Options& with) {
          return reliability::all_hold(reliability::decide_all(examined.program, with));
        });
    if (!text())
      one["solved"] = most.value_or("none");
    else if (most)
      streams_.out << fmt::format("  all bounds hold up to {} = {}\n", options_.solve, *most);
    else
      streams_.out << fmt::format("  the bounds are not shown to hold even if {} is 0\n",
                                  options_.solve);
  }

  void show(const std::string& path, const workbench::Examined& examined,
            checks::RateSearch& search) {
    const report::ReliabilityReport report(examined, workspace_.sources(), search,
                                           options_.explain);
    if (text())
      streams_.out << fmt::format("{} under {}\n", report::name_on_line(shown(path)),
                                  examined.program.model.name)
                   << report.text();
    json one = text() ? json() : report.machine();
    if (!options_.solve.empty()) solve(examined, search, one);
    if (text()) streams_.out << report::to_text(footing_, report::Original::SaidElsewhere);
    one["file"] = shown(path);
    one["rests_on"].update(to_json(footing_, report::Original::SaidElsewhere));
    list_.push_back(std::move(one));
  }

  ExitCode finish() {
    diagnostics_.sort_and_unique();
    if (!text())
      streams_.out << report::to_text(
          {{"tool", "leto"},
           {"programs", std::move(list_)},
           {"diagnostics",
            json::parse(report::render_json(diagnostics_, workspace_.sources()))["diagnostics"]}});
    show_diagnostics(diagnostics_, workspace_.sources(), options_.colour, streams_);
    proving_.tell_of_ends(streams_);
    if (diagnostics_.errors() > 0) return ExitCode::BadInput;
    if (fails_) return ExitCode::DoesNotHold;
    return undecided_ ? ExitCode::Undecided : ExitCode::Fine;
  }

  const ReliabilityOptions& options_;
  Streams& streams_;
  Programs files_;
  workspace::Workspace workspace_;
  Proving proving_;
  DiagnosticList diagnostics_;
  workbench::Footing footing_;  // of the program at hand
  json list_ = json::array();
  bool fails_ = false, undecided_ = false;
};

ExitCode run_reliability(const ReliabilityOptions& options, const Watchdog& watchdog,
                         Streams& streams) {
  return Bounding(options, watchdog, streams).run();
}

}  // namespace

Command add_reliability(const Table& table) {
  const auto options = std::make_shared<ReliabilityOptions>();
  CLI::App& command = *table.app.add_subcommand(
      "reliability", "Prove how likely results are right, given rates of faults");
  add_programs(command, *options);
  command.add_flag("--explain", options->explain,
                   "Show what is needed before each statement, and all shares");
  command
      .add_option("--solve", options->solve,
                  "The largest value of this constant for which all bounds hold")
      ->option_text("CONSTANT");
  command.add_flag("--no-recovery-rule", options->no_recovery_rule,
                   "Treat recovery blocks as any other branch, and count no faults");
  add_engine(command, *options, table.limits);
  add_format(command, options->format, {Format::Text, Format::Json});
  add_colour(command, options->colour);
  command.footer(
      "Examples:\n"
      "  leto reliability program.leto --explain\n"
      "  leto reliability program.leto --solve p");
  return watched(command, options, run_reliability);
}

}  // namespace leto::driver
