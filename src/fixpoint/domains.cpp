#include "fixpoint/domains.h"

#include <algorithm>

namespace leto::fixpoint {

z3::expr membership(const z3::expr& variable, const std::vector<Ratio>& values) {
  Terms cases;
  for (const Ratio& value : values)
    cases.push_back(variable == numeral_of(variable.get_sort(), value));
  return any_of(variable.ctx(), cases);
}

namespace {

constexpr std::size_t kMostValues = 8;

// Grows domains from nothing, by models of what they miss.
class Growth {
 public:
  explicit Growth(const System& system) : system_(system) {
    for (std::size_t i = 0; i < system.now.size(); ++i)
      if (system.now[i].is_arith()) domains_.push_back({i, {}});
  }

  // Where runs begin.
  void grow_from_start() {
    z3::solver solver = make_solver(system_.context);
    solver.add(system_.start());
    while (!domains_.empty() && ask(solver, system_.now, {})) take(solver, system_.now);
  }

  [[nodiscard]] bool nothing_begins() const {
    return !domains_.empty() && domains_.front().values.empty();
  }

  // Whatever a step leads to from inside of the domains. One that is dropped is not inside any
  // more: the others are asked again without it.
  void grow_by_steps() {
    z3::solver solver = make_solver(system_.context);
    solver.add(system_.step());
    while (!domains_.empty() && ask(solver, system_.next, inside())) take(solver, system_.next);
  }

  // By solvers that have not been asked before.
  [[nodiscard]] bool stands() {
    z3::solver start = make_solver(system_.context);
    start.add(system_.start());
    z3::solver step = make_solver(system_.context);
    step.add(system_.step());
    return !ask(start, system_.now, {}) && !ask(step, system_.next, inside());
  }

  std::vector<Domain> domains_;

 private:
  Terms inside() const {
    Terms formulas;
    for (const Domain& domain : domains_)
      formulas.push_back(membership(system_.now[domain.variable], domain.values));
    return formulas;
  }

  // Is there a state that the domains miss? What is assumed holds for this question.
  bool ask(z3::solver& solver, const Terms& variables, const Terms& assumed) {
    Terms missed;
    for (const Domain& domain : domains_)
      missed.push_back(!membership(variables[domain.variable], domain.values));
    const z3::expr guard =
        system_.context.bool_const(("domains|" + std::to_string(questions_++)).c_str());
    solver.add(z3::implies(guard, any_of(system_.context, missed)));
    for (const z3::expr& formula : assumed) solver.add(z3::implies(guard, formula));
    return satisfiable(solver, {guard});
  }

  void take(const z3::solver& solver, const Terms& variables) {
    const z3::model model = solver.get_model();
    std::vector<Domain> kept;
    for (Domain& domain : domains_) {
      const auto value = ratio_in(model.eval(variables[domain.variable], true));
      if (!value) continue;
      if (std::find(domain.values.begin(), domain.values.end(), *value) == domain.values.end())
        domain.values.push_back(*value);
      if (domain.values.size() <= kMostValues) kept.push_back(std::move(domain));
    }
    domains_ = std::move(kept);
  }

  const System& system_;
  unsigned questions_ = 0;
};

}  // namespace

std::vector<Domain> find_domains(const System& system) {
  Growth growth(system);
  try {
    growth.grow_from_start();
    if (growth.nothing_begins()) return {};
    growth.grow_by_steps();
    if (growth.stands()) return std::move(growth.domains_);
  } catch (const GiveUp&) {
    // Nobody knows, so nothing is finite.
  }
  return {};
}

}  // namespace leto::fixpoint
