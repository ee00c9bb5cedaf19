#include "core/effects.h"

#include <algorithm>

#include "core/core.h"

namespace leto::core {

std::set<VarId> states_modified(const Program& program, const FaultSite& site) {
  std::set<VarId> all;
  for (std::uint32_t index : site.specifications)
    for (VarId var : program.specifications[index].modifies) all.insert(var);
  return all;
}

const Modified& Effects::of(StmtId id) {
  static const Modified kNothing;
  if (!id.valid()) return kNothing;
  if (const auto it = of_statement_.find(id); it != of_statement_.end()) return it->second;
  Modified m;
  if (const VarId target = target_of(program_, id); target.valid()) {
    m.original.insert(target);
    m.relaxed.insert(target);
  }
  if (const FaultSite* site = site_of(program_.stmts[id])) {
    const std::set<VarId> states = states_modified(program_, *site);
    m.relaxed.insert(states.begin(), states.end());
  }
  if (const auto* call = std::get_if<Call>(&program_.stmts[id].node)) m.add(of_call(call->callee));
  for_each_child(program_, id, [&](StmtId child) { m.add(of(child)); });
  return of_statement_.emplace(id, std::move(m)).first->second;
}

const std::set<VarId>& Effects::declared_in(StmtId id) {
  static const std::set<VarId> kNone;
  if (!id.valid()) return kNone;
  if (const auto it = declared_.find(id); it != declared_.end()) return it->second;
  std::set<VarId> all;
  if (const auto* declare = std::get_if<Declare>(&program_.stmts[id].node))
    all.insert(declare->target);
  for_each_child(program_, id, [&](StmtId child) {
    const std::set<VarId>& inside = declared_in(child);
    all.insert(inside.begin(), inside.end());
  });
  return declared_.emplace(id, std::move(all)).first->second;
}

void Effects::find_called(FunctionId id, std::set<FunctionId>& found) const {
  if (!found.insert(id).second) return;
  for_each_statement(program_, program_.functions[id].body, [&](StmtId inner) {
    if (const auto* call = std::get_if<Call>(&program_.stmts[inner].node))
      find_called(call->callee, found);
  });
}

// Functions may call one another in circles: of all that can be reached, what their own
// statements change.
const Modified& Effects::of_call(FunctionId id) {
  if (const auto it = of_call_.find(id); it != of_call_.end()) return it->second;
  std::set<FunctionId> all;
  find_called(id, all);
  Modified m;
  for (FunctionId f : all)
    for_each_statement(program_, program_.functions[f].body, [&](StmtId inner) {
      if (const VarId target = target_of(program_, inner);
          target.valid() && program_.vars[target].kind == VarKind::State) {
        m.original.insert(target);
        m.relaxed.insert(target);
      }
      const FaultSite* site = site_of(program_.stmts[inner]);
      if (site == nullptr) return;
      const std::set<VarId> states = states_modified(program_, *site);
      m.relaxed.insert(states.begin(), states.end());
    });
  return of_call_.emplace(id, std::move(m)).first->second;
}

bool Effects::is_deterministic(FunctionId id) {
  if (const auto it = deterministic_.find(id); it != deterministic_.end()) return it->second;
  std::set<FunctionId> all;
  find_called(id, all);
  bool all_exact = true;
  for (FunctionId f : all) {
    all_exact = all_exact && !program_.functions[f].external();
    for_each_statement(program_, program_.functions[f].body, [&](StmtId inner) {
      all_exact = all_exact && site_of(program_.stmts[inner]) == nullptr;
    });
  }
  return deterministic_[id] = all_exact;
}

Modified Effects::of(const While& loop) {
  Modified m = of(loop.before);
  m.add(of(loop.body));
  return m;
}

bool Effects::reads_state(ExprId id) const {
  bool any = false;
  for_each_read(program_, id,
                [&](VarId var, Side) { any = any || program_.vars[var].kind == VarKind::State; });
  return any;
}

bool Effects::is_plain(StmtId id) {
  if (!id.valid()) return true;
  for (ExprId expr : evaluated(program_, id))
    if (reads_state(expr)) return false;
  const auto all_inside = [&] {
    const std::vector<StmtId> inside = children(program_, id);
    return std::all_of(inside.begin(), inside.end(), [&](StmtId child) { return is_plain(child); });
  };
  const auto sets_temporary = [&](VarId var) { return program_.vars[var].kind == VarKind::Temp; };
  return std::visit(Overload{
                        [&](const Assign& s) { return sets_temporary(s.target); },
                        [](const core::Store&) { return false; },
                        [](const Declare&) { return false; },
                        [](const Relaxed&) { return false; },
                        [](const Write&) { return false; },
                        [](const Check&) { return true; },
                        [](const Claim&) { return false; },
                        [&](const Block&) { return all_inside(); },
                        [&](const If&) { return all_inside(); },
                        [](const While&) { return false; },
                        [](const Call&) { return false; },
                    },
                    program_.stmts[id].node);
}

bool Effects::is_plain_test(const While& loop) {
  return is_plain(loop.before) && !reads_state(loop.condition);
}

}  // namespace leto::core
