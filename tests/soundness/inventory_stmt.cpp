#include "inventory.h"

namespace leto::soundness {

using namespace syntax;

void Inventory::visit(StmtId id, const Where& where) {
  if (!id.valid()) return;
  const Stmt& stmt = tree_.stmts[id];
  if (std::holds_alternative<ReturnStmt>(stmt.node)) known_.returns.push_back(stmt.span.begin);
  if (std::holds_alternative<ClaimStmt>(stmt.node)) known_.claims.push_back(stmt.span.begin);
  std::visit([&](const auto& node) { see(node, where); }, stmt.node);
}

void Inventory::see(const DeclStmt& s, const Where& where) {
  if (s.declarators.size() > 1) mark("several declarators");
  for (const Declarator& one : s.declarators) {
    known_.types[one.name.name] = s.type;
    mark(one.init.valid() ? "declaration with a value" : "declaration without a value");
    if (s.ghost) {
      known_.ghosts.insert(one.name.name);
      mark(s.type.shape == Shape::Scalar ? "specvar" : "specvar that is a vector");
    } else if (s.type.record.valid()) {
      mark(s.type.shape == Shape::Scalar ? "record variable" : "vector of records");
      if (s.attributes.region) mark("record in a region");
    } else if (s.type.shape == Shape::Vector) {
      mark("vector variable");
    } else if (s.type.shape == Shape::Matrix) {
      mark("matrix variable");
    } else {
      mark("type " + std::string(spelling(s.type.scalar)));
    }
    if (s.attributes.region) known_.regions.insert(one.name.name);
    if (s.attributes.region && !s.type.record.valid()) {
      mark(s.type.shape == Shape::Scalar ? "scalar in a region" : "vector in a region");
    }
    Where inner = where;
    inner.ghost = s.ghost;
    for (ExprId dim : one.dims) visit(dim, inner);
    visit(one.init, inner);
    if (const TypeSyntax* type = one.init.valid() ? whole(one.init) : nullptr)
      mark(type->shape == Shape::Vector ? "vector copied as a whole" : "matrix copied as a whole");
  }
}

void Inventory::see_target(ExprId id, const Where& where) {
  const Name name = base(id);
  const auto& node = tree_.exprs[id].node;
  if (std::holds_alternative<ModelExpr>(node)) mark("model.x assigned");
  if (const auto* index = std::get_if<IndexExpr>(&node)) {
    const auto it = known_.types.find(name);
    if (it != known_.types.end())
      mark(it->second.shape == Shape::Matrix ? "matrix element assigned"
                                             : "vector element assigned");
    if (known_.regions.contains(name)) mark("element in a region assigned");
    visit(index->index, where);
  } else if (const auto it = known_.types.find(name); it != known_.types.end()) {
    const bool region = known_.regions.contains(name);
    if (region && it->second.shape == Shape::Scalar) mark("scalar in a region assigned");
    if (region && it->second.shape == Shape::Vector) mark("vector in a region assigned");
  }
  if (known_.ghosts.contains(name)) mark("specvar assigned");
  if (known_.params.contains(name)) mark("parameter assigned");
}

void Inventory::see(const AssignStmt& s, const Where& where) {
  const std::string sign = s.op ? std::string(spelling(*s.op)) + "=" : "=";
  mark("assignment " + sign + (s.dotted ? "." : ""));
  if (s.dotted) known_.relaxed = true;
  see_target(s.target, where);
  Where inner = where;
  inner.ghost = known_.ghosts.contains(base(s.target));
  visit(s.value, inner);
  if (is_record(s.value) && !s.op) mark("record copied");
  if (const TypeSyntax* type = whole(s.value); type != nullptr && !s.op)
    mark(type->shape == Shape::Vector ? "vector copied as a whole" : "matrix copied as a whole");
}

void Inventory::see(const StepStmt& s, const Where& where) {
  mark(s.increment ? "++" : "--");
  if (std::holds_alternative<IndexExpr>(tree_.exprs[s.target].node)) mark("step of an element");
  see_target(s.target, where);
}

void Inventory::see(const IfStmt& s, const Where& where) {
  mark("if");
  Where test = where;
  test.condition = true;
  visit(s.condition, test);
  Where inner = where;
  ++inner.branches;
  visit(s.then_branch, inner);
  if (!s.else_branch.valid()) return;
  const bool again = std::holds_alternative<IfStmt>(tree_.stmts[s.else_branch].node);
  mark(again ? "else if" : "else");
  visit(s.else_branch, inner);
}

void Inventory::see_loop(const Attributes& attributes, const std::vector<Clause>& invariants,
                         const char* kind, const Where& where) {
  mark(kind);
  if (attributes.label) {
    mark("@label of a loop");
    known_.labels.insert(attributes.label->name);
  }
  if (attributes.noinf) mark("@noinf");
  if (where.loops > 0) mark("loop in a loop");
  if (where.tries > 0) mark(std::string(kind) + " in try");
  if (where.branches > 0) mark(std::string(kind) + " in a branch");
  for (const Clause& clause : invariants) see_clause(clause, where);
}

void Inventory::see(const WhileStmt& s, const Where& where) {
  see_loop(s.attributes, s.invariants, "while", where);
  Where test = where;
  test.test = test.condition = true;
  visit(s.condition, test);
  Where inner = where;
  ++inner.loops;
  visit(s.body, inner);
}

void Inventory::see(const ForStmt& s, const Where& where) {
  if (!s.init.valid()) mark("for without a start");
  if (!s.condition.valid()) mark("for without a condition");
  if (!s.step.valid()) mark("for without a step");
  if (s.init.valid() && !std::holds_alternative<DeclStmt>(tree_.stmts[s.init].node))
    mark("for with an assignment as start");
  visit(s.init, where);
  see_loop(s.attributes, s.invariants, "for", where);
  Where test = where;
  test.test = test.condition = true;
  visit(s.condition, test);
  Where inner = where;
  ++inner.loops;
  visit(s.step, inner);
  visit(s.body, inner);
}

void Inventory::see(const RepeatStmt& s, const Where& where) {
  mark(std::holds_alternative<IntegerExpr>(tree_.exprs[s.count].node) ? "repeat number"
                                                                      : "repeat constant");
  see_loop(s.attributes, s.invariants, "repeat", where);
  Where inner = where;
  ++inner.loops;
  visit(s.body, inner);
}

void Inventory::see(const TryStmt& s, const Where& where) {
  mark(s.recover.valid() ? "recover with a block"
       : s.under         ? (s.redo.valid() ? "redo(n) under M" : "redo under M")
                         : "redo(n)");
  if (s.checker) mark("check by a checker");
  if (where.tries > 0) mark("try in try");
  if (where.loops > 0) mark("try in a loop");
  if (where.branches > 0) mark("try in a branch");
  Where inner = where;
  ++inner.tries;
  visit(s.body, inner);
  Where test = where;
  test.condition = true;
  visit(s.check, test);
  visit(s.recover, inner);
}

void Inventory::see(const ReturnStmt& s, const Where& where) {
  mark(s.value.valid() ? "return with a value" : "return without a value");
  if (where.loops > 0) mark("return in a loop");
  if (where.branches > 0) mark("return in a branch");
  visit(s.value, where);
  for (ExprId value : s.more) visit(value, where);
}

void Inventory::see(const JumpStmt& s, const Where&) {
  mark(s.loop ? std::string(spelling(s.kind)) + " of a labelled loop"
              : std::string(spelling(s.kind)));
}

void Inventory::see(const CallStmt& s, const Where& where) {
  const auto& call = std::get<CallExpr>(tree_.exprs[s.call].node);
  const auto f = functions_.find(call.callee.name);
  if (f == functions_.end() || !f->second->lemma) {
    mark("call as a statement");
    visit(s.call, where);
    return;
  }
  Where inner = where;
  inner.specification = true;
  for (ExprId arg : call.args)
    inner.relational = inner.relational || std::holds_alternative<SidedExpr>(tree_.exprs[arg].node);
  mark(inner.relational ? "lemma called of both runs" : "lemma called");
  for (ExprId arg : call.args) visit(arg, inner);
}

void Inventory::see(const SpreadStmt& s, const Where& where) {
  mark("q, r = f(x)");
  for (ExprId target : s.targets) see_target(target, where);
  visit(s.call, where);
}

void Inventory::see(const ForallStmt& s, const Where& where) {
  mark("lemma called for all");
  Where inner = where;
  inner.specification = true;
  visit(s.range, inner);
  visit(s.body, where);
}

void Inventory::see(const ClaimStmt& s, const Where& where) {
  mark(std::string(spelling(s.kind)));
  Where inner = where;
  inner.specification = true;
  inner.relational = s.kind == AssertionKind::AssertR;
  visit(s.expr, inner);
}

void Inventory::see(const BlockStmt& s, const Where& where) {
  for (StmtId child : s.body) {
    if (std::holds_alternative<BlockStmt>(tree_.stmts[child].node)) mark("block");
    visit(child, where);
  }
}

}  // namespace leto::soundness
