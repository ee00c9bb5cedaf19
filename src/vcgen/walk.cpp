#include "vcgen/walk.h"

#include <algorithm>

#include "vcgen/relevance.h"
#include "vcgen/strategy.h"

namespace leto::vcgen {

namespace {

std::vector<Term> conditions_of(Term path, const logic::TermTable& terms) {
  if (terms[path].kind == logic::Kind::And) return terms[path].args;
  return terms.is_true(path) ? std::vector<Term>{} : std::vector<Term>{path};
}

}  // namespace

bool is_part_of(Term shorter, Term longer, const logic::TermTable& terms) {
  const std::vector<Term> more = conditions_of(longer, terms);
  const std::vector<Term> fewer = conditions_of(shorter, terms);
  return std::all_of(fewer.begin(), fewer.end(), [&](Term condition) {
    return std::find(more.begin(), more.end(), condition) != more.end();
  });
}

// Values -----------------------------------------------------------------------------------------

Value WalkEnvironment::variable(core::VarId var, Side side) {
  Setting& setting = walk_.setting();
  const core::Var& v = setting.program.vars[var];
  if (v.kind == core::VarKind::Constant) return setting.constants.at(var);
  const auto& values = state_.side(side == Side::Open ? side_ : side);
  const Value* found = values.find(var);
  LETO_ASSERT(found != nullptr);  // whoever asks for what has no value has not looked first
  return *found;
}

Value WalkEnvironment::old_state(core::VarId var) {
  return before->at(var);
}

encode::Environment& WalkEnvironment::snapshot(core::LoopId loop, bool entry) {
  Snapshots& taken = walk_.snapshots[loop];
  inner_.push_back(
      std::make_unique<WalkEnvironment>(walk_, entry ? taken.entry : taken.start, side_));
  return *inner_.back();
}

Value Walk::value(core::ExprId id, Side side) {
  WalkEnvironment environment(*this, state, side);
  return encoder().value(id, environment);
}

Value Walk::fresh(std::string_view name, const core::Type& type, std::vector<Term> sizes) {
  return setting_.strategy->make_fresh(*this, name, type, std::move(sizes));
}

Value Walk::make_symbol(std::string_view name, const core::Type& type, std::vector<Term> sizes) {
  const Value v = encoder().fresh(name, type, std::move(sizes));
  setting_.log->typing[v.term] = encoder().typing(v, type);
  setting_.log->outside[v.term] = encoder().outside(v, type);
  if (type.rank > 0) setting_.log->shapes[v.term] = {v.term, v.sizes, type.natural};
  return v;
}

Value Walk::unknown(core::VarId var, Side side) {
  const core::Var& v = program().vars[var];
  const std::string name = v.name + (side == Side::Original ? "<o>" : "<r>");
  return fresh(name, v.type, setting_.strategy->make_sizes(*this, name, v.type.rank));
}

Value Walk::unknown(core::VarId var, Side side, std::vector<Term> sizes) {
  const core::Var& v = program().vars[var];
  return fresh(v.name + (side == Side::Original ? "<o>" : "<r>"), v.type, std::move(sizes));
}

// Hypotheses and goals
// ------------------------------------------------------------------------------

void Walk::assume(Term fact, Facts::Origin origin) {
  const Term under = falls_into(Trap::ContextsConjoined) ? fact : terms().implies(path, fact);
  if (!terms().is_true(under)) facts.add(terms().unfolding_stopped(under), origin);
}

Obligation Walk::obligation(ClaimId claim, Term goal) const {
  Obligation o;
  o.claim = std::move(claim);
  o.situation = situation;
  o.alone = prove_original;
  o.question.path = path;
  o.question.goal = setting_.terms.implies(path, goal);
  o.question.log = setting_.log;
  o.question.known = facts.last();
  return o;
}

void Walk::prove_inferred(ClaimKind kind, const Occurrence& loop, std::vector<Part> parts,
                          Span at) {
  if (parts.empty()) return;
  std::vector<Term> goals, open;
  for (Part& part : parts) {
    goals.push_back(part.goal);
    part.goal = terms().implies(path, part.goal);
    if (!terms().is_false(part.goal)) open.push_back(part.goal);  // else it would be all there is
  }
  Obligation o = obligation({kind, function_, at}, terms().boolean(true));
  o.question.goal = terms().and_(std::move(open));
  o.occurrence = loop;
  o.parts = std::move(parts);
  if (!terms().is_true(o.question.goal)) add_relevant(o);
  setting_.result.obligations.push_back(std::move(o));
  for (Term goal : goals) assume(goal);
}

void Walk::prove(ClaimKind kind, Term goal, const Names& names, Span at, const About& about) {
  setting_.strategy->show(*this, {kind, function_, at, about.side, names}, goal, about);
}

void Walk::add_obligation(ClaimId claim, Term goal, const About& about) {
  Obligation o = obligation(std::move(claim), goal);
  o.expr = about.expr;
  o.side = about.side;
  o.question.known_already = facts.has(o.question.goal) || facts.has(goal);
  if (o.question.known_already) o.question.goal = terms().boolean(true);  // it says nothing new
  if (!terms().is_true(o.question.goal)) {
    add_near(o);
    o.origins.from = from;
    o.origins.now = moment(encode::Moment::Kind::Claim, o.claim.at);
    o.origins.choices = choices;
    if (o.expr.valid() && !terms().is_false(goal))
      if (const auto parts = core::conjuncts(program(), o.expr); parts.size() > 1)
        for (core::ExprId part : parts)
          o.hints.pieces.push_back(
              {part, terms().implies(path, names_missing(part, state) ? relation(part)
                                                                      : formula(part, o.side))});
  }
  setting_.result.obligations.push_back(std::move(o));
}

void Walk::add_sought(ClaimId claim, Term goal, const About& about) {
  Obligation o = obligation(std::move(claim), goal);
  o.expr = about.expr;
  o.side = about.side;
  if (terms().is_true(o.question.goal)) return;
  Known known = complete(terms(), setting_.symbols, *setting_.log, o.question.goal, facts.all());
  o.question.hypotheses = std::move(known.facts);
  o.question.array_facts = std::move(known.array_facts);
  o.origins.from = from;
  o.origins.now = moment(encode::Moment::Kind::Claim, o.claim.at);
  o.origins.choices = choices;
  setting_.result.obligations.push_back(std::move(o));
}

void Walk::note_assumption(ClaimKind that, const Names& names, Span at, Run run,
                           std::uint32_t before) {
  // What is declared of functions that nobody sees may contradict itself: then there is something
  // to be met though nothing is required.
  const bool declared = that == ClaimKind::RequirementsMet && core::has_unseen_functions(program());
  if (facts.last() == before && !declared) return;
  // The original's own walk looks at what the original does alone.
  if (run == Run::Original && !prove_original && !setting_.options.trust_original) return;
  constexpr std::size_t kOpen = static_cast<std::size_t>(-1);
  Assumption assumption{{that, function_, at, Side::Relaxed, names},
                        situation,
                        path,
                        setting_.log,
                        before,
                        facts.last(),
                        setting_.result.obligations.size(),
                        kOpen};
  const bool of_one = !calls.empty() && program().functions[calls.front()].is_of_one_run();
  assumption.by_one_of_both = run != Run::Both && !prove_original && !of_one;
  setting_.strategy->note(*this, std::move(assumption));
}

void Walk::note_end(Span at) {
  const std::size_t now = setting_.result.obligations.size();
  Assumption end{{ClaimKind::FunctionEnds, function_, at},
                 situation,
                 path,
                 setting_.log,
                 kNothingBefore,
                 facts.last(),
                 now,
                 now};
  end.end = true;
  setting_.strategy->note(*this, std::move(end));
}

void Walk::close_assumptions(std::size_t first) {
  auto& all = setting_.result.assumptions;
  for (std::size_t i = first; i < all.size(); ++i)
    all[i].last = std::min(all[i].last, setting_.result.obligations.size());
}

void Walk::note_moment(encode::Moment::Kind kind, Span at) {
  if (from && !setting_.strategy->starts_anew()) return;
  from = std::make_shared<const encode::Moment>(moment(kind, at));
  choices.clear();
}

encode::Moment Walk::moment(encode::Moment::Kind kind, Span at) const {
  encode::Moment now{kind, at, state.original, state.relaxed};
  for (const auto& [var, value] : setting_.constants) now.original[var] = now.relaxed[var] = value;
  return now;
}

void Walk::note_choice(core::StmtId statement, const core::FaultSite& site, Term exact,
                       const Value& outcome, const std::vector<Term>& allows,
                       const std::map<core::VarId, Value>& before,
                       const std::map<core::VarId, Value>& after) {
  const auto name = [&](Term formula) { return setting_.strategy->name(*this, formula); };
  encode::Choice choice{statement, name(path), {}, outcome.term, site.specifications, allows, {}};
  for (Term& allowed : choice.allows) allowed = name(allowed);
  choice.exact = name(exact);
  for (core::VarId var : core::states_modified(program(), site))
    choice.states.push_back({var, before.at(var).term, after.at(var).term});
  choices.push_back(std::move(choice));
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

// The few facts that likely suffice, and the branches that made what the goal speaks of.
void Walk::add_near(Obligation& obligation) {
  Known near = complete(terms(), setting_.symbols, *setting_.log, obligation.question.goal,
                        facts.near(obligation.question.goal));
  obligation.hints.near = std::move(near.facts);
  obligation.hints.near_arrays = std::move(near.array_facts);
  for (Term symbol : symbols_of(obligation.question.goal)) {
    const auto it = setting_.cases.find(symbol);
    if (it != setting_.cases.end() &&
        std::none_of(obligation.hints.cases.begin(), obligation.hints.cases.end(),
                     [&](const Split& known) { return known.conditions == it->second.conditions; }))
      obligation.hints.cases.push_back(it->second);
  }
}

// What a loop has to do with is mostly said since it was entered. With that alone, loops in a row
// cost as much each as they would by themselves.
void Walk::add_recent(Obligation& obligation) {
  Known recent = complete(terms(), setting_.symbols, *setting_.log, obligation.question.goal,
                          facts.recent(since, obligation.question.goal));
  if (recent.facts.size() + recent.array_facts.size() >=
      obligation.question.hypotheses.size() + obligation.question.array_facts.size())
    return;
  obligation.hints.recent = std::move(recent.facts);
  obligation.hints.recent_arrays = std::move(recent.array_facts);
}

// For inferred invariants, which are asked about again and again, all that can matter too.
void Walk::add_relevant(Obligation& obligation) {
  std::vector<Term> near = facts.near(obligation.question.goal);
  std::vector<Term> all = facts.relevant(obligation.question.goal);
  // What came into being together may be near without sharing a symbol.
  std::unordered_set<Term> have(all.begin(), all.end());
  for (Term fact : near)
    if (have.insert(fact).second) all.push_back(fact);
  const bool fewer = near.size() < all.size();
  Known known = complete(terms(), setting_.symbols, *setting_.log, obligation.question.goal, all);
  obligation.question.hypotheses = std::move(known.facts);
  obligation.question.array_facts = std::move(known.array_facts);
  add_recent(obligation);
  add_near(obligation);
  // Asking twice has to be worth it.
  if (fewer) return;
  obligation.hints.near.clear();
  obligation.hints.near_arrays.clear();
}

// States
// ------------------------------------------------------------------------------------------------

// A variable that differs between the cases gets a new name, and of that name it is known which
// value it has in which case. (Nested conditionals say the same, but a later question would then
// carry every branch before it.) Values that agree case by case, as those of a variable that is
// equal in both runs, get one name.
void Walk::join(const std::vector<Case>& cases, const State& before, Span at) {
  State joined;
  std::map<std::vector<Term>, Term> named;
  for (Side side : {Side::Original, Side::Relaxed}) {
    auto& into = joined.side(side);
    for (const auto& entry : before.side(side)) {
      const core::VarId var = entry.first;
      const core::Var& declared = program().vars[var];
      const auto one = [&](auto part, auto make) {
        std::vector<Term> values;
        for (const Case& c : cases) values.push_back(part(c.state.side(side).at(var)));
        if (std::all_of(values.begin(), values.end(), [&](Term v) { return v == values[0]; }))
          return values[0];
        const auto [it, is_new] = named.emplace(values, Term{});
        if (is_new) {
          it->second = make();
          Split& split = setting_.cases[it->second];
          split.at = at;
          for (const Case& c : cases) {
            split.conditions.push_back(c.condition);
            split.what.push_back(c.what);
          }
          for (std::size_t i = 0; i < cases.size(); ++i)
            assume(terms().implies(cases[i].condition, terms().eq(it->second, values[i])));
        }
        return it->second;
      };
      Value result;
      for (std::size_t d = 0; d < cases[0].state.side(side).at(var).sizes.size(); ++d)
        result.sizes.push_back(one([&](const Value& v) { return v.sizes[d]; },
                                   [&] {
                                     return fresh("size", {core::Base::Int, true, 0}, {}).term;
                                   }));
      result.term = one([](const Value& v) { return v.term; },
                        [&] { return fresh(declared.name, declared.type, result.sizes).term; });
      into[var] = result;
    }
  }
  state = std::move(joined);
}

void Walk::drop_declared(core::StmtId id) {
  for (core::VarId var : setting_.effects.declared_in(id))
    for (Side side : {Side::Original, Side::Relaxed}) state.side(side).erase(var);
}

void Walk::forget(const std::set<core::VarId>& vars, Side side) {
  if (falls_into(Trap::NothingForgotten)) return;
  for (core::VarId var : vars) {
    const Value* found = state.side(side).find(var);
    if (found == nullptr) continue;
    const core::Var& v = program().vars[var];
    set(var, side, fresh(v.name + (side == Side::Original ? "<o>" : "<r>"), v.type, found->sizes));
  }
}

void Walk::assume_model_invariants() {
  for (core::ExprId invariant : program().model.invariants)
    assume(formula(invariant, Side::Relaxed));
}

void Walk::assume_relations(const std::vector<core::ExprId>& formulas,
                            const std::set<core::VarId>& forgotten) {
  for (core::ExprId id : unite(formulas, forgotten)) assume(relation(id));
}

std::vector<core::ExprId> Walk::unite(const std::vector<core::ExprId>& formulas,
                                      const std::set<core::VarId>& forgotten) {
  // eq(x) of a variable that was forgotten on both sides: one symbol for both.
  std::vector<core::ExprId> rest;
  std::vector<core::ExprId> work(formulas.rbegin(), formulas.rend());
  while (!work.empty()) {
    const core::ExprId id = work.back();
    work.pop_back();
    const auto* apply = std::get_if<core::Apply>(&program().exprs[id].node);
    if (apply != nullptr && apply->op == core::Op::And) {
      work.push_back(apply->args[1]);
      work.push_back(apply->args[0]);
      continue;
    }
    if (apply != nullptr && apply->op == core::Op::Eq) {
      const auto* a = std::get_if<core::VarRef>(&program().exprs[apply->args[0]].node);
      const auto* b = std::get_if<core::VarRef>(&program().exprs[apply->args[1]].node);
      if (a != nullptr && b != nullptr && a->var == b->var && a->side != b->side &&
          a->side != Side::Open && b->side != Side::Open && forgotten.contains(a->var) &&
          state.original.contains(a->var) && state.relaxed.contains(a->var)) {
        const Value& original = state.original.at(a->var);
        Value& relaxed = state.relaxed[a->var];
        for (std::size_t d = 0; d < original.sizes.size(); ++d)
          assume(terms().eq(original.sizes[d], relaxed.sizes[d]));
        relaxed.term = original.term;
        continue;
      }
    }
    rest.push_back(id);
  }
  return rest;
}

// Dispatch
// ------------------------------------------------------------------------------------------------

void Walk::execute(core::StmtId id, Run run) {
  if (!id.valid()) return;
  const Options& options = setting_.options;
  if (++setting_.result.steps > options.most_steps || spent(options.allowance)) throw GivenUp{};
  const Span at = program().stmts[id].span;
  std::visit(Overload{
                 [&](const core::Assign& s) { assign(s, run, at); },
                 [&](const core::Store& s) { store(s, run); },
                 [&](const core::Declare& s) { declare(s, run); },
                 [&](const core::Relaxed& s) { operator_step(s, id, run, at); },
                 [&](const core::Write& s) { write_step(s, id, run, at); },
                 [&](const core::Check& s) { check(s, run, at); },
                 [&](const core::Claim& s) { claim(s, run, at); },
                 [&](const core::Block& s) {
                   for (core::StmtId child : s.body) execute(child, run);
                 },
                 [&](const core::If& s) { branch(s, id, run, at); },
                 [&](const core::While& s) { setting_.strategy->do_loop(*this, s, run, at); },
                 [&](const core::Call& s) { call(s, id, run, at); },
                 [&](const core::Recall& s) { recall(s, run, at); },
             },
             program().stmts[id].node);
}

void Walk::assign(const core::Assign& s, Run run, Span at) {
  const core::Var& target = program().vars[s.target];
  each_side(run, [&](Side side) {
    set(s.target, side, encoder().coerce(value(s.value, side), target.type));
  });
  if (target.kind == core::VarKind::State && run != Run::Original)
    for (core::ExprId invariant : program().model.invariants)
      prove(ClaimKind::ModelInvariantAssigned, formula(invariant, Side::Relaxed), {}, at,
            {invariant});
}

void Walk::store(const core::Store& s, Run run) {
  each_side(run, [&](Side side) {
    std::vector<Term> indices;
    for (core::ExprId index : s.indices) indices.push_back(formula(index, side));
    const Value element =
        encoder().coerce(value(s.value, side), program().vars[s.target].type.element());
    set(s.target, side, encoder().store(state.side(side).at(s.target), indices, element.term));
  });
}

void Walk::declare(const core::Declare& s, Run run) {
  each_side(run, [&](Side side) {
    std::vector<Term> sizes;
    for (core::ExprId size : s.sizes) sizes.push_back(formula(size, side));
    set(s.target, side,
        s.any ? unknown(s.target, side, std::move(sizes))
              : encoder().zero(program().vars[s.target].type, std::move(sizes)));
  });
}

}  // namespace leto::vcgen
