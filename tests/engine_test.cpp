// The engine holds its limits: whatever a solver does, the answer is `unknown` with
// the right reason within the limit plus a second, no process is left behind, and
// nothing is ever proved by accident. And the cache gives back only what was put in.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "engine/cache.h"
#include "engine/digest.h"
#include "golden.h"
#include "solver/solver.h"

namespace leto::tests {

namespace fs = std::filesystem;
using solver::Reason;
using solver::Verdict;
using Clock = std::chrono::steady_clock;

Allowance g_stop;

bool alive(long pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(stat, text)) return false;
  const std::size_t close = text.rfind(')');
  return close != std::string::npos && text[close + 2] != 'Z';
}

class Engine : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "leto-engine-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    g_stop.renew();
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::unique_ptr<solver::Solver> fake(const std::string& mode, solver::Limits limits) {
    return solver::make_process_solver(
        {solver::Dialect::Z3, {LETO_FAKE_SOLVER, mode, (directory_ / "pids").string()}}, limits,
        g_stop);
  }
  // Asks once, and checks the time and that nobody is left.
  solver::Answer ask(const std::string& mode, solver::Limits limits) {
    const auto start = Clock::now();
    solver::Answer answer;
    {
      const auto solver = fake(mode, limits);
      answer = solver->solve({"(assert true)\n", {}});
    }
    const double took = std::chrono::duration<double>(Clock::now() - start).count();
    EXPECT_LE(took, limits.seconds + 1) << mode;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::ifstream pids(directory_ / "pids");
    long pid;
    std::size_t count = 0;
    while (pids >> pid) {
      ++count;
      EXPECT_FALSE(alive(pid)) << mode << " left process " << pid;
    }
    EXPECT_GE(count, 1u) << mode;
    return answer;
  }
  static solver::Limits limits(double seconds, std::uint64_t memory_mb = 512) {
    solver::Limits l;
    l.seconds = seconds;
    l.memory_mb = memory_mb;
    return l;
  }
  fs::path directory_;
};

