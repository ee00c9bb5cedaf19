#include <fmt/core.h>

#include "core/core.h"

namespace leto::core {

namespace {

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) {}

  std::string run() {
    out_ += fmt::format("model {}\n", program_.model.name);
    for (const ConstantVar& c : program_.constants)
      out_ += fmt::format("  const {}{}\n", declared(c.var), value(c.value));
    for (ExprId e : program_.constraints) out_ += fmt::format("  requires {}\n", expr(e));
    for (const StateVar& s : program_.model.states)
      out_ += fmt::format("  state {}{}\n", declared(s.var), value(s.init));
    for (ExprId e : program_.model.invariants) out_ += fmt::format("  invariant {}\n", expr(e));
    for (std::size_t i = 0; i < program_.specifications.size(); ++i) specification(i);
    for (const Definition& d : program_.definitions) definition(d);
    for (std::uint32_t i = 0; i < program_.functions.size(); ++i)
      function(program_.functions[FunctionId{i}]);
    return std::move(out_);
  }

  std::string expr(ExprId id) {
    const Expr& e = program_.exprs[id];
    return std::visit(
        Overload{
            [](const BoolConst& node) { return std::string(node.value ? "true" : "false"); },
            [](const NumberConst& node) { return node.text; },
            [&](const VarRef& node) {
              const char* side = node.side == Side::Open       ? ""
                                 : node.side == Side::Original ? "<o>"
                                                               : "<r>";
              return name(node.var) + side;
            },
            [&](const OldRef& node) { return "old(" + name(node.var) + ")"; },
            [&](const Length& node) {
              return fmt::format("size{}({})", node.dimension, expr(node.vector));
            },
            [&](const Select& node) {
              std::string text = expr(node.vector);
              for (ExprId index : node.indices) text += "[" + expr(index) + "]";
              return text;
            },
            [&](const Apply& node) { return applied(node); },
            [&](const Quant& node) {
              std::string text = node.universal ? "forall(" : "exists(";
              for (std::size_t i = 0; i < node.bound.size(); ++i)
                text += (i == 0 ? "" : ", ") + declared(node.bound[i]);
              return text + ")(" + expr(node.body) + ")";
            },
            [&](const Row& node) {
              return fmt::format("{}[{}]", expr(node.matrix), expr(node.index));
            },
            [&](const Update& node) {
              return fmt::format("{}[{} := {}]", expr(node.vector), expr(node.index),
                                 expr(node.value));
            },
            [&](const Defined& node) {
              return program_.definitions[node.definition].name + "(" + exprs(node.args) + ")";
            },
            [&](const Listed& node) { return "[" + exprs(node.elements) + "]"; },
            [&](const Word& node) {
              return fmt::format("{}.{}{}({})", spelling(node.op), e.type.width,
                                 node.op == WordOp::Part ? fmt::format(".{}", node.low) : "",
                                 exprs(node.args));
            },
            [&](const Snapshot& node) {
              return fmt::format("{}{}[{}]", loop(node.loop), node.entry ? ".entry" : "",
                                 expr(node.expr));
            },
        },
        e.node);
  }

