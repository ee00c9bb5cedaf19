// Invariants that nobody wrote (rule 7). Candidates are dropped until those that are left are
// proved, with the user's invariants, to hold on entry and to be kept; as in Houdini, what is
// left is the largest such set. The loops of a nest are tried at once, so a nest costs as many
// rounds as facts fall one after the other, not a product over its depth; loops in a row are
// tried one after the other, so that what falls in one is not tried in the next. Whatever a
// solver does not prove is dropped: trouble makes the set smaller, never wrong.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "prove/candidates.h"
#include "prove/prove.h"

namespace leto::prove {

struct Inferred {
  core::FunctionId function;  // in whose verification
  vcgen::Occurrence at;       // a loop of its own, or one of a function that was looked into
  vcgen::Candidate fact;
  bool implied;  // by another one that stands there, and so not used
};

struct Inference {
  // Of all functions, in their order: what a walk with the inferred invariants, and with nothing
  // left to fall, has to show. Nothing has an outcome yet.
  std::vector<vcgen::Obligation> obligations;
  std::vector<vcgen::Assumption> assumptions;
  vcgen::Trusted trusted;
  std::vector<Inferred> inferred;
  std::vector<std::pair<core::FunctionId, vcgen::Occurrence>> met;  // loops, wherever they were
  std::vector<core::FunctionId> incomplete;  // too large to be walked, or stopped
  std::size_t candidates = 0, steps = 0;
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

// What can be written into the program: a fact that stands wherever its loop is met, in each copy
// that a recovery makes of it and in each verification that looks into its function. Once for each
// loop of the source, in the program's order.
struct Invariant {
  core::StmtId loop;
  bool relational;
  std::string text;  // as the user would write it
};
[[nodiscard]] std::vector<Invariant> standing_everywhere(const core::Program& program,
                                                         const Inference& inference);

}  // namespace leto::prove
