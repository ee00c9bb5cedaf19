#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "diagnose/oracle.h"
#include "driver/execute.h"
#include "driver/programs.h"
#include "files/files.h"
#include "report/escape.h"
#include "report/machine_text.h"
#include "report/place.h"
#include "report/screen.h"
#include "script/inputs.h"

namespace leto::driver {

using interp::End;
using nlohmann::json;

namespace {

struct RunOptions : ExecuteOptions {
  bool random_input = false;
  std::string faults;  // a script
  bool no_faults = false;
  bool exhaustive = false;
  bool trace = false;
  std::uint64_t max_runs = 1'000'000;
  std::string save;  // write a script of this run
};

class RunReport {
 public:
  RunReport(const workbench::Executable& e, const SourceStore& sources, Streams& streams)
      : e_(e), sources_(sources), streams_(streams) {}

  void inputs(const interp::Inputs& inputs) {
    const auto list = [&](const std::vector<core::VarId>& vars) {
      std::string joined;
      for (const auto& group : core::gather_records(e_.program, vars)) {
        std::vector<core::FieldText> parts;
        for (std::size_t i : group) {
          const core::Type& type = e_.program.vars[vars[i]].type;
          parts.push_back({vars[i], text(inputs.values.original[vars[i].value], type),
                           text(inputs.values.relaxed[vars[i].value], type)});
        }
        joined += (joined.empty() ? "" : ", ") + core::equations(e_.program, parts);
      }
      return joined;
    };
    const std::string parameters = list(e_.program.functions[e_.function].params);
    std::vector<core::VarId> constants;
    for (const core::ConstantVar& c : e_.program.constants)
      if (core::find_elements(e_.program, c) == nullptr) constants.push_back(c.var);
    line("inputs", parameters.empty() ? "none" : parameters);
    if (!constants.empty()) line("constants", list(constants));
  }

  void trace(const interp::Outcome& o) {
    for (const interp::Event& event : interp::told_events(e_.program, o.events)) {
      const char* who = event.side == core::Side::Original  ? "original"
                        : event.side == core::Side::Relaxed ? "relaxed "
                                                            : "both    ";
      std::string what;
      switch (event.kind) {
        case interp::Event::Kind::Set:
          what = fmt::format("{} = {}", event.what, event.value);
          break;
        case interp::Event::Kind::Site:
          what = fmt::format("'{}' took {}", event.what, event.value);
          break;
        case interp::Event::Kind::Part:
          what = fmt::format("the runs part: {} is {}", event.what, event.value);
          break;
        case interp::Event::Kind::Claim:
          what = fmt::format("{} {}", event.what, event.value);
          break;
      }
      streams_.out << fmt::format("  {}  {}  {}\n", who, report::place(sources_, event.span), what);
    }
  }

  void outcome(const interp::Outcome& o, bool with_parts) {
    bool any = false;
    for (const interp::Taken& taken : o.taken) {
      if (!taken.faulty) continue;
      any = true;
      line("fault", fault(taken));
    }
    if (!any) line("faults", fmt::format("none, at {} sites", o.sites));
    if (with_parts)
      for (const interp::Event& event : o.events)
        if (event.kind == interp::Event::Kind::Part)
          line("parted", fmt::format("{}: {} is {}", report::place(sources_, event.span),
                                     event.what, event.value));
    results(o);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> seen;
    for (const interp::Violation& v : o.violations) {
      if (seen[{v.span.begin, v.span.end}]++ > 0) continue;
      line("violated", fmt::format("{}: {} does not hold", report::place(sources_, v.span),
                                   interp::describe(v.kind)));
      if (v.span.file.valid()) {
        const std::string source = report::visible(
            sources_[v.span.file].line_text(sources_[v.span.file].position(v.span.begin).line));
        line("", source.substr(std::min(source.size(), source.find_first_not_of(" "))));
      }
    }
    line("claims", o.claims == 0 ? "none evaluated"
                                 : fmt::format("{} evaluated, {}", o.claims,
                                               o.violations.empty() ? "all hold" : "not all hold"));
    std::string end(interp::describe(o.end));
    if (o.end != End::Done) end += fmt::format(", at {}", report::place(sources_, o.where));
    if (!o.why.empty()) end += ": " + o.why;
    line("end", end);
  }

