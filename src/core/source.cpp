// Expressions of specifications as the user would write them. Unlike `print`, which shows the
// core form to us, the text can be put into the program: parentheses only where the grammar
// needs them, eq(...) where that is what is meant.
#include <fmt/core.h>

#include <map>

#include "core/core.h"

namespace leto::core {

namespace {

// From loose to tight, as the grammar has it.
enum Level { kImplies = 1, kOr, kAnd, kComparison, kSum, kProduct, kUnary, kPrimary };

int level(Op op) {
  switch (op) {
    case Op::Implies:
      return kImplies;
    case Op::Or:
      return kOr;
    case Op::And:
      return kAnd;
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
      return kComparison;
    case Op::Add:
    case Op::Sub:
      return kSum;
    case Op::Mul:
    case Op::Div:
    case Op::Mod:
      return kProduct;
    case Op::Not:
    case Op::Neg:
      return kUnary;
    case Op::Abs:
    case Op::ToReal:
    case Op::Floor:
    case Op::ToNatural:
    case Op::Min:
    case Op::Max:
      return kPrimary;
    case Op::Choose:
      return 0;
  }
  return kPrimary;
}

class SourcePrinter {
 public:
  explicit SourcePrinter(const Program& program) : program_(program) {}

  // `least`: the level that needs no parentheses here.
  std::string text(ExprId id, int least) {
    // One word, whatever the ways to leave are.
    while (is_left(program_, id)) id = std::get<Apply>(program_.exprs[id].node).args[0];
    const Expr& e = program_.exprs[id];
    if (const auto* word = std::get_if<Word>(&e.node)) return visit(*word, e.type, least);
    return std::visit([&](const auto& node) { return visit(node, least); }, e.node);
  }

 private:
  // Bound variables come from wherever the formula was written; here another variable may
  // have the name, and it must not be hidden.
  std::string name(VarId id) {
    if (program_.vars[id].kind != VarKind::Bound) return program_.vars[id].name;
    const auto [it, fresh] = bound_.emplace(id, program_.vars[id].name);
    if (!fresh) return it->second;
    const auto taken = [&](const std::string& text) {
      for (const Var& var : program_.vars)
        if (var.kind != VarKind::Bound && var.name == text) return true;
      for (const auto& [other, used] : bound_)
        if (other != id && used == text) return true;
      return false;
    };
    const Var& var = program_.vars[id];
    for (int n = 2; taken(it->second); ++n)
      it->second = var.record == 0 ? fmt::format("{}{}", var.name, n)
                                   : fmt::format("{}{}.{}", record_name(var), n, field_name(var));
    return it->second;
  }

