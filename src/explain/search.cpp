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

namespace {

using Clock = std::chrono::steady_clock;

// Inputs up to a size, and how much they are worth.
struct Round {
  int size;        // of vectors
  int number;      // the largest
  unsigned share;  // of the steps, in sixteenths
};
constexpr Round kRounds[] = {{1, 6, 5}, {2, 6, 5}, {3, 6, 4}, {2, 12, 1}, {12, 12, 1}};

class Hunter {
 public:
  Hunter(const Subject& subject, const std::vector<Target>& targets, const Hunt& budget)
      : subject_(subject),
        targets_(targets),
        budget_(budget),
        found_(targets.size()),
        open_(targets.size()) {}

  std::vector<std::optional<Plan>> run() {
    run_rounds(std::min(budget_.steps, kBriefly),
               std::chrono::milliseconds(budget_.surely ? 10'000 : 200));
    if (budget_.steps > kBriefly)
      run_rounds(budget_.steps - kBriefly, std::chrono::milliseconds(1500));
    return std::move(found_);
  }

 private:
  // Steps are not all: where a model leaves no way on, finding that out takes long.
  void run_rounds(std::uint64_t steps, Clock::duration each) {
    for (std::size_t r = 0; r < std::size(kRounds) && open_ > 0; ++r) {
      const Clock::time_point last = Clock::now() + each;
      steps_ = 0;
      unsigned failures = 0;
      while (steps_ < steps * kRounds[r].share / 16 && open_ > 0 && failures <= 5 &&
             Clock::now() < last && !spent(budget_.allowance))
        if (!try_once(kRounds[r], next_[r]++)) ++failures;
    }
  }
  // False: there are no inputs.
  bool try_once(const Round& round, std::uint64_t i) {
    const std::uint64_t own = interp::mix(budget_.seed + static_cast<std::uint64_t>(round.size), i);
    interp::InputOptions small;
    small.max_size = round.size;
    small.max_number = i % 3 == 0 ? 2 : round.number;
    small.attempts = 500;
    small.any_state = subject_.any_state;
    const auto inputs =
        interp::random_inputs(subject_.machine, subject_.function, interp::mix(own, 1), small);
    steps_ += 20;
    if (!inputs) return false;
    const interp::Options options = options_of(subject_);
    interp::ExactChooser exact;
    const interp::Outcome dry = subject_.machine.run(subject_.function, *inputs, exact, options);
    note(*inputs, dry);
    interp::FaultPolicy policy;
    policy.first = dry.sites == 0 ? 0 : interp::mix(own, 2) % dry.sites;
    constexpr double kLater[] = {0, 0, 0.1, 0.5, 1};
    policy.later = kLater[interp::mix(own, 3) % std::size(kLater)];
    interp::RandomChooser chooser(interp::mix(own, 4), policy);
    note(*inputs, subject_.machine.run(subject_.function, *inputs, chooser, options));
    return true;
  }
  void note(const interp::Inputs& inputs, const interp::Outcome& o) {
    steps_ += o.steps;
    for (std::size_t t = 0; t < targets_.size(); ++t)
      if (!found_[t] && broken(targets_[t], o)) {
        Plan plan{inputs, o.taken};
        if (!replay(subject_, targets_[t], plan)) continue;
        found_[t] = std::move(plan);
        --open_;
      }
  }

  const Subject& subject_;
  const std::vector<Target>& targets_;
  const Hunt& budget_;
  std::vector<std::optional<Plan>> found_;  // by target
  std::size_t open_;
  std::uint64_t steps_ = 0;                      // of the round at hand
  std::uint64_t next_[std::size(kRounds)] = {};  // the number of the next run, by round
};

}  // namespace

std::vector<std::optional<Plan>> hunt(const Subject& subject, const std::vector<Target>& targets,
                                      const Hunt& budget) {
  return Hunter(subject, targets, budget).run();
}

}  // namespace leto::explain
