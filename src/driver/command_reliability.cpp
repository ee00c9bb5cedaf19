#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "driver/checkers.h"
#include "driver/commands.h"
#include "driver/engine.h"
#include "driver/execution.h"
#include "driver/workspace.h"
#include "lower/lower.h"
#include "reliability/reliability.h"

namespace leto::driver {

using nlohmann::json;
using reliability::Chance;

namespace {

// One bound, and what was found.
struct Bounded {
  core::FunctionId function;
  const core::ReliabilityClause* clause;
  reliability::Analysis analysis;
  bool holds = false;
  std::string missing;  // parameters that the clause does not name
  std::string unshown;  // a function whose clause is used and does not hold
};

Bounded decide(const core::Program& program, core::FunctionId id,
               const core::ReliabilityClause& clause, const reliability::Options& options) {
  const core::Function& f = program.functions[id];
  Bounded out{id, &clause, {}, false, {}, {}};
  const std::set<core::VarId> wanted =
      clause.of_result ? std::set<core::VarId>{f.result}
                       : std::set<core::VarId>(clause.vars.begin(), clause.vars.end());
  out.analysis = reliability::analyse(program, id, wanted, options);
  const Chance bound = Chance::parse(clause.number).value_or(reliability::certain());
  out.holds = out.analysis.problems.empty() && out.analysis.before.chance.at_least(bound);
  // Of a bound in terms of parameters, no others may matter.
  if (clause.of_result)
    for (core::VarId var : out.analysis.before.vars)
      if (std::find(clause.vars.begin(), clause.vars.end(), var) == clause.vars.end()) {
        out.missing += (out.missing.empty() ? "" : ", ") + program.vars[var].name;
        out.holds = false;
      }
  return out;
}

// All bounds. One that rests on a function's clause holds only if that does.
std::vector<Bounded> decide_all(const core::Program& program, const reliability::Options& options) {
  std::vector<Bounded> all;
  for (std::uint32_t i = 0; i < program.functions.size(); ++i) {
    const core::Function& f = program.functions[core::FunctionId{i}];
    for (const core::ReliabilityClause& clause : f.reliability)
      if (!f.external()) all.push_back(decide(program, core::FunctionId{i}, clause, options));
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (Bounded& b : all) {
      if (!b.unshown.empty()) continue;
      for (const Bounded& other : all)
        if (!other.holds && other.clause->of_result && &other != &b &&
            b.analysis.relies_on.contains(other.function)) {
          b.unshown = program.functions[other.function].name;
          b.holds = false;
          changed = true;
          break;
        }
    }
  }
  return all;
}

// What is needed before each line. Where a loop comes more than once, its last iterations need
// other variables than those before them.
std::string explain(const SourceStore& sources, const reliability::Analysis& analysis) {
  std::string out = "          needed before each line:\n";
  std::uint32_t last = 0;
  for (const auto& [at, needed] : analysis.trail) {
    const SourceFile& file = sources[at.file];
    const std::uint32_t line_number = file.line_of(at.begin);
    if (line_number == last) continue;  // a part of the line needs what the line needs
    last = line_number;
    std::string line(file.line_text(line_number));
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    if (line.size() > 44) line = line.substr(0, 41) + "...";
    out += fmt::format("          {:>5} | {:<44}  {}\n", line_number, line, needed);
  }
  return out;
}

// The largest value of a constant, in steps of 10^-9, for which something holds.
std::optional<std::string> largest(core::VarId constant, reliability::Options options,
                                   const std::function<bool(const reliability::Options&)>& holds) {
  const auto at = [&](std::uint64_t billionth) {
    options.constants[constant] = Chance(mpq_class(mpz_class(billionth), mpz_class(1'000'000'000)));
    return holds(options);
  };
  if (!at(0)) return std::nullopt;
  std::uint64_t low = 0, high = 1'000'000'001;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (middle <= 1'000'000'000 && at(middle) ? low : high) = middle;
  }
  return Chance(mpq_class(mpz_class(low), mpz_class(1'000'000'000))).text();
}

bool all_hold(const std::vector<Bounded>& bounds) {
  return std::all_of(bounds.begin(), bounds.end(), [](const Bounded& b) { return b.holds; });
}

// What would make a bound hold.
std::string advice(const SourceStore& sources, const core::Program& program, const Bounded& b,
                   const reliability::Options& options) {
  if (!b.analysis.problems.empty() || !b.missing.empty() || !b.unshown.empty() ||
      b.analysis.shares.empty() || !options.recovery_rule)
    return "";
  std::set<core::VarId> rates;
  for (const core::Specification& spec : program.specifications)
    if (spec.rate.valid())
      if (const auto* ref = std::get_if<core::VarRef>(&program.exprs[spec.rate].node))
        rates.insert(ref->var);
  std::string out;
  for (core::VarId rate : rates)
    if (const auto most = largest(rate, options, [&](const reliability::Options& with) {
          return decide(program, b.function, *b.clause, with).holds;
        }))
      out += fmt::format("    next  it would hold with {} of at most {}\n", program.vars[rate].name,
                         *most);
  const reliability::Share& first = b.analysis.shares[0];
  bool unknown_check = false;
  for (std::size_t i = 0; i < program.recoveries.size(); ++i) {
    const Span& span = program.recoveries[i].span;
    unknown_check = unknown_check || (!options.checkers.contains(i) && span.file == first.at.file &&
                                      span.begin <= first.at.begin && first.at.end <= span.end);
  }
  const std::string_view what =
      unknown_check ? "'try' gains nothing as long as its check is neither proved nor declared"
      : first.kind == reliability::Share::Kind::Recovery
          ? "recover on better hardware ('redo under' another model), or check better"
      : first.kind == reliability::Share::Kind::Call
          ? "the function's own clause may promise too little"
          : "put it into 'try', check what it computes, and recover";
  out += fmt::format("    next  {}most is lost at {}: {}\n",
                     out.empty() ? "" : "or: ", place(sources, first.at), what);
  return out;
}

// One program: what is known of its checks and its bounds.
class Examined {
 public:
  Examined(const core::Program& program, const SourceStore& sources,
           const ReliabilityOptions& options, prove::Engine& engine)
      : program_(program), sources_(sources), options_(options) {
    how_.recovery_rule = !options.no_recovery_rule;
    if (how_.recovery_rule) {
      Checkers found = prove_checkers(program, engine);
      how_.checkers = std::move(found.proved);
      doubts_ = std::move(found.doubts);
      declare();
    }
    bounds_ = decide_all(program, how_);
  }

  [[nodiscard]] bool all() const { return all_hold(bounds_); }

  [[nodiscard]] std::string text() const {
    std::string out;
    for (std::size_t i = 0; i < program_.recoveries.size() && how_.recovery_rule; ++i)
      out += fmt::format("  {}: the check is {}\n", where(program_.recoveries[i].span), check(i));
    for (const core::Function& f : program_.functions)
      for (const core::ReliabilityClause& clause : f.reliability)
        if (f.external())
          out += fmt::format("  declared {}: {}\n", where(clause.span), sources_.text(clause.span));
    for (const Bounded& b : bounds_) out += text(b);
    if (bounds_.empty())
      out += "  there is no bound: write 'reliability 0.99 <= R(result)' before a function\n";
    return out;
  }

  // The largest value of a constant for which all bounds hold; nothing if there is none.
  [[nodiscard]] std::optional<std::string> solve(core::VarId constant) const {
    return largest(constant, how_, [&](const reliability::Options& with) {
      return all_hold(decide_all(program_, with));
    });
  }

  [[nodiscard]] json machine() const {
    json checks = json::array(), declared = json::array(), bounds = json::array();
    for (std::size_t i = 0; i < program_.recoveries.size(); ++i) {
      const auto it = how_.checkers.find(i);
      checks.push_back({{"place", where(program_.recoveries[i].span)},
                        {"known", it == how_.checkers.end() ? "no" : it->second.how}});
      if (doubts_.contains(i)) {
        const Doubt& doubt = doubts_.at(i);
        checks.back()["doubt"] = doubt.text;
        for (const auto& [name, value] : doubt.inputs) checks.back()["inputs"][name] = value;
        for (const Doubt::Fault& fault : doubt.faults)
          checks.back()["faults"].push_back({{"place", where(fault.at)},
                                             {"operation", fault.what},
                                             {"outcome", fault.outcome},
                                             {"exact", fault.exact}});
      }
    }
    for (const core::Function& f : program_.functions)
      for (const core::ReliabilityClause& clause : f.reliability)
        if (f.external()) declared.push_back(clause_of(f, clause));
    for (const Bounded& b : bounds_) {
      json problems = json::array(), shares = json::array();
      for (const reliability::Problem& problem : b.analysis.problems)
        problems.push_back({{"place", where(problem.at)}, {"text", problem.text}});
      for (const reliability::Share& share : b.analysis.shares)
        shares.push_back(
            {{"place", where(share.at)}, {"what", share.what}, {"percent", percent(b, share)}});
      json one = clause_of(program_.functions[b.function], *b.clause);
      one["holds"] = b.holds;
      one["chance"] = b.analysis.before.chance.text(18);
      one["problems"] = std::move(problems);
      one["shares"] = std::move(shares);
      if (!b.missing.empty()) one["depends_on"] = b.missing;
      if (!b.unshown.empty()) one["rests_on"] = b.unshown;
      bounds.push_back(std::move(one));
    }
    return {{"model", program_.model.name},
            {"checks", std::move(checks)},
            {"declared", std::move(declared)},
            {"bounds", std::move(bounds)}};
  }

 private:
  [[nodiscard]] std::string where(const Span& span) const { return place(sources_, span); }

  // What is not proved may be declared.
  void declare() {
    for (std::size_t i = 0; i < program_.recoveries.size(); ++i)
      if (const core::Recovery& r = program_.recoveries[i];
          !how_.checkers.contains(i) && !r.checker.empty())
        how_.checkers[i] = {Chance::parse(r.false_positive).value_or(reliability::certain()),
                            Chance::parse(r.false_negative).value_or(reliability::certain()),
                            "declared"};
  }

  [[nodiscard]] std::string check(std::size_t i) const {
    const auto it = how_.checkers.find(i);
    if (it == how_.checkers.end())
      return fmt::format(
          "not proved to pass exactly what is right: {}\n{}"
          "          declare a checker with its rates; until then it counts as any other branch",
          doubts_.at(i).text, example(doubts_.at(i)));
    if (it->second.how == "proved") return "proved to pass exactly what is right";
    const core::Recovery& r = program_.recoveries[i];
    return fmt::format("declared as '{}': false positives {}, false negatives {}", r.checker,
                       r.false_positive, r.false_negative);
  }

  // The run that shows what is wrong with a check.
  [[nodiscard]] std::string example(const Doubt& doubt) const {
    if (doubt.inputs.empty() && doubt.faults.empty()) return "";
    std::string with, because;
    for (const auto& [name, value] : doubt.inputs)
      with += fmt::format("{}{} = {}", with.empty() ? "" : ", ", name, value);
    for (const Doubt::Fault& fault : doubt.faults)
      because += fmt::format("{} '{}' at {} gives {} instead of {}", because.empty() ? "" : " and",
                             fault.what, where(fault.at), fault.outcome, fault.exact);
    return fmt::format("          as with {}{}{}\n", with, because.empty() ? "" : ", where",
                       because);
  }

  [[nodiscard]] json clause_of(const core::Function& f, const core::ReliabilityClause& c) const {
    return {{"function", f.name}, {"place", where(c.span)}, {"clause", sources_.text(c.span)}};
  }

  // Of what is lost.
  [[nodiscard]] static double percent(const Bounded& b, const reliability::Share& share) {
    double sum = 0;
    for (const reliability::Share& one : b.analysis.shares) sum += one.weight;
    return sum > 0 && std::isfinite(sum) ? 100 * share.weight / sum : 100;
  }

  [[nodiscard]] std::string text(const Bounded& b) const {
    std::string out = fmt::format("  {:<7} {}: {}\n", b.holds ? "holds" : "FAILS",
                                  where(b.clause->span), sources_.text(b.clause->span));
    const std::string best = reliability::text(program_, b.analysis.before);
    if (b.unshown.empty())
      out += fmt::format("          proved: {}\n", best);
    else
      out += fmt::format(
          "          it rests on the clause of '{}', which does not hold: with it, {}\n", b.unshown,
          best);
    if (!b.missing.empty())
      out += fmt::format("          it depends on {}, which the bound does not name\n", b.missing);
    for (const reliability::Problem& problem : b.analysis.problems)
      out += fmt::format("          {}: {}\n", where(problem.at), problem.text);
    for (std::size_t k = 0; k < b.analysis.shares.size(); ++k)
      if (const reliability::Share& share = b.analysis.shares[k]; k < 5 || options_.explain)
        out += fmt::format("          {:5.1f} %  {}: {}\n", percent(b, share), where(share.at),
                           share.what);
    if (!b.holds) out += advice(sources_, program_, b, how_);
    if (options_.explain) out += explain(sources_, b.analysis);
    return out;
  }

  const core::Program& program_;
  const SourceStore& sources_;
  const ReliabilityOptions& options_;
  reliability::Options how_;
  std::map<std::size_t, Doubt> doubts_;  // of checks that are not proved
  std::vector<Bounded> bounds_;
};

core::VarId find_constant(const core::Program& program, const std::string& name) {
  for (const core::ConstantVar& c : program.constants)
    if (program.vars[c.var].name == name || program.vars[c.var].name == "model." + name)
      return c.var;
  return {};
}

}  // namespace

ExitCode command_reliability(const ReliabilityOptions& options, Streams& streams) {
  RealFileSystem files;
  Workspace workspace(files, full_model_path(options.verify.model_path, streams));
  DiagnosticList diagnostics;
  Proving proving(options.verify, streams);
  const bool text = options.verify.format == Format::Text;
  const std::string model = options.verify.models.empty() ? "" : options.verify.models[0];
  json list = json::array();
  bool all = true;
  for (const std::string& path : options.verify.files) {
    Program loaded;
    const auto checked = load_checked(workspace, path, model, loaded, diagnostics);
    if (!checked) continue;
    const core::Program program = lower::lower(*checked, workspace.names());
    const core::VarId constant = find_constant(program, options.solve);
    if (!options.solve.empty() && !constant.valid()) {
      std::string known;
      for (const core::ConstantVar& c : program.constants)
        known += (known.empty() ? "" : ", ") + program.vars[c.var].name;
      streams.err << fmt::format("leto: error: there is no constant '{}'; there is {}\n",
                                 options.solve, known.empty() ? "none" : known);
      return ExitCode::Usage;
    }
    prove::Engine engine{{}, proving.crew, proving.cache.get()};
    const Examined examined(program, workspace.sources(), options, engine);
    all = all && examined.all();
    if (text)
      streams.out << fmt::format("{} under {}\n", path, program.model.name) << examined.text();
    json one = text ? json() : examined.machine();
    if (constant.valid()) {
      const std::optional<std::string> most = examined.solve(constant);
      if (!text)
        one["solved"] = most.value_or("none");
      else if (most)
        streams.out << fmt::format("  all bounds hold up to {} = {}\n", options.solve, *most);
      else
        streams.out << fmt::format("  the bounds do not hold even if {} is 0\n", options.solve);
    }
    if (!text) one["file"] = path;
    list.push_back(std::move(one));
  }
  if (!text) streams.out << json{{"tool", "leto"}, {"programs", std::move(list)}}.dump(2) << "\n";
  show_diagnostics(diagnostics, workspace.sources(), options.verify.colour, streams);
  if (diagnostics.errors() > 0) return ExitCode::BadInput;
  return all ? ExitCode::Fine : ExitCode::DoesNotHold;
}

}  // namespace leto::driver
