// What a lemma says of the values that it is given. Nobody runs its body, unless it makes
// something.
#include <algorithm>
#include <utility>

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
  if (making_ > 0) return;
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

bool Machine::holds_of(const Program::Function& lemma, ExprId claim,
                       const std::vector<Typed>& arguments, const std::vector<Typed>& made) {
  std::vector<Name> called;
  for (const syntax::Param& param : lemma.item->params) called.push_back(param.name.name);
  std::vector<Typed> all = arguments;
  for (std::size_t k = 0; k < made.size(); ++k) {
    called.push_back(lemma.item->made[k].name.name);
    all.push_back(made[k]);
  }
  std::vector<Env> env(all.size());
  for (std::size_t k = 0; k < env.size(); ++k)
    env[k] = {k > 0 ? &env[k - 1] : nullptr, called[k], nullptr, all[k], false};
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

const Program::Function* Machine::find_maker(ExprId call) const {
  const Program::Function* lemma = find_lemma(call);
  return lemma && !lemma->item->made.empty() ? lemma : nullptr;
}

void Machine::make_into(const std::vector<Place>& places, ExprId call, Runs who, Span span) {
  const auto& node = std::get<syntax::CallExpr>(expr(call).node);
  const Program::Function& lemma = *find_maker(call);
  who = alive(who);
  for (Side side : who.list()) {
    const std::vector<Typed> made =
        recall_and_make({lemma, node, nullptr, mode_of(side)}, places, side, span);
    for (std::size_t k = 0; k < made.size(); ++k) {
      Values value;
      value[side] = made[k];
      store(places.at(k), value, Runs::only(side), span);
    }
  }
}

std::vector<Typed> Machine::recall_and_make(const Recalled& recalled,
                                            const std::vector<Place>& places, Side side,
                                            Span span) {
  const By by = side == Side::Original ? By::Original : By::Relaxed;
  const std::optional<std::vector<Typed>> given = arguments(recalled, {});
  const auto is_met = [&] {
    try {
      return given && meets(recalled.lemma, *given);
    } catch (const Stop& stop) {
      if (stop.end != End::Undecidable) throw;
      return true;
    }
  };
  const bool met = is_met();
  if (!met && making_ == 0) note("requires of a lemma", span, by, {false, !given});
  if (!given) throw Stop{End::Undecidable, span, "a lemma is given what it does not take"};
  std::vector<Typed> made = make(recalled.lemma, *given, !met && making_ == 0, side, span);
  for (std::size_t k = 0; k < made.size(); ++k)
    if (made[k].value.sizes != places.at(k).slot->value[side]->sizes) {
      if (met && making_ == 0) note("requires of a lemma", span, by, {false, false});
      throw Stop{End::Undecidable, span, "what is made is of another size"};
    }
  if (!met || making_ > 0) return made;
  try {
    for (const syntax::Clause& clause : recalled.lemma.item->contract)
      if (clause.kind == ClauseKind::Ensures &&
          !holds_of(recalled.lemma, clause.expr, *given, made))
        note("ensures of a lemma", span, by, {false, false});
  } catch (const Stop& stop) {
    if (stop.end != End::Undecidable) throw;
  }
  return made;
}

std::vector<Typed> Machine::make(const Program::Function& lemma, const std::vector<Typed>& given,
                                 bool zero_only, Side side, Span span) {
  if (depth_ >= limits_.depth) throw Stop{End::Undecidable, span, "a lemma calls itself too often"};
  Frame frame;
  frame.function = &lemma;
  Scope scope;
  for (std::size_t k = 0; k < given.size(); ++k) {
    Slot slot{lemma.item->params[k].name.name, given[k].type, {}, false, {}};
    slot.value[side] = given[k].value;
    scope.push_back(std::move(slot));
  }
  frame.passed = {scope};
  frame.scopes = {std::move(scope)};
  Frame* const caller = std::exchange(frame_, &frame);
  ++depth_;
  ++making_;
  declare_made(side);
  if (!zero_only) execute(lemma.item->body, Runs::only(side));
  std::vector<Typed> made;
  for (std::size_t k = given.size(); k < frame.scopes[0].size(); ++k)
    made.push_back({frame.scopes[0][k].type, *frame.scopes[0][k].value[side]});
  --making_;
  --depth_;
  frame_ = caller;
  return made;
}

void Machine::declare_made(Side side) {
  for (const syntax::Param& one : frame_->function->item->made) {
    const PerRun<std::vector<std::int64_t>> dims = sizes(one.dims, Runs::only(side));
    Slot slot{one.name.name, type_of(one.type), {}, false, {}};
    slot.value[side] = zero(slot.type, *dims[side]);
    frame_->scopes[0].push_back(std::move(slot));
  }
}

}  // namespace leto::oracle
