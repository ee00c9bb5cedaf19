#include "prove/explore.h"

namespace leto::prove {

namespace {

// Which statement makes such an assumption; false: none that a run comes by.
bool is_made_by(core::ClaimKind kind, const core::Stmt& statement) {
  if (kind == core::ClaimKind::LoopEnds) return std::holds_alternative<core::While>(statement.node);
  if (kind == core::ClaimKind::ContractMet)
    return std::holds_alternative<core::Call>(statement.node);
  if (kind == core::ClaimKind::AssumptionMet || kind == core::ClaimKind::TrustMet)
    return std::holds_alternative<core::Claim>(statement.node);
  return false;
}

// The one statement of the function that makes it; invalid: none, or one of several.
core::StmtId find_maker(const core::Program& program, const core::Function& f,
                        const core::ClaimId& claim) {
  core::StmtId found;
  bool several = false;
  core::for_each_statement(program, f.body, [&](core::StmtId id) {
    const core::Stmt& statement = program.stmts[id];
    if (statement.span != claim.at || !is_made_by(claim.kind, statement)) return;
    several = several || found.valid();
    found = id;
  });
  return several ? core::StmtId{} : found;
}

}  // namespace

bool is_visited(const core::Program& program, core::FunctionId function, const Visited& visited,
                const vcgen::Assumption& assumption) {
  const core::Function& f = program.functions[function];
  const core::ClaimId& claim = assumption.claim;
  if (!visited.end || assumption.by_one_of_both || claim.function != f.name) return false;
  if (claim.kind == core::ClaimKind::RequirementsMet || claim.kind == core::ClaimKind::FunctionEnds)
    return claim.at == f.span;
  const core::StmtId maker = find_maker(program, f, claim);
  return maker.valid() && visited.statements.contains(maker);
}

}  // namespace leto::prove
