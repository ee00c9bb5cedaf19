#include <fmt/core.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "driver/commands.h"
#include "driver/programs.h"
#include "driver/progress_line.h"
#include "driver/proving.h"
#include "problem/derive.h"
#include "report/escape.h"
#include "report/machine_text.h"
#include "report/render.h"
#include "workbench/clauses.h"
#include "workbench/obligations.h"
#include "workspace/workspace.h"

namespace leto::driver {

using nlohmann::json;
using workbench::CheckerResult;
using workbench::FoundPair;
using workbench::ObligationLine;
using workbench::PairKind;
using workbench::Standing;

namespace {

struct CheckerOptions : ProvingOptions {
  std::string checker;  // empty: all
  std::string derive;   // a problem, to write a first checker for; empty: none
  bool sound_only = false;
  bool no_explain = false;
  bool full = false;
  std::int64_t bounded = 0;  // 0: all is proved
};

report::ClaimStyle style_of_all(const CheckerOptions& options, const Streams& streams,
                                bool one_run) {
  report::ClaimStyle style = style_of(options, streams);
  style.full = options.full;
  style.one_run = one_run;
  return style;
}

std::string text_of(const CheckerResult& result, const std::string& file) {
  std::string out = fmt::format("{}: checker {} for {}\n", report::name_on_line(file),
                                result.checker, result.problem);
  std::size_t width = 10;
  for (const ObligationLine& line : result.lines) width = std::max(width, line.what.size() + 2);
  for (const ObligationLine& line : result.lines) {
    out += fmt::format("  {:<{}}{}", line.what, width, line.stands());
    if (!line.detail.empty()) out += fmt::format(": {}", line.detail);
    if (line.detail.empty() && line.claims > 0)
      out += fmt::format(", {} claim{}", line.claims, line.claims == 1 ? "" : "s");
    out += "\n";
  }
  if (!result.trusted.empty())
    out += fmt::format("  rests on what is declared of external functions: {}\n",
                       fmt::join(result.trusted, ", "));
  return out + result.summary() + "\n";
}

std::string text_of(const std::vector<FoundPair::Named>& values) {
  std::string out;
  for (const FoundPair::Named& one : values)
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", one.name, one.value);
  return out.empty() ? "none" : out;
}

std::string verdict_of(const FoundPair& pair) {
  switch (pair.kind) {
    case PairKind::AcceptedWrong:
      return "accepted, and wrong by " + pair.by;
    case PairKind::RejectedRight:
      return "rejected, and right";
    case PairKind::Fails:
      return fmt::format("the checker fails: it is false that {}", pair.why);
    case PairKind::Endless:
      return "the checker does not end: it comes here with the same values again";
    case PairKind::TooLong:
      return fmt::format("the checker goes through its loops {}", pair.why);
  }
  return {};
}

std::string text_of(const FoundPair& pair, const SourceStore& sources) {
  const SourceFile& file = sources[pair.at.file];
  std::string out = fmt::format("\n  PAIR  {}:{}: {}\n", report::name_on_line(file.path()),
                                file.position(pair.at.begin).line, verdict_of(pair));
  const auto add = [&](std::string_view what, const std::string& value) {
    out += fmt::format("    {:<9}{}\n", what, value);
  };
  add("inputs", text_of(pair.inputs));
  add("outputs", text_of(pair.outputs));
  if (!pair.witness.empty()) add("witness", text_of(pair.witness));
  if (!pair.challengers.empty()) add("against", text_of(pair.challengers));
  if (pair.kind == PairKind::AcceptedWrong) add("false", workbench::written(sources, pair.at));
  return out + "             The interpreter has executed it.\n";
}

json machine_of(const FoundPair& pair) {
  const auto values = [](const std::vector<FoundPair::Named>& list) {
    json out = json::object();
    for (const FoundPair::Named& one : list) out[one.name] = one.value;
    return out;
  };
  return {{"verdict", verdict_of(pair)},
          {"inputs", values(pair.inputs)},
          {"outputs", values(pair.outputs)},
          {"witness", values(pair.witness)},
          {"against", values(pair.challengers)}};
}

json machine_of(const CheckerResult& result, const std::string& file) {
  json pairs = json::array();
  for (const FoundPair& pair : result.pairs) pairs.push_back(machine_of(pair));
  json lines = json::array();
  for (const ObligationLine& line : result.lines)
    lines.push_back({{"what", line.what},
                     {"standing", describe(line.standing)},
                     {"bound", line.bound},
                     {"model", line.model},
                     {"detail", line.detail},
                     {"claims", line.claims}});
  return {{"file", file},
          {"checker", result.checker},
          {"problem", result.problem},
          {"obligations", std::move(lines)},
          {"pairs", std::move(pairs)},
          {"trusted", result.trusted},
          {"summary", result.summary()}};
}

// All checkers of all programs of one command.
class CheckerProver {
 public:
  CheckerProver(const CheckerOptions& options, const Watchdog& watchdog, Streams& streams)
      : options_(options),
        streams_(streams),
        files_(streams.in),
        workspace_(files_, all_places(options.places, streams), &watchdog.allowance()),
        proving_(options, watchdog, streams),
        report_(style_of_all(options, streams, true), workspace_.sources()),
        report_of_faults_(style_of_all(options, streams, false), workspace_.sources()) {}

