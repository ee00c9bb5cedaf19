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

}  // namespace

Visits::Visits(const core::Program& program, core::FunctionId function, Visited visited)
    : program_(program), function_(function), visited_(std::move(visited)) {
  if (!visited_.end) return;
  core::for_each_statement(program, program.functions[function].body, [&](core::StmtId id) {
    statements_[program.stmts[id].span.begin].push_back(id);
  });
}

// The one statement of the function that makes it; invalid: none, or one of several.
core::StmtId Visits::find_maker(const core::ClaimId& claim) const {
  const auto there = statements_.find(claim.at.begin);
  if (there == statements_.end()) return {};
  core::StmtId found;
  bool several = false;
  for (const core::StmtId id : there->second) {
    const core::Stmt& statement = program_.stmts[id];
    if (statement.span != claim.at || !is_made_by(claim.kind, statement)) continue;
    several = several || found.valid();
    found = id;
  }
  return several ? core::StmtId{} : found;
}

bool Visits::settle(const vcgen::Assumption& assumption) const {
  const core::Function& f = program_.functions[function_];
  const core::ClaimId& claim = assumption.claim;
  if (!visited_.end || assumption.by_one_of_both || claim.function != f.name) return false;
  if (claim.kind == core::ClaimKind::RequirementsMet || claim.kind == core::ClaimKind::FunctionEnds)
    return claim.at == f.span;
  const core::StmtId maker = find_maker(claim);
  return maker.valid() && visited_.statements.contains(maker);
}

}  // namespace leto::prove
