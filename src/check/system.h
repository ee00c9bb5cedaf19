// A system under a model, with every name resolved and every expression typed: what `protocol`
// makes a transition system of. Properties are written out; loops over nodes are still loops.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/base.h"

namespace leto::check::sys {

struct ExprTag;
struct StmtTag;
using ExprId = Id<ExprTag>;
using StmtId = Id<StmtTag>;

// Any: of a message of whatever type, while nothing is known of it.
enum class Base : std::uint8_t { Error, Bool, Int, Uint, Real, Enum, Node, Any };
inline constexpr std::uint32_t kAllNodes = ~std::uint32_t{0};
struct Type {
  Base base = Base::Error;
  std::uint32_t which = 0;  // which enumeration, or which kind of nodes; kAllNodes: of any kind

  friend auto operator<=>(const Type&, const Type&) = default;
  [[nodiscard]] bool is_integer() const { return base == Base::Int || base == Base::Uint; }
  [[nodiscard]] bool is_numeric() const { return is_integer() || base == Base::Real; }
};

struct Enumeration {
  std::string name;
  std::vector<std::string> values;
  Span span;
};
// A kind of nodes. All nodes of a system are numbered from 0; those of a kind are neighbours.
struct Sort {
  std::string name;
  Span span;
  std::uint32_t first = 0, count = 0;
};

// clang-format off
enum class Op : std::uint8_t {
  Error, Truth, Number, Value,  // of an enumeration
  NodeOf,                       // args: its number within its kind
  Variable,                     // args: nodes
  Round,                        // args: a node
  Slot, Let,                    // args of Let: the value, and in what it is used
  Old,
  Not, Neg, And, Or, Implies, Eq, Lt, Le, Add, Sub, Mul, Div, Mod, Ite, Min, Max, Abs,
  Forall, Exists, Count,        // over the nodes of the type of the slot
  ToReal, Narrow                // Narrow: to uint, which fails below zero
};
// clang-format on

struct Expr {
  Op op = Op::Error;
  Type type;
  Span span;
  std::vector<ExprId> args = {};
  std::uint32_t index = 0;  // of a variable, round, slot, value or kind; of Truth: which
  std::string text = {};    // of numbers
};

// A bound variable, a parameter, or a variable of a step.
struct Slot {
  std::string name;
  Type type;
  Span span;
};

struct Variable {
  std::string name;  // "model.down" if it is the model's
  Type type;
  Span span;
  std::vector<std::uint32_t> indices = {};  // kinds of nodes; kAllNodes: all of them
  ExprId init = {};                         // invalid: any value
  bool constant = false;                    // nothing changes it
  bool clock = false;
  bool of_model = false;
};
// One value per node and statement that sends, in each step.
struct Round {
  std::string name;
  Type type;  // may be Any: then of the type of the message
  Span span;
};

struct Place {
  bool local = false;       // a slot
  std::uint32_t index = 0;  // of the variable or slot
  std::vector<ExprId> indices = {};
  Type type = {};
  Span span = {};
};
// clang-format off
struct Assign { Place place; ExprId value; };
struct If { ExprId condition; StmtId then_branch, else_branch; };  // else may be invalid
struct Nodes { std::vector<std::uint32_t> slots; StmtId body; };
struct Choose { std::vector<Place> places; ExprId with; };         // `with` may be invalid
struct Message { Place place; bool dotted; ExprId value, from, to, otherwise; std::uint32_t number; };
struct Assert { ExprId expr; };
struct Block { std::vector<StmtId> body; };
// clang-format on
struct Stmt {
  Span span;
  std::variant<Assign, If, Nodes, Choose, Message, Assert, Block> node;
};

struct Named {
  std::string name;
  Span span;
  ExprId expr;
};
struct Step {
  std::string name;
  Span span;
  std::vector<std::uint32_t> slots;
  ExprId when;  // may be invalid
  StmtId body;
};
struct Moment {
  Place place;
  std::vector<std::uint32_t> slots;
  ExprId when;  // may be invalid
};
struct Elapse {
  Span span;
  std::uint32_t clock;
  std::vector<Moment> moments;
};

// What a model says of messages of one type.
struct Changed {
  std::uint32_t variable;
  std::optional<std::uint32_t> at;  // a slot; nothing: all of it
};
struct Specification {
  std::string label;  // may be empty
  Span span;
  Type type;
  std::uint32_t sent, from, to, result, arrived;  // slots
  std::vector<ExprId> whens, ensures;             // in `ensures` plain state is the new one
  std::vector<Changed> changes;
};
// How a model is related to one that it refines: its specifications of a type and those of the
// other, and which stands for which.
struct Refinement {
  std::string super;
  Span span;
  Type type;
  std::vector<Specification> mine, theirs;
  std::vector<std::vector<std::size_t>> refines;  // for each of mine, which of theirs
  std::vector<bool> taken_over;                   // of mine
  std::vector<std::uint32_t> variables;           // of the other
};

struct System {
  std::string name, model;  // the model may be empty: none
  Span span;
  std::vector<Enumeration> enumerations;
  std::vector<Sort> sorts;
  std::vector<Variable> variables;
  std::vector<Round> rounds;
  std::vector<Slot> slots;
  Store<ExprId, Expr> exprs;
  Store<StmtId, Stmt> stmts;
  std::vector<Named> initially, trusted;
  std::vector<Named> constraints, required;  // of constants: by the model, and by the system
  std::vector<Step> steps;
  std::optional<Elapse> elapse;
  std::vector<Named> claims, lemmas, invariants;  // invariants: of the model
  std::vector<Specification> specifications;      // by the types that are sent
  std::vector<Refinement> refinements;
  std::uint32_t messages = 0;  // statements that send
  bool sends = false;          // and some of them leave it to the model what becomes of it

  [[nodiscard]] std::uint32_t nodes() const {
    return sorts.empty() ? 0 : sorts.back().first + sorts.back().count;
  }
};

[[nodiscard]] std::string describe(const Type& type, const System& system);

}  // namespace leto::check::sys
