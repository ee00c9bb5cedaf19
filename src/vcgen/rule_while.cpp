// Rules 5 to 7, while. I are the invariants (unary and relational), c the
// condition with values c_o and c_r; evaluating it may itself be relaxed.
//
// In lockstep:
//   prove I on entry; forget what the loop modifies; assume I; evaluate c in both.
//   Preservation, three cases, each from that state:
//     c_o && c_r     both iterate           prove I
//     !c_o && c_r    only the relaxed run    prove I
//     c_o && !c_r    only the original run   prove the relational I
//   Afterwards: I, !c_o, !c_r.
// The published rule has two cases; without the third the original could go on
// alone and leave the relation.
//
// Where evaluating c is itself relaxed, a run that has left the loop does not
// evaluate c again, although a second evaluation could come out differently. So a
// fourth case lets the original iterate from any state with I while the relaxed
// run, gone before, does nothing; and afterwards !c_r is known only if the relaxed
// run did not leave first. Of a run that has left, it is known that some evaluation
// from the same variables came out false and left the model in its present state.
//
// Relaxed alone: the same with one run; relational invariants are proved too.
// Original alone: unary invariants, which the user wrote, are trusted as assertions
// are. Relational ones are not: they are dropped. (Published: assumed for free.)
//
// Inferred invariants (rule 7) are proved of both runs wherever they are used: nobody wrote
// them, so nothing of the original is taken on trust for them. Where the original iterates
// alone they are not used at all.
//
// Labels: l.entry is the state on entry, l the state at the head of the iteration.
#include <fmt/core.h>

#include "vcgen/walk.h"

