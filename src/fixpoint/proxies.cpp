#include "fixpoint/proxies.h"

namespace leto::fixpoint {

namespace {

// So many names, and the solver has more to carry than it has learnt.
constexpr unsigned kMostNames = 500;

}  // namespace

ProxySolver::ProxySolver(z3::context& context, Terms background, SeenAs seen_as)
    : context_(context), known_(std::move(background)), seen_as_(std::move(seen_as)) {
  start_anew();
}

void ProxySolver::start_anew() {
  solver_.emplace(make_solver(context_));
  proxies_.clear();
  literal_of_.clear();
  names_ = 0;
  for (const z3::expr& formula : known_) solver_->add(formula);
}

void ProxySolver::add(const z3::expr& formula) {
  known_.push_back(formula);
  solver_->add(formula);
}

// No symbol of a text has a bar in it.
z3::expr ProxySolver::fresh() {
  return context_.bool_const(("proxy|" + std::to_string(names_++)).c_str());
}

z3::expr ProxySolver::proxy_of(const z3::expr& literal) {
  const auto found = proxies_.find(literal.id());
  if (found != proxies_.end()) return found->second.name;
  const z3::expr name = fresh();
  solver_->add(z3::implies(name, seen_as_(literal)));
  proxies_.emplace(literal.id(), Proxy{literal, name});
  literal_of_.emplace(name.id(), literal);
  return name;
}

bool ProxySolver::satisfiable(const Cube& cube, const std::optional<z3::expr>& besides) {
  if (names_ > kMostNames) start_anew();
  Terms assumed;
  for (const z3::expr& literal : cube) assumed.push_back(proxy_of(literal));
  if (!besides) return fixpoint::satisfiable(*solver_, assumed);
  // Its guard is not a proxy: where it is part of a core, no literal answers for it.
  const z3::expr guard = fresh();
  solver_->add(z3::implies(guard, *besides));
  assumed.push_back(guard);
  return fixpoint::satisfiable(*solver_, assumed);
}

Cube ProxySolver::core() const {
  Cube core;
  for (const z3::expr& name : solver_->unsat_core()) {
    const auto found = literal_of_.find(name.id());
    if (found != literal_of_.end()) core.push_back(found->second);
  }
  return core;
}

}  // namespace leto::fixpoint
