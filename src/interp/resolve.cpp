#include "interp/resolve.h"

#include <algorithm>

namespace leto::interp {

using core::Op;
using core::Side;

namespace {

bool comparison(Op op) {
  return op == Op::Lt || op == Op::Le || op == Op::Gt || op == Op::Ge || op == Op::Eq;
}

// Of both roots the one that the bounds allow, as far as they are known.
std::optional<Number> pick_root(const Number& square, const Domain& domain) {
  const std::optional<Number> root = square.root();
  return root && !domain.contains(*root) ? -*root : root;
}

void tighten(Domain& domain, Op op, const Number& value) {
  const Bound bound{value, op == Op::Lt || op == Op::Gt};
  if (op == Op::Lt || op == Op::Le) {
    if (!domain.high || value < domain.high->value || (value == domain.high->value && bound.strict))
      domain.high = bound;
  } else {
    if (!domain.low || domain.low->value < value || (value == domain.low->value && bound.strict))
      domain.low = bound;
  }
}

}  // namespace

const core::Apply* Resolver::apply(core::ExprId id) const {
  return std::get_if<core::Apply>(&program_.exprs[id].node);
}

bool Resolver::mentions(core::ExprId id, const std::set<core::VarId>& vars) const {
  return interp::mentions(program_, id, [&](core::VarId var) { return vars.contains(var); });
}

// Conjunctions apart; alternatives decided; implications by what is known of their left side.
void Resolver::flatten(core::ExprId id, const std::set<core::VarId>& open, Scope& scope,
                       Chooser& chooser, std::vector<core::ExprId>& out) const {
  const core::Apply* node = apply(id);
  if (node != nullptr && node->op == Op::And) {
    for (core::ExprId arg : node->args) flatten(arg, open, scope, chooser, out);
    return;
  }
  if (node != nullptr && node->op == Op::Implies && !mentions(node->args[0], open)) {
    if (evaluator_.truth(node->args[0], scope)) flatten(node->args[1], open, scope, chooser, out);
    return;
  }
  if (node != nullptr && node->op == Op::Or && mentions(id, open)) {
    // One that already holds by itself leaves nothing to decide.
    std::vector<core::ExprId> alternatives, work{id};
    while (!work.empty()) {
      const core::ExprId at = work.back();
      work.pop_back();
      const core::Apply* part = apply(at);
      if (part != nullptr && part->op == Op::Or) {
        work.push_back(part->args[1]);
        work.push_back(part->args[0]);
      } else if (mentions(at, open)) {
        alternatives.push_back(at);
      } else if (evaluator_.truth(at, scope)) {
        return;
      }
    }
    flatten(alternatives[chooser.alternative(alternatives.size())], open, scope, chooser, out);
    return;
  }
  out.push_back(id);
}

// The unknown times itself.
bool Resolver::is_square(const core::Apply& product, core::VarId unknown) const {
  return std::all_of(product.args.begin(), product.args.end(), [&](core::ExprId arg) {
    const auto* ref = std::get_if<core::VarRef>(&program_.exprs[arg].node);
    return ref != nullptr && ref->var == unknown;
  });
}

bool Resolver::isolate(core::ExprId expr, Op op, const Number& value, core::VarId unknown,
                       const std::set<core::VarId>& open, Scope& scope, Domain& domain,
                       std::optional<Number>& exactly) const {
  if (const auto* ref = std::get_if<core::VarRef>(&program_.exprs[expr].node)) {
    if (ref->var != unknown) return false;
    if (op == Op::Eq)
      exactly = value;
    else
      tighten(domain, op, value);
    return true;
  }
  const core::Apply* node = apply(expr);
  if (node == nullptr) return false;
  if (node->op == Op::Neg)
    return isolate(node->args[0], turned(op), -value, unknown, open, scope, domain, exactly);
  if (node->op == Op::Abs) {
    // |e| < v is -v < e < v; from below it is no interval.
    if (op == Op::Eq || op == Op::Gt || op == Op::Ge) return false;
    return isolate(node->args[0], op, value, unknown, open, scope, domain, exactly) &&
           isolate(node->args[0], turned(op), -value, unknown, open, scope, domain, exactly);
  }
  if (node->args.size() != 2) return false;
  const bool left = mentions(node->args[0], open), right = mentions(node->args[1], open);
  if (left && right && node->op == Op::Mul && op == Op::Eq && is_square(*node, unknown)) {
    exactly = pick_root(value, domain);
    return exactly.has_value();
  }
  if (left == right) return false;
  const core::ExprId inner = node->args[left ? 0 : 1];
  const Number known = evaluator_.number(node->args[left ? 1 : 0], scope);
  switch (node->op) {
    case Op::Add:
      return isolate(inner, op, value - known, unknown, open, scope, domain, exactly);
    case Op::Sub:
      if (left) return isolate(inner, op, value + known, unknown, open, scope, domain, exactly);
      return isolate(inner, turned(op), known - value, unknown, open, scope, domain, exactly);
    case Op::Mul:
      if (known.sign() == 0) return false;
      return isolate(inner, known.sign() < 0 ? turned(op) : op, quotient(value, known), unknown,
                     open, scope, domain, exactly);
    case Op::Div:
      if (!left || known.sign() == 0 || program_.exprs[expr].type.base != core::Base::Real)
        return false;
      return isolate(inner, known.sign() < 0 ? turned(op) : op, value * known, unknown, open, scope,
                     domain, exactly);
    case Op::Not:
    case Op::Neg:
    case Op::Abs:
    case Op::ToReal:
    case Op::Floor:
    case Op::ToNatural:
    case Op::Mod:
    case Op::And:
    case Op::Or:
    case Op::Implies:
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
    case Op::Min:
    case Op::Max:
    case Op::Choose:
      return false;
  }
  LETO_ASSERT(false);
}

bool Resolver::solve(const std::vector<core::ExprId>& formulas,
                     const std::vector<Unknown>& unknowns, Pair& values, Scope& scope,
                     Chooser& chooser) const {
  std::set<core::VarId> open;
  for (const Unknown& u : unknowns) open.insert(u.var);
  std::vector<core::ExprId> parts;
  for (core::ExprId formula : formulas) flatten(formula, open, scope, chooser, parts);
  const auto assign = [&](core::VarId var, const Number& n) {
    open.erase(var);
    for (auto& [bound, value] : scope.bound)
      if (bound == var) {
        value = n;
        return;
      }
    if (program_.vars[var].kind != core::VarKind::State) values.original[var.value].scalar = n;
    values.relaxed[var.value].scalar = n;
  };
  // What the parts say of one unknown, as far as the others are known.
  const auto look = [&](const Unknown& u, Domain& domain, std::optional<Number>& exactly) {
    std::set<core::VarId> others = open;
    others.erase(u.var);
    for (core::ExprId part : parts) {
      if (!mentions(part, {u.var}) || mentions(part, others)) continue;
      if (const auto* ref = std::get_if<core::VarRef>(&program_.exprs[part].node)) {
        if (ref->var == u.var) exactly = Number(1);
        continue;
      }
      const core::Apply* node = apply(part);
      if (node == nullptr) continue;
      if (node->op == Op::Not) {
        const auto* ref = std::get_if<core::VarRef>(&program_.exprs[node->args[0]].node);
        if (ref != nullptr && ref->var == u.var) exactly = Number(0);
        continue;
      }
      if (!comparison(node->op)) continue;
      const bool left = mentions(node->args[0], {u.var});
      if (left && mentions(node->args[1], {u.var})) continue;
      const Op op = left ? node->op : turned(node->op);
      (void)isolate(node->args[left ? 0 : 1], op,
                    evaluator_.number(node->args[left ? 1 : 0], scope), u.var, open, scope, domain,
                    exactly);
    }
  };
  while (!open.empty()) {
    bool progress = false;
    for (const Unknown& u : unknowns) {
      if (!open.contains(u.var)) continue;
      Domain domain{program_.vars[u.var].type, {}, {}, u.usual};
      std::optional<Number> exactly;
      look(u, domain, exactly);
      if (!exactly) continue;
      assign(u.var, *exactly);
      progress = true;
    }
    if (progress) continue;
    for (const Unknown& u : unknowns) {
      if (!open.contains(u.var)) continue;
      Domain domain{program_.vars[u.var].type, {}, {}, u.usual};
      std::optional<Number> exactly;
      look(u, domain, exactly);
      const Number n = chooser.value(domain, u.var);
      assign(u.var, n);
      break;
    }
  }
  for (const Unknown& u : unknowns) {
    const Value chosen = evaluator_.value_of(u.var, scope);
    const Domain type{program_.vars[u.var].type, {}, {}, 0};
    if (!type.contains(chosen.scalar)) return false;
  }
  return std::all_of(formulas.begin(), formulas.end(),
                     [&](core::ExprId formula) { return evaluator_.truth(formula, scope); });
}

namespace {

void bind(const core::Specification& spec, const std::vector<Number>& arguments,
          const Number& exact, Scope& scope) {
  for (std::size_t i = 0; i < spec.params.size(); ++i)
    scope.bound.emplace_back(spec.params[i], arguments[i]);
  if (spec.exact.valid()) scope.bound.emplace_back(spec.exact, exact);
}

}  // namespace

bool Resolver::enabled(std::uint32_t specification, const std::vector<Number>& arguments,
                       const Number& exact, const Pair& now) const {
  const core::Specification& spec = program_.specifications[specification];
  if (!spec.when.valid()) return true;
  Scope scope{now, Side::Relaxed};
  bind(spec, arguments, exact, scope);
  return evaluator_.truth(spec.when, scope);
}

bool Resolver::allows(std::uint32_t specification, const std::vector<Number>& arguments,
                      const Number& exact, const Decision& decision, Pair& now) const {
  const core::Specification& spec = program_.specifications[specification];
  const auto fits = [&](core::VarId var, const Number& n) {
    return Domain{program_.vars[var].type, {}, {}, 0}.contains(n);
  };
  if (!fits(spec.outcome, decision.outcome)) return false;
  Scope scope{now, Side::Relaxed};
  for (const auto& [var, value] : decision.states) {
    const bool may =
        std::find(spec.modifies.begin(), spec.modifies.end(), var) != spec.modifies.end();
    if (!fits(var, value) || (!may && !(value == now.relaxed[var.value].scalar))) return false;
    scope.old.emplace_back(var, now.relaxed[var.value].scalar);
  }
  for (const auto& [var, value] : decision.states) now.relaxed[var.value].scalar = value;
  bind(spec, arguments, exact, scope);
  scope.bound.emplace_back(spec.outcome, decision.outcome);
  const bool holds =
      std::all_of(spec.ensures.begin(), spec.ensures.end(),
                  [&](core::ExprId ensures) { return evaluator_.truth(ensures, scope); });
  for (const auto& [var, value] : scope.old) now.relaxed[var.value].scalar = value;
  return holds;
}

std::optional<Decision> Resolver::decide(std::uint32_t specification,
                                         const std::vector<Number>& arguments, const Number& exact,
                                         Pair& now, Chooser& chooser) const {
  const core::Specification& spec = program_.specifications[specification];
  for (int attempt = 0; attempt < chooser.attempts(); ++attempt) {
    Scope scope{now, Side::Relaxed};
    bind(spec, arguments, exact, scope);
    std::vector<Unknown> unknowns;
    for (core::VarId var : spec.modifies) {
      scope.old.emplace_back(var, now.relaxed[var.value].scalar);
      unknowns.push_back({var, now.relaxed[var.value].scalar});
    }
    unknowns.push_back({spec.outcome, exact});
    scope.bound.emplace_back(spec.outcome, exact);
    const bool solved = solve(spec.ensures, unknowns, now, scope, chooser);
    Decision decision;
    for (core::VarId var : spec.modifies)
      decision.states.emplace_back(var, now.relaxed[var.value].scalar);
    decision.outcome = scope.bound.back().second;
    for (const auto& [var, value] : scope.old) now.relaxed[var.value].scalar = value;
    if (solved) return decision;
  }
  return std::nullopt;
}

}  // namespace leto::interp