  std::string fault(const interp::Taken& taken) const {
    const core::Stmt& stmt = e_.program.stmts[taken.statement];
    std::string out = fmt::format(
        "site {} at {}: '{}' took {}: {} instead of {}", taken.occurrence,
        report::place(sources_, stmt.span), core::operation(e_.program, stmt),
        core::title(e_.program, taken.specification), taken.outcome.text(), taken.exact.text());
    for (const auto& [var, value] : taken.states)
      out += fmt::format(", {} = {}", e_.program.vars[var].name,
                         interp::text({value, nullptr}, e_.program.vars[var].type));
    return out;
  }

  json machine(const interp::Inputs& inputs, const interp::Outcome& o) const {
    json out =
        script::script_to_json(e_.program, e_.function, interp::with_tables(inputs, o), o.taken);
    out["end"] = interp::describe(o.end);
    out["where"] = o.end == End::Done ? "" : report::place(sources_, o.where);
    out["sites"] = o.sites;
    out["claims"] = o.claims;
    out["parted"] = o.parted;
    out["steps"] = o.steps;
    json violations = json::array();
    for (const interp::Violation& v : o.violations)
      violations.push_back(
          {{"claim", interp::describe(v.kind)}, {"place", report::place(sources_, v.span)}});
    out["violations"] = std::move(violations);
    const core::Function& f = e_.program.functions[e_.function];
    for (const auto& [who, values] : {std::pair{"original", &o.original}, {"relaxed", &o.relaxed}})
      for (std::size_t i = 0; i < values->size(); ++i) {
        const core::Var& v = e_.program.vars[f.results[i]];
        json& at = f.results.size() == 1 ? out[who] : out[who][v.name];
        at = text((*values)[i], v.type);
      }
    return out;
  }

 private:
  void results(const interp::Outcome& o) {
    const std::vector<core::VarId>& vars = e_.program.functions[e_.function].results;
    const auto groups = core::gather_records(e_.program, vars);
    for (const std::vector<std::size_t>& group : groups) {
      const core::Var& first = e_.program.vars[vars[group[0]]];
      const std::string name = groups.size() == 1 ? "" : core::whole_name(first) + " = ";
      const std::string original = values(o.original, group), relaxed = values(o.relaxed, group);
      if (!o.original.empty()) line("original", name + original);
      if (!o.relaxed.empty())
        line("relaxed", name + relaxed + (original == relaxed ? ", the same" : ""));
    }
  }
  // Of the results that the group lists: of one that is no record, or of all of its fields.
  [[nodiscard]] std::string values(const std::vector<interp::Value>& results,
                                   const std::vector<std::size_t>& group) const {
    if (results.empty()) return "";
    std::vector<core::FieldText> fields;
    std::string apart;
    for (std::size_t i : group) {
      const core::VarId var = e_.program.functions[e_.function].results[i];
      const core::Var& v = e_.program.vars[var];
      fields.push_back({var, text(results[i], v.type), ""});
      apart += (apart.empty() ? "" : ", ") + fields.back().original;
    }
    if (e_.program.vars[fields[0].var].record == 0) return apart;
    return core::record_text(e_.program, fields).value_or(apart);
  }

