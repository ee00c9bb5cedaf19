// Why a claim holds, in a form that others check: a k and an invariant, k-inductive and stronger
// than the claim. Who found it is not believed. It is checked against the system as it was made, by
// two solvers as processes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "transition/session.h"
#include "transition/system.h"

namespace leto::transition {

struct Certificate {
  unsigned k = 1;
  Term invariant;  // over variables now
};

enum class Check : std::uint8_t {
  Accepted,
  Refused,        // a solver found a state that it does not fit, or none knew
  Vacuous,        // there is no initial state: it holds of nothing
  Contradiction,  // the solvers contradict one another
};
struct Checked {
  Check result = Check::Refused;
  std::vector<std::string> by;  // solvers that said yes to everything
  std::string why;              // of what was refused, or contradicted
  bool open = false;            // refused, but nobody denied anything: it is not known
  double cpu_seconds = 0;
};

struct CheckLimits {
  double cpu_seconds = 60;  // of each solver, for all questions
  std::uint64_t memory_mb = 4096;
};

// The conjunction of the systems' initial states and its assumption is looked at first.
[[nodiscard]] Checked check_certificate(const System& system, const Claim& claim,
                                        const Certificate& certificate, const CheckLimits& limits,
                                        const Allowance& allowance);

// Whether there is an initial state at all. An answer `Sat` was evaluated.
[[nodiscard]] Checked check_beginning(const System& system, const CheckLimits& limits,
                                      const Allowance& allowance);

// As SMT-LIB: the invariant with a k, and all questions, so that any solver can check it.
[[nodiscard]] std::string write_certificate(const System& system, const Claim& claim,
                                            const Certificate& certificate);
// What `write_certificate` wrote for that claim; nothing (reported in `why`) if it is no
// certificate, or one for another system or claim. Only the k and the invariant are taken from it.
[[nodiscard]] std::optional<Certificate> read_certificate(const System& system, const Claim& claim,
                                                          const std::string& text,
                                                          std::string& why);

// A term over the variables as they are called by `names`, one for each; nothing if it is none.
[[nodiscard]] std::optional<Term> read_state_formula(const System& system,
                                                     const std::vector<std::string>& names,
                                                     const std::string& text);

}  // namespace leto::transition
