#include <algorithm>
#include <chrono>

#include "explain/explain.h"

namespace leto::explain {

using interp::End;

namespace {

// Ends after which nothing is held against the relaxed run.
bool says_nothing(End end) {
  return end == End::OriginalFailed || end == End::OriginalHung || end == End::Impossible ||
         end == End::Undecidable;
}

interp::Options options_of(const Subject& subject) {
  interp::Options options;
  options.limits.steps = subject.run_steps;
  return options;
}

}  // namespace

std::optional<std::size_t> broken(const Target& target, const interp::Outcome& o) {
  if (target.end) {
    if (o.end == *target.end && o.where == target.span) return o.violations.size();
    return std::nullopt;
  }
  if (says_nothing(o.end)) return std::nullopt;
  for (std::size_t i = 0; i < o.violations.size(); ++i) {
    const interp::Violation& v = o.violations[i];
    if (v.expr == target.expr && (!target.entry || *target.entry == v.entry) &&
        (!target.call.file.valid() || v.call == target.call) &&
        (!target.side || v.side == *target.side) &&
        std::find(target.claims.begin(), target.claims.end(), v.kind) != target.claims.end())
      return i;
  }
  return std::nullopt;
}

std::optional<interp::Outcome> replay(const Subject& subject, const Target& target,
                                      const Plan& plan) {
  if (interp::unmet(subject.machine, subject.function, plan.inputs)) return std::nullopt;
  interp::Options options = options_of(subject);
  options.events = true;
  interp::ScriptChooser script(plan.faults);
  interp::Outcome o = subject.machine.run(subject.function, plan.inputs, script, options);
  if (!broken(target, o)) return std::nullopt;
  return o;
}

std::vector<std::optional<Plan>> hunt(const Subject& subject, const std::vector<Target>& targets,
                                      const Hunt& budget) {
  std::vector<std::optional<Plan>> found(targets.size());
  std::size_t open = targets.size();
  // Steps are not all: where a model leaves no way on, finding that out takes long.
  const auto start = std::chrono::steady_clock::now();
  constexpr int kSizes = 3;
  for (int size = 1; size <= kSizes && open > 0; ++size) {
    std::uint64_t steps = 0;
    unsigned failures = 0;
    for (std::uint64_t i = 0; steps < budget.steps / kSizes && open > 0; ++i) {
      if (std::chrono::steady_clock::now() - start > std::chrono::seconds(2 * size) ||
          spent(budget.allowance))
        break;
      const std::uint64_t own = interp::mix(budget.seed + static_cast<std::uint64_t>(size), i);
      interp::InputOptions small;
      small.max_size = size;
      small.max_number = i % 3 == 0 ? 2 : 6;
      small.attempts = 500;
      small.any_state = subject.any_state;
      const auto inputs =
          interp::random_inputs(subject.machine, subject.function, interp::mix(own, 1), small);
      steps += 20;
      if (!inputs) {
        if (++failures > 5) break;
        continue;
      }
      const interp::Options options = options_of(subject);
      interp::ExactChooser exact;
      const auto note = [&](const interp::Outcome& o) {
        steps += o.steps;
        for (std::size_t t = 0; t < targets.size(); ++t)
          if (!found[t] && broken(targets[t], o)) {
            Plan plan{*inputs, o.taken};
            if (!replay(subject, targets[t], plan)) continue;
            found[t] = std::move(plan);
            --open;
          }
      };
      const interp::Outcome dry = subject.machine.run(subject.function, *inputs, exact, options);
      note(dry);
      interp::FaultPolicy policy;
      policy.first = dry.sites == 0 ? 0 : interp::mix(own, 2) % dry.sites;
      constexpr double kLater[] = {0, 0, 0.1, 0.5, 1};
      policy.later = kLater[interp::mix(own, 3) % std::size(kLater)];
      interp::RandomChooser chooser(interp::mix(own, 4), policy);
      note(subject.machine.run(subject.function, *inputs, chooser, options));
    }
  }
  return found;
}

}  // namespace leto::explain
