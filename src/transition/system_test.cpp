#include "transition/system.h"

#include <gtest/gtest.h>

#include "transition/terms.h"

namespace leto::transition {

namespace {

// x counts up to 9 and stays there; `go` may hold it.
System counter() {
  System system;
  TermTable& t = *system.terms;
  const Variable& x = system.variables[system.add_variable("x", logic::kInt)];
  const Term go = system.inputs[system.add_input("go", logic::kBool)].term;
  system.initial = t.eq(x.now, t.integer(0));
  const Term up = t.arith(logic::Kind::Add, x.now, t.integer(1));
  system.steps.push_back({"count", t.and_({go, t.lt(x.now, t.integer(9)), t.eq(x.next, up)})});
  system.steps.push_back({"stay", t.and_(t.not_(go), t.eq(x.next, x.now))});
  system.claims.push_back({"small", std::nullopt, t.le(x.now, t.integer(9))});
  return system;
}

TEST(System, ThatIsInOrderHasNoFault) {
  EXPECT_EQ(find_fault(counter()), std::nullopt);
}

TEST(System, WithInputsInAClaimIsRefused) {
  System system = counter();
  system.claims[0].formula = system.inputs[0].term;
  EXPECT_EQ(find_fault(system).value_or(""), "'go!2' has no meaning in claim 'small'");
  system = counter();
  system.assumed = system.terms->eq(system.variables[0].next, system.terms->integer(1));
  EXPECT_TRUE(find_fault(system).has_value());
  system = counter();
  system.initial = system.terms->symbol("stranger", logic::kBool);
  EXPECT_TRUE(find_fault(system).has_value());
}

TEST(System, WithTermsThatNobodyCanEvaluateIsRefused) {
  System system = counter();
  TermTable& t = *system.terms;
  const Term x = system.variables[0].now;
  system.assumed = t.eq(t.arith(logic::Kind::IntDiv, t.integer(1), x), x);
  EXPECT_TRUE(find_fault(system).has_value()) << "divides by a variable";
  system.assumed = t.eq(t.arith(logic::Kind::IntDiv, x, t.integer(0)), x);
  EXPECT_TRUE(find_fault(system).has_value()) << "divides by 0";
  system.assumed = t.eq(t.call("f", logic::kInt, {x}), x);
  EXPECT_TRUE(find_fault(system).has_value()) << "has a function that nobody knows";
  system.assumed = x;
  EXPECT_TRUE(find_fault(system).has_value()) << "a number is no formula";
}

TEST(System, WithNamesThatCannotBeWrittenIsRefused) {
  for (const char* name : {"", "x", "a|b", "a\\b", "a\nb"}) {
    System system = counter();
    system.add_variable(name, logic::kBool);
    EXPECT_TRUE(find_fault(system).has_value()) << name;
  }
}

TEST(System, IsMovedToTheNextState) {
  System system = counter();
  const Term moved = to_next(system)(system.claims[0].formula);
  EXPECT_EQ(moved, system.terms->le(system.variables[0].next, system.terms->integer(9)));
}

TEST(Substitution, OfSharedAndDeepTermsIsLinear) {
  System system = counter();
  TermTable& t = *system.terms;
  Term deep = system.variables[0].now;  // 2^100000 when written out
  for (int i = 0; i < 100'000; ++i) deep = t.arith(logic::Kind::Add, deep, deep);
  const Term moved = to_next(system)(deep);
  EXPECT_EQ(to_next(system)(moved), moved);
  EXPECT_NE(moved, deep);
}

TEST(BitVectors, HaveTheSortsOfTheStandard) {
  const auto bits = [](std::uint16_t n) { return Sort{logic::SortBase::BitVec, 0, n}; };
  EXPECT_EQ(bit_vector_result("bvadd", {bits(4), bits(4)}), bits(4));
  EXPECT_EQ(bit_vector_result("bvult", {bits(4), bits(4)}), logic::kBool);
  EXPECT_EQ(bit_vector_result("concat", {bits(3), bits(1)}), bits(4));
  EXPECT_EQ(bit_vector_result("(_ extract 2 1)", {bits(4)}), bits(2));
  EXPECT_EQ(bit_vector_result("(_ sign_extend 4)", {bits(4)}), bits(8));
  for (const char* head : {"(_ extract 4 0)", "(_ extract 0 1)", "(_ extract 1)", "bvadd", "f"})
    EXPECT_EQ(bit_vector_result(head, {bits(4)}), std::nullopt) << head;
  EXPECT_EQ(bit_vector_result("bvadd", {bits(4), bits(5)}), std::nullopt);
  EXPECT_EQ(bit_vector_result("bvadd", {logic::kInt, logic::kInt}), std::nullopt);
}

}  // namespace

}  // namespace leto::transition
