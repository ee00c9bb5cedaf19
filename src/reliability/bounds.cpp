#include "reliability/bounds.h"

#include <fmt/core.h>

#include <algorithm>

#include "reliability/backwards.h"

namespace leto::reliability {

namespace {

// Of a bound in terms of parameters, no others may matter.
void look_for_missing(const core::Program& program, const std::set<core::VarId>& named,
                      Bound& bound) {
  bound.missing.clear();
  if (!bound.clause->of_result) return;
  for (core::VarId var : bound.analysis.before.vars)
    if (!named.contains(var))
      bound.missing += (bound.missing.empty() ? "" : ", ") + program.vars[var].name;
}

bool meets(const Bound& bound, const Chance& asked) {
  return bound.analysis.problems.empty() && bound.missing.empty() &&
         bound.analysis.before.chance.at_least(asked);
}

// Whether all that it bounds is what the function returns, parameters that are changed in place
// among them.
bool are_results(const core::Function& f, const core::ReliabilityClause& clause) {
  return clause.of_result ||
         std::all_of(clause.vars.begin(), clause.vars.end(), [&](core::VarId var) {
           return std::find(f.results.begin(), f.results.end(), var) != f.results.end();
         });
}

// What the rules for statements do not give, counting faults may.
void count_faults(const core::Program& program, const Options& options, const Chance& asked,
                  Bound& bound) {
  Bound::Counting counting{find_exposure(program, bound.function, options), {}};
  counting.faults = faults_to_bear(asked, counting.exposure);
  const auto it = options.budgets.find(clause_of(program, bound));
  if (counting.faults && it != options.budgets.end() && *counting.faults <= it->second) {
    counting.done = true;
    const auto& params = program.functions[bound.function].params;
    bound.analysis = {};
    bound.analysis.before = {at_most_struck(it->second, counting.exposure),
                             {params.begin(), params.end()}};
    counting.faults = it->second;
  }
  bound.counting = std::move(counting);
}

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
  look_for_missing(program, named, out);
  const bool equal = !clause.relaxed.valid();  // rather than what a problem calls right
  if (!meets(out, bound) && equal && are_results(program.functions[id], clause)) {
    count_faults(program, options, bound, out);
    look_for_missing(program, named, out);
  }
  out.verdict = meets(out, bound) ? Verdict::Holds : Verdict::Fails;
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

ClauseKey clause_of(const core::Program& program, const Bound& bound) {
  const auto& clauses = program.functions[bound.function].reliability;
  return {bound.function, static_cast<std::size_t>(bound.clause - clauses.data())};
}

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
                              const Options& at_best) {
  std::vector<Bound> all = decide_all(program, options);
  if (all_hold(all)) return all;
  const std::vector<Bound> best = decide_all(program, at_best);
  for (std::size_t k = 0; k < all.size(); ++k)
    if (!all[k].holds() && best[k].holds()) all[k].verdict = Verdict::Undecided;
  return all;
}

bool all_hold(const std::vector<Bound>& bounds) {
  return std::all_of(bounds.begin(), bounds.end(), [](const Bound& b) { return b.holds(); });
}

}  // namespace leto::reliability
