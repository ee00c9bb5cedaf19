// Why a claim is not proved, on programs made by hand, with a solver that tries small values.
#include "diagnose/diagnose.h"

#include <gtest/gtest.h>

#include "core/test_builder.h"
#include "diagnose/oracle.h"
#include "diagnose/unrolled.h"
#include "solver/test_small_solver.h"

namespace leto::diagnose {

namespace {

using core::ClaimKind;
using core::ExprId;
using core::FunctionId;
using core::Op;
using core::StmtId;
using core::VarId;
using prove::Status;

// Knows nothing, ever.
class Tired final : public solver::Solver {
 public:
  std::string identity() override { return "tired"; }
  std::string script(const solver::Query& query) const override { return query.text; }
  solver::Answer solve(const solver::Query&) override {
    solver::Answer answer;
    answer.reason = solver::Reason::Resource;
    return answer;
  }
};

struct Bench {
  core::Builder b;
  engine::Crew crew;
  prove::Engine engine{{}, crew, nullptr};
  prove::Verification v;
  Explanations why;

  explicit Bench(bool tired = false)
      : crew(0, [tired]() -> std::unique_ptr<solver::Solver> {
          if (tired) return std::make_unique<Tired>();
          return std::make_unique<solver::SmallSolver>();
        }) {}

