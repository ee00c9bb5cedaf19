// What is proved of a recovery block, with solvers that say what they are told to say: what a bound
// may rest on then.
#include "checks/checks.h"

#include <gtest/gtest.h>

#include "checks/excerpt.h"
#include "checks/rate_search.h"
#include "checks/recovery_claims.h"
#include "core/test_builder.h"
#include "solver/test_small_solver.h"

namespace leto::checks {

namespace {

using core::ExprId;
using core::FunctionId;
using core::Op;
using core::StmtId;
using core::VarId;
using reliability::Known;
using solver::Reason;

class Tired final : public solver::Solver {
 public:
  std::string identity() override { return "tired"; }
  std::string script(const solver::Query& query) const override { return query.text; }
  solver::Answer solve(const solver::Query&) override {
    solver::Answer answer;
    answer.reason = Reason::Resource;
    return answer;
  }
};

// try { y = x +. x } check (...) recover { y = ... }: the sum goes wrong with a chance of 0.1.
struct Bench : core::Builder {
  std::uint32_t right = exact_addition(), wrong = wild_addition();
  VarId x = param("x"), y = local("y"), z = local("z"), out = var(core::VarKind::Result, "result");
  FunctionId f;
  engine::Crew crew;
  prove::Engine engine{{}, crew, nullptr};

