// Rule 4, if. With c the condition, c_o and c_r its values in the runs:
//
//   c_o && c_r      both take the first branch, in lockstep
//   !c_o && !c_r    both take the second branch, in lockstep
//   c_o && !c_r     the original alone takes the first, then the relaxed alone the second
//   !c_o && c_r     the original alone takes the second, then the relaxed alone the first
//
// Each run tests its own condition and takes its own branch. Where the two values
// are one term the runs cannot part and the last two cases are left out. The cases
// exclude one another: what is learnt in one is known only under its condition,
// and the states are joined variable by variable, so paths do not multiply.
#include "vcgen/walk.h"

namespace leto::vcgen {

void Walk::branch(const core::If& s, core::StmtId id, Run run, Span at) {
  drop_declared(s.then_branch);
  drop_declared(s.else_branch);
  const State before = state;
  const Restored outer_place(place);
  if (setting_.judge != nullptr) place = setting_.judge->behind(place, id);
  std::vector<Case> cases;
  const auto go = [&](Term condition, const char* what, auto body) {
    if (terms().is_false(terms().and_(path, condition))) return;
    const Restored outer_situation(situation);
    on_path(condition, [&] {
      state = before;
      body();
      cases.push_back({condition, state, what});
    });
  };
  const auto take = [&](bool first, Run who) {
    execute(first ? s.then_branch : s.else_branch, who);
  };
  if (run != Run::Both) {
    const Term c = formula(s.condition, run == Run::Original ? Side::Original : Side::Relaxed);
    go(c, "the first branch is taken", [&] { take(true, run); });
    go(terms().not_(c), "the second branch is taken", [&] { take(false, run); });
  } else {
    const Term c_o = formula(s.condition, Side::Original);
    const Term c_r =
        formula(s.condition, falls_into(Trap::OriginalsCondition) ? Side::Original : Side::Relaxed);
    const Term not_o = terms().not_(c_o), not_r = terms().not_(c_r);
    go(terms().and_(c_o, c_r), "both runs take the first branch", [&] { take(true, Run::Both); });
    if (c_o != c_r && !falls_into(Trap::RunsNeverPart)) {
      go(terms().and_(c_o, not_r), "only the original takes the first branch", [&] {
        situation =
            "where the runs part: the original takes the first branch, the relaxed run the second";
        take(true, Run::Original);
        take(falls_into(Trap::SameBranchTwice), Run::Relaxed);
      });
      go(terms().and_(not_o, c_r), "only the relaxed run takes the first branch", [&] {
        situation =
            "where the runs part: the original takes the second branch, the relaxed run the first";
        take(false, Run::Original);
        take(!falls_into(Trap::SameBranchTwice), Run::Relaxed);
      });
    }
    go(terms().and_(not_o, not_r), "both runs take the second branch",
       [&] { take(false, Run::Both); });
  }
  if (cases.empty()) {  // the path itself is infeasible
    state = before;
    return;
  }
  join(cases, before, at);
}

}  // namespace leto::vcgen
