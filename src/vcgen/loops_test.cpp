// Rules 5 to 7 and the search over unrolled loops.
#include <gtest/gtest.h>

#include "vcgen/test_bench.h"

namespace leto::vcgen {

// i = 0; while (i < n) { i = i + 1; } and what is claimed behind it.
struct Counting : Bench {
  VarId n = b.param("n"), i = b.local("i");
  core::While loop = b.loop(b.op(Op::Lt, b.ref(i), b.ref(n)), {step(i)});
  FunctionId count_up(StmtId claim = {}) {
    std::vector<StmtId> body{b.declare(i), b.stmt(loop)};
    if (claim.valid()) body.push_back(claim);
    return b.function("f", {n}, std::move(body));
  }
};

TEST(WhileRule, AnInvariantIsClaimedAtEntryAndInEveryCase) {
  Counting t;
  const ExprId invariant = t.b.op(Op::Ge, t.b.ref(t.i), t.b.num("0"));
  t.loop.invariants.push_back({invariant, false});
  t.walk(t.count_up());
  EXPECT_EQ(t.count(ClaimKind::InvariantEntry), 1u);
  EXPECT_EQ(t.count(ClaimKind::InvariantEntry, Side::Original), 1u);
  EXPECT_EQ(t.count(ClaimKind::InvariantKept, Side::Original), 1u);
  EXPECT_EQ(
      t.situations(ClaimKind::InvariantKept),
      (std::vector<std::string>{"when both runs iterate", "when only the relaxed run iterates"}));
  EXPECT_EQ(t.of(ClaimKind::InvariantKept)[0]->claim.at, t.b.at(invariant));
  EXPECT_TRUE(t.all_stand(ClaimKind::InvariantEntry));
  EXPECT_TRUE(t.all_stand(ClaimKind::InvariantKept));
  EXPECT_TRUE(t.all_stand(ClaimKind::InvariantKept, Side::Original));
}

TEST(WhileRule, WhatTheBodyBreaksIsNotKept) {
  Counting t;
  t.loop.invariants.push_back({t.is(t.i, "0"), false});
  t.walk(t.count_up());
  EXPECT_TRUE(t.all_stand(ClaimKind::InvariantEntry));
  EXPECT_FALSE(t.all_stand(ClaimKind::InvariantKept, Side::Original));
}

TEST(WhileRule, WhatDoesNotHoldAtEntryIsSaidThere) {
  Counting t;
  t.loop.invariants.push_back({t.positive(t.i), false});
  t.walk(t.count_up());
  EXPECT_FALSE(t.all_stand(ClaimKind::InvariantEntry, Side::Original));
  EXPECT_TRUE(t.all_stand(ClaimKind::InvariantKept, Side::Original));
}

// i<o> <= i<r> is broken when the original goes on alone: the published rule does not look there.
TEST(WhileRule, TheOriginalMayIterateAlone) {
  Counting t;
  t.loop.invariants.push_back({t.b.op(Op::Le, t.b.original(t.i), t.b.relaxed(t.i)), true});
  const FunctionId f = t.count_up();
  t.walk(f);
  EXPECT_EQ(t.situations(ClaimKind::InvariantKept).back(), "when only the original run iterates");
  EXPECT_FALSE(t.all_stand(ClaimKind::InvariantKept));
  t.walk(f, trapped(Trap::TwoLoopCases));
  EXPECT_TRUE(t.all_stand(ClaimKind::InvariantKept));
}

TEST(WhileRule, RunsWithTheSameTestNeverPart) {
  Counting t;
  t.loop.invariants.push_back({t.b.equal(t.i), true});
  const FunctionId f = t.count_up(t.b.relate(t.b.equal(t.i)));
  t.require_r(f, t.b.equal(t.n));
  t.walk(f);
  EXPECT_EQ(t.situations(ClaimKind::InvariantKept),
            std::vector<std::string>{"when both runs iterate"});
  EXPECT_TRUE(t.all_stand(ClaimKind::InvariantKept));
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
}

TEST(WhileRule, WhatTheLoopSetsIsForgotten) {
  Counting t;
  const FunctionId f = t.count_up(t.b.claim(t.is(t.i, "0")));
  t.walk(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::Assert, Side::Original));
  t.walk(f, trapped(Trap::NothingForgotten));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert, Side::Original));
}

