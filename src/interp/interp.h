// The front door of `interp`: runs a function of a core program concretely, both runs
// together, with exact numbers. What the model leaves open a chooser decides.
//
// The runs go in lockstep. Where a test comes out differently, the original takes its branch
// or iterates alone first, then the relaxed run; afterwards they meet again. A run that has
// left a loop waits there for the other.
//
// This room is the oracle for the verifier and shares no code with it.
#pragma once

#include "interp/choose.h"
#include "interp/constraints.h"
#include "interp/evaluate.h"
#include "interp/resolve.h"

namespace leto::interp {

enum class ViolationKind : std::uint8_t {
  AssertR,
  EnsuresR,
  InvariantR,
  Invariant,
  Decreases,
  Requires,
  Ensures,
  LemmaRequires,
  LemmaEnsures,
};
[[nodiscard]] std::string_view describe(ViolationKind kind);

// How a pair of runs ended.
enum class End : std::uint8_t {
  Done,
  OriginalFailed,  // nothing is claimed then
  OriginalHung,    // nor then
  AssertFailed,    // in the relaxed run: an assert or assume
  CheckFailed,     // in the relaxed run: bounds, division, a negative uint, sizes
  Stuck,           // in the relaxed run: no specification is enabled, or one cannot be followed
  Hung,            // the relaxed run takes too many steps
  Impossible,      // a decision was made that the specification does not allow
  Undecidable,     // something could not be evaluated
};
[[nodiscard]] std::string_view describe(End end);

// Both runs at one moment, with what labels mean there.
struct Moment {
  Pair pair;
  std::unordered_map<core::LoopId, Snapshots> snapshots;
};

struct Violation {
  ViolationKind kind;
  Span span;
  core::ExprId expr;
  Span call = {};      // of a requirement: where it was to hold
  bool entry = false;  // of an invariant: when the loop was entered
  // If events were asked for: how many there were by then, and the state.
  std::size_t events = 0;
  std::shared_ptr<const Moment> moment = {};
  core::Side side = core::Side::Relaxed;  // of a lemma: in which run it was called
};

// For `--trace` and for the report of a single run.
struct Event {
  enum class Kind : std::uint8_t { Set, Site, Part, Claim } kind;
  Span span;
  core::Side side = core::Side::Open;  // Set, Claim: whose; Open: of the pair
  std::string what;                    // the variable or element, the operation, the claim
  std::string value;
  core::StmtId statement = {};
  core::VarId var = {};    // Set: whose value it is, temporaries included
  core::ExprId expr = {};  // Part: the condition; Claim: the claim
};

// As people are told them: without temporaries, and records that are set field by field as such.
[[nodiscard]] std::vector<Event> told_events(const core::Program& program,
                                             const std::vector<Event>& events);

struct Outcome {
  End end = End::Done;
  Span where;              // of what failed
  std::string why;         // for people
  core::ExprId expr;       // that is false there; may be invalid
  core::StmtId statement;  // likewise
  std::vector<Violation> violations;
  std::vector<Taken> taken;      // at sites, only the faulty ones unless all were asked for
  std::uint64_t sites = 0;       // occurrences of sites
  std::uint64_t claims = 0;      // claims that were evaluated
  std::uint64_t steps = 0;       // statements of both runs
  std::uint64_t iterations = 0;  // of loops, by the relaxed run; not counted by byte code
  std::uint64_t parted = 0;      // tests that came out differently
  // What external functions gave, in order; only if all that was taken was asked for.
  struct External {
    core::FunctionId function;
    core::Side side;
    Value result;
  };
  std::vector<External> externals;
  std::vector<Value> original, relaxed;  // results, of a run that came to its end
  std::vector<Event> events;             // only if asked for
  std::shared_ptr<const Moment> moment;  // where a run halted, with events only
  // What functions that nobody knows were, wherever they were asked for; null: there are none.
  std::shared_ptr<const Tables> tables = {};
};

struct Inputs {
  Pair values;  // constants, parameters and the model's state
};

struct Limits {
  std::uint64_t steps = 1'000'000;     // of each run
  std::int64_t elements = 10'000'000;  // of one vector or matrix
};

struct Options {
  Limits limits;
  bool events = false;
  bool all_taken = false;
  bool invariants = true;  // are claims too
  // Called at the head of a loop for as long as the relaxed run is in it, or the original is
  // and the relaxed has been: with whether the original still is.
  std::function<void(core::LoopId loop, const Moment& now, bool original_in, bool relaxed_in)>
      at_head = {};
  // Called behind every statement of the function itself, with the runs that came by.
  std::function<void(core::StmtId statement, bool original, bool relaxed)> behind = {};
};

class Machine {
 public:
  explicit Machine(const core::Program& program, const Allowance* allowance = nullptr);
  Machine(const Machine&) = delete;  // expressions run functions by it
  Machine& operator=(const Machine&) = delete;

  // Runs the pair. What goes wrong after an original run that fails later is not held against
  // the relaxed run: the end is then OriginalFailed.
  [[nodiscard]] Outcome run(core::FunctionId function, const Inputs& inputs, Chooser& chooser,
                            const Options& options, const Oracle& oracle = {}) const;

