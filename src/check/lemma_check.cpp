#include "check/lemma_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "check/unused.h"

namespace leto::check {

using namespace syntax;

namespace {

// Lemmas and pure functions, each behind those that it rests on: what it calls, and what its
// specifications use, also by way of properties. Chains can be long, so this does not call itself.
class LemmaOrder {
 public:
  LemmaOrder(Session& session, const std::vector<FunctionFacts>& functions) : session_(session) {
    collect_properties();
    for (const FunctionFacts& function : functions)
      if (is_proved(function.symbol)) uses_.emplace(function.symbol, collect(function));
  }

  void run() {
    for (const auto& [lemma, uses] : uses_) visit_all(lemma);
  }

 private:
  struct Use {
    SymbolId lemma;
    Span at;
    bool said = false;  // by a specification, and not by a call
  };

  [[nodiscard]] bool is_proved(SymbolId id) const {
    return session_.symbol(id).kind == SymbolKind::Lemma || session_.function_item(id).pure;
  }

  [[nodiscard]] std::vector<Use> collect(const FunctionFacts& function) {
    std::vector<Use> uses;
    for (const LemmaUse& use : function.lemmas) uses.push_back({use.lemma, use.at});
    for (SymbolId callee : function.calls)
      if (session_.function_item(callee).pure)
        uses.push_back({callee, session_.symbol(function.symbol).span});
    for (const LemmaUse& use : function.pure_uses) uses.push_back({use.lemma, use.at, true});
    const Symbol& symbol = session_.symbol(function.symbol);
    std::set<SymbolId> seen;
    for (const Expr* expr : properties_[{symbol.tree, symbol.item}])
      look_into_property(*expr, expr->span, seen, uses);
    return uses;
  }
  // Where properties are used, by item; in one pass.
  void collect_properties() {
    for (TreeIndex t = 0; t < session_.checked.trees.size(); ++t)
      for (const Expr& expr : session_.tree(t).exprs)
        if (const auto* call = std::get_if<CallExpr>(&expr.node))
          if (const auto it = session_.globals.find(call->callee.name);
              it != session_.globals.end() &&
              session_.symbol(it->second).kind == SymbolKind::Property)
            properties_[{t, item_around(session_.tree(t), expr.span)}].push_back(&expr);
  }
  // What a property uses is used where it is.
  void look_into_property(const Expr& expr, Span at, std::set<SymbolId>& seen,
                          std::vector<Use>& uses) {
    const auto* call = std::get_if<CallExpr>(&expr.node);
    const auto it = call ? session_.globals.find(call->callee.name) : session_.globals.end();
    if (it == session_.globals.end()) return;
    const Symbol& used = session_.symbol(it->second);
    if (used.kind != SymbolKind::Property || !seen.insert(it->second).second) return;
    const auto& property = std::get<PropertyItem>(session_.tree(used.tree).items[used.item].node);
    look_into(property.body, used.tree, at, seen, uses);
  }
  void look_into(ExprId id, TreeIndex t, Span at, std::set<SymbolId>& seen,
                 std::vector<Use>& uses) {
    const Expr& expr = session_.tree(t).exprs[id];
    if (const auto* call = std::get_if<CallExpr>(&expr.node))
      if (const auto it = session_.globals.find(call->callee.name);
          it != session_.globals.end() &&
          session_.symbol(it->second).kind == SymbolKind::Function &&
          session_.function_item(it->second).pure)
        uses.push_back({it->second, at, true});
    look_into_property(expr, at, seen, uses);
    for_each_child(expr, [&](ExprId child) { look_into(child, t, at, seen, uses); });
  }

  enum class State : std::uint8_t { Open, Done };
  struct Frame {
    SymbolId lemma;
    std::size_t next = 0;
  };

  void visit_all(SymbolId start) {
    if (!states_.emplace(start, State::Open).second) return;
    std::vector<Frame> frames{{start}};
    while (!frames.empty()) {
      Frame& top = frames.back();
      const std::vector<Use>& uses = uses_.at(top.lemma);
      if (top.next == uses.size()) {
        states_[top.lemma] = State::Done;
        frames.pop_back();
        continue;
      }
      const Use& use = uses[top.next++];
      const SymbolId user = top.lemma;
      if (use.lemma == user && !use.said)
        require_measure(use);
      else if (use.lemma == user)
        refuse_itself(use);
      else if (uses_.contains(use.lemma) && states_.emplace(use.lemma, State::Open).second)
        frames.push_back({use.lemma});
      else if (states_[use.lemma] == State::Open)
        refuse_circle(user, use);
    }
  }

  void require_measure(const Use& use) {
    const Symbol& symbol = session_.symbol(use.lemma);
    const FunctionItem& item = session_.function_item(use.lemma);
    if (std::any_of(item.contract.begin(), item.contract.end(),
                    [](const Clause& c) { return c.kind == ClauseKind::Decreases; }))
      return;
    session_.report(Diagnostic{
        DiagnosticKind::UnmeasuredRecursion,
        use.at,
        {session_.text(symbol.name)},
        {},
        {}}.helping(item.lemma ? "write 'decreases' and an integer that falls, before 'lemma'"
                               : "write 'decreases' and an integer that falls, before 'pure'"));
  }

  // What a pure function is known by cannot rest on it.
  void refuse_itself(const Use& use) {
    const Symbol& used = session_.symbol(use.lemma);
    session_.report(Diagnostic{DiagnosticKind::MutualRecursion,
                               use.at,
                               {session_.text(used.name), "proved", "itself"},
                               {},
                               {}}
                        .note(used.span, "declared here")
                        .helping("say it by a definition, which may use itself"));
  }

  void refuse_circle(SymbolId user, const Use& use) {
    const Symbol& used = session_.symbol(use.lemma);
    session_.report(Diagnostic{
        DiagnosticKind::MutualRecursion,
        use.at,
        {session_.text(session_.symbol(user).name), "proved",
         fmt::format("'{}', which is proved by way of it", session_.text(used.name))},
        {},
        {}}.note(used.span, "declared here")
                        .helping("make one of them, which ensures what both say"));
  }

  Session& session_;
  std::map<std::pair<TreeIndex, std::uint32_t>, std::vector<const Expr*>> properties_;
  std::map<SymbolId, std::vector<Use>> uses_;
  std::unordered_map<SymbolId, State> states_;
};

}  // namespace

void check_lemmas(Session& session, const std::vector<FunctionFacts>& functions) {
  LemmaOrder(session, functions).run();
}

}  // namespace leto::check
