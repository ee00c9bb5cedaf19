// Why a claim is not proved: is the program wrong, is an invariant too weak, or did the solver
// give up? And what to do next.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "driver/verification.h"
#include "explain/explain.h"
#include "explain/reading.h"

namespace leto::driver {

// Real: a run that breaks the claim was executed. Weak: none was found, and the hypotheses allow
// a state in which it does not hold. Model: the model itself is at fault, no program is.
// Contradiction: the claim holds only because its hypotheses exclude one another. GaveUp: the
// solver did.
enum class Cause : std::uint8_t { Real, Weak, Model, Contradiction, GaveUp };
[[nodiscard]] std::string_view name(Cause cause);
// For people.
[[nodiscard]] std::string_view in_a_word(Cause cause);

struct Explanation {
  Cause cause = Cause::GaveUp;

  std::uint64_t limit = 0;  // of the solver's resource, for one question
  double seconds = 0;       // and of its time

  // Real: what was executed, and how to execute it again.
  std::optional<explain::Plan> plan;
  explain::Story story;
  std::string script;  // JSON
  std::string command;

  // Weak, and of models: a state that nothing excludes.
  std::optional<explain::Picture> picture;
  std::vector<Verification::Invariant> suggestion;  // that would close it
};

struct ExplainSettings {
  bool full = false;
  std::uint64_t resource = 0;  // the limit
  double seconds = 0;          // the limit of one question
  VerifySettings verify;       // as it was verified
  std::string run = {};        // "leto run FILE --model M": what repeats a run, but for the script
  const Allowance* allowance = nullptr;  // if it is spent, what is not explained stays so
};

// All invariants that would close some claim, each once, in the program's order.
[[nodiscard]] std::vector<Verification::Invariant> suggested(const Verification& v);

// Fills in the explanations of all claims that are not proved.
void explain_claims(Verification& v, const ExplainSettings& settings, prove::Engine& engine);

}  // namespace leto::driver
