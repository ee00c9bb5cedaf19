#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <ostream>

#include "driver/execute.h"
#include "driver/programs.h"
#include "engine/solvers.h"
#include "files/files.h"
#include "inject/inject.h"
#include "report/escape.h"
#include "report/machine_text.h"
#include "report/place.h"
#include "report/plot.h"
#include "report/screen.h"
#include "script/inputs.h"
#include "workbench/native.h"

namespace leto::driver {

using inject::Class;
using inject::kClasses;
using nlohmann::json;

namespace {

struct InjectOptions : ExecuteOptions {
  std::uint64_t runs = 10'000;
  unsigned jobs = 0;
  std::uint64_t fault_free = inject::Settings{}.fault_free;
  std::optional<std::uint64_t> script;  // print the script of this run
  std::string plot;                     // an SVG file
  bool native = false;                  // by C++ that is compiled first
};

// How bad a site is: corruption first, then failures, then the rest.
std::uint64_t badness(const inject::Counts& counts, Class c) {
  return counts[static_cast<std::size_t>(c)];
}

class Campaign {
 public:
  Campaign(const workbench::Executable& e, const SourceStore& sources,
           const inject::Settings& settings, const inject::Result& result,
           const InjectOptions& options)
      : e_(e), sources_(sources), settings_(settings), result_(result), options_(options) {
    for (const auto& [place, counts] : result.sites) sites_.emplace_back(place, counts);
    std::stable_sort(sites_.begin(), sites_.end(), [](const auto& a, const auto& b) {
      for (Class c :
           {Class::Corruption, Class::Failed, Class::Hung, Class::Detected, Class::Acceptable})
        if (badness(a.second, c) != badness(b.second, c))
          return badness(a.second, c) > badness(b.second, c);
      return false;
    });
    for (const auto& [cause, runs] : result.causes) causes_.emplace_back(cause, runs);
    std::stable_sort(causes_.begin(), causes_.end(),
                     [](const auto& a, const auto& b) { return a.second.runs > b.second.runs; });
  }

  [[nodiscard]] std::string text(double seconds) const {
    std::string out = fmt::format(
        "{}, {} under {}: {} runs, seed {}\n", report::name_on_line(shown(options_.file)),
        e_.program.functions[e_.function].name, e_.program.model.name, done(), settings_.seed);
    // What is counted is the less worth the fewer runs say something.
    if (voids() * 10 > done())
      out += fmt::format("  {} of {} runs say nothing, more than a tenth:\n{}\n", voids(), done(),
                         text_of_causes());
    out += text_of_classes() + text_of_sites();
    if (result_.says_little())
      out += "\n  nothing is decided: more than half of the runs say nothing\n";
    out += text_of_failing();
    for (Class c : {Class::Corruption, Class::Failed, Class::Hung, Class::Detected})
      if (const auto& first = result_.first[static_cast<std::size_t>(c)])
        out += fmt::format("\n  the first that is {}: {}\n", inject::name(c), repeat(*first));
    if (seconds > 0)
      out += fmt::format("\n  {:.1f} s, {:.0f} runs per second\n", seconds,
                         static_cast<double>(done()) / seconds);
    return out;
  }

  [[nodiscard]] json machine() const {
    json classes = json::object(), apart = json::object();
    json sites = json::array(), causes = json::array();
    for (std::size_t c = 0; c < kClasses; ++c) {
      const auto cls = static_cast<Class>(c);
      const inject::Interval i = inject::wilson(result_.counts[c], result_.valid());
      json entry = {{"runs", result_.counts[c]}};
      if (cls != Class::Void) entry["low"] = i.low;
      if (cls != Class::Void) entry["high"] = i.high;
      if (result_.first[c]) entry["first"] = *result_.first[c];
      classes[std::string(inject::name(cls))] = std::move(entry);
      if (cls != Class::Void) apart[std::string(inject::name(cls))] = result_.apart[c];
    }
    for (const auto& [cause, runs] : causes_)
      causes.push_back({{"why", inject::describe(cause)},
                        {"place", where(runs.where)},
                        {"runs", runs.runs},
                        {"first", runs.first}});
    for (const auto& [id, counts] : sites_) {
      json entry = {{"place", where(id)},
                    {"operation", core::operation(e_.program, e_.program.stmts[id])}};
      for (std::size_t c = 0; c < kClasses; ++c)
        entry[std::string(inject::name(static_cast<Class>(c)))] = counts[c];
      sites.push_back(std::move(entry));
    }
    return {{"tool", "leto"},
            {"version", LETO_VERSION},
            {"file", shown(options_.file)},
            {"function", e_.program.functions[e_.function].name},
            {"model", e_.program.model.name},
            {"seed", settings_.seed},
            {"runs", done()},
            {"void", voids()},
            {"void_causes", std::move(causes)},
            {"without_faults", result_.without_faults},
            {"fault_free", std::move(apart)},
            {"without_inputs", result_.without_inputs},
            {"classes", std::move(classes)},
            {"sites", std::move(sites)}};
  }

