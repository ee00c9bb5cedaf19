#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <ostream>

#include "driver/execute.h"
#include "driver/interrupt.h"
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

namespace leto::driver {

using inject::Class;
using inject::kClasses;
using nlohmann::json;

namespace {

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
  }

  [[nodiscard]] std::string text(double seconds) const {
    std::string out = fmt::format(
        "{}, {} under {}: {} runs, seed {}\n", report::name_on_line(options_.execute.file),
        e_.program.functions[e_.function].name, e_.program.model.name, done(), settings_.seed);
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
    if (const std::uint64_t n = result_.counts[static_cast<std::size_t>(Class::Void)]; n > 0)
      out += fmt::format("  {:<11} {:>9}             not counted: {}\n", "void", n,
                         inject::describe(Class::Void));
    if (result_.without_inputs > 0)
      out += fmt::format(
          "  {:<11} {:>9}             no inputs were found that meet the requirements\n",
          "no inputs", result_.without_inputs);
    out += fmt::format("  intervals are Wilson's, 95 %; {} runs met no fault\n",
                       result_.without_faults);
    if (!sites_.empty()) {
      out += fmt::format("\n  {:<28} {:<22} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "faults at",
                         "in", "sdc", "failed", "hung", "detected", "accept.", "masked");
      for (const auto& [id, counts] : sites_)
        out += fmt::format("  {:<28} {:<22} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}\n", where(id),
                           core::operation(e_.program, e_.program.stmts[id]),
                           badness(counts, Class::Corruption), badness(counts, Class::Failed),
                           badness(counts, Class::Hung), badness(counts, Class::Detected),
                           badness(counts, Class::Acceptable), badness(counts, Class::Masked));
    }
    for (Class c : {Class::Corruption, Class::Failed, Class::Hung, Class::Detected})
      if (const auto& first = result_.first[static_cast<std::size_t>(c)])
        out += fmt::format(
            "\n  the first that is {}: leto inject {} --script {} > script.json && leto "
            "run {} --faults script.json\n",
            inject::name(c), arguments(), *first, program());
    if (seconds > 0)
      out += fmt::format("\n  {:.1f} s, {:.0f} runs per second\n", seconds,
                         static_cast<double>(done()) / seconds);
    return out;
  }

