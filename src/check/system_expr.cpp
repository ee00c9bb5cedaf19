#include "check/system_expr.h"

#include <fmt/core.h>

#include <algorithm>

namespace leto::check::sys {

namespace {

constexpr std::uint32_t kMostExprs = 200'000;
constexpr int kMostExpanding = 30;  // of properties in properties

Base base_of(syntax::Scalar scalar) {
  switch (scalar) {
    case syntax::Scalar::Bool:
      return Base::Bool;
    case syntax::Scalar::Int:
      return Base::Int;
    case syntax::Scalar::Uint:
      return Base::Uint;
    case syntax::Scalar::Real:
      return Base::Real;
    case syntax::Scalar::Void:
    case syntax::Scalar::Bits:
      return Base::Error;
  }
  LETO_ASSERT(false);
}

// The smallest of uint, int, real that holds both.
Type join(const Type& a, const Type& b) {
  if (a.base == Base::Real || b.base == Base::Real) return {Base::Real};
  if (a.base == Base::Int || b.base == Base::Int) return {Base::Int};
  return {Base::Uint};
}

}  // namespace

std::string describe(const Type& type, const System& system) {
  switch (type.base) {
    case Base::Error:
      return "an error";
    case Base::Bool:
      return "bool";
    case Base::Int:
      return "int";
    case Base::Uint:
      return "uint";
    case Base::Real:
      return "real";
    case Base::Any:
      return "any";
    case Base::Enum:
      return system.enumerations[type.which].name;
    case Base::Node:
      return type.which == kAllNodes ? "node" : system.sorts[type.which].name;
  }
  LETO_ASSERT(false);
}

ExprId Expressions::make(Op op, const Type& type, Span span, std::vector<ExprId> args,
                         std::uint32_t index, std::string text) {
  session_.demand();
  if (system_.exprs.size() >= kMostExprs) {
    if (!told_of_size_)
      session_.report(DiagnosticKind::SystemTooLarge, span, {std::to_string(kMostExprs)});
    told_of_size_ = true;
    return ExprId{0};
  }
  return system_.exprs.add({op, type, span, std::move(args), index, std::move(text)});
}

ExprId Expressions::refuse(Span span, std::string what, std::string help) {
  Diagnostic d{DiagnosticKind::BadSystem, span, {std::move(what)}, {}, {}};
  if (!help.empty()) d.help = Help{std::move(help), {}};
  session_.report(std::move(d));
  return error(span);
}

std::uint32_t Expressions::declare(const syntax::Ident& name, const Type& type) {
  const auto index = static_cast<std::uint32_t>(system_.slots.size());
  system_.slots.push_back({session_.text(name.name), type, name.span});
  for (std::size_t i = hidden_; i < locals_.size(); ++i)
    if (locals_[i].name == name.name)
      session_.report(
          Diagnostic{DiagnosticKind::Shadowing, name.span, {session_.text(name.name)}, {}, {}}.note(
              locals_[i].binding.span, "the other one is declared here"));
  locals_.push_back({name.name, {Binding::Kind::Slot, index, type, name.span}});
  return index;
}

std::vector<std::uint32_t> Expressions::bind(const std::vector<syntax::Binder>& binders,
                                             const Where& where) {
  std::vector<std::uint32_t> slots;
  for (const syntax::Binder& binder : binders) {
    Type type = type_of(binder.type, where, false);
    if (type.base != Base::Node && type.base != Base::Error) {
      refuse(binder.type.span, fmt::format("a bound variable ranges over nodes, not over {}",
                                           describe(type, system_)));
      type = {};
    }
    slots.push_back(declare(binder.name, type));
  }
  return slots;
}

Type Expressions::type_of(const syntax::TypeSyntax& written, const Where& where, bool any) {
  if (written.shape != syntax::Shape::Scalar) {
    refuse(written.span, "systems have no vectors and no matrices",
           "a variable can have a value for each node: 'real x(lieutenant);'");
    return {};
  }
  if (!written.record.valid()) {
    const Base base = base_of(written.scalar);
    if (written.scalar == syntax::Scalar::Bits)
      session_.report({DiagnosticKind::WordsNotHere, written.span, {"systems"}, {}, {}});
    else if (base == Base::Error)
      refuse(written.span, "'void' is the type of nothing in a system");
    return {base};
  }
  const std::string text = session_.text(written.record);
  if (text == "node") return {Base::Node, kAllNodes};
  if (any && text == "any") return {Base::Any};
  for (const Scope* scope = where.scope; scope != nullptr; scope = scope->outer) {
    if (const auto found = scope->enums.find(written.record); found != scope->enums.end())
      return {Base::Enum, found->second};
    if (const auto found = scope->sorts.find(written.record); found != scope->sorts.end())
      return {Base::Node, found->second};
  }
  if (text == "any") {
    refuse(written.span, "'any' is the type of a message, and of what a 'round' tells",
           "elsewhere a type is named: each would need a copy per type of message");
    return {};
  }
  session_.unknown("type", {written.record, written.span}, {},
                   "a type is 'bool', 'int', 'uint', 'real', 'node', an enumeration or a kind of "
                   "nodes that is declared before");
  return {};
}

ExprId Expressions::coerce(ExprId id, const Type& wanted, const Where& where) {
  const Type found = type(id);
  const Span span = system_.exprs[id].span;
  if (found.base == Base::Error || wanted.base == Base::Error || found == wanted) return id;
  if (found.is_integer() && wanted.base == Base::Real) return make(Op::ToReal, wanted, span, {id});
  if (found.base == Base::Uint && wanted.base == Base::Int) return id;
  if (found.base == Base::Int && wanted.base == Base::Uint && where.may_fail)
    return make(Op::Narrow, wanted, span, {id});
  if (found.base == Base::Node && wanted.base == Base::Node && wanted.which == kAllNodes) return id;
  Diagnostic d{DiagnosticKind::TypeMismatch,
               span,
               {describe(wanted, system_), describe(found, system_)},
               {},
               {}};
  if (found.is_integer() && wanted.base == Base::Node)
    d.help = Help{wanted.which == kAllNodes
                      ? "a node is written with its kind, as in 'general(0)'"
                      : fmt::format("node number 0 of them is '{}(0)'", describe(wanted, system_)),
                  {}};
  if (found.base == Base::Int && wanted.base == Base::Uint)
    d.help = Help{fmt::format("it might be negative, and {} cannot fail", where.what), {}};
  session_.report(std::move(d));
  return error(span);
}

ExprId Expressions::value_of(syntax::ExprId id, const Type& wanted, const Where& where) {
  return coerce(value(id, where), wanted, where);
}

ExprId Expressions::value(syntax::ExprId id, const Where& where) {
  return visit(tree_expr(id, where), where);
}

ExprId Expressions::visit(const syntax::Expr& e, const Where& where) {
  session_.demand();
  if (told_of_size_) return error(e.span);
  const auto none = [&](std::string what, std::string help) {
    return refuse(e.span, std::move(what), std::move(help));
  };
  return std::visit(
      [&](const auto& node) -> ExprId {
        using Node = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<Node, syntax::ErrorExpr>) {
          return error(e.span);
        } else if constexpr (std::is_same_v<Node, syntax::IntegerExpr>) {
          return number(e, node.text, Base::Uint);
        } else if constexpr (std::is_same_v<Node, syntax::RealExpr>) {
          return number(e, node.text, Base::Real);
        } else if constexpr (std::is_same_v<Node, syntax::BoolExpr>) {
          return make(Op::Truth, {Base::Bool}, e.span, {}, node.value ? 1 : 0);
        } else if constexpr (std::is_same_v<Node, syntax::NameExpr>) {
          return name({node.name, e.span}, where);
        } else if constexpr (std::is_same_v<Node, syntax::ModelExpr> ||
                             std::is_same_v<Node, syntax::MemberExpr> ||
                             std::is_same_v<Node, syntax::IndexExpr>) {
          return element(e, where);
        } else if constexpr (std::is_same_v<Node, syntax::ParenExpr>) {
          return value(node.inner, where);
        } else if constexpr (std::is_same_v<Node, syntax::UnaryExpr>) {
          return unary(e, node, where);
        } else if constexpr (std::is_same_v<Node, syntax::BinaryExpr>) {
          return binary(e, node, where);
        } else if constexpr (std::is_same_v<Node, syntax::ChainExpr>) {
          return chain(e, node, where);
        } else if constexpr (std::is_same_v<Node, syntax::CallExpr>) {
          return call(e, node, where);
        } else if constexpr (std::is_same_v<Node, syntax::MemberCallExpr>) {
          return member_call(e, node, where);
        } else if constexpr (std::is_same_v<Node, syntax::IfExpr>) {
          return choice(e, node, where);
        } else if constexpr (std::is_same_v<Node, syntax::QuantExpr>) {
          return quantifier(node.universal ? Op::Forall : Op::Exists, e, node.binders, node.body,
                            where);
        } else if constexpr (std::is_same_v<Node, syntax::CountExpr>) {
          return quantifier(Op::Count, e, {node.binder}, node.body, where);
        } else if constexpr (std::is_same_v<Node, syntax::OldExpr>) {
          return old(e, node, where);
        } else if constexpr (std::is_same_v<Node, syntax::SidedExpr> ||
                             std::is_same_v<Node, syntax::EqExpr> ||
                             std::is_same_v<Node, syntax::EqAllExpr>) {
          return none("a system has one run, so nothing is said of two", "name the variable alone");
        } else if constexpr (std::is_same_v<Node, syntax::PartExpr> ||
                             std::is_same_v<Node, syntax::WidenExpr>) {
          session_.report({DiagnosticKind::WordsNotHere, e.span, {"systems"}, {}, {}});
          return error(e.span);
        } else {
          static_assert(std::is_same_v<Node, syntax::FieldExpr> ||
                        std::is_same_v<Node, syntax::UpdateExpr>);
          return none("systems have no records and no vectors", "");
        }
      },
      e.node);
}

