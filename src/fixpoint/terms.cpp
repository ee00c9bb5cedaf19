#include "fixpoint/terms.h"

#include <sys/resource.h>

namespace leto::fixpoint {

bool is_variable(const z3::expr& term) {
  return term.is_const() && term.decl().decl_kind() == Z3_OP_UNINTERPRETED;
}

namespace {

bool is_connective(const z3::expr& term) {
  if (!term.is_app() || !term.is_bool()) return !term.is_app();
  const Z3_decl_kind kind = term.decl().decl_kind();
  if (kind == Z3_OP_EQ || kind == Z3_OP_DISTINCT || kind == Z3_OP_IFF)
    return term.num_args() == 0 || term.arg(0).is_bool();
  return kind == Z3_OP_AND || kind == Z3_OP_OR || kind == Z3_OP_NOT || kind == Z3_OP_IMPLIES ||
         kind == Z3_OP_XOR || kind == Z3_OP_ITE;
}

}  // namespace

bool is_literal(const z3::expr& term) {
  return !is_connective(term.is_not() ? term.arg(0) : term);
}

Terms variables_of(const Terms& roots) {
  Terms found;
  for_each_subterm(roots, [&](const z3::expr& term) {
    if (is_variable(term)) found.push_back(term);
    return true;
  });
  return found;
}

namespace {

std::vector<Z3_ast> as_array(const Terms& terms) {
  return {terms.begin(), terms.end()};
}

}  // namespace

z3::expr all_of(z3::context& context, const Terms& terms) {
  if (terms.size() == 1) return terms[0];
  if (terms.empty()) return context.bool_val(true);
  return z3::to_expr(
      context, Z3_mk_and(context, static_cast<unsigned>(terms.size()), as_array(terms).data()));
}

z3::expr any_of(z3::context& context, const Terms& terms) {
  if (terms.size() == 1) return terms[0];
  if (terms.empty()) return context.bool_val(false);
  return z3::to_expr(
      context, Z3_mk_or(context, static_cast<unsigned>(terms.size()), as_array(terms).data()));
}

z3::expr negation_of(const z3::expr& term) {
  if (term.is_true()) return term.ctx().bool_val(false);
  if (term.is_false()) return term.ctx().bool_val(true);
  return term.is_not() ? term.arg(0) : !term;
}

z3::expr clause_against(z3::context& context, const Cube& cube) {
  Terms literals;
  for (const z3::expr& literal : cube) literals.push_back(negation_of(literal));
  return any_of(context, literals);
}

z3::expr replaced(const z3::expr& term, const Terms& from, const Terms& to) {
  z3::context& context = term.ctx();
  return z3::to_expr(context, Z3_substitute(context, term, static_cast<unsigned>(from.size()),
                                            as_array(from).data(), as_array(to).data()));
}

namespace {

// In order, and without recursion: formulas may be nested deeply.
void collect_conjuncts(const z3::expr& term, Terms& out) {
  Terms open{term};
  while (!open.empty()) {
    const z3::expr top = open.back();
    open.pop_back();
    const bool refused = top.is_not();
    const z3::expr body = refused ? top.arg(0) : top;
    if (refused ? body.is_false() : body.is_true()) continue;
    if (refused && body.is_not()) {
      open.push_back(body.arg(0));
    } else if (refused ? body.is_or() : body.is_and()) {
      for (unsigned i = body.num_args(); i-- > 0;)
        open.push_back(refused ? negation_of(body.arg(i)) : body.arg(i));
    } else {
      out.push_back(top);
    }
  }
}

}  // namespace

Terms conjuncts_of(const z3::expr& term) {
  Terms conjuncts;
  collect_conjuncts(term, conjuncts);
  return conjuncts;
}

Cube cube_of(const z3::expr& term) {
  Cube cube;
  for (const z3::expr& part : conjuncts_of(term)) {
    if (part.is_eq() && part.arg(0).is_arith()) {
      cube.push_back(part.arg(0) <= part.arg(1));
      cube.push_back(part.arg(0) >= part.arg(1));
    } else {
      cube.push_back(part);
    }
  }
  return cube;
}

z3::solver make_solver(z3::context& context) {
  return z3::solver(context, z3::solver::simple());
}

bool satisfiable(z3::solver& solver) {
  return satisfiable(solver, {});
}

bool satisfiable(z3::solver& solver, const Terms& assumptions) {
  z3::context& context = solver.ctx();
  const std::vector<Z3_ast> array = as_array(assumptions);
  const Z3_lbool answer = Z3_solver_check_assumptions(
      context, solver, static_cast<unsigned>(array.size()), array.data());
  context.check_error();
  if (answer == Z3_L_UNDEF) throw GiveUp("Z3 does not know: " + solver.reason_unknown());
  return answer == Z3_L_TRUE;
}

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace leto::fixpoint
