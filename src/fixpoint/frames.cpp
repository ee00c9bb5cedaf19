#include "fixpoint/frames.h"

#include <algorithm>

#include "fixpoint/projection.h"

namespace leto::fixpoint {

namespace {

void refuse_bit_vectors(const System& system) {
  for (const Terms* terms : {&system.now, &system.inputs})
    for (const z3::expr& variable : *terms)
      if (variable.is_bv()) throw GiveUp("there are bit-vectors");
}

bool has(const Cube& cube, const z3::expr& literal) {
  return std::any_of(cube.begin(), cube.end(),
                     [&](const z3::expr& other) { return other.id() == literal.id(); });
}

Cube without(const Cube& cube, const z3::expr& literal) {
  Cube rest;
  for (const z3::expr& other : cube)
    if (other.id() != literal.id()) rest.push_back(other);
  return rest;
}

std::vector<unsigned> sorted_ids(const Cube& cube) {
  std::vector<unsigned> ids;
  for (const z3::expr& literal : cube) ids.push_back(literal.id());
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace

Frames::Frames(const System& system, Mutant mutant)
    : system_(system),
      mutant_(mutant),
      step_(system.step()),
      chosen_(system.next),
      start_(system.context, {system.start()}, [](const z3::expr& literal) { return literal; }) {
  refuse_bit_vectors(system);
  chosen_.insert(chosen_.end(), system.inputs.begin(), system.inputs.end());
  open(0);
}

z3::expr Frames::primed(const z3::expr& literal) {
  const auto found = primed_.find(literal.id());
  if (found != primed_.end()) return found->second.second;
  const z3::expr next = system_.primed(literal);
  primed_.emplace(literal.id(), std::pair(literal, next));
  return next;
}

void Frames::open(unsigned n) {
  while (solvers_.size() <= n) {
    const auto k = static_cast<unsigned>(solvers_.size());
    Terms known{step_};
    if (k == 0) known.push_back(system_.init);
    for (const Lemma& lemma : lemmas_)
      if (k > 0 && lemma.level >= k)
        known.push_back(clause_against(system_.context, lemma.excluded));
    solvers_.push_back(std::make_unique<ProxySolver>(
        system_.context, known, [this](const z3::expr& literal) { return primed(literal); }));
  }
}

ProxySolver& Frames::solver(unsigned k) {
  open(k);
  return *solvers_[k];
}

bool Frames::starts_in(const Cube& cube) {
  ++questions_;
  return start_.satisfiable(cube);
}

bool Frames::steps_into(unsigned k, const Cube& cube, bool from_outside) {
  ++questions_;
  // No run begins in what is excluded, so R_0 says it anyway.
  if (!from_outside || k == 0) return solver(k).satisfiable(cube);
  return solver(k).satisfiable(cube, clause_against(system_.context, cube));
}

// A cube in which no run begins, as short as it gets.
Cube Frames::shrink_to_start(Cube cube) {
  for (std::size_t i = 0; i < cube.size() && cube.size() > 1;) {
    const Cube fewer = without(cube, cube[i]);
    if (starts_in(fewer)) {
      ++i;
    } else {
      Cube core = start_.core();
      // Literals that could not be missed before cannot be missed now.
      i = core.size() < fewer.size() ? 0 : i;
      cube = core.size() < fewer.size() ? std::move(core) : fewer;
    }
  }
  return cube;
}

// `core`: literals of `cube` that no step from R_k reaches. Some may be missing in what is
// returned, of which the same is true, and no run begins there: R_k+1 may exclude it.
Cube Frames::generalise(unsigned k, const Cube& cube, Cube core) {
  const bool careful = mutant_ != Mutant::SkipInitCheck;
  if (core.empty() || (careful && starts_in(core))) {
    (void)starts_in(cube);
    for (const z3::expr& literal : start_.core())
      if (!has(core, literal)) core.push_back(literal);
  }
  Cube order = core;
  std::stable_sort(order.begin(), order.end(), [&](const z3::expr& a, const z3::expr& b) {
    return survived_[a.id()] < survived_[b.id()];
  });
  for (const z3::expr& literal : order) {
    if (core.size() <= 1) break;
    if (!has(core, literal)) continue;
    const Cube fewer = without(core, literal);
    if (careful && starts_in(fewer)) continue;
    if (steps_into(k, fewer, true)) continue;
    // What is outside of a larger cube is outside of `fewer`: what no step reaches from there
    // stands.
    Cube smaller = solvers_[k]->core();
    const bool take =
        smaller.size() < fewer.size() && !smaller.empty() && !(careful && starts_in(smaller));
    core = take ? std::move(smaller) : fewer;
  }
  for (const z3::expr& literal : core) ++survived_[literal.id()];
  return core;
}

// The highest level up to the top at which `cube` may be excluded, if it may be at `level`.
unsigned Frames::rise(unsigned level, const Cube& cube) {
  const auto top = static_cast<unsigned>(solvers_.size()) - 1;
  if (mutant_ == Mutant::PushWithoutCheck) return top;
  while (level < top && !steps_into(level, cube, true)) ++level;
  return level;
}

void Frames::learn(const Cube& excluded, unsigned level, unsigned from) {
  Lemma lemma{excluded, sorted_ids(excluded), level};
  // What the new one says at least as high need not be said again.
  lemmas_.erase(std::remove_if(lemmas_.begin(), lemmas_.end(),
                               [&](const Lemma& old) {
                                 return old.level <= level &&
                                        std::includes(old.ids.begin(), old.ids.end(),
                                                      lemma.ids.begin(), lemma.ids.end());
                               }),
                lemmas_.end());
  const z3::expr clause = clause_against(system_.context, excluded);
  for (unsigned k = from; k <= level && k < solvers_.size(); ++k) solvers_[k]->add(clause);
  lemmas_.push_back(std::move(lemma));
}

// States from which a step leads into `cube`, as the model of R_k's solver has one.
Cube Frames::before(unsigned k, const Cube& cube) {
  Terms formula{step_};
  for (const z3::expr& literal : cube) formula.push_back(primed(literal));
  z3::model model = solvers_[k]->model();
  return project(model, all_of(system_.context, formula), system_.now, chosen_);
}

std::optional<unsigned> Frames::reach(unsigned k, const Cube& cube) {
  if (starts_in(cube)) return 0;
  if (k == 0) {
    last_ = shrink_to_start(start_.core());
    return std::nullopt;
  }
  while (steps_into(k - 1, cube, false)) {
    if (const auto steps = reach(k - 1, before(k - 1, cube))) return *steps + 1;
  }
  const Cube core = generalise(k - 1, cube, solvers_[k - 1]->core());
  learn(core, rise(k, core));
  last_ = core;
  return std::nullopt;
}

std::optional<Terms> Frames::push(unsigned n) {
  open(n + 1);
  for (unsigned level = 1; level <= n; ++level) {
    bool stays = false;
    // Learning changes the list: first what moves, then moving it.
    std::vector<Cube> moving;
    for (const Lemma& lemma : lemmas_) {
      if (lemma.level != level) continue;
      if (mutant_ != Mutant::PushWithoutCheck && steps_into(level, lemma.excluded, false))
        stays = true;
      else
        moving.push_back(lemma.excluded);
    }
    for (const Cube& cube : moving) learn(cube, level + 1, level + 1);
    if (stays) continue;
    Terms invariant;
    for (const Lemma& lemma : lemmas_)
      if (mutant_ == Mutant::OneLevel ? lemma.level == level + 1 : lemma.level > level)
        invariant.push_back(clause_against(system_.context, lemma.excluded));
    return invariant;
  }
  return std::nullopt;
}

}  // namespace leto::fixpoint
