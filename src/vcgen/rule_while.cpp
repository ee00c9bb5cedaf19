// Rules 5 to 7, while. U are the unary invariants that the user wrote, R the relational ones; u
// and r are inferred facts of either kind; c is the test, with values c_o and c_r in the runs.
//
// At a loop each run is *in*, or it has *left*: by its test, which came out false at a head, or
// from the middle of the body, by `break`, `return`, or `break` or `continue` of a loop around. A
// run that has left does nothing more in the loop. In particular it never evaluates the test again,
// although a second evaluation could come out differently if the test is not plain. (A test is
// plain if it is a function of the run's variables: no relaxed operation, no access to a region, no
// call, no state of the model.) A joint head is a pair of states in which at least one run is in.
//
// In lockstep:
//   Entry   both are in. Prove R, r, u of both runs, U of the relaxed run; U of the original is
//           proved in its own walk.
//   Head    forget what test and body can set; not both have left. Assume R and r, and the model's
//           invariants; U and u of each run that is in or has left by its test: that one has the
//           variables of its last head, and U and u name no state of the model. Of a run that has
//           left from the middle neither is known: there it was at no head.
//   Iteration
//     1  both in, c_o && c_r        both do the body, in lockstep
//     2  both in, !c_o && c_r       the relaxed run alone
//     3  both in, c_o && !c_r       the original alone
//     5  original left, c_r         the relaxed run alone
//     6  relaxed left, c_o          the original alone
//           If both have left then, it is over, and nothing is to be proved. Else it is the next
//           joint head: prove R, r; of each run that did the body and stays U and u (U of the
//           original is proved in its own walk). Of a run that has left nothing is proved or
//           trusted.
//   After   both in, !c_o && !c_r; or the original has left, !c_r; or the relaxed run has left,
//           !c_o; or an iteration behind which both have left: then all that is known at its end
//           is known, though it was no invariant.
// With a plain test and no way out of the middle 5 and 6 are instances of 2 and 3 and are left out.
// The same goes if the runs leave together: c_o and c_r are one term, and so is whether they leave
// from the middle. (The published rule has cases 1 and 2 only; without the third the original could
// go on alone and leave the relation.)
//
// Relaxed alone, and the original alone in its own walk: one run, cases "true" and "false", and the
// iteration that leaves from the middle. Relaxed alone relational invariants are proved too, of the
// pair with the other run as it stands. Original alone in a relational walk: U is trusted as
// assertions are. Relational invariants and inferred facts are dropped. (Published: assumed for
// free.)
//
// Inferred facts (rule 7) are proved of both runs wherever they are used: nobody wrote
// them, so nothing of the original is taken on trust for them.
//
// What is known of a run that has left while the other goes on can only be a fact that was proved
// when it left, and r again with each iteration of the other: the variable `left` and the flags of
// the loop's exits say whether a run has left, and candidates speak of them.
//
// A loop that is left from its middle tests those flags, and an invariant is claimed only where a
// run is really at a head (Invariant::only_if).
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
    exits_ = !s.exits.empty() && !w_.falls_into(Trap::HeadAfterReturn);
    speaks_of_left_ = speaks_of_left();
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
      const Term holds = if_at_head(side, w_.formula(c.expr, side));
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

  // Whether a run has left from the middle.
  Term gone(Side side) {
    std::vector<Term> any;
    for (core::VarId flag : s_.exits) any.push_back(w_.state.side(side).at(flag).term);
    return terms().or_(std::move(any));
  }
  // Of a run that has left from the middle facts of heads say nothing.
  Term if_at_head(Side side, Term holds) {
    return exits_ ? terms().implies(terms().not_(gone(side)), holds) : holds;
  }
  void assume_of_head(Side side, Term holds) {
    w_.assume(w_.falls_into(Trap::KeptByThoseWhoLeft) ? holds : if_at_head(side, holds));
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
        each_side(run_, [&](Side side) { assume_of_head(side, w_.formula(invariant.expr, side)); });
    for (std::size_t k = 0; k < inferred_.size(); ++k)
      if (!inferred_[k].relational && !unused_[k])
        each_side(run_,
                  [&](Side side) { assume_of_head(side, w_.formula(inferred_[k].expr, side)); });
    if (exits_ || speaks_of_left_) assume_statuses();
    head_ = w_.state;
    w_.note_moment(encode::Moment::Kind::Head, at_);
    from_ = w_.from;
  }
  // Not both have left, a run leaves once, and a plain test by which it left is false.
  void assume_statuses() {
    if (run_ != Run::Both) {
      each_side(run_, [&](Side side) { w_.assume(terms().not_(gone(side))); });
      return;
    }
    const bool plain = w_.setting_.effects.is_plain_test(s_);
    for (Side side : {Side::Original, Side::Relaxed}) {
      const Term left = side == Side::Original ? left_o_ : left_r_;
      w_.assume(terms().implies(left, terms().not_(gone(side))));
      if (plain && has_values(s_.condition, side))
        w_.assume(terms().implies(left, terms().not_(w_.formula(s_.condition, side))));
    }
    w_.assume(terms().not_(terms().and_(out(Side::Original), out(Side::Relaxed))));
  }
  // Not so of temporaries that are set before each test, as long as there was no test.
  [[nodiscard]] bool has_values(core::ExprId expr, Side side) const {
    bool all = true;
    core::for_each_read(w_.program(), expr, [&](core::VarId var, Side) {
      all = all && (w_.program().vars[var].kind == core::VarKind::Constant ||
                    w_.state.side(side).find(var) != nullptr);
    });
    return all;
  }
  // Whether a run is not in, at the head.
  Term out(Side side) {
    const Term left = side == Side::Original ? left_o_ : left_r_;
    return exits_ ? terms().or_({left, gone(side)}) : left;
  }
  void assume_relational(const std::set<core::VarId>& forgotten) {
    std::vector<core::ExprId> plain;
    for (const core::Invariant& invariant : s_.invariants)
      if (invariant.relational && (exits_ || !head_of(invariant).valid()))
        plain.push_back(invariant.expr);
    for (std::size_t k = 0; k < inferred_.size(); ++k)
      if (inferred_[k].relational && !unused_[k]) plain.push_back(inferred_[k].expr);
    const std::vector<core::ExprId> rest = w_.unite(plain, forgotten);
    // A label of this loop in its own invariants means the head itself.
    w_.snapshots[s_.loop].start = w_.state;
    for (core::ExprId id : rest) w_.assume(w_.relation(id));
    for (const core::Invariant& invariant : s_.invariants)
      if (invariant.relational && !exits_ && head_of(invariant).valid())
        w_.assume(at_head(invariant, w_.relation(invariant.expr)));
    w_.assume_model_invariants();
  }

  // The iterations, and what is known behind them.
  void iterate() {
    if (run_ != Run::Both) {
      const Term on = test(run_);
      if (run_ == Run::Relaxed)
        body(on, "when the relaxed run iterates alone", Run::Relaxed);
      else if (w_.prove_original || exits_)
        body(on, "when the original run iterates", Run::Original);
      leave_by_test({on}, "the loop is left by its test");
      return come_together();
    }
    if (!statuses_) {
      together();
      after_ = tested_;
      return;
    }
    const Term out_o = out(Side::Original), out_r = out(Side::Relaxed);
    const Term both_in = terms().and_(terms().not_(out_o), terms().not_(out_r));
    const auto with = [&](Term status, auto go) {
      w_.on_path(status, [&] {
        const Restored inside(status_, status);
        const Restored apart(someone_left_, status != both_in);
        w_.state = head_;
        w_.from = from_;
        w_.choices.clear();
        go();
      });
    };
    with(both_in, [&] { together(); });
    if (parts_ && !w_.falls_into(Trap::OriginalNeverLeavesFirst))
      with(terms().and_(out_o, terms().not_(out_r)), [&] {
        const Term on = test(Run::Relaxed);
        body(on, "when only the relaxed run iterates, the original having left before",
             Run::Relaxed);
        leave_by_test({on}, "the original left the loop first");
      });
    if (parts_)
      with(terms().and_(out_r, terms().not_(out_o)), [&] {
        const Term on = test(Run::Original);
        body(on, "when only the original run iterates, the relaxed run having left before",
             Run::Original);
        leave_by_test({on}, "the relaxed run left the loop first");
      });
    come_together();
  }

  // Nobody who was in goes on: the tests of all of them are false.
  void leave_by_test(const std::vector<Term>& tests, const char* what) {
    std::vector<Term> condition{status_};
    for (Term test : tests)
      if (exits_)
        condition.push_back(terms().not_(test));
      else
        w_.assume(terms().not_(test));
    ends_.push_back({terms().and_(std::move(condition)), tested_, what});
  }
  // Everybody has left, in one of these ways.
  void come_together() {
    if (ends_.size() == 1 && terms().is_true(ends_[0].condition)) {
      after_ = ends_[0].state;
      return;
    }
    std::vector<Term> possible;
    for (const Walk::Case& end : ends_) possible.push_back(end.condition);
    w_.assume(terms().or_(std::move(possible)));
    w_.situation = outer_situation_;
    w_.join(ends_, head_, at_);
    after_ = w_.state;
  }

  // Both are in.
  void together() {
    set_in(Run::Both);
    w_.execute(s_.before, Run::Both);
    tested_ = w_.state;
    in_test_ = w_.choices;
    const Term c_o = w_.formula(s_.condition, Side::Original);
    const Term c_r = w_.formula(s_.condition, Side::Relaxed);
    const Term not_o = terms().not_(c_o), not_r = terms().not_(c_r);
    parts_ = c_o != c_r;
    body(terms().and_(c_o, c_r), "when both runs iterate", Run::Both);
    if (c_o != c_r) {
      body(terms().and_(not_o, c_r), "when only the relaxed run iterates", Run::Relaxed);
      if (!w_.falls_into(Trap::TwoLoopCases))
        body(terms().and_(c_o, not_r), "when only the original run iterates", Run::Original);
    }
    leave_by_test({c_o, c_r}, "the runs leave the loop together");
  }

  // These runs are in, so they have not left from the middle.
  void set_in(Run who) {
    if (!exits_) return;
    each_side(who, [&](Side side) {
      for (core::VarId flag : s_.exits) w_.set(flag, side, {terms().boolean(false), {}});
    });
  }

  // One run evaluates the test.
  Term test(Run who) {
    set_in(who);
    w_.execute(s_.before, who);
    tested_ = w_.state;
    in_test_ = w_.choices;
    return w_.formula(s_.condition, who == Run::Original ? Side::Original : Side::Relaxed);
  }

  // The body by some runs, and what is to be shown at the next head. What is learnt inside is
  // forgotten again, unless it is known where the loop is left from there.
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
      w_.on_path(terms().not_(leave_from_middle(condition, who)), [&] {
        w_.prove_falls(s_, who, at_);  // the label still means the head before
        set_left(who);
        prove_invariants(ClaimKind::InvariantKept, who);
      });
    });
    if (!exits_) w_.facts.truncate(known);
    w_.situation = outer_situation_;
    w_.state = tested_;
  }
  // Those who did the body have left from there, and so nobody is in any more: whether that is so.
  Term leave_from_middle(Term condition, Run who) {
    if (!exits_) return terms().boolean(false);
    std::vector<Term> left;
    each_side(who, [&](Side side) { left.push_back(gone(side)); });
    if (who == Run::Both && !w_.falls_into(Trap::RunsBreakTogether))
      parts_ = parts_ || left[0] != left[1];
    const Term all = terms().and_(std::move(left));
    if (!terms().is_false(terms().and_(w_.path, all)))
      ends_.push_back(
          {terms().and_({status_, condition, all}), w_.state, "the loop is left from the middle"});
    return all;
  }

  // These runs are in. The others left by their test just now, or never came; or they left before,
  // and then nothing is new.
  void set_left(Run in) {
    if (!statuses_ && s_.exits.empty() && !speaks_of_left_) return;
    const auto set = [&](Side side, bool is_in) {
      if (is_in || !someone_left_) w_.set(s_.left, side, {terms().boolean(!is_in), {}});
    };
    set(Side::Original, in != Run::Relaxed);
    set(Side::Relaxed, in != Run::Original);
  }

  // Whether an invariant says `left`.
  [[nodiscard]] bool speaks_of_left() const {
    bool any = false;
    for (const core::Invariant& invariant : s_.invariants)
      core::for_each_read(w_.program(), invariant.expr,
                          [&](core::VarId var, Side) { any = any || var == s_.left; });
    return any;
  }
  // Whether a run that has left must be told from one that has not.
  [[nodiscard]] bool needs_statuses() const {
    if (run_ == Run::Both && (!s_.exits.empty() || speaks_of_left_)) return true;
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
  bool statuses_ = false, exits_ = false, speaks_of_left_ = false;
  bool parts_ = false;                   // one run can leave without the other
  Term left_o_, left_r_;                 // by the test, at the head
  Term status_ = terms().boolean(true);  // of the case at hand: who is in
  bool someone_left_ = false;            // before, in that case
  std::vector<Walk::Case> ends_;         // where nobody is in any more
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
