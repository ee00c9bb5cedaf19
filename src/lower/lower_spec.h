// Specifications: pure expressions over one run or both, with properties expanded.
#pragma once

#include <optional>

#include "lower/context.h"

namespace leto::lower {

struct SpecPlace;

// What a parameter of a property, or of a lemma that is called, stands for: an expression of the
// caller.
struct Argument {
  syntax::ExprId expr;
  const SpecPlace* caller;
  std::size_t field = 0;  // of a record: which one the parameter stands for
};

// A value that a function returns, by the name that its contract knows: 'result', or 'result.q'.
struct Returned {
  Name name;
  core::VarId var;
};

struct SpecPlace {
  check::TreeIndex tree = 0;
  bool relational = false;
  std::optional<core::Side> forced;  // inside eq(...) or an argument whose side is chosen
  const std::unordered_map<check::SymbolId, Argument>* arguments = nullptr;
  // What a lemma that is called makes: the variables that have it.
  const std::unordered_map<check::SymbolId, core::VarId>* made = nullptr;
  const std::vector<Returned>* results = nullptr;           // of the function at hand
  bool entry = false;                                       // inout parameters as they were passed
  const std::vector<core::VarId>* params = nullptr;         // for eq(*)
  std::vector<core::Function::Entered>* entered = nullptr;  // for old(model.x) of a function
  const core::While* loop = nullptr;                        // whose invariant it is, for `left`
  // In a model's operator:
  bool post = false;
  core::VarId outcome = {};  // `result`, or `dest` in `ensures` of a write
  core::ExprId exact = {};   // what `exact` stands for
};

[[nodiscard]] core::ExprId lower_spec(Context& context, syntax::ExprId id, const SpecPlace& place);
// Of a record, or of a vector of records, its fields in order; else the value itself.
[[nodiscard]] std::vector<core::ExprId> lower_spec_parts(Context& context, syntax::ExprId id,
                                                         const SpecPlace& place);
// An argument in the place of a parameter, which may be a record.
void pass_argument(const Context& context, check::SymbolId param, syntax::ExprId arg,
                   const SpecPlace& caller,
                   std::unordered_map<check::SymbolId, Argument>& arguments);
// A number in the place of a real is one.
[[nodiscard]] core::ExprId lower_spec_as(Context& context, syntax::ExprId id,
                                         const SpecPlace& place, const core::Type& type);

}  // namespace leto::lower
