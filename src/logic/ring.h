// Laws of rings for those who do not know them: where x is e, x * y is e * y. A solver to which
// products are opaque cannot put a sum in the place of a factor. Each such step is a fact that
// holds whatever the symbols are, so it may be added to any question.
#pragma once

#include <unordered_set>
#include <vector>

#include "logic/polynomials.h"
#include "logic/term.h"

namespace leto::logic {

// Of one question. Makes new terms.
class Ring {
 public:
  explicit Ring(TermTable& table) : table_(table), polynomials_(table) {}

  // For factors of products in it, by equations that are in it: of themselves, or of all elements
  // of a vector of which they are one. A few at most, and none of a question that is very large.
  [[nodiscard]] std::vector<Term> find_steps(const std::vector<Term>& facts, Term goal);

 private:
  using Product = std::vector<Term>;  // of two factors or more
  struct Equation {
    Term what, is;
  };
  void look_at(Term t);
  void look_at_equation(const Node& node);
  void look_at_sum(Term t);
  void add_steps(const Product& product, std::size_t factor);
  void add_step(const Product& product, std::size_t factor, Term is);
  [[nodiscard]] Term multiply(const Product& product);

  TermTable& table_;
  Polynomials polynomials_;
  std::unordered_set<Term> seen_;
  std::vector<Term> to_do_;
  std::vector<Equation> equations_;  // of one term, or of all values of bound variables
  std::vector<Product> products_;
  std::unordered_set<Term> known_;  // products and steps
  std::vector<Term> steps_;
};

}  // namespace leto::logic
