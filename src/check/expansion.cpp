#include "check/expansion.h"

#include <algorithm>
#include <map>
#include <set>

namespace leto::check {

using namespace syntax;

namespace {

// Of an expression, written out: its own nodes, and how often each parameter of the property that
// it stands in comes up. In floating point, since it need only be right up to the limit.
struct Size {
  double nodes = 0;
  std::size_t depth = 0;
  std::map<SymbolId, double> uses;

  void add(const Size& other, double times) {
    nodes += other.nodes * times;
    depth = std::max(depth, other.depth);
    for (const auto& [param, n] : other.uses) uses[param] += n * times;
  }
};

class Expansion {
 public:
  explicit Expansion(Session& session) : session_(session) {}

  void run() {
    for (TreeIndex t = 0; t < session_.checked.trees.size(); ++t)
      for (const Item& item : session_.tree(t).items)
        if (const auto* property = std::get_if<PropertyItem>(&item.node))
          if (const auto it = session_.globals.find(property->name.name);
              it != session_.globals.end())
            if (of_property(it->second).depth > kDeepest) {
              refuse_depth(property->name.span);
              return;
            }
    double total = 0;
    for (TreeIndex t = 0; t < session_.checked.trees.size(); ++t)
      for (std::uint32_t e = static_cast<std::uint32_t>(session_.tree(t).exprs.size()); e-- > 0;) {
        const ExprId id{e};  // what it stands in comes first
        if (!property_of(id, t).valid() || inside_.contains({t, id})) continue;
        const Size size = of(id, t);
        total += size.nodes;
        if (size.depth > kDeepest) {
          refuse_depth(session_.tree(t).exprs[id].span);
          return;
        }
        if (total <= kMost) continue;
        session_.report(Diagnostic{DiagnosticKind::TooLarge,
                                   session_.tree(t).exprs[id].span,
                                   {std::to_string(static_cast<long>(kMost))},
                                   {},
                                   {}}
                            .helping("properties are macros, and what a lemma says is written out "
                                     "where it is called; let each use others once, or claim less "
                                     "at once"));
        return;
      }
  }

  // Whoever writes it out goes down as deep as it nests.
  void refuse_depth(Span at) {
    session_.report(
        Diagnostic{DiagnosticKind::TooDeep, at, {std::to_string(kDeepest)}, {}, {}}.helping(
            "a property is written out where it is used; let fewer of them use one another"));
  }

 private:
  // Of which property or lemma an expression is a use; invalid: of none.
  [[nodiscard]] SymbolId property_of(ExprId id, TreeIndex t) const {
    if (!std::holds_alternative<CallExpr>(session_.tree(t).exprs[id].node)) return {};
    const SymbolId symbol = session_.checked.facts[t].symbols[id.value];
    if (!symbol.valid()) return {};
    const SymbolKind kind = session_.symbol(symbol).kind;
    return kind == SymbolKind::Property || kind == SymbolKind::Lemma ? symbol : SymbolId{};
  }

  const Size& of_property(SymbolId id) {
    const auto [it, is_new] = properties_.try_emplace(id);
    if (!is_new) return it->second;  // one that uses itself is an error by itself
    const Symbol symbol = session_.symbol(id);
    if (symbol.kind == SymbolKind::Lemma) return properties_[id] = of_lemma(symbol);
    if (symbol.kind != SymbolKind::Property) return it->second;
    const auto& property =
        std::get<PropertyItem>(session_.tree(symbol.tree).items[symbol.item].node);
    mark_inside(property.body, symbol.tree);
    Size size;
    if (++nesting_ > kDeepest)
      size.depth = nesting_;  // and no further
    else
      size = of(property.body, symbol.tree);
    --nesting_;
    return properties_[id] = std::move(size);
  }

  // What it asks for and ensures is written out where it is called.
  Size of_lemma(const Symbol& symbol) {
    const auto& lemma = std::get<FunctionItem>(session_.tree(symbol.tree).items[symbol.item].node);
    Size size;
    for (const Clause& clause : lemma.contract)
      for (ExprId part : parts_of(clause)) size.add(of(part, symbol.tree), 1);
    for (const Param& param : lemma.params)
      for (ExprId dim : param.dims) size.add(of(dim, symbol.tree), 1);
    return size;
  }
  [[nodiscard]] const std::vector<Param>& params_of(const Symbol& symbol) const {
    const auto& node = session_.tree(symbol.tree).items[symbol.item].node;
    if (const auto* lemma = std::get_if<FunctionItem>(&node)) return lemma->params;
    return std::get<PropertyItem>(node).params;
  }

  // What stands in a property, or in an argument, is counted where that is used.
  void mark_inside(ExprId id, TreeIndex t) {
    if (!inside_.insert({t, id}).second) return;
    for_each_child(session_.tree(t).exprs[id], [&](ExprId child) { mark_inside(child, t); });
  }

  Size of(ExprId id, TreeIndex t) {
    session_.demand();
    const SymbolId property = property_of(id, t);
    if (property.valid())
      return of_use(std::get<CallExpr>(session_.tree(t).exprs[id].node), property, t);
    Size size;
    size.nodes = 1;
    const SymbolId symbol = session_.checked.facts[t].symbols[id.value];
    if (symbol.valid() && (session_.symbol(symbol).kind == SymbolKind::PropertyParam ||
                           session_.symbol(symbol).kind == SymbolKind::Param))
      count_use(symbol, size);
    for_each_child(session_.tree(t).exprs[id], [&](ExprId child) { size.add(of(child, t), 1); });
    ++size.depth;
    return size;
  }

  // A field is a use of its record, and a record is one use for each field.
  void count_use(SymbolId id, Size& size) const {
    const SymbolId whole = session_.symbol(id).whole;
    if (whole.valid())
      size.uses[whole] = 1;
    else
      size.uses[id] = static_cast<double>(session_.checked.parts_of(id).size());
  }

  Size of_use(const CallExpr& call, SymbolId id, TreeIndex t) {
    const Size body = of_property(id);
    const Symbol& symbol = session_.symbol(id);
    const std::vector<Param>& params = params_of(symbol);
    const auto& declared = session_.checked.facts[symbol.tree].declared;
    Size size;
    size.nodes = 1 + body.nodes;
    std::size_t arguments = 0;
    for (std::size_t i = 0; i < std::min(call.args.size(), params.size()); ++i) {
      mark_inside(call.args[i], t);
      const auto param = declared.find(key_of(params[i].name.span));
      const auto uses = param == declared.end() ? body.uses.end() : body.uses.find(param->second);
      const Size argument = of(call.args[i], t);
      size.add(argument, uses == body.uses.end() ? 0 : uses->second);
      arguments = std::max(arguments, argument.depth);
    }
    size.depth = 1 + body.depth + arguments;
    return size;
  }

  static constexpr double kMost = 1'000'000;
  static constexpr std::size_t kDeepest = 2000;

  Session& session_;
  std::size_t nesting_ = 0;  // of properties
  std::map<SymbolId, Size> properties_;
  std::set<std::pair<TreeIndex, ExprId>> inside_;
};

}  // namespace

void check_expansion(Session& session) {
  Expansion(session).run();
}

}  // namespace leto::check
