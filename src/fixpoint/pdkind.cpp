// Property-directed k-induction: a set F of formulas that holds of all states that are reached in
// at most n steps is strengthened until it is k-inductive. What is needed for that comes from the
// frames: a state from which a formula fails is reached, or there is a reason why not.

#include <algorithm>
#include <deque>

#include "fixpoint/answers.h"
#include "fixpoint/frames.h"
#include "fixpoint/projection.h"

namespace leto::fixpoint {

namespace {

// `formula` is to hold, because from `bad` the claim can be broken: after `distance` steps.
struct Element {
  z3::expr formula;
  z3::expr bad;
  unsigned distance;
  unsigned id;
};

bool same_elements(const std::vector<Element>& a, const std::vector<Element>& b) {
  const auto part_of = [](const Element& one, const std::vector<Element>& all) {
    return std::any_of(all.begin(), all.end(), [&](const Element& other) {
      return z3::eq(one.formula, other.formula) && z3::eq(one.bad, other.bad);
    });
  };
  return std::all_of(a.begin(), a.end(), [&](const Element& one) { return part_of(one, b); }) &&
         std::all_of(b.begin(), b.end(), [&](const Element& one) { return part_of(one, a); });
}

// The variables of the states 0 to k of a path, and what happens in between.
class Path {
 public:
  Path(const System& system, unsigned k) : system_(system) {
    for (unsigned i = 0; i <= k; ++i) states_.push_back(copies(system.now, i));
    Terms steps;
    for (unsigned i = 0; i < k; ++i) {
      const Terms inputs = copies(system.inputs, i);
      Terms from = system.now, to = states_[i];
      const auto append = [](Terms& all, const Terms& more) {
        all.insert(all.end(), more.begin(), more.end());
      };
      append(from, system.next);
      append(to, states_[i + 1]);
      append(from, system.inputs);
      append(to, inputs);
      steps.push_back(replaced(system.step(), from, to));
      append(later_, states_[i + 1]);
      append(later_, inputs);
    }
    steps_ = all_of(system.context, steps);
  }

  [[nodiscard]] z3::expr at(const z3::expr& formula, unsigned state) const {
    return replaced(formula, system_.now, states_[state]);
  }
  [[nodiscard]] const z3::expr& steps() const { return *steps_; }
  // Where a path may begin that ends in `end`, as `model` has one.
  [[nodiscard]] Cube beginning(z3::model& model, const z3::expr& end) const {
    Cube cube = project(model, *steps_ && at(end, static_cast<unsigned>(states_.size()) - 1),
                        states_[0], later_);
    for (z3::expr& literal : cube) literal = replaced(literal, states_[0], system_.now);
    return cube;
  }

 private:
  // No symbol of a text has a bar in it.
  Terms copies(const Terms& variables, unsigned i) const {
    Terms made;
    for (const z3::expr& variable : variables)
      made.push_back(system_.context.constant(
          (variable.decl().name().str() + "|at " + std::to_string(i)).c_str(),
          variable.get_sort()));
    return made;
  }

  const System& system_;
  std::vector<Terms> states_;
  Terms later_;
  std::optional<z3::expr> steps_;
};

class Induction {
 public:
  Induction(const System& system, const Options& options, Console& console)
      : system_(system), options_(options), console_(console), frames_(system, options.mutant) {
    const z3::expr bad = negation_of(system.claim);
    all_.push_back({system.claim, bad, 0, ids_++});
  }

  Answer run() {
    if (options_.mutant != Mutant::NoInit && frames_.begins_in(cube_of(negation_of(system_.claim))))
      return invalid(0);
    for (;;)
      if (std::optional<Answer> answer = round()) return *answer;
  }

 private:
  // One k-induction of the whole of F.
  std::optional<Answer> round() {
    const unsigned k = std::min(n_ + 1, options_.kmax);
    console_.progress("pdkind depth " + std::to_string(n_) + ", k " + std::to_string(k) + ", " +
                      std::to_string(all_.size()) + " elements, " +
                      std::to_string(frames_.lemmas()) + " lemmas");
    begin_round(k);
    while (!open_.empty()) {
      const Element element = open_.front();
      open_.pop_front();
      if (std::optional<Answer> answer = push(element)) return answer;
    }
    if (!weak_ && same_elements(pushed_, all_)) {
      Terms invariant;
      for (const Element& element : all_) invariant.push_back(element.formula);
      return valid(k, invariant);
    }
    all_ = pushed_;
    n_ = next_n_;
    return std::nullopt;
  }

