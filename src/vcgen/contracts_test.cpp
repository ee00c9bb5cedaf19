// Functions and calls (rule 8), models (rule 2) and refinement (rule 10).
#include <gtest/gtest.h>

#include "vcgen/test_bench.h"

namespace leto::vcgen {

// Functions --------------------------------------------------------------------------------------

TEST(Function, ItStartsFromWhatItRequiresAndShowsWhatItEnsures) {
  Bench t;
  const VarId x = t.b.param("x");
  const FunctionId f = t.b.function("f", {x}, {});
  t.require(f, t.positive(x));
  t.require_r(f, t.b.equal(x));
  t.ensure(f, t.positive(x));
  t.ensure_r(f, t.b.equal(x));
  t.walk(f);
  EXPECT_TRUE(t.all_stand(ClaimKind::Ensures));
  EXPECT_TRUE(t.all_stand(ClaimKind::Ensures, Side::Original));
  EXPECT_TRUE(t.all_stand(ClaimKind::EnsuresR));
  EXPECT_EQ(t.count(ClaimKind::EnsuresR, Side::Original), 0u);
  ASSERT_NE(t.assumption(ClaimKind::RequirementsMet), nullptr);
  EXPECT_EQ(t.assumption(ClaimKind::RequirementsMet)->before, kNothingBefore);
  ASSERT_NE(t.assumption(ClaimKind::FunctionEnds), nullptr);
}

TEST(Function, WhatItEnsuresSpeaksOfParametersAsTheyWerePassed) {
  Bench t;
  const VarId x = t.b.param("x");
  const FunctionId f = t.b.function("f", {x}, {t.put(x, "1")});
  t.ensure(f, t.positive(x));
  t.walk(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::Ensures, Side::Original));
}

TEST(Function, AWalkThatIsGivenUpSaysSo) {
  Bench t;
  const VarId x = t.b.param("x");
  const FunctionId f = t.b.function("f", {x}, {t.put(x, "1"), t.put(x, "2")});
  Options short_of_breath;
  short_of_breath.most_steps = 2;
  t.walk(f, short_of_breath);
  EXPECT_TRUE(t.result.incomplete);
  t.walk(f);
  EXPECT_FALSE(t.result.incomplete);
  EXPECT_EQ(t.result.steps, 6u);  // a block of two statements, by both and by the original
}

TEST(Function, OfAnExternalOneThereIsNothingToShow) {
  Bench t;
  t.walk(t.b.external("e", {}, t.b.var(VarKind::Result, "result")));
  EXPECT_TRUE(t.result.obligations.empty());
  EXPECT_FALSE(t.result.incomplete);
}

TEST(Function, AUintIsNotNegative) {
  Bench t;
  const VarId x = t.b.param("x", core::kUintType);
  t.walk(t.b.function("f", {x}, {t.b.claim(t.b.op(Op::Ge, t.b.ref(x), t.b.num("0")))}));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
}

// Calls ------------------------------------------------------------------------------------------

// y = g(x), where g requires p > 0 and ensures result > p, or has no contract at all.
struct Calling : Bench {
  VarId p = b.param("p"), out = b.var(VarKind::Result, "result");
  VarId x = b.param("x"), y = b.local("y");
  FunctionId g;
  void callee(bool contract, std::vector<StmtId> body) {
    g = b.function("g", {p}, std::move(body));
    at(g).results = {out};
    if (!contract) return;
    require(g, positive(p));
    ensure(g, b.op(Op::Gt, b.ref(out), b.ref(p)));
  }
  FunctionId caller(std::vector<StmtId> behind, bool parted = false) {
    const StmtId call = b.call(g, {b.ref(x)}, y);
    std::vector<StmtId> body{b.declare(y), parted ? b.branch(positive(x), {call}) : call};
    body.insert(body.end(), behind.begin(), behind.end());
    return b.function("f", {x}, std::move(body));
  }
  ExprId larger() { return b.op(Op::Gt, b.ref(y), b.ref(x)); }
};

TEST(CallRule, AContractIsAskedForAndBelieved) {
  Calling t;
  t.callee(true, {t.b.assign(t.out, t.b.num("0"))});
  const FunctionId f = t.caller({t.b.claim(t.larger())});
  t.walk(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::Requires, Side::Original));
  EXPECT_EQ(t.of(ClaimKind::Requires)[0]->claim.about, Names{"g"});
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert, Side::Original));
  ASSERT_NE(t.assumption(ClaimKind::ContractMet), nullptr);
  EXPECT_EQ(t.assumption(ClaimKind::ContractMet)->claim.about, Names{"g"});
  t.require(f, t.positive(t.x));
  t.walk(f);
  EXPECT_TRUE(t.all_stand(ClaimKind::Requires, Side::Original));
  EXPECT_TRUE(t.all_stand(ClaimKind::Requires));
}

