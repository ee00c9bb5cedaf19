// Rules 5 to 7, while. U are the unary invariants that the user wrote, R the relational ones; u
// and r are inferred facts of either kind; c is the test, with values c_o and c_r in the runs.
//
// At a loop each run is *in*, or it has *left*: its test came out false at a head. A run that has
// left does nothing more in the loop. In particular it never evaluates the test again, although a
// second evaluation could come out differently if the test is not plain. (A test is plain if it is
// a function of the run's variables: no relaxed operation, no access to a region, no call, no state
// of the model.) A joint head is a pair of states in which at least one run is in.
//
// In lockstep:
//   Entry   both are in. Prove R, r, u of both runs, U of the relaxed run; U of the original is
//           proved in its own walk.
//   Head    forget what test and body can set; assume R and r, and the model's invariants; assume U
//   and
//           u of each run: one that has left has the variables of its last head, and U and u name
//           no state of the model.
//   Iteration
//     1  both in, c_o && c_r        both do the body, in lockstep      prove R, r; U, u of both
//     2  both in, !c_o && c_r       the relaxed run alone              prove R, r; U, u of it
//     3  both in, c_o && !c_r       the original alone                 prove R, r; u of it
//     5  original left, c_r         the relaxed run alone              as 2
//     6  relaxed left, c_o          the original alone                 as 3
//   After   both in, !c_o && !c_r; or the original has left, !c_r; or the relaxed run has left,
//   !c_o.
// With a plain test 5 and 6 are instances of 2 and 3 and are left out. The same goes if c_o and c_r
// are one term: then the runs leave together. (The published rule has cases 1 and 2 only; without
// the third the original could go on alone and leave the relation.)
//
// Relaxed alone, and the original alone in its own walk: one run, cases "true" and "false".
// Relaxed alone relational invariants are proved too, of the pair with the other run as it stands.
// Original alone in a relational walk: U is trusted as assertions are. Relational invariants and
// inferred facts are dropped. (Published: assumed for free.)
//
// Inferred facts (rule 7) are proved of both runs wherever they are used: nobody wrote
// them, so nothing of the original is taken on trust for them.
//
// What is known of a run that has left by a test that is not plain can only be a fact that was
// proved when it left: the variable `left` says whether a run has, and candidates speak of it.
//
// A loop that returns from its middle tests a flag, and an invariant is claimed only where a run is
// really at a head (Invariant::only_if): nothing is proved or trusted of a run that has returned,
// and relational invariants only where a run is in the loop and has not.
//
// Labels: l.entry is the state on entry, l the state at the head of the iteration.
#include <fmt/core.h>

#include "vcgen/strategy.h"

namespace leto::vcgen {

// Where a walk is, with all that it has said so far.
class Checkpoint {
 public:
  explicit Checkpoint(Walk& walk)
      : walk_(walk),
        state_(walk.state),
        snapshots_(walk.snapshots),
        from_(walk.from),
        choices_(walk.choices),
        facts_(walk.facts.size()),
        since_(walk.since),
        obligations_(walk.setting().result.obligations.size()),
        assumptions_(walk.setting().result.assumptions.size()),
        trusted_(walk.setting().result.trusted) {}

  [[nodiscard]] std::size_t obligations() const { return obligations_; }
  void go_back() const {
    walk_.state = state_;
    walk_.snapshots = snapshots_;
    walk_.from = from_;
    walk_.choices = choices_;
    walk_.facts.truncate(facts_);
    walk_.since = since_;
    walk_.walked_.clear();
    Result& result = walk_.setting().result;
    result.obligations.resize(obligations_);
    result.assumptions.resize(assumptions_);
    result.trusted = trusted_;
  }

 private:
  Walk& walk_;
  State state_;
  std::map<core::LoopId, Snapshots> snapshots_;
  std::shared_ptr<const encode::Moment> from_;
  std::vector<encode::Choice> choices_;
  std::size_t facts_, since_, obligations_, assumptions_;
  Trusted trusted_;
};

// One loop, once, with the candidates as they are.
class LoopRule {
 public:
  LoopRule(Walk& walk, const core::While& s, Run run, Span at)
      : w_(walk),
        s_(s),
        run_(run),
        at_(at),
        outer_situation_(walk.situation),
        occurrence_{s.loop, walk.place, run, walk.prove_original} {
    const bool uses_inferred = run != Run::Original || w_.prove_original;
    if (w_.setting_.judge != nullptr && uses_inferred)
      inferred_ = w_.setting_.judge->candidates(occurrence_);
    fallen_.resize(inferred_.size());
    unused_.resize(inferred_.size());
    statuses_ = needs_statuses();
  }

