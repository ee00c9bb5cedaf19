// Invariants that nobody wrote (rule 7). Candidates are dropped until those that are left are
// proved, with the user's invariants, to hold on entry and to be kept; as in Houdini, what is
// left is the largest such set. The loops of a nest are tried at once, so a nest costs as many
// rounds as facts fall one after the other, not a product over its depth; loops in a row are
// tried one after the other, so that what falls in one is not tried in the next. Whatever a
// solver does not prove is dropped: trouble makes the set smaller, never wrong.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "prove/candidates.h"
#include "prove/prove.h"

namespace leto::prove {

struct Inferred {
  core::FunctionId function;  // in whose verification
  core::LoopId loop;          // its own, or one of a function that was looked into
  vcgen::Candidate fact;
};

struct Inference {
  // Of all functions, in their order. The obligations about inferred invariants have their
  // outcomes; those of the rest are still to be found.
  std::vector<vcgen::Obligation> obligations;
  std::vector<Outcome> outcomes;
  std::vector<std::size_t> rest;
  vcgen::Trusted trusted;
  std::vector<Inferred> inferred;
  std::size_t candidates = 0;
  unsigned rounds = 0, calls = 0;
};

struct InferenceRound {
  std::string function;
  unsigned round;
  std::size_t fallen;  // candidates so far, of the function
};

// Of all functions, or of one.
[[nodiscard]] Inference infer(const core::Program& program, const Proposals& proposals,
                              logic::TermTable& terms, const vcgen::Options& options,
                              Discharger& discharger,
                              const std::function<void(const InferenceRound&)>& watch,
                              core::FunctionId only = {});

}  // namespace leto::prove
