// What `check` finds out about a tree, laid beside it: the type of every
// expression, the symbol behind every name, the flattened models.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "syntax/tree.h"

namespace leto::check {

struct SymbolTag;
using SymbolId = Id<SymbolTag>;
struct ModelTag;
using ModelId = Id<ModelTag>;
using TreeIndex = std::uint32_t;
struct Record;

// The type of an expression. `error` stands for "already complained about" and
// fits everywhere.
struct Type {
  syntax::Scalar scalar = syntax::Scalar::Void;
  syntax::Shape shape = syntax::Shape::Scalar;
  bool error = false;
  bool row = false;                // a matrix with one of its two indices
  const Record* record = nullptr;  // of a record, or of elements that are; the scalar says nothing
  std::uint16_t width = 0;         // of bits<N>: N

  friend bool operator==(const Type&, const Type&) = default;
  [[nodiscard]] bool is_scalar() const {
    return shape == syntax::Shape::Scalar && !row && record == nullptr;
  }
  [[nodiscard]] bool is_record() const {
    return shape == syntax::Shape::Scalar && record != nullptr;
  }
  [[nodiscard]] bool is_word() const { return is_scalar() && scalar == syntax::Scalar::Bits; }
  [[nodiscard]] bool is_bool() const { return is_scalar() && scalar == syntax::Scalar::Bool; }
  [[nodiscard]] bool is_integer() const {
    return is_scalar() && (scalar == syntax::Scalar::Int || scalar == syntax::Scalar::Uint);
  }
  [[nodiscard]] bool is_numeric() const {
    return is_integer() || (is_scalar() && scalar == syntax::Scalar::Real);
  }
  [[nodiscard]] bool is_void() const {
    return is_scalar() && scalar == syntax::Scalar::Void && !error;
  }
};

// What a record consists of. There is one for each that is declared, so its address tells it apart.
struct Record {
  std::string name;
  struct Field {
    Name name;
    Type type;  // a scalar
    SymbolId symbol;
  };
  std::vector<Field> fields;
  const syntax::RecordItem* syntax = nullptr;
  TreeIndex tree = 0;

