#include "oracle/ranges.h"

namespace leto::oracle {

namespace {

template <class T, class... Ts>
concept one_of = (std::is_same_v<T, Ts> || ...);

Number round_down(const Number& value) {
  mpz_class whole;
  mpz_fdiv_q(whole.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return whole;
}

Number round_up(const Number& value) {
  return -round_down(-value);
}

BinaryOp negate(BinaryOp comparison) {
  switch (comparison) {
    case BinaryOp::Eq:
      return BinaryOp::Ne;
    case BinaryOp::Ne:
      return BinaryOp::Eq;
    case BinaryOp::Lt:
      return BinaryOp::Ge;
    case BinaryOp::Le:
      return BinaryOp::Gt;
    case BinaryOp::Gt:
      return BinaryOp::Le;
    case BinaryOp::Ge:
      return BinaryOp::Lt;
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Mod:
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Implies:
      break;
  }
  LETO_ASSERT(false);
}

// The comparison with its sides changed.
BinaryOp mirror(BinaryOp op) {
  if (op == BinaryOp::Lt) return BinaryOp::Gt;
  if (op == BinaryOp::Le) return BinaryOp::Ge;
  if (op == BinaryOp::Gt) return BinaryOp::Lt;
  if (op == BinaryOp::Ge) return BinaryOp::Le;
  return op;
}

template <class Range>
Range meet(Range a, const Range& b) {
  a.none = a.none || b.none;
  if (b.low && (!a.low || *a.low < *b.low)) a.low = b.low;
  if (b.high && (!a.high || *b.high < *a.high)) a.high = b.high;
  a.none = a.none || (a.low && a.high && *a.high < *a.low);
  return a;
}

template <class Range>
Range join(Range a, const Range& b) {
  if (a.none) return b;
  if (b.none) return a;
  if (!b.low || (a.low && *b.low < *a.low)) a.low = b.low;
  if (!b.high || (a.high && *a.high < *b.high)) a.high = b.high;
  return a;
}

}  // namespace

bool Ranges::decide(const Context& context, const syntax::QuantExpr& node, Span span) {
  // Quantifiers of one kind that stand right inside each other are one.
  std::vector<syntax::Binder> binders = node.binders;
  ExprId body = node.body;
  while (true) {
    const auto& inner = specs_.expr(context, body).node;
    if (const auto* paren = std::get_if<syntax::ParenExpr>(&inner)) {
      body = paren->inner;
      continue;
    }
    const auto* quant = std::get_if<syntax::QuantExpr>(&inner);
    if (!quant || quant->universal != node.universal) break;
    binders.insert(binders.end(), quant->binders.begin(), quant->binders.end());
    body = quant->body;
  }
  env_.resize(binders.size());
  for (std::size_t k = 0; k < env_.size(); ++k)
    env_[k] = {k > 0 ? &env_[k - 1] : context.env, binders[k].name.name, nullptr,
               number(binders[k].type.scalar, 0), true};
  Context inside = context;
  inside.env = &env_.back();
  return search(inside, body, !node.universal, span) != node.universal;
}

bool Ranges::search(const Context& context, ExprId body, bool wanted, Span span) {
  bool open = false;
  for (Env& variable : env_) {
    if (!variable.open) continue;
    open = true;
    const Range range = range_of(context, body, wanted, variable);
    const bool finite = range.low && range.high;
    const bool real = variable.bound.type.scalar == Scalar::Real;
    if (range.none) return false;
    if (finite && (!real || *range.low == *range.high))
      return try_all(context, body, wanted, span, variable, range);
  }
  if (open) throw Stop{End::Undecidable, span, "no finite range for the variables of a quantifier"};
  return specs_.evaluate(context, body).truth() == wanted;
}

bool Ranges::try_all(const Context& context, ExprId body, bool wanted, Span span, Env& variable,
                     const Range& range) {
  variable.open = false;
  bool found = false;
  for (Number value = *range.low; value <= *range.high && !found; value += 1) {
    count(span);
    variable.bound.value.scalar = value;
    found = search(context, body, wanted, span);
  }
  variable.open = true;
  variable.bound.value.scalar = 0;
  return found;
}

void Ranges::count(Span span) {
  if (++specs_.instances_ > specs_.limits_.instances)
    throw Stop{End::Undecidable, span, "a quantifier has too many instances"};
}

Ranges::Range Ranges::range_of(const Context& context, ExprId body, bool wanted,
                               const Env& variable) {
  variable_ = &variable;
  Range own;
  const Scalar type = variable.bound.type.scalar;
  if (type == Scalar::Bool) return {Number(0), Number(1), false};
  if (type == Scalar::Uint) own.low = 0;
  return meet(bound(context, body, wanted), own);
}

// One overload for each kind of expression: what it says about the variable.
struct Ranges::Bound {
  Ranges& ranges;
  const Context& context;
  bool wanted;

