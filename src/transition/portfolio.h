// Several engines on one claim, one after the other in slices, until one of them has an answer that
// others have checked.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "transition/certificate.h"
#include "transition/trace.h"

namespace leto::transition {

enum class Verdict : std::uint8_t {
  Valid,    // a certificate was checked
  Invalid,  // a trace was replayed
  Unknown,
  Vacuous,        // about no state: there is no initial one
  Contradiction,  // two solvers contradict one another
};
[[nodiscard]] std::string_view describe(Verdict verdict);

// Who looked, how far it came, what it took.
struct Tried {
  std::string engine, progress;
  double cpu_seconds = 0;
};

struct Decision {
  Verdict verdict = Verdict::Unknown;
  std::string engine;                      // whose proposal it was
  std::optional<Certificate> certificate;  // of what is valid
  std::vector<std::string> checked_by;     // its solvers
  std::optional<Trace> trace;              // of what is invalid
  std::vector<std::size_t> steps;          // which were taken in it
  std::vector<std::string> dismissed;      // answers that were thrown away, and why
  std::vector<Tried> tried;
  std::string why;         // of what is none of the two
  double cpu_seconds = 0;  // of all processes
};

struct Means {
  double cpu_seconds = 120;          // of all processes for one claim
  std::uint64_t memory_mb = 9000;    // of all of them together, as good as it goes
  std::string engine_program;        // `leto-engine`; empty: do without
  std::vector<std::string> engines;  // by name; empty: all
};
// "k-induction", "bounded-search", "pdr" ..: in the order in which they have their turns.
[[nodiscard]] std::vector<std::string> engine_names();

// `tell` hears of how far it is, on one line. `facts` are certificates of other claims of the
// system that were accepted: engines use them, and the certificate of this claim has them in it, so
// that it stands by itself.
[[nodiscard]] Decision decide(const System& system, std::size_t claim, const Means& means,
                              const Allowance& allowance,
                              const std::function<void(const std::string&)>& tell,
                              const std::vector<Certificate>& facts = {});

}  // namespace leto::transition
