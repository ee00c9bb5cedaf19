#include "reliability/footing.h"

namespace leto::reliability {

using core::StmtId;
using core::VarId;

namespace {

// Variables that are declared inside end there.
Vars find_declared(const core::Program& program, StmtId block) {
  Vars declared;
  core::for_each_statement(program, block, [&](StmtId id) {
    if (const auto* d = std::get_if<core::Declare>(&program.stmts[id].node))
      declared.insert(d->target);
  });
  return declared;
}

bool outlives_statements(core::VarKind kind) {
  switch (kind) {
    case core::VarKind::Param:
    case core::VarKind::Local:
    case core::VarKind::Ghost:
    case core::VarKind::Result:
    case core::VarKind::State:
      return true;
    case core::VarKind::Temp:
    case core::VarKind::Constant:
    case core::VarKind::Bound:
      return false;
  }
  LETO_ASSERT(false);
}

}  // namespace

Footing find_footing(const core::Program& program, Uses& uses, const core::Recovery& r) {
  const Vars declared = find_declared(program, r.block);
  const auto keep = [&](const Vars& from, bool states) {
    Vars kept;
    for (VarId var : from)
      if (const core::VarKind kind = program.vars[var].kind;
          !declared.contains(var) && outlives_statements(kind) &&
          (states || kind != core::VarKind::State))
        kept.insert(var);
    return kept;
  };
  Footing f;
  Vars tried = uses.sets(r.body);
  tried.insert(uses.sets(r.test).begin(), uses.sets(r.test).end());
  f.set_by_try = keep(tried, false);
  f.set = keep(uses.sets(r.block), false);
  Vars checked = f.set_by_try;
  checked.merge(uses.reads(r.check));
  checked = uses.live_before(r.test, checked, Sizes::Count);
  f.of_check = keep(uses.live_before(r.body, checked, Sizes::Count), true);
  f.of_block = keep(uses.live_before(r.block, f.set, Sizes::Count), true);
  f.of_block.insert(f.of_check.begin(), f.of_check.end());
  return f;
}

}  // namespace leto::reliability
