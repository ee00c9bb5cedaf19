// A first checker for a problem, made from what the problem says is right.
#pragma once

#include "problem/problem.h"

namespace leto::problem {

struct Derived {
  std::string text = {};  // of the checker; empty: there is none
  Span where = {};        // what no rule is known for
  std::string why = {};
};

// A conjunction is tested part by part, a bounded `forall` by a loop that returns false, a sum by
// an accumulator; what an outermost `exists` finds is a witness. Nothing is believed of what comes
// out: it is a checker like any other, to be proved.
[[nodiscard]] Derived derive(const std::vector<const syntax::Tree*>& trees, const Parts& problem,
                             NameTable& names);

}  // namespace leto::problem
