// A loop counts up if its test says i < e or i <= e, among other things that must hold, and
//   e is changed nowhere in the loop,
//   i is set in one place only, by i := i + c with a number c above zero,
//   every iteration comes by that place, unless it leaves; and who has left goes on no more.
// It counts down if the test says i > e or i >= e, and the step is i := i - c. No operation of the
// model sets i or e, so this holds of both runs.
#include "core/endings.h"

#include <algorithm>
#include <set>

#include "core/calls.h"
#include "core/core.h"

namespace leto::core {

namespace {

class Counting {
 public:
  Counting(const Program& program, Effects& effects, const While& loop)
      : program_(program), loop_(loop), changed_(effects.of(loop)) {
    conditions_ = conjuncts(program, loop.condition);
  }

  [[nodiscard]] bool ends() const {
    return std::any_of(conditions_.begin(), conditions_.end(),
                       [&](ExprId condition) { return is_bound(condition); });
  }
  // By the first test that says so.
  [[nodiscard]] std::optional<CountsUp> counts_up() const {
    for (ExprId condition : conditions_) {
      const auto* test = std::get_if<Apply>(&program_.exprs[condition].node);
      if (test == nullptr || (test->op != Op::Lt && test->op != Op::Le)) continue;
      if (comes_to({test->args[0], Op::Add}, test->args[1]))
        return CountsUp{variable(test->args[0]), test->args[1], test->op == Op::Le};
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] bool is_bound(ExprId condition) const {
    const auto* test = std::get_if<Apply>(&program_.exprs[condition].node);
    if (test == nullptr) return false;
    const bool less = test->op == Op::Lt || test->op == Op::Le;
    const bool more = test->op == Op::Gt || test->op == Op::Ge;
    if (!less && !more) return false;
    return comes_to({test->args[0], less ? Op::Add : Op::Sub}, test->args[1]) ||
           comes_to({test->args[1], less ? Op::Sub : Op::Add}, test->args[0]);
  }
  struct Way {
    ExprId counter;
    Op step;
  };
  [[nodiscard]] bool comes_to(const Way& way, ExprId bound) const {
    const VarId counter = variable(way.counter);
    if (!counter.valid() || program_.vars[counter].kind == VarKind::State) return false;
    return is_fixed(bound) && count_settings(counter) == 1 &&
           always_steps(loop_.body, counter, way.step);
  }
  [[nodiscard]] VarId variable(ExprId id) const {
    const auto* ref = std::get_if<VarRef>(&program_.exprs[id].node);
    return ref == nullptr || ref->side != Side::Open ? VarId{} : ref->var;
  }
  [[nodiscard]] bool is_fixed(ExprId bound) const {
    bool fixed = true;
    for_each_read(program_, bound, [&](VarId var, Side) {
      fixed = fixed && !changed_.original.contains(var) && !changed_.relaxed.contains(var);
    });
    return fixed;
  }
  [[nodiscard]] int count_settings(VarId var) const {
    int count = 0;
    for (StmtId part : {loop_.before, loop_.body})
      for_each_statement(program_, part, [&](StmtId id) { count += sets(program_, id, var); });
    return count;
  }

  // Whether who comes by the statement comes by the step, or has left.
  [[nodiscard]] bool always_steps(StmtId id, VarId counter, Op step) const {
    const auto& node = program_.stmts[id].node;
    if (const auto* assign = std::get_if<Assign>(&node))
      return assign->target == counter && is_step(assign->value, counter, step);
    if (const auto* block = std::get_if<Block>(&node))
      return std::any_of(block->body.begin(), block->body.end(),
                         [&](StmtId child) { return always_steps(child, counter, step); });
    const auto* branch = std::get_if<If>(&node);
    return branch != nullptr && leaves_if_not(branch->condition) && branch->then_branch.valid() &&
           always_steps(branch->then_branch, counter, step);
  }
  [[nodiscard]] bool is_step(ExprId value, VarId counter, Op step) const {
    const auto* sum = std::get_if<Apply>(&program_.exprs[value].node);
    if (sum == nullptr || sum->op != step || variable(sum->args[0]) != counter) return false;
    const auto* number = std::get_if<NumberConst>(&program_.exprs[sum->args[1]].node);
    return number != nullptr && number->text.find_first_of("123456789") != std::string::npos;
  }
  // "It has not left from the middle", which the loop tests too.
  [[nodiscard]] bool leaves_if_not(ExprId condition) const {
    return says_not_left(condition) && !is_taken_back() &&
           std::any_of(conditions_.begin(), conditions_.end(), [&](ExprId test) {
             return says_not_left(test) && count_flags(test) == loop_.exits.size();
           });
  }
  [[nodiscard]] std::size_t count_flags(ExprId id) const {
    std::set<VarId> flags;
    for_each_read(program_, id, [&](VarId var, Side) { flags.insert(var); });
    return flags.size();
  }
  // The loop tests all its exits, what stands behind a statement those that this one has.
  [[nodiscard]] bool says_not_left(ExprId id) const {
    const auto* apply = std::get_if<Apply>(&program_.exprs[id].node);
    return apply != nullptr && apply->op == Op::Not && is_exit(apply->args[0]);
  }
  [[nodiscard]] bool is_exit(ExprId id) const {
    const auto* apply = std::get_if<Apply>(&program_.exprs[id].node);
    if (apply != nullptr && apply->op == Op::Or)
      return std::all_of(apply->args.begin(), apply->args.end(),
                         [&](ExprId arg) { return is_exit(arg); });
    const VarId flag = variable(id);
    return flag.valid() &&
           std::find(loop_.exits.begin(), loop_.exits.end(), flag) != loop_.exits.end();
  }
  [[nodiscard]] bool is_taken_back() const {
    bool taken_back = false;
    for (StmtId part : {loop_.before, loop_.body})
      for_each_statement(program_, part, [&](StmtId id) {
        const bool exits = std::any_of(loop_.exits.begin(), loop_.exits.end(),
                                       [&](VarId flag) { return sets(program_, id, flag); });
        if (!exits) return;
        const auto* assign = std::get_if<Assign>(&program_.stmts[id].node);
        const auto* value = assign == nullptr
                                ? nullptr
                                : std::get_if<BoolConst>(&program_.exprs[assign->value].node);
        taken_back = taken_back || value == nullptr || !value->value;
      });
    return taken_back;
  }

  const Program& program_;
  const While& loop_;
  const Modified changed_;
  std::vector<ExprId> conditions_;
};

}  // namespace

std::optional<CountsUp> find_counting_up(const Program& program, Effects& effects,
                                         const While& loop) {
  return Counting(program, effects, loop).counts_up();
}

std::vector<bool> find_ending(const Program& program, Effects& effects) {
  std::vector<bool> ending(program.functions.size());
  for (const std::vector<FunctionId>& circle : find_circles(program)) {
    if (circle.size() > 1) continue;
    const FunctionId f = circle.front();
    bool ends = !program.functions[f].external();
    for_each_callee(program, f, [&](FunctionId callee) { ends = ends && ending[callee.value]; });
    for_each_statement(program, program.functions[f].body, [&](StmtId id) {
      if (const auto* claim = std::get_if<Claim>(&program.stmts[id].node))
        ends = ends && claim->kind != AssertionKind::Assume;
      if (const auto* loop = std::get_if<While>(&program.stmts[id].node))
        ends = ends && Counting(program, effects, *loop).ends();
    });
    ending[f.value] = ends;
  }
  return ending;
}

}  // namespace leto::core