  [[nodiscard]] std::string csv() const {
    std::string out = "place,operation,class,runs,low,high\n";
    const auto rows = [&](const std::string& place, const std::string& what,
                          const inject::Counts& counts) {
      std::uint64_t all = 0;
      for (std::size_t c = 0; c + 1 < kClasses; ++c) all += counts[c];
      for (std::size_t c = 0; c + 1 < kClasses; ++c) {
        const inject::Interval i = inject::wilson(counts[c], all);
        out += fmt::format("\"{}\",\"{}\",{},{},{:.6f},{:.6f}\n", report::csv_text(place),
                           report::csv_text(what), inject::name(static_cast<Class>(c)), counts[c],
                           i.low, i.high);
      }
    };
    rows("all", "", result_.counts);
    rows("no fault", "", result_.apart);
    for (const auto& [id, counts] : sites_)
      rows(where(id), core::operation(e_.program, e_.program.stmts[id]), counts);
    return out;
  }

  [[nodiscard]] std::string svg() const {
    std::vector<report::Bar> bars;
    for (std::size_t c = 0; c + 1 < kClasses; ++c) {
      const inject::Interval i = inject::wilson(result_.counts[c], result_.valid());
      bars.push_back({std::string(inject::name(static_cast<Class>(c))), result_.counts[c],
                      result_.valid(), i.low, i.high});
    }
    return report::bar_chart(
        fmt::format("{} under {}: {} runs with faults", e_.program.functions[e_.function].name,
                    e_.program.model.name, result_.valid()),
        bars);
  }

