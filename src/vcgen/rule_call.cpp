// Rule 8, calls.
//
// In lockstep, a callee with a contract:
//   prove its requires (assumed of the original, proved of the relaxed run; the
//   relational ones of the pair); forget the model's state as far as the callee may
//   change it; the result is anything for which the ensures hold.
// A callee without a contract is looked into: its body is walked in place.
//
// Where the runs have parted, the contract says nothing of the relaxed run: it was
// proved of a pair of runs, and may rest on what the original asserts. So there the
// body is walked in place too, and a recursive call cannot be followed. Of the
// original alone, the contract is trusted as assertions are.
//
// Of an external function there is nothing but its clauses. Its requires and ensures are
// about every call by itself, so they serve a run alone too; its relational ones are
// about the two calls of a pair. Whatever they leave open differs between the runs.
#include <fmt/core.h>

#include <algorithm>

#include "vcgen/walk.h"

namespace leto::vcgen {

void Walk::call(const core::Call& s, Run run, Span at) {
  const core::Function& f = program().functions[s.callee];
  const auto each_side = [&](auto go) {
    if (run != Run::Relaxed) go(Side::Original);
    if (run != Run::Original) go(Side::Relaxed);
  };
  std::vector<std::pair<Side, std::vector<Value>>> arguments;
  each_side([&](Side side) {
    std::vector<Value> values;
    for (std::size_t i = 0; i < s.args.size(); ++i)
      values.push_back(encoder().coerce(value(s.args[i], side), program().vars[f.params[i]].type));
    arguments.emplace_back(side, std::move(values));
  });
  for (const auto& [side, values] : arguments)
    for (std::size_t i = 0; i < values.size(); ++i) set(f.params[i], side, values[i]);
  for (const core::ParamSize& size : f.sizes) {
    each_side([&](Side side) {
      const Term same = terms().eq(state.side(side).at(size.param).sizes[size.dimension],
                                   formula(size.size, side));
      if (side == Side::Original && !prove_original)
        trust(same, setting_.result.trusted.checks);
      else
        prove(ClaimKind::Check, same, fmt::format("the sizes agree with those of '{}'", f.name), at,
              {});
    });
  }

  const bool recursive = std::find(calls.begin(), calls.end(), s.callee) != calls.end();
  const bool by_contract =
      f.external() || (bounds() == nullptr && f.has_contract() &&
                       (run != Run::Relaxed || falls_into(Trap::ContractOfRunAlone)));
  if (!by_contract) {
    if (recursive && bounds() != nullptr) {  // no further than this
      assume(terms().boolean(false));
      if (s.target.valid())
        each_side([&](Side side) { set(s.target, side, unknown(s.target, side)); });
      return;
    }
    if (recursive) {
      prove(ClaimKind::Recursion, terms().boolean(false),
            fmt::format("the recursive call of '{}' can be followed where the runs have parted",
                        f.name),
            at, {});
      if (s.target.valid())
        each_side([&](Side side) { set(s.target, side, unknown(s.target, side)); });
      return;
    }
    if (bounds() != nullptr)
      for (const core::Clause& clause : f.requires_) {
        const std::string text = fmt::format("the requirement of '{}' holds", f.name);
        if (!clause.relational && run != Run::Relaxed)
          unary_claim(ClaimKind::Requires, clause.expr, run, text);
        else if (clause.relational && run == Run::Both)
          prove(ClaimKind::Requires, relation(clause.expr), text, at, {clause.expr});
      }
    // Until it is returned, the result is anything; it must exist where branches join.
    if (f.result.valid())
      each_side([&](Side side) { set(f.result, side, unknown(f.result, side)); });
    calls.push_back(s.callee);
    execute(f.body, run);
    calls.pop_back();
    if (s.target.valid())
      each_side([&](Side side) {
        WalkEnvironment environment(*this, state, side);
        set(s.target, side, environment.variable(f.result, side));
      });
    return;
  }

  const std::string claim = fmt::format("the requirement of '{}' holds", f.name);
  for (const core::Clause& clause : f.requires_) {
    if (falls_into(Trap::RequirementsNotShown)) break;
    if (!clause.relational)
      unary_claim(ClaimKind::Requires, clause.expr, run, claim);
    else if (run == Run::Both)
      prove(ClaimKind::Requires, relation(clause.expr), claim, at, {clause.expr});
  }
  const core::Modified changed = core::modified(program(), f.body);
  for (const core::StateVar& m : program().model.states) {
    if (run != Run::Relaxed && changed.original.contains(m.var)) forget({m.var}, Side::Original);
    if (run != Run::Original && changed.relaxed.contains(m.var)) forget({m.var}, Side::Relaxed);
  }
  if (run != Run::Original) assume_model_invariants();
  if (f.result.valid()) each_side([&](Side side) { set(f.result, side, unknown(f.result, side)); });
  if (run == Run::Both) {
    std::vector<core::ExprId> relations;
    for (const core::Clause& clause : f.ensures)
      if (clause.relational) relations.push_back(clause.expr);
    assume_relations(relations, {f.result});
  }
  for (const core::Clause& clause : f.ensures)
    if (!clause.relational) each_side([&](Side side) { assume(formula(clause.expr, side)); });
  if (s.target.valid())
    each_side([&](Side side) { set(s.target, side, state.side(side).at(f.result)); });
  note_moment(encode::Moment::Kind::AfterCall, at);
}

}  // namespace leto::vcgen