TEST_F(Engine, HangingIsOutOfTime) {
  const solver::Answer a = ask("hang", limits(1));
  EXPECT_EQ(a.verdict, Verdict::Unknown);
  EXPECT_EQ(a.reason, Reason::Time);
}
TEST_F(Engine, AFamilyThatIgnoresSignalsIsEnded) {
  const solver::Answer a = ask("family", limits(1));
  EXPECT_EQ(a.verdict, Verdict::Unknown);
  EXPECT_EQ(a.reason, Reason::Time);
}
#ifndef LETO_TEST_SANITIZED
TEST_F(Engine, EatingMemoryIsOutOfMemory) {
  const solver::Answer a = ask("memory", limits(10, 256));
  EXPECT_EQ(a.verdict, Verdict::Unknown);
  EXPECT_EQ(a.reason, Reason::Memory);
}
#endif
TEST_F(Engine, CrashingHalfWayIsACrash) {
  for (const char* mode : {"crash", "exit"}) {
    const solver::Answer a = ask(mode, limits(5));
    EXPECT_EQ(a.verdict, Verdict::Unknown) << mode;
    EXPECT_EQ(a.reason, Reason::Crash) << mode;
  }
}
TEST_F(Engine, AnswersAmongGarbageAreNotBelieved) {
  for (const char* mode : {"garbage", "error"}) {
    const solver::Answer a = ask(mode, limits(5));
    EXPECT_EQ(a.verdict, Verdict::Unknown) << mode;
    EXPECT_EQ(a.reason, Reason::Garbage) << mode;
  }
}
TEST_F(Engine, AFloodIsCutOff) {
  const solver::Answer a = ask("flood", limits(3));
  EXPECT_EQ(a.verdict, Verdict::Unknown);
  EXPECT_NE(a.reason, Reason::None);
}
TEST_F(Engine, ALateAnswerIsTooLate) {
  const solver::Answer a = ask("late", limits(1));
  EXPECT_EQ(a.verdict, Verdict::Unknown);
  EXPECT_EQ(a.reason, Reason::Time);
}
TEST_F(Engine, GivingUpIsIncomplete) {
  const solver::Answer a = ask("unknown", limits(5));
  EXPECT_EQ(a.verdict, Verdict::Unknown);
  EXPECT_EQ(a.reason, Reason::Incomplete);
}
TEST_F(Engine, AMissingSolverIsSaidToBeMissing) {
  const auto solver = solver::make_process_solver({solver::Dialect::Z3, {"/nonexistent/solver"}},
                                                  limits(2), g_stop);
  const solver::Answer a = solver->solve({"", {}});
  EXPECT_EQ(a.verdict, Verdict::Unknown);
  EXPECT_EQ(a.reason, Reason::Missing);
}
TEST_F(Engine, AnInterruptEndsEverythingAtOnce) {
  std::thread later([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    g_stop.end(Allowance::End::User);
  });
  const auto start = Clock::now();
  const solver::Answer a = ask("hang", limits(30));
  later.join();
  EXPECT_LT(std::chrono::duration<double>(Clock::now() - start).count(), 2);
  EXPECT_EQ(a.verdict, Verdict::Unknown);
  EXPECT_EQ(a.reason, Reason::Interrupted);
}
TEST_F(Engine, AfterACrashTheNextQuestionIsAnswered) {
  const auto solver = solver::make_process_solver(solver::z3_command(), limits(5), g_stop);
  EXPECT_EQ(solver->solve({"(assert false)\n", {}}).verdict, Verdict::Unsat);
  EXPECT_EQ(solver->solve({"(assert true)(exit)\n", {}}).verdict, Verdict::Unknown);
  EXPECT_EQ(solver->solve({"(assert false)\n", {}}).verdict, Verdict::Unsat);
  // And no question sees what another one has declared.
  EXPECT_EQ(solver->solve({"(declare-fun x () Int)(assert (> x 0))\n", {"x"}}).verdict,
            Verdict::Sat);
  EXPECT_EQ(solver->solve({"(assert (> x 0))\n", {}}).verdict, Verdict::Unknown);
}
TEST_F(Engine, TheResourceLimitIsDeterministicAndComesFirst) {
  solver::Limits l = limits(60);
  l.resource = 20000;
  const std::string hard =
      "(declare-fun f (Int) Int)(declare-fun a () Int)(declare-fun b () Int)(declare-fun c () Int)"
      "(assert (> a 2))(assert (> b 2))(assert (= (* a a a) (+ (* b b b) (* c c c) 7)))(assert (> "
      "c 2))\n";
  std::set<std::uint64_t> used;
  for (int i = 0; i < 3; ++i) {
    const auto solver = solver::make_process_solver(solver::z3_command(), l, g_stop);
    const solver::Answer a = solver->solve({hard, {}});
    EXPECT_EQ(a.verdict, Verdict::Unknown);
    EXPECT_EQ(a.reason, Reason::Resource) << a.detail;
    used.insert(a.resource);
  }
  EXPECT_EQ(used.size(), 1u);
}
TEST_F(Engine, ContradictingSolversAreReported) {
  const auto both = solver::make_cross_check(fake("sat", limits(5)), fake("unsat", limits(5)));
  const solver::Answer a = both->solve({"(assert true)\n", {}});
  EXPECT_EQ(a.verdict, Verdict::Unknown);
  EXPECT_EQ(a.reason, Reason::Disagreement);
  const auto agree = solver::make_cross_check(fake("unsat", limits(5)), fake("unknown", limits(5)));
  EXPECT_EQ(agree->solve({"(assert true)\n", {}}).verdict, Verdict::Unsat);
  const auto z3 = solver::make_process_solver(solver::z3_command(), limits(5), g_stop);
  EXPECT_NE(z3->identity().find("Z3"), std::string::npos);
  const auto cvc5 = solver::make_process_solver(solver::cvc5_command(limits(5)), limits(5), g_stop);
  EXPECT_EQ(cvc5->solve({"(declare-fun x () Int)(assert (> x x))\n", {}}).verdict, Verdict::Unsat);
  EXPECT_EQ(cvc5->solve({"(declare-fun x () Int)(assert (> x 1))\n", {"x"}}).values.size(), 1u);
}

