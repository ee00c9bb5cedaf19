// Who proposes is not believed: wrong certificates are refused, wrong traces do not replay.
#include "transition/certificate.h"

#include <gtest/gtest.h>

#include "transition/bmc.h"
#include "transition/test_systems.h"
#include "transition/trace.h"

namespace leto::transition {

namespace {

using test::system_of;

// x counts by one up to 9.
System counter(const std::string& rest) {
  return system_of("((x Int))", "(= x 0)", "(and (< x 9) (= x' (+ x 1)))", rest);
}

Term formula(const System& system, const std::string& text) {
  std::vector<std::string> names;
  for (const Variable& variable : system.variables) names.push_back(variable.name);
  const auto read = read_state_formula(system, names, text);
  EXPECT_TRUE(read.has_value()) << text;
  return read.value_or(system.terms->boolean(false));
}

Checked check(const System& system, unsigned k, const std::string& invariant) {
  const Allowance allowance;
  return check_certificate(system, system.claims.at(0), {k, formula(system, invariant)}, {},
                           allowance);
}

TEST(Certificate, ThatIsRightIsAcceptedByBoth) {
  const System system = counter("(query T (<= x 9))");
  const Checked checked = check(system, 1, "(and (<= 0 x) (<= x 9))");
  EXPECT_EQ(checked.result, Check::Accepted) << checked.why;
  EXPECT_EQ(checked.by, (std::vector<std::string>{"z3", "cvc5"}));
}

TEST(Certificate, ThatIsWrongIsRefused) {
  const System system = counter("(query T (<= x 9))");
  EXPECT_EQ(check(system, 1, "true").result, Check::Refused) << "says nothing";
  EXPECT_EQ(check(system, 1, "false").result, Check::Refused) << "holds nowhere";
  EXPECT_EQ(check(system, 1, "(<= x 8)").result, Check::Refused) << "is not kept";
  EXPECT_EQ(check(system, 1, "(and (<= 1 x) (<= x 9))").result, Check::Refused) << "not initial";
  EXPECT_EQ(check(system, 1, "(<= x 10)").result, Check::Refused) << "is not the claim";
  EXPECT_EQ(check(system, 0, "(<= x 9)").result, Check::Refused) << "k is 0";
  EXPECT_EQ(check(system, 2000, "(<= x 9)").result, Check::Refused) << "k is large";
}

// A part that was asked helps with those behind it, and none helps itself or those before it.
TEST(Certificate, HasPartsThatFollowOneByOne) {
  const System both = system_of("((x Int) (y Int))", "(and (= x 0) (= y 0))",
                                "(and (= x' (+ x 1)) (= y' (+ y x)))", "(query T (>= y 0))");
  EXPECT_EQ(check(both, 1, "(and (>= x 0) (>= y 0))").result, Check::Accepted);
  EXPECT_EQ(check(both, 1, "(and (>= y 0) (>= x 0))").result, Check::Accepted);
  EXPECT_EQ(check(both, 1, "(and (>= y 0) (<= x 3))").result, Check::Refused) << "the last part";
  EXPECT_EQ(check(both, 1, "(and (<= x 3) (>= y 0))").result, Check::Refused) << "the first part";
  EXPECT_EQ(check(both, 1, "(and (<= x 3) (>= x 0) (>= y 0))").result, Check::Refused);
  EXPECT_EQ(check(both, 1, "(and (>= x 1) (>= y 0))").result, Check::Refused) << "not initial";
  EXPECT_EQ(check(both, 2, "(and (<= y 0) (<= x 1) (>= y 0))").result, Check::Refused)
      << "after two steps only";
}

TEST(Certificate, ThatNobodyDeniesIsOpen) {
  const System system = counter("(query T (<= x 9))");
  EXPECT_FALSE(check(system, 1, "(<= x 8)").open) << "denied";
  // Whether there are such numbers is hard to see, and there are none.
  const System hard =
      system_of("((x Int) (y Int) (z Int))", "(and (= x 0) (= y 0) (= z 0))",
                "(and (< 0 x') (< 0 y') (< 0 z') (= (+ (* x' x' x') (* y' y' y')) (* z' z' z')))",
                "(query T (= x 0))");
  const Allowance allowance;
  const Checked checked =
      check_certificate(hard, hard.claims[0], {1, hard.claims[0].formula}, {0.5, 4096}, allowance);
  EXPECT_EQ(checked.result, Check::Refused);
  EXPECT_TRUE(checked.open) << checked.why;
}

// Each i below k is looked at: what is false after one step, and kept by two, is no invariant.
TEST(Certificate, HasAllOfItsBeginning) {
  const System system =
      system_of("((x Int))", "(= x 0)", "(or (and (= x 0) (= x' 1)) (and (= x 1) (= x' 5)))",
                "(query T (/= x 1))");
  EXPECT_EQ(check(system, 2, "(not (= x 1))").result, Check::Refused);
  EXPECT_EQ(check(system, 3, "(not (= x 1))").result, Check::Refused);
}

TEST(Certificate, OfNoStateIsVacuous) {
  const System system = system_of("((x Int))", "(and (= x 0) (= x 1))", "true", "(query T false)");
  EXPECT_EQ(check(system, 1, "false").result, Check::Vacuous);
  const System assumed =
      system_of("((x Int))", "(= x 0)", "true", "(assume T (= x 1))(query T (= x 1))");
  EXPECT_EQ(check(assumed, 1, "(= x 1)").result, Check::Vacuous);
  const Allowance allowance;
  EXPECT_EQ(check_beginning(counter("(query T true)"), {}, allowance).result, Check::Accepted);
}

TEST(Certificate, UsesWhatIsAssumedAtBothEnds) {
  const char* start = "(= x 0)";
  const char* step = "(= x' (+ x 1))";
  const System before =
      system_of("((x Int))", start, step, "(assume T (<= x 3))(query T (<= x 3))");
  EXPECT_EQ(check(before, 1, "true").result, Check::Accepted);
  // Not of a claim that stands before it.
  const System behind =
      system_of("((x Int))", start, step, "(query T (<= x 3))(assume T (<= x 3))");
  EXPECT_EQ(check(behind, 1, "(<= x 3)").result, Check::Refused);
}

TEST(Certificate, IsReadBackUnlessItWasEdited) {
  const char* rest = "(query T (<= x 9))(query T (<= x 8))";
  const System system = counter(rest);
  const Certificate certificate{2, formula(system,
                                           "(and (<= 0 x) (let ((a (+ x 1))) (or (<= a "
                                           "10) (= a (* 2 a)))))")};
  const std::string text = write_certificate(system, system.claims[0], certificate);
  std::string why;
  // By somebody else, who has read the system anew.
  const System again = counter(rest);
  const auto read = read_certificate(again, again.claims[0], text, why);
  ASSERT_TRUE(read.has_value()) << why;
  EXPECT_EQ(read->k, 2u);
  EXPECT_EQ(write_certificate(again, again.claims[0], *read), text);
  EXPECT_FALSE(read_certificate(again, again.claims[1], text, why)) << "another claim";
  const System other = system_of("((x Int))", "(= x 1)", "(and (< x 9) (= x' (+ x 1)))", rest);
  EXPECT_FALSE(read_certificate(other, other.claims[0], text, why)) << "another system";
  unsigned differing = 0;
  for (std::size_t i = 0; i < text.size(); i += 7) {
    std::string edited = text;
    edited[i] = edited[i] == '0' ? '1' : '0';
    const auto wrong = read_certificate(again, again.claims[0], edited, why);
    if (wrong) ++differing;  // the same number in the k, the invariant and all questions: never
  }
  EXPECT_EQ(differing, 0u);
}

Proposal run(Engine& engine, double seconds = 20) {
  const Allowance allowance;
  Proposal out;
  for (Slice slice{seconds}; slice.seconds > 0 && !engine.has_ended();) {
    out = engine.advance(slice, allowance);
    if (out.kind != Proposal::Kind::Nothing) break;
  }
  return out;
}

TEST(BoundedSearch, FindsAShortestRun) {
  const System system = counter("(query T (< x 5))");
  BoundedSearch search(system, 0, 1024);
  const Proposal found = run(search);
  ASSERT_EQ(found.kind, Proposal::Kind::Invalid);
  ASSERT_TRUE(found.trace.has_value());
  EXPECT_EQ(found.trace->states.size(), 6u);
  EXPECT_EQ(replay(system, system.claims[0], *found.trace).fault, std::nullopt);
}

TEST(BoundedSearch, GoesOnWhereItWasStopped) {
  const System system = counter("(query T (< x 5))");
  BoundedSearch search(system, 0, 1024);
  const Allowance allowance;
  Proposal found;
  int slices = 0;
  for (; slices < 10'000 && found.kind == Proposal::Kind::Nothing; ++slices) {
    Slice tiny{1e-5};
    found = search.advance(tiny, allowance);
  }
  ASSERT_TRUE(found.trace.has_value());
  EXPECT_GT(slices, 1);
}

TEST(BoundedSearch, ReadsAllSorts) {
  const System system = system_of(
      "((r Real) (n Int) (b Bool) (v (_ BitVec 5))) ((i Real) (w (_ BitVec 5)))",
      "(and (= r (/ 1 3)) (= n (- 7)) b (= v #b00111))",
      "(and (= r' (+ r (* i 3))) (= n' (- n 1)) (= b' (not b)) (= v' (bvadd v w)) (= i (/ 1 7)))",
      "(query T (not (and (= n (- 9)) (= v #b11111))))");
  BoundedSearch search(system, 0, 1024);
  const Proposal found = run(search);
  ASSERT_TRUE(found.trace.has_value());
  EXPECT_EQ(replay(system, system.claims[0], *found.trace).fault, std::nullopt);
  EXPECT_EQ(exact_text(found.trace->states[1][0]), "16/21");
  EXPECT_EQ(exact_text(found.trace->states[2][3]), "#b11111");
}

// `later` is transitive for everything but `seen`, which counts it and which only the claim reads:
// so it has to be taken twice.
TEST(BoundedSearch, TakesAHiddenStepTwice) {
  const System system =
      system_of("((x Real) (seen Int))", "(and (= x 0) (= seen 0))",
                "(or (and (> x' x) (= seen' (+ seen 1))) (and (= x' x) (= seen' seen)))",
                "(query T (not (= seen 3)))");
  BoundedSearch search(system, 0, 1024, BoundedSearch::Runs::NoRepeats);
  const Proposal found = run(search);
  ASSERT_TRUE(found.trace.has_value());
  EXPECT_EQ(found.trace->states.size(), 4u);
}

// What a step only writes is read by the claim: as it was before the last of two steps.
TEST(BoundedSearch, KnowsThatClaimsRead) {
  const System system =
      system_of("((x Real) (old Real))", "(and (= x 0) (= old 0))",
                "(or (and (> x' x) (= old' x)) (and (= x' 0) (= old' 0)))", "(query T (<= old 0))");
  BoundedSearch search(system, 0, 1024, BoundedSearch::Runs::NoRepeats);
  const Proposal found = run(search);
  ASSERT_TRUE(found.trace.has_value());
  EXPECT_EQ(found.trace->states.size(), 3u);
}

// Nothing but time: 60 depths of a step that is transitive, and of another one.
TEST(BoundedSearch, LeavesOutRepeats) {
  const System system = system_of("((x Real) (n Int))", "(and (= x 0) (= n 0))",
                                  "(or (and (> x' x) (= n' n)) (and (= x' x) (= n' (+ n 1))))",
                                  "(query T (not (and (= n 2) (> x 5))))");
  const Moves moves = moves_of(system);
  ASSERT_EQ(moves.alternatives.size(), 2u);
  Transitivity transitivity(system, system.claims[0], moves, 1024);
  const Allowance allowance;
  for (Slice slice{20}; slice.seconds > 0 && !transitivity.advance(slice, allowance);) {
  }
  EXPECT_EQ(transitivity.found(), (std::vector<bool>{true, false}));
  BoundedSearch search(system, 0, 1024, BoundedSearch::Runs::NoRepeats);
  const Proposal found = run(search);
  ASSERT_TRUE(found.trace.has_value());
  EXPECT_EQ(found.trace->states.size(), 4u);
}

TEST(Replay, RefusesWhatIsNoRun) {
  const System system = counter("(assume T (/= x 7))(query T (< x 2))");
  const auto number = [](int value) { return Value{logic::kInt, value}; };
  const auto fault = [&](std::vector<int> values) {
    Trace trace;
    for (const int value : values) trace.states.push_back({number(value)});
    trace.inputs.resize(values.empty() ? 0 : values.size() - 1);
    return replay(system, system.claims[0], trace).fault;
  };
  EXPECT_EQ(fault({0, 1, 2}), std::nullopt);
  EXPECT_TRUE(fault({}));
  EXPECT_TRUE(fault({1, 2})) << "does not begin at the beginning";
  EXPECT_TRUE(fault({0, 2})) << "is no step";
  EXPECT_TRUE(fault({0, 1})) << "breaks nothing";
  EXPECT_TRUE(fault({0, 1, 2, 3, 4, 5, 6, 7})) << "comes by a state that does not exist";
  Trace odd{{{Value{logic::kInt, mpq_class(1, 2)}}}, {}};
  EXPECT_TRUE(replay(system, system.claims[0], odd).fault) << "half an integer";
  odd.states[0] = {Value{logic::kReal, 0}};
  EXPECT_TRUE(replay(system, system.claims[0], odd).fault) << "another sort";
}

TEST(Induction, NeedsAsManyStepsAsItNeeds) {
  // x goes 0, 1, 2, 0; only three steps together show that 4 leads nowhere near.
  const System system = system_of("((x Int))", "(= x 0)",
                                  "(or (and (= x 0) (= x' 1)) (and (= x 1) (= x' 0)) (and (= x 4) "
                                  "(= x' 5)) (and (= x 5) (= x' 6)))",
                                  "(query T (/= x 6))");
  Induction induction(system, 0, {}, 1024);
  const Proposal found = run(induction);
  ASSERT_EQ(found.kind, Proposal::Kind::Valid);
  EXPECT_EQ(found.k, 3u);
  const Allowance allowance;
  EXPECT_EQ(
      check_certificate(system, system.claims[0], {found.k, found.invariant}, {}, allowance).result,
      Check::Accepted);
  EXPECT_EQ(check_certificate(system, system.claims[0], {2, found.invariant}, {}, allowance).result,
            Check::Refused);
}

TEST(Induction, LooksAtTheBeginning) {
  const System system =
      system_of("((x Int))", "(= x 0)", "(and (= x 0) (= x' 1))", "(query T (/= x 1))");
  Induction induction(system, 0, {}, 1024);
  EXPECT_EQ(run(induction).kind, Proposal::Kind::Invalid);
}

// Rounded, `1/3` three times would not be 1.
TEST(Evaluation, IsExact) {
  const System system = system_of("((x Real))", "(= x (+ (/ 1 3) (/ 1 3) (/ 1 3)))", "true",
                                  "(query T (/= (* x 0.1) 0.1))");
  EXPECT_TRUE(is_initial(system, {Value{logic::kReal, 1}}));
  EXPECT_FALSE(is_initial(system, {Value{logic::kReal, mpq_class("999999999999/1000000000000")}}));
}

// The solvers and the evaluator mean the same by every operator.
TEST(Evaluation, OfBitVectorsAgreesWithSolvers) {
  const char* operators[] = {"bvadd",  "bvsub", "bvmul",  "bvudiv", "bvurem", "bvsdiv", "bvsrem",
                             "bvsmod", "bvshl", "bvlshr", "bvashr", "bvand",  "bvor",   "bvxor",
                             "bvnand", "bvnor", "bvult",  "bvule",  "bvugt",  "bvuge",  "bvslt",
                             "bvsle",  "bvsgt", "bvsge",  "bvcomp"};
  std::string text = "(set-logic QF_BV)";
  std::vector<std::string> expected;
  TermTable table;
  Evaluation evaluation(table);
  const Sort bits{logic::SortBase::BitVec, 0, 3};
  const auto constant = [&](int n) { return table.number(std::to_string(n), bits); };
  std::string formula = "true";
  for (const char* head : operators) {
    for (int a = 0; a < 8; ++a)
      for (int b = 0; b < 8; ++b) {
        const bool compares =
            std::string(head).size() == 5 &&
            std::string("ulgst").find(head[2]) != std::string::npos &&
            (std::string(head).substr(3) == "lt" || std::string(head).substr(3) == "le" ||
             std::string(head).substr(3) == "gt" || std::string(head).substr(3) == "ge");
        const Sort sort = compares                        ? logic::kBool
                          : std::string(head) == "bvcomp" ? Sort{logic::SortBase::BitVec, 0, 1}
                                                          : bits;
        const auto value = evaluation.of(table.call(head, sort, {constant(a), constant(b)}));
        ASSERT_TRUE(value.has_value()) << head;
        formula += " (= (" + std::string(head) + " (_ bv" + std::to_string(a) + " 3) (_ bv" +
                   std::to_string(b) + " 3)) " + exact_text(*value) + ")";
      }
  }
  const Allowance allowance;
  for (const solver::Command& command : {z3_session(), cvc5_session()}) {
    Session session(command, 2048);
    session.ask("(assert (not (and " + formula + ")))(check-sat)\n");
    Slice slice{60};
    EXPECT_EQ(answer_in(session.wait(slice, allowance).value_or("")), Answer::Unsat);
  }
}

// Those that take one argument, and numbers in their heads.
TEST(Evaluation, OfBitVectorsOfOtherWidthsAgreesWithSolvers) {
  struct Case {
    const char* head;
    std::uint16_t width;
  };
  const Case cases[] = {{"bvnot", 3},
                        {"bvneg", 3},
                        {"(_ extract 2 1)", 2},
                        {"(_ extract 0 0)", 1},
                        {"(_ zero_extend 2)", 5},
                        {"(_ sign_extend 2)", 5},
                        {"(_ repeat 3)", 9},
                        {"(_ rotate_left 4)", 3},
                        {"(_ rotate_right 1)", 3}};
  TermTable table;
  Evaluation evaluation(table);
  std::string formula = "true";
  for (const Case& one : cases)
    for (int a = 0; a < 8; ++a) {
      const Term argument = table.number(std::to_string(a), Sort{logic::SortBase::BitVec, 0, 3});
      const Sort sort{logic::SortBase::BitVec, 0, one.width};
      const auto value = evaluation.of(table.call(one.head, sort, {argument}));
      ASSERT_TRUE(value.has_value()) << one.head;
      formula += " (= (" + std::string(one.head) + " (_ bv" + std::to_string(a) + " 3)) " +
                 exact_text(*value) + ")";
    }
  const Allowance allowance;
  for (const solver::Command& command : {z3_session(), cvc5_session()}) {
    Session session(command, 2048);
    session.ask("(assert (not (and " + formula + ")))(check-sat)\n");
    Slice slice{60};
    EXPECT_EQ(answer_in(session.wait(slice, allowance).value_or("")), Answer::Unsat);
  }
}

// As many decimals as can be read, so that what was written is read back.
TEST(Certificate, LongNumbersAreReadBack) {
  const System system =
      system_of("((x Real))", "(= x 0." + std::string(60, '0') + "1)", "(= next.x state.x)",
                "(query T (= x 0." + std::string(60, '0') + "1))");
  const Certificate made{1, system.claims[0].formula};
  const std::string text = write_certificate(system, system.claims[0], made);
  std::string why;
  EXPECT_TRUE(read_certificate(system, system.claims[0], text, why)) << why;
}

}  // namespace

}  // namespace leto::transition
