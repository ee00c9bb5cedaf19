// The core form: what every analysis reads. Sugar is gone, the model is woven
// in, control flow is structured. One program stands for both runs; where they
// differ (a relaxed operation, an access to a region) there is a fault site
// that says what the original run computes and what the relaxed run may do.
//
// Expressions are pure. Whatever has an effect, or can fail, is a statement of
// its own, in the order in which it happens.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/base.h"

namespace leto::core {

struct ExprTag;
struct VarTag;
struct StmtTag;
struct FunctionTag;
struct LoopTag;
struct DefinitionTag;
using ExprId = Id<ExprTag>;
using VarId = Id<VarTag>;
using StmtId = Id<StmtTag>;
using FunctionId = Id<FunctionTag>;
using LoopId = Id<LoopTag>;
using DefinitionId = Id<DefinitionTag>;

enum class Base : std::uint8_t { Bool, Int, Real, Word };

struct Type {
  Base base = Base::Int;
  bool natural = false;     // an integer that is never negative
  std::uint8_t rank = 0;    // 0 scalar, 1 vector, 2 matrix
  std::uint16_t width = 0;  // of a word, in bits
  friend bool operator==(const Type&, const Type&) = default;
  [[nodiscard]] Type element() const { return {base, natural, 0, width}; }
  [[nodiscard]] bool is_word() const { return base == Base::Word && rank == 0; }
};

// Which run a variable is read in. Program code and specifications of one run
// leave it open: they are read in whichever run is at hand.
enum class Side : std::uint8_t { Open, Original, Relaxed };

enum class VarKind : std::uint8_t {
  Param,
  Local,
  Ghost,
  Temp,
  Result,
  State,     // of the model
  Constant,  // of the program or the model: the same in both runs
  Bound,     // by a quantifier, or a parameter of an operator's specification
};

struct Var {
  VarKind kind;
  std::string name;  // as in the source, for people
  Type type;
  Span span;
  bool passed = false;       // what an inout parameter was when it was passed: old(x)
  std::uint32_t record = 0;  // of a field 's.x': which record it is part of; 0: it is no field
};

// clang-format off
// Expressions -------------------------------------------------------------------------

enum class Op : std::uint8_t {
  Not, Neg, Abs, ToReal, Floor,                        // one operand
  ToNatural,                                           // zero, of what is negative
  Add, Sub, Mul, Div, Mod, And, Or, Implies,           // two; quotient and remainder by 0 are 0
  Eq, Ne, Lt, Le, Gt, Ge, Min, Max,
  Choose,                                              // three: by the first, the second or the third
};
[[nodiscard]] std::string_view spelling(Op op);
// An order, with its sides exchanged; others are as they were.
[[nodiscard]] Op turned(Op op);

// Of words: modulo 2^N and without a sign, unless the name says otherwise.
enum class WordOp : std::uint8_t {
  Not, Neg,                                            // ~b, -b
  And, Or, Xor, ShiftLeft, ShiftRight, ShiftSigned,    // by N or more: nothing is left, or signs
  Add, Sub, Mul, Div, Mod, SignedDiv, SignedRem,       // quotient and remainder by 0 are 0
  Less, AtMost, Greater, AtLeast, SignedLess,
  Join, Part, ZeroExtend, SignExtend,                  // of other widths
  ToNatural, ToInt, OfInt,                             // uint(b), int(b), bits<N>(i): modulo 2^N
  Bit, WithBit,                                        // of b and i; false, and b, beyond its bits
  Ones, Parity,                                        // how many bits are set; whether that is odd
};
[[nodiscard]] std::string_view spelling(WordOp op);
[[nodiscard]] std::size_t operands_of(WordOp op);
[[nodiscard]] bool divides(WordOp op);

struct BoolConst { bool value; };
struct NumberConst { std::string text; };              // a decimal literal, exact
struct VarRef { VarId var; Side side = Side::Open; };
struct OldRef { VarId var; };                          // the state before, in a specification of an operator
struct Length { ExprId vector; std::uint8_t dimension; };
struct Select { ExprId vector; std::vector<ExprId> indices; };
struct Apply { Op op; std::vector<ExprId> args; };
struct Word { WordOp op; std::vector<ExprId> args; std::uint16_t low = 0; };  // low: of a part
struct Quant { bool universal; std::vector<VarId> bound; ExprId body; };
// The value of `expr` at the start of the loop's current iteration, or at its entry.
struct Snapshot { LoopId loop; bool entry; ExprId expr; };

// One row of a matrix; zero where there is none.
struct Row { ExprId matrix, index; };
// The vector with one element changed; itself where there is none.
struct Update { ExprId vector, index, value; };
// A definition, of arguments.
struct Defined { DefinitionId definition; std::vector<ExprId> args; };
// A vector of these elements: the value of a constant, and no part of anything.
struct Listed { std::vector<ExprId> elements; };

struct Expr {
  Type type;
  Span span;
  std::variant<BoolConst, NumberConst, VarRef, OldRef, Length, Select, Apply, Quant, Snapshot,
               Row, Update, Defined, Listed, Word> node;
};

// Fault sites ------------------------------------------------------------------------------

// One specification of an operator, over bound variables for its operands and its outcome.
struct Specification {
  std::string label;              // for people; may be empty
  Span span;
  std::vector<VarId> params;      // operands; for a write the stored value comes first
  VarId outcome;                  // for a write: the value that is then stored
  ExprId when;                    // invalid: always
  std::vector<VarId> modifies;    // state variables
  std::vector<ExprId> ensures;
  ExprId rate = {};               // how often it is taken when it is enabled; invalid: not known
  bool of_model = true;           // rather than of an external function
  VarId exact = {};               // of an upper layer: what the layer below gave; else invalid
};
struct FaultSite {
  std::string what;               // "*" or "write to unreliable"
  std::vector<std::uint32_t> specifications;  // of the program's table; empty: exact
};

// Statements -----------------------------------------------------------------------------------

enum class CheckKind : std::uint8_t { Bounds, DivisionByZero, Natural, SameSize, Fits };
[[nodiscard]] std::string_view describe(CheckKind kind);

struct Assign { VarId target; ExprId value; };                       // scalars and whole vectors
struct Store { VarId target; std::vector<ExprId> indices; ExprId value; };
// Zero, in both runs; or anything: what a lemma makes, until it is assigned. Who runs it has zero.
struct Declare { VarId target; std::vector<ExprId> sizes; bool any = false; };
// target = op(args) under the model; `exact` is what the original run computes.
struct Relaxed { VarId target; FaultSite site; std::vector<ExprId> args; ExprId exact; };
// A write to a variable, an element (with indices) or, element by element, a whole vector.
// Under an upper layer `exact` is what the layer below would have stored; invalid: the value.
struct Write { VarId target; FaultSite site; std::vector<ExprId> indices; ExprId value; bool whole; ExprId exact = {}; };
struct Check { CheckKind kind; ExprId expr; };                       // failing it is a failure
enum class AssertionKind : std::uint8_t { Assert, Assume, AssertR };
struct Claim { AssertionKind kind; ExprId expr; };
struct Block { std::vector<StmtId> body; };
struct If { ExprId condition; StmtId then_branch; StmtId else_branch; };
// Claimed at the loop's heads where `only_if` holds; invalid: at all. A run that has left from the
// middle comes to no head, and where both have there is none.
struct Invariant { ExprId expr; bool relational; ExprId only_if = {}; };
struct While {
  LoopId loop;
  StmtId before;       // a block that computes what the condition needs, before each test
  ExprId condition;
  std::vector<Invariant> invariants;
  // That the run has come closer to its end since the head before, which the loop's label names.
  // Claimed of a run at each of its heads but the first; invalid: nothing is claimed.
  ExprId falls = {};
  ExprId likely = {};  // the same of a measure that nobody wrote; for those who have to end
  StmtId body = {};
  bool infer = true;
  ExprId times = {};           // of `repeat`: how often, over constants
  VarId counter = {};          // of `repeat`: how often it was done, in a run that is in the loop
  // Flags, one of which is set in a run that has left it from its middle; none: no run can.
  std::vector<VarId> exits = {};
  VarId left = {};             // whether a run is not in it, by its test or because it never came
  std::vector<VarId> visible;  // variables of the user that its invariants can name
};
// One target for each result that is kept; without targets none is.
struct Call { FunctionId callee; std::vector<VarId> targets; std::vector<ExprId> args; };
// A lemma, of arguments, written out: what it asks for is claimed, what it ensures is then known.
// It does nothing in the program, so no run fails there. What it makes is new in each run, and known
// by what it ensures alone; who runs it has what its body makes of the arguments.
enum class NeedKind : std::uint8_t { Argument, Requires, Falls, Taken };
struct Recall {
  FunctionId lemma;
  bool relational;     // of both runs; else of each that comes by
  struct Need { NeedKind kind; ExprId expr; };
  std::vector<Need> needs;
  std::vector<ExprId> ensures;
  struct Made { VarId var; std::vector<ExprId> sizes; };
  std::vector<Made> made = {};
  std::vector<ExprId> args = {};  // where something is made
};

struct Stmt {
  Span span;
  std::variant<Assign, Store, Declare, Relaxed, Write, Check, Claim, Block, If, While, Call,
               Recall> node;
};

// Programs ---------------------------------------------------------------------------------------

struct Clause { ExprId expr; bool relational; };
struct ParamSize { VarId param; std::uint8_t dimension; ExprId size; };  // over the parameters
// number <= R(vars), or result >= number * R(vars).
struct ReliabilityClause {
  Span span;
  bool of_result;
  std::string number;
  std::vector<VarId> vars;
  // number <= R(P(inputs; vars)): what P says of the original's inputs and outputs, and of its
  // inputs and the relaxed run's outputs. Invalid: right means equal.
  std::vector<VarId> inputs = {};
  ExprId original = {}, relaxed = {};
};
struct Function {
  std::string name;
  Span span;
  std::vector<VarId> params;
  std::vector<ParamSize> sizes;     // of vector parameters
  std::vector<VarId> results;       // what it returns; then its inout parameters, as they end
  // What an inout parameter was when it was passed, and what it is in the body and on return.
  struct InOut { VarId passed, now; };
  std::vector<InOut> inouts;
  std::vector<Clause> requires_, ensures;
  // State of the model whose value on entry the contract names, and the variable that keeps it.
  struct Entered { VarId state, kept; };
  std::vector<Entered> entered;
  std::vector<ExprId> measure;      // of its parameters as passed; falls from call to call
  bool ends = false;                // that is claimed
  DefinitionId pure = {};           // what specifications know of it; invalid: they cannot use it
  bool lemma = false;               // nobody runs it: what it ensures is a theorem once it is proved
  bool alone = false;               // looked at is the relaxed run by itself, from any state of the model
  bool maybe_void = false;          // what it requires may well be impossible: then all of it holds
  std::vector<ReliabilityClause> reliability;
  StmtId body;                      // invalid: it is external, and only its clauses are known
  // Of an external function with a reliability: its result is right, or else what its
  // ensures allow.
  FaultSite site = {};
  [[nodiscard]] bool external() const { return !body.valid(); }
  // Whether there is no original run to speak of.
  [[nodiscard]] bool is_of_one_run() const { return lemma || alone; }
  // How many values it returns.
  [[nodiscard]] std::size_t returned() const { return results.size() - inouts.size(); }
  // The value that it returns; invalid: none, or several.
  [[nodiscard]] VarId result() const { return returned() == 1 ? results[0] : VarId{}; }
  [[nodiscard]] bool has_contract() const {
    return external() || !requires_.empty() || !ensures.empty();
  }
};
// A mathematical function. It uses those before it, and itself where its measure falls. Or one that
// nobody knows, a function constant of the model, unless a model gives it a value.
struct Definition {
  std::string name;
  Span span;
  Type type;
  std::vector<VarId> params;        // bound in what follows
  std::vector<ExprId> measure;
  ExprId body;                      // invalid: a pure function, of which the rest is known, or
                                    // one that nobody knows
  bool recursive = false;
  FunctionId function = {};
  VarId result = {};
  std::vector<ExprId> needs = {};   // what it requires, sizes included
  std::vector<ExprId> ensures = {};
  bool rigid = false;               // a function constant
  ExprId witness = {};              // what it may be, for all that the constraints say; may be invalid
  [[nodiscard]] bool is_unknown() const { return rigid && !body.valid(); }
};
struct StateVar {
  VarId var;
  ExprId init;  // may be invalid: any value
};
struct Model {
  std::string name;
  std::vector<StateVar> states;
  std::vector<ExprId> invariants;
};
struct ConstantVar {
  VarId var;
  ExprId value;  // may be invalid
};

// try, check, recover: a block of the body, what the check needs, and a branch on the check.
struct Recovery {
  Span span;
  StmtId block;    // all of it
  StmtId body, test, recover;
  ExprId check;
  // Of a checker with declared rates: its name and they; else empty.
  std::string checker, false_positive, false_negative;
};

// clang-format on
struct Program {
  leto::Store<ExprId, Expr> exprs;
  leto::Store<VarId, Var> vars;
  leto::Store<StmtId, Stmt> stmts;
  leto::Store<FunctionId, Function> functions;
  leto::Store<DefinitionId, Definition> definitions;
  std::vector<std::string> loops;  // labels, by LoopId; empty without one
  std::vector<Recovery> recoveries;
  std::vector<Specification> specifications;
  std::vector<ConstantVar> constants;
  std::vector<ExprId> constraints;
  Model model;
  bool unmeasured = false;  // a measure names what the model does not have: nothing has to end
};

// A place where words are used: a variable, or else an expression; nothing: none are.
[[nodiscard]] std::optional<Span> find_word(const Program& program);

// A model and one of its super-models over the same state: what `leto refine` asks about.
struct Refinement {
  Program program;  // of the sub-model; the super-model's specifications stand behind its own
  std::string super;
  std::vector<VarId> states;  // the super-model's
  struct Pair {
    std::uint32_t sub, super;  // an added specification and the one that it refines
  };
  std::vector<Pair> pairs;
  // All specifications of one operator (sign, types, region) in both models.
  struct Group {
    std::string what;
    Span span;
    std::vector<std::uint32_t> sub, super;
    ExprId exact;  // over the parameters of the super-model's first specification
  };
  std::vector<Group> groups;
};

}  // namespace leto::core
