// The state of one symbolic execution, and what all rules do with it: look up
// values, assume, prove. `Run` says which of the two runs moves.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <unordered_map>

#include "vcgen/facts.h"
#include "vcgen/vcgen.h"

namespace leto::vcgen {

using core::Side;
using encode::Value;

// The variables of one activation of a function, in each run that takes part in it, and the
// model's state. What is not there has no value: a run that does not take part in a call has no
// variables in it, and nobody has a variable whose declaration it did not come by.
struct State {
  encode::Values original, relaxed;
  [[nodiscard]] encode::Values& side(core::Side s) {
    return s == core::Side::Original ? original : relaxed;
  }
  [[nodiscard]] const encode::Values& side(core::Side s) const {
    return s == core::Side::Original ? original : relaxed;
  }
};

class Strategy;
class Summaries;
struct Exit;

// Facts about the program that do not change while it is walked.
struct Setting {
  std::shared_ptr<const Strategy> strategy;
  const core::Program& program;
  logic::TermTable& terms;
  core::Effects& effects;
  encode::Encoder encoder;
  Options options;
  Result& result;
  Judge* judge;  // may be null: no candidates
  std::shared_ptr<Log> log;
  std::map<core::VarId, Value> constants;
  std::unordered_map<Term, Split> cases;  // of symbols that join branches
  Symbols symbols;
  std::shared_ptr<Summaries> summaries = {};  // null: no body is summed up
  // By function: which circle of calls it is on. Null: no call is known by its contract.
  std::shared_ptr<const std::vector<std::uint32_t>> circles = {};
};

// Thrown where a walk is given up; caught by whoever started it.
struct GivenUp {};

struct Snapshots {
  State start, entry;
};

// For each run that moves, the original first.
template <class F>
void each_side(Run run, F f) {
  if (run != Run::Relaxed) f(Side::Original);
  if (run != Run::Original) f(Side::Relaxed);
}

class Walk {
 public:
  Walk(Setting& setting, std::string function)
      : facts(setting.symbols, *setting.log), setting_(setting), function_(std::move(function)) {}

  // Statements; each rule is in a file of its own.
  void execute(core::StmtId id, Run run);
  void assign(const core::Assign& s, Run run, Span at);
  void store(const core::Store& s, Run run);
  void declare(const core::Declare& s, Run run);
  void operator_step(const core::Relaxed& s, core::StmtId id, Run run, Span at);
  void write_step(const core::Write& s, core::StmtId id, Run run, Span at);
  void check(const core::Check& s, Run run, Span at);
  void claim(const core::Claim& s, Run run, Span at);
  void branch(const core::If& s, core::StmtId id, Run run, Span at);
  void call(const core::Call& s, core::StmtId id, Run run, Span at);
  void forget_results(const core::Function& f, Run run);
  void recall(const core::Recall& s, Run run, Span at);
  // An operation under the model, in the relaxed run: what comes out, and the model's state after.
  struct Outcome {
    std::string_view name;
    core::Type type;
  };
  Value take_step(const core::FaultSite& site, core::StmtId id, const std::vector<Value>& args,
                  Term exact, const Outcome& wanted, Span at);
  // A symbol for what may be a large formula.
  Term named(Term formula);
  // Invariants, contracts: of the original run assumed (or proved, in a walk that trusts
  // nothing), of the relaxed run proved.
  void unary_claim(ClaimKind kind, core::ExprId expr, Run run, const Names& names, Span at,
                   core::ExprId only_if = {});

  // Rule 13; see rule_measure.cpp.
  void begin_measure(core::FunctionId id, Run run);
  void prove_falls(const core::While& s, Run who, Span at);
  void prove_callee_ends(core::FunctionId callee, Run run, Span at);
  // That a measure has come before what it was, part by part.
  [[nodiscard]] Term falls(const std::vector<Term>& then, const std::vector<Term>& to);

  // Values and formulas.
  Value value(core::ExprId id, core::Side side);
  Term formula(core::ExprId id, core::Side side) { return value(id, side).term; }
  // What a claim about both runs says. One that reads a variable where it has no value does not
  // hold; see definedness.cpp.
  Term relation(core::ExprId id);
  // Of which nothing is known; by the strategy, or one symbol.
  Value fresh(std::string_view name, const core::Type& type, std::vector<Term> sizes);
  Value make_symbol(std::string_view name, const core::Type& type, std::vector<Term> sizes);
  Value unknown(core::VarId var, core::Side side);  // an input: with sizes of its own
  Value unknown(core::VarId var, core::Side side, std::vector<Term> sizes);
  void set(core::VarId var, core::Side side, Value value) {
    state.side(side)[var] = std::move(value);
  }

