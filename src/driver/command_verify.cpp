#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "diagnose/diagnose.h"
#include "driver/commands.h"
#include "driver/programs.h"
#include "driver/progress_line.h"
#include "driver/proving.h"
#include "files/files.h"
#include "lower/lower.h"
#include "report/claims.h"
#include "report/escape.h"
#include "report/machine_text.h"
#include "report/render.h"
#include "report/report.h"
#include "workbench/formatting.h"
#include "workspace/workspace.h"

namespace leto::driver {

using nlohmann::json;
using prove::Status;

namespace {

struct VerifyOptions : ProvingOptions {
  bool all_models = false;
  bool show_inferred = false;
  bool no_explain = false;
  bool full = false;
  bool suggest = false;
  bool apply = false;
  bool profile = false;
  bool quiet = false;
};

// A super-model of the picked model under which this very program has been proved, and from which
// that carries over; invalid if there is none. The refinement is proved anew for every program:
// what a program says of constants counts.
check::ModelId follows(const check::Checked& checked, const std::set<workbench::Subject>& proved,
                       const NameTable& names, Proving& proving) {
  if (!checked.model.valid()) return {};
  for (check::ModelId super : checked.models[checked.model].supers) {
    if (!proved.contains(workbench::subject_of(checked, super))) continue;
    const core::Program program = lower::lower(checked, names);
    if (!prove::carries_over(program) || workbench::may_be_vacuous_below(program, checked, super))
      continue;
    const workbench::Verified r = workbench::verify_refinement(
        checked, names, super, {}, proving.crew, proving.cache.get(), {});
    if (r.status() == Status::Proved) return super;
  }
  return {};
}

// How a model is called in a table: as it was asked for, if that names its file.
std::string in_table(const std::string& wanted, const std::string& name) {
  return wanted.find(".leto") == std::string::npos ? name : wanted;
}

// Programs by models.
void matrix(const std::map<std::string, std::map<std::string, std::string>>& table,
            Streams& streams) {
  std::size_t width = 0;
  for (const auto& [path, row] : table)
    for (const auto& [model, status] : row) width = std::max(width, model.size());
  streams.out << "\n";
  for (const auto& [path, row] : table) {
    streams.out << report::name_on_line(path) << "\n";
    for (const auto& [model, status] : row)
      streams.out << fmt::format("  {:<{}}  {}\n", model, width, status);
  }
}

// Writes the suggested invariants into the file.
[[nodiscard]] bool apply_suggestions(const workbench::Verified& v, const std::string& path,
                                     FileId own, const workspace::Workspace& workspace,
                                     Streams& streams) {
  std::vector<prove::Verification::Invariant> invariants;
  for (const prove::Verification::Invariant& i : diagnose::suggested(v.explanations))
    if (i.body.file == own) invariants.push_back(i);
  if (invariants.empty()) {
    streams.err << fmt::format("leto: nothing to write into {}\n", report::name_on_line(path));
    return true;
  }
  const SourceFile& file = workspace.sources()[own];
  const std::string text = workbench::with_invariants(file, invariants);
  const files::Problem problem = files::replace(path, std::string(file.text()), text);
  if (!problem.empty()) {
    streams.err << fmt::format("leto: error: cannot write '{}': {}\n", report::name_on_line(path),
                               problem);
    return false;
  }
  streams.err << fmt::format("leto: {} {} written into {}; verify it again\n", invariants.size(),
                             invariants.size() == 1 ? "invariant" : "invariants",
                             report::name_on_line(path));
  return true;
}

// What executes a function of the program under the model that it was verified under.
std::string run_command(const std::string& path, const std::string& model,
                        const workspace::Places& places) {
  std::string out = "leto run " + files::shell_word(path);
  if (!model.empty()) out += " --model " + files::shell_word(model);
  for (const std::string& directory : places.models)
    out += " --model-path " + files::shell_word(directory);
  for (const std::string& directory : places.imports)
    out += " --allow-import " + files::shell_word(directory);
  return out;
}

// What stands for a program whose turn did not come: nothing is known of it.
workbench::Verified not_looked_at(const std::string& path, const std::string& model,
                                  const Watchdog& watchdog) {
  workbench::Verified v;
  v.file = shown(path);
  v.model = model.empty() ? "its model" : model;
  v.program = std::make_shared<core::Program>();
  prove::Claim claim{{core::ClaimKind::ProgramExtent, "", {}}};
  claim.situation = fmt::format("{} before", describe(watchdog.allowance().ended_by()));
  v.claims.push_back(std::move(claim));
  return v;
}

report::ClaimStyle style_of_all(const VerifyOptions& options, const Streams& streams) {
  report::ClaimStyle style = style_of(options, streams);
  style.proved_too =
      options.verbose || options.profile || (!options.quiet && !streams.err_is_terminal);
  style.costs = options.profile;
  style.full = options.full;
  style.lists_inferred = options.show_inferred;
  return style;
}

prove::Watch watch_with(ProgressLine& line) {
  prove::Watch watch;
  watch.inferring = [&line](const prove::InferenceRound& round) {
    line.show(fmt::format("{}: inferring invariants, round {}, {} candidates have fallen",
                          round.function, round.round, round.fallen));
  };
  watch.started = [&line](const vcgen::Obligation& o, std::size_t done, std::size_t total) {
    line.show(fmt::format("{}/{}  {}: {}", done, total, o.claim.function, core::claimed(o.claim)));
  };
  return watch;
}

// All programs of one command, each under each model that is asked for.
class Verifier {
 public:
  Verifier(const VerifyOptions& options, const Watchdog& watchdog, Streams& streams)
      : options_(options),
        streams_(streams),
        files_(streams.in),
        workspace_(files_, all_places(options.places, streams), &watchdog.allowance()),
        proving_(options, watchdog, streams),
        report_(style_of_all(options, streams), workspace_.sources()) {}

