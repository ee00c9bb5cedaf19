// What every reader of the core form may rely on: ids are valid, types agree,
// sides occur only in relational expressions, old values only in specifications.
#include <fmt/core.h>

#include "core/core.h"

namespace leto::core {

namespace {

class Validator {
 public:
  explicit Validator(const Program& program) : program_(program) {}

  std::string run() {
    for (const ConstantVar& c : program_.constants) {
      table_ = program_.vars[c.var].type.rank == 1 ? c.value : ExprId{};
      require(program_.vars[c.var].type.rank == 0 || table_.valid(),
              "a constant vector without values");
      expression(c.value, Mode::Open);
    }
    table_ = {};
    for (ExprId e : program_.constraints) boolean(e, Mode::Open);
    for (const StateVar& s : program_.model.states) expression(s.init, Mode::Open);
    for (ExprId e : program_.model.invariants) boolean(e, Mode::Open);
    for (const Specification& s : program_.specifications) {
      if (s.when.valid()) boolean(s.when, Mode::Open);
      for (ExprId e : s.ensures) boolean(e, Mode::Post);
      for (VarId var : s.modifies)
        require(program_.vars[var].kind == VarKind::State, "modifies names no state variable");
    }
    for (const Definition& d : program_.definitions) {
      require(!d.rigid || (!d.function.valid() && !d.recursive && d.measure.empty()),
              "a function constant that is computed");
      require(d.rigid || !d.witness.valid(), "a witness of what is known");
      if (d.rigid) expression(d.body, Mode::Open);
      expression(d.witness, Mode::Open);
      require(!uses(program_, d.witness, Rigid::Unknown) &&
                  (!d.rigid || !uses(program_, d.body, Rigid::Unknown)),
              "a function constant that rests on another");
    }
    for (const Function& f : program_.functions) {
      for (ExprId part : f.measure) expression(part, Mode::Open);
      for (const Clause& c : f.requires_) boolean(c.expr, c.relational ? Mode::Sided : Mode::Open);
      for (const Clause& c : f.ensures) boolean(c.expr, c.relational ? Mode::Sided : Mode::Open);
      for (const ReliabilityClause& c : f.reliability)
        for (ExprId e : {c.original, c.relaxed})
          if (e.valid()) boolean(e, Mode::Sided);
      require(!f.external() || (f.result().valid() && f.inouts.empty()),
              "an external function without a result");
      require(f.external() || f.site.specifications.empty(), "a fault site of a whole function");
      if (!f.external()) statement(f.body);
    }
    return problem_;
  }

 private:
  enum class Mode { Open, Sided, Post };