TEST_F(Engine, ASolverSaysWhetherItTookTheClaim) {
  const std::string claim = "(declare-fun claimed () Bool)(assert (=> claimed (not (> x 2))))\n";
  for (const auto& command : {solver::z3_command(), solver::cvc5_command(limits(5))}) {
    const auto solver = solver::make_process_solver(command, limits(5), g_stop);
    const auto took = [&](const std::string& facts) {
      solver::Query query{"(declare-fun x () Int)" + facts + claim, {}};
      query.strategy = solver::Strategy::Matching;
      query.claimed = "claimed";
      const solver::Answer answer = solver->solve(query);
      EXPECT_EQ(answer.verdict, Verdict::Unsat) << facts;
      return answer.took_claim;
    };
    EXPECT_TRUE(took("(assert (> x 3))"));
    EXPECT_FALSE(took("(assert (> x 3))(assert (< x 3))"));
    EXPECT_TRUE(took("(assert (> x 4))"));  // one question says nothing of the next
  }
}

// By matching alone nobody knows whether all elements can be positive.
TEST_F(Engine, ModelsOfQuantifiersAreFoundOneAfterTheOther) {
  const std::string facts =
      "(declare-fun a () (Array Int Int))(assert (forall ((i Int)) (> (select a i) 0)))\n";
  const auto z3 = solver::make_process_solver(solver::z3_command(), limits(5), g_stop);
  const auto ask = [&](solver::Strategy strategy, const std::string& more) {
    solver::Query query{facts + more, {}};
    query.strategy = strategy;
    return z3->solve(query).verdict;
  };
  EXPECT_EQ(ask(solver::Strategy::Matching, ""), Verdict::Unknown);
  EXPECT_EQ(ask(solver::Strategy::Models, ""), Verdict::Sat);
  EXPECT_EQ(ask(solver::Strategy::Models, "(assert (< (select a 3) 0))\n"), Verdict::Unsat);
  EXPECT_EQ(ask(solver::Strategy::Models, "(assert (< (select a 3) 9))\n"), Verdict::Sat);
}

// On a stack with others, how long Z3 takes by the same count depends on what was asked before. A
// question that has patience would end by the clock there on one day and not on another.
TEST_F(Engine, WhatHasPatienceIsAskedByItself) {
  const auto solver = fake("alone", limits(5));
  const auto ask = [&](solver::Strategy strategy, solver::Effort effort) {
    return solver->solve({"(assert true)\n", {}, effort, strategy}).verdict;
  };
  for (solver::Strategy strategy : {solver::Strategy::Matching, solver::Strategy::Models}) {
    EXPECT_EQ(ask(strategy, solver::Effort::Least), Verdict::Unknown);
    EXPECT_EQ(ask(strategy, solver::Effort::Patient), Verdict::Sat);
    EXPECT_EQ(ask(strategy, solver::Effort::Long), Verdict::Sat);
    EXPECT_EQ(ask(strategy, solver::Effort::Least), Verdict::Unknown);
  }
  EXPECT_EQ(ask(solver::Strategy::General, solver::Effort::Least), Verdict::Sat);
}

// One of x and y may differ from 0, not both, and z never does: no model breaks more than one
// claim.
TEST_F(Engine, EachClaimThatFailsIsFound) {
  const std::string facts =
      "(declare-fun x () Int)(declare-fun y () Int)(declare-fun z () Int)\n"
      "(assert (or (= x 0) (= y 0)))(assert (= z 0))\n";
  const std::vector<std::string> claims{"(= x 0)", "(= y 0)", "(= z 0)"};
  const std::string claim =
      "(declare-fun claimed () Bool)(assert (=> claimed (not (and (= x 0) (= y 0) (= z 0)))))\n";
  for (const auto& command : {solver::z3_command(), solver::cvc5_command(limits(5))}) {
    const auto solver = solver::make_process_solver(command, limits(5), g_stop);
    solver::Query query{facts + claim, claims};
    query.strategy = solver::Strategy::Matching;
    query.claimed = "claimed";
    query.each = true;
    for (int times = 0; times < 2; ++times) {  // one question leaves nothing behind
      const solver::Answer answer = solver->solve(query);
      EXPECT_EQ(answer.verdict, Verdict::Sat);
      EXPECT_EQ(answer.values, (std::vector<std::string>{"false", "false", "true"}));
    }
    query.each = false;
    const solver::Answer one = solver->solve(query);
    EXPECT_EQ(std::count(one.values.begin(), one.values.end(), "false"), 1);
  }
}