  [[nodiscard]] json machine() const {
    json classes = json::object(), sites = json::array();
    for (std::size_t c = 0; c < kClasses; ++c) {
      const auto cls = static_cast<Class>(c);
      const inject::Interval i = inject::wilson(result_.counts[c], result_.valid());
      json entry = {{"runs", result_.counts[c]}};
      if (cls != Class::Void) entry["low"] = i.low;
      if (cls != Class::Void) entry["high"] = i.high;
      if (result_.first[c]) entry["first"] = *result_.first[c];
      classes[std::string(inject::name(cls))] = std::move(entry);
    }
    for (const auto& [id, counts] : sites_) {
      json entry = {{"place", where(id)},
                    {"operation", core::operation(e_.program, e_.program.stmts[id])}};
      for (std::size_t c = 0; c < kClasses; ++c)
        entry[std::string(inject::name(static_cast<Class>(c)))] = counts[c];
      sites.push_back(std::move(entry));
    }
    return {{"tool", "leto"},
            {"version", LETO_VERSION},
            {"file", options_.execute.file},
            {"function", e_.program.functions[e_.function].name},
            {"model", e_.program.model.name},
            {"seed", settings_.seed},
            {"runs", done()},
            {"void", result_.counts[static_cast<std::size_t>(Class::Void)]},
            {"without_faults", result_.without_faults},
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
  [[nodiscard]] std::uint64_t done() const {
    std::uint64_t sum = result_.without_inputs;
    for (std::uint64_t n : result_.counts) sum += n;
    return sum;
  }
  [[nodiscard]] std::string where(core::StmtId id) const {
    const std::string full = report::place(sources_, e_.program.stmts[id].span);
    const std::size_t slash = full.rfind('/');
    return slash == std::string::npos ? full : full.substr(slash + 1);
  }
  [[nodiscard]] std::string program() const {
    std::string out = files::shell_word(options_.execute.file);
    if (!options_.execute.model.empty())
      out += " --model " + files::shell_word(options_.execute.model);
    if (!options_.execute.function.empty())
      out += " --function " + files::shell_word(options_.execute.function);
    return out;
  }
  [[nodiscard]] std::string arguments() const {
    std::string out = program() + fmt::format(" --seed {}", settings_.seed);
    if (!options_.execute.input.empty())
      out += " --input " + files::shell_word(options_.execute.input);
    const InjectOptions standard;
    if (options_.execute.max_size != standard.execute.max_size)
      out += fmt::format(" --max-size {}", options_.execute.max_size);
    if (options_.execute.max_number != standard.execute.max_number)
      out += fmt::format(" --max-number {}", options_.execute.max_number);
    if (options_.execute.steps != standard.execute.steps)
      out += fmt::format(" --steps {}", options_.execute.steps);
    return out;
  }

  const workbench::Executable& e_;
  const SourceStore& sources_;
  const inject::Settings& settings_;
  const inject::Result& result_;
  const InjectOptions& options_;
  std::vector<std::pair<core::StmtId, inject::Counts>> sites_;
};

}  // namespace

ExitCode command_inject(const InjectOptions& options, const Watchdog& watchdog, Streams& streams) {
  Programs files(streams.in);
  workspace::Workspace workspace(files, all_places(options.execute.places, streams),
                                 &watchdog.allowance());
  const std::unique_ptr<workbench::Executable> e =
      prepare(workspace, options.execute, watchdog.allowance(), streams);
  if (!e) return ExitCode::BadInput;
  inject::Settings settings;
  settings.function = e->function;
  settings.runs = options.runs;
  settings.seed = options.execute.seed;
  settings.workers = engine::workers_of(options.jobs);
  settings.limits.steps = options.execute.steps;
  settings.random_inputs = {options.execute.max_size, options.execute.max_number, 2000};
  if (!options.execute.input.empty()) {
    std::string problem;
    const std::optional<json> given = read_json(options.execute.input, problem);
    if (given)
      settings.inputs = script::inputs_from_json(*e->machine, e->function, *given, problem);
    if (!problem.empty()) {
      streams.err << fmt::format("leto: error: {}: {}\n",
                                 report::name_on_line(options.execute.input), problem);
      return ExitCode::BadInput;
    }
  }
  if (options.script) {
    const inject::Single single = inject::run_one(*e->machine, settings, *options.script);
    if (!single.has_inputs) {
      streams.err << "leto: error: that run has no inputs\n";
      return ExitCode::BadInput;
    }
    streams.out << report::to_text(
        script::script_to_json(e->program, e->function, single.inputs, single.outcome.taken));
    return ExitCode::Fine;
  }

  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const bool live = streams.err_is_terminal && options.execute.format == Format::Text;
  double last = 0;
  const inject::Result result =
      inject::campaign(*e->machine, settings, watchdog.allowance(), [&](std::uint64_t done) {
        const double now = elapsed();
        if (!live || now - last < 0.1) return;
        last = now;
        const double part = static_cast<double>(done) / static_cast<double>(settings.runs);
        const auto filled = static_cast<std::size_t>(part * 30);
        streams.err << fmt::format("{}  [{}{}] {:.0f} %  {:.0f} runs per second, {:.0f} s left",
                                   report::erased_line(), std::string(filled, '#'),
                                   std::string(30 - filled, '.'), 100 * part,
                                   static_cast<double>(done) / now, now / part - now)
                    << std::flush;
      });
  if (live) streams.err << report::erased_line() << std::flush;
  const Campaign report(*e, workspace.sources(), settings, result, options);
  if (!options.plot.empty()) {
    if (const files::Problem problem = files::write(options.plot, report.svg()); !problem.empty()) {
      streams.err << fmt::format("leto: error: cannot write '{}': {}\n",
                                 report::name_on_line(options.plot), problem);
      return ExitCode::BadInput;
    }
  }
  switch (options.execute.format) {
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
      streams.out << report.text(streams.out_is_terminal ? elapsed() : 0);
  }
  if (const std::string why = watchdog.why(); !why.empty())
    streams.err << fmt::format("leto: {}; these are the runs until then\n", why);
  std::uint64_t wrong = 0;
  for (Class c : {Class::Corruption, Class::Detected, Class::Failed, Class::Hung})
    wrong += result.counts[static_cast<std::size_t>(c)];
  if (wrong > 0) return ExitCode::DoesNotHold;
  return result.valid() == 0 || watchdog.allowance().spent() ? ExitCode::Undecided : ExitCode::Fine;
}

}  // namespace leto::driver
