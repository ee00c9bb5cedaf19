#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "driver/checkers.h"
#include "driver/commands.h"
#include "driver/engine.h"
#include "driver/execution.h"
#include "driver/render.h"
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
};

Bounded decide(const core::Program& program, core::FunctionId id,
               const core::ReliabilityClause& clause, const reliability::Options& options) {
  const core::Function& f = program.functions[id];
  Bounded out{id, &clause, {}, false, {}};
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

std::string written(const SourceStore& sources, const Span& span) {
  return std::string(sources[span.file].text().substr(span.begin, span.end - span.begin));
}

// What is needed before each statement. Where a loop comes more than once, its last iterations
// need other variables than those before them.
void explain(const SourceStore& sources, const reliability::Analysis& analysis, std::ostream& out) {
  out << "          needed before each statement:\n";
  Span last;
  for (const auto& [at, needed] : analysis.trail) {
    const Position position = sources[at.file].position(at.begin);
    std::string line = written(sources, at);
    line = line.substr(0, std::min(line.find('\n'), line.size()));
    if (line.size() > 44) line = line.substr(0, 41) + "...";
    // Parts of one line need what the line needs.
    if (last.file.valid() && last.file == at.file &&
        sources[at.file].position(last.begin).line == position.line)
      continue;
    last = at;
    out << fmt::format("          {:>5} | {:<44}  {}\n", position.line, line, needed);
  }
}

// The largest value of a constant, in steps of 10^-9, for which all bounds hold.
std::optional<std::string> solve(const core::Program& program, core::VarId constant,
                                 reliability::Options options) {
  const auto all = [&](std::uint64_t billionth) {
    options.constants[constant] = Chance(mpq_class(mpz_class(billionth), mpz_class(1'000'000'000)));
    for (std::uint32_t i = 0; i < program.functions.size(); ++i)
      for (const core::ReliabilityClause& clause :
           program.functions[core::FunctionId{i}].reliability)
        if (!program.functions[core::FunctionId{i}].external() &&
            !decide(program, core::FunctionId{i}, clause, options).holds)
          return false;
    return true;
  };
  if (!all(0)) return std::nullopt;
  std::uint64_t low = 0, high = 1'000'000'001;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (middle <= 1'000'000'000 && all(middle) ? low : high) = middle;
  }
  return Chance(mpq_class(mpz_class(low), mpz_class(1'000'000'000))).text();
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
    reliability::Options how;
    how.recovery_rule = !options.no_recovery_rule;
    prove::Engine engine{{}, proving.crew, proving.cache.get()};
    if (how.recovery_rule) how.checkers = prove_checkers(program, engine);
    // What is not proved may be declared.
    for (std::size_t i = 0; i < program.recoveries.size() && how.recovery_rule; ++i)
      if (const core::Recovery& r = program.recoveries[i];
          !how.checkers.contains(i) && !r.checker.empty())
        how.checkers[i] = {Chance::parse(r.false_positive).value_or(reliability::certain()),
                           Chance::parse(r.false_negative).value_or(reliability::certain()),
                           "declared"};
    if (text) streams.out << fmt::format("{} under {}\n", path, program.model.name);
    for (std::size_t i = 0; text && i < program.recoveries.size() && how.recovery_rule; ++i) {
      const core::Recovery& r = program.recoveries[i];
      const auto it = how.checkers.find(i);
      streams.out << fmt::format(
          "  {}: the check is {}\n", place(workspace.sources(), r.span),
          it == how.checkers.end()
              ? "not proved to pass exactly what is right: declare a checker with its rates; until "
                "then it counts as any other branch"
          : it->second.how == "proved"
              ? "proved to pass exactly what is right"
              : fmt::format("declared as '{}': false positives {}, false negatives {}", r.checker,
                            r.false_positive, r.false_negative));
    }
    json bounds = json::array(), declared = json::array();
    std::size_t count = 0;
    for (std::uint32_t i = 0; i < program.functions.size(); ++i) {
      const core::FunctionId id{i};
      for (const core::ReliabilityClause& clause : program.functions[id].reliability) {
        if (program.functions[id].external()) {
          if (text)
            streams.out << fmt::format("  declared {}: {}\n",
                                       place(workspace.sources(), clause.span),
                                       written(workspace.sources(), clause.span));
          declared.push_back({{"function", program.functions[id].name},
                              {"place", place(workspace.sources(), clause.span)},
                              {"clause", written(workspace.sources(), clause.span)}});
          continue;
        }
        ++count;
        const Bounded b = decide(program, id, clause, how);
        all = all && b.holds;
        json problems = json::array(), shares = json::array();
        double sum = 0;
        for (const reliability::Share& share : b.analysis.shares) sum += share.weight;
        if (text) {
          streams.out << fmt::format("  {:<7} {}: {}\n", b.holds ? "holds" : "FAILS",
                                     place(workspace.sources(), clause.span),
                                     written(workspace.sources(), clause.span));
          streams.out << fmt::format("          proved: {}\n",
                                     reliability::text(program, b.analysis.before));
          if (!b.missing.empty())
            streams.out << fmt::format(
                "          it depends on {}, which the bound does not name\n", b.missing);
        }
        for (const reliability::Problem& problem : b.analysis.problems) {
          if (text)
            streams.out << fmt::format("          {}: {}\n", place(workspace.sources(), problem.at),
                                       problem.text);
          problems.push_back(
              {{"place", place(workspace.sources(), problem.at)}, {"text", problem.text}});
        }
        for (std::size_t k = 0; k < b.analysis.shares.size(); ++k) {
          const reliability::Share& share = b.analysis.shares[k];
          const double percent = sum > 0 && std::isfinite(sum) ? 100 * share.weight / sum : 100;
          if (text && (k < 5 || options.explain))
            streams.out << fmt::format("          {:5.1f} %  {}: {}\n", percent,
                                       place(workspace.sources(), share.at), share.what);
          shares.push_back({{"place", place(workspace.sources(), share.at)},
                            {"what", share.what},
                            {"percent", percent}});
        }
        if (text && options.explain) explain(workspace.sources(), b.analysis, streams.out);
        bounds.push_back({{"function", program.functions[id].name},
                          {"place", place(workspace.sources(), clause.span)},
                          {"clause", written(workspace.sources(), clause.span)},
                          {"holds", b.holds},
                          {"chance", b.analysis.before.chance.text(18)},
                          {"problems", std::move(problems)},
                          {"shares", std::move(shares)}});
      }
    }
    if (count == 0 && text)
      streams.out
          << "  there is no bound: write 'reliability 0.99 <= R(result)' before a function\n";
    std::string solved;
    if (!options.solve.empty()) {
      core::VarId constant;
      for (const core::ConstantVar& c : program.constants)
        if (program.vars[c.var].name == options.solve ||
            program.vars[c.var].name == "model." + options.solve)
          constant = c.var;
      if (!constant.valid()) {
        streams.err << fmt::format("leto: error: there is no constant '{}'\n", options.solve);
        return ExitCode::Usage;
      }
      const std::optional<std::string> most = solve(program, constant, how);
      solved = most.value_or("none");
      if (text)
        streams.out << (most
                            ? fmt::format("  all bounds hold up to {} = {}\n", options.solve, *most)
                            : fmt::format("  the bounds do not hold even if {} is 0\n",
                                          options.solve));
    }
    json checks = json::array();
    for (std::size_t i = 0; i < program.recoveries.size(); ++i) {
      const auto it = how.checkers.find(i);
      checks.push_back({{"place", place(workspace.sources(), program.recoveries[i].span)},
                        {"known", it == how.checkers.end() ? "no" : it->second.how}});
    }
    list.push_back({{"file", path},
                    {"model", program.model.name},
                    {"checks", std::move(checks)},
                    {"declared", std::move(declared)},
                    {"bounds", std::move(bounds)},
                    {"solved", solved}});
  }
  if (!text) streams.out << json{{"tool", "leto"}, {"programs", std::move(list)}}.dump(2) << "\n";
  diagnostics.sort_and_unique();
  streams.err << render_text(diagnostics, workspace.sources(),
                             {use_colour(options.verify.colour, streams.err_is_terminal), 100});
  if (diagnostics.errors() > 0) return ExitCode::BadInput;
  return all ? ExitCode::Fine : ExitCode::DoesNotHold;
}

}  // namespace leto::driver
