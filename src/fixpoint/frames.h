// What is reachable, step by step, from above: R_0 is where runs begin, and R_j holds of every
// state that is reached in at most j steps. Each R_j is a conjunction of lemmas; a lemma of level l
// is part of R_1 to R_l.
#pragma once

#include <memory>
#include <unordered_map>

#include "fixpoint/fixpoint.h"
#include "fixpoint/proxies.h"
#include "fixpoint/system.h"

namespace leto::fixpoint {

class Frames {
 public:
  Frames(const System& system, Mutant mutant);

  // Can a state of `cube` be reached in at most `k` steps? In how many, then: as few as were seen,
  // or less. If not, `last()` is a part of the cube that cannot be reached either.
  [[nodiscard]] std::optional<unsigned> reach(unsigned k, const Cube& cube);
  [[nodiscard]] const Cube& last() const { return last_; }
  // Does a run begin in `cube`?
  [[nodiscard]] bool begins_in(const Cube& cube) { return start_.satisfiable(cube); }

  // From now on there is R_1 to R_n.
  void open(unsigned n);
  // Moves each lemma as far as it goes, up to R_n+1. A level that all have left is a fixpoint: what
  // is returned is inductive.
  [[nodiscard]] std::optional<Terms> push(unsigned n);

  [[nodiscard]] std::size_t lemmas() const { return lemmas_.size(); }
  [[nodiscard]] unsigned long questions() const { return questions_; }

 private:
  struct Lemma {
    Cube excluded;
    std::vector<unsigned> ids;  // of its literals, sorted
    unsigned level;
  };
  ProxySolver& solver(unsigned k);
  bool starts_in(const Cube& cube);
  // Is there a step from R_k (from outside of `cube`, if so told) into `cube`?
  bool steps_into(unsigned k, const Cube& cube, bool from_outside);
  Cube shrink_to_start(Cube cube);
  Cube generalise(unsigned k, const Cube& cube, Cube core);
  unsigned rise(unsigned level, const Cube& cube);
  // `from`: R_1 to R_from-1 know it already.
  void learn(const Cube& excluded, unsigned level, unsigned from = 1);
  Cube before(unsigned k, const Cube& cube);
  z3::expr primed(const z3::expr& literal);

  const System& system_;
  Mutant mutant_;
  z3::expr step_;
  Terms chosen_;  // what a step fixes: next state and inputs
  ProxySolver start_;
  std::vector<std::unique_ptr<ProxySolver>> solvers_;  // [k]: R_k and a step
  std::vector<Lemma> lemmas_;
  std::unordered_map<unsigned, std::pair<z3::expr, z3::expr>> primed_;
  std::unordered_map<unsigned, unsigned> survived_;  // by literal: in so many lemmas
  Cube last_;
  unsigned long questions_ = 0;
};

}  // namespace leto::fixpoint
