// Rules 1, 3 and 4 on programs of a few statements: which claims are made, of which run and where,
// and what is known when they are. Each mistake of traps.def that can be made here lets something
// through that the rule does not.
#include <gtest/gtest.h>

#include "vcgen/test_bench.h"

namespace leto::vcgen {

// Assertions -------------------------------------------------------------------------------------

TEST(AssertionRule, EachRunIsToShowWhatItAsserts) {
  Bench t;
  const VarId x = t.b.param("x");
  const StmtId claim = t.b.claim(t.positive(x));
  const FunctionId f = t.b.function("f", {x}, {claim});
  t.walk(f);
  ASSERT_EQ(t.result.obligations.size(), 2u);
  ASSERT_EQ(t.count(ClaimKind::Assert, Side::Original), 1u);
  for (const Side side : {Side::Original, Side::Relaxed}) {
    EXPECT_EQ(t.of(ClaimKind::Assert, side)[0]->claim.at, t.b.at(claim));
    EXPECT_EQ(t.of(ClaimKind::Assert, side)[0]->claim.function, "f");
    EXPECT_FALSE(t.all_stand(ClaimKind::Assert, side));
  }
}

// What is shown of the original apart may be used of the pair.
TEST(AssertionRule, TheRelaxedRunMayRestOnTheOriginal) {
  Bench t;
  const VarId x = t.b.param("x");
  const FunctionId f = t.b.function("f", {x}, {t.b.claim(t.positive(x))});
  t.require_r(f, t.b.equal(x));
  t.walk(f);
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
  EXPECT_FALSE(t.all_stand(ClaimKind::Assert, Side::Original));
  EXPECT_EQ(t.result.trusted.assertions, 1u);
  EXPECT_EQ(t.assumption(ClaimKind::TrustMet), nullptr);
}

TEST(AssertionRule, TrustLeavesTheOriginalsOwnClaimOut) {
  Bench t;
  const VarId x = t.b.param("x");
  const FunctionId f = t.b.function("f", {x}, {t.b.claim(t.positive(x))});
  Options trusting;
  trusting.trust_original = true;
  t.walk(f, trusting);
  EXPECT_EQ(t.count(ClaimKind::Assert, Side::Original), 0u);
  EXPECT_EQ(t.count(ClaimKind::Assert), 1u);
  EXPECT_NE(t.assumption(ClaimKind::TrustMet), nullptr);
}

// To leave it out without saying so would be a mistake.
TEST(AssertionRule, TrustIsNoSilentTrust) {
  Bench t;
  const VarId x = t.b.param("x");
  const FunctionId f = t.b.function("f", {x}, {t.b.claim(t.positive(x))});
  t.require_r(f, t.b.equal(x));
  t.walk(f, trapped(Trap::OriginalTrusted));
  EXPECT_EQ(t.count(ClaimKind::Assert, Side::Original), 0u);
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
  EXPECT_EQ(t.assumption(ClaimKind::TrustMet), nullptr);
}

TEST(AssertionRule, AssumeIsBelievedOfTheOriginalOnly) {
  Bench t;
  const VarId x = t.b.param("x");
  const StmtId assume = t.b.assume(t.positive(x));
  const FunctionId f = t.b.function("f", {x}, {assume, t.b.claim(t.positive(x))});
  t.walk(f);
  EXPECT_EQ(t.count(ClaimKind::Assume, Side::Original), 0u);
  EXPECT_FALSE(t.all_stand(ClaimKind::Assume));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert, Side::Original));
  ASSERT_NE(t.assumption(ClaimKind::AssumptionMet), nullptr);
  EXPECT_EQ(t.assumption(ClaimKind::AssumptionMet)->claim.at, t.b.at(assume));
  EXPECT_EQ(t.result.trusted.assumed, 1u);
  t.walk(f, trapped(Trap::AssumeIsNotShown));
  EXPECT_EQ(t.count(ClaimKind::Assume), 0u);
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
}

TEST(AssertionRule, ARelationIsClaimedOfThePairOnly) {
  Bench t;
  const VarId x = t.b.param("x");
  const FunctionId f = t.b.function("f", {x}, {t.b.relate(t.b.equal(x))});
  t.walk(f);
  EXPECT_EQ(t.count(ClaimKind::AssertR, Side::Original), 0u);
  ASSERT_EQ(t.count(ClaimKind::AssertR), 1u);
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
}

