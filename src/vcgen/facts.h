// The facts known in a walk, indexed by what they speak of, so that an obligation is given
// those that can matter for it and its cost does not grow with the length of the program.
// Leaving facts out can lose a proof, never make one.
#pragma once

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "logic/logic.h"
#include "vcgen/log.h"

namespace leto::vcgen {

using logic::Term;

// Which symbols occur in terms; remembers what it was asked.
class Symbols {
 public:
  explicit Symbols(const logic::TermTable& terms) : terms_(terms) {}
  [[nodiscard]] const std::vector<Term>& of(Term term);
  // Whether it says of two arrays that they are equal.
  [[nodiscard]] bool compares_arrays(Term term);

 private:
  const logic::TermTable& terms_;
  std::unordered_map<Term, bool> comparing_;
  std::unordered_map<Term, std::vector<Term>> known_;
};

class Facts {
 public:
  // Constants and inputs are hubs: they occur nearly everywhere, so sharing one does not
  // make facts relevant to one another.
  // What is added goes into the log too.
  Facts(Symbols& symbols, Log& log) : symbols_(symbols), log_(log) {}

  // What is known already is not added again. A consequence follows from what was known before it:
  // it was proved, here or in the walk of the original by itself.
  enum class Origin : std::uint8_t { Assumed, Consequence };
  void add(Term fact, Origin origin = Origin::Assumed);
  [[nodiscard]] bool has(Term fact) const { return known_.contains(fact); }
  // Symbols that came into being at once, as at the head of a loop: what says what one of them
  // is may say it by way of another.
  void belong_together(const std::vector<Term>& symbols);
  [[nodiscard]] std::size_t size() const { return facts_.size(); }
  // Whether what was known when there were so many facts, the last of them that entry, still is.
  [[nodiscard]] bool still_has(std::size_t size, std::uint32_t entry) const {
    return size == 0 || (entries_.size() >= size && entries_[size - 1] == entry);
  }
  // The log's entry for what is known now.
  [[nodiscard]] std::uint32_t last() const { return entries_.empty() ? 0 : entries_.back(); }
  [[nodiscard]] const std::vector<Term>& all() const { return facts_; }
  void truncate(std::size_t size);  // forgets what was added since

  // All that can matter: what shares a symbol with the goal, directly or by way of others,
  // and what speaks of hubs only.
  [[nodiscard]] std::vector<Term> relevant(Term goal) { return relevant_since(0, goal, of_hubs_); }
  // The same of what became known when there were so many facts or later, with what was assumed of
  // hubs: how many there are does not grow with what came before.
  [[nodiscard]] std::vector<Term> recent(std::size_t since, Term goal) {
    return relevant_since(since, goal, assumed_of_hubs_);
  }
  // What most likely suffices: facts that say what the goal's symbols are, and what the
  // symbols of those are, and so on. A fact is filed under its newest symbol, the one that it
  // defines or that was last when it became known, or the first of those that came with it. Of what
  // speaks of hubs only, consequences are left out: every check of an index is one.
  [[nodiscard]] std::vector<Term> near(Term goal);

 private:
  struct Filed {
    std::vector<Term> symbols;  // without hubs
    Term newest;                // invalid: speaks of hubs only
  };
  [[nodiscard]] std::vector<Term> relevant_since(std::size_t since, Term goal,
                                                 std::vector<std::size_t> taken);
  [[nodiscard]] std::vector<Term> pick(std::vector<std::size_t>& indices) const;

  Symbols& symbols_;
  Log& log_;
  std::vector<Term> facts_;
  std::vector<std::uint32_t> entries_;  // of the log
  std::vector<Filed> filed_;
  std::vector<std::size_t> of_hubs_;
  std::vector<std::size_t> assumed_of_hubs_;
  std::unordered_set<Term> known_;
  // The first of those that a symbol belongs together with.
  [[nodiscard]] Term first_of(Term symbol) const;

  std::unordered_map<Term, std::vector<std::size_t>> by_symbol_, by_newest_;
  std::unordered_map<Term, Term> first_;
};

}  // namespace leto::vcgen