  void apply() {
    const Restored outside(w_.snapshots);  // labels are for the inside of a loop
    w_.drop_declared(s_.body);
    w_.snapshots[s_.loop].entry = w_.state;
    const std::size_t before = w_.facts.size();
    set_left(run_);
    prove_invariants(ClaimKind::InvariantEntry, run_);
    drop_fallen();
    w_.facts.truncate(before);  // the head says it again, of what the loop leaves
    if (w_.loops_around == 1) w_.since = before;
    const std::uint32_t at_entry = w_.facts.last();
    go_to_head();
    iterate();
    w_.state = std::move(after_);
    w_.situation = outer_situation_;
    w_.note_assumption(ClaimKind::LoopEnds, {}, at_, run_, at_entry);
    w_.note_moment(encode::Moment::Kind::AfterLoop, at_);
  }

 private:
  [[nodiscard]] logic::TermTable& terms() { return w_.terms(); }
  void say(std::string_view what) {
    w_.situation = outer_situation_.empty() ? std::string(what)
                                            : fmt::format("{}; {}", outer_situation_, what);
  }
  [[nodiscard]] bool relational() const { return run_ != Run::Original; }

  // The claims at a head, of the runs that stay and of the pair.
  void prove_invariants(ClaimKind kind, Run who) {
    w_.snapshots[s_.loop].start = w_.state;
    for (const core::Invariant& invariant : s_.invariants) {
      const Span at = w_.program().exprs[invariant.expr].span;
      if (!invariant.relational)
        w_.unary_claim(kind, invariant.expr, who, {}, at, head_of(invariant));
      else if (relational())
        w_.prove(kind, at_head(invariant, w_.relation(invariant.expr)), {}, at, {invariant.expr});
    }
    std::vector<Part> parts;
    for (std::size_t k = 0; k < inferred_.size(); ++k)
      if (!fallen_[k]) add_parts(k, who, parts);
    w_.prove_inferred(
        kind == ClaimKind::InvariantEntry ? ClaimKind::InferredEntry : ClaimKind::InferredKept,
        occurrence_, std::move(parts), at_);
  }
  void add_parts(std::size_t k, Run who, std::vector<Part>& parts) {
    const Candidate& c = inferred_[k];
    if (c.relational) {
      if (relational()) parts.push_back({k, w_.relation(c.expr), c.derived});
      return;
    }
    each_side(who, [&](Side side) {
      const Term holds = w_.formula(c.expr, side);
      if (side == Side::Original && w_.falls_into(Trap::InferredTrusted))
        w_.assume(holds);
      else
        parts.push_back({k, holds, c.derived});
    });
  }
  // What does not hold on entry says nothing of the loop, and what contradicts it hides what else
  // falls. The nest is walked again without it anyway.
  void drop_fallen() {
    const std::vector<Obligation>& all = w_.setting_.result.obligations;
    if (w_.setting_.judge == nullptr || all.empty()) return;
    const Obligation& last = all.back();
    if (last.claim.kind != ClaimKind::InferredEntry || last.occurrence != occurrence_) return;
    for (const Judge::Fallen& f : w_.setting_.judge->find_fallen(all, all.size() - 1)) {
      fallen_[f.candidate] = true;
      unused_[f.candidate] = !f.weaker_comes;
    }
  }
  [[nodiscard]] core::ExprId head_of(const core::Invariant& invariant) const {
    return w_.falls_into(Trap::HeadAfterReturn) ? core::ExprId{} : invariant.only_if;
  }
  Term at_head(const core::Invariant& invariant, Term holds) {
    const core::ExprId head = head_of(invariant);
    return head.valid() ? terms().implies(w_.relation(head), holds) : holds;
  }