// They are looked at a few at a time; those that come last are not forgotten.
TEST_F(Engine, EachOfManyThatFailsIsFound) {
  std::string facts = "(declare-fun claimed () Bool)\n", all;
  std::vector<std::string> claims, expected;
  for (int k = 0; k < 50; ++k) {
    facts +=
        fmt::format("(declare-fun x{} () Int)(assert (>= x{} {}))\n", k, k, k % 3 == 0 ? 1 : 0);
    claims.push_back(fmt::format("(> x{} 0)", k));
    expected.push_back(k % 3 == 0 ? "true" : "false");
    all += " " + claims.back();
  }
  // A model breaks one of them.
  for (int k = 1; k < 50; ++k)
    for (int j = 0; j < k; ++j) facts += fmt::format("(assert (or (> x{} 0) (> x{} 0)))\n", k, j);
  facts += "(assert (=> claimed (not (and" + all + "))))\n";
  for (const auto& command : {solver::z3_command(), solver::cvc5_command(limits(20))}) {
    const auto solver = solver::make_process_solver(command, limits(20), g_stop);
    solver::Query query{facts, claims};
    query.strategy = solver::Strategy::Matching;
    query.claimed = "claimed";
    query.each = true;
    EXPECT_EQ(solver->solve(query).values, expected);
  }
}

// Whoever has asked may find out otherwise.
TEST_F(Engine, AQuestionThatNobodyWaitsForIsEnded) {
  const auto solver = fake("hang", limits(60));
  std::atomic<bool> unwanted{false};
  solver::Query query{"(assert true)\n", {}};
  query.unwanted = &unwanted;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    unwanted = true;
  });
  EXPECT_EQ(solver->solve(query).reason, Reason::Interrupted);
  other.join();
}

// What may only be a model shows nothing false.
TEST_F(Engine, WhereItDoesNotKnowASolverHasDoubts) {
  const std::string text =
      "(declare-fun a () (Array Int Int))(declare-fun x () Int)\n"
      "(assert (forall ((i Int)) (> (select a i) 0)))(assert (> x 0))\n"
      "(declare-fun claimed () Bool)(assert (=> claimed (not (and (> x 0) (> x 1)))))\n";
  const auto z3 = solver::make_process_solver(solver::z3_command(), limits(5), g_stop);
  solver::Query query{text, {"(> x 0)", "(> x 1)"}};
  query.strategy = solver::Strategy::Matching;
  query.claimed = "claimed";
  query.each = true;
  const solver::Answer answer = z3->solve(query);
  EXPECT_EQ(answer.verdict, Verdict::Unknown);
  EXPECT_EQ(answer.values, (std::vector<std::string>{"true", std::string(solver::kDoubtful)}));
}

TEST(Keys, QuestionsThatAreAskedInOtherWaysAreOthers) {
  std::set<std::string> keys;
  for (const auto strategy :
       {solver::Strategy::General, solver::Strategy::Matching, solver::Strategy::Models}) {
    solver::Query query{"(assert true)\n", {}};
    query.strategy = strategy;
    keys.insert(engine::key_of("z3", query));
    query.each = true;
    keys.insert(engine::key_of("z3", query));
  }
  EXPECT_EQ(keys.size(), 6u);
}