ExprId Expressions::number(const syntax::Expr& e, Name text, Base base) {
  return make(Op::Number, {base}, e.span, {}, 0, session_.text(text));
}

// Names ------------------------------------------------------------------------------------------

const Binding* Expressions::find(Name name, const Where& where) const {
  for (std::size_t i = locals_.size(); i > hidden_; --i)
    if (locals_[i - 1].name == name) return &locals_[i - 1].binding;
  for (const Scope* scope = where.scope; scope != nullptr; scope = scope->outer)
    if (const auto found = scope->values.find(name); found != scope->values.end())
      return &found->second;
  return nullptr;
}

ExprId Expressions::name(const syntax::Ident& ident, const Where& where) {
  const Binding* found = find(ident.name, where);
  if (found != nullptr) return use(*found, ident, {}, where);
  NearestName nearest(session_.names.text(ident.name));
  for (std::size_t i = hidden_; i < locals_.size(); ++i)
    nearest.offer(session_.names.text(locals_[i].name));
  for (const Scope* scope = where.scope; scope != nullptr; scope = scope->outer)
    for (const auto& [name, binding] : scope->values) nearest.offer(session_.names.text(name));
  session_.unknown("variable, constant or value", ident, nearest.best());
  return error(ident.span);
}

const ModelNames* Expressions::model_named(const syntax::Ident& scope, const Where& where) {
  const ModelNames* own = where.scope->of_model;
  if (own != nullptr) {
    const Model& mine = session_.checked.models[own->id];
    if (mine.name == scope.name) return own;
    for (ModelId super : mine.supers)
      if (session_.checked.models[super].name == scope.name) {
        const auto found = models->find(scope.name);
        return found == models->end() ? nullptr : found->second;
      }
    session_.report(DiagnosticKind::NotASuperModel, scope.span,
                    {session_.text(scope.name), session_.text(mine.name)});
    return nullptr;
  }
  refuse(scope.span, fmt::format("'{}' has no parts here", session_.text(scope.name)),
         "in a system the picked model is called 'model'");
  return nullptr;
}

