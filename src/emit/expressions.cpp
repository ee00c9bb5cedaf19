// Expressions as C++. Operations on integers, and on fractions, are statements that may fail; all
// else is an operator. `&&`, `||`, `->` and `if` look at what stands behind only if it counts, for
// only then its reads are known to be within bounds.
#include <fmt/core.h>

#include "emit/writer.h"

namespace leto::emit {

using core::Apply;
using core::Base;
using core::ExprId;
using core::Op;
using core::Type;
using core::VarId;
using core::VarKind;

namespace {

std::string kind_name(VarKind kind) {
  switch (kind) {
    case VarKind::Param:
      return "parameter";
    case VarKind::Local:
      return "variable";
    case VarKind::Ghost:
      return "ghost variable";
    case VarKind::Temp:
      return "value";
    case VarKind::Result:
      return "result";
    case VarKind::State:
      return "state of the model";
    case VarKind::Constant:
      return "constant";
    case VarKind::Bound:
      return "bound variable";
  }
  return "";
}

}  // namespace

template <class F>
std::string Writer::apart(const F& f) {
  std::string outer = std::move(out);
  out.clear();
  ++depth;
  f();
  --depth;
  std::swap(out, outer);
  return outer;
}

std::string Writer::temporary(const Type& type) {
  std::string name = names_.fresh("t");
  line(fmt::format("{} {}{{}};", shared_.style.scalar(type), name));
  return name;
}

Text Writer::value(ExprId id) {
  if (const auto it = kept_.find(id); it != kept_.end()) return {it->second};
  return std::visit([&](const auto& node) { return visit(id, node); }, program_.exprs[id].node);
}

std::string Writer::view(ExprId id) {
  const core::Expr& e = program_.exprs[id];
  if (const auto* ref = std::get_if<core::VarRef>(&e.node)) {
    if (const auto it = places.find(ref->var); it != places.end())
      return it->second.owned ? it->second.name + ".view()" : it->second.name;
    if (const auto it = shared_.constants.find(ref->var); it != shared_.constants.end())
      return fmt::format("{}({})", shared_.style.view(e.type), it->second);
    throw Refused{e.span, fmt::format("the {} '{}'", kind_name(program_.vars[ref->var].kind),
                                      program_.vars[ref->var].name)};
  }
  throw Refused{e.span, "a vector that is no variable", "put it into a variable of its own first"};
}

Text Writer::visit(ExprId, const core::BoolConst& node) {
  return {node.value ? "true" : "false"};
}

Text Writer::visit(ExprId id, const core::NumberConst& node) {
  const core::Expr& e = program_.exprs[id];
  return {shared_.style.literal(node.text, e.type, e.span)};
}

Text Writer::constant(ExprId id, VarId var) {
  for (const core::ConstantVar& one : program_.constants)
    if (one.var == var && one.value.valid() && program_.vars[var].type.rank == 0) {
      const Text text = value(one.value);
      if (!shared_.style.is_checked(program_.vars[var].type)) return text;
      // A literal would be of a narrower type than the constant.
      return {fmt::format("{}({})", shared_.style.scalar(program_.vars[var].type), text.text)};
    }
  throw Refused{program_.exprs[id].span,
                fmt::format("the constant '{}', which has no value", program_.vars[var].name),
                "give it a value, or make it a parameter"};
}

Text Writer::visit(ExprId id, const core::VarRef& node) {
  const core::Var& var = program_.vars[node.var];
  if (const auto it = places.find(node.var); it != places.end()) return {it->second.name};
  if (var.kind == VarKind::Constant) return constant(id, node.var);
  throw Refused{program_.exprs[id].span, fmt::format("the {} '{}'", kind_name(var.kind), var.name),
                var.kind == VarKind::State ? "what is emitted runs without the model" : ""};
}

Text Writer::visit(ExprId id, const core::OldRef& node) {
  throw Refused{program_.exprs[id].span, fmt::format("old({})", program_.vars[node.var].name)};
}

Text Writer::visit(ExprId id, const core::Length& node) {
  const Type& type = program_.exprs[node.vector].type;
  const std::string text = view(node.vector);
  const std::string member = type.rank == 1 ? ".size()" : node.dimension == 0 ? ".rows" : ".cols";
  return {fmt::format(
      "{}({}{})",
      shared_.request.integers == Integers::Gmp
          ? "mpz_class"
          : fmt::format("static_cast<{}>", shared_.style.scalar(program_.exprs[id].type)),
      text, member)};
}

std::string Writer::element(VarId target, const std::vector<ExprId>& indices) {
  std::string name;
  if (const auto it = places.find(target); it != places.end()) name = it->second.name;
  if (const auto it = shared_.constants.find(target); it != shared_.constants.end())
    name = it->second;
  if (name.empty())
    throw Refused{program_.vars[target].span,
                  fmt::format("the {} '{}'", kind_name(program_.vars[target].kind),
                              program_.vars[target].name)};
  std::string list;
  for (ExprId index : indices) list += fmt::format(", leto::index({})", argument(index));
  return fmt::format("leto::at({}{})", name, list);
}

Text Writer::visit(ExprId id, const core::Select& node) {
  const core::Expr& e = program_.exprs[id];
  std::string text;
  if (specification) {
    std::string list;
    const std::string from = view(node.vector);
    for (ExprId index : node.indices)
      list += fmt::format(", leto::place({}({}))", shared_.style.scalar({Base::Int}),
                          value(index).text);
    text = fmt::format("leto::element({}{})", from, list);
  } else {
    const auto* ref = std::get_if<core::VarRef>(&program_.exprs[node.vector].node);
    if (ref == nullptr)
      throw Refused{e.span, "an element of a vector that is no variable",
                    "put the vector into a variable of its own first"};
    text = element(ref->var, node.indices);
  }
  if (e.type.base == Base::Bool) return {text + " != 0", false};
  return {text};
}

Text Writer::number(ExprId id, const Apply& node, const char* function, const char* infix) {
  const core::Expr& e = program_.exprs[id];
  std::vector<Text> args;
  for (ExprId arg : node.args)
    args.push_back(node.op == Op::Div && args.size() == 1 ? decisive(arg) : value(arg));
  // Nobody says what a quotient by zero is, so what needs it is not decided.
  if (specification && (node.op == Op::Div || node.op == Op::Mod))
    line(fmt::format("if ({} == 0) return leto::why::unmet;", args[1].wrapped()));
  if (!shared_.style.is_checked(e.type)) {
    for (std::size_t i = 0; i < args.size(); ++i) args[i] = beside(e.type, node.args[i], args[i]);
    if (args.size() == 1) return {fmt::format("{}{}", infix, args[0].wrapped()), false};
    return {fmt::format("{} {} {}", args[0].wrapped(), infix, args[1].wrapped()), false};
  }
  std::string list;
  for (const Text& arg : args) list += arg.text + ", ";
  std::string to = temporary(e.type);
  line(fmt::format("if (!leto::{}({}{})) return leto::why::range;", function, list, to));
  return {std::move(to)};
}

Text Writer::compare(ExprId, const Apply& node, const char* infix) {
  if (program_.exprs[node.args[0]].type.rank > 0) {
    const std::string a = view(node.args[0]), b = view(node.args[1]);
    return {fmt::format("{}leto::equal({}, {})", node.op == Op::Ne ? "!" : "", a, b),
            node.op != Op::Ne};
  }
  Text a = decisive(node.args[0]), b = decisive(node.args[1]);
  a = beside(program_.exprs[node.args[1]].type, node.args[0], a);
  b = beside(program_.exprs[node.args[0]].type, node.args[1], b);
  return {fmt::format("{} {} {}", a.wrapped(), infix, b.wrapped()), false};
}

// An integer where a double stands becomes one. Said by a cast, no compiler warns of it.
Text Writer::beside(const Type& other, ExprId id, const Text& text) const {
  const bool whole = program_.exprs[id].type.base == Base::Int &&
                     shared_.request.integers != Integers::Gmp &&
                     !std::holds_alternative<core::NumberConst>(program_.exprs[id].node);
  return whole && shared_.style.is_rounded(other) ? Text{shared_.style.to_real(text.text)} : text;
}

// Infinities and NaN stay what they are in sums and products, so it is enough to look where
// something is compared, and where they could vanish: behind a division.
Text Writer::decisive(ExprId id) {
  const Type& type = program_.exprs[id].type;
  Text text = value(id);
  if (!shared_.style.is_rounded(type) || type.rank > 0 ||
      std::holds_alternative<core::NumberConst>(program_.exprs[id].node))
    return text;
  const std::string to = names_.fresh("t");
  line(fmt::format("const double {} = {};", to, text.text));
  line(fmt::format("if (!leto::finite({})) return leto::why::range;", to));
  return {to};
}

Text Writer::least(ExprId id, const Apply& node, const char* infix) {
  const Type& type = program_.exprs[id].type;
  const Text a = beside(type, node.args[0], decisive(node.args[0]));
  const Text b = beside(type, node.args[1], decisive(node.args[1]));
  const std::string to = temporary(type);
  line(fmt::format("if ({} {} {}) {} = {}; else {} = {};", a.wrapped(), infix, b.wrapped(), to,
                   a.text, to, b.text));
  return {to};
}

// What stands behind is looked at only where it counts.
Text Writer::shortened(const Apply& node) {
  const Text first = value(node.args[0]);
  Text second;
  const std::string steps = apart([&] { second = value(node.args[1]); });
  const std::string lhs = node.op == Op::Implies ? "!" + first.wrapped() : first.wrapped();
  if (steps.empty())
    return {fmt::format("{} {} {}", lhs, node.op == Op::And ? "&&" : "||", second.wrapped()),
            false};
  const std::string to = names_.fresh("t");
  line(fmt::format("bool {} = {};", to, node.op == Op::And ? first.text : lhs));
  line(fmt::format("if ({}{}) {{", node.op == Op::And ? "" : "!", to));
  out += steps;
  ++depth;
  line(fmt::format("{} = {};", to, second.text));
  close();
  return {to};
}

Text Writer::chosen(ExprId id, const Apply& node) {
  const core::Expr& e = program_.exprs[id];
  if (e.type.rank > 0)
    throw Refused{e.span, "a choice between vectors", "write an 'if' with two assignments"};
  const Text test = value(node.args[0]);
  const std::string to = temporary(e.type);
  Text text;
  const std::string yes = apart([&] {
    text = beside(e.type, node.args[1], value(node.args[1]));
    line(fmt::format("{} = {};", to, text.text));
  });
  const std::string no = apart([&] {
    text = beside(e.type, node.args[2], value(node.args[2]));
    line(fmt::format("{} = {};", to, text.text));
  });
  line(fmt::format("if ({}) {{", test.text));
  out += yes;
  line("} else {");
  out += no;
  line("}");
  return {to};
}

Text Writer::visit(ExprId id, const Apply& node) {
  const core::Expr& e = program_.exprs[id];
  switch (node.op) {
    case Op::Not:
      return {"!" + value(node.args[0]).wrapped(), false};
    case Op::Neg:
      return number(id, node, "neg", "-");
    case Op::Abs: {
      if (shared_.style.is_checked(e.type)) return number(id, node, "magnitude", "");
      return {fmt::format("std::fabs({})", value(node.args[0]).text)};
    }
    case Op::ToReal:
      return {shared_.style.to_real(value(node.args[0]).text)};
    case Op::Floor: {
      const Text arg = value(node.args[0]);
      const std::string to = temporary(e.type);
      line(fmt::format("if (!leto::floor_of({}, {})) return leto::why::range;", arg.text, to));
      return {to};
    }
    case Op::ToNatural: {
      const Text arg = value(node.args[0]);
      const std::string to = temporary(e.type);
      line(fmt::format("if ({} > 0) {} = {};", arg.wrapped(), to, arg.text));
      return {to};
    }
    case Op::Add:
      return number(id, node, "add", "+");
    case Op::Sub:
      return number(id, node, "sub", "-");
    case Op::Mul:
      return number(id, node, "mul", "*");
    case Op::Div:
      return number(id, node, "quotient", "/");
    case Op::Mod:
      return number(id, node, "remainder", "%");
    case Op::And:
    case Op::Or:
    case Op::Implies:
      return shortened(node);
    case Op::Eq:
      return compare(id, node, "==");
    case Op::Ne:
      return compare(id, node, "!=");
    case Op::Lt:
      return compare(id, node, "<");
    case Op::Le:
      return compare(id, node, "<=");
    case Op::Gt:
      return compare(id, node, ">");
    case Op::Ge:
      return compare(id, node, ">=");
    case Op::Min:
      return least(id, node, "<=");
    case Op::Max:
      return least(id, node, ">=");
    case Op::Choose:
      return chosen(id, node);
  }
  throw Refused{e.span, "this operation"};
}

Text Writer::visit(ExprId id, const core::Snapshot&) {
  throw Refused{program_.exprs[id].span, "a label of a loop"};
}
Text Writer::visit(ExprId id, const core::Row&) {
  throw Refused{program_.exprs[id].span, "a row of a matrix as a vector"};
}
Text Writer::visit(ExprId id, const core::Update&) {
  throw Refused{program_.exprs[id].span, "a vector with an element replaced"};
}
Text Writer::visit(ExprId id, const core::Word&) {
  throw Refused{program_.exprs[id].span, "an operation on words, 'bits<N>'"};
}
Text Writer::visit(ExprId id, const core::Listed&) {
  throw Refused{program_.exprs[id].span, "a list of elements"};
}

// A definition that does not use itself is written out.
Text Writer::visit(ExprId id, const core::Defined& node) {
  const core::Definition& d = program_.definitions[node.definition];
  const Span at = program_.exprs[id].span;
  if (!d.body.valid() || d.recursive)
    throw Refused{at, fmt::format("'{}', which {}", d.name,
                                  d.recursive ? "uses itself" : "is no definition with a body")};
  // An argument may use the same definition: all are there before its parameters mean anything.
  std::vector<std::string> given;
  for (std::size_t i = 0; i < d.params.size(); ++i) {
    const Type& type = program_.vars[d.params[i]].type;
    if (type.rank > 0) {
      given.push_back(view(node.args[i]));
    } else {
      const Text text = value(node.args[i]);
      given.push_back(temporary(type));
      line(fmt::format("{} = {};", given.back(), text.text));
      // What it is outside of its domain nobody says.
      if (type.natural) line(fmt::format("if ({} < 0) return leto::why::unmet;", given.back()));
    }
  }
  for (std::size_t i = 0; i < d.params.size(); ++i) places[d.params[i]] = {given[i], false};
  return value(d.body);
}

}  // namespace leto::emit
