// What the user was promised, and what became of it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "prove/prove.h"

namespace leto::prove {

// What was asked about one function, or about the model, and what came of it.
struct Evidence {
  std::shared_ptr<logic::TermTable> terms;
  std::vector<vcgen::Obligation> obligations;
  std::vector<Outcome> outcomes;  // by obligation
};

// One thing that the user was promised, with all the obligations it takes.
struct Claim {
  core::ClaimId id;
  std::size_t obligations = 0;
  Status status = Status::Unknown;
  double seconds = 0;
  std::uint64_t resource = 0, hardest = 0;  // of all its questions, and of one
  std::string situation = {};               // in which it is not proved
  // It is proved, but from what is not; or nobody looked further, since something else has to be
  // mended first: `situation` says what that is.
  bool unfounded = false;
  Span because = {};  // where that stands; may be nowhere
  // Kept where something is not proved. Null: all is; or the claim is about what is assumed.
  std::shared_ptr<const Evidence> evidence = nullptr;
  std::size_t worst = 0;  // the obligation that decides the status

  // What is to be said of it: what can happen if it does not hold, else what is claimed.
  [[nodiscard]] std::string headline() const;
  // Of what has one run.
  [[nodiscard]] std::string headline_of_one_run() const;
  [[nodiscard]] std::string headline_of(const core::ClaimId& named) const;
  // The one that decides; null if there is none, or it is not kept.
  [[nodiscard]] const vcgen::Obligation* obligation() const {
    return evidence ? &evidence->obligations[worst] : nullptr;
  }
  [[nodiscard]] const Outcome* outcome() const {
    return evidence ? &evidence->outcomes[worst] : nullptr;
  }
  // Why it is not known, as far as that is the solver's.
  [[nodiscard]] solver::Reason reason() const {
    return evidence ? outcome()->reason : solver::Reason::None;
  }
};

// What it took.
struct Cost {
  std::size_t obligations = 0, plain = 0;  // plain: no solver was asked
  std::size_t cached = 0;                  // answered before
  std::size_t questions = 0;               // put to a solver
  std::uint64_t hardest = 0;               // of one question
  bool disagreement = false;               // of two solvers, somewhere
  [[nodiscard]] std::size_t asked() const { return obligations - plain; }
  void add(const Cost& other);
};

// 0 proved, 1 vacuous, 2 unknown, 3 refuted.
[[nodiscard]] int badness(Status status);

}  // namespace leto::prove
