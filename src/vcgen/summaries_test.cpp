// Rule 12: what is summed up of a function without a contract, in which situation, and what a call
// knows of it. Each mistake of traps.def that can be made here lets something through.
#include <gtest/gtest.h>

#include <map>

#include "vcgen/test_bench.h"

namespace leto::vcgen {

namespace {

// Keeps of what is proposed what no small state breaks.
class Sifting final : public Judge {
 public:
  explicit Sifting(const Bench& bench) : bench_(bench) {}
  [[nodiscard]] const std::vector<Candidate>& candidates(const Occurrence&) override {
    return none_;
  }
  [[nodiscard]] std::vector<std::size_t> choose(
      const Occurrence& at, const std::vector<std::optional<std::size_t>>& stronger) override {
    std::vector<bool>& fallen = fallen_[at];
    fallen.resize(stronger.size());
    std::vector<std::size_t>& tried = tried_[at];
    tried.clear();
    for (std::size_t k = 0; k < stronger.size(); ++k)
      if (!fallen[k] && (!stronger[k] || fallen[*stronger[k]])) tried.push_back(k);
    return tried;
  }
  [[nodiscard]] std::vector<Fallen> find_fallen(const std::vector<Obligation>&,
                                                std::size_t) override {
    return {};
  }
  bool stand(const std::vector<Obligation>& obligations, std::size_t first) override {
    bool all = true;
    for (std::size_t i = first; i < obligations.size(); ++i)
      for (const Part& part : obligations[i].parts)
        if (!bench_.stands(obligations[i], part.goal)) {
          const Occurrence& at = obligations[i].occurrence;
          fallen_[at][tried_[at][part.candidate]] = true;
          all = false;
        }
    return all;
  }

 private:
  const Bench& bench_;
  std::vector<Candidate> none_;
  std::map<Occurrence, std::vector<bool>> fallen_;
  std::map<Occurrence, std::vector<std::size_t>> tried_;
};

// y = g(x), where g has no contract.
struct SummingUp : Bench {
  VarId p = b.param("p"), out = b.var(VarKind::Result, "result");
  VarId x = b.param("x"), y = b.local("y");
  FunctionId g;

