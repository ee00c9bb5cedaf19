// The discharger with a solver that says what it is told to say: what it makes of each answer.
#include "prove/prove.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace leto::prove {

namespace {

using solver::Answer;
using solver::Effort;
using solver::Query;
using solver::Reason;
using solver::Verdict;

using Says = std::function<Answer(const Query&)>;

class StandIn final : public solver::Solver {
 public:
  explicit StandIn(Says says) : says_(std::move(says)) {}
  std::string identity() override { return "stand-in"; }
  std::string script(const Query& query) const override { return query.text; }
  Answer solve(const Query& query) override { return says_(query); }

 private:
  Says says_;
};

Answer unsat(bool took_claim) {
  Answer answer;
  answer.verdict = Verdict::Unsat;
  answer.took_claim = took_claim;
  return answer;
}
Answer sat() {
  Answer answer;
  answer.verdict = Verdict::Sat;
  return answer;
}
Answer unknown(Reason reason) {
  Answer answer;
  answer.reason = reason;
  return answer;
}

// One fact, p, and one claim, q.
struct Bench {
  explicit Bench(Says says, unsigned workers = 0)
      : crew(workers, [says] { return std::make_unique<StandIn>(says); }),
        engine{{}, crew, nullptr},
        discharger(terms, engine) {
    const auto log = std::make_shared<vcgen::Log>();
    const logic::Term p = terms.symbol("p", logic::kBool);
    obligation.claim = {core::ClaimKind::Assert, "f", {}};
    obligation.question.goal = terms.symbol("q", logic::kBool);
    obligation.question.hypotheses = {p};
    obligation.question.known = log->add(p, 0);
    obligation.question.log = log;
  }
  Outcome decide() {
    std::vector<Outcome> outcomes(1);
    discharger.run(
        {obligation}, {0}, [](std::size_t, bool) {}, outcomes);
    return outcomes[0];
  }
  // What is doubtful of what was assumed before the claim, on its way or in another branch.
  [[nodiscard]] std::vector<Doubt> doubt(const Outcome& behind, bool in_other_branch = false) {
    const vcgen::Assumption a{
        {core::ClaimKind::RequirementsMet, "f", {}},
        {},
        in_other_branch ? terms.symbol("branch", logic::kBool) : terms.boolean(true),
        obligation.question.log,
        vcgen::kNothingBefore,
        obligation.question.known,
        0,
        in_other_branch ? 0u : 1u};
    if (in_other_branch) obligation.question.path = terms.symbol("another", logic::kBool);
    return discharger.contradictions({a}, {obligation}, {behind});
  }