  // Which field has the name; nothing: none has.
  [[nodiscard]] std::optional<std::size_t> find(Name field) const;
};

[[nodiscard]] Type error_type();
[[nodiscard]] Type scalar_type(syntax::Scalar scalar);
// Where there are no records; one that is named all the same is no scalar.
[[nodiscard]] Type scalar_type_of(const syntax::TypeSyntax& written);
// The same for a symbol's declaration: what it may not be is an error.
[[nodiscard]] Type symbol_type_of(const syntax::TypeSyntax& written);
// Of an element of a vector.
[[nodiscard]] Type element_type(const Type& vector);
// Of a field of what is of a record, or of a vector of records: then of all of its elements.
[[nodiscard]] Type field_type(const Type& whole, std::size_t field);
[[nodiscard]] std::string describe(const Type& type);
// The smallest of uint, int, real that holds both.
[[nodiscard]] Type join(const Type& a, const Type& b);
// May a value of type `from` be stored where `to` is declared? An int may go
// into a uint: that it is not negative is an obligation, not a matter of types.
[[nodiscard]] bool fits(const Type& from, const Type& to);

enum class SymbolKind : std::uint8_t {
  Constant,  // const at the top of a program
  Function,
  Property,
  Definition,
  Lemma,
  Model,
  Record,
  Field,  // of a record
  Param,  // of a function
  Local,
  Ghost,   // specvar
  Binder,  // bound by forall or exists
  Label,   // of a loop
  Result,  // of a function, in its ensures
  PropertyParam,
  DefinitionParam,
  State,  // of a model
  ModelConstant,
  Rigid,          // a function constant of a model
  OperatorParam,  // of an operator in a model
  Destination,    // the first parameter of `write`
  Outcome,        // `result` of an operator in a model
  Exact,          // `exact`, what it would be without this model
};
[[nodiscard]] std::string describe(SymbolKind kind);  // "a constant"

// How the body of a relational property uses a parameter.
enum class ParamUse : std::uint8_t { Unused, Bare, Sided };

struct Symbol {
  SymbolKind kind;
  Name name;
  Span span;
  Type type;
  TreeIndex tree = 0;
  Name region = {};                 // invalid: none
  bool snapshot = false;            // of a Ghost: for proofs only
  bool inout = false;               // of a Param: changed in place
  ParamUse use = ParamUse::Unused;  // of a PropertyParam
  std::uint32_t item = 0;           // of globals: index into the tree's items
  ModelId model = {};               // of State, ModelConstant and Rigid: who declares it
  // Of a variable that is a record, or a vector of records: a variable for each field, which is
  // called 's.x'. No name of the program has a dot in it.
  std::vector<SymbolId> fields = {};
  SymbolId whole = {};  // of such a variable: whose field it is
};

// Where a name is declared: in which file, where it begins, and in which copy of the text.
struct DeclaredAt {
  std::uint32_t file, begin, copy;
  friend auto operator<=>(const DeclaredAt&, const DeclaredAt&) = default;
};
[[nodiscard]] inline DeclaredAt key_of(const Span& span) {
  return {span.file.value, span.begin, span.copy};
}

struct LabelUse {
  SymbolId label;
  bool entry = false;  // l.entry[e] rather than l[e]
};

struct Facts {
  std::vector<Type> types;                             // by ExprId
  std::vector<SymbolId> symbols;                       // by ExprId; of names, calls, model.x
  std::map<DeclaredAt, SymbolId> declared;             // by where the name stands: key_of
  std::unordered_map<std::uint32_t, LabelUse> labels;  // by ExprId of an IndexExpr
  // Fields of what is not a variable by its name, and which of the fields it is; by ExprId. Those
  // of variables have a symbol.
  std::unordered_map<std::uint32_t, std::size_t> fields;
  // Calls of lemmas whose arguments are of both runs, by ExprId.
  std::unordered_set<std::uint32_t> relational_calls;
  // Measures that name what the picked model does not have, by the ExprId of their first part.
  std::unordered_set<std::uint32_t> unmeasured;
  // Claims of checkers that name what the picked model does not have, by ExprId: nobody makes them.
  std::unordered_set<std::uint32_t> unsaid;
};

// Models, flattened: inherited parts are listed with those of their own.
struct ModelVariable {
  SymbolId symbol;
  syntax::ExprId init;      // may be invalid: any value
  TreeIndex init_tree = 0;  // the tree that `init` is in
};
struct ModelFormula {
  syntax::ExprId expr;
  TreeIndex tree = 0;
};
// A function constant. What it is, or may be, is said over parameters of its own.
struct ModelRigid {
  SymbolId symbol;
  const syntax::RigidMember* syntax = nullptr;
  TreeIndex tree = 0;
  struct Meaning {
    const std::vector<syntax::Ident>* params = nullptr;  // null: nothing is said
    syntax::ExprId expr = {};
    TreeIndex tree = 0;
    friend bool operator==(const Meaning&, const Meaning&) = default;
  };
  Meaning value = {}, witness = {};
};
struct OperatorRef {
  ModelId model;
  Name label;
};
struct ModelOperator {
  const syntax::OperatorMember* syntax = nullptr;
  TreeIndex tree = 0;
  ModelId declared_by;
  Name label = {};                   // invalid: none
  std::vector<OperatorRef> refines;  // at most one per super-model
};
struct Model {
  const syntax::ModelItem* syntax = nullptr;
  TreeIndex tree = 0;
  Name name;
  std::vector<ModelId> supers;
  std::vector<ModelVariable> constants;
  std::vector<ModelVariable> states;
  std::vector<ModelRigid> rigids;
  std::vector<ModelFormula> constraints;
  std::vector<ModelFormula> invariants;
  std::vector<ModelOperator> operators;
  std::map<Name, std::vector<SymbolId>> members;  // constants, functions and states by name
  // It is of messages: nothing of it is here, and no program runs under it.
  bool of_messages = false;
  ModelId over = {};  // the layer below; invalid: the exact operations
  // The members of all layers: what a program can name.
  std::map<Name, std::vector<SymbolId>> reachable = {};
};

// An operator's operand type (its parameters have one type) and its outcome's.
[[nodiscard]] Type operand_type(const syntax::OperatorMember& op);
[[nodiscard]] Type outcome_type(const syntax::OperatorMember& op);
[[nodiscard]] std::string describe(const syntax::OperatorMember& op, const NameTable& names);
[[nodiscard]] bool same_signature(const syntax::OperatorMember& a, const syntax::OperatorMember& b);

}  // namespace leto::check