TEST(AssertionRule, EveryKindOfCheckIsAClaimOfItsOwn) {
  const std::pair<core::CheckKind, ClaimKind> kinds[] = {
      {core::CheckKind::Bounds, ClaimKind::Bounds},
      {core::CheckKind::DivisionByZero, ClaimKind::Division},
      {core::CheckKind::Natural, ClaimKind::NotNegative},
      {core::CheckKind::SameSize, ClaimKind::SameSize}};
  for (const auto& [check, claim] : kinds) {
    Bench t;
    const VarId x = t.b.param("x");
    t.walk(t.b.function("f", {x}, {t.b.stmt(core::Check{check, t.positive(x)})}));
    EXPECT_EQ(t.count(claim), 1u);
    EXPECT_EQ(t.count(claim, Side::Original), 1u);
    EXPECT_FALSE(t.all_stand(claim));
  }
}

// if (x > 0) assert y > 0: only the relaxed run may come there, and nobody says y > 0 of it.
TEST(AssertionRule, OfTheRelaxedRunAloneNothingIsAssumed) {
  Bench t;
  const VarId x = t.b.param("x"), y = t.b.param("y");
  const FunctionId f =
      t.b.function("f", {x, y}, {t.b.branch(t.positive(x), {t.b.claim(t.positive(y))})});
  t.require_r(f, t.b.equal(y));
  t.walk(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::Assert));
  t.walk(f, trapped(Trap::RelaxedAloneAssumed));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
}

// What is claimed in several parts is told in several parts.
TEST(AssertionRule, AConjunctionHasPieces) {
  Bench t;
  const VarId x = t.b.param("x"), y = t.b.param("y");
  const ExprId first = t.positive(x), second = t.positive(y);
  t.walk(t.b.function("f", {x, y}, {t.b.claim(t.b.op(Op::And, first, second))}));
  const Obligation& o = *t.of(ClaimKind::Assert)[0];
  ASSERT_EQ(o.hints.pieces.size(), 2u);
  EXPECT_EQ(o.hints.pieces[0].expr, first);
  EXPECT_EQ(o.hints.pieces[1].expr, second);
}

// Operators --------------------------------------------------------------------------------------

// z = x +. x, and then what the caller claims.
struct Addition : Bench {
  VarId x = b.param("x"), z = b.local("z");
  FunctionId add(std::vector<std::uint32_t> specifications, StmtId claim) {
    const StmtId step = b.relaxed_op(z, std::move(specifications), {b.ref(x), b.ref(x)},
                                     b.op(Op::Add, b.ref(x), b.ref(x)));
    const FunctionId f = b.function("f", {x}, {b.declare(z), step, claim});
    require_r(f, b.equal(x));
    return f;
  }
};

TEST(OperatorRule, AnExactSpecificationIsExact) {
  Addition t;
  t.walk(t.add({t.b.exact_addition()}, t.b.relate(t.b.equal(t.z))));
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
  EXPECT_TRUE(t.all_stand(ClaimKind::Enabled));
  EXPECT_EQ(t.of(ClaimKind::Enabled)[0]->claim.about, Names{"+"});
}

TEST(OperatorRule, WithAWildOneBesideItAnythingCanCome) {
  Addition t;
  const std::uint32_t exact = t.b.exact_addition(), wild = t.b.wild_addition();
  t.walk(t.add({exact, wild}, t.b.relate(t.b.equal(t.z))));
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
  ASSERT_EQ(t.of(ClaimKind::AssertR)[0]->origins.choices.size(), 1u);
  EXPECT_EQ(t.of(ClaimKind::AssertR)[0]->origins.choices[0].specifications,
            (std::vector<std::uint32_t>{exact, wild}));
}

// The original computes what is exact, whatever the model says.
TEST(OperatorRule, TheOriginalIsExact) {
  Addition t;
  const ExprId doubled = t.b.op(Op::Add, t.b.ref(t.x), t.b.ref(t.x));
  t.walk(t.add({t.b.wild_addition()}, t.b.claim(t.b.op(Op::Eq, t.b.ref(t.z), doubled))));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert, Side::Original));
  EXPECT_FALSE(t.all_stand(ClaimKind::Assert));
  EXPECT_EQ(t.count(ClaimKind::Enabled, Side::Original), 0u);
}

// No fault is left, so the sum is right. "when -> ensures" for each would forget that.
TEST(OperatorRule, AGuardThatIsFalseExcludesItsSpecification) {
  Addition t;
  const VarId left = t.b.state("left", core::kIntType, t.b.num("0"));
  const std::uint32_t exact = t.b.exact_addition();
  const auto over = t.b.operands();
  const std::uint32_t wild = t.b.specification(over, t.positive(left), {}, {left});
  const FunctionId f = t.add({exact, wild}, t.b.relate(t.b.equal(t.z)));
  t.walk(f);
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
  t.walk(f, trapped(Trap::ImplicationPerSpecification));
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
}

