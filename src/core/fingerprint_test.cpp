// What is remembered of a function is found by its fingerprint: whatever a proof could rest on
// changes it.
#include "core/fingerprint.h"

#include <gtest/gtest.h>

#include <map>

#include "core/test_everything.h"

namespace leto::core {

namespace {

// The text itself, so that what differs can be seen.
std::string as_it_is(const std::string& text) {
  return text;
}

std::string print_of(const Program& program, FunctionId id) {
  return find_fingerprints(program, as_it_is)[id.value];
}

// One change at a time, to a program of its own each: none has the fingerprint of another one.
class Changes {
 public:
  Changes() {
    add("nothing", [](Everything&) {});
  }

  void add(const std::string& what, const std::function<void(Everything&)>& change) {
    Everything everything;
    change(everything);
    const auto [it, fresh] = seen_.emplace(print_of(everything.program, everything.f), what);
    EXPECT_TRUE(fresh) << what << " is like " << it->second;
  }
  template <class Node>
  void of_stmt(const std::string& what, StmtId Everything::*id,
               const std::function<void(Node&, Everything&)>& change) {
    add(what, [&](Everything& e) { change(std::get<Node>(e.program.stmts[e.*id].node), e); });
  }
  // Of the first expression of this kind that there is.
  template <class Node>
  void of_expr(const std::string& what, const std::function<void(Node&, Everything&)>& change) {
    add(what, [&](Everything& e) {
      for (std::uint32_t i = 0; i < e.program.exprs.size(); ++i)
        if (auto* node = std::get_if<Node>(&e.program.exprs[ExprId{i}].node))
          return change(*node, e);
      ADD_FAILURE() << "there is none: " << what;
    });
  }