  void callee(std::vector<StmtId> body) {
    g = b.function("g", {p}, std::move(body));
    at(g).results = {out};
  }
  StmtId call(const std::string& plus = "0") {
    return b.call(g, {b.op(Op::Add, b.ref(x), b.num(plus))}, y);
  }
  StmtId call_alone() { return b.branch(positive(x), {call()}); }
  FunctionId caller(std::vector<StmtId> body) {
    body.insert(body.begin(), b.declare(y));
    return b.function("f", {x}, std::move(body));
  }
  void sum_up(FunctionId id, Options options = {}) {
    options.summed_up_from = 0;
    // What the last walk says of small states needs its terms.
    Sifting judge(*this);
    walk(id, options, judge, Calls::SummedUp);
  }
  StmtId relate(VarId var) { return b.relate(b.equal(var)); }
  std::size_t walked_as(FunctionId id, ClaimKind kind) {
    std::size_t count = 0;
    for (const Assumption& a : result.assumptions)
      count += a.claim.kind == kind && a.claim.at == at(id).span;
    return count;
  }
};

}  // namespace

TEST(SummaryRule, ABodyIsWalkedOnceForEachSituation) {
  SummingUp t;
  const StmtId inside = t.b.claim(t.b.op(Op::Eq, t.b.ref(t.p), t.b.ref(t.p)));
  t.callee({t.b.claim(t.positive(t.p)), t.b.assign(t.out, t.b.ref(t.p)), inside});
  const FunctionId f = t.caller({t.call("0"), t.call("1"), t.call("2")});
  t.walk(f);
  EXPECT_EQ(t.count(ClaimKind::Assert), 6u);
  t.sum_up(f);
  EXPECT_EQ(t.count(ClaimKind::Assert), 2u);                  // by both
  EXPECT_EQ(t.count(ClaimKind::Assert, Side::Original), 2u);  // by the original in its own walk
  EXPECT_EQ(t.of(ClaimKind::Assert)[0]->claim.function, "f");
  EXPECT_FALSE(t.stands(*t.of(ClaimKind::Assert, Side::Original)[0]));
  EXPECT_TRUE(t.stands(*t.of(ClaimKind::Assert, Side::Original)[1]));
  EXPECT_EQ(t.walked_as(t.g, ClaimKind::FunctionEnds), 2u);
}

// What is assumed in a summary's walk is looked at with the obligations of that walk.
TEST(SummaryRule, AssumptionsStandBeforeTheirOwnObligations) {
  SummingUp t;
  t.callee({t.b.claim(t.positive(t.p)), t.b.assign(t.out, t.b.ref(t.p))});
  t.sum_up(t.caller({t.b.claim(t.b.truth(true)), t.call()}));
  for (const Assumption& a : t.result.assumptions) {
    ASSERT_LE(a.last, t.result.obligations.size());
    for (std::size_t k = a.first; k < a.last; ++k)
      EXPECT_EQ(t.result.obligations[k].question.log, a.log);
  }
}

TEST(SummaryRule, EqualArgumentsGiveEqualResultsOthersDoNot) {
  SummingUp t;
  t.callee({t.b.assign(t.out, t.b.op(Op::Add, t.b.ref(t.p), t.b.num("1")))});
  const FunctionId f = t.caller({t.call(), t.relate(t.y)});
  t.sum_up(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
  t.sum_up(f, trapped(Trap::SummaryOfEquals));
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
  t.require_r(f, t.b.equal(t.x));
  t.sum_up(f);
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
}

// Both situations in one function: what is known of the one is not used for the other.
TEST(SummaryRule, WhatIsEqualOnceNeedNotBeEqualAgain) {
  SummingUp t;
  t.callee({t.b.assign(t.out, t.b.ref(t.p))});
  const std::uint32_t wild = t.b.wild_addition();
  const FunctionId f =
      t.caller({t.call(), t.relate(t.y),
                t.b.relaxed_op(t.x, {wild}, {t.b.ref(t.x), t.b.num("1")}, t.b.ref(t.x)), t.call(),
                t.relate(t.y)});
  t.require_r(f, t.b.equal(t.x));
  t.sum_up(f);
  ASSERT_EQ(t.count(ClaimKind::AssertR), 2u);
  EXPECT_TRUE(t.stands(*t.of(ClaimKind::AssertR)[0]));
  EXPECT_FALSE(t.stands(*t.of(ClaimKind::AssertR)[1]));
}

TEST(SummaryRule, WhatADifferentResultSaysIsNotKnown) {
  SummingUp t;
  const std::uint32_t wild = t.b.wild_addition();
  t.callee({t.b.relaxed_op(t.out, {wild}, {t.b.ref(t.p), t.b.num("1")}, t.b.ref(t.p))});
  const FunctionId f = t.caller({t.call(), t.relate(t.y)});
  t.require_r(f, t.b.equal(t.x));
  t.sum_up(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
}

// if (p > 0) result is faulty, else it is p: what holds on one way only is not known behind.
TEST(SummaryRule, WhatIsKnownHoldsOnAllWays) {
  SummingUp t;
  const std::uint32_t wild = t.b.wild_addition();
  t.callee({t.b.assign(t.out, t.b.ref(t.p)),
            t.b.branch(t.positive(t.p), {t.b.relaxed_op(t.out, {wild}, {t.b.ref(t.p), t.b.num("1")},
                                                        t.b.ref(t.p))})});
  const FunctionId f = t.caller({t.call(), t.relate(t.y)});
  t.require_r(f, t.b.equal(t.x));
  t.sum_up(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
}

// A fault in g sets the flag: what g gives is equal while the flag is not set, and g never takes it
// back.
TEST(SummaryRule, ResultsMayBeEqualUnlessAFlagIsSet) {
  SummingUp t;
  const VarId flag = t.b.state("flag", core::kBoolType, t.b.truth(false));
  const auto over = t.b.operands();
  const std::uint32_t good =
      t.b.specification(over, {}, {t.b.op(Op::Eq, t.b.ref(over.outcome), t.b.ref(over.first))});
  const auto wildly = t.b.operands();
  const std::uint32_t bad = t.b.specification(wildly, {}, {t.b.ref(flag)}, {flag});
  t.callee({t.b.relaxed_op(t.out, {good, bad}, {t.b.ref(t.p), t.b.num("1")}, t.b.ref(t.p))});
  const auto unless = [&](VarId var) {
    return t.b.relate(t.b.op(Op::Implies, t.b.op(Op::Not, {t.b.relaxed(flag)}), t.b.equal(var)));
  };
  const FunctionId f = t.caller({t.call(), t.relate(t.y), unless(t.y)});
  t.require_r(f, t.b.equal(t.x));
  t.sum_up(f);
  ASSERT_EQ(t.count(ClaimKind::AssertR), 2u);
  EXPECT_FALSE(t.stands(*t.of(ClaimKind::AssertR)[0]));
  EXPECT_TRUE(t.stands(*t.of(ClaimKind::AssertR)[1]));
  const FunctionId lasting = t.b.function("lasting", {t.x},
                                          {t.b.declare(t.y), t.b.assign(flag, t.b.truth(true)),
                                           t.call(), t.b.relate(t.b.relaxed(flag))});
  t.sum_up(lasting);
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
}

TEST(SummaryRule, TheStateIsInitialOnlyWhereItIs) {
  SummingUp t;
  const VarId m = t.b.state("m", core::kIntType, t.b.num("0"));
  t.callee({t.b.relate(t.b.op(Op::Eq, t.b.relaxed(m), t.b.num("0")))});
  t.sum_up(t.caller({t.call()}));
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
  const FunctionId later = t.caller({t.call(), t.put(m, "1"), t.call("1")});
  t.sum_up(later);
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
  t.sum_up(later, trapped(Trap::SummaryFromInitialState));
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
}

// The relaxed run calls alone: there is no p of the original.
TEST(SummaryRule, WhatIsShownOfAPairIsNotShownOfARunAlone) {
  SummingUp t;
  t.callee({t.b.relate(t.b.op(Op::Eq, t.b.original(t.p), t.b.original(t.p)))});
  t.sum_up(t.caller({t.call()}));
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
  const FunctionId f = t.caller({t.call(), t.call_alone()});
  t.sum_up(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
  t.sum_up(f, trapped(Trap::SummaryOfPair));
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
}

// assert p > 0: of the original it is trusted where both call; of the relaxed run alone nobody
// has shown it.
TEST(SummaryRule, WhatTheOriginalAssertsIsNotTrustedOfTheRelaxedRunAlone) {
  SummingUp t;
  t.callee({t.b.claim(t.positive(t.p))});
  const FunctionId f =
      t.caller({t.b.branch(t.b.op(Op::Lt, t.b.ref(t.x), t.b.num("0")), {t.call()})});
  t.sum_up(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::Assert));
}

TEST(SummaryRule, TheStateThatACalleeChangesIsForgotten) {
  SummingUp t;
  const VarId m = t.b.state("m", core::kIntType, t.b.num("0"));
  t.callee({t.put(m, "1")});
  const FunctionId f = t.caller({t.call(), t.b.relate(t.b.op(Op::Eq, t.b.relaxed(m), t.b.num("0"))),
                                 t.b.claim(t.is(m, "0"))});
  t.sum_up(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
  EXPECT_FALSE(t.all_stand(ClaimKind::Assert, Side::Original));
  t.sum_up(f, trapped(Trap::SummaryKeepsState));
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert, Side::Original));
  t.sum_up(t.caller({t.call(), t.relate(m)}));
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));  // it is equal then
}

TEST(SummaryRule, AStateThatIsSetToWhatItWasIsKept) {
  SummingUp t;
  const VarId m = t.b.state("m", core::kIntType, t.b.num("0"));
  t.callee({t.b.assign(m, t.b.ref(m))});
  t.sum_up(t.caller({t.put(m, "3"), t.call(), t.b.claim(t.is(m, "3"))}));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert, Side::Original));
}

