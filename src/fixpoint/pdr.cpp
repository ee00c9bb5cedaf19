// Frames that are pushed towards each other until two of them are the same.

#include "fixpoint/answers.h"
#include "fixpoint/frames.h"

namespace leto::fixpoint {

namespace {

bool implies_claim(const System& system, const Terms& invariant) {
  z3::solver solver = make_solver(system.context);
  solver.add(system.facts);
  solver.add(all_of(system.context, invariant));
  solver.add(!system.claim);
  return !satisfiable(solver);
}

}  // namespace

Answer run_pdr(const System& system, const Options& options, Console& console) {
  Frames frames(system, options.mutant);
  const Cube bad = cube_of(negation_of(system.claim));
  if (frames.begins_in(bad)) return invalid(0);
  for (unsigned n = 1;; ++n) {
    frames.open(n);
    console.progress("pdr frame " + std::to_string(n) + ", " + std::to_string(frames.lemmas()) +
                     " lemmas, " + std::to_string(frames.questions()) + " questions");
    if (const auto steps = frames.reach(n, bad)) return invalid(steps);
    if (const auto invariant = frames.push(n))
      if (implies_claim(system, *invariant) || options.mutant != Mutant::None)
        return valid(1, *invariant);
  }
}

}  // namespace leto::fixpoint
