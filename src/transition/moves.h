// Steps that need not be taken twice in a row, because one of them does what two do. A search for a
// shortest run may leave such runs out: only if it looks at each depth in turn.
#pragma once

#include <optional>
#include <vector>

#include "transition/session.h"
#include "transition/text.h"

namespace leto::transition {

// T as alternatives and what they share: the steps, or else the largest disjunction at the top.
struct Moves {
  std::vector<Term> alternatives;
  Term rest;
};
[[nodiscard]] Moves moves_of(const System& system);

// Finds out which alternatives are transitive, up to variables that neither a step, the assumption
// nor the claim reads: of these a joint step takes what the first of the two leaves.
class Transitivity {
 public:
  Transitivity(const System& system, const Claim& claim, const Moves& moves,
               std::uint64_t memory_mb);
  // False: go on later. What is not known by then counts as not transitive.
  [[nodiscard]] bool advance(Slice& slice, const Allowance& allowance);
  [[nodiscard]] const std::vector<bool>& found() const { return found_; }
  [[nodiscard]] double cpu_seconds() const { return session_.cpu_seconds(); }

 private:
  void ask(std::size_t move);

  std::size_t count_;
  Script script_;
  Session session_;
  std::vector<bool> found_;
};

}  // namespace leto::transition
