// Sums and products of unknowns in normal form. A solver that knows nothing of a product but its
// arguments does not see that `a * (b + c)` is `a * b + a * c`, nor that it is `(c + b) * a`. In a
// normal form all of them are the same sum of products of the same factors.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "logic/term.h"

namespace leto::logic {

// Of one question after the other. What is no sum, no product and no small whole number is an atom.
class Polynomials {
 public:
  explicit Polynomials(const TermTable& table) : table_(table) {}

  // Numbers of atoms, ascending, and how often their product is taken; no factor: a number.
  using Sum = std::map<std::vector<std::uint32_t>, std::int64_t>;

  // Atoms are numbered as they come: equal questions have equal normal forms.
  void begin_question();
  // Null if no product of unknowns is in it, or if the normal form would be large.
  [[nodiscard]] const Sum* find(Term t) { return find_entry(t).normal(); }
  [[nodiscard]] Term atom(std::uint32_t number) const { return atoms_[number]; }

 private:
  struct Entry {
    Sum sum;
    bool curved = false;  // a product of unknowns is in it
    bool large = false;   // it stands for itself
    [[nodiscard]] const Sum* normal() const { return curved && !large ? &sum : nullptr; }
  };
  const Entry& find_entry(Term t);
  [[nodiscard]] Entry expand(Term t);
  [[nodiscard]] Entry expand_product(const Entry& a, const Entry& b) const;
  [[nodiscard]] bool has_unknowns(const Sum& sum) const;
  [[nodiscard]] Entry stand_for_itself(Term t);
  [[nodiscard]] bool is_too_much(const Sum& sum);
  std::uint32_t written_size(Term t);

  const TermTable& table_;
  std::unordered_map<Term, Entry> entries_;
  std::unordered_map<Term, std::uint32_t> numbers_, sizes_;
  std::vector<Term> atoms_;
};

}  // namespace leto::logic
