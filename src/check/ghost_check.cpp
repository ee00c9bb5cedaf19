#include "check/ghost_check.h"

#include <fmt/core.h>

#include <map>
#include <unordered_map>

namespace leto::check {

using namespace syntax;

namespace {

class GhostChecker {
 public:
  GhostChecker(Session& session, SymbolId function, const std::unordered_set<SymbolId>& relaxed)
      : session_(session),
        symbol_(session.symbol(function)),
        tree_(session.tree(symbol_.tree)),
        facts_(session.checked.facts[symbol_.tree]),
        relaxed_functions_(relaxed),
        item_(std::get<FunctionItem>(tree_.items[symbol_.item].node)) {}

  void run() {
    for (const Param& param : item_.params) {
      const SymbolId id = declared(param.name);
      if (id.valid() && param.attributes.region) taint(id, param.attributes.region->span);
    }
    walk(item_.body);
    spread();
    for (const auto& [ghost, value] : ghost_values_) inspect(ghost, value);
  }

 private:
  [[nodiscard]] SymbolId declared(const Ident& ident) const {
    const auto it = facts_.declared.find(key_of(ident.span));
    return it == facts_.declared.end() ? SymbolId{} : it->second;
  }
  // A record is as uncertain as each of its fields.
  void taint(SymbolId id, Span why) {
    for (SymbolId one : with_parts(id)) relaxed_.emplace(one, why);
  }
  [[nodiscard]] std::vector<SymbolId> with_parts(SymbolId id) const {
    const Symbol& symbol = session_.symbol(id);
    std::vector<SymbolId> all = symbol.fields;
    all.push_back(id);
    if (symbol.whole.valid()) all.push_back(symbol.whole);
    return all;
  }

  // The variable that an assignable place belongs to.
  [[nodiscard]] SymbolId base(ExprId id) const {
    while (true) {
      const auto& node = tree_.exprs[id].node;
      if (const auto* index = std::get_if<IndexExpr>(&node))
        id = index->base;
      else if (const auto* paren = std::get_if<ParenExpr>(&node))
        id = paren->inner;
      else if (const auto* field = std::get_if<FieldExpr>(&node))
        id = field->base;
      else
        break;
    }
    const auto& node = tree_.exprs[id].node;
    if (!std::holds_alternative<NameExpr>(node) && !std::holds_alternative<MemberExpr>(node))
      return {};
    return facts_.symbols[id.value];
  }

  void assigned(SymbolId target, ExprId value, bool dotted, Span at) {
    if (!target.valid()) return;
    if (session_.symbol(target).kind == SymbolKind::Ghost) {
      if (value.valid() && !session_.symbol(target).snapshot)
        ghost_values_.emplace_back(target, value);
      return;
    }
    if (dotted) taint(target, at);
    if (!value.valid()) return;
    if (const auto why = relaxed_inside(value)) taint(target, *why);
    const SymbolId source = base(value);
    if (!source.valid()) return;
    const Symbol &from = session_.symbol(source), &to = session_.symbol(target);
    if (from.type.is_scalar() && to.type.is_scalar()) copies_.emplace_back(source, target);
    // Whatever is done with records, one that is uncertain makes the other so.
    if (from.type.record != nullptr || to.type.record != nullptr)
      for (SymbolId one : with_parts(source)) copies_.emplace_back(one, target);
  }

  // The first relaxed operation in an expression, or call of a function that has one.
  [[nodiscard]] std::optional<Span> relaxed_inside(ExprId id) const {
    const Expr& expr = tree_.exprs[id];
    if (const auto* binary = std::get_if<BinaryExpr>(&expr.node); binary && binary->dotted)
      return binary->op_span;
    if (const auto* unary = std::get_if<UnaryExpr>(&expr.node); unary && unary->dotted)
      return expr.span;
    if (std::holds_alternative<CallExpr>(expr.node) &&
        relaxed_functions_.contains(facts_.symbols[id.value]))
      return expr.span;
    std::optional<Span> why;
    for_each_child(expr, [&](ExprId child) {
      if (!why) why = relaxed_inside(child);
    });
    return why;
  }

  // What a relaxed function changes in place, or gives back with others, is as uncertain as the
  // rest of what it does.
  void passed(ExprId id, const std::vector<ExprId>& targets) {
    const auto* call = id.valid() ? std::get_if<CallExpr>(&tree_.exprs[id].node) : nullptr;
    const SymbolId callee = call != nullptr ? facts_.symbols[id.value] : SymbolId{};
    if (!callee.valid() || !relaxed_functions_.contains(callee)) return;
    const FunctionItem& item = session_.function_item(callee);
    const Span why = tree_.exprs[id].span;
    for (ExprId target : targets)
      if (const SymbolId symbol = base(target); symbol.valid()) taint(symbol, why);
    for (std::size_t i = 0; i < item.params.size() && i < call->args.size(); ++i)
      if (const SymbolId symbol = base(call->args[i]); item.params[i].inout && symbol.valid())
        taint(symbol, why);
  }

