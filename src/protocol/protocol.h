// The front door of `protocol`: a checked system, under the model that it was checked under, as a
// transition system.
//
// In: a `check::sys::System` of which nothing was wrong. Out: a `transition::System` whose
// reachable states are those that the system has by the rules of docs/systems.md, and what has to
// be proved beside its claims, so that nothing is hidden by a choice that cannot be made or by a
// model that says nothing. What cannot be written out is refused with a diagnostic.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/system.h"
#include "transition/transition.h"

namespace leto::protocol {

// A value that examples tell, and what it is called there: "y (chosen)".
struct Shown {
  std::string name;
  logic::Term value;
  std::optional<std::uint32_t> enumeration;
};

// A formula that has to be valid, over variables now and inputs; it may have quantifiers.
struct Obligation {
  std::string text;  // what is so if it is not valid: "'choose y' has no value"
  Span span;
  logic::Term formula;
  std::string step = {};  // "go(worker(1))"; empty: it is of no step
  logic::Term goal = {};  // what follows in the formula: an example tells what it reads
  // Of `Lowered::told`: what was chosen and received before it in the step.
  std::size_t told_begin = 0, told_end = 0;
};

// What is believed without proof. A 'trust' removes states. An 'initially' or a 'requires' of the
// system that speaks of its model narrows what the model may do: faults are ruled out.
struct Trusted {
  enum class Kind : std::uint8_t { States, Beginning, Constants };
  Span span;
  logic::Term formula;
  Kind kind = Kind::States;
};

// Elements of one variable of the system, in the order of its indices.
struct VariableBlock {
  std::string name;
  std::vector<std::uint32_t> variables;  // of the transition system
};

struct Lowered {
  transition::System system;
  // Where a choice has no value, or a message no outcome, behaviours vanish.
  std::vector<Obligation> blocking;
  // That the model refines those that it says it does, for these numbers of nodes.
  std::vector<Obligation> refinement;
  std::vector<Shown> told;  // what was chosen and received, step by step
  std::vector<Trusted> trusted;
  std::vector<VariableBlock> blocks;
  std::vector<bool> is_lemma;  // of the claims of the system
  // Some step can be taken, over variables now; a failed state is no stop.
  logic::Term can_go_on;
};

struct Limits {
  std::uint32_t terms = 200'000;
  // Of what is written out, whether or not it makes a term that was not there.
  std::uint64_t parts = 3'000'000;
};

// Nothing: it is refused, and that has been said.
[[nodiscard]] std::optional<Lowered> lower(const check::sys::System& system, DiagnosticSink& sink,
                                           const Limits& limits = {});

}  // namespace leto::protocol
