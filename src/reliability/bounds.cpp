#include "reliability/bounds.h"

#include <fmt/core.h>

#include <algorithm>

namespace leto::reliability {

Bound decide(const core::Program& program, core::FunctionId id,
             const core::ReliabilityClause& clause, const Options& options) {
  const core::Function& f = program.functions[id];
  const std::set<core::VarId> named(clause.vars.begin(), clause.vars.end());
  const std::set<core::VarId> wanted = clause.of_result ? std::set<core::VarId>{f.result} : named;
  Bound out{id, &clause, analyse(program, id, wanted, options)};
  const Chance bound = Chance::parse(clause.number).value_or(certain());
  bool holds = out.analysis.problems.empty() && out.analysis.before.chance.at_least(bound);
  // Of a bound in terms of parameters, no others may matter.
  if (clause.of_result)
    for (core::VarId var : out.analysis.before.vars)
      if (!named.contains(var)) {
        out.missing += (out.missing.empty() ? "" : ", ") + program.vars[var].name;
        holds = false;
      }
  out.verdict = holds ? Verdict::Holds : Verdict::Fails;
  return out;
}

std::vector<Bound> decide_all(const core::Program& program, const Options& options) {
  std::vector<Bound> all;
  for (std::uint32_t i = 0; i < program.functions.size(); ++i) {
    const core::Function& f = program.functions[core::FunctionId{i}];
    for (const core::ReliabilityClause& clause : f.reliability)
      if (!f.external()) all.push_back(decide(program, core::FunctionId{i}, clause, options));
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (Bound& b : all) {
      if (!b.unshown.empty()) continue;
      const auto broken = std::find_if(all.begin(), all.end(), [&](const Bound& other) {
        return !other.holds() && other.clause->of_result && &other != &b &&
               b.analysis.relies_on.contains(other.function);
      });
      if (broken == all.end()) continue;
      b.unshown = program.functions[broken->function].name;
      b.verdict = Verdict::Fails;
      changed = true;
    }
  }
  return all;
}

std::vector<Bound> decide_all(const core::Program& program, const Options& options,
                              const std::map<std::size_t, Known>& known_at_best) {
  std::vector<Bound> all = decide_all(program, options);
  if (all_hold(all) || !options.recovery_rule) return all;
  Options best = options;
  best.recoveries = known_at_best;
  const std::vector<Bound> at_best = decide_all(program, best);
  for (std::size_t k = 0; k < all.size(); ++k)
    if (!all[k].holds() && at_best[k].holds()) all[k].verdict = Verdict::Undecided;
  return all;
}

bool all_hold(const std::vector<Bound>& bounds) {
  return std::all_of(bounds.begin(), bounds.end(), [](const Bound& b) { return b.holds(); });
}

}  // namespace leto::reliability