  explicit Bench(bool tired = false)
      : crew(0, [tired]() -> std::unique_ptr<solver::Solver> {
          if (tired) return std::make_unique<Tired>();
          return std::make_unique<solver::SmallSolver>();
        }) {
    program.specifications[wrong].rate = num("0.1", core::kRealType);
  }
  ExprId doubled() { return op(Op::Add, ref(x), ref(x)); }
  void recover(ExprId check, StmtId again) {
    const StmtId tried = block({relaxed_op(y, {right, wrong}, {ref(x), ref(x)}, doubled())});
    const StmtId test = block({});
    const StmtId whole = block({tried, test, stmt(core::If{check, block({}), again})});
    program.recoveries = {{next(), whole, tried, test, again, check, {}, {}, {}}};
    f = function("f", {x}, {declare(y), whole, assign(out, ref(y))});
    program.functions[f].results = {out};
    program.functions[f].reliability = {{{}, true, "0.95", {x}}};
  }
  ExprId good_check() { return op(Op::Eq, ref(y), doubled()); }
  // The same, but not by the looks of it.
  ExprId good_check_otherwise() { return op(Op::Eq, op(Op::Sub, ref(y), ref(x)), ref(x)); }
  ExprId lax_check() { return op(Op::Ge, ref(y), doubled()); }
  StmtId good_way() { return block({assign(y, doubled())}); }
  StmtId bad_way() { return block({assign(y, num("0"))}); }
  Recoveries prove() { return prove_recoveries(program, engine); }
  reliability::Verdict verdict(const Recoveries& known) {
    reliability::Options options;
    options.recoveries = known.known;
    reliability::Options best = options;
    best.recoveries = known.at_best;
    return reliability::decide_all(program, options, best).at(0).verdict;
  }
};

}  // namespace

TEST(Checks, AGoodCheckAndAGoodRecoveryAreProved) {
  for (const bool otherwise : {false, true}) {
    Bench t;
    t.recover(otherwise ? t.good_check_otherwise() : t.good_check(), t.good_way());
    const Recoveries found = t.prove();
    ASSERT_TRUE(found.known.contains(0));
    EXPECT_TRUE(found.known.at(0).check_proved);
    EXPECT_NE(found.known.at(0).mending, Known::Mending::No);
    EXPECT_TRUE(found.checks.empty());
    EXPECT_EQ(t.verdict(found), reliability::Verdict::Holds);
  }
}

// It passes what is too large.
TEST(Checks, ACheckThatPassesWhatIsWrongIsDoubted) {
  Bench t;
  t.recover(t.lax_check(), t.good_way());
  const Recoveries found = t.prove();
  ASSERT_TRUE(found.checks.contains(0));
  const Doubt& doubt = found.checks.at(0);
  EXPECT_TRUE(doubt.passes_wrong);
  EXPECT_FALSE(doubt.undecided);
  EXPECT_TRUE(doubt.shown());
  ASSERT_EQ(doubt.faults.size(), 1u);
  EXPECT_EQ(doubt.faults[0].what, "+");
  EXPECT_EQ(t.verdict(found), reliability::Verdict::Fails);
}

TEST(Checks, ARecoveryThatPutsNothingRightIsDoubted) {
  Bench t;
  t.recover(t.good_check(), t.bad_way());
  const Recoveries found = t.prove();
  EXPECT_TRUE(found.known.at(0).check_proved);
  EXPECT_EQ(found.known.at(0).mending, Known::Mending::No);
  EXPECT_TRUE(found.mendings.contains(0));
  EXPECT_EQ(t.verdict(found), reliability::Verdict::Fails);
}

// A check that fails what is right sends the original itself to recover.
TEST(Checks, ACheckThatFailsWhatIsRightIsDoubted) {
  Bench t;
  t.recover(t.truth(false), t.bad_way());
  const Recoveries found = t.prove();
  ASSERT_TRUE(found.checks.contains(0));
  EXPECT_FALSE(found.checks.at(0).passes_wrong);
}

// Nothing is believed that is not proved, and nothing is called wrong either.
TEST(Checks, WhatASolverGivesUpOnIsUndecided) {
  Bench t(true);
  t.recover(t.good_check_otherwise(), t.good_way());
  const Recoveries found = t.prove();
  ASSERT_TRUE(found.checks.contains(0));
  EXPECT_TRUE(found.checks.at(0).undecided);
  EXPECT_FALSE(found.known.at(0).check_proved);
  EXPECT_TRUE(found.at_best.at(0).check_proved);
  EXPECT_EQ(t.verdict(found), reliability::Verdict::Undecided);
}

TEST(Checks, AMistakeThatIsBroughtBackIsBelieved) {
  Bench t;
  t.recover(t.lax_check(), t.good_way());
  RecoverySettings settings;
  settings.trap = Trap::CheckNotProved;
  EXPECT_TRUE(prove_recoveries(t.program, t.engine, settings).known.at(0).check_proved);
}

TEST(Checks, DeclaredRatesCountOnlyIfNoRunContradictsThem) {
  Bench t;
  t.recover(t.lax_check(), t.good_way());
  t.program.recoveries[0].checker = "crc";
  t.program.recoveries[0].false_positive = "0";
  t.program.recoveries[0].false_negative = "0.5";
  const Recoveries honest = t.prove();
  ASSERT_TRUE(honest.known.at(0).declared.has_value());
  EXPECT_TRUE(honest.in_vain.empty());
  t.program.recoveries[0].false_negative = "0";
  const Recoveries refuted = t.prove();
  EXPECT_EQ(refuted.in_vain, std::set<std::size_t>{0});
  EXPECT_FALSE(refuted.known.contains(0) && refuted.known.at(0).declared);
}

// What is to be shown, as functions that claim it.
TEST(Checks, ClaimsAreAboutACopyOfTheBlock) {
  Bench t;
  t.recover(t.good_check(), t.good_way());
  core::Program program = t.program;
  reliability::Uses uses(t.program);
  const auto footing = reliability::find_footing(t.program, uses, t.program.recoveries[0]);
  const RecoveryClaims check = claim_check(program, program.recoveries[0], footing);
  const RecoveryClaims mending = claim_mending(program, program.recoveries[0], footing, true);
  EXPECT_NE(check.function, mending.function);
  for (const core::FunctionId f : {check.function, mending.function}) {
    EXPECT_GE(f.value, t.program.functions.size());        // nothing that was there is changed
    EXPECT_EQ(program.functions[f].requires_.size(), 2u);  // a contract, and that x is equal
  }
  bool passes_wrong = false, fails_right = false;
  for (const auto& feared : check.all) (feared.passes_wrong ? passes_wrong : fails_right) = true;
  EXPECT_TRUE(passes_wrong && fails_right);
}

// The block, what it calls and what is the model's, and nothing else.
TEST(Excerpts, HaveWhatIsReachedAndNoMore) {
  Bench t;
  const VarId given = t.param("given"), returned = t.var(core::VarKind::Result, "result");
  const auto make = [&](const char* name, std::vector<StmtId> body) {
    const FunctionId f = t.function(name, {given}, std::move(body));
    t.program.functions[f].results = {returned};
    return f;
  };
  make("nobody", {t.assign(returned, t.num("7"))});
  const FunctionId inner = make("inner", {t.assign(returned, t.ref(given))});
  t.program.functions[inner].measure = {t.op(core::Op::Add, t.ref(given), t.num("3"))};
  make("nobody else", {t.assign(returned, t.num("8"))});
  const FunctionId outer = make("outer", {t.call(inner, {t.ref(given)}, returned)});
  t.recover(t.good_check(), t.block({t.call(outer, {t.ref(t.x)}, t.y)}));
  reliability::Uses uses(t.program);
  const core::Recovery& r = t.program.recoveries[0];
  const Excerpt part(t.program, r, reliability::find_footing(t.program, uses, r));
  EXPECT_EQ(core::validate(part.program), "");
  ASSERT_EQ(part.program.functions.size(), 2u);
  EXPECT_EQ(part.in_whole(FunctionId{0}), inner);
  EXPECT_EQ(part.in_whole(FunctionId{1}), outer);
  EXPECT_EQ(part.program.specifications.size(), t.program.specifications.size());
  EXPECT_EQ(core::print(part.program, part.recovery.check), core::print(t.program, r.check));
  ASSERT_EQ(part.footing.set.size(), 1u);
  EXPECT_EQ(part.program.vars[*part.footing.set.begin()].name, "y");
  EXPECT_LT(part.program.stmts.size(), t.program.stmts.size());
  const Excerpt one(t.program, inner);
  ASSERT_EQ(one.program.functions.size(), 1u);
  EXPECT_EQ(one.program.functions[one.function].name, "inner");
  EXPECT_EQ(core::source(one.program, one.program.functions[one.function].measure[0]),
            core::source(t.program, t.program.functions[inner].measure[0]));
}

// A function that keeps the model's invariant from where a run starts, but not from any state: who
// is called by somebody that has no part in a proof is still called.
TEST(Checks, AssignmentsCountFromWhereverAFunctionIsCalled) {
  for (const bool called : {false, true}) {
    Bench t;
    const VarId m = t.state("m", core::kIntType, t.num("0"));
    t.program.model.invariants = {t.op(Op::Le, t.num("0"), t.ref(m))};
    const VarId given = t.param("given"), returned = t.var(core::VarKind::Result, "result");
    const FunctionId sets = t.function(
        "sets", {given},
        {t.assign(m, t.op(Op::Sub, t.num("0"), t.ref(m))), t.assign(returned, t.ref(given))});
    t.program.functions[sets].results = {returned};
    t.program.functions[sets].requires_ = {{t.truth(true), false}};
    if (called) t.function("calls", {}, {t.call(sets, {t.num("1")}, t.z)});
    t.recover(t.good_check(), t.good_way());
    const Recoveries found = t.prove();
    EXPECT_EQ(found.known.contains(0) && found.known.at(0).check_proved, !called);
  }
}

// Without recovery a result is right with a chance of 1 - p: at least 0.95 up to p = 0.05.
TEST(RateSearch, TheLargestRateIsFound) {
  Bench t;
  const VarId p = t.constant("p", core::kRealType, t.num("0.1", core::kRealType));
  t.program.specifications[t.wrong].rate = t.ref(p);
  t.f = t.function(
      "f", {t.x},
      {t.declare(t.y), t.relaxed_op(t.y, {t.right, t.wrong}, {t.ref(t.x), t.ref(t.x)}, t.doubled()),
       t.assign(t.out, t.ref(t.y))});
  t.program.functions[t.f].results = {t.out};
  t.program.functions[t.f].reliability = {{{}, true, "0.95", {t.x}}};
  const reliability::Options options;
  RateSearch search(t.program, options, t.engine, {});
  const auto holds = [&](const reliability::Options& with) {
    return reliability::all_hold(reliability::decide_all(t.program, with));
  };
  EXPECT_EQ(search.largest(p, holds), "0.05");
  EXPECT_EQ(search.largest(p, [](const auto&) { return false; }), std::nullopt);
}

}  // namespace leto::checks
