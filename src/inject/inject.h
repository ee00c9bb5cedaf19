// The front door of `inject`: campaigns of many runs with faults, and what became of them.
//
// Run number i of a campaign depends on the seed and on i alone, so a campaign is the same
// with any number of workers, and any single run can be repeated.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <map>

#include "interp/interp.h"

namespace leto::inject {

// What became of a run with faults.
enum class Class : std::uint8_t {
  Masked,      // the result is the original's
  Acceptable,  // the result differs, but all relational claims hold
  Corruption,  // silent: a relational claim does not hold, and nothing was noticed
  Detected,    // an assertion of the program failed
  Failed,      // out of bounds, division by zero, a negative uint, or no way to go on
  Hung,        // too many steps
  Void,        // says nothing: the original run failed or hung, or something has no value
};
inline constexpr std::size_t kClasses = 7;
[[nodiscard]] std::string_view name(Class c);
[[nodiscard]] std::string_view describe(Class c);
[[nodiscard]] Class classify(const interp::Outcome& outcome);

// How often each specification is taken when it is enabled, by the inputs' constants; empty if no
// rate is given at all. Less than 0: not known.
[[nodiscard]] std::vector<double> rates_of(const interp::Machine& machine,
                                           const interp::Inputs& inputs);

struct Settings {
  core::FunctionId function;
  std::uint64_t runs = 1000;
  std::uint64_t seed = 0;
  unsigned workers = 1;
  // One run in so many is given no fault, so that claims are tried without one too; 0: none is.
  // Where rates say how often faults occur, they say it of these runs as well.
  std::uint64_t fault_free = 10;
  std::optional<interp::Inputs> inputs;  // none: random ones for each run
  interp::InputOptions random_inputs;
  interp::Limits limits;
};

// Why runs say nothing.
struct Cause {
  interp::End end = interp::End::Undecidable;
  std::string why;  // may be empty
  friend bool operator<(const Cause& a, const Cause& b) {
    return a.end != b.end ? a.end < b.end : a.why < b.why;
  }
};
[[nodiscard]] std::string describe(const Cause& cause);

struct Causes {
  std::uint64_t runs = 0, first = 0;  // how many, and the number of the first
  Span where;                         // in the first
};

using Counts = std::array<std::uint64_t, kClasses>;

// Whether the model says how often faults occur. Then runs that meet none count like others.
[[nodiscard]] bool has_rates(const core::Program& program);

struct Result {
  Counts counts{};                   // without rates, of runs that met a fault, or say nothing
  Counts apart{};                    // of those that met none
  std::uint64_t without_faults = 0;  // how many met none, wherever they are counted
  std::uint64_t without_inputs = 0;  // no inputs were found that meet the requirements
  std::uint64_t steps = 0;
  std::map<core::StmtId, Counts> sites;                      // by where a fault was taken
  std::array<std::optional<std::uint64_t>, kClasses> first;  // run number, per class
  std::map<Cause, Causes> causes;                            // of runs that say nothing
  [[nodiscard]] std::uint64_t valid() const;                 // runs whose shares are told
  [[nodiscard]] std::uint64_t done() const;
  // Of all runs, with a fault or without.
  [[nodiscard]] std::uint64_t of(Class c) const;
  // So many say nothing that the others say little: more than half.
  [[nodiscard]] bool says_little() const;
};

// One run of a campaign, with all that is needed to repeat it.
struct Single {
  bool has_inputs = false;
  interp::Inputs inputs;
  interp::Outcome outcome;
};
[[nodiscard]] Single run_one(const interp::Machine& machine, const Settings& settings,
                             std::uint64_t index);

// `progress` is called now and then from one thread with the number of runs done.
[[nodiscard]] Result campaign(const interp::Machine& machine, const Settings& settings,
                              const Allowance& allowance,
                              const std::function<void(std::uint64_t done)>& progress);

// The Wilson interval at 95 %.
struct Interval {
  double low = 0, high = 0;
};
[[nodiscard]] Interval wilson(std::uint64_t hits, std::uint64_t of);

}  // namespace leto::inject