  void line(std::string_view head, const std::string& body) {
    streams_.out << fmt::format("  {:<10} {}\n", head, body);
  }
  const workbench::Executable& e_;
  const SourceStore& sources_;
  Streams& streams_;
};

// An `assume` that is false of the original run only says that these inputs were not meant.
bool stopped_by_assume(const core::Program& program, const interp::Outcome& o) {
  if (!o.statement.valid()) return false;
  const auto* claim = std::get_if<core::Claim>(&program.stmts[o.statement].node);
  return claim != nullptr && claim->kind == core::AssertionKind::Assume;
}

ExitCode code_of(const core::Program& program, const interp::Outcome& o) {
  switch (o.end) {
    case End::Done:
      return o.violations.empty() ? ExitCode::Fine : ExitCode::DoesNotHold;
    case End::AssertFailed:
    case End::CheckFailed:
    case End::Stuck:
    case End::Hung:
      return ExitCode::DoesNotHold;
    case End::OriginalFailed:
      return stopped_by_assume(program, o) ? ExitCode::Undecided : ExitCode::DoesNotHold;
    case End::OriginalHung:
    case End::Undecidable:
    case End::Impossible:
      return ExitCode::Undecided;
  }
  return ExitCode::Undecided;
}

bool bad(const core::Program& program, const interp::Outcome& o) {
  return code_of(program, o) == ExitCode::DoesNotHold;
}

bool read(const std::string& given, json& out, Programs& files, Streams& streams) {
  std::string problem;
  std::optional<json> parsed = read_json(given, files, problem);
  if (!parsed)
    streams.err << fmt::format("leto: error: cannot use '{}': {}\n",
                               report::name_on_line(shown(given)), problem);
  else
    out = std::move(*parsed);
  return parsed.has_value();
}

void tell_why(const Watchdog& watchdog, Streams& streams) {
  if (const std::string why = watchdog.why(); !why.empty())
    streams.err << fmt::format("leto: {}\n", why);
}

// Runs in every way that the model leaves open, one run each.
class Exhaustion {
 public:
  Exhaustion(const workbench::Executable& e, const RunOptions& options, const Allowance& allowance)
      : e_(e),
        options_(options),
        allowance_(allowance),
        made_up_(!core::externals_called(e.program).empty()),
        unknown_(core::has_unknown_functions(e.program)) {}

  ExitCode run(const interp::Inputs& inputs, RunReport& report, Streams& streams) {
    go_through(inputs);
    if (options_.format == Format::Json) {
      streams.out << report::to_text(machine(inputs, report));
    } else {
      if (first_) report.outcome(*first_, false);
      streams.out << text_of_runs() << fmt::format("  {}\n", extent());
    }
    const bool open = ends_.contains(End::Undecidable) || ends_.contains(End::OriginalHung);
    if (first_) return ExitCode::DoesNotHold;
    return more_ || open || runs_ == 0 || !chooser_.complete() || made_up_ || unknown_
               ? ExitCode::Undecided
               : ExitCode::Fine;
  }

 private:
  [[nodiscard]] std::string text_of_runs() const {
    if (runs_ == 0)
      return fmt::format("  no run: {}\n", impossible_.empty()
                                               ? "none was begun"
                                               : "none is possible, " + impossible_);
    std::string list;
    for (const auto& [end, count] : ends_)
      list += fmt::format("{}{} {}", list.empty() ? "" : ", ", count, interp::describe(end));
    return fmt::format("  {} runs: {}; {} with a claim that does not hold\n", runs_, list,
                       violated_);
  }
  [[nodiscard]] json machine(const interp::Inputs& inputs, const RunReport& report) const {
    json ends = json::object();
    for (const auto& [end, count] : ends_) ends[std::string(interp::describe(end))] = count;
    json out = {{"runs", runs_},
                {"ends", std::move(ends)},
                {"violated", violated_},
                {"all", is_all()},
                {"extent", extent()}};
    if (runs_ == 0) out["impossible"] = impossible_;
    if (first_) out["first"] = report.machine(inputs, *first_);
    return out;
  }

  void go_through(const interp::Inputs& inputs) {
    interp::Options how;
    how.limits.steps = options_.steps;
    while (more_ && runs_ < options_.max_runs) {
      interp::Outcome o = e_.machine->run(e_.function, inputs, chooser_, how);
      if (e_.machine->spent()) break;  // it may have been cut off
      if (o.end != End::Impossible) {
        ++runs_;
        ++ends_[o.end];
        if (o.end == End::Done && !o.violations.empty()) ++violated_;
        if (bad(e_.program, o) && !first_) first_ = std::move(o);
      } else if (impossible_.empty()) {
        impossible_ = o.why.empty() ? std::string(interp::describe(o.end)) : o.why;
      }
      more_ = chooser_.next();
    }
  }

