#include "diagnose/break.h"

#include <mutex>

#include "diagnose/target.h"

namespace leto::diagnose {

namespace {

class BreakerByRuns final : public prove::Breaker {
 public:
  BreakerByRuns(const core::Program& program, const Allowance* allowance)
      : program_(program), allowance_(allowance) {}

  std::vector<bool> find_broken(core::FunctionId function, bool any_state,
                                const prove::Claimed& claimed) override {
    std::call_once(once_, [this] {
      machine_.emplace(program_, allowance_);
      has_unseen_ = core::has_unseen_functions(program_);
    });
    std::vector<bool> broken(claimed.size());
    if (has_unseen_) return broken;
    std::vector<explain::Target> targets;
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < claimed.size(); ++i) {
      // What is claimed in another function is told of its own runs.
      if (claimed[i]->claim.function != program_.functions[function].name) continue;
      if (auto target = target_of(*claimed[i])) {
        targets.push_back(std::move(*target));
        of.push_back(i);
      }
    }
    if (targets.empty()) return broken;
    const explain::Subject subject{*machine_, function, any_state};
    const auto plans = explain::hunt(subject, targets, {explain::kBriefly, 1, allowance_});
    for (std::size_t k = 0; k < plans.size(); ++k) broken[of[k]] = plans[k].has_value();
    return broken;
  }

 private:
  const core::Program& program_;
  const Allowance* allowance_;
  std::once_flag once_;
  std::optional<interp::Machine> machine_;
  // What a run makes up of them need not exist; see diagnose.cpp, which looks closer.
  bool has_unseen_ = false;
};

}  // namespace

std::unique_ptr<prove::Breaker> make_breaker(const core::Program& program,
                                             const Allowance* allowance) {
  return std::make_unique<BreakerByRuns>(program, allowance);
}

}  // namespace leto::diagnose
