// For tests only: a system from a text, and what can be reached of it in so many steps, by
// unrolling it and asking a solver.
#pragma once

#include <algorithm>
#include <string>

#include "check/test_front.h"
#include "logic/smtlib.h"
#include "protocol/protocol.h"
#include "solver/solver.h"

namespace leto::protocol {

class Unrolled {
 public:
  explicit Unrolled(const std::string& text) : front_(text) {
    if (front_.said.errors() > 0 || front_.checked.systems.empty()) return;
    lowered_ = lower(front_.checked.systems.front(), front_.said);
    if (!lowered_) return;
    solver_ = solver::make_process_solver(solver::z3_command(), {}, allowance_);
    states_.push_back({});
    for (const transition::Variable& variable : system().variables)
      states_[0].push_back(variable.now);
    known_.push_back(t().and_(system().initial, system().assumed));
  }

  [[nodiscard]] const Lowered& lowered() const { return *lowered_; }
  [[nodiscard]] bool good() const { return lowered_.has_value(); }
  [[nodiscard]] check::Front& front() { return front_; }
  [[nodiscard]] const transition::System& system() const { return lowered_->system; }
  [[nodiscard]] logic::TermTable& t() { return *lowered_->system.terms; }

  // Whether the claim fails in some state that is reached in at most so many steps.
  [[nodiscard]] bool fails(const std::string& name, std::size_t depth) {
    const auto claim = std::find_if(system().claims.begin(), system().claims.end(),
                                    [&](const transition::Claim& one) { return one.name == name; });
    LETO_ASSERT(claim != system().claims.end());
    for (std::size_t d = 0; d <= depth; ++d)
      if (!follows(d, claim->formula)) return true;
    return false;
  }
  [[nodiscard]] bool holds(const std::string& name, std::size_t depth) {
    return !fails(name, depth);
  }
  // Whether there is a run of so many steps.
  [[nodiscard]] bool runs(std::size_t depth) { return !follows(depth, t().boolean(false)); }
  // Whether all obligations hold.
  [[nodiscard]] bool discharged(const std::vector<Obligation>& list) {
    return std::all_of(list.begin(), list.end(),
                       [&](const Obligation& one) { return valid({}, one.formula); });
  }

  // Whether the goal follows from what is known.
  [[nodiscard]] bool valid(const std::vector<logic::Term>& known, logic::Term goal) {
    if (t().is_true(goal)) return true;
    logic::SmtWriter writer(t());
    const solver::Answer answer = solver_->solve({writer.question(known, goal)});
    LETO_ASSERT(answer.verdict != solver::Verdict::Unknown);
    return answer.verdict == solver::Verdict::Unsat;
  }

 private:
  void step() {
    const std::size_t k = states_.size() - 1;
    std::vector<logic::Term> next;
    transition::Substitution to(t()), after(t());
    for (std::size_t v = 0; v < system().variables.size(); ++v) {
      const transition::Variable& variable = system().variables[v];
      next.push_back(t().symbol(variable.name, variable.sort));
      to.replace(variable.now, states_[k][v]);
      to.replace(variable.next, next[v]);
      after.replace(variable.now, next[v]);
    }
    for (const transition::Input& input : system().inputs)
      to.replace(input.term, t().symbol(input.name, input.sort));
    known_.push_back(to(transition::relation_of(system())));
    known_.push_back(after(system().assumed));
    states_.push_back(std::move(next));
  }
  bool follows(std::size_t depth, logic::Term formula) {
    while (states_.size() <= depth) step();
    transition::Substitution at(t());
    for (std::size_t v = 0; v < system().variables.size(); ++v)
      at.replace(system().variables[v].now, states_[depth][v]);
    return valid({known_.begin(), known_.begin() + 1 + 2 * static_cast<std::ptrdiff_t>(depth)},
                 at(formula));
  }

  check::Front front_;
  std::optional<Lowered> lowered_;
  Allowance allowance_;
  std::unique_ptr<solver::Solver> solver_;
  std::vector<std::vector<logic::Term>> states_;
  std::vector<logic::Term> known_;  // the start, then two for each step
};

}  // namespace leto::protocol
