// The two runs of a program, side by side. They go through the trees together: everything is done
// for a set of runs, first by the original and then by the relaxed one. Where they part, each does
// its part with the other one left out.
//
// A run that fails is left out of everything that follows. If it is the original, nothing follows.
#pragma once

#include "oracle/models.h"
#include "oracle/runs.h"

namespace leto::oracle {

using syntax::StmtId;

// A variable. A run that has not come by the declaration has no value here.
struct Slot {
  Name name;
  Type type;
  std::optional<Name> region;
  bool ghost = false;
  PerRun<Value> value;
};
using Scope = std::vector<Slot>;
using Scopes = std::vector<Scope>;  // innermost last

// What specifications can speak of at one time.
struct Moment {
  Scopes scopes;
  PerRun<State> state;  // of the picked model
};

struct Loop {
  Name label;
  Moment entry, start;  // when it was entered, and at the start of the current iteration
};

// A loop that is being done, and the runs that have left its body from the middle.
struct Around {
  std::optional<Name> label;
  Runs broken = Runs::none();   // by `break`
  Runs skipped = Runs::none();  // by `continue`, in this iteration
  PerRun<Typed> left = {};      // at the head at hand: whether the run is not in the loop
};

// A call, of one run or of both.
struct Frame {
  const Program::Function* function = nullptr;
  Scopes passed;          // one scope: the parameters, as they came in
  PerRun<State> entered;  // the model's state then
  Scopes scopes;
  std::vector<Loop> loops;  // those with a label, innermost last
  PerRun<std::vector<Value>> results;
  Runs returned = Runs::none();
  std::vector<Around> around;  // the statement at hand, innermost last
};

// A model while it is in force. Of models other than the picked one the original has no state.
struct Force {
  std::unique_ptr<Instance> instance;
  PerRun<State> state;
};

// What held of a function's requirements when it was called.
struct Held {
  Runs of_one = Runs::none();  // the runs in which all of `requires` did
  bool of_both = false;        // both runs called, and all of it did
};

class Machine {
 public:
  Machine(const Subject& subject, const Inputs& inputs, const Chooser& chooser,
          const Limits& limits, const External& external);

  [[nodiscard]] Report run();

 private:
  friend class ProgramNames;
  using Values = PerRun<Typed>;
  using Expr = syntax::Expr;
  using Stmt = syntax::Stmt;

  // The start (machine.cpp).
  void start();
  void set_constants();
  void check_constraints();
  [[nodiscard]] PerRun<std::vector<Typed>> take_inputs(const Program::Function& function);
  [[nodiscard]] Typed take_input(const syntax::Param& param, Side side) const;
  [[nodiscard]] Force* force(Name model, bool picked);

  // Steps. `each` has every run of a set do something, and collects what comes of it.
  template <class F>
  auto each(Runs who, F step) -> PerRun<decltype(step(Side::Original))>;
  template <class F>
  void each_does(Runs who, F step);
  void fail(Side side, const Failure& failure);
  [[nodiscard]] Runs alive(Runs who) const { return who.without(over_); }
  // Those that have not returned from the current function either, nor left a loop's body.
  [[nodiscard]] Runs active(Runs who) const {
    Runs gone = frame_->returned;
    for (const Around& loop : frame_->around) gone = gone.with(loop.broken).with(loop.skipped);
    return alive(who).without(gone);
  }
  [[nodiscard]] Runs tick(Runs who, Span span);
  void check_size(const Number& value, Span span) const;

