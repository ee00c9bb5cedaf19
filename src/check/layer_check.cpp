#include "check/layer_check.h"

#include <fmt/core.h>

#include <algorithm>

namespace leto::check {

using namespace syntax;

std::vector<ModelId> layers_of(const Checked& checked, ModelId model) {
  std::vector<ModelId> layers;
  for (ModelId at = model; at.valid(); at = checked.models[at].over) layers.push_back(at);
  return layers;
}

std::vector<const Model*> layers_of(const Checked& checked, const Model& model) {
  std::vector<const Model*> layers{&model};
  for (ModelId at = model.over; at.valid(); at = checked.models[at].over)
    layers.push_back(&checked.models[at]);
  return layers;
}

bool may_stand_over(Session& session, ModelId upper, ModelId lower, const Ident& written) {
  const Checked& checked = session.checked;
  for (ModelId id : {upper, lower}) {
    if (!checked.models[id].of_messages) continue;
    session.report(Diagnostic{
        DiagnosticKind::LayerMisplaced,
        written.span,
        {session.text(checked.models[upper].name), session.text(checked.models[lower].name),
         fmt::format("'{}' is of messages", session.text(checked.models[id].name))},
        {},
        {}}.helping("layers are of operations and of memory"));
    return false;
  }
  return true;
}

std::string_view of_layer_below(const Session& session, ModelId model, Name name) {
  if (!model.valid()) return {};
  const ModelId below = session.checked.models[model].over;
  if (!below.valid() || !session.checked.models[below].reachable.contains(name)) return {};
  return "it belongs to the layer below, of which a model knows what it gives: 'exact'";
}

namespace {

// Whether an expression applies the operator to its own parameters. (Models use no properties and
// no definitions, so it is there to be seen.)
class OperationFinder {
 public:
  OperationFinder(const Session& session, TreeIndex tree, const OperatorMember& op)
      : tree_(session.tree(tree)), facts_(session.checked.facts[tree]), op_(op) {
    for (const Param& param : op.params)
      params_.push_back(facts_.declared.at(key_of(param.name.span)));
  }

  [[nodiscard]] bool applies(ExprId id) const {
    const Expr& expr = tree_.exprs[id];
    bool found = is_operation(expr);
    for_each_child(expr, [&](ExprId child) { found = found || (child.valid() && applies(child)); });
    return found;
  }

 private:
  // The symbol that an expression is; invalid: it is something else.
  [[nodiscard]] SymbolId meant(ExprId id) const {
    if (const auto* paren = std::get_if<ParenExpr>(&tree_.exprs[id].node))
      return meant(paren->inner);
    return facts_.symbols[id.value];
  }

  [[nodiscard]] bool is_operation(const Expr& expr) const {
    if (const auto* unary = std::get_if<UnaryExpr>(&expr.node))
      return op_.kind == OperationKind::Unary && unary->op == op_.unary &&
             meant(unary->operand) == params_[0];
    if (op_.kind != OperationKind::Binary) return false;
    if (const auto* chain = std::get_if<ChainExpr>(&expr.node)) {
      for (std::size_t i = 0; i < chain->ops.size(); ++i)
        if (chain->ops[i] == op_.binary && are_operands(chain->operands[i], chain->operands[i + 1]))
          return true;
      return false;
    }
    const auto* binary = std::get_if<BinaryExpr>(&expr.node);
    return binary != nullptr && binary->op == op_.binary && are_operands(binary->lhs, binary->rhs);
  }
  // In either order.
  [[nodiscard]] bool are_operands(ExprId lhs, ExprId rhs) const {
    const SymbolId a = meant(lhs), b = meant(rhs);
    return (a == params_[0] && b == params_[1]) || (a == params_[1] && b == params_[0]);
  }

  const Tree& tree_;
  const Facts& facts_;
  const OperatorMember& op_;
  std::vector<SymbolId> params_;
};

class LayerChecker {
 public:
  LayerChecker(Session& session, ModelId id)
      : session_(session), id_(id), item_(*session.checked.models[id].syntax) {}

  void run() {
    Model& model = session_.checked.models[id_];
    model.reachable = model.members;
    for (const ModelOperator& op : model.operators)
      if (op.declared_by == id_) one_operator(op);
    for (ModelId super : model.supers) beside(super);
    if (!model.over.valid()) return;
    for (const Model* below : layers_of(session_.checked, session_.checked.models[model.over]))
      refuse_shared(*below);
    for (const auto& [name, symbols] : session_.checked.models[model.over].reachable) {
      auto& here = model.reachable[name];
      for (SymbolId symbol : symbols)
        if (std::find(here.begin(), here.end(), symbol) == here.end()) here.push_back(symbol);
    }
  }

 private:
  [[nodiscard]] const Model& model() const { return session_.checked.models[id_]; }
  [[nodiscard]] std::string name_of(ModelId id) const {
    return session_.text(session_.checked.models[id].name);
  }

