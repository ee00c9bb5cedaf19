#include <fmt/core.h>

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

void for_each_statement(const Program& program, StmtId id, const std::function<void(StmtId)>& f) {
  if (!id.valid()) return;
  f(id);
  const auto& node = program.stmts[id].node;
  if (const auto* block = std::get_if<Block>(&node)) {
    for (StmtId child : block->body) for_each_statement(program, child, f);
  } else if (const auto* branch = std::get_if<If>(&node)) {
    for_each_statement(program, branch->then_branch, f);
    for_each_statement(program, branch->else_branch, f);
  } else if (const auto* loop = std::get_if<While>(&node)) {
    for_each_statement(program, loop->before, f);
    for_each_statement(program, loop->body, f);
  }
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

void for_each_read(const Program& program, ExprId id, const std::function<void(VarId, Side)>& f) {
  std::visit(
      [&](const auto& node) {
        using Node = std::decay_t<decltype(node)>;
        if constexpr (std::is_same_v<Node, VarRef>) {
          f(node.var, node.side);
        } else if constexpr (std::is_same_v<Node, OldRef>) {
          f(node.var, Side::Relaxed);
        } else if constexpr (std::is_same_v<Node, Length>) {
          for_each_read(program, node.vector, f);
        } else if constexpr (std::is_same_v<Node, Select>) {
          for_each_read(program, node.vector, f);
          for (ExprId index : node.indices) for_each_read(program, index, f);
        } else if constexpr (std::is_same_v<Node, Apply>) {
          for (ExprId arg : node.args) for_each_read(program, arg, f);
        } else if constexpr (std::is_same_v<Node, Quant>) {
          for_each_read(program, node.body, f);
        } else if constexpr (std::is_same_v<Node, Snapshot>) {
          for_each_read(program, node.expr, f);
        }
      },
      program.exprs[id].node);
}

std::vector<ExprId> evaluated(const Program& program, StmtId id) {
  std::vector<ExprId> out;
  const auto all = [&](const std::vector<ExprId>& list) {
    out.insert(out.end(), list.begin(), list.end());
  };
  std::visit(
      [&](const auto& s) {
        if constexpr (requires { s.indices; }) all(s.indices);
        if constexpr (requires { s.sizes; }) all(s.sizes);
        if constexpr (requires { s.args; }) all(s.args);
        if constexpr (requires { s.value; }) out.push_back(s.value);
        if constexpr (requires { s.condition; }) out.push_back(s.condition);
        if constexpr (requires { s.expr; }) out.push_back(s.expr);
      },
      program.stmts[id].node);
  return out;
}

std::vector<ExprId> conjuncts(const Program& program, ExprId id) {
  const auto* apply = std::get_if<Apply>(&program.exprs[id].node);
  if (apply == nullptr || apply->op != Op::And) return {id};
  std::vector<ExprId> out;
  for (ExprId arg : apply->args)
    for (ExprId part : conjuncts(program, arg)) out.push_back(part);
  return out;
}

}  // namespace leto::core
