#include "transition/moves.h"

#include <fmt/core.h>

#include <unordered_set>

#include "transition/terms.h"

namespace leto::transition {

using logic::Kind;

Moves moves_of(const System& system) {
  TermTable& table = *system.terms;
  Moves out;
  if (system.steps.size() > 1) {
    for (const Step& step : system.steps) out.alternatives.push_back(step.formula);
    out.rest = system.common;
    return out;
  }
  const Term whole = relation_of(system);
  const std::vector<Term> parts =
      table[whole].kind == Kind::And ? table[whole].args : std::vector<Term>{whole};
  std::optional<Term> largest;
  for (const Term part : parts)
    if (table[part].kind == Kind::Or &&
        (!largest || table[part].args.size() > table[*largest].args.size()))
      largest = part;
  std::vector<Term> rest;
  for (const Term part : parts)
    if (part != largest) rest.push_back(part);
  out.alternatives = largest ? table[*largest].args : std::vector{table.boolean(true)};
  out.rest = table.and_(std::move(rest));
  return out;
}

namespace {

// Variables of which nobody reads what they were.
std::vector<bool> unread_variables(const System& system, const Claim& claim) {
  std::unordered_set<Term> seen;
  for (const Term formula : {relation_of(system), system.assumed, claim.formula})
    visit_once(
        *system.terms, formula, [&](Term t) { return seen.contains(t); },
        [&](Term t) { seen.insert(t); });
  std::vector<bool> out;
  for (const Variable& variable : system.variables) out.push_back(!seen.contains(variable.now));
  return out;
}

}  // namespace

// States 0, 1 and 2 follow one another; 3 is where the joint step is to lead.
Transitivity::Transitivity(const System& system, const Claim& claim, const Moves& moves,
                           std::uint64_t memory_mb)
    : count_(moves.alternatives.size()), script_(system), session_(z3_session(), memory_mb) {
  TermTable& table = *system.terms;
  const Term later = to_next(system)(system.assumed);
  std::string text;
  for (unsigned at = 0; at <= 3; ++at) text += script_.declare_state(at);
  for (unsigned at = 0; at <= 1; ++at) text += script_.declare_inputs(at);
  const std::vector<bool> unread = unread_variables(system, claim);
  for (std::size_t i = 0; i < unread.size(); ++i)
    text += fmt::format("(assert (= x{}.3 x{}.{}))\n", i, i, unread[i] ? 1 : 2);
  const auto define = [&](const std::string& name, Term formula) {
    script_.add(name, formula);
    text += script_.define(name, 0) + script_.define(name, 1) +
            script_.define_as(name + ".joint", name, 0, 3, 0);
  };
  define("rest", table.and_({moves.rest, system.assumed, later}));
  for (std::size_t i = 0; i < count_; ++i) define(fmt::format("move{}", i), moves.alternatives[i]);
  session_.tell(text);
}

void Transitivity::ask(std::size_t move) {
  session_.ask(
      fmt::format("(push 1)\n(assert (and rest.0 rest.1 move{0}.0 move{0}.1 (not (and rest.joint "
                  "move{0}.joint))))\n(check-sat)\n(pop 1)\n",
                  move));
}

bool Transitivity::advance(Slice& slice, const Allowance& allowance) {
  while (found_.size() < count_) {
    if (!session_.is_asked()) ask(found_.size());
    const std::optional<std::string> reply = session_.wait(slice, allowance);
    if (!reply && !session_.is_dead()) return false;
    found_.push_back(reply && answer_in(*reply) == Answer::Unsat);
  }
  return true;
}

}  // namespace leto::transition
