// The front door of `vcgen`: relational symbolic execution. A core program
// goes in; obligations come out, each self-contained. Nothing here knows solvers: whether a
// candidate for an invariant stands is for a judge to say, and is an obligation all the same.
//
// One file per proof rule (rule_*.cpp), opening with the rule.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/core.h"
#include "encode/encode.h"
#include "encode/origins.h"
#include "logic/logic.h"

namespace leto::vcgen {

// What kind of thing is claimed. The names are stable: reports use them.
enum class ClaimKind : std::uint8_t {
  Assert,
  AssertR,
  Check,
  Enabled,
  InvariantEntry,
  InvariantKept,
  InferredEntry,
  InferredKept,
  Requires,
  Ensures,
  Total,
  Constraints,
  ModelInvariant,
  Refinement,
  Recursion,
};
[[nodiscard]] std::string_view name(ClaimKind kind);

// An array symbol that stands for a vector or a matrix.
struct ArrayShape {
  logic::Term array;
  std::vector<logic::Term> sizes;
  bool natural = false;
};

// A fact about a loop that nobody wrote. It is proved of both runs, or not used (rule 7).
struct Candidate {
  core::ExprId expr;
  bool relational;
  // Made from something that the user wrote, hence worth some trouble.
  bool derived = false;
};
// By loop, that is by LoopId.
using Candidates = std::vector<std::vector<Candidate>>;

// One conjunct of an obligation about inferred invariants.
struct Part {
  std::size_t candidate;  // of the obligation's loop
  logic::Term goal;
  bool derived;
};

// A branch: conditions one of which holds, and what each means.
struct Split {
  Span at;
  std::vector<logic::Term> conditions;
  std::vector<std::string> what;
};

struct Obligation {
  ClaimKind kind;
  std::string function;   // or "model NAME"
  std::string claim;      // what is to be shown: "assert_r holds"
  std::string situation;  // "when only the relaxed run iterates"; may be empty
  Span span;
  std::vector<logic::Term> hypotheses;
  // What is true of the arrays: elements of uint vectors are not negative, and nothing lies
  // outside of bounds. Quantified, so a search for small counterexamples says it otherwise.
  std::vector<logic::Term> array_facts;
  std::vector<ArrayShape> arrays;
  // A few of the hypotheses that likely suffice; empty if they would hardly be fewer. What
  // follows from them follows.
  std::vector<logic::Term> near, near_arrays;
  logic::Term goal;
  // Branches that made what the goal speaks of. A goal that is hard as a whole can be proved in
  // each case.
  std::vector<Split> cases;
  // What is claimed, one thing at a time, if it is more than one.
  struct Piece {
    core::ExprId expr;
    logic::Term goal;
  };
  std::vector<Piece> pieces;
  // What is claimed, and of which run: relational ones are read in the relaxed run. May be
  // invalid: not everything is written in the program.
  core::ExprId expr = {};
  core::Side side = core::Side::Relaxed;
  encode::Origins origins;
  bool smoke = false;  // its hypotheses must not contradict one another
  // Of an obligation about inferred invariants: which, and of what loop. Else empty. The goal
  // is their conjunction, without those that are plainly false.
  core::LoopId loop = {};
  std::vector<Part> parts;
};

// The traps that the rules avoid. A test that looks for unsound proofs has to find some where
// there are some: it weakens one rule at a time. Nothing but that test may ask for it.
enum class Trap : std::uint8_t {
  None,
  ImplicationPerSpecification,  // 1: OR of (when -> ensures)
  NoFrame,                      // 1: state that is not modified is left open
  NotEnabled,                   // 1: nothing is shown about guards
  NotTotal,                     // 2: specifications may block
  RelaxedAloneAssumed,          // 3: assertions of a run alone are assumed
  AssumeIsNotShown,             // 3: `assume` is assumed of both
  RunsNeverPart,                // 4: only the cases in lockstep
  SameBranchTwice,              // 4, 11: where runs part, both take the original's branch
  TwoLoopCases,                 // 5: the original does not iterate alone
  TestIsRepeated,               // 5: a run that has left evaluates the test again
  RelationsOfOriginalAlone,     // 6: relational invariants after a loop of the original alone
  InferredTrusted,              // 7: what was inferred is assumed of the original
  ContractOfRunAlone,           // 8: contracts where the runs have parted
  ContractFromInitialState,     // 8: callees verified from the model's initial state only
  RequirementsNotShown,         // 8: requirements of callees
  SizesDoNotCount,              // 9: equality of vectors is that of their elements
  MissingOperators,             // 10: a sub-model may leave out what the super-model offers
  OriginalsCondition,           // 11: the relaxed run's branch by the original's condition
  ContextsConjoined,            // 11: what is learnt in one branch holds in the other
  NothingForgotten,             // 11: loops assign without renaming
};

// Not a proof but a search: vectors of one size, loops unrolled, calls looked into. Of the
// claims only those wanted become obligations, with all that is known as hypotheses.
struct Bounds {
  int size = 1;
  unsigned iterations = 2;
  bool integers = false;  // inputs that are real are integers
  struct Wanted {
    ClaimKind kind;
    std::string claim;
    Span span;
  };
  std::vector<Wanted> wanted = {};
  std::size_t most_steps = 20'000;  // statements that are walked; more than that is given up
};

struct Options {
  // Prove the original run too, instead of trusting what it asserts.
  bool check_original = false;
  Trap trap = Trap::None;
  std::optional<Bounds> bounds = {};  // search instead
};

// How much was taken for granted of the original run.
struct Trusted {
  std::size_t assertions = 0, checks = 0, invariants = 0;
};

struct Result {
  std::vector<Obligation> obligations;
  Trusted trusted;
  std::size_t steps = 0;  // statements walked
};

// Says which candidates stand. A walk that comes to a loop outside of all others walks it, asks,
// and walks it again until all do, before it goes on: what falls is known behind it at once.
class Judge {
 public:
  virtual ~Judge() = default;
  // By loop. May change while `stand` is called, and only then.
  [[nodiscard]] virtual const Candidates& candidates() const = 0;
  // Whether all parts of the obligations from `first` on are proved. If not, the candidates
  // that are not are gone.
  [[nodiscard]] virtual bool stand(const std::vector<Obligation>& obligations,
                                   std::size_t first) = 0;
};

// No candidates at all.
class NoJudge final : public Judge {
 public:
  explicit NoJudge(std::size_t loops) : none_(loops) {}
  [[nodiscard]] const Candidates& candidates() const override { return none_; }
  [[nodiscard]] bool stand(const std::vector<Obligation>&, std::size_t) override { return true; }

 private:
  Candidates none_;
};

// The functions of a program, one at a time.
class Generator {
 public:
  Generator(const core::Program& program, logic::TermTable& terms, const Options& options);
  [[nodiscard]] Result function(core::FunctionId id, Judge& judge) const;
  // Whether it is verified from any state of the model, since callers rely on its contract.
  [[nodiscard]] bool from_any_state(core::FunctionId id) const { return by_contract_[id.value]; }

 private:
  const core::Program& program_;
  logic::TermTable& terms_;
  Options options_;
  std::vector<bool> by_contract_;  // somewhere it is called by its contract
};

// The model itself: every specification can be followed, constants can exist,
// invariants hold.
[[nodiscard]] Result generate_model_checks(const core::Program& program, logic::TermTable& terms,
                                           const Options& options = {});

// What a refinement has to show; see rule_refinement.cpp.
[[nodiscard]] Result generate_refinement(const core::Refinement& refinement,
                                         logic::TermTable& terms, const Options& options = {});

}  // namespace leto::vcgen