 private:
  void definition(const Definition& d) {
    std::string params;
    for (VarId param : d.params) params += (params.empty() ? "" : ", ") + declared(param);
    out_ += fmt::format("{} {} {}({})", d.rigid ? "const" : "define", type(d.type), d.name, params);
    if (!d.measure.empty()) out_ += " decreases " + exprs(d.measure);
    if (d.body.valid()) out_ += ": " + expr(d.body);
    if (d.witness.valid()) out_ += " witness " + expr(d.witness);
    out_ += "\n";
  }
  std::string applied(const Apply& node) {
    const bool named = node.op == Op::Abs || node.op == Op::Min || node.op == Op::Max ||
                       node.op == Op::ToReal || node.op == Op::Floor || node.op == Op::ToNatural ||
                       node.op == Op::Choose;
    if (named) return std::string(spelling(node.op)) + "(" + exprs(node.args) + ")";
    if (node.args.size() == 1) return std::string(spelling(node.op)) + expr(node.args[0]);
    return fmt::format("({} {} {})", expr(node.args[0]), spelling(node.op), expr(node.args[1]));
  }
  std::string name(VarId id) const {
    const Var& var = program_.vars[id];
    if (var.kind == VarKind::State || var.kind == VarKind::Constant) return var.name;
    return fmt::format("{}.{}", var.name, id.value);
  }
  std::string type(const Type& t) const {
    const std::string scalar = t.base == Base::Bool   ? "bool"
                               : t.base == Base::Real ? "real"
                               : t.base == Base::Word ? fmt::format("bits<{}>", t.width)
                               : t.natural            ? "uint"
                                                      : "int";
    return t.rank == 0 ? scalar : fmt::format("{}<{}>", t.rank == 1 ? "vector" : "matrix", scalar);
  }
  std::string declared(VarId id) const { return type(program_.vars[id].type) + " " + name(id); }
  std::string value(ExprId id) { return id.valid() ? " = " + expr(id) : ""; }
  std::string loop(LoopId id) const {
    return program_.loops[id.value].empty() ? fmt::format("loop{}", id.value)
                                            : program_.loops[id.value];
  }
  std::string exprs(const std::vector<ExprId>& list) {
    std::string text;
    for (std::size_t i = 0; i < list.size(); ++i) text += (i == 0 ? "" : ", ") + expr(list[i]);
    return text;
  }
  std::string place(VarId var, const std::vector<ExprId>& indices) {
    std::string text = name(var);
    for (ExprId index : indices) text += "[" + expr(index) + "]";
    return text;
  }
  std::string site(const FaultSite& s) const {
    std::string text = s.what + " {";
    for (std::size_t i = 0; i < s.specifications.size(); ++i)
      text += fmt::format("{}#{}", i == 0 ? "" : ", ", s.specifications[i]);
    return text + "}";
  }

  void specification(std::size_t index) {
    const Specification& s = program_.specifications[index];
    out_ += fmt::format("  specification #{}{}{}(", index, s.label.empty() ? "" : " ", s.label);
    for (std::size_t i = 0; i < s.params.size(); ++i)
      out_ += (i == 0 ? "" : ", ") + declared(s.params[i]);
    out_ += ") -> " + declared(s.outcome) +
            (s.exact.valid() ? " above " + declared(s.exact) : std::string()) + "\n";
    if (s.when.valid()) out_ += fmt::format("    when {}\n", expr(s.when));
    for (VarId var : s.modifies) out_ += fmt::format("    modifies {}\n", name(var));
    for (ExprId e : s.ensures) out_ += fmt::format("    ensures {}\n", expr(e));
  }

  void function(const Function& f) {
    out_ += fmt::format("\n{} {}(", f.external() ? "external" : "function", f.name);
    for (std::size_t i = 0; i < f.params.size(); ++i)
      out_ += (i == 0 ? "" : ", ") + declared(f.params[i]);
    out_ += ")";
    for (std::size_t i = 0; i < f.results.size(); ++i)
      out_ += (i == 0 ? " -> " : ", ") + declared(f.results[i]);
    out_ += "\n";
    for (const Function::InOut& one : f.inouts)
      line(1, fmt::format("inout {} is {}", name(one.now), name(one.passed)));
    for (const ParamSize& s : f.sizes)
      out_ += fmt::format("  size{}({}) == {}\n", s.dimension, name(s.param), expr(s.size));
    if (f.ends) line(1, "ends");
    if (f.lemma) line(1, "lemma");
    if (f.alone) line(1, "the relaxed run alone, from any state");
    if (f.maybe_void) line(1, "may be void");
    if (!f.measure.empty()) line(1, "measure " + exprs(f.measure));
    for (const Clause& c : f.requires_)
      out_ += fmt::format("  requires{} {}\n", c.relational ? "_r" : "", expr(c.expr));
    for (const Clause& c : f.ensures)
      out_ += fmt::format("  ensures{} {}\n", c.relational ? "_r" : "", expr(c.expr));
    if (!f.external()) statement(f.body, 0);
  }

