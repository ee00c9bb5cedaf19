#include "diagnose/explore.h"

#include <mutex>
#include <optional>

#include "core/core.h"
#include "interp/interp.h"

namespace leto::diagnose {

namespace {

class ExplorerByRuns final : public prove::Explorer {
 public:
  ExplorerByRuns(const core::Program& program, const Allowance* allowance)
      : program_(program), allowance_(allowance) {}

  prove::Visited explore(core::FunctionId function, bool any_state) override {
    std::call_once(once_, [this] {
      machine_.emplace(program_, allowance_);
      has_unseen_ = core::has_unseen_functions(program_);
    });
    prove::Visited visited;
    if (!has_unseen_) explore(function, any_state, visited);
    return visited;
  }

 private:
  // Sizes from 0: where there is nothing to do, a run comes by the end of every loop.
  static constexpr std::uint64_t kRuns = 24, kInVain = 9, kSizes = 3;

  void explore(core::FunctionId function, bool any_state, prove::Visited& visited) const {
    std::vector<std::unique_ptr<interp::InputMaker>> makers;
    interp::InputOptions small;
    small.attempts = 10;
    small.any_state = any_state;
    for (std::uint64_t size = 1; size <= kSizes; ++size) {
      small.max_size = static_cast<int>(size);
      makers.push_back(std::make_unique<interp::InputMaker>(*machine_, function, small));
    }
    const std::uint64_t steps = count_steps(function);
    std::uint64_t in_vain = 0;
    for (std::uint64_t i = 0; i < kRuns && in_vain < kInVain; ++i) {
      const auto inputs = makers[i % kSizes]->make(i + 1);
      if (!inputs || !visit(function, *inputs, steps, visited)) ++in_vain;
    }
  }
  [[nodiscard]] std::uint64_t count_steps(core::FunctionId function) const {
    return 1'000 + 30 * core::count_statements(program_, program_.functions[function].body);
  }
  // False: it does not end, or something that is claimed does not hold or could not be decided.
  // Then it says nothing of any place, not even of those before.
  bool visit(core::FunctionId function, const interp::Inputs& inputs, std::uint64_t steps,
             prove::Visited& visited) const {
    interp::Options options;
    options.limits.steps = steps;
    std::vector<core::StmtId> passed;
    const bool one = program_.functions[function].is_of_one_run();
    options.behind = [&](core::StmtId statement, bool original, bool relaxed) {
      if (one || (original && relaxed)) passed.push_back(statement);
    };
    interp::ExactChooser exact;
    const interp::Outcome outcome = machine_->run(function, inputs, exact, options);
    if (outcome.end != interp::End::Done || !outcome.violations.empty()) return false;
    visited.end = true;
    visited.statements.insert(passed.begin(), passed.end());
    return true;
  }

  const core::Program& program_;
  const Allowance* allowance_;
  std::once_flag once_;
  std::optional<interp::Machine> machine_;
  // External functions, also those that only a contract names, or function constants of the model.
  // What is declared of them is said of all arguments, and a run asks for few: it may keep all
  // claims though there are no such functions.
  bool has_unseen_ = false;
};

}  // namespace

std::unique_ptr<prove::Explorer> make_explorer(const core::Program& program,
                                               const Allowance* allowance) {
  return std::make_unique<ExplorerByRuns>(program, allowance);
}

}  // namespace leto::diagnose
