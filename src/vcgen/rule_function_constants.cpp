// Rule 18, function constants: functions that nobody knows, the same in both runs and all the time.
//
//   given value:   what it is for a uint is not negative; a constraint that speaks of functions
//   with
//                  values only holds of them, for all constants that the other constraints allow
//   nobody knows:  some functions meet all constraints
//
// Constraints are taken for granted everywhere, and a solver seldom finds out that quantifiers
// contradict one another: so it does not do that nobody has found a contradiction. Functions that
// are written down stand in the place of those that nobody knows: those that the model gives, else
// all false or all true, and zero or the first argument. It is proved that the constraints hold of
// one choice of them, for all constants that the other constraints allow, or for some. Where none
// of them will do, a model of all that is taken for granted will, if a solver finds one.
//
// If that is not shown it is not refuted: other functions may do.
#include "vcgen/walk.h"

namespace leto::vcgen {

namespace {

using Witness = encode::Encoder::Witness;

class FunctionConstants {
 public:
  FunctionConstants(const core::Program& program, logic::TermTable& terms, core::Effects& effects,
                    const Options& options, Result& result)
      : setting_(make_setting(program, terms, effects, options, result, nullptr, true, false)),
        program_(program),
        terms_(terms),
        walk_(setting_, "model " + program.model.name) {
    walk_.path = terms.boolean(true);
  }

  void run() {
    for (std::uint32_t i = 0; i < program_.definitions.size(); ++i)
      if (program_.definitions[core::DefinitionId{i}].rigid) prove_natural(core::DefinitionId{i});
    prove_of_values();
    prove_met();
  }

 private:
  // For any arguments of its parameters' types.
  void prove_natural(core::DefinitionId id) {
    const core::Definition& function = program_.definitions[id];
    if (!function.body.valid() || !function.type.natural) return;
    const std::size_t known = walk_.facts.size();
    walk_.prove(ClaimKind::FunctionNotNegative, is_natural_everywhere(function, function.body),
                {function.name}, program_.exprs[function.body].span, {});
    walk_.facts.truncate(known);
  }
  [[nodiscard]] Term is_natural_everywhere(const core::Definition& function, core::ExprId body) {
    std::vector<Value> args;
    std::vector<Term> bound;
    for (core::VarId param : function.params) {
      const core::Var& var = program_.vars[param];
      bound.push_back(terms_.bound(var.name, encode::sort_of(var.type)));
      args.push_back({bound.back(), {}});
    }
    WalkEnvironment environment(walk_, walk_.state, Side::Relaxed);
    const Term value = walk_.encoder().of_arguments(body, function, args, environment).term;
    return terms_.quant(true, bound,
                        terms_.implies(walk_.encoder().domain(function, args),
                                       terms_.le(terms_.zero(logic::kInt), value)));
  }

  void prove_of_values() {
    for (core::ExprId constraint : program_.constraints) {
      if (!core::uses(program_, constraint, core::Rigid::Known) ||
          core::uses(program_, constraint, core::Rigid::Unknown))
        continue;
      const std::size_t known = walk_.facts.size();
      walk_.prove(ClaimKind::ConstraintOfValue, walk_.formula(constraint, Side::Relaxed), {},
                  program_.exprs[constraint].span, {});
      walk_.facts.truncate(known);
    }
  }

  void prove_met() {
    std::vector<core::ExprId> open;
    for (core::ExprId constraint : program_.constraints)
      if (core::uses(program_, constraint, core::Rigid::Unknown)) open.push_back(constraint);
    if (open.empty()) return;
    std::vector<Term> ways;
    for (const Witness truth : {Witness::Zero, Witness::One})
      for (const Witness number : {Witness::Zero, Witness::First}) {
        walk_.encoder().instead = {truth, number};
        ways.push_back(met(open));
        if (const Term some = met_by_some_constants(); some.valid()) ways.push_back(some);
      }
    walk_.encoder().instead = {};
    walk_.prove(ClaimKind::FunctionsMet, terms_.or_(std::move(ways)), {},
                program_.exprs[open[0]].span, {});
  }

  [[nodiscard]] Term met(const std::vector<core::ExprId>& constraints) {
    std::vector<Term> parts;
    for (core::ExprId constraint : constraints)
      parts.push_back(walk_.formula(constraint, Side::Relaxed));
    for (const core::Definition& function : program_.definitions)
      if (function.is_unknown() && function.type.natural && function.witness.valid())
        parts.push_back(is_natural_everywhere(function, function.witness));
    return terms_.and_(std::move(parts));
  }

  // Of constants as bound variables. Invalid if there are none.
  [[nodiscard]] Term met_by_some_constants() {
    if (program_.constants.empty()) return {};
    std::vector<Term> bound, parts;
    std::vector<const core::ConstantVar*> numbers;
    for (const core::ConstantVar& c : program_.constants) {
      const core::Var& var = program_.vars[c.var];
      if (var.type.rank > 0) {  // its elements are written down, and use only what is before it
        walk_.encoder().bind(c.var, walk_.value(c.value, Side::Relaxed));
        continue;
      }
      numbers.push_back(&c);
      bound.push_back(terms_.bound(var.name, encode::sort_of(var.type)));
      walk_.encoder().bind(c.var, {bound.back(), {}});
      if (var.type.natural) parts.push_back(terms_.le(terms_.zero(logic::kInt), bound.back()));
    }
    for (std::size_t i = 0; i < bound.size(); ++i) {
      const core::ConstantVar& c = *numbers[i];
      if (!c.value.valid()) continue;
      const Value value =
          walk_.encoder().coerce(walk_.value(c.value, Side::Relaxed), program_.vars[c.var].type);
      parts.push_back(terms_.eq(bound[i], value.term));
    }
    parts.push_back(met(program_.constraints));
    for (const core::ConstantVar& c : program_.constants) walk_.encoder().unbind(c.var);
    return terms_.quant(false, bound, terms_.and_(std::move(parts)));
  }

  Setting setting_;
  const core::Program& program_;
  logic::TermTable& terms_;
  Walk walk_;
};

}  // namespace

void prove_function_constants(const core::Program& program, logic::TermTable& terms,
                              core::Effects& effects, const Options& options, Result& result) {
  bool any = false;
  for (const core::Definition& one : program.definitions) any = any || one.rigid;
  if (any) FunctionConstants(program, terms, effects, options, result).run();
}

}  // namespace leto::vcgen
