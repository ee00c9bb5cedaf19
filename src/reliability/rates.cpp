#include "reliability/rates.h"

#include <fmt/core.h>

namespace leto::reliability {

using core::ExprId;
using core::VarId;

std::optional<Chance> Rates::constant(ExprId id) const {
  const core::Expr& e = program_.exprs[id];
  if (const auto* number = std::get_if<core::NumberConst>(&e.node))
    return Chance::parse(number->text);
  if (const auto* ref = std::get_if<core::VarRef>(&e.node)) {
    if (const auto it = options_.constants.find(ref->var); it != options_.constants.end())
      return it->second;
    for (const core::ConstantVar& c : program_.constants)
      if (c.var == ref->var && c.value.valid()) return constant(c.value);
  }
  return std::nullopt;
}

std::optional<std::uint64_t> Rates::count(ExprId id) const {
  const std::optional<Chance> n = constant(id);
  if (!n || n->low().get_den() != 1) return std::nullopt;
  if (n->low() < 0) return 0;
  if (!n->low().get_num().fits_ulong_p()) return std::nullopt;
  return n->low().get_num().get_ui();
}

Chance Rates::of_exact(const core::FaultSite& site, ExprId value, Span at,
                       std::vector<Problem>& problems) const {
  if (site.specifications.empty()) return certain();
  Chance lost;
  bool rest = false;
  for (std::uint32_t index : site.specifications) {
    const core::Specification& spec = program_.specifications[index];
    // What a function decides that nobody knows is no matter of chance: it may always go wrong.
    if (!spec.rate.valid() && core::uses(program_, spec.when, core::Rigid::Unknown)) return {};
    if (!spec.rate.valid()) {
      const bool exact = is_exact(spec, value);
      rest = rest || exact;
      if (!exact)
        problems.push_back(
            {at, fmt::format("'{}' may take {}, of which no rate is known: give it '@rate'",
                             site.what, title(index))});
      continue;
    }
    const std::optional<Chance> rate = constant(spec.rate);
    if (!rate || !rate->between_zero_and_one()) {
      problems.push_back(
          {spec.span, fmt::format("the rate of {} is not a number from 0 to 1", title(index))});
      continue;
    }
    // The mistake: whichever of several is taken, it was the first that was counted.
    if (options_.trap != Trap::RatesOfOne || lost == Chance()) lost = lost + *rate;
  }
  if (!rest)
    problems.push_back(
        {at, fmt::format("'{}' has no exact specification that takes the rest", site.what)});
  if (lost.between_zero_and_one()) return lost.complement();
  problems.push_back({at, fmt::format("the rates of '{}' add up to more than 1", site.what)});
  return {};
}

std::string Rates::title(std::uint32_t index) const {
  const std::string name = core::title(program_, index);
  return program_.specifications[index].label.empty() ? name : fmt::format("'{}'", name);
}

bool Rates::names(ExprId id, VarId var) const {
  const auto* ref = std::get_if<core::VarRef>(&program_.exprs[id].node);
  return ref != nullptr && ref->var == var;
}

// `result == a op b`, always possible and without effects. Operands come to a specification as they
// come to the operation, brought to the same type, so that both say the same of all of them; a zero
// divisor, for which specifications have a value of their own, does not come to either.
bool Rates::is_exact(const core::Specification& spec, ExprId value) const {
  const bool guarded = spec.when.valid() && options_.trap != Trap::GuardedIsExact;
  if (guarded || !spec.modifies.empty() || spec.ensures.size() != 1) return false;
  const auto* eq = std::get_if<core::Apply>(&program_.exprs[spec.ensures[0]].node);
  if (eq == nullptr || eq->op != core::Op::Eq) return false;
  return (names(eq->args[0], spec.outcome) && is_operation_itself(spec, eq->args[1], value)) ||
         (names(eq->args[1], spec.outcome) && is_operation_itself(spec, eq->args[0], value));
}

bool Rates::is_operation_itself(const core::Specification& spec, ExprId said, ExprId value) const {
  const core::Apply* own =
      value.valid() ? std::get_if<core::Apply>(&program_.exprs[value].node) : nullptr;
  // Above another layer nothing is exact but what that one gave.
  if (spec.exact.valid()) return names(said, spec.exact);
  // Of a read or a write: what is read, or is to be stored, which is the last operand.
  if (own == nullptr) return names(said, spec.params.back());
  const auto* op = std::get_if<core::Apply>(&program_.exprs[said].node);
  if (op == nullptr || op->op != own->op || op->args.size() != spec.params.size()) return false;
  for (std::size_t i = 0; i < op->args.size(); ++i)
    if (!names(op->args[i], spec.params[i])) return false;
  return true;
}

}  // namespace leto::reliability
