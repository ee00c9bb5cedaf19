#include "check/unused.h"

#include <algorithm>
#include <map>
#include <set>

namespace leto::check {

using namespace syntax;

namespace {

// Items use what is called in them. Those of imported files that only say something (properties,
// definitions, lemmas) count only if they are used themselves.
class Uses {
 public:
  explicit Uses(Session& session) : session_(session) {}

  void run() {
    collect_calls();
    const TreeIndex own = static_cast<TreeIndex>(session_.checked.trees.size()) - 1;
    for (TreeIndex t = 0; t <= own; ++t)
      for (std::uint32_t i = 0; i < session_.tree(t).items.size(); ++i)
        if (t == own || session_.tree(t).derived || !only_says(session_.tree(t).items[i]))
          visit({t, i});
    while (!work_.empty()) {
      const Place place = work_.back();
      work_.pop_back();
      for (SymbolId callee : calls_[place])
        visit({session_.symbol(callee).tree, session_.symbol(callee).item});
    }
    for (const auto& [name, id] : session_.globals) {
      const Symbol& symbol = session_.symbol(id);
      const bool proved = symbol.kind == SymbolKind::Definition || symbol.kind == SymbolKind::Lemma;
      if (proved && !seen_.contains({symbol.tree, symbol.item})) session_.checked.unused.insert(id);
    }
  }

 private:
  using Place = std::pair<TreeIndex, std::uint32_t>;  // an item

  [[nodiscard]] static bool only_says(const Item& item) {
    if (const auto* function = std::get_if<FunctionItem>(&item.node)) return function->lemma;
    return std::holds_alternative<PropertyItem>(item.node) ||
           std::holds_alternative<DefineItem>(item.node);
  }

  void visit(const Place& place) {
    if (seen_.insert(place).second) work_.push_back(place);
  }

  void collect_calls() {
    for (TreeIndex t = 0; t < session_.checked.trees.size(); ++t) {
      const Tree& tree = session_.tree(t);
      for (const Expr& expr : tree.exprs)
        if (const auto* call = std::get_if<CallExpr>(&expr.node))
          if (const auto it = session_.globals.find(call->callee.name);
              it != session_.globals.end())
            calls_[{t, item_around(tree, expr.span)}].push_back(it->second);
    }
  }

  Session& session_;
  std::map<Place, std::vector<SymbolId>> calls_;
  std::set<Place> seen_;
  std::vector<Place> work_;
};

}  // namespace

// Items stand in order.
std::uint32_t item_around(const Tree& tree, Span span) {
  const auto behind =
      std::upper_bound(tree.items.begin(), tree.items.end(), span.begin,
                       [](std::uint32_t at, const Item& item) { return at < item.span.begin; });
  return static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(behind - tree.items.begin(), 1) - 1);
}

void find_unused(Session& session) {
  if (session.checked.trees.size() > 1) Uses(session).run();
}

}  // namespace leto::check
