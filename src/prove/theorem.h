// What has been proved. A theorem says that some hypotheses imply a goal; a proof says that an
// obligation holds, and carries the digest of the question that it answers. Both are values that
// nobody can make but the prover, and the prover makes them only from a solver's "unsatisfiable" to
// a question that it wrote itself, from goals that are true by construction, and by the few rules
// below. No default, no copy of a status and no index can make one.
//
// Rules. H |- g stands for a theorem.
//   asked       the solver calls H and not g unsatisfiable               H |- g
//   plain       g is the term "true"                                     |- g
//   all of      Hi |- gi, and g is the conjunction of the gi             union of the Hi |- g
//               (or: each gi is p -> ci, and g is p -> conjunction of the ci)
//   in cases    Hi |- (ci -> g), and H |- (not (c1 or ... or cn)) -> g   union of all |- g
#pragma once

#include <atomic>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include "logic/logic.h"
#include "prove/prove.h"
#include "vcgen/relevance.h"

namespace leto::prove {

class Theorem {
 public:
  [[nodiscard]] const std::vector<logic::Term>& hypotheses() const { return hypotheses_; }
  [[nodiscard]] logic::Term goal() const { return goal_; }
  // The hypotheses by themselves contradict one another.
  [[nodiscard]] bool of_nothing() const { return of_nothing_; }

 private:
  friend class Prover;
  Theorem(std::vector<logic::Term> hypotheses, logic::Term goal);
  std::vector<logic::Term> hypotheses_;  // sorted
  logic::Term goal_;
  bool of_nothing_ = false;
  bool nobody_there_ = false;  // they contradict what the goal has for a premise
};

// How a question is asked.
struct Manner {
  logic::Products products = logic::Products::Exact;
  solver::Effort effort = solver::Effort::Full;
  solver::Strategy strategy = solver::Strategy::General;
  std::string_view name = "claim";  // of the file that it is dumped to
  // Terms to be evaluated in a model.
  std::vector<logic::Term> values = {};
  // Not at all if it has no products of unknowns: then opaque ones were as good.
  bool unless_linear = false;
  bool each = false;                            // see Query: which of the values fail?
  const std::atomic<bool>* unwanted = nullptr;  // see Query
};

struct Reply {
  solver::Answer answer;
  std::optional<Theorem> theorem;  // if it was "unsatisfiable"
  bool whole = false;              // nothing of the question was left out
  bool has_model = false;          // "satisfiable", and it was the whole question
  bool unfolded_once = false;      // definitions that use themselves are in it
};

// Of one worker. Terms are shared: they are read under a shared lock and made under a unique one.
class Prover {
 public:
  Prover(unsigned worker, Engine& engine, logic::TermTable& terms, std::shared_mutex& mutex)
      : worker_(worker),
        engine_(engine),
        terms_(terms),
        mutex_(mutex),
        writer_(terms, engine.options.salt),
        relevance_(terms) {}

  // `number` names the questions that are dumped. Calls and costs are added to the outcome.
  [[nodiscard]] Reply ask(const std::vector<logic::Term>& hypotheses, logic::Term goal,
                          const Manner& manner, std::size_t number, Outcome& outcome);
  [[nodiscard]] std::optional<Theorem> plain(logic::Term goal) const;
  [[nodiscard]] Theorem all_of(const std::vector<Theorem>& parts, logic::Term goal);
  [[nodiscard]] Theorem in_cases(const std::vector<Theorem>& each,
                                 const std::vector<logic::Term>& conditions, logic::Term goal);

  // The obligation holds, by a theorem about its goal whose hypotheses are all known there. What is
  // proved from the facts that share symbols with the goal answers another question than what
  // needs all that is known.
  [[nodiscard]] Proof seal(const Theorem& theorem, const vcgen::Obligation& o, Extent extent);
  [[nodiscard]] std::string digest(const vcgen::Obligation& o, Extent extent);
  // What an obligation can be proved from.
  [[nodiscard]] std::vector<logic::Term> find_facts(const vcgen::Obligation& o, Extent extent);

 private:
  [[nodiscard]] std::vector<logic::Term> facts_of(const vcgen::Obligation& o, Extent extent);
  [[nodiscard]] std::string write(std::vector<logic::Term> facts, logic::Term claim,
                                  const Manner& manner, std::string_view claimed);
  [[nodiscard]] solver::Answer answer(const solver::Query& query, const Manner& manner,
                                      std::size_t number, Outcome& outcome);

  unsigned worker_;
  Engine& engine_;
  logic::TermTable& terms_;
  std::shared_mutex& mutex_;
  logic::SmtWriter writer_;
  vcgen::Relevance relevance_;
};

}  // namespace leto::prove