// RFC 4231, test cases 1, 2 and 6.
TEST(Digest, SealsAreHmacs) {
  EXPECT_EQ(engine::digest("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(engine::sealed_digest(std::string(20, '\x0b'), "Hi There"),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
  EXPECT_EQ(engine::sealed_digest("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(engine::sealed_digest(std::string(131, '\xaa'),
                                  "Test Using Larger Than Block-Size Key - Hash Key First"),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

// The cache ---------------------------------------------------------------------------------------

class CacheTest : public Engine {
 protected:
  std::unique_ptr<engine::FileCache> open() {
    std::string problem;
    return engine::open_cache(directory_.string(), (directory_ / "key").string(), problem);
  }
  void sql(const std::string& text) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open((directory_ / "answers.db").c_str(), &db), SQLITE_OK);
    sqlite3_exec(db, text.c_str(), nullptr, nullptr, nullptr);
    sqlite3_close(db);
  }
  const solver::Query query{"(assert false)\n", {}};
};

TEST_F(CacheTest, GivesBackWhatWasKeptAndNothingElse) {
  solver::Answer unsat, sat, unknown, found;
  unsat.verdict = Verdict::Unsat;
  sat.verdict = Verdict::Sat;
  sat.values = {"1", "(- 2)"};
  {
    const auto cache = open();
    cache->keep("z3", query, unsat);
    cache->keep("z3", {"other", {"a", "b"}}, sat);
    cache->keep("z3", {"third", {}}, unknown);
  }
  const auto cache = open();
  ASSERT_TRUE(cache->find("z3", query, found));
  EXPECT_EQ(found.verdict, Verdict::Unsat);
  EXPECT_FALSE(cache->find("z3", {"other", {"b", "a"}}, found));  // other values were asked for
  ASSERT_TRUE(cache->find("z3", {"other", {"a", "b"}}, found));
  EXPECT_EQ(found.verdict, Verdict::Sat);
  EXPECT_EQ(found.values, sat.values);
  EXPECT_FALSE(cache->find("z3", {"third", {}}, found));        // unknown is never final
  EXPECT_FALSE(cache->find("z3 other options", query, found));  // another solver, other limits
  EXPECT_FALSE(cache->find("z3", {"(assert true)\n", {}}, found));
  EXPECT_EQ(cache->statistics().entries, 2u);
  EXPECT_TRUE(cache->clear());
  EXPECT_FALSE(cache->find("z3", query, found));
}
// Who asks goes on by them: a question that ran out is asked with more effort, and a proof that did
// without its claim is looked into.
TEST_F(CacheTest, KeepsWhyAndByWhat) {
  solver::Answer found;
  for (const solver::Reason reason : {solver::Reason::Resource, solver::Reason::Incomplete}) {
    solver::Answer unknown;
    unknown.reason = reason;
    solver::Query brief = query;
    brief.effort = solver::Effort::Brief;
    open()->keep("z3", brief, unknown);
    ASSERT_TRUE(open()->find("z3", brief, found));
    EXPECT_EQ(found.verdict, Verdict::Unknown);
    EXPECT_EQ(found.reason, reason);
  }
  for (const bool took : {true, false}) {
    solver::Answer unsat;
    unsat.verdict = Verdict::Unsat;
    unsat.took_claim = took;
    open()->keep("z3", query, unsat);
    ASSERT_TRUE(open()->find("z3", query, found));
    EXPECT_EQ(found.verdict, Verdict::Unsat);
    EXPECT_EQ(found.took_claim, took);
  }
}
TEST_F(CacheTest, EditedAndForeignEntriesAreIgnored) {
  solver::Answer sat, found;
  sat.verdict = Verdict::Sat;
  open()->keep("z3", query, sat);
  sql("UPDATE answers SET verdict = 0");  // somebody would like it proved
  EXPECT_FALSE(open()->find("z3", query, found));
  EXPECT_EQ(open()->statistics().foreign, 1u);
  open()->keep("z3", query, sat);
  sql("UPDATE answers SET seal = substr(seal, 1, 10)");
  EXPECT_FALSE(open()->find("z3", query, found));
  sql("UPDATE answers SET question = 'x'");
  EXPECT_FALSE(open()->find("z3", query, found));
}
TEST_F(CacheTest, ATruncatedDatabaseIsNoCacheAndNoCrash) {
  solver::Answer unsat, found;
  unsat.verdict = Verdict::Unsat;
  open()->keep("z3", query, unsat);
  write_file(directory_ / "answers.db", read_file(directory_ / "answers.db").substr(0, 700));
  std::error_code error;
  fs::remove(directory_ / "answers.db-wal", error);
  const auto cut = open();
  EXPECT_FALSE(cut && cut->find("z3", query, found));
  write_file(directory_ / "answers.db", "this is not a database, and has never been one");
  const auto none = open();
  EXPECT_FALSE(none && none->find("z3", query, found));
}
TEST_F(CacheTest, TwoProcessesShareIt) {
  const pid_t child = fork();
  const auto work = [&](const std::string& who) {
    const auto cache = open();
    for (int i = 0; i < 200; ++i) {
      solver::Answer a;
      a.verdict = Verdict::Unsat;
      cache->keep("z3", {who + std::to_string(i), {}}, a);
    }
  };
  if (child == 0) {
    work("child");
    _exit(0);
  }
  work("parent");
  int status = 0;
  waitpid(child, &status, 0);
  const engine::CacheStatistics s = open()->statistics();
  EXPECT_EQ(s.entries, 400u);
  EXPECT_EQ(s.foreign, 0u);
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