  ExitCode run() {
    if (!options_.derive.empty()) return derive();
    if (options_.bounded == 0 && proving_.no_solver(streams_)) return ExitCode::Undecided;
    for (const std::string& path : options_.files) try {
        look_at(path);
      } catch (const Spent&) {
        undecided_ = true;
      }
    show_diagnostics(diagnostics_, workspace_.sources(), options_.colour, streams_);
    if (options_.format == Format::Json)
      streams_.out << report::to_text(
          {{"tool", "leto"},
           {"version", LETO_VERSION},
           {"checkers", std::move(list_)},
           {"diagnostics",
            json::parse(report::render_json(diagnostics_, workspace_.sources()))["diagnostics"]}});
    proving_.tell_of_ends(streams_);
    if (diagnostics_.errors() > 0) return ExitCode::BadInput;
    if (found_ == 0) return tell_of_none();
    return refuted_ ? ExitCode::DoesNotHold : undecided_ ? ExitCode::Undecided : ExitCode::Fine;
  }

 private:
  void look_at(const std::string& path) {
    const std::size_t earlier = diagnostics_.errors();
    workspace::Program program = workspace_.load(path, diagnostics_);
    if (program.trees.empty() || diagnostics_.errors() != earlier) return;
    const std::string model = options_.models.empty() ? "" : options_.models[0];
    const workspace::PickedModel picked = workspace_.pick_model(program, model, diagnostics_);
    const check::Checked checked =
        check::check(program.trees, workspace_.options(picked), workspace_.names(), diagnostics_);
    if (diagnostics_.errors() != earlier) return;
    for (const problem::FoundChecker& checker : problem::find_checkers({program.own})) {
      const std::string name(workspace_.names().text(checker.item->name.name));
      known_ += (known_.empty() ? "" : ", ") + name;
      if (!options_.checker.empty() && options_.checker != name) continue;
      if (const auto models = check_under(program, checker))
        look_at(path, checked, checker, *models);
    }
  }
  // The program once more for each model that the checker names; nothing: something is wrong.
  std::optional<std::deque<workbench::UnderModel>> check_under(
      const workspace::Program& program, const problem::FoundChecker& checker) {
    std::deque<workbench::UnderModel> models;
    for (const problem::Under& under : problem::unders_of(*checker.item)) {
      DiagnosticList said;
      models.push_back({std::string(workspace_.names().text(under.model.name)),
                        check::check(program.trees, workspace_.options({under.model.name, false}),
                                     workspace_.names(), said)});
      for (const Diagnostic& one : said.all()) diagnostics_.report(one);
      if (said.errors() > 0) return std::nullopt;
    }
    return models;
  }

  void look_at(const std::string& path, const check::Checked& checked,
               const problem::FoundChecker& checker,
               const std::deque<workbench::UnderModel>& models) {
    ++found_;
    ProgressLine progress(streams_, options_.format == Format::Text && streams_.err_is_terminal);
    prove::Watch watch;
    watch.started = [&](const vcgen::Obligation& o, std::size_t done, std::size_t total) {
      progress.show(
          fmt::format("{}/{}  {}", done, total, core::claimed(core::of_one_run(o.claim))));
    };
    CheckerResult result = workbench::prove_checker(
        checked, workspace_, checker, proving_,
        {options_, !options_.no_explain, options_.full, options_.bounded}, watch, models);
    for (workbench::Verified& under : result.under) under.file = shown(path);
    result.verified.file = shown(path);
    const bool complete = !options_.sound_only;
    refuted_ = refuted_ || result.is_refuted(complete);
    undecided_ = undecided_ || !result.is_proved(complete);
    if (options_.format == Format::Json) {
      list_.push_back(machine_of(result, shown(path)));
      return;
    }
    progress.show("");
    streams_.out << text_of(result, shown(path));
    for (const FoundPair& pair : result.pairs) streams_.out << text_of(pair, workspace_.sources());
    if (options_.bounded == 0)
      streams_.out << report_.explanations(result.verified, result.known_as);
    for (const workbench::Verified& under : result.under)
      streams_.out << report_of_faults_.explanations(under);
  }

