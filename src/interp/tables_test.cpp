// Functions that nobody knows, as runs find them.
#include <gtest/gtest.h>

#include "core/test_builder.h"
#include "interp/interp.h"

namespace leto::interp {

using core::Op;

namespace {

// bool bad(int a), int wrong(int a), and a function that claims something of them.
struct World : core::Builder {
  core::VarId a = var(core::VarKind::Bound, "a"), c = var(core::VarKind::Bound, "c");
  core::VarId k = var(core::VarKind::Bound, "k"), x = param("x");
  core::DefinitionId bad = definition("model.bad", {a}, core::kBoolType);
  core::DefinitionId wrong = definition("model.wrong", {c});

  World() { program.definitions[bad].rigid = program.definitions[wrong].rigid = true; }
  core::ExprId of(core::DefinitionId f, core::ExprId arg) { return defined(f, {arg}); }
  void constrain(core::ExprId body) { program.constraints.push_back(forall(k, body)); }

  Outcome run(core::ExprId claimed, const std::function<void(Tables&)>& prepare) {
    const core::FunctionId f = function("f", {x}, {claim(claimed)});
    const Machine machine(program);
    Inputs inputs = empty_inputs(machine);
    prepare(*inputs.values.tables);
    ExactChooser exact;
    return machine.run(f, inputs, exact, {});
  }
};

}  // namespace

TEST(Tables, WhatIsNotListedIsTheDefault) {
  World w;
  const Outcome o = w.run(w.of(w.bad, w.ref(w.x)), [](Tables& t) { t.usual = 1; });
  EXPECT_EQ(o.end, End::Done);
  ASSERT_EQ(o.tables->points().size(), 1u);  // asked twice, of both runs
  EXPECT_TRUE(o.tables->points()[0].value.truth());
}

TEST(Tables, TheSameSeedDrawsTheSame) {
  Tables one, other;
  one.seed = other.seed = 7;
  for (int i = 0; i < 50; ++i) {
    const core::Type natural{core::Base::Int, true, 0};
    const Number n = one.draw(core::DefinitionId{0}, natural, {i}, 0);
    EXPECT_TRUE(n == other.draw(core::DefinitionId{0}, natural, {i}, 0));
    EXPECT_GE(n.sign(), 0);
  }
}

// What is drawn keeps constraints that can be looked at: else most runs would be void.
TEST(Tables, WhatIsDrawnKeepsTheConstraints) {
  World w;
  w.constrain(w.op(Op::Eq, w.of(w.wrong, w.ref(w.k)), w.op(Op::Add, w.ref(w.k), w.num("41"))));
  w.constrain(w.not_(w.of(w.bad, w.ref(w.k))));
  const core::ExprId both = w.op(Op::And, w.not_(w.of(w.bad, w.num("3"))),
                                 w.op(Op::Eq, w.of(w.wrong, w.num("1")), w.num("42")));
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    EXPECT_EQ(w.run(both, [&](Tables& t) { t.seed = seed; }).end, End::Done);
}

// A run that breaks a constraint shows nothing, whatever it broke.
TEST(Tables, ARunThatBreaksAConstraintIsVoid) {
  World w;
  w.constrain(w.not_(w.of(w.bad, w.ref(w.k))));
  const Outcome o =
      w.run(w.not_(w.of(w.bad, w.num("3"))), [&](Tables& t) { t.set(w.bad, {3}, 1); });
  EXPECT_EQ(o.end, End::Impossible);
  EXPECT_TRUE(o.violations.empty());
}

// What nobody asked for cannot break one.
TEST(Tables, ConstraintsAreEvaluatedWhereSomebodyAsked) {
  World w;
  w.constrain(w.op(Op::Implies, w.of(w.bad, w.ref(w.k)),
                   w.op(Op::Gt, w.of(w.wrong, w.ref(w.k)), w.num("5"))));
  const Outcome fine = w.run(w.of(w.bad, w.num("3")), [&](Tables& t) { t.set(w.bad, {3}, 1); });
  EXPECT_EQ(fine.end, End::Done);
  EXPECT_EQ(fine.tables->points().size(), 2u);  // the constraint asked for more
  const Outcome broken = w.run(w.of(w.bad, w.num("3")), [&](Tables& t) {
    t.set(w.bad, {3}, 1);
    t.set(w.wrong, {3}, 5);
  });
  EXPECT_EQ(broken.end, End::Impossible);
}

TEST(Tables, ARunLeavesTheInputsAsTheyAre) {
  World w;
  const core::FunctionId f = w.function("f", {w.x}, {w.claim(w.of(w.bad, w.num("3")))});
  const Machine machine(w.program);
  const Inputs inputs = empty_inputs(machine);
  ExactChooser exact;
  const Outcome o = machine.run(f, inputs, exact, {});
  EXPECT_EQ(o.end, End::OriginalFailed);
  EXPECT_TRUE(inputs.values.tables->points().empty());
  EXPECT_EQ(with_tables(inputs, o).values.tables->points().size(), 1u);
}

}  // namespace leto::interp