  [[nodiscard]] const core::Program& program() const { return program_; }
  // What divides by zero in a specification is then undecidable, rather than zero.
  void refuse_division_by_zero() { evaluator_.refuses_division_by_zero = true; }
  // What tries more values of bound variables than are left is undecidable then. Somebody else
  // keeps the number, and may change it.
  void count_instances(std::uint64_t* left) { evaluator_.instances_left = left; }
  // Whether what it may take is over.
  [[nodiscard]] bool spent() const { return leto::spent(allowance_); }
  [[nodiscard]] const Evaluator& evaluator() const { return evaluator_; }
  [[nodiscard]] const Resolver& resolver() const { return resolver_; }
  // Constraints on constants that speak of no functions.
  [[nodiscard]] const std::vector<core::ExprId>& plain_constraints() const {
    return constraints_.plain();
  }

 private:
  friend class Runner;
  friend class Compiler;
  friend class Executor;
  friend Inputs empty_inputs(const Machine& machine);
  const core::Program& program_;
  const Allowance* allowance_;  // may be null
  Evaluator evaluator_;
  Resolver resolver_;
  FunctionConstraints constraints_;
  [[nodiscard]] Outcome run_pair(core::FunctionId function, const Inputs& inputs, Chooser& chooser,
                                 const Options& options, const Oracle& oracle) const;
  // A run in which functions break what the model says of them is none.
  void judge_by_constraints(Outcome& outcome, const Inputs& inputs) const;
  [[nodiscard]] Inputs make_empty() const;
  void find_asked_for();
  // What a pure function gives, with the constants of the runs at hand; nothing: it fails, does not
  // end, or is not defined for these arguments.
  [[nodiscard]] std::optional<Number> run_pure(core::FunctionId id, const std::vector<Value>& args,
                                               const Scope& outside) const;
  // What a lemma says that is called with a variable that has no value; invalid: nothing.
  [[nodiscard]] core::ExprId find_without_value(const core::Recall& recall, Scope& scope) const;
  void note_declared(core::StmtId id, const std::set<core::VarId>& asked);

  core::ExprId relating_;                         // a constraint that points do not settle
  std::vector<bool> watched_;                     // loops whose state some expression asks for
  std::vector<std::vector<core::VarId>> locals_;  // of functions, for recursion
  // Variables that claims name in the original run, which may not have them: by branch or body of
  // a loop, and by function; and the expressions that name one.
  std::unordered_map<core::StmtId, std::vector<core::VarId>> declared_in_;
  std::vector<std::vector<core::VarId>> own_asked_for_;
  std::vector<bool> may_lack_;
  Inputs empty_;  // see empty_inputs
};

// The same runs of one function, by byte code where there is any: what campaigns are made of. It
// keeps the variables of the run at hand, so every thread needs its own.
struct ByteCode;
class ByteMachine {
 public:
  ByteMachine(const Machine& machine, core::FunctionId function);
  ~ByteMachine();
  ByteMachine(const ByteMachine&) = delete;
  ByteMachine& operator=(const ByteMachine&) = delete;

  // As Machine::run.
  [[nodiscard]] Outcome run(const Inputs& inputs, Chooser& chooser, const Options& options);
  // Else the tree is walked: something in the function or in what it calls has no byte code.
  [[nodiscard]] bool compiled() const { return code_ != nullptr; }

 private:
  const Machine& machine_;
  core::FunctionId function_;
  std::unique_ptr<ByteCode> code_;
};

// Inputs that meet the requirements: constants and their constraints, the model's initial
// state, sizes of vectors, requires and requires_r. `small` bounds sizes and numbers.
struct InputOptions {
  int max_size = 3;
  int max_number = 4;
  int attempts = 2000;
  int largest_size = 24;   // where no vectors of max_size meet the requirements
  bool any_state = false;  // of the model, not only the initial one
  // What may be spent on values, see Pair; what is left of it goes with the inputs. 0: any amount.
  std::uint64_t effort = 0;
};
// Numbers are drawn, then changed until equations, bounds and facts about elements hold that the
// requirements say; what does not meet them in the end is drawn again.
class InputMaker {
 public:
  InputMaker(const Machine& machine, core::FunctionId function, const InputOptions& options);
  // Nothing if none were found. The same for the same seed.
  [[nodiscard]] std::optional<Inputs> make(std::uint64_t seed) const;

 private:
  friend class InputDraw;
  [[nodiscard]] int size_of(int attempt) const;
  struct Requirement {
    core::ExprId expr;
    bool relational, of_vectors;
  };
  const Machine& machine_;
  const core::Program& program_;
  core::FunctionId function_;
  InputOptions options_;
  Inputs plain_;
  std::vector<Requirement> requirements_;
  std::set<core::VarId> equal_;     // parameters that are the same in both runs
  std::set<core::VarId> sizes_;     // parameters that are sizes of others
  std::set<core::VarId> in_sizes_;  // what sizes are computed from
  std::vector<Resolver::Unknown> unknown_constants_;
};
[[nodiscard]] std::optional<Inputs> random_inputs(const Machine& machine, core::FunctionId function,
                                                  std::uint64_t seed, const InputOptions& options);
// Do these inputs meet them? What is not met, if not.
[[nodiscard]] std::optional<std::string> unmet(const Machine& machine, core::FunctionId function,
                                               const Inputs& inputs);
// The same, with what was found of functions that nobody knows: from these a run is repeated.
[[nodiscard]] Inputs with_tables(Inputs inputs, const Outcome& outcome);
// All zero, with vectors of size zero; constants that have a value have it.
[[nodiscard]] Inputs empty_inputs(const Machine& machine);
// A vector or matrix of zeros.
[[nodiscard]] Value zeros(const std::vector<std::int64_t>& sizes);

}  // namespace leto::interp