TEST(OperatorRule, WhatASpecificationDoesNotModifyStays) {
  Addition t;
  const VarId left = t.b.state("left", core::kIntType, t.b.num("1"));
  const std::uint32_t exact = t.b.exact_addition();
  const auto over = t.b.operands();
  const ExprId spent = t.b.op(Op::Eq, t.b.ref(left), t.b.num("0"));
  const std::uint32_t wild = t.b.specification(over, t.positive(left), {spent}, {left});
  const ExprId one_or_none = t.b.op(Op::Or, t.b.op(Op::Eq, t.b.relaxed(left), t.b.num("0")),
                                    t.b.op(Op::Eq, t.b.relaxed(left), t.b.num("1")));
  const FunctionId f = t.add({exact, wild}, t.b.relate(one_or_none));
  t.walk(f);
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
  t.walk(f, trapped(Trap::NoFrame));
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
}

// A specification that cannot be taken would make all that follows true.
TEST(OperatorRule, ItIsToBeShownThatTheModelCanGoOn) {
  Addition t;
  const auto over = t.b.operands();
  const std::uint32_t never =
      t.b.specification(over, t.b.op(Op::Lt, t.b.ref(over.first), t.b.ref(over.first)), {});
  const FunctionId f = t.add({never}, t.b.claim(t.b.truth(false)));
  t.walk(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::Enabled));
  t.walk(f, trapped(Trap::NotEnabled));
  EXPECT_EQ(t.count(ClaimKind::Enabled), 0u);
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
}

// Writes -----------------------------------------------------------------------------------------

// w = v into a region, as a whole or its first element.
struct Writing : Bench {
  VarId v = b.param("v", core::kIntVector), w = b.param("w", core::kIntVector);
  FunctionId write(std::uint32_t specification, bool whole) {
    const core::FaultSite site{"write to r", {specification}};
    const ExprId zero = b.num("0");
    const StmtId step = b.stmt(whole ? core::Write{w, site, {}, b.ref(v), true}
                                     : core::Write{w, site, {zero}, b.select(v, zero), false});
    const ExprId same =
        b.op(Op::Eq, b.select(w, zero, Side::Original), b.select(w, zero, Side::Relaxed));
    const FunctionId f = b.function("f", {v, w}, {step, b.relate(same)});
    require_r(f, b.equal(v));
    require_r(f, b.op(Op::Eq, b.length(v, Side::Relaxed), b.num("1")));
    return f;
  }
  // The value that is stored comes first, then the one that is written.
  std::uint32_t specification_of(bool keeps, bool guarded = false) {
    const auto over = b.operands();
    const ExprId stored = b.op(Op::Eq, b.ref(over.outcome), b.ref(over.second));
    return b.specification(over, guarded ? b.op(Op::Gt, b.ref(over.second), b.num("0")) : ExprId{},
                           {keeps ? stored : b.truth(true)});
  }
};

TEST(WriteRule, WhatIsWrittenRightlyIsEqual) {
  for (const bool whole : {false, true}) {
    Writing t;
    t.walk(t.write(t.specification_of(true), whole));
    EXPECT_TRUE(t.all_stand(ClaimKind::AssertR)) << whole;
    EXPECT_TRUE(t.all_stand(ClaimKind::Enabled)) << whole;
  }
}

TEST(WriteRule, WhatIsWrittenWronglyNeedNotBe) {
  for (const bool whole : {false, true}) {
    Writing t;
    t.walk(t.write(t.specification_of(false), whole));
    EXPECT_FALSE(t.all_stand(ClaimKind::AssertR)) << whole;
  }
}

TEST(WriteRule, EveryElementMustBeAllowed) {
  for (const bool whole : {false, true}) {
    Writing t;
    const FunctionId f = t.write(t.specification_of(true, true), whole);
    t.walk(f);
    EXPECT_FALSE(t.all_stand(ClaimKind::Enabled)) << whole;
    t.walk(f, trapped(Trap::NotEnabled));
    EXPECT_EQ(t.count(ClaimKind::Enabled), 0u);
  }
}

// Plain statements -------------------------------------------------------------------------------

TEST(Statements, AVariableIsZeroWhereItIsDeclared) {
  Bench t;
  const VarId z = t.b.local("z");
  t.walk(t.b.function("f", {}, {t.b.declare(z), t.b.claim(t.is(z, "0"))}));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert, Side::Original));
}

TEST(Statements, AStoreChangesOneElement) {
  Bench t;
  const VarId v = t.b.param("v", core::kIntVector);
  const auto element = [&](const char* at) { return t.b.select(v, t.b.num(at)); };
  const StmtId store = t.b.stmt(core::Store{v, {t.b.num("0")}, t.b.num("1")});
  const StmtId first = t.b.claim(t.b.op(Op::Eq, element("0"), t.b.num("1")));
  const StmtId second = t.b.claim(t.b.op(Op::Eq, element("1"), t.b.num("1")));
  t.walk(t.b.function("f", {v}, {store, first, second}));
  const auto claims = t.of(ClaimKind::Assert);
  ASSERT_EQ(claims.size(), 2u);
  EXPECT_TRUE(t.stands(*claims[0]));
  EXPECT_FALSE(t.stands(*claims[1]));
}

