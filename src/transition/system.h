// A transition system: a state, which states are initial, how one state follows another. It says
// what its user wrote and is never changed by an engine: what engines find out or rewrite lies
// elsewhere, so that certificates and traces are checked against this and nothing else.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/source.h"
#include "logic/term.h"

namespace leto::transition {

using logic::Sort;
using logic::Term;
using logic::TermTable;

// A sort of a few named values, kept for printing: its variables are integers, `values[i]` is i.
// That a variable stays in range is the business of whoever makes the system (say it in `assumed`,
// or see to it in `initial` and the steps).
struct Enumeration {
  std::string name;
  std::vector<std::string> values;
};

// Scalars only: Bool, Int, Real and bit-vectors.
struct Variable {
  std::string name;  // what the user calls it: "clock", "heard[0]"
  Sort sort;
  std::optional<Span> span;  // where it is declared
  std::optional<std::uint32_t> enumeration = {};
  Term now = {}, next = {};  // its value before and behind a step
};

// An arbitrary value of each step.
struct Input {
  std::string name;
  Sort sort;
  std::optional<Span> span;
  std::optional<std::uint32_t> enumeration = {};
  Term term = {};
};

// What a trace says beside a step of which `when` is true: "any_lie general(0) -> lieutenant(2)",
// and the value behind it if there is one. Over the same symbols as the step.
struct Remark {
  std::string text;
  Term when;
  std::optional<Term> value = {};
  std::optional<std::uint32_t> enumeration = {};  // of the value
};

struct Step {
  std::string name;
  Term formula;  // over variables, now and next, and inputs
  std::optional<Span> span = {};
  std::vector<Remark> remarks = {};
};

struct Claim {
  std::string name;
  std::optional<Span> span;
  Term formula;  // over variables now
};

// Bit-vector operators are `Kind::Call`s by the head that they have in SMT-LIB ("bvadd",
// "(_ extract 3 0)"); no other calls, no arrays and no quantifiers occur. Every divisor of reals is
// a number other than 0.
struct System {
  std::shared_ptr<TermTable> terms = std::make_shared<TermTable>();
  std::string name;
  std::vector<Enumeration> enumerations;
  std::vector<Variable> variables;
  std::vector<Input> inputs;
  Term initial = terms->boolean(true);  // I, over variables now
  Term common = terms->boolean(true);   // of every step, over variables now and next and inputs
  std::vector<Step> steps;              // alternatives; without any, nothing ever moves
  Term assumed = terms->boolean(true);  // A, over variables now: a state without it does not exist
  std::vector<Claim> claims;

  // Make the symbols, too.
  std::uint32_t add_variable(std::string_view variable, Sort sort,
                             std::optional<Span> span = std::nullopt,
                             std::optional<std::uint32_t> enumeration = std::nullopt);
  std::uint32_t add_input(std::string_view input, Sort sort,
                          std::optional<Span> span = std::nullopt,
                          std::optional<std::uint32_t> enumeration = std::nullopt);
};

// T without A: common and one of the steps.
[[nodiscard]] Term relation_of(const System& system);

// Terms in the place of symbols. What was replaced is remembered, so that shared terms cost once;
// nothing here recurses.
class Substitution {
 public:
  explicit Substitution(TermTable& table) : table_(table) {}
  void replace(Term symbol, Term by) { done_[symbol] = by; }
  [[nodiscard]] Term operator()(Term term);

 private:
  TermTable& table_;
  std::unordered_map<Term, Term> done_;
};
// Of a formula over variables now: the same of the next state.
[[nodiscard]] Substitution to_next(const System& system);

// What is wrong with a system, in a sentence; nothing if it may be handed on. Sorts, symbols that
// nobody declared or that do not belong there (a claim with inputs), kinds of terms that are not
// allowed, names that are empty, taken or cannot be written.
[[nodiscard]] std::optional<std::string> find_fault(const System& system);

}  // namespace leto::transition
