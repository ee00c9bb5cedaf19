// Rule 10, refinement of a super-model M by a sub-model S.
//
//   for every specification s of S that refines u of M, under S's invariants:
//     when_s                                ->  when_u
//     when_s && ensures_s && frame_s        ->  ensures_u && frame_u(M's state)
//   for every operator (sign, types, region) that M specifies:
//     some when_u holds                     ->  some when_s holds
//   or, where S does not mention the operator, so that it is exact in S:
//     some when_u holds                     ->  M allows the exact outcome
//
// The published rule has the first two only. They are not enough: S could offer
// nothing where M offers something, and a program whose operations can always be
// taken under M would be stuck under S. The point is the theorem: what verifies
// under M verifies under S.
//
// If S's constants contradict themselves, or its invariants do, all of this follows for no reason:
// then nothing of it is proved.
#include <fmt/core.h>

#include <algorithm>

#include "vcgen/walk.h"

namespace leto::vcgen {

namespace {

class RefinementRule {
 public:
  RefinementRule(const core::Refinement& refinement, logic::TermTable& terms,
                 core::Effects& effects, Result& result)
      : refinement_(refinement),
        program_(refinement.program),
        super_(refinement.super),
        terms_(terms),
        setting_(make_setting(refinement.program, terms, effects, {}, result)),
        name_(fmt::format("model {} refines {}", program_.model.name, super_)) {}

  void run(bool groups) {
    Walk walk(setting_, name_);
    start(walk);
    // Every walk below starts with what this one knows.
    if (const core::ExprId first = first_said(); first.valid())
      walk.note_assumption(ClaimKind::ModelMet, {}, program_.exprs[first].span, Run::Both,
                           kNothingBefore);
    for (const core::Refinement::Pair& pair : refinement_.pairs) one_pair(pair);
    if (groups)
      for (const core::Refinement::Group& group : refinement_.groups) one_group(group);
    walk.close_assumptions(0);
  }

 private:
  using States = std::map<core::VarId, Value>;

  // Invalid if the model says nothing that could contradict itself.
  [[nodiscard]] core::ExprId first_said() const {
    if (!program_.model.invariants.empty()) return program_.model.invariants[0];
    if (!program_.constraints.empty()) return program_.constraints[0];
    for (const core::ConstantVar& c : program_.constants)
      if (c.value.valid()) return c.value;
    return {};
  }

  States start(Walk& walk) {
    States before;
    walk.path = terms_.boolean(true);
    for (const core::StateVar& m : program_.model.states) {
      before[m.var] = walk.unknown(m.var, Side::Relaxed);
      walk.set(m.var, Side::Relaxed, before[m.var]);
    }
    walk.assume_model_invariants();
    return before;
  }

  std::vector<Value> operands(Walk& walk, std::uint32_t spec) {
    std::vector<Value> args;
    for (core::VarId param : program_.specifications[spec].params)
      args.push_back(walk.fresh(program_.vars[param].name, program_.vars[param].type, {}));
    const core::VarId exact = program_.specifications[spec].exact;
    if (exact.valid()) args.push_back(walk.fresh("exact", program_.vars[exact].type, {}));
    return args;
  }

  [[nodiscard]] std::string label(std::uint32_t spec) const {
    const std::string& text = program_.specifications[spec].label;
    return text.empty() ? std::string("an operator") : fmt::format("'{}'", text);
  }

  // Of the specification, and of the one that it refines.
  [[nodiscard]] Names names_of(const core::Refinement::Pair& pair) const {
    return {label(pair.sub), super_ + "." + label(pair.super)};
  }

