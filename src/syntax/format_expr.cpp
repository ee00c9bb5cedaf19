#include "syntax/format_expr.h"

namespace leto::syntax {

namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

unsigned column(const std::string& out) {
  const std::size_t newline = out.rfind('\n');
  return static_cast<unsigned>(newline == std::string::npos ? out.size()
                                                            : out.size() - newline - 1);
}

void start_line(std::string& out, unsigned indent) {
  out += '\n';
  out.append(indent, ' ');
}

}  // namespace

std::string format_type(const TypeSyntax& type, const NameTable& names) {
  std::string scalar(type.record.valid() ? names.text(type.record) : spelling(type.scalar));
  if (type.scalar == Scalar::Bits) scalar += "<" + std::to_string(type.width) + ">";
  switch (type.shape) {
    case Shape::Scalar:
      return scalar;
    case Shape::Vector:
      return "vector<" + scalar + ">";
    case Shape::Matrix:
      return "matrix<" + scalar + ">";
  }
  LETO_ASSERT(false);
}

bool ExprPrinter::needs_parens(ExprId child, int parent, bool strictly) const {
  int own = 100;
  if (const auto* binary = std::get_if<BinaryExpr>(&tree_.exprs[child].node))
    own = precedence(binary->op);
  else if (std::holds_alternative<ChainExpr>(tree_.exprs[child].node))
    own = precedence(BinaryOp::Lt);
  else if (std::holds_alternative<IfExpr>(tree_.exprs[child].node))
    own = 0;
  return strictly ? own <= parent : own < parent;
}

void ExprPrinter::child(std::string& out, ExprId id, bool parens) const {
  if (parens) out += '(';
  flat(out, id);
  if (parens) out += ')';
}

void ExprPrinter::print_base(std::string& out, ExprId id) const {
  const auto& base = tree_.exprs[id].node;
  const bool parens =
      std::holds_alternative<UnaryExpr>(base) || std::holds_alternative<BinaryExpr>(base) ||
      std::holds_alternative<ChainExpr>(base) || std::holds_alternative<IfExpr>(base);
  child(out, id, parens);
}

void ExprPrinter::print_flat(std::string& out, const IndexExpr& e) const {
  print_base(out, e.base);
  out += '[';
  flat(out, e.index);
  out += ']';
}

void ExprPrinter::print_flat(std::string& out, const UpdateExpr& e) const {
  print_base(out, e.base);
  out += '[';
  flat(out, e.index);
  out += " := ";
  flat(out, e.value);
  out += ']';
}

void ExprPrinter::print_flat(std::string& out, const UnaryExpr& e) const {
  out += spelling(e.op);
  if (e.dotted) out += '.';
  const auto* inner = std::get_if<UnaryExpr>(&tree_.exprs[e.operand].node);
  // `- -x`: without the blank this would be the step `--`.
  if (!e.dotted && e.op == UnaryOp::Negate && inner && inner->op == UnaryOp::Negate) out += ' ';
  child(out, e.operand, needs_parens(e.operand, 50, false));
}

void ExprPrinter::print_flat(std::string& out, const BinaryExpr& e) const {
  const int own = precedence(e.op);
  const bool to_right = e.op == BinaryOp::Implies;
  const bool alone = is_comparison(e.op);
  child(out, e.lhs, needs_parens(e.lhs, own, to_right || alone));
  out += ' ';
  out += spelling(e.op);
  out += e.dotted ? ". " : " ";
  child(out, e.rhs, needs_parens(e.rhs, own, !to_right));
}

void ExprPrinter::print_flat(std::string& out, const ChainExpr& e) const {
  const int own = precedence(BinaryOp::Lt);
  for (std::size_t i = 0; i < e.operands.size(); ++i) {
    if (i != 0) {
      out += ' ';
      out += spelling(e.ops[i - 1]);
      out += ' ';
    }
    child(out, e.operands[i], needs_parens(e.operands[i], own, true));
  }
}

