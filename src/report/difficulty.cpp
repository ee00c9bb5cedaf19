#include "report/difficulty.h"

#include <algorithm>
#include <set>

#include "core/core.h"
#include "core/effects.h"
#include "core/parts.h"

namespace leto::report {

using core::ExprId;
using core::StmtId;
using core::VarId;

namespace {

bool is_leaf(const core::Stmt& stmt) {
  return !std::holds_alternative<core::Block>(stmt.node) &&
         !std::holds_alternative<core::If>(stmt.node) &&
         !std::holds_alternative<core::While>(stmt.node);
}

bool are_disjoint(const std::set<VarId>& a, const std::set<VarId>& b) {
  return std::none_of(a.begin(), a.end(), [&](VarId var) { return b.contains(var); });
}

// What the claim speaks of, at some place before it.
class Backwards {
 public:
  Backwards(const core::Program& program, core::FunctionId function, ExprId claim)
      : program_(program), function_(program.functions[function]), effects_(program) {
    read(claim);
    core::for_each_statement(program, function_.body, [&](StmtId id) {
      const core::Stmt& stmt = program.stmts[id];
      if (std::holds_alternative<core::While>(stmt.node)) loops_.push_back(id);
      if (is_leaf(stmt)) leaves_.push_back(id);
    });
    std::sort(loops_.begin(), loops_.end(), [&](StmtId a, StmtId b) {
      return program.stmts[a].span.begin > program.stmts[b].span.begin;
    });
  }

  std::optional<Span> find(const Span& last) {
    for (StmtId loop : loops_) {
      const Span& at = program_.stmts[loop].span;
      if (at.begin > last.begin) continue;
      follow_from(at);
      core::Modified set = effects_.of(loop);
      set.original.insert(set.relaxed.begin(), set.relaxed.end());
      // That it was left early is no reason: what it computes is.
      for (VarId result : function_.results) set.original.erase(result);
      if (!are_disjoint(set.original, spoken_of_)) return at;
    }
    return std::nullopt;
  }

 private:
  void read(ExprId id) {
    core::for_each_read(program_, id, [&](VarId var, core::Side) { spoken_of_.insert(var); });
  }
  // What it is computed from behind the loop.
  void follow_from(const Span& loop) {
    std::size_t before = 0;
    do {
      before = spoken_of_.size();
      for (StmtId leaf : leaves_) {
        const Span& at = program_.stmts[leaf].span;
        const core::Modified& set = effects_.of(leaf);
        if (at.begin < loop.end ||
            (are_disjoint(set.original, spoken_of_) && are_disjoint(set.relaxed, spoken_of_)))
          continue;
        core::for_each_expression(program_, leaf, [&](ExprId id, core::Use) { read(id); });
      }
    } while (spoken_of_.size() != before);
  }

  const core::Program& program_;
  const core::Function& function_;
  core::Effects effects_;
  std::set<VarId> spoken_of_;
  std::vector<StmtId> loops_, leaves_;  // loops: the last one first
};

bool is_number(const core::Program& program, ExprId id) {
  return std::holds_alternative<core::NumberConst>(program.exprs[id].node);
}

Nonlinear nonlinear_in(const core::Program& program, ExprId id,
                       std::set<core::DefinitionId>& seen) {
  const core::Expr& e = program.exprs[id];
  if (const auto* apply = std::get_if<core::Apply>(&e.node); apply != nullptr) {
    const bool two = apply->args.size() == 2;
    if (apply->op == core::Op::Mul && two && !is_number(program, apply->args[0]) &&
        !is_number(program, apply->args[1]))
      return Nonlinear::Product;
    if ((apply->op == core::Op::Div || apply->op == core::Op::Mod) && two &&
        !is_number(program, apply->args[1]))
      return Nonlinear::Quotient;
  }
  Nonlinear found = Nonlinear::Nothing;
  const auto look = [&](ExprId child) {
    if (found == Nonlinear::Nothing) found = nonlinear_in(program, child, seen);
  };
  if (const auto* defined = std::get_if<core::Defined>(&e.node);
      defined != nullptr && seen.insert(defined->definition).second) {
    const core::Definition& d = program.definitions[defined->definition];
    if (d.body.valid()) look(d.body);
  }
  core::for_each_child(program, id, look);
  return found;
}

}  // namespace

std::optional<Span> find_loop_behind(const core::Program& program, const prove::Claim& claim,
                                     const Span& last) {
  const core::FunctionId function = core::find_function(program, claim.id.function);
  const vcgen::Obligation* o = claim.obligation();
  if (!function.valid() || o == nullptr || !o->expr.valid()) return last;
  if (program.functions[function].external()) return last;
  return Backwards(program, function, o->expr).find(last);
}

Nonlinear find_nonlinear(const core::Program& program, const prove::Claim& claim) {
  const vcgen::Obligation* o = claim.obligation();
  std::set<core::DefinitionId> seen;
  return o == nullptr || !o->expr.valid() ? Nonlinear::Nothing
                                          : nonlinear_in(program, o->expr, seen);
}

}  // namespace leto::report