  void one_pair(const core::Refinement::Pair& pair) {
    Walk walk(setting_, name_);
    const States before = start(walk);
    const core::Specification& s = program_.specifications[pair.sub];
    const std::vector<Value> args = operands(walk, pair.sub);
    States after = before;
    for (core::VarId var : s.modifies)
      after[var] = walk.fresh(program_.vars[var].name + "'", program_.vars[var].type, {});
    const Value outcome = walk.fresh("result", program_.vars[s.outcome].type, {});
    const Step sub = one_specification(walk, pair.sub, args, outcome, before, after);
    const Step sup = one_specification(walk, pair.super, args, outcome, before, after);
    for (std::size_t i = 0; i < s.params.size(); ++i) walk.set(s.params[i], Side::Relaxed, args[i]);
    if (s.exact.valid()) walk.set(s.exact, Side::Relaxed, args.back());
    walk.set(s.outcome, Side::Relaxed, outcome);
    walk.assume(sub.enabled);
    walk.prove(ClaimKind::RefinesWhen, sup.enabled, names_of(pair), s.span, {});
    walk.assume(sub.outcome);
    walk.prove(ClaimKind::RefinesOutcome, sup.outcome, names_of(pair), s.span, {});
    frame(walk, pair, before, after);
  }

  // frame_u: of M's state, what u does not modify stays as it is. However s came here: as an
  // operator of S, or imported from another super-model.
  void frame(Walk& walk, const core::Refinement::Pair& pair, const States& before,
             const States& after) {
    const core::Specification& u = program_.specifications[pair.super];
    for (core::VarId var : refinement_.states) {
      if (std::find(u.modifies.begin(), u.modifies.end(), var) != u.modifies.end()) continue;
      if (after.at(var).term == before.at(var).term) continue;
      Names names = names_of(pair);
      names.push_back(program_.vars[var].name);
      walk.prove(ClaimKind::RefinesFrame, terms_.eq(after.at(var).term, before.at(var).term), names,
                 program_.specifications[pair.sub].span, {});
    }
  }

  void one_group(const core::Refinement::Group& group) {
    Walk walk(setting_, name_);
    const States before = start(walk);
    const std::vector<Value> args = operands(walk, group.super[0]);
    const Value value = exact(walk, group, args, before);
    std::vector<Term> offered, taken, allowed;
    for (std::uint32_t spec : group.super) {
      const Step step = one_specification(walk, spec, args, value, before, before);
      offered.push_back(step.enabled);
      allowed.push_back(terms_.and_(step.enabled, step.outcome));
    }
    for (std::uint32_t spec : group.sub)
      taken.push_back(one_specification(walk, spec, args, value, before, before).enabled);
    walk.assume(terms_.or_(std::move(offered)));
    if (group.sub.empty())
      walk.prove(ClaimKind::RefinesExact, terms_.or_(std::move(allowed)), {group.what, super_},
                 group.span, {});
    else
      walk.prove(ClaimKind::RefinesOffer, terms_.or_(std::move(taken)), {group.what, super_},
                 group.span, {});
  }

  // The exact outcome, in case S leaves the operator exact.
  Value exact(Walk& walk, const core::Refinement::Group& group, const std::vector<Value>& args,
              const States& before) {
    const core::Specification& first = program_.specifications[group.super[0]];
    State none;
    none.relaxed = before;
    WalkEnvironment environment(walk, none, Side::Relaxed);
    for (std::size_t i = 0; i < first.params.size(); ++i)
      walk.encoder().bind(first.params[i], args[i]);
    if (first.exact.valid()) walk.encoder().bind(first.exact, args.back());
    const Value value = walk.encoder().coerce(walk.encoder().value(group.exact, environment),
                                              program_.vars[first.outcome].type);
    for (core::VarId param : first.params) walk.encoder().unbind(param);
    if (first.exact.valid()) walk.encoder().unbind(first.exact);
    return value;
  }

  const core::Refinement& refinement_;
  const core::Program& program_;
  const std::string& super_;
  logic::TermTable& terms_;
  Setting setting_;
  std::string name_;
};

}  // namespace

Result generate_refinement(const core::Refinement& refinement, logic::TermTable& terms,
                           const Options& options) {
  Result result;
  core::Effects effects(refinement.program);
  RefinementRule(refinement, terms, effects, result).run(options.trap != Trap::MissingOperators);
  return result;
}

}  // namespace leto::vcgen
