// Rule 1, writes into a region.
//
// One place is written as an operator is applied (rule 1): the operands are what was stored there
// and what is to be, and the outcome is what is stored then.
//
// Writing a whole vector is one write per element, in index order. The states between the writes
// are an array M over the index: M[0] is the state before, M[n] the state after, and the step
// relates M[k], M[k+1] and the k-th element. Under layers all elements pass the lower one first and
// then the upper one, which comes to the same: they share no state, and the lower one reads nothing
// of the upper. State that no specification modifies is not put into an array. That the k-th write
// can be done is to be shown only if all before it were; and the model's invariants hold before it
// and behind the last, for every specification keeps them.
#include <algorithm>

#include "vcgen/strategy.h"

namespace leto::vcgen {

std::vector<Term> Walk::indices_of(const core::Write& s, Side side) {
  std::vector<Term> indices;
  for (core::ExprId index : s.indices) indices.push_back(formula(index, side));
  return indices;
}

void Walk::put(const core::Write& s, Side side, Value v) {
  if (s.indices.empty()) return set(s.target, side, std::move(v));
  set(s.target, side, encoder().store(state.side(side).at(s.target), indices_of(s, side), v.term));
}

void Walk::write_step(const core::Write& s, core::StmtId id, Run run, Span at) {
  const core::Type& type = program().vars[s.target].type;
  if (run != Run::Relaxed)
    put(s, Side::Original,
        encoder().coerce(value(s.value, Side::Original),
                         s.indices.empty() ? type : type.element()));
  if (run == Run::Original) return;
  const Value source = value(s.value, Side::Relaxed);
  if (s.whole) return setting_.strategy->write_all(*this, s, id, source, at);
  Value stored = state.relaxed.at(s.target);
  if (!s.indices.empty()) stored = {encoder().select(stored, indices_of(s, Side::Relaxed)), {}};
  const Value wanted = encoder().coerce(source, type.element());
  const Value exact =
      s.exact.valid() ? encoder().coerce(value(s.exact, Side::Relaxed), type.element()) : wanted;
  put(s, Side::Relaxed,
      take_step(s.site, id, {stored, wanted, exact}, exact.term,
                {program().vars[s.target].name, type.element()}, at));
}

std::vector<Value> element_operands(Walk& walk, const core::Write& s, Value source,
                                    const std::vector<Term>& indices) {
  const core::Program& program = walk.program();
  const bool is_read = !s.site.specifications.empty() &&
                       program.specifications[s.site.specifications[0]].params.size() == 1;
  std::vector<Value> args;
  if (!is_read)
    args.push_back({walk.encoder().select(walk.state.relaxed.at(s.target), indices), {}});
  args.push_back(source);
  if (s.exact.valid())
    source = {walk.encoder().select(walk.value(s.exact, Side::Relaxed), indices), {}};
  args.push_back(std::move(source));
  return args;
}

namespace {

class WholeWrite {
 public:
  WholeWrite(Walk& walk, const core::Write& s, const Value& source, Span at)
      : w_(walk),
        s_(s),
        source_(source),
        at_(at),
        before_(model_state(walk)),
        touched_(core::states_modified(walk.program(), s.site)) {
    const core::Var& target = w_.program().vars[s.target];
    result_ = w_.fresh(target.name, target.type, source.sizes);
    count_ = source.sizes[0];
    if (source.sizes.size() == 2)
      count_ = terms().arith(logic::Kind::Mul, source.sizes[0], source.sizes[1]);
  }

  void apply() {
    std::map<core::VarId, Value> last;
    for (core::VarId var : touched_) last[var] = begin_history(var);
    const std::vector<Term> indices = any_indices("k");
    const Step step = step_at(indices);
    const Term inside = w_.encoder().in_bounds(source_, indices);
    if (!w_.falls_into(Trap::NotEnabled)) prove_enabled(indices, inside, step.enabled);
    w_.assume(terms().quant(true, indices, terms().implies(inside, step.outcome)));
    for (core::VarId var : touched_) w_.set(var, Side::Relaxed, last[var]);
    if (!touched_.empty()) w_.assume_model_invariants();
    w_.set(s_.target, Side::Relaxed, result_);
  }

