// The room that searches for failing runs and tells them, on programs small enough to know the
// answer by hand.
#include "explain/explain.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "golden.h"
#include "lower/lower.h"
#include "workspace/workspace.h"

namespace leto::tests {

using explain::Plan;
using explain::Row;
using explain::Target;

const std::string kModel =
    "model once {\n bool upset = false;\n @label(exact) operator *(int a, int b) ensures result == "
    "a * b;\n @label(struck) operator *(int a, int b) when !upset modifies upset ensures "
    "upset;\n}\n"
    "use model once;\n";

struct Loaded {
  workspace::RealFileSystem files;
  workspace::Workspace workspace{files, {}};
  core::Program program;
  std::unique_ptr<interp::Machine> machine;
  core::FunctionId function{0};

  explicit Loaded(const std::string& body) {
    DiagnosticList diagnostics;
    workspace::Program trees = workspace.load_text("test.leto", kModel + body, diagnostics);
    const workspace::PickedModel picked = workspace.pick_model(trees, "", diagnostics);
    const check::Checked checked =
        check::check(trees.trees, {picked.name, picked.bad}, workspace.names(), diagnostics);
    EXPECT_EQ(diagnostics.errors(), 0u) << diagnostics.all()[0].message();
    program = lower::lower(checked, workspace.names());
    machine = std::make_unique<interp::Machine>(program);
  }
  explain::Subject subject() const { return {*machine, function}; }
  // The only assert_r of the program.
  Target assert_r() const {
    Target target;
    target.claims = {interp::ViolationKind::AssertR};
    for (const core::Stmt& stmt : program.stmts)
      if (const auto* claim = std::get_if<core::Claim>(&stmt.node);
          claim != nullptr && claim->kind == core::AssertionKind::AssertR) {
        target.expr = claim->expr;
        target.span = stmt.span;
      }
    return target;
  }
};

Plan hunted(const Loaded& l, const Target& target) {
  const auto found = explain::hunt(l.subject(), {target}, {});
  EXPECT_TRUE(found[0].has_value());
  return found[0].value_or(Plan{interp::empty_inputs(*l.machine), {}});
}

TEST(Hunt, FindsARunAndReplaysItAndNothingElse) {
  const Loaded l("requires_r eq(*) void f(int x) { int y = x *. 3; assert_r y<r> <= y<o> + 5; }");
  const Target target = l.assert_r();
  const Plan plan = hunted(l, target);
  ASSERT_EQ(plan.faults.size(), 1u);
  EXPECT_TRUE(explain::replay(l.subject(), target, plan));
  // Without its fault it breaks nothing, and is not shown.
  EXPECT_FALSE(explain::replay(l.subject(), target, {plan.inputs, {}}));
  // Nor with inputs that the function does not allow.
  Plan unequal = plan;
  const core::VarId x = l.program.functions[l.function].params[0];
  unequal.inputs.values.original[x.value].scalar = 1;
  unequal.inputs.values.relaxed[x.value].scalar = 2;
  EXPECT_FALSE(explain::replay(l.subject(), target, unequal));
}

TEST(Hunt, FindsNothingWhereThereIsNothing) {
  const Loaded l(
      "requires_r eq(*) void f(int x) { int y = x *. 3; assert_r !model.upset -> eq(y); }");
  EXPECT_FALSE(explain::hunt(l.subject(), {l.assert_r()}, {200'000, 1})[0].has_value());
}

TEST(Shrink, LeavesOneFaultAndSmallNumbers) {
  // One fault suffices; x plays no part; the least outcome that breaks it is 106.
  const Loaded l(
      "requires_r eq(*) requires x >= 0 void f(int x, int z) { int y = 0; int i = 0;\n"
      "  while (i < 3) { int c = 100; y = c *. 1; i = i + 1; }\n"
      "  assert_r y<r> <= 105; }");
  const Target target = l.assert_r();
  Plan plan = hunted(l, target);
  explain::shrink(l.subject(), target, plan);
  ASSERT_EQ(plan.faults.size(), 1u);
  ASSERT_TRUE(explain::replay(l.subject(), target, plan));
  EXPECT_LT(plan.faults[0].outcome.text().size(), 5u) << plan.faults[0].outcome.text();
  for (core::VarId param : l.program.functions[l.function].params) {
    EXPECT_EQ(plan.inputs.values.relaxed[param.value].scalar.text(), "0");
    EXPECT_EQ(plan.inputs.values.original[param.value].scalar.text(), "0");
  }
}

TEST(Story, TellsWhatTheFailureDependsOnAndLeavesOutTheRest) {
  const Loaded l(
      "requires_r eq(*) void f(int x) {\n"
      "  int idle = 7; idle = idle + 1;\n"
      "  int y = x *. 3;\n"
      "  int z = 0;\n"
      "  if (y > 100) { z = 1; } else { z = 2; }\n"
      "  assert_r eq(z); }");
  const Target target = l.assert_r();
  Plan plan = hunted(l, target);
  explain::shrink(l.subject(), target, plan);
  const auto outcome = explain::replay(l.subject(), target, plan);
  ASSERT_TRUE(outcome);
  const explain::Story story = explain::tell(*l.machine, target, plan, *outcome, 14);
  const auto count = [](const explain::Story& s, Row::Kind kind) {
    return std::count_if(s.rows.begin(), s.rows.end(),
                         [&](const Row& row) { return row.kind == kind; });
  };
  EXPECT_EQ(count(story, Row::Kind::Fault), 1);
  EXPECT_EQ(count(story, Row::Kind::Part), 1);
  const auto mentions = [](const explain::Story& s, const std::string& name) {
    return std::any_of(s.rows.begin(), s.rows.end(),
                       [&](const Row& row) { return row.what == name; });
  };
  EXPECT_TRUE(mentions(story, "y"));
  EXPECT_TRUE(mentions(story, "z"));
  EXPECT_FALSE(mentions(story, "idle"));
  const explain::Story all = explain::tell(*l.machine, target, plan, *outcome, 0);
  EXPECT_TRUE(mentions(all, "idle"));
  // Where only one run takes a branch, the other has no value there.
  EXPECT_TRUE(std::any_of(story.rows.begin(), story.rows.end(),
                          [](const Row& row) { return row.what == "z" && row.original.empty(); }));
  ASSERT_EQ(story.claim.size(), 3u);
  EXPECT_EQ(story.claim[0].text, "eq(z)");
  EXPECT_EQ(story.claim[0].value, "false");
}

// Fields for machines, records for people.
TEST(Story, TellsRecordsAsRecords) {
  const Loaded l(
      "record R { int a; int b; bool c; } requires_r eq(s.a)\n"
      "void f(R s, uint n, vector<R> v(n)) {\n"
      "  R t = s;\n"
      "  t.b = s.a *. 3;\n"
      "  R u = t;\n"
      "  if (n > 0) { v[0] = u; u = v[0]; }\n"
      "  assert_r u<o>.b + u<o>.a == u<r>.b + u<r>.a; }");
  const Target target = l.assert_r();
  Plan plan = hunted(l, target);
  const auto outcome = explain::replay(l.subject(), target, plan);
  ASSERT_TRUE(outcome);
  const explain::Story story = explain::tell(*l.machine, target, plan, *outcome, 0);
  const auto row = [](const std::vector<Row>& rows, const std::string& name) {
    const auto it =
        std::find_if(rows.begin(), rows.end(), [&](const Row& one) { return one.what == name; });
    return it == rows.end() ? Row{} : *it;
  };
  const Row copied = row(story.told, "u");
  EXPECT_TRUE(copied.original.starts_with("{a: ")) << copied.original;
  EXPECT_EQ(copied.original, "{a: " + row(story.rows, "u.a").original +
                                 ", b: " + row(story.rows, "u.b").original +
                                 ", c: " + row(story.rows, "u.c").original + "}");
  EXPECT_EQ(row(story.told, "t.b").what, "t.b") << "one field is set by itself";
  EXPECT_TRUE(row(story.rows, "u").what.empty());
  EXPECT_TRUE(row(story.told, "u.a").what.empty());
  const std::vector<explain::Worth> inputs = explain::in_records(l.program, story.inputs);
  ASSERT_FALSE(inputs.empty());
  EXPECT_EQ(inputs[0].text, "s");
  EXPECT_TRUE(inputs[0].value.starts_with("{a: ")) << inputs[0].value;
  EXPECT_TRUE(std::any_of(story.inputs.begin(), story.inputs.end(),
                          [](const explain::Worth& w) { return w.text == "s.a"; }));
}

TEST(Story, IsCutToSizeWithGaps) {
  const Loaded l(
      "requires_r eq(*) void f(int x) { int y = x *. 3; int i = 0;\n"
      "  while (i < 40) { y = y + 1; i = i + 1; }\n"
      "  assert_r eq(y); }");
  const Target target = l.assert_r();
  const Plan plan = hunted(l, target);
  const auto outcome = explain::replay(l.subject(), target, plan);
  ASSERT_TRUE(outcome);
  const explain::Story story = explain::tell(*l.machine, target, plan, *outcome, 10);
  std::size_t rows = 0, gaps = 0, left_out = 0;
  for (const Row& row : story.rows) {
    (row.kind == Row::Kind::Gap ? gaps : rows) += 1;
    left_out += row.steps;
  }
  EXPECT_EQ(rows, 10u);
  EXPECT_GE(gaps, 1u);
  EXPECT_GT(left_out, 25u);
  // The fault is never left out.
  EXPECT_TRUE(std::any_of(story.rows.begin(), story.rows.end(),
                          [](const Row& row) { return row.kind == Row::Kind::Fault; }));
}

TEST(Dissect, FindsTheInstanceAndThePartThatFails) {
  const Loaded l(
      "requires_r eq(*) void f(uint N, vector<int> v(N)) {\n"
      "  assert_r N<r> == 3 -> forall(uint k)(k < N<r> -> v<r>[k] >= 0 && v<r>[k] < 10); }");
  const Target target = l.assert_r();
  interp::Moment moment{interp::empty_inputs(*l.machine).values, {}};
  const auto& params = l.program.functions[l.function].params;
  moment.pair.relaxed[params[0].value].scalar = 3;
  moment.pair.relaxed[params[1].value] = interp::zeros({3});
  moment.pair.relaxed[params[1].value].array->elements[2] = 12;
  const std::vector<explain::Worth> parts =
      explain::dissect(*l.machine, target.expr, core::Side::Relaxed, moment);
  const auto worth = [&](const std::string& text) {
    for (const explain::Worth& w : parts)
      if (w.text == text) return w.value;
    return std::string("none");
  };
  EXPECT_EQ(worth("N<r> == 3"), "true");
  EXPECT_EQ(worth("k"), "2");
  EXPECT_EQ(worth("v<r>[k] < 10"), "false");
  EXPECT_EQ(worth("v<r>[k]"), "12");
  EXPECT_EQ(worth("v<r>[k] >= 0"), "none");  // that part holds
}

TEST(Observe, KeepsOnlyWhatHeldInEveryRun) {
  Loaded l(
      "requires_r eq(*) void f(int x, uint n) { int y = x *. 3; uint i = 0;\n"
      "  while (i < n) invariant i <= n invariant_r eq(i) invariant_r eq(y) { i = i + 1; } }");
  std::vector<std::vector<explain::Fact>> facts(l.program.loops.size());
  for (const core::Stmt& stmt : l.program.stmts)
    if (const auto* loop = std::get_if<core::While>(&stmt.node))
      for (const core::Invariant& invariant : loop->invariants)
        facts[loop->loop.value].push_back({invariant.expr, invariant.relational});
  const auto holds = explain::observed(l.subject(), facts, {100'000, 1});
  ASSERT_EQ(holds.at(0).size(), 3u);
  EXPECT_TRUE(holds[0][0]);
  EXPECT_TRUE(holds[0][1]);
  EXPECT_FALSE(holds[0][2]);  // an upset makes them differ
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