void ExprPrinter::print_flat(std::string& out, const IfExpr& e) const {
  out += "if (";
  flat(out, e.condition);
  out += ") ";
  flat(out, e.then_value);
  out += " else ";
  flat(out, e.else_value);
}

void ExprPrinter::print_flat(std::string& out, const QuantExpr& e) const {
  out += e.universal ? "forall(" : "exists(";
  for (std::size_t i = 0; i < e.binders.size(); ++i) {
    if (i != 0) out += ", ";
    out += format_type(e.binders[i].type, names_) + " ";
    out += text(e.binders[i].name.name);
  }
  out += ")(";
  flat(out, e.body);
  out += ')';
}

void ExprPrinter::print_head(std::string& out, const CountExpr& e) const {
  out += "count(" + format_type(e.binder.type, names_) + " ";
  out += text(e.binder.name.name);
  out += ")(";
}

void ExprPrinter::flat(std::string& out, ExprId id) const {
  const auto list = [&](const std::vector<ExprId>& args) {
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (i != 0) out += ", ";
      flat(out, args[i]);
    }
  };
  const auto clauses = [&](const CallExpr& e) {
    for (std::size_t i = 0; i < e.args.size(); ++i) {
      out += separator(e, i);
      if (!out.ends_with('(')) out += ' ';
      flat(out, e.args[i]);
    }
  };
  std::visit(Overloaded{
                 [&](const ErrorExpr&) { out += "<error>"; },
                 [&](const IntegerExpr& e) { out += text(e.written.valid() ? e.written : e.text); },
                 [&](const PartExpr& e) {
                   print_base(out, e.base);
                   out += '[';
                   flat(out, e.high);
                   out += ':';
                   flat(out, e.low);
                   out += ']';
                 },
                 [&](const WidenExpr& e) {
                   out += text(e.callee.name);
                   out += '<' + std::to_string(e.width) + ">(";
                   flat(out, e.arg);
                   out += ')';
                 },
                 [&](const RealExpr& e) { out += text(e.text); },
                 [&](const BoolExpr& e) { out += e.value ? "true" : "false"; },
                 [&](const NameExpr& e) { out += text(e.name); },
                 [&](const SidedExpr& e) {
                   out += text(e.name);
                   out += e.side == Side::Original ? "<o>" : "<r>";
                 },
                 [&](const ModelExpr& e) {
                   out += "model.";
                   out += text(e.member.name);
                 },
                 [&](const MemberExpr& e) {
                   out += text(e.scope.name);
                   out += '.';
                   out += text(e.member.name);
                 },
                 [&](const FieldExpr& e) {
                   print_base(out, e.base);
                   out += '.';
                   out += text(e.field.name);
                 },
                 [&](const IndexExpr& e) { print_flat(out, e); },
                 [&](const UpdateExpr& e) { print_flat(out, e); },
                 [&](const ParenExpr& e) { child(out, e.inner, true); },
                 [&](const UnaryExpr& e) { print_flat(out, e); },
                 [&](const BinaryExpr& e) { print_flat(out, e); },
                 [&](const ChainExpr& e) { print_flat(out, e); },
                 [&](const CallExpr& e) {
                   out += callee(e);
                   out += '(';
                   if (e.of)
                     clauses(e);
                   else
                     list(e.args);
                   out += ')';
                 },
                 [&](const MemberCallExpr& e) {
                   out += callee(e);
                   out += '(';
                   list(e.args);
                   out += ')';
                 },
                 [&](const EqExpr& e) {
                   out += "eq(";
                   flat(out, e.arg);
                   out += ')';
                 },
                 [&](const EqAllExpr&) { out += "eq(*)"; },
                 [&](const OldExpr& e) {
                   out += "old(";
                   flat(out, e.arg);
                   out += ')';
                 },
                 [&](const IfExpr& e) { print_flat(out, e); },
                 [&](const QuantExpr& e) { print_flat(out, e); },
                 [&](const CountExpr& e) {
                   print_head(out, e);
                   flat(out, e.body);
                   out += ')';
                 },
             },
             tree_.exprs[id].node);
}

