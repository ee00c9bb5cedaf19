#include "oracle/machine.h"

namespace leto::oracle {

void Machine::execute(StmtId id, Runs who) {
  const Stmt& whole = frame_->function->tree->stmts[id];
  who = tick(who, whole.span);
  if (who.empty()) return;
  std::visit([&](const auto& node) { at(whole, node, who); }, whole.node);
}

bool Machine::is_ghost(ExprId target) {
  const Place place = find_place(expr(target));
  return place.slot && place.slot->ghost;
}

void Machine::assign(const Stmt& whole, ExprId target, std::optional<BinaryOp> op, bool dotted,
                     const std::function<Values(Runs)>& value, Runs who) {
  const bool before = ghost_;
  ghost_ = ghost_ || is_ghost(target);
  Place place = find_place(expr(target));
  evaluate_indices(place, who);
  Values stored;
  if (op) {
    const Values old = each(who, [&](Side side) { return read(place, side); });
    const Values operand = value(alive(who));
    stored = each(who, [&](Side side) {
      const Scalar type = wider(old[side]->type.scalar, operand[side]->type.scalar);
      return number(outcome_type(*op, type),
                    operate_one(whole.span, *op, dotted, *old[side], *operand[side], side));
    });
  } else {
    stored = value(alive(who));
  }
  store(place, stored, who, whole.span);
  ghost_ = before;
}

PerRun<std::vector<std::int64_t>> Machine::sizes(const std::vector<ExprId>& dims, Runs who) {
  PerRun<std::vector<std::int64_t>> all;
  for (Side side : who.list()) all[side].emplace();
  for (ExprId dim : dims) {
    const Values size = evaluate(dim, who);
    each_does(who, [&](Side side) {
      const Number& value = size[side]->value.scalar;
      if (value < 0) throw Failure{expr(dim).span, "a negative size"};
      Number count = value;
      for (std::int64_t other : *all[side]) count *= Number(other);
      if (value > limits_.elements || count > limits_.elements)
        throw Failure{expr(dim).span, "a vector is too long", Failure::Kind::Hung};
      all[side]->push_back(value.get_num().get_si());
    });
  }
  return all;
}

// What a specification says of each run.
Machine::Values Machine::keep(ExprId id, Runs who) {
  const ProgramNames names(*this, ProgramNames::Where::Body);
  return each(who, [&](Side side) {
    return specs_.evaluate({frame_->function->tree, &names, mode_of(side), nullptr}, id);
  });
}

void Machine::declare(const syntax::DeclStmt& node, const syntax::Declarator& one, Runs who) {
  const PerRun<std::vector<std::int64_t>> dims = sizes(one.dims, who);
  const bool made = one.init.valid() && find_maker(one.init) != nullptr;
  Values value;
  if (one.init.valid() && !made)
    value = node.snapshot ? keep(one.init, who) : evaluate(one.init, who);
  Slot slot{one.name.name, program_.type_of(node.type), {}, node.ghost, {}};
  if (node.attributes.region) slot.region = node.attributes.region->name;
  for (Side side : alive(who).list()) slot.value[side] = zero(slot.type, *dims[side]);
  frame_->scopes.back().push_back(std::move(slot));
  if (!one.init.valid()) return;
  Place place;
  place.span = one.name.span;
  place.slot = &frame_->scopes.back().back();
  if (made) return make_into({place}, one.init, alive(who), expr(one.init).span);
  store(place, value, who, expr(one.init).span);
}

void Machine::at(const Stmt& whole, const syntax::ErrorStmt&, Runs) {
  refuse(whole.span, "it does not parse");
}

void Machine::at(const Stmt&, const syntax::DeclStmt& node, Runs who) {
  const bool before = ghost_;
  ghost_ = ghost_ || node.ghost;
  for (const syntax::Declarator& one : node.declarators) declare(node, one, alive(who));
  ghost_ = before;
}

void Machine::at(const Stmt& whole, const syntax::AssignStmt& node, Runs who) {
  if (find_maker(node.value))
    return make_into({find_place(expr(node.target))}, node.value, who, whole.span);
  assign(
      whole, node.target, node.op, node.dotted,
      [&](Runs those) { return evaluate(node.value, those); }, who);
}

void Machine::at(const Stmt& whole, const syntax::StepStmt& node, Runs who) {
  const auto one = [&](Runs those) {
    return each(those, [](Side) { return number(Scalar::Uint, 1); });
  };
  assign(whole, node.target, node.increment ? BinaryOp::Add : BinaryOp::Sub, false, one, who);
}

void Machine::at(const Stmt&, const syntax::IfStmt& node, Runs who) {
  const Values condition = evaluate(node.condition, who);
  const Runs then = where_true(condition, who);
  const Runs otherwise = alive(who).without(then);
  const auto do_else = [&] {
    if (node.else_branch.valid()) execute(node.else_branch, otherwise);
  };
  // Where they part, the original goes first.
  if (otherwise.has(Side::Original)) do_else();
  execute(node.then_branch, alive(then));
  if (!otherwise.has(Side::Original)) do_else();
}

void Machine::at(const Stmt&, const syntax::TryStmt& node, Runs who) {
  execute(node.body, who);
  const Runs tested = alive(who);
  const Values check = evaluate(node.check, tested);
  const Runs failing = alive(tested).without(where_true(check, tested));
  if (node.recover.valid())
    execute(node.recover, failing);
  else
    redo(node, failing);
}

void Machine::redo(const syntax::TryStmt& node, Runs failing) {
  Number times = 1;
  if (node.redo.valid()) {
    const Name text = syntax::number_text(expr(node.redo));
    if (!text.valid()) refuse(expr(node.redo).span, "'redo' takes a number");
    times = program_.literal(text, expr(node.redo).span);
  }
  Force* const before = in_force_;
  for (Number k = 1; k <= times && !failing.empty(); k += 1) {
    if (node.under) in_force_ = force(node.under->name, false);
    execute(node.body, failing);
    in_force_ = before;  // the check is no part of what is done again
    failing = alive(failing);
    if (k == times) return;
    const Values check = evaluate(node.check, failing);
    failing = alive(failing).without(where_true(check, failing));
  }
}

void Machine::at(const Stmt& whole, const syntax::ReturnStmt& node, Runs who) {
  if (node.value.valid()) {
    std::vector<ExprId> given{node.value};
    given.insert(given.end(), node.more.begin(), node.more.end());
    std::vector<Values> values;
    for (ExprId one : given) values.push_back(evaluate(one, alive(who)));
    const PerRun<std::vector<Value>> results = each(who, [&](Side side) {
      std::vector<Value> all;
      for (std::size_t k = 0; k < given.size(); ++k)
        all.push_back(converted(type_of_result(k), *values[k][side], whole.span));
      return all;
    });
    for (Side side : alive(who).list()) frame_->results[side] = results[side];
  }
  frame_->returned = frame_->returned.with(alive(who));
}

Type Machine::type_of_result(std::size_t k) const {
  const syntax::FunctionItem& item = *frame_->function->item;
  return program_.type_of(item.results.empty() ? item.type : item.results.at(k).type);
}

// From left to right.
void Machine::at(const Stmt& whole, const syntax::SpreadStmt& node, Runs who) {
  const auto* call = std::get_if<syntax::CallExpr>(&expr(node.call).node);
  if (call == nullptr) refuse(whole.span, "several values that no call gives");
  if (find_maker(node.call)) {
    std::vector<Place> places;
    for (ExprId target : node.targets) places.push_back(find_place(expr(target)));
    return make_into(places, node.call, who, whole.span);
  }
  const PerRun<Back> results = call_function(expr(node.call), *call, who);
  for (std::size_t k = 0; k < node.targets.size(); ++k) {
    const Place place = find_place(expr(node.targets[k]));
    const Values value = each(alive(who), [&](Side side) { return results[side]->returned.at(k); });
    store(place, value, alive(who), whole.span);
  }
}

void Machine::at(const Stmt& whole, const syntax::JumpStmt& node, Runs who) {
  for (auto loop = frame_->around.rbegin(); loop != frame_->around.rend(); ++loop) {
    if (node.loop && loop->label != node.loop->name) continue;
    Runs& gone = node.kind == syntax::JumpKind::Break ? loop->broken : loop->skipped;
    gone = gone.with(alive(who));
    return;
  }
  refuse(whole.span, "there is no such loop around it");
}

void Machine::at(const Stmt& whole, const syntax::CallStmt& node, Runs who) {
  if (find_lemma(node.call))
    recall(whole, node, nullptr, names_side(node.call), who);
  else
    (void)evaluate(node.call, who);
}

void Machine::at(const Stmt& whole, const syntax::ClaimStmt& node, Runs who) {
  if (making_ > 0) return;
  if (node.kind != syntax::AssertionKind::AssertR) {
    each_does(who, [&](Side side) {
      if (!judge(node.expr, mode_of(side), false).holds)
        throw Failure{whole.span, std::string(syntax::spelling(node.kind)) + " fails"};
    });
    return;
  }
  if (!alive(who).has(Side::Relaxed)) return;
  const Verdict verdict = judge(node.expr, Mode::Both, false);
  if (!verdict.holds)
    note("assert_r", whole.span, who.has(Side::Original) ? By::Both : By::Relaxed, verdict);
}

void Machine::at(const Stmt&, const syntax::BlockStmt& node, Runs who) {
  frame_->scopes.emplace_back();
  for (StmtId id : node.body) {
    const Runs now = active(who);
    if (now.empty()) break;
    execute(id, now);
  }
  frame_->scopes.pop_back();
}

}  // namespace leto::oracle