  Range operator()(const syntax::ParenExpr& node) const {
    return ranges.bound(context, node.inner, wanted);
  }
  Range operator()(const syntax::UnaryExpr& node) const {
    if (node.op != UnaryOp::Not) return {};
    return ranges.bound(context, node.operand, !wanted);
  }
  Range operator()(const syntax::BinaryExpr& node) const {
    if (syntax::is_comparison(node.op))
      return ranges.bound_comparison(context, node.lhs, node.op, node.rhs, wanted);
    if (!is_logical(node.op)) return {};
    const bool left_wanted = node.op == BinaryOp::Implies ? !wanted : wanted;
    const Range left = ranges.bound(context, node.lhs, left_wanted);
    const Range right = ranges.bound(context, node.rhs, wanted);
    return wanted == (node.op == BinaryOp::And) ? meet(left, right) : join(left, right);
  }
  Range operator()(const syntax::ChainExpr& node) const {
    Range range;
    for (std::size_t k = 0; k < node.ops.size(); ++k) {
      const Range one = ranges.bound_comparison(context, node.operands[k], node.ops[k],
                                                node.operands[k + 1], wanted);
      range = k == 0 ? one : wanted ? meet(range, one) : join(range, one);
    }
    return range;
  }
  Range operator()(const syntax::CallExpr& node) const {
    if (ranges.specs_.program_.definition(node.callee.name) != nullptr) return {};
    return ranges.specs_.with_property(
        context, node, node.callee.span,
        [&](const Context& inside, ExprId body) { return ranges.bound(inside, body, wanted); });
  }
  Range operator()(const syntax::NameExpr& node) const {
    return ranges.bound_name(context, node.name, context.mode, wanted);
  }
  Range operator()(const syntax::SidedExpr& node) const {
    return ranges.bound_name(context, node.name, mode_of(node.side), wanted);
  }
  // They say nothing that helps.
  template <class Node>
  requires one_of<Node, syntax::ErrorExpr, syntax::IntegerExpr, syntax::RealExpr, syntax::BoolExpr,
                  syntax::ModelExpr, syntax::MemberExpr, syntax::FieldExpr, syntax::IndexExpr,
                  syntax::UpdateExpr, syntax::EqExpr, syntax::EqAllExpr, syntax::OldExpr,
                  syntax::IfExpr, syntax::QuantExpr>
      Range operator()(const Node&) const {
    return {};
  }
};

Ranges::Range Ranges::bound(const Context& context, ExprId id, bool wanted) {
  return std::visit(Bound{*this, context, wanted}, specs_.expr(context, id).node);
}

Ranges::Range Ranges::bound_name(const Context& context, Name name, Mode mode, bool wanted) {
  const Env* env = find_in(context.env, name);
  if (!env || !env->argument) return {};
  return bound(context_of(*env->argument, mode), env->argument->expr, wanted);
}

Ranges::Range Ranges::bound_comparison(const Context& context, ExprId lhs, BinaryOp op, ExprId rhs,
                                       bool wanted) {
  const std::optional<Linear> left = linear(context, lhs), right = linear(context, rhs);
  if (!left || !right) return {};
  const Number scale = left->scale - right->scale, shift = right->shift - left->shift;
  if (!wanted) op = negate(op);
  if (scale == 0) {
    const bool always = operate(op, Scalar::Real, 0, shift) != 0;
    return {std::nullopt, std::nullopt, !always};
  }
  // Now it says: x op limit.
  if (scale < 0) op = mirror(op);
  const Number limit = shift / scale;
  const bool whole = variable_->bound.type.scalar != Scalar::Real;
  const Number down = whole ? round_down(limit) : limit, up = whole ? round_up(limit) : limit;
  Range range;
  if (op == BinaryOp::Eq || op == BinaryOp::Le) range.high = down;
  if (op == BinaryOp::Eq || op == BinaryOp::Ge) range.low = up;
  if (op == BinaryOp::Lt) range.high = whole ? Number(up - 1) : limit;
  if (op == BinaryOp::Gt) range.low = whole ? Number(down + 1) : limit;
  return meet(range, {});
}

// One overload for each kind of expression: its value as a function of the variable.
struct Ranges::Shaped {
  Ranges& ranges;
  const Context& context;
  using Result = std::optional<Linear>;

