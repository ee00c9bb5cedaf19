// What a problem calls right. With X the inputs and Y the outputs, right(X, Y) is to hold of the
// original run's X and the relaxed run's Y. Two rules; the better one counts.
//
// Equal. If right(X, Y) is proved of the original run, with nothing trusted, then
//
//   r * R(Y)  is  r * R(P(X; Y))
//
// Guarded. Y gets its last values in try S1 check (e) recover S2, and nothing behind it changes X
// or Y but copies. From states in which what the block stands on (Footing) is equal, this is known:
//
//   accepts   if e is true in the relaxed run, whatever went wrong in S1 and in e, then right(X, Y)
//   passes    e is true in the original run
//   mends     if the relaxed run does S1, with any faults, e is false, and then S2 is done without
//             faults, then right(X, Y); or S2 is S1 once more, from what S1 started from, and both
//             of the others are known, so that what S1 computes without faults is right
//
// With p and r2 as in recovery.cpp:
//
//   accepts                    r2 * R(Footing)
//   accepts and passes         (p + (1 - p) * r2) * R(Footing)
//
// For what passes is right, and what fails and is then done without faults is right. Only who also
// passes what is right makes use of a first attempt that went well: a check that is sound and not
// complete may fail it. That a check is perfect, which recovery.cpp asks for, is not needed: a
// problem may have several right results.
#include "reliability/right.h"

#include <algorithm>

#include "reliability/backwards.h"

namespace leto::reliability {

using core::StmtId;
using core::VarId;

namespace {

// What is done one behind the other; a recovery block is one of them.
void flatten(const core::Program& program, Uses& uses, StmtId id, std::vector<StmtId>& out) {
  const auto* block = std::get_if<core::Block>(&program.stmts[id].node);
  if (block == nullptr || uses.recovery_at(id) != nullptr) return out.push_back(id);
  for (StmtId child : block->body) flatten(program, uses, child, out);
}

// The variable that is copied, if a statement does nothing else.
VarId copied_by(const core::Program& program, const core::Assign& assign) {
  const auto* from = std::get_if<core::VarRef>(&program.exprs[assign.value].node);
  if (from == nullptr || program.vars[from->var].kind == core::VarKind::State) return {};
  return program.vars[from->var].type == program.vars[assign.target].type ? from->var : VarId{};
}

bool have_common(const Vars& a, const Vars& b) {
  return std::any_of(a.begin(), a.end(), [&](VarId var) { return b.contains(var); });
}

}  // namespace

std::optional<Guard> find_guard(const core::Program& program, Uses& uses, core::FunctionId function,
                                const core::ReliabilityClause& clause) {
  const core::Function& f = program.functions[function];
  const Vars inputs(clause.inputs.begin(), clause.inputs.end());
  if (f.external() || have_common(uses.sets(f.body), inputs)) return std::nullopt;
  Guard guard;
  for (VarId var : clause.vars) guard.now[var] = var;
  std::vector<StmtId> all;
  flatten(program, uses, f.body, all);
  for (; !all.empty(); all.pop_back()) {
    Vars outputs;
    for (const auto& [output, now] : guard.now) outputs.insert(now);
    if (!have_common(uses.sets(all.back()), outputs)) continue;
    if (const core::Recovery* recovery = uses.recovery_at(all.back())) {
      guard.recovery = static_cast<std::size_t>(recovery - program.recoveries.data());
      all.pop_back();
      guard.before = std::move(all);
      return guard;
    }
    const auto* assign = std::get_if<core::Assign>(&program.stmts[all.back()].node);
    const VarId from = assign == nullptr ? VarId{} : copied_by(program, *assign);
    if (!from.valid()) return std::nullopt;
    for (auto& [output, now] : guard.now)
      if (now == assign->target) now = from;
  }
  return std::nullopt;
}

// p + (1 - p) * r2, or r2.
Found Backwards::before_guard(const Guard& guard, const KnownRight& known) {
  const core::Recovery& r = program_.recoveries[guard.recovery];
  const Footing& f = footing(guard.recovery);
  Vars wanted;
  for (const auto& [output, now] : guard.now) wanted.insert(now);
  const Found tried = before_sequence({r.body, r.test}, uses_.reads(r.check));
  const Chance p = tried.hopeless || !known.passes ? Chance() : tried.chance;
  Chance again;
  if (known.mending != Known::Mending::No) {
    Known mending;
    mending.mending = known.mending;
    const Found mended = recover_block(r, mending, wanted);
    again = mended.hopeless ? Chance() : mended.chance;
  }
  Found found{certain(), f.of_block};
  for (VarId var : wanted)
    if (!f.set.contains(var)) found.vars.insert(var);
  found.lose(Share::Kind::Recovery, r.span, "what recovery leaves wrong",
             p + p.complement() * again);
  if (known.passes && !tried.hopeless) found.vars.insert(tried.vars.begin(), tried.vars.end());
  const Found first = before_sequence(guard.before, found.vars);
  found.chance = found.chance * first.chance;
  found.vars = first.vars;
  found.add(first);
  return found;
}

}  // namespace leto::reliability
