// Expressions of either run, or of both, as C++.
#include <fmt/core.h>

#include <algorithm>

#include "emit/native_writer.h"

namespace leto::emit {

using core::Base;
using core::ExprId;
using core::Op;
using core::Side;
using core::VarId;

// What a variable was before is another matter.
bool NativeProgram::mentions(ExprId id, VarId var) const {
  const auto* ref = std::get_if<core::VarRef>(&program_.exprs[id].node);
  bool found = ref != nullptr && ref->var == var;
  core::for_each_child(program_, id, [&](ExprId child) { found = found || mentions(child, var); });
  return found;
}

std::string NativeProgram::constant(const std::string& text, const core::Type& type, Span at) {
  std::string digits, bottom = "1";
  bool point = false;
  for (char c : text) {
    if (c == '.' && !point) {
      point = true;
    } else if (c < '0' || c > '9') {
      throw Refused{at, fmt::format("the number {}", text)};
    } else {
      digits += c;
      if (point) bottom += '0';
    }
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  if (digits.size() > 18 || bottom.size() > 18)
    throw Refused{at, fmt::format("the number {}", text)};
  if (type.base == Base::Int) return fmt::format("integer{{{}}}", digits);
  return bottom == "1"
             ? fmt::format("real{{{}, 0, 0}}", digits.size() < 16 ? digits : digits + ".0")
             : fmt::format("number({}, {})", digits, bottom);
}

std::string NativeProgram::array_text(ExprId id, Side open) {
  const core::Expr& e = program_.exprs[id];
  if (const auto* ref = std::get_if<core::VarRef>(&e.node))
    return name(ref->var, ref->side == Side::Open ? open : ref->side);
  throw Refused{e.span, "a vector that is no variable"};
}

std::string NativeProgram::text(ExprId id, Side open) {
  const core::Expr& e = program_.exprs[id];
  if (e.type.rank > 0) return array_text(id, open);
  return std::visit(
      Overload{
          [&](const core::BoolConst& node) -> std::string { return node.value ? "true" : "false"; },
          [&](const core::NumberConst& node) { return constant(node.text, e.type, e.span); },
          [&](const core::VarRef& node) {
            return name(node.var, node.side == Side::Open ? open : node.side);
          },
          [&](const core::OldRef& node) {
            const auto it = old_.find(node.var);
            return it != old_.end() ? it->second : name(node.var, Side::Relaxed);
          },
          [&](const core::Length& node) {
            return fmt::format("integer{{{}.{}}}", array_text(node.vector, open),
                               node.dimension == 0 ? "rows" : "cols");
          },
          [&](const core::Select& node) {
            std::string out = "(" + array_text(node.vector, open) + ".at(";
            for (std::size_t i = 0; i < node.indices.size(); ++i)
              out += (i == 0 ? "" : ", ") + text(node.indices[i], open);
            return out + (e.type.base == Base::Bool ? ") != 0)" : "))");
          },
          [&](const core::Apply& node) {
            return is_constant(id) ? computed_once(id, node) : text_of(id, node, open);
          },
          [&](const core::Quant& node) { return text_of(id, node, open); },
          [&](const core::Snapshot& node) { return text_of(id, node, open); },
          [&](const core::Row&) -> std::string {
            throw Refused{e.span, "a row of a matrix as a vector"};
          },
          [&](const core::Update&) -> std::string {
            throw Refused{e.span, "a vector with an element replaced"};
          },
          [&](const core::Defined& node) { return text_of(id, node, open); },
          [&](const core::Word&) -> std::string {
            throw Refused{e.span, "an operation on words, 'bits<N>'"};
          },
          [&](const core::Listed&) -> std::string {
            throw Refused{e.span, "a list of elements"};
          },
      },
      e.node);
}

// Of constants alone, so that it is the same in every run.
bool NativeProgram::is_constant(ExprId id) const {
  const core::Expr& e = program_.exprs[id];
  if (const auto* ref = std::get_if<core::VarRef>(&e.node))
    return program_.vars[ref->var].kind == core::VarKind::Constant && e.type.rank == 0;
  if (std::holds_alternative<core::NumberConst>(e.node)) return true;
  const auto* apply = std::get_if<core::Apply>(&e.node);
  return apply != nullptr && e.type.base == Base::Real &&
         std::all_of(apply->args.begin(), apply->args.end(),
                     [&](ExprId one) { return is_constant(one); });
}

std::string NativeProgram::computed_once(ExprId id, const core::Apply& node) {
  const std::string value = text_of(id, node, Side::Relaxed);
  const auto [it, added] = once_.try_emplace(value, fmt::format("once{}", once_.size()));
  if (added) once_order_.push_back(value);
  return it->second;
}

// An integer where a real is wanted is one.
std::string NativeProgram::text_as(ExprId id, Side open, Base base) {
  const core::Type& type = program_.exprs[id].type;
  const std::string out = text(id, open);
  const bool widens = base == Base::Real && type.base == Base::Int && type.rank == 0;
  return widens ? fmt::format("to_real({})", out) : out;
}

std::string NativeProgram::text_of(ExprId id, const core::Apply& node, Side open) {
  const core::Type& type = program_.exprs[id].type;
  const bool picks = node.op == Op::Choose;
  const bool reals =
      node.args.size() > 1 && std::any_of(node.args.begin(), node.args.end(), [&](ExprId one) {
        return program_.exprs[one].type.base == Base::Real;
      });
  const auto arg = [&](std::size_t i) {
    const bool test = picks && i == 0;
    return text_as(node.args[i], open, reals && !test ? Base::Real : Base::Int);
  };
  const auto infix = [&](const char* sign) {
    return fmt::format("({} {} {})", arg(0), sign, arg(1));
  };
  const auto call = [&](const char* function) {
    return node.args.size() == 1 ? fmt::format("{}({})", function, arg(0))
                                 : fmt::format("{}({}, {})", function, arg(0), arg(1));
  };
  const bool arrays = program_.exprs[node.args[0]].type.rank > 0;
  switch (node.op) {
    case Op::Not:
      return fmt::format("(!({}))", arg(0));
    case Op::Neg:
      return fmt::format("(-{})", arg(0));
    case Op::Abs:
      return call("absolute");
    case Op::ToReal:
      return program_.exprs[node.args[0]].type.base == Base::Real ? arg(0) : call("to_real");
    case Op::Floor:
      return program_.exprs[node.args[0]].type.base == Base::Real ? call("floor_of") : arg(0);
    case Op::ToNatural:
      return call("natural");
    case Op::Add:
      return infix("+");
    case Op::Sub:
      return infix("-");
    case Op::Mul:
      return infix("*");
    case Op::Div:
      return call("quotient");
    case Op::Mod:
      return call("remainder");
    case Op::And:
      return infix("&&");
    case Op::Or:
      return infix("||");
    case Op::Implies:
      return fmt::format("(!({}) || ({}))", arg(0), arg(1));
    case Op::Eq:
      return arrays ? call("same") : infix("==");
    case Op::Ne:
      return arrays ? "(!" + call("same") + ")" : infix("!=");
    case Op::Lt:
      return infix("<");
    case Op::Le:
      return infix("<=");
    case Op::Gt:
      return infix(">");
    case Op::Ge:
      return infix(">=");
    case Op::Min:
      return call("least_of");
    case Op::Max:
      return call("greatest_of");
    case Op::Choose:
      return fmt::format("(({}) ? {} : {}({}))", arg(0), arg(1), type_of(type), arg(2));
  }
  throw Refused{program_.exprs[id].span, "this operation"};
}

namespace {

void add_native_guards(const core::Program& program, ExprId id, bool universal,
                       std::vector<ExprId>& guards) {
  const auto* apply = std::get_if<core::Apply>(&program.exprs[id].node);
  if (apply == nullptr) return;
  if (universal && apply->op == Op::Implies) {
    for (ExprId part : core::conjuncts(program, apply->args[0])) guards.push_back(part);
    add_native_guards(program, apply->args[1], universal, guards);
  } else if (!universal) {
    for (ExprId part : core::conjuncts(program, id)) guards.push_back(part);
  }
}

}  // namespace

// Where the formula itself says between which values each variable lies.
std::vector<NativeProgram::Range> NativeProgram::ranges_of(ExprId id, const core::Quant& node,
                                                           Side open) {
  std::vector<ExprId> guards;
  add_native_guards(program_, node.body, node.universal, guards);
  std::vector<Range> out;
  for (std::size_t b = 0; b < node.bound.size(); ++b) {
    const VarId var = node.bound[b];
    const core::Type& type = program_.vars[var].type;
    if (type.base == Base::Bool) {
      out.push_back({var, "integer{0}", "integer{2}"});
      continue;
    }
    Range range{var, type.natural ? "integer{0}" : "", ""};
    for (ExprId guard : guards) {
      const auto* apply = std::get_if<core::Apply>(&program_.exprs[guard].node);
      if (apply == nullptr || apply->args.size() != 2) continue;
      for (std::size_t side = 0; side < 2; ++side) {
        const auto* ref = std::get_if<core::VarRef>(&program_.exprs[apply->args[side]].node);
        if (ref == nullptr || ref->var != var) continue;
        const ExprId other = apply->args[1 - side];
        const bool later =
            std::any_of(node.bound.begin() + static_cast<std::ptrdiff_t>(b), node.bound.end(),
                        [&](VarId one) { return mentions(other, one); });
        if (later) continue;
        const Op op = side == 0 ? apply->op : core::turned(apply->op);
        if (op == Op::Lt && range.high.empty()) range.high = text(other, open);
        if (op == Op::Le && range.high.empty())
          range.high = fmt::format("({} + integer{{1}})", text(other, open));
        if (type.natural) continue;
        if (op == Op::Ge && range.low.empty()) range.low = text(other, open);
        if (op == Op::Gt && range.low.empty())
          range.low = fmt::format("({} + integer{{1}})", text(other, open));
      }
    }
    if (type.base != Base::Int || range.low.empty() || range.high.empty())
      throw Refused{program_.exprs[id].span,
                    fmt::format("a quantifier that does not say between which values '{}' lies",
                                program_.vars[var].name),
                    "write the bounds in front: 'forall(uint i)(i < n -> ...)'; or leave out "
                    "'--native'"};
    // Those that come later may name it.
    bound_[var] = "b" + std::to_string(var.value);
    out.push_back(std::move(range));
  }
  return out;
}

std::string NativeProgram::text_of(ExprId id, const core::Quant& node, Side open) {
  for (VarId var : node.bound) bound_[var] = "b" + std::to_string(var.value);
  const std::vector<Range> ranges = ranges_of(id, node, open);
  std::string out = text(node.body, open);
  if (!node.universal) out = fmt::format("!({})", out);
  for (auto it = ranges.rbegin(); it != ranges.rend(); ++it) {
    const std::string& named = bound_[it->var];
    const bool truth = program_.vars[it->var].type.base == Base::Bool;
    out = fmt::format("for_all({}, {}, [&](integer {}) {{ {}return {}; }})", it->low, it->high,
                      truth ? named + "i" : named,
                      truth ? fmt::format("const bool {0} = {0}i.n != 0; ", named) : "", out);
  }
  for (VarId var : node.bound) bound_.erase(var);
  return node.universal ? out : fmt::format("(!{})", out);
}

// Written out, with what it is of.
std::string NativeProgram::text_of(ExprId id, const core::Defined& node, Side open) {
  const core::Definition& d = program_.definitions[node.definition];
  const Span at = program_.exprs[id].span;
  if (!d.body.valid() || d.recursive)
    throw Refused{at, fmt::format("'{}', which {}", d.name,
                                  d.recursive ? "uses itself" : "is no definition with a body")};
  std::string before;
  std::map<VarId, std::string> named;
  for (std::size_t i = 0; i < d.params.size(); ++i) {
    const core::Type& type = program_.vars[d.params[i]].type;
    const std::string to = fresh("d");
    before += fmt::format("const auto& {} = {}; ", to, text_as(node.args[i], open, type.base));
    if (type.natural && type.rank == 0)
      before +=
          fmt::format("if ({}.n < 0) stop(end::undecidable, {}, {}); ", to,
                      reason("a definition is asked for what it is not defined for"), place(at));
    named[d.params[i]] = to;
  }
  std::swap(named, bound_);
  bound_.insert(named.begin(), named.end());
  const std::string body = text_as(d.body, open, d.type.base);
  bound_ = std::move(named);
  return fmt::format("[&] {{ {}return {}; }}()", before, body);
}

// What it was at the head. Bound variables have no past.
std::string NativeProgram::text_of(ExprId id, const core::Snapshot& node, Side open) {
  core::for_each_read(program_, node.expr, [&](VarId var, Side side) {
    if (program_.vars[var].kind == core::VarKind::Bound)
      throw Refused{program_.exprs[id].span, "a label of something that a quantifier names"};
    if (side == Side::Original && asked_.contains(var))
      throw Refused{program_.exprs[id].span, "a label of a variable of the original run"};
  });
  const core::Type& type = program_.exprs[id].type;
  const std::string named = "kept" + std::to_string(id.value);
  kept_[id] = {node.loop, node.entry, named, text(node.expr, open), type_of(type)};
  return named;
}

std::string NativeProgram::lacks(ExprId id, bool inside) {
  const auto& node = program_.exprs[id].node;
  if (const auto* ref = std::get_if<core::VarRef>(&node)) {
    if (ref->side != Side::Original || !asked_.contains(ref->var)) return "";
    used_.insert(ref->var);
    return "none" + std::to_string(ref->var.value);
  }
  if (std::holds_alternative<core::Snapshot>(node)) return "";
  const bool within = inside || std::holds_alternative<core::Quant>(node);
  const std::vector<ExprId> children = core::children(program_, id);
  const auto* apply = std::get_if<core::Apply>(&node);
  std::vector<std::string> all;
  for (ExprId child : children) all.push_back(lacks(child, within));
  const auto either = [](const std::string& a, const std::string& b) {
    return a.empty() ? b : b.empty() ? a : fmt::format("({} || {})", a, b);
  };
  const bool stops = apply != nullptr && !inside &&
                     (apply->op == Op::Or || apply->op == Op::And || apply->op == Op::Implies);
  if (stops && !all[1].empty())
    return either(all[0], fmt::format("({}({}) && {})", apply->op == Op::Or ? "!" : "",
                                      text(children[0], Side::Relaxed), all[1]));
  if (apply != nullptr && apply->op == Op::Choose && !inside && !(all[1] + all[2]).empty())
    return either(
        all[0], fmt::format("(({}) ? {} : {})", text(children[0], Side::Relaxed),
                            all[1].empty() ? "false" : all[1], all[2].empty() ? "false" : all[2]));
  std::string out;
  for (const std::string& one : all) out = either(out, one);
  return out;
}

}  // namespace leto::emit
