// Rule 10, refinement of a super-model M by a sub-model S.
//
//   for every specification s of S that refines u of M, under S's invariants:
//     when_s                                ->  when_u
//     when_s && ensures_s && frame_s        ->  ensures_u && frame_u
//   for every operator (sign, types, region) that M specifies:
//     some when_u holds                     ->  some when_s holds
//   or, where S does not mention the operator, so that it is exact in S:
//     some when_u holds                     ->  M allows the exact outcome
//
// The published rule has the first two only. They are not enough: S could offer
// nothing where M offers something, and a program whose operations can always be
// taken under M would be stuck under S. The point is the theorem: what verifies
// under M verifies under S.
#include <fmt/core.h>

#include <algorithm>

#include "vcgen/walk.h"

namespace leto::vcgen {

Result generate_refinement(const core::Refinement& refinement, logic::TermTable& terms,
                           const Options& options) {
  const core::Program& program = refinement.program;
  const std::string& super = refinement.super;
  Result result;
  core::Effects effects(program);
  Setting setting = make_setting(program, terms, effects, {}, result);
  const std::string name = fmt::format("model {} refines {}", program.model.name, super);
  const auto start = [&](Walk& walk, std::map<core::VarId, Value>& before) {
    walk.path = terms.boolean(true);
    for (const core::StateVar& m : program.model.states) {
      before[m.var] = walk.unknown(m.var, Side::Relaxed);
      walk.set(m.var, Side::Relaxed, before[m.var]);
    }
    walk.assume_model_invariants();
  };
  const auto operands = [&](Walk& walk, std::uint32_t spec) {
    std::vector<Value> args;
    for (core::VarId param : program.specifications[spec].params)
      args.push_back(walk.fresh(program.vars[param].name, program.vars[param].type, {}));
    return args;
  };
  const auto label = [&](std::uint32_t spec) {
    const std::string& text = program.specifications[spec].label;
    return text.empty() ? std::string("an operator") : fmt::format("'{}'", text);
  };

  for (const core::Refinement::Pair& pair : refinement.pairs) {
    Walk walk(setting, name);
    std::map<core::VarId, Value> before;
    start(walk, before);
    const core::Specification& s = program.specifications[pair.sub];
    const std::vector<Value> args = operands(walk, pair.sub);
    std::map<core::VarId, Value> after = before;
    for (core::VarId var : s.modifies)
      after[var] = walk.fresh(program.vars[var].name + "'", program.vars[var].type, {});
    const Value outcome = walk.fresh("result", program.vars[s.outcome].type, {});
    const Step sub = one_specification(walk, pair.sub, args, outcome, before, after);
    const Step sup = one_specification(walk, pair.super, args, outcome, before, after);
    for (std::size_t i = 0; i < args.size(); ++i) walk.set(s.params[i], Side::Relaxed, args[i]);
    walk.set(s.outcome, Side::Relaxed, outcome);
    walk.assume(sub.enabled);
    walk.prove(ClaimKind::Refinement, sup.enabled,
               fmt::format("{} can be taken only where {}.{} can", label(pair.sub), super,
                           label(pair.super)),
               s.span, {});
    walk.assume(sub.outcome);
    // frame_u: of M's state, s modifies only what u does; that was checked with the names.
    walk.prove(
        ClaimKind::Refinement, sup.outcome,
        fmt::format("{} ensures what {}.{} ensures", label(pair.sub), super, label(pair.super)),
        s.span, {});
  }

  for (const core::Refinement::Group& group : refinement.groups) {
    if (options.trap == Trap::MissingOperators) break;
    Walk walk(setting, name);
    std::map<core::VarId, Value> before;
    start(walk, before);
    const std::vector<Value> args = operands(walk, group.super[0]);
    const core::Type& type = program.vars[program.specifications[group.super[0]].outcome].type;
    std::vector<Term> offered, taken, exact;
    // The exact outcome, in case S leaves the operator exact.
    State none;
    none.relaxed = before;
    WalkEnvironment environment(walk, none, Side::Relaxed);
    const core::Specification& first = program.specifications[group.super[0]];
    for (std::size_t i = 0; i < first.params.size(); ++i)
      walk.encoder().bind(first.params[i], args[i]);
    const Value value = walk.encoder().coerce(walk.encoder().value(group.exact, environment), type);
    for (core::VarId param : first.params) walk.encoder().unbind(param);
    for (std::uint32_t spec : group.super) {
      const Step step = one_specification(walk, spec, args, value, before, before);
      offered.push_back(step.enabled);
      exact.push_back(terms.and_(step.enabled, step.outcome));
    }
    for (std::uint32_t spec : group.sub)
      taken.push_back(one_specification(walk, spec, args, value, before, before).enabled);
    walk.assume(terms.or_(std::move(offered)));
    if (group.sub.empty())
      walk.prove(ClaimKind::Refinement, terms.or_(std::move(exact)),
                 fmt::format("{} allows {} to be exact, which it is here", super, group.what),
                 group.span, {});
    else
      walk.prove(ClaimKind::Refinement, terms.or_(std::move(taken)),
                 fmt::format("{} can go on wherever it can under {}", group.what, super),
                 group.span, {});
  }
  return result;
}

}  // namespace leto::vcgen
