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
      return "the original run failed: nothing is claimed";
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
  const bool same = !outcome.original || interp::equal(*outcome.original, *outcome.relaxed);
  return same ? Class::Masked : Class::Acceptable;
}

std::uint64_t Result::valid() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 1 < kClasses; ++i) sum += counts[i];
  return sum;
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

Single run_one(const interp::Machine& machine, const Settings& settings, std::uint64_t index) {
  Single single;
  const std::uint64_t own = interp::mix(settings.seed, index);
  interp::Options options;
  options.limits = settings.limits;
  options.invariants = false;
  // A run without faults says how many sites there are. Of random inputs, such that have
  // some are preferred.
  std::uint64_t sites = 0;
  std::vector<double> rates;
  for (std::uint64_t attempt = 0; attempt < 4 && sites == 0; ++attempt) {
    if (settings.inputs) {
      single.inputs = *settings.inputs;
    } else {
      std::optional<interp::Inputs> inputs = interp::random_inputs(
          machine, settings.function, interp::mix(own, 16 + attempt), settings.random_inputs);
      if (!inputs) continue;
      single.inputs = std::move(*inputs);
    }
    single.has_inputs = true;
    // Where rates say how often, nobody asks how many sites there are.
    rates = rates_of(machine, single.inputs);
    if (settings.inputs && !rates.empty()) break;
    interp::ExactChooser exact;
    sites = machine.run(settings.function, single.inputs, exact, options).sites;
    if (settings.inputs) break;
  }
  if (!single.has_inputs) return single;
  interp::FaultPolicy policy;
  policy.first = sites == 0 ? 0 : interp::mix(own, 2) % sites;
  constexpr double kLater[] = {0, 0, 0, 0.1, 0.5, 1};
  policy.later = kLater[interp::mix(own, 3) % std::size(kLater)];
  interp::RandomChooser chooser(interp::mix(own, 4), policy, std::move(rates));
  single.outcome = machine.run(settings.function, single.inputs, chooser, options);
  return single;
}

Result campaign(const interp::Machine& machine, const Settings& settings,
                const Allowance& allowance,
                const std::function<void(std::uint64_t done)>& progress) {
  constexpr std::uint64_t kChunk = 64;
  std::atomic<std::uint64_t> next{0}, done{0};
  std::mutex mutex;
  Result total;
  const auto work = [&](bool tells) {
    Result own;
    while (!allowance.spent()) {
      const std::uint64_t from = next.fetch_add(kChunk);
      if (from >= settings.runs) break;
      const std::uint64_t to = std::min(from + kChunk, settings.runs);
      for (std::uint64_t i = from; i < to && !allowance.spent(); ++i) {
        const Single single = run_one(machine, settings, i);
        if (machine.spent()) break;  // it may have been cut off
        done.fetch_add(1);
        if (!single.has_inputs) {
          ++own.without_inputs;
          continue;
        }
        const auto c = static_cast<std::size_t>(classify(single.outcome));
        ++own.counts[c];
        own.steps += single.outcome.steps;
        if (single.outcome.taken.empty()) ++own.without_faults;
        if (!own.first[c] || i < *own.first[c]) own.first[c] = i;
        std::vector<core::StmtId> places;
        for (const interp::Taken& taken : single.outcome.taken)
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
      if (own.first[c] && (!total.first[c] || *own.first[c] < *total.first[c]))
        total.first[c] = own.first[c];
    }
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