  logic::TermTable terms;
  engine::Crew crew;
  Engine engine;
  Discharger discharger;
  vcgen::Obligation obligation;
};

bool is_claim(const Query& query) {
  return !query.claimed.empty();
}

// A vector is known at the assumption, and what is true of its elements.
struct VectorBench : Bench {
  explicit VectorBench(Says says) : Bench(std::move(says)) {
    const logic::Term v = terms.symbol("v", {logic::SortBase::Int, 1});
    const logic::Term k = terms.bound("k", logic::kInt), zero = terms.zero(logic::kInt);
    const auto log = std::make_shared<vcgen::Log>();
    log->typing[v] = {terms.quant(true, {k}, terms.le(zero, terms.select(v, k)))};
    log->shapes[v] = {v, {}, true};
    obligation.question.known = log->add(terms.le(terms.select(v, zero), zero), 0);
    obligation.question.log = log;
  }
};
bool has_quantifier(const Query& query) {
  return query.text.find("forall") != std::string::npos;
}

// With all effort, in general and by matching; everything else is too hard.
Says hard_claim(std::function<Answer(const Query&)> general, std::function<Answer()> matching) {
  return [=](const Query& q) {
    if (is_claim(q) && q.effort == Effort::Full) return general(q);
    return is_claim(q) && q.effort == Effort::Long ? matching() : unknown(Reason::Incomplete);
  };
}
// Until nobody wants the answer any more.
Answer waits(const Query& q) {
  const auto start = std::chrono::steady_clock::now();
  while (q.unwanted != nullptr && !*q.unwanted &&
         std::chrono::steady_clock::now() - start < std::chrono::seconds(20))
    std::this_thread::yield();
  return unknown(q.unwanted != nullptr && *q.unwanted ? Reason::Interrupted : Reason::Garbage);
}

// Two parts of an inferred obligation, of which p is known and r is recent.
struct PartsBench : Bench {
  explicit PartsBench(Says says) : Bench(std::move(says)) {
    const logic::Term p = obligation.question.hypotheses[0], r = terms.symbol("r", logic::kInt);
    const logic::Term fact = terms.lt(terms.integer(0), r);
    obligation.claim.kind = core::ClaimKind::InferredEntry;
    const auto log = std::make_shared<vcgen::Log>();
    obligation.question.known = log->add(fact, log->add(p, 0));
    obligation.question.log = log;
    obligation.question.hypotheses = {p, fact};
    obligation.hints.recent = {fact};
    const std::vector<logic::Term> goals{terms.symbol("first", logic::kBool),
                                         terms.symbol("second", logic::kBool)};
    for (std::size_t k = 0; k < 2; ++k) obligation.parts.push_back({k, goals[k], false});
    obligation.question.goal = terms.and_(goals);
  }
  // The same without the first part.
  void keep_second() {
    obligation.parts = {{0, obligation.parts[1].goal, false}};
    obligation.question.goal = obligation.parts[0].goal;
  }
};
// What is asked from what is recent has no fact that is a symbol.
bool is_from_recent(const Query& query) {
  return query.text.find("(assert v") == std::string::npos;
}
Answer falls(std::vector<std::string> values) {
  Answer answer = sat();
  answer.values = std::move(values);
  return answer;
}

// Two claims that no solver answers, the same of the relaxed and of the original run.
struct TwinBench : Bench {
  TwinBench()
      : Bench([this](const Query& q) {
          if (is_claim(q) && q.effort == Effort::Full) ++full;
          return unknown(Reason::Incomplete);
        }) {}
  std::vector<Outcome> decide_with(std::vector<bool> broken) {
    vcgen::Obligation twin = obligation;
    twin.claim.side = core::Side::Original;
    twin.question.goal = terms.symbol("r", logic::kBool);
    std::vector<Outcome> outcomes(2);
    discharger.run(
        {obligation, twin}, {0, 1}, [](std::size_t, bool) {}, outcomes,
        [&](const Claimed&) { return broken; });
    return outcomes;
  }
  std::atomic<unsigned> full{0};
};

}  // namespace

TEST(Discharge, WhatARunBreaksIsRefutedWithoutAllEffort) {
  TwinBench bench;
  const std::vector<Outcome> outcomes = bench.decide_with({true, true});
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.status(), Status::Refuted);
    EXPECT_TRUE(outcome.broken);
  }
  EXPECT_EQ(bench.full, 0u);
}

// It may hold: that the original fails says nothing of it.
TEST(Discharge, WhatFailsOfTheOriginalIsGivenUpAndNotRefuted) {
  TwinBench bench;
  const std::vector<Outcome> outcomes = bench.decide_with({false, true});
  EXPECT_EQ(outcomes[0].status(), Status::Unknown);
  EXPECT_TRUE(outcomes[0].given_up);
  EXPECT_EQ(outcomes[1].status(), Status::Refuted);
  EXPECT_EQ(bench.full, 0u);
}

TEST(Discharge, WhatFailsOfTheRelaxedRunSaysNothingOfTheOriginal) {
  TwinBench bench;
  const std::vector<Outcome> outcomes = bench.decide_with({true, false});
  EXPECT_EQ(outcomes[0].status(), Status::Refuted);
  EXPECT_FALSE(outcomes[1].given_up);
  EXPECT_EQ(bench.full, 1u);
}

TEST(Discharge, WhatIsProvedIsNotLookedFor) {
  Bench bench([](const Query&) { return unsat(true); });
  std::vector<Outcome> outcomes(1);
  bool looked = false;
  bench.discharger.run(
      {bench.obligation}, {0}, [](std::size_t, bool) {}, outcomes,
      [&](const Claimed& claimed) {
        looked = true;
        return std::vector<bool>(claimed.size(), true);
      });
  EXPECT_EQ(outcomes[0].status(), Status::Proved);
  EXPECT_FALSE(looked);
}

TEST(Discharger, UnsatisfiableIsProved) {
  Bench bench([](const Query&) { return unsat(true); });
  const Outcome outcome = bench.decide();
  EXPECT_EQ(outcome.status(), Status::Proved);
  EXPECT_FALSE(outcome.suspect);
  EXPECT_TRUE(bench.discharger.audit({bench.obligation}, {outcome}));
}

