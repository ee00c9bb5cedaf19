#include "oracle/specs.h"

#include <algorithm>

#include "oracle/ranges.h"

namespace leto::oracle {

Mode mode_of(Side side) {
  return side == Side::Original ? Mode::Original : Mode::Relaxed;
}

const Env* find_in(const Env* env, Name name) {
  while (env && env->name != name) env = env->up;
  return env;
}

Context context_of(const Argument& argument, Mode mode) {
  Context context = argument.context;
  // Where the property chooses a side the argument has none of its own.
  if (mode != Mode::Both) context.mode = mode;
  return context;
}

Specifications::Specifications(const Program& program, const Limits& limits)
    : program_(program), limits_(limits) {}

Verdict Specifications::judge(const Context& context, ExprId claim) {
  no_value_ = false;
  instances_ = 0;
  calls_ = 0;
  made_.clear();
  const bool truth = evaluate(context, claim).truth();
  return {truth && !no_value_, no_value_};
}

const syntax::Expr& Specifications::expr(const Context& context, ExprId id) const {
  return context.tree->exprs[id];
}

Typed Specifications::evaluate(const Context& context, ExprId id) {
  const Expr& whole = expr(context, id);
  return std::visit([&](const auto& node) { return at(context, whole, node); }, whole.node);
}

Typed Specifications::resolve(const Context& context, Name name, Mode mode, Span span) {
  if (const Env* env = find_in(context.env, name)) {
    if (!env->argument) {
      open_seen_ = open_seen_ || env->open;
      return env->bound;
    }
    Typed value = evaluate(context_of(*env->argument, mode), env->argument->expr);
    value.type = env->argument->type;
    return value;
  }
  const View view = place(context, name, mode, span);
  return {view.type, view.value ? *view.value : Value{}};
}

View Specifications::place(const Context& context, Name name, Mode mode, Span span) {
  if (const Env* env = find_in(context.env, name)) {
    if (!env->argument && env->bound.type.shape == Shape::Scalar)
      refuse(span, "a bound variable has no elements");
    if (!env->argument) return {env->bound.type, &env->bound.value};
    return place(context_of(*env->argument, mode), env->argument->expr);
  }
  const std::optional<View> view = context.names->find(name, mode);
  if (!view) refuse(span, "a specification names something unknown");
  if (!view->value) no_value_ = true;
  return *view;
}

View Specifications::place(const Context& context, ExprId id) {
  const Expr& whole = expr(context, id);
  if (const auto* name = std::get_if<syntax::NameExpr>(&whole.node))
    return place(context, name->name, context.mode, whole.span);
  if (const auto* sided = std::get_if<syntax::SidedExpr>(&whole.node))
    return place(context, sided->name, mode_of(sided->side), whole.span);
  if (const auto* paren = std::get_if<syntax::ParenExpr>(&whole.node))
    return place(context, paren->inner);
  if (const auto* old = std::get_if<syntax::OldExpr>(&whole.node)) {
    Context then = context;
    then.names = context.names->before();
    if (then.names) return place(then, old->arg);
  }
  const bool part = std::holds_alternative<syntax::MemberExpr>(whole.node) ||
                    std::holds_alternative<syntax::FieldExpr>(whole.node);
  if (part || std::holds_alternative<syntax::UpdateExpr>(whole.node)) {
    made_.push_back(evaluate(context, id));
    return {made_.back().type, &made_.back().value};
  }
  if (const auto* index = std::get_if<syntax::IndexExpr>(&whole.node)) {
    Context then = context;
    then.names = snapshot(context, index->base);
    if (then.names) return place(then, index->index);
  }
  refuse(whole.span, "only variables have elements");
}

const Names* Specifications::snapshot(const Context& context, ExprId base) const {
  const Expr& whole = expr(context, base);
  if (const auto* name = std::get_if<syntax::NameExpr>(&whole.node)) {
    if (find_in(context.env, name->name)) return nullptr;
    if (context.names->find(name->name, context.mode)) return nullptr;
    return context.names->snapshot(name->name, false);
  }
  const auto* member = std::get_if<syntax::MemberExpr>(&whole.node);
  if (!member || program_.text(member->member.name) != "entry") return nullptr;
  return context.names->snapshot(member->scope.name, true);
}

// v[i] or A[i][j].
Typed Specifications::element(const Context& context, const Expr& whole) {
  std::vector<Number> indices;
  ExprId base;
  const Expr* here = &whole;
  const auto* index = std::get_if<syntax::IndexExpr>(&here->node);
  while (index && !snapshot(context, index->base)) {
    indices.push_back(evaluate(context, index->index).value.scalar);
    base = index->base;
    here = &expr(context, base);
    index = std::get_if<syntax::IndexExpr>(&here->node);
  }
  std::reverse(indices.begin(), indices.end());
  const View view = place(context, base);
  if (view.type.record != nullptr)
    return record_at(view.type, view.value ? *view.value : Value{}, indices.at(0));
  if (!view.value) return number(view.type.scalar, 0);
  if (view.value->sizes.size() != indices.size()) return row(view, indices[0]);
  const std::optional<std::size_t> position = offset(*view.value, indices);
  return number(view.type.scalar, position ? view.value->elements[*position] : Number(0));
}

// Of a matrix; zeros where there is none.
Typed Specifications::row(const View& matrix, const Number& index) {
  const std::int64_t width = matrix.value->sizes[1];
  Typed out{{matrix.type.scalar, Shape::Vector}, zero({width})};
  for (std::int64_t k = 0; k < width; ++k)
    if (const auto at = offset(*matrix.value, {index, Number(static_cast<long>(k))}))
      out.value.elements[static_cast<std::size_t>(k)] = matrix.value->elements[*at];
  return out;
}

Typed Specifications::call_builtin(const Context& context, const syntax::CallExpr& call,
                                   std::string_view name, Span span) {
  if (call.args.size() != (name == "abs" ? 1u : 2u)) refuse(span, "a wrong number of arguments");
  const Typed a = evaluate(context, call.args[0]);
  if (name == "abs")
    return number(is_integer(a.type.scalar) ? Scalar::Uint : Scalar::Real, abs(a.value.scalar));
  const Typed b = evaluate(context, call.args[1]);
  const Scalar type = wider(a.type.scalar, b.type.scalar);
  const bool first = (a.value.scalar < b.value.scalar) == (name == "min");
  return number(type, first ? a.value.scalar : b.value.scalar);
}

// By the book: the arguments are values, and the body is evaluated with them.
Typed Specifications::call_definition(const Context& context, const syntax::CallExpr& call,
                                      const Program::Definition& definition, Span span) {
  const std::vector<syntax::Param>& params = definition.item->params;
  if (params.size() != call.args.size()) refuse(span, "a wrong number of arguments");
  const Scalar result = type_of(definition.item->type).scalar;
  std::vector<Env> env(params.size());
  for (std::size_t k = 0; k < params.size(); ++k) {
    Typed value = evaluate(context, call.args[k]);
    value.type = program_.type_of(params[k].type);
    if (looking_ == 0 && value.type.shape == Shape::Scalar && !in_domain(value))
      throw Stop{End::Undecidable, span, "a definition outside of its domain"};
    env[k] = {k > 0 ? &env[k - 1] : nullptr, params[k].name.name, nullptr, std::move(value), false};
  }
  if (looking_ > 0) return number(result, 0);
  constexpr int most = 1000;
  if (calls_ >= most) throw Stop{End::Undecidable, span, "a definition that may not end"};
  ++calls_;
  const Context inside{definition.tree, context.names->outside(), context.mode,
                       env.empty() ? nullptr : &env.back()};
  Typed value = evaluate(inside, definition.item->body);
  --calls_;
  return number(result, value.value.scalar);
}

Typed Specifications::call_pure(const Context& context, const syntax::CallExpr& call,
                                const Program::Function& function, Span span) {
  const std::vector<syntax::Param>& params = function.item->params;
  if (params.size() != call.args.size()) refuse(span, "a wrong number of arguments");
  std::vector<Typed> args;
  for (std::size_t k = 0; k < params.size(); ++k) {
    Typed value = evaluate(context, call.args[k]);
    value.type = program_.type_of(params[k].type);
    if (looking_ == 0 && value.type.shape == Shape::Scalar && !in_domain(value))
      throw Stop{End::Undecidable, span, "a function outside of its domain"};
    args.push_back(std::move(value));
  }
  if (looking_ > 0) return number(type_of(function.item->type).scalar, 0);
  return run_pure(function, args, span);
}

Typed Specifications::at(const Context&, const Expr& whole, const syntax::ErrorExpr&) {
  refuse(whole.span, "it does not parse");
}

Typed Specifications::at(const Context&, const Expr& whole, const syntax::IntegerExpr& node) {
  return number(Scalar::Uint, program_.literal(node.text, whole.span));
}

Typed Specifications::at(const Context&, const Expr& whole, const syntax::RealExpr& node) {
  return number(Scalar::Real, program_.literal(node.text, whole.span));
}

Typed Specifications::at(const Context&, const Expr&, const syntax::BoolExpr& node) {
  return boolean(node.value);
}

Typed Specifications::at(const Context& context, const Expr& whole, const syntax::NameExpr& node) {
  return resolve(context, node.name, context.mode, whole.span);
}

Typed Specifications::at(const Context& context, const Expr& whole, const syntax::SidedExpr& node) {
  return resolve(context, node.name, mode_of(node.side), whole.span);
}

Typed Specifications::at(const Context& context, const Expr&, const syntax::ModelExpr& node) {
  return context.names->model_member(node.member, context.mode);
}

// s.x, result.q
Typed Specifications::at(const Context& context, const Expr&, const syntax::MemberExpr& node) {
  if (const auto part = field_of_variable(context, node.scope.name, node.member.name, context.mode))
    return *part;
  return context.names->qualified(node, context.mode);
}

// s<o>.x, result<o>.q, v[i].x
Typed Specifications::at(const Context& context, const Expr& whole, const syntax::FieldExpr& node) {
  if (const auto* base = std::get_if<syntax::SidedExpr>(&expr(context, node.base).node)) {
    const Mode mode = mode_of(base->side);
    if (const auto part = field_of_variable(context, base->name, node.field.name, mode))
      return *part;
    return context.names->qualified({{base->name, whole.span}, node.field}, mode);
  }
  const Typed record = evaluate(context, node.base);
  if (record.type.record == nullptr) refuse(whole.span, "a part of what has none");
  return part_of(record, node.field.name);
}

// Nothing: the name is none of a record.
std::optional<Typed> Specifications::field_of_variable(const Context& context, Name name,
                                                       Name field, Mode mode) {
  if (context.names->outside() == nullptr) return std::nullopt;
  if (find_in(context.env, name)) {
    const Typed record = resolve(context, name, mode, {});
    if (record.type.record == nullptr) return std::nullopt;
    return part_of(record, field);
  }
  const std::optional<View> view = context.names->find(name, mode);
  if (!view || view->type.record == nullptr) return std::nullopt;
  if (!view->value) no_value_ = true;
  return part_of({view->type, view->value ? *view->value : Value{}}, field);
}

Typed Specifications::at(const Context& context, const Expr& whole, const syntax::IndexExpr& node) {
  Context then = context;
  then.names = snapshot(context, node.base);
  if (then.names) return evaluate(then, node.index);
  return element(context, whole);
}

Typed Specifications::at(const Context&, const Expr& whole, const syntax::PartExpr&) {
  refuse(whole.span, "a word");
}

Typed Specifications::at(const Context&, const Expr& whole, const syntax::WidenExpr&) {
  refuse(whole.span, "a word");
}

Typed Specifications::at(const Context& context, const Expr&, const syntax::UpdateExpr& node) {
  Typed vector = evaluate(context, node.base);
  const Number index = evaluate(context, node.index).value.scalar;
  const Value changed = evaluate(context, node.value).value;
  if (vector.value.sizes.empty()) return vector;  // a variable without a value
  const auto at = offset(vector.value, {index});
  if (at && vector.type.record == nullptr) vector.value.elements[*at] = changed.scalar;
  for (std::size_t k = 0; at && k < vector.value.fields.size(); ++k)
    vector.value.fields[k].elements[*at] = changed.fields.at(k).scalar;
  return vector;
}

Typed Specifications::at(const Context& context, const Expr&, const syntax::ParenExpr& node) {
  return evaluate(context, node.inner);
}

Typed Specifications::at(const Context& context, const Expr& whole, const syntax::UnaryExpr& node) {
  if (node.dotted) refuse(whole.span, "a relaxed operation in a specification");
  const Typed operand = evaluate(context, node.operand);
  return number(outcome_type(node.op, operand.type.scalar), operate(node.op, operand.value.scalar));
}

Typed Specifications::at(const Context& context, const Expr& whole,
                         const syntax::BinaryExpr& node) {
  if (node.dotted) refuse(whole.span, "a relaxed operation in a specification");
  const Typed a = evaluate(context, node.lhs);
  const bool stops =
      node.op == BinaryOp::And || node.op == BinaryOp::Or || node.op == BinaryOp::Implies;
  // Where the first leaves nothing open the second is not read.
  if (stops && looking_ == 0 && a.truth() == (node.op == BinaryOp::Or))
    return boolean(node.op != BinaryOp::And);
  const Typed b = evaluate(context, node.rhs);
  if (a.type.shape != Shape::Scalar || a.type.record != nullptr)
    return boolean((a.value == b.value) == (node.op == BinaryOp::Eq));
  const Scalar type = wider(a.type.scalar, b.type.scalar);
  return number(outcome_type(node.op, type),
                operate(node.op, type, a.value.scalar, b.value.scalar));
}

Typed Specifications::at(const Context& context, const Expr&, const syntax::ChainExpr& node) {
  bool truth = true;
  Typed left = evaluate(context, node.operands[0]);
  for (std::size_t k = 0; k < node.ops.size() && (truth || looking_ > 0); ++k) {
    Typed right = evaluate(context, node.operands[k + 1]);
    if (left.type.shape != Shape::Scalar || left.type.record != nullptr) {
      truth = truth && left.value == right.value;
    } else {
      const Scalar type = wider(left.type.scalar, right.type.scalar);
      truth = truth && operate(node.ops[k], type, left.value.scalar, right.value.scalar) != 0;
    }
    left = std::move(right);
  }
  return boolean(truth);
}

Typed Specifications::at(const Context& context, const Expr& whole, const syntax::CallExpr& node) {
  const std::string_view name = program_.text(node.callee.name);
  if (name == "abs" || name == "min" || name == "max")
    return call_builtin(context, node, name, whole.span);
  if (context.names->outside() == nullptr)  // in a model
    if (const std::optional<Typed> found =
            call_function(context, nullptr, node.callee.name, node.args))
      return *found;
  if (const Program::Definition* definition = program_.definition(node.callee.name))
    return call_definition(context, node, *definition, whole.span);
  if (const Program::Function* function = program_.function(node.callee.name);
      function && function->item->pure)
    return call_pure(context, node, *function, whole.span);
  if (name == "uint" || name == "real" || (name == "floor" && !program_.property(node.callee.name)))
    return convert(context, node, name, whole.span);
  return with_property(context, node, whole.span,
                       [&](const Context& inside, ExprId body) { return evaluate(inside, body); });
}

// Of what is negative uint(i) is 0.
Typed Specifications::convert(const Context& context, const syntax::CallExpr& call,
                              std::string_view name, Span span) {
  if (call.args.size() != 1) refuse(span, "a wrong number of arguments");
  const Number x = evaluate(context, call.args[0]).value.scalar;
  if (name == "real") return number(Scalar::Real, x);
  if (name == "floor") return number(Scalar::Int, round_down(x));
  return number(Scalar::Uint, x < 0 ? Number(0) : x);
}

std::optional<Typed> Specifications::call_function(const Context& context,
                                                   const syntax::Ident* scope, Name name,
                                                   const std::vector<ExprId>& args) {
  std::vector<Typed> values;
  for (ExprId arg : args) values.push_back(evaluate(context, arg));
  if (looking_ > 0)  // only names are of interest
    for (Typed& value : values) value.value = scalar(0);
  return context.names->function(scope, name, values, *this);
}

Typed Specifications::at(const Context& context, const Expr& whole,
                         const syntax::MemberCallExpr& node) {
  const std::optional<Typed> found =
      call_function(context, node.scope ? &*node.scope : nullptr, node.member.name, node.args);
  if (!found) refuse(whole.span, "the model has no such function");
  return *found;
}

Typed Specifications::at(const Context& context, const Expr&, const syntax::EqExpr& node) {
  Context side = context;
  side.mode = Mode::Original;
  const Typed original = evaluate(side, node.arg);
  side.mode = Mode::Relaxed;
  return boolean(original.value == evaluate(side, node.arg).value);
}

Typed Specifications::at(const Context& context, const Expr& whole, const syntax::EqAllExpr&) {
  bool truth = true;
  for (Name name : context.names->parameters()) {
    const Typed original = resolve(context, name, Mode::Original, whole.span);
    const Typed relaxed = resolve(context, name, Mode::Relaxed, whole.span);
    truth = truth && original.value == relaxed.value;
  }
  return boolean(truth);
}

Typed Specifications::at(const Context& context, const Expr& whole, const syntax::OldExpr& node) {
  Context then = context;
  then.names = context.names->before();
  if (!then.names) refuse(whole.span, "'old' has no meaning here");
  return evaluate(then, node.arg);
}

Typed Specifications::at(const Context& context, const Expr&, const syntax::IfExpr& node) {
  const bool first = evaluate(context, node.condition).truth();
  // Only the one that is chosen is read, but its type is that of both.
  const bool lacked = no_value_;
  ++looking_;
  const Typed other = evaluate(context, first ? node.else_value : node.then_value);
  --looking_;
  if (looking_ == 0) no_value_ = lacked;
  Typed chosen = evaluate(context, first ? node.then_value : node.else_value);
  chosen.type.scalar = wider(chosen.type.scalar, other.type.scalar);
  return chosen;
}

Typed Specifications::at(const Context&, const Expr& whole, const syntax::CountExpr&) {
  refuse(whole.span, "nodes outside of a system");
}

Typed Specifications::at(const Context& context, const Expr& whole, const syntax::QuantExpr& node) {
  // All names in the body count as read, so look at it once.
  std::vector<Env> env(node.binders.size());
  for (std::size_t k = 0; k < env.size(); ++k)
    env[k] = {k > 0 ? &env[k - 1] : context.env, node.binders[k].name.name, nullptr,
              number(node.binders[k].type.scalar, 0), false};
  Context inside = context;
  inside.env = &env.back();
  ++looking_;
  (void)evaluate(inside, node.body);
  --looking_;
  if (looking_ > 0) return boolean(false);
  return boolean(Ranges(*this).decide(context, node, whole.span));
}

}  // namespace leto::oracle
