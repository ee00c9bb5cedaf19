// For tests only: core programs by hand, in the rooms that know no syntax. Every statement and
// expression has a place of its own, so that what is said of it can be told apart.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "core/core.h"

namespace leto::core {

inline constexpr Type kBoolType{Base::Bool, false, 0};
inline constexpr Type kIntType{Base::Int, false, 0};
inline constexpr Type kUintType{Base::Int, true, 0};
inline constexpr Type kRealType{Base::Real, false, 0};
inline constexpr Type kIntVector{Base::Int, false, 1};

class Builder {
 public:
  Program program;

  // Variables.
  VarId var(VarKind kind, std::string name, Type type = kIntType) {
    return program.vars.add({kind, std::move(name), type, next()});
  }
  VarId local(std::string name, Type type = kIntType) {
    return var(VarKind::Local, std::move(name), type);
  }
  VarId param(std::string name, Type type = kIntType) {
    return var(VarKind::Param, std::move(name), type);
  }
  VarId state(std::string name, Type type, ExprId init = {}) {
    const VarId id = var(VarKind::State, std::move(name), type);
    program.model.states.push_back({id, init});
    return id;
  }
  VarId constant(std::string name, Type type, ExprId value = {}) {
    const VarId id = var(VarKind::Constant, std::move(name), type);
    program.constants.push_back({id, value});
    return id;
  }

  // Expressions.
  template <class Node>
  ExprId expr(Type type, Node node) {
    return program.exprs.add({type, next(), std::move(node)});
  }
  ExprId num(const std::string& text, Type type = kIntType) {
    return expr(type, NumberConst{text});
  }
  ExprId truth(bool value) { return expr(kBoolType, BoolConst{value}); }
  ExprId ref(VarId id, Side side = Side::Open) {
    return expr(program.vars[id].type, VarRef{id, side});
  }
  ExprId original(VarId id) { return ref(id, Side::Original); }
  ExprId relaxed(VarId id) { return ref(id, Side::Relaxed); }
  ExprId old(VarId id) { return expr(program.vars[id].type, OldRef{id}); }
  ExprId not_(ExprId arg) { return expr(kBoolType, Apply{Op::Not, {arg}}); }
  ExprId op(Op op, std::vector<ExprId> args) {
    Type type = program.exprs[args[0]].type;
    for (ExprId arg : args)
      if (program.exprs[arg].type.base == Base::Real) type = kRealType;
    if (op == Op::ToReal) type = kRealType;
    if (op == Op::Floor) type = kIntType;
    if (op == Op::ToNatural) type = kUintType;
    if (op == Op::Not || (op >= Op::And && op <= Op::Ge)) type = kBoolType;
    return expr(type, Apply{op, std::move(args)});
  }
  ExprId op(Op which, ExprId a, ExprId b) { return op(which, std::vector<ExprId>{a, b}); }
  ExprId equal(VarId id) { return op(Op::Eq, original(id), relaxed(id)); }
  ExprId select(VarId vector, ExprId index, Side side = Side::Open) {
    return expr(program.vars[vector].type.element(), Select{ref(vector, side), {index}});
  }
  ExprId length(VarId vector, Side side = Side::Open) {
    return expr(kUintType, Length{ref(vector, side), 0});
  }
  ExprId forall(VarId bound, ExprId body) { return expr(kBoolType, Quant{true, {bound}, body}); }

  // A definition of bound variables; its body may use it.
  DefinitionId definition(std::string name, std::vector<VarId> params, Type type = kIntType) {
    Definition d;
    d.name = std::move(name);
    d.span = next();
    d.params = std::move(params);
    d.type = type;
    return program.definitions.add(std::move(d));
  }
  // A function constant of one integer.
  DefinitionId rigid(std::string name, Type type = kBoolType) {
    const DefinitionId id = definition(std::move(name), {var(VarKind::Bound, "a")}, type);
    program.definitions[id].rigid = true;
    return id;
  }
  ExprId defined(DefinitionId id, std::vector<ExprId> args) {
    return expr(program.definitions[id].type, Defined{id, std::move(args)});
  }
  // sum(v, n) = if n == 0 then 0 else sum(v, n - 1) + v[n - 1]
  DefinitionId sum() {
    const VarId v = var(VarKind::Bound, "v", kIntVector), n = var(VarKind::Bound, "n", kUintType);
    const DefinitionId id = definition("sum", {v, n});
    const auto less = [&] { return op(Op::Sub, ref(n), num("1")); };
    const ExprId rest = op(Op::Add, defined(id, {ref(v), less()}), select(v, less()));
    Definition& d = program.definitions[id];
    d.measure = {ref(n)};
    d.body = expr(kIntType, Apply{Op::Choose, {op(Op::Eq, ref(n), num("0")), num("0"), rest}});
    d.recursive = true;
    return id;
  }

