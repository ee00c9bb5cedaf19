#include "reliability/taint.h"

namespace leto::reliability {

using core::ExprId;
using core::StmtId;
using core::VarId;

// Until nothing is added any more. Only then is it known which conditions and indices may be wrong,
// so strays of the last pass count.
Taint::Taint(const core::Program& program, Uses& uses, const std::vector<StmtId>& code, Trap trap)
    : program_(program), uses_(uses), trap_(trap) {
  do {
    changed_ = false;
    strays_.clear();
    visited_.clear();
    for (StmtId id : code) visit(id, {});
  } while (changed_);
}

const Stray* Taint::stray(VarId var) const {
  const auto it = strays_.find(var);
  return it == strays_.end() ? nullptr : &it->second;
}

void Taint::add(VarId var) {
  changed_ = tainted_.insert(var).second || changed_;
}

VarId Taint::first_of(const Vars& vars) const {
  for (VarId var : vars)
    if (tainted_.contains(var)) return var;
  return {};
}

// Under a condition that may be wrong; the innermost such.
VarId Taint::controlling(ExprId condition, VarId outer) const {
  if (trap_ == Trap::ElementsOnEitherPath) return {};
  const VarId own = first_of(uses_.reads(condition));
  return own.valid() ? own : outer;
}

// The target is set, from these, or anyhow if it is the outcome of something that may go wrong.
void Taint::set(VarId target, const std::vector<ExprId>& indices, const Vars& from, VarId control,
                bool faulty) {
  const VarId index = first_of(uses_.reads(indices));
  if (control.valid()) strays_.emplace(target, Stray{Stray::Kind::Condition, control});
  if (index.valid() && trap_ != Trap::IndexIsRight)
    strays_.emplace(target, Stray{Stray::Kind::Index, index});
  if (faulty || control.valid() || index.valid() || first_of(from).valid()) add(target);
}

void Taint::visit(StmtId id, VarId control) {
  if (!id.valid() || !visited_.emplace(id, control).second) return;
  const auto fault = [&](const core::FaultSite& site) {
    for (VarId var : core::states_modified(program_, site)) add(var);
    return !site.specifications.empty();
  };
  std::visit(
      Overload{
          [&](const core::Assign& s) { set(s.target, {}, uses_.reads(s.value), control, false); },
          [&](const core::Store& s) {
            set(s.target, s.indices, uses_.reads(s.value), control, false);
          },
          [&](const core::Declare& s) { set(s.target, {}, uses_.reads(s.sizes), control, false); },
          [&](const core::Relaxed& s) {
            Vars from = uses_.reads(s.args);
            from.merge(uses_.reads(s.exact));
            set(s.target, {}, from, control, fault(s.site));
          },
          [&](const core::Write& s) {
            Vars from = uses_.reads(s.value);
            if (s.exact.valid()) from.merge(uses_.reads(s.exact));
            set(s.target, s.indices, from, control, fault(s.site));
          },
          [](const core::Check&) {},
          [](const core::Claim&) {},
          [&](const core::Block& s) {
            for (StmtId child : s.body) visit(child, control);
          },
          [&](const core::If& s) {
            const VarId inner = controlling(s.condition, control);
            visit(s.then_branch, inner);
            visit(s.else_branch, inner);
          },
          [&](const core::While& s) {
            visit(s.before, control);
            const VarId inner = controlling(s.condition, control);
            visit(s.body, inner);
            visit(s.before, inner);  // each time round
          },
          [&](const core::Call& s) { call(s, control); },
          [&](const core::Recall& s) {
            for (const core::Recall::Made& one : s.made)
              set(one.var, {}, uses_.reads(s.args), control, false);
          },
      },
      program_.stmts[id].node);
}

void Taint::call(const core::Call& s, VarId control) {
  Vars from = uses_.reads(s.args);
  const Vars& states = uses_.states_read(s.callee);
  from.insert(states.begin(), states.end());
  const bool faulty = uses_.may_go_wrong(s.callee);
  for (VarId target : s.targets) set(target, {}, from, control, faulty);
  for (VarId state : uses_.states_set(s.callee)) set(state, {}, from, control, faulty);
}

}  // namespace leto::reliability
