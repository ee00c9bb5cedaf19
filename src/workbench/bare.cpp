#include "workbench/bare.h"

#include <set>
#include <vector>

#include "base/overload.h"

namespace leto::workbench {

namespace {

using core::VarId;

// Ghost variables, and what is computed from them on the way.
std::set<VarId> find_ghosts(const core::Program& program) {
  std::set<VarId> ghosts;
  for (std::uint32_t i = 0; i < program.vars.size(); ++i)
    if (program.vars[VarId{i}].kind == core::VarKind::Ghost) ghosts.insert(VarId{i});
  for (std::size_t before = ghosts.size() + 1; before != ghosts.size();) {
    before = ghosts.size();
    for (const core::Stmt& stmt : program.stmts) {
      const auto* s = std::get_if<core::Assign>(&stmt.node);
      if (s == nullptr || program.vars[s->target].kind != core::VarKind::Temp) continue;
      core::for_each_read(program, s->value, [&](VarId var, core::Side) {
        if (ghosts.contains(var)) ghosts.insert(s->target);
      });
    }
  }
  return ghosts;
}

class Stripper {
 public:
  explicit Stripper(core::Program& program) : program_(program), ghosts_(find_ghosts(program)) {}

  void run() {
    for (const core::Stmt& stmt : program_.stmts)
      if (sets_ghost(stmt)) of_ghosts_.push_back(stmt.span);
    for (std::uint32_t i = 0; i < program_.stmts.size(); ++i) {
      core::Stmt& stmt = program_.stmts[core::StmtId{i}];
      if (auto* loop = std::get_if<core::While>(&stmt.node)) {
        loop->invariants.clear();
        loop->falls = loop->likely = {};
      }
      if (is_for_proofs(stmt)) stmt.node = core::Block{};
    }
    for (std::uint32_t i = 0; i < program_.functions.size(); ++i) {
      core::Function& f = program_.functions[core::FunctionId{i}];
      f.requires_.clear();
      f.ensures.clear();
      f.measure.clear();
    }
  }

 private:
  [[nodiscard]] bool is_ghost(VarId var) const { return ghosts_.contains(var); }
  [[nodiscard]] bool names_ghosts(core::ExprId id) const {
    bool found = false;
    core::for_each_read(program_, id,
                        [&](VarId var, core::Side) { found = found || is_ghost(var); });
    return found;
  }
  [[nodiscard]] bool sets_ghost(const core::Stmt& stmt) const {
    return std::visit(
        Overload{
            [&](const core::Assign& s) { return is_ghost(s.target); },
            [&](const core::Store& s) { return is_ghost(s.target); },
            [&](const core::Declare& s) { return is_ghost(s.target); },
            [&](const core::Relaxed& s) { return is_ghost(s.target); },
            [&](const core::Write& s) { return is_ghost(s.target); },
            [&](const core::Call& s) { return !s.targets.empty() && is_ghost(s.targets[0]); },
            [](const auto&) { return false; },
        },
        stmt.node);
  }
  // What fails in text for proofs fails in no run.
  [[nodiscard]] bool is_inside_ghost(const Span& span) const {
    for (const Span& outer : of_ghosts_)
      if (outer.file == span.file && outer.begin <= span.begin && span.end <= outer.end)
        return true;
    return false;
  }
  [[nodiscard]] bool is_for_proofs(const core::Stmt& stmt) const {
    if (sets_ghost(stmt) || std::holds_alternative<core::Recall>(stmt.node)) return true;
    if (const auto* claim = std::get_if<core::Claim>(&stmt.node))
      return claim->kind != core::AssertionKind::Assume;
    if (const auto* check = std::get_if<core::Check>(&stmt.node))
      return names_ghosts(check->expr) || is_inside_ghost(stmt.span);
    const auto* choice = std::get_if<core::If>(&stmt.node);
    return choice != nullptr && names_ghosts(choice->condition);
  }

  core::Program& program_;
  const std::set<VarId> ghosts_;
  std::vector<Span> of_ghosts_;  // statements that set them
};

}  // namespace

bool stops_at_assumption(const core::Program& program, const interp::Outcome& outcome) {
  if (outcome.end != interp::End::OriginalFailed || !outcome.statement.valid()) return false;
  const auto* claim = std::get_if<core::Claim>(&program.stmts[outcome.statement].node);
  return claim != nullptr && claim->kind == core::AssertionKind::Assume;
}

void leave_out_proofs(core::Program& program) {
  Stripper(program).run();
}

}  // namespace leto::workbench
