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

// A loop as it was met in the verification of a function, which may be a loop of one that was
// looked into; and what stands of it there.
struct LoopFacts {
  core::LoopId loop;
  // Relational facts are claimed wherever the relaxed run does the loop, others by whoever does.
  bool of_both, of_one;
  struct Fact {
    bool relational;
    std::string text;  // as the user would write it
    bool implied;      // by another one that stands there, and so not used
  };
  std::vector<Fact> facts;
};

// Of one function.
struct Inference {
  // What a walk with the inferred invariants, and with nothing left to fall, has to show. Nothing
  // has an outcome yet.
  std::vector<vcgen::Obligation> obligations;
  std::vector<vcgen::Assumption> assumptions;
  vcgen::Trusted trusted;
  std::vector<LoopFacts> loops;  // wherever they were met
  bool incomplete = false;       // too large to be walked, or stopped
  unsigned rounds = 0, calls = 0;
};

struct InferenceRound {
  std::string function;
  unsigned round;
  std::size_t fallen;  // candidates so far, of the function
};

// Proposed facts that are false at the head of a loop of the function itself, in a run in which
// both runs are there. By loop, and there by its proposals; of a loop that is not there nothing is
// known.
using Shown = std::map<core::LoopId, std::vector<bool>>;
// Finds some of them. Used by all workers at once.
class Falsifier {
 public:
  virtual ~Falsifier() = default;
  [[nodiscard]] virtual Shown find_false(core::FunctionId function, bool any_state,
                                         const Proposals& proposals) = 0;
};

struct Inferring {
  const core::Program& program;
  const Proposals& proposals;
  const Shown& shown;
  vcgen::Generator& generator;
  const std::function<void(const InferenceRound&)>& watch;
};
[[nodiscard]] Inference infer(const Inferring& on, core::FunctionId function,
                              logic::TermTable& terms, Discharger& discharger,
                              vcgen::Calls calls = vcgen::Calls::InPlace);

// What can be written into the program: a fact that stands wherever its loop is met, in each copy
// that a recovery makes of it and in each verification that looks into its function. Once for each
// loop of the source, in the program's order.
struct Invariant {
  core::StmtId loop;
  bool relational;
  std::string text;  // as the user would write it
};
[[nodiscard]] std::vector<Invariant> standing_everywhere(const core::Program& program,
                                                         const std::vector<LoopFacts>& met);

}  // namespace leto::prove