TEST(WhileRule, BehindTheLoopItsTestIsFalse) {
  Counting t;
  t.walk(t.count_up(t.b.claim(t.b.op(Op::Ge, t.b.ref(t.i), t.b.ref(t.n)))));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert, Side::Original));
  ASSERT_NE(t.assumption(ClaimKind::LoopEnds), nullptr);
}

// A test with a relaxed operation in it can come out differently when it is done again, so a run
// that has left is not asked again.
TEST(WhileRule, WhoHasLeftATestThatIsNotPlainHasLeft) {
  Counting t;
  const VarId s = t.b.var(VarKind::Temp, "s");
  t.loop.before = t.b.block(
      {t.b.declare(s), t.b.relaxed_op(s, {t.b.wild_addition()}, {t.b.ref(t.i), t.b.ref(t.n)},
                                      t.b.op(Op::Add, t.b.ref(t.i), t.b.ref(t.n)))});
  t.loop.condition = t.positive(s);
  t.loop.invariants.push_back({t.b.truth(true), true});
  const FunctionId f = t.count_up();
  t.walk(f);
  const std::string original_left =
      "when only the relaxed run iterates, the original having left before";
  const std::string relaxed_left =
      "when only the original run iterates, the relaxed run having left before";
  auto situations = t.situations(ClaimKind::InvariantKept);
  EXPECT_EQ(situations.size(), 5u);
  EXPECT_EQ(std::count(situations.begin(), situations.end(), original_left), 1);
  EXPECT_EQ(std::count(situations.begin(), situations.end(), relaxed_left), 1);
  t.walk(f, trapped(Trap::OriginalNeverLeavesFirst));
  situations = t.situations(ClaimKind::InvariantKept);
  EXPECT_EQ(std::count(situations.begin(), situations.end(), original_left), 0);
  t.walk(f, trapped(Trap::TestIsRepeated));
  EXPECT_EQ(t.situations(ClaimKind::InvariantKept).size(), 3u);
}

// A test that changes the model's state is not plain either, though nothing in it is relaxed.
TEST(WhileRule, ATestThatSetsStateIsNotPlain) {
  Counting t;
  const VarId m = t.b.state("m", core::kIntType, t.b.num("0"));
  const FunctionId h = t.b.function("h", {}, {t.put(m, "1")});
  t.loop.before = t.b.block({t.b.call(h, {})});
  t.loop.invariants.push_back({t.b.truth(true), true});
  const FunctionId f = t.count_up();
  t.walk(f);
  EXPECT_EQ(t.situations(ClaimKind::InvariantKept).size(), 5u);
  t.walk(f, trapped(Trap::StateIsNoEffect));
  EXPECT_EQ(t.situations(ClaimKind::InvariantKept).size(), 3u);
}

// Nothing is claimed of a run that is at no head.
TEST(WhileRule, AnInvariantMayBeClaimedAtSomeHeadsOnly) {
  Counting t;
  const VarId gone = t.b.local("gone", core::kBoolType);
  const ExprId head = t.b.op(Op::Not, {t.b.ref(gone)});
  t.loop.body = t.b.block({t.b.assign(gone, t.b.truth(true)), t.put(t.i, "0")});
  t.loop.condition = t.b.op(Op::Not, {t.b.ref(gone)});
  t.loop.exits = {gone};
  t.loop.invariants.push_back({t.positive(t.i), false, head});
  const FunctionId f = t.b.function(
      "f", {t.n}, {t.b.declare(gone), t.b.declare(t.i), t.put(t.i, "1"), t.b.stmt(t.loop)});
  t.walk(f);
  EXPECT_TRUE(t.all_stand(ClaimKind::InvariantEntry, Side::Original));
  EXPECT_TRUE(t.all_stand(ClaimKind::InvariantKept, Side::Original));
  t.walk(f, trapped(Trap::HeadAfterReturn));
  EXPECT_FALSE(t.all_stand(ClaimKind::InvariantKept, Side::Original));
}

