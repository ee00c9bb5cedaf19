#include "checks/fault_budget.h"

#include <fmt/core.h>

#include <set>

#include "reliability/reliability.h"

namespace leto::checks {

using core::ExprId;
using core::Op;
using core::Side;
using core::VarId;

namespace {

constexpr core::Type kTruth{core::Base::Bool, false, 0};
constexpr core::Type kCount{core::Base::Int, true, 0};  // never below 0

class Budget {
 public:
  Budget(core::Program& program, Span at) : p_(program), at_(at) {}

  // State of the model that no program can name. Whatever it is at the beginning.
  void add_counter() {
    counter_ = p_.vars.add({core::VarKind::State, "faults so far", kCount, at_});
    p_.model.states.push_back({counter_, {}});
  }

  void limit(std::uint64_t faults, Trap trap) {
    if (trap == Trap::BudgetIsState && !p_.model.states.empty() &&
        p_.vars[p_.model.states[0].var].type.base == core::Base::Int)
      counter_ = p_.model.states[0].var;  // the mistake
    else
      add_counter();
    for (core::Specification& spec : p_.specifications) {
      const bool counts =
          spec.rate.valid() || (trap == Trap::UnratedIsCounted && !spec.label.empty());
      spec.rate = {};
      if (counts) count(spec, faults);
    }
  }

  [[nodiscard]] ExprId none_so_far() {
    return apply(Op::Eq, {add(kCount, core::VarRef{counter_, Side::Relaxed}), number(0)});
  }
  [[nodiscard]] ExprId same(VarId var) {
    const core::Type type = p_.vars[var].type;
    return apply(Op::Eq, {add(type, core::VarRef{var, Side::Original}),
                          add(type, core::VarRef{var, Side::Relaxed})});
  }

  // Of constants that are rates and nothing else only that is known.
  void open_rates(const std::set<VarId>& rates) {
    for (core::ConstantVar& constant : p_.constants) {
      if (!rates.contains(constant.var)) continue;
      constant.value = {};
      const ExprId value = add(p_.vars[constant.var].type, core::VarRef{constant.var, Side::Open});
      p_.constraints.push_back(apply(Op::Le, {number(0), value}));
      p_.constraints.push_back(apply(Op::Le, {value, number(1)}));
    }
  }

 private:
  void count(core::Specification& spec, std::uint64_t faults) {
    const ExprId left = apply(Op::Lt, {ref(), number(faults)});
    spec.when = spec.when.valid() ? apply(Op::And, {spec.when, left}) : left;
    const ExprId before = add(kCount, core::OldRef{counter_}),
                 more = add(kCount, core::Apply{Op::Add, {before, number(1)}});
    spec.ensures.push_back(apply(Op::Eq, {ref(), more}));
    spec.modifies.push_back(counter_);
  }
  [[nodiscard]] ExprId ref() { return add(kCount, core::VarRef{counter_, Side::Open}); }
  [[nodiscard]] ExprId number(std::uint64_t value) {
    return add(kCount, core::NumberConst{fmt::format("{}", value)});
  }
  [[nodiscard]] ExprId apply(Op op, std::vector<ExprId> args) {
    return add(kTruth, core::Apply{op, std::move(args)});
  }
  [[nodiscard]] ExprId add(core::Type type, decltype(core::Expr::node) node) {
    return p_.exprs.add({type, at_, std::move(node)});
  }

  core::Program& p_;
  Span at_;
  VarId counter_;
};

std::set<VarId> find_rates(const core::Program& program) {
  std::set<VarId> rates;
  for (const core::ConstantVar& constant : program.constants)
    if (reliability::is_only_a_rate(program, constant.var)) rates.insert(constant.var);
  return rates;
}

}  // namespace

void claim_within_budget(core::Program& program, core::FunctionId function,
                         const core::ReliabilityClause& clause, std::uint64_t faults, Trap trap) {
  Budget budget(program, program.functions[function].span);
  budget.open_rates(find_rates(program));
  budget.limit(faults, trap);
  core::Function& f = program.functions[function];
  const std::vector<VarId> results =
      clause.of_result ? std::vector<VarId>{f.result()} : clause.vars;
  std::erase_if(f.requires_, [](const core::Clause& said) { return said.relational; });
  f.requires_.push_back({budget.none_so_far(), true});
  for (VarId param : f.params) f.requires_.push_back({budget.same(param), true});
  f.ensures.clear();
  for (VarId result : results) f.ensures.push_back({budget.same(result), true});
  f.measure.clear();
  f.ends = false;
  f.reliability.clear();
}

}  // namespace leto::checks