  // Hypotheses and goals, under the path at hand.
  void assume(Term fact, Facts::Origin origin = Facts::Origin::Assumed);
  // The same for what is taken for granted of the original run, which is counted.
  void trust(Term fact, std::size_t& count, Span at);
  struct About {
    core::ExprId expr = {};
    core::Side side = core::Side::Relaxed;
  };
  void prove(ClaimKind kind, Term goal, const Names& names, Span at, const About& about);
  // What the strategies make of that: an obligation with what likely matters, or with all.
  void add_obligation(ClaimId claim, Term goal, const About& about);
  void add_sought(ClaimId claim, Term goal, const About& about);
  // The same for inferred invariants, which stand or fall one by one.
  void prove_inferred(ClaimKind kind, const Occurrence& loop, std::vector<Part> parts, Span at);
  // What was assumed since an entry of the log, and nobody proves here, must not contradict what
  // was known.
  void note_assumption(ClaimKind that, const Names& names, Span at, Run run, std::uint32_t before);
  // What is done under a path: the assumptions made in it matter for its own obligations only.
  template <class Body>
  void on_path(Term condition, Body body) {
    const std::size_t first = setting_.result.assumptions.size();
    {
      const Restored outer(path, terms().and_(path, condition));
      body();
    }
    close_assumptions(first);
  }
  void close_assumptions(std::size_t first);
  // Of a function: what was proved on the way is known there too.
  void note_end(Span at);

  // Several ways to go on, each under its condition; joined afterwards.
  struct Case {
    Term condition;
    State state;
    std::string what = {};
  };
  void join(const std::vector<Case>& cases, const State& before, Span at);

  // From here on, what is shown of a failure starts here.
  void note_moment(encode::Moment::Kind kind, Span at);
  void note_choice(core::StmtId statement, const core::FaultSite& site, Term exact,
                   const Value& outcome, const std::vector<Term>& allows,
                   const std::map<core::VarId, Value>& before,
                   const std::map<core::VarId, Value>& after);

  // What is declared inside of a branch or a body has no value before: it may have been done
  // before, by both runs, and now only one does it.
  void drop_declared(core::StmtId id);
  // Forgets variables: each gets a fresh value of the same sizes.
  void forget(const std::set<core::VarId>& vars, core::Side side);
  // The model's invariants hold in every state of the relaxed run.
  void assume_model_invariants();
  // Assumes relational formulas. What they say is equal in both runs becomes one symbol,
  // as far as it was forgotten just now; nothing else mentions the old one yet.
  void assume_relations(const std::vector<core::ExprId>& formulas,
                        const std::set<core::VarId>& forgotten);
  // The first half of that; the conjuncts that are left to assume.
  [[nodiscard]] std::vector<core::ExprId> unite(const std::vector<core::ExprId>& formulas,
                                                const std::set<core::VarId>& forgotten);

  [[nodiscard]] logic::TermTable& terms() { return setting_.terms; }
  [[nodiscard]] const core::Program& program() const { return setting_.program; }
  [[nodiscard]] Setting& setting() { return setting_; }
  [[nodiscard]] encode::Encoder& encoder() { return setting_.encoder; }
  [[nodiscard]] const std::string& function() const { return function_; }
  // Whether the rule is to be as wrong as this trap would have it; see vcgen.h.
  [[nodiscard]] bool falls_into(Trap trap) const { return setting_.options.trap == trap; }

  State state;
  Facts facts;
  Term path;
  std::string situation;
  std::map<core::LoopId, Snapshots> snapshots;
  std::shared_ptr<const encode::Moment> from;
  std::vector<encode::Choice> choices;
  std::vector<core::FunctionId> calls;  // being looked into, outermost first
  std::uint32_t place = 0;              // behind which branches and calls; see Judge
  unsigned loops_around = 0;            // the statement at hand
  // So many facts there were where the outermost loop at hand was entered; on entry and outside of
  // loops, the one before.
  std::size_t since = 0;
  bool prove_original = false;  // a walk of the original run alone, which trusts nothing
  // Whether the function at hand is claimed to end, and its measure when it was entered.
  struct Ending {
    bool claimed = false;
    std::map<Side, std::vector<Term>> at_entry = {};
  };
  Ending ending;

