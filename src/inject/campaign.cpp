#include <algorithm>
#include <cmath>
#include <mutex>
#include <thread>

#include "inject/inject.h"

namespace leto::inject {

std::string_view name(Class c) {
  switch (c) {
    case Class::Masked:
      return "masked";
    case Class::Acceptable:
      return "acceptable";
    case Class::Corruption:
      return "sdc";
    case Class::Detected:
      return "detected";
    case Class::Failed:
      return "failed";
    case Class::Hung:
      return "hung";
    case Class::Void:
      return "void";
  }
  return "";
}

std::string_view describe(Class c) {
  switch (c) {
    case Class::Masked:
      return "the result is right";
    case Class::Acceptable:
      return "the result differs, every claim holds";
    case Class::Corruption:
      return "silent corruption: a claim does not hold";
    case Class::Detected:
      return "an assertion failed";
    case Class::Failed:
      return "the run failed or could not go on";
    case Class::Hung:
      return "too many steps";
    case Class::Void:
      return "nothing is claimed of these runs";
  }
  return "";
}

Class classify(const interp::Outcome& outcome) {
  switch (outcome.end) {
    case interp::End::OriginalFailed:
    case interp::End::OriginalHung:
    case interp::End::Impossible:
    case interp::End::Undecidable:
      return Class::Void;
    case interp::End::AssertFailed:
      return Class::Detected;
    case interp::End::CheckFailed:
    case interp::End::Stuck:
      return Class::Failed;
    case interp::End::Hung:
      return Class::Hung;
    case interp::End::Done:
      break;
  }
  if (!outcome.violations.empty()) return Class::Corruption;
  const bool same = std::equal(outcome.original.begin(), outcome.original.end(),
                               outcome.relaxed.begin(), outcome.relaxed.end(),
                               [](const auto& a, const auto& b) { return interp::equal(a, b); });
  return same ? Class::Masked : Class::Acceptable;
}

std::string describe(const Cause& cause) {
  // The reason is all that there is to say.
  if (cause.end == interp::End::Undecidable && !cause.why.empty()) return cause.why;
  std::string out(interp::describe(cause.end));
  if (!cause.why.empty()) out += ": " + cause.why;
  return out;
}

std::uint64_t Result::valid() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 1 < kClasses; ++i) sum += counts[i];
  return sum;
}

std::uint64_t Result::of(Class c) const {
  return counts[static_cast<std::size_t>(c)] + apart[static_cast<std::size_t>(c)];
}

std::uint64_t Result::done() const {
  std::uint64_t sum = without_inputs;
  for (std::size_t i = 0; i < kClasses; ++i) sum += of(static_cast<Class>(i));
  return sum;
}

bool Result::says_little() const {
  const std::uint64_t nothing = of(Class::Void) + without_inputs;
  return nothing == done() || 2 * nothing > done();
}

bool has_rates(const core::Program& program) {
  return std::any_of(program.specifications.begin(), program.specifications.end(),
                     [](const core::Specification& spec) { return spec.rate.valid(); });
}

Interval wilson(std::uint64_t hits, std::uint64_t of) {
  if (of == 0) return {0, 1};
  const double z = 1.959963984540054, n = static_cast<double>(of);
  const double p = static_cast<double>(hits) / n;
  const double middle = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return {hits == 0 ? 0 : std::max(0.0, middle - half),
          hits == of ? 1 : std::min(1.0, middle + half)};
}

std::vector<double> rates_of(const interp::Machine& machine, const interp::Inputs& inputs) {
  std::vector<double> rates;
  bool any = false;
  for (const core::Specification& spec : machine.program().specifications) {
    interp::Scope scope{inputs.values, core::Side::Relaxed};
    rates.push_back(spec.rate.valid() ? machine.evaluator().number(spec.rate, scope).approximate()
                                      : -1);
    any = any || spec.rate.valid();
  }
  return any ? rates : std::vector<double>{};
}