  void begin_round(unsigned k) {
    k_ = k;
    path_.emplace(system_, k);
    solver_.emplace(make_solver(system_.context));
    solver_->add(path_->steps());
    for (const Element& element : all_) assume(element.formula);
    open_.assign(all_.begin(), all_.end());
    pushed_.clear();
    next_n_ = n_ + k;
    weak_ = false;
    frames_.open(n_ + k);
  }

  // At the states 0 to k-1.
  void assume(const z3::expr& formula) {
    for (unsigned i = 0; i < k_; ++i) solver_->add(path_->at(formula, i));
  }

  // Where a path through F begins that ends in `end`; none if there is no such path.
  std::optional<Cube> path_to(const z3::expr& end) {
    const z3::expr guard = system_.context.bool_const(("end|" + std::to_string(ends_++)).c_str());
    solver_->add(z3::implies(guard, path_->at(end, k_)));
    if (!satisfiable(*solver_, {guard})) return std::nullopt;
    z3::model model = solver_->get_model();
    return path_->beginning(model, end);
  }

  // Can a state of `cube` be reached in the last steps that F is known for?
  std::optional<unsigned> reached(const Cube& cube) {
    const unsigned first = n_ + 1 > k_ ? n_ + 1 - k_ : 0;
    for (unsigned j = first; j <= n_; ++j)
      if (const auto steps = frames_.reach(j, cube)) return steps;
    return std::nullopt;
  }

  std::optional<Answer> push(const Element& element) {
    const std::optional<Cube> failing = path_to(!element.formula);
    if (!failing) {
      pushed_.push_back(element);
      return std::nullopt;
    }
    if (const std::optional<Cube> cause = path_to(element.bad)) {
      if (const auto steps = reached(*cause)) return invalid(*steps + k_ + element.distance);
      const z3::expr excluded = clause_against(system_.context, frames_.last());
      const Element other{excluded, all_of(system_.context, *cause), element.distance + k_, ids_++};
      all_.push_back(other);
      assume(excluded);
      open_.push_back(other);
      open_.push_back(element);
      return std::nullopt;
    }
    if (const auto steps = reached(*failing))
      weaken(element, *steps);
    else
      strengthen(element);
    return std::nullopt;
  }

  // The formula fails after all: only what is bad about it is left.
  void weaken(const Element& element, unsigned steps) {
    if (options_.mutant == Mutant::LooseNp)
      next_n_ = std::min(next_n_, steps + k_);
    else if (options_.mutant != Mutant::IgnoreNp)
      next_n_ = std::min(next_n_, shortest_to(!element.formula, steps + k_));
    const z3::expr less = negation_of(element.bad);
    const Element left{less, element.bad, element.distance, ids_++};
    if (options_.mutant == Mutant::DropWeakened)
      remove(element);
    else
      weak_ = true;  // what was pushed was pushed with the formula, which stays for this round
    all_.push_back(left);
    assume(less);
    pushed_.push_back(left);
  }

  // F holds for n steps, so it is more.
  unsigned shortest_to(const z3::expr& end, unsigned most) {
    const Cube cube = cube_of(end);
    for (unsigned depth = n_ + 1; depth <= most; ++depth)
      if (frames_.reach(depth, cube)) return depth;
    throw GiveUp("a state is reached and is not");
  }

  void strengthen(const Element& element) {
    const z3::expr reason = clause_against(system_.context, frames_.last());
    const Element more{element.formula && reason, element.bad, element.distance, element.id};
    for (Element& one : all_)
      if (one.id == element.id) one = more;
    assume(reason);
    open_.push_back(more);
  }

  void remove(const Element& element) {
    all_.erase(std::remove_if(all_.begin(), all_.end(),
                              [&](const Element& one) { return one.id == element.id; }),
               all_.end());
  }

  const System& system_;
  const Options& options_;
  Console& console_;
  Frames frames_;
  std::vector<Element> all_;  // F
  unsigned n_ = 0;
  unsigned ids_ = 0;
  // Of a round.
  unsigned k_ = 1;
  unsigned next_n_ = 0;
  unsigned ends_ = 0;
  bool weak_ = false;
  std::optional<Path> path_;
  std::optional<z3::solver> solver_;
  std::deque<Element> open_;
  std::vector<Element> pushed_;
};

}  // namespace

Answer run_pdkind(const System& system, const Options& options, Console& console) {
  return Induction(system, options, console).run();
}

}  // namespace leto::fixpoint
