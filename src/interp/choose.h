// Who decides what the model leaves open: a seed, a script, or each possibility in turn.
#pragma once

#include <string>
#include <vector>

#include "interp/random.h"
#include "interp/state.h"

namespace leto::interp {

struct Bound {
  Number value;
  bool strict = false;
};

// The values that one unknown may take, as far as bounds say.
struct Domain {
  core::Type type;
  std::optional<Bound> low, high;
  Number usual;  // what a run without faults would have
  [[nodiscard]] bool contains(const Number& n) const;
};

// A moment at which the model leaves something open.
struct SitePoint {
  std::uint64_t occurrence = 0;  // counted over the relaxed run
  core::StmtId statement;
  const core::FaultSite& site;
  // The specifications that are enabled, by their index in the program, and whether each
  // allows the exact outcome with the model's state as it was.
  std::vector<std::uint32_t> enabled;
  std::vector<bool> exact;
};

// A decision that was made at a site: all that a script needs to repeat it.
struct Taken {
  std::uint64_t occurrence = 0;
  core::StmtId statement;
  std::uint32_t specification = 0;
  std::vector<Number> arguments;
  Number exact, outcome;
  std::vector<std::pair<core::VarId, Number>> states;  // of the model, as far as modified
  bool faulty = false;                                 // something is not as it would have been
};

class Chooser {
 public:
  virtual ~Chooser() = default;
  // An index into `enabled`.
  [[nodiscard]] virtual std::size_t specification(const SitePoint& point) = 0;
  // Which of several alternatives of an `ensures`.
  [[nodiscard]] virtual std::size_t alternative(std::size_t count) = 0;
  // A value; one that is not in the domain makes the decision impossible.
  [[nodiscard]] virtual Number value(const Domain& domain, core::VarId unknown) = 0;
  // The decision that a script demands at the site at hand.
  [[nodiscard]] virtual const Taken* scripted() const { return nullptr; }
  // How often a decision that turned out impossible may be made again.
  [[nodiscard]] virtual int attempts() const { return 1; }
};

// Independent streams of random numbers from one seed.
[[nodiscard]] std::uint64_t mix(std::uint64_t seed, std::uint64_t index);

// By a seed. At most sites the exact specification is taken; see FaultPolicy.
struct FaultPolicy {
  std::uint64_t first = 0;  // the first occurrence at which a fault is wanted
  double later = 0;         // the chance of a fault at each one after it
};
class RandomChooser final : public Chooser {
 public:
  // `rates`: by specification, how often it is taken when it is enabled, less than 0 if that is
  // not known; empty: by the policy instead.
  RandomChooser(std::uint64_t seed, const FaultPolicy& policy, std::vector<double> rates = {})
      : random_(seed), policy_(policy), rates_(std::move(rates)) {}
  std::size_t specification(const SitePoint& point) override;
  std::size_t alternative(std::size_t count) override;
  Number value(const Domain& domain, core::VarId unknown) override;
  [[nodiscard]] int attempts() const override { return 20; }

 private:
  std::size_t by_rate(const SitePoint& point);

  Random random_;
  FaultPolicy policy_;
  std::vector<double> rates_;
  bool fault_wanted_ = false, struck_ = false;
};

// No faults where they can be avoided.
class ExactChooser final : public Chooser {
 public:
  std::size_t specification(const SitePoint& point) override;
  std::size_t alternative(std::size_t) override { return 0; }
  Number value(const Domain& domain, core::VarId unknown) override;
};

// What was taken before; exact everywhere else.
class ScriptChooser final : public Chooser {
 public:
  explicit ScriptChooser(std::vector<Taken> script) : script_(std::move(script)) {}
  std::size_t specification(const SitePoint& point) override;
  std::size_t alternative(std::size_t) override { return 0; }
  Number value(const Domain& domain, core::VarId unknown) override;
  [[nodiscard]] const Taken* scripted() const override { return current_; }
  [[nodiscard]] std::size_t used() const { return next_; }

 private:
  std::vector<Taken> script_;
  std::size_t next_ = 0;
  const Taken* current_ = nullptr;
};

// Every possibility in turn: run, then `next()` until it says that there is no other.
class ExhaustiveChooser final : public Chooser {
 public:
  // Integers are tried up to `spread` beyond what the bounds or the usual value say.
  explicit ExhaustiveChooser(int spread = 2) : spread_(spread) {}
  std::size_t specification(const SitePoint& point) override;
  std::size_t alternative(std::size_t count) override { return pick(count); }
  Number value(const Domain& domain, core::VarId unknown) override;
  [[nodiscard]] bool next();
  // Whether all values of all domains were tried, or only some of endless ones.
  [[nodiscard]] bool complete() const { return complete_; }

 private:
  std::size_t pick(std::size_t count);
  struct Decision {
    std::size_t taken, count;
  };
  std::vector<Decision> path_;
  std::size_t depth_ = 0;
  int spread_;
  bool complete_ = true;
};

// The value closest to the usual one.
[[nodiscard]] Number nearest(const Domain& domain);

}  // namespace leto::interp
