// Looks for a model of an obligation's hypotheses in which its goal does not hold, and says what
// terms are worth in it. For explanations: nothing is proved here.
#pragma once

#include <optional>

#include "prove/prove.h"

namespace leto::prove {

class Examiner {
 public:
  Examiner(logic::TermTable& terms, Engine& engine) : terms_(terms), engine_(engine) {}

  // The values of the terms; empty for one that the question does not depend on. Nothing if the
  // solver does not say that there is such a model.
  [[nodiscard]] std::optional<std::vector<std::string>> model(
      const std::vector<logic::Term>& hypotheses, logic::Term goal,
      const std::vector<logic::Term>& asked, solver::Effort effort = solver::Effort::Brief);
  unsigned calls = 0;

 private:
  logic::TermTable& terms_;
  Engine& engine_;
};

// What is known, with all vectors of n elements, written out element by element.
// What the quantified facts about arrays say is then true by construction. It asks for more, so
// only "satisfiable" carries over to the question it came from.
[[nodiscard]] std::vector<logic::Term> with_short_vectors(const vcgen::Known& known,
                                                          logic::TermTable& terms, int n);
// Whether a definition is applied somewhere in them.
[[nodiscard]] bool applies_definitions(const std::vector<logic::Term>& facts,
                                       const logic::TermTable& terms);
// What is told of the functions that occur in them, and of those that this brings.
[[nodiscard]] std::vector<logic::Term> find_told(const std::vector<logic::Term>& terms_in_question,
                                                 const logic::TermTable& terms);
// The same with all elements zero, of whatever sizes.
[[nodiscard]] std::vector<logic::Term> with_zero_vectors(const vcgen::Known& known,
                                                         logic::TermTable& terms);

}  // namespace leto::prove
