#include "inject/inject.h"

#include <gtest/gtest.h>

#include "core/test_builder.h"

namespace leto::inject {

// Expected values from the formula in exact arithmetic, rounded.
TEST(Wilson, Intervals) {
  EXPECT_NEAR(wilson(0, 100).high, 0.036994, 1e-5);
  EXPECT_EQ(wilson(0, 100).low, 0);
  EXPECT_NEAR(wilson(50, 100).low, 0.403832, 1e-5);
  EXPECT_NEAR(wilson(50, 100).high, 0.596168, 1e-5);
  EXPECT_EQ(wilson(100, 100).high, 1);
  EXPECT_EQ(wilson(0, 0).high, 1);
}

TEST(Classes, ByHowARunEnds) {
  interp::Outcome o;
  EXPECT_EQ(classify(o), Class::Masked);
  o.original = {interp::Value{1, nullptr}};
  o.relaxed = {interp::Value{2, nullptr}};
  EXPECT_EQ(classify(o), Class::Acceptable);
  o.violations.push_back({interp::ViolationKind::AssertR, {}, {}});
  EXPECT_EQ(classify(o), Class::Corruption);
  o.end = interp::End::AssertFailed;
  EXPECT_EQ(classify(o), Class::Detected);
  o.end = interp::End::Stuck;
  EXPECT_EQ(classify(o), Class::Failed);
  o.end = interp::End::Hung;
  EXPECT_EQ(classify(o), Class::Hung);
  o.end = interp::End::OriginalFailed;
  EXPECT_EQ(classify(o), Class::Void);
}

namespace {

// x + y three times, each of which may be off by up to three, once; claimed to be at most six.
struct Sums {
  core::Builder b;
  core::FunctionId function;
  Sums() {
    using core::Op;
    const core::VarId x = b.param("x"), y = b.param("y"), z = b.local("z");
    const core::VarId upset = b.state("upset", core::kBoolType, b.truth(false));
    const core::Builder::Operands over = b.operands();
    const core::ExprId sum = b.op(Op::Add, b.ref(over.first), b.ref(over.second));
    const core::ExprId off = b.op(Op::Abs, {b.op(Op::Sub, b.ref(over.outcome), sum)});
    const std::uint32_t exact = b.exact_addition();
    const std::uint32_t close =
        b.specification(over, b.op(Op::Not, {b.ref(upset)}),
                        {b.ref(upset), b.op(Op::Le, off, b.num("3"))}, {upset});
    std::vector<core::StmtId> body;
    for (int i = 0; i < 3; ++i)
      body.push_back(
          b.relaxed_op(z, {exact, close}, {b.ref(x), b.ref(y)}, b.op(Op::Add, b.ref(x), b.ref(y))));
    body.push_back(b.claim(b.op(Op::Lt, b.ref(z), b.num("8"))));
    body.push_back(b.relate(b.op(Op::Le, b.relaxed(z), b.num("6"))));
    function = b.function("f", {x, y}, std::move(body));
    b.program.functions[function].results = {z};
  }
};

}  // namespace

// By byte code, with any number of workers, against the runs that `--script` shows.
TEST(Campaign, CountsWhatItsRunsBecome) {
  const Sums sums;
  const interp::Machine machine(sums.b.program);
  for (bool given : {false, true}) {
    Settings settings;
    settings.function = sums.function;
    settings.runs = 500;
    if (given) settings.inputs = interp::random_inputs(machine, sums.function, 3, {});
    Counts counts{}, apart{};
    std::uint64_t steps = 0;
    for (std::uint64_t i = 0; i < settings.runs; ++i) {
      const Single single = run_one(machine, settings, i);
      ASSERT_TRUE(single.has_inputs);
      // Three sites, each of which may go wrong: who is to have a fault finds one.
      EXPECT_EQ(single.outcome.taken.empty(), i % 10 == 9) << i;
      ++(i % 10 == 9 ? apart : counts)[static_cast<std::size_t>(classify(single.outcome))];
      steps += single.outcome.steps;
    }
    EXPECT_GT(counts[static_cast<std::size_t>(Class::Acceptable)], 0u);
    for (unsigned workers : {1u, 3u}) {
      settings.workers = workers;
      const Allowance allowance;
      const Result result = campaign(machine, settings, allowance, [](std::uint64_t) {});
      EXPECT_EQ(result.counts, counts) << given << workers;
      EXPECT_EQ(result.apart, apart) << given << workers;
      EXPECT_EQ(result.without_faults, 50u);
      EXPECT_EQ(result.valid() + result.of(Class::Void), 450u);
      EXPECT_EQ(result.done(), 500u);
      EXPECT_EQ(result.steps, steps);
    }
  }
}

TEST(Campaign, SaysLittleIfMoreThanHalfOfItSaysNothing) {
  Result result;
  EXPECT_TRUE(result.says_little());
  result.apart[static_cast<std::size_t>(Class::Masked)] = 2;
  EXPECT_FALSE(result.says_little());
  result.counts[static_cast<std::size_t>(Class::Void)] = 2;
  EXPECT_FALSE(result.says_little());
  result.without_inputs = 1;
  EXPECT_TRUE(result.says_little());
  EXPECT_EQ(result.done(), 5u);
  EXPECT_EQ(result.valid(), 0u);
}

// Whoever fails is named, and nobody else.
TEST(Causes, AreWhatEndedTheRun) {
  EXPECT_EQ(describe({interp::End::Undecidable, "no lower bound"}), "no lower bound");
  EXPECT_EQ(describe({interp::End::OriginalFailed, "an assertion does not hold"}),
            "the original run failed, so nothing is claimed of the relaxed run: an assertion does "
            "not hold");
  for (const interp::End end :
       {interp::End::OriginalHung, interp::End::Impossible, interp::End::Undecidable})
    EXPECT_EQ(describe({end, ""}).find("original run failed"), std::string::npos);
}

// The same with any number of workers: how many, which was the first and where.
TEST(Causes, OfACampaignAreCounted) {
  core::Builder b;
  const core::VarId x = b.param("x"), k = b.var(core::VarKind::Bound, "k");
  const core::ExprId below = b.op(core::Op::Lt, b.ref(k), b.ref(x));
  const core::ExprId endless = b.forall(k, b.op(core::Op::Implies, below, b.truth(false)));
  const core::ExprId positive = b.op(core::Op::Lt, b.num("0"), b.ref(x));
  const core::FunctionId f = b.function("f", {x}, {b.claim(positive), b.claim(endless)});
  const interp::Machine machine(b.program);
  Settings settings;
  settings.function = f;
  settings.runs = 300;
  for (unsigned workers : {1u, 3u}) {
    settings.workers = workers;
    const Allowance allowance;
    const Result result = campaign(machine, settings, allowance, [](std::uint64_t) {});
    EXPECT_EQ(result.valid(), 0u);
    ASSERT_EQ(result.causes.size(), 2u);
    std::uint64_t sum = 0;
    for (const auto& [cause, runs] : result.causes) {
      sum += runs.runs;
      EXPECT_GT(runs.runs, 0u);
      const Single first = run_one(machine, settings, runs.first);
      EXPECT_EQ(first.outcome.end, cause.end);
      EXPECT_EQ(first.outcome.where, runs.where);
    }
    EXPECT_EQ(sum, 300u);
  }
}

}  // namespace leto::inject