 private:
  [[nodiscard]] std::string text_of_classes() const {
    std::string out;
    const std::uint64_t valid = result_.valid();
    for (std::size_t c = 0; c < kClasses; ++c) {
      const auto cls = static_cast<Class>(c);
      if (cls == Class::Void) continue;
      const inject::Interval i = inject::wilson(result_.counts[c], valid);
      out += fmt::format(
          "  {:<11} {:>9}  {:>7.3f} %  [{:.3f}, {:.3f}]  {}\n", inject::name(cls),
          result_.counts[c],
          valid == 0 ? 0.0
                     : 100.0 * static_cast<double>(result_.counts[c]) / static_cast<double>(valid),
          100 * i.low, 100 * i.high, inject::describe(cls));
    }
    if (voids() > 0)
      out += fmt::format(
          "  {:<11} {:>9}  {:>7.3f} %  of all runs say nothing; the shares above are of the "
          "others\n{}",
          "void", voids(), 100.0 * static_cast<double>(voids()) / static_cast<double>(done()),
          voids() * 10 > done() ? "" : text_of_causes());
    if (result_.without_inputs > 0)
      out += fmt::format(
          "  {:<11} {:>9}             no inputs were found that meet the requirements{}\n",
          "no inputs", result_.without_inputs,
          result_.without_inputs < done()
              ? ""
              : ": give some with --input, or try --max-size and --max-number");
    if (inject::has_rates(e_.program))
      return out + fmt::format("  intervals are Wilson's, 95 %; {} runs met no fault\n",
                               result_.without_faults);
    return out + text_of_apart() + "  intervals are Wilson's, 95 %, of the runs with a fault\n";
  }
  // Of runs without a fault: their shares say nothing, but a claim may fail in them too.
  [[nodiscard]] std::string text_of_apart() const {
    std::string list;
    std::uint64_t sum = 0;
    for (std::size_t c = 0; c < kClasses; ++c) {
      sum += result_.apart[c];
      if (result_.apart[c] > 0)
        list += fmt::format("{}{} {}", list.empty() ? ": " : ", ", result_.apart[c],
                            inject::name(static_cast<Class>(c)));
    }
    return fmt::format("  {:<11} {:>9}             counted apart{}\n", "no fault", sum, list);
  }
  // Hardware has no part in it.
  [[nodiscard]] std::string text_of_failing() const {
    const auto it = std::find_if(causes_.begin(), causes_.end(), [](const auto& entry) {
      return entry.first.end == interp::End::OriginalFailed;
    });
    if (it == causes_.end()) return "";
    return fmt::format(
        "\n  the program is wrong without any fault, {} times at {}: {}\n  the first of them: {}\n",
        it->second.runs, where(it->second.where),
        it->first.why.ends_with("does not hold") ? it->first.why
                                                 : "it does not hold that " + it->first.why,
        repeat(it->second.first));
  }
  [[nodiscard]] std::string repeat(std::uint64_t run) const {
    return fmt::format(
        "leto inject {} --script {} > script.json && leto run {} --faults script.json", arguments(),
        run, program());
  }
  [[nodiscard]] std::string text_of_causes() const {
    std::string out;
    for (const auto& [cause, runs] : causes_)
      out += fmt::format("  {:>21}             {} ({})\n", runs.runs, inject::describe(cause),
                         where(runs.where));
    return out;
  }
  [[nodiscard]] std::string text_of_sites() const {
    if (sites_.empty()) return "";
    std::string out =
        fmt::format("\n  {:<28} {:<22} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "faults at", "in",
                    "sdc", "failed", "hung", "detected", "accept.", "masked");
    for (const auto& [id, counts] : sites_)
      out += fmt::format("  {:<28} {:<22} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", where(id),
                         core::operation(e_.program, e_.program.stmts[id]),
                         badness(counts, Class::Corruption), badness(counts, Class::Failed),
                         badness(counts, Class::Hung), badness(counts, Class::Detected),
                         badness(counts, Class::Acceptable), badness(counts, Class::Masked));
    return out;
  }
  [[nodiscard]] std::uint64_t voids() const {
    return result_.counts[static_cast<std::size_t>(Class::Void)];
  }
  [[nodiscard]] std::uint64_t done() const { return result_.done(); }
  [[nodiscard]] std::string where(core::StmtId id) const {
    return where(e_.program.stmts[id].span);
  }
  [[nodiscard]] std::string where(Span span) const {
    const std::string full = report::place(sources_, span);
    const std::size_t slash = full.rfind('/');
    return slash == std::string::npos ? full : full.substr(slash + 1);
  }
  [[nodiscard]] std::string program() const {
    std::string out = files::shell_word(options_.file);
    if (!options_.model.empty()) out += " --model " + files::shell_word(options_.model);
    if (!options_.function.empty()) out += " --function " + files::shell_word(options_.function);
    return out;
  }
  [[nodiscard]] std::string arguments() const {
    std::string out = program() + fmt::format(" --seed {}", settings_.seed);
    if (!options_.input.empty()) out += " --input " + files::shell_word(options_.input);
    const InjectOptions standard;
    if (options_.max_size != standard.max_size)
      out += fmt::format(" --max-size {}", options_.max_size);
    if (options_.max_number != standard.max_number)
      out += fmt::format(" --max-number {}", options_.max_number);
    if (options_.fault_free != standard.fault_free)
      out += fmt::format(" --fault-free {}", options_.fault_free);
    if (options_.steps != standard.steps) out += fmt::format(" --steps {}", options_.steps);
    return out;
  }

