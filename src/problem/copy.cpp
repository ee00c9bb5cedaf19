#include "problem/copy.h"

#include <algorithm>
#include <utility>

#include "problem/problem.h"

namespace leto::problem {

using namespace syntax;

namespace {

// The variable that an assignable place belongs to; invalid: none.
Name base_of(const Tree& tree, ExprId id) {
  const auto& node = tree.exprs[id].node;
  if (const auto* name = std::get_if<NameExpr>(&node)) return name->name;
  if (const auto* index = std::get_if<IndexExpr>(&node)) return base_of(tree, index->base);
  if (const auto* member = std::get_if<MemberExpr>(&node)) return member->scope.name;
  if (const auto* field = std::get_if<FieldExpr>(&node)) return base_of(tree, field->base);
  return {};
}

// Names of a body that are computed from others; see `spread`.
class Spreading {
 public:
  Spreading(const Tree& tree, std::set<Name> names) : tree_(tree), names_(std::move(names)) {}

  std::set<Name> run(StmtId body) {
    std::size_t before = 0;
    while (before != names_.size()) {
      before = names_.size();
      visit(body);
    }
    return std::move(names_);
  }

 private:
  void visit(StmtId id) {
    if (!id.valid()) return;
    const auto& node = tree_.stmts[id].node;
    if (const auto* decl = std::get_if<DeclStmt>(&node)) {
      for (const Declarator& one : decl->declarators)
        if (decl->ghost && one.init.valid() && mentions(tree_, one.init, names_))
          names_.insert(one.name.name);
    } else if (const auto* assign = std::get_if<AssignStmt>(&node)) {
      if (mentions(tree_, assign->value, names_) || mentions(tree_, assign->target, names_))
        take(assign->target);
    } else if (const auto* many = std::get_if<SpreadStmt>(&node)) {
      if (mentions(tree_, many->call, names_))
        for (ExprId target : many->targets) take(target);
    } else if (const auto* branch = std::get_if<IfStmt>(&node)) {
      visit(branch->then_branch);
      visit(branch->else_branch);
    } else if (const auto* loop = std::get_if<WhileStmt>(&node)) {
      visit(loop->body);
    } else if (const auto* range = std::get_if<ForStmt>(&node)) {
      visit(range->init);
      visit(range->step);
      visit(range->body);
    } else if (const auto* repeat = std::get_if<RepeatStmt>(&node)) {
      visit(repeat->body);
    } else if (const auto* attempt = std::get_if<TryStmt>(&node)) {
      visit(attempt->body);
      visit(attempt->recover);
    } else if (const auto* block = std::get_if<BlockStmt>(&node)) {
      for (StmtId child : block->body) visit(child);
    }
  }
  void take(ExprId target) {
    if (const Name name = base_of(tree_, target); name.valid()) names_.insert(name);
  }

