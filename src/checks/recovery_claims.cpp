#include "checks/recovery_claims.h"

#include <fmt/core.h>

#include <algorithm>

#include "reliability/exact.h"

namespace leto::checks {

using core::ExprId;
using core::Op;
using core::Side;
using core::VarId;
using reliability::Vars;

namespace {

constexpr core::Type kBool{core::Base::Bool, false, 0};

class Maker {
 public:
  Maker(core::Program& program, const core::Recovery& recovery)
      : p_(program), r_(recovery), body_{{recovery.body, recovery.test}} {}

  [[nodiscard]] ExprId apply(Op op, std::vector<ExprId> args) {
    return p_.exprs.add({kBool, r_.span, core::Apply{op, std::move(args)}});
  }
  [[nodiscard]] ExprId ref(VarId var, Side side) {
    return p_.exprs.add({p_.vars[var].type, r_.span, core::VarRef{var, side}});
  }
  [[nodiscard]] ExprId same(VarId var) {
    return apply(Op::Eq, {ref(var, Side::Original), ref(var, Side::Relaxed)});
  }
  // The value now, to be spoken of later.
  [[nodiscard]] VarId keep(std::string name, const core::Type& type, ExprId value) {
    const VarId kept = p_.vars.add({core::VarKind::Temp, std::move(name), type, r_.span});
    add(core::Assign{kept, value});
    return kept;
  }
  [[nodiscard]] VarId keep_check() { return keep("passed", kBool, r_.check); }

  void add(decltype(core::Stmt::node) node) {
    body_.body.push_back(p_.stmts.add({r_.span, std::move(node)}));
  }
  void claim(ExprId claim, std::string feared, bool passes_wrong = false) {
    claims_.push_back({claim, std::move(feared), passes_wrong});
  }

  // From variables of which these are equal.
  [[nodiscard]] RecoveryClaims finish(std::string name, const Vars& equal, const Vars& others) {
    for (const RecoveryClaims::Feared& one : claims_)
      add(core::Claim{core::AssertionKind::AssertR, one.claim});
    core::Function f;
    f.name = std::move(name);
    f.span = r_.span;
    Vars all = others;
    all.insert(equal.begin(), equal.end());
    all.merge(seen_by_loops());
    for (VarId var : all)
      if (p_.vars[var].kind != core::VarKind::State) f.params.push_back(var);
    // A function with a contract that somebody calls is verified from any state of the model.
    f.requires_.push_back({p_.exprs.add({kBool, r_.span, core::BoolConst{true}}), true});
    for (VarId var : equal) f.requires_.push_back({same(var), true});
    f.body = p_.stmts.add({r_.span, std::move(body_)});
    const core::FunctionId made = p_.functions.add(std::move(f));
    add_caller(p_, made);
    return {made, std::move(claims_)};
  }

 private:
  // What may be said of a loop may name any variable that it can see.
  [[nodiscard]] Vars seen_by_loops() const {
    Vars seen, declared;
    core::for_each_statement(p_, r_.block, [&](core::StmtId id) {
      const auto& node = p_.stmts[id].node;
      if (const auto* loop = std::get_if<core::While>(&node))
        seen.insert(loop->visible.begin(), loop->visible.end());
      if (const auto* d = std::get_if<core::Declare>(&node)) declared.insert(d->target);
    });
    std::erase_if(seen, [&](VarId var) { return declared.contains(var); });
    return seen;
  }

