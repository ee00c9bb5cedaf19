// Chances, and bounds of programs made by hand; what is expected was computed by hand.
#include <gtest/gtest.h>

#include "core/test_builder.h"
#include "reliability/bounds.h"
#include "reliability/exact.h"
#include "reliability/footing.h"
#include "reliability/rates.h"
#include "reliability/reliability.h"
#include "reliability/same_code.h"

namespace leto::reliability {

namespace {

using core::ExprId;
using core::FunctionId;
using core::Op;
using core::StmtId;
using core::VarId;

Chance chance(const char* text) {
  return Chance::parse(text).value();
}

// A model whose addition goes wrong with a chance of 0.1.
struct Bench : core::Builder {
  std::uint32_t right = exact_addition(), wrong = wild_addition();
  VarId x = param("x"), y = local("y"), z = local("z");
  VarId out = var(core::VarKind::Result, "result");

  Bench() { program.specifications[wrong].rate = num("0.1", core::kRealType); }
  StmtId add(VarId target, VarId a, VarId b) {
    return relaxed_op(target, {right, wrong}, {ref(a), ref(b)}, op(Op::Add, ref(a), ref(b)));
  }
  StmtId copy(VarId target, VarId source) { return assign(target, ref(source)); }
  FunctionId returning(VarId last, std::vector<StmtId> body) {
    std::vector<StmtId> all{declare(y), declare(z)};
    all.insert(all.end(), body.begin(), body.end());
    all.push_back(copy(out, last));
    const FunctionId f = function("f", {x}, std::move(all));
    program.functions[f].results = {out};
    return f;
  }
  Analysis of(FunctionId f, const Options& options = {}) {
    return analyse(program, f, {out}, options);
  }
};

}  // namespace

TEST(Chances, AreReadAndWrittenExactly) {
  EXPECT_EQ(chance("0.25"), chance("1/4"));
  EXPECT_EQ(chance("1e-3").text(), "0.001");
  for (const char* none : {"", "x", "1/0", "0.5.5"}) EXPECT_FALSE(Chance::parse(none)) << none;
  EXPECT_TRUE(chance("1").between_zero_and_one());
  EXPECT_FALSE(chance("1.1").between_zero_and_one());
}

TEST(Chances, CanBeComputedWith) {
  EXPECT_EQ(chance("0.9") * chance("0.9"), chance("0.81"));
  EXPECT_EQ(chance("0.9") + chance("0.05"), chance("0.95"));
  EXPECT_EQ(chance("0.9").complement(), chance("0.1"));
  EXPECT_EQ(min(chance("0.3"), chance("0.2")), chance("0.2"));
  EXPECT_EQ(chance("0.5").power(3), chance("0.125"));
  EXPECT_EQ(chance("0.5").power(0), certain());
}

// What is claimed is never more than what is there.
TEST(Chances, AreRoundedDownAndComparedSafely) {
  EXPECT_EQ(chance("2/3").text(3), "0.666");
  EXPECT_TRUE(chance("0.5").at_least(chance("0.5")));
  EXPECT_FALSE(chance("0.4999").at_least(chance("0.5")));
  const Chance far = chance("0.99999").power(10'000'000);
  EXPECT_FALSE(far.exact());
  EXPECT_LT(far.low(), far.high());
}

TEST(Bounds, EachOperationCostsItsRate) {
  Bench t;
  const Analysis a = t.of(t.returning(t.z, {t.add(t.y, t.x, t.x), t.add(t.z, t.y, t.x)}));
  EXPECT_TRUE(a.problems.empty());
  EXPECT_EQ(a.before.chance, chance("0.81"));
  EXPECT_EQ(a.before.vars, std::set{t.x});
  EXPECT_EQ(a.shares.size(), 2u);
  EXPECT_EQ(text(t.program, a.before), "0.81 * R(x)");
}

TEST(Bounds, WhatTheResultDoesNotNeedCostsNothing) {
  Bench t;
  const Analysis a = t.of(t.returning(t.x, {t.add(t.y, t.x, t.x)}));
  EXPECT_EQ(a.before.chance, certain());
}

// The worse branch, and the condition counts: it took a sum.
TEST(Bounds, BranchesCostTheWorseOfThem) {
  Bench t;
  const ExprId condition = t.op(Op::Gt, t.ref(t.y), t.num("0"));
  const Analysis a =
      t.of(t.returning(t.z, {t.add(t.y, t.x, t.x),
                             t.branch(condition, {t.copy(t.z, t.x)}, {t.add(t.z, t.x, t.x)})}));
  EXPECT_EQ(a.before.chance, chance("0.81"));
}

TEST(Bounds, ARepeatedOperationCostsItsPower) {
  Bench t;
  const VarId counter = t.var(core::VarKind::Temp, "repetition", core::kUintType);
  core::While loop =
      t.loop(t.op(Op::Lt, t.ref(counter), t.num("3")),
             {t.add(t.y, t.y, t.x), t.assign(counter, t.op(Op::Add, t.ref(counter), t.num("1")))});
  loop.before = t.block({});
  loop.times = t.num("3");
  loop.counter = counter;
  const FunctionId f = t.returning(t.y, {t.assign(counter, t.num("0")), t.stmt(loop)});
  EXPECT_EQ(t.of(f).before.chance, chance("0.729"));
  Options unrolled;
  unrolled.unroll = true;
  EXPECT_EQ(t.of(f, unrolled).before.chance, chance("0.729"));
}

TEST(Bounds, WithoutARateNothingIsKnown) {
  Bench t;
  t.program.specifications[t.wrong].rate = {};
  const Analysis a = t.of(t.returning(t.y, {t.add(t.y, t.x, t.x)}));
  EXPECT_FALSE(a.problems.empty());
  EXPECT_EQ(a.before.chance, Chance());
}

TEST(Bounds, AClauseIsComparedWithWhatIsDerived) {
  for (const bool enough : {true, false}) {
    Bench t;
    const FunctionId f = t.returning(t.y, {t.add(t.y, t.x, t.x)});
    t.program.functions[f].reliability = {{{}, true, enough ? "0.9" : "0.91", {t.x}}};
    const auto bounds = decide_all(t.program, {});
    ASSERT_EQ(bounds.size(), 1u);
    EXPECT_EQ(bounds[0].verdict, enough ? Verdict::Holds : Verdict::Fails);
    EXPECT_EQ(all_hold(bounds), enough);
  }
}

TEST(Bounds, AClauseNamesAllThatItRestsOn) {
  Bench t;
  const FunctionId f = t.returning(t.x, {});
  t.program.functions[f].reliability = {{{}, true, "0.5", {}}};
  const auto bounds = decide_all(t.program, {});
  ASSERT_EQ(bounds.size(), 1u);
  EXPECT_FALSE(bounds[0].holds());
  EXPECT_NE(bounds[0].missing.find('x'), std::string::npos);
}

TEST(Rates, ConstantsStandForRates) {
  Bench t;
  const VarId p = t.constant("p", core::kRealType, t.num("0.2", core::kRealType));
  t.program.specifications[t.wrong].rate = t.ref(p);
  const FunctionId f = t.returning(t.y, {t.add(t.y, t.x, t.x)});
  EXPECT_EQ(t.of(f).before.chance, chance("0.8"));
  Options other;
  other.constants[p] = chance("0.5");
  EXPECT_EQ(t.of(f, other).before.chance, chance("0.5"));
  EXPECT_TRUE(is_only_a_rate(t.program, p));
}

// Recovery ---------------------------------------------------------------------------------------

namespace {

// try { y = x +. x } check (y == x + x) recover { y = x + x }
struct Recovering : Bench {
  StmtId tried = block({add(y, x, x)});
  StmtId again = block({assign(y, op(Op::Add, ref(x), ref(x)))});
  FunctionId f;
  Recovering() {
    const ExprId check = op(Op::Eq, ref(y), op(Op::Add, ref(x), ref(x)));
    const StmtId test = block({});
    const StmtId whole = block({tried, test, stmt(core::If{check, block({}), again})});
    program.recoveries = {{{}, whole, tried, test, again, check, {}, {}, {}}};
    f = returning(y, {whole});
  }
  static Options knowing(Known known) {
    Options options;
    options.recoveries[0] = known;
    return options;
  }
};

}  // namespace

TEST(RecoveryRule, APerfectCheckAndAMendingMakeItCertain) {
  Recovering t;
  Known known;
  known.check_proved = true;
  known.mending = Known::Mending::Proved;
  EXPECT_EQ(t.of(t.f, Recovering::knowing(known)).before.chance, certain());
  EXPECT_EQ(t.of(t.f, Recovering::knowing(known)).recoveries, std::set<std::size_t>{0});
}

TEST(RecoveryRule, WithoutProofsItIsABranchLikeAnyOther) {
  Recovering t;
  EXPECT_EQ(t.of(t.f).before.chance, chance("0.9"));
  Options off = Recovering::knowing({true, {}, Known::Mending::Proved});
  off.recovery_rule = false;
  EXPECT_EQ(t.of(t.f, off).before.chance, chance("0.9"));
}

// Wrong in 0.1 of runs; of those a half are let through.
TEST(RecoveryRule, DeclaredRatesCount) {
  Recovering t;
  const Known known{false, Known::Declared{chance("0"), chance("0.5")}, Known::Mending::Proved};
  EXPECT_EQ(t.of(t.f, Recovering::knowing(known)).before.chance, chance("0.95"));
}

TEST(RecoveryRule, ProofsStandOnWhatIsReadAndAreAboutWhatIsSet) {
  Recovering t;
  Uses uses(t.program);
  const Footing footing = find_footing(t.program, uses, t.program.recoveries[0]);
  EXPECT_TRUE(footing.of_check.contains(t.x));
  EXPECT_TRUE(footing.set_by_try.contains(t.y));
  EXPECT_FALSE(footing.set.contains(t.x));
}

// Calls ------------------------------------------------------------------------------------------

namespace {

// Functions that each call the one before `times` times and add once more; the last of them.
FunctionId chain(Bench& t, int length, int times) {
  FunctionId last;
  for (int k = 0; k < length; ++k) {
    std::vector<StmtId> body{t.add(t.y, t.x, t.x)};
    for (int i = 0; i < times && k > 0; ++i) {
      body.push_back(t.call(last, {t.ref(t.x)}, t.z));
      body.push_back(t.assign(t.y, t.op(Op::Add, t.ref(t.y), t.ref(t.z))));
    }
    last = t.returning(t.y, std::move(body));
  }
  return last;
}

}  // namespace

TEST(Calls, WhatIsLostIsCountedAsOftenAsItIsReached) {
  Bench t;
  const Analysis found = t.of(chain(t, 4, 2));
  EXPECT_EQ(found.before.chance, chance("0.9").power(15));
  ASSERT_EQ(found.shares.size(), 4u);  // the innermost is reached eight times
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(found.shares[k].weight / found.shares[3].weight, 8 >> k, 1e-9);
}

// Longer than the stack is deep, and with more ways than there are atoms.
TEST(Calls, ChainsMayBeLong) {
  Bench t;
  const Analysis found = t.of(chain(t, 10'000, 2));
  EXPECT_EQ(found.shares.size(), 10'000u);
  EXPECT_TRUE(found.problems.empty());
  EXPECT_FALSE(found.before.chance.at_least(chance("1e-9")));
}

// The same where it is counted how likely there is no fault at all.
TEST(Calls, SoMayBeThoseOfARecovery) {
  Bench t;
  const FunctionId last = chain(t, 5'000, 1);
  const StmtId tried = t.block({t.add(t.y, t.x, t.x)}), test = t.block({});
  const StmtId again = t.block({t.call(last, {t.ref(t.x)}, t.y)});
  const ExprId check = t.op(Op::Eq, t.ref(t.y), t.num("0"));
  const StmtId whole = t.block({tried, test, t.stmt(core::If{check, t.block({}), again})});
  t.program.recoveries = {{t.next(), whole, tried, test, again, check, {}, {}, {}}};
  Options options;
  options.recoveries[0] = {true, {}, Known::Mending::Proved};
  const Analysis found = t.of(t.returning(t.y, {whole}), options);
  EXPECT_TRUE(found.problems.empty());
  EXPECT_EQ(found.recoveries, std::set<std::size_t>{0});
  EXPECT_TRUE(found.before.chance.at_least(chance("0.9")));
  EXPECT_FALSE(found.before.chance.at_least(chance("0.9001")));
}

// What was found for one bound does not depend on which others there are, even where functions call
// one another: f says that g calls f, and g that f calls g.
TEST(Calls, BoundsDoNotDisturbOneAnother) {
  Bench t;
  const FunctionId f{0}, g{1};
  for (const FunctionId other : {g, f}) {
    const FunctionId made =
        t.returning(t.y, {t.add(t.y, t.x, t.x), t.call(other, {t.ref(t.x)}, t.z),
                          t.assign(t.y, t.op(Op::Add, t.ref(t.y), t.ref(t.z)))});
    t.program.functions[made].name = other == g ? "f" : "g";
    t.program.functions[made].reliability = {{{}, false, "0.5", {t.out}}};
  }
  const std::vector<Bound> all = decide_all(t.program, {});
  ASSERT_EQ(all.size(), 2u);
  for (const Bound& b : all) {
    const Bound alone = decide(t.program, b.function, *b.clause, {});
    EXPECT_EQ(b.analysis.problems, alone.analysis.problems);
    EXPECT_EQ(b.analysis.before, alone.analysis.before);
  }
  EXPECT_NE(all[0].analysis.problems, all[1].analysis.problems);
}

// Code -------------------------------------------------------------------------------------------

TEST(SameCode, FaultsAndNamesOfTemporariesDoNotCount) {
  Bench t;
  const VarId t1 = t.var(core::VarKind::Temp, "+."), t2 = t.var(core::VarKind::Temp, "+.");
  const auto through = [&](VarId temp) {
    return t.block({t.add(temp, t.x, t.x), t.copy(t.y, temp)});
  };
  const auto written = [&](StmtId id) {
    core::Effects effects(t.program);
    return canonical(t.program, effects, id);
  };
  EXPECT_EQ(written(through(t1)), written(through(t2)));
  EXPECT_NE(written(t.copy(t.y, t.x)), written(t.copy(t.z, t.x)));
}

TEST(SameCode, ACopyWithoutFaultsHasNone) {
  Bench t;
  const StmtId before = t.block({t.add(t.y, t.x, t.x)});
  const StmtId after = ExactCopies(t.program).copy(before);
  bool exact = true;
  core::for_each_statement(t.program, after, [&](StmtId id) {
    exact = exact && !std::holds_alternative<core::Relaxed>(t.program.stmts[id].node);
  });
  EXPECT_TRUE(exact);
  EXPECT_EQ(core::validate(t.program), "");
}

}  // namespace leto::reliability
