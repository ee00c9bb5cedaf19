// The front door of `vcgen`: relational symbolic execution. A core program
// goes in; obligations come out, each self-contained. Nothing here knows solvers: whether a
// candidate for an invariant stands is for a judge to say, and is an obligation all the same.
//
// One file per proof rule (rule_*.cpp), opening with the rule.
#pragma once

#include <atomic>
#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/core.h"
#include "encode/encode.h"
#include "encode/origins.h"
#include "logic/logic.h"
#include "vcgen/log.h"

namespace leto::vcgen {

using core::ClaimId;
using core::ClaimKind;
using Names = std::vector<std::string>;  // what a claim is about

// A fact about a loop that nobody wrote. It is proved of both runs, or not used (rule 7).
struct Candidate {
  core::ExprId expr;
  bool relational;
  // Made from something that the user wrote, hence worth some trouble.
  bool derived = false;
};

// Which of the runs moves.
enum class Run : std::uint8_t { Both, Original, Relaxed };

// A loop as it is met in a walk: behind which branches and calls, and who does it. What stands of
// one occurrence need not stand of another.
struct Occurrence {
  core::LoopId loop = {};
  std::uint32_t place = 0;
  Run run = Run::Both;
  bool alone = false;  // in a walk of the original run by itself
  friend auto operator<=>(const Occurrence&, const Occurrence&) = default;
};

// What is known of a state of the model where a function is called.
enum class StateShape : std::uint8_t { Any, Equal, Initial };  // Equal: in both runs

// How a function without a contract is called: by whom, and what of what it is given is equal in
// both runs. What is summed up of one situation says nothing of another; see rule_summary.cpp.
struct Situation {
  core::FunctionId callee = {};
  Run run = Run::Both;
  bool alone = false;              // in a walk of the original run by itself
  std::vector<bool> equal;         // by parameter
  std::vector<StateShape> states;  // of the model, in its order
  friend auto operator<=>(const Situation&, const Situation&) = default;
};

// One conjunct of an obligation about inferred invariants.
struct Part {
  std::size_t candidate;  // of the obligation's occurrence
  logic::Term goal;
  bool derived;
};

// A branch: conditions one of which holds, and what each means.
struct Split {
  Span at;
  std::vector<logic::Term> conditions;
  std::vector<std::string> what;
};

// What is to be shown, and from what.
struct Question {
  logic::Term goal;
  logic::Term path;  // the branches that lead to it; part of the goal
  // The goal is true because it is known already, not by itself: it rests on what is assumed.
  bool known_already = false;
  // All that is known is in the log, up to an entry; it counts before anything is called refuted.
  std::shared_ptr<const Log> log;
  std::uint32_t known = 0;
  // What shares a symbol with the goal, directly or by way of others; likely all that matters.
  // Given for inferred invariants and in a search; of other claims it is found when it is asked for
  // (Relevance).
  std::vector<logic::Term> hypotheses;
  // What is true of the arrays: elements of uint vectors are not negative, and nothing lies
  // outside of bounds. Quantified, so a search for small counterexamples says it otherwise.
  std::vector<logic::Term> array_facts;
};

// How it may be shown with less effort. Nothing rests on them.
struct Hints {
  // A few facts that likely suffice; what follows from them follows.
  std::vector<logic::Term> near, near_arrays;
  // Of inferred invariants: what became known since their loops were entered, or, on entry, since
  // those before them were. Empty if that is all.
  std::vector<logic::Term> recent, recent_arrays;
  // Branches that made what the goal speaks of. A goal that is hard as a whole can be proved in
  // each case.
  std::vector<Split> cases;
  // What is claimed, one thing at a time, if it is more than one.
  struct Piece {
    core::ExprId expr;
    logic::Term goal;
  };
  std::vector<Piece> pieces;
};

struct Obligation {
  ClaimId claim;          // what is to be shown
  std::string situation;  // "when only the relaxed run iterates"; may be empty
  // What is claimed, and of which run: relational ones are read in the relaxed run. May be
  // invalid: not everything is written in the program.
  core::ExprId expr = {};
  core::Side side = core::Side::Relaxed;
  bool alone = false;  // in the walk of the original by itself
  Question question;
  Hints hints;
  encode::Origins origins;
  // Of an obligation about inferred invariants: which, and of what loop. The same of what is
  // inferred of the end of a function, which is no loop. Else empty. The goal is their conjunction,
  // without those that are plainly false.
  Occurrence occurrence = {};
  std::vector<Part> parts;
};

// Something is proved that may rest on a contradiction.
struct Suspicion {
  const Obligation* proved;
  bool in_cases = false;  // some of it was proved in cases
  bool took_all = false;  // it took all the effort that there is
};

// A place at which something was assumed that nobody proves there: requirements, what a callee
// ensures, that a loop has ended. If it can be reached, what is known behind it must not contradict
// itself: else what follows would hold for no reason.
struct Assumption {
  ClaimId claim;  // that it can be met
  std::string situation;
  logic::Term path;
  std::shared_ptr<const Log> log;
  std::uint32_t before, behind;  // entries of the log; see kNothingBefore
  // The obligations that come behind it on its path.
  std::size_t first, last;
  // Worth all the effort that a claim may use: something behind it took that much.
  bool thoroughly = true;
  bool relied_on = true;  // something behind it was proved by a solver
  std::vector<Suspicion> suspicions = {};
  // What is said of functions that occur somewhere in the walk of the function, true of all their
  // arguments: proofs may have used it.
  std::shared_ptr<const std::vector<logic::Term>> told = {};
  bool suspected = false;   // some proof of the function may have done without what it proves
  bool everywhere = false;  // all obligations come behind it, whatever their function
  bool end = false;         // of its function: said only if nothing before it is
  // In a walk of both runs, of one that is there without the other.
  bool by_one_of_both = false;
};

// Of an assumption that has nothing before it: the requirements themselves.
inline constexpr std::uint32_t kNothingBefore = static_cast<std::uint32_t>(-1);

// Whether who has taken the longer path has taken the shorter one too.
[[nodiscard]] bool is_part_of(logic::Term shorter, logic::Term longer,
                              const logic::TermTable& terms);

// Not a proof but a search: vectors of one size, loops unrolled, calls looked into. Of the
// claims only those wanted become obligations, with all that is known as hypotheses.
struct Bounds {
  int size = 1;
  unsigned iterations = 2;
  bool integers = false;     // inputs that are real are integers
  bool of_original = false;  // look at the original run alone too
  std::size_t nested = 1;    // activations of one function inside of one another
  std::vector<ClaimId> wanted = {};
};

inline constexpr std::size_t kSummedUpFrom = 2'000;

struct Options {
  // Trust what the original run asserts instead of proving it. Then what is proved is relative
  // to that.
  bool trust_original = false;
  Trap trap = Trap::None;
  std::optional<Bounds> bounds = {};     // search instead
  unsigned unroll = 0;                   // other than 0: a bounded proof; see rule_bounded.cpp
  std::size_t most_steps = 200'000;      // statements that are walked for one function
  const Allowance* allowance = nullptr;  // ends the walk when it is spent
  // A function with more statements than this, on all ways through it and through what it calls,
  // is worth summaries, if it comes by most of them several times. 0: in any case.
  std::size_t summed_up_from = kSummedUpFrom;
};

// How a walk follows calls of functions without contracts: into their bodies, or by what was summed
// up of them, as far as that can be had.
enum class Calls : std::uint8_t { InPlace, SummedUp };

// How much was taken for granted of the original run.
struct Trusted {
  std::size_t assertions = 0, checks = 0, invariants = 0;
  std::size_t assumed = 0;  // by `assume`, which nobody ever proves of it
  void add(const Trusted& other) {
    assertions += other.assertions;
    checks += other.checks;
    invariants += other.invariants;
    assumed += other.assumed;
  }
};

struct Result {
  std::vector<Obligation> obligations;
  std::vector<Assumption> assumptions;
  Trusted trusted;
  std::size_t steps = 0;  // statements walked
  // The walk was given up, by a limit or because it was stopped. What there is of obligations is
  // not all, so nothing follows from them.
  bool incomplete = false;
};

// Says which candidates stand. A walk that comes to a loop outside of all others walks it, asks,
// and walks it again until all do, before it goes on: what falls is known behind it at once.
class Judge {
 public:
  virtual ~Judge() = default;
  // May change while `stand` is called, and only then.
  [[nodiscard]] virtual const std::vector<Candidate>& candidates(const Occurrence& at) = 0;
  // Whether all parts of the obligations from `first` on are proved. If not, the candidates
  // that are not are gone.
  [[nodiscard]] virtual bool stand(const std::vector<Obligation>& obligations,
                                   std::size_t first) = 0;
  // Of an obligation at a loop's entry: candidates that are not proved. They are gone when `stand`
  // is called, so the walk does not show that they are kept. It goes on without them, but for those
  // that something weaker comes for: till then they have to do for that.
  struct Fallen {
    std::size_t candidate;
    bool weaker_comes;
  };
  [[nodiscard]] virtual std::vector<Fallen> find_fallen(const std::vector<Obligation>& obligations,
                                                        std::size_t which) = 0;
  // Of facts that a rule proposes by itself, of what is no loop: `stronger` gives for each
  // another one from which it follows, if there is one. Which of them are to be tried: those that
  // still stand and do not follow from others that do.
  [[nodiscard]] virtual std::vector<std::size_t> choose(
      const Occurrence&, const std::vector<std::optional<std::size_t>>& /*stronger*/) {
    return {};
  }