// What is changed in place is what the contract says of it, and nothing else; its sizes stay.
TEST(CallRule, WhatIsChangedInPlaceIsForgottenButForItsSizes) {
  Bench t;
  const core::Type row = core::kIntVector;
  const VarId passed = t.b.param("v", row), now = t.b.local("v", row), own = t.b.param("w", row);
  const FunctionId g = t.b.function("g", {passed}, {t.b.assign(now, t.b.ref(passed))});
  t.at(g).results = {now};
  t.at(g).inouts = {{passed, now}};
  const ExprId grown =
      t.b.op(Op::Ge, t.b.select(now, t.b.num("0")), t.b.select(passed, t.b.num("0")));
  t.ensure(g, grown);
  const VarId x = t.b.local("x");
  const StmtId keep = t.b.assign(x, t.b.select(own, t.b.num("0")));
  const VarId n = t.b.local("n", core::kUintType);
  const StmtId measure = t.b.assign(n, t.b.length(own));
  const auto behind = [&](ExprId claimed) {
    return t.b.function("f", {own},
                        {keep, measure, t.b.call(g, {t.b.ref(own)}, own), t.b.claim(claimed)});
  };
  t.walk(behind(t.b.op(Op::Ge, t.b.select(own, t.b.num("0")), t.b.ref(x))));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
  t.walk(behind(t.b.op(Op::Eq, t.b.length(own), t.b.ref(n))));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
  const FunctionId wrong = behind(t.b.op(Op::Eq, t.b.select(own, t.b.num("0")), t.b.ref(x)));
  t.walk(wrong);
  EXPECT_FALSE(t.all_stand(ClaimKind::Assert));
  t.walk(wrong, trapped(Trap::ChangedInPlaceKept));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
}

TEST(CallRule, RequirementsThatNobodyShowsAreNoClaims) {
  Calling t;
  t.callee(true, {});
  const FunctionId f = t.caller({});
  t.walk(f, trapped(Trap::RequirementsNotShown));
  EXPECT_EQ(t.count(ClaimKind::Requires), 0u);
}

TEST(CallRule, ABodyWithoutAContractIsLookedInto) {
  Calling t;
  const StmtId inside = t.b.claim(t.positive(t.p));
  t.callee(false, {inside, t.b.assign(t.out, t.b.op(Op::Add, t.b.ref(t.p), t.b.num("1")))});
  t.walk(t.caller({t.b.claim(t.larger())}));
  const auto claims = t.of(ClaimKind::Assert, Side::Original);
  ASSERT_EQ(claims.size(), 2u);
  EXPECT_EQ(claims[0]->claim.at, t.b.at(inside));
  EXPECT_EQ(claims[0]->claim.function, "f");
  EXPECT_FALSE(t.stands(*claims[0]));
  EXPECT_TRUE(t.stands(*claims[1]));
}

// The contract was proved of a pair; of the relaxed run alone it is to be shown again.
TEST(CallRule, AContractSaysNothingOfTheRelaxedRunAlone) {
  Calling t;
  t.callee(true, {t.b.assign(t.out, t.b.num("0"))});
  const FunctionId f = t.caller({}, true);
  t.walk(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::CalleeEnsures));
  t.walk(f, trapped(Trap::ContractOfRunAlone));
  EXPECT_EQ(t.count(ClaimKind::CalleeEnsures), 0u);
}

// p = 0; g(1); and p is still 0: what the callee calls p is another variable.
TEST(CallRule, EveryActivationHasVariablesOfItsOwn) {
  Bench t;
  const VarId p = t.b.param("p");
  const FunctionId g{0};
  const StmtId call = t.b.call(g, {t.b.num("1")});
  ASSERT_EQ(t.b.function("g", {p}, {t.put(p, "0"), call, t.b.claim(t.is(p, "1"))}), g);
  t.require(g, t.b.truth(true));
  t.walk(g);
  EXPECT_FALSE(t.all_stand(ClaimKind::Assert, Side::Original));
  t.walk(g, trapped(Trap::SharedVariables));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert, Side::Original));
}

