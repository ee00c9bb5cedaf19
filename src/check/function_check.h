// Functions: contracts, parameters, statements.
#pragma once

#include "check/expr_check.h"

namespace leto::check {

// What later passes need to know of a function.
struct FunctionFacts {
  SymbolId symbol;
  std::vector<SymbolId> calls;
  std::vector<LemmaUse> lemmas;
  std::vector<LemmaUse> pure_uses;
  // Called in what is done again under another model, and that model as it is named there.
  std::vector<std::pair<SymbolId, syntax::Ident>> redone;
  bool external = false;
  bool relaxed = false;  // has a dotted operation or a variable in a region
};

FunctionFacts check_function(Session& session, SymbolId function);

// Parameters of functions and properties: types and sizes.
void declare_params(Session& session, Scope& scope, ExprChecker& exprs,
                    const std::vector<syntax::Param>& params, SymbolKind kind, TreeIndex tree,
                    bool sizes_may_lack = false);

}  // namespace leto::check
