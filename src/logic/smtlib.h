// Questions as SMT-LIB 2 text. Symbols are renamed in the order in which they
// occur, so the text depends on nothing but the question: equal questions have
// equal texts, whatever else was in the table. Terms that occur more than once
// are written once, so the text grows with the number of distinct terms.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "logic/polynomials.h"
#include "logic/term.h"

namespace leto::logic {

// Products and quotients of unknowns are hard. Opaque ones are functions of which nothing is
// known but that equal arguments give equal results: what follows then follows, and that is
// mostly enough to see that two runs do the same. Sums of opaque products are in normal form.
enum class Products : std::uint8_t { Exact, Opaque };

// A number as a solver writes it, as people do: (- 3), (/ 1.0 2.0), 2.0.
[[nodiscard]] std::string readable(std::string value);

// Writes one question after the other. For one thread; the table may grow between questions.
class SmtWriter {
 public:
  // A salt other than 0 gives symbols other names and facts another order.
  explicit SmtWriter(const TermTable& table, std::uint32_t salt = 0)
      : table_(table), salt_(salt), polynomials_(table) {}

  // Asserts the hypotheses and the negated goal; or, with a symbol for it, that the negated goal
  // follows from the symbol.
  [[nodiscard]] std::string question(const std::vector<Term>& hypotheses, Term goal,
                                     Products products = Products::Exact,
                                     std::string_view claimed = {});
  // Whether the last question has no products or quotients of unknowns, opaque or not.
  [[nodiscard]] bool linear() const { return linear_; }
  // Whether it has functions that are unfolded no further, so that a model need not be one.
  [[nodiscard]] bool has_twins() const;
  // A further closed term in the vocabulary of the last question; a term with symbols that
  // do not occur there, or one that is very large, gives an empty string.
  [[nodiscard]] std::string term(Term term);

 private:
  // What is known of a term in the question at hand.
  struct Mark {
    std::uint32_t question = 0;  // of which the rest speaks
    std::uint32_t uses = 0;
    std::uint32_t number = 0;
    std::uint32_t size = 0;  // when written out, of terms asked for afterwards
    char prefix = 0;         // of its name; 0: has none
    bool prepared = false;
  };
  [[nodiscard]] Mark& mark(Term t);
  [[nodiscard]] bool linear(const Node& node) const;
  void count(Term t);
  void prepare(Term t);
  void write(Term t);
  void write_node(Term t);
  void name_factors(const Polynomials::Sum& sum);
  void write_sum(const Polynomials::Sum& sum, Sort sort);
  void write_times(std::int64_t times, const std::vector<std::uint32_t>& factors, Sort sort);
  void write_product(const std::vector<Term>& factors, Sort sort);
  void write_body(const Node& quantifier);
  // The accesses a[x] in a term, x bound, a not: by whether an inner `exists` binds x.
  struct Accesses {
    std::vector<Term> outer, inner;
    bool exists = false;
  };
  void find_calls(Term t, const Node& quantifier, std::vector<Term>& out) const;
  [[nodiscard]] std::vector<Term> find_patterns(const Node& quantifier, bool& weighs) const;
  void add_elements(const Node& quantifier, std::vector<Term>& patterns) const;
  void find_moved(Term t, std::vector<Term>& out) const;
  void declare(const Node& call);
  void find_accesses(Term t, const std::vector<Term>& inner, Accesses& out) const;
  void write_name(const Mark& mark);
  std::uint32_t written_size(Term t);

  const TermTable& table_;
  std::uint32_t salt_;
  std::vector<Mark> marks_;
  std::uint32_t question_ = 0;
  std::uint32_t symbols_ = 0, shared_ = 0, bound_ = 0;
  bool linear_ = true;
  std::vector<Term> told_;  // of the functions in the question
  std::unordered_set<Term> tells_;
  std::unordered_map<std::string, std::uint32_t> functions_;
  Products products_ = Products::Exact;
  Polynomials polynomials_;
  std::string out_;
};

}  // namespace leto::logic