// The relaxed run calls alone, so the original has no p: a relation that reads it does not hold.
TEST(CallRule, WhoDoesNotCallHasNoVariablesInTheCall) {
  Bench t;
  const VarId p = t.b.param("p"), x = t.b.param("x");
  const FunctionId g = t.b.function("g", {p}, {t.b.relate(t.b.equal(p))});
  const auto call = [&] { return t.b.call(g, {t.b.num("1")}); };
  const FunctionId f = t.b.function("f", {x}, {call(), t.b.branch(t.positive(x), {call()})});
  t.walk(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
}

TEST(CallRule, ARunAloneCannotFollowRecursion) {
  Bench t;
  const VarId p = t.b.param("p");
  const FunctionId g{0};
  const StmtId call = t.b.call(g, {t.b.ref(p)});
  ASSERT_EQ(t.b.function("g", {p}, {t.b.branch(t.positive(p), {call})}), g);
  t.require(g, t.b.truth(true));
  t.walk(g);
  ASSERT_EQ(t.count(ClaimKind::Recursion), 1u);
  EXPECT_FALSE(t.all_stand(ClaimKind::Recursion));
  t.walk(g, trapped(Trap::RecursionAssumed));
  EXPECT_EQ(t.count(ClaimKind::Recursion), 0u);
}

// What an external function computes differs between the runs, unless it says that it does not.
TEST(CallRule, ExternalFunctionsKeepTheirClausesOnly) {
  Calling t;
  t.g = t.b.external("g", {t.p}, t.out);
  t.ensure(t.g, t.b.op(Op::Gt, t.b.ref(t.out), t.b.ref(t.p)));
  const FunctionId f = t.caller({t.b.claim(t.larger()), t.b.relate(t.b.equal(t.y))});
  t.require_r(f, t.b.equal(t.x));
  t.walk(f);
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
  t.ensure_r(t.g, t.b.equal(t.out));
  t.walk(f);
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
}

TEST(CallRule, WhoIsCalledByContractStartsFromAnyState) {
  Bench t;
  const VarId m = t.b.state("m", core::kIntType, t.b.num("0"));
  const FunctionId g = t.b.function("g", {}, {t.b.claim(t.is(m, "0"))});
  t.require(g, t.b.truth(true));
  const FunctionId f = t.b.function("f", {}, {t.put(m, "1"), t.b.call(g, {})});
  t.walk(g);
  EXPECT_FALSE(t.all_stand(ClaimKind::Assert));
  t.walk(g, trapped(Trap::ContractFromInitialState));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
  const Generator generator(t.b.program, {});
  EXPECT_TRUE(generator.from_any_state(g));
  EXPECT_FALSE(generator.from_any_state(f));
}

// A call by contract may have changed the model's state.
TEST(CallRule, TheStateThatACalleeChangesIsForgotten) {
  Bench t;
  const VarId m = t.b.state("m", core::kIntType, t.b.num("0"));
  const FunctionId g = t.b.function("g", {}, {t.put(m, "1")});
  t.require(g, t.b.truth(true));
  t.walk(t.b.function("f", {}, {t.b.call(g, {}), t.b.claim(t.is(m, "0"))}));
  EXPECT_FALSE(t.all_stand(ClaimKind::Assert, Side::Original));
}

TEST(CallRule, SizesOfArgumentsAgreeWithParameters) {
  Bench t;
  const VarId p = t.b.param("p", core::kIntVector), v = t.b.param("v", core::kIntVector);
  const FunctionId g = t.b.function("g", {p}, {});
  t.at(g).sizes.push_back({p, 0, t.b.num("1")});
  const FunctionId f = t.b.function("f", {v}, {t.b.call(g, {t.b.ref(v)})});
  t.walk(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::ArgumentSize, Side::Original));
  EXPECT_EQ(t.of(ClaimKind::ArgumentSize)[0]->claim.about, Names{"g"});
  t.at(f).sizes.push_back({v, 0, t.b.num("1")});
  t.walk(f);
  EXPECT_TRUE(t.all_stand(ClaimKind::ArgumentSize, Side::Original));
}

// A function that computes exactly is walked once for the same values.
TEST(CallRule, EqualCallsAreLookedIntoOnce) {
  Bench t;
  const VarId p = t.b.param("p"), x = t.b.param("x");
  const FunctionId g = t.b.function("g", {p}, {t.b.claim(t.positive(p))});
  const auto call = [&] { return t.b.call(g, {t.b.ref(x)}); };
  t.walk(t.b.function("f", {x}, {call(), call()}));
  EXPECT_EQ(t.count(ClaimKind::Assert), 1u);
  EXPECT_EQ(t.count(ClaimKind::Assert, Side::Original), 1u);
}

// Models -----------------------------------------------------------------------------------------