  void line(unsigned indent, const std::string& text) {
    out_ += std::string(std::size_t{indent} * 2, ' ') + text + "\n";
  }
  void statement(StmtId id, unsigned indent) {
    if (!id.valid()) return;
    std::visit([&](const auto& node) { visit(node, indent); }, program_.stmts[id].node);
  }
  void visit(const Assign& s, unsigned indent) {
    line(indent, name(s.target) + " := " + expr(s.value));
  }
  void visit(const core::Store& s, unsigned indent) {
    line(indent, place(s.target, s.indices) + " := " + expr(s.value));
  }
  void visit(const Declare& s, unsigned indent) {
    line(indent, "var " + declared(s.target) + (s.sizes.empty() ? "" : "(" + exprs(s.sizes) + ")") +
                     (s.any ? " anything" : ""));
  }
  void visit(const Relaxed& s, unsigned indent) {
    line(indent, fmt::format("{} := relaxed {} ({}) exactly {}", name(s.target), site(s.site),
                             exprs(s.args), expr(s.exact)));
  }
  void visit(const Write& s, unsigned indent) {
    line(indent, fmt::format("{} := {} {} {}", place(s.target, s.indices),
                             s.whole ? "each element" : "write", site(s.site), expr(s.value)) +
                     (s.exact.valid() ? " above " + expr(s.exact) : std::string()));
  }
  void visit(const Check& s, unsigned indent) { line(indent, "check " + expr(s.expr)); }
  void visit(const Claim& s, unsigned indent) {
    const char* word = s.kind == AssertionKind::Assert   ? "assert "
                       : s.kind == AssertionKind::Assume ? "assume "
                                                         : "assert_r ";
    line(indent, word + expr(s.expr));
  }
  void visit(const Block& s, unsigned indent) {
    line(indent, "{");
    for (StmtId child : s.body) statement(child, indent + 1);
    line(indent, "}");
  }
  void visit(const If& s, unsigned indent) {
    line(indent, "if " + expr(s.condition));
    statement(s.then_branch, indent);
    if (!s.else_branch.valid()) return;
    line(indent, "else");
    statement(s.else_branch, indent);
  }
  void visit(const While& s, unsigned indent) {
    line(indent, fmt::format("while {}{}", loop(s.loop), s.infer ? "" : " (no inference)"));
    for (const Invariant& i : s.invariants)
      line(indent + 1, fmt::format("invariant{} {}", i.relational ? "_r" : "", expr(i.expr)));
    if (s.falls.valid()) line(indent + 1, "falls " + expr(s.falls));
    line(indent + 1, "before each test");
    statement(s.before, indent + 1);
    line(indent + 1, "test " + expr(s.condition));
    statement(s.body, indent);
  }
  void visit(const Call& s, unsigned indent) {
    std::string targets;
    for (VarId target : s.targets) targets += (targets.empty() ? "" : ", ") + name(target);
    if (!targets.empty()) targets += " := ";
    line(indent,
         fmt::format("{}call {}({})", targets, program_.functions[s.callee].name, exprs(s.args)));
  }
  void visit(const Recall& s, unsigned indent) {
    line(indent,
         fmt::format("recall{} {}", s.relational ? "_r" : "", program_.functions[s.lemma].name) +
             (s.made.empty() ? "" : "(" + exprs(s.args) + ")"));
    for (const Recall::Made& one : s.made)
      line(indent + 1,
           "makes " + declared(one.var) + (one.sizes.empty() ? "" : "(" + exprs(one.sizes) + ")"));
    for (const Recall::Need& need : s.needs) line(indent + 1, "needs " + expr(need.expr));
    for (ExprId ensured : s.ensures) line(indent + 1, "ensures " + expr(ensured));
  }

  const Program& program_;
  std::string out_;
};

}  // namespace

std::string print(const Program& program) {
  return Printer(program).run();
}
std::string print(const Program& program, ExprId expr) {
  return Printer(program).expr(expr);
}

}  // namespace leto::core
