// Values and what terms are worth under them: exact, by rationals, without any solver.
#pragma once

#include <gmpxx.h>

#include <optional>
#include <string>
#include <unordered_map>

#include "logic/term.h"

namespace leto::transition {

// Truth is 1 and 0; a bit-vector is its number without a sign.
struct Value {
  logic::Sort sort;
  mpq_class number;
  friend bool operator==(const Value& a, const Value& b) {
    return a.sort == b.sort && a.number == b.number;
  }
};
[[nodiscard]] inline Value truth(bool value) {
  return {logic::kBool, value ? 1 : 0};
}
// An integer where one is meant, in range where there is one.
[[nodiscard]] bool is_of_its_sort(const Value& value);

// The number that a term of kind Number stands for.
[[nodiscard]] mpq_class number_of(const logic::Node& number);
// A term for a value, canonical: equal values have equal terms.
[[nodiscard]] logic::Term term_for(logic::TermTable& table, const Value& value);
// "true", "-3", "1199/8000", "#b0101".
[[nodiscard]] std::string exact_text(const Value& value);
// "0.149875", with `~` in front if that is not all of it; empty for an integer.
[[nodiscard]] std::string decimal_text(const Value& value);

class Evaluation {
 public:
  explicit Evaluation(const logic::TermTable& table) : table_(table) {}
  void set(logic::Term symbol, Value value) { values_[symbol] = std::move(value); }
  // Nothing if a symbol has no value, if a number becomes too long, or if the term is of a kind
  // that a `System` cannot have. Shared terms are evaluated once.
  [[nodiscard]] std::optional<Value> of(logic::Term term);
  [[nodiscard]] bool is_true(logic::Term term) { return of(term) == truth(true); }

 private:
  const logic::TermTable& table_;
  std::unordered_map<logic::Term, std::optional<Value>> values_;
};

}  // namespace leto::transition