// One specification of +, by what it ensures of result, a and b.
struct Modelling : Bench {
  core::Builder::Operands over = b.operands();
  ExprId above(const char* bound) { return b.op(Op::Gt, b.ref(over.outcome), b.num(bound)); }
  ExprId below(const char* bound) { return b.op(Op::Lt, b.ref(over.outcome), b.num(bound)); }
};

TEST(ModelRule, ASpecificationCanBeFollowed) {
  Modelling t;
  t.b.specification(t.over, {}, {t.above("0"), t.below("2")});
  t.walk_model();
  EXPECT_TRUE(t.all_stand(ClaimKind::Total));
  EXPECT_EQ(t.of(ClaimKind::Total)[0]->claim.at, t.b.program.specifications[0].span);
}

TEST(ModelRule, OneWithoutAnOutcomeIsNotTotal) {
  Modelling t;
  t.b.specification(t.over, {}, {t.above("0"), t.below("1")}, {}, "none");
  t.walk_model();
  EXPECT_FALSE(t.all_stand(ClaimKind::Total));
  EXPECT_EQ(t.of(ClaimKind::Total)[0]->claim.about, Names{" 'none'"});
  t.walk_model(trapped(Trap::NotTotal));
  EXPECT_TRUE(t.result.obligations.empty());
}

TEST(ModelRule, OnlyWhereItIsEnabled) {
  Modelling t;
  const ExprId never = t.b.op(Op::Lt, t.b.ref(t.over.first), t.b.ref(t.over.first));
  t.b.specification(t.over, never, {t.above("0"), t.below("1")});
  t.walk_model();
  EXPECT_TRUE(t.all_stand(ClaimKind::Total));
}

TEST(ModelRule, InvariantsHoldAtFirstAndAreKept) {
  Modelling t;
  const VarId m = t.b.state("m", core::kIntType, t.b.num("0"));
  t.b.program.model.invariants = {t.b.op(Op::Ge, t.b.ref(m), t.b.num("0"))};
  const ExprId more = t.b.op(Op::Gt, t.b.ref(m), t.b.old(m));
  const ExprId less = t.b.op(Op::Lt, t.b.ref(m), t.b.old(m));
  t.b.specification(t.over, {}, {more}, {m});
  t.b.specification(t.over, {}, {less}, {m});
  t.walk_model();
  EXPECT_TRUE(t.all_stand(ClaimKind::ModelInvariantInitially));
  const auto kept = t.of(ClaimKind::ModelInvariantKept);
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_TRUE(t.stands(*kept[0]));
  EXPECT_FALSE(t.stands(*kept[1]));
}

TEST(ModelRule, AUintStartsNotBelowZero) {
  Modelling t;
  const ExprId low = t.b.op(Op::Neg, {t.b.num("1")});
  t.b.state("m", core::kUintType, low);
  t.walk_model();
  EXPECT_FALSE(t.all_stand(ClaimKind::InitialNotNegative));
  EXPECT_EQ(t.of(ClaimKind::InitialNotNegative)[0]->claim.at, t.b.at(low));
  t.walk_model(trapped(Trap::NaturalInitial));
  EXPECT_EQ(t.count(ClaimKind::InitialNotNegative), 0u);
}

// Everybody else takes that for granted, so here it must not be.
TEST(ModelRule, TheValueOfAUintConstantIsNotNegative) {
  Modelling t;
  t.b.constant("c", core::kUintType, t.b.op(Op::Neg, {t.b.num("1")}));
  t.b.constant("d", core::kUintType, t.b.num("1"));
  t.walk_model();
  const auto claims = t.of(ClaimKind::ConstantNotNegative);
  ASSERT_EQ(claims.size(), 2u);
  EXPECT_FALSE(t.stands(*claims[0]));
}

TEST(ModelRule, NorAreTheElementsOfAVectorOfUints) {
  Modelling t;
  const core::Type type{core::Base::Int, true, 1};
  const ExprId low = t.b.op(Op::Neg, {t.b.num("1")});
  const ExprId one = t.b.expr(core::kUintType, core::NumberConst{"1"});
  t.b.constant("c", type, t.b.expr(type, core::Listed{{one, low}}));
  t.walk_model();
  const auto claims = t.of(ClaimKind::ConstantNotNegative);
  ASSERT_EQ(claims.size(), 1u);  // what is written as a number is none
  EXPECT_FALSE(t.stands(*claims[0]));
}

TEST(ModelRule, ConstraintsOnConstantsAreAssumedEverywhere) {
  Modelling t;
  const VarId c = t.b.constant("c", core::kIntType);
  t.b.program.constraints = {t.positive(c)};
  t.walk_model();
  const Assumption* constraints = t.assumption(ClaimKind::ConstraintsMet);
  ASSERT_NE(constraints, nullptr);
  EXPECT_TRUE(constraints->everywhere);
  const FunctionId f = t.b.function("f", {}, {t.b.claim(t.positive(c))});
  t.walk(f);
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
}

