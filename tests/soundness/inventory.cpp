// Items and members; statements are in inventory_stmt.cpp, expressions in inventory_expr.cpp.
#include "inventory.h"

#include <algorithm>

namespace leto::soundness {

using namespace syntax;

Inventory::Inventory(const Tree& tree, const NameTable& names) : tree_(tree), names_(names) {
  collect();
  for (const Item& item : tree.items) std::visit([&](const auto& node) { see(node); }, item.node);
}

// What is declared anywhere, and who calls whom.
void Inventory::collect() {
  for (const Item& item : tree_.items) {
    if (const auto* f = std::get_if<FunctionItem>(&item.node)) {
      functions_[f->name.name] = f;
      bool claims = false, state = false;
      collect_statement(f->body, calls_[f->name.name], claims, state);
      if (claims) claimers_.insert(f->name.name);
      if (state) tickers_.insert(f->name.name);
    } else if (const auto* d = std::get_if<DefineItem>(&item.node)) {
      definitions_[d->name.name] = d;
    } else if (const auto* p = std::get_if<PropertyItem>(&item.node)) {
      properties_[p->name.name] = p->relational;
    } else if (const auto* c = std::get_if<ConstItem>(&item.node)) {
      (c->elements.empty() ? constants_ : vectors_).insert(c->name.name);
    } else if (const auto* m = std::get_if<ModelItem>(&item.node)) {
      for (const Member& member : m->members)
        if (const auto* constant = std::get_if<ConstItem>(&member.node))
          model_constants_.insert(constant->name.name);
    }
  }
}

void Inventory::collect_calls(ExprId id, std::set<Name>& calls) {
  if (!id.valid()) return;
  if (const auto* call = std::get_if<CallExpr>(&tree_.exprs[id].node))
    calls.insert(call->callee.name);
  for_each_child(tree_.exprs[id], [&](ExprId child) { collect_calls(child, calls); });
}

void Inventory::collect_statement(StmtId id, std::set<Name>& calls, bool& claims, bool& state) {
  if (!id.valid()) return;
  const auto expr = [&](ExprId e) { collect_calls(e, calls); };
  const auto stmt = [&](StmtId s) { collect_statement(s, calls, claims, state); };
  const auto& node = tree_.stmts[id].node;
  if (const auto* block = std::get_if<BlockStmt>(&node)) {
    for (StmtId child : block->body) stmt(child);
  } else if (const auto* decl = std::get_if<DeclStmt>(&node)) {
    for (const Declarator& one : decl->declarators) expr(one.init);
  } else if (const auto* assign = std::get_if<AssignStmt>(&node)) {
    expr(assign->value);
    state = state || std::holds_alternative<ModelExpr>(tree_.exprs[assign->target].node);
  } else if (const auto* step = std::get_if<StepStmt>(&node)) {
    state = state || std::holds_alternative<ModelExpr>(tree_.exprs[step->target].node);
  } else if (const auto* branch = std::get_if<IfStmt>(&node)) {
    expr(branch->condition);
    stmt(branch->then_branch);
    stmt(branch->else_branch);
  } else if (const auto* loop = std::get_if<WhileStmt>(&node)) {
    expr(loop->condition);
    stmt(loop->body);
  } else if (const auto* range = std::get_if<ForStmt>(&node)) {
    expr(range->condition);
    stmt(range->body);
  } else if (const auto* repeat = std::get_if<RepeatStmt>(&node)) {
    stmt(repeat->body);
  } else if (const auto* attempt = std::get_if<TryStmt>(&node)) {
    stmt(attempt->body);
    stmt(attempt->recover);
    expr(attempt->check);
  } else if (const auto* ret = std::get_if<ReturnStmt>(&node)) {
    expr(ret->value);
    for (ExprId value : ret->more) expr(value);
  } else if (const auto* call = std::get_if<CallStmt>(&node)) {
    expr(call->call);
  } else if (const auto* spread = std::get_if<SpreadStmt>(&node)) {
    expr(spread->call);
  } else if (std::holds_alternative<ClaimStmt>(node)) {
    claims = true;
  }
}

// Items ------------------------------------------------------------------------------------------

void Inventory::see(const UseModelItem&) {
  mark("use model");
}

void Inventory::see(const ConstItem& item) {
  Where where;
  where.specification = true;
  for (ExprId element : item.elements) visit(element, where);
  if (!item.elements.empty()) return mark("constant vector");
  mark(item.init.valid() ? "constant with a value" : "constant without a value");
  visit(item.init, where);
}

void Inventory::see(const ConstraintItem& item) {
  mark("constraint on constants");
  Where where;
  where.specification = true;
  visit(item.expr, where);
}

void Inventory::see(const CheckerItem&) {
  mark("checker");
}

void Inventory::see(const ProblemItem&) {
  mark("problem");
}

void Inventory::see(const ProvedCheckerItem&) {
  mark("proved checker");
}

void Inventory::see(const RecordItem&) {
  mark("record");
}

void Inventory::see(const PropertyItem& item) {
  mark(item.relational ? "property_r" : "property");
  known_ = {};
  Where where;
  where.specification = true;
  where.relational = item.relational;
  for (const Param& param : item.params) {
    known_.types[param.name.name] = param.type;
    known_.params.insert(param.name.name);
    if (param.type.record.valid())
      mark(item.relational ? "property_r of a record" : "property of a record");
  }
  visit(item.body, where);
}

void Inventory::see(const DefineItem& item) {
  mark(item.measure ? "definition with a measure" : "definition");
  known_ = {};
  Where where;
  where.specification = true;
  for (const Param& param : item.params) {
    known_.types[param.name.name] = param.type;
    known_.params.insert(param.name.name);
    if (param.type.record.valid()) mark("definition of a record");
  }
  visit(item.body, where);
}

void Inventory::see_params(const std::vector<Param>& params) {
  for (const Param& param : params) {
    known_.types[param.name.name] = param.type;
    if (param.inout) mark("inout parameter");
    known_.params.insert(param.name.name);
    if (param.attributes.region) {
      mark("parameter in a region");
      known_.regions.insert(param.name.name);
    }
    if (param.type.record.valid()) {
      mark(param.inout ? "record changed in place" : "record parameter");
      continue;
    }
    switch (param.type.shape) {
      case Shape::Scalar:
        mark("type " + std::string(spelling(param.type.scalar)));
        break;
      case Shape::Vector:
        mark("vector parameter");
        break;
      case Shape::Matrix:
        mark("matrix parameter");
        break;
    }
  }
}

void Inventory::see(const FunctionItem& item) {
  known_ = {};
  known_.item = &item;
  see_params(item.params);
  for (const Param& param : item.params)
    if (param.type.record.valid() && (item.lemma || item.pure))
      mark(item.lemma ? "lemma of a record" : "pure function of a record");
  Where where;
  std::map<ClauseKind, int> count;
  for (const Clause& clause : item.contract) {
    see_clause(clause, where);
    ++count[clause.kind];
    if (clause.kind == ClauseKind::Decreases) mark("decreases of a function");
    if (item.external) mark("extern with " + std::string(spelling(clause.kind)));
  }
  if (count[ClauseKind::Ensures] + count[ClauseKind::EnsuresR] > 1) mark("several ensures");
  for (const ReliabilityClause& clause : item.reliability)
    mark(clause.of_result ? "reliability result >= r * R(x)" : "reliability r <= R(x)");
  if (item.external) {
    mark("extern");
    return;
  }
  if (item.lemma) {
    mark(calls_[item.name.name].contains(item.name.name) ? "lemma that calls itself" : "lemma");
    if (!item.made.empty()) mark("lemma that makes something");
    visit(item.body, where);
    return;
  }
  if (item.ends) mark("ends");
  if (item.pure) mark("pure function");
  if (!item.results.empty()) mark("function with several results");
  mark(item.contract.empty() ? "function without contract" : "function with contract");
  if (item.type.record.valid())
    mark("function that returns a record");
  else if (item.type.scalar == syntax::Scalar::Void)
    mark("void function");
  if (item.type.shape == Shape::Vector) mark("function that returns a vector");
  const std::set<Name>& calls = calls_[item.name.name];
  if (calls.contains(item.name.name)) mark("recursion");
  for (Name callee : calls)
    if (callee != item.name.name && calls_[callee].contains(item.name.name))
      mark("recursion by way of another");
  visit(item.body, where);
  see_function_end();
}

// What can be told only when the whole function has been seen.
void Inventory::see_function_end() {
  const auto before = [](const std::vector<std::uint32_t>& first,
                         const std::vector<std::uint32_t>& second) {
    return !first.empty() && !second.empty() &&
           *std::min_element(first.begin(), first.end()) <
               *std::max_element(second.begin(), second.end());
  };
  if (before(known_.own_calls, known_.param_uses)) mark("parameter used after a recursive call");
  if (before(known_.returns, known_.claims)) mark("claim behind an early return");
  if (!known_.ghosts.empty() && known_.relaxed) mark("specvar beside relaxed operations");
}

void Inventory::see(const ModelItem& item) {
  mark("model");
  if (item.supers.size() == 1) mark("model refines one");
  if (item.supers.size() > 1) mark("model refines two");
  known_ = {};
  for (const Member& member : item.members)
    std::visit([&](const auto& node) { see_member(node); }, member.node);
}

void Inventory::see_member(const ConstItem& member) {
  mark(member.init.valid() ? "constant of a model with a value"
                           : "constant of a model without a value");
}

void Inventory::see_member(const ConstraintItem&) {
  mark("constraint of a model");
}

void Inventory::see_member(const StateMember& member) {
  mark(member.init.valid() ? "state with a value" : "state without a value");
  const bool literal =
      member.init.valid() && std::holds_alternative<IntegerExpr>(tree_.exprs[member.init].node);
  if (member.type.scalar == syntax::Scalar::Uint && member.init.valid() && !literal)
    mark("natural state with a computed value");
}

void Inventory::see_member(const InvariantMember& member) {
  mark("invariant of a model");
  Where where;
  where.specification = where.model = true;
  visit(member.expr, where);
}

void Inventory::see_member(const OperatorMember& member) {
  switch (member.kind) {
    case OperationKind::Unary:
      mark(listed("operator", member.unary));
      break;
    case OperationKind::Binary:
      mark(listed("operator", member.binary));
      break;
    case OperationKind::Read:
      mark("read of a region");
      break;
    case OperationKind::Write:
      mark("write to a region");
      break;
  }
  if (member.attributes.label) mark("@label of an operator");
  if (member.attributes.rate.valid())
    mark(std::holds_alternative<NameExpr>(tree_.exprs[member.attributes.rate].node)
             ? "@rate(name)"
             : "@rate(number)");
  Where where;
  where.specification = where.model = true;
  int ensures = 0;
  for (const auto& clause : member.clauses)
    std::visit(
        [&](const auto& c) {
          using C = std::decay_t<decltype(c)>;
          if constexpr (std::is_same_v<C, OperatorMember::When>) {
            mark("when");
            visit(c.expr, where);
          } else if constexpr (std::is_same_v<C, OperatorMember::Ensures>) {
            ++ensures;
            visit(c.expr, where);
          } else if constexpr (std::is_same_v<C, OperatorMember::Modifies>) {
            mark(c.names.size() > 1 ? "modifies several" : "modifies");
          } else {
            static_assert(std::is_same_v<C, OperatorMember::Refines>);
            mark("operator refines");
          }
        },
        clause.node);
  if (ensures > 1) mark("several ensures of an operator");
}

void Inventory::see_member(const ImportMember& member) {
  mark(member.refines.empty() ? "import M.l" : "import M.l refines N.k");
}

void Inventory::see_member(const InitMember&) {
  mark("M.x = v");
}

void Inventory::see_clause(const Clause& clause, const Where& where) {
  Where inner = where;
  inner.specification = true;
  inner.relational = is_relational(clause.kind);
  mark(std::string(spelling(clause.kind)));
  visit(clause.expr, inner);
  if (!clause.more.empty()) mark("measure of several parts");
  for (ExprId part : clause.more) visit(part, inner);
}

}  // namespace leto::soundness
