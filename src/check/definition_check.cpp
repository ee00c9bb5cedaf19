#include "check/definition_check.h"

#include <fmt/core.h>

#include "check/function_check.h"

namespace leto::check {

using namespace syntax;

namespace {

// Each behind those that it uses, directly or by way of properties, which are written out first.
class DefinitionOrder {
 public:
  explicit DefinitionOrder(Session& session) : session_(session) {}

  void run() {
    for (TreeIndex t = 0; t < session_.checked.trees.size(); ++t)
      for (const Item& item : session_.tree(t).items)
        if (const auto* definition = std::get_if<DefineItem>(&item.node)) {
          const auto it = session_.globals.find(definition->name.name);
          if (it != session_.globals.end() &&
              session_.symbol(it->second).span == definition->name.span)
            visit(it->second);
        }
  }

 private:
  enum class State : std::uint8_t { Open, Done };

  [[nodiscard]] const DefineItem& item_of(const Symbol& symbol) const {
    return std::get<DefineItem>(session_.tree(symbol.tree).items[symbol.item].node);
  }

  void visit(SymbolId id) {
    if (states_.contains(id)) return;
    const Symbol symbol = session_.symbol(id);
    if (open_.size() >= kMaxChain) {
      session_.report(
          Diagnostic{DiagnosticKind::TooDeep, symbol.span, {std::to_string(kMaxChain)}, {}, {}}
              .helping("declare definitions before those that use them"));
      states_[id] = State::Done;
      return;
    }
    states_[id] = State::Open;
    open_.push_back(id);
    const DefineItem& item = item_of(symbol);
    seen_properties_.clear();
    look_for_uses(item.body, symbol.tree, false);
    if (item.measure)
      for (ExprId part : parts_of(*item.measure)) look_for_uses(part, symbol.tree, true);
    check(symbol, item);
    open_.pop_back();
    states_[id] = State::Done;
    session_.checked.definitions.push_back(id);
  }

  void check(const Symbol& symbol, const DefineItem& item) {
    Scope scope(session_);
    Scope::Block block(scope);
    ExprChecker exprs(session_, scope);
    const Type type = scalar_type_of(item.type);
    if (!type.is_scalar() || type.is_void())
      session_.report(DiagnosticKind::ScalarNeeded, item.type.span,
                      {"what is defined", describe(type)});
    declare_params(session_, scope, exprs, item.params, SymbolKind::DefinitionParam, symbol.tree);
    Place place{};
    place.mode = Mode::Unary;
    place.tree = symbol.tree;
    place.where = "a definition";
    place.definition = true;
    session_.labels_of_function.clear();
    exprs.expect(item.body, place, symbol.type.is_scalar() ? symbol.type : error_type());
    if (!item.measure) return;
    place.where = "'decreases'";
    place.measure = true;
    for (ExprId part : parts_of(*item.measure))
      exprs.expect(part, place, scalar_type(Scalar::Int), "a measure");
  }

  void look_for_uses(ExprId id, TreeIndex t, bool indirectly) {
    const Tree& tree = session_.tree(t);
    for_each_child(tree.exprs[id], [&](ExprId child) { look_for_uses(child, t, indirectly); });
    const auto* call = std::get_if<CallExpr>(&tree.exprs[id].node);
    if (call == nullptr) return;
    const auto it = session_.globals.find(call->callee.name);
    if (it == session_.globals.end()) return;
    const Symbol used = session_.symbol(it->second);
    if (used.kind == SymbolKind::Property && seen_properties_.insert(it->second).second) {
      const auto& property = std::get<PropertyItem>(session_.tree(used.tree).items[used.item].node);
      look_for_uses(property.body, used.tree, true);
    }
    if (used.kind == SymbolKind::Function && indirectly) refuse_function(call->callee);
    if (used.kind == SymbolKind::Definition) use(it->second, call->callee.span, indirectly);
  }

  // A property may use a pure function, but not where it helps to define something.
  void refuse_function(const Ident& callee) {
    session_.report(Diagnostic{DiagnosticKind::CallInSpecification,
                               callee.span,
                               {session_.text(callee.name), "a definition"},
                               {},
                               {}}
                        .note(session_.symbol(open_.back()).span, "which is this one")
                        .helping("define what is meant instead of computing it"));
  }

  // `indirectly`: by way of a property, or in a measure.
  void use(SymbolId used, Span at, bool indirectly) {
    const std::string name = session_.text(session_.symbol(used).name);
    if (used == open_.back() && !indirectly) {
      if (!item_of(session_.symbol(used)).measure)
        session_.report(Diagnostic{DiagnosticKind::UnmeasuredRecursion, at, {name}, {}, {}}.helping(
            "write 'decreases' and an integer that falls, before the ':'"));
      return;
    }
    const auto state = states_.find(used);
    if (state == states_.end()) {
      const auto seen = seen_properties_;
      visit(used);
      seen_properties_ = seen;
    } else if (state->second == State::Open) {
      session_.report(
          Diagnostic{DiagnosticKind::MutualRecursion,
                     at,
                     {session_.text(session_.symbol(open_.back()).name), "defined",
                      used == open_.back() ? "itself" : way_of(name)},
                     {},
                     {}}
              .note(session_.symbol(used).span, "declared here")
              .helping(indirectly
                           ? "write out what the property says; a measure can use others only"
                           : "make one definition of them, with a further "
                             "parameter that says which is meant"));
    }
  }

  static std::string way_of(const std::string& name) {
    return fmt::format("'{}', which is defined by way of it", name);
  }

  static constexpr std::size_t kMaxChain = 200;  // of definitions, each used before it is declared

  Session& session_;
  std::unordered_map<SymbolId, State> states_;
  std::vector<SymbolId> open_;
  std::unordered_set<SymbolId> seen_properties_;
};

}  // namespace

void check_definitions(Session& session) {
  DefinitionOrder(session).run();
}

}  // namespace leto::check