  // An arbitrary head.
  void go_to_head() {
    const core::Modified changed = w_.setting_.effects.of(s_);
    std::vector<Term> fresh;
    each_side(run_, [&](Side side) {
      const auto& vars = side == Side::Original ? changed.original : changed.relaxed;
      w_.forget(vars, side);
      for (core::VarId var : vars)
        if (const Value* found = w_.state.side(side).find(var)) fresh.push_back(found->term);
    });
    if (statuses_) {
      left_o_ = terms().symbol("the original has left", logic::kBool);
      left_r_ = terms().symbol("the relaxed run has left", logic::kBool);
      w_.set(s_.left, Side::Original, {left_o_, {}});
      w_.set(s_.left, Side::Relaxed, {left_r_, {}});
    }
    w_.facts.belong_together(fresh);
    w_.snapshots[s_.loop].start = w_.state;
    if (relational()) assume_relational(changed.relaxed);
    if (!relational() && w_.falls_into(Trap::RelationsOfOriginalAlone))
      for (const core::Invariant& invariant : s_.invariants)
        if (invariant.relational) w_.assume(w_.relation(invariant.expr));
    for (const core::Invariant& invariant : s_.invariants)
      if (!invariant.relational)
        each_side(run_, [&](Side side) {
          const core::ExprId head = head_of(invariant);
          const Term holds = w_.formula(invariant.expr, side);
          w_.assume(head.valid() ? terms().implies(w_.formula(head, side), holds) : holds);
        });
    for (std::size_t k = 0; k < inferred_.size(); ++k)
      if (!inferred_[k].relational && !unused_[k])
        each_side(run_, [&](Side side) { w_.assume(w_.formula(inferred_[k].expr, side)); });
    head_ = w_.state;
    w_.note_moment(encode::Moment::Kind::Head, at_);
    from_ = w_.from;
  }
  void assume_relational(const std::set<core::VarId>& forgotten) {
    std::vector<core::ExprId> plain;
    for (const core::Invariant& invariant : s_.invariants)
      if (invariant.relational && !head_of(invariant).valid()) plain.push_back(invariant.expr);
    for (std::size_t k = 0; k < inferred_.size(); ++k)
      if (inferred_[k].relational && !unused_[k]) plain.push_back(inferred_[k].expr);
    const std::vector<core::ExprId> rest = w_.unite(plain, forgotten);
    // A label of this loop in its own invariants means the head itself.
    w_.snapshots[s_.loop].start = w_.state;
    for (core::ExprId id : rest) w_.assume(w_.relation(id));
    for (const core::Invariant& invariant : s_.invariants)
      if (invariant.relational && head_of(invariant).valid())
        w_.assume(at_head(invariant, w_.relation(invariant.expr)));
    w_.assume_model_invariants();
  }

  // The iterations, and what is known behind them.
  void iterate() {
    if (run_ != Run::Both) {
      const Term on = test(run_);
      if (run_ == Run::Relaxed)
        body(on, "when the relaxed run iterates alone", Run::Relaxed);
      else if (w_.prove_original)
        body(on, "when the original run iterates", Run::Original);
      w_.assume(terms().not_(on));
      after_ = tested_;
      return;
    }
    if (!statuses_) {
      together();
      after_ = tested_;
      return;
    }
    const Term left_o = left_o_, left_r = left_r_;
    std::vector<Walk::Case> ends;
    const auto with = [&](Term status, const char* what, auto go) {
      w_.on_path(status, [&] {
        w_.state = head_;
        w_.from = from_;
        w_.choices.clear();
        go();
        ends.push_back({status, tested_, what});
      });
    };
    bool parts = false;
    with(terms().and_(terms().not_(left_o), terms().not_(left_r)),
         "the runs leave the loop together", [&] { parts = together(); });
    if (parts && !w_.falls_into(Trap::OriginalNeverLeavesFirst))
      with(terms().and_(left_o, terms().not_(left_r)), "the original left the loop first", [&] {
        const Term on = test(Run::Relaxed);
        body(on, "when only the relaxed run iterates, the original having left before",
             Run::Relaxed);
        w_.assume(terms().not_(on));
      });
    if (parts)
      with(terms().and_(left_r, terms().not_(left_o)), "the relaxed run left the loop first", [&] {
        const Term on = test(Run::Original);
        body(on, "when only the original run iterates, the relaxed run having left before",
             Run::Original);
        w_.assume(terms().not_(on));
      });
    std::vector<Term> possible;
    for (const Walk::Case& end : ends) possible.push_back(end.condition);
    w_.assume(terms().or_(std::move(possible)));
    w_.situation = outer_situation_;
    w_.join(ends, head_, at_);
    after_ = w_.state;
  }