  void require(bool good, std::string_view what) {
    if (!good && problem_.empty()) problem_ = what;
  }
  void boolean(ExprId id, Mode mode) {
    expression(id, mode);
    if (id.valid())
      require(program_.exprs[id].type == Type{Base::Bool, false, 0}, "a formula that is not bool");
  }
  void expression(ExprId id, Mode mode) {
    if (!id.valid()) return;
    const Expr& e = program_.exprs[id];
    if (!std::holds_alternative<Quant>(e.node))
      for_each_child(program_, id, [&](ExprId child) { expression(child, mode); });
    std::visit(
        Overload{
            [](const BoolConst&) {},
            [](const NumberConst&) {},
            [&](const VarRef& node) { variable(node, mode); },
            [&](const OldRef&) { require(mode == Mode::Post, "old outside of a specification"); },
            [&](const Length& node) {
              require(program_.exprs[node.vector].type.rank > node.dimension, "size of a scalar");
            },
            [&](const Select& node) {
              require(program_.exprs[node.vector].type.rank == node.indices.size(),
                      "a wrong number of indices");
            },
            [&](const Apply& node) {
              const std::size_t wanted = node.op <= Op::ToNatural ? 1
                                         : node.op == Op::Choose  ? 3
                                                                  : 2;
              require(node.args.size() == wanted, "a wrong number of operands");
            },
            [&](const Quant& node) { boolean(node.body, mode); },
            [&](const Row& node) {
              require(program_.exprs[node.matrix].type.rank == 2, "a row of what is no matrix");
            },
            [&](const Update& node) {
              require(program_.exprs[node.vector].type.rank == 1, "an update of what is no vector");
            },
            [&](const Defined& node) {
              require(node.definition.value < program_.definitions.size(), "an unknown definition");
              if (problem_.empty())
                require(node.args.size() == program_.definitions[node.definition].params.size(),
                        "a wrong number of arguments");
            },
            [&](const Listed& node) {
              require(id == table_ && e.type.rank == 1, "a list of values in an expression");
              for (ExprId element : node.elements)
                require(program_.exprs[element].type.rank == 0, "an element that is a vector");
            },
            [&](const Word& node) { word(e.type, node); },
            [&](const Snapshot& node) {
              require(node.loop.value < program_.loops.size(), "an unknown loop");
            },
        },
        e.node);
  }
  // Each operation has operands of its widths and the result that they make.
  void word(const Type& type, const Word& node) {
    require(node.args.size() == operands_of(node.op), "a wrong number of operands");
    if (!problem_.empty()) return;
    const auto arg = [&](std::size_t i) { return program_.exprs[node.args[i]].type; };
    const auto is = [&](bool good) { require(good, "an operation on words of other types"); };
    const Type truth{Base::Bool, false, 0};
    is(node.op == WordOp::OfInt ? arg(0).base == Base::Int && arg(0).rank == 0 : arg(0).is_word());
    switch (node.op) {
      case WordOp::Not:
      case WordOp::Neg:
        return is(type == arg(0));
      case WordOp::And:
      case WordOp::Or:
      case WordOp::Xor:
      case WordOp::ShiftLeft:
      case WordOp::ShiftRight:
      case WordOp::ShiftSigned:
      case WordOp::Add:
      case WordOp::Sub:
      case WordOp::Mul:
      case WordOp::Div:
      case WordOp::Mod:
      case WordOp::SignedDiv:
      case WordOp::SignedRem:
        return is(type == arg(0) && type == arg(1));
      case WordOp::Less:
      case WordOp::AtMost:
      case WordOp::Greater:
      case WordOp::AtLeast:
      case WordOp::SignedLess:
        return is(type == truth && arg(0) == arg(1));
      case WordOp::Join:
        return is(type.is_word() && arg(1).is_word() && type.width == arg(0).width + arg(1).width);
      case WordOp::Part:
        return is(type.is_word() && node.low + type.width <= arg(0).width);
      case WordOp::ZeroExtend:
      case WordOp::SignExtend:
        return is(type.is_word() && type.width >= arg(0).width);
      case WordOp::ToNatural:
      case WordOp::Ones:
        return is(type == Type{Base::Int, true, 0});
      case WordOp::ToInt:
        return is(type == Type{Base::Int, false, 0});
      case WordOp::OfInt:
        return is(type.is_word());
      case WordOp::Bit:
        return is(type == truth && arg(1).base == Base::Int);
      case WordOp::WithBit:
        return is(type == arg(0) && arg(1).base == Base::Int && arg(2) == truth);
      case WordOp::Parity:
        return is(type == truth);
    }
  }
  void variable(const VarRef& node, Mode mode) {
    const VarKind kind = program_.vars[node.var].kind;
    if (node.side != Side::Open) require(mode == Mode::Sided, "a side where there is one run");
    const bool sideless = kind == VarKind::Constant || kind == VarKind::Bound;
    if (mode == Mode::Sided)
      require(sideless == (node.side == Side::Open), "a variable without a side");
  }

