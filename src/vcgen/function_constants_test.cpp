// Functions that nobody knows: what has to be shown of them, and what is then known.
#include <gtest/gtest.h>

#include "vcgen/test_bench.h"

namespace leto::vcgen {
namespace {

struct FunctionBench : Bench {
  VarId a = b.var(core::VarKind::Bound, "a");
  core::DefinitionId f = b.definition("model.f", {a});
  VarId k = b.var(core::VarKind::Bound, "k");

  FunctionBench() { function().rigid = true; }
  core::Definition& function() { return b.program.definitions[f]; }
  ExprId at(ExprId arg) { return b.defined(f, {arg}); }
  void constrain(ExprId body) { b.program.constraints.push_back(b.forall(k, body)); }
};

}  // namespace

TEST(FunctionConstants, WithoutConstraintsThereIsNothingToShow) {
  FunctionBench t;
  t.walk_model();
  EXPECT_EQ(t.count(ClaimKind::FunctionsMet), 0u);
}

// The naive rule takes constraints for granted as long as nobody finds a contradiction.
TEST(FunctionConstants, ConstraintsThatNothingMeetsAreNotShown) {
  FunctionBench t;
  t.constrain(t.b.op(Op::Lt, t.at(t.b.ref(t.k)), t.at(t.b.ref(t.k))));
  t.walk_model();
  EXPECT_FALSE(t.all_stand(ClaimKind::FunctionsMet));
}

TEST(FunctionConstants, ZeroTheFirstArgumentOrAWitnessMayMeetThem) {
  FunctionBench zero, first, given;
  zero.constrain(zero.b.op(Op::Eq, zero.at(zero.b.ref(zero.k)), zero.b.num("0")));
  zero.walk_model();
  EXPECT_TRUE(zero.all_stand(ClaimKind::FunctionsMet));
  first.constrain(first.b.op(Op::Ge, first.at(first.b.ref(first.k)), first.b.ref(first.k)));
  first.walk_model();
  EXPECT_TRUE(first.all_stand(ClaimKind::FunctionsMet));
  const auto more = [&] {
    return given.b.op(Op::Gt, given.at(given.b.ref(given.k)), given.b.ref(given.k));
  };
  given.constrain(more());
  given.walk_model();
  EXPECT_FALSE(given.all_stand(ClaimKind::FunctionsMet));
  given.function().witness = given.b.op(Op::Add, given.b.ref(given.a), given.b.num("1"));
  given.walk_model();
  EXPECT_TRUE(given.all_stand(ClaimKind::FunctionsMet));
}

// That it holds is shown by programs (tests/refutes/function_constants_value.leto).
TEST(FunctionConstants, AConstraintIsClaimedOfAValue) {
  FunctionBench t;
  t.function().body = t.b.num("1");
  t.constrain(t.b.op(Op::Eq, t.at(t.b.ref(t.k)), t.b.num("2")));
  t.walk_model();
  EXPECT_EQ(t.count(ClaimKind::FunctionsMet), 0u);
  ASSERT_EQ(t.count(ClaimKind::ConstraintOfValue), 1u);
  // It must not be what it is shown from.
  const Obligation& o = *t.of(ClaimKind::ConstraintOfValue)[0];
  EXPECT_EQ(o.question.log->constants.size(), 0u);
}

TEST(FunctionConstants, AValueForANaturalIsNotNegative) {
  FunctionBench t;
  t.function().type.natural = true;
  t.function().body = t.b.op(Op::Sub, t.b.ref(t.a), t.b.num("1"));
  t.walk_model();
  EXPECT_FALSE(t.all_stand(ClaimKind::FunctionNotNegative));
  t.b.program.vars[t.a].type.natural = true;
  t.function().body = t.b.ref(t.a);
  t.walk_model();
  EXPECT_TRUE(t.all_stand(ClaimKind::FunctionNotNegative));
}

// A witness for a natural that may be negative is none, whatever the constraints say.
TEST(FunctionConstants, AWitnessForANaturalIsNotNegativeEither) {
  FunctionBench t;
  t.function().type.natural = true;
  t.constrain(t.b.op(Op::Ge, t.at(t.b.ref(t.k)), t.b.ref(t.k)));
  t.function().witness = t.b.ref(t.a);
  t.walk_model();
  EXPECT_FALSE(t.all_stand(ClaimKind::FunctionsMet));
}

}  // namespace leto::vcgen
