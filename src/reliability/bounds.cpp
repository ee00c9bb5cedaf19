#include "reliability/bounds.h"

#include <fmt/core.h>

#include <algorithm>

#include "reliability/backwards.h"

namespace leto::reliability {

namespace {

Analysis analyse_clause(const core::Program& program, Backwards& backwards, core::FunctionId id,
                        const core::ReliabilityClause& clause, const Options& options) {
  const core::Function& f = program.functions[id];
  if (!clause.relaxed.valid()) {
    const std::set<core::VarId> named(clause.vars.begin(), clause.vars.end());
    return analyse(program, backwards, id,
                   clause.of_result ? std::set<core::VarId>{f.result()} : named);
  }
  const auto known =
      options.right.find({id, static_cast<std::size_t>(&clause - f.reliability.data())});
  return analyse(program, backwards, id, clause,
                 known == options.right.end() ? KnownRight{} : known->second);
}

Bound decide(const core::Program& program, Backwards& backwards, core::FunctionId id,
             const core::ReliabilityClause& clause, const Options& options) {
  const std::set<core::VarId> named(clause.vars.begin(), clause.vars.end());
  Bound out{id, &clause, analyse_clause(program, backwards, id, clause, options)};
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

// Who rests on a clause that does not hold does not hold either, and so on.
void drop_unshown(const core::Program& program, std::vector<Bound>& all) {
  std::map<core::FunctionId, std::vector<std::size_t>> of_result;
  for (std::size_t k = 0; k < all.size(); ++k)
    if (all[k].clause->of_result) of_result[all[k].function].push_back(k);
  const auto find_broken = [&](std::size_t k) {
    std::size_t first = all.size();
    for (core::FunctionId f : all[k].analysis.relies_on)
      if (const auto it = of_result.find(f); it != of_result.end())
        for (std::size_t other : it->second)
          if (!all[other].holds() && other != k) first = std::min(first, other);
    return first;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (!all[k].unshown.empty()) continue;
      const std::size_t broken = find_broken(k);
      if (broken == all.size()) continue;
      all[k].unshown = program.functions[all[broken].function].name;
      all[k].verdict = Verdict::Fails;
      changed = true;
    }
  }
}

}  // namespace

Bound decide(const core::Program& program, core::FunctionId id,
             const core::ReliabilityClause& clause, const Options& options) {
  Backwards backwards(program, options);
  return decide(program, backwards, id, clause, options);
}

std::vector<Bound> decide_all(const core::Program& program, const Options& options) {
  Backwards backwards(program, options);
  std::vector<Bound> all;
  for (std::uint32_t i = 0; i < program.functions.size(); ++i) {
    const core::Function& f = program.functions[core::FunctionId{i}];
    for (const core::ReliabilityClause& clause : f.reliability)
      if (!f.external())
        all.push_back(decide(program, backwards, core::FunctionId{i}, clause, options));
  }
  drop_unshown(program, all);
  return all;
}

std::vector<Bound> decide_all(const core::Program& program, const Options& options,
                              const std::map<std::size_t, Known>& known_at_best,
                              const std::map<ClauseKey, KnownRight>& right_at_best) {
  std::vector<Bound> all = decide_all(program, options);
  if (all_hold(all)) return all;
  Options best = options;
  best.recoveries = known_at_best;
  best.right = right_at_best;
  const std::vector<Bound> at_best = decide_all(program, best);
  for (std::size_t k = 0; k < all.size(); ++k)
    if (!all[k].holds() && at_best[k].holds()) all[k].verdict = Verdict::Undecided;
  return all;
}

bool all_hold(const std::vector<Bound>& bounds) {
  return std::all_of(bounds.begin(), bounds.end(), [](const Bound& b) { return b.holds(); });
}

}  // namespace leto::reliability
