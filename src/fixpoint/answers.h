// What an engine answers, and how it is written.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>

#include "fixpoint/fixpoint.h"
#include "fixpoint/system.h"

namespace leto::fixpoint {

struct Answer {
  enum class Verdict : std::uint8_t { Valid, Invalid, Unknown };
  Verdict verdict = Verdict::Unknown;
  unsigned k = 1;   // of valid
  Terms invariant;  // of valid: its conjuncts; of unknown: what was found, if anything
  std::optional<unsigned> longest;  // of invalid: the run has no more steps, if that is known
  std::string reason;               // of unknown
};

[[nodiscard]] inline Answer valid(unsigned k, Terms invariant) {
  return {Answer::Verdict::Valid, k, std::move(invariant), {}, {}};
}
[[nodiscard]] inline Answer invalid(std::optional<unsigned> longest) {
  return {Answer::Verdict::Invalid, 0, {}, longest, {}};
}
[[nodiscard]] inline Answer unknown(std::string reason) {
  return {Answer::Verdict::Unknown, 0, {}, {}, std::move(reason)};
}

// Where lines go, each as soon as it is known.
class Console {
 public:
  explicit Console(std::ostream& out) : out_(out) {}
  // With the CPU time behind it.
  void progress(const std::string& text);
  void lemma(const Terms& conjuncts);
  void answer(const Answer& answer);

 private:
  void line(const std::string& text);
  std::ostream& out_;
};

// One for each engine. What they are given is normalised, or not: they do not know.
[[nodiscard]] Answer run_pdr(const System& system, const Options& options, Console& console);
[[nodiscard]] Answer run_pdkind(const System& system, const Options& options, Console& console);
// Unknown with an invariant where that does not imply the claim.
[[nodiscard]] Answer run_seeds(const System& system, const Options& options, Console& console);
// `as_it_stands`: Z3 may not slice and inline clauses before it begins.
[[nodiscard]] Answer run_spacer(const System& system, bool as_it_stands, Console& console);

}  // namespace leto::fixpoint