  ExitCode run() {
    if (proving_.no_solver(streams_)) return ExitCode::Undecided;
    for (const std::string& path : options_.files) try {
        look_at(path);
      } catch (const Spent&) {
        skip(path, "");
      }
    show_all();
    if (proving_.dump_failed(streams_)) unwritten_ = true;
    if (diagnostics_.errors() > 0 || unfit_ || unwritten_) return ExitCode::BadInput;
    return conclude(all_, proving_, streams_);
  }

 private:
  // A program as it is read, under a model of those that are asked for.
  struct Case {
    const std::string& path;
    const std::string& model;  // as it was asked for
    const workspace::Program& program;
    const check::Checked& checked;
  };

  [[nodiscard]] bool text() const { return options_.format == Format::Text; }

  // What the table says of a program under a model, as it was asked for.
  std::string& entry(const std::string& path, const std::string& model) {
    return table_[shown(path)][model.empty() ? "default" : model];
  }

  void skip(const std::string& path, const std::string& model) {
    entry(path, model) = "not looked at";
    all_.push_back(not_looked_at(path, model, proving_.watchdog));
    if (text()) streams_.out << report_.claims(all_.back().file, all_.back());
  }

  std::vector<std::string> wanted_models() {
    std::vector<std::string> wanted = options_.models;
    if (options_.all_models)
      for (const workspace::Workspace::Listed& listed : workspace_.list_models(diagnostics_))
        if (!listed.of_messages) wanted.push_back(listed.name);
    if (wanted.empty()) wanted.emplace_back();
    return wanted;
  }

  void look_at(const std::string& path) {
    const std::size_t earlier = diagnostics_.errors();
    const workspace::Program loaded = workspace_.load(path, diagnostics_);
    if (loaded.trees.empty() || diagnostics_.errors() != earlier) return;
    bool fits = false;
    for (const std::string& model : wanted_models()) fits = look_at(path, loaded, model) || fits;
    if (fits || proving_.allowance.spent()) return;
    unfit_ = true;
    if (options_.all_models)
      streams_.err << fmt::format("leto: error: no model fits {}: nothing was proved\n",
                                  report::name_on_line(shown(path)));
  }

