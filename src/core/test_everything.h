// For tests only.
#pragma once

#include "core/test_builder.h"

namespace leto::core {

// Every kind of statement and of expression, once.
struct Everything : Builder {
  VarId m = state("m", kIntType, num("0"));
  VarId c = constant("c", kIntType, num("1"));
  VarId table = constant("table", kIntVector, expr(kIntVector, Listed{{num("1"), num("2")}}));
  VarId x = param("x"), v = param("v", kIntVector), k = var(VarKind::Bound, "k", kUintType);
  VarId y = local("y"), t = var(VarKind::Temp, "t");
  Operands over = operands();
  std::uint32_t spec = specification(over, truth(true), {op(Op::Eq, ref(m), old(m))}, {m}, "flip");
  While loop = Builder::loop(op(Op::Lt, ref(y), ref(x)), {});
  StmtId declare_y = declare(y), assign_y = assign(y, num("1"));
  StmtId store = stmt(core::Store{v, {num("0")}, select(v, num("1"))});
  StmtId relaxed_t = relaxed_op(t, {spec}, {ref(x), ref(y)}, op(Op::Add, ref(x), ref(y)));
  StmtId write = stmt(Write{y, {"write to r", {spec}}, {}, ref(x), false});
  StmtId check = stmt(Check{CheckKind::Bounds, op(Op::Lt, ref(x), length(v))});
  StmtId claim_all = claim(forall(k, op(Op::Ge, select(v, ref(k)), num("0"))));
  StmtId labelled = claim(op(Op::Eq, expr(kIntType, Snapshot{loop.loop, true, ref(x)}), ref(x)));
  StmtId claim_sum = claim(op(Op::Ge, defined(sum(), {ref(v), num("2")}), num("0")));
  DefinitionId bad = rigid("model.bad");
  StmtId claim_bad = claim(not_(defined(bad, {ref(x)})));
  VarId w = param("w", {Base::Int, false, 2});
  StmtId claim_row = claim(op(Op::Eq, expr(kIntVector, Row{ref(w), num("0")}),
                              expr(kIntVector, Update{ref(v), num("0"), num("1")})));
  VarId b = local("b", {Base::Word, false, 0, 8});
  StmtId claim_word =
      claim(op(Op::Eq, expr({Base::Word, false, 0, 4}, Word{WordOp::Part, {ref(b)}, 2}),
               num("3", {Base::Word, false, 0, 4})));
  StmtId call_g, while_y, if_x, recall_l;
  FunctionId g, f, l;

  Everything() {
    loop.body = block({relaxed_t, labelled});
    g = function("g", {}, {assign(m, num("2"))});
    call_g = call(g, {});
    l = function("l", {}, {});
    program.functions[l].lemma = program.functions[l].ends = true;
    recall_l = stmt(Recall{l,
                           false,
                           {{NeedKind::Requires, op(Op::Ge, ref(x), num("0"))}},
                           {op(Op::Ge, ref(x), ref(x))}});
    while_y = stmt(loop);
    if_x = branch(op(Op::Gt, ref(x), num("0")), {call_g});
    f = function("f", {x, v, w},
                 {declare_y, assign_y, store, write, check, claim_all, claim_sum, claim_bad,
                  claim_row, claim_word, recall_l, while_y, if_x});
  }
  [[nodiscard]] StmtId body() const { return program.functions[f].body; }
};

}  // namespace leto::core
