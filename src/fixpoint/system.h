// A transition system as terms of Z3, and its text.
#pragma once

#include "fixpoint/terms.h"

namespace leto::fixpoint {

struct System {
  explicit System(z3::context& c)
      : context(c),
        init(c.bool_val(true)),
        trans(c.bool_val(true)),
        claim(c.bool_val(true)),
        facts(c.bool_val(true)) {}

  z3::context& context;
  Terms now;   // the variables of the state,
  Terms next;  // and at the same place how each is called in the next state
  Terms inputs;
  z3::expr init, trans, claim, facts;

  [[nodiscard]] z3::expr primed(const z3::expr& term) const { return replaced(term, now, next); }
  // What engines start from, and step by: with the facts at both ends. Simplified, for Z3 ends the
  // process where a formula that is projected has `false` inside.
  [[nodiscard]] z3::expr start() const { return simplified({init, facts}); }
  [[nodiscard]] z3::expr step() const { return simplified({trans, facts, primed(facts)}); }

 private:
  [[nodiscard]] z3::expr simplified(const Terms& terms) const {
    return all_of(context, terms).simplify();
  }
};

// GiveUp where the text is not what fixpoint.h says.
[[nodiscard]] System read_system(z3::context& context, const std::string& text);

}  // namespace leto::fixpoint
