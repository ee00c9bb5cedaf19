// What a name means and whether it may be used. That depends on where it
// stands, which is its `Place`.
#pragma once

#include "check/session.h"

namespace leto::check {

enum class Mode : std::uint8_t {
  Program,     // runs, in both runs
  Ghost,       // computes a specvar
  Unary,       // a specification of one run
  Relational,  // a specification of both
  Model,       // a clause of a model
  Constant,    // values of constants and constraints on them
};

struct Place {
  Mode mode;
  TreeIndex tree;
  std::string where;          // for messages: "'assert'", "the index of an element"
  bool one_side = false;      // Relational: inside eq(...), where the side is chosen later
  bool post = false;          // Model: in `ensures`, where the outcome is known
  bool eq_all = false;        // Relational: eq(*) is allowed
  bool measure = false;       // Unary: in `decreases`, of whichever run
  bool proof = false;         // an argument of a lemma, or an invariant of one run
  bool definition = false;    // Unary: in a definition, which no function helps to define
  bool constraint = false;    // Constant: a constraint, which may name functions
  bool entered = false;       // Relational: old(model.x) is the state on entry
  bool behind = false;        // the entry of a function: old(v) is what was passed
  bool alone = false;         // Unary: of the relaxed run by itself, which has the model's state
  bool head = false;          // Relational: of a loop, where `left<r>` means something
  ModelId model = {};         // Model: whose clause this is
  SymbolId snapshot_of = {};  // inside l[...]: the label
  std::string hint = {};      // a help for names that are unknown here
  std::string property_name = {};   // one_side because of this property's
  std::string property_param = {};  // parameter
};

class NameUse {
 public:
  NameUse(Session& session, Scope& scope) : session_(session), scope_(scope) {}

  // The symbol that a name stands for; invalid, and reported, if there is none. Messages
  // call what is looked for `what`.
  SymbolId lookup(const syntax::Ident& ident, const Place& place, std::string_view what);
  // The type of a symbol used as a value without a side; reports where that is not allowed.
  Type use_symbol(SymbolId id, const syntax::Ident& ident, const Place& place);
  // Says so if it is a snapshot, and this is no proof.
  void refuse_snapshot(SymbolId id, const syntax::Ident& ident, const Place& place);
  // Remembers how a relational property uses its parameter.
  void use_param(SymbolId id, ParamUse use, Span at);
  // Says that a function constant by itself is no value.
  void report_bare_rigid(SymbolId id, const syntax::Ident& ident);
  Type state_or_constant(SymbolId id, const syntax::Ident& ident, const Place& place);
  // `model.x` and `M.x`: sets the expression's symbol and type.
  void reach_model_member(syntax::ExprId id, const syntax::Ident& member, ModelId model, Type& type,
                          const Place& place);

 private:
  Session& session_;
  Scope& scope_;
};

}  // namespace leto::check