namespace {

// Of a run with a seed of its own: where its inputs begin, at each attempt.
std::uint64_t input_seed(std::uint64_t own, std::uint64_t attempt) {
  return interp::mix(own, 16 + attempt);
}

// The runs of a campaign, one after the other, by byte code or by walking the tree.
class Trials {
 public:
  Trials(const interp::Machine& machine, const Settings& settings, interp::ByteMachine* bytes)
      : machine_(machine), settings_(settings), bytes_(bytes) {
    options_.limits = settings.limits;
    options_.invariants = false;
    if (!settings.inputs) maker_.emplace(machine, settings.function, settings.random_inputs);
  }

  // Nothing if there are no inputs.
  std::optional<interp::Outcome> run(std::uint64_t index) {
    const std::uint64_t own = interp::mix(settings_.seed, index);
    if (!find_inputs(own)) return std::nullopt;
    if (is_fault_free(index)) {
      interp::ExactChooser exact;
      return execute(exact);
    }
    interp::FaultPolicy policy;
    policy.first = sites_ == 0 ? 0 : interp::mix(own, 2) % sites_;
    constexpr double kLater[] = {0, 0, 0, 0.1, 0.5, 1};
    policy.later = kLater[interp::mix(own, 3) % std::size(kLater)];
    interp::RandomChooser chooser(interp::mix(own, 4), policy, rates_);
    return execute(chooser);
  }
  [[nodiscard]] const interp::Inputs& inputs() const {
    return settings_.inputs && !settings_.inputs->values.tables ? *settings_.inputs : drawn_;
  }

 private:
  [[nodiscard]] bool is_fault_free(std::uint64_t index) const {
    return rates_.empty() && settings_.fault_free > 0 &&
           index % settings_.fault_free == settings_.fault_free - 1;
  }

  interp::Outcome execute(interp::Chooser& chooser) {
    return bytes_ != nullptr ? bytes_->run(inputs(), chooser, options_)
                             : machine_.run(settings_.function, inputs(), chooser, options_);
  }

  // Given ones are looked at once. Of random ones, such that have sites are preferred.
  bool find_inputs(std::uint64_t own) {
    if (settings_.inputs) {
      draw_functions(own);
      if (!looked_) look();
      looked_ = true;
      return true;
    }
    bool found = false;
    sites_ = 0;
    for (std::uint64_t attempt = 0; attempt < 4 && sites_ == 0; ++attempt) {
      std::optional<interp::Inputs> inputs = maker_->make(input_seed(own, attempt));
      if (!inputs) break;
      drawn_ = std::move(*inputs);
      found = true;
      look();
    }
    return found;
  }

  // Inputs may be given, but nobody knows the functions: each run has its own.
  void draw_functions(std::uint64_t own) {
    if (!settings_.inputs->values.tables) return;
    drawn_ = *settings_.inputs;
    drawn_.values.tables = std::make_shared<interp::Tables>(*drawn_.values.tables);
    drawn_.values.tables->seed = interp::mix(own, 5);
  }

  // A run without faults says how many sites there are. Where rates say how often, nobody asks.
  void look() {
    rates_ = rates_of(machine_, inputs());
    if (settings_.inputs && !rates_.empty()) return;
    interp::ExactChooser exact;
    sites_ = execute(exact).sites;
  }

  const interp::Machine& machine_;
  const Settings& settings_;
  interp::ByteMachine* bytes_;  // may be null
  interp::Options options_;
  std::optional<interp::InputMaker> maker_;  // none: the inputs are given
  interp::Inputs drawn_;
  bool looked_ = false;
  std::uint64_t sites_ = 0;
  std::vector<double> rates_;
};

// How many runs had no inputs, if none has; 0: the campaign can begin.
std::uint64_t try_inputs(const interp::Machine& machine, const Settings& settings) {
  constexpr std::uint64_t kEnough = 8;
  if (settings.inputs) return 0;
  const interp::InputMaker maker(machine, settings.function, settings.random_inputs);
  const std::uint64_t most = std::min(kEnough, settings.runs);
  for (std::uint64_t i = 0; i < most && !machine.spent(); ++i)
    if (maker.make(input_seed(interp::mix(settings.seed, i), 0))) return 0;
  return most;
}

// Of a run that says nothing, or of several.
void add_cause(std::map<Cause, Causes>& to, const Cause& cause, const Causes& more) {
  const auto [it, added] = to.try_emplace(cause, more);
  if (added) return;
  Causes& known = it->second;
  known.runs += more.runs;
  if (more.first > known.first) return;
  known.first = more.first;
  known.where = more.where;
}

}  // namespace