  // An upper layer keeps what the layer below gives, or says that it replaces it.
  void one_operator(const ModelOperator& op) {
    const OperatorMember& written = *op.syntax;
    if (!model().over.valid()) {
      if (written.attributes.replaces)
        session_.report(Diagnostic{
            DiagnosticKind::BadAttribute,
            *written.attributes.replaces,
            {"replaces", "an operator of a model that stands over no other"},
            {},
            {}}.helping("there is no layer below it: leave '@replaces' out"));
      return;
    }
    const OperationFinder finder(session_, op.tree, written);
    bool mentions = false, good = true;
    for (const auto& clause : written.clauses) {
      const ExprId expr = formula_of(clause);
      if (!expr.valid()) continue;
      mentions = mentions || mentions_exact(op.tree, expr);
      if (!good || !finder.applies(expr)) continue;
      good = false;
      drops(clause.span, "it computes the operation again, of the exact operands",
            "say 'exact' for what the layer below gives");
    }
    if (good && !mentions && !written.attributes.replaces)
      drops(written.head, "no clause speaks of 'exact'",
            "say what becomes of 'exact', or that it does not matter: '@replaces'");
  }
  static ExprId formula_of(const OperatorMember::OpClause& clause) {
    if (const auto* when = std::get_if<OperatorMember::When>(&clause.node)) return when->expr;
    if (const auto* ensures = std::get_if<OperatorMember::Ensures>(&clause.node))
      return ensures->expr;
    return {};
  }
  [[nodiscard]] bool mentions_exact(TreeIndex tree, ExprId id) const {
    const SymbolId symbol = session_.checked.facts[tree].symbols[id.value];
    if (symbol.valid() && session_.symbol(symbol).kind == SymbolKind::Exact) return true;
    bool found = false;
    for_each_child(session_.tree(tree).exprs[id], [&](ExprId child) {
      found = found || (child.valid() && mentions_exact(tree, child));
    });
    return found;
  }
  void drops(Span at, const char* why, const char* help) {
    session_.report(
        Diagnostic{DiagnosticKind::LayerDropsExact, at, {name_of(model().over), why}, {}, {}}
            .note(item_.over.span, fmt::format("'{}' stands over it here", name_of(id_)))
            .helping(help));
  }

  // What refines a model of several layers has a layer for each of them. Under other layers, or
  // without them, it does other things than its super-model.
  void beside(ModelId super) {
    const Model& above = session_.checked.models[super];
    if (!above.over.valid() && !model().over.valid()) return;
    const auto written = std::find_if(item_.supers.begin(), item_.supers.end(),
                                      [&](const Ident& one) { return one.name == above.name; });
    if (above.over.valid() && model().over.valid()) {
      if (refines(model().over, above.over)) return;
      return misplaced(item_.over.span, model().over,
                       fmt::format("'{}', which it refines, stands over '{}'", name_of(super),
                                   name_of(above.over)),
                       fmt::format("stand over '{0}', or over what refines '{0}' by itself",
                                   name_of(above.over)));
    }
    if (!above.over.valid())
      return misplaced(
          written->span, model().over,
          fmt::format("'{}', which it refines, stands over no other", name_of(super)),
          fmt::format("refine a model with the same operators over '{}'", name_of(model().over)));
    session_.report(Diagnostic{
        DiagnosticKind::LayerMisplaced,
        written->span,
        {name_of(super), name_of(above.over),
         fmt::format("'{}', which refines it, stands over no other", name_of(id_))},
        {},
        {}}.helping(fmt::format("write 'model {} over {} refines {}'", name_of(id_),
                                name_of(above.over), name_of(super))));
  }
  void misplaced(Span at, ModelId lower, std::string why, std::string help) {
    session_.report(Diagnostic{
        DiagnosticKind::LayerMisplaced, at, {name_of(id_), name_of(lower), std::move(why)}, {}, {}}
                        .helping(std::move(help)));
  }
  // By itself, so that what it refines is claimed of its own operators.
  [[nodiscard]] bool refines(ModelId sub, ModelId super) const {
    const std::vector<ModelId>& supers = session_.checked.models[sub].supers;
    return sub == super || std::find(supers.begin(), supers.end(), super) != supers.end();
  }

  // Each layer has its state for itself. Programs, scripts and reports tell the parts of all layers
  // apart by their names.
  void refuse_shared(const Model& below) {
    for (const auto& [name, symbols] : model().members) {
      const auto it = below.members.find(name);
      if (it == below.members.end()) continue;
      const Symbol& symbol = session_.symbol(symbols.front());
      const Symbol& other = session_.symbol(it->second.front());
      session_.report(Diagnostic{
          DiagnosticKind::LayersShare,
          symbol.model == id_ ? symbol.span : item_.over.span,
          {session_.text(name), session_.text(below.name), name_of(id_), "layers share nothing"},
          {},
          {}}.note(other.span, "declared here")
                          .helping("what is another thing needs another name"));
    }
  }

  Session& session_;
  ModelId id_;
  const ModelItem& item_;
};

}  // namespace

void check_layers(Session& session, ModelId id) {
  LayerChecker(session, id).run();
}

}  // namespace leto::check