  // Writes a first checker, which nobody has proved.
  ExitCode derive() {
    for (const std::string& path : options_.files) {
      workspace::Program program = workspace_.load(path, diagnostics_);
      if (program.trees.empty() || diagnostics_.errors() > 0) break;
      const workspace::PickedModel picked = workspace_.pick_model(program, "", diagnostics_);
      (void)check::check(program.trees, workspace_.options(picked), workspace_.names(),
                         diagnostics_);
      if (diagnostics_.errors() > 0) break;
      const Name name = workspace_.names().intern(options_.derive);
      const problem::Parts parts = problem::find_problem(program.trees, name);
      if (parts.item == nullptr) continue;
      ++found_;
      const problem::Derived derived = problem::derive(program.trees, parts, workspace_.names());
      if (!derived.text.empty()) {
        streams_.out << derived.text;
        continue;
      }
      undecided_ = true;
      streams_.err << fmt::format("leto: error: no rule makes a checker for '{}': {}{}\n",
                                  report::name_on_line(options_.derive), place_of(derived.where),
                                  derived.why);
    }
    show_diagnostics(diagnostics_, workspace_.sources(), options_.colour, streams_);
    if (diagnostics_.errors() > 0) return ExitCode::BadInput;
    if (found_ == 0) {
      streams_.err << fmt::format("leto: error: there is no problem '{}'\n",
                                  report::name_on_line(options_.derive));
      return ExitCode::Usage;
    }
    return undecided_ ? ExitCode::Undecided : ExitCode::Fine;
  }
  [[nodiscard]] std::string place_of(const Span& span) const {
    if (!span.file.valid()) return "";
    const SourceFile& file = workspace_.sources()[span.file];
    return fmt::format("{}:{}: {}: ", report::name_on_line(file.path()),
                       file.position(span.begin).line,
                       workbench::written(workspace_.sources(), span));
  }

  ExitCode tell_of_none() {
    streams_.err << (options_.checker.empty()
                         ? "leto: error: there is no checker to prove; write one as "
                           "'checker NAME for PROBLEM { ... }'\n"
                         : fmt::format("leto: error: there is no checker '{}'; {}\n",
                                       report::name_on_line(options_.checker),
                                       known_.empty() ? "there is none at all"
                                                      : "what there is: " + known_));
    return ExitCode::Usage;
  }

  const CheckerOptions& options_;
  Streams& streams_;
  Programs files_;
  workspace::Workspace workspace_;
  DiagnosticList diagnostics_;
  Proving proving_;
  const report::ClaimReport report_;
  const report::ClaimReport report_of_faults_;  // of what is claimed under models
  json list_ = json::array();
  std::size_t found_ = 0;
  std::string known_;  // checkers, as a list
  bool refuted_ = false, undecided_ = false;
};

ExitCode run_checker(const CheckerOptions& options, const Watchdog& watchdog, Streams& streams) {
  return CheckerProver(options, watchdog, streams).run();
}

}  // namespace

Command add_checker(const Table& table) {
  const auto options = std::make_shared<CheckerOptions>();
  CLI::App& command = *table.app.add_subcommand(
      "checker", "Prove that checkers accept only right results, and all of them");
  command.add_option("FILE", options->files, "Programs; '-' is the standard input")->required();
  command.add_option("--checker", options->checker, "Only this one")->option_text("NAME");
  command
      .add_option("--derive", options->derive,
                  "Prove nothing: write a first checker for this problem, to be proved")
      ->option_text("PROBLEM");
  command.add_flag("--sound-only", options->sound_only,
                   "A checker may reject what is right: completeness does not count");
  command.add_flag("--no-explain", options->no_explain,
                   "Do not look for the reason why a claim is not proved");
  command.add_flag("--full", options->full, "Explain everything, and leave nothing out");
  command
      .add_option(
          "--bounded", options->bounded,
          "Prove nothing: execute it on values of sizes up to N, and look for what is wrong")
      ->option_text("N")
      ->check(CLI::Range(1, 8));
  add_places(command, options->places);
  add_no_infer(command, *options);
  add_engine(command, *options, table.limits);
  add_format(command, options->format, {Format::Text, Format::Json});
  add_colour(command, options->colour);
  command.footer(
      "Examples:\n"
      "  leto checker sorting.leto\n"
      "  leto checker sorting.leto --checker by_bag --sound-only\n"
      "  leto checker sorting.leto --bounded 3\n"
      "  leto checker sorting.leto --derive sorting");
  return watched(command, options, run_checker);
}

}  // namespace leto::driver
