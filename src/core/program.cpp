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

}  // namespace leto::core
