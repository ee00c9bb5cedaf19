#include <algorithm>

#include "explain/explain.h"

namespace leto::explain {

using core::ExprId;
using core::Op;
using interp::Number;

namespace {

class Dissection {
 public:
  Dissection(const interp::Machine& machine, core::Side side, const interp::Moment& moment)
      : machine_(machine),
        program_(machine.program()),
        scope_{moment.pair, side, &moment.snapshots} {}

  std::vector<Worth> run(ExprId expr) {
    try {
      wrong(expr, false);
    } catch (const interp::Undecidable&) {
      // What was found so far stands.
    }
    return std::move(out_);
  }

 private:
  bool truth(ExprId id) { return machine_.evaluator().truth(id, scope_); }

  void say(ExprId id) {
    const core::Expr& e = program_.exprs[id];
    if (std::holds_alternative<core::NumberConst>(e.node) ||
        std::holds_alternative<core::BoolConst>(e.node))
      return;
    add(core::source(program_, id), shortened(machine_.evaluator().value(id, scope_), e.type));
  }
  void add(std::string text, std::string value) {
    for (const Worth& known : out_)
      if (known.text == text && known.value == value) return;
    out_.push_back({std::move(text), std::move(value)});
  }

  // The value of an operand, and of the variables and elements in it.
  void operand(ExprId id) {
    say(id);
    leaves(id);
  }
  void leaves(ExprId id) {
    if (core::is_left(program_, id)) return say(id);
    const auto& node = program_.exprs[id].node;
    if (const auto* apply = std::get_if<core::Apply>(&node)) {
      for (ExprId arg : apply->args) leaves(arg);
      return;
    }
    say(id);
    if (const auto* select = std::get_if<core::Select>(&node))
      for (ExprId index : select->indices) leaves(index);
  }

  // The expression has the value `is`, which is not the one that was wished for.
  void wrong(ExprId id, bool is) {
    if (core::is_left(program_, id)) return say(id);
    const auto& node = program_.exprs[id].node;
    if (const auto* apply = std::get_if<core::Apply>(&node)) {
      const auto& args = apply->args;
      switch (apply->op) {
        case Op::And:
        case Op::Or: {
          // Of a false conjunction the false ones, of a true disjunction the true ones;
          // else all of them.
          const bool all = (apply->op == Op::Or) != is;
          for (ExprId arg : args)
            if (all || truth(arg) == is) wrong(arg, is);
          return;
        }
        case Op::Not:
          return wrong(args[0], !is);
        case Op::Implies:
          if (!is) {
            say(args[0]);
            return wrong(args[1], false);
          }
          break;
        case Op::Eq:
        case Op::Ne:
          if (program_.exprs[args[0]].type.rank > 0) return vectors(id, args);
          [[fallthrough]];
        case Op::Lt:
        case Op::Le:
        case Op::Gt:
        case Op::Ge:
          add(core::source(program_, id), is ? "true" : "false");
          for (ExprId arg : args) operand(arg);
          return;
        case Op::Choose:
          say(args[0]);
          return wrong(args[truth(args[0]) ? 1 : 2], is);
        case Op::Neg:
        case Op::Abs:
        case Op::ToReal:
        case Op::Floor:
        case Op::ToNatural:
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::Div:
        case Op::Mod:
        case Op::Min:
        case Op::Max:
          break;
      }
    }
    if (const auto* quant = std::get_if<core::Quant>(&node); quant != nullptr && !is) {
      add(core::source(program_, id), "false");
      if (quant->universal) instance(*quant, 0);
      return;
    }
    say(id);
  }

  void vectors(ExprId id, const std::vector<ExprId>& args) {
    add(core::source(program_, id), truth(id) ? "true" : "false");
    for (ExprId arg : args) say(arg);
  }

  // Values of the bound variables for which the body is false.
  bool instance(const core::Quant& quant, std::size_t next) {
    if (next == quant.bound.size()) {
      if (truth(quant.body)) return false;
      for (std::size_t i = 0; i < quant.bound.size(); ++i) {
        const auto& [var, value] = scope_.bound[scope_.bound.size() - quant.bound.size() + i];
        add(program_.vars[var].name, value.text());
      }
      wrong(quant.body, false);
      return true;
    }
    for (std::int64_t n = 0; n <= 16; ++n) {
      scope_.bound.emplace_back(quant.bound[next], Number(n));
      const bool found = instance(quant, next + 1);
      scope_.bound.pop_back();
      if (found) return true;
    }
    return false;
  }

  const interp::Machine& machine_;
  const core::Program& program_;
  interp::Scope scope_;
  std::vector<Worth> out_;
};

}  // namespace

std::string shortened(const interp::Value& value, const core::Type& type) {
  constexpr std::size_t kMost = 6;
  const std::string whole = text(value, type);
  if (!value.array || value.array->elements.size() <= kMost) return whole;
  if (type.rank != 1) {
    std::string out;
    for (std::int64_t size : value.array->sizes)
      out += (out.empty() ? "" : " x ") + std::to_string(size);
    return out + " elements";
  }
  std::string out = "[";
  for (std::size_t k = 0; k + 1 < kMost; ++k)
    out += interp::text({value.array->elements[k], nullptr}, type.element()) + ", ";
  return out + "... " + interp::text({value.array->elements.back(), nullptr}, type.element()) + "]";
}

std::vector<Worth> dissect(const interp::Machine& machine, ExprId expr, core::Side side,
                           const interp::Moment& moment) {
  return Dissection(machine, side, moment).run(expr);
}

}  // namespace leto::explain
