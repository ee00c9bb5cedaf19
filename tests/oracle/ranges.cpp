#include "oracle/ranges.h"

namespace leto::oracle {

namespace {

template <class T, class... Ts>
concept one_of = (std::is_same_v<T, Ts> || ...);

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
    case BinaryOp::BitAnd:
    case BinaryOp::BitOr:
    case BinaryOp::BitXor:
    case BinaryOp::ShiftLeft:
    case BinaryOp::ShiftRight:
    case BinaryOp::Join:
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

template <class Range>
Range sum(const Range& a, const Range& b) {
  Range out;
  if (a.low && b.low) out.low = *a.low + *b.low;
  if (a.high && b.high) out.high = *a.high + *b.high;
  return out;
}

template <class Range>
Range times(Range a, const Number& factor) {
  if (factor == 0) return {Number(0), Number(0), false};
  if (a.low) *a.low *= factor;
  if (a.high) *a.high *= factor;
  if (factor < 0) std::swap(a.low, a.high);
  return a;
}

// Whether zero can compare like this with no number of the range.
template <class Range>
bool never(BinaryOp op, const Range& range) {
  const auto below = [](const Range& r, bool zero_too) {
    return r.high && (*r.high < 0 || (zero_too && *r.high == 0));
  };
  const Range mirrored = times(range, -1);
  if (op == BinaryOp::Lt || op == BinaryOp::Le) return below(range, op == BinaryOp::Lt);
  if (op == BinaryOp::Gt || op == BinaryOp::Ge) return below(mirrored, op == BinaryOp::Gt);
  if (op == BinaryOp::Eq) return below(range, false) || below(mirrored, false);
  return range.low && range.high && *range.low == 0 && *range.high == 0;
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
  ranges_.clear();
  if (!narrow(context, body, wanted, env_)) return false;
  const std::map<const Env*, Range> found = ranges_;
  for (Env& variable : env_) {
    if (!variable.open) continue;
    const Range range = found.at(&variable);
    const bool finite = range.low && range.high;
    const bool real = variable.bound.type.scalar == Scalar::Real;
    if (finite && (!real || *range.low == *range.high))
      return try_all(context, body, wanted, span, variable, range);
  }
  if (!found.empty())
    throw Stop{End::Undecidable, span, "no finite range for the variables of a quantifier"};
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

bool Ranges::narrow(const Context& context, ExprId body, bool wanted, std::vector<Env>& variables) {
  const Env* const outer = variable_;
  bool possible = true;
  for (Env& variable : variables) {
    if (!variable.open) continue;
    Range& own = ranges_[&variable];
    if (variable.bound.type.scalar == Scalar::Bool) own = {Number(0), Number(1), false};
    if (variable.bound.type.scalar == Scalar::Uint) own.low = 0;
  }
  for (std::size_t round = 0; round <= variables.size() && possible; ++round)
    for (Env& variable : variables) {
      if (!variable.open || variable.bound.type.scalar == Scalar::Bool) continue;
      variable_ = &variable;
      const Range range = meet(bound(context, body, wanted), ranges_.at(&variable));
      ranges_[&variable] = range;
      possible = possible && !range.none;
    }
  variable_ = outer;
  return possible;
}

// Of either kind: what is so for all of them is so for one.
Ranges::Range Ranges::bound_inside(const Context& context, const syntax::QuantExpr& node,
                                   bool wanted) {
  std::vector<Env> own(node.binders.size());
  for (std::size_t k = 0; k < own.size(); ++k)
    own[k] = {k > 0 ? &own[k - 1] : context.env, node.binders[k].name.name, nullptr,
              number(node.binders[k].type.scalar, 0), true};
  Context inside = context;
  inside.env = &own.back();
  Range out;
  out.none = !narrow(inside, node.body, wanted, own);
  if (!out.none) out = bound(inside, node.body, wanted);
  for (const Env& variable : own) ranges_.erase(&variable);
  return out;
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
    if (ranges.specs_.program_.property(node.callee.name) == nullptr ||
        context.names->outside() == nullptr)  // in a model: there are no properties
      return {};
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
  Range operator()(const syntax::QuantExpr& node) const {
    return ranges.bound_inside(context, node, wanted);
  }
  // They say nothing that helps.
  template <class Node>
  requires one_of<Node, syntax::ErrorExpr, syntax::IntegerExpr, syntax::RealExpr, syntax::BoolExpr,
                  syntax::ModelExpr, syntax::MemberExpr, syntax::FieldExpr, syntax::IndexExpr,
                  syntax::UpdateExpr, syntax::PartExpr, syntax::WidenExpr, syntax::MemberCallExpr,
                  syntax::EqExpr, syntax::EqAllExpr, syntax::OldExpr, syntax::IfExpr,
                  syntax::CountExpr>
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
  const Linear left = linear(context, lhs), right = linear(context, rhs);
  const Number scale = left.scale - right.scale;
  const Range shift = sum(right.shift, times(left.shift, -1));
  if (!wanted) op = negate(op);
  if (scale == 0) return {std::nullopt, std::nullopt, never(op, shift)};
  // Now it says: x op limit.
  if (scale < 0) op = mirror(op);
  const Range limit = times(shift, 1 / scale);
  const bool whole = variable_->bound.type.scalar != Scalar::Real;
  const bool strict = op == BinaryOp::Lt || op == BinaryOp::Gt;
  Range range;
  if (limit.high && (op == BinaryOp::Eq || op == BinaryOp::Le || op == BinaryOp::Lt))
    range.high = !whole   ? *limit.high
                 : strict ? Number(round_up(*limit.high) - 1)
                          : round_down(*limit.high);
  if (limit.low && (op == BinaryOp::Eq || op == BinaryOp::Ge || op == BinaryOp::Gt))
    range.low = !whole   ? *limit.low
                : strict ? Number(round_down(*limit.low) + 1)
                         : round_up(*limit.low);
  return meet(range, {});
}

// One overload for each kind of expression: its value as a function of the variable.
struct Ranges::Shaped {
  Ranges& ranges;
  const Context& context;

  Linear operator()(const syntax::NameExpr& node) const {
    return ranges.linear_name(context, node.name, context.mode);
  }
  Linear operator()(const syntax::SidedExpr& node) const {
    return ranges.linear_name(context, node.name, mode_of(node.side));
  }
  Linear operator()(const syntax::ParenExpr& node) const {
    return ranges.linear(context, node.inner);
  }
  Linear operator()(const syntax::UnaryExpr& node) const {
    if (node.op != UnaryOp::Negate) return {};
    return scaled(ranges.linear(context, node.operand), -1);
  }
  Linear operator()(const syntax::BinaryExpr& node) const {
    if (node.op != BinaryOp::Add && node.op != BinaryOp::Sub && node.op != BinaryOp::Mul) return {};
    const Linear a = ranges.linear(context, node.lhs), b = ranges.linear(context, node.rhs);
    if (node.op == BinaryOp::Mul)
      return fixed(b) ? scaled(a, *b.shift.low) : fixed(a) ? scaled(b, *a.shift.low) : Linear{};
    const Linear c = node.op == BinaryOp::Add ? b : scaled(b, -1);
    return {a.scale + c.scale, sum(a.shift, c.shift)};
  }
  // Somewhere.
  template <class Node>
  requires one_of<Node, syntax::ErrorExpr, syntax::IntegerExpr, syntax::RealExpr, syntax::BoolExpr,
                  syntax::ModelExpr, syntax::MemberExpr, syntax::FieldExpr, syntax::IndexExpr,
                  syntax::UpdateExpr, syntax::PartExpr, syntax::WidenExpr, syntax::ChainExpr,
                  syntax::CallExpr, syntax::MemberCallExpr, syntax::EqExpr, syntax::EqAllExpr,
                  syntax::OldExpr, syntax::IfExpr, syntax::QuantExpr, syntax::CountExpr>
      Linear operator()(const Node&) const {
    return {};
  }

  static bool fixed(const Linear& a) {
    return a.scale == 0 && a.shift.low && a.shift.high && *a.shift.low == *a.shift.high;
  }
  static Linear scaled(const Linear& a, const Number& factor) {
    return {a.scale * factor, times(a.shift, factor)};
  }
};

Ranges::Linear Ranges::linear(const Context& context, ExprId id) {
  if (mentions_open(context, id))
    return std::visit(Shaped{*this, context}, specs_.expr(context, id).node);
  const Typed value = specs_.evaluate(context, id);
  if (value.type.shape != Shape::Scalar || value.type.scalar == Scalar::Bool) return {};
  return {0, {value.value.scalar, value.value.scalar, false}};
}

Ranges::Linear Ranges::linear_name(const Context& context, Name name, Mode mode) {
  const Env* env = find_in(context.env, name);
  if (env == nullptr) return {};
  if (env == variable_) return {1, {Number(0), Number(0), false}};
  if (const auto known = ranges_.find(env); known != ranges_.end()) return {0, known->second};
  if (env->argument == nullptr) return {};
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
