#include "interp/compile_spec.h"

#include <algorithm>

namespace leto::interp {

using core::Op;
using core::Side;

namespace {

bool holds_any_quantifier(const core::Program& program, core::ExprId id) {
  if (std::holds_alternative<core::Quant>(program.exprs[id].node)) return true;
  bool found = false;
  core::for_each_child(program, id, [&](core::ExprId child) {
    found = found || holds_any_quantifier(program, child);
  });
  return found;
}

bool compares_order(Op op) {
  return op == Op::Lt || op == Op::Le || op == Op::Gt || op == Op::Ge || op == Op::Eq;
}

}  // namespace

const core::Apply* SpecificationCompiler::apply(core::ExprId id) const {
  return std::get_if<core::Apply>(&program_.exprs[id].node);
}

bool SpecificationCompiler::mentions_open(core::ExprId id) const {
  return mentions(program_, id, [&](core::VarId var) { return open_.contains(var); });
}

bool SpecificationCompiler::mentions_one(core::ExprId id, core::VarId one) const {
  return mentions(program_, id, [&](core::VarId var) { return var == one; });
}

SpecificationCode SpecificationCompiler::specification(const core::Specification& spec) {
  SpecificationCode out;
  names_ = {Side::Relaxed};
  for (core::VarId param : spec.params) {
    out.params.push_back(exprs_.fresh());
    names_.bound.emplace_back(param, out.params.back());
  }
  out.exact = exprs_.fresh();
  if (spec.exact.valid()) names_.bound.emplace_back(spec.exact, out.exact);
  if (spec.when.valid()) out.when = exprs_.scalar(spec.when, names_);
  out.outcome = exprs_.fresh();
  names_.bound.emplace_back(spec.outcome, out.outcome);
  for (core::ExprId ensures : spec.ensures) out.ensures.push_back(exprs_.scalar(ensures, names_));
  for (core::VarId var : spec.modifies) {
    out.old.emplace_back(&code_.pair.relaxed[var.value].scalar, exprs_.fresh());
    names_.old.emplace_back(var, out.old.back().second);
  }
  out.plan = plan(spec, out);
  return out;
}

std::optional<Plan> SpecificationCompiler::plan(const core::Specification& spec,
                                                const SpecificationCode& made) {
  Plan out;
  for (std::size_t i = 0; i < spec.modifies.size(); ++i) {
    if (program_.vars[spec.modifies[i]].kind != core::VarKind::State) return std::nullopt;
    out.unknowns.push_back({spec.modifies[i], made.old[i].first, made.old[i].second});
  }
  out.unknowns.push_back({spec.outcome, made.outcome, made.exact});
  open_.clear();
  for (const Plan::Unknown& unknown : out.unknowns) open_.insert(unknown.var);
  if (open_.size() != out.unknowns.size()) return std::nullopt;
  parts_.clear();
  same_always_ = true;
  for (core::ExprId ensures : spec.ensures) {
    same_always_ = same_always_ && !holds_any_quantifier(program_, ensures);
    flatten(ensures);
  }
  if (same_always_) add_steps(out);
  if (!same_always_) return std::nullopt;
  for (core::ExprId ensures : spec.ensures) out.ensures.push_back(exprs_.scalar(ensures, names_));
  return out;
}

// Implications and alternatives are decided by values and by the chooser.
void SpecificationCompiler::flatten(core::ExprId id) {
  const core::Apply* node = apply(id);
  if (node != nullptr && node->op == Op::And) {
    for (core::ExprId arg : node->args) flatten(arg);
    return;
  }
  const bool by_value =
      node != nullptr && ((node->op == Op::Implies && !mentions_open(node->args[0])) ||
                          (node->op == Op::Or && mentions_open(id)));
  same_always_ = same_always_ && !by_value;
  parts_.push_back(id);
}

void SpecificationCompiler::add_steps(Plan& plan) {
  const auto add = [&](Plan::Step step) {
    open_.erase(plan.unknowns[step.unknown].var);
    plan.steps.push_back(std::move(step));
  };
  while (!open_.empty() && same_always_) {
    bool progress = false;
    std::optional<Plan::Step> first;
    for (std::size_t u = 0; u < plan.unknowns.size(); ++u) {
      if (!open_.contains(plan.unknowns[u].var)) continue;
      Plan::Step step = look(plan, u);
      if (step.exactly != nullptr) {
        add(std::move(step));
        progress = true;
      } else if (!first) {
        first = std::move(step);
      }
    }
    // Of several that are open, the first is chosen, with what is known by then.
    if (!progress) add(std::move(*first));
  }
}

Plan::Step SpecificationCompiler::look(const Plan& plan, std::size_t unknown) {
  Plan::Step step{unknown, {}};
  const core::VarId var = plan.unknowns[unknown].var;
  for (core::ExprId part : parts_) {
    const bool others =
        mentions(program_, part, [&](core::VarId v) { return v != var && open_.contains(v); });
    if (mentions_one(part, var) && !others) look_at(part, var, step);
  }
  return step;
}

void SpecificationCompiler::look_at(core::ExprId part, core::VarId unknown, Plan::Step& step) {
  const auto is_unknown = [&](core::ExprId id) {
    const auto* ref = std::get_if<core::VarRef>(&program_.exprs[id].node);
    return ref != nullptr && ref->var == unknown;
  };
  if (is_unknown(part)) step.exactly = exprs_.constant(1);
  const core::Apply* node = apply(part);
  if (node == nullptr) return;
  if (node->op == Op::Not) {
    if (is_unknown(node->args[0])) step.exactly = exprs_.constant(0);
    return;
  }
  if (!compares_order(node->op)) return;
  const bool left = mentions_one(node->args[0], unknown);
  if (left && mentions_one(node->args[1], unknown)) return;
  const Number* value = exprs_.append(node->args[left ? 1 : 0], names_, step.code);
  isolate(node->args[left ? 0 : 1], left ? node->op : turned(node->op), value, unknown, step);
}

bool SpecificationCompiler::isolate(core::ExprId expr, Op op, const Number* value,
                                    core::VarId unknown, Plan::Step& step) {
  if (const auto* ref = std::get_if<core::VarRef>(&program_.exprs[expr].node)) {
    if (ref->var != unknown) return false;
    if (op == Op::Eq)
      step.exactly = value;
    else
      step.bounds.push_back({op, value});
    return true;
  }
  const core::Apply* node = apply(expr);
  if (node == nullptr) return false;
  const auto negated = [&] { return exprs_.append(Do::Neg, value, nullptr, step.code); };
  if (node->op == Op::Neg) return isolate(node->args[0], turned(op), negated(), unknown, step);
  if (node->op == Op::Abs) {
    if (op == Op::Eq || op == Op::Gt || op == Op::Ge) return false;
    return isolate(node->args[0], op, value, unknown, step) &&
           isolate(node->args[0], turned(op), negated(), unknown, step);
  }
  return node->args.size() == 2 && isolate_operand(expr, *node, op, value, unknown, step);
}

bool SpecificationCompiler::isolate_operand(core::ExprId expr, const core::Apply& node, Op op,
                                            const Number* value, core::VarId unknown,
                                            Plan::Step& step) {
  const bool left = mentions_open(node.args[0]);
  if (left == mentions_open(node.args[1])) return false;
  const core::ExprId inner = node.args[left ? 0 : 1], other = node.args[left ? 1 : 0];
  const auto known = [&] { return exprs_.append(other, names_, step.code); };
  const auto moved = [&](Do what, const Number* a, const Number* b, Op now) {
    return isolate(inner, now, exprs_.append(what, a, b, step.code), unknown, step);
  };
  switch (node.op) {
    case Op::Add:
      return moved(Do::Sub, value, known(), op);
    case Op::Sub:
      return left ? moved(Do::Add, value, known(), op) : moved(Do::Sub, known(), value, turned(op));
    case Op::Mul:
      return isolate_factor(inner, other, Do::Quotient, op, value, unknown, step);
    case Op::Div:
      return left && program_.exprs[expr].type.base == core::Base::Real &&
             isolate_factor(inner, other, Do::Mul, op, value, unknown, step);
    case Op::Not:
    case Op::Neg:
    case Op::Abs:
    case Op::ToReal:
    case Op::Floor:
    case Op::ToNatural:
    case Op::Mod:
    case Op::And:
    case Op::Or:
    case Op::Implies:
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
    case Op::Min:
    case Op::Max:
    case Op::Choose:
      return false;
  }
  LETO_ASSERT(false);
}

// The sign of the factor decides which way a comparison goes.
bool SpecificationCompiler::isolate_factor(core::ExprId inner, core::ExprId known, Do what, Op op,
                                           const Number* value, core::VarId unknown,
                                           Plan::Step& step) {
  const std::optional<Number> factor = exprs_.literal(known);
  same_always_ = same_always_ && factor.has_value();
  if (!factor || factor->sign() == 0) return false;
  return isolate(inner, factor->sign() < 0 ? turned(op) : op,
                 exprs_.append(what, value, exprs_.constant(*factor), step.code), unknown, step);
}

}  // namespace leto::interp