  [[nodiscard]] bool is_all() const {
    return !e_.machine->spent() && !more_ && runs_ > 0 && chooser_.complete() && !unknown_ &&
           !made_up_;
  }
  // How many of all runs these are.
  [[nodiscard]] std::string extent() const {
    if (e_.machine->spent())
      return fmt::format("not all possibilities were tried: {}", describe(allowance_.ended_by()));
    if (more_) return "not all possibilities were tried: --max-runs was reached";
    if (!chooser_.complete())
      return "the model leaves endlessly many values open; of those, some were tried";
    if (unknown_)
      return runs_ == 0 ? "the functions that nobody knows were drawn once; another --seed draws "
                          "others"
                        : "functions that nobody knows were the same in all of these runs; others "
                          "were not tried";
    if (made_up_)
      return "external functions had one result for each of their arguments, of all that they "
             "may have";
    return runs_ == 0 ? "the model allows no run from these inputs"
                      : "these are all runs from these inputs";
  }

  const workbench::Executable& e_;
  const RunOptions& options_;
  const Allowance& allowance_;  // of the machine
  bool made_up_, unknown_;
  interp::ExhaustiveChooser chooser_;
  std::map<End, std::uint64_t> ends_;
  std::uint64_t runs_ = 0, violated_ = 0;
  std::string impossible_;  // why the first was, of those that are no runs
  std::optional<interp::Outcome> first_;
  bool more_ = true;
};

// What inputs to run on: those that are given, those of a script, or random ones. Otherwise it is
// said, and `code` is why not.
std::optional<interp::Inputs> find_inputs(const workbench::Executable& e, const RunOptions& options,
                                          const json& script, Programs& files, ExitCode& code,
                                          Streams& streams) {
  code = ExitCode::BadInput;
  if (!options.input.empty() || (script.is_object() && script.contains("inputs"))) {
    json given;
    if (options.input.empty())
      given = script["inputs"];
    else if (!read(options.input, given, files, streams))
      return std::nullopt;
    std::string problem;
    interp::Inputs inputs = script::inputs_from_json(*e.machine, e.function, given, problem);
    if (problem.empty()) script::functions_from_json(e.program, script, inputs, problem);
    if (inputs.values.tables && options.faults.empty() && !options.no_faults)
      inputs.values.tables->seed = options.seed;
    if (problem.empty()) return inputs;
    streams.err << fmt::format("leto: error: the inputs cannot be used: {}\n", problem);
    return std::nullopt;
  }
  if (options.random_input || e.program.functions[e.function].params.empty()) {
    auto made = interp::random_inputs(*e.machine, e.function, options.seed, options.inputs(20'000));
    std::string problem;
    if (made) script::functions_from_json(e.program, script, *made, problem);
    if (!problem.empty()) {
      streams.err << fmt::format("leto: error: the script cannot be used: {}\n", problem);
      return std::nullopt;
    }
    if (!made)
      streams.err << "leto: error: no random inputs were found that meet the requirements; give "
                     "some with --input, or try --max-size and --max-number\n";
    return made;
  }
  streams.err << "leto: error: there are no inputs: give a file with --input, or "
                 "--random-input\n";
  code = ExitCode::Usage;
  return std::nullopt;
}

// Who decides what the model leaves open; null, and said, if the script cannot be used.
std::unique_ptr<interp::Chooser> find_chooser(const workbench::Executable& e,
                                              const RunOptions& options, const json& script,
                                              const interp::Inputs& inputs, Streams& streams) {
  if (!options.faults.empty()) {
    std::string problem;
    std::vector<interp::Taken> taken = script::script_from_json(e.program, script, problem);
    if (problem.empty()) return std::make_unique<interp::ScriptChooser>(std::move(taken));
    streams.err << fmt::format("leto: error: the script cannot be used: {}\n", problem);
    return nullptr;
  }
  if (options.no_faults) return std::make_unique<interp::ExactChooser>();
  interp::ExactChooser exact;
  const interp::Outcome dry = e.machine->run(e.function, inputs, exact, {});
  const std::uint64_t site = dry.sites == 0 ? 0 : options.seed * 0x9e3779b97f4a7c15u % dry.sites;
  return std::make_unique<interp::RandomChooser>(options.seed, interp::FaultPolicy{site, 0.2});
}

interp::Outcome execute(const workbench::Executable& e, const RunOptions& options,
                        const interp::Inputs& inputs, interp::Chooser& chooser,
                        const Watchdog& watchdog) {
  interp::Options how;
  how.limits.steps = options.steps;
  how.events = true;
  std::unique_ptr<solver::Solver> solver;
  const interp::Oracle oracle = [&](std::uint32_t index,
                                    const std::vector<interp::Number>& arguments,
                                    const interp::Number& exact, const interp::Variables& state) {
    if (!solver)
      solver = solver::make_process_solver(solver::z3_command(), {}, watchdog.allowance());
    return diagnose::solver_oracle(e.program, *solver)(index, arguments, exact, state);
  };
  return e.machine->run(e.function, inputs, chooser, how, oracle);
}

// False, and said, if it cannot be written.
[[nodiscard]] bool save_script(const workbench::Executable& e, const std::string& path,
                               const interp::Inputs& inputs, const interp::Outcome& o,
                               Streams& streams) {
  const files::Problem why =
      files::write(path, report::to_text(script::script_to_json(
                             e.program, e.function, interp::with_tables(inputs, o), o.taken)));
  if (!why.empty())
    streams.err << fmt::format("leto: error: cannot write '{}': {}\n", report::name_on_line(path),
                               why);
  return why.empty();
}

ExitCode run_run(const RunOptions& options, const Watchdog& watchdog, Streams& streams) {
  if (!can_be_read(
          {{"FILE", options.file}, {"--input", options.input}, {"--faults", options.faults}},
          streams))
    return ExitCode::Usage;
  Programs files(streams.in);
  workspace::Workspace workspace(files, all_places(options.places, streams), &watchdog.allowance());
  const std::unique_ptr<workbench::Executable> e =
      prepare(workspace, options, watchdog.allowance(), streams);
  if (!e) return ExitCode::BadInput;
  json script;
  if (!options.faults.empty() && !read(options.faults, script, files, streams))
    return ExitCode::BadInput;
  ExitCode why_none = ExitCode::Fine;
  const auto inputs = find_inputs(*e, options, script, files, why_none, streams);
  if (!inputs) return why_none;
  RunReport report(*e, workspace.sources(), streams);
  const bool text = options.format == Format::Text;
  if (text) {
    streams.out << fmt::format("{}, {} under {}\n", report::name_on_line(shown(options.file)),
                               e->program.functions[e->function].name, e->program.model.name);
    report.inputs(*inputs);
  }
  if (options.exhaustive) {
    const ExitCode code =
        Exhaustion(*e, options, watchdog.allowance()).run(*inputs, report, streams);
    tell_why(watchdog, streams);
    return code;
  }
  const auto chooser = find_chooser(*e, options, script, *inputs, streams);
  if (!chooser) return ExitCode::BadInput;
  const interp::Outcome o = execute(*e, options, *inputs, *chooser, watchdog);
  tell_why(watchdog, streams);
  if (!options.save.empty() && !save_script(*e, options.save, *inputs, o, streams))
    return ExitCode::BadInput;
  if (!text) streams.out << report::to_text(report.machine(*inputs, o));
  if (text && options.trace) report.trace(o);
  if (text) report.outcome(o, !options.trace);
  return code_of(e->program, o);
}

}  // namespace

Command add_run(const Table& table) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App& command =
      *table.app.add_subcommand("run", "Run a program, on perfect hardware and under a model");
  add_execution(command, *options, table.limits);
  command.add_flag("--random-input", options->random_input,
                   "Make inputs that meet the requirements, by the seed");
  command
      .add_option("--faults", options->faults,
                  "Repeat the faults (and inputs) of a script; '-' is the standard input")
      ->option_text("FILE");
  command.add_flag("--no-faults", options->no_faults, "Take the exact specification everywhere");
  command.add_flag("--exhaustive", options->exhaustive,
                   "Every run that the model allows, as far as that ends");
  command.add_option("--max-runs", options->max_runs, "Runs after which --exhaustive gives up")
      ->option_text("N")
      ->check(at_least(1));
  command.add_flag("--trace", options->trace, "Show every step of both runs");
  command.add_option("--save", options->save, "Write inputs and faults of this run as a script")
      ->option_text("FILE")
      ->check(no_stream("the script is written to a file; '--format json' prints it"));
  add_format(command, options->format, {Format::Text, Format::Json});
  command.footer(
      "Examples:\n"
      "  leto run program.leto --input in.json --seed 7\n"
      "  leto run program.leto --random-input --trace\n"
      "  leto run program.leto --input in.json --exhaustive");
  return watched(command, options, run_run);
}

}  // namespace leto::driver
