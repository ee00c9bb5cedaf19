// Claims.
#include <fmt/core.h>

#include "interp/execute.h"

namespace leto::interp {

using core::Side;

void Executor::violated(ViolationKind kind, core::ExprId expr, Span at, const Where& where,
                        Side side) {
  if (out_.violations.size() < 100) {
    out_.violations.push_back(
        {kind, at, expr, where.call, where.entry, out_.events.size(), nullptr, side});
    if (options_.events) out_.violations.back().moment = moment();
  }
  if (!options_.events) return;
  out_.events.push_back({Event::Kind::Claim,
                         at,
                         Side::Open,
                         std::string(describe(kind)),
                         "does not hold",
                         {},
                         {},
                         expr});
}

bool Executor::lacks_value(const RelationCode& code) {
  if (code.lacks) return computer_.truth(*code.lacks);
  if (!code.walk_lacks) return false;
  Scope scope{code_.pair, Side::Relaxed, &snapshots_};
  return machine_.evaluator().reads_without_value(code.expr, scope).valid();
}

// One that comes to read a variable where it has no value does not hold.
void Executor::relational(ViolationKind kind, const RelationCode& code, Span at,
                          const Where& where) {
  ++out_.claims;
  if (lacks_value(code) || !computer_.truth(code.holds)) violated(kind, code.expr, at, where);
}

// Of the original trusted: if it does not hold, nothing is claimed.
void Executor::unary(ViolationKind kind, core::ExprId expr, const Sided& holds, Run run,
                     const Where& where) {
  const Span at = program_.exprs[expr].span;
  if (run != Run::Relaxed && !computer_.truth(holds.original))
    throw Halt{End::OriginalFailed, where.call.file.valid() ? where.call : at,
               fmt::format("its {} does not hold", describe(kind)), expr};
  if (run == Run::Original) return;
  ++out_.claims;
  if (!computer_.truth(holds.relaxed)) violated(kind, expr, at, where);
}

// What a function claims, of its call there, or of itself.
void Executor::contract(const std::vector<ClauseCode>& clauses, Run run, ViolationKind kind,
                        std::optional<Span> call) {
  Where where;
  if (call) where.call = *call;
  for (const ClauseCode& clause : clauses) {
    if (!clause.relational)
      unary(kind, clause.expr, clause.holds, run, where);
    else if (run == Run::Both)
      relational(kind == ViolationKind::Ensures ? ViolationKind::EnsuresR : kind, clause.relation,
                 program_.exprs[clause.expr].span, where);
  }
}

void Executor::recall(const RecallCode& s, Side side, Span at) try {
  ++out_.claims;
  Scope scope{code_.pair, side, &snapshots_};
  core::ExprId broken =
      s.recall->relational ? machine_.find_without_value(*s.recall, scope) : core::ExprId{};
  for (const RecallCode::Said& need : s.needs)
    if (!broken.valid() && !computer_.truth(need.holds.of(side))) broken = need.expr;
  if (broken.valid()) return violated(ViolationKind::LemmaRequires, broken, at, {}, side);
  for (const RecallCode::Said& ensured : s.ensures)
    if (!computer_.truth(ensured.holds.of(side)))
      violated(ViolationKind::LemmaEnsures, ensured.expr, at, {}, side);
} catch (const Undecidable&) {
}

// Of each run that is at a head; a run that has left from the middle is at none.
void Executor::claim_invariant(const InvariantCode& invariant, Run run, Run alive,
                               const Where& where) {
  const auto at_head = [&](Side side) {
    return !invariant.only_if || computer_.truth(invariant.only_if->of(side));
  };
  if (invariant.relational) {
    if (options_.invariants && run != Run::Original && at_head(Side::Relaxed))
      relational(ViolationKind::InvariantR, invariant.relation, program_.exprs[invariant.expr].span,
                 where);
    return;
  }
  // Even where invariants are no claims, those of the original run are trusted.
  if (alive != Run::Relaxed && at_head(Side::Original))
    unary(ViolationKind::Invariant, invariant.expr, invariant.holds, Run::Original, where);
  if (alive != Run::Original && at_head(Side::Relaxed) && options_.invariants)
    unary(ViolationKind::Invariant, invariant.expr, invariant.holds, Run::Relaxed, where);
}

}  // namespace leto::interp