// 'model.x', of a system.
const Binding* Expressions::find_in_model(const syntax::Ident& member, const Where& where) {
  const std::string text = session_.text(member.name);
  if (where.scope->of_model != nullptr) {
    session_.report(Diagnostic{
        DiagnosticKind::ModelStateMisplaced,
        member.span,
        {text, "a model, which speaks of itself"},
        {},
        {}}.helping(fmt::format("write '{}'", text)));
    return nullptr;
  }
  if (model != nullptr) {
    const auto found = model->scope.values.find(member.name);
    if (found != model->scope.values.end() && found->second.kind != Binding::Kind::Round)
      return &found->second;
    session_.report(DiagnosticKind::UnknownModelMember, member.span,
                    {session_.text(session_.checked.models[model->id].name), text});
    return nullptr;
  }
  if (session_.model_is_bad) return nullptr;
  Diagnostic d{DiagnosticKind::NoModelPicked, member.span, {text}, {}, {}};
  d.help =
      Help{without_model ? "without a model there is nothing but 'model.correct', which is true"
                         : "pick one with '--model NAME', or write 'use model NAME;' at the "
                           "top of the file",
           {}};
  session_.report(std::move(d));
  return nullptr;
}

// What 'x', 'model.x' or 'M.x' names; null, and reported: nothing.
const Binding* Expressions::find_base(const syntax::Expr& e, const Where& where,
                                      syntax::Ident& ident) {
  if (const auto* plain = std::get_if<syntax::NameExpr>(&e.node)) {
    ident = {plain->name, e.span};
    const Binding* found = find(plain->name, where);
    if (found == nullptr) (void)name(ident, where);
    return found;
  }
  if (const auto* of_model = std::get_if<syntax::ModelExpr>(&e.node)) {
    ident = of_model->member;
    return find_in_model(ident, where);
  }
  if (const auto* member = std::get_if<syntax::MemberExpr>(&e.node)) {
    ident = member->member;
    const ModelNames* scope = model_named(member->scope, where);
    if (scope == nullptr) return nullptr;
    const auto found = scope->scope.values.find(ident.name);
    if (found != scope->scope.values.end()) return &found->second;
    session_.report(DiagnosticKind::UnknownModelMember, ident.span,
                    {session_.text(member->scope.name), session_.text(ident.name)});
    return nullptr;
  }
  session_.report(DiagnosticKind::NotIndexable, e.span, {"this"});
  return nullptr;
}

