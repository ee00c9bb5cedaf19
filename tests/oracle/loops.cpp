#include "oracle/machine.h"

namespace leto::oracle {

Moment Machine::moment() const {
  Moment now;
  now.scopes = frame_->scopes;
  if (picked_) now.state = picked_->state;
  return now;
}

// The runs in `who` have come to the loop. One that leaves waits until the other one has left.
void Machine::loop(const LoopParts& parts, Runs who, Span span) {
  const bool labelled = parts.attributes.label.has_value();
  if (labelled) frame_->loops.push_back({parts.attributes.label->name, moment(), {}});
  Runs iterating = active(who);
  Around around;
  if (labelled) around.label = parts.attributes.label->name;
  frame_->around.push_back(around);
  PerRun<Measure> before;
  for (std::size_t done = 0; !iterating.empty(); ++done) {
    claim_falls(parts, iterating, before);
    if (labelled) frame_->loops.back().start = moment();
    claim_at_head(parts, who, iterating);
    iterating = parts.test(tick(iterating, span), done);
    if (iterating.empty()) break;
    execute(parts.body, iterating);
    frame_->around.back().skipped = Runs::none();
    iterating = active(iterating);
    if (parts.step.valid()) execute(parts.step, iterating);
    iterating = active(iterating);
  }
  frame_->around.pop_back();
  if (labelled) frame_->loops.pop_back();
}

void Machine::claim_at_head(const LoopParts& parts, Runs came, Runs iterating) {
  for (Side side : {Side::Original, Side::Relaxed})
    frame_->around.back().left[side] = boolean(!iterating.has(side));
  if (making_ > 0) return;
  for (const syntax::Clause& clause : parts.invariants) {
    if (clause.kind == syntax::ClauseKind::Decreases) continue;
    if (clause.kind == syntax::ClauseKind::Invariant)
      for (Side side : iterating.list()) claim_of_one(clause, side, false);
    // Also while the original is alone, if the relaxed run has come to this loop at all.
    else if (alive(came).has(Side::Relaxed))
      claim_of_both(clause, iterating, false);
  }
}

// From the head before to this one, in each run by itself; unless the test says that it goes no
// further.
void Machine::claim_falls(const LoopParts& parts, Runs iterating, PerRun<Measure>& before) {
  if (making_ > 0) return;
  for (const syntax::Clause& clause : parts.invariants) {
    if (clause.kind != syntax::ClauseKind::Decreases) continue;
    for (Side side : iterating.list()) {
      const Measure now = measure(clause, side);
      const std::optional<Measure> last = std::exchange(before[side], now);
      if (!last) continue;
      std::size_t same = 0;
      while (same < now.size() && (*last)[same] == now[same]) ++same;
      const bool falls = same < now.size() && now[same] < (*last)[same] && (*last)[same] >= 0;
      const bool leaves = parts.condition.valid() && is_plain(parts.condition) &&
                          !judge(parts.condition, mode_of(side), false).holds;
      if (falls || leaves) continue;
      note("decreases", clause.span, side == Side::Original ? By::Original : By::Relaxed, {});
    }
  }
}

Machine::Measure Machine::measure(const syntax::Clause& clause, Side side) {
  const ProgramNames names(*this, ProgramNames::Where::Body);
  const Context context{frame_->function->tree, &names, mode_of(side), nullptr};
  Measure out;
  for (ExprId part : parts_of(clause)) out.push_back(specs_.evaluate(context, part).value.scalar);
  return out;
}

bool Machine::is_plain(ExprId test) const {
  const Expr& whole = expr(test);
  bool plain = !std::holds_alternative<syntax::ModelExpr>(whole.node);
  if (const auto* unary = std::get_if<syntax::UnaryExpr>(&whole.node)) plain = !unary->dotted;
  if (const auto* binary = std::get_if<syntax::BinaryExpr>(&whole.node)) plain = !binary->dotted;
  if (const auto* call = std::get_if<syntax::CallExpr>(&whole.node))
    plain = program_.function(call->callee.name) == nullptr;
  std::optional<Name> variable;
  if (const auto* name = std::get_if<syntax::NameExpr>(&whole.node)) variable = name->name;
  if (const auto* part = std::get_if<syntax::MemberExpr>(&whole.node)) variable = part->scope.name;
  if (variable)
    for (const Scope& scope : frame_->scopes)
      for (const Slot& slot : scope) plain = plain && (slot.name != *variable || !slot.region);
  syntax::for_each_child(
      whole, [&](ExprId child) { plain = plain && (!child.valid() || is_plain(child)); });
  return plain;
}

void Machine::at(const Stmt& whole, const syntax::WhileStmt& node, Runs who) {
  const auto test = [&](Runs those, std::size_t) {
    const Values condition = evaluate(node.condition, those);
    return where_true(condition, those);
  };
  loop({node.attributes, node.invariants, node.body, {}, test, node.condition}, who, whole.span);
}

void Machine::at(const Stmt& whole, const syntax::ForStmt& node, Runs who) {
  frame_->scopes.emplace_back();
  if (node.init.valid()) execute(node.init, who);
  const auto test = [&](Runs those, std::size_t) {
    if (!node.condition.valid()) return those;
    const Values condition = evaluate(node.condition, those);
    return where_true(condition, those);
  };
  loop({node.attributes, node.invariants, node.body, node.step, test, node.condition}, alive(who),
       whole.span);
  frame_->scopes.pop_back();
}

void Machine::at(const Stmt& whole, const syntax::ChooseStmt&, Runs) {
  refuse(whole.span, "a choice outside of a system");
}

void Machine::at(const Stmt& whole, const syntax::NodesStmt&, Runs) {
  refuse(whole.span, "nodes outside of a system");
}

void Machine::at(const Stmt& whole, const syntax::MessageStmt&, Runs) {
  refuse(whole.span, "a message outside of a system");
}

void Machine::at(const Stmt& whole, const syntax::RepeatStmt& node, Runs who) {
  for (const syntax::Clause& clause : node.invariants)
    if (clause.kind == syntax::ClauseKind::Decreases)
      refuse(clause.span, "a measure of a loop that ends by itself");
  const Expr& count = expr(node.count);
  Number times;
  if (const Name text = syntax::number_text(count); text.valid()) {
    times = program_.literal(text, count.span);
  } else {
    const auto* name = std::get_if<syntax::NameExpr>(&count.node);
    if (!name || !constants_.contains(name->name)) refuse(count.span, "not a constant");
    times = constants_.at(name->name).value.scalar;
  }
  const auto test = [&](Runs those, std::size_t done) {
    return Number(done) < times ? those : Runs::none();
  };
  loop({node.attributes, node.invariants, node.body, {}, test}, who, whole.span);
}

}  // namespace leto::oracle
