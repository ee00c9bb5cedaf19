// What is wrong with a problem or a checker as a whole.
#pragma once

#include "problem/problem.h"

namespace leto::problem {

// Says what is wrong; true: nothing is.
[[nodiscard]] bool is_well_made(const std::vector<const syntax::Tree*>& trees, const Parts& problem,
                                const NameTable& names, DiagnosticSink& sink);
[[nodiscard]] bool is_well_made(const std::vector<const syntax::Tree*>& trees,
                                const syntax::Tree& tree, const syntax::ProvedCheckerItem& checker,
                                const Parts& problem, const NameTable& names, DiagnosticSink& sink);
// The same of `P.right(inputs; outputs against z)`, as far as it is about numbers of things.
[[nodiscard]] bool is_well_used(const std::vector<const syntax::Tree*>& trees,
                                const syntax::CallExpr& use, const NameTable& names,
                                DiagnosticSink& sink);

// What is wrong with `R(P(inputs; outputs))` before a function, as far as it is about problems.
void check_bounds(const std::vector<const syntax::Tree*>& trees,
                  const syntax::FunctionItem& function, const NameTable& names,
                  DiagnosticSink& sink);

}  // namespace leto::problem