// if (n > 0) while (...) with a relation that is false: the relaxed run did not come there.
TEST(WhileRule, WhereTheOriginalLoopsAloneRelationsAreNotBelieved) {
  Counting t;
  t.loop.invariants.push_back({t.b.truth(false), true});
  const ExprId relation = t.b.op(Op::Implies, t.b.op(Op::Gt, t.b.original(t.n), t.b.num("0")),
                                 t.b.op(Op::Gt, t.b.relaxed(t.n), t.b.num("0")));
  const FunctionId f = t.b.function(
      "f", {t.n},
      {t.b.declare(t.i), t.b.branch(t.positive(t.n), {t.b.stmt(t.loop)}), t.b.relate(relation)});
  t.walk(f);
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
  t.walk(f, trapped(Trap::RelationsOfOriginalAlone));
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
}

// A label speaks of the entry, or of the head of the iteration.
TEST(WhileRule, LabelsAreTheEntryAndTheHead) {
  Counting t;
  const auto then = [&](bool entry) {
    return t.b.expr(core::kIntType, core::Snapshot{t.loop.loop, entry, t.b.ref(t.i)});
  };
  const StmtId at_head =
      t.b.claim(t.b.op(Op::Eq, t.b.ref(t.i), t.b.op(Op::Add, then(false), t.b.num("1"))));
  const StmtId at_entry = t.b.claim(t.b.op(Op::Eq, then(true), t.b.num("0")));
  t.loop.body = t.b.block({t.step(t.i), at_head, at_entry});
  t.walk(t.count_up());
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert, Side::Original));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
}

// Inference --------------------------------------------------------------------------------------

// Proposes what it is given, and says of them all that they stand or, the first time, that the
// last one does not.
class Proposing final : public Judge {
 public:
  explicit Proposing(std::vector<Candidate> candidates, bool last_falls = false)
      : candidates_(std::move(candidates)), falls_(last_falls) {}
  [[nodiscard]] const std::vector<Candidate>& candidates(const Occurrence& at) override {
    met.push_back(at);
    return candidates_;
  }
  [[nodiscard]] bool stand(const std::vector<Obligation>&, std::size_t) override {
    ++asked;
    if (!std::exchange(falls_, false)) return true;
    candidates_.pop_back();
    return false;
  }
  [[nodiscard]] std::vector<Fallen> find_fallen(const std::vector<Obligation>& obligations,
                                                std::size_t which) override {
    EXPECT_EQ(obligations[which].claim.kind, ClaimKind::InferredEntry);
    return fallen_on_entry;
  }
  std::vector<Fallen> fallen_on_entry;
  std::vector<Occurrence> met;
  int asked = 0;

 private:
  std::vector<Candidate> candidates_;
  bool falls_;
};

TEST(Inference, CandidatesAreClaimedOfBothRuns) {
  Counting t;
  Proposing judge({{t.b.op(Op::Ge, t.b.ref(t.i), t.b.num("0")), false}});
  const FunctionId f = t.count_up(t.b.claim(t.b.op(Op::Ge, t.b.ref(t.i), t.b.num("0"))));
  t.walk(f, {}, judge);
  EXPECT_EQ(t.count(ClaimKind::InferredEntry), 2u);  // of the pair, and of the original alone
  EXPECT_EQ(t.of(ClaimKind::InferredEntry)[0]->parts.size(), 2u);
  EXPECT_EQ(t.of(ClaimKind::InferredEntry)[1]->parts.size(), 1u);
  EXPECT_TRUE(t.all_stand(ClaimKind::InferredKept));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert));
  EXPECT_TRUE(t.all_stand(ClaimKind::Assert, Side::Original));
  EXPECT_TRUE(judge.met.back().alone);
}

