// Byte code: expressions as lists of instructions over registers that are there before the run
// begins, statements as what is left to do with their values. Code reads and writes the variables
// of one `Pair` in place, so it belongs to one machine and one thread.
//
// What the instructions cannot say is the tree-walking evaluator's: a `Part` hands it the
// expression and what names mean there.
#pragma once

#include <deque>

#include "interp/choose.h"
#include "interp/evaluate.h"

namespace leto::interp {

// clang-format off
// Expressions ----------------------------------------------------------------------------------

enum class Do : std::uint8_t {
  Copy, Not, Neg, Abs, Floor, Natural, Add, Sub, Mul, Quotient, WholeQuotient, Remainder,  // quotients by 0 are 0
  Equal, Differ, Less, AtMost, Min, Max,
  Jump, JumpIf, JumpUnless, JumpIfNone,  // to `extra`; by `a`, or by whether `vector` has a value
  Length,                                // of `vector`, in dimension `extra`
  BelowLength,                           // `a` is less than that
  Element,                               // of `vector`, at `a`, or at `a` and `b`
  SameValues, OtherValues,               // of `vector` and `other`
  Quantify,                              // by `quantifiers[extra]`
  Walk,                                  // the tree: `parts[extra]`
};

struct Instruction {
  Do what = Do::Copy;
  std::uint32_t extra = 0;
  Number* to = nullptr;
  const Number* a = nullptr;
  const Number* b = nullptr;
  const Value* vector = nullptr;
  const Value* other = nullptr;
};

struct Code {
  std::vector<Instruction> steps;
  const Number* result = nullptr;
};

// An expression that is read once for each run.
struct Sided {
  Code original, relaxed;
  [[nodiscard]] const Code& of(core::Side side) const {
    return side == core::Side::Original ? original : relaxed;
  }
};

// What a name stands for besides variables: bound ones, the innermost last, and old values.
using Registers = std::vector<std::pair<core::VarId, Number*>>;
struct Names {
  core::Side open = core::Side::Relaxed;
  Registers bound = {}, old = {};
};

struct Part {
  core::ExprId expr;
  Names names;
};

// A bound variable whose values are known once those of the levels before are.
struct Level {
  core::VarId var;
  Number* at = nullptr;
  Code limits;  // the values of `low` and `high`
  struct Limit { core::Op op; const Number* value; };
  std::vector<Limit> bounds;
  bool from_zero = false, truth = false;
};
struct Quantifier {
  Part part;  // for the tree, where there are too many values for loops
  bool universal = true;
  std::vector<Level> levels;
  Code body;
};

// Fault sites ----------------------------------------------------------------------------------

// How values for what a specification leaves open are found, where that is the same every time.
struct Plan {
  struct Bounded { core::Op op; const Number* value; };
  struct Unknown {
    core::VarId var;
    Number* at;
    const Number* usual;
  };
  struct Step {
    std::size_t unknown;
    Code code;
    const Number* exactly = nullptr;  // null: by the chooser, within the bounds
    std::vector<Bounded> bounds = {};
  };
  std::vector<Unknown> unknowns;
  std::vector<Step> steps;
  std::vector<Code> ensures;
  // The outcome is all that is open, and an equation gives it: where the exact one is allowed, it
  // is that.
  [[nodiscard]] bool forced() const { return unknowns.size() == 1 && steps[0].exactly != nullptr; }
};

struct SpecificationCode {
  std::vector<Number*> params;
  Number* outcome = nullptr;
  Number* exact = nullptr;
  std::optional<Code> when;
  std::vector<Code> ensures;              // with the model's state as it is
  std::vector<std::pair<Number*, Number*>> old;  // of modified state: where, and where it is kept
  std::optional<Plan> plan;               // none: the resolver decides
};

struct SiteCode {
  mutable SitePoint point;  // of the occurrence at hand
  std::vector<SpecificationCode*> codes;  // as in the site
};

// Statements -----------------------------------------------------------------------------------

// A variable in both runs.
struct Place {
  core::VarId var;
  Value* original = nullptr;
  Value* relaxed = nullptr;
  [[nodiscard]] Value& of(core::Side side) const {
    return side == core::Side::Original ? *original : *relaxed;
  }
};

// A claim of both runs, with whether it comes to read what has no value.
struct RelationCode { core::ExprId expr; Code holds; std::optional<Code> lacks; bool walk_lacks = false; };
struct ClauseCode { core::ExprId expr; bool relational; Sided holds; RelationCode relation; };

struct StatementCode;
using Child = const StatementCode*;  // null: nothing

// A scalar, a copy of a variable, or a vector that the tree-walking evaluator finds.
struct ValueCode { Sided scalar; const Value* original = nullptr; const Value* relaxed = nullptr; core::ExprId walk = {}; };

struct AssignCode { Place target; ValueCode value; };
struct StoreCode { Place target; std::vector<Sided> indices; Sided value; };
struct DeclareCode { Place target; std::vector<Sided> sizes; };
struct RelaxedCode { Place target; SiteCode site; std::vector<Code> args; ValueCode exact; };
struct WriteCode { Place target; SiteCode site; std::vector<Sided> indices; ValueCode value; bool whole; bool one; std::optional<ValueCode> exact; };
struct CheckCode { core::CheckKind kind; core::ExprId expr; Sided holds; };
struct RecallCode {
  struct Said { core::ExprId expr; Sided holds; };
  const core::Recall* recall;
  std::vector<Said> needs, ensures;
};
struct ClaimCode { core::AssertionKind kind; core::ExprId expr; Sided holds; RelationCode relation; };
struct BlockCode { std::vector<Child> body; };
struct IfCode { core::ExprId expr; Sided condition; Child then_branch, else_branch; std::vector<Value*> unset; };
struct InvariantCode { core::ExprId expr; bool relational; std::optional<Sided> only_if; Sided holds; RelationCode relation; };
struct WhileCode {
  core::LoopId loop;
  core::ExprId expr;
  bool watched;
  Place left;
  std::vector<InvariantCode> invariants;
  std::optional<Sided> falls;
  core::ExprId claimed;  // that it falls
  Child before;
  Sided condition;
  Child body;
  std::vector<Value*> unset;  // before an iteration
};
struct FunctionCode;
struct CallCode { core::FunctionId callee; const FunctionCode* code; std::vector<Place> targets; std::vector<ValueCode> args; };

struct StatementCode {
  core::StmtId id;
  Span span;
  std::variant<AssignCode, StoreCode, DeclareCode, RelaxedCode, WriteCode, CheckCode, ClaimCode, RecallCode, BlockCode, IfCode,
               WhileCode, CallCode> node;
};

struct SizeCode { Place param; std::uint8_t dimension; Sided size; };
struct FunctionCode {
  const core::Function* function = nullptr;
  std::vector<Place> params, own;
  std::vector<Value*> unset;  // before a call
  std::vector<Place> results;
  std::vector<SizeCode> sizes;
  std::vector<ClauseCode> requires_, ensures;
  Child body = nullptr;
};

// All that a function and what it calls come to. Addresses stay as they are.
struct ByteCode {
  Pair pair;
  std::deque<Number> registers;
  std::deque<Quantifier> quantifiers;
  std::deque<Part> parts;
  std::deque<StatementCode> statements;
  std::deque<FunctionCode> functions;          // by FunctionId
  std::deque<SpecificationCode> specifications;  // by index
};
// clang-format on

}  // namespace leto::interp