  // A number for the place behind a branch or call at a place; the same in every walk.
  [[nodiscard]] std::uint32_t behind(std::uint32_t place, core::StmtId statement) {
    return places_.emplace(std::pair(place, statement), places_.size() + 1).first->second;
  }
  // The same for the body of a function that is summed up. No other place has this number.
  [[nodiscard]] std::uint32_t inside(const Situation& situation) {
    constexpr std::uint32_t kNoOther = 0x8000'0000;
    return kNoOther + bodies_.emplace(situation, bodies_.size()).first->second;
  }

 private:
  std::map<Situation, std::uint32_t> bodies_;
  std::map<std::pair<std::uint32_t, core::StmtId>, std::uint32_t> places_;
};

// No candidates at all.
class NoJudge final : public Judge {
 public:
  [[nodiscard]] const std::vector<Candidate>& candidates(const Occurrence&) override {
    return none_;
  }
  [[nodiscard]] bool stand(const std::vector<Obligation>&, std::size_t) override { return true; }
  [[nodiscard]] std::vector<Fallen> find_fallen(const std::vector<Obligation>&,
                                                std::size_t) override {
    return {};
  }

 private:
  std::vector<Candidate> none_;
};

class Summarisable;

// The functions of a program, one at a time.
class Generator {
 public:
  Generator(const core::Program& program, const Options& options);
  ~Generator();
  // Its terms are made in the table.
  [[nodiscard]] Result function(core::FunctionId id, logic::TermTable& terms, Judge& judge,
                                Calls calls = Calls::InPlace);
  // Whether it is so large that what it calls should be summed up, and something of it can be.
  [[nodiscard]] bool is_worth_summaries(core::FunctionId id);
  // Whether it is verified from any state of the model: callers rely on its contract, or it is
  // looked at alone.
  [[nodiscard]] bool from_any_state(core::FunctionId id) const { return from_any_state_[id.value]; }

 private:
  const core::Program& program_;
  Options options_;
  core::Effects effects_;
  std::vector<bool> from_any_state_;
  [[nodiscard]] const Summarisable& summarisable();
  // By function: which circle of calls it is on.
  [[nodiscard]] std::shared_ptr<const std::vector<std::uint32_t>> circles();
  std::unique_ptr<const Summarisable> summarisable_;           // when it is asked for
  std::shared_ptr<const std::vector<std::uint32_t>> circles_;  // likewise
};

// The model itself: every specification can be followed, constants can exist,
// invariants hold.
[[nodiscard]] Result generate_model_checks(const core::Program& program, logic::TermTable& terms,
                                           const Options& options = {});

// That a definition is total, if those before it are; see rule_definition.cpp.
[[nodiscard]] Result generate_definition_checks(const core::Program& program, core::DefinitionId id,
                                                logic::TermTable& terms,
                                                const Options& options = {});

// What a refinement has to show; see rule_refinement.cpp.
[[nodiscard]] Result generate_refinement(const core::Refinement& refinement,
                                         logic::TermTable& terms, const Options& options = {});

}  // namespace leto::vcgen
