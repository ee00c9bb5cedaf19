#include "core/parts.h"

namespace leto::core {

ExprId map(Program& program, ExprId id, const std::function<ExprId(ExprId)>& f) {
  Expr e = program.exprs[id];  // the store may grow meanwhile
  bool changed = false;
  const auto replace = [&](ExprId& child) {
    const ExprId made = f(child);
    changed = changed || made != child;
    child = made;
  };
  std::visit([&](auto& node) { parts::give(node, replace); }, e.node);
  return changed ? program.exprs.add(std::move(e)) : id;
}

Stmt map(const Program& program, StmtId id, const std::function<StmtId(StmtId)>& f) {
  Stmt s = program.stmts[id];
  const auto replace = [&](StmtId& child) {
    if (child.valid()) child = f(child);
  };
  std::visit(
      [&](auto& node) {
        parts::give(
            node, [](ExprId&, Use) {}, replace);
      },
      s.node);
  return s;
}

}  // namespace leto::core
