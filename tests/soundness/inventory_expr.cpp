#include "inventory.h"

namespace leto::soundness {

using namespace syntax;

std::string listed(const char* how, BinaryOp op) {
  // A new operator has to be thought of: it fails to compile here.
  switch (op) {
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Mod:
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Implies:
    case BinaryOp::Eq:
    case BinaryOp::Ne:
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge:
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight:
    case BinaryOp::Join:
      break;
  }
  return std::string(how) + " " + std::string(spelling(op));
}

std::string listed(const char* how, UnaryOp op) {
  switch (op) {
    case UnaryOp::Negate:
    case UnaryOp::Not:
    case UnaryOp::Complement:
      break;
  }
  return std::string(how) + " unary " + std::string(spelling(op));
}

void Inventory::visit(ExprId id, const Where& where) {
  if (!id.valid()) return;
  std::visit([&](const auto& node) { see(node, id, where); }, tree_.exprs[id].node);
}

void Inventory::children(ExprId id, const Where& where) {
  for_each_child(tree_.exprs[id], [&](ExprId child) { visit(child, where); });
}

// The variable that a place belongs to; none for the model's state.
Name Inventory::base(ExprId id) const {
  while (true) {
    if (const auto* index = std::get_if<IndexExpr>(&tree_.exprs[id].node))
      id = index->base;
    else if (const auto* field = std::get_if<FieldExpr>(&tree_.exprs[id].node))
      id = field->base;
    else
      break;
  }
  if (const auto* name = std::get_if<NameExpr>(&tree_.exprs[id].node)) return name->name;
  if (const auto* sided = std::get_if<SidedExpr>(&tree_.exprs[id].node)) return sided->name;
  return {};
}

// The type of a vector or matrix that is named as a whole.
const TypeSyntax* Inventory::whole(ExprId id) const {
  const auto* name = std::get_if<NameExpr>(&tree_.exprs[id].node);
  const auto* sided = std::get_if<SidedExpr>(&tree_.exprs[id].node);
  if (name == nullptr && sided == nullptr) return nullptr;
  const auto it = known_.types.find(name != nullptr ? name->name : sided->name);
  if (it == known_.types.end() || it->second.shape == Shape::Scalar) return nullptr;
  return &it->second;
}

// Whether a variable that is a record, or a vector of records, is named as a whole.
bool Inventory::is_record(ExprId id) const {
  const auto* name = std::get_if<NameExpr>(&tree_.exprs[id].node);
  const auto it = name != nullptr ? known_.types.find(name->name) : known_.types.end();
  return it != known_.types.end() && it->second.record.valid();
}

bool Inventory::is_row(ExprId id) const {
  const auto* index = std::get_if<IndexExpr>(&tree_.exprs[id].node);
  const TypeSyntax* type = index != nullptr ? whole(index->base) : nullptr;
  return type != nullptr && type->shape == Shape::Matrix;
}

// Numbers and names ------------------------------------------------------------------------------

void Inventory::see(const IntegerExpr& e, ExprId, const Where&) {
  mark("integer");
  const std::string_view digits = names_.text(e.text);
  if (digits.size() > 1 && digits[0] == '0') mark("number with leading zeros");
}

void Inventory::see(const RealExpr& e, ExprId, const Where&) {
  mark("real number");
  const std::string_view digits = names_.text(e.text);
  if (digits.find_first_of("eE") != std::string_view::npos) mark("number with an exponent");
  if (digits.size() > 1 && digits[0] == '0' && digits[1] != '.') mark("number with leading zeros");
}

void Inventory::see(const BoolExpr&, ExprId, const Where&) {
  mark("true and false");
}

void Inventory::see(const NameExpr& e, ExprId id, const Where& where) {
  if (known_.params.contains(e.name)) known_.param_uses.push_back(tree_.exprs[id].span.begin);
  if (vectors_.contains(e.name))
    mark(where.specification ? "constant vector in a specification" : "constant vector used");
  if (constants_.contains(e.name)) mark("constant used");
  if (!where.specification && known_.regions.contains(e.name)) {
    mark("variable in a region read");
    known_.relaxed = true;
  }
  if (where.relational && !where.in_eq && known_.ghosts.contains(e.name))
    mark("specvar without a side");
}

void Inventory::see(const SidedExpr& e, ExprId id, const Where&) {
  mark(e.side == Side::Original ? "x<o>" : "x<r>");
  if (names_.text(e.name) == "left" && !known_.types.contains(e.name)) mark("left<o>");
  if (known_.params.contains(e.name)) known_.param_uses.push_back(tree_.exprs[id].span.begin);
}

void Inventory::see(const ModelExpr& e, ExprId, const Where& where) {
  if (model_constants_.contains(e.member.name)) {
    mark("constant of a model used");
    return;
  }
  if (where.ghost)
    mark("model.x in a specvar");
  else if (where.relational)
    mark("model.x in a relational specification");
  else if (where.test)
    mark("model.x in a loop's test");
  if (!where.ghost && !where.specification) mark("model.x read");
}

// A field of a variable, or else a part of a result or of a model.
void Inventory::see(const MemberExpr& e, ExprId, const Where& where) {
  const auto it = known_.types.find(e.scope.name);
  if (it == known_.types.end() || !it->second.record.valid()) {
    mark(where.model ? "M.x in a model" : "result.q");
    return;
  }
  mark(it->second.shape == Shape::Scalar ? "s.x" : "v.x");
  if (!where.specification && known_.regions.contains(e.scope.name)) known_.relaxed = true;
}

void Inventory::see(const FieldExpr& e, ExprId id, const Where& where) {
  const auto* sided = std::get_if<SidedExpr>(&tree_.exprs[e.base].node);
  const bool several = known_.item != nullptr && !known_.item->results.empty();
  if (sided != nullptr && names_.text(sided->name) == "result" && several) {
    mark("result<o>.q");
    return;
  }
  mark(sided != nullptr ? "s<o>.x" : "v[i].x");
  children(id, where);
}

void Inventory::see(const IndexExpr& e, ExprId id, const Where& where) {
  const auto& node = tree_.exprs[e.base].node;
  if (const auto* member = std::get_if<MemberExpr>(&node)) {
    if (!known_.labels.contains(member->scope.name)) return children(id, where);
    mark("l.entry[e]");
    return visit(e.index, where);
  }
  if (const auto* name = std::get_if<NameExpr>(&node); name && known_.labels.contains(name->name)) {
    mark("l[e]");
    return visit(e.index, where);
  }
  const auto it = known_.types.find(base(id));
  const bool matrix = it != known_.types.end() && it->second.shape == Shape::Matrix;
  if (std::holds_alternative<SidedExpr>(node)) mark("side on an element");
  if (where.specification)
    mark(matrix ? "matrix element in a specification" : "vector element in a specification");
  else
    mark(matrix ? "matrix element read" : "vector element read");
  if (where.in_eq) mark("eq(element)");
  if (!where.specification && known_.regions.contains(base(id))) mark("element in a region read");
  children(id, where);
}

void Inventory::see(const UpdateExpr&, ExprId id, const Where& where) {
  mark("v[i := e]");
  children(id, where);
}

// Words are not made here; what makes them says so (docs/testing.md).
void Inventory::see(const PartExpr&, ExprId id, const Where& where) {
  mark("part of a word");
  children(id, where);
}

void Inventory::see(const WidenExpr&, ExprId id, const Where& where) {
  mark("conversion to a word");
  children(id, where);
}

void Inventory::see(const ParenExpr&, ExprId id, const Where& where) {
  mark("parentheses");
  children(id, where);
}

// Operators --------------------------------------------------------------------------------------

void Inventory::see(const UnaryExpr& e, ExprId id, const Where& where) {
  mark(listed(e.dotted ? "relaxed" : where.specification ? "stated" : "exact", e.op));
  if (e.dotted) known_.relaxed = true;
  children(id, where);
}

void Inventory::see(const BinaryExpr& e, ExprId, const Where& where) {
  mark(listed(e.dotted ? "relaxed" : where.specification ? "stated" : "exact", e.op));
  if (e.dotted) {
    known_.relaxed = true;
    if (where.test) mark("relaxed loop test");
    if (where.later) mark("chain with a relaxed operation behind its first comparison");
    if (where.second) mark("short circuit over a relaxed operation");
    if (where.chosen) mark("if as a value with a relaxed operation");
  }
  if (e.op == BinaryOp::Div && where.later && !where.specification)
    mark("chain with a division behind its first comparison");
  if (is_record(e.lhs) && is_comparison(e.op)) mark("records compared");
  if (const TypeSyntax* type = whole(e.lhs); type != nullptr && is_comparison(e.op))
    mark(type->shape == Shape::Vector ? "vectors compared" : "matrices compared");
  if (where.in_eq) mark("eq(expression)");
  visit(e.lhs, where);
  Where right = where;
  const bool logic = e.op == BinaryOp::And || e.op == BinaryOp::Or || e.op == BinaryOp::Implies;
  right.second = where.second || (logic && !e.dotted && !where.specification);
  visit(e.rhs, right);
}

void Inventory::see(const ChainExpr& e, ExprId, const Where& where) {
  mark(where.specification ? "chain in a specification" : "chain in a program");
  for (std::size_t i = 0; i < e.operands.size(); ++i) {
    Where inner = where;
    inner.later = where.later || (i > 1 && !where.specification);
    visit(e.operands[i], inner);
  }
}

void Inventory::see(const MemberCallExpr& e, ExprId, const Where& where) {
  mark(e.scope ? "M.f(x) in a model" : "function constant in a program");
  for (ExprId arg : e.args) visit(arg, where);
}

void Inventory::see(const CallExpr& e, ExprId id, const Where& where) {
  const Name callee = e.callee.name;
  const std::string name = text(callee);
  Where inner = where;
  if (name == "abs" || name == "min" || name == "max") {
    mark(name);
  } else if (name == "uint" || name == "real" || name == "floor") {
    mark((name == "floor" ? name : name + "(i)") +
         (where.specification ? " in a specification" : ""));
  } else if (const auto property = properties_.find(callee); property != properties_.end()) {
    mark(property->second ? "property_r used" : "property used");
    for (ExprId arg : e.args) {
      const bool sided =
          property->second && std::holds_alternative<SidedExpr>(tree_.exprs[arg].node);
      if (property->second)
        mark(sided ? "property_r with a side on its argument"
                   : "property_r with an argument without side");
    }
  } else if (const auto d = definitions_.find(callee); d != definitions_.end()) {
    mark(where.relational ? "definition used of both runs" : "definition used");
    for (ExprId arg : e.args)
      if (whole(arg) != nullptr)
        mark("definition of a vector");
      else if (is_row(arg))
        mark("definition of a row");
  } else if (const auto lemma = functions_.find(callee);
             lemma != functions_.end() && lemma->second->lemma) {
    mark("k = L(x)");
    inner.specification = true;
  } else if (const auto f = functions_.find(callee); f != functions_.end() && where.specification) {
    mark(where.relational ? "pure function used of both runs" : "pure function used");
  } else if (f != functions_.end()) {
    mark("call");
    if (known_.item != nullptr && callee == known_.item->name.name)
      known_.own_calls.push_back(tree_.exprs[id].span.begin);
    if (f->second->external) mark("call of an external function");
    if (where.test) mark("call in a loop's test");
    if (where.test && f->second->external) mark("call of an external function in a loop's test");
    if (where.test && tickers_.contains(callee))
      mark("call that sets the model's state in a loop's test");
    if (where.condition && !where.test) mark("call in a condition");
    if (where.later) mark("chain with a call behind its first comparison");
    if (where.second) mark("short circuit over a call");
    if (where.chosen) mark("if as a value with a call");
    if (where.argument) mark("call in an argument");
    if (where.tries > 0) mark("call in try");
    if (where.branches > 0) mark("call in a branch");
    if (where.branches > 0 && claimers_.contains(callee))
      mark("call of what has claims in a branch");
    inner.argument = true;
  }
  children(id, inner);
}

// Specifications ---------------------------------------------------------------------------------

void Inventory::see(const EqExpr& e, ExprId id, const Where& where) {
  if (std::holds_alternative<NameExpr>(tree_.exprs[e.arg].node)) mark("eq(x)");
  Where inner = where;
  inner.in_eq = true;
  children(id, inner);
}

void Inventory::see(const EqAllExpr&, ExprId, const Where&) {
  mark("eq(*)");
}

void Inventory::see(const OldExpr& e, ExprId id, const Where& where) {
  const auto& arg = tree_.exprs[e.arg].node;
  const bool passed =
      std::holds_alternative<NameExpr>(arg) || std::holds_alternative<SidedExpr>(arg);
  mark(passed && !where.model ? "old of what is changed in place" : "old");
  children(id, where);
}

void Inventory::see(const IfExpr& e, ExprId, const Where& where) {
  mark(where.specification ? "if as a value in a specification" : "if as a value");
  visit(e.condition, where);
  Where inner = where;
  inner.chosen = !where.specification;
  visit(e.then_value, inner);
  visit(e.else_value, inner);
}

void Inventory::see(const QuantExpr& e, ExprId id, const Where& where) {
  mark(e.universal ? "forall" : "exists");
  if (e.binders.size() > 1) mark("several binders");
  if (where.in_quantifier) mark("quantifier in a quantifier");
  if (where.model) mark("quantifier in a model");
  Where inner = where;
  inner.in_quantifier = true;
  children(id, inner);
}

}  // namespace leto::soundness