  // Both are in. Whether one can leave without the other.
  bool together() {
    w_.execute(s_.before, Run::Both);
    tested_ = w_.state;
    in_test_ = w_.choices;
    const Term c_o = w_.formula(s_.condition, Side::Original);
    const Term c_r = w_.formula(s_.condition, Side::Relaxed);
    const Term not_o = terms().not_(c_o), not_r = terms().not_(c_r);
    body(terms().and_(c_o, c_r), "when both runs iterate", Run::Both);
    if (c_o != c_r) {
      body(terms().and_(not_o, c_r), "when only the relaxed run iterates", Run::Relaxed);
      if (!w_.falls_into(Trap::TwoLoopCases))
        body(terms().and_(c_o, not_r), "when only the original run iterates", Run::Original);
    }
    w_.assume(not_o);
    w_.assume(not_r);
    return c_o != c_r;
  }

  // One run evaluates the test.
  Term test(Run who) {
    w_.execute(s_.before, who);
    tested_ = w_.state;
    in_test_ = w_.choices;
    return w_.formula(s_.condition, who == Run::Original ? Side::Original : Side::Relaxed);
  }

  // The body by some runs, and what is to be shown at the next head. What is learnt inside is
  // forgotten again.
  void body(Term condition, std::string_view what, Run who) {
    if (terms().is_false(terms().and_(w_.path, condition))) return;
    const std::size_t known = w_.facts.size();
    w_.on_path(condition, [&] {
      w_.state = tested_;
      w_.from = from_;
      w_.choices = in_test_;
      say(what);
      w_.snapshots[s_.loop].start = head_;
      w_.execute(s_.body, who);
      say(what);
      w_.prove_falls(s_, who, at_);  // the label still means the head before
      set_left(who);
      prove_invariants(ClaimKind::InvariantKept, who);
    });
    w_.facts.truncate(known);
    w_.situation = outer_situation_;
    w_.state = tested_;
  }

  // These runs are in; the others have left, or never came.
  void set_left(Run in) {
    if (!statuses_ && !s_.returned.valid()) return;
    w_.set(s_.left, Side::Original, {terms().boolean(in == Run::Relaxed), {}});
    w_.set(s_.left, Side::Relaxed, {terms().boolean(in == Run::Original), {}});
  }

  // Whether a run that has left must be told from one that has not.
  [[nodiscard]] bool needs_statuses() const {
    if (run_ == Run::Both && s_.returned.valid()) return true;
    return run_ == Run::Both && !w_.setting_.effects.is_plain_test(s_) &&
           !w_.falls_into(Trap::TestIsRepeated) &&
           !(w_.falls_into(Trap::StateIsNoEffect) && !has_sites(s_.before));
  }
  [[nodiscard]] bool has_sites(core::StmtId id) const {
    bool any = false;
    core::for_each_statement(w_.program(), id, [&](core::StmtId inner) {
      any = any || core::site_of(w_.program().stmts[inner]) != nullptr;
    });
    return any;
  }

  Walk& w_;
  const core::While& s_;
  Run run_;
  Span at_;
  std::string outer_situation_;
  Occurrence occurrence_;
  std::vector<Candidate> inferred_;
  std::vector<bool> fallen_, unused_;  // of those, on entry; see Judge
  bool statuses_ = false;
  Term left_o_, left_r_;  // at the head
  State head_, tested_, after_;
  std::shared_ptr<const encode::Moment> from_;  // the head, for explanations
  std::vector<encode::Choice> in_test_;
};

// Candidates that do not stand are known only when the whole nest has been walked: then back
// to where it was entered, and once more without them.
void prove_loop(Walk& walk, const core::While& s, Run run, Span at) {
  Judge* judge = walk.setting().judge;
  const auto walk_once = [&] {
    const Restored around(walk.loops_around, walk.loops_around + 1);
    LoopRule(walk, s, run, at).apply();
  };
  if (walk.loops_around > 0 || judge == nullptr) return walk_once();
  const Result& result = walk.setting().result;
  const Checkpoint entry(walk);
  while (true) {
    walk_once();
    if (judge->stand(result.obligations, entry.obligations())) return;
    entry.go_back();
  }
}

}  // namespace leto::vcgen
