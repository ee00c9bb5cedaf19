// Terms of Z3, and what all engines do with them. A conjunction of literals is a `Cube`.
#pragma once

#include <z3++.h>

#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>

namespace leto::fixpoint {

// There is no answer, and why: ends an engine with `unknown`.
struct GiveUp : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Terms = std::vector<z3::expr>;
using Cube = Terms;

[[nodiscard]] bool is_variable(const z3::expr& term);
// A Boolean atom, or one that is negated. Its numbers may have conditions inside: cases that are
// decided there would make a lemma out of each.
[[nodiscard]] bool is_literal(const z3::expr& term);

// Calls `enter` once for each distinct subterm, in no order that counts; not below where it says
// no.
template <class Enter>
void for_each_subterm(const Terms& roots, Enter enter) {
  std::unordered_set<unsigned> seen;
  Terms open = roots;
  while (!open.empty()) {
    const z3::expr term = open.back();
    open.pop_back();
    if (!seen.insert(term.id()).second || !enter(term) || !term.is_app()) continue;
    for (unsigned i = 0; i < term.num_args(); ++i) open.push_back(term.arg(i));
  }
}

// The variables that occur, each once.
[[nodiscard]] Terms variables_of(const Terms& roots);

[[nodiscard]] z3::expr all_of(z3::context& context, const Terms& terms);
[[nodiscard]] z3::expr any_of(z3::context& context, const Terms& terms);
[[nodiscard]] z3::expr negation_of(const z3::expr& term);
// Of a cube: the clause that excludes it.
[[nodiscard]] z3::expr clause_against(z3::context& context, const Cube& cube);

// Simultaneously, each of `from` by what stands at its place in `to`.
[[nodiscard]] z3::expr replaced(const z3::expr& term, const Terms& from, const Terms& to);

// The conjuncts of `term` at its top. `or` below `not` counts as a conjunction.
[[nodiscard]] Terms conjuncts_of(const z3::expr& term);
// The same as literals of cubes: an equation of numbers becomes two inequalities, of which either
// may be left out.
[[nodiscard]] Cube cube_of(const z3::expr& term);

// A solver that keeps what it learns between questions. Nothing limits its time but the process.
[[nodiscard]] z3::solver make_solver(z3::context& context);
// Is there one? GiveUp where Z3 does not know.
[[nodiscard]] bool satisfiable(z3::solver& solver);
[[nodiscard]] bool satisfiable(z3::solver& solver, const Terms& assumptions);

// The CPU time of this process, in seconds.
[[nodiscard]] double cpu_seconds();

}  // namespace leto::fixpoint