  void explain() {
    Settings settings;
    settings.resource = 77;
    settings.verify.infer = false;
    v = prove::verify(b.program, settings.verify, crew, nullptr, {});
    why = explain_claims(v, settings, engine);
  }
  // Of the first claim of a kind.
  [[nodiscard]] std::size_t claim(ClaimKind kind, core::Side side = core::Side::Relaxed) const {
    for (std::size_t i = 0; i < v.claims.size(); ++i)
      if (v.claims[i].id.kind == kind && v.claims[i].id.side == side) return i;
    throw std::logic_error("there is no such claim");
  }
  ExprId positive(VarId x) { return b.op(Op::Gt, b.ref(x), b.num("0")); }
};

}  // namespace

TEST(Diagnose, WhatIsProvedNeedsNoExplanation) {
  Bench t;
  const VarId x = t.b.param("x");
  const FunctionId f = t.b.function("f", {x}, {t.b.claim(t.positive(x))});
  t.b.program.functions[f].requires_ = {{t.positive(x), false}};
  t.explain();
  ASSERT_FALSE(t.v.claims.empty());
  EXPECT_EQ(t.v.status(), Status::Proved);
  for (const auto& explanation : t.why) EXPECT_EQ(explanation, nullptr);
}

// A run that breaks the claim is executed, and told with its inputs.
TEST(Diagnose, ARunThatBreaksItIsReal) {
  Bench t;
  const VarId x = t.b.param("x"), y = t.b.local("y");
  const StmtId claim = t.b.relate(t.b.equal(y));
  t.b.function("f", {x}, {t.b.declare(y), t.b.assign(y, t.b.ref(x)), claim});
  t.explain();
  const std::size_t i = t.claim(ClaimKind::AssertR);
  EXPECT_EQ(t.v.claims[i].status, Status::Refuted);
  ASSERT_NE(t.why[i], nullptr);
  EXPECT_EQ(t.why[i]->cause, Cause::Real);
  ASSERT_TRUE(t.why[i]->plan.has_value());
  const interp::Machine machine(*t.v.program);
  explain::Target target;
  target.claims = {interp::ViolationKind::AssertR};
  target.expr = std::get<core::Claim>(t.b.program.stmts[claim].node).expr;
  target.span = t.b.at(claim);
  EXPECT_TRUE(explain::replay({machine, t.why[i]->function}, target, *t.why[i]->plan));
  EXPECT_FALSE(t.why[i]->story.inputs.empty());
  EXPECT_FALSE(t.why[i]->story.claim.empty());
}

// Nothing says that i is not negative behind the loop, and no run has such an i.
TEST(Diagnose, WhatNoRunBreaksIsWeak) {
  Bench t;
  const VarId n = t.b.param("n"), i = t.b.local("i");
  core::While loop = t.b.loop(t.b.op(Op::Lt, t.b.ref(i), t.b.ref(n)),
                              {t.b.assign(i, t.b.op(Op::Add, t.b.ref(i), t.b.num("1")))});
  loop.visible = {n, i};
  t.b.function(
      "f", {n},
      {t.b.declare(i), t.b.stmt(loop), t.b.claim(t.b.op(Op::Ge, t.b.ref(i), t.b.num("0")))});
  t.explain();
  const std::size_t c = t.claim(ClaimKind::Assert, core::Side::Original);
  ASSERT_NE(t.why[c], nullptr);
  EXPECT_EQ(t.why[c]->cause, Cause::Weak);
  EXPECT_FALSE(t.why[c]->plan.has_value());
  ASSERT_TRUE(t.why[c]->picture.has_value());
  EXPECT_EQ(t.why[c]->picture->kind, encode::Moment::Kind::AfterLoop);
}

TEST(Diagnose, AModelThatCannotGoOnIsAtFault) {
  Bench t;
  const auto over = t.b.operands();
  const ExprId outcome = t.b.ref(over.outcome);
  t.b.specification(over, {}, {t.b.op(Op::Lt, outcome, outcome)});
  t.b.program.model.name = "m";
  t.explain();
  const std::size_t c = t.claim(ClaimKind::Total);
  ASSERT_NE(t.why[c], nullptr);
  EXPECT_EQ(t.why[c]->cause, Cause::Model);
}

TEST(Diagnose, RequirementsThatExcludeOneAnotherAreAContradiction) {
  Bench t;
  const VarId x = t.b.param("x");
  const FunctionId f = t.b.function("f", {x}, {t.b.claim(t.b.truth(false))});
  t.b.program.functions[f].requires_ = {{t.positive(x), false},
                                        {t.b.op(Op::Lt, t.b.ref(x), t.b.num("0")), false}};
  t.explain();
  const std::size_t c = t.claim(ClaimKind::Assert);
  EXPECT_EQ(t.v.claims[c].status, Status::Vacuous);
  ASSERT_NE(t.why[c], nullptr);
  EXPECT_EQ(t.why[c]->cause, Cause::Contradiction);
}

TEST(Diagnose, ASolverThatGivesUpIsSaidToHave) {
  Bench t(true);
  const VarId x = t.b.param("x");
  const ExprId not_zero = t.b.op(Op::Ne, t.b.ref(x), t.b.num("0"));
  const FunctionId f = t.b.function("f", {x}, {t.b.claim(not_zero)});
  t.b.program.functions[f].requires_ = {{t.positive(x), false}};
  t.explain();
  const std::size_t c = t.claim(ClaimKind::Assert);
  EXPECT_EQ(t.v.claims[c].status, Status::Unknown);
  ASSERT_NE(t.why[c], nullptr);
  EXPECT_EQ(t.why[c]->cause, Cause::GaveUp);
  EXPECT_EQ(t.why[c]->limit, 77u);
}

// Even then a run is looked for, and what it shows does not depend on a solver.
TEST(Diagnose, ARunIsFoundWithoutASolver) {
  Bench t(true);
  const VarId x = t.b.param("x");
  t.b.function("f", {x}, {t.b.relate(t.b.equal(x))});
  t.explain();
  const std::size_t c = t.claim(ClaimKind::AssertR);
  EXPECT_EQ(t.v.claims[c].status, Status::Refuted);
  ASSERT_NE(t.why[c], nullptr);
  EXPECT_EQ(t.why[c]->cause, Cause::Real);
}

TEST(Diagnose, CausesHaveNamesOfTheirOwn) {
  std::set<std::string_view> names, words;
  for (int c = 0; c <= static_cast<int>(Cause::GaveUp); ++c) {
    names.insert(name(static_cast<Cause>(c)));
    words.insert(in_a_word(static_cast<Cause>(c)));
  }
  EXPECT_EQ(names.size(), 7u);
  EXPECT_EQ(words.size(), 7u);
}

TEST(Diagnose, EachInvariantIsSuggestedOnce) {
  const auto one = [](std::string text) {
    auto e = std::make_shared<Explanation>();
    e->suggestion = {{"f", {FileId{0}, 1, 2}, {FileId{0}, 1, 2}, std::move(text)}};
    return std::shared_ptr<const Explanation>(e);
  };
  const auto all = suggested({one("invariant a"), nullptr, one("invariant b"), one("invariant a")});
  EXPECT_EQ(all.size(), 2u);
}

}  // namespace leto::diagnose
