// One program in core form: from there to a status for every claim.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "prove/break.h"
#include "prove/claims.h"
#include "prove/explore.h"
#include "prove/infer.h"
#include "prove/prove.h"

namespace leto::prove {

struct Verification {
  std::string model;
  std::shared_ptr<core::Program> program;  // what was verified, in core form
  std::vector<Claim> claims;
  Cost cost;              // of all of it, inference included
  bool mismatch = false;  // with a trap only: the ledger found a verdict that nobody earned
  bool relative = false;  // the original run is trusted: what is proved rests on that
  unsigned unroll = 0;    // other than 0: how far loops were unrolled
  vcgen::Trusted trusted;
  double seconds = 0;
  // What was inferred and stands wherever its loop is met, in the program's order, and at what
  // cost.
  struct Invariant {
    std::string function;  // whose loop it is
    Span loop;             // the whole loop
    Span body;             // before which it would be written
    std::string text;      // "invariant_r eq(i)"
  };
  std::vector<Invariant> inferred;
  std::size_t candidates = 0;
  unsigned rounds = 0;
  double inference_seconds = 0;

  // Of all claims, the worst; proved if there is none, for then nothing can fail.
  [[nodiscard]] Status status() const;
  [[nodiscard]] std::size_t count(Status status) const;
};

struct VerifySettings {
  bool infer = true;
  bool trust_original = false;
  unsigned unroll = 0;                   // other than 0: a bounded proof; see vcgen::Options
  engine::Dump* dump = nullptr;          // where questions are written down; null: nowhere
  Trap trap = Trap::None;                // for the test of unsound rules only
  std::uint32_t salt = 0;                // other than 0: other names, another order of facts
  std::size_t steps = 200'000;           // statements that are walked for one function
  const Allowance* allowance = nullptr;  // what is not known when it is spent is unknown
  // What a function with more statements than this calls is summed up; see vcgen::Options.
  std::size_t summed_up_from = vcgen::kSummedUpFrom;
  // Finds out which proposed invariants are false before a solver is asked; empty: nobody does.
  std::function<std::unique_ptr<Falsifier>(const core::Program&)> make_falsifier = {};
  // Finds places that runs come by, so that nobody need ask whether that is possible.
  std::function<std::unique_ptr<Explorer>(const core::Program&)> make_explorer = {};
  // Finds claims that runs break, so that nobody need try to prove them.
  std::function<std::unique_ptr<Breaker>(const core::Program&)> make_breaker = {};
};

// Facts about loops as the user would write them, in the program's order.
[[nodiscard]] std::vector<Verification::Invariant> in_source(
    const core::Program& program, const std::vector<Invariant>& invariants);

// Told what happens while it happens, from one thread at a time. The total is of what is known to
// be asked by then.
struct Watch {
  std::function<void(const InferenceRound& round)> inferring;
  std::function<void(const vcgen::Obligation& next, std::size_t done, std::size_t total)> started;
};

[[nodiscard]] Verification verify(core::Program program, const VerifySettings& settings,
                                  engine::Crew& crew, engine::Cache* cache, const Watch& watch);

// Does a model refine its super-model? Its own checks (rule 2) are part of it: they are about
// `own`, the sub-model by itself.
[[nodiscard]] Verification verify_refinement(core::Refinement refinement, const core::Program& own,
                                             const VerifySettings& settings, engine::Crew& crew,
                                             engine::Cache* cache, const Watch& watch);

// Whether a proof under a super-model of the program's model carries over to it, if it refines
// that. Not if the program changes the model's state itself: what the refinement rests on may then
// not hold.
[[nodiscard]] bool carries_over(const core::Program& program, Trap trap = Trap::None);
// Whether what the program takes for granted, or what may lead to it, mentions the model. It may
// then be impossible under a model that settles more.
[[nodiscard]] bool takes_model_for_granted(const core::Program& program);

}  // namespace leto::prove
