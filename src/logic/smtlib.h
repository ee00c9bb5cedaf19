// A question as SMT-LIB 2 text. Symbols are renamed in the order in which they
// occur, so the text depends on nothing but the question: equal questions have
// equal texts, whatever else was in the table.
#pragma once

#include <string>
#include <vector>

#include "logic/term.h"

namespace leto::logic {

struct SmtText {
  std::string text;                                   // declarations and assertions
  std::vector<std::pair<Term, std::string>> symbols;  // as they are called in the text
  std::vector<std::pair<Term, std::string>> defined;  // shared terms that have a name in it
};

// Asserts the hypotheses and the negated goal.
[[nodiscard]] SmtText to_smtlib(const TermTable& table, const std::vector<Term>& hypotheses,
                                Term goal);

// Further closed terms in the vocabulary of a text that was made before; a term with
// symbols that do not occur there, or one that is very large, gives an empty string.
[[nodiscard]] std::string to_smtlib(const TermTable& table, const SmtText& context, Term term);

}  // namespace leto::logic