  // Expressions of the program (expressions.cpp).
  [[nodiscard]] const Expr& expr(ExprId id) const { return frame_->function->tree->exprs[id]; }
  [[nodiscard]] Values evaluate(ExprId id, Runs who);
  [[nodiscard]] Runs where_true(const Values& values, Runs who) const;
  [[nodiscard]] Values operate_binary(const Expr& whole, BinaryOp op, bool dotted, const Values& a,
                                      const Values& b, Runs who);
  [[nodiscard]] Number operate_one(Span span, BinaryOp op, bool dotted, const Typed& a,
                                   const Typed& b, Side side);
  [[nodiscard]] Values decide_early(const syntax::BinaryExpr& node, Runs who);
  [[nodiscard]] Values call_builtin(const Expr& whole, const syntax::CallExpr& node, Runs who);
  Values convert(const Expr& whole, const syntax::CallExpr& node, Runs who);
  [[nodiscard]] Values at(const Expr&, const syntax::ErrorExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::IntegerExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::RealExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::BoolExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::NameExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::SidedExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::ModelExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::MemberExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::FieldExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::IndexExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::ParenExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::UnaryExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::BinaryExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::ChainExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::CallExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::MemberCallExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::EqExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::EqAllExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::OldExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::UpdateExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::PartExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::WidenExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::IfExpr&, Runs);
  [[nodiscard]] Scalar scalar_of(ExprId id);
  [[nodiscard]] Values at(const Expr&, const syntax::QuantExpr&, Runs);
  [[nodiscard]] Values at(const Expr&, const syntax::CountExpr&, Runs);

  // Variables, elements and state (places.cpp).
  struct Place {
    Span span;
    Slot* slot = nullptr;                   // nullptr: a state variable of the model
    std::size_t state = 0;                  // which
    std::optional<std::size_t> field = {};  // of a record; none: all of it
    std::vector<ExprId> index_exprs;        // none: the whole
    PerRun<std::vector<Number>> indices;
  };
  [[nodiscard]] Slot* find_slot(Name name);
  [[nodiscard]] Place find_place(const Expr& whole);
  [[nodiscard]] Type type_of_place(const Place& place) const;
  void evaluate_indices(Place& place, Runs who);
  [[nodiscard]] std::size_t bounded(const Place& place, Side side) const;
  [[nodiscard]] Typed read(const Place& place, Side side);
  // The variable, or its field, without an access.
  [[nodiscard]] Value& stored_at(const Place& place, Side side);
  [[nodiscard]] Typed read_whole(Slot& slot, Side side, Span span);
  [[nodiscard]] Value read_part(const Slot& slot, Scalar type, const Value& stored,
                                std::optional<std::size_t> position, Side side, Span span);
  [[nodiscard]] Number read_one(const Slot& slot, Scalar type, const Number& stored, Side side,
                                Span span);
  // Everything of an assignment that comes after its expressions.
  void store(const Place& place, const Values& value, Runs who, Span span);
  void write(const Place& place, Side side, const Value& value);
  void write_part(const Place& place, Scalar type, Value& stored, const Value& value,
                  std::optional<std::size_t> position, Side side);
  [[nodiscard]] Number write_one(const Slot& slot, Scalar type, const Number& stored,
                                 const Number& value, Side side, Span span);
  // With the test that what goes into a `uint` is not negative.
  [[nodiscard]] Value converted(Type type, const Typed& value, Span span) const;

  // Relaxed operations and accesses (accesses.cpp).
  [[nodiscard]] Number access(Access access, const struct Request& request);

  // Statements (statements.cpp, loops.cpp).
  void execute(StmtId id, Runs who);
  // `target op= value`, or `target = value` without an operator.
  void assign(const Stmt& whole, ExprId target, std::optional<BinaryOp> op, bool dotted,
              const std::function<Values(Runs)>& value, Runs who);
  [[nodiscard]] Values keep(ExprId id, Runs who);
  void declare(const syntax::DeclStmt& node, const syntax::Declarator& one, Runs who);
  [[nodiscard]] PerRun<std::vector<std::int64_t>> sizes(const std::vector<ExprId>& dims, Runs who);
  void redo(const syntax::TryStmt& node, Runs failing);
  [[nodiscard]] bool is_ghost(ExprId target);
  void at(const Stmt&, const syntax::ErrorStmt&, Runs);
  void at(const Stmt&, const syntax::DeclStmt&, Runs);
  void at(const Stmt&, const syntax::AssignStmt&, Runs);
  void at(const Stmt&, const syntax::StepStmt&, Runs);
  void at(const Stmt&, const syntax::IfStmt&, Runs);
  void at(const Stmt&, const syntax::WhileStmt&, Runs);
  void at(const Stmt&, const syntax::ForStmt&, Runs);
  void at(const Stmt&, const syntax::RepeatStmt&, Runs);
  void at(const Stmt&, const syntax::ChooseStmt&, Runs);
  void at(const Stmt&, const syntax::NodesStmt&, Runs);
  void at(const Stmt&, const syntax::MessageStmt&, Runs);
  void at(const Stmt&, const syntax::TryStmt&, Runs);
  void at(const Stmt&, const syntax::ReturnStmt&, Runs);
  void at(const Stmt&, const syntax::JumpStmt&, Runs);
  void at(const Stmt&, const syntax::CallStmt&, Runs);
  void at(const Stmt&, const syntax::SpreadStmt&, Runs);
  [[nodiscard]] Type type_of_result(std::size_t k) const;
  void at(const Stmt&, const syntax::ForallStmt&, Runs);
  void at(const Stmt&, const syntax::ClaimStmt&, Runs);
  void at(const Stmt&, const syntax::BlockStmt&, Runs);

