#include "core/effects.h"

#include <algorithm>

#include "core/calls.h"
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
  for (const VarId target : targets_of(program_, id)) {
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

Effects::Reach Effects::look_at_body(FunctionId id) const {
  Reach own;
  own.deterministic = !program_.functions[id].external();
  for_each_statement(program_, program_.functions[id].body, [&](StmtId inner) {
    for (const VarId target : targets_of(program_, inner)) {
      if (program_.vars[target].kind != VarKind::State) continue;
      own.states.original.insert(target);
      own.states.relaxed.insert(target);
    }
    const FaultSite* site = site_of(program_.stmts[inner]);
    if (site == nullptr) return;
    own.deterministic = false;
    const std::set<VarId> states = states_modified(program_, *site);
    own.states.relaxed.insert(states.begin(), states.end());
  });
  return own;
}

// Functions that call one another in circles reach the same; each circle takes over what the
// circles that it calls reach.
const Effects::Reach& Effects::reach_of(FunctionId id) {
  if (id.value < reach_.size()) return reach_[id.value];
  reach_.assign(program_.functions.size(), {});
  for (const std::vector<FunctionId>& circle : find_circles(program_)) {
    Reach all;
    const auto add = [&](const Reach& other) {
      all.states.add(other.states);
      all.deterministic = all.deterministic && other.deterministic;
    };
    for (FunctionId f : circle) {
      add(look_at_body(f));
      for_each_callee(program_, f, [&](FunctionId callee) { add(reach_[callee.value]); });
    }
    for (FunctionId f : circle) reach_[f.value] = all;
  }
  return reach_[id.value];
}

const Modified& Effects::of_call(FunctionId id) {
  return reach_of(id).states;
}

bool Effects::is_deterministic(FunctionId id) {
  return reach_of(id).deterministic;
}

Modified Effects::of(const While& loop) {
  Modified m = of(loop.before);
  m.add(of(loop.body));
  return m;
}

bool Effects::is_plain(StmtId id) {
  if (!id.valid()) return true;
  for (ExprId expr : evaluated(program_, id))
    if (reads_state(program_, expr)) return false;
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
                        [](const Recall&) { return false; },
                    },
                    program_.stmts[id].node);
}

bool Effects::is_plain_test(const While& loop) {
  return is_plain(loop.before) && !reads_state(program_, loop.condition);
}

}  // namespace leto::core