TEST(Discharger, SatisfiableIsRefuted) {
  Bench bench([](const Query&) { return sat(); });
  EXPECT_EQ(bench.decide().status(), Status::Refuted);
}

// Whatever goes wrong with a solver is no proof, and no refutation.
TEST(Discharger, EverythingElseIsUnknown) {
  for (const Reason reason :
       {Reason::Time, Reason::Memory, Reason::Resource, Reason::Incomplete, Reason::Crash,
        Reason::Garbage, Reason::Missing, Reason::Disagreement, Reason::Interrupted}) {
    Bench bench([=](const Query&) { return unknown(reason); });
    const Outcome outcome = bench.decide();
    EXPECT_EQ(outcome.status(), Status::Unknown) << solver::describe(reason);
    EXPECT_FALSE(outcome.proof);
  }
}

// A worker without work tries the other way, and the first that knows ends the other. What was
// ended is no trouble.
TEST(Race, TheFirstThatDecidesEndsTheOther) {
  Bench bench(hard_claim(waits, [] { return unsat(true); }), 2);
  const Outcome outcome = bench.decide();
  EXPECT_EQ(outcome.status(), Status::Proved);
  EXPECT_TRUE(outcome.took_all);
  EXPECT_FALSE(outcome.troubled);
  EXPECT_FALSE(outcome.suspect);
  EXPECT_FALSE(bench.discharger.is_troubled());
}

// Who is alone tries one way after the other, with the same outcome.
TEST(Race, WithoutHelpItIsRunAlone) {
  for (const unsigned workers : {0u, 1u, 2u}) {
    Bench bench(hard_claim([](const Query&) { return unknown(Reason::Resource); },
                           [] { return unsat(false); }),
                workers);
    const Outcome outcome = bench.decide();
    EXPECT_EQ(outcome.status(), Status::Proved);
    EXPECT_TRUE(outcome.suspect);
  }
}

TEST(Race, WhatIsDecidedIsNotAskedOnAlone) {
  Bench bench(hard_claim([](const Query&) { return sat(); },
                         []() -> Answer {
                           ADD_FAILURE() << "it was decided";
                           return unsat(true);
                         }));
  EXPECT_EQ(bench.decide().status(), Status::Refuted);
}

TEST(Race, WhereNobodyDecidesTheFirstWaySaysWhy) {
  Bench bench(hard_claim([](const Query&) { return unknown(Reason::Resource); },
                         [] { return unknown(Reason::Incomplete); }));
  const Outcome outcome = bench.decide();
  EXPECT_EQ(outcome.status(), Status::Unknown);
  EXPECT_EQ(outcome.reason, Reason::Resource);
}

// Trouble of either way is trouble where nobody decides.
TEST(Race, WhereNobodyDecidesAllTroubleCounts) {
  for (const bool second : {false, true}) {
    Bench bench(
        hard_claim([=](const Query&) { return unknown(second ? Reason::Resource : Reason::Crash); },
                   [=] { return unknown(second ? Reason::Crash : Reason::Resource); }));
    EXPECT_EQ(bench.decide().status(), Status::Unknown);
    EXPECT_TRUE(bench.discharger.is_troubled());
  }
}

// Solvers that contradict one another are not outvoted by a proof.
TEST(Race, ADisagreementIsHeard) {
  for (const unsigned workers : {0u, 2u}) {
    std::atomic<bool> said{false};
    Bench bench(hard_claim(
                    [&](const Query&) {
                      said = true;
                      return unknown(Reason::Disagreement);
                    },
                    [&] {
                      while (!said) std::this_thread::yield();
                      return unsat(true);
                    }),
                workers);
    const Outcome outcome = bench.decide();
    EXPECT_EQ(outcome.status(), Status::Unknown);
    EXPECT_EQ(outcome.reason, Reason::Disagreement);
  }
}

// What follows from some of the facts follows: nothing else is asked.
TEST(Parts, AreTriedFromWhatIsRecent) {
  PartsBench bench([](const Query& q) {
    EXPECT_TRUE(is_from_recent(q));
    return unsat(true);
  });
  const Outcome outcome = bench.decide();
  EXPECT_EQ(outcome.calls, 1u);
  EXPECT_EQ(outcome.parts, (std::vector{Status::Proved, Status::Proved}));
  EXPECT_TRUE(bench.discharger.audit({bench.obligation}, {outcome}));
}

