#include "diagnose/falsify.h"

#include <algorithm>
#include <mutex>
#include <optional>

#include "explain/explain.h"
#include "interp/interp.h"

namespace leto::diagnose {

namespace {

using core::Side;

// Looks at what is proposed for the loops of one function. What is known to be false is not looked
// at again, and what a run cannot decide says nothing.
class Observer {
 public:
  Observer(const interp::Machine& machine, core::FunctionId function,
           const prove::Proposals& proposals)
      : machine_(machine), proposals_(proposals) {
    const core::Program& program = machine.program();
    core::for_each_statement(program, program.functions[function].body, [&](core::StmtId id) {
      const auto* loop = std::get_if<core::While>(&program.stmts[id].node);
      if (loop == nullptr) return;
      const std::size_t count = proposals[loop->loop.value].size();
      if (count > 0) shown_[loop->loop].assign(count, false);
    });
  }

  // Of the loop with the most.
  [[nodiscard]] std::size_t count_most() const {
    std::size_t most = 0;
    for (const auto& [loop, shown] : shown_) most = std::max(most, shown.size());
    return most;
  }
  void look(core::LoopId loop, const interp::Moment& now) {
    const auto it = shown_.find(loop);
    if (it == shown_.end()) return;
    for (std::size_t k = 0; k < it->second.size(); ++k)
      if (!it->second[k]) it->second[k] = is_false(proposals_[loop.value][k].candidate, now);
  }
  [[nodiscard]] prove::Shown take() { return std::move(shown_); }

 private:
  [[nodiscard]] bool is_false(const vcgen::Candidate& candidate, const interp::Moment& now) const {
    const auto fails = [&](Side side) {
      return !explain::find_truth(machine_, candidate.expr, now, side).value_or(true);
    };
    return fails(Side::Relaxed) || (!candidate.relational && fails(Side::Original));
  }

  const interp::Machine& machine_;
  const prove::Proposals& proposals_;
  prove::Shown shown_;
};

class ByRuns final : public prove::Falsifier {
 public:
  ByRuns(const core::Program& program, const Allowance* allowance)
      : program_(program), allowance_(allowance) {}

  prove::Shown find_false(core::FunctionId function, bool any_state,
                          const prove::Proposals& proposals) override {
    std::call_once(once_, [this] { machine_.emplace(program_, allowance_); });
    Observer observer(*machine_, function, proposals);
    if (observer.count_most() > 0) run(function, any_state, observer);
    return observer.take();
  }

 private:
  // Few runs, small and short: each has to be cheaper than the questions that it saves.
  static constexpr std::uint64_t kRuns = 12, kMostRuns = 200, kInVain = 2;
  static constexpr std::uint64_t kEffort = 20'000;  // on inputs

  void run(core::FunctionId function, bool any_state, Observer& observer) const {
    interp::InputOptions small;
    small.attempts = 10;
    small.any_state = any_state;
    small.effort = kEffort;
    const interp::InputMaker larger(*machine_, function, small);
    small.max_size = 1;
    const interp::InputMaker smallest(*machine_, function, small);
    const std::uint64_t steps = count_steps(function);
    // A fault breaks few facts, so where a loop has many they take more runs.
    const std::uint64_t runs =
        std::clamp<std::uint64_t>(observer.count_most() / 2, kRuns, kMostRuns);
    std::uint64_t in_vain = 0;
    for (std::uint64_t i = 0; i < runs && in_vain < kInVain; ++i) {
      auto inputs = (i % 2 == 0 ? smallest : larger).make(i + 1);
      if (inputs) inputs->values.effort.reset();
      if (!inputs || !run_once(function, *inputs, {i, runs, steps}, observer)) ++in_vain;
    }
  }
  // Enough to come by the last of many loops, if each is done a few times.
  [[nodiscard]] std::uint64_t count_steps(core::FunctionId function) const {
    return 300 + 30 * core::count_statements(program_, program_.functions[function].body);
  }
  struct Turn {
    std::uint64_t number, of, steps;
  };
  // False: not one of the runs that something is claimed of.
  bool run_once(core::FunctionId function, const interp::Inputs& inputs, const Turn& turn,
                Observer& observer) const {
    interp::Options options;
    options.limits.steps = turn.steps;
    interp::ExactChooser exact;
    const interp::Outcome dry = machine_->run(function, inputs, exact, options);
    if (dry.end != interp::End::Done) return false;
    // Where only one run is in a loop, it may be another occurrence of it.
    options.at_head = [&](core::LoopId loop, const interp::Moment& now, bool original_in,
                          bool relaxed_in) {
      if (original_in && relaxed_in) observer.look(loop, now);
    };
    // At one place after the other, one fault or many from there on.
    const interp::FaultPolicy policy{turn.number * dry.sites / turn.of,
                                     turn.number % 4 < 2 ? 0.0 : 0.4};
    interp::RandomChooser chooser(turn.number + 1, policy);
    (void)machine_->run(function, inputs, chooser, options);
    return true;
  }

  const core::Program& program_;
  const Allowance* allowance_;
  std::once_flag once_;
  std::optional<interp::Machine> machine_;
};

}  // namespace

std::unique_ptr<prove::Falsifier> make_falsifier(const core::Program& program,
                                                 const Allowance* allowance) {
  return std::make_unique<ByRuns>(program, allowance);
}

}  // namespace leto::diagnose
