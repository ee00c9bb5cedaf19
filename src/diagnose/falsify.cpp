#include "diagnose/falsify.h"

#include <mutex>
#include <optional>

#include "interp/interp.h"

namespace leto::diagnose {

namespace {

using core::Side;
using prove::Proposed;

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

  [[nodiscard]] bool has_nothing_to_look_at() const { return shown_.empty(); }
  void look(core::LoopId loop, const interp::Moment& now) {
    const auto it = shown_.find(loop);
    if (it == shown_.end()) return;
    for (std::size_t k = 0; k < it->second.size(); ++k)
      if (!it->second[k]) it->second[k] = is_false(proposals_[loop.value][k].candidate, now);
  }
  [[nodiscard]] prove::Shown take() { return std::move(shown_); }

 private:
  [[nodiscard]] bool is_false(const vcgen::Candidate& candidate, const interp::Moment& now) const {
    const auto fails = [&](Side side) { return fails_in(candidate.expr, now, side); };
    return fails(Side::Relaxed) || (!candidate.relational && fails(Side::Original));
  }
  [[nodiscard]] bool fails_in(core::ExprId expr, const interp::Moment& now, Side side) const {
    interp::Scope scope{now.pair, side, &now.snapshots};
    try {
      return !machine_.evaluator().reads_without_value(expr, scope).valid() &&
             !machine_.evaluator().truth(expr, scope);
    } catch (const interp::Undecidable&) {
      return false;
    }
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
    if (!observer.has_nothing_to_look_at()) run(function, any_state, observer);
    return observer.take();
  }

 private:
  // Few runs, small and short: each has to be cheaper than the questions that it saves.
  static constexpr unsigned kRuns = 10, kInVain = 2;
  static constexpr std::uint64_t kSteps = 600;

  void run(core::FunctionId function, bool any_state, Observer& observer) const {
    interp::InputOptions small;
    small.attempts = 10;
    small.any_state = any_state;
    const interp::InputMaker maker(*machine_, function, small);
    unsigned in_vain = 0;
    for (std::uint64_t i = 0; i < kRuns && in_vain < kInVain; ++i) {
      const auto inputs = maker.make(i + 1);
      if (!inputs || !run_once(function, *inputs, i, observer)) ++in_vain;
    }
  }
  // False: not one of the runs that something is claimed of.
  bool run_once(core::FunctionId function, const interp::Inputs& inputs, std::uint64_t number,
                Observer& observer) const {
    interp::Options options;
    options.limits.steps = kSteps;
    interp::ExactChooser exact;
    const interp::Outcome dry = machine_->run(function, inputs, exact, options);
    if (dry.end != interp::End::Done) return false;
    // Where only one run is in a loop, it may be another occurrence of it.
    options.at_head = [&](core::LoopId loop, const interp::Moment& now, bool original_in,
                          bool relaxed_in) {
      if (original_in && relaxed_in) observer.look(loop, now);
    };
    const interp::FaultPolicy policy{dry.sites == 0 ? 0 : number % dry.sites,
                                     number % 2 == 0 ? 0.0 : 0.4};
    interp::RandomChooser chooser(number + 1, policy);
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
