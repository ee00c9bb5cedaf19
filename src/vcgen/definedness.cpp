// Relational claims where one run has no such variable: it did not make this call, or did not come
// by the declaration in this branch or this iteration. To read it is a mistake, so a claim that
// does so does not hold. Claims are read from left to right, and only as far as the result is open:
//
//   D(x)       x has a value in that run
//   D(a && b)  D(a) && (a -> D(b))         D(a || b)  D(a) && (!a -> D(b))
//   D(a -> b)  D(a) && (a -> D(b))         D(if (c) a else b)  D(c) && (c -> D(a)) && (!c -> D(b))
//   D(forall(x)(a)), D(exists(x)(a))       all variables in a have values
//   D(f(a, b, ...))                        D(a) && D(b) && ...
//
// The claim is then D(e) && e, where e may have any value in the place of what is missing.
#include "vcgen/walk.h"

namespace leto::vcgen {

namespace {

// Values of a state, and anything where there is none.
class PartialEnvironment final : public encode::Environment {
 public:
  PartialEnvironment(Walk& walk, State& state) : walk_(walk), state_(state) {}

  Value variable(core::VarId var, Side side) override {
    if (!has(var, side)) return anything(var);
    WalkEnvironment real(walk_, state_, Side::Relaxed);
    return real.variable(var, side);
  }
  Value old_state(core::VarId) override { LETO_ASSERT(false); }
  encode::Environment& snapshot(core::LoopId loop, bool entry) override { return at(loop, entry); }

  PartialEnvironment& at(core::LoopId loop, bool entry) {
    auto& inner = inner_[{loop, entry}];
    if (!inner) {
      Snapshots& taken = walk_.snapshots.at(loop);
      inner = std::make_unique<PartialEnvironment>(walk_, entry ? taken.entry : taken.start);
    }
    return *inner;
  }
  [[nodiscard]] bool has(core::VarId var, Side side) const {
    const core::VarKind kind = walk_.program().vars[var].kind;
    if (kind == core::VarKind::Constant || kind == core::VarKind::Bound) return true;
    return state_.side(side == Side::Open ? Side::Relaxed : side).contains(var);
  }

 private:
  Value anything(core::VarId var) {
    const auto [it, fresh] = anything_.try_emplace(var);
    if (fresh) it->second = walk_.unknown(var, Side::Original);
    return it->second;
  }

  Walk& walk_;
  State& state_;
  std::map<core::VarId, Value> anything_;
  std::map<std::pair<core::LoopId, bool>, std::unique_ptr<PartialEnvironment>> inner_;
};

class Definedness {
 public:
  explicit Definedness(Walk& walk) : w_(walk) {}

  Term of(core::ExprId id, PartialEnvironment& environment) {
    const core::Expr& e = w_.program().exprs[id];
    return std::visit(
        Overload{
            [&](const core::BoolConst&) { return yes(); },
            [&](const core::NumberConst&) { return yes(); },
            [&](const core::VarRef& node) {
              return w_.terms().boolean(environment.has(node.var, node.side));
            },
            [&](const core::OldRef&) { return yes(); },
            [&](const core::Length& node) { return of(node.vector, environment); },
            [&](const core::Select&) { return of_all(id, environment); },
            [&](const core::Apply& node) { return of_operation(id, node, environment); },
            [&](const core::Quant& node) {
              return w_.terms().boolean(has_all(node.body, environment));
            },
            [&](const core::Row&) { return of_all(id, environment); },
            [&](const core::Update&) { return of_all(id, environment); },
            [&](const core::Defined&) { return of_all(id, environment); },
            [&](const core::Listed&) { return of_all(id, environment); },
            [&](const core::Word&) { return of_all(id, environment); },
            [&](const core::Snapshot& node) {
              return of(node.expr, environment.at(node.loop, node.entry));
            },
        },
        e.node);
  }

 private:
  Term yes() { return w_.terms().boolean(true); }
  Term of_all(core::ExprId id, PartialEnvironment& environment) {
    std::vector<Term> parts;
    core::for_each_child(w_.program(), id,
                         [&](core::ExprId child) { parts.push_back(of(child, environment)); });
    return w_.terms().and_(std::move(parts));
  }
  Term of_operation(core::ExprId id, const core::Apply& node, PartialEnvironment& environment) {
    if (node.op == core::Op::Choose) return of_choice(node, environment);
    const bool stops =
        node.op == core::Op::And || node.op == core::Op::Or || node.op == core::Op::Implies;
    if (!stops) return of_all(id, environment);
    const Term first = of(node.args[0], environment);
    Term goes_on = w_.encoder().formula(node.args[0], environment);
    if (node.op == core::Op::Or) goes_on = w_.terms().not_(goes_on);
    return w_.terms().and_(first, w_.terms().implies(goes_on, of(node.args[1], environment)));
  }
  Term of_choice(const core::Apply& node, PartialEnvironment& environment) {
    const Term chosen = w_.encoder().formula(node.args[0], environment);
    return w_.terms().and_({of(node.args[0], environment),
                            w_.terms().implies(chosen, of(node.args[1], environment)),
                            w_.terms().or_(chosen, of(node.args[2], environment))});
  }
  bool has_all(core::ExprId id, PartialEnvironment& environment) {
    const auto& node = w_.program().exprs[id].node;
    if (const auto* ref = std::get_if<core::VarRef>(&node))
      return environment.has(ref->var, ref->side);
    PartialEnvironment* then = &environment;
    if (const auto* snapshot = std::get_if<core::Snapshot>(&node))
      then = &environment.at(snapshot->loop, snapshot->entry);
    for (core::ExprId child : core::children(w_.program(), id))
      if (!has_all(child, *then)) return false;
    return true;
  }

  Walk& w_;
};

}  // namespace

bool Walk::names_missing(core::ExprId id, const State& now) const {
  const auto& node = program().exprs[id].node;
  if (const auto* ref = std::get_if<core::VarRef>(&node)) {
    const core::VarKind kind = program().vars[ref->var].kind;
    if (kind == core::VarKind::Constant || kind == core::VarKind::Bound) return false;
    return !now.side(ref->side == Side::Open ? Side::Relaxed : ref->side).contains(ref->var);
  }
  const State* then = &now;
  if (const auto* snapshot = std::get_if<core::Snapshot>(&node)) {
    const Snapshots& taken = snapshots.at(snapshot->loop);
    then = snapshot->entry ? &taken.entry : &taken.start;
  }
  for (core::ExprId child : core::children(program(), id))
    if (names_missing(child, *then)) return true;
  return false;
}

Term Walk::relation(core::ExprId id) {
  if (!names_missing(id, state)) return formula(id, Side::Relaxed);
  PartialEnvironment partial(*this, state);
  const Term holds = encoder().formula(id, partial);
  return terms().and_(Definedness(*this).of(id, partial), holds);
}

}  // namespace leto::vcgen
