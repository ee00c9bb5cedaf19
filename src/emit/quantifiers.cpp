// Quantifiers of `requires` as loops. Each bound variable needs a lowest and a highest value, which
// the formula's own guards name: forall(uint i)(i < n -> ...), exists(uint i)(i < n && ...). The
// guards stay in the body, so a range that is too wide changes nothing.
#include <fmt/core.h>

#include <algorithm>

#include "emit/writer.h"

namespace leto::emit {

using core::Apply;
using core::Base;
using core::ExprId;
using core::Op;
using core::VarId;

namespace {

// What must hold for an instance to count.
void add_guards(const core::Program& program, ExprId id, bool universal,
                std::vector<ExprId>& guards) {
  const auto* apply = std::get_if<Apply>(&program.exprs[id].node);
  if (apply == nullptr) return;
  if (universal && apply->op == Op::Implies) {
    for (ExprId part : core::conjuncts(program, apply->args[0])) guards.push_back(part);
    add_guards(program, apply->args[1], universal, guards);
  } else if (!universal) {
    for (ExprId part : core::conjuncts(program, id)) guards.push_back(part);
  }
}

bool is_variable(const core::Program& program, ExprId id, VarId var) {
  const auto* ref = std::get_if<core::VarRef>(&program.exprs[id].node);
  return ref != nullptr && ref->var == var;
}

bool reads_one_of(const core::Program& program, ExprId id, const std::vector<VarId>& open) {
  bool found = false;
  core::for_each_read(program, id, [&](VarId var, core::Side) {
    found = found || std::find(open.begin(), open.end(), var) != open.end();
  });
  return found;
}

}  // namespace

std::vector<Writer::Range> Writer::ranges_of(ExprId id, const core::Quant& node) {
  std::vector<ExprId> guards;
  add_guards(program_, node.body, node.universal, guards);
  std::vector<VarId> open = node.bound;
  std::vector<Range> out_;
  const auto bound_of = [&](VarId var) {
    Range range{var, {}, {}};
    bool low = program_.vars[var].type.natural;
    for (ExprId guard : guards) {
      const auto* apply = std::get_if<Apply>(&program_.exprs[guard].node);
      if (apply == nullptr || apply->args.size() != 2) continue;
      for (const bool swapped : {false, true}) {
        const ExprId other = apply->args[swapped ? 0 : 1];
        if (!is_variable(program_, apply->args[swapped ? 1 : 0], var) ||
            reads_one_of(program_, other, open))
          continue;
        const Op op = swapped ? core::turned(apply->op) : apply->op;
        if (op == Op::Lt || op == Op::Le || op == Op::Eq) {
          range.high = other;
          range.high_included = op != Op::Lt;
        }
        if (!low && (op == Op::Gt || op == Op::Ge || op == Op::Eq)) {
          range.low = other;
          range.low_excluded = op == Op::Gt;
          low = true;
        }
      }
    }
    return low && range.high.valid() ? std::optional<Range>(range) : std::nullopt;
  };
  while (!open.empty()) {
    bool found = false;
    for (VarId var : open) {
      const core::Type& type = program_.vars[var].type;
      const auto range = type.base == Base::Int && type.rank == 0 ? bound_of(var) : std::nullopt;
      if (!range) continue;
      out_.push_back(*range);
      std::erase(open, var);
      found = true;
      break;
    }
    if (!found)
      throw Refused{program_.exprs[id].span,
                    fmt::format("a quantifier over '{}', of which no range is named",
                                program_.vars[open[0]].name)};
  }
  return out_;
}

// That all pairs are in order is that all neighbours are: the order is transitive, also of what is
// zero outside of the vector. So this takes one step for each element rather than one for each
// pair.
std::optional<Writer::Order> Writer::order_of_elements(const core::Quant& node) const {
  const auto apply_of = [&](ExprId id) { return std::get_if<Apply>(&program_.exprs[id].node); };
  const Apply* body = apply_of(node.body);
  if (!node.universal || node.bound.size() != 2 || body == nullptr || body->op != Op::Implies)
    return std::nullopt;
  for (VarId var : node.bound)
    if (!(program_.vars[var].type == core::Type{Base::Int, true, 0})) return std::nullopt;
  const std::vector<ExprId> guards = core::conjuncts(program_, body->args[0]);
  const Apply* claim = apply_of(body->args[1]);
  if (guards.size() != 2 || claim == nullptr || (claim->op != Op::Le && claim->op != Op::Ge))
    return std::nullopt;
  const Apply *first = apply_of(guards[0]), *second = apply_of(guards[1]);
  if (first == nullptr || second == nullptr || (first->op != Op::Le && first->op != Op::Lt) ||
      second->op != Op::Lt)
    return std::nullopt;
  const VarId i = node.bound[0], j = node.bound[1];
  const auto element = [&](ExprId id, VarId at) -> const core::Select* {
    const auto* select = std::get_if<core::Select>(&program_.exprs[id].node);
    const bool fits = select != nullptr && program_.exprs[id].type.base == Base::Int &&
                      select->indices.size() == 1 &&
                      is_variable(program_, select->indices[0], at) &&
                      std::holds_alternative<core::VarRef>(program_.exprs[select->vector].node);
    return fits ? select : nullptr;
  };
  const core::Select *left = element(claim->args[0], i), *right = element(claim->args[1], j);
  if (!is_variable(program_, first->args[0], i) || !is_variable(program_, first->args[1], j) ||
      !is_variable(program_, second->args[0], j) ||
      reads_one_of(program_, second->args[1], node.bound) || left == nullptr || right == nullptr ||
      !same_but_sides(program_, left->vector, right->vector))
    return std::nullopt;
  return Order{left->vector, second->args[1], claim->op == Op::Le ? "<=" : ">="};
}

Text Writer::compare_neighbours(const Order& order) {
  const std::string type = shared_.style.scalar({Base::Int});
  const std::string to = names_.fresh("t"), end = names_.fresh("end"), at = names_.fresh("i");
  const std::string vector = view(order.vector);
  line(fmt::format("bool {} = true;", to));
  line(fmt::format("const {} {} = {};", type, end, value(order.end).text));
  line(fmt::format("for ({0} {1} = 1; {2} && {1} < {3}; ++{1})", type, at, to, end));
  line(
      fmt::format("  {0} = leto::element({1}, leto::place({4}({2} - 1))) {3} leto::element({1}, "
                  "leto::place({2}));",
                  to, vector, at, order.infix, type));
  return {to};
}

Text Writer::visit(ExprId id, const core::Quant& node) {
  if (!specification) throw Refused{program_.exprs[id].span, "a quantifier"};
  if (const auto order = order_of_elements(node)) return compare_neighbours(*order);
  const std::vector<Range> ranges = ranges_of(id, node);
  const std::string type = shared_.style.scalar({Base::Int});
  const std::string to = names_.fresh("t");
  line(fmt::format("bool {} = {};", to, node.universal ? "true" : "false"));
  for (const Range& range : ranges) {
    const std::string name = names_.fresh(program_.vars[range.var].name);
    const std::string end = names_.fresh("end");
    const Text high = value(range.high);
    line(fmt::format("const {} {} = {};", type, end, high.text));
    const std::string low = range.low.valid() ? value(range.low).text : "0";
    const std::string begin = names_.fresh("begin");
    line(fmt::format("{} {} = {};", type, begin, low));
    if (range.low_excluded) {
      line(fmt::format("if ({} >= {}) {} = {}; else ++{};", begin, end, begin, end, begin));
    }
    open(fmt::format("for ({} {} = {}; {}{} {} {}; ++{}) {{", type, name, begin,
                     node.universal ? to + " && " : "!" + to + " && ", name,
                     range.high_included ? "<=" : "<", end, name));
    places[range.var] = {name, false};
    // The greatest number of all has no successor.
    if (range.high_included && shared_.request.integers == Integers::Int64)
      line(fmt::format("if ({} == INT64_MAX) return leto::why::range;", name));
  }
  const Text body = value(node.body);
  line(fmt::format("{} = {};", to, body.text));
  for (std::size_t i = 0; i < ranges.size(); ++i) close();
  return {to};
}

}  // namespace leto::emit
