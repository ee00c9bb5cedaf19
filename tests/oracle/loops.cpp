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
  for (std::size_t done = 0; !iterating.empty(); ++done) {
    if (labelled) frame_->loops.back().start = moment();
    claim_at_head(parts, who, iterating);
    iterating = parts.test(tick(iterating, span), done);
    if (iterating.empty()) break;
    execute(parts.body, iterating);
    iterating = active(iterating);
    if (parts.step.valid()) execute(parts.step, iterating);
    iterating = active(iterating);
  }
  if (labelled) frame_->loops.pop_back();
}

void Machine::claim_at_head(const LoopParts& parts, Runs came, Runs iterating) {
  for (const syntax::Clause& clause : parts.invariants) {
    if (clause.kind == syntax::ClauseKind::Invariant)
      for (Side side : iterating.list()) claim_of_one(clause, side, false);
    // Also while the original is alone, if the relaxed run has come to this loop at all.
    else if (alive(came).has(Side::Relaxed))
      claim_of_both(clause, iterating, false);
  }
}

void Machine::at(const Stmt& whole, const syntax::WhileStmt& node, Runs who) {
  const auto test = [&](Runs those, std::size_t) {
    const Values condition = evaluate(node.condition, those);
    return where_true(condition, those);
  };
  loop({node.attributes, node.invariants, node.body, {}, test}, who, whole.span);
}

void Machine::at(const Stmt& whole, const syntax::ForStmt& node, Runs who) {
  frame_->scopes.emplace_back();
  if (node.init.valid()) execute(node.init, who);
  const auto test = [&](Runs those, std::size_t) {
    if (!node.condition.valid()) return those;
    const Values condition = evaluate(node.condition, those);
    return where_true(condition, those);
  };
  loop({node.attributes, node.invariants, node.body, node.step, test}, alive(who), whole.span);
  frame_->scopes.pop_back();
}

void Machine::at(const Stmt& whole, const syntax::RepeatStmt& node, Runs who) {
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
