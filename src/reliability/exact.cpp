#include "reliability/exact.h"

namespace leto::reliability {

using core::FunctionId;
using core::Stmt;
using core::StmtId;

StmtId ExactCopies::copy(StmtId id) {
  if (!id.valid()) return id;
  if (const auto it = statements_.find(id); it != statements_.end()) return it->second;
  const StmtId made = program_.stmts.add(copied(id));
  return statements_[id] = made;
}

Stmt ExactCopies::copied(StmtId id) {
  const Stmt s = program_.stmts[id];  // the store grows meanwhile
  if (const auto* relaxed = std::get_if<core::Relaxed>(&s.node))
    return {s.span, core::Assign{relaxed->target, relaxed->exact}};
  if (const auto* write = std::get_if<core::Write>(&s.node)) {
    if (write->indices.empty()) return {s.span, core::Assign{write->target, write->value}};
    return {s.span, core::Store{write->target, write->indices, write->value}};
  }
  if (const auto* call = std::get_if<core::Call>(&s.node))
    return {s.span, core::Call{copy(call->callee), call->targets, call->args}};
  LETO_ASSERT(core::site_of(s) == nullptr);
  return core::map(program_, id, [&](StmtId child) { return copy(child); });
}

// A function without relaxed operations stays what it is, with its contract. An external one has
// nothing that could be copied.
FunctionId ExactCopies::copy(FunctionId id) {
  if (!has_sites(id)) return id;
  if (const auto it = functions_.find(id); it != functions_.end()) return it->second;
  core::Function f = program_.functions[id];
  f.name += ", without faults";
  f.requires_.clear();
  f.ensures.clear();
  f.measure.clear();
  f.entered.clear();
  f.ends = false;
  f.reliability.clear();
  f.site = {};
  f.body = {};
  const FunctionId made = program_.functions.add(std::move(f));
  functions_[id] = made;
  const StmtId body = copy(program_.functions[id].body);
  program_.functions[made].body = body;
  return made;
}

bool ExactCopies::has_sites(FunctionId id) {
  return !program_.functions[id].external() && !effects_.is_deterministic(id);
}

}  // namespace leto::reliability
