// The search for runs that break a claim. No proof rule: nothing that is found here is believed
// until the interpreter has executed it, so it may leave out whatever makes it slow.
//
//   loops      are unrolled, each run by its own condition; more iterations than allowed are not
//              looked at
//   calls      are looked into, contracts or not
//   vectors    have one size and are written out, element by element
//   claims     that are sought are not assumed afterwards; nor are those that do not end a run
#include <algorithm>

#include "vcgen/walk.h"

namespace leto::vcgen {

void Walk::unrolled(const core::While& s, Run run, Run in_loop, unsigned left, bool entry) {
  drop_declared(s.body);
  set(s.left, Side::Original, {terms().boolean(in_loop == Run::Relaxed), {}});
  set(s.left, Side::Relaxed, {terms().boolean(in_loop == Run::Original), {}});
  snapshots[s.loop].start = state;
  const ClaimKind kind = entry ? ClaimKind::InvariantEntry : ClaimKind::InvariantKept;
  for (const core::Invariant& invariant : s.invariants) {
    const Span at = program().exprs[invariant.expr].span;
    if (!invariant.relational) {
      unary_claim(kind, invariant.expr, in_loop, {}, at, invariant.only_if);
    } else if (run != Run::Original) {
      Term holds = relation(invariant.expr);
      if (invariant.only_if.valid()) holds = terms().implies(relation(invariant.only_if), holds);
      prove(kind, holds, {}, at, {invariant.expr});
    }
  }
  execute(s.before, in_loop);
  const Term none = terms().boolean(false);
  const Term c_o = in_loop == Run::Relaxed ? none : formula(s.condition, Side::Original);
  const Term c_r = in_loop == Run::Original ? none : formula(s.condition, Side::Relaxed);
  const Term not_o = terms().not_(c_o), not_r = terms().not_(c_r);
  if (left == 0) {
    assume(not_o);
    assume(not_r);
    return;
  }
  const State before = state;
  const Snapshots taken = snapshots[s.loop];
  const Term outer = path;
  std::vector<Case> cases;
  const auto go = [&](Term condition, std::optional<Run> who) {
    path = terms().and_(outer, condition);
    if (terms().is_false(condition) || terms().is_false(path)) return;
    state = before;
    snapshots[s.loop] = taken;
    if (who) {
      execute(s.body, *who);
      unrolled(s, run, *who, left - 1, false);
    }
    cases.push_back({condition, state, {}});
  };
  go(terms().and_(c_o, c_r), Run::Both);
  if (c_o != c_r) {
    go(terms().and_(not_o, c_r), Run::Relaxed);
    go(terms().and_(c_o, not_r), Run::Original);
  }
  go(terms().and_(not_o, not_r), std::nullopt);
  path = outer;
  if (cases.empty()) {
    state = before;
    return;
  }
  join(cases, before, {});
}

void Walk::write_each(const core::Write& s, core::StmtId id, const Value& source, Span at) {
  const core::Type element = program().vars[s.target].type.element();
  const bool is_read = !s.site.specifications.empty() &&
                       program().specifications[s.site.specifications[0]].params.size() == 1;
  Value written = source;
  for (const std::vector<Term>& indices : all_indices(source.sizes)) {
    const std::map<core::VarId, Value> before = model_state(*this);
    std::map<core::VarId, Value> after = before;
    for (core::VarId var : core::states_modified(program(), s.site))
      after[var] = fresh(program().vars[var].name, program().vars[var].type, {});
    const Value exact = encoder().coerce({encoder().select(source, indices), {}}, element);
    std::vector<Value> args;
    if (!is_read) args.push_back({encoder().select(state.relaxed.at(s.target), indices), {}});
    args.push_back(exact);
    const Value outcome = fresh(program().vars[s.target].name, element, {});
    const Step step = specified_step(*this, s.site, args, outcome, before, after);
    prove(ClaimKind::Enabled, step.enabled, {s.site.what}, at, {});
    assume(step.outcome);
    note_choice(id, s.site, exact.term, outcome, step.allows, before, after);
    for (const auto& [var, v] : after) set(var, Side::Relaxed, v);
    written = encoder().store(written, indices, outcome.term);
  }
  set(s.target, Side::Relaxed, written);
}

// All index tuples of a vector or matrix whose sizes are known; none if they are not, or if
// there are too many.
std::vector<std::vector<Term>> Walk::all_indices(const std::vector<Term>& sizes) const {
  constexpr std::int64_t kMost = 32;
  std::vector<std::vector<Term>> out{{}};
  for (Term size : sizes) {
    const std::optional<std::int64_t> n = setting_.terms.integer(size);
    if (!n || *n < 0 || *n * static_cast<std::int64_t>(out.size()) > kMost) return {};
    std::vector<std::vector<Term>> longer;
    for (const std::vector<Term>& start : out)
      for (std::int64_t k = 0; k < *n; ++k) {
        longer.push_back(start);
        longer.back().push_back(setting_.terms.integer(k));
      }
    out = std::move(longer);
  }
  return out;
}

Value Walk::input(core::VarId var, Side side, std::vector<Term> sizes) {
  const core::Var& v = program().vars[var];
  const std::string name = v.name + (side == Side::Original ? "<o>" : "<r>");
  if (!bounds()->integers || v.type.base != core::Base::Real)
    return fresh(name, v.type, std::move(sizes));
  const core::Type whole{core::Base::Int, false, 0};
  if (v.type.rank == 0) return encoder().coerce(fresh(name, whole, {}), v.type);
  Value out = encoder().zero(v.type, std::move(sizes));
  for (const std::vector<Term>& at : all_indices(out.sizes))
    out = encoder().store(out, at, terms().to_real(fresh(name, whole, {}).term));
  return out;
}

Term Walk::named(Term formula) {
  const logic::Kind kind = terms()[formula].kind;
  if (kind == logic::Kind::Symbol || kind == logic::Kind::True || kind == logic::Kind::False ||
      kind == logic::Kind::Number)
    return formula;
  const Term name = terms().symbol("named", terms().sort(formula));
  facts.add(terms().eq(name, formula));
  return name;
}

void Walk::seek(Term goal, const ClaimId& claim, const About& about) {
  const auto& wanted = bounds()->wanted;
  if (std::find(wanted.begin(), wanted.end(), claim) != wanted.end()) {
    Obligation o = obligation(claim, goal);
    o.expr = about.expr;
    o.side = about.side;
    if (terms().is_true(o.goal)) return;
    o.hypotheses = complete(o.goal, facts.all(), o.array_facts);
    o.origins.from = from;
    o.origins.now = moment(encode::Moment::Kind::Claim, claim.at);
    o.origins.choices = choices;
    setting_.result.obligations.push_back(std::move(o));
    return;
  }
  // What ends a run that breaks it; other claims do not.
  if (core::ends_run(claim.kind)) assume(goal);
}

}  // namespace leto::vcgen