// A variable with as many indices as are written.
ExprId Expressions::element(const syntax::Expr& e, const Where& where) {
  std::vector<syntax::ExprId> written;
  const syntax::Expr* base = &e;
  while (const auto* index = std::get_if<syntax::IndexExpr>(&base->node)) {
    written.insert(written.begin(), index->index);
    base = &tree_expr(index->base, where);
  }
  syntax::Ident ident;
  const Binding* found = find_base(*base, where, ident);
  if (found == nullptr) {
    for (syntax::ExprId index : written) (void)value(index, where);
    return error(e.span);
  }
  const Binding binding = *found;
  ident.span = e.span;
  return use(binding, ident, node_indices(binding, e, written, where), where);
}

// Each of the kind that the variable is indexed by. Their number is looked at by who uses them.
std::vector<ExprId> Expressions::node_indices(const Binding& binding, const syntax::Expr& whole,
                                              const std::vector<syntax::ExprId>& written,
                                              const Where& where) {
  std::vector<ExprId> indices;
  const auto wanted = [&](std::size_t i) -> Type {
    if (binding.kind == Binding::Kind::Round) return {Base::Node, kAllNodes};
    if (binding.kind != Binding::Kind::Variable) return {};
    const std::vector<std::uint32_t>& kinds = system_.variables[binding.index].indices;
    return i < kinds.size() ? Type{Base::Node, kinds[i]} : Type{};
  };
  for (std::size_t i = 0; i < written.size(); ++i)
    indices.push_back(value_of(written[i], wanted(i), where));
  const std::size_t dims = binding.kind == Binding::Kind::Round ? 1
                           : binding.kind == Binding::Kind::Variable
                               ? system_.variables[binding.index].indices.size()
                               : 0;
  if (dims == 0 && !written.empty())
    session_.report(DiagnosticKind::NotIndexable, whole.span, {"what is one value"});
  return indices;
}

ExprId Expressions::use(const Binding& binding, const syntax::Ident& ident,
                        std::vector<ExprId> indices, const Where& where) {
  const std::string text = session_.text(ident.name);
  const auto count = [&](std::size_t wanted) {
    if (indices.size() == wanted) return true;
    if (wanted != 0)
      refuse(ident.span,
             fmt::format("'{}' has a value for each of {}, and {} {} named here", text,
                         wanted == 1 ? "its nodes" : fmt::format("{} nodes", wanted),
                         indices.size(), indices.size() == 1 ? "is" : "are"),
             fmt::format("write '{}[p]' with a node p for each", text));
    return false;
  };
  switch (binding.kind) {
    case Binding::Kind::Value:
      if (!count(0)) return error(ident.span);
      return make(Op::Value, binding.type, ident.span, {}, binding.index);
    case Binding::Kind::Slot:
      if (!count(0)) return error(ident.span);
      return make(Op::Slot, binding.type, ident.span, {}, binding.index);
    case Binding::Kind::Round:
      if (!where.rounds)
        return refuse(ident.span,
                      fmt::format("'{}' is what is told in one broadcast: {} cannot name it", text,
                                  where.what));
      if (!count(1)) return error(ident.span);
      return make(Op::Round, binding.type.base == Base::Any ? where.any : binding.type, ident.span,
                  std::move(indices), binding.index);
    case Binding::Kind::Variable: {
      const Variable& variable = system_.variables[binding.index];
      if (!variable.constant && !where.state) {
        session_.report(DiagnosticKind::NotConstant, ident.span,
                        {std::string(where.what), "'" + text + "'"});
        return error(ident.span);
      }
      if (!count(variable.indices.size())) return error(ident.span);
      if (uses != nullptr && !indices.empty())
        uses->push_back({binding.index, indices, ident.span, in_old_});
      return make(Op::Variable, binding.type, ident.span, std::move(indices), binding.index);
    }
  }
  LETO_ASSERT(false);
}

