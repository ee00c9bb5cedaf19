// What the engines are made of, each by itself.

#include <gtest/gtest.h>

#include "fixpoint/normalise.h"
#include "fixpoint/projection.h"
#include "fixpoint/proxies.h"

namespace leto::fixpoint {
namespace {

bool never(z3::context& context, const Terms& formulas) {
  z3::solver solver(context);
  for (const z3::expr& formula : formulas) solver.add(formula);
  return solver.check() == z3::unsat;
}

// From every state of a cube the formula can be made true, and cubes come to an end.
TEST(Projection, LeavesStatesThatAllHaveAStep) {
  z3::context context;
  const z3::expr x = context.real_const("x"), y = context.real_const("y");
  const z3::expr b = context.bool_const("b"), c = context.bool_const("c");
  const z3::expr x1 = context.real_const("x'"), y1 = context.real_const("y'");
  const z3::expr i = context.bool_const("i"), unread = context.real_const("unread");
  const z3::expr formula = x1 == x + z3::ite(i, context.real_val(1), y) && y1 <= x1 &&
                           (b == (x1 > 3)) && (x1 <= 5 || !c) && (b != c || y1 >= 2);
  const Terms kept{x, y, b, c}, gone{x1, y1, i, unread};
  z3::expr_vector bound(context);
  for (const z3::expr& variable : gone) bound.push_back(variable);
  z3::solver solver(context);
  solver.add(formula);
  int cubes = 0;
  for (; cubes < 100 && solver.check() == z3::sat; ++cubes) {
    z3::model model = solver.get_model();
    const Cube cube = project(model, formula, kept, gone);
    for (const z3::expr& literal : cube) EXPECT_TRUE(is_literal(literal)) << literal;
    const z3::expr all = all_of(context, cube);
    EXPECT_TRUE(model.eval(all, true).is_true()) << all;
    EXPECT_TRUE(never(context, {all, !z3::exists(bound, formula)})) << all;
    solver.add(!all);
  }
  EXPECT_GT(cubes, 2);
  EXPECT_LT(cubes, 100);
}

// Where the formula is not true, or variables have no values, Z3 would end the process.
TEST(Projection, FallsBackToTheState) {
  z3::context context;
  const z3::expr x = context.real_const("x"), b = context.bool_const("b");
  const z3::expr x1 = context.real_const("x'");
  z3::solver solver(context);
  solver.add(x == 2);
  ASSERT_EQ(solver.check(), z3::sat);
  z3::model model = solver.get_model();
  const z3::expr all = all_of(context, project(model, x1 == x + 1 && x > 7, {x, b}, {x1}));
  EXPECT_TRUE(never(context, {all != (x == 2 && !b)})) << all;
}

TEST(Proxies, AnswerTheSameAfterManyNames) {
  z3::context context;
  const z3::expr x = context.int_const("x");
  ProxySolver solver(context, {x >= 0}, [](const z3::expr& literal) { return literal; });
  for (int i = 1; i < 200; ++i) {
    const z3::expr low = x <= i, high = x >= i + 1, other = x <= i + 7;
    ASSERT_FALSE(solver.satisfiable({other, low, high}));
    const Cube core = solver.core();
    ASSERT_EQ(core.size(), 2U) << i;
    ASSERT_TRUE(never(context, core)) << i;
    ASSERT_TRUE(solver.satisfiable({low}, x >= i));
    ASSERT_FALSE(solver.satisfiable({low}, x > i));
    // What was asked besides holds no longer.
    ASSERT_TRUE(solver.satisfiable({low}, x < i));
  }
  solver.add(x > 5);
  EXPECT_FALSE(solver.satisfiable({x <= 3}));
}

const char* const kFinite = R"(; state few |few'|
; state two |two'|
; state one |one'|
; state many |many'|
; state unread |unread'|
(declare-const few Int)(declare-const |few'| Int)(declare-const two Real)(declare-const |two'| Real)
(declare-const one Int)(declare-const |one'| Int)(declare-const many Real)(declare-const |many'| Real)
(declare-const unread Int)(declare-const |unread'| Int)
(define-fun init () Bool (and (= few 0) (= two 0.5) (= one 4) (>= many 0.0)))
(define-fun trans () Bool (and
  (= |few'| (ite (>= (+ few one) 9) 0 (+ few (ite (< two 1.0) 1 2))))
  (= |two'| (ite (distinct few one 7) (- 3.0 two) two)) (= |one'| one)
  (= |many'| (+ many (to_real few) (* 2.0 two))) (= |unread'| (+ few one))))
(define-fun claim () Bool (and (<= few (* 2 one)) (< two many)))
(define-fun facts () Bool (>= many two))
)";

// The same about the same states, with the Booleans read as what they mean.
TEST(Normalisation, MeansWhatWasGiven) {
  z3::context context;
  const System given = read_system(context, kFinite);
  const Normal normal = normalise(given);
  EXPECT_EQ(normal.found.size(), 3U);
  for (const z3::expr& variable : normal.system.now)
    EXPECT_TRUE(variable.is_bool() || variable.to_string() == "many") << variable;
  Terms made_next, meant_next;
  for (std::size_t i = 0; i < normal.made.size(); ++i) {
    made_next.push_back(normal.system.primed(normal.made[i]));
    meant_next.push_back(given.primed(normal.meant[i]));
  }
  const auto back = [&](const z3::expr& term) {
    return replaced(normal.given(term), made_next, meant_next);
  };
  const z3::expr here = all_of(context, normal.found), there = given.primed(here);
  EXPECT_TRUE(never(context, {here, there, back(normal.system.trans) != given.trans}));
  EXPECT_TRUE(never(context, {here, back(normal.system.init) != given.init}));
  EXPECT_TRUE(never(context, {here, back(normal.system.claim) != given.claim}));
  EXPECT_TRUE(never(context, {here, back(normal.system.facts) != given.facts}));
  // The values are those that are reached, and a state without one of them is no state.
  EXPECT_TRUE(never(context, {given.init, given.facts, !here}));
  EXPECT_TRUE(never(context, {here, given.facts, given.trans, !there}));
  for (std::size_t i = 0; i < normal.made.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (normal.meant[i].arg(0).to_string() == normal.meant[j].arg(0).to_string()) {
        EXPECT_TRUE(never(context, {normal.system.facts, normal.made[i], normal.made[j]}));
      }
}

}  // namespace
}  // namespace leto::fixpoint
