// Spacer, as Z3 has it: three Horn clauses over one predicate.

#include "fixpoint/answers.h"

namespace leto::fixpoint {

namespace {

z3::expr for_all(z3::context& context, const Terms& variables, const z3::expr& body) {
  if (variables.empty()) return body;
  z3::expr_vector bound(context);
  for (const z3::expr& variable : variables) bound.push_back(variable);
  return z3::forall(bound, body);
}

z3::expr applied(z3::func_decl& predicate, const Terms& arguments) {
  z3::expr_vector all(predicate.ctx());
  for (const z3::expr& argument : arguments) all.push_back(argument);
  return predicate(all);
}

z3::func_decl predicate_over(z3::context& context, const char* name, const Terms& arguments) {
  z3::sort_vector sorts(context);
  for (const z3::expr& argument : arguments) sorts.push_back(argument.get_sort());
  return context.function(name, sorts, context.bool_sort());
}

// In (= (predicate A B ..) body), below a quantifier over A, B, ..: the body, of `variables`.
std::optional<z3::expr> definition_in(const z3::expr& term, const z3::func_decl& predicate,
                                      const Terms& variables) {
  z3::context& context = term.ctx();
  const z3::expr equation = term.is_quantifier() ? term.body() : term;
  if (!equation.is_app() || !equation.is_eq() || !equation.arg(0).is_app() ||
      !z3::eq(equation.arg(0).decl(), predicate))
    return std::nullopt;
  const z3::expr head = equation.arg(0);
  // What a variable stands for, by its number.
  Terms meant(head.num_args(), context.bool_val(true));
  for (unsigned i = 0; i < head.num_args(); ++i) {
    const z3::expr argument = head.arg(i);
    if (!argument.is_var()) return std::nullopt;
    const unsigned number = Z3_get_index_value(context, argument);
    if (number >= meant.size()) return std::nullopt;
    meant[number] = variables[i];
  }
  const std::vector<Z3_ast> array(meant.begin(), meant.end());
  return z3::to_expr(
      context, Z3_substitute_vars(context, equation.arg(1), static_cast<unsigned>(array.size()),
                                  array.data()));
}

Answer read_invariant(const z3::expr& answer, const z3::func_decl& predicate,
                      const Terms& variables) {
  for (const z3::expr& part : conjuncts_of(answer))
    if (const auto body = definition_in(part, predicate, variables))
      return valid(1, conjuncts_of(*body));
  // Nothing is said of it where no run breaks the claim whatever happens.
  return valid(1, {});
}

}  // namespace

Answer run_spacer(const System& system, bool as_it_stands, Console& console) {
  z3::context& context = system.context;
  z3::fixedpoint fixedpoint(context);
  z3::params params(context);
  params.set("engine", context.str_symbol("spacer"));
  if (as_it_stands)
    for (const char* name : {"xform.slice", "xform.inline_eager", "xform.inline_linear"})
      params.set(name, false);
  fixedpoint.set(params);
  z3::func_decl reached = predicate_over(context, "reached|", system.now);
  z3::func_decl broken = predicate_over(context, "broken|", {});
  fixedpoint.register_relation(reached);
  fixedpoint.register_relation(broken);
  Terms step = system.now;
  step.insert(step.end(), system.next.begin(), system.next.end());
  step.insert(step.end(), system.inputs.begin(), system.inputs.end());
  const z3::expr here = applied(reached, system.now);
  z3::expr start = for_all(context, system.now, z3::implies(system.init && system.facts, here));
  z3::expr onward = for_all(context, step,
                            z3::implies(here && system.trans && system.primed(system.facts),
                                        applied(reached, system.next)));
  z3::expr breach =
      for_all(context, system.now, z3::implies(here && !system.claim, applied(broken, {})));
  fixedpoint.add_rule(start, context.str_symbol("start"));
  fixedpoint.add_rule(onward, context.str_symbol("step"));
  fixedpoint.add_rule(breach, context.str_symbol("breach"));
  console.progress("spacer begins");
  z3::expr question = applied(broken, {});
  const z3::check_result result = fixedpoint.query(question);
  if (result == z3::sat) return invalid(std::nullopt);
  if (result == z3::unknown) return unknown("Spacer does not know: " + fixedpoint.reason_unknown());
  return read_invariant(fixedpoint.get_answer(), reached, system.now);
}

}  // namespace leto::fixpoint