Single run_one(const interp::Machine& machine, const Settings& settings, std::uint64_t index) {
  Trials trials(machine, settings, nullptr);
  std::optional<interp::Outcome> outcome = trials.run(index);
  if (!outcome) return {};
  return {true, trials.inputs(), std::move(*outcome)};
}

Result campaign(const interp::Machine& machine, const Settings& settings,
                const Allowance& allowance,
                const std::function<void(std::uint64_t done)>& progress) {
  if (const std::uint64_t tried = try_inputs(machine, settings); tried > 0) {
    Result nothing;
    nothing.without_inputs = tried;
    return nothing;
  }
  constexpr std::uint64_t kChunk = 64;
  std::atomic<std::uint64_t> next{0}, done{0};
  const bool rates = has_rates(machine.program());
  std::mutex mutex;
  Result total;
  const auto work = [&](bool tells) {
    Result own;
    interp::ByteMachine bytes(machine, settings.function);
    Trials trials(machine, settings, &bytes);
    while (!allowance.spent()) {
      const std::uint64_t from = next.fetch_add(kChunk);
      if (from >= settings.runs) break;
      const std::uint64_t to = std::min(from + kChunk, settings.runs);
      for (std::uint64_t i = from; i < to && !allowance.spent(); ++i) {
        const std::optional<interp::Outcome> outcome = trials.run(i);
        if (machine.spent()) break;  // it may have been cut off
        done.fetch_add(1);
        if (!outcome) {
          ++own.without_inputs;
          continue;
        }
        const auto c = static_cast<std::size_t>(classify(*outcome));
        const bool met_none = outcome->taken.empty();
        ++(met_none && !rates && classify(*outcome) != Class::Void ? own.apart : own.counts)[c];
        own.steps += outcome->steps;
        if (met_none) ++own.without_faults;
        if (!own.first[c] || i < *own.first[c]) own.first[c] = i;
        if (classify(*outcome) == Class::Void)
          add_cause(own.causes, {outcome->end, outcome->why}, {1, i, outcome->where});
        std::vector<core::StmtId> places;
        for (const interp::Taken& taken : outcome->taken)
          if (taken.faulty &&
              std::find(places.begin(), places.end(), taken.statement) == places.end())
            places.push_back(taken.statement);
        for (core::StmtId place : places) ++own.sites[place][c];
      }
      if (tells) progress(done.load());
    }
    const std::lock_guard lock(mutex);
    for (std::size_t c = 0; c < kClasses; ++c) {
      total.counts[c] += own.counts[c];
      total.apart[c] += own.apart[c];
      if (own.first[c] && (!total.first[c] || *own.first[c] < *total.first[c]))
        total.first[c] = own.first[c];
    }
    for (const auto& [cause, runs] : own.causes) add_cause(total.causes, cause, runs);
    total.without_faults += own.without_faults;
    total.without_inputs += own.without_inputs;
    total.steps += own.steps;
    for (const auto& [place, counts] : own.sites)
      for (std::size_t c = 0; c < kClasses; ++c) total.sites[place][c] += counts[c];
  };
  std::exception_ptr problem;
  const auto try_to_work = [&](bool tells) {
    try {
      work(tells);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!problem) problem = std::current_exception();
      next = settings.runs;  // the rest would be for nothing
    }
  };
  const unsigned workers = std::max(1u, settings.workers);
  std::vector<std::thread> threads;
  threads.reserve(workers);
  try {
    for (unsigned i = 1; i < workers; ++i) threads.emplace_back(try_to_work, false);
  } catch (const std::exception&) {
    // Fewer do the same work.
  }
  try_to_work(true);
  for (std::thread& thread : threads) thread.join();
  if (problem) std::rethrow_exception(problem);
  return total;
}

}  // namespace leto::inject