  void walk(StmtId id) {
    if (!id.valid()) return;
    const Stmt& stmt = tree_.stmts[id];
    if (const auto* block = std::get_if<BlockStmt>(&stmt.node)) {
      for (StmtId child : block->body) walk(child);
    } else if (const auto* decl = std::get_if<DeclStmt>(&stmt.node)) {
      for (const Declarator& one : decl->declarators) {
        const SymbolId symbol = declared(one.name);
        if (!symbol.valid()) continue;
        if (decl->attributes.region) taint(symbol, decl->attributes.region->span);
        assigned(symbol, one.init, false, stmt.span);
        passed(one.init, {});
      }
    } else if (const auto* assign = std::get_if<AssignStmt>(&stmt.node)) {
      assigned(base(assign->target), assign->value, assign->dotted, stmt.span);
      passed(assign->value, {});
    } else if (const auto* call = std::get_if<CallStmt>(&stmt.node)) {
      passed(call->call, {});
    } else if (const auto* results = std::get_if<SpreadStmt>(&stmt.node)) {
      passed(results->call, results->targets);
      for (ExprId target : results->targets)  // of a lemma
        if (const SymbolId symbol = base(target);
            symbol.valid() && session_.symbol(symbol).kind == SymbolKind::Ghost)
          ghost_values_.emplace_back(symbol, results->call);
    } else if (const auto* branch = std::get_if<IfStmt>(&stmt.node)) {
      walk(branch->then_branch);
      walk(branch->else_branch);
    } else if (const auto* loop = std::get_if<WhileStmt>(&stmt.node)) {
      walk(loop->body);
    } else if (const auto* range = std::get_if<ForStmt>(&stmt.node)) {
      walk(range->init);
      walk(range->step);
      walk(range->body);
    } else if (const auto* repeat = std::get_if<RepeatStmt>(&stmt.node)) {
      walk(repeat->body);
    } else if (const auto* attempt = std::get_if<TryStmt>(&stmt.node)) {
      walk(attempt->body);
      walk(attempt->recover);
    }
  }

  void spread() {
    std::unordered_map<SymbolId, std::vector<SymbolId>> copied_to;
    for (const auto& [source, target] : copies_) copied_to[source].push_back(target);
    std::vector<SymbolId> work;
    for (const auto& [symbol, why] : relaxed_) work.push_back(symbol);
    while (!work.empty()) {
      const SymbolId source = work.back();
      work.pop_back();
      for (SymbolId target : copied_to[source])
        for (SymbolId one : with_parts(target))
          if (relaxed_.emplace(one, relaxed_.at(source)).second) work.push_back(one);
    }
  }

  void inspect(SymbolId ghost, ExprId id) {
    const Expr& expr = tree_.exprs[id];
    if (std::holds_alternative<NameExpr>(expr.node) ||
        std::holds_alternative<MemberExpr>(expr.node)) {
      const auto it = relaxed_.find(facts_.symbols[id.value]);
      if (it == relaxed_.end()) return;
      session_.report(
          Diagnostic{DiagnosticKind::GhostReadsRelaxed,
                     expr.span,
                     {session_.text(session_.symbol(ghost).name),
                      session_.text(session_.symbol(it->first).name)},
                     {},
                     {}}
              .note(it->second, "the relaxed operation is here")
              .helping("compute the specvar from the operation's inputs, with an exact operation"));
    }
    for_each_child(expr, [&](ExprId child) { inspect(ghost, child); });
  }

  Session& session_;
  const Symbol symbol_;
  const Tree& tree_;
  const Facts& facts_;
  const std::unordered_set<SymbolId>& relaxed_functions_;
  const FunctionItem& item_;
  std::map<SymbolId, Span> relaxed_;  // and why
  std::vector<std::pair<SymbolId, SymbolId>> copies_;
  std::vector<std::pair<SymbolId, ExprId>> ghost_values_;
};

}  // namespace

std::unordered_set<SymbolId> relaxed_functions(const std::vector<FunctionFacts>& functions,
                                               bool or_external) {
  // A function that calls a relaxed one is relaxed.
  std::unordered_map<SymbolId, std::vector<SymbolId>> callers;
  std::unordered_set<SymbolId> relaxed;
  std::vector<SymbolId> work;
  for (const FunctionFacts& function : functions) {
    for (SymbolId callee : function.calls) callers[callee].push_back(function.symbol);
    if ((function.relaxed || (or_external && function.external)) &&
        relaxed.insert(function.symbol).second)
      work.push_back(function.symbol);
  }
  while (!work.empty()) {
    const SymbolId callee = work.back();
    work.pop_back();
    for (SymbolId caller : callers[callee])
      if (relaxed.insert(caller).second) work.push_back(caller);
  }
  return relaxed;
}

void check_ghosts(Session& session, const std::vector<FunctionFacts>& functions,
                  const std::unordered_set<SymbolId>& relaxed) {
  for (const FunctionFacts& function : functions)
    GhostChecker(session, function.symbol, relaxed).run();
}

}  // namespace leto::check