// if (x > 0) y = g(x): where the original goes alone, nothing is known of what it gets.
TEST(SummaryRule, OfTheOriginalBesideTheOtherRunNothingIsKnown) {
  SummingUp t;
  t.callee({t.b.claim(t.b.truth(false))});
  const FunctionId f =
      t.caller({t.call_alone(),
                t.b.relate(t.b.op(Op::Implies, t.b.op(Op::Gt, t.b.original(t.x), t.b.num("0")),
                                  t.b.op(Op::Gt, t.b.relaxed(t.x), t.b.num("0"))))});
  t.sum_up(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
}

TEST(SummaryRule, SizesOfResultsAreKnown) {
  Bench t;
  const VarId n = t.b.param("n", core::kUintType), x = t.b.param("x", core::kUintType);
  const VarId out = t.b.var(VarKind::Result, "result", core::kIntVector);
  const VarId v = t.b.local("v", core::kIntVector);
  const FunctionId g = t.b.function("g", {n}, {t.b.declare(out, {t.b.ref(n)})});
  t.at(g).results = {out};
  const FunctionId f = t.b.function("f", {x},
                                    {t.b.declare(v, {t.b.num("1")}), t.b.call(g, {t.b.ref(x)}, v),
                                     t.b.claim(t.b.op(Op::Eq, t.b.length(v), t.b.ref(x)))});
  Options options;
  options.summed_up_from = 0;
  Sifting judge(t);
  t.walk(f, options, judge, Calls::SummedUp);
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert, Side::Original));
}