 private:
  [[nodiscard]] logic::TermTable& terms() { return w_.terms(); }

  // The states of a variable over the writes; the last of them. (No element, no change: then M[0]
  // is M[n] anyway.)
  Value begin_history(core::VarId var) {
    core::Type history = w_.program().vars[var].type;
    history.rank = 1;
    const Value states = w_.fresh(w_.program().vars[var].name + " over time", history, {count_});
    w_.setting().log->outside.erase(states.term);  // a history, not a vector
    w_.setting().log->shapes.erase(states.term);
    w_.assume(
        terms().eq(terms().select(states.term, terms().zero(logic::kInt)), before_[var].term));
    histories_[var] = states.term;
    return {terms().select(states.term, count_), {}};
  }

  // For a matrix the elements are counted row by row.
  Term position_of(const std::vector<Term>& indices) {
    if (indices.size() != 2) return indices[0];
    return terms().arith(logic::Kind::Add,
                         terms().arith(logic::Kind::Mul, indices[0], source_.sizes[1]), indices[1]);
  }
  // The state before an element is written, or behind that.
  std::map<core::VarId, Value> state_at(const std::vector<Term>& indices, bool behind) {
    Term position = position_of(indices);
    if (behind)
      position = terms().arith(logic::Kind::Add, position, terms().number("1", logic::kInt));
    std::map<core::VarId, Value> now = before_;
    for (const auto& [var, states] : histories_) now[var] = {terms().select(states, position), {}};
    return now;
  }
  Step step_at(const std::vector<Term>& indices) {
    std::map<core::VarId, Value> next = state_at(indices, true);
    const std::vector<Value> args =
        element_operands(w_, s_, {w_.encoder().select(source_, indices), {}}, indices);
    return specified_step(w_, s_.site, args, {w_.encoder().select(result_, indices), {}},
                          state_at(indices, false), next);
  }
  std::vector<Term> any_indices(const char* name) {
    std::vector<Term> indices;
    for (std::size_t d = 0; d < source_.sizes.size(); ++d)
      indices.push_back(terms().bound(name, logic::kInt));
    return indices;
  }

  void prove_enabled(const std::vector<Term>& indices, Term inside, Term enabled) {
    if (reads_history(enabled))
      enabled = terms().implies(terms().and_(known_before(indices)), enabled);
    w_.prove(ClaimKind::Enabled, terms().quant(true, indices, terms().implies(inside, enabled)),
             {s_.site.what}, at_, {});
  }
  // Whether guards read what writes change.
  bool reads_history(Term enabled) {
    const auto& read = w_.setting().symbols.of(enabled);
    return std::any_of(histories_.begin(), histories_.end(), [&](const auto& h) {
      return std::find(read.begin(), read.end(), h.second) != read.end();
    });
  }
  // Who comes to an element has written those before it, and the model's invariants hold there.
  std::vector<Term> known_before(const std::vector<Term>& indices) {
    const std::vector<Term> others = any_indices("j");
    Term earlier = terms().lt(others[0], indices[0]);
    if (others.size() == 2)
      earlier = terms().or_(earlier, terms().and_(terms().eq(others[0], indices[0]),
                                                  terms().lt(others[1], indices[1])));
    const Term written = terms().and_(w_.encoder().in_bounds(source_, others), earlier);
    std::vector<Term> known{
        terms().quant(true, others, terms().implies(written, step_at(others).outcome))};
    State now;
    now.relaxed = state_at(indices, false);
    WalkEnvironment environment(w_, now, Side::Relaxed);
    for (core::ExprId invariant : w_.program().model.invariants)
      known.push_back(w_.encoder().formula(invariant, environment));
    return known;
  }

  Walk& w_;
  const core::Write& s_;
  const Value& source_;
  Span at_;
  std::map<core::VarId, Value> before_;
  std::set<core::VarId> touched_;
  std::map<core::VarId, Term> histories_;
  Value result_;
  Term count_;
};

}  // namespace

void prove_whole_write(Walk& walk, const core::Write& s, const Value& source, Span at) {
  WholeWrite(walk, s, source, at).apply();
}

}  // namespace leto::vcgen