std::string ExprPrinter::callee(const CallExpr& e) const {
  return e.of ? std::string(text(e.of->problem.name)) + ".right" : std::string(text(e.callee.name));
}

std::string_view ExprPrinter::separator(const CallExpr& e, std::size_t i) {
  if (e.of && i == e.of->inputs) return ";";
  if (e.of && i == e.of->inputs + e.of->outputs) return " against";
  return i == 0 ? "" : ",";
}

std::string ExprPrinter::callee(const MemberCallExpr& e) const {
  return std::string(e.scope ? text(e.scope->name) : "model") + "." +
         std::string(text(e.member.name));
}

unsigned ExprPrinter::length(ExprId id) {
  unsigned& known = lengths_[id.value];
  if (known == 0) {
    // Anything wider than a line counts as "wider than a line", so measuring
    // every level of a deep expression stays cheap.
    const auto capped = [&](unsigned n) { return std::min(n, width_ + 1); };
    const auto sum = [&](const std::vector<ExprId>& parts, unsigned between) {
      unsigned total = 0;
      for (ExprId part : parts) total = capped(total + length(part) + (total == 0 ? 0 : between));
      return total;
    };
    unsigned n = 0;
    const auto& node = tree_.exprs[id].node;
    if (const auto* e = std::get_if<ParenExpr>(&node)) {
      n = length(e->inner) + 2;
    } else if (const auto* b = std::get_if<BinaryExpr>(&node)) {
      n = sum({b->lhs, b->rhs},
              static_cast<unsigned>(spelling(b->op).size()) + (b->dotted ? 3 : 2));
    } else if (const auto* c = std::get_if<ChainExpr>(&node)) {
      n = sum(c->operands, 4);
    } else if (const auto* call = std::get_if<CallExpr>(&node)) {
      n = sum(call->args, 2) + static_cast<unsigned>(callee(*call).size()) + 2;
      if (call->of) n += 9;  // as long as " against "
    } else if (const auto* of = std::get_if<MemberCallExpr>(&node)) {
      n = sum(of->args, 2) + static_cast<unsigned>(callee(*of).size()) + 2;
    } else if (const auto* u = std::get_if<UnaryExpr>(&node)) {
      n = length(u->operand) + 2;
    } else if (const auto* i = std::get_if<IndexExpr>(&node)) {
      n = sum({i->base, i->index}, 1) + 1;
    } else if (const auto* field = std::get_if<FieldExpr>(&node)) {
      n = capped(length(field->base) + 1 + static_cast<unsigned>(text(field->field.name).size()));
    } else if (const auto* update = std::get_if<UpdateExpr>(&node)) {
      n = sum({update->base, update->index, update->value}, 4) + 2;
    } else if (const auto* part = std::get_if<PartExpr>(&node)) {
      n = sum({part->base, part->high, part->low}, 1) + 1;
    } else if (const auto* widen = std::get_if<WidenExpr>(&node)) {
      n = capped(length(widen->arg) + static_cast<unsigned>(text(widen->callee.name).size()) + 8);
    } else if (const auto* choice = std::get_if<IfExpr>(&node)) {
      n = sum({choice->condition, choice->then_value, choice->else_value}, 6) + 4;
    } else if (const auto* q = std::get_if<QuantExpr>(&node)) {
      n = length(q->body) + 10;
      for (const Binder& binder : q->binders)
        n = capped(n + 6 + static_cast<unsigned>(text(binder.name.name).size()));
    } else if (const auto* count = std::get_if<CountExpr>(&node)) {
      std::string head;
      print_head(head, *count);
      n = length(count->body) + static_cast<unsigned>(head.size()) + 1;
    } else if (const auto* eq = std::get_if<EqExpr>(&node)) {
      n = length(eq->arg) + 4;
    } else if (const auto* old = std::get_if<OldExpr>(&node)) {
      n = length(old->arg) + 5;
    } else {
      std::string out;
      flat(out, id);
      n = static_cast<unsigned>(out.size());
    }
    known = std::max(1u, capped(n));
  }
  return known;
}

