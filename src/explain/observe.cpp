#include "explain/explain.h"

namespace leto::explain {

using core::Side;

namespace {

// Facts that are known to be false are not looked at again.
class Observer {
 public:
  Observer(const interp::Machine& machine, const std::vector<std::vector<Fact>>& facts)
      : machine_(machine), facts_(facts) {
    for (const auto& of_loop : facts) holds_.emplace_back(of_loop.size(), true);
  }

  void look(core::LoopId loop, const interp::Moment& now, bool original_in, bool relaxed_in) {
    std::vector<bool>& holds = holds_[loop.value];
    for (std::size_t k = 0; k < holds.size(); ++k) {
      if (!holds[k]) continue;
      const Fact& fact = facts_[loop.value][k];
      bool fine = true;
      if (fact.relational) {
        fine = truth(fact.expr, now, Side::Relaxed);
      } else {
        fine = (!original_in || truth(fact.expr, now, Side::Original)) &&
               (!relaxed_in || truth(fact.expr, now, Side::Relaxed));
      }
      holds[k] = fine;
    }
  }

  std::vector<std::vector<bool>> take() { return std::move(holds_); }

 private:
  bool truth(core::ExprId expr, const interp::Moment& now, Side side) const {
    return find_truth(machine_, expr, now, side).value_or(false);
  }

  const interp::Machine& machine_;
  const std::vector<std::vector<Fact>>& facts_;
  std::vector<std::vector<bool>> holds_;
};

}  // namespace

std::optional<bool> find_truth(const interp::Machine& machine, core::ExprId expr,
                               const interp::Moment& now, Side side) {
  interp::Scope scope{now.pair, side, &now.snapshots};
  try {
    if (machine.evaluator().reads_without_value(expr, scope).valid()) return std::nullopt;
    return machine.evaluator().truth(expr, scope);
  } catch (const interp::Undecidable&) {
    return std::nullopt;
  }
}

std::vector<std::vector<bool>> observed(const Subject& subject,
                                        const std::vector<std::vector<Fact>>& facts,
                                        const Hunt& budget) {
  Observer observer(subject.machine, facts);
  interp::Options options;
  options.limits.steps = subject.run_steps;
  options.at_head = [&](core::LoopId loop, const interp::Moment& now, bool original_in,
                        bool relaxed_in) { observer.look(loop, now, original_in, relaxed_in); };
  std::uint64_t steps = 0;
  for (std::uint64_t i = 0; steps < budget.steps && i < 2000; ++i) {
    interp::InputOptions small;
    small.max_size = 1 + static_cast<int>(i % 3);
    small.attempts = 200;
    small.any_state = subject.any_state;
    const auto inputs =
        interp::random_inputs(subject.machine, subject.function, budget.seed + i, small);
    steps += 100;
    if (!inputs) continue;
    // Only runs that something is claimed of.
    interp::ExactChooser exact;
    interp::Options first;
    first.limits = options.limits;
    const interp::Outcome dry = subject.machine.run(subject.function, *inputs, exact, first);
    steps += dry.steps;
    if (dry.end != interp::End::Done) continue;
    const interp::FaultPolicy policy{dry.sites == 0 ? 0 : i % dry.sites, i % 2 == 0 ? 0.0 : 0.4};
    interp::RandomChooser chooser(budget.seed + i, policy);
    steps += subject.machine.run(subject.function, *inputs, chooser, options).steps;
  }
  return observer.take();
}

}  // namespace leto::explain
