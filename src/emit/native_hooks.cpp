// Hooks: what the model allows at a site, as C++. The hook itself counts sites and, where no fault
// is wanted and a specification is always exact, has the exact outcome. Everything else is in the
// slow part: which specifications are enabled, which of them allow the exact outcome, and values
// for what the one that is taken leaves open. These are found as the interpreter finds them:
// equations first, then one unknown after the other between its bounds.
#include <fmt/core.h>

#include <algorithm>

#include "emit/native_writer.h"

namespace leto::emit {

using core::Base;
using core::ExprId;
using core::Op;
using core::Side;
using core::VarId;

namespace {

const char* op_text(Op op) {
  if (op == Op::Eq) return "op::eq";
  if (op == Op::Lt) return "op::lt";
  if (op == Op::Le) return "op::le";
  if (op == Op::Gt) return "op::gt";
  return op == Op::Ge ? "op::ge" : "";
}

}  // namespace

std::string HookWriter::head() const {
  std::string out = fmt::format("{} exact", p_.type_of(type_));
  for (std::size_t i = 0; i < args_.size(); ++i)
    out += fmt::format(", [[maybe_unused]] {} a{}", p_.type_of(args_[i]), i);
  return out;
}

std::string HookWriter::passed() const {
  std::string out = "exact";
  for (std::size_t i = 0; i < args_.size(); ++i) out += fmt::format(", a{}", i);
  return out;
}

void HookWriter::bind(const core::Specification& spec, const std::string& outcome) {
  p_.bound_.clear();
  for (std::size_t i = 0; i < spec.params.size(); ++i)
    p_.bound_[spec.params[i]] = fmt::format("a{}", i);
  p_.bound_[spec.outcome] = outcome;
  if (spec.exact.valid()) p_.bound_[spec.exact] = "exact";
}

bool HookWriter::mentions_open(ExprId id) const {
  return std::any_of(unknowns_.begin(), unknowns_.end(),
                     [&](VarId var) { return p_.mentions(id, var); });
}

std::string HookWriter::value_type(VarId unknown) const {
  return p_.program_.vars[unknown].type.base == Base::Real ? "real" : "integer";
}

std::size_t HookWriter::index_of(VarId unknown) const {
  return static_cast<std::size_t>(std::find(unknowns_.begin(), unknowns_.end(), unknown) -
                                  unknowns_.begin());
}

std::string HookWriter::write(const std::string& name, std::uint32_t place) {
  const core::Program& program = p_.program_;
  const auto outer = p_.bound_;
  const auto before = p_.old_;
  for (std::uint32_t index : site_.specifications) {
    const core::Specification& spec = program.specifications[index];
    if (spec.params.size() != args_.size())
      throw Refused{spec.span, "a specification with other operands than its site"};
    if (program.vars[spec.outcome].type.base != type_.base)
      throw Refused{spec.span, "a specification with an outcome of another type"};
  }
  std::string out;
  for (std::size_t i = 0; i < site_.specifications.size(); ++i) {
    const std::uint32_t index = site_.specifications[i];
    if (static_cast<int>(i) != exact_one_)
      out += specification(fmt::format("{}_{}", name, index), index, place);
  }
  p_.old_.clear();
  // Which are enabled, and which of these are exact.
  std::string rows;
  for (std::size_t i = 0; i < site_.specifications.size(); ++i) {
    const std::uint32_t index = site_.specifications[i];
    const core::Specification& spec = program.specifications[index];
    const core::Type& type = program.vars[spec.outcome].type;
    bind(spec, "exact");
    std::string allows = type.natural ? "exact.n >= 0" : "true";
    for (ExprId ensures : spec.ensures) allows += " && " + p_.text(ensures, Side::Relaxed);
    if (static_cast<int>(i) == exact_one_) allows = "true";
    rows += fmt::format(
        "    if ({}) {{\n      ids[count] = {};\n      exactly[count++] = {};\n    }}\n",
        spec.when.valid() ? p_.text(spec.when, Side::Relaxed) : "true", index, allows);
  }
  std::string cases;
  for (std::size_t i = 0; i < site_.specifications.size(); ++i) {
    const std::uint32_t index = site_.specifications[i];
    cases += static_cast<int>(i) == exact_one_
                 ? fmt::format("      case {}:\n        return exact;\n", index)
                 : fmt::format("      case {}:\n        return {}_{}(site, {});\n", index, name,
                               index, passed());
  }
  std::string quiet = "false", others = "false";
  if (exact_one_ >= 0) {
    const core::Specification& spec =
        program.specifications[site_.specifications[static_cast<std::size_t>(exact_one_)]];
    bind(spec, "exact");
    quiet = spec.when.valid() ? p_.text(spec.when, Side::Relaxed) : "true";
    for (std::size_t i = 0; i < site_.specifications.size(); ++i) {
      if (static_cast<int>(i) == exact_one_) continue;
      const core::Specification& other = program.specifications[site_.specifications[i]];
      bind(other, "exact");
      others += " || " + (other.when.valid() ? p_.text(other.when, Side::Relaxed) : "true");
    }
  }
  const std::size_t n = site_.specifications.size();
  out += fmt::format(
      "  [[gnu::noinline, gnu::cold]] {0} {1}_slow(std::uint32_t site, {2}) {{\n"
      "    now = {3};\n    choose.ask(sites - 1);\n"
      "    if (choose.is_quiet() && {8}) {{\n      choose.skip(1);\n      return exact;\n    }}\n"
      "    std::uint32_t ids[{4}];\n    bool exactly[{4}];\n    unsigned count = 0;\n{5}"
      "    if (count == 0) stop(end::stuck, {6}, {3});\n"
      "    switch (ids[choose.specification(ids, exactly, count)]) {{\n{7}    }}\n    "
      "std::abort();\n  }}\n",
      p_.type_of(type_), name, head(), place, n, rows,
      p_.reason(fmt::format("no specification of '{}' is enabled", site_.what)), cases, quiet);
  // Where nothing but the exact outcome is possible, nobody looks at what is drawn.
  out += fmt::format(
      "  {0} {1}(std::uint32_t site, {2}) {{\n    const std::uint64_t here = sites++;\n"
      "    if (choose.is_calm(here)) [[likely]] {{\n      if ({3}) {{\n        choose.skip(1);\n"
      "        return exact;\n      }}\n"
      "    }} else if (choose.is_by_chance() && {3} && !({5})) {{\n      choose.skip(2);\n"
      "      return exact;\n    }}\n    return {1}_slow(site, {4});\n  }}\n",
      p_.type_of(type_), name, head(), quiet, passed(), others);
  p_.bound_ = outer;
  p_.old_ = before;
  return out;
}

// Conjunctions apart; alternatives decided; implications by what is known of their left side.
void HookWriter::flatten(ExprId id, const std::string& indent, std::string& out) {
  const core::Program& program = p_.program_;
  const auto* node = std::get_if<core::Apply>(&program.exprs[id].node);
  if (node != nullptr && node->op == Op::And) {
    for (ExprId arg : node->args) flatten(arg, indent, out);
    return;
  }
  if (node != nullptr && node->op == Op::Implies && !mentions_open(node->args[0])) {
    out += fmt::format("{}if ({}) {{\n", indent, p_.text(node->args[0], Side::Relaxed));
    flatten(node->args[1], indent + "  ", out);
    out += indent + "}\n";
    return;
  }
  if (node != nullptr && node->op == Op::Or && mentions_open(id)) {
    std::vector<ExprId> alternatives, work{id};
    std::string known = "false";
    while (!work.empty()) {
      const ExprId at = work.back();
      work.pop_back();
      const auto* part = std::get_if<core::Apply>(&program.exprs[at].node);
      if (part != nullptr && part->op == Op::Or) {
        work.push_back(part->args[1]);
        work.push_back(part->args[0]);
      } else if (mentions_open(at)) {
        alternatives.push_back(at);
      } else {
        known += " || " + p_.text(at, Side::Relaxed);
      }
    }
    const std::size_t outer = among_;
    among_ = outer != 0 ? outer : parts_.size() + 1;
    out += fmt::format(
        "{0}if (!({1})) {{\n{0}  certain = false;\n{0}  switch (choose.alternative({2})) {{\n",
        indent, known, alternatives.size());
    for (std::size_t i = 0; i < alternatives.size(); ++i) {
      out += fmt::format("{}    case {}: {{\n", indent, i);
      flatten(alternatives[i], indent + "      ", out);
      out += fmt::format("{0}      break;\n{0}    }}\n", indent);
    }
    out += fmt::format("{0}  }}\n{0}}}\n", indent);
    among_ = outer;
    return;
  }
  Part part{id, {}, among_};
  for (VarId var : unknowns_)
    if (p_.mentions(id, var)) part.unknowns.insert(var);
  out += fmt::format("{}on[{}] = true;\n", indent, parts_.size());
  parts_.push_back(std::move(part));
}

// Where a value that one alternative gives does not fit what is said beside it, the interpreter
// draws again, in an order of its own.
void HookWriter::refuse_mixed() const {
  for (const Part& a : parts_)
    for (const Part& b : parts_)
      for (VarId var : a.unknowns)
        if (a.among != 0 && a.among != b.among && b.unknowns.contains(var))
          throw Refused{p_.program_.exprs[a.expr].span,
                        "alternatives of an outcome beside something else that is said of it",
                        "leave out '--native': the interpreter can do it"};
}

// `expr OP value`.
void HookWriter::isolate(ExprId expr, const std::string& op, const std::string& value,
                         VarId unknown, std::size_t part, const std::string& indent,
                         std::string& out) {
  const core::Program& program = p_.program_;
  const core::Expr& e = program.exprs[expr];
  const auto refuse = [&](const std::string& what) {
    return Refused{
        e.span, what,
        "native samplers know anything, an old value, equations, alternatives and bounds "
        "linear in the outcome; leave out '--native'"};
  };
  if (std::holds_alternative<core::VarRef>(e.node)) {
    out += fmt::format(
        "{0}if ({1} == op::eq) {{\n{0}  d.exactly = {2};\n{0}  d.by = {3};\n{0}}} else {{\n"
        "{0}  d.narrow({1}, {2});\n{0}  bounds[{3}] = true;\n{0}}}\n",
        indent, op, value, part);
    return;
  }
  const auto* node = std::get_if<core::Apply>(&e.node);
  if (node == nullptr) throw refuse("this in what a specification ensures");
  const std::string next = p_.fresh("x"), now = p_.fresh("o");
  const auto go = [&](ExprId inner, const std::string& new_op, const std::string& new_value) {
    out += fmt::format("{}const auto {} = {};\n{}const op {} = {};\n", indent, next, new_value,
                       indent, now, new_op);
    isolate(inner, now, next, unknown, part, indent, out);
  };
  if (node->op == Op::Neg)
    return go(node->args[0], fmt::format("turned({})", op), fmt::format("(-{})", value));
  if (node->op == Op::Abs) {
    if (op != "op::lt" && op != "op::le")
      throw refuse("an absolute value from below, in an ensures");
    isolate(node->args[0], op, value, unknown, part, indent, out);
    return go(node->args[0], fmt::format("turned({})", op), fmt::format("(-{})", value));
  }
  if (node->args.size() != 2)
    throw refuse(fmt::format("'{}' of the outcome, in an ensures", core::spelling(node->op)));
  if (p_.mentions(node->args[0], unknown) && p_.mentions(node->args[1], unknown))
    throw refuse("an ensures that is not linear in the outcome");
  const bool first = p_.mentions(node->args[0], unknown);
  const ExprId inner = node->args[first ? 0 : 1];
  const bool real = program.vars[unknown].type.base == Base::Real;
  const std::string known =
      p_.text_as(node->args[first ? 1 : 0], Side::Relaxed, real ? Base::Real : Base::Int);
  switch (node->op) {
    case Op::Add:
      return go(inner, op, fmt::format("({} - {})", value, known));
    case Op::Sub:
      if (first) return go(inner, op, fmt::format("({} + {})", value, known));
      return go(inner, fmt::format("turned({})", op), fmt::format("({} - {})", known, value));
    case Op::Mul:
    case Op::Div: {
      if (e.type.base != Base::Real || (node->op == Op::Div && !first))
        throw refuse("a product of integers, or a quotient by the outcome, in an ensures");
      const std::string factor = p_.fresh("f");
      out += fmt::format("{0}const auto {1} = {2};\n{0}if (order({1}, real{{}}) != 0) {{\n", indent,
                         factor, known);
      const std::string deep = indent + "  ";
      out += fmt::format(
          "{}const auto {} = {};\n{}const op {} = order({}, real{{}}) < 0 ? turned({}) : {};\n",
          deep, next,
          node->op == Op::Mul ? fmt::format("quotient({}, {})", value, factor)
                              : fmt::format("({} * {})", value, factor),
          deep, now, factor, op, op);
      isolate(inner, now, next, unknown, part, deep, out);
      out += indent + "}\n";
      return;
    }
    case Op::Not:
    case Op::Neg:
    case Op::Abs:
    case Op::ToReal:
    case Op::Floor:
    case Op::ToNatural:
    case Op::Mod:
    case Op::And:
    case Op::Or:
    case Op::Implies:
    case Op::Eq:
    case Op::Ne:
    case Op::Lt:
    case Op::Le:
    case Op::Gt:
    case Op::Ge:
    case Op::Min:
    case Op::Max:
    case Op::Choose:
      throw refuse(fmt::format("'{}' of the outcome, in an ensures", core::spelling(node->op)));
  }
}

// What the parts say of one unknown, as far as the others are known.
std::string HookWriter::look(std::uint32_t specification, VarId unknown) {
  const core::Program& program = p_.program_;
  const core::Type& type = program.vars[unknown].type;
  const std::size_t u = index_of(unknown);
  std::string out = fmt::format(
      "    const auto look{} = [&] {{\n      domain<{}> d;\n      d.usual = usual{};\n"
      "      std::fill(bounds, bounds + {}, false);\n",
      u, value_type(unknown), u, parts_.size() + 1);
  if (type.natural || type.base == Base::Bool) out += "      d.low = integer{0};\n";
  if (type.base == Base::Bool) out += "      d.high = integer{1};\n";
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (!parts_[i].unknowns.contains(unknown)) continue;
    std::string guard = fmt::format("on[{}]", i);
    for (VarId other : parts_[i].unknowns)
      if (other != unknown) guard += fmt::format(" && !open[{}]", index_of(other));
    out += fmt::format("      if ({}) {{\n", guard);
    const ExprId id = parts_[i].expr;
    const core::Expr& e = program.exprs[id];
    const auto* node = std::get_if<core::Apply>(&e.node);
    const auto is_unknown = [&](ExprId one) {
      const auto* ref = std::get_if<core::VarRef>(&program.exprs[one].node);
      return ref != nullptr && ref->var == unknown;
    };
    if (is_unknown(id)) {
      out += fmt::format("        d.exactly = integer{{1}};\n        d.by = {};\n", i);
    } else if (node != nullptr && node->op == Op::Not && is_unknown(node->args[0])) {
      out += fmt::format("        d.exactly = integer{{0}};\n        d.by = {};\n", i);
    } else if (node != nullptr && op_text(node->op)[0] != '\0' &&
               program.exprs[node->args[0]].type.rank == 0) {
      const bool left = p_.mentions(node->args[0], unknown);
      if (left && p_.mentions(node->args[1], unknown))
        throw Refused{e.span, "an ensures with the outcome on both sides"};
      std::string value = p_.text_as(node->args[left ? 1 : 0], Side::Relaxed,
                                     type.base == Base::Real ? Base::Real : Base::Int);
      if (program.exprs[node->args[0]].type.base == Base::Bool)
        value = fmt::format("integer{{({}) ? 1 : 0}}", value);
      else if (type.base != Base::Real && program.exprs[node->args[0]].type.base == Base::Real)
        throw Refused{e.span, "an integer outcome that is compared with a real"};
      const Op op = left ? node->op : core::turned(node->op);
      isolate(node->args[left ? 0 : 1], op_text(op), value, unknown, i, "        ", out);
    } else {
      throw Refused{e.span,
                    fmt::format("what '{}' ensures here", core::title(program, specification)),
                    "native samplers know anything, an old value, equations, alternatives and "
                    "bounds linear in the outcome; leave out '--native'"};
    }
    out += "      }\n";
  }
  return out + "      return d;\n    };\n";
}