  void statement(StmtId id) {
    if (!id.valid()) return;
    std::visit([&](const auto& node) { visit(node); }, program_.stmts[id].node);
  }
  void visit(const Assign& s) {
    expression(s.value, Mode::Open);
    require(program_.vars[s.target].type.rank == program_.exprs[s.value].type.rank,
            "an assignment between shapes");
  }
  void visit(const core::Store& s) {
    for (ExprId index : s.indices) expression(index, Mode::Open);
    expression(s.value, Mode::Open);
    require(program_.vars[s.target].type.rank == s.indices.size(), "a store with too few indices");
  }
  void visit(const Declare& s) {
    for (ExprId size : s.sizes) expression(size, Mode::Open);
    require(program_.vars[s.target].type.rank == s.sizes.size(), "a wrong number of sizes");
  }
  void visit(const Relaxed& s) {
    for (ExprId arg : s.args) expression(arg, Mode::Open);
    expression(s.exact, Mode::Open);
    for (std::uint32_t spec : s.site.specifications)
      require(spec < program_.specifications.size() &&
                  program_.specifications[spec].params.size() == s.args.size(),
              "a specification with other operands");
    for (std::uint32_t spec : s.site.specifications)
      require(
          program_.vars[program_.specifications[spec].outcome].type == program_.vars[s.target].type,
          "an outcome of another type than what is set");
  }
  void visit(const Write& s) {
    for (ExprId index : s.indices) expression(index, Mode::Open);
    expression(s.value, Mode::Open);
    expression(s.exact, Mode::Open);
    for (std::uint32_t spec : s.site.specifications)
      require(spec < program_.specifications.size() &&
                  program_.specifications[spec].exact.valid() == s.exact.valid(),
              "a write above no layer, or an upper layer without one");
  }
  void visit(const Check& s) { boolean(s.expr, Mode::Open); }
  void visit(const Claim& s) {
    boolean(s.expr, s.kind == AssertionKind::AssertR ? Mode::Sided : Mode::Open);
  }
  void visit(const Block& s) {
    for (StmtId child : s.body) statement(child);
  }
  void visit(const If& s) {
    boolean(s.condition, Mode::Open);
    statement(s.then_branch);
    statement(s.else_branch);
  }
  void visit(const While& s) {
    statement(s.before);
    boolean(s.condition, Mode::Open);
    for (const Invariant& i : s.invariants)
      for (ExprId e : {i.expr, i.only_if})
        if (e.valid()) boolean(e, i.relational ? Mode::Sided : Mode::Open);
    for (ExprId e : {s.falls, s.likely})
      if (e.valid()) boolean(e, Mode::Open);
    statement(s.body);
  }
  void visit(const Call& s) {
    require(s.callee.value < program_.functions.size() && !program_.functions[s.callee].lemma &&
                program_.functions[s.callee].params.size() == s.args.size(),
            "a call with other arguments");
    require(s.targets.empty() || s.targets.size() == program_.functions[s.callee].results.size(),
            "a call with other results");
    for (ExprId arg : s.args) expression(arg, Mode::Open);
  }

  void visit(const Recall& s) {
    require(s.lemma.value < program_.functions.size() && program_.functions[s.lemma].lemma,
            "a lemma that is none");
    const Mode mode = s.relational ? Mode::Sided : Mode::Open;
    for (const Recall::Need& need : s.needs) boolean(need.expr, mode);
    for (ExprId ensured : s.ensures) boolean(ensured, mode);
    if (s.made.empty()) return require(s.args.empty(), "arguments for nothing that is made");
    const Function& lemma = program_.functions[s.lemma];
    require(!s.relational && s.made.size() == lemma.results.size() &&
                s.args.size() == lemma.params.size(),
            "a lemma that makes something else");
    for (const Recall::Made& one : s.made) {
      for (ExprId size : one.sizes) expression(size, Mode::Open);
      require(program_.vars[one.var].type.rank == one.sizes.size(), "a wrong number of sizes");
    }
    for (ExprId arg : s.args) expression(arg, Mode::Open);
  }

  const Program& program_;
  std::string problem_;
  ExprId table_;  // the value of the constant vector at hand
};

}  // namespace

std::string validate(const Program& program) {
  return Validator(program).run();
}

}  // namespace leto::core