Place Expressions::place(syntax::ExprId id, const Where& where) {
  const syntax::Expr& e = tree_expr(id, where);
  std::vector<syntax::ExprId> written;
  const syntax::Expr* base = &e;
  while (const auto* index = std::get_if<syntax::IndexExpr>(&base->node)) {
    written.insert(written.begin(), index->index);
    base = &tree_expr(index->base, where);
  }
  Place out;
  out.span = e.span;
  const auto refused = [&](std::string what, std::string help) {
    session_.report(
        Diagnostic{DiagnosticKind::NotAssignable, e.span, {std::move(what)}, {}, {}}.helping(
            std::move(help)));
    return out;
  };
  if (std::holds_alternative<syntax::ModelExpr>(base->node))
    return refused("what belongs to the model", "only its messages change it, as they say");
  syntax::Ident ident;
  const Binding* found = find_base(*base, where, ident);
  if (found == nullptr) return out;
  const Binding binding = *found;
  if (binding.kind == Binding::Kind::Value || binding.kind == Binding::Kind::Round)
    return refused("a value", "a variable stands on the left of '='");
  out.indices = node_indices(binding, e, written, where);
  out.index = binding.index;
  out.local = binding.kind == Binding::Kind::Slot;
  if (out.local) {
    if (system_.slots[binding.index].type.base == Base::Node)
      return refused("a bound node", "bind another, or choose it anew");
    out.type = binding.type;
    return out;
  }
  const Variable& variable = system_.variables[binding.index];
  if (variable.of_model)
    return refused("what belongs to the model", "only its messages change it, as they say");
  if (variable.constant) return refused("a constant", "declare it without 'const'");
  if (variable.clock) return refused("the clock", "only 'elapse' moves it");
  if (out.indices.size() != variable.indices.size()) {
    refuse(e.span,
           fmt::format("'{}' has a value for each node: which one is meant?", variable.name),
           fmt::format("write '{}[p]', or a loop 'for (KIND p) {{ }}'", variable.name));
    return out;
  }
  out.type = binding.type;
  return out;
}

// Operators --------------------------------------------------------------------------------------

ExprId Expressions::bad_operands(std::string_view op, ExprId a, ExprId b, Span span) {
  const auto known = [&](ExprId id) { return type(id).base != Base::Error; };
  if (known(a) && known(b))
    session_.report(DiagnosticKind::BadOperands, span,
                    {std::string(op),
                     a == b ? describe(type(a), system_)
                            : describe(type(a), system_) + " and " + describe(type(b), system_)});
  return error(span);
}

ExprId Expressions::unary(const syntax::Expr& e, const syntax::UnaryExpr& node,
                          const Where& where) {
  const ExprId operand = value(node.operand, where);
  if (node.dotted)
    return refuse(e.span, "systems have no relaxed operators",
                  "what a fault model changes in a system is its messages: 'message.(v, p, q)'");
  const Type of = type(operand);
  if (node.op == syntax::UnaryOp::Not) {
    if (of.base != Base::Bool) return bad_operands("!", operand, operand, e.span);
    return make(Op::Not, of, e.span, {operand});
  }
  if (!of.is_numeric()) return bad_operands("-", operand, operand, e.span);
  return make(Op::Neg, of.base == Base::Uint ? Type{Base::Int} : of, e.span, {operand});
}

ExprId Expressions::binary(const syntax::Expr& e, const syntax::BinaryExpr& node,
                           const Where& where) {
  const ExprId lhs = value(node.lhs, where), rhs = value(node.rhs, where);
  if (node.dotted)
    return refuse(e.span, "systems have no relaxed operators",
                  "what a fault model changes in a system is its messages: 'message.(v, p, q)'");
  return combine(node.op, lhs, rhs, e.span, where);
}