void ExprPrinter::print(std::string& out, ExprId id, unsigned indent, unsigned reserve) {
  if (column(out) + length(id) + reserve <= width_)
    flat(out, id);
  else
    broken(out, id, indent, reserve);
}

void ExprPrinter::broken(std::string& out, ExprId id, unsigned indent, unsigned reserve) {
  const auto list = [&](const auto& call) {
    for (std::size_t i = 0; i < call.args.size(); ++i) {
      if constexpr (std::is_same_v<std::decay_t<decltype(call)>, CallExpr>)
        out += separator(call, i);
      else if (i != 0)
        out += ',';
      start_line(out, indent + 4);
      print(out, call.args[i], indent + 4, i + 1 == call.args.size() ? reserve + 1 : 1);
    }
  };
  const auto& node = tree_.exprs[id].node;
  if (const auto* binary = std::get_if<BinaryExpr>(&node)) {
    const int own = precedence(binary->op);
    const bool to_right = binary->op == BinaryOp::Implies;
    const bool alone = is_comparison(binary->op);
    const auto operand = [&](ExprId part, bool parens, unsigned after) {
      if (parens) out += '(';
      print(out, part, indent, after + (parens ? 1 : 0));
      if (parens) out += ')';
    };
    // A chain of one operator is broken at each of its links, not where it happens to fill up.
    const auto* link = std::get_if<BinaryExpr>(&tree_.exprs[binary->lhs].node);
    if (link != nullptr && link->op == binary->op && !to_right && !alone)
      broken(out, binary->lhs, indent, 3);
    else
      operand(binary->lhs, needs_parens(binary->lhs, own, to_right || alone), 3);
    out += ' ';
    out += spelling(binary->op);
    if (binary->dotted) out += '.';
    start_line(out, indent);
    operand(binary->rhs, needs_parens(binary->rhs, own, !to_right), reserve);
  } else if (const auto* paren = std::get_if<ParenExpr>(&node)) {
    out += '(';
    print(out, paren->inner, indent + 1, reserve + 1);
    out += ')';
  } else if (const auto* call = std::get_if<CallExpr>(&node); call && !call->args.empty()) {
    out += callee(*call);
    out += '(';
    list(*call);
    out += ')';
  } else if (const auto* of = std::get_if<MemberCallExpr>(&node); of && !of->args.empty()) {
    out += callee(*of);
    out += '(';
    list(*of);
    out += ')';
  } else if (const auto* quant = std::get_if<QuantExpr>(&node)) {
    out += quant->universal ? "forall(" : "exists(";
    for (std::size_t i = 0; i < quant->binders.size(); ++i) {
      if (i != 0) out += ", ";
      out += format_type(quant->binders[i].type, names_) + " ";
      out += text(quant->binders[i].name.name);
    }
    out += ")(";
    start_line(out, indent + 4);
    print(out, quant->body, indent + 4, reserve + 1);
    out += ')';
  } else if (const auto* count = std::get_if<CountExpr>(&node)) {
    print_head(out, *count);
    start_line(out, indent + 4);
    print(out, count->body, indent + 4, reserve + 1);
    out += ')';
  } else if (const auto* choice = std::get_if<IfExpr>(&node)) {
    out += "if (";
    print(out, choice->condition, indent + 4, 1);
    out += ')';
    start_line(out, indent + 4);
    print(out, choice->then_value, indent + 4, 0);
    start_line(out, indent);
    out += "else ";
    print(out, choice->else_value, indent, reserve);
  } else if (const auto* chain = std::get_if<ChainExpr>(&node)) {
    for (std::size_t i = 0; i < chain->operands.size(); ++i) {
      if (i != 0) {
        out += ' ';
        out += spelling(chain->ops[i - 1]);
        start_line(out, indent);
      }
      const bool parens = needs_parens(chain->operands[i], precedence(BinaryOp::Lt), true);
      if (parens) out += '(';
      print(out, chain->operands[i], indent, 3);
      if (parens) out += ')';
    }
  } else {
    flat(out, id);
  }
}

}  // namespace leto::syntax