// A vector that is equal in both runs has sizes of its own in each; they are what g declares.
TEST(SummaryRule, VectorsAreEqualIfTheirDeclaredSizesAre) {
  SummingUp t;
  const VarId v = t.b.param("v", core::kIntVector), w = t.b.param("w", core::kIntVector);
  const VarId n = t.b.param("n", core::kUintType), k = t.b.param("k", core::kUintType);
  t.g = t.b.function("g", {n, v}, {t.b.assign(t.out, t.b.select(v, t.b.num("0")))});
  t.at(t.g).results = {t.out};
  t.at(t.g).sizes.push_back({v, 0, t.b.ref(n)});
  const FunctionId f = t.b.function(
      "f", {k, w}, {t.b.declare(t.y), t.b.call(t.g, {t.b.ref(k), t.b.ref(w)}, t.y), t.relate(t.y)});
  t.at(f).sizes.push_back({w, 0, t.b.ref(k)});
  t.require_r(f, t.b.equal(w));
  t.sum_up(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));  // nobody says that k is equal
  t.require_r(f, t.b.equal(k));
  t.sum_up(f);
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
}

// With the values at hand it may have no end; with others it has one.
TEST(SummaryRule, WhatNeedNotEndIsWalkedInPlace) {
  SummingUp t;
  t.callee(
      {t.b.assume(t.b.op(Op::Ne, t.b.ref(t.p), t.b.num("0"))), t.b.assign(t.out, t.b.num("1"))});
  const FunctionId f = t.caller({t.put(t.x, "0"), t.call()});
  t.sum_up(f);
  EXPECT_EQ(t.walked_as(t.g, ClaimKind::FunctionEnds), 0u);
  Options options;
  options.summed_up_from = 0;
  EXPECT_FALSE(Generator(t.b.program, options).is_worth_summaries(f));
}

TEST(SummaryRule, OnlyLargeFunctionsThatTrustNothingAreWorthIt) {
  SummingUp t;
  t.callee({t.b.assign(t.out, t.b.ref(t.p))});
  const FunctionId f = t.caller({t.call()});
  const auto is_worth_it = [&](FunctionId id, std::size_t from, bool trust) {
    Options options;
    options.summed_up_from = from;
    options.trust_original = trust;
    return Generator(t.b.program, options).is_worth_summaries(id);
  };
  EXPECT_TRUE(is_worth_it(f, 0, false));
  EXPECT_FALSE(is_worth_it(f, 0, true));
  EXPECT_FALSE(is_worth_it(t.g, 0, false));  // it calls nobody
  EXPECT_FALSE(is_worth_it(f, kSummedUpFrom, false));
}

// Each function calls the next one once, or twice.
TEST(SummaryRule, AChainIsNotWorthIt) {
  const auto is_worth_it = [](int calls, int levels) {
    Bench t;
    FunctionId last = t.b.function("bottom", {}, {});
    for (int level = 0; level < levels; ++level) {
      std::vector<StmtId> body;
      for (int k = 0; k < calls; ++k) body.push_back(t.b.call(last, {}));
      last = t.b.function("level", {}, body);
    }
    return Generator(t.b.program, {}).is_worth_summaries(last);
  };
  EXPECT_TRUE(is_worth_it(2, 20));
  EXPECT_FALSE(is_worth_it(1, 2000));  // 4,000 statements, each on one way
}

TEST(SummaryRule, StepsInSummariesCount) {
  SummingUp t;
  t.callee({t.b.assign(t.out, t.b.ref(t.p)), t.b.assign(t.out, t.b.ref(t.p))});
  const FunctionId f = t.caller({t.call()});
  Options options;
  options.most_steps = 4;  // a block of two statements, and the first of g
  t.sum_up(f, options);
  EXPECT_TRUE(t.result.incomplete);
  options.most_steps = 12;
  t.sum_up(f, options);
  EXPECT_FALSE(t.result.incomplete);
  EXPECT_EQ(t.result.steps, 12u);
}

// f9 calls f8 twice, and so on: as many statements are walked for each level, not twice as many.
TEST(SummaryRule, StepsGrowWithTheLevelsNotWithTheWays) {
  SummingUp t;
  const std::uint32_t wild = t.b.wild_addition();
  t.callee({t.b.relaxed_op(t.out, {wild}, {t.b.ref(t.p), t.b.num("1")}, t.b.ref(t.p))});
  std::vector<std::size_t> steps;
  for (int level = 0; level < 12; ++level) {
    const VarId p = t.b.param("p"), out = t.b.var(VarKind::Result, "result");
    const auto call = [&] { return t.b.call(t.g, {t.b.ref(p)}, out); };
    t.g = t.b.function("level", {p}, {call(), call()});
    t.at(t.g).results = {out};
    t.sum_up(t.g);
    ASSERT_FALSE(t.result.incomplete);
    steps.push_back(t.result.steps);
  }
  for (std::size_t k = 1; k < steps.size(); ++k) EXPECT_EQ(steps[k] - steps[k - 1], 6u);
}

}  // namespace leto::vcgen
