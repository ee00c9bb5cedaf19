// The front door of `diagnose`: why a claim is not proved. Is the program wrong, is an invariant
// too weak, or did the solver give up? And what to do next.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "explain/explain.h"
#include "explain/reading.h"
#include "prove/verification.h"

namespace leto::diagnose {

// Real: a run that breaks the claim was executed. Weak: none was found, and the hypotheses allow
// a state in which it does not hold. Unexecuted: the same where loops are unrolled, so that nothing
// is left to be known; but nobody has seen a run. Model: the model itself is at fault, no program
// is. Contradiction: the claim holds only because its hypotheses exclude one another. GaveUp: the
// solver did.
enum class Cause : std::uint8_t {
  Real,
  Weak,
  Unexecuted,
  Model,
  Definition,
  Contradiction,
  GaveUp
};
[[nodiscard]] std::string_view name(Cause cause);
// For people.
[[nodiscard]] std::string_view in_a_word(Cause cause);

struct Explanation {
  Cause cause = Cause::GaveUp;

  std::uint64_t limit = 0;  // of the solver's resource, for one question
  double seconds = 0;       // and of its time

  // Real: what was executed, and of which function.
  std::optional<explain::Plan> plan;
  core::FunctionId function = {};
  explain::Story story;
  // Of a measure that does not fall: where the relaxed run comes to the same state again.
  std::optional<Span> endless;

  // Weak, and of models: a state that nothing excludes.
  std::optional<explain::Picture> picture;
  std::vector<prove::Verification::Invariant> suggestion;  // that would close it
};

struct Settings {
  bool full = false;
  std::uint64_t resource = 0;            // the limit
  double seconds = 0;                    // the limit of one question
  prove::VerifySettings verify;          // as it was verified
  const Allowance* allowance = nullptr;  // if it is spent, what is not explained stays so
};

// By claim; null for those that are proved. A claim that a run breaks is refuted from then on.
using Explanations = std::vector<std::shared_ptr<const Explanation>>;
[[nodiscard]] Explanations explain_claims(prove::Verification& v, const Settings& settings,
                                          prove::Engine& engine);

// All invariants that would close some claim, each once, in the program's order.
[[nodiscard]] std::vector<prove::Verification::Invariant> suggested(
    const Explanations& explanations);

}  // namespace leto::diagnose