// Refinement -------------------------------------------------------------------------------------

// A super-model's specification and one of the sub-model, of the same operator.
struct Refining : Bench {
  VarId m = b.state("m", core::kIntType);
  core::Builder::Operands own = b.operands(), other = b.operands();
  core::Refinement refinement;
  void refine(std::uint32_t sub, std::uint32_t super, const Options& options = {}) {
    refinement.super = "wide";
    refinement.states = {m};
    refinement.pairs = {{sub, super}};
    refinement.groups = {
        {"+", {}, {sub}, {super}, b.op(Op::Add, b.ref(other.first), b.ref(other.second))}};
    look(options);
  }
  void look(const Options& options = {}) {
    refinement.program = b.program;
    walk_refinement(refinement, options);
  }
  ExprId large(const core::Builder::Operands& o, const char* bound) {
    return b.op(Op::Gt, b.ref(o.outcome), b.num(bound));
  }
  ExprId when(const core::Builder::Operands& o, const char* bound) {
    return b.op(Op::Gt, b.ref(o.first), b.num(bound));
  }
};

TEST(RefinementRule, WhoPromisesMoreRefines) {
  Refining t;
  t.refine(t.b.specification(t.own, {}, {t.large(t.own, "1")}),
           t.b.specification(t.other, {}, {t.large(t.other, "0")}));
  EXPECT_TRUE(t.all_stand(ClaimKind::RefinesWhen));
  EXPECT_TRUE(t.all_stand(ClaimKind::RefinesOutcome));
  EXPECT_TRUE(t.all_stand(ClaimKind::RefinesOffer));
  EXPECT_EQ(t.count(ClaimKind::RefinesFrame), 0u);
  EXPECT_EQ(t.of(ClaimKind::RefinesWhen)[0]->claim.about,
            (Names{"an operator", "wide.an operator"}));
}

TEST(RefinementRule, WhoPromisesLessDoesNot) {
  Refining t;
  t.refine(t.b.specification(t.own, {}, {t.large(t.own, "0")}),
           t.b.specification(t.other, {}, {t.large(t.other, "1")}));
  EXPECT_FALSE(t.all_stand(ClaimKind::RefinesOutcome));
}

TEST(RefinementRule, WhoIsTakenMoreOftenDoesNot) {
  Refining t;
  t.refine(t.b.specification(t.own, {}, {}), t.b.specification(t.other, t.when(t.other, "0"), {}));
  EXPECT_FALSE(t.all_stand(ClaimKind::RefinesWhen));
}

TEST(RefinementRule, WhoChangesMoreDoesNot) {
  Refining t;
  t.refine(t.b.specification(t.own, {}, {}, {t.m}), t.b.specification(t.other, {}, {}));
  ASSERT_EQ(t.count(ClaimKind::RefinesFrame), 1u);
  EXPECT_FALSE(t.all_stand(ClaimKind::RefinesFrame));
  EXPECT_EQ(t.of(ClaimKind::RefinesFrame)[0]->claim.about.back(), "m");
}

// The published rule does not ask for this: the sub-model is stuck where the other goes on.
TEST(RefinementRule, WhoOffersLessDoesNot) {
  Refining t;
  const std::uint32_t sub = t.b.specification(t.own, t.when(t.own, "1"), {});
  const std::uint32_t super = t.b.specification(t.other, t.when(t.other, "0"), {});
  t.refine(sub, super);
  EXPECT_TRUE(t.all_stand(ClaimKind::RefinesWhen));
  EXPECT_FALSE(t.all_stand(ClaimKind::RefinesOffer));
  t.look(trapped(Trap::MissingOperators));
  EXPECT_EQ(t.count(ClaimKind::RefinesOffer), 0u);
}

// An operator that the sub-model does not mention is exact there.
TEST(RefinementRule, WhatIsExactMustBeAllowed) {
  for (const bool allowed : {true, false}) {
    Refining t;
    const std::uint32_t super = t.b.specification(
        t.other, {}, allowed ? std::vector<ExprId>{} : std::vector{t.large(t.other, "0")});
    t.refinement.super = "wide";
    t.refinement.groups = {
        {"+", {}, {}, {super}, t.b.op(Op::Add, t.b.ref(t.other.first), t.b.ref(t.other.second))}};
    t.look();
    EXPECT_EQ(t.all_stand(ClaimKind::RefinesExact), allowed);
  }
}

}  // namespace leto::vcgen
