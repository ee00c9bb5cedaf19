// Plans, runs and what is told of them, on programs made by hand.
#include <gtest/gtest.h>

#include "core/test_builder.h"
#include "explain/explain.h"
#include "explain/reading.h"

namespace leto::explain {

namespace {

using core::ExprId;
using core::FunctionId;
using core::Op;
using core::Side;
using core::StmtId;
using core::VarId;
using interp::Number;

// y = x +. x under a model that may add anything; then the runs are to be equal.
struct Bench : core::Builder {
  std::uint32_t right = exact_addition(), wrong = wild_addition();
  VarId x = param("x"), idle = param("idle"), y = local("y"), z = local("z");
  StmtId sum = relaxed_op(y, {right, wrong}, {ref(x), ref(x)}, op(Op::Add, ref(x), ref(x)));
  ExprId same = equal(y);
  StmtId claim = relate(same);
  FunctionId f =
      function("f", {x, idle}, {declare(y), declare(z), assign(z, ref(idle)), sum, claim});
  Bench() {
    for (const VarId var : {x, idle}) program.functions[f].requires_.push_back({equal(var), true});
  }
  [[nodiscard]] Target target() const {
    Target out;
    out.span = at(claim);
    out.claims = {interp::ViolationKind::AssertR};
    out.expr = same;
    return out;
  }
};

// Large numbers, and a fault.
Plan far_fetched(const Bench& b, const interp::Machine& machine) {
  Plan plan{interp::empty_inputs(machine), {}};
  for (const VarId var : {b.x, b.idle}) {
    plan.inputs.values.original[var.value] = {Number(977), {}};
    plan.inputs.values.relaxed[var.value] = {Number(977), {}};
  }
  plan.faults.push_back(
      {0, b.sum, b.wrong, {Number(977), Number(977)}, Number(1954), Number(123456), {}, true});
  return plan;
}

}  // namespace

TEST(Hunt, FindsARunThatBreaksTheClaim) {
  const Bench b;
  const interp::Machine machine(b.program);
  const auto found = hunt({machine, b.f}, {b.target()}, {});
  ASSERT_EQ(found.size(), 1u);
  ASSERT_TRUE(found[0].has_value());
  EXPECT_EQ(found[0]->faults.size(), 1u);
  EXPECT_TRUE(replay({machine, b.f}, b.target(), *found[0]).has_value());
}

TEST(Hunt, FindsNothingWhereThereIsNothing) {
  Bench b;
  std::get<core::Relaxed>(b.program.stmts[b.sum].node).site.specifications = {b.right};
  const interp::Machine machine(b.program);
  Hunt budget;
  budget.steps = 20'000;
  EXPECT_FALSE(hunt({machine, b.f}, {b.target()}, budget)[0].has_value());
}

// Who made a plan is not believed.
TEST(Replay, APlanThatBreaksNothingIsNone) {
  const Bench b;
  const interp::Machine machine(b.program);
  Plan calm{interp::empty_inputs(machine), {}};
  EXPECT_FALSE(replay({machine, b.f}, b.target(), calm).has_value());
  EXPECT_TRUE(replay({machine, b.f}, b.target(), far_fetched(b, machine)).has_value());
}

TEST(Shrink, MakesNumbersSmallAndKeepsTheFailure) {
  const Bench b;
  const interp::Machine machine(b.program);
  Plan plan = far_fetched(b, machine);
  shrink({machine, b.f}, b.target(), plan);
  EXPECT_TRUE(replay({machine, b.f}, b.target(), plan).has_value());
  EXPECT_EQ(plan.inputs.values.relaxed[b.x.value].scalar.text(), "0");
  ASSERT_EQ(plan.faults.size(), 1u);
  EXPECT_LT(plan.faults[0].outcome, Number(123456));
}

// y = 0 +. 0 until it is 0, and a counter that may go on meanwhile.
struct Retrying : core::Builder {
  std::uint32_t right = exact_addition(), wrong = wild_addition();
  VarId y = local("y"), count = local("count");
  StmtId sum = relaxed_op(y, {right, wrong}, {num("0"), num("0")}, op(Op::Add, num("0"), num("0")));
  core::While retrying = loop(op(Op::Ne, ref(y), num("0")), {sum});