ExprId Expressions::combine(syntax::BinaryOp op, ExprId lhs, ExprId rhs, Span span,
                            const Where& where) {
  using B = syntax::BinaryOp;
  if (op == B::And || op == B::Or || op == B::Implies) {
    if (type(lhs).base != Base::Bool || type(rhs).base != Base::Bool)
      return bad_operands(syntax::spelling(op), lhs, rhs, span);
    const Op made = op == B::And ? Op::And : op == B::Or ? Op::Or : Op::Implies;
    return make(made, {Base::Bool}, span, {lhs, rhs});
  }
  if (syntax::is_of_words(op)) {
    session_.report({DiagnosticKind::WordsNotHere, span, {"systems"}, {}, {}});
    return error(span);
  }
  if (syntax::is_comparison(op)) return compare(op, lhs, rhs, span, where);
  return arithmetic(op, lhs, rhs, span, where);
}

ExprId Expressions::compare(syntax::BinaryOp op, ExprId lhs, ExprId rhs, Span span,
                            const Where& where) {
  using B = syntax::BinaryOp;
  const Type a = type(lhs), b = type(rhs);
  const bool equality = op == B::Eq || op == B::Ne;
  if (a.is_numeric() && b.is_numeric()) {
    const Type both = join(a, b);
    if (both.base == Base::Real) {
      lhs = coerce(lhs, both, where);
      rhs = coerce(rhs, both, where);
    }
  } else if (!(equality && (a == b || (a.base == Base::Node && b.base == Base::Node)))) {
    return bad_operands(syntax::spelling(op), lhs, rhs, span);
  }
  if (a.base == Base::Error || b.base == Base::Error) return error(span);
  const Type truth{Base::Bool};
  switch (op) {
    case B::Eq:
      return make(Op::Eq, truth, span, {lhs, rhs});
    case B::Ne:
      return make(Op::Not, truth, span, {make(Op::Eq, truth, span, {lhs, rhs})});
    case B::Lt:
      return make(Op::Lt, truth, span, {lhs, rhs});
    case B::Le:
      return make(Op::Le, truth, span, {lhs, rhs});
    case B::Gt:
      return make(Op::Lt, truth, span, {rhs, lhs});
    case B::Ge:
      return make(Op::Le, truth, span, {rhs, lhs});
    default:
      LETO_ASSERT(false);
  }
}

ExprId Expressions::arithmetic(syntax::BinaryOp op, ExprId lhs, ExprId rhs, Span span,
                               const Where& where) {
  using B = syntax::BinaryOp;
  const Type a = type(lhs), b = type(rhs);
  if (!a.is_numeric() || !b.is_numeric()) return bad_operands(syntax::spelling(op), lhs, rhs, span);
  Type both = join(a, b);
  if (op == B::Mod && !both.is_integer()) return bad_operands(syntax::spelling(op), lhs, rhs, span);
  if (both.base == Base::Real) {
    lhs = coerce(lhs, both, where);
    rhs = coerce(rhs, both, where);
  }
  if (op == B::Sub && both.base == Base::Uint) both = {Base::Int};
  const Op made = op == B::Add   ? Op::Add
                  : op == B::Sub ? Op::Sub
                  : op == B::Mul ? Op::Mul
                  : op == B::Div ? Op::Div
                                 : Op::Mod;
  return make(made, both, span, {lhs, rhs});
}

ExprId Expressions::chain(const syntax::Expr& e, const syntax::ChainExpr& node,
                          const Where& where) {
  std::vector<ExprId> operands;
  for (syntax::ExprId operand : node.operands) operands.push_back(value(operand, where));
  ExprId whole;
  for (std::size_t i = 0; i < node.ops.size(); ++i) {
    const ExprId link = compare(node.ops[i], operands[i], operands[i + 1], e.span, where);
    whole = whole.valid() ? make(Op::And, {Base::Bool}, e.span, {whole, link}) : link;
    if (type(link).base == Base::Error) return link;
  }
  return whole;
}