  const workbench::Executable& e_;
  const SourceStore& sources_;
  const inject::Settings& settings_;
  const inject::Result& result_;
  const InjectOptions& options_;
  std::vector<std::pair<core::StmtId, inject::Counts>> sites_;
  std::vector<std::pair<inject::Cause, inject::Causes>> causes_;  // the most frequent first
};

// A bar on a terminal that fills up.
class Bar {
 public:
  Bar(std::uint64_t runs, bool live, Streams& streams)
      : runs_(runs), live_(live), streams_(streams) {}

  [[nodiscard]] double elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  void show(std::uint64_t done) {
    const double now = elapsed();
    if (!live_ || now - last_ < 0.1) return;
    last_ = now;
    const double part = static_cast<double>(done) / static_cast<double>(runs_);
    const auto filled = static_cast<std::size_t>(part * 30);
    streams_.err << fmt::format("{}  [{}{}] {:.0f} %  {:.0f} runs per second, {:.0f} s left",
                                report::erased_line(), std::string(filled, '#'),
                                std::string(30 - filled, '.'), 100 * part,
                                static_cast<double>(done) / now, now / part - now)
                 << std::flush;
  }
  void erase() {
    if (live_) streams_.err << report::erased_line() << std::flush;
  }

 private:
  std::uint64_t runs_;
  bool live_;
  Streams& streams_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double last_ = 0;
};

// Nothing, and said, if the inputs that were given cannot be used.
std::optional<inject::Settings> settings_of(const workbench::Executable& e,
                                            const InjectOptions& options, Programs& files,
                                            Streams& streams) {
  inject::Settings settings;
  settings.function = e.function;
  settings.runs = options.runs;
  settings.seed = options.seed;
  settings.fault_free = options.fault_free;
  settings.workers = engine::workers_of(options.jobs);
  settings.limits.steps = options.steps;
  settings.random_inputs = options.inputs(2000);
  if (options.input.empty()) return settings;
  std::string problem;
  const std::optional<json> given = read_json(options.input, files, problem);
  if (given) settings.inputs = script::inputs_from_json(*e.machine, e.function, *given, problem);
  if (problem.empty()) return settings;
  streams.err << fmt::format("leto: error: {}: {}\n", report::name_on_line(shown(options.input)),
                             problem);
  return std::nullopt;
}

ExitCode print_script(const workbench::Executable& e, const inject::Settings& settings,
                      std::uint64_t run, Streams& streams) {
  const inject::Single single = inject::run_one(*e.machine, settings, run);
  if (!single.has_inputs) {
    streams.err << "leto: error: that run has no inputs\n";
    return ExitCode::BadInput;
  }
  streams.out << report::to_text(script::script_to_json(
      e.program, e.function, interp::with_tables(single.inputs, single.outcome),
      single.outcome.taken));
  return ExitCode::Fine;
}

// False, and said, if the plot cannot be written.
[[nodiscard]] bool show_campaign(const Campaign& report, const InjectOptions& options,
                                 double seconds, Streams& streams) {
  if (!options.plot.empty())
    if (const files::Problem problem = files::write(options.plot, report.svg()); !problem.empty()) {
      streams.err << fmt::format("leto: error: cannot write '{}': {}\n",
                                 report::name_on_line(options.plot), problem);
      return false;
    }
  switch (options.format) {
    case Format::Json:
      streams.out << report::to_text(report.machine());
      break;
    case Format::Csv:
      streams.out << report.csv();
      break;
    case Format::Sarif:
    case Format::Junit:  // not offered here
    case Format::Text:
      // The rate is for people at a terminal: what is written down stays the same.
      streams.out << report.text(streams.out_is_terminal ? seconds : 0);
  }
  return true;
}

// By C++ that is made for it. Nothing, and said, if it cannot be.
std::optional<inject::Result> run_natively(const workbench::Executable& e,
                                           const inject::Settings& settings,
                                           const workspace::Workspace& workspace,
                                           const InjectOptions& options, const Allowance& allowance,
                                           Bar& bar, Streams& streams) {
  DiagnosticList diagnostics;
  std::string problem;
  std::optional<inject::Result> result;
  if (!settings.inputs)
    problem = "--native needs inputs: give them with --input, or leave out --native";
  else if (const auto campaign =
               workbench::NativeCampaign::build(e, settings, allowance, diagnostics, problem))
    result = campaign->run(
        allowance, [&](std::uint64_t done) { bar.show(done); }, problem);
  bar.erase();
  show_diagnostics(diagnostics, workspace.sources(), options.colour, streams);
  if (!problem.empty()) streams.err << fmt::format("leto: error: {}\n", problem);
  return problem.empty() ? result : std::nullopt;
}

ExitCode code_of(const inject::Result& result, const Allowance& allowance) {
  std::uint64_t wrong = 0;
  for (Class c : {Class::Corruption, Class::Detected, Class::Failed, Class::Hung})
    wrong += result.of(c);
  for (const auto& [cause, runs] : result.causes)
    if (cause.end == interp::End::OriginalFailed) wrong += runs.runs;
  if (wrong > 0) return ExitCode::DoesNotHold;
  return result.says_little() || allowance.spent() ? ExitCode::Undecided : ExitCode::Fine;
}

ExitCode run_inject(const InjectOptions& options, const Watchdog& watchdog, Streams& streams) {
  if (!can_be_read({{"FILE", options.file}, {"--input", options.input}}, streams))
    return ExitCode::Usage;
  Programs files(streams.in);
  workspace::Workspace workspace(files, all_places(options.places, streams), &watchdog.allowance());
  const std::unique_ptr<workbench::Executable> e =
      prepare(workspace, options, watchdog.allowance(), streams);
  if (!e) return ExitCode::BadInput;
  const std::optional<inject::Settings> settings = settings_of(*e, options, files, streams);
  if (!settings) return ExitCode::BadInput;
  if (options.script) return print_script(*e, *settings, *options.script, streams);
  Bar bar(options.runs, streams.err_is_terminal && options.format == Format::Text, streams);
  inject::Result result;
  if (options.native) {
    std::optional<inject::Result> native =
        run_natively(*e, *settings, workspace, options, watchdog.allowance(), bar, streams);
    if (!native) return ExitCode::BadInput;
    result = std::move(*native);
  } else {
    result = inject::campaign(*e->machine, *settings, watchdog.allowance(),
                              [&](std::uint64_t done) { bar.show(done); });
  }
  bar.erase();
  const Campaign report(*e, workspace.sources(), *settings, result, options);
  if (!show_campaign(report, options, bar.elapsed(), streams)) return ExitCode::BadInput;
  if (const std::string why = watchdog.why(); !why.empty())
    streams.err << fmt::format("leto: {}; these are the runs until then\n", why);
  return code_of(result, watchdog.allowance());
}

}  // namespace

Command add_inject(const Table& table) {
  const auto options = std::make_shared<InjectOptions>();
  CLI::App& command = *table.app.add_subcommand(
      "inject", "Run a program many times with faults and count what becomes of it");
  add_execution(command, *options, table.limits);
  command.add_option("-n,--runs", options->runs, "How many runs")
      ->option_text("N")
      ->check(at_least(1));
  add_jobs(command, options->jobs);
  command
      .add_option("--fault-free", options->fault_free,
                  "One run in N has no fault (default: 10; 0: none)")
      ->option_text("N")
      ->check(at_least(0));
  command.add_option("--script", options->script, "Print the script of one run instead")
      ->option_text("RUN")
      ->check(at_least(0));
  command.add_flag("--native", options->native,
                   "Compile the runs as C++ and do the same ones, with doubles; needs --input");
  command.add_option("--plot", options->plot, "Write a bar chart of the outcomes (SVG)")
      ->option_text("FILE")
      ->check(no_stream("the chart is written to a file"));
  add_format(command, options->format, {Format::Text, Format::Json, Format::Csv});
  command.footer(
      "Without --input each run has random inputs that meet the requirements.\n"
      "Examples:\n"
      "  leto inject program.leto --runs 100000\n"
      "  leto inject program.leto --input in.json --seed 3 --plot outcomes.svg\n"
      "  leto inject program.leto --input in.json --native --runs 10000000\n"
      "  leto inject program.leto --script 17 > script.json");
  return watched(command, options, run_inject);
}

}  // namespace leto::driver
