#include "lower/ways.h"

namespace leto::lower {

using syntax::StmtId;

Ways::Ways(const syntax::Tree& tree, StmtId body) : tree_(tree) {
  find(body);
}

const std::set<Way>& Ways::of(StmtId id) const {
  static const std::set<Way> kNone;
  return id.valid() ? found_.at(id) : kNone;
}

StmtId Ways::find_loop(const syntax::JumpStmt& jump) const {
  for (std::size_t i = around_.size(); i-- > 0;)
    if (!jump.loop || around_[i].label == jump.loop->name) return around_[i].loop;
  LETO_ASSERT(false);  // it has been checked
}

std::set<Way> Ways::of_loop(StmtId id, const syntax::Attributes& attributes, StmtId body) {
  around_.push_back({id, attributes.label ? attributes.label->name : Name{}});
  std::set<Way> ways = find(body);
  around_.pop_back();
  ways.erase({Way::Kind::Break, id});
  ways.erase({Way::Kind::Continue, id});
  return ways;
}

const std::set<Way>& Ways::find(StmtId id) {
  if (!id.valid()) return of(id);
  std::set<Way> ways;
  const auto add = [&](StmtId part) { ways.merge(std::set<Way>(find(part))); };
  std::visit(Overload{
                 [](const syntax::ErrorStmt&) {},
                 [](const syntax::DeclStmt&) {},
                 [](const syntax::AssignStmt&) {},
                 [](const syntax::StepStmt&) {},
                 [](const syntax::CallStmt&) {},
                 [](const syntax::SpreadStmt&) {},
                 [](const syntax::ClaimStmt&) {},
                 [](const syntax::ForallStmt&) {},
                 [&](const syntax::IfStmt& s) {
                   add(s.then_branch);
                   add(s.else_branch);
                 },
                 [&](const syntax::WhileStmt& s) { ways = of_loop(id, s.attributes, s.body); },
                 [&](const syntax::ForStmt& s) {
                   find(s.init);
                   find(s.step);
                   ways = of_loop(id, s.attributes, s.body);
                 },
                 [&](const syntax::RepeatStmt& s) { ways = of_loop(id, s.attributes, s.body); },
                 [](const syntax::ChooseStmt&) {},
                 [](const syntax::NodesStmt&) {},
                 [](const syntax::MessageStmt&) {},
                 [&](const syntax::TryStmt& s) {
                   add(s.body);
                   add(s.recover);
                 },
                 [&](const syntax::ReturnStmt&) { ways.insert({Way::Kind::Return}); },
                 [&](const syntax::JumpStmt& s) {
                   const bool leaves = s.kind == syntax::JumpKind::Break;
                   ways.insert({leaves ? Way::Kind::Break : Way::Kind::Continue, find_loop(s)});
                 },
                 [&](const syntax::BlockStmt& s) {
                   for (StmtId child : s.body) add(child);
                 },
             },
             tree_.stmts[id].node);
  return found_[id] = std::move(ways);
}

}  // namespace leto::lower
