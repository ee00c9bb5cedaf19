#include "reliability/exact.h"

namespace leto::reliability {

using core::ExprId;
using core::FunctionId;
using core::Stmt;
using core::StmtId;

StmtId ExactCopies::copy(StmtId id) {
  if (!id.valid()) return id;
  if (const auto it = statements_.find(id); it != statements_.end()) return it->second;
  const Stmt original = program_.stmts[id];  // the store grows meanwhile
  const StmtId made = program_.stmts.add(copied(original));
  return statements_[id] = made;
}

Stmt ExactCopies::stored(Span span, core::VarId target, std::vector<ExprId> indices, ExprId value) {
  if (indices.empty()) return {span, core::Assign{target, value}};
  return {span, core::Store{target, std::move(indices), value}};
}

Stmt ExactCopies::copied(const Stmt& stmt) {
  return std::visit(
      Overload{
          [&](const core::Assign& s) {
            return Stmt{stmt.span, s};
          },
          [&](const core::Store& s) {
            return Stmt{stmt.span, s};
          },
          [&](const core::Declare& s) {
            return Stmt{stmt.span, s};
          },
          [&](const core::Relaxed& s) { return stored(stmt.span, s.target, {}, s.exact); },
          [&](const core::Write& s) { return stored(stmt.span, s.target, s.indices, s.value); },
          [&](const core::Check& s) {
            return Stmt{stmt.span, s};
          },
          [&](const core::Claim& s) {
            return Stmt{stmt.span, s};
          },
          [&](const core::Block& s) {
            core::Block block;
            for (StmtId child : s.body) block.body.push_back(copy(child));
            return Stmt{stmt.span, std::move(block)};
          },
          [&](const core::If& s) {
            return Stmt{stmt.span, core::If{s.condition, copy(s.then_branch), copy(s.else_branch)}};
          },
          [&](const core::While& s) {
            core::While loop = s;
            loop.before = copy(s.before);
            loop.body = copy(s.body);
            return Stmt{stmt.span, std::move(loop)};
          },
          [&](const core::Call& s) {
            return Stmt{stmt.span, core::Call{copy(s.callee), s.target, s.args}};
          },
      },
      stmt.node);
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