  std::string visit(const BoolConst& node, int) { return node.value ? "true" : "false"; }
  std::string visit(const NumberConst& node, int) { return node.text; }
  std::string visit(const VarRef& node, int) {
    const VarKind kind = program_.vars[node.var].kind;
    const bool sided = kind == VarKind::Param || kind == VarKind::Local ||
                       kind == VarKind::Result || kind == VarKind::Temp;
    // A specvar without a side is its copy in the relaxed run.
    if (kind == VarKind::Ghost && node.side == Side::Original) return name(node.var) + "<o>";
    // What was on entry is of the relaxed run anyway.
    const bool entered = kind == VarKind::Temp && program_.vars[node.var].name.starts_with("old(");
    std::string text = name(node.var);
    if (sided && node.side != Side::Open && !plain_ && !entered)  // result<o>.q
      text.insert(std::min(text.find('.'), text.size()),
                  node.side == Side::Original ? "<o>" : "<r>");
    return program_.vars[node.var].passed ? "old(" + text + ")" : text;
  }
  std::string visit(const OldRef& node, int) { return "old(" + name(node.var) + ")"; }
  std::string visit(const Length& node, int) {
    return fmt::format("size{}({})", node.dimension, text(node.vector, 0));
  }
  std::string visit(const Select& node, int) {
    std::string out = text(node.vector, kPrimary);
    for (ExprId index : node.indices) out += "[" + text(index, 0) + "]";
    return out;
  }
  std::string visit(const Apply& node, int least) {
    if (level(node.op) == kPrimary) {
      std::string out = std::string(spelling(node.op)) + "(";
      for (std::size_t i = 0; i < node.args.size(); ++i)
        out += (i == 0 ? "" : ", ") + text(node.args[i], 0);
      return out + ")";
    }
    if (node.op == Op::Eq && !plain_ && mirrored(node.args[0], node.args[1])) {
      plain_ = true;
      std::string out = "eq(" + text(node.args[0], 0) + ")";
      plain_ = false;
      return out;
    }
    const int own = level(node.op);
    std::string out;
    if (node.op == Op::Choose) {
      out = fmt::format("if ({}) {} else {}", text(node.args[0], 0), text(node.args[1], 0),
                        text(node.args[2], 0));
    } else if (node.args.size() == 1) {
      out = std::string(spelling(node.op)) + text(node.args[0], kPrimary);
    } else {
      // To the right of `->` the same again needs no parentheses, elsewhere to the left; and
      // comparisons would chain.
      const bool right = node.op == Op::Implies;
      const bool chains = own == kComparison;
      out = fmt::format("{} {} {}", text(node.args[0], right || chains ? own + 1 : own),
                        spelling(node.op), text(node.args[1], right ? own : own + 1));
    }
    return own < least ? "(" + out + ")" : out;
  }
  std::string visit(const Quant& node, int) {
    std::string out = node.universal ? "forall(" : "exists(";
    for (std::size_t i = 0; i < node.bound.size(); ++i) {
      const Type& type = program_.vars[node.bound[i]].type;
      const std::string word = type.base == Base::Bool   ? "bool"
                               : type.base == Base::Real ? "real"
                               : type.base == Base::Word ? fmt::format("bits<{}>", type.width)
                               : type.natural            ? "uint"
                                                         : "int";
      out += fmt::format("{}{} {}", i == 0 ? "" : ", ", word, name(node.bound[i]));
    }
    out += ")(" + text(node.body, 0) + ")";
    for (VarId var : node.bound) bound_.erase(var);
    return out;
  }
  std::string visit(const Row& node, int) {
    return fmt::format("{}[{}]", text(node.matrix, kPrimary), text(node.index, 0));
  }
  std::string visit(const Update& node, int) {
    return fmt::format("{}[{} := {}]", text(node.vector, kPrimary), text(node.index, 0),
                       text(node.value, 0));
  }
  std::string visit(const Defined& node, int) {
    std::string out;
    for (ExprId arg : node.args) out += (out.empty() ? "" : ", ") + text(arg, 0);
    return program_.definitions[node.definition].name + "(" + out + ")";
  }
  std::string visit(const Word&, int) { LETO_ASSERT(false); }  // see above
  // Between operators that are not compared here there are always parentheses.
  std::string visit(const Word& node, const Type& type, int least) {
    const auto arg = [&](std::size_t i, int level) { return text(node.args[i], level); };
    const auto all = [&] {
      std::string out;
      for (std::size_t i = 0; i < node.args.size(); ++i) out += (i == 0 ? "" : ", ") + arg(i, 0);
      return out;
    };
    const auto between = [&](int own) {
      std::string out = fmt::format("{} {} {}", arg(0, kUnary), spelling(node.op), arg(1, kUnary));
      return own < least ? "(" + out + ")" : out;
    };
    switch (node.op) {
      case WordOp::Not:
      case WordOp::Neg:
        return std::string(spelling(node.op)) + arg(0, kPrimary);
      case WordOp::Part:
        return fmt::format("{}[{}:{}]", arg(0, kPrimary), node.low + type.width - 1, node.low);
      case WordOp::ZeroExtend:
      case WordOp::SignExtend:
      case WordOp::OfInt:
        return fmt::format("{}<{}>({})", spelling(node.op), type.width, all());
      case WordOp::ToNatural:
      case WordOp::ToInt:
      case WordOp::Bit:
      case WordOp::WithBit:
      case WordOp::Ones:
      case WordOp::Parity:
      case WordOp::ShiftSigned:
      case WordOp::SignedDiv:
      case WordOp::SignedRem:
      case WordOp::SignedLess:
        return std::string(spelling(node.op)) + "(" + all() + ")";
      case WordOp::And:
      case WordOp::Or:
      case WordOp::Xor:
      case WordOp::ShiftLeft:
      case WordOp::ShiftRight:
      case WordOp::Add:
      case WordOp::Sub:
      case WordOp::Mul:
      case WordOp::Div:
      case WordOp::Mod:
      case WordOp::Join:
        return between(kSum);
      case WordOp::Less:
      case WordOp::AtMost:
      case WordOp::Greater:
      case WordOp::AtLeast:
        return between(kComparison);
    }
    LETO_ASSERT(false);
  }
  std::string visit(const Listed& node, int) {
    std::string out;
    for (ExprId element : node.elements) out += (out.empty() ? "" : ", ") + text(element, 0);
    return "[" + out + "]";
  }
  std::string visit(const Snapshot& node, int) {
    // Only a measure speaks of a loop that has no label.
    const std::string& label = program_.loops[node.loop.value];
    return fmt::format("{}{}[{}]", label.empty() ? "before" : label, node.entry ? ".entry" : "",
                       text(node.expr, 0));
  }

