#include <fmt/core.h>

#include <atomic>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "diagnose/oracle.h"
#include "driver/execute.h"
#include "driver/interrupt.h"
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

class RunReport {
 public:
  RunReport(const workbench::Executable& e, const SourceStore& sources, Streams& streams)
      : e_(e), sources_(sources), streams_(streams) {}

  void inputs(const interp::Inputs& inputs) {
    std::string parameters, constants;
    const auto add = [&](std::string& to, core::VarId var) {
      const core::Var& v = e_.program.vars[var];
      const auto& original = inputs.values.original[var.value];
      const auto& relaxed = inputs.values.relaxed[var.value];
      const std::string start = to.empty() ? "" : ", ";
      if (interp::equal(original, relaxed))
        to += fmt::format("{}{} = {}", start, v.name, text(original, v.type));
      else
        to += fmt::format("{}{}<o> = {}, {}<r> = {}", start, v.name, text(original, v.type), v.name,
                          text(relaxed, v.type));
    };
    for (core::VarId param : e_.program.functions[e_.function].params) add(parameters, param);
    for (const core::ConstantVar& c : e_.program.constants) add(constants, c.var);
    line("inputs", parameters.empty() ? "none" : parameters);
    if (!constants.empty()) line("constants", constants);
  }

  void trace(const interp::Outcome& o) {
    for (const interp::Event& event : o.events) {
      if (event.var.valid() && e_.program.vars[event.var].kind == core::VarKind::Temp) continue;
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
    const core::Function& f = e_.program.functions[e_.function];
    if (f.result.valid()) {
      const core::Type& type = e_.program.vars[f.result].type;
      if (o.original) line("original", text(*o.original, type));
      if (o.relaxed)
        line("relaxed",
             text(*o.relaxed, type) +
                 (o.original && interp::equal(*o.original, *o.relaxed) ? ", the same" : ""));
    }
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
    line("claims", fmt::format("{} evaluated, {}", o.claims,
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
    json out = script::script_to_json(e_.program, e_.function, inputs, o.taken);
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
    if (f.result.valid() && o.original)
      out["original"] = text(*o.original, e_.program.vars[f.result].type);
    if (f.result.valid() && o.relaxed)
      out["relaxed"] = text(*o.relaxed, e_.program.vars[f.result].type);
    return out;
  }

 private:
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

bool read(const std::string& given, json& out, Streams& streams) {
  std::string problem;
  std::optional<json> parsed = read_json(given, problem);
  if (!parsed)
    streams.err << fmt::format("leto: error: cannot use '{}': {}\n", report::name_on_line(given),
                               problem);
  else
    out = std::move(*parsed);
  return parsed.has_value();
}

// Every possibility that the model leaves open, one run each.
ExitCode exhaust(const workbench::Executable& e, const interp::Inputs& inputs,
                 const RunOptions& options, RunReport& report, Streams& streams) {
  interp::ExhaustiveChooser chooser;
  interp::Options how;
  how.limits.steps = options.execute.steps;
  std::map<End, std::uint64_t> ends;
  std::uint64_t runs = 0, violated = 0;
  std::optional<interp::Outcome> first;
  bool more = true;
  while (more && runs < options.max_runs) {
    interp::Outcome o = e.machine->run(e.function, inputs, chooser, how);
    if (e.machine->spent()) break;  // it may have been cut off
    if (o.end != End::Impossible) {
      ++runs;
      ++ends[o.end];
      if (o.end == End::Done && !o.violations.empty()) ++violated;
      if (bad(e.program, o) && !first) first = std::move(o);
    }
    more = chooser.next();
  }
  if (first) report.outcome(*first, false);
  streams.out << fmt::format("  {} runs: ", runs);
  std::string list;
  for (const auto& [end, count] : ends)
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", count, interp::describe(end));
  streams.out << list << fmt::format("; {} with a claim that does not hold\n", violated);
  const bool made_up = !core::externals_called(e.program).empty();
  const bool open = ends.contains(End::Undecidable) || ends.contains(End::OriginalHung);
  if (e.machine->spent())
    streams.out << "  not all possibilities were tried: the time is over (--time)\n";
  else if (more)
    streams.out << "  not all possibilities were tried: --max-runs was reached\n";
  else if (!chooser.complete())
    streams.out << "  the model leaves endlessly many values open; of those, some were tried\n";
  else if (made_up)
    streams.out
        << "  external functions had one result for each of their arguments, of all that they "
           "may have\n";
  else
    streams.out << "  these are all runs from these inputs\n";
  if (first) return ExitCode::DoesNotHold;
  return more || open || !chooser.complete() || made_up ? ExitCode::Undecided : ExitCode::Fine;
}

}  // namespace

ExitCode command_run(const RunOptions& options, const Watchdog& watchdog, Streams& streams) {
  Programs files(streams.in);
  workspace::Workspace workspace(files, all_places(options.execute.places, streams),
                                 &watchdog.allowance());
  const std::unique_ptr<workbench::Executable> e =
      prepare(workspace, options.execute, watchdog.allowance(), streams);
  if (!e) return ExitCode::BadInput;
  std::string problem;
  json script_json;
  if (!options.faults.empty() && !read(options.faults, script_json, streams))
    return ExitCode::BadInput;
  interp::Inputs inputs;
  if (!options.execute.input.empty() ||
      (script_json.is_object() && script_json.contains("inputs"))) {
    json given;
    if (options.execute.input.empty())
      given = script_json["inputs"];
    else if (!read(options.execute.input, given, streams))
      return ExitCode::BadInput;
    inputs = script::inputs_from_json(*e->machine, e->function, given, problem);
    if (!problem.empty()) {
      streams.err << fmt::format("leto: error: the inputs cannot be used: {}\n", problem);
      return ExitCode::BadInput;
    }
  } else if (options.random_input || e->program.functions[e->function].params.empty()) {
    const auto made =
        interp::random_inputs(*e->machine, e->function, options.execute.seed,
                              {options.execute.max_size, options.execute.max_number, 20'000});
    if (!made) {
      streams.err << "leto: error: no random inputs were found that meet the requirements; give "
                     "some with --input, or try --max-number\n";
      return ExitCode::BadInput;
    }
    inputs = *made;
  } else {
    streams.err << "leto: error: there are no inputs: give a file with --input, or "
                   "--random-input\n";
    return ExitCode::Usage;
  }
  RunReport report(*e, workspace.sources(), streams);
  const bool text = options.execute.format == Format::Text;
  if (text) {
    streams.out << fmt::format("{}, {} under {}\n", report::name_on_line(options.execute.file),
                               e->program.functions[e->function].name, e->program.model.name);
    report.inputs(inputs);
  }
  if (options.exhaustive) return exhaust(*e, inputs, options, report, streams);

  interp::Options how;
  how.limits.steps = options.execute.steps;
  how.events = true;
  std::unique_ptr<interp::Chooser> chooser;
  std::vector<interp::Taken> script;
  if (!options.faults.empty()) {
    script = script::script_from_json(e->program, script_json, problem);
    if (!problem.empty()) {
      streams.err << fmt::format("leto: error: the script cannot be used: {}\n", problem);
      return ExitCode::BadInput;
    }
    chooser = std::make_unique<interp::ScriptChooser>(script);
  } else if (options.no_faults) {
    chooser = std::make_unique<interp::ExactChooser>();
  } else {
    interp::ExactChooser exact;
    const interp::Outcome dry = e->machine->run(e->function, inputs, exact, {});
    chooser = std::make_unique<interp::RandomChooser>(
        options.execute.seed,
        interp::FaultPolicy{
            dry.sites == 0 ? 0 : options.execute.seed * 0x9e3779b97f4a7c15u % dry.sites, 0.2});
  }
  std::unique_ptr<solver::Solver> solver;
  const interp::Oracle oracle = [&](std::uint32_t index,
                                    const std::vector<interp::Number>& arguments,
                                    const interp::Variables& state) {
    if (!solver)
      solver = solver::make_process_solver(solver::z3_command(), {}, watchdog.allowance());
    return diagnose::solver_oracle(e->program, *solver)(index, arguments, state);
  };
  const interp::Outcome o = e->machine->run(e->function, inputs, *chooser, how, oracle);
  if (const std::string why = watchdog.why(); !why.empty())
    streams.err << fmt::format("leto: {}\n", why);
  if (!options.save.empty())
    if (const files::Problem why = files::write(
            options.save,
            report::to_text(script::script_to_json(e->program, e->function, inputs, o.taken)));
        !why.empty()) {
      streams.err << fmt::format("leto: error: cannot write '{}': {}\n",
                                 report::name_on_line(options.save), why);
      return ExitCode::BadInput;
    }
  if (!text) {
    streams.out << report::to_text(report.machine(inputs, o));
    return code_of(e->program, o);
  }
  if (options.trace) report.trace(o);
  report.outcome(o, !options.trace);
  return code_of(e->program, o);
}

}  // namespace leto::driver
