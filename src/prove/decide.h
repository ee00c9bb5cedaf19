// How one obligation is decided: which questions are put to the solver, in which order.
//
// Most goals follow by matching, with products opaque, from few facts or from all, which takes a
// millisecond or two; so that is tried first. What it does not prove is tried with exact products
// and taken apart, into conjuncts and the cases of branches, from few facts and from all. Then a
// counterexample with short vectors is looked for, and at last the general strategy has the
// whole limit. Only what is said of all facts and of exact products is believed as a
// counterexample.
#pragma once

#include <shared_mutex>

#include "prove/prove.h"

namespace leto::prove {

// Of one worker. Terms are shared: they are read under a shared lock and made under a unique one.
class Decider {
 public:
  Decider(unsigned worker, Engine& engine, logic::TermTable& terms, std::shared_mutex& mutex)
      : worker_(worker),
        engine_(engine),
        terms_(terms),
        mutex_(mutex),
        writer_(terms, engine.options.salt) {}

  // What is asked, all told: obligations with the same key have the same outcome.
  [[nodiscard]] std::string key(const vcgen::Obligation& o);
  // `number` names the questions that are dumped. Calls and costs are added to the outcome.
  void decide(const vcgen::Obligation& o, std::size_t number, Outcome& outcome);
  void decide_parts(const vcgen::Obligation& o, std::size_t number, Outcome& outcome);
  // Can the hypotheses be met, as far as one can tell?
  [[nodiscard]] solver::Verdict smoke(const vcgen::Obligation& o, std::size_t number,
                                      Outcome& outcome);

 private:
  // The obligation at hand, and from what it is to be proved.
  struct Attempt {
    const vcgen::Obligation& o;
    std::size_t number;
    Outcome& outcome;
    std::vector<logic::Term> hypotheses;
    solver::Effort effort;
    std::string_view name;
  };

  solver::Query matching(const std::vector<logic::Term>& hypotheses, logic::Term goal,
                         logic::Products products, solver::Effort effort);
  solver::Answer opaquely(const Attempt& attempt, logic::Term goal);
  solver::Answer exactly(const Attempt& attempt, logic::Term goal);
  solver::Answer whole(const Attempt& attempt, logic::Term goal);
  solver::Answer by_cases(const Attempt& attempt, logic::Term goal, std::size_t depth);
  solver::Answer taken_apart(const Attempt& attempt, logic::Term goal);
  void in_general(const vcgen::Obligation& o, std::size_t number, Outcome& outcome);
  // Of an obligation that nothing could be said about: which piece it is, in which case.
  void find_hard(const vcgen::Obligation& o, std::size_t number, Outcome& outcome);
  Status one_part(const vcgen::Obligation& o, std::size_t number, std::size_t part,
                  Outcome& outcome);
  solver::Query conjunction(const vcgen::Obligation& o, const std::vector<std::size_t>& open);
  std::vector<logic::Term> conjuncts_of(logic::Term goal);
  logic::Term implies(logic::Term a, logic::Term b);
  solver::Answer answer(const solver::Query& query, std::string_view what, std::size_t number,
                        Outcome& outcome);

  unsigned worker_;
  Engine& engine_;
  logic::TermTable& terms_;
  std::shared_mutex& mutex_;
  logic::SmtWriter writer_;
};

// Everything that is known where the goal stands.
[[nodiscard]] std::vector<logic::Term> everything(const vcgen::Obligation& o);

}  // namespace leto::prove