  core::Program& p_;
  const core::Recovery& r_;
  core::Block body_;
  std::vector<RecoveryClaims::Feared> claims_;
};

}  // namespace

void add_caller(core::Program& program, core::FunctionId function) {
  const Span at = program.functions[function].span;
  core::Function caller;
  caller.name = "caller";
  caller.span = at;
  caller.body = program.stmts.add({at, core::Call{function, {}, {}}});
  program.functions.add(std::move(caller));
}

RecoveryClaims claim_check(core::Program& program, const core::Recovery& recovery,
                           const reliability::Footing& footing) {
  Maker make(program, recovery);
  const VarId passed = make.keep_check();
  make.claim(make.ref(passed, Side::Original), "it may fail in the original run");
  for (VarId var : footing.set_by_try)
    make.claim(make.apply(Op::Implies, {make.ref(passed, Side::Relaxed), make.same(var)}),
               fmt::format("it may pass what is wrong, in '{}'", program.vars[var].name), true);
  return make.finish("check of a recovery", footing.of_check, footing.set_by_try);
}

namespace {

// The variables that something is said of.
void add_named(const core::Program& program, ExprId id, Vars& named) {
  if (const auto* ref = std::get_if<core::VarRef>(&program.exprs[id].node))
    switch (program.vars[ref->var].kind) {
      case core::VarKind::Param:
      case core::VarKind::Local:
      case core::VarKind::Ghost:
      case core::VarKind::Result:
      case core::VarKind::Temp:
        named.insert(ref->var);
        break;
      case core::VarKind::State:
      case core::VarKind::Constant:
      case core::VarKind::Bound:
        break;
    }
  core::for_each_child(program, id, [&](ExprId child) { add_named(program, child, named); });
}

}  // namespace

RecoveryClaims claim_accepts(core::Program& program, const core::Recovery& recovery,
                             const reliability::Footing& footing, ExprId right) {
  Maker make(program, recovery);
  const VarId passed = make.keep_check();
  make.claim(make.apply(Op::Implies, {make.ref(passed, Side::Relaxed), right}),
             "it may pass what is wrong", true);
  Vars others = footing.set_by_try;
  add_named(program, right, others);
  return make.finish("check of what is right", footing.of_check, others);
}

RecoveryClaims claim_passes(core::Program& program, const core::Recovery& recovery,
                            const reliability::Footing& footing) {
  Maker make(program, recovery);
  const VarId passed = make.keep_check();
  make.claim(make.ref(passed, Side::Original), "it may fail in the original run");
  return make.finish("check of the original", footing.of_check, footing.set_by_try);
}

RecoveryClaims claim_mends(core::Program& program, const core::Recovery& recovery,
                           const reliability::Footing& footing, ExprId right) {
  Maker make(program, recovery);
  const VarId passed = make.keep_check();
  const core::StmtId nothing = program.stmts.add({recovery.span, core::Block{}});
  const core::StmtId exact = reliability::ExactCopies(program).copy(recovery.recover);
  make.add(core::If{make.ref(passed, Side::Open), nothing, exact});
  make.claim(make.apply(Op::Or, {make.ref(passed, Side::Relaxed), right}),
             "'recover' may leave what is wrong");
  Vars others = footing.set;
  add_named(program, right, others);
  return make.finish("recovery of what is right", footing.of_block, others);
}

RecoveryClaims claim_mending(core::Program& program, const core::Recovery& recovery,
                             const reliability::Footing& footing, bool original_too) {
  Maker make(program, recovery);
  const VarId passed = make.keep_check();
  std::vector<std::pair<VarId, VarId>> kept;
  if (original_too)
    for (VarId var : footing.set) {
      const core::Type type = program.vars[var].type;
      const std::string name = program.vars[var].name;
      kept.emplace_back(var, make.keep(name, type, make.ref(var, Side::Open)));
    }
  const core::StmtId nothing = program.stmts.add({recovery.span, core::Block{}});
  const core::StmtId exact = reliability::ExactCopies(program).copy(recovery.recover);
  make.add(core::If{make.ref(passed, Side::Open), nothing, exact});
  for (VarId var : footing.set)
    make.claim(make.apply(Op::Or, {make.ref(passed, Side::Relaxed), make.same(var)}),
               fmt::format("it may leave '{}' wrong", program.vars[var].name));
  for (const auto& [var, before] : kept)
    make.claim(
        make.apply(Op::Eq, {make.ref(before, Side::Original), make.ref(var, Side::Original)}),
        fmt::format("in the original run, where the check may fail, it may change '{}'",
                    program.vars[var].name));
  return make.finish("recovery", footing.of_block, footing.set);
}

}  // namespace leto::checks
