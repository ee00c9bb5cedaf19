// Loops, iteration by iteration: as a run does them, each run by its own condition. A run that has
// left does nothing more. The heads are those at which the interpreter claims invariants and
// measures.
#include "vcgen/strategy.h"

namespace leto::vcgen {

namespace {

// One loop, iteration by iteration.
class Unrolling {
 public:
  Unrolling(Walk& walk, const core::While& s, Run run, Span at, const AtLimit& at_limit)
      : w_(walk), s_(s), run_(run), at_(at), at_limit_(at_limit) {}

  void go(Run in_loop, unsigned left, bool entry) {
    come_to_head(in_loop, entry);
    w_.execute(s_.before, in_loop);
    const Term none = terms().boolean(false);
    const Term c_o = in_loop == Run::Relaxed ? none : w_.formula(s_.condition, Side::Original);
    const Term c_r = in_loop == Run::Original ? none : w_.formula(s_.condition, Side::Relaxed);
    if (left > 0) return iterate(c_o, c_r, left);
    at_limit_(c_o, c_r);
  }

 private:
  [[nodiscard]] logic::TermTable& terms() { return w_.terms(); }

  void come_to_head(Run in_loop, bool entry) {
    if (!entry) w_.prove_falls(s_, in_loop, at_);  // the label still means the head before
    w_.drop_declared(s_.body);
    w_.set(s_.left, Side::Original, {terms().boolean(in_loop == Run::Relaxed), {}});
    w_.set(s_.left, Side::Relaxed, {terms().boolean(in_loop == Run::Original), {}});
    w_.snapshots[s_.loop].start = w_.state;
    const ClaimKind kind = entry ? ClaimKind::InvariantEntry : ClaimKind::InvariantKept;
    for (const core::Invariant& invariant : s_.invariants) {
      const Span at = w_.program().exprs[invariant.expr].span;
      if (!invariant.relational) {
        w_.unary_claim(kind, invariant.expr, in_loop, {}, at, invariant.only_if);
      } else if (run_ != Run::Original) {
        Term holds = w_.relation(invariant.expr);
        if (invariant.only_if.valid())
          holds = terms().implies(w_.relation(invariant.only_if), holds);
        w_.prove(kind, holds, {}, at, {invariant.expr});
      }
    }
  }

  void iterate(Term c_o, Term c_r, unsigned left) {
    const Term not_o = terms().not_(c_o), not_r = terms().not_(c_r);
    const State before = w_.state;
    const Snapshots taken = w_.snapshots[s_.loop];
    std::vector<Walk::Case> cases;
    const auto go_on = [&](Term condition, std::optional<Run> who) {
      if (terms().is_false(terms().and_(w_.path, condition))) return;
      w_.on_path(condition, [&] {
        w_.state = before;
        w_.snapshots[s_.loop] = taken;
        if (!who) return;
        w_.execute(s_.body, *who);
        go(*who, left - 1, false);
      });
      cases.push_back({condition, w_.state, {}});
    };
    go_on(terms().and_(c_o, c_r), Run::Both);
    if (c_o != c_r) {
      go_on(terms().and_(not_o, c_r), Run::Relaxed);
      go_on(terms().and_(c_o, not_r), Run::Original);
    }
    go_on(terms().and_(not_o, not_r), std::nullopt);
    if (cases.empty())
      w_.state = before;
    else
      w_.join(cases, before, {});
  }

  Walk& w_;
  const core::While& s_;
  Run run_;
  Span at_;
  const AtLimit& at_limit_;
};

}  // namespace

void unroll_loop(Walk& walk, const core::While& s, Run run, Span at, unsigned iterations,
                 const AtLimit& at_limit) {
  walk.snapshots[s.loop].entry = walk.state;
  Unrolling(walk, s, run, at, at_limit).go(run, iterations, true);
}

}  // namespace leto::vcgen
