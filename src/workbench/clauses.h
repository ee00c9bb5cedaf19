// The clauses of a problem as they are written, for people.
#pragma once

#include <string>

#include "problem/problem.h"
#include "workspace/workspace.h"

namespace leto::workbench {

// On one line, without what stands before it.
[[nodiscard]] std::string written(const SourceStore& sources, const Span& span);

// "clause 1", or "clause 2, right against (k)" where there are challengers.
[[nodiscard]] std::string told_clause(const problem::Parts& problem, std::size_t k,
                                      const NameTable& names);
// "right against (k)"
[[nodiscard]] std::string told_challengers(const syntax::RightMember& right,
                                           const NameTable& names);
// A clause whose challengers are numbers or truth values, without challengers:
// "right forall(uint k)(k < n -> a[k] <= m)". Empty: one of them is a vector, which nothing ranges
// over, or there is none.
[[nodiscard]] std::string as_forall(const problem::Parts& problem, std::size_t k,
                                    const workspace::Workspace& workspace);

}  // namespace leto::workbench
