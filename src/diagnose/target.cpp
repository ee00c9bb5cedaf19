#include "diagnose/target.h"

namespace leto::diagnose {

using core::ClaimKind;

std::optional<explain::Target> target_of(const vcgen::Obligation& o) {
  using interp::End;
  explain::Target t;
  t.span = o.claim.at;
  t.expr = o.expr;
  const bool original = o.side == core::Side::Original;
  const auto ending = [&](End end) {
    t.end = original ? End::OriginalFailed : end;
    return t;
  };
  const auto claiming =
      [&](std::vector<interp::ViolationKind> kinds) -> std::optional<explain::Target> {
    if (!o.expr.valid()) return std::nullopt;
    if (original) return ending(End::OriginalFailed);
    t.claims = std::move(kinds);
    return t;
  };
  switch (o.claim.kind) {
    case ClaimKind::Assert:
    case ClaimKind::Assume:
      return ending(End::AssertFailed);
    case ClaimKind::Bounds:
    case ClaimKind::Division:
    case ClaimKind::NotNegative:
    case ClaimKind::SameSize:
    case ClaimKind::Fits:
    case ClaimKind::ArgumentSize:
      return ending(End::CheckFailed);
    case ClaimKind::Enabled:
      return ending(End::Stuck);
    case ClaimKind::AssertR:
      return claiming({interp::ViolationKind::AssertR});
    case ClaimKind::InvariantEntry:
    case ClaimKind::InvariantKept:
      t.entry = o.claim.kind == ClaimKind::InvariantEntry;
      return claiming({interp::ViolationKind::InvariantR, interp::ViolationKind::Invariant});
    case ClaimKind::Decreases:
      return claiming({interp::ViolationKind::Decreases});
    case ClaimKind::Requires:
      t.call = o.claim.at;
      return claiming({interp::ViolationKind::Requires});
    case ClaimKind::LemmaRequires:
    case ClaimKind::LemmaArgument:
    case ClaimKind::LemmaFalls:
    case ClaimKind::LemmaTaken:
      if (!o.expr.valid()) return std::nullopt;
      t.side = o.side;
      t.claims = {interp::ViolationKind::LemmaRequires};
      return t;
    case ClaimKind::Ensures:
    case ClaimKind::EnsuresR:
    case ClaimKind::CalleeEnsures:
      return claiming({interp::ViolationKind::Ensures, interp::ViolationKind::EnsuresR});
    case ClaimKind::InferredEntry:
    case ClaimKind::InferredKept:
    case ClaimKind::InferredExit:
    case ClaimKind::Total:
    case ClaimKind::DefinitionFalls:
    case ClaimKind::DefinitionArgument:
    case ClaimKind::DefinitionDivision:
    case ClaimKind::DefinitionNotNegative:
    case ClaimKind::DefinitionsTotal:
    case ClaimKind::InitialNotNegative:
    case ClaimKind::ConstantNotNegative:
    case ClaimKind::FunctionNotNegative:
    case ClaimKind::ConstraintOfValue:
    case ClaimKind::FunctionsMet:
    case ClaimKind::ModelInvariantInitially:
    case ClaimKind::ModelInvariantKept:
    case ClaimKind::ModelInvariantAssigned:
    case ClaimKind::RefinesWhen:
    case ClaimKind::RefinesOutcome:
    case ClaimKind::RefinesFrame:
    case ClaimKind::RefinesExact:
    case ClaimKind::RefinesOffer:
    case ClaimKind::LoopMeasured:
    case ClaimKind::RecursionFalls:
    case ClaimKind::RecursionMeasured:
    case ClaimKind::CalleeEnds:
    case ClaimKind::Recursion:
    case ClaimKind::LoopWithin:
    case ClaimKind::CallsWithin:
    case ClaimKind::SizesWithin:
    case ClaimKind::RequirementsMet:
    case ClaimKind::AssumptionMet:
    case ClaimKind::TrustMet:
    case ClaimKind::ContractMet:
    case ClaimKind::ModelMet:
    case ClaimKind::LoopEnds:
    case ClaimKind::FunctionEnds:
    case ClaimKind::ValuesMet:
    case ClaimKind::ConstraintsMet:
    case ClaimKind::FunctionExtent:
    case ClaimKind::ProgramExtent:
      return std::nullopt;
  }
  LETO_ASSERT(false);
}

}  // namespace leto::diagnose