  Result operator()(const syntax::NameExpr& node) const {
    return ranges.linear_name(context, node.name, context.mode);
  }
  Result operator()(const syntax::SidedExpr& node) const {
    return ranges.linear_name(context, node.name, mode_of(node.side));
  }
  Result operator()(const syntax::ParenExpr& node) const {
    return ranges.linear(context, node.inner);
  }
  Result operator()(const syntax::UnaryExpr& node) const {
    const Result operand = ranges.linear(context, node.operand);
    if (!operand || node.op != UnaryOp::Negate) return {};
    return Linear{-operand->scale, -operand->shift};
  }
  Result operator()(const syntax::BinaryExpr& node) const {
    const Result a = ranges.linear(context, node.lhs), b = ranges.linear(context, node.rhs);
    if (!a || !b) return {};
    if (node.op == BinaryOp::Add) return Linear{a->scale + b->scale, a->shift + b->shift};
    if (node.op == BinaryOp::Sub) return Linear{a->scale - b->scale, a->shift - b->shift};
    if (node.op != BinaryOp::Mul || (a->scale != 0 && b->scale != 0)) return {};
    return Linear{a->scale * b->shift + b->scale * a->shift, a->shift * b->shift};
  }
  template <class Node>
  requires one_of<Node, syntax::ErrorExpr, syntax::IntegerExpr, syntax::RealExpr, syntax::BoolExpr,
                  syntax::ModelExpr, syntax::MemberExpr, syntax::FieldExpr, syntax::IndexExpr,
                  syntax::UpdateExpr, syntax::ChainExpr, syntax::CallExpr, syntax::EqExpr,
                  syntax::EqAllExpr, syntax::OldExpr, syntax::IfExpr, syntax::QuantExpr>
      Result operator()(const Node&) const {
    return {};
  }
};

std::optional<Ranges::Linear> Ranges::linear(const Context& context, ExprId id) {
  if (mentions_open(context, id))
    return std::visit(Shaped{*this, context}, specs_.expr(context, id).node);
  const Typed value = specs_.evaluate(context, id);
  if (value.type.shape != Shape::Scalar || value.type.scalar == Scalar::Bool) return {};
  return Linear{0, value.value.scalar};
}

std::optional<Ranges::Linear> Ranges::linear_name(const Context& context, Name name, Mode mode) {
  const Env* env = find_in(context.env, name);
  if (env == variable_) return Linear{1, 0};
  if (!env || !env->argument) return {};
  return linear(context_of(*env->argument, mode), env->argument->expr);
}

bool Ranges::mentions_open(const Context& context, ExprId id) {
  specs_.open_seen_ = false;
  ++specs_.looking_;
  (void)specs_.evaluate(context, id);
  --specs_.looking_;
  return specs_.open_seen_;
}

}  // namespace leto::oracle