  FunctionId retry(std::vector<StmtId> body) {
    retrying.body = block(std::move(body));
    return function("f", {}, {declare(y), declare(count), assign(y, num("1")), stmt(retrying)});
  }
  // The first of several faults; the others are the same.
  [[nodiscard]] Plan plan(const interp::Machine& machine, std::uint64_t faults) const {
    Plan out{interp::empty_inputs(machine), {}};
    for (std::uint64_t k = 0; k < faults; ++k)
      out.faults.push_back({k, sum, wrong, {Number(0), Number(0)}, Number(0), Number(7), {}, true});
    return out;
  }
};

TEST(Endless, ARunThatComesToTheSameStateAgainNeverEnds) {
  Retrying b;
  const FunctionId f = b.retry({b.sum});
  const interp::Machine machine(b.program);
  EXPECT_TRUE(find_endless_loop({machine, f}, b.plan(machine, 1)).has_value());
  // Without faults it ends.
  EXPECT_FALSE(find_endless_loop({machine, f}, b.plan(machine, 0)).has_value());
}

// It may not end either, but that cannot be told from here.
TEST(Endless, WhatChangesForEverIsNotClaimed) {
  Retrying b;
  const FunctionId f =
      b.retry({b.sum, b.assign(b.count, b.op(Op::Add, b.ref(b.count), b.num("1")))});
  const interp::Machine machine(b.program);
  EXPECT_FALSE(find_endless_loop({machine, f}, b.plan(machine, 1)).has_value());
}

// In a callee the same state may be that of another call.
TEST(Endless, LoopsOfCalleesAreNotLookedAt) {
  Retrying b;
  const FunctionId g = b.retry({b.sum});
  const FunctionId f = b.function("caller", {}, {b.call(g, {})});
  const interp::Machine machine(b.program);
  EXPECT_TRUE(find_endless_loop({machine, g}, b.plan(machine, 1)).has_value());
  EXPECT_FALSE(find_endless_loop({machine, f}, b.plan(machine, 1)).has_value());
}

// What comes behind the break is left out at once, however much of it there is.
TEST(Shrink, FaultsBehindTheBreakAreCutOff) {
  Retrying b;
  const ExprId claimed = b.op(Op::Ne, b.relaxed(b.y), b.num("7"));
  const StmtId claim = b.relate(claimed);
  const FunctionId f = b.retry({b.sum, claim});
  const interp::Machine machine(b.program);
  Target target;
  target.span = b.at(claim);
  target.claims = {interp::ViolationKind::AssertR};
  target.expr = claimed;
  Plan plan = b.plan(machine, 900);
  shrink({machine, f}, target, plan);
  EXPECT_TRUE(replay({machine, f}, target, plan).has_value());
  EXPECT_EQ(plan.faults.size(), 1u);
}

// What does not matter is not told; the fault is.
TEST(Story, TellsTheFaultAndWhatTheClaimIsWorth) {
  const Bench b;
  const interp::Machine machine(b.program);
  const Plan plan = far_fetched(b, machine);
  const auto outcome = replay({machine, b.f}, b.target(), plan);
  ASSERT_TRUE(outcome.has_value());
  const Story story = tell(machine, b.target(), plan, *outcome, 12);
  bool fault = false;
  for (const Row& row : story.rows) {
    fault = fault || row.kind == Row::Kind::Fault;
    EXPECT_NE(row.what, "z");
  }
  EXPECT_TRUE(fault);
  ASSERT_FALSE(story.claim.empty());
  EXPECT_EQ(story.claim[0].text, "eq(y)");
  for (const Worth& input : story.inputs) EXPECT_EQ(input.text.find("idle"), std::string::npos);
  const Story all = tell(machine, b.target(), plan, *outcome, 0);
  EXPECT_GE(all.rows.size(), story.rows.size());
}

// Of a conjunction only what is false is told.
TEST(Dissect, LeavesOutWhatHolds) {
  Bench b;
  const ExprId good = b.op(Op::Gt, b.ref(b.x), b.num("0"));
  const ExprId bad = b.op(Op::Lt, b.ref(b.y), b.num("0"));
  const ExprId both = b.op(Op::And, good, bad);
  const interp::Machine machine(b.program);
  interp::Moment now{interp::empty_inputs(machine).values, {}};
  now.pair.relaxed[b.x.value] = {Number(5), {}};
  now.pair.relaxed[b.y.value] = {Number(7), {}};
  std::string told;
  for (const Worth& w : dissect(machine, both, Side::Relaxed, now))
    told += w.text + "=" + w.value + ";";
  EXPECT_NE(told.find("y < 0"), std::string::npos) << told;
  EXPECT_NE(told.find("y=7"), std::string::npos) << told;
  EXPECT_EQ(told.find("x > 0"), std::string::npos) << told;
}

// Facts about loops are judged by runs: i <= n holds at every head, i == 0 does not.
TEST(Observed, RunsShowWhichFactsAreFalse) {
  core::Builder b;
  const VarId n = b.param("n", core::kUintType), i = b.local("i");
  const core::While loop =
      b.loop(b.op(Op::Lt, b.ref(i), b.ref(n)), {b.assign(i, b.op(Op::Add, b.ref(i), b.num("1")))});
  const ExprId good = b.op(Op::Le, b.ref(i), b.ref(n)), bad = b.op(Op::Eq, b.ref(i), b.num("0"));
  const FunctionId f = b.function("f", {n}, {b.declare(i), b.stmt(loop)});
  const interp::Machine machine(b.program);
  Hunt budget;
  budget.steps = 20'000;
  const auto held = observed({machine, f}, {{{good, false}, {bad, false}}}, budget);
  ASSERT_EQ(held.size(), 1u);
  EXPECT_EQ(held[0], (std::vector<bool>{true, false}));
}

// Reading a solver's model -----------------------------------------------------------------------

TEST(Reading, NumbersAsSolversWriteThem) {
  EXPECT_EQ(solver_number("(- 3)")->text(), "-3");
  EXPECT_EQ(solver_number("(/ 1.0 2.0)")->text(), "1/2");
  EXPECT_EQ(solver_number("(- (/ 7 2))")->text(), "-7/2");
  EXPECT_EQ(solver_number("true")->text(), "1");
  EXPECT_EQ(solver_number("false")->text(), "0");
  EXPECT_EQ(solver_number("")->text(), "0");
  EXPECT_FALSE(solver_number("(root-obj (+ (^ x 2) (- 2)) 1)").has_value());
  EXPECT_FALSE(solver_number("nonsense").has_value());
}

// From values for what was asked to a plan: inputs of both runs.
TEST(Reading, AModelBecomesAPlanAndAPicture) {
  const Bench b;
  const interp::Machine machine(b.program);
  logic::TermTable terms;
  encode::Origins origins;
  auto entry = std::make_shared<encode::Moment>();
  for (const VarId var : {b.x, b.idle}) {
    entry->original[var] = {terms.symbol("o", logic::kInt), {}};
    entry->relaxed[var] = {terms.symbol("r", logic::kInt), {}};
  }
  origins.from = entry;
  origins.now = *entry;
  origins.now.kind = encode::Moment::Kind::Claim;
  const Reading reading(machine, terms, origins, 2);
  std::vector<std::string> values;
  for (const logic::Term term : reading.asked())
    values.push_back(term == entry->relaxed.at(b.x).term ? "(- 5)" : "2");
  const auto plan = reading.plan(values);
  ASSERT_TRUE(plan.has_value());
  EXPECT_EQ(plan->inputs.values.relaxed[b.x.value].scalar.text(), "-5");
  EXPECT_EQ(plan->inputs.values.original[b.x.value].scalar.text(), "2");
  const Picture picture = reading.picture(values, b.f, b.same, Side::Relaxed);
  bool seen = false;
  for (const Picture::Line& line : picture.from)
    if (line.name == "x") seen = line.relaxed == "-5" && line.original == "2";
  EXPECT_TRUE(seen);
  values[0] = "nonsense";
  EXPECT_FALSE(reading.plan(values).has_value());
}

}  // namespace leto::explain