// What is recent need not be all that it takes.
TEST(Parts, FallOnlyFromAllFacts) {
  PartsBench bench([](const Query& q) {
    if (!is_from_recent(q) || q.values.size() == 1) return unsat(true);
    return falls({"false", "true"});
  });
  const Outcome outcome = bench.decide();
  EXPECT_EQ(outcome.parts, (std::vector{Status::Proved, Status::Proved}));
  EXPECT_TRUE(bench.discharger.audit({bench.obligation}, {outcome}));
}

// One that stands does not hold the other, wherever it was proved.
TEST(Parts, OneThatFallsIsNotProvedByTheOther) {
  PartsBench bench([](const Query& q) {
    if (is_from_recent(q) && q.values.size() == 2) return falls({"false", "true"});
    return is_from_recent(q) ? unsat(true) : sat();
  });
  const Outcome outcome = bench.decide();
  EXPECT_NE(outcome.parts[0], Status::Proved);
  EXPECT_FALSE(outcome.proof);
}

// Those beside one that falls are asked about when it is gone: till then they neither fall nor are
// proved.
TEST(Parts, WhatIsBesideOneThatFallsIsLeftOpen) {
  PartsBench bench([](const Query&) { return falls({"false", "true"}); });
  bench.obligation.hints.recent.clear();
  const Outcome outcome = bench.decide();
  EXPECT_EQ(outcome.calls, 1u);
  EXPECT_TRUE(outcome.falls(0));
  EXPECT_FALSE(outcome.falls(1));
  EXPECT_NE(outcome.parts[1], Status::Proved);
  EXPECT_FALSE(outcome.proof);
}

// But where the solver fails they do.
TEST(Parts, AllFallWhereTheSolverFails) {
  for (const Reason reason : {Reason::Time, Reason::Crash, Reason::Interrupted}) {
    PartsBench bench([=](const Query&) { return unknown(reason); });
    const Outcome outcome = bench.decide();
    EXPECT_TRUE(outcome.falls(0) && outcome.falls(1)) << solver::describe(reason);
  }
}

// What was proved is not asked again without what was beside it.
TEST(Parts, AreRememberedOneByOne) {
  PartsBench bench([](const Query&) { return unsat(false); });
  ASSERT_TRUE(bench.decide().proof);
  bench.keep_second();
  const Outcome again = bench.decide();
  EXPECT_EQ(again.calls, 0u);
  EXPECT_TRUE(again.suspect);
  EXPECT_TRUE(bench.discharger.audit({bench.obligation}, {again}));
}

// Unless it was proved from something that is not known now.
TEST(Parts, AreRememberedOnlyWithWhatTheyWereProvedFrom) {
  bool asked_again = false;
  PartsBench bench([&](const Query&) { return asked_again ? sat() : unsat(true); });
  bench.obligation.hints.recent.clear();
  ASSERT_TRUE(bench.decide().proof);
  bench.keep_second();
  bench.obligation.question.hypotheses.pop_back();
  asked_again = true;
  const Outcome again = bench.decide();
  EXPECT_EQ(again.calls, 1u);
  EXPECT_FALSE(again.proof);
}

// Nor is anything proved where the solver fails.
TEST(Parts, WhateverGoesWrongProvesNothing) {
  for (const Reason reason : {Reason::Time, Reason::Crash, Reason::Interrupted}) {
    PartsBench bench([=](const Query& q) {
      return is_from_recent(q) ? falls({"false", "true"}) : unknown(reason);
    });
    const Outcome outcome = bench.decide();
    EXPECT_NE(outcome.parts[0], Status::Proved) << solver::describe(reason);
    EXPECT_FALSE(outcome.proof);
  }
}

// A verdict that the ledger does not know is nobody's.
TEST(Discharger, AProofIsNotTakenOverFromAnotherQuestion) {
  Bench bench([](const Query&) { return unsat(true); });
  const Outcome outcome = bench.decide();
  vcgen::Obligation other = bench.obligation;
  other.question.goal = bench.terms.not_(other.question.goal);
  EXPECT_FALSE(bench.discharger.audit({other}, {outcome}));
}

TEST(Contradictions, WhatIsSatisfiableIsNone) {
  Bench bench([](const Query& q) { return is_claim(q) ? unsat(true) : sat(); });
  EXPECT_TRUE(bench.doubt(bench.decide()).empty());
}

