#include "reliability_compare.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace leto::tests {

using reliability::Chance;
using reliability::Known;

namespace {

constexpr std::uint64_t kInputs = 4;

std::string described(const core::Program& program, core::FunctionId f,
                      const interp::Inputs& inputs) {
  std::string out;
  for (core::VarId param : program.functions[f].params)
    out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", program.vars[param].name,
                       interp::text(inputs.values.original[param.value], program.vars[param].type));
  return out;
}

}  // namespace

std::string Comparison::violation(const std::string& text, bool probes) {
  ++tally.programs;
  const Loaded l(text);
  if (!l.problem.empty()) {
    ++tally.rejected;
    return "";
  }
  counted_ = false;
  options_ = {};
  options_.trap = trap_;
  options_.recoveries = known_of(l.program, trap_);
  options_.budgets = budgets_of(l.program);
  if (trap_ != Trap::None && !probes && !trap_matters(l.program)) return "";
  const interp::Machine machine(l.program);
  for (std::uint32_t i = 0; i < l.program.functions.size(); ++i) {
    const core::Function& f = l.program.functions[core::FunctionId{i}];
    if (f.external() || f.reliability.empty()) continue;
    const std::string wrong = compare_all({l, machine, core::FunctionId{i}}, probes);
    if (!wrong.empty()) return wrong + "\n" + text;
  }
  return "";
}

std::map<std::size_t, Known> Comparison::known_of(const core::Program& program, Trap trap) {
  checks::RecoverySettings settings;
  settings.examples = false;
  settings.trap = trap;
  return checks::prove_recoveries(program, engine_, settings).known;
}

// How many faults are proved to be borne, of bounds that would hold then.
std::map<reliability::ClauseKey, std::uint64_t> Comparison::budgets_of(
    const core::Program& program) {
  checks::RecoverySettings settings;
  settings.trap = trap_;
  std::map<reliability::ClauseKey, std::uint64_t> borne;
  const std::vector<reliability::Bound> bounds = reliability::decide_all(program, options_);
  for (const auto& [clause, shown] : checks::prove_budgets(program, bounds, engine_, settings)) {
    ++tally.asked_for_budgets;
    if (!shown.proved) continue;
    ++tally.within_budgets;
    borne[clause] = shown.faults;
  }
  return borne;
}

// Where the mistake changes no bound there is nothing to be seen of it.
bool Comparison::trap_matters(const core::Program& program) {
  reliability::Options honest;
  honest.recoveries = known_of(program, Trap::None);
  if (!options_.budgets.empty()) return true;
  const std::vector<reliability::Bound> right = reliability::decide_all(program, honest),
                                        wrong = reliability::decide_all(program, options_);
  return !std::equal(right.begin(), right.end(), wrong.begin(), wrong.end(),
                     [](const reliability::Bound& a, const reliability::Bound& b) {
                       return a.analysis.before == b.analysis.before &&
                              a.analysis.problems == b.analysis.problems && a.unshown == b.unshown;
                     });
}

std::string Comparison::compare_all(const Case& c, bool probes) {
  const bool measured = probes && c.function == c.loaded.last();
  const std::vector<reliability::Bound> bounds = bounds_of(c, measured);
  if (bounds.empty() && !measured) return "";
  for (std::uint64_t seed = 0; seed < kInputs; ++seed) {
    const auto inputs = same_inputs(c.machine, c.function, seed);
    for (std::uint64_t way = 0; way < kStrategies && inputs; ++way) {
      std::string wrong =
          measured ? compare_measured(c, *inputs, {way}) : compare(c, bounds, *inputs, {way});
      if (!wrong.empty()) return wrong;
    }
  }
  return "";
}

// Those that say something of this function.
std::vector<reliability::Bound> Comparison::bounds_of(const Case& c, bool measured) const {
  std::vector<reliability::Bound> own;
  for (reliability::Bound& b : reliability::decide_all(c.loaded.program, options_))
    if (b.function == c.function && says_something(b, measured)) own.push_back(std::move(b));
  return own;
}

bool Comparison::says_something(const reliability::Bound& b, bool measured) const {
  if (!b.analysis.problems.empty() || !b.unshown.empty()) return false;
  if (b.analysis.before.chance.low() == 0) return false;
  return measured ||
         std::all_of(b.analysis.recoveries.begin(), b.analysis.recoveries.end(),
                     [&](std::size_t i) { return options_.recoveries.at(i).check_proved; });
}