ExprId Expressions::choice(const syntax::Expr& e, const syntax::IfExpr& node, const Where& where) {
  const ExprId condition = truth(node.condition, where);
  ExprId a = value(node.then_value, where), b = value(node.else_value, where);
  Type both = type(a);
  if (both.is_numeric() && type(b).is_numeric()) {
    both = join(both, type(b));
    if (both.base == Base::Real) {
      a = coerce(a, both, where);
      b = coerce(b, both, where);
    }
  } else if (both.base == Base::Node && type(b).base == Base::Node) {
    if (both.which != type(b).which) both.which = kAllNodes;
  } else if (!(both == type(b))) {
    return bad_operands("if", a, b, e.span);
  }
  return make(Op::Ite, both, e.span, {condition, a, b});
}

// Calls ------------------------------------------------------------------------------------------

ExprId Expressions::call(const syntax::Expr& e, const syntax::CallExpr& node, const Where& where) {
  const std::string text = session_.text(node.callee.name);
  for (const Scope* scope = where.scope; scope != nullptr; scope = scope->outer) {
    if (const auto found = scope->sorts.find(node.callee.name); found != scope->sorts.end())
      return node_of(e, node, found->second, where);
    if (const auto found = scope->properties.find(node.callee.name);
        found != scope->properties.end())
      return apply(found->second, node.callee, node.args, e.span, where);
  }
  if (is_builtin(text) || text == "real") return builtin(e, node, where);
  for (syntax::ExprId arg : node.args) (void)value(arg, where);
  const auto global = session_.globals.find(node.callee.name);
  if (global != session_.globals.end())
    return refuse(node.callee.span,
                  fmt::format("'{}' is {}, which a system cannot call", text,
                              describe(session_.symbol(global->second).kind)),
                  "a 'property' can be used, and says the same of one expression");
  session_.unknown("property or kind of nodes", node.callee, {});
  return error(e.span);
}

ExprId Expressions::builtin(const syntax::Expr& e, const syntax::CallExpr& node,
                            const Where& where) {
  const std::string text = session_.text(node.callee.name);
  const std::size_t wanted = text == "min" || text == "max" ? 2 : 1;
  std::vector<ExprId> args;
  for (syntax::ExprId arg : node.args) args.push_back(value(arg, where));
  if (args.size() != wanted) {
    session_.report(DiagnosticKind::WrongArgumentCount, node.callee.span,
                    {text, fmt::format("{} argument{}", wanted, wanted == 1 ? "" : "s"),
                     std::to_string(args.size())});
    return error(e.span);
  }
  for (ExprId arg : args)
    if (!type(arg).is_numeric()) return bad_operands(text, arg, arg, e.span);
  if (text == "real") return coerce(args[0], {Base::Real}, where);
  if (text == "abs") {
    const Type of = type(args[0]);
    return make(Op::Abs, of.is_integer() ? Type{Base::Uint} : of, e.span, std::move(args));
  }
  const Type both = join(type(args[0]), type(args[1]));
  if (both.base == Base::Real)
    for (ExprId& arg : args) arg = coerce(arg, both, where);
  return make(text == "min" ? Op::Min : Op::Max, both, e.span, std::move(args));
}

// lieutenant(2): there must be such a node.
ExprId Expressions::node_of(const syntax::Expr& e, const syntax::CallExpr& node, std::uint32_t sort,
                            const Where& where) {
  const Sort kind = system_.sorts[sort];
  if (node.args.size() != 1) {
    session_.report(DiagnosticKind::WrongArgumentCount, node.callee.span,
                    {kind.name, "1 argument", std::to_string(node.args.size())});
    return error(e.span);
  }
  const ExprId index = value(node.args[0], where);
  if (type(index).base == Base::Error) return index;
  if (!type(index).is_integer()) return bad_operands(kind.name, index, index, e.span);
  const Expr& written = system_.exprs[index];
  if (written.op == Op::Number) {
    const bool inside = written.text.size() < 6 &&
                        std::stoul(written.text) < static_cast<unsigned long>(kind.count);
    if (!inside)
      return refuse(e.span,
                    fmt::format("there is no node number {} of '{}'", written.text, kind.name),
                    fmt::format("they are numbered from 0 to {}", kind.count - 1));
  } else if (!where.may_fail) {
    return refuse(e.span, fmt::format("the number of a node is written down in {}", where.what),
                  "in a step it can be computed, for there it is a failure if there is none such");
  }
  return make(Op::NodeOf, {Base::Node, sort}, e.span, {index}, sort);
}