std::string HookWriter::specification(const std::string& name, std::uint32_t index,
                                      std::uint32_t place) {
  const core::Program& program = p_.program_;
  const core::Specification& spec = program.specifications[index];
  unknowns_ = spec.modifies;
  unknowns_.push_back(spec.outcome);
  for (VarId var : spec.modifies)
    if (program.vars[var].type.rank > 0)
      throw Refused{spec.span, fmt::format("'{}', state that is a vector", program.vars[var].name)};
  parts_.clear();
  bind(spec, "out");
  p_.old_.clear();
  const auto as_value = [&](VarId var, const std::string& text) {
    return program.vars[var].type.base == Base::Bool ? fmt::format("integer{{{} ? 1 : 0}}", text)
                                                     : text;
  };
  const auto from_value = [&](VarId var, const std::string& text) {
    return program.vars[var].type.base == Base::Bool ? fmt::format("({}).n != 0", text) : text;
  };
  std::string kept, back, changed;
  const std::size_t count = unknowns_.size();
  for (std::size_t u = 0; u + 1 < count; ++u) {
    const std::string now = p_.name(unknowns_[u], Side::Relaxed);
    p_.old_[unknowns_[u]] = fmt::format("old{}", u);
    kept += fmt::format("    const {} old{} = {};\n    const {} usual{} = {};\n",
                        p_.type_of(program.vars[unknowns_[u]].type), u, now,
                        value_type(unknowns_[u]), u, as_value(unknowns_[u], now));
    back += fmt::format("      {} = old{};\n", now, u);
    changed += fmt::format("!({} == old{}) || ", now, u);
  }
  kept += fmt::format("    {} out = exact;\n    const {} usual{} = {};\n", p_.type_of(type_),
                      value_type(spec.outcome), count - 1, as_value(spec.outcome, "exact"));
  back += "      out = exact;\n";
  std::string flat;
  among_ = 0;
  for (ExprId ensures : spec.ensures) flatten(ensures, "      ", flat);
  refuse_mixed();
  std::string looks, steps, picks, checks;
  for (std::size_t u = 0; u < count; ++u) {
    looks += look(index, unknowns_[u]);
    const std::string target =
        u + 1 == count ? std::string("out") : p_.name(unknowns_[u], Side::Relaxed);
    const bool natural = program.vars[unknowns_[u]].type.natural;
    steps += fmt::format(
        "        if (open[{0}]) {{\n          const auto d = look{0}();\n          if (d.exactly) "
        "{{\n"
        "            {1} = {2};\n            open[{0}] = false;\n            done[d.by] = true;\n"
        "            left = left - 1;\n            progress = true;\n{3}          }}\n        }}\n",
        u, target, from_value(unknowns_[u], "(*d.exactly)"),
        natural ? "            fits = fits && d.exactly->n >= 0;\n" : "");
    picks += fmt::format(
        "        if (!progress && open[{0}]) {{\n          const auto d = look{0}();\n"
        "          const auto x = choose.value(d);\n          {1} = {2};\n          open[{0}] = "
        "false;\n"
        "          left = left - 1;\n          progress = true;\n          fits = fits && "
        "d.can_be(x);\n"
        "          certain = certain && d.is_one();\n"
        "          for (unsigned p = 0; p < {3}; ++p) done[p] = done[p] || bounds[p];\n        "
        "}}\n",
        u, target, from_value(unknowns_[u], "x"), parts_.size());
  }
  for (std::size_t i = 0; i < parts_.size(); ++i)
    checks += fmt::format("      fits = fits && (!on[{0}] || done[{0}] || {1});\n", i,
                          p_.text(parts_[i].expr, Side::Relaxed));
  const std::uint32_t none =
      p_.reason(fmt::format("no value that '{}' allows was found", core::title(program, index)));
  const std::uint32_t nothing =
      p_.reason(fmt::format("no value satisfies what '{}' ensures", core::title(program, index)));
  return fmt::format(
      "  // {0}\n  [[gnu::noinline]] {1} {2}(std::uint32_t site, {3}) {{\n{4}"
      "    [[maybe_unused]] bool on[{5}], done[{5}], bounds[{5}], open[{6}];\n    bool certain = "
      "true;\n{7}"
      "    for (int attempt = 0; attempt < choose.attempts(); ++attempt) {{\n{8}"
      "      std::fill(on, on + {5}, false);\n      std::fill(done, done + {5}, false);\n"
      "      std::fill(open, open + {6}, true);\n      bool fits = true;\n      unsigned left = "
      "{6};\n{9}"
      "      while (left > 0) {{\n        bool progress = false;\n{10}        if (progress) "
      "continue;\n{11}"
      "      }}\n{12}      if (!fits) continue;\n"
      "      if ({13}!(out == exact)) met(site);\n      return out;\n    }}\n{8}"
      "    if (certain) stop(end::stuck, {16}, {15});\n"
      "    stop(end::impossible, {14}, {15});\n  }}\n",
      core::title(program, index), p_.type_of(type_), name, head(), kept, parts_.size() + 1, count,
      looks, back, flat, steps, picks, checks, changed, none, place, nothing);
}

}  // namespace leto::emit