  // False if the model cannot be read, or lacks what the program mentions.
  bool look_at(const std::string& path, workspace::Program program, const std::string& model) {
    if (proving_.allowance.spent()) {
      skip(path, model);
      return true;
    }
    const std::size_t readable = diagnostics_.errors();
    const workspace::PickedModel picked = workspace_.pick_model(program, model, diagnostics_);
    // Among all models there will be some that lack what the program mentions. One that cannot
    // be read is another matter.
    DiagnosticList own;
    DiagnosticList& told = options_.all_models ? own : diagnostics_;
    const std::size_t before = told.errors();
    const check::Checked checked =
        check::check(program.trees, workspace_.options(picked), workspace_.names(), told);
    if (diagnostics_.errors() != readable || told.errors() != before) {
      entry(path, model) = diagnostics_.errors() != readable
                               ? "has errors"
                               : "does not fit: " + own.all()[0].message();
      return false;
    }
    streams_.err << report::warning_if_unmodelled(checked, workspace_.sources());
    const Case one{path, model, program, checked};
    if (!follows_from_another(one)) verify(one);
    return true;
  }

  // What was proved under a super-model holds here, if the refinement does.
  // What is relative says so in its first line, so each model has one of its own then.
  bool follows_from_another(const Case& one) {
    if (options_.trust_original) return false;
    const check::ModelId super = follows(one.checked, proved_, workspace_.names(), proving_);
    if (!super.valid()) return false;
    const auto name = [&](check::ModelId id) {
      return std::string(workspace_.names().text(one.checked.models[id].name));
    };
    const std::string sub = name(one.checked.model), from = name(super);
    proved_.insert(workbench::subject_of(one.checked, one.checked.model));
    table_[shown(one.path)][in_table(one.model, sub)] = "follows from " + from;
    followed_.push_back({{"file", shown(one.path)}, {"model", sub}, {"from", from}});
    if (text())
      streams_.out << fmt::format("{} under {}\n  follows: proved under {}, which {} refines\n",
                                  report::name_on_line(shown(one.path)), sub, from, sub);
    return true;
  }

  void verify(const Case& one) {
    workbench::Verified v = prove_and_explain(one);
    if (v.status() == Status::Proved)
      proved_.insert(workbench::subject_of(one.checked, one.checked.model));
    table_[shown(one.path)][in_table(one.model, v.model)] = describe(v.status());
    if (text()) show(v);
    warn_if_nothing_claimed(v, streams_);
    if (options_.apply &&
        !apply_suggestions(v, one.path, one.program.own->file, workspace_, streams_))
      unwritten_ = true;
    all_.push_back(std::move(v));
  }

  workbench::Verified prove_and_explain(const Case& one) {
    const prove::VerifySettings settings = proving_.settings(options_);
    ProgressLine progress(streams_, text() && streams_.err_is_terminal);
    workbench::Verified v =
        workbench::verify(one.checked, workspace_.names(), settings, proving_.crew,
                          proving_.cache.get(), watch_with(progress));
    v.file = shown(one.path);
    v.footing = workbench::footing_of(one.checked, workspace_, proving_);
    progress.show("looking for runs that break what is not proved");
    if (!options_.no_explain) {
      prove::Engine engine{{proving_.dump.get(), 0}, proving_.crew, proving_.cache.get()};
      v.run = run_command(one.path, one.model, options_.places);
      workbench::explain(v, proving_.explaining(options_, settings, options_.full), engine);
    }
    if (options_.unroll > 0) workbench::keep_executed(v);
    return v;
  }

  void show(const workbench::Verified& v) {
    streams_.out << report_.claims(v.file, v) << report_.explanations(v) << report_.summary(v);
    if (options_.show_inferred) streams_.out << report_.inferred(v);
    if (options_.suggest) streams_.out << report_.suggestions(v);
  }

  // What is said at the end, of all together.
  void show_all() {
    if (text() && (options_.models.size() > 1 || options_.all_models)) matrix(table_, streams_);
    show_diagnostics(diagnostics_, workspace_.sources(), options_.colour, streams_);
    if (options_.format == Format::Sarif) streams_.out << sarif();
    if (options_.format == Format::Junit) streams_.out << report_.junit(all_, diagnostics_);
    if (options_.format == Format::Json) streams_.out << machine();
  }