// Written out: its parameters have the values of the arguments.
ExprId Expressions::apply(const PropertyRef& property, const syntax::Ident& callee,
                          const std::vector<syntax::ExprId>& args, Span span, const Where& where) {
  const syntax::PropertyItem& item = *property.item;
  if (args.size() != item.params.size()) {
    session_.report(
        DiagnosticKind::WrongArgumentCount, callee.span,
        {session_.text(callee.name),
         fmt::format("{} argument{}", item.params.size(), item.params.size() == 1 ? "" : "s"),
         std::to_string(args.size())});
    return error(span);
  }
  if (expanding_ >= kMostExpanding) {
    session_.report(
        Diagnostic{DiagnosticKind::TooDeep, callee.span, {std::to_string(kMostExpanding)}, {}, {}}
            .helping("properties are written out, so they cannot use themselves"));
    return error(span);
  }
  Where inside = where;
  inside.scope = property.scope;
  inside.tree = property.tree;
  std::vector<ExprId> values;
  std::vector<Type> types;
  for (std::size_t i = 0; i < args.size(); ++i) {
    types.push_back(type_of(item.params[i].type, inside, false));
    values.push_back(value_of(args[i], types[i], where));
  }
  const std::size_t hidden = hidden_, before = mark();
  hidden_ = before;
  ++expanding_;
  std::vector<std::uint32_t> slots;
  for (std::size_t i = 0; i < args.size(); ++i)
    slots.push_back(declare(item.params[i].name, types[i]));
  ExprId body = truth(item.body, inside);
  --expanding_;
  forget(before);
  hidden_ = hidden;
  for (std::size_t i = args.size(); i > 0; --i)
    body = make(Op::Let, {Base::Bool}, span, {values[i - 1], body}, slots[i - 1]);
  return body;
}

ExprId Expressions::member_call(const syntax::Expr& e, const syntax::MemberCallExpr& node,
                                const Where& where) {
  const ModelNames* of = nullptr;
  if (node.scope) {
    of = model_named(*node.scope, where);
    if (of == nullptr) return error(e.span);
  } else if (where.scope->of_model != nullptr) {
    return refuse(e.span, "a model speaks of itself",
                  fmt::format("write '{}(...)'", session_.text(node.member.name)));
  } else {
    of = model;
  }
  if (of != nullptr) {
    const auto found = of->scope.properties.find(node.member.name);
    if (found != of->scope.properties.end())
      return apply(found->second, node.member, node.args, e.span, where);
  }
  // Without faults every node is correct.
  if (session_.text(node.member.name) == "correct" && !node.scope) {
    if (node.args.size() == 1) {
      (void)value_of(node.args[0], {Base::Node, kAllNodes}, where);
      return make(Op::Truth, {Base::Bool}, e.span, {}, 1);
    }
    session_.report(DiagnosticKind::WrongArgumentCount, node.member.span,
                    {"correct", "1 argument", std::to_string(node.args.size())});
    return error(e.span);
  }
  for (syntax::ExprId arg : node.args) (void)value(arg, where);
  if (of == nullptr) {
    (void)find_in_model(node.member, where);
    return error(e.span);
  }
  return refuse(node.member.span, fmt::format("model '{}' has no property '{}'",
                                              session_.text(session_.checked.models[of->id].name),
                                              session_.text(node.member.name)));
}

ExprId Expressions::quantifier(Op op, const syntax::Expr& e,
                               const std::vector<syntax::Binder>& binders, syntax::ExprId body,
                               const Where& where) {
  const std::size_t before = mark();
  const std::vector<std::uint32_t> slots = bind(binders, where);
  ExprId inside = truth(body, where);
  forget(before);
  for (std::uint32_t slot : slots)
    if (system_.slots[slot].type.base == Base::Error) return error(e.span);
  const Type made{op == Op::Count ? Base::Uint : Base::Bool};
  for (std::size_t i = slots.size(); i > 0; --i)
    inside = make(op, made, e.span, {inside}, slots[i - 1]);
  return inside;
}

ExprId Expressions::old(const syntax::Expr& e, const syntax::OldExpr& node, const Where& where) {
  if (!where.old) {
    session_.report(Diagnostic{DiagnosticKind::OldMisplaced, e.span, {}, {}, {}}.helping(
        "in a system 'old(e)' stands in the block of a step, and means what e was when it began"));
    return error(e.span);
  }
  const bool before = in_old_;
  in_old_ = true;
  const ExprId arg = value(node.arg, where);
  in_old_ = before;
  return make(Op::Old, type(arg), e.span, {arg});
}

}  // namespace leto::check::sys
