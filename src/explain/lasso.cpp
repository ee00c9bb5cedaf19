// A run that never ends. The faults that kept a run in a loop are taken again and again, each time
// that the same statement is done. If the relaxed run then comes twice to one head with all of its
// variables and the model's state equal, it can make the same choices for ever. A run that does not
// end need not have such a pair of heads; then nothing is claimed.
#include <algorithm>
#include <map>

#include "core/calls.h"
#include "explain/explain.h"

namespace leto::explain {

namespace {

// At each statement what was taken there last; exact everywhere else.
class AgainAndAgain final : public interp::Chooser {
 public:
  explicit AgainAndAgain(const std::vector<interp::Taken>& faults) {
    for (const interp::Taken& taken : faults) by_statement_[taken.statement] = taken;
  }
  std::size_t specification(const interp::SitePoint& point) override {
    current_ = nullptr;
    if (const auto it = by_statement_.find(point.statement); it != by_statement_.end()) {
      const auto enabled =
          std::find(point.enabled.begin(), point.enabled.end(), it->second.specification);
      if (enabled != point.enabled.end()) {
        current_ = &it->second;
        return static_cast<std::size_t>(enabled - point.enabled.begin());
      }
    }
    return exact_.specification(point);
  }
  std::size_t alternative(std::size_t) override { return 0; }
  interp::Number value(const interp::Domain& domain, core::VarId unknown) override {
    if (current_ == nullptr) return exact_.value(domain, unknown);
    for (const auto& [var, value] : current_->states)
      if (var == unknown) return value;
    return current_->outcome;
  }
  [[nodiscard]] const interp::Taken* scripted() const override { return current_; }

 private:
  std::map<core::StmtId, interp::Taken> by_statement_;
  const interp::Taken* current_ = nullptr;
  interp::ExactChooser exact_;
};

bool are_equal(const interp::Variables& a, const interp::Variables& b) {
  bool equal = a.size() == b.size();
  for (std::size_t i = 0; i < a.size() && equal; ++i)
    equal = a[i].none == b[i].none && interp::equal(a[i], b[i]);
  return equal;
}

// The loops of a function's own body. In a callee a head may be that of another call, from where
// the run goes on elsewhere; and so it is in one that calls itself.
std::map<core::LoopId, Span> find_own_loops(const core::Program& program, core::FunctionId id) {
  std::map<core::LoopId, Span> out;
  bool recursive = false;
  core::for_each_callee(program, id, [&](core::FunctionId callee) {
    recursive = recursive || core::find_reached(program, {callee})[id.value];
  });
  if (recursive) return out;
  core::for_each_statement(program, program.functions[id].body, [&](core::StmtId stmt) {
    if (const auto* loop = std::get_if<core::While>(&program.stmts[stmt].node))
      out[loop->loop] = program.stmts[stmt].span;
  });
  return out;
}

}  // namespace

std::optional<Span> find_endless_loop(const Subject& subject, const Plan& plan) {
  const std::map<core::LoopId, Span> own =
      find_own_loops(subject.machine.program(), subject.function);
  std::map<core::LoopId, interp::Variables> before;
  std::optional<Span> found;
  interp::Options options;
  options.limits.steps = subject.run_steps;
  options.at_head = [&](core::LoopId loop, const interp::Moment& now, bool original_in,
                        bool relaxed_in) {
    const auto it = own.find(loop);
    if (found || it == own.end() || original_in || !relaxed_in) return;
    const auto last = before.find(loop);
    if (last != before.end() && are_equal(last->second, now.pair.relaxed)) found = it->second;
    before[loop] = now.pair.relaxed;
  };
  AgainAndAgain chooser(plan.faults);
  const interp::Outcome outcome =
      subject.machine.run(subject.function, plan.inputs, chooser, options);
  if (outcome.end != interp::End::Hung) return std::nullopt;
  return found;
}

}  // namespace leto::explain