namespace leto::vcgen {

namespace {

std::set<core::VarId> unite(std::set<core::VarId> a, const std::set<core::VarId>& b) {
  a.insert(b.begin(), b.end());
  return a;
}

}  // namespace

void Walk::assume_left_before(const core::While& s, const State& head) {
  const State now = state;
  const bool was_quiet = quiet;
  quiet = true;
  state = head;
  std::set<core::VarId> states;
  for (const core::StateVar& m : program().model.states) states.insert(m.var);
  forget(states, Side::Relaxed);
  assume_model_invariants();
  execute(s.before, Run::Relaxed);
  for (core::VarId var : states)
    assume(terms().eq(state.relaxed.at(var).term, head.relaxed.at(var).term));
  assume(terms().not_(formula(s.condition, Side::Relaxed)));
  quiet = was_quiet;
  state = now;
}

// Candidates that do not stand are known only when the whole nest has been walked: then back
// to where it was entered, and once more without them.
void Walk::loop(const core::While& s, Run run, Span at) {
  Result& result = setting_.result;
  if (bounds() != nullptr) {
    snapshots[s.loop].entry = state;
    return unrolled(s, run, run, bounds()->iterations, true);
  }
  if (loops_ > 0 || setting_.judge == nullptr || quiet) {
    ++loops_;
    loop_once(s, run, at);
    --loops_;
    return;
  }
  const State entry = state;
  const auto taken = snapshots;
  const auto came_from = from;
  const std::vector<encode::Choice> chosen = choices;
  const std::size_t known = facts.size(), first = result.obligations.size();
  const Trusted trusted = result.trusted;
  while (true) {
    ++loops_;
    loop_once(s, run, at);
    --loops_;
    if (setting_.judge->stand(result.obligations, first)) return;
    state = entry;
    snapshots = taken;
    from = came_from;
    choices = chosen;
    facts.truncate(known);
    result.obligations.resize(first);
    result.trusted = trusted;
  }
}

void Walk::loop_once(const core::While& s, Run run, Span at) {
  const Term outer = path;
  const std::string outer_situation = situation;
  const auto where = [&](std::string_view what) {
    situation =
        outer_situation.empty() ? std::string(what) : fmt::format("{}; {}", outer_situation, what);
  };
  static const std::vector<Candidate> kNone;
  const std::vector<Candidate>& inferred =
      setting_.judge != nullptr && (run != Run::Original || prove_original)
          ? setting_.judge->candidates()[s.loop.value]
          : kNone;
  // `pair`: whether relational invariants are to be proved.
  const auto prove_invariants = [&](ClaimKind kind, Run who, bool pair) {
    snapshots[s.loop].start = state;
    const char* claim = kind == ClaimKind::InvariantEntry
                            ? "the invariant holds when the loop is entered"
                            : "the invariant is kept";
    for (const core::Invariant& invariant : s.invariants) {
      if (!invariant.relational)
        unary_claim(kind, invariant.expr, who, claim);
      else if (pair)
        prove(kind, relation(invariant.expr), claim, program().exprs[invariant.expr].span,
              {invariant.expr});
    }
    std::vector<Part> parts;
    for (std::size_t k = 0; k < inferred.size(); ++k) {
      const Candidate& c = inferred[k];
      if (c.relational) {
        if (pair) parts.push_back({k, relation(c.expr), c.derived});
        continue;
      }
      if (who != Run::Relaxed) {
        const Term original = formula(c.expr, Side::Original);
        if (falls_into(Trap::InferredTrusted))
          assume(original);
        else
          parts.push_back({k, original, c.derived});
      }
      if (who != Run::Original) parts.push_back({k, formula(c.expr, Side::Relaxed), c.derived});
    }
    prove_inferred(
        kind == ClaimKind::InvariantEntry ? ClaimKind::InferredEntry : ClaimKind::InferredKept,
        s.loop, std::move(parts), at);
  };

  // Entry.
  const State saved_entry = snapshots[s.loop].entry;
  snapshots[s.loop].entry = state;
  const std::size_t before = facts.size();
  prove_invariants(ClaimKind::InvariantEntry, run, run != Run::Original);
  facts.truncate(before);  // the head says it again, of what the loop leaves

  // An arbitrary head.
  const core::Modified by_test = core::modified(program(), s.before),
                       by_body = core::modified(program(), s.body);
  const std::set<core::VarId> original = unite(by_test.original, by_body.original);
  const std::set<core::VarId> relaxed = unite(by_test.relaxed, by_body.relaxed);
  std::vector<Term> fresh;
  for (Side side : {Side::Original, Side::Relaxed}) {
    if (run == (side == Side::Original ? Run::Relaxed : Run::Original)) continue;
    const std::set<core::VarId>& vars = side == Side::Original ? original : relaxed;
    forget(vars, side);
    for (core::VarId var : vars)
      if (const auto it = state.side(side).find(var); it != state.side(side).end())
        fresh.push_back(it->second.term);
  }
  facts.belong_together(fresh);
  snapshots[s.loop].start = state;
  if (run != Run::Original || falls_into(Trap::RelationsOfOriginalAlone)) {
    std::vector<core::ExprId> relations;
    for (const core::Invariant& invariant : s.invariants)
      if (invariant.relational) relations.push_back(invariant.expr);
    for (const Candidate& c : inferred)
      if (c.relational) relations.push_back(c.expr);
    // A label of this loop in its own invariants means the head itself.
    assume_relations(relations, relaxed);
    assume_model_invariants();
    snapshots[s.loop].start = state;
  }
  for (const core::Invariant& invariant : s.invariants) {
    if (invariant.relational) continue;
    if (run != Run::Relaxed) assume(formula(invariant.expr, Side::Original));
    if (run != Run::Original) assume(formula(invariant.expr, Side::Relaxed));
  }
  for (const Candidate& c : inferred) {
    if (c.relational) continue;
    if (run != Run::Relaxed) assume(formula(c.expr, Side::Original));
    if (run != Run::Original) assume(formula(c.expr, Side::Relaxed));
  }
  const State head = state;
  note_moment(encode::Moment::Kind::Head, at);
  const auto at_head = from;

  // The condition.
  execute(s.before, run);
  const State tested = state;
  const std::vector<encode::Choice> in_test = choices;
  const Term c_o =
      run == Run::Relaxed ? terms().boolean(false) : formula(s.condition, Side::Original);
  const Term c_r =
      run == Run::Original ? terms().boolean(false) : formula(s.condition, Side::Relaxed);
  const std::size_t known = facts.size();

  // Preservation. What is learnt inside is forgotten again.
  const auto preserve = [&](Term condition, const State& start, std::string_view what, Run who,
                            bool left_before = false) {
    path = terms().and_(outer, condition);
    if (terms().is_false(path)) return;
    if (left_before) assume_left_before(s, head);
    state = start;
    from = at_head;
    choices = in_test;
    where(what);
    snapshots[s.loop].start = head;
    execute(s.body, who);
    where(what);
    prove_invariants(ClaimKind::InvariantKept, who, run != Run::Original);
    facts.truncate(known);
    situation = outer_situation;
  };
  const Term not_o = terms().not_(c_o), not_r = terms().not_(c_r);
  if (run == Run::Both) {
    preserve(terms().and_(c_o, c_r), tested, "when both runs iterate", Run::Both);
    if (c_o != c_r) {
      preserve(terms().and_(not_o, c_r), tested, "when only the relaxed run iterates",
               Run::Relaxed);
      if (!falls_into(Trap::TwoLoopCases))
        preserve(terms().and_(c_o, not_r), tested, "when only the original run iterates",
                 Run::Original);
    }
  } else if (run == Run::Relaxed) {
    preserve(c_r, tested, "when the relaxed run iterates alone", Run::Relaxed);
  } else if (prove_original) {
    preserve(c_o, tested, "when the original run iterates", Run::Original);
  }
  Term gone = terms().boolean(false);
  if (run == Run::Both && core::has_fault_sites(program(), s.before) &&
      !falls_into(Trap::TestIsRepeated)) {
    State left = head;
    left.original = tested.original;
    preserve(c_o, left, "when only the original run iterates, the relaxed run having left before",
             Run::Original, true);
    gone = terms().symbol("the relaxed run left first", logic::kBool);
  }

  // Afterwards.
  path = outer;
  situation = outer_situation;
  if (!terms().is_false(gone)) {
    path = terms().and_(outer, gone);
    assume_left_before(s, head);
    path = outer;
  }
  state = tested;
  if (!terms().is_false(gone))
    for (auto& [var, v] : state.relaxed)
      if (const auto it = head.relaxed.find(var); it != head.relaxed.end())
        v.term = terms().ite(gone, it->second.term, v.term);
  if (run != Run::Relaxed) assume(not_o);
  if (run != Run::Original) assume(terms().or_(gone, not_r));
  snapshots[s.loop].entry = saved_entry;
  note_moment(encode::Moment::Kind::AfterLoop, at);
}

}  // namespace leto::vcgen
