// Bounded search for a run that breaks a claim, depth by depth, and the induction over k steps that
// goes with it. Both are proposals: a trace is to be replayed, a k to be certified.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "transition/moves.h"
#include "transition/session.h"
#include "transition/text.h"
#include "transition/trace.h"

namespace leto::transition {

// What an engine says of a claim.
struct Proposal {
  enum class Kind : std::uint8_t { Nothing, Valid, Invalid };
  Kind kind = Kind::Nothing;
  unsigned k = 1;                   // of valid
  Term invariant = {};              // that is k-inductive, over variables now
  std::optional<Trace> trace = {};  // of invalid; without one it is a mere claim
};

// Somebody who looks for an answer, in slices.
class Engine {
 public:
  virtual ~Engine() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  // Goes on for so much processor time. An engine that has ended says nothing ever after.
  [[nodiscard]] virtual Proposal advance(Slice& slice, const Allowance& allowance) = 0;
  [[nodiscard]] virtual bool has_ended() const = 0;
  // "depth 14", for people.
  [[nodiscard]] virtual std::string progress() const = 0;
  [[nodiscard]] virtual double cpu_seconds() const = 0;
  // It ended for want of memory, as far as that can be seen.
  [[nodiscard]] virtual bool out_of_memory() const { return false; }
};

// The two share a walk over states.
class BoundedSearch final : public Engine {
 public:
  // `All` looks at all runs; `NoRepeats` leaves out those that take a transitive step twice in a
  // row, and finds the same shortest ones.
  enum class Runs : std::uint8_t { All, NoRepeats };
  BoundedSearch(const System& system, std::size_t claim, std::uint64_t memory_mb,
                Runs runs = Runs::All);
  [[nodiscard]] std::string name() const override { return "bounded search"; }
  [[nodiscard]] Proposal advance(Slice& slice, const Allowance& allowance) override;
  [[nodiscard]] bool has_ended() const override { return ended_; }
  [[nodiscard]] std::string progress() const override;
  [[nodiscard]] double cpu_seconds() const override {
    return session_.cpu_seconds() + (transitivity_ ? transitivity_->cpu_seconds() : 0);
  }

  // Depths below this one have no run that breaks the claim, says the solver.
  [[nodiscard]] unsigned depth() const { return depth_; }
  // Stops before it looks that deep; 0: never.
  void stop_at(unsigned depth) { bound_ = depth; }

 private:
  enum class Asked : std::uint8_t { Nothing, Bad, Values };
  [[nodiscard]] std::string claimed_true(const std::string& name, unsigned at);
  void ask_depth();
  void ask_values();
  void go_deeper();
  [[nodiscard]] std::string step_without_repeats() const;
  [[nodiscard]] Proposal read_trace(const std::string& reply);

  const System& system_;
  const Claim& claim_;
  Script script_;
  Session session_;
  Moves moves_;  // unless all runs are looked at
  std::unique_ptr<Transitivity> transitivity_;
  Asked asked_ = Asked::Nothing;
  unsigned depth_ = 0, bound_ = 0;
  bool ended_ = false;
};

class Induction final : public Engine {
 public:
  // `facts` hold in every reachable state: they are part of what is proposed.
  Induction(const System& system, std::size_t claim, std::vector<Term> facts,
            std::uint64_t memory_mb);
  [[nodiscard]] std::string name() const override { return "k-induction"; }
  [[nodiscard]] Proposal advance(Slice& slice, const Allowance& allowance) override;
  [[nodiscard]] bool has_ended() const override { return ended_; }
  [[nodiscard]] std::string progress() const override;
  [[nodiscard]] double cpu_seconds() const override {
    return session_.cpu_seconds() + base_.cpu_seconds();
  }

 private:
  [[nodiscard]] std::string claimed_true(const std::string& name, unsigned at);
  void ask_step();

  const System& system_;
  Term invariant_;
  BoundedSearch base_;
  Script script_;
  Session session_;
  unsigned k_ = 1;
  bool ended_ = false;
};

}  // namespace leto::transition
