// Types and meanings of expressions in systems and in models of messages.
#pragma once

#include <utility>

#include "check/system_names.h"

namespace leto::check::sys {

class Expressions {
 public:
  Expressions(Session& session, System& system) : session_(session), system_(system) {}

  // Names that are seen from here on, until as many as there were are left.
  [[nodiscard]] std::size_t mark() const { return locals_.size(); }
  void forget(std::size_t mark) { locals_.resize(mark); }
  // Until then a text sees no local names but its own. Gives back what to say afterwards.
  [[nodiscard]] std::size_t hide() { return std::exchange(hidden_, locals_.size()); }
  void show(std::size_t hidden) { hidden_ = hidden; }
  std::uint32_t declare(const syntax::Ident& name, const Type& type);
  // Bound variables, over nodes.
  std::vector<std::uint32_t> bind(const std::vector<syntax::Binder>& binders, const Where& where);

  [[nodiscard]] ExprId value(syntax::ExprId id, const Where& where);
  // The same as a value of a type; complains if it is none.
  [[nodiscard]] ExprId value_of(syntax::ExprId id, const Type& wanted, const Where& where);
  [[nodiscard]] ExprId truth(syntax::ExprId id, const Where& where) {
    return value_of(id, {Base::Bool}, where);
  }
  // What can be assigned: no constant, nothing of the model.
  [[nodiscard]] Place place(syntax::ExprId id, const Where& where);
  [[nodiscard]] Type type_of(const syntax::TypeSyntax& written, const Where& where, bool any);
  [[nodiscard]] ExprId coerce(ExprId id, const Type& wanted, const Where& where);
  [[nodiscard]] ExprId make(Op op, const Type& type, Span span, std::vector<ExprId> args,
                            std::uint32_t index = 0, std::string text = {});

  [[nodiscard]] ExprId combine(syntax::BinaryOp op, ExprId lhs, ExprId rhs, Span span,
                               const Where& where);

  // The picked model: null: none is, or the system is under none.
  const ModelNames* model = nullptr;
  bool without_model = false;  // on purpose
  // By their names, for 'M.x' in models.
  const std::unordered_map<Name, ModelNames*>* models = nullptr;

  // Indexed variables that are read, and where, while this is wanted.
  struct Use {
    std::uint32_t variable;
    std::vector<ExprId> indices;
    Span span;
    bool old;
    bool meant = false;  // the new value is what is meant
  };
  std::vector<Use>* uses = nullptr;

 private:
  ExprId visit(const syntax::Expr& e, const Where& where);
  ExprId number(const syntax::Expr& e, Name text, Base base);
  ExprId name(const syntax::Ident& ident, const Where& where);
  ExprId use(const Binding& binding, const syntax::Ident& ident, std::vector<ExprId> indices,
             const Where& where);
  [[nodiscard]] const Binding* find(Name name, const Where& where) const;
  [[nodiscard]] const Binding* find_base(const syntax::Expr& e, const Where& where,
                                         syntax::Ident& ident);
  [[nodiscard]] const Binding* find_in_model(const syntax::Ident& member, const Where& where);
  [[nodiscard]] const ModelNames* model_named(const syntax::Ident& scope, const Where& where);
  ExprId element(const syntax::Expr& e, const Where& where);
  std::vector<ExprId> node_indices(const Binding& binding, const syntax::Expr& whole,
                                   const std::vector<syntax::ExprId>& written, const Where& where);
  ExprId unary(const syntax::Expr& e, const syntax::UnaryExpr& node, const Where& where);
  ExprId binary(const syntax::Expr& e, const syntax::BinaryExpr& node, const Where& where);
  ExprId compare(syntax::BinaryOp op, ExprId lhs, ExprId rhs, Span span, const Where& where);
  ExprId arithmetic(syntax::BinaryOp op, ExprId lhs, ExprId rhs, Span span, const Where& where);
  ExprId chain(const syntax::Expr& e, const syntax::ChainExpr& node, const Where& where);
  ExprId call(const syntax::Expr& e, const syntax::CallExpr& node, const Where& where);
  ExprId builtin(const syntax::Expr& e, const syntax::CallExpr& node, const Where& where);
  ExprId node_of(const syntax::Expr& e, const syntax::CallExpr& node, std::uint32_t sort,
                 const Where& where);
  ExprId apply(const PropertyRef& property, const syntax::Ident& callee,
               const std::vector<syntax::ExprId>& args, Span span, const Where& where);
  ExprId member_call(const syntax::Expr& e, const syntax::MemberCallExpr& node, const Where& where);
  ExprId choice(const syntax::Expr& e, const syntax::IfExpr& node, const Where& where);
  ExprId quantifier(Op op, const syntax::Expr& e, const std::vector<syntax::Binder>& binders,
                    syntax::ExprId body, const Where& where);
  ExprId old(const syntax::Expr& e, const syntax::OldExpr& node, const Where& where);
  ExprId error(Span span) { return make(Op::Error, {}, span, {}); }
  ExprId refuse(Span span, std::string what, std::string help = {});
  ExprId bad_operands(std::string_view op, ExprId a, ExprId b, Span span);
  [[nodiscard]] const Type& type(ExprId id) const { return system_.exprs[id].type; }
  [[nodiscard]] const syntax::Expr& tree_expr(syntax::ExprId id, const Where& where) const {
    return session_.tree(where.tree).exprs[id];
  }

  Session& session_;
  System& system_;
  struct Local {
    Name name;
    Binding binding;
  };
  std::vector<Local> locals_;
  std::size_t hidden_ = 0;  // locals before it belong to who uses the property at hand
  int expanding_ = 0;       // properties in properties
  bool in_old_ = false;
  bool told_of_size_ = false;
};

}  // namespace leto::check::sys
