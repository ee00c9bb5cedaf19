#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <thread>

#include "diagnose/diagnose.h"
#include "driver/commands.h"
#include "driver/interrupt.h"
#include "driver/programs.h"
#include "driver/proving.h"
#include "files/files.h"
#include "lower/lower.h"
#include "report/claims.h"
#include "report/escape.h"
#include "report/machine_text.h"
#include "report/render.h"
#include "report/report.h"
#include "report/screen.h"
#include "workbench/formatting.h"
#include "workbench/verifying.h"
#include "workspace/workspace.h"

namespace leto::driver {

using nlohmann::json;
using prove::Status;

namespace {

// On a terminal, one line that says what is being proved, how far it is and for how long;
// redrawn while a solver thinks.
class ProgressLine {
 public:
  ProgressLine(Streams& streams, bool live) : streams_(streams), live_(live) {
    if (live_) ticker_ = std::thread([this] { tick(); });
  }
  ~ProgressLine() {
    if (!live_) return;
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_one();
    ticker_.join();
    streams_.err << report::erased_line() << std::flush;
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(std::string text) {
    if (!live_) return;
    const std::lock_guard lock(mutex_);
    text_ = std::move(text);
    since_ = Clock::now();
  }
  // Something else is written: the line makes room for it.
  void hide() {
    if (live_) streams_.err << report::erased_line() << std::flush;
  }

 private:
  using Clock = std::chrono::steady_clock;
  void tick() {
    std::unique_lock lock(mutex_);
    while (!done_) {
      if (!text_.empty()) {
        const double seconds = std::chrono::duration<double>(Clock::now() - since_).count();
        streams_.err << fmt::format("{}  {}  {:.1f} s", report::erased_line(), text_, seconds)
                     << std::flush;
      }
      wake_.wait_for(lock, std::chrono::milliseconds(100));
    }
  }

  Streams& streams_;
  bool live_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::string text_;
  Clock::time_point since_;
  bool done_ = false;
  std::thread ticker_;
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
  std::map<std::uint32_t, std::string> lines;
  std::size_t count = 0;
  const SourceFile* file = nullptr;
  for (const prove::Verification::Invariant& i : diagnose::suggested(v.explanations)) {
    if (i.body.file != own) continue;
    file = &workspace.sources()[i.body.file];
    lines[i.body.begin] += i.text + "\n";
    ++count;
  }
  if (file == nullptr) {
    streams.err << fmt::format("leto: nothing to write into {}\n", report::name_on_line(path));
    return true;
  }
  DiagnosticList diagnostics;
  const std::string text =
      workbench::with_lines(path, std::string(file->text()), lines, diagnostics);
  const files::Problem problem = files::replace(path, std::string(file->text()), text);
  if (!problem.empty()) {
    streams.err << fmt::format("leto: error: cannot write '{}': {}\n", report::name_on_line(path),
                               problem);
    return false;
  }
  streams.err << fmt::format("leto: {} {} written into {}; verify it again\n", count,
                             count == 1 ? "invariant" : "invariants", path);
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

report::ClaimStyle style_of(const VerifyOptions& options, const Streams& streams) {
  report::ClaimStyle style;
  style.colour = use_colour(options.colour, streams.out_is_terminal);
  style.proved_too =
      options.verbose || options.profile || (!options.quiet && !streams.err_is_terminal);
  style.costs = options.profile;
  style.full = options.full;
  style.lists_inferred = options.show_inferred;
  return style;
}

ExitCode exit_code(const std::vector<workbench::Verified>& all, const Proving& proving,
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
    refuted = refuted || v.count(Status::Refuted) + v.count(Status::Vacuous) > 0;
    unknown = unknown || v.count(Status::Unknown) > 0;
  }
  return refuted ? ExitCode::DoesNotHold : unknown ? ExitCode::Undecided : ExitCode::Fine;
}

}  // namespace

// What stands for a program whose turn did not come: nothing is known of it.
static workbench::Verified not_looked_at(const std::string& path, const std::string& model,
                                         const Watchdog& watchdog) {
  workbench::Verified v;
  v.file = path;
  v.model = model.empty() ? "its model" : model;
  v.program = std::make_shared<core::Program>();
  prove::Claim claim{{core::ClaimKind::ProgramExtent, "", {}}};
  claim.situation = fmt::format("{} before", describe(watchdog.allowance().ended_by()));
  v.claims.push_back(std::move(claim));
  return v;
}

ExitCode command_cache(const CacheOptions& options, const Watchdog& watchdog, Streams& streams) {
  const std::string directory =
      options.cache.empty() ? engine::default_cache_directory() : options.cache;
  std::string problem = "there is no place for it; set HOME, XDG_CACHE_HOME or LETO_CACHE";
  if (!directory.empty() && !files::exists(directory)) {
    streams.err << fmt::format("leto: error: there is no cache in {}\n",
                               report::name_on_line(directory));
    return ExitCode::BadInput;
  }
  const std::unique_ptr<engine::FileCache> cache =
      directory.empty() ? nullptr
                        : engine::open_cache(directory, engine::default_key_file(), problem);
  if (!cache) {
    streams.err << fmt::format("leto: error: the cache cannot be opened: {}\n", problem);
    return ExitCode::BadInput;
  }
  const auto unreadable = [&] {
    streams.err << fmt::format("leto: error: the cache in {} cannot be read or written\n",
                               directory);
    return ExitCode::BadInput;
  };
  if (options.clear) {
    if (!cache->clear()) return unreadable();
    streams.out << "the cache is empty\n";
    return ExitCode::Fine;
  }
  if (options.verify) {
    solver::Limits limits;
    const auto solver =
        solver::make_process_solver(solver::z3_command(), limits, watchdog.allowance());
    std::size_t same = 0, open = 0, wrong = 0;
    const auto sample = cache->sample(options.sample);
    if (!sample) return unreadable();
    for (const engine::FileCache::Entry& entry : *sample) {
      const solver::Answer answer = solver->solve(entry.query);
      if (answer.verdict == solver::Verdict::Unknown)
        ++open;
      else
        (answer.verdict == entry.verdict ? same : wrong) += 1;
    }
    if (sample->empty() && cache->statistics().entries > 0) {
      streams.err << fmt::format(
          "leto: error: no answer in {} is sealed with your secret: none was asked again\n",
          report::name_on_line(directory));
      return ExitCode::Undecided;
    }
    streams.out << fmt::format("{} asked again: {} the same, {} undecided, {} different\n",
                               same + open + wrong, same, open, wrong);
    if (wrong > 0) {
      streams.err << "leto: ENGINE ERROR: an answer in the cache is not the solver's; 'leto cache "
                     "clear' forgets "
                     "them all\n";
      return ExitCode::DoesNotHold;
    }
    return open > 0 ? ExitCode::Undecided : ExitCode::Fine;
  }
  const engine::CacheStatistics s = cache->statistics();
  if (!s.complete) return unreadable();
  streams.out << fmt::format(
      "{}: {} answers ({} proved, {} refuted, {} sealed by somebody else or damaged), {} bytes\n",
      report::name_on_line(directory), s.entries, s.proved, s.refuted, s.foreign, s.bytes);
  return ExitCode::Fine;
}

ExitCode command_core(const CoreOptions& options, const Watchdog& watchdog, Streams& streams) {
  Programs files(streams.in);
  workspace::Workspace workspace(files, all_places(options.places, streams), &watchdog.allowance());
  DiagnosticList diagnostics;
  workspace::Program program = workspace.load(options.file, diagnostics);
  if (!program.trees.empty()) {
    const workspace::PickedModel picked = workspace.pick_model(program, options.model, diagnostics);
    const check::Checked checked =
        check::check(program.trees, workspace.options(picked), workspace.names(), diagnostics);
    if (diagnostics.errors() == 0)
      streams.out << core::print(lower::lower(checked, workspace.names()));
  }
  diagnostics.sort_and_unique();
  streams.err << report::render_text(diagnostics, workspace.sources(),
                                     {streams.err_is_terminal, 100});
  return diagnostics.errors() == 0 ? ExitCode::Fine : ExitCode::BadInput;
}

ExitCode command_verify(const VerifyOptions& options, const Watchdog& watchdog, Streams& streams) {
  Programs files(streams.in);
  workspace::Workspace workspace(files, all_places(options.places, streams), &watchdog.allowance());
  DiagnosticList diagnostics;
  Proving proving(options, watchdog, streams);
  if (proving.no_solver(streams)) return ExitCode::Undecided;

  json followed = json::array();  // what is proved because it is proved under another model
  std::vector<workbench::Verified> all;
  std::map<std::string, std::map<std::string, std::string>> table;  // by program and model
  std::set<workbench::Subject> proved;
  bool unfit = false, unwritten = false;  // some program under no model at all
  const report::ClaimReport report(style_of(options, streams), workspace.sources());
  const auto skip = [&](const std::string& path, const std::string& model) {
    table[path][model.empty() ? "default" : model] = "not looked at";
    all.push_back(not_looked_at(path, model, watchdog));
    if (options.format == Format::Text) streams.out << report.claims(path, all.back());
  };
  const auto look_at = [&](const std::string& path) {
    const std::size_t earlier = diagnostics.errors();
    const workspace::Program loaded = workspace.load(path, diagnostics);
    if (loaded.trees.empty() || diagnostics.errors() != earlier) return;
    std::vector<std::string> wanted = options.models;
    if (options.all_models)
      for (const workspace::Workspace::Listed& listed : workspace.list_models(diagnostics))
        wanted.push_back(listed.name);
    if (wanted.empty()) wanted.emplace_back();
    std::size_t fitted = 0;
    for (const std::string& model : wanted) {
      if (proving.allowance.spent()) {
        ++fitted;
        skip(path, model);
        continue;
      }
      workspace::Program program = loaded;
      const std::size_t readable = diagnostics.errors();
      const workspace::PickedModel picked = workspace.pick_model(program, model, diagnostics);
      // Among all models there will be some that lack what the program mentions. One that cannot
      // be read is another matter.
      DiagnosticList own;
      DiagnosticList& told = options.all_models ? own : diagnostics;
      const std::size_t before = told.errors();
      const check::Checked checked =
          check::check(program.trees, workspace.options(picked), workspace.names(), told);
      if (diagnostics.errors() != readable) {
        table[path][model.empty() ? "default" : model] = "has errors";
        continue;
      }
      if (told.errors() != before) {
        table[path][model.empty() ? "default" : model] =
            options.all_models ? "does not fit: " + own.all()[0].message() : "has errors";
        continue;
      }
      ++fitted;
      streams.err << report::warning_if_unmodelled(checked, workspace.sources());
      // What was proved under a super-model holds here, if the refinement does.
      // What is relative says so in its first line, so each model has one of its own then.
      const check::ModelId super = options.trust_original
                                       ? check::ModelId{}
                                       : follows(checked, proved, workspace.names(), proving);
      if (super.valid()) {
        const std::string sub(workspace.names().text(picked.name));
        const std::string from(workspace.names().text(checked.models[super].name));
        proved.insert(workbench::subject_of(checked, checked.model));
        table[path][in_table(model, sub)] = "follows from " + from;
        followed.push_back({{"file", path}, {"model", sub}, {"from", from}});
        if (options.format == Format::Text)
          streams.out << fmt::format("{} under {}\n  follows: proved under {}, which {} refines\n",
                                     report::name_on_line(path), sub, from, sub);
        continue;
      }
      const bool text = options.format == Format::Text;
      const prove::VerifySettings settings = proving.settings(options);
      workbench::Verified v;
      {
        ProgressLine progress(streams, text && streams.err_is_terminal);
        prove::Watch watch;
        watch.inferring = [&](const prove::InferenceRound& round) {
          progress.show(fmt::format("{}: inferring invariants, round {}, {} candidates have fallen",
                                    round.function, round.round, round.fallen));
        };
        watch.started = [&](const vcgen::Obligation& o, std::size_t done, std::size_t total) {
          progress.show(
              fmt::format("{}/{}  {}: {}", done, total, o.claim.function, core::claimed(o.claim)));
        };
        v = workbench::verify(checked, workspace.names(), settings, proving.crew,
                              proving.cache.get(), watch);
        v.file = path;
        v.footing = workbench::footing_of(checked, workspace, proving);
        progress.show("looking for runs that break what is not proved");
        if (!options.no_explain) {
          prove::Engine engine{{proving.dump.get(), 0}, proving.crew, proving.cache.get()};
          v.run = run_command(path, model, options.places);
          workbench::explain(v, proving.explaining(options, settings, options.full), engine);
        }
      }
      if (text) streams.out << report.claims(path, v) << report.explanations(v);
      if (v.status() == Status::Proved)
        proved.insert(workbench::subject_of(checked, checked.model));
      table[path][in_table(model, v.model)] = describe(v.status());
      if (text) streams.out << report.summary(v);
      if (text && options.show_inferred) streams.out << report.inferred(v);
      if (text && options.suggest) streams.out << report.suggestions(v);
      if (options.apply && !apply_suggestions(v, path, program.own->file, workspace, streams))
        unwritten = true;
      all.push_back(std::move(v));
    }
    if (fitted == 0 && !proving.allowance.spent()) {
      unfit = true;
      if (options.all_models)
        streams.err << fmt::format("leto: error: no model fits {}: nothing was proved\n",
                                   report::name_on_line(path));
    }
  };
  for (const std::string& path : options.files) try {
      look_at(path);
    } catch (const Spent&) {
      skip(path, "");
    }
  if (options.format == Format::Text && (options.models.size() > 1 || options.all_models))
    matrix(table, streams);
  diagnostics.sort_and_unique();
  streams.err << report::render_text(diagnostics, workspace.sources(),
                                     {use_colour(options.colour, streams.err_is_terminal), 100});
  if (options.format == Format::Sarif) {
    json document = report.sarif(all);
    if (!diagnostics.all().empty()) {  // what could not be verified, as a run of the checker
      json checked = json::parse(report::render_sarif(diagnostics, workspace.sources()));
      for (json& run : checked["runs"]) document["runs"].push_back(std::move(run));
    }
    streams.out << report::to_text(document);
  }
  if (options.format == Format::Junit) streams.out << report.junit(all, diagnostics);
  if (options.format == Format::Json) {
    json list = json::array();
    for (const workbench::Verified& v : all) list.push_back(report.machine(v));
    streams.out << report::to_text(
        {{"tool", "leto"},
         {"version", LETO_VERSION},
         {"verifications", std::move(list)},
         {"follows", std::move(followed)},
         {"diagnostics",
          json::parse(report::render_json(diagnostics, workspace.sources()))["diagnostics"]}});
  }
  if (proving.dump_failed(streams)) unwritten = true;
  if (diagnostics.errors() > 0 || unfit || unwritten) return ExitCode::BadInput;
  return exit_code(all, proving, streams);
}

ExitCode command_refine(const RefineOptions& options, const Watchdog& watchdog, Streams& streams) {
  Programs files(streams.in);
  workspace::Workspace workspace(files, all_places(options.verify.places, streams),
                                 &watchdog.allowance());
  DiagnosticList diagnostics;
  workspace::Program program;  // of models alone
  const workspace::PickedModel picked = workspace.pick_model(program, options.model, diagnostics);
  const check::Checked checked =
      check::check(program.trees, workspace.options(picked), workspace.names(), diagnostics);
  show_diagnostics(diagnostics, workspace.sources(), options.verify.colour, streams);
  if (diagnostics.errors() > 0 || !checked.model.valid()) return ExitCode::BadInput;
  Proving proving(options.verify, watchdog, streams);
  if (proving.no_solver(streams)) return ExitCode::Undecided;
  const report::ClaimReport report(style_of(options.verify, streams), workspace.sources());
  std::vector<workbench::Verified> all;
  for (check::ModelId super : checked.models[checked.model].supers) {
    const std::string name(workspace.names().text(checked.models[super].name));
    if (!options.super.empty() && options.super != name) continue;
    workbench::Verified v = workbench::verify_refinement(checked, workspace.names(), super, {},
                                                         proving.crew, proving.cache.get(), {});
    v.file = fmt::format("{} refines {}", v.model, name);
    v.footing = workbench::footing_of(checked, workspace, proving);
    streams.out << report.claims(v.file, v);
    prove::Engine engine = proving.quiet_engine();
    workbench::explain(v, proving.explaining(options.verify, {}), engine);
    streams.out << report.explanations(v) << report.summary(v);
    all.push_back(std::move(v));
  }
  if (all.empty()) {
    streams.err << fmt::format(
        "leto: error: '{}' refines no {}\n", options.model,
        options.super.empty() ? "model" : fmt::format("model '{}'", options.super));
    return ExitCode::Usage;
  }
  return exit_code(all, proving, streams);
}

}  // namespace leto::driver
