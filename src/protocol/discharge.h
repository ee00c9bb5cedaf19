// Whether what has to be so beside the claims is so: asked of a solver, quantifiers and all.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "protocol/protocol.h"
#include "transition/session.h"

namespace leto::protocol {

// What may be spent on all that is asked beside the claims, so that these have their turn.
struct Share {
  double cpu_seconds = 30;  // of the solver
  double seconds = 0;       // of the clock; 0: however long it takes
  std::uint64_t memory_mb = 2048;
};

// Asks Z3 one question after the other, as long as its share lasts.
class Examiner {
 public:
  Examiner(const Share& share, const Allowance& allowance);

  // Whether the text, of declarations and assertions, can be satisfied. Takes at most so many
  // seconds of the solver.
  [[nodiscard]] transition::Answer ask(const std::string& text, double most);
  [[nodiscard]] transition::Answer ask(const std::string& text) { return ask(text, left()); }
  // After `Sat`: one for each term, empty if it is not known; or none at all.
  [[nodiscard]] std::vector<std::string> values(const std::vector<std::string>& terms);

  [[nodiscard]] double left() const;
  [[nodiscard]] double used() const { return share_.cpu_seconds - slice_.seconds; }
  // By who asks by other means.
  void take(double cpu_seconds) { slice_.seconds -= cpu_seconds; }
  [[nodiscard]] const Allowance& allowance() const { return allowance_; }
  [[nodiscard]] std::uint64_t memory_mb() const { return share_.memory_mb; }

 private:
  std::optional<std::string> reply_to(const std::string& text, double most);

  Share share_;
  const Allowance& allowance_;
  transition::Slice slice_;
  std::chrono::steady_clock::time_point begun_;
  std::unique_ptr<transition::Session> session_;
};

struct Unmet {
  std::string text;
  Span span;
  bool refuted = false;  // else the solver does not know
  std::string example;   // "x = 1, y = 2"; may be empty
};
// Those that do not hold, or of which it is not known; each text and place once. None has to wait
// for another: each is asked for a little at first.
[[nodiscard]] std::vector<Unmet> find_unmet(const Lowered& lowered,
                                            const std::vector<Obligation>& obligations,
                                            Examiner& examiner);

// Whether a 'trust' can leave out initial states, or that is not known.
[[nodiscard]] bool can_cut_beginning(const Lowered& lowered, const Trusted& trusted,
                                     Examiner& examiner);
// Names of steps that a 'trust' can cut off, or of which that is not known.
[[nodiscard]] std::vector<std::string> find_cut_steps(const Lowered& lowered,
                                                      const Trusted& trusted, Examiner& examiner);

}  // namespace leto::protocol
