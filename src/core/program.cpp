#include <fmt/core.h>

#include <unordered_set>

#include "core/core.h"

namespace leto::core {

std::string_view spelling(Op op) {
  switch (op) {
    case Op::Not:
      return "!";
    case Op::Neg:
      return "-";
    case Op::Abs:
      return "abs";
    case Op::ToReal:
      return "real";
    case Op::Add:
      return "+";
    case Op::Sub:
      return "-";
    case Op::Mul:
      return "*";
    case Op::Div:
      return "/";
    case Op::Mod:
      return "%";
    case Op::And:
      return "&&";
    case Op::Or:
      return "||";
    case Op::Implies:
      return "->";
    case Op::Eq:
      return "==";
    case Op::Ne:
      return "!=";
    case Op::Lt:
      return "<";
    case Op::Le:
      return "<=";
    case Op::Gt:
      return ">";
    case Op::Ge:
      return ">=";
    case Op::Min:
      return "min";
    case Op::Max:
      return "max";
  }
  LETO_ASSERT(false);
}

std::string_view describe(CheckKind kind) {
  switch (kind) {
    case CheckKind::Bounds:
      return "the index is within bounds";
    case CheckKind::DivisionByZero:
      return "the divisor is not zero";
    case CheckKind::Natural:
      return "the value for a uint is not negative";
    case CheckKind::SameSize:
      return "the sizes agree";
  }
  LETO_ASSERT(false);
}

std::vector<StmtId> children(const Program& program, StmtId id) {
  using Children = std::vector<StmtId>;
  Children all = std::visit(Overload{
                                [](const Assign&) { return Children{}; },
                                [](const core::Store&) { return Children{}; },
                                [](const Declare&) { return Children{}; },
                                [](const Relaxed&) { return Children{}; },
                                [](const Write&) { return Children{}; },
                                [](const Check&) { return Children{}; },
                                [](const Claim&) { return Children{}; },
                                [](const Block& s) { return s.body; },
                                [](const If& s) {
                                  return Children{s.then_branch, s.else_branch};
                                },
                                [](const While& s) {
                                  return Children{s.before, s.body};
                                },
                                [](const Call&) { return Children{}; },
                            },
                            program.stmts[id].node);
  std::erase_if(all, [](StmtId child) { return !child.valid(); });
  return all;
}

namespace {

void visit_once(const Program& program, StmtId id, std::unordered_set<StmtId>& seen,
                const std::function<void(StmtId)>& f) {
  if (!seen.insert(id).second) return;
  f(id);
  for (StmtId child : children(program, id)) visit_once(program, child, seen, f);
}

}  // namespace

void for_each_statement(const Program& program, StmtId id, const std::function<void(StmtId)>& f) {
  std::unordered_set<StmtId> seen;
  if (id.valid()) visit_once(program, id, seen, f);
}

std::string title(const Program& program, std::uint32_t specification) {
  const std::string& label = program.specifications[specification].label;
  return label.empty() ? fmt::format("specification {}", specification) : label;
}

std::vector<std::string> externals_called(const Program& program) {
  std::set<std::string> names;
  for (const Function& f : program.functions)
    for_each_statement(program, f.body, [&](StmtId id) {
      const auto* call = std::get_if<Call>(&program.stmts[id].node);
      if (call != nullptr && program.functions[call->callee].external())
        names.insert(program.functions[call->callee].name);
    });
  return {names.begin(), names.end()};
}

std::vector<ExprId> children(const Program& program, ExprId id) {
  using Children = std::vector<ExprId>;
  return std::visit(Overload{
                        [](const BoolConst&) { return Children{}; },
                        [](const NumberConst&) { return Children{}; },
                        [](const VarRef&) { return Children{}; },
                        [](const OldRef&) { return Children{}; },
                        [](const Length& e) { return Children{e.vector}; },
                        [](const Select& e) {
                          Children all{e.vector};
                          all.insert(all.end(), e.indices.begin(), e.indices.end());
                          return all;
                        },
                        [](const Apply& e) { return e.args; },
                        [](const Quant& e) { return Children{e.body}; },
                        [](const Snapshot& e) { return Children{e.expr}; },
                    },
                    program.exprs[id].node);
}

void for_each_read(const Program& program, ExprId id, const std::function<void(VarId, Side)>& f) {
  const auto& node = program.exprs[id].node;
  if (const auto* ref = std::get_if<VarRef>(&node)) f(ref->var, ref->side);
  if (const auto* old = std::get_if<OldRef>(&node)) f(old->var, Side::Relaxed);
  for (ExprId child : children(program, id)) for_each_read(program, child, f);
}

std::vector<ExprId> evaluated(const Program& program, StmtId id) {
  using List = std::vector<ExprId>;
  const auto with = [](List list, ExprId one) {
    list.push_back(one);
    return list;
  };
  return std::visit(Overload{
                        [](const Assign& s) { return List{s.value}; },
                        [&](const core::Store& s) { return with(s.indices, s.value); },
                        [](const Declare& s) { return s.sizes; },
                        [&](const Relaxed& s) { return with(s.args, s.exact); },
                        [&](const Write& s) { return with(s.indices, s.value); },
                        [](const Check& s) { return List{s.expr}; },
                        [](const Claim& s) { return List{s.expr}; },
                        [](const Block&) { return List{}; },
                        [](const If& s) { return List{s.condition}; },
                        [](const While& s) { return List{s.condition}; },
                        [](const Call& s) { return s.args; },
                    },
                    program.stmts[id].node);
}

VarId target_of(const Program& program, StmtId id) {
  return std::visit(Overload{
                        [](const Assign& s) { return s.target; },
                        [](const core::Store& s) { return s.target; },
                        [](const Declare& s) { return s.target; },
                        [](const Relaxed& s) { return s.target; },
                        [](const Write& s) { return s.target; },
                        [](const Check&) { return VarId{}; },
                        [](const Claim&) { return VarId{}; },
                        [](const Block&) { return VarId{}; },
                        [](const If&) { return VarId{}; },
                        [](const While&) { return VarId{}; },
                        [](const Call& s) { return s.target; },
                    },
                    program.stmts[id].node);
}

std::vector<ExprId> conjuncts(const Program& program, ExprId id) {
  const auto* apply = std::get_if<Apply>(&program.exprs[id].node);
  if (apply == nullptr || apply->op != Op::And) return {id};
  std::vector<ExprId> out;
  for (ExprId arg : apply->args)
    for (ExprId part : conjuncts(program, arg)) out.push_back(part);
  return out;
}

std::string operation(const Program& program, const Stmt& stmt) {
  if (const auto* relaxed = std::get_if<Relaxed>(&stmt.node)) return relaxed->site.what;
  if (const auto* write = std::get_if<Write>(&stmt.node)) return write->site.what;
  if (const auto* call = std::get_if<Call>(&stmt.node)) return program.functions[call->callee].name;
  return "";
}

}  // namespace leto::core