TEST(Inference, NothingIsTrustedOfTheOriginal) {
  Counting t;
  Proposing judge({{t.is(t.i, "0"), false}});
  const FunctionId f = t.count_up();
  t.walk(f, {}, judge);
  EXPECT_FALSE(t.all_stand(ClaimKind::InferredKept));
  t.walk(f, trapped(Trap::InferredTrusted), judge);
  EXPECT_EQ(t.of(ClaimKind::InferredEntry)[0]->parts.size(), 1u);
}

TEST(Inference, WhatFallsIsWalkedAgainWithoutIt) {
  Counting t;
  const Candidate good{t.b.op(Op::Ge, t.b.ref(t.i), t.b.num("0")), false};
  const Candidate bad{t.is(t.i, "0"), false};
  Proposing judge({good, bad}, true);
  t.walk(t.count_up(t.b.claim(t.is(t.i, "0"))), {}, judge);
  EXPECT_EQ(judge.asked, 3);  // twice of the pair, once of the original alone
  for (const Obligation* o : t.of(ClaimKind::InferredKept))
    for (const Part& part : o->parts) EXPECT_EQ(part.candidate, 0u);
  EXPECT_FALSE(t.all_stand(ClaimKind::Assert, Side::Original));
}

// It is still claimed on entry, so that whoever judges the whole finds it not proved; also where it
// has to do for something weaker.
TEST(Inference, WhatFallsOnEntryIsNotUsedInside) {
  Counting t;
  const Candidate bad{t.is(t.i, "0"), false};
  const Candidate good{t.b.op(Op::Ge, t.b.ref(t.i), t.b.num("0")), false};
  Proposing judge({bad, good});
  const FunctionId f = t.count_up(t.b.claim(t.is(t.i, "0")));
  for (const bool weaker_comes : {false, true}) {
    judge.fallen_on_entry = {{0, weaker_comes}};
    t.walk(f, {}, judge);
    for (const Obligation* o : t.of(ClaimKind::InferredEntry))
      EXPECT_EQ(o->parts.front().candidate, 0u);
    for (const Obligation* o : t.of(ClaimKind::InferredKept))
      for (const Part& part : o->parts) EXPECT_EQ(part.candidate, 1u);
    EXPECT_EQ(t.all_stand(ClaimKind::Assert, Side::Original), weaker_comes);
  }
}

// The search -------------------------------------------------------------------------------------

// assert i < 2 behind the loop: it takes two iterations to break it.
TEST(Search, LoopsAreUnrolledAsOftenAsAllowed) {
  Counting t;
  const StmtId claim = t.b.claim(t.b.op(Op::Lt, t.b.ref(t.i), t.b.num("2")));
  const FunctionId f = t.count_up(claim);
  t.require_r(f, t.b.equal(t.n));
  for (const unsigned iterations : {1u, 2u}) {
    Options options;
    options.bounds.emplace();
    options.bounds->iterations = iterations;
    options.bounds->of_original = true;
    options.bounds->wanted = {{ClaimKind::Assert, "f", t.b.at(claim), Side::Original}};
    t.walk(f, options);
    const auto found = t.of(ClaimKind::Assert, Side::Original);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(t.stands(*found[0]), iterations == 1);
    EXPECT_EQ(t.result.obligations.size(), 1u);  // nothing but what is wanted
  }
}

// Vectors are written out: of the size that is given, element by element.
TEST(Search, VectorsHaveElements) {
  Bench t;
  const VarId v = t.b.param("v", core::kIntVector);
  const StmtId claim = t.b.relate(t.b.equal(v));
  const FunctionId f = t.b.function("f", {v}, {claim});
  Options options;
  options.bounds.emplace();
  options.bounds->wanted = {{ClaimKind::AssertR, "f", t.b.at(claim)}};
  t.walk(f, options);
  ASSERT_EQ(t.count(ClaimKind::AssertR), 1u);
  EXPECT_FALSE(t.all_stand(ClaimKind::AssertR));
  t.require_r(f, t.b.op(Op::Eq, t.b.select(v, t.b.num("0"), Side::Original),
                        t.b.select(v, t.b.num("0"), Side::Relaxed)));
  t.walk(f, options);
  EXPECT_TRUE(t.all_stand(ClaimKind::AssertR));
}

}  // namespace leto::vcgen