  // In a machine of its own, with the same constants (calls.cpp).
  [[nodiscard]] Typed run_pure(const Program::Function& function, const std::vector<Typed>& args,
                               Span span) const;

  // Lemmas (lemmas.cpp).
  [[nodiscard]] const Program::Function* find_lemma(ExprId call) const;
  [[nodiscard]] bool names_side(ExprId id) const;
  // In each run that comes by, or of both; for all values of what is bound, if something is.
  void recall(const Stmt& whole, const syntax::CallStmt& node, const syntax::ForallStmt* all,
              bool of_both, Runs who);
  struct Recalled {
    const Program::Function& lemma;
    const syntax::CallExpr& call;
    const syntax::ForallStmt* all;  // may be null
    Mode mode;
  };
  void claim_lemma(const Recalled& recalled, Span span, By by);
  // The bound variables, one list for each choice of them.
  [[nodiscard]] std::vector<std::vector<Typed>> instances(const Recalled& recalled);
  // What the parameters are; nothing: some variable has no value, or it is no value of theirs.
  [[nodiscard]] std::optional<std::vector<Typed>> arguments(const Recalled& recalled,
                                                            const std::vector<Typed>& bound);
  // A clause, with values for the parameters, and for what is made.
  [[nodiscard]] bool holds_of(const Program::Function& lemma, ExprId claim,
                              const std::vector<Typed>& arguments,
                              const std::vector<Typed>& made = {});
  [[nodiscard]] bool meets(const Program::Function& lemma, const std::vector<Typed>& arguments);

  // Lemmas that make something: their bodies are run, each in a frame of its own, by one run, and
  // nothing is claimed there.
  [[nodiscard]] const Program::Function* find_maker(ExprId call) const;
  void make_into(const std::vector<Place>& places, ExprId call, Runs who, Span span);
  [[nodiscard]] std::vector<Typed> recall_and_make(const Recalled& recalled,
                                                   const std::vector<Place>& places, Side side,
                                                   Span span);
  [[nodiscard]] std::vector<Typed> make(const Program::Function& lemma,
                                        const std::vector<Typed>& given, bool zero_only, Side side,
                                        Span span);
  void declare_made(Side side);

  struct LoopParts {
    const syntax::Attributes& attributes;
    const std::vector<syntax::Clause>& invariants;
    StmtId body;
    StmtId step;                                  // may be invalid
    std::function<Runs(Runs, std::size_t)> test;  // who goes on, given the number of iterations
    ExprId condition = {};                        // what it tests; invalid: nothing, or a number
  };
  using Measure = std::vector<Number>;
  void loop(const LoopParts& parts, Runs who, Span span);
  void claim_at_head(const LoopParts& parts, Runs came, Runs iterating);
  void claim_falls(const LoopParts& parts, Runs iterating, PerRun<Measure>& before);
  [[nodiscard]] Measure measure(const syntax::Clause& clause, Side side);
  // Whether the test says of each state how it comes out.
  [[nodiscard]] bool is_plain(ExprId test) const;
  [[nodiscard]] Moment moment() const;