  // The same expression, first of the original and then of the relaxed run.
  [[nodiscard]] bool mirrored(ExprId a, ExprId b) const {
    bool sided = false;
    return same(a, b, sided) && sided;
  }
  [[nodiscard]] bool same(ExprId a, ExprId b, bool& sided) const {
    const Expr &x = program_.exprs[a], &y = program_.exprs[b];
    if (x.node.index() != y.node.index()) return false;
    if (const auto* v = std::get_if<VarRef>(&x.node)) {
      const auto& w = std::get<VarRef>(y.node);
      const VarKind kind = program_.vars[v->var].kind;
      if (v->var != w.var) return false;
      if (kind == VarKind::Constant || kind == VarKind::Bound) return true;
      sided = true;
      return (kind == VarKind::Param || kind == VarKind::Local || kind == VarKind::Result) &&
             v->side == Side::Original && w.side == Side::Relaxed;
    }
    if (const auto* v = std::get_if<Select>(&x.node)) {
      const auto& w = std::get<Select>(y.node);
      if (!same(v->vector, w.vector, sided) || v->indices.size() != w.indices.size()) return false;
      for (std::size_t i = 0; i < v->indices.size(); ++i)
        if (!same(v->indices[i], w.indices[i], sided)) return false;
      return true;
    }
    if (const auto* v = std::get_if<Row>(&x.node)) {
      const auto& w = std::get<Row>(y.node);
      return same(v->matrix, w.matrix, sided) && same(v->index, w.index, sided);
    }
    if (const auto* v = std::get_if<Update>(&x.node)) {
      const auto& w = std::get<Update>(y.node);
      return same(v->vector, w.vector, sided) && same(v->index, w.index, sided) &&
             same(v->value, w.value, sided);
    }
    if (const auto* v = std::get_if<Defined>(&x.node)) {
      const auto& w = std::get<Defined>(y.node);
      if (v->definition != w.definition) return false;
      for (std::size_t i = 0; i < v->args.size(); ++i)
        if (!same(v->args[i], w.args[i], sided)) return false;
      return true;
    }
    if (const auto* v = std::get_if<NumberConst>(&x.node))
      return v->text == std::get<NumberConst>(y.node).text;
    return false;
  }

  const Program& program_;
  std::map<VarId, std::string> bound_;
  bool plain_ = false;  // inside eq(...), where no side is named
};

}  // namespace

std::string called(const Var& var) {
  return var.passed ? "old(" + var.name + ")" : var.name;
}

std::string source(const Program& program, ExprId expr) {
  return SourcePrinter(program).text(expr, 0);
}

}  // namespace leto::core