TEST(Contradictions, WhatIsUnsatisfiableIsOne) {
  Bench bench([](const Query& q) { return unsat(is_claim(q)); });
  const auto doubts = bench.doubt(bench.decide());
  ASSERT_EQ(doubts.size(), 1u);
  EXPECT_EQ(doubts[0].kind, Doubt::Kind::Contradicts);
}

// With zeros for elements there is nothing to be said of all of them.
TEST(Contradictions, AModelOfZerosIsOne) {
  int asked = 0;
  VectorBench bench([&](const Query& q) {
    if (is_claim(q)) return unsat(true);
    ++asked;
    return has_quantifier(q) ? unknown(Reason::Resource) : sat();
  });
  EXPECT_TRUE(bench.doubt(bench.decide()).empty());
  EXPECT_EQ(asked, 1);
}

// Where copies must differ, zeros will not do; a vector of one element may.
TEST(Contradictions, AModelOfShortVectorsIsOne) {
  int asked = 0;
  VectorBench bench([&](const Query& q) {
    if (is_claim(q)) return unsat(true);
    ++asked;
    const bool has_element = q.text.find("store") != std::string::npos;
    return has_quantifier(q) ? unknown(Reason::Resource) : has_element ? sat() : unsat(false);
  });
  EXPECT_TRUE(bench.doubt(bench.decide()).empty());
  EXPECT_EQ(asked, 2);
}

// That there is none of zeros, and none of few elements, says nothing.
TEST(Contradictions, NoModelOfZerosIsNoContradiction) {
  VectorBench bench([](const Query& q) {
    return is_claim(q) ? unsat(true) : has_quantifier(q) ? sat() : unsat(false);
  });
  EXPECT_TRUE(bench.doubt(bench.decide()).empty());
  VectorBench contradictory([](const Query& q) { return unsat(is_claim(q)); });
  EXPECT_EQ(contradictory.doubt(contradictory.decide()).size(), 1u);
}

// What is hard need not be contradictory: a claim that was proved by what it says stands.
TEST(Contradictions, WhatIsHardIsNone) {
  Bench bench([](const Query& q) { return is_claim(q) ? unsat(true) : unknown(Reason::Resource); });
  EXPECT_TRUE(bench.doubt(bench.decide()).empty());
}

// But a proof that took all the effort there is, and not its claim, found a contradiction or a way
// that nobody takes. If the search for contradictions runs out where the proof did not, then
// neither is known: on a busy machine that was called proved.
TEST(Contradictions, WhereAProofWasSuspiciousRunningOutIsNoAnswer) {
  for (const Reason reason : {Reason::Resource, Reason::Time, Reason::Memory}) {
    Bench bench([=](const Query& q) {
      return is_claim(q) && q.effort == Effort::Full ? unsat(false) : unknown(reason);
    });
    const Outcome outcome = bench.decide();
    ASSERT_TRUE(outcome.proof && outcome.suspect && outcome.took_all);
    const auto doubts = bench.doubt(outcome);
    ASSERT_EQ(doubts.size(), 1u);
    EXPECT_EQ(doubts[0].kind, Doubt::Kind::Unanswered);
  }
}

// It took all effort and its claim, and behind it a contradiction is found.
void expect_proof_is_looked_into(Bench& bench) {
  const Outcome outcome = bench.decide();
  ASSERT_TRUE(outcome.proof && !outcome.suspect && outcome.took_all);
  const auto doubts = bench.doubt(outcome);
  ASSERT_EQ(doubts.size(), 1u);
  EXPECT_EQ(doubts[0].kind, Doubt::Kind::Contradicts);
}

// A claim can serve to choose the branch in which everything follows: then the solver took it, and
// still there is a contradiction.
TEST(Contradictions, AProofThatTookItsClaimWithAllEffortIsLookedInto) {
  Bench bench([](const Query& q) {
    if (q.effort != Effort::Full) return unknown(Reason::Resource);
    return unsat(is_claim(q));
  });
  expect_proof_is_looked_into(bench);
}

// Nor does it matter by which way: matching is looked into by matching.
TEST(Contradictions, AProofByMatchingIsLookedIntoByMatching) {
  Bench bench([](const Query& q) {
    if (q.effort != Effort::Long || q.strategy != solver::Strategy::Matching)
      return unknown(Reason::Resource);
    return unsat(is_claim(q));
  });
  expect_proof_is_looked_into(bench);
}