  const Tree& tree_;
  std::set<Name> names_;
};

}  // namespace

bool is_relaxed(const Tree& tree, ExprId id) {
  if (!id.valid()) return false;
  const Expr& expr = tree.exprs[id];
  if (const auto* binary = std::get_if<BinaryExpr>(&expr.node); binary && binary->dotted)
    return true;
  if (const auto* unary = std::get_if<UnaryExpr>(&expr.node); unary && unary->dotted) return true;
  bool found = false;
  for_each_child(expr, [&](ExprId child) { found = found || is_relaxed(tree, child); });
  return found;
}

bool is_relaxed(const Tree& tree, StmtId id) {
  if (!id.valid()) return false;
  const auto& node = tree.stmts[id].node;
  if (const auto* decl = std::get_if<DeclStmt>(&node))
    return decl->attributes.region ||
           std::any_of(decl->declarators.begin(), decl->declarators.end(),
                       [&](const Declarator& one) { return is_relaxed(tree, one.init); });
  if (const auto* assign = std::get_if<AssignStmt>(&node))
    return assign->dotted || is_relaxed(tree, assign->target) || is_relaxed(tree, assign->value);
  if (const auto* branch = std::get_if<IfStmt>(&node))
    return is_relaxed(tree, branch->condition) || is_relaxed(tree, branch->then_branch) ||
           is_relaxed(tree, branch->else_branch);
  if (const auto* loop = std::get_if<WhileStmt>(&node))
    return is_relaxed(tree, loop->condition) || is_relaxed(tree, loop->body);
  if (const auto* range = std::get_if<ForStmt>(&node))
    return is_relaxed(tree, range->init) || is_relaxed(tree, range->condition) ||
           is_relaxed(tree, range->step) || is_relaxed(tree, range->body);
  if (const auto* repeat = std::get_if<RepeatStmt>(&node)) return is_relaxed(tree, repeat->body);
  if (const auto* attempt = std::get_if<TryStmt>(&node))
    return is_relaxed(tree, attempt->body) || is_relaxed(tree, attempt->check) ||
           is_relaxed(tree, attempt->recover);
  if (const auto* back = std::get_if<ReturnStmt>(&node)) return is_relaxed(tree, back->value);
  if (const auto* call = std::get_if<CallStmt>(&node)) return is_relaxed(tree, call->call);
  if (const auto* many = std::get_if<SpreadStmt>(&node)) return is_relaxed(tree, many->call);
  if (const auto* block = std::get_if<BlockStmt>(&node))
    return std::any_of(block->body.begin(), block->body.end(),
                       [&](StmtId child) { return is_relaxed(tree, child); });
  return false;  // steps, jumps, claims and what is for proofs
}

bool mentions(const Tree& tree, ExprId id, const std::set<Name>& names) {
  if (!id.valid() || names.empty()) return false;
  const Expr& expr = tree.exprs[id];
  if (const auto* name = std::get_if<NameExpr>(&expr.node); name && names.contains(name->name))
    return true;
  if (const auto* sided = std::get_if<SidedExpr>(&expr.node); sided && names.contains(sided->name))
    return true;
  if (const auto* member = std::get_if<MemberExpr>(&expr.node);
      member && names.contains(member->scope.name))
    return true;
  bool found = false;
  for_each_child(expr, [&](ExprId child) { found = found || mentions(tree, child, names); });
  return found;
}

namespace {

// Which runs an expression names.
struct Runs {
  bool original = false, relaxed = false;
  bool sided = false;  // some variable has a side
};
Runs runs_in(const Tree& tree, ExprId id) {
  Runs runs;
  if (!id.valid()) return runs;
  const auto& node = tree.exprs[id].node;
  runs.sided = std::holds_alternative<SidedExpr>(node);
  if (const auto* sided = std::get_if<SidedExpr>(&node))
    (sided->side == Side::Original ? runs.original : runs.relaxed) = true;
  if (std::holds_alternative<ModelExpr>(node)) runs.relaxed = true;
  if (std::holds_alternative<EqExpr>(node) || std::holds_alternative<EqAllExpr>(node))
    runs.original = runs.relaxed = true;
  for_each_child(tree.exprs[id], [&](ExprId child) {
    const Runs inside = runs_in(tree, child);
    runs.original = runs.original || inside.original;
    runs.relaxed = runs.relaxed || inside.relaxed;
    runs.sided = runs.sided || inside.sided;
  });
  return runs;
}

}  // namespace

std::set<Name> spread(const Tree& tree, StmtId body, std::set<Name> names) {
  if (names.empty()) return names;
  return Spreading(tree, std::move(names)).run(body);
}

Name Copier::name(Name name) const {
  const auto it = options_.renamed.find(name);
  return it == options_.renamed.end() ? name : it->second;
}

Ident Copier::ident(const Ident& ident) const {
  return {name(ident.name), ident.span};
}

Ident Copier::declared(const Ident& ident) const {
  Ident copy{name(ident.name), ident.span};
  copy.span.copy = options_.copy;
  return copy;
}

std::vector<ExprId> Copier::exprs(const std::vector<ExprId>& list) {
  std::vector<ExprId> out;
  for (ExprId id : list) out.push_back(expr(id));
  return out;
}

template <class Node>
void Copier::remap(Node& node) {
  if constexpr (std::is_same_v<Node, NameExpr> || std::is_same_v<Node, SidedExpr>) {
    node.name = name(node.name);
  } else if constexpr (std::is_same_v<Node, MemberExpr>) {
    node.scope = ident(node.scope);
  } else if constexpr (std::is_same_v<Node, FieldExpr>) {
    node.base = expr(node.base);
  } else if constexpr (std::is_same_v<Node, IndexExpr>) {
    node.base = expr(node.base);
    node.index = expr(node.index);
  } else if constexpr (std::is_same_v<Node, UpdateExpr>) {
    node.base = expr(node.base);
    node.index = expr(node.index);
    node.value = expr(node.value);
  } else if constexpr (std::is_same_v<Node, PartExpr>) {
    node.base = expr(node.base);
  } else if constexpr (std::is_same_v<Node, WidenExpr>) {
    node.arg = expr(node.arg);
  } else if constexpr (std::is_same_v<Node, ParenExpr>) {
    node.inner = expr(node.inner);
  } else if constexpr (std::is_same_v<Node, UnaryExpr>) {
    node.operand = expr(node.operand);
    node.dotted = node.dotted && !options_.exact;
  } else if constexpr (std::is_same_v<Node, BinaryExpr>) {
    node.lhs = expr(node.lhs);
    node.rhs = expr(node.rhs);
    node.dotted = node.dotted && !options_.exact;
  } else if constexpr (std::is_same_v<Node, ChainExpr>) {
    node.operands = exprs(node.operands);
  } else if constexpr (std::is_same_v<Node, CallExpr> || std::is_same_v<Node, MemberCallExpr>) {
    node.args = exprs(node.args);
  } else if constexpr (std::is_same_v<Node, EqExpr> || std::is_same_v<Node, OldExpr>) {
    node.arg = expr(node.arg);
  } else if constexpr (std::is_same_v<Node, IfExpr>) {
    node.condition = expr(node.condition);
    node.then_value = expr(node.then_value);
    node.else_value = expr(node.else_value);
  } else if constexpr (std::is_same_v<Node, QuantExpr>) {
    for (Binder& binder : node.binders) binder.name = declared(binder.name);
    node.body = expr(node.body);
  } else if constexpr (std::is_same_v<Node, CountExpr>) {
    node.binder.name = declared(node.binder.name);
    node.body = expr(node.body);
  } else {
    // Nothing inside that could be another's.
    static_assert(std::is_same_v<Node, ErrorExpr> || std::is_same_v<Node, IntegerExpr> ||
                  std::is_same_v<Node, RealExpr> || std::is_same_v<Node, BoolExpr> ||
                  std::is_same_v<Node, ModelExpr> || std::is_same_v<Node, EqAllExpr>);
  }
}

ExprId Copier::expr(ExprId id) {
  if (!id.valid()) return id;
  Expr copy = from_.exprs[id];
  if (const auto* name = std::get_if<NameExpr>(&copy.node); name != nullptr)
    if (const auto value = options_.values.find(name->name); value != options_.values.end())
      return value->second;
  // Of one run nobody has to say which.
  if (const auto* sided = std::get_if<SidedExpr>(&copy.node); sided != nullptr && is_of_one_run())
    copy.node = NameExpr{sided->name};
  if (const auto* name = std::get_if<NameExpr>(&copy.node);
      name != nullptr && options_.side && options_.sided.contains(name->name))
    copy.node = SidedExpr{name->name, *options_.side};
  std::visit([&](auto& node) { remap(node); }, copy.node);
  return to_.exprs.add(std::move(copy));
}

Attributes Copier::attributes(Attributes attributes) const {
  if (options_.exact) attributes.region.reset();
  return attributes;
}

Param Copier::param(const Param& param) {
  Param copy = param;
  copy.attributes = attributes(param.attributes);
  copy.name = declared(param.name);
  copy.dims = exprs(param.dims);
  return copy;
}

bool Copier::is_without(ExprId id) const {
  return mentions(from_, id, options_.without);
}

bool Copier::is_of_other_run(ExprId id) const {
  if (!is_of_one_run()) return false;
  const Runs runs = runs_in(from_, id);
  return options_.exact ? runs.relaxed || !runs.original : runs.original || !runs.relaxed;
}

ExprId Copier::rest(ExprId id, bool relational) {
  const auto* both = std::get_if<BinaryExpr>(&from_.exprs[id].node);
  const bool divides = both != nullptr && both->op == BinaryOp::And;
  const bool other = relational && is_of_other_run(id);
  if (!is_without(id) && !other && !(relational && divides)) return expr(id);
  const Expr& whole = from_.exprs[id];
  if (const auto* paren = std::get_if<ParenExpr>(&whole.node))
    return rest(paren->inner, relational);
  if (!divides) return {};
  const ExprId lhs = rest(both->lhs, relational), rhs = rest(both->rhs, relational);
  if (!lhs.valid()) return rhs;
  if (!rhs.valid()) return lhs;
  Expr copy = whole;
  std::get<BinaryExpr>(copy.node).lhs = lhs;
  std::get<BinaryExpr>(copy.node).rhs = rhs;
  return to_.exprs.add(std::move(copy));
}

std::vector<Clause> Copier::clauses(const std::vector<Clause>& list) {
  std::vector<Clause> out;
  for (const Clause& clause : list) {
    Clause copy = clause;
    const bool measure = clause.kind == ClauseKind::Decreases;
    const bool relational = is_relational(clause.kind) && is_of_one_run();
    if (relational) copy.kind = ClauseKind::Invariant;
    copy.expr = measure ? expr(clause.expr) : rest(clause.expr, relational);
    copy.more = exprs(clause.more);
    if (copy.expr.valid()) out.push_back(std::move(copy));
  }
  return out;
}

bool Copier::is_left_out(const Stmt& stmt) const {
  // A lemma, of values of both runs.
  if (const auto* call = std::get_if<CallStmt>(&stmt.node)) {
    if (runs_in(from_, call->call).sided && is_of_other_run(call->call)) return true;
  }
  if (options_.without.empty()) return false;
  if (const auto* assign = std::get_if<AssignStmt>(&stmt.node))
    return is_without(assign->target) || is_without(assign->value);
  if (const auto* call = std::get_if<CallStmt>(&stmt.node)) return is_without(call->call);
  if (const auto* many = std::get_if<SpreadStmt>(&stmt.node))
    return is_without(many->call) || std::any_of(many->targets.begin(), many->targets.end(),
                                                 [&](ExprId t) { return is_without(t); });
  if (const auto* branch = std::get_if<IfStmt>(&stmt.node)) return is_without(branch->condition);
  if (const auto* all = std::get_if<ForallStmt>(&stmt.node)) {
    const auto* body = std::get_if<BlockStmt>(&from_.stmts[all->body].node);
    return is_without(all->range) ||
           (body != nullptr && std::any_of(body->body.begin(), body->body.end(), [&](StmtId id) {
              return is_left_out(from_.stmts[id]);
            }));
  }
  return false;
}

StmtId Copier::give_up(Span at) {
  const ExprId value = to_.exprs.add({at, BoolExpr{options_.gives_up == GivesUp::Accepts}});
  const StmtId leave = to_.stmts.add({at, ReturnStmt{value, {}}});
  if (options_.gives_up != GivesUp::Stops) return leave;
  const ExprId no = to_.exprs.add({at, BoolExpr{false}});
  const StmtId stop = to_.stmts.add({at, ClaimStmt{AssertionKind::Assume, no}});
  return to_.stmts.add({at, BlockStmt{{stop, leave}}});
}

StmtId Copier::stmt(StmtId id) {
  if (!id.valid()) return id;
  if (options_.names != nullptr && is_giving_up(from_, from_.stmts[id], *options_.names))
    return give_up(from_.stmts[id].span);
  Stmt copy = from_.stmts[id];
  std::visit([&](auto& node) { remap_stmt(node); }, copy.node);
  return to_.stmts.add(std::move(copy));
}

void Copier::remap_stmt(DeclStmt& node) {
  node.attributes = attributes(node.attributes);
  for (Declarator& one : node.declarators) {
    one.name = declared(one.name);
    one.dims = exprs(one.dims);
    one.init = expr(one.init);
  }
}
void Copier::remap_stmt(AssignStmt& node) {
  node.target = expr(node.target);
  node.value = expr(node.value);
  node.dotted = node.dotted && !options_.exact;
}
void Copier::remap_stmt(StepStmt& node) {
  node.target = expr(node.target);
}
void Copier::remap_stmt(IfStmt& node) {
  node.condition = expr(node.condition);
  node.then_branch = stmt(node.then_branch);
  node.else_branch = stmt(node.else_branch);
}
void Copier::remap_stmt(WhileStmt& node) {
  node.condition = expr(node.condition);
  node.invariants = clauses(node.invariants);
  node.body = stmt(node.body);
}
void Copier::remap_stmt(ForStmt& node) {
  node.init = stmt(node.init);
  node.condition = expr(node.condition);
  node.step = stmt(node.step);
  node.invariants = clauses(node.invariants);
  node.body = stmt(node.body);
}
void Copier::remap_stmt(RepeatStmt& node) {
  node.count = expr(node.count);
  node.invariants = clauses(node.invariants);
  node.body = stmt(node.body);
}
void Copier::remap_stmt(TryStmt& node) {
  node.body = stmt(node.body);
  node.check = expr(node.check);
  node.recover = stmt(node.recover);
  node.redo = expr(node.redo);
}
void Copier::remap_stmt(ReturnStmt& node) {
  node.value = expr(node.value);
  node.more = exprs(node.more);
}
void Copier::remap_stmt(CallStmt& node) {
  node.call = expr(node.call);
}
void Copier::remap_stmt(SpreadStmt& node) {
  node.targets = exprs(node.targets);
  node.call = expr(node.call);
}
void Copier::remap_stmt(ForallStmt& node) {
  for (Binder& binder : node.binders) binder.name = declared(binder.name);
  node.range = expr(node.range);
  node.body = stmt(node.body);
}
// These stand in no function: they are refused where they do.
void Copier::remap_stmt(ChooseStmt& node) {
  node.targets = exprs(node.targets);
  node.with = expr(node.with);
}
void Copier::remap_stmt(NodesStmt& node) {
  for (Binder& binder : node.binders) binder.name = declared(binder.name);
  node.body = stmt(node.body);
}
void Copier::remap_stmt(MessageStmt& node) {
  node.target = expr(node.target);
  node.value = expr(node.value);
  node.from = expr(node.from);
  node.to = expr(node.to);
  node.otherwise = expr(node.otherwise);
}
ExprId Copier::rest_of(const ClaimStmt& claim) {
  return rest(claim.expr, claim.kind == AssertionKind::AssertR && is_of_one_run());
}
void Copier::remap_stmt(ClaimStmt& node) {
  node.expr = rest_of(node);
  if (node.kind == AssertionKind::AssertR && is_of_one_run()) node.kind = AssertionKind::Assert;
  if (!node.expr.valid()) node.expr = to_.exprs.add({{}, BoolExpr{true}});
}
void Copier::remap_stmt(BlockStmt& node) {
  std::vector<StmtId> kept;
  for (StmtId id : node.body) {
    const Stmt& one = from_.stmts[id];
    if (is_left_out(one)) continue;
    if (const auto* claim = std::get_if<ClaimStmt>(&one.node)) {
      // Nothing is left of it: there is nothing to claim.
      Stmt copy = one;
      auto& kept_claim = std::get<ClaimStmt>(copy.node);
      kept_claim.expr = rest_of(*claim);
      if (!kept_claim.expr.valid()) continue;
      if (claim->kind == AssertionKind::AssertR && is_of_one_run())
        kept_claim.kind = AssertionKind::Assert;
      kept.push_back(to_.stmts.add(std::move(copy)));
      continue;
    }
    const auto* decl = std::get_if<DeclStmt>(&one.node);
    if (decl == nullptr || !decl->ghost || options_.without.empty()) {
      kept.push_back(stmt(id));
      continue;
    }
    Stmt copy = one;
    auto& declarators = std::get<DeclStmt>(copy.node).declarators;
    std::erase_if(declarators, [&](const Declarator& d) {
      return options_.without.contains(d.name.name) || is_without(d.init);
    });
    if (declarators.empty()) continue;
    std::visit([&](auto& n) { remap_stmt(n); }, copy.node);
    kept.push_back(to_.stmts.add(std::move(copy)));
  }
  node.body = std::move(kept);
}

}  // namespace leto::problem
