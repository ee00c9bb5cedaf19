// Every number that the emitted code computes, in a variable of its own, by statements that stand
// before the one that needs it. What stands behind `&&`, `||`, `->` or in an `if` is computed only
// where it counts. This is written apart from the emitter: the tests compare the two.
#include "emit/emit.h"
#include "emit/writer.h"

namespace leto::emit {

using core::Apply;
using core::Base;
using core::ExprId;
using core::Op;
using core::StmtId;

namespace {

class Watcher {
 public:
  Watcher(core::Program& program, bool guarded)
      : program_(program), silence_(find_silence(program, guarded)) {}

  // The statement with all that it computes before it.
  StmtId watched(StmtId id) {
    if (!id.valid() || leaves_no_trace(program_, id, silence_)) return id;
    const Span at = program_.stmts[id].span;
    std::vector<StmtId> steps;
    if (const auto* loop = std::get_if<core::While>(&program_.stmts[id].node)) {
      core::While copy = *loop;
      const StmtId before = watched(copy.before);
      std::vector<StmtId> all{before};
      watch(copy.condition, all);
      copy.before = block(all, at);
      copy.body = watched(copy.body);
      return program_.stmts.add({at, std::move(copy)});
    }
    std::vector<ExprId> evaluated;
    if (!std::holds_alternative<core::Claim>(program_.stmts[id].node))
      core::for_each_expression(program_, id, [&](ExprId expr, core::Use use) {
        if (use == core::Use::Evaluated) evaluated.push_back(expr);
      });
    for (ExprId expr : evaluated) watch(expr, steps);
    core::Stmt inside = core::map(program_, id, [&](StmtId child) { return watched(child); });
    steps.push_back(program_.stmts.add(std::move(inside)));
    return block(steps, at);
  }

 private:
  StmtId block(std::vector<StmtId> steps, Span at) {
    if (steps.size() == 1) return steps[0];
    return program_.stmts.add({at, core::Block{std::move(steps)}});
  }
  ExprId negated(ExprId id) {
    return program_.exprs.add({{Base::Bool}, program_.exprs[id].span, Apply{Op::Not, {id}}});
  }
  void branch(ExprId test, std::vector<StmtId> yes, std::vector<StmtId> no,
              std::vector<StmtId>& out) {
    if (yes.empty() && no.empty()) return;
    const Span at = program_.exprs[test].span;
    const StmtId first = program_.stmts.add({at, core::Block{std::move(yes)}});
    const StmtId second =
        no.empty() ? StmtId{} : program_.stmts.add({at, core::Block{std::move(no)}});
    out.push_back(program_.stmts.add({at, core::If{test, first, second}}));
  }

  void watch(ExprId id, std::vector<StmtId>& out) {
    const core::Expr e = program_.exprs[id];
    if (const auto* apply = std::get_if<Apply>(&e.node)) {
      if (apply->op == Op::And || apply->op == Op::Implies || apply->op == Op::Or) {
        watch(apply->args[0], out);
        std::vector<StmtId> rest;
        watch(apply->args[1], rest);
        branch(apply->op == Op::Or ? negated(apply->args[0]) : apply->args[0], std::move(rest), {},
               out);
        return;
      }
      if (apply->op == Op::Choose) {
        watch(apply->args[0], out);
        std::vector<StmtId> yes, no;
        watch(apply->args[1], yes);
        watch(apply->args[2], no);
        branch(apply->args[0], std::move(yes), std::move(no), out);
        return;
      }
    }
    for (ExprId child : core::children(program_, id)) watch(child, out);
    if (!std::holds_alternative<Apply>(e.node) || e.type.base == Base::Bool || e.type.rank > 0)
      return;
    const core::VarId kept = program_.vars.add({core::VarKind::Temp, "watched", e.type, e.span});
    out.push_back(program_.stmts.add({e.span, core::Assign{kept, id}}));
  }

  core::Program& program_;
  Silence silence_;
};

}  // namespace

core::Program watch_numbers(const core::Program& program, bool guarded) {
  core::Program out = program;
  Watcher watcher(out, guarded);
  for (std::uint32_t i = 0; i < out.functions.size(); ++i) {
    const core::FunctionId id{i};
    if (out.functions[id].external() || out.functions[id].lemma) continue;
    const StmtId body = watcher.watched(out.functions[id].body);
    out.functions[id].body = body;
  }
  return out;
}

}  // namespace leto::emit
