#include "fixpoint/projection.h"

#include <algorithm>

namespace leto::fixpoint {

namespace {

z3::expr default_value(const z3::expr& variable) {
  z3::context& context = variable.ctx();
  return variable.is_bool() ? context.bool_val(false) : context.num_val(0, variable.get_sort());
}

// A variable without a value ends the process where it is projected.
void complete(z3::model& model, const Terms& variables) {
  for (const z3::expr& variable : variables) {
    z3::func_decl decl = variable.decl();
    if (model.has_interp(decl)) continue;
    z3::expr value = default_value(variable);
    model.add_const_interp(decl, value);
  }
}

Cube state_of(const z3::model& model, const Terms& variables) {
  Cube state;
  for (const z3::expr& variable : variables) {
    const z3::expr value = model.eval(variable, true);
    if (variable.is_bool()) {
      state.push_back(value.is_true() ? variable : !variable);
    } else {
      if (!value.is_numeral()) throw GiveUp("a value is no rational number");
      for (const z3::expr& literal : cube_of(variable == value)) state.push_back(literal);
    }
  }
  return state;
}

// Adds literals that are true in `model` and suffice for `formula`, which is true there.
void decide(const z3::expr& formula, const z3::model& model, Cube& cube) {
  if (is_literal(formula)) {
    cube.push_back(formula);
    return;
  }
  const bool refused = formula.is_not();
  const z3::expr body = refused ? formula.arg(0) : formula;
  const auto holds = [&](const z3::expr& part) { return model.eval(part, true).is_true(); };
  // One of a disjunction is enough.
  if (refused ? body.is_and() : body.is_or()) {
    for (unsigned i = 0; i < body.num_args(); ++i)
      if (holds(body.arg(i)) != refused)
        return decide(refused ? negation_of(body.arg(i)) : body.arg(i), model, cube);
  }
  for (unsigned i = 0; i < body.num_args(); ++i)
    decide(holds(body.arg(i)) ? body.arg(i) : negation_of(body.arg(i)), model, cube);
}

bool is_cube_of(const Cube& cube, const z3::model& model, const Terms& eliminated) {
  std::unordered_set<unsigned> gone;
  for (const z3::expr& variable : eliminated) gone.insert(variable.id());
  for (const z3::expr& variable : variables_of(cube))
    if (gone.count(variable.id()) > 0) return false;
  return std::all_of(cube.begin(), cube.end(), [&](const z3::expr& literal) {
    return is_literal(literal) && model.eval(literal, true).is_true();
  });
}

}  // namespace

Cube project(z3::model& model, const z3::expr& formula, const Terms& kept,
             const Terms& eliminated) {
  z3::context& context = formula.ctx();
  complete(model, kept);
  complete(model, eliminated);
  // Both functions of Z3 take it for granted that the formula is true.
  if (!model.eval(formula, true).is_true()) return state_of(model, kept);
  const z3::expr implicant = z3::to_expr(context, Z3_model_extrapolate(context, model, formula));
  std::vector<Z3_app> bound;
  for (const z3::expr& variable : eliminated) bound.push_back(Z3_to_app(context, variable));
  const z3::expr projected =
      z3::to_expr(context, Z3_qe_model_project(context, model, static_cast<unsigned>(bound.size()),
                                               bound.data(), implicant));
  Cube cube;
  for (const z3::expr& part : cube_of(projected)) decide(part, model, cube);
  return is_cube_of(cube, model, eliminated) ? cube : state_of(model, kept);
}

}  // namespace leto::fixpoint
