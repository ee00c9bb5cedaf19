#include "driver/checkers.h"

#include <algorithm>

#include "prove/infer.h"

namespace leto::driver {

namespace {

constexpr core::Type kBool{core::Base::Bool, false, 0};

// A function that tries and checks, from any state of the model and equal variables, and claims
// that the check is perfect.
core::FunctionId make(core::Program& p, const core::Recovery& r) {
  const auto apply = [&](core::Op op, std::vector<core::ExprId> args) {
    return p.exprs.add({kBool, r.span, core::Apply{op, std::move(args)}});
  };
  const auto ref = [&](core::VarId var, core::Side side) {
    return p.exprs.add({p.vars[var].type, r.span, core::VarRef{var, side}});
  };
  const auto same = [&](core::VarId var) {
    return apply(core::Op::Eq, {ref(var, core::Side::Original), ref(var, core::Side::Relaxed)});
  };
  std::set<core::VarId> read, set, declared;
  const auto reads = [&](core::ExprId id) {
    core::for_each_read(p, id, [&](core::VarId var, core::Side) { read.insert(var); });
  };
  for (core::StmtId block : {r.body, r.test})
    core::for_each_statement(p, block, [&](core::StmtId id) {
      for (core::ExprId expr : core::evaluated(p, id)) reads(expr);
      std::visit(
          [&](const auto& s) {
            if constexpr (requires { s.target; }) {
              if (s.target.valid()) set.insert(s.target);
            }
            if constexpr (std::is_same_v<std::decay_t<decltype(s)>, core::Declare>)
              declared.insert(s.target);
          },
          p.stmts[id].node);
    });
  reads(r.check);
  core::Function f;
  f.name = "check of a recovery";
  f.span = r.span;
  const auto outer = [&](core::VarId var) {
    const core::VarKind kind = p.vars[var].kind;
    return kind != core::VarKind::Temp && kind != core::VarKind::State &&
           kind != core::VarKind::Constant && kind != core::VarKind::Bound &&
           !declared.contains(var);
  };
  std::set<core::VarId> all = read;
  all.insert(set.begin(), set.end());
  for (core::VarId var : all)
    if (outer(var)) {
      f.params.push_back(var);
      f.requires_.push_back({same(var), true});
    }
  // What is right: everything that the block sets and somebody can see afterwards.
  core::ExprId right = p.exprs.add({kBool, r.span, core::BoolConst{true}});
  for (core::VarId var : set)
    if (outer(var)) right = apply(core::Op::And, {right, same(var)});
  // The check, read in one run.
  const std::function<core::ExprId(core::ExprId, core::Side)> on =
      [&](core::ExprId id, core::Side side) -> core::ExprId {
    core::Expr e = p.exprs[id];
    if (auto* var = std::get_if<core::VarRef>(&e.node)) {
      if (p.vars[var->var].kind != core::VarKind::Constant) var->side = side;
    } else if (auto* select = std::get_if<core::Select>(&e.node)) {
      select->vector = on(select->vector, side);
      for (core::ExprId& index : select->indices) index = on(index, side);
    } else if (auto* length = std::get_if<core::Length>(&e.node)) {
      length->vector = on(length->vector, side);
    } else if (auto* node = std::get_if<core::Apply>(&e.node)) {
      for (core::ExprId& arg : node->args) arg = on(arg, side);
    }
    return p.exprs.add(std::move(e));
  };
  const core::ExprId original = on(r.check, core::Side::Original),
                     relaxed = on(r.check, core::Side::Relaxed);
  core::Block body{{r.body, r.test}};
  for (core::ExprId claim : {original, apply(core::Op::Implies, {relaxed, right}),
                             apply(core::Op::Implies, {right, relaxed})})
    body.body.push_back(p.stmts.add({r.span, core::Claim{core::ClaimKind::AssertR, claim}}));
  f.body = p.stmts.add({r.span, std::move(body)});
  const core::FunctionId id = p.functions.add(std::move(f));
  // Somebody calls it by its contract, hence from any state.
  core::Function caller;
  caller.name = "caller";
  caller.span = r.span;
  caller.body = p.stmts.add({r.span, core::Call{id, {}, {}}});
  p.functions.add(std::move(caller));
  return id;
}

}  // namespace

std::map<std::size_t, reliability::Checker> prove_checkers(const core::Program& program,
                                                           prove::Engine& engine) {
  std::map<std::size_t, reliability::Checker> out;
  for (std::size_t i = 0; i < program.recoveries.size(); ++i) {
    core::Program copy = program;
    const core::Recovery& r = program.recoveries[i];
    const core::FunctionId id = make(copy, r);
    logic::TermTable terms;
    prove::Discharger discharger(terms, engine);
    const prove::Proposals proposals = prove::propose(copy);
    prove::Inference inference = prove::infer(copy, proposals, terms, {}, discharger, {}, id);
    std::vector<std::size_t> claims;
    for (std::size_t k : inference.rest)
      if (inference.obligations[k].kind == vcgen::ClaimKind::AssertR) claims.push_back(k);
    discharger.run(
        inference.obligations, claims, [](std::size_t, bool) {}, inference.outcomes);
    const bool perfect =
        claims.size() >= 3 && std::all_of(claims.begin(), claims.end(), [&](std::size_t k) {
          return inference.outcomes[k].status == prove::Status::Proved;
        });
    if (perfect) out[i] = {{}, {}, "proved"};
  }
  return out;
}

}  // namespace leto::driver
