#include <gtest/gtest.h>

#include "vcgen/test_bench.h"

namespace leto::vcgen {
namespace {

using core::NeedKind;

// A lemma that says of x what it is given to say.
struct LemmaBench : Bench {
  VarId x = b.param("x");
  FunctionId lemma = b.function("l", {}, {});

  LemmaBench() { b.program.functions[lemma].lemma = b.program.functions[lemma].ends = true; }

  StmtId recall(ExprId needs, ExprId ensures, bool relational = false,
                NeedKind kind = NeedKind::Requires) {
    return b.stmt(core::Recall{lemma, relational, {{kind, needs}}, {ensures}});
  }
  ExprId positive() { return b.op(Op::Gt, b.ref(x), b.num("0")); }
  FunctionId caller(std::vector<StmtId> body) { return b.function("f", {x}, std::move(body)); }
};

}  // namespace

// The naive rule: what is claimed of the original is trusted, as assertions are.
TEST(Lemmas, WhatTheyRequireIsProvedOfBothRuns) {
  LemmaBench t;
  const FunctionId f = t.caller({t.recall(t.positive(), t.b.truth(true))});
  t.walk(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::LemmaRequires, Side::Original));
  EXPECT_FALSE(t.all_stand(ClaimKind::LemmaRequires));
  t.walk(f, trapped(Trap::LemmaTrustsOriginal));
  EXPECT_EQ(t.count(ClaimKind::LemmaRequires, Side::Original), 0u);
}

TEST(Lemmas, WhatTheyEnsureIsKnownOfBothRuns) {
  LemmaBench t;
  const FunctionId f = t.caller({t.recall(t.b.truth(true), t.positive()), t.b.claim(t.positive())});
  t.walk(f);
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert, Side::Original));
}

TEST(Lemmas, ARelationalCallIsAClaimOfThePair) {
  LemmaBench t;
  const ExprId differ = t.b.op(Op::Lt, t.b.ref(t.x, Side::Original), t.b.ref(t.x, Side::Relaxed));
  const FunctionId f = t.caller({t.recall(t.b.truth(true), differ, true), t.b.relate(differ)});
  t.walk(f);
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
  EXPECT_EQ(t.count(ClaimKind::LemmaRequires), 1u);
  EXPECT_EQ(t.count(ClaimKind::LemmaRequires, Side::Original), 0u);
}

// The naive rule assumes what the lemma ensures of a variable that is not there: then anything.
TEST(Lemmas, OfAVariableThatOneRunLacksNothingIsKnown) {
  LemmaBench t;
  const VarId y = t.b.local("y");
  const ExprId of_both = t.b.op(Op::Eq, t.b.ref(y, Side::Original), t.b.ref(y, Side::Relaxed));
  const StmtId inside = t.recall(t.b.truth(true), of_both, true);
  const FunctionId f =
      t.caller({t.b.branch(t.positive(), {t.b.declare(y), inside, t.b.relate(t.b.truth(false))})});
  t.walk(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::LemmaArgument));
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
}

// The naive rules: what is made is one value for both runs, or the same with each call.
TEST(Lemmas, WhatTheyMakeIsAnotherInEachRunAndWithEachCall) {
  LemmaBench t;
  const VarId y = t.b.var(core::VarKind::Temp, "y"), z = t.b.var(core::VarKind::Temp, "z");
  const VarId result = t.b.local("k");
  t.b.program.functions[t.lemma].params = {t.b.param("n")};
  t.b.program.functions[t.lemma].results = {result};
  const auto make = [&](VarId var) {
    const ExprId above = t.b.op(Op::Gt, t.b.ref(var), t.b.ref(t.x));
    return t.b.stmt(core::Recall{t.lemma, false, {}, {above}, {{var, {}}}, {t.b.ref(t.x)}});
  };
  const ExprId above = t.b.op(Op::Gt, t.b.ref(y), t.b.ref(t.x));
  const ExprId same = t.b.op(Op::Eq, t.b.ref(y), t.b.ref(z));
  const ExprId of_both = t.b.op(Op::Eq, t.b.ref(y, Side::Original), t.b.ref(y, Side::Relaxed));
  const FunctionId known = t.b.function("known", {t.x}, {make(y), t.b.claim(above)});
  t.walk(known);
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert, Side::Original));
  const FunctionId twice = t.b.function("twice", {t.x}, {make(y), make(z), t.b.claim(same)});
  t.walk(twice);
  EXPECT_FALSE(t.all_stand(ClaimKind::Assert));
  const FunctionId each = t.b.function("each", {t.x}, {make(y), t.b.relate(of_both)});
  t.walk(each);
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
  t.walk(each, trapped(Trap::LemmaMakesOneForBoth));
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
}

// The naive rule: it is zero until it is assigned.
TEST(Lemmas, WhatIsNotAssignedIsAnything) {
  LemmaBench t;
  const VarId y = t.b.local("y");
  const ExprId zero = t.b.op(Op::Eq, t.b.ref(y), t.b.num("0"));
  const FunctionId any =
      t.b.function("any", {t.x}, {t.b.stmt(core::Declare{y, {}, true}), t.b.claim(zero)});
  t.walk(any);
  EXPECT_FALSE(t.all_stand(ClaimKind::Assert));
  const FunctionId none = t.b.function("none", {t.x}, {t.b.declare(y), t.b.claim(zero)});
  t.walk(none);
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
}

// A lemma has one run, which trusts nothing.
TEST(Lemmas, AreWalkedByOneRunThatProvesAll) {
  LemmaBench t;
  const FunctionId f = t.caller({t.b.claim(t.positive())});
  t.b.program.functions[f].lemma = t.b.program.functions[f].ends = true;
  t.b.program.functions[f].ensures = {{t.positive(), false}};
  t.walk(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::Assert));
  EXPECT_EQ(t.count(ClaimKind::Ensures), 1u);
  for (const Obligation& o : t.result.obligations) EXPECT_EQ(o.claim.side, Side::Relaxed);
}

TEST(Lemmas, TheirLoopsHaveToEnd) {
  LemmaBench t;
  core::While loop = t.b.loop(t.b.truth(true), {});
  loop.before = t.b.block({});
  const FunctionId f = t.caller({t.b.stmt(loop)});
  t.b.program.functions[f].lemma = t.b.program.functions[f].ends = true;
  t.walk(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::LoopMeasured));
}

TEST(Lemmas, AMeasureThatDoesNotFallIsAClaim) {
  LemmaBench t;
  const FunctionId f = t.caller({t.recall(t.positive(), t.b.truth(false), false, NeedKind::Falls)});
  t.b.program.functions[f].lemma = t.b.program.functions[f].ends = true;
  t.walk(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::LemmaFalls));
  t.walk(f, trapped(Trap::LemmaUnmeasured));
  EXPECT_EQ(t.count(ClaimKind::LemmaFalls), 0u);
}

}  // namespace leto::vcgen