// Nor does it matter where that branch is: what is assumed in it is known everywhere behind it.
TEST(Contradictions, AProofInAnotherBranchIsLookedIntoToo) {
  Bench bench([](const Query& q) {
    if (q.effort != Effort::Full) return unknown(Reason::Resource);
    return unsat(is_claim(q));
  });
  const auto doubts = bench.doubt(bench.decide(), true);
  ASSERT_EQ(doubts.size(), 1u);
  EXPECT_EQ(doubts[0].kind, Doubt::Kind::Contradicts);
}

// A claim that repeats what is assumed needs no solver, and rests on it all the same.
TEST(Contradictions, WhatIsKnownAlreadyRestsOnWhatIsAssumed) {
  Bench bench([](const Query&) {
    Answer late = unknown(Reason::Time);
    late.whole_time = true;
    return late;
  });
  bench.obligation.question.goal = bench.terms.boolean(true);
  const Outcome outcome = bench.decide();
  ASSERT_TRUE(outcome.trivial());
  EXPECT_TRUE(bench.doubt(outcome).empty());
  bench.obligation.question.known_already = true;
  ASSERT_EQ(bench.doubt(outcome).size(), 1u);
}

// Where a question may have so little time that the clock ends the search, nothing was answered.
TEST(Contradictions, TheClockIsNoAnswer) {
  for (const bool whole : {false, true}) {
    Bench bench([=](const Query& q) {
      if (is_claim(q)) return unsat(true);
      Answer late = unknown(Reason::Time);
      late.whole_time = whole;
      return late;
    });
    const auto doubts = bench.doubt(bench.decide());
    ASSERT_EQ(doubts.size(), whole ? 1u : 0u);
    for (const Doubt& doubt : doubts) EXPECT_EQ(doubt.kind, Doubt::Kind::Unanswered);
  }
}

// The question that would have found it was cut short, and the others found it hard.
TEST(Contradictions, WhereOneQuestionIsCutShortSilenceIsNoAnswer) {
  for (const bool cut : {false, true}) {
    Bench bench([=](const Query& q) {
      if (is_claim(q)) return unsat(true);
      if (q.strategy != solver::Strategy::Matching) return unknown(Reason::Resource);
      Answer late = unknown(Reason::Time);
      late.cut_short = cut;
      return late;
    });
    const auto doubts = bench.doubt(bench.decide());
    ASSERT_EQ(doubts.size(), cut ? 1u : 0u);
    for (const Doubt& doubt : doubts) EXPECT_EQ(doubt.kind, Doubt::Kind::Unanswered);
    EXPECT_TRUE(bench.discharger.is_troubled());
  }
}

// The first question has a second, and on a busy machine that is nothing: it is asked again with
// all the time there is.
TEST(Contradictions, ABusyMachineEndsNoSearch) {
  for (const bool again : {false, true}) {
    Bench bench([=](const Query& q) {
      if (is_claim(q)) return unsat(true);
      Answer late = unknown(Reason::Time);
      late.cut_short = again || q.effort == Effort::Least;
      return q.strategy == solver::Strategy::Models ? late : unknown(Reason::Resource);
    });
    const auto doubts = bench.doubt(bench.decide());
    ASSERT_EQ(doubts.size(), again ? 1u : 0u);
    for (const Doubt& doubt : doubts) EXPECT_EQ(doubt.kind, Doubt::Kind::Unanswered);
  }
}

// Nobody spends all effort on assumptions behind which every proof took what it proves.
TEST(Contradictions, WhereNoProofIsSuspiciousTheSearchIsBrief) {
  Bench bench([](const Query& q) {
    EXPECT_TRUE(is_claim(q) || q.effort != Effort::Full);
    return is_claim(q) ? unsat(true) : unknown(Reason::Resource);
  });
  EXPECT_TRUE(bench.doubt(bench.decide()).empty());
}

// Nor is there an answer if the solver breaks down.
TEST(Contradictions, ASolverThatFailsHasNotAnswered) {
  for (const Reason reason : {Reason::Crash, Reason::Garbage, Reason::Interrupted}) {
    Bench bench([=](const Query& q) { return is_claim(q) ? unsat(true) : unknown(reason); });
    const auto doubts = bench.doubt(bench.decide());
    ASSERT_EQ(doubts.size(), 1u) << solver::describe(reason);
    EXPECT_EQ(doubts[0].kind, Doubt::Kind::Unanswered);
  }
}

}  // namespace leto::prove
