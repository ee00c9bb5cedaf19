#include "lsp/outline.h"

namespace leto::lsp {

using namespace syntax;

namespace {

// As the protocol numbers them.
enum class Icon : int {
  Class = 5,
  Property = 7,
  Field = 8,
  Function = 12,
  Constant = 14,
  Object = 19,
  Operator = 25
};

class Outliner {
 public:
  explicit Outliner(const Analysis& analysis) : analysis_(analysis) {}

  json run() {
    json out = json::array();
    if (analysis_.own() == nullptr) return out;
    for (const Item& item : analysis_.own()->items)
      std::visit([&](const auto& node) { visit(node, item.span, out); }, item.node);
    return out;
  }

 private:
  std::string text(Span span) const { return std::string(analysis_.sources().text(span)); }
  std::string name(const Ident& ident) const {
    return ident.name.valid() ? std::string(analysis_.names().text(ident.name)) : "";
  }

  json entry(std::string name, std::string detail, Icon icon, Span whole, Span chosen) const {
    if (chosen.begin < whole.begin || chosen.end > whole.end) whole = cover(whole, chosen);
    return {{"name", std::move(name)},
            {"detail", std::move(detail)},
            {"kind", static_cast<int>(icon)},
            {"range", to_json(analysis_.locator().range(whole))},
            {"selectionRange", to_json(analysis_.locator().range(chosen))}};
  }
  // Nothing without a name: editors refuse it.
  void put(const Ident& ident, std::string detail, Icon icon, Span whole, json& out) const {
    if (const std::string text = name(ident); !text.empty())
      out.push_back(entry(text, std::move(detail), icon, whole, ident.span));
  }

  void visit(const ImportItem&, Span, json&) const {}
  void visit(const UseModelItem&, Span, json&) const {}
  void visit(const ConstraintItem&, Span, json&) const {}
  void visit(const ConstItem& item, Span span, json& out) const {
    put(item.name, text(item.type.span), Icon::Constant, span, out);
  }
  void visit(const CheckerItem& item, Span span, json& out) const {
    put(item.name, "checker", Icon::Object, span, out);
  }
  void visit(const ProblemItem& item, Span span, json& out) const {
    put(item.name, "problem", Icon::Class, span, out);
  }
  void visit(const ProvedCheckerItem& item, Span span, json& out) const {
    put(item.name, "checker for " + name(item.problem), Icon::Function, span, out);
  }
  void visit(const SystemItem& item, Span span, json& out) const {
    const std::size_t before = out.size();
    put(item.name, "system", Icon::Class, span, out);
    if (out.size() == before) return;
    json children = json::array();
    for (const Part& part : item.parts)
      std::visit([&](const auto& node) { visit_part(node, part.span, children); }, part.node);
    out.back()["children"] = std::move(children);
  }
  void visit_part(const NodesPart& part, Span span, json& out) const {
    for (const NodesPart::Sort& sort : part.sorts)
      put(sort.name, "nodes", Icon::Constant, span, out);
  }
  void visit_part(const InitiallyPart&, Span, json&) const {}
  void visit_part(const TrustPart&, Span, json&) const {}
  void visit_part(const ElapsePart&, Span, json&) const {}
  void visit_part(const VariablePart& part, Span span, json& out) const {
    put(part.name, text(part.type.span), Icon::Field, span, out);
  }
  void visit_part(const StepPart& part, Span span, json& out) const {
    put(part.name, "step", Icon::Function, span, out);
  }
  void visit_part(const ClaimPart& part, Span span, json& out) const {
    put(part.name, part.lemma ? "lemma" : "always", Icon::Property, span, out);
  }
  void visit_part(const EnumItem& item, Span span, json& out) const {
    put(item.name, "enum", Icon::Class, span, out);
  }
  void visit_part(const PropertyItem& item, Span span, json& out) const { visit(item, span, out); }
  void visit_part(const NodeMember& member, Span span, json& out) const {
    put(member.name, text(member.type.span), Icon::Field, span, out);
  }
  void visit_part(const RoundMember& member, Span span, json& out) const {
    put(member.name, text(member.type.span), Icon::Field, span, out);
  }
  void visit_part(const MessageMember& message, Span span, json& out) const {
    if (message.head.end <= message.head.begin) return;
    out.push_back(entry(text(message.head),
                        message.attributes.label ? name(*message.attributes.label) : "",
                        Icon::Operator, span, message.head));
  }
  void visit(const RecordItem& item, Span span, json& out) const {
    const std::size_t before = out.size();
    put(item.name, "record", Icon::Class, span, out);
    if (out.size() == before) return;
    json children = json::array();
    for (const Binder& field : item.fields)
      put(field.name, text(field.type.span), Icon::Field, cover(field.type.span, field.name.span),
          children);
    out.back()["children"] = std::move(children);
  }
  void visit(const PropertyItem& item, Span span, json& out) const {
    put(item.name, item.relational ? "property_r" : "property", Icon::Property, span, out);
  }
  void visit(const DefineItem& item, Span span, json& out) const {
    put(item.name, "define " + text(item.type.span), Icon::Function, span, out);
  }
  void visit(const FunctionItem& item, Span span, json& out) const {
    put(item.name, text(item.type.span), Icon::Function, span, out);
  }
  void visit(const ModelItem& item, Span span, json& out) const {
    const std::size_t before = out.size();
    put(item.name, "model", Icon::Class, span, out);
    if (out.size() == before) return;
    json children = json::array();
    for (const Member& member : item.members)
      std::visit([&](const auto& node) { visit_part(node, member.span, children); }, member.node);
    out.back()["children"] = std::move(children);
  }
  void visit_part(const ConstItem& item, Span span, json& out) const { visit(item, span, out); }
  void visit_part(const ConstraintItem&, Span, json&) const {}
  void visit_part(const InvariantMember&, Span, json&) const {}
  void visit_part(const ImportMember&, Span, json&) const {}
  void visit_part(const InitMember&, Span, json&) const {}
  void visit_part(const RigidMember& item, Span span, json& out) const {
    put(item.name, "const " + text(item.type.span), Icon::Function, span, out);
  }
  void visit_part(const RigidValueMember&, Span, json&) const {}
  void visit_part(const WitnessMember&, Span, json&) const {}
  void visit_part(const StateMember& state, Span span, json& out) const {
    put(state.name, text(state.type.span), Icon::Field, span, out);
  }
  void visit_part(const OperatorMember& op, Span span, json& out) const {
    if (op.head.end <= op.head.begin) return;
    out.push_back(entry(text(op.head), op.attributes.label ? name(*op.attributes.label) : "",
                        Icon::Operator, span, op.head));
  }

  const Analysis& analysis_;
};

void flatten(const json& nested, const std::string& uri, const std::string& container, json& out) {
  for (const json& one : nested) {
    json flat = {{"name", one["name"]},
                 {"kind", one["kind"]},
                 {"location", {{"uri", uri}, {"range", one["range"]}}}};
    if (!container.empty()) flat["containerName"] = container;
    out.push_back(std::move(flat));
    if (one.contains("children")) flatten(one["children"], uri, one["name"], out);
  }
}

}  // namespace

json outline(const Analysis& analysis, bool nested) {
  json tree = Outliner(analysis).run();
  if (nested || analysis.own() == nullptr) return tree;
  json list = json::array();
  flatten(tree, analysis.locator().uri(analysis.own()->file), "", list);
  return list;
}

}  // namespace leto::lsp
