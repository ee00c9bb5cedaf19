// What a lemma says of the values that it is given. Nobody runs its body.
#include <algorithm>

#include "oracle/machine.h"

namespace leto::oracle {

using syntax::ClauseKind;

const Program::Function* Machine::find_lemma(ExprId call) const {
  const auto* node = std::get_if<syntax::CallExpr>(&expr(call).node);
  const Program::Function* found = node ? program_.function(node->callee.name) : nullptr;
  return found && found->item->lemma ? found : nullptr;
}

bool Machine::names_side(ExprId id) const {
  const auto& node = expr(id).node;
  bool any = std::holds_alternative<syntax::SidedExpr>(node) ||
             std::holds_alternative<syntax::EqExpr>(node);
  syntax::for_each_child(expr(id), [&](ExprId child) { any = any || names_side(child); });
  return any;
}

void Machine::at(const Stmt&, const syntax::ForallStmt& node, Runs who) {
  const syntax::Tree& tree = *frame_->function->tree;
  const auto& body = std::get<syntax::BlockStmt>(tree.stmts[node.body].node).body;
  bool of_both = names_side(node.range);
  for (StmtId id : body)
    of_both = of_both || names_side(std::get<syntax::CallStmt>(tree.stmts[id].node).call);
  for (StmtId id : body)
    recall(tree.stmts[id], std::get<syntax::CallStmt>(tree.stmts[id].node), &node, of_both, who);
}

void Machine::recall(const Stmt& whole, const syntax::CallStmt& node, const syntax::ForallStmt* all,
                     bool of_both, Runs who) {
  const auto& call = std::get<syntax::CallExpr>(expr(node.call).node);
  const Program::Function& lemma = *find_lemma(node.call);
  who = alive(who);
  if (of_both) {
    if (who.has(Side::Relaxed))
      claim_lemma({lemma, call, all, Mode::Both}, whole.span,
                  who.has(Side::Original) ? By::Both : By::Relaxed);
    return;
  }
  for (Side side : who.list())
    claim_lemma({lemma, call, all, mode_of(side)}, whole.span,
                side == Side::Original ? By::Original : By::Relaxed);
}

void Machine::claim_lemma(const Recalled& recalled, Span span, By by) try {
  std::vector<std::vector<Typed>> all;
  for (const std::vector<Typed>& bound : instances(recalled)) {
    const std::optional<std::vector<Typed>> given = arguments(recalled, bound);
    if (!given || !meets(recalled.lemma, *given))
      return note("requires of a lemma", span, by, {false, !given});
    all.push_back(*given);
  }
  for (const syntax::Clause& clause : recalled.lemma.item->contract) {
    if (clause.kind != ClauseKind::Ensures) continue;
    const bool holds = std::all_of(all.begin(), all.end(), [&](const std::vector<Typed>& given) {
      return holds_of(recalled.lemma, clause.expr, given);
    });
    if (!holds) note("ensures of a lemma", span, by, {false, false});
  }
} catch (const Stop& stop) {
  if (stop.end != End::Undecidable) throw;
}

namespace {

// Bound variables, innermost last.
std::vector<Env> bind(const std::vector<syntax::Binder>& binders, const std::vector<Typed>& bound) {
  std::vector<Env> env(binders.size());
  for (std::size_t k = 0; k < env.size(); ++k)
    env[k] = {k > 0 ? &env[k - 1] : nullptr, binders[k].name.name, nullptr, bound[k], false};
  return env;
}

}  // namespace

// Only what counts up to a bound is looked at.
std::vector<std::vector<Typed>> Machine::instances(const Recalled& recalled) {
  if (!recalled.all) return {{}};
  const auto* range = std::get_if<syntax::BinaryExpr>(&expr(recalled.all->range).node);
  const auto* counted = range ? std::get_if<syntax::NameExpr>(&expr(range->lhs).node) : nullptr;
  const bool plain = counted && range->op == BinaryOp::Lt && recalled.all->binders.size() == 1 &&
                     recalled.all->binders[0].name.name == counted->name &&
                     recalled.all->binders[0].type.scalar == Scalar::Uint;
  if (!plain) throw Stop{End::Undecidable, expr(recalled.all->range).span, "a range of lemmas"};
  const ProgramNames names(*this, ProgramNames::Where::Body);
  const Number most =
      specs_.evaluate({frame_->function->tree, &names, recalled.mode, nullptr}, range->rhs)
          .value.scalar;
  std::vector<std::vector<Typed>> all;
  for (Number k = 0; k < most; k += 1) all.push_back({number(Scalar::Uint, k)});
  return all;
}

std::optional<std::vector<Typed>> Machine::arguments(const Recalled& recalled,
                                                     const std::vector<Typed>& bound) {
  const ProgramNames names(*this, ProgramNames::Where::Body);
  std::vector<Env> env;
  if (recalled.all) env = bind(recalled.all->binders, bound);
  const Context context{frame_->function->tree, &names, recalled.mode,
                        env.empty() ? nullptr : &env.back()};
  const std::vector<syntax::Param>& params = recalled.lemma.item->params;
  std::vector<Typed> all;
  for (std::size_t k = 0; k < params.size(); ++k) {
    Typed value = specs_.evaluate(context, recalled.call.args[k]);
    if (specs_.judge(context, recalled.call.args[k]).no_value) return std::nullopt;
    value.type = program_.type_of(params[k].type);
    if (!in_domain(value)) return std::nullopt;
    all.push_back(std::move(value));
  }
  return all;
}

// A clause, or a size, with values for the parameters.
bool Machine::holds_of(const Program::Function& lemma, ExprId claim,
                       const std::vector<Typed>& arguments) {
  const std::vector<syntax::Param>& params = lemma.item->params;
  std::vector<Env> env(params.size());
  for (std::size_t k = 0; k < env.size(); ++k)
    env[k] = {k > 0 ? &env[k - 1] : nullptr, params[k].name.name, nullptr, arguments[k], false};
  const ProgramNames names(*this, ProgramNames::Where::Outside);
  return specs_
      .judge({lemma.tree, &names, Mode::Relaxed, env.empty() ? nullptr : &env.back()}, claim)
      .holds;
}

bool Machine::meets(const Program::Function& lemma, const std::vector<Typed>& arguments) {
  const std::vector<syntax::Param>& params = lemma.item->params;
  std::vector<Env> env(params.size());
  for (std::size_t k = 0; k < env.size(); ++k)
    env[k] = {k > 0 ? &env[k - 1] : nullptr, params[k].name.name, nullptr, arguments[k], false};
  const ProgramNames names(*this, ProgramNames::Where::Outside);
  const Context context{lemma.tree, &names, Mode::Relaxed, env.empty() ? nullptr : &env.back()};
  for (std::size_t k = 0; k < params.size(); ++k)
    for (std::size_t d = 0; d < params[k].dims.size(); ++d) {
      const Number size = specs_.evaluate(context, params[k].dims[d]).value.scalar;
      if (size != Number(static_cast<long>(arguments[k].value.sizes[d]))) return false;
    }
  for (const syntax::Clause& clause : lemma.item->contract)
    if (clause.kind == ClauseKind::Requires && !holds_of(lemma, clause.expr, arguments))
      return false;
  return true;
}

}  // namespace leto::oracle