  // Statements.
  template <class Node>
  StmtId stmt(Node node) {
    return program.stmts.add({next(), std::move(node)});
  }
  StmtId block(std::vector<StmtId> body) { return stmt(Block{std::move(body)}); }
  StmtId assign(VarId target, ExprId value) { return stmt(Assign{target, value}); }
  StmtId declare(VarId target, std::vector<ExprId> sizes = {}) {
    return stmt(Declare{target, std::move(sizes)});
  }
  StmtId claim(ExprId expr) { return stmt(Claim{AssertionKind::Assert, expr}); }
  StmtId assume(ExprId expr) { return stmt(Claim{AssertionKind::Assume, expr}); }
  StmtId relate(ExprId expr) { return stmt(Claim{AssertionKind::AssertR, expr}); }
  StmtId branch(ExprId condition, std::vector<StmtId> first, std::vector<StmtId> second = {}) {
    const StmtId then = block(std::move(first));
    return stmt(If{condition, then, second.empty() ? StmtId{} : block(std::move(second))});
  }
  // The caller may add invariants and what is computed before the test.
  While loop(ExprId condition, std::vector<StmtId> body) {
    While out;
    program.loops.emplace_back();
    out.loop = LoopId{static_cast<std::uint32_t>(program.loops.size() - 1)};
    out.condition = condition;
    out.body = block(std::move(body));
    out.left = var(VarKind::Temp, "left", kBoolType);
    return out;
  }
  StmtId call(FunctionId callee, std::vector<ExprId> args, VarId target = {}) {
    std::vector<VarId> targets;
    if (target.valid()) targets.push_back(target);
    return stmt(Call{callee, std::move(targets), std::move(args)});
  }
  StmtId relaxed_op(VarId target, std::vector<std::uint32_t> specifications,
                    std::vector<ExprId> args, ExprId exact) {
    return stmt(Relaxed{target, {"+", std::move(specifications)}, std::move(args), exact});
  }

  // A specification of a binary operator on integers, over variables that the caller names.
  struct Operands {
    VarId first, second, outcome;
  };
  Operands operands(Type type = kIntType) {
    return {var(VarKind::Bound, "a", type), var(VarKind::Bound, "b", type),
            var(VarKind::Bound, "result", type)};
  }
  std::uint32_t specification(const Operands& over, ExprId when, std::vector<ExprId> ensures,
                              std::vector<VarId> modifies = {}, std::string label = "") {
    Specification spec;
    spec.label = std::move(label);
    spec.span = next();
    spec.params = {over.first, over.second};
    spec.outcome = over.outcome;
    spec.when = when;
    spec.modifies = std::move(modifies);
    spec.ensures = std::move(ensures);
    program.specifications.push_back(std::move(spec));
    return static_cast<std::uint32_t>(program.specifications.size() - 1);
  }
  // result == a + b, whenever.
  std::uint32_t exact_addition() {
    const Operands over = operands();
    return specification(
        over, {}, {op(Op::Eq, ref(over.outcome), op(Op::Add, ref(over.first), ref(over.second)))});
  }
  // Anything, whenever.
  std::uint32_t wild_addition() { return specification(operands(), {}, {}, {}, "wild"); }

  FunctionId function(std::string name, std::vector<VarId> params, std::vector<StmtId> body) {
    Function f;
    f.name = std::move(name);
    f.span = next();
    f.params = std::move(params);
    f.body = block(std::move(body));
    return program.functions.add(std::move(f));
  }
  FunctionId external(std::string name, std::vector<VarId> params, VarId result) {
    Function f;
    f.name = std::move(name);
    f.span = next();
    f.params = std::move(params);
    f.results = {result};
    return program.functions.add(std::move(f));
  }

  [[nodiscard]] Span at(StmtId id) const { return program.stmts[id].span; }
  [[nodiscard]] Span at(ExprId id) const { return program.exprs[id].span; }
  Span next() {
    ++places_;
    return {FileId{0}, places_, places_ + 1};
  }

 private:
  std::uint32_t places_ = 0;
};

}  // namespace leto::core