 private:
  std::map<std::string, std::string> seen_;  // what was changed, by fingerprint
};

using E = Everything;

}  // namespace

TEST(CoreFingerprint, EveryMemberOfEveryStatementCounts) {
  Changes c;
  const auto other_target = [](auto& s, E& e) { s.target = e.local("z"); };
  const auto other_value = [](auto& s, E& e) { s.value = e.num("7"); };
  c.of_stmt<Assign>("assign.target", &E::assign_y, other_target);
  c.of_stmt<Assign>("assign.value", &E::assign_y, other_value);
  c.of_stmt<core::Store>("store.target", &E::store, other_target);
  c.of_stmt<core::Store>("store.index", &E::store,
                         [](auto& s, E& e) { s.indices[0] = e.num("3"); });
  c.of_stmt<core::Store>("store.value", &E::store, other_value);
  c.of_stmt<Declare>("declare.target", &E::declare_y, other_target);
  c.of_stmt<Declare>("declare.sizes", &E::declare_y,
                     [](auto& s, E& e) { s.sizes.push_back(e.num("3")); });
  c.of_stmt<Declare>("declare.any", &E::declare_y, [](auto& s, E&) { s.any = true; });
  c.of_stmt<Relaxed>("relaxed.target", &E::relaxed_t, other_target);
  c.of_stmt<Relaxed>("relaxed.site", &E::relaxed_t,
                     [](auto& s, E&) { s.site.specifications.clear(); });
  c.of_stmt<Relaxed>("relaxed.what", &E::relaxed_t, [](auto& s, E&) { s.site.what = "-"; });
  c.of_stmt<Relaxed>("relaxed.args", &E::relaxed_t, [](auto& s, E& e) { s.args[0] = e.num("3"); });
  c.of_stmt<Relaxed>("relaxed.exact", &E::relaxed_t, [](auto& s, E& e) { s.exact = e.num("3"); });
  c.of_stmt<Write>("write.target", &E::write, other_target);
  c.of_stmt<Write>("write.site", &E::write, [](auto& s, E&) { s.site.specifications.clear(); });
  c.of_stmt<Write>("write.indices", &E::write, [](auto& s, E& e) { s.indices = {e.num("0")}; });
  c.of_stmt<Write>("write.value", &E::write, other_value);
  c.of_stmt<Write>("write.whole", &E::write, [](auto& s, E&) { s.whole = true; });
  c.of_stmt<Write>("write.exact", &E::write, [](auto& s, E& e) { s.exact = e.num("3"); });
  c.of_stmt<Check>("check.kind", &E::check, [](auto& s, E&) { s.kind = CheckKind::SameSize; });
  c.of_stmt<Check>("check.expr", &E::check, [](auto& s, E& e) { s.expr = e.truth(true); });
  c.of_stmt<Claim>("claim.kind", &E::claim_all,
                   [](auto& s, E&) { s.kind = AssertionKind::Assume; });
  c.of_stmt<Claim>("claim.expr", &E::claim_all, [](auto& s, E& e) { s.expr = e.truth(true); });
  c.of_stmt<If>("if.condition", &E::if_x, [](auto& s, E& e) { s.condition = e.truth(true); });
  c.of_stmt<If>("if.then", &E::if_x, [](auto& s, E& e) { s.then_branch = e.block({}); });
  c.of_stmt<If>("if.else", &E::if_x, [](auto& s, E& e) { s.else_branch = e.block({}); });
  c.of_stmt<Call>("call.targets", &E::call_g, [](auto& s, E& e) { s.targets = {e.t}; });
  c.of_stmt<Call>("call.args", &E::call_g, [](auto& s, E& e) { s.args = {e.num("0")}; });
  c.of_stmt<Recall>("recall.relational", &E::recall_l, [](auto& s, E&) { s.relational = true; });
  c.of_stmt<Recall>("recall.kind", &E::recall_l,
                    [](auto& s, E&) { s.needs[0].kind = NeedKind::Falls; });
  c.of_stmt<Recall>("recall.need", &E::recall_l,
                    [](auto& s, E& e) { s.needs[0].expr = e.truth(true); });
  c.of_stmt<Recall>("recall.ensures", &E::recall_l,
                    [](auto& s, E& e) { s.ensures[0] = e.truth(true); });
  c.of_stmt<Recall>("recall.made", &E::recall_l, [](auto& s, E& e) { s.made = {{e.t, {}}}; });
  c.of_stmt<Recall>("recall.made.sizes", &E::recall_l, [](auto& s, E& e) {
    s.made = {{e.t, {}}, {e.y, {e.num("3")}}};
  });
  c.of_stmt<Recall>("recall.args", &E::recall_l, [](auto& s, E& e) { s.args = {e.num("3")}; });
  c.add("recall.lemma", [](E& e) { e.program.functions[e.l].name = "other"; });
  c.add("block", [](E& e) { std::get<Block>(e.program.stmts[e.body()].node).body.pop_back(); });
  c.add("place of a statement", [](E& e) { e.program.stmts[e.check].span.end += 1; });
}

TEST(CoreFingerprint, EveryMemberOfALoopCounts) {
  Changes c;
  const auto of_loop = [&](const std::string& what, const std::function<void(While&, E&)>& change) {
    c.of_stmt<While>(what, &E::while_y, change);
  };
  of_loop("loop", [](While& s, E& e) {
    e.program.loops.emplace_back();
    s.loop = LoopId{static_cast<std::uint32_t>(e.program.loops.size() - 1)};
  });
  c.add("label", [](E& e) { e.program.loops[0] = "outer"; });
  of_loop("before", [](While& s, E& e) { s.before = e.block({}); });
  of_loop("condition", [](While& s, E& e) { s.condition = e.truth(false); });
  of_loop("body", [](While& s, E& e) { s.body = e.block({}); });
  of_loop("infer", [](While& s, E&) { s.infer = false; });
  of_loop("times", [](While& s, E& e) { s.times = e.num("3"); });
  of_loop("counter", [](While& s, E& e) { s.counter = e.y; });
  of_loop("exits", [](While& s, E& e) { s.exits = {e.y}; });
  of_loop("left", [](While& s, E& e) { s.left = e.y; });
  of_loop("visible", [](While& s, E& e) { s.visible = {e.y}; });
  of_loop("invariant", [](While& s, E& e) { s.invariants = {{e.truth(true), false}}; });
  of_loop("invariant.expr", [](While& s, E& e) { s.invariants = {{e.truth(false), false}}; });
  of_loop("invariant_r", [](While& s, E& e) { s.invariants = {{e.truth(true), true}}; });
  of_loop("only_if", [](While& s, E& e) {
    const ExprId yes = e.truth(true);
    s.invariants = {{yes, false, yes}};
  });
}

TEST(CoreFingerprint, EveryMemberOfEveryExpressionCounts) {
  Changes c;
  c.of_expr<BoolConst>("truth", [](BoolConst& n, E&) { n.value = false; });
  c.of_expr<NumberConst>("number", [](NumberConst& n, E&) { n.text = "9"; });
  c.of_expr<VarRef>("variable", [](VarRef& n, E& e) { n.var = e.c; });
  c.of_expr<VarRef>("side", [](VarRef& n, E&) { n.side = Side::Relaxed; });
  c.of_expr<OldRef>("old", [](OldRef& n, E& e) { n.var = e.c; });
  c.of_expr<Length>("length of",
                    [](Length& n, E& e) { n.vector = e.ref(e.local("w", kIntVector)); });
  c.of_expr<Length>("dimension", [](Length& n, E&) { n.dimension = 1; });
  c.of_expr<Select>("element of",
                    [](Select& n, E& e) { n.vector = e.ref(e.local("w", kIntVector)); });
  c.of_expr<Select>("index", [](Select& n, E& e) { n.indices[0] = e.num("8"); });
  c.of_expr<Apply>("operator", [](Apply& n, E&) { n.op = Op::Ne; });
  c.of_expr<Apply>("operand", [](Apply& n, E& e) { n.args[0] = e.num("8"); });
  c.of_expr<Quant>("quantifier", [](Quant& n, E&) { n.universal = false; });
  c.of_expr<Quant>("bound", [](Quant& n, E& e) { n.bound.push_back(e.var(VarKind::Bound, "l")); });
  c.of_expr<Quant>("quantified", [](Quant& n, E& e) { n.body = e.truth(true); });
  c.of_expr<Snapshot>("moment", [](Snapshot& n, E&) { n.entry = false; });
  c.of_expr<Snapshot>("remembered", [](Snapshot& n, E& e) { n.expr = e.num("8"); });
  c.of_expr<Snapshot>("of the loop", [](Snapshot& n, E& e) {
    e.program.loops.emplace_back();
    n.loop = LoopId{static_cast<std::uint32_t>(e.program.loops.size() - 1)};
  });
  c.add("type", [](E& e) { e.program.exprs[ExprId{0}].type = kRealType; });
}

TEST(CoreFingerprint, VariablesAndModelsCount) {
  Changes c;
  c.add("name", [](E& e) { e.program.vars[e.y].name = "z"; });
  c.add("type", [](E& e) { e.program.vars[e.y].type = kUintType; });
  c.add("kind", [](E& e) { e.program.vars[e.y].kind = VarKind::Ghost; });
  c.add("model", [](E& e) { e.program.model.name = "other"; });
  c.add("init", [](E& e) { e.program.model.states[0].init = {}; });
  c.add("another state", [](E& e) { e.state("more", kBoolType); });
  c.add("model invariant", [](E& e) { e.program.model.invariants = {e.truth(true)}; });
  c.add("constant", [](E& e) { e.program.constants[0].value = e.num("5"); });
  c.add("constraint", [](E& e) { e.program.constraints = {e.truth(true)}; });
  const auto of_bad = [&](const std::string& what,
                          const std::function<void(Definition&, E&)>& change) {
    c.add(what, [&](E& e) { change(e.program.definitions[e.bad], e); });
  };
  of_bad("function constant", [](Definition& d, E& e) {
    d.rigid = false;
    d.body = e.truth(true);
  });
  of_bad("value", [](Definition& d, E& e) { d.body = e.truth(true); });
  of_bad("witness", [](Definition& d, E& e) { d.witness = e.truth(true); });
  const auto of_spec = [&](const std::string& what,
                           const std::function<void(Specification&, E&)>& change) {
    c.add(what, [&](E& e) { change(e.program.specifications[0], e); });
  };
  of_spec("label", [](Specification& s, E&) { s.label = "other"; });
  of_spec("params", [](Specification& s, E&) { std::swap(s.params[0], s.params[1]); });
  of_spec("outcome", [](Specification& s, E&) { s.outcome = s.params[0]; });
  of_spec("when", [](Specification& s, E&) { s.when = {}; });
  of_spec("modifies", [](Specification& s, E&) { s.modifies.clear(); });
  of_spec("ensures", [](Specification& s, E&) { s.ensures.clear(); });
  of_spec("rate", [](Specification& s, E& e) { s.rate = e.num("0.5", kRealType); });
  of_spec("of_model", [](Specification& s, E&) { s.of_model = false; });
  of_spec("exact", [](Specification& s, E&) { s.exact = s.outcome; });
}

TEST(CoreFingerprint, EveryMemberOfAFunctionCounts) {
  Changes c;
  const auto of_function = [&](const std::string& what,
                               const std::function<void(Function&, E&)>& change) {
    c.add(what, [&](E& e) { change(e.program.functions[e.f], e); });
  };
  of_function("name", [](Function& f, E&) { f.name = "h"; });
  of_function("length", [](Function& f, E&) { f.span.end += 9; });
  of_function("params", [](Function& f, E&) { std::swap(f.params[0], f.params[1]); });
  of_function("size", [](Function& f, E& e) { f.sizes = {{e.v, 0, e.num("3")}}; });
  of_function("dimension", [](Function& f, E& e) { f.sizes = {{e.v, 1, e.num("3")}}; });
  of_function("result", [](Function& f, E& e) { f.results = {e.var(VarKind::Result, "result")}; });
  of_function("inout", [](Function& f, E& e) { f.inouts = {{e.v, e.t}}; });
  of_function("requires", [](Function& f, E& e) { f.requires_ = {{e.truth(true), false}}; });
  of_function("requires_r", [](Function& f, E& e) { f.requires_ = {{e.truth(true), true}}; });
  of_function("ensures", [](Function& f, E& e) { f.ensures = {{e.truth(true), false}}; });
  of_function("ensures_r", [](Function& f, E& e) { f.ensures = {{e.truth(true), true}}; });
  of_function("measure", [](Function& f, E& e) { f.measure = {e.num("3")}; });
  of_function("entered", [](Function& f, E& e) { f.entered = {{e.m, e.t}}; });
  of_function("ends", [](Function& f, E&) { f.ends = true; });
  of_function("lemma", [](Function& f, E&) { f.lemma = true; });
  of_function("alone", [](Function& f, E&) { f.alone = true; });
  of_function("maybe void", [](Function& f, E&) { f.maybe_void = true; });
  of_function("body", [](Function& f, E& e) { f.body = e.block({}); });
  of_function("site", [](Function& f, E&) { f.site.what = "extern"; });
  of_function("reliability", [](Function& f, E&) { f.reliability = {{{}, true, "0.5", {}}}; });
  of_function("reliability.of", [](Function& f, E&) { f.reliability = {{{}, false, "0.5", {}}}; });
  of_function("reliability.number", [](Function& f, E&) {
    f.reliability = {{{}, true, "0.6", {}}};
  });
  of_function("reliability.vars", [](Function& f, E& e) {
    f.reliability = {{{}, true, "0.5", {e.x}}};
  });
}

TEST(CoreFingerprint, CalleesCountWhereverTheyAreAndOthersDoNot) {
  const auto prints = [](const std::string& number, bool circle, const std::string& of_high = "1") {
    Builder b;
    const VarId x = b.local("x"), y = b.local("x"), z = b.local("x");
    const FunctionId low = b.function("low", {}, {b.assign(x, b.num(number))});
    const FunctionId middle = b.function("middle", {}, {b.call(low, {})});
    const FunctionId high =
        b.function("high", {}, {b.assign(y, b.num(of_high)), b.call(middle, {})});
    b.function("beside", {}, {b.assign(z, b.num("1"))});
    if (circle)
      std::get<Block>(b.program.stmts[b.program.functions[low].body].node)
          .body.push_back(b.call(high, {}));
    return find_fingerprints(b.program, as_it_is);
  };
  const auto before = prints("1", false), after = prints("2", false);
  for (std::size_t f : {0, 1, 2}) EXPECT_NE(before[f], after[f]) << f;
  EXPECT_EQ(before[3], after[3]);
  const auto round = prints("1", true), changed = prints("2", true), last = prints("1", true, "2");
  for (std::size_t f : {0, 1, 2}) {
    EXPECT_NE(round[f], changed[f]) << f;
    EXPECT_NE(round[f], last[f]) << f;
    for (std::size_t g : {0, 1, 2}) EXPECT_TRUE(f == g || round[f] != round[g]) << f << g;
  }
}

// Two callees with the same text are not the same callee.
TEST(CoreFingerprint, WhoIsCalledCounts) {
  const auto print = [](bool second) {
    Builder b;
    const FunctionId one = b.function("one", {}, {}), two = b.function("two", {}, {});
    const FunctionId f = b.function("f", {}, {b.call(second ? two : one, {})});
    return print_of(b.program, f);
  };
  EXPECT_NE(print(false), print(true));
}

TEST(CoreFingerprint, AFunctionThatIsMovedAsAWholeKeepsIt) {
  const auto print = [](int empty_places) {
    Builder b;
    for (int i = 0; i < empty_places; ++i) b.next();
    const FunctionId g = b.function("g", {}, {});
    const VarId x = b.local("x");
    Function f;
    f.name = "f";
    f.span = b.next();
    f.body = b.block({b.assign(x, b.num("1")), b.call(g, {})});
    return print_of(b.program, b.program.functions.add(f));
  };
  EXPECT_EQ(print(0), print(100));
}

// Else the text would be as long as all ways through what is shared.
TEST(CoreFingerprint, WhatIsSharedIsWrittenOnce) {
  const auto length = [](int depth) {
    Builder b;
    ExprId e = b.num("1");
    for (int i = 0; i < depth; ++i) e = b.op(Op::Add, e, e);
    return print_of(b.program, b.function("f", {}, {b.assign(b.local("x"), e)})).size();
  };
  EXPECT_LT(length(60), 4 * length(20));
}

TEST(CoreGrounds, ReachFromTheFirstClauseToTheEnd) {
  Builder b;
  const ExprId clause = b.truth(true);
  const VarId x = b.local("x");
  const FunctionId f = b.function("f", {}, {});
  b.program.functions[f].requires_ = {{clause, false}};
  const StmtId last = b.assign(x, b.num("1"));
  std::get<Block>(b.program.stmts[b.program.functions[f].body].node).body = {last};
  const Span ground = find_grounds(b.program)[f.value];
  EXPECT_EQ(ground.begin, b.at(clause).begin);
  EXPECT_EQ(ground.end, b.at(last).end);
}

TEST(CoreGrounds, WhoSharesSomeHasNone) {
  Builder b;
  const FunctionId f = b.function("f", {}, {}), g = b.function("g", {}, {}),
                   h = b.function("h", {}, {});
  b.program.functions[f].span = {FileId{0}, 0, 50};
  b.program.functions[g].span = {FileId{0}, 49, 60};
  b.program.functions[h].span = {FileId{0}, 60, 70};
  for (FunctionId id : {f, g, h})
    b.program.stmts[b.program.functions[id].body].span = b.program.functions[id].span;
  std::vector<Span> grounds = find_grounds(b.program);
  EXPECT_EQ(grounds[0].begin, grounds[0].end);
  EXPECT_EQ(grounds[1].begin, grounds[1].end);
  EXPECT_EQ(grounds[2].end, 70u);
  // In another file it is another place.
  b.program.functions[f].span.file = FileId{1};
  b.program.stmts[b.program.functions[f].body].span.file = FileId{1};
  grounds = find_grounds(b.program);
  EXPECT_EQ(grounds[0].end, 50u);
  EXPECT_EQ(grounds[1].end, 60u);
}

}  // namespace leto::core
