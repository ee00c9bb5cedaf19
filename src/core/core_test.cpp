// Programs made by hand: what is in them, what they change, what is wrong with them, and how they
// are written.
#include "core/core.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/calls.h"
#include "core/test_everything.h"

namespace leto::core {

namespace {

using Statements = decltype(Stmt::node);
using Expressions = decltype(Expr::node);

template <class Variant, std::size_t... I>
std::vector<bool> seen_in(const auto& nodes, std::index_sequence<I...>) {
  std::vector<bool> seen(sizeof...(I));
  for (const auto& node : nodes) seen[node.node.index()] = true;
  return seen;
}

template <class T>
std::vector<T> sorted(std::vector<T> list) {
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace

// So that a new kind has a place in these tests.
TEST(CoreProgram, TheExampleHasEveryKind) {
  const Everything p;
  const auto all = [](const std::vector<bool>& seen) {
    return std::all_of(seen.begin(), seen.end(), [](bool s) { return s; });
  };
  EXPECT_TRUE(all(seen_in<Statements>(
      p.program.stmts, std::make_index_sequence<std::variant_size_v<Statements>>{})));
  EXPECT_TRUE(all(seen_in<Expressions>(
      p.program.exprs, std::make_index_sequence<std::variant_size_v<Expressions>>{})));
  EXPECT_EQ(validate(p.program), "");
}

// What stands inside ------------------------------------------------------------------------------

TEST(CoreProgram, StatementsAreVisitedOnceAndInOrder) {
  Everything p;
  std::vector<StmtId> visited;
  for_each_statement(p.program, p.body(), [&](StmtId id) { visited.push_back(id); });
  EXPECT_EQ(visited.front(), p.body());
  const auto place = [&](StmtId id) { return std::find(visited.begin(), visited.end(), id); };
  EXPECT_LT(place(p.declare_y), place(p.store));
  EXPECT_LT(place(p.while_y), place(p.relaxed_t));
  EXPECT_LT(place(p.relaxed_t), place(p.call_g));
  const std::set<StmtId> distinct(visited.begin(), visited.end());
  EXPECT_EQ(distinct.size(), visited.size());
  // Not what it calls.
  EXPECT_EQ(place(p.program.functions[p.g].body), visited.end());
  for_each_statement(p.program, {}, [](StmtId) { ADD_FAILURE() << "of nothing"; });
}

TEST(CoreProgram, ChildrenLeaveOutWhatIsNotThere) {
  Everything p;
  EXPECT_EQ(children(p.program, p.if_x).size(), 1u);
  EXPECT_EQ(children(p.program, p.while_y), std::vector{p.loop.body});
  EXPECT_TRUE(children(p.program, p.assign_y).empty());
}

TEST(CoreProgram, AStatementEvaluatesItsOwnExpressions) {
  Everything p;
  const auto count = [&](StmtId id) { return evaluated(p.program, id).size(); };
  EXPECT_EQ(count(p.declare_y), 0u);
  EXPECT_EQ(count(p.assign_y), 1u);
  EXPECT_EQ(count(p.store), 2u);
  EXPECT_EQ(count(p.relaxed_t), 3u);  // two operands, and what is exact
  EXPECT_EQ(count(p.write), 1u);
  EXPECT_EQ(count(p.check), 1u);
  EXPECT_EQ(count(p.claim_all), 1u);
  EXPECT_EQ(evaluated(p.program, p.while_y), std::vector{p.loop.condition});
  EXPECT_EQ(count(p.if_x), 1u);
  EXPECT_EQ(count(p.call_g), 0u);
  EXPECT_EQ(count(p.body()), 0u);
}

TEST(CoreProgram, TargetsAreWhatAStatementSets) {
  Everything p;
  EXPECT_EQ(targets_of(p.program, p.declare_y), std::vector{p.y});
  EXPECT_EQ(targets_of(p.program, p.assign_y), std::vector{p.y});
  EXPECT_EQ(targets_of(p.program, p.store), std::vector{p.v});
  EXPECT_EQ(targets_of(p.program, p.relaxed_t), std::vector{p.t});
  EXPECT_EQ(targets_of(p.program, p.write), std::vector{p.y});
  for (StmtId id : {p.check, p.claim_all, p.while_y, p.if_x, p.call_g, p.body()})
    EXPECT_TRUE(targets_of(p.program, id).empty());
}

TEST(CoreProgram, ReadsAreToldWithTheirSides) {
  Everything p;
  const ExprId sides = p.op(Op::Add, p.original(p.x), p.op(Op::Add, p.relaxed(p.y), p.old(p.m)));
  std::vector<std::pair<VarId, Side>> reads;
  for_each_read(p.program, sides, [&](VarId var, Side side) { reads.emplace_back(var, side); });
  EXPECT_EQ(reads, (std::vector<std::pair<VarId, Side>>{
                       {p.x, Side::Original}, {p.y, Side::Relaxed}, {p.m, Side::Relaxed}}));
}

TEST(CoreProgram, ConjunctsAreTakenApartWholly) {
  Builder b;
  const ExprId p = b.truth(true), q = b.truth(false),
               r = b.op(Op::Or, b.truth(true), b.truth(true));
  EXPECT_EQ(conjuncts(b.program, b.op(Op::And, p, b.op(Op::And, q, r))), (std::vector{p, q, r}));
  EXPECT_EQ(conjuncts(b.program, r), std::vector{r});
}

TEST(CoreProgram, WhatRunsUnderTheModelHasAName) {
  Everything p;
  const auto name_of = [&](StmtId id) { return operation(p.program, p.program.stmts[id]); };
  EXPECT_EQ(name_of(p.relaxed_t), "+");
  EXPECT_EQ(name_of(p.write), "write to r");
  EXPECT_EQ(name_of(p.call_g), "g");
  EXPECT_EQ(name_of(p.assign_y), "");
  EXPECT_EQ(title(p.program, p.spec), "flip");
  p.specification(p.over, {}, {});
  EXPECT_EQ(title(p.program, 1), "specification 1");
}

// bad(a, b) and bad(b, a) are settled together; bad(a, a) and others go on to what nobody asked
// for.
TEST(CoreProgram, ConstraintsThatRelateOtherArgumentsAreFound) {
  Builder b;
  const DefinitionId bad = b.rigid("bad");
  const VarId a = b.var(VarKind::Bound, "a"), c = b.var(VarKind::Bound, "c");
  const auto of = [&](ExprId x, ExprId y) { return b.defined(bad, {x, y}); };
  const auto all = [&](ExprId body) { return b.expr(kBoolType, Quant{true, {a, c}, body}); };
  const auto relates = [&](ExprId constraint) {
    b.program.constraints = {constraint};
    return find_relating(b.program) == constraint;
  };
  EXPECT_FALSE(relates(of(b.num("1"), b.num("2"))));
  EXPECT_FALSE(relates(all(b.op(Op::And, of(b.ref(a), b.ref(c)), of(b.ref(c), b.ref(a))))));
  EXPECT_TRUE(relates(all(of(b.ref(a), b.ref(a)))));
  EXPECT_TRUE(relates(all(of(b.ref(a), b.num("3")))));
  EXPECT_TRUE(relates(all(of(b.ref(a), b.op(Op::Add, b.ref(c), b.num("1"))))));
  EXPECT_TRUE(relates(b.expr(kBoolType, Quant{false, {a, c}, of(b.ref(a), b.ref(c))})));
}

TEST(CoreProgram, ExternalFunctionsAreThoseThatAreCalled) {
  Builder b;
  const FunctionId used = b.external("used", {}, b.var(VarKind::Result, "result"));
  b.external("unused", {}, b.var(VarKind::Result, "result"));
  b.function("f", {}, {b.call(used, {}), b.call(used, {})});
  EXPECT_EQ(externals_called(b.program), std::vector<std::string>{"used"});
}

// Effects ----------------------------------------------------------------------------------------

// Only the relaxed run sees what the model does.
TEST(CoreEffects, ARelaxedOperationChangesStateInTheRelaxedRunOnly) {
  Everything p;
  Effects effects(p.program);
  EXPECT_EQ(effects.of(p.relaxed_t).original, (std::set{p.t}));
  EXPECT_EQ(effects.of(p.relaxed_t).relaxed, (std::set{p.m, p.t}));
  EXPECT_EQ(effects.of(p.write).relaxed, (std::set{p.m, p.y}));
  EXPECT_TRUE(effects.of(p.claim_all).relaxed.empty());
  EXPECT_TRUE(effects.of(StmtId{}).original.empty());
}

TEST(CoreEffects, WholesChangeWhatTheirPartsChange) {
  Everything p;
  Effects effects(p.program);
  EXPECT_EQ(effects.of(p.loop).relaxed, (std::set{p.m, p.t}));
  EXPECT_EQ(effects.of(p.if_x).original, (std::set{p.m}));  // by the call
  EXPECT_EQ(effects.of(p.body()).original, (std::set{p.m, p.v, p.y, p.t}));
  EXPECT_EQ(effects.declared_in(p.body()), (std::set{p.y}));
}

// Locals of a callee are its own.
TEST(CoreEffects, ACallChangesTheModelsStateOnly) {
  Everything p;
  Effects effects(p.program);
  EXPECT_EQ(effects.of_call(p.f).original, (std::set{p.m}));
  EXPECT_EQ(effects.of_call(p.f).relaxed, (std::set{p.m}));
}

TEST(CoreEffects, FunctionsMayCallOneAnotherInCircles) {
  Builder b;
  const VarId m = b.state("m", kIntType);
  const FunctionId first{0}, second{1};
  b.function("first", {}, {b.call(second, {})});
  b.function("second", {}, {b.call(first, {}), b.assign(m, b.num("1"))});
  Effects effects(b.program);
  EXPECT_EQ(effects.of_call(first).original, (std::set{m}));
  EXPECT_TRUE(effects.is_deterministic(first));
}

TEST(CoreEffects, WhoseResultIsAFunctionOfItsArguments) {
  Everything p;
  const FunctionId external = p.external("e", {}, p.var(VarKind::Result, "result"));
  const FunctionId caller = p.function("h", {}, {p.call(external, {})});
  Effects effects(p.program);
  EXPECT_TRUE(effects.is_deterministic(p.g));
  EXPECT_FALSE(effects.is_deterministic(p.f));  // relaxed
  EXPECT_FALSE(effects.is_deterministic(external));
  EXPECT_FALSE(effects.is_deterministic(caller));
}

TEST(CoreEffects, ATestIsPlainIfItIsAFunctionOfTheRunsVariables) {
  Everything p;
  const auto plain = [&](StmtId before, ExprId condition) {
    While loop = p.loop;
    loop.before = before;
    loop.condition = condition;
    return Effects(p.program).is_plain_test(loop);
  };
  const ExprId yes = p.truth(true), of_state = p.op(Op::Gt, p.ref(p.m), p.num("0"));
  EXPECT_TRUE(plain({}, p.loop.condition));
  EXPECT_TRUE(plain(p.block({p.assign(p.t, p.num("1")), p.check}), yes));
  EXPECT_FALSE(plain({}, of_state));
  EXPECT_FALSE(plain(p.assign(p.t, p.ref(p.m)), yes));
  EXPECT_FALSE(plain(p.assign(p.y, p.num("1")), yes));  // a variable of the program
  for (StmtId bad : {p.relaxed_t, p.write, p.store, p.declare_y, p.claim_all, p.call_g, p.while_y})
    EXPECT_FALSE(plain(bad, yes));
  EXPECT_FALSE(plain(p.branch(yes, {p.relaxed_t}), yes));
}

// The validator ----------------------------------------------------------------------------------

TEST(CoreValidator, SidesBelongToRelations) {
  Everything p;
  p.function("h", {}, {p.claim(p.equal(p.x))});
  EXPECT_EQ(validate(p.program), "a side where there is one run");
  Everything q;
  q.function("h", {}, {q.relate(q.op(Op::Eq, q.ref(q.x), q.relaxed(q.x)))});
  EXPECT_EQ(validate(q.program), "a variable without a side");
}

TEST(CoreValidator, OldBelongsToSpecifications) {
  Everything p;
  p.function("h", {}, {p.claim(p.op(Op::Eq, p.old(p.m), p.ref(p.m)))});
  EXPECT_EQ(validate(p.program), "old outside of a specification");
}

TEST(CoreValidator, ShapesAndNumbersOfOperandsAgree) {
  const auto wrong = [](auto make) {
    Everything p;
    p.function("h", {}, {make(p)});
    return validate(p.program);
  };
  using P = Everything;
  EXPECT_EQ(wrong([](P& p) { return p.claim(p.num("1")); }), "a formula that is not bool");
  EXPECT_EQ(wrong([](P& p) { return p.assign(p.y, p.ref(p.v)); }), "an assignment between shapes");
  EXPECT_EQ(wrong([](P& p) { return p.assign(p.y, p.length(p.y)); }), "size of a scalar");
  EXPECT_EQ(wrong([](P& p) { return p.assign(p.y, p.select(p.y, p.num("0"))); }),
            "a wrong number of indices");
  EXPECT_EQ(wrong([](P& p) { return p.assign(p.y, p.op(Op::Add, {p.num("0")})); }),
            "a wrong number of operands");
  EXPECT_EQ(wrong([](P& p) {
              return p.stmt(core::Store{p.v, {}, p.num("0")});
            }),
            "a store with too few indices");
  EXPECT_EQ(wrong([](P& p) { return p.declare(p.v); }), "a wrong number of sizes");
  EXPECT_EQ(wrong([](P& p) { return p.relaxed_op(p.y, {p.spec}, {}, p.num("0")); }),
            "a specification with other operands");
  EXPECT_EQ(wrong([](P& p) { return p.call(p.g, {p.num("0")}); }), "a call with other arguments");
  EXPECT_EQ(wrong([](P& p) {
              const VarId real = p.local("z", kRealType);
              return p.relaxed_op(real, {p.spec}, {p.ref(p.x), p.ref(p.y)}, p.ref(real));
            }),
            "an outcome of another type than what is set");
  EXPECT_EQ(wrong([](P& p) {
              return p.assign(p.y, p.expr(kIntType, Snapshot{LoopId{7}, false, p.ref(p.x)}));
            }),
            "an unknown loop");
}

TEST(CoreValidator, SpecificationsAndFunctionsAreWhole) {
  Everything p;
  p.specification(p.over, {}, {}, {p.x});
  EXPECT_EQ(validate(p.program), "modifies names no state variable");
  Everything q;
  q.external("e", {}, {});
  EXPECT_EQ(validate(q.program), "an external function without a result");
  Everything r;
  r.program.functions[r.g].site.specifications = {0};
  EXPECT_EQ(validate(r.program), "a fault site of a whole function");
}

// Text -------------------------------------------------------------------------------------------

TEST(CoreSource, ParenthesesStandWhereTheGrammarNeedsThem) {
  Builder b;
  const VarId x = b.local("x"), y = b.local("y");
  const auto text = [&](ExprId e) { return source(b.program, e); };
  const auto X = [&] { return b.ref(x); };
  const auto Y = [&] { return b.ref(y); };
  const auto less = [&] { return b.op(Op::Lt, X(), Y()); };
  EXPECT_EQ(text(b.op(Op::Mul, b.op(Op::Add, X(), Y()), X())), "(x + y) * x");
  EXPECT_EQ(text(b.op(Op::Add, b.op(Op::Mul, X(), Y()), X())), "x * y + x");
  EXPECT_EQ(text(b.op(Op::Sub, X(), b.op(Op::Sub, Y(), X()))), "x - (y - x)");
  EXPECT_EQ(text(b.op(Op::Sub, b.op(Op::Sub, X(), Y()), X())), "x - y - x");
  EXPECT_EQ(text(b.op(Op::Implies, less(), b.op(Op::Implies, less(), less()))),
            "x < y -> x < y -> x < y");
  EXPECT_EQ(text(b.op(Op::Implies, b.op(Op::Implies, less(), less()), less())),
            "(x < y -> x < y) -> x < y");
  EXPECT_EQ(text(b.op(Op::Eq, less(), less())), "(x < y) == (x < y)");
  EXPECT_EQ(text(b.op(Op::Not, {less()})), "!(x < y)");
  EXPECT_EQ(text(b.op(Op::Neg, {b.op(Op::Neg, {X()})})), "-(-x)");
  EXPECT_EQ(text(b.op(Op::And, b.op(Op::Or, less(), less()), less())), "(x < y || x < y) && x < y");
  EXPECT_EQ(text(b.op(Op::Max, b.op(Op::Abs, {X()}), b.op(Op::Add, X(), Y()))),
            "max(abs(x), x + y)");
}

TEST(CoreSource, SidesLengthsAndElements) {
  Everything p;
  p.program.loops[0] = "l";
  const auto text = [&](ExprId e) { return source(p.program, e); };
  EXPECT_EQ(text(p.op(Op::Le, p.original(p.x), p.relaxed(p.x))), "x<o> <= x<r>");
  EXPECT_EQ(text(p.select(p.v, p.op(Op::Add, p.ref(p.x), p.num("1")))), "v[x + 1]");
  EXPECT_EQ(text(p.length(p.v)), "size0(v)");
  EXPECT_EQ(text(p.old(p.m)), "old(m)");
  EXPECT_EQ(text(p.expr(kIntType, Snapshot{LoopId{0}, true, p.ref(p.x)})), "l.entry[x]");
  EXPECT_EQ(text(p.op(Op::ToReal, {p.ref(p.x)})), "real(x)");
}

TEST(CoreSource, WhatIsMirroredIsWrittenWithEq) {
  Everything p;
  const auto text = [&](ExprId e) { return source(p.program, e); };
  EXPECT_EQ(text(p.equal(p.x)), "eq(x)");
  EXPECT_EQ(text(p.op(Op::Eq, p.relaxed(p.x), p.original(p.x))), "x<r> == x<o>");
  EXPECT_EQ(text(p.op(Op::Eq, p.original(p.x), p.relaxed(p.y))), "x<o> == y<r>");
  EXPECT_EQ(text(p.op(Op::Eq, p.select(p.v, p.ref(p.k), Side::Original),
                      p.select(p.v, p.ref(p.k), Side::Relaxed))),
            "eq(v[k])");
  EXPECT_EQ(text(p.op(Op::Eq, p.select(p.v, p.num("0"), Side::Original),
                      p.select(p.v, p.num("1"), Side::Relaxed))),
            "v<o>[0] == v<r>[1]");
}

// A specvar without a side is its copy in the relaxed run, so the other needs one.
TEST(CoreSource, ASpecvarOfTheOriginalRunHasItsSide) {
  Builder b;
  const VarId g = b.var(VarKind::Ghost, "g"), x = b.local("x");
  EXPECT_EQ(source(b.program, b.op(Op::Le, b.original(g), b.relaxed(x))), "g<o> <= x<r>");
  EXPECT_EQ(source(b.program, b.op(Op::Le, b.original(g), b.relaxed(g))), "g<o> <= g");
}

TEST(CoreSource, BoundVariablesHideNobody) {
  Builder b;
  const VarId k = b.local("k"), bound = b.var(VarKind::Bound, "k", kUintType);
  const ExprId e = b.forall(bound, b.op(Op::Lt, b.ref(bound), b.ref(k)));
  EXPECT_EQ(source(b.program, e), "forall(uint k2)(k2 < k)");
}

TEST(CorePrint, EveryFunctionAndSpecificationIsShown) {
  Everything p;
  p.program.model.name = "flaky";
  const std::string text = print(p.program);
  for (const char* part :
       {"model flaky", "  const int c = 1", "  state int m = 0", "  specification #0 flip(",
        "    modifies m", "    ensures (m == old(m))", "function g()", "function f(int x.",
        "relaxed + {#0}", "exactly", "check (", "while loop0", "call g()", "write write to r {#0}"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

// Claims -----------------------------------------------------------------------------------------

TEST(CoreClaims, EveryKindCanBeSaid) {
  const std::vector<std::string> names{"one", "two", "three"};
  for (int k = 0; k <= static_cast<int>(ClaimKind::ProgramExtent); ++k) {
    const auto kind = static_cast<ClaimKind>(k);
    const ClaimId id{kind, "f", {}, Side::Relaxed, names};
    for (const std::string& text : {claimed(id), failing(id)}) {
      EXPECT_FALSE(text.empty());
      EXPECT_EQ(text.find('{'), std::string::npos) << text;
    }
    EXPECT_NE(claimed(id), failing(id));
    EXPECT_FALSE(texts_of(kind).todo.empty());
    EXPECT_FALSE(name(kind).empty());
  }
}

TEST(CoreClaims, NamesAreFilledIn) {
  EXPECT_EQ(claimed({ClaimKind::Requires, "f", {}, Side::Relaxed, {"g"}}),
            "the requirement of 'g' holds");
  EXPECT_EQ(failing({ClaimKind::RefinesFrame, "f", {}, Side::Relaxed, {"a", "b", "c"}}),
            "a may change c, which b leaves as it is");
  EXPECT_EQ(claimed({ClaimKind::Total, "f", {}}),
            "the specification can be followed whenever it "
            "is enabled");
}

TEST(CoreClaims, OfTheOriginalRunItIsSaid) {
  EXPECT_EQ(claimed({ClaimKind::Bounds, "f", {}, Side::Original}),
            "the index is within bounds, in the original run");
  EXPECT_EQ(failing({ClaimKind::Assert, "f", {}, Side::Original}),
            "the assertion can fail in the original run");
}

TEST(CoreClaims, KindsThatAreAlike) {
  EXPECT_TRUE(ends_run(ClaimKind::Assert));
  EXPECT_TRUE(ends_run(ClaimKind::Division));
  EXPECT_TRUE(ends_run(ClaimKind::Enabled));
  EXPECT_FALSE(ends_run(ClaimKind::AssertR));
  EXPECT_FALSE(ends_run(ClaimKind::InvariantKept));
  EXPECT_TRUE(is_about_model(ClaimKind::Total));
  EXPECT_TRUE(is_about_model(ClaimKind::ModelInvariantKept));
  EXPECT_FALSE(is_about_model(ClaimKind::ModelInvariantAssigned));
  EXPECT_TRUE(is_inferred(ClaimKind::InferredKept));
  EXPECT_FALSE(is_inferred(ClaimKind::InvariantKept));
}

TEST(CoreClaims, EveryDifferenceCountsInTheOrder) {
  const ClaimId one{ClaimKind::Assert, "f", {FileId{0}, 1, 2}, Side::Original, {"a"}};
  std::vector<ClaimId> others(6, one);
  others[0].kind = ClaimKind::Assume;
  others[1].function = "g";
  others[2].at.file = FileId{1};
  others[3].at.end = 3;
  others[4].side = Side::Relaxed;
  others[5].about = {"b"};
  for (const ClaimId& other : others) {
    EXPECT_TRUE(one < other || other < one);
    EXPECT_FALSE(one < other && other < one);
    EXPECT_FALSE(one == other);
  }
  EXPECT_FALSE(one < one);
}

// Who calls whom --------------------------------------------------------------------------------

// a calls b and c, b and c call one another, c calls d; e is alone.
struct Calling : Builder {
  FunctionId d = function("d", {}, {}), c = function("c", {}, {}), b = function("b", {}, {}),
             a = function("a", {}, {}), e = function("e", {}, {});
  VarId faulty = state("faulty", kBoolType);

  Calling() {
    body_of(a, {call(b, {}), call(c, {})});
    body_of(b, {call(c, {})});
    body_of(c, {call(b, {}), call(d, {})});
  }
  void body_of(FunctionId f, std::vector<StmtId> body) {
    const StmtId made = block(std::move(body));
    program.functions[f].body = made;
  }
};

TEST(CoreCalls, ACircleIsOneGroupBehindWhatItCalls) {
  Calling p;
  const auto groups = find_circles(p.program);
  ASSERT_EQ(groups.size(), 4u);
  const auto place = [&](FunctionId f) {
    return std::find_if(groups.begin(), groups.end(),
                        [&](const auto& group) {
                          return std::find(group.begin(), group.end(), f) != group.end();
                        }) -
           groups.begin();
  };
  EXPECT_EQ(place(p.b), place(p.c));
  EXPECT_LT(place(p.d), place(p.c));
  EXPECT_LT(place(p.b), place(p.a));
  EXPECT_EQ(groups[static_cast<std::size_t>(place(p.e))].size(), 1u);
}

// What one of a circle does, all of it do, and whoever calls it; nobody else does.
TEST(CoreCalls, WhatIsReachedThroughACircleCounts) {
  Calling p;
  p.body_of(p.d, {p.assign(p.faulty, p.truth(true))});
  Effects effects(p.program);
  for (FunctionId f : {p.a, p.b, p.c, p.d})
    EXPECT_TRUE(effects.of_call(f).original.contains(p.faulty)) << p.program.functions[f].name;
  EXPECT_TRUE(effects.of_call(p.e).original.empty());
}

TEST(CoreCalls, ARelaxedOperationAnywhereMakesAllThatReachItUncertain) {
  Calling p;
  const VarId t = p.local("t");
  const ExprId one = p.num("1");
  p.body_of(p.b, {p.call(p.c, {}), p.relaxed_op(t, {p.wild_addition()}, {one, one}, one)});
  Effects effects(p.program);
  EXPECT_FALSE(effects.is_deterministic(p.a));
  EXPECT_FALSE(effects.is_deterministic(p.c));
  EXPECT_TRUE(effects.is_deterministic(p.d));
}

TEST(CoreCalls, ALongChainNeedsNoDeepStack) {
  Builder p;
  FunctionId last = p.function("f", {}, {});
  for (int i = 0; i < 100'000; ++i) last = p.function("f", {}, {p.call(last, {})});
  EXPECT_TRUE(Effects(p.program).is_deterministic(last));
}

// Copies ------------------------------------------------------------------------------------------

TEST(CoreParts, WhatDoesNotChangeIsNotCopied) {
  Everything p;
  for (std::uint32_t i = 0; i < p.program.exprs.size(); ++i)
    EXPECT_EQ(map(p.program, ExprId{i}, [](ExprId child) { return child; }), ExprId{i});
}

TEST(CoreParts, WhatChangesIsACopyAndTheOldOneStays) {
  Builder p;
  const VarId x = p.local("x"), y = p.local("y");
  const ExprId sum = p.op(Op::Add, p.ref(x), p.ref(x)), other = p.ref(y);
  const ExprId made = map(p.program, sum, [&](ExprId) { return other; });
  EXPECT_EQ(children(p.program, made), (std::vector{other, other}));
  EXPECT_NE(children(p.program, sum), children(p.program, made));
  EXPECT_EQ(p.program.exprs[made].type, p.program.exprs[sum].type);
}

// By the test or from the middle: no user knows the flags.
TEST(Source, LeavingIsOneWord) {
  Builder b;
  const VarId left = b.var(VarKind::Temp, "left", kBoolType);
  const VarId broken = b.var(VarKind::Temp, "broken off", kBoolType);
  const VarId x = b.local("x", kBoolType);
  const auto gone = [&] { return b.op(Op::Or, b.original(left), b.original(broken)); };
  EXPECT_EQ(source(b.program, b.op(Op::Implies, gone(), b.original(x))), "left<o> -> x<o>");
  EXPECT_TRUE(is_left(b.program, b.op(Op::Or, gone(), b.original(broken))));
  EXPECT_FALSE(is_left(b.program, b.op(Op::Or, b.original(left), b.original(x))));
  EXPECT_FALSE(is_left(b.program, b.op(Op::And, b.original(left), b.original(broken))));
}

}  // namespace leto::core