 private:
  friend class WalkEnvironment;
  friend class Checkpoint;
  friend class LoopRule;
  [[nodiscard]] encode::Moment moment(encode::Moment::Kind kind, Span at) const;
  [[nodiscard]] Obligation obligation(ClaimId claim, Term goal) const;
  void add_near(Obligation& obligation);
  void add_relevant(Obligation& obligation);
  void add_recent(Obligation& obligation);
  [[nodiscard]] bool names_missing(core::ExprId id, const State& now) const;
  void keep_others(const State& other, bool after);
  // Bodies that were walked before with the same values, and what came of it; see rule_call.cpp.
  struct Walked {
    Term path;
    std::size_t known;    // facts then
    std::uint32_t entry;  // the last of them
    State after;
  };
  using WalkedKey = std::tuple<core::FunctionId, Run, std::vector<Term>>;
  [[nodiscard]] std::optional<WalkedKey> key_of(core::FunctionId callee, Run run);
  [[nodiscard]] const Walked* walked_before(const WalkedKey& key) const;
  [[nodiscard]] std::vector<Term> indices_of(const core::Write& s, Side side);
  void put(const core::Write& s, Side side, Value v);
  void call_by_contract(const core::Function& f, Run run, Span at);
  void know_value(const core::Function& f, const State& passed, const State& after, Run run);
  void recall_of_pair(const core::Recall& s, const Names& names, Span at);
  void make(const core::Recall& s, Run run, Side side);
  // Rule 12; see rule_summary.cpp.
  void call_by_summary(core::FunctionId callee, Run run, Span at);
  void know_exits(const std::vector<Exit>& exits, const State& before);
  void call_by_body(const core::Call& s, core::StmtId id, Run run, Span at);
  void walk_body(core::FunctionId callee, core::StmtId id, Run run);
  [[nodiscard]] std::vector<Term> values_of(const std::vector<core::ExprId>& measure, Side side);
  void forget_state(const core::Function& f, Run run);
  void prove_sizes(const core::Function& f, Run run, Span at);
  void prove_requirements(const core::Function& f, Run run, Span at);
  [[nodiscard]] const std::vector<Term>& symbols_of(Term term) { return setting_.symbols.of(term); }

  Setting& setting_;
  std::string function_;
  std::map<WalkedKey, Walked> walked_;
};

// The values of one state, read on one side where the expression leaves it open.
class WalkEnvironment final : public encode::Environment {
 public:
  WalkEnvironment(Walk& walk, State& state, core::Side side)
      : walk_(walk), state_(state), side_(side) {}
  Value variable(core::VarId var, core::Side side) override;
  Value old_state(core::VarId var) override;
  encode::Environment& snapshot(core::LoopId loop, bool entry) override;

  std::map<core::VarId, Value>* before = nullptr;  // for old values

 private:
  Walk& walk_;
  State& state_;
  core::Side side_;
  std::vector<std::unique_ptr<WalkEnvironment>> inner_;
};

// One element of an access under the model: which specification may be taken, and
// what then holds. `stored` is the place's content before a write.
struct Step {
  Term enabled;
  Term outcome;
  std::vector<Term> allows = {};  // by specification of the site
};
[[nodiscard]] Step specified_step(Walk& walk, const core::FaultSite& site,
                                  const std::vector<Value>& args, const Value& outcome,
                                  const std::map<core::VarId, Value>& before,
                                  std::map<core::VarId, Value>& after);
// The operands of one element's write, or of its read; behind them what would be stored exactly.
[[nodiscard]] std::vector<Value> element_operands(Walk& walk, const core::Write& s, Value source,
                                                  const std::vector<Term>& indices);
// One specification by itself: its guard, and what it ensures (without a frame). Of an upper layer
// the last argument, behind the operands, is what the layer below gave.
[[nodiscard]] Step one_specification(Walk& walk, std::uint32_t index,
                                     const std::vector<Value>& args, const Value& outcome,
                                     const std::map<core::VarId, Value>& before,
                                     const std::map<core::VarId, Value>& after);

// The model's state in the relaxed run, as far as it is declared.
[[nodiscard]] std::map<core::VarId, Value> model_state(Walk& walk);

// `computed`: constants whose values are computed are of their types, which has to be shown.
// `functions`: constraints that speak of function constants hold, which has to be shown too.
[[nodiscard]] Setting make_setting(const core::Program& program, logic::TermTable& terms,
                                   core::Effects& effects, const Options& options, Result& result,
                                   Judge* judge = nullptr, bool computed = true,
                                   bool functions = true);
// What has to be shown of function constants before anything is taken for granted of them.
void prove_function_constants(const core::Program& program, logic::TermTable& terms,
                              core::Effects& effects, const Options& options, Result& result);
void verify_function(Setting& setting, core::FunctionId id, bool any_state);

}  // namespace leto::vcgen
