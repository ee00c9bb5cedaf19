#include "reliability/uses.h"

#include "core/calls.h"

namespace leto::reliability {

using core::ExprId;
using core::FunctionId;
using core::StmtId;
using core::VarId;

Uses::Uses(const core::Program& program, Trap trap)
    : program_(program), effects_(program), trap_(trap) {
  for (const core::Recovery& r : program.recoveries) recoveries_.emplace(r.block, &r);
}

const core::Recovery* Uses::recovery_at(StmtId block) const {
  const auto it = recoveries_.find(block);
  return it == recoveries_.end() ? nullptr : it->second;
}

void Uses::add_reads(ExprId id, Sizes sizes, Vars& out) const {
  const auto inside = [&] {
    core::for_each_child(program_, id, [&](ExprId child) { add_reads(child, sizes, out); });
  };
  const auto variable = [&](VarId var) {
    const core::VarKind kind = program_.vars[var].kind;
    if (kind != core::VarKind::Constant && kind != core::VarKind::Bound) out.insert(var);
  };
  std::visit(Overload{
                 [](const core::BoolConst&) {},
                 [](const core::NumberConst&) {},
                 [&](const core::VarRef& e) { variable(e.var); },
                 [&](const core::OldRef& e) { variable(e.var); },
                 [&](const core::Length&) {
                   if (sizes == Sizes::Count) inside();
                 },
                 [&](const core::Select&) { inside(); },
                 [&](const core::Apply&) { inside(); },
                 [&](const core::Quant&) { inside(); },
                 [&](const core::Snapshot&) { inside(); },
                 [&](const core::Row&) { inside(); },
                 [&](const core::Update&) { inside(); },
                 [&](const core::Defined&) { inside(); },
                 [&](const core::Listed&) { inside(); },
                 [&](const core::Word&) { inside(); },
             },
             program_.exprs[id].node);
}

Vars Uses::reads(ExprId id, Sizes sizes) const {
  Vars out;
  if (id.valid()) add_reads(id, sizes, out);
  return out;
}

Vars Uses::reads(const std::vector<ExprId>& list, Sizes sizes) const {
  Vars out;
  for (ExprId id : list) add_reads(id, sizes, out);
  return out;
}

const Vars& Uses::sets(StmtId id) {
  const auto [it, fresh] = sets_.try_emplace(id);
  if (!fresh || !id.valid()) return it->second;
  const core::Modified& m = effects_.of(id);
  it->second = m.original;
  if (trap_ != Trap::StateIsNoData) it->second.insert(m.relaxed.begin(), m.relaxed.end());
  return it->second;
}

const Vars& Uses::states_set(FunctionId id) {
  const auto [it, fresh] = states_set_.try_emplace(id);
  if (!fresh) return it->second;
  const core::Modified& m = effects_.of_call(id);
  it->second = m.original;
  it->second.insert(m.relaxed.begin(), m.relaxed.end());
  return it->second;
}

Uses::Reach Uses::look_at_body(FunctionId id) const {
  Reach own;
  own.external = program_.functions[id].external();
  core::for_each_statement(program_, program_.functions[id].body, [&](StmtId inner) {
    for (VarId var : reads(core::evaluated(program_, inner)))
      if (program_.vars[var].kind == core::VarKind::State) own.states_read.insert(var);
  });
  return own;
}

// Functions that call one another in circles reach the same; each circle takes over what the
// circles that it calls reach.
const Uses::Reach& Uses::reach_of(FunctionId id) {
  if (!reach_.empty()) return reach_[id.value];
  reach_.resize(program_.functions.size());
  for (const std::vector<FunctionId>& circle : core::find_circles(program_)) {
    Reach all;
    const auto add = [&](const Reach& other) {
      all.states_read.insert(other.states_read.begin(), other.states_read.end());
      all.external = all.external || other.external;
    };
    for (FunctionId f : circle) {
      add(look_at_body(f));
      core::for_each_callee(program_, f, [&](FunctionId callee) { add(reach_[callee.value]); });
    }
    for (FunctionId f : circle) reach_[f.value] = all;
  }
  return reach_[id.value];
}

const Vars& Uses::states_read(FunctionId id) {
  return reach_of(id).states_read;
}

bool Uses::calls_external(StmtId id) {
  bool any = false;
  core::for_each_statement(program_, id, [&](StmtId inner) {
    const auto* call = std::get_if<core::Call>(&program_.stmts[inner].node);
    any = any || (call != nullptr && reach_of(call->callee).external);
  });
  return any;
}

Vars Uses::live_before(StmtId id, const Vars& behind, Sizes sizes) {
  if (!id.valid()) return behind;
  const std::tuple key{id, behind, sizes};
  if (const auto it = live_.find(key); it != live_.end()) return it->second;
  Vars live = behind;
  const auto read = [&](const std::vector<ExprId>& list) { live.merge(reads(list, sizes)); };
  // A whole variable is set anew; of a vector's element the rest stays what it was.
  const auto set_whole = [&](VarId target) {
    live.erase(target);
    read(core::evaluated(program_, id));
  };
  const auto set_at = [&](VarId target, const std::vector<ExprId>& indices) {
    if (indices.empty()) live.erase(target);
    read(core::evaluated(program_, id));
  };
  std::visit(Overload{
                 [&](const core::Assign& s) { set_whole(s.target); },
                 [&](const core::Store& s) { set_at(s.target, s.indices); },
                 [&](const core::Declare& s) { set_whole(s.target); },
                 [&](const core::Relaxed& s) { set_whole(s.target); },
                 [&](const core::Write& s) { set_at(s.target, s.indices); },
                 [&](const core::Check&) { read(core::evaluated(program_, id)); },
                 [&](const core::Claim&) { read(core::evaluated(program_, id)); },
                 [&](const core::Recall& s) {
                   read(core::evaluated(program_, id));
                   for (const core::Recall::Made& one : s.made) live.erase(one.var);
                 },
                 [&](const core::Block& s) {
                   for (std::size_t i = s.body.size(); i-- > 0;)
                     live = live_before(s.body[i], live, sizes);
                 },
                 [&](const core::If& s) {
                   live = live_before(s.then_branch, behind, sizes);
                   live.merge(live_before(s.else_branch, behind, sizes));
                   live.merge(reads(s.condition, sizes));
                 },
                 [&](const core::While& s) { live = live_before_loop(s, behind, sizes); },
                 [&](const core::Call& s) {
                   for (VarId target : s.targets) live.erase(target);
                   read(s.args);
                   const Vars& states = states_read(s.callee);
                   live.insert(states.begin(), states.end());
                 },
             },
             program_.stmts[id].node);
  return live_[key] = std::move(live);
}

// At the head: what the test reads, what is read behind the loop, and what an iteration reads
// before the next head.
Vars Uses::live_before_loop(const core::While& s, const Vars& behind, Sizes sizes) {
  Vars claimed;
  for (const core::Invariant& invariant : s.invariants) {
    claimed.merge(reads(invariant.expr, sizes));
    claimed.merge(reads(invariant.only_if, sizes));
  }
  claimed.merge(reads(s.falls, sizes));
  Vars head;
  while (true) {
    Vars tested = live_before(s.body, head, sizes);
    tested.insert(behind.begin(), behind.end());
    tested.merge(reads(s.condition, sizes));
    Vars next = live_before(s.before, tested, sizes);
    next.insert(claimed.begin(), claimed.end());
    next.insert(head.begin(), head.end());
    if (next == head) return head;
    head = std::move(next);
  }
}

}  // namespace leto::reliability
