#include "diagnose/explore.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <set>

#include "core/calls.h"
#include "core/core.h"
#include "interp/interp.h"

namespace leto::diagnose {

namespace {

// Functions whose calls are nested deep. If each of a chain of functions were run on its own, most
// of the time would go into those at its bottom, again and again.
std::vector<bool> find_deep(const core::Program& program) {
  constexpr std::uint32_t kDeep = 50;
  std::vector<std::uint32_t> depths(program.functions.size(), 0);
  for (const auto& circle : core::find_circles(program)) {  // callees before callers
    std::uint32_t depth = 0;
    for (const core::FunctionId id : circle)
      core::for_each_callee(program, id, [&](core::FunctionId callee) {
        depth = std::max(depth, depths[callee.value] + 1);
      });
    for (const core::FunctionId id : circle) depths[id.value] = depth;
  }
  std::vector<bool> deep;
  for (const std::uint32_t depth : depths) deep.push_back(depth > kDeep);
  return deep;
}

class ExplorerByRuns final : public prove::Explorer {
 public:
  ExplorerByRuns(const core::Program& program, const Allowance* allowance, KnownInputs known)
      : program_(program), allowance_(allowance), known_(std::move(known)) {}

  prove::Visited explore(core::FunctionId function, bool any_state) override {
    std::call_once(once_, [this] {
      machine_.emplace(program_, allowance_);
      has_unseen_ = core::has_unseen_functions(program_);
      is_deep_ = find_deep(program_);
    });
    prove::Visited visited;
    if (!has_unseen_ && !is_deep_[function.value]) explore(function, any_state, visited);
    return visited;
  }

 private:
  // Sizes from 0: where there is nothing to do, a run comes by the end of every loop.
  static constexpr std::uint64_t kRuns = 24, kInVain = 9, kSizes = 3;
  // Of one run and its inputs. What a function requires may take any time to evaluate, and what it
  // takes must not be missing where others are looked at.
  static constexpr std::uint64_t kEffort = 20'000;
  static constexpr std::uint64_t kStepsOfKnown = 20'000;

  void explore(core::FunctionId function, bool any_state, prove::Visited& visited) const {
    std::vector<std::unique_ptr<interp::InputMaker>> makers;
    interp::InputOptions small;
    small.attempts = 10;
    small.any_state = any_state;
    small.effort = kEffort;
    for (std::uint64_t size = 1; size <= kSizes; ++size) {
      small.max_size = static_cast<int>(size);
      makers.push_back(std::make_unique<interp::InputMaker>(*machine_, function, small));
    }
    const std::uint64_t steps = count_steps(function);
    const std::set<core::StmtId> places = find_places(function);
    // Where nobody draws what is needed to get anywhere, an example may say it.
    if (known_)
      for (const interp::Inputs& inputs : known_(*machine_, function))
        if (!interp::unmet(*machine_, function, inputs))
          (void)visit(function, inputs, kStepsOfKnown + steps, visited);
    if (std::ranges::includes(visited.statements, places)) return;
    std::uint64_t in_vain = 0;
    for (std::uint64_t i = 0; i < kRuns && in_vain < kInVain; ++i) {
      const auto inputs = makers[i % kSizes]->make(i + 1);
      if (!inputs || !visit(function, *inputs, steps, visited))
        ++in_vain;
      else if (std::ranges::includes(visited.statements, places))
        return;
    }
  }
  // Where something is assumed: when runs came by all of them there is nothing left to find.
  [[nodiscard]] std::set<core::StmtId> find_places(core::FunctionId function) const {
    std::set<core::StmtId> places;
    core::for_each_statement(program_, program_.functions[function].body, [&](core::StmtId id) {
      const auto& node = program_.stmts[id].node;
      if (std::holds_alternative<core::While>(node) || std::holds_alternative<core::Call>(node) ||
          std::holds_alternative<core::Claim>(node))
        places.insert(id);
    });
    return places;
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
  const KnownInputs known_;
  std::once_flag once_;
  std::optional<interp::Machine> machine_;
  // External functions, also those that only a contract names, or function constants of the model.
  // What is declared of them is said of all arguments, and a run asks for few: it may keep all
  // claims though there are no such functions.
  bool has_unseen_ = false;
  // By function: runs of it are not worth their time.
  std::vector<bool> is_deep_;
};

}  // namespace

std::unique_ptr<prove::Explorer> make_explorer(const core::Program& program,
                                               const Allowance* allowance, KnownInputs known) {
  return std::make_unique<ExplorerByRuns>(program, allowance, std::move(known));
}

}  // namespace leto::diagnose
