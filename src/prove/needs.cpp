#include "prove/needs.h"

#include <algorithm>
#include <map>

namespace leto::prove {

namespace {

class Needs {
 public:
  explicit Needs(const core::Program& program) : program_(program) {}

  void want(core::ExprId id) {
    core::for_each_read(program_, id, [&](core::VarId var, core::Side) {
      if (needed_.insert(var).second) work_.push_back(var);
    });
  }
  void read(core::StmtId id) {
    const std::vector<core::VarId> targets = core::targets_of(program_, id);
    const bool calls = std::holds_alternative<core::Call>(program_.stmts[id].node);
    core::for_each_expression(program_, id, [&](core::ExprId expr, core::Use) {
      if (targets.empty() || calls) return want(expr);
      for (core::VarId target : targets) computed_from_[target].push_back(expr);
    });
  }
  std::set<core::VarId> close() {
    while (!work_.empty()) {
      const core::VarId var = work_.back();
      work_.pop_back();
      if (const auto it = computed_from_.find(var); it != computed_from_.end())
        for (core::ExprId expr : it->second) want(expr);
    }
    return std::move(needed_);
  }

 private:
  const core::Program& program_;
  std::map<core::VarId, std::vector<core::ExprId>> computed_from_;
  std::set<core::VarId> needed_;
  std::vector<core::VarId> work_;
};

}  // namespace

std::set<core::VarId> find_needed(const core::Program& program, const core::Function& function,
                                  const std::vector<core::ExprId>& claims) {
  Needs needs(program);
  for (core::ExprId claim : claims) needs.want(claim);
  core::for_each_statement(program, function.body, [&](core::StmtId id) { needs.read(id); });
  return needs.close();
}

Uses find_uses(const core::Program& program, const core::Function& function) {
  Uses uses;
  std::size_t position = 0;
  const auto read = [&](core::ExprId id, std::size_t at) {
    core::for_each_read(program, id,
                        [&](core::VarId var, core::Side) { uses.of[var].last_read = at; });
  };
  core::for_each_statement(program, function.body, [&](core::StmtId id) {
    ++position;
    if (const auto* loop = std::get_if<core::While>(&program.stmts[id].node))
      uses.loops[loop->loop] = position;
    for (const core::VarId target : core::targets_of(program, id))
      uses.of[target].first_set = std::min(uses.of[target].first_set, position);
    core::for_each_expression(program, id,
                              [&](core::ExprId expr, core::Use) { read(expr, position); });
  });
  for (const core::Clause& clause : function.ensures) read(clause.expr, Uses::kNever);
  return uses;
}

}  // namespace leto::prove