  // Calls (calls.cpp).
  // What comes back from a call in one run.
  struct Back {
    std::vector<Typed> returned;
    std::vector<Value> changed;  // in place, in the order of the parameters
  };
  [[nodiscard]] Back bring_back(const Frame& frame, Side side) const;
  [[nodiscard]] PerRun<Back> call_function(const Expr& whole, const syntax::CallExpr& node,
                                           Runs who);
  [[nodiscard]] PerRun<Back> call(const Program::Function& function,
                                  const PerRun<std::vector<Typed>>& arguments, Runs who, Span span);
  void pass(const PerRun<std::vector<Typed>>& arguments, Runs who, Span span);
  void check_sizes(Runs who, Span span);
  void do_body(Runs who);
  void ask_external(Runs who, const Held& held, Span span);

  // Claims (claims.cpp).
  [[nodiscard]] Verdict judge(ExprId claim, Mode mode, bool contract);
  // Each records what does not hold, and says whether it does.
  bool claim_of_one(const syntax::Clause& clause, Side side, bool contract);
  bool claim_of_both(const syntax::Clause& clause, Runs came, bool contract);
  Held claim_requires(Runs who);
  void claim_ensures(Runs who);
  void note(std::string_view kind, Span span, By by, const Verdict& verdict);

  const Program program_;
  const Subject& subject_;
  const Inputs& inputs_;
  const Chooser& chooser_;
  const Limits& limits_;
  const External& external_;
  Specifications specs_;
  std::unordered_map<Name, Typed> constants_;
  Scope vectors_;  // constants too
  std::unordered_map<Name, Force> forces_;
  Force* picked_ = nullptr;    // nullptr: no model
  Force* in_force_ = nullptr;  // the picked one, or that of a `redo under`
  bool ghost_ = false;         // a specvar is being computed
  bool starting_ = true;       // what goes wrong now is the fault of the inputs
  Frame* frame_ = nullptr;
  std::size_t depth_ = 0;
  std::size_t making_ = 0;  // lemmas whose bodies are run
  std::array<std::size_t, 2> steps_{};
  Runs over_ = Runs::none();  // runs that failed
  std::optional<Stop> relaxed_end_;
  Report report_;
};

// What names mean in the specifications of a program, at some moment.
class ProgramNames final : public Names {
 public:
  enum class Where : std::uint8_t { Body, Contract, Outside };
  ProgramNames(const Machine& machine, Where where);
  ProgramNames(const Machine& machine, Where where, const Scopes* scopes,
               const PerRun<State>* state);

  [[nodiscard]] std::optional<View> find(Name name, Mode mode) const override;
  [[nodiscard]] Typed model_member(const syntax::Ident& member, Mode mode) const override;
  [[nodiscard]] Typed qualified(const syntax::MemberExpr& member, Mode mode) const override;
  [[nodiscard]] std::optional<Typed> function(const syntax::Ident* scope, Name name,
                                              const std::vector<Typed>& args,
                                              Specifications& specs) const override;
  [[nodiscard]] const Names* snapshot(Name label, bool entry) const override;
  // The parameters and the model's state when the function was called.
  [[nodiscard]] const Names* before() const override;
  [[nodiscard]] const Names* outside() const override;
  [[nodiscard]] std::vector<Name> parameters() const override;

 private:
  [[nodiscard]] std::optional<View> find_slot(Name name, Mode mode) const;
  [[nodiscard]] std::optional<View> find_in_place(Name name, Mode mode) const;
  [[nodiscard]] View result(std::size_t k, Mode mode) const;

  const Machine& machine_;
  Where where_;
  const Scopes* scopes_;
  const PerRun<State>* state_;  // nullptr: no model
  bool passed_ = false;         // all is as it was when the function was called
  mutable std::map<const Moment*, std::unique_ptr<ProgramNames>> snapshots_;
  mutable std::unique_ptr<ProgramNames> outside_, before_;
};

template <class F>
auto Machine::each(Runs who, F step) -> PerRun<decltype(step(Side::Original))> {
  PerRun<decltype(step(Side::Original))> all;
  for (Side side : alive(who).list()) {
    try {
      all[side] = step(side);
    } catch (const Failure& failure) {
      fail(side, failure);
    }
  }
  return all;
}

template <class F>
void Machine::each_does(Runs who, F step) {
  (void)each(who, [&](Side side) {
    step(side);
    return true;
  });
}

}  // namespace leto::oracle
