// How one obligation is decided: which questions are put to the solver, in which order.
//
// Most goals follow by matching, with products opaque, from few facts or from all that share
// symbols with them, which takes a millisecond or two; so that is tried first. What it does not
// prove is tried with exact products and taken apart, into conjuncts and the cases of branches,
// from few facts and from more. Then a counterexample with short vectors is looked for, and at last
// the general strategy has the whole limit and all facts there are; matching has a part of it, at
// the same time if a worker has nothing else to do. Only what is said of all facts and of exact
// products is believed as a counterexample.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "prove/theorem.h"

namespace leto::prove {

// Whether what is known can be.
struct Consistency {
  solver::Verdict verdict = solver::Verdict::Unknown;
  bool failed = false;    // unknown, and not because it is hard
  bool troubled = false;  // see Outcome
};

// Inferred facts that were proved. On entry to a loop a fact is asked about in every round, of the
// same values and from the same facts, whatever becomes of those beside it. Shared by the workers.
class Memory {
 public:
  struct Entry {
    Theorem theorem;  // of the goal, and perhaps of more
    bool suspect;
  };
  using Known = std::shared_ptr<const Entry>;
  // Null, if it was not proved from these facts.
  [[nodiscard]] Known find(logic::Term goal, const std::vector<logic::Term>& sorted_facts) const;
  void keep(const std::vector<logic::Term>& goals, const Theorem& theorem, bool suspect);

 private:
  mutable std::mutex mutex_;
  std::unordered_map<logic::Term, Known> known_;
};

// Of one worker.
class Decider {
 public:
  // `provers`: those of all workers.
  Decider(unsigned worker, Engine& engine, logic::TermTable& terms, std::shared_mutex& mutex,
          Memory& memory, const std::function<Prover&(unsigned worker)>& provers)
      : terms_(terms),
        mutex_(mutex),
        exactly_(engine.options.exactly),
        crew_(engine.crew),
        provers_(provers),
        prover_(worker, engine, terms, mutex),
        memory_(memory) {}

  [[nodiscard]] Prover& prover() { return prover_; }
  // By one question from few facts, if there are fewer than others. Without a proof nothing is
  // known.
  void decide_from_near(const vcgen::Obligation& o, std::size_t number, Outcome& outcome);
  // By questions from the facts that share symbols with the goal. Without a proof nothing is known.
  // Once the first has failed, `is_broken` is asked whether there is any use in going on.
  void decide_quickly(const vcgen::Obligation& o, std::size_t number, Outcome& outcome,
                      const std::function<bool()>& is_broken);
  // From all that is known, with the whole limit: proved, refuted or unknown.
  void decide_in_general(const vcgen::Obligation& o, std::size_t number, Outcome& outcome);
  // Inferred invariants, by one question from what is recent. What is said of others than proved
  // ones is only where to begin.
  void decide_parts_from_recent(const vcgen::Obligation& o, std::size_t number, Outcome& outcome);
  // From the facts that share symbols with the goal, one by one.
  void decide_parts(const vcgen::Obligation& o, std::size_t number, Outcome& outcome);
  // Can all that is known at an entry of the log be, under the path?
  [[nodiscard]] Consistency consistent(const vcgen::Assumption& a, std::uint32_t entry,
                                       std::size_t number);

 private:
  [[nodiscard]] Consistency look_for_contradiction(const vcgen::Assumption& a, std::uint32_t entry,
                                                   std::size_t number, Outcome& outcome);
  void look_at_what_is_told(const vcgen::Assumption& a, std::uint32_t entry, std::size_t number,
                            Outcome& outcome, Consistency& found);
  [[nodiscard]] bool is_met_by_small_vectors(const vcgen::Known& known, logic::Term impossible,
                                             std::size_t number, Outcome& outcome);
  [[nodiscard]] bool contradicts_as_suspected(const vcgen::Suspicion& suspicion,
                                              const std::vector<logic::Term>& sorted_facts,
                                              logic::Term impossible, std::size_t number,
                                              Outcome& outcome);
  // The obligation at hand, and from what it is to be proved.
  struct Attempt {
    const vcgen::Obligation& o;
    std::size_t number;
    Outcome& outcome;
    std::vector<logic::Term> hypotheses;
    solver::Effort effort;
    std::string_view name;
  };
  // What came of it: a theorem about the goal, or the last answer.
  struct Tried {
    std::optional<Theorem> theorem = {};
    solver::Answer answer = {};
    bool has_model = false;  // of all that was asked: no part of it and no case can be proved
  };

  Tried ask_with_opaque_products(const Attempt& attempt, logic::Term goal);
  Tried ask_with_exact_products(const Attempt& attempt, logic::Term goal);
  Tried ask_whole(const Attempt& attempt, logic::Term goal);
  Tried ask_in_cases(const Attempt& attempt, logic::Term goal, std::size_t depth);
  Tried ask_conjuncts(const Attempt& attempt, logic::Term goal);
  void keep(const Tried& tried, const vcgen::Obligation& o, Extent extent, Outcome& outcome);
  bool is_left_open(const std::vector<logic::Term>& facts, const vcgen::Obligation& o,
                    std::size_t number, Outcome& outcome);
  // Of an obligation that nothing could be said about: which piece it is, in which case.
  void find_hard(const vcgen::Obligation& o, const std::vector<logic::Term>& facts,
                 std::size_t number, Outcome& outcome);
  // Parts that were asked about in one question: proved, or which of them may not be.
  struct Together {
    std::optional<Theorem> theorem = {};
    std::vector<std::size_t> fallen = {}, doubtful = {}, left = {};
    solver::Reason reason = solver::Reason::None;  // other: asking on would be pointless
  };
  Together ask_together(const Attempt& attempt, const std::vector<std::size_t>& parts);
  std::vector<std::size_t> sort_parts(const vcgen::Obligation& o, Extent extent, Outcome& outcome,
                                      std::vector<Theorem>& proved);
  void take(const Attempt& attempt, const std::vector<std::size_t>& parts, const Theorem& theorem,
            std::vector<Theorem>& proved);
  void keep_parts(const vcgen::Obligation& o, Extent extent, const std::vector<Theorem>& proved,
                  Outcome& outcome);
  bool decide_open(const Attempt& attempt, std::vector<std::size_t> open,
                   std::vector<Theorem>& proved);
  void decide_one_part(const Attempt& attempt, std::size_t part, std::vector<Theorem>& proved);
  std::vector<logic::Term> conjuncts_of(logic::Term goal);
  logic::Term implies(logic::Term a, logic::Term b);

  logic::TermTable& terms_;
  std::shared_mutex& mutex_;
  bool exactly_;  // see Options
  engine::Crew& crew_;
  const std::function<Prover&(unsigned worker)>& provers_;
  Prover prover_;
  Memory& memory_;
};

}  // namespace leto::prove