std::string Comparison::compare(const Case& c, const std::vector<reliability::Bound>& bounds,
                                const interp::Inputs& inputs, Strategy strategy) {
  if (bounds.empty()) return "";
  // Once all runs, to see how close the bounds are; else as many as it takes to see that they are
  // not wrong.
  std::optional<mpq_class> enough;
  for (const reliability::Bound& b : bounds)
    if (strategy.seed > 0 && (!enough || *enough < b.analysis.before.chance.low()))
      enough = b.analysis.before.chance.low();
  const std::optional<Odds> odds = find_odds(c.machine, c.function, inputs, strategy, {}, enough);
  if (!odds) return "";
  if (c.function == c.loaded.last() && !std::exchange(counted_, true)) count(bounds);
  LETO_ASSERT(enough || odds->all == 1);
  tally.runs += odds->runs;
  const mpq_class right = 1 - odds->wrong;
  for (const reliability::Bound& b : bounds) {
    const mpq_class& low = b.analysis.before.chance.low();
    ++tally.compared;
    tally.tight += !enough && low == right ? 1 : 0;
    if (low > right)
      return fmt::format("proved {} of '{}', but it is {} for {} and faults of kind {}",
                         b.analysis.before.chance.text(),
                         c.loaded.program.functions[c.function].name, right.get_d(),
                         described(c.loaded.program, c.function, inputs), strategy.seed);
  }
  return "";
}

// With the rates that checks have on these inputs.
std::string Comparison::compare_measured(const Case& c, const interp::Inputs& inputs,
                                         Strategy strategy) {
  if (!measure(c, inputs, strategy)) return "";
  return compare(c, bounds_of(c, true), inputs, strategy);
}

// How often the check fails what is right and passes what is wrong, on these inputs and with these
// faults. That is what it is then declared to do.
bool Comparison::measure(const Case& c, const interp::Inputs& inputs, Strategy strategy) {
  const core::FunctionId probe = c.loaded.called("probe");
  mpq_class right, right_failed, wrong, wrong_passed;
  const auto watch = [&](const interp::Outcome& o, const mpq_class& p) {
    if (o.end != interp::End::Done) return;
    const bool passed = o.relaxed.at(0).array->elements[0].truth();
    bool same = true;
    for (std::size_t i = 1; i < o.relaxed.at(0).array->elements.size(); ++i)
      same = same && o.relaxed.at(0).array->elements[i] == o.original.at(0).array->elements[i];
    (same ? right : wrong) += p;
    if (same && !passed) right_failed += p;
    if (!same && passed) wrong_passed += p;
  };
  interp::Inputs probed = inputs;
  const core::Program& program = c.loaded.program;
  for (std::size_t k = 0; k < program.functions[probe].params.size(); ++k) {
    const std::size_t from = program.functions[c.function].params[k].value,
                      to = program.functions[probe].params[k].value;
    probed.values.original[to] = probed.values.relaxed[to] = inputs.values.original[from];
  }
  if (!find_odds(c.machine, probe, probed, strategy, watch)) return false;
  for (auto& [i, known] : options_.recoveries)
    if (known.declared)
      known.declared = Known::Declared{
          right == 0 ? reliability::certain() : Chance(mpq_class(right_failed / right)),
          wrong == 0 ? reliability::certain() : Chance(mpq_class(wrong_passed / wrong))};
  return true;
}

void Comparison::count(const std::vector<reliability::Bound>& bounds) {
  std::set<std::size_t> used;
  bool lossy = false;
  for (const reliability::Bound& b : bounds) {
    used.insert(b.analysis.recoveries.begin(), b.analysis.recoveries.end());
    lossy = lossy || !(b.analysis.before.chance == reliability::certain());
  }
  const auto some = [&](const auto& is) {
    return std::any_of(used.begin(), used.end(),
                       [&](std::size_t i) { return is(options_.recoveries.at(i)); });
  };
  ++tally.bounded;
  tally.lossy += lossy ? 1 : 0;
  tally.recovered += used.empty() ? 0 : 1;
  tally.again += some([](const Known& k) { return k.mending == Known::Mending::Again; }) ? 1 : 0;
  tally.proved += some([](const Known& k) { return k.mending == Known::Mending::Proved; }) ? 1 : 0;
  tally.declared += some([](const Known& k) { return !k.check_proved; }) ? 1 : 0;
}

}  // namespace leto::tests