  std::string sarif() const {
    json document = report_.sarif(all_);
    if (!diagnostics_.all().empty()) {  // what could not be verified, as a run of the checker
      json checked = json::parse(report::render_sarif(diagnostics_, workspace_.sources()));
      for (json& run : checked["runs"]) document["runs"].push_back(std::move(run));
    }
    return report::to_text(document);
  }

  std::string machine() const {
    json list = json::array();
    for (const workbench::Verified& v : all_) list.push_back(report_.machine(v));
    return report::to_text(
        {{"tool", "leto"},
         {"version", LETO_VERSION},
         {"verifications", std::move(list)},
         {"follows", followed_},
         {"diagnostics",
          json::parse(report::render_json(diagnostics_, workspace_.sources()))["diagnostics"]}});
  }

  const VerifyOptions& options_;
  Streams& streams_;
  Programs files_;
  workspace::Workspace workspace_;
  DiagnosticList diagnostics_;
  Proving proving_;
  const report::ClaimReport report_;
  std::vector<workbench::Verified> all_;
  json followed_ = json::array();  // what is proved because it is proved under another model
  std::map<std::string, std::map<std::string, std::string>> table_;  // by program and model
  std::set<workbench::Subject> proved_;
  bool unfit_ = false, unwritten_ = false;  // some program under no model at all
};

ExitCode run_verify(const VerifyOptions& options, const Watchdog& watchdog, Streams& streams) {
  if (options.apply && !can_be_written(options.files, "--apply", streams)) return ExitCode::Usage;
  return Verifier(options, watchdog, streams).run();
}

// Of what is done with claims that are not proved.
void add_explaining(CLI::App& command, VerifyOptions& options) {
  CLI::Option* suggest = command.add_flag(
      "--suggest", options.suggest, "List invariants that would close claims, ready to paste");
  CLI::Option* apply = command.add_flag("--apply", options.apply, "Write them into the files");
  command
      .add_option("--unroll", options.unroll,
                  "Need no invariants: N iterations, elements and nested calls, and no more")
      ->option_text("N")
      ->check(within(workbench::kUnrolled))
      ->excludes(suggest)
      ->excludes(apply)
      ->excludes("--trust-original");
  command.add_flag("--full", options.full,
                   "Show all of a failing run or state, not only what matters most");
  command
      .add_flag("--no-explain", options.no_explain,
                "Do not look for the reason why a claim is not proved")
      ->excludes(suggest)
      ->excludes(apply);
}

}  // namespace

Command add_verify(const Table& table) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App& command =
      *table.app.add_subcommand("verify", "Prove what programs guarantee under a model");
  command.add_option("FILE", options->files, "Programs; '-' is the standard input")->required();
  command
      .add_option("-m,--model", options->models,
                  "Model to verify under: a name, FILE or FILE:NAME; can be repeated")
      ->option_text("MODEL")
      ->check(names_a_model())
      ->allow_extra_args(false);
  command.add_flag("--all-models", options->all_models,
                   "Verify under every model that can be picked");
  add_places(command, options->places);
  add_no_infer(command, *options);
  command.add_flag("--show-inferred", options->show_inferred,
                   "List the inferred invariants, as they would be written");
  command.add_flag("--trust-original", options->trust_original,
                   "Trust what the original run asserts; what is proved is then relative");
  add_engine(command, *options, table.limits);
  command.add_option("--dump", options->dump, "Write the questions as SMT-LIB to this directory")
      ->option_text("DIR")
      ->check(no_stream("the questions are written to a directory"));
  add_explaining(command, *options);
  command.add_flag("--profile", options->profile, "Show time and resources of each claim");
  command.add_flag("-v,--verbose", options->verbose, "Show proved claims on a terminal too");
  command.add_flag("-q,--quiet", options->quiet, "Show only claims that are not proved");
  add_format(command, options->format, {Format::Text, Format::Json, Format::Sarif, Format::Junit});
  add_colour(command, options->colour);
  command.footer(
      "Examples:\n"
      "  leto verify program.leto\n"
      "  leto verify program.leto --model additive_seu --model multicycle\n"
      "  leto verify program.leto --suggest\n"
      "  leto verify program.leto --unroll 4\n"
      "  leto verify program.leto --solver both --profile");
  return watched(command, options, run_verify);
}

}  // namespace leto::driver