TEST(Statements, WhoSetsTheModelsStateKeepsItsInvariant) {
  Bench t;
  const VarId m = t.b.state("m", core::kIntType, t.b.num("0"));
  t.b.program.model.invariants = {t.b.op(Op::Ge, t.b.ref(m), t.b.num("0"))};
  const StmtId good = t.put(m, "1"), bad = t.b.assign(m, t.b.op(Op::Neg, {t.b.num("1")}));
  t.walk(t.b.function("f", {}, {good, bad}));
  const auto claims = t.of(ClaimKind::ModelInvariantAssigned);
  ASSERT_EQ(claims.size(), 2u);
  EXPECT_TRUE(t.stands(*claims[0]));
  EXPECT_FALSE(t.stands(*claims[1]));
}

// Branches ---------------------------------------------------------------------------------------

// if (c > 0) z = 1; else z = 2; and the runs have the same z.
struct Branching : Bench {
  VarId c = b.param("c"), z = b.local("z");
  FunctionId f = b.function(
      "f", {c},
      {b.declare(z), b.branch(positive(c), {put(z, "1")}, {put(z, "2")}), b.relate(b.equal(z))});
};

TEST(IfRule, RunsPartByTheirOwnConditions) {
  Branching t;
  t.walk(t.f);
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
  t.require_r(t.f, t.b.equal(t.c));
  t.walk(t.f);
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
}

TEST(IfRule, EachMistakeLetsThePartedRunsThrough) {
  for (const Trap trap : {Trap::RunsNeverPart, Trap::SameBranchTwice, Trap::OriginalsCondition}) {
    Branching t;
    t.walk(t.f, trapped(trap));
    EXPECT_TRUE(t.all_stand(ClaimKind::AssertR)) << static_cast<int>(trap);
  }
}

TEST(IfRule, WhatIsLearntInABranchIsKnownThereOnly) {
  Bench t;
  const VarId x = t.b.param("x");
  const StmtId behind = t.b.claim(t.positive(x));
  const FunctionId f =
      t.b.function("f", {x}, {t.b.branch(t.positive(x), {t.b.claim(t.positive(x))}), behind});
  t.walk(f);
  for (const Obligation* o : t.of(ClaimKind::Assert))
    EXPECT_EQ(t.stands(*o), o->claim.at != t.b.at(behind)) << o->situation;
  t.walk(f, trapped(Trap::ContextsConjoined));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
}

TEST(IfRule, ClaimsSayWhereTheRunsPart) {
  Bench t;
  const VarId x = t.b.param("x"), y = t.b.param("y");
  t.walk(t.b.function("f", {x, y}, {t.b.branch(t.positive(x), {t.b.claim(t.positive(y))})}));
  EXPECT_EQ(t.situations(ClaimKind::Assert),
            (std::vector<std::string>{"",
                                      "where the runs part: the original takes the second branch, "
                                      "the relaxed run the first"}));
}

// A claim about a variable that the original did not declare does not hold.
TEST(IfRule, WhatARunDidNotDeclareHasNoValue) {
  Bench t;
  const VarId x = t.b.param("x"), y = t.b.local("y");
  const ExprId same = t.b.op(Op::Or, t.b.equal(y), t.b.truth(true));
  t.walk(t.b.function("f", {x}, {t.b.branch(t.positive(x), {t.b.declare(y), t.b.relate(same)})}));
  const auto claims = t.of(ClaimKind::AssertR);
  ASSERT_EQ(claims.size(), 2u);
  EXPECT_TRUE(t.stands(*claims[0]));
  EXPECT_FALSE(t.stands(*claims[1]));
}

// Read from left to right, and no further than it matters.
TEST(IfRule, WhatIsNotReadNeedsNoValue) {
  Bench t;
  const VarId x = t.b.param("x"), y = t.b.local("y");
  const ExprId came = t.b.op(Op::Gt, t.b.original(x), t.b.num("0"));
  const ExprId guarded = t.b.op(Op::Implies, came, t.b.equal(y));
  const ExprId excused = t.b.op(
      Op::Or, t.b.op(Op::Not, {t.b.op(Op::Gt, t.b.original(x), t.b.num("0"))}), t.b.equal(y));
  t.walk(t.b.function(
      "f", {x},
      {t.b.branch(t.positive(x), {t.b.declare(y), t.b.relate(guarded), t.b.relate(excused)})}));
  EXPECT_EQ(t.count(ClaimKind::AssertR), 4u);
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
}

}  // namespace leto::vcgen
