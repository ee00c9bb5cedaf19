#include "protocol/protocol.h"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "protocol/test_unroll.h"

namespace leto::protocol {
namespace {

std::string read(const std::string& path) {
  std::ifstream in(std::string(LETO_SOURCE_DIR) + "/" + path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}
// A file of the repository with others in the place of its imports, under a model.
std::string under(const std::string& model, const std::string& path) {
  std::string text =
      std::regex_replace(read(path), std::regex("import [^;]*;|use model [^;]*;"), "");
  std::string table =
      std::regex_replace(read("models/hybrid_table.leto"), std::regex("import \"[^;]*;"), "");
  return "use model " + model + ";\n" + read("models/hybrid.leto") + table + text;
}

const char* const kPair = R"(
use model sometimes;
model sometimes {
    @label(delivered)
    message(any sent, node from, node to)
        ensures arrived && result == sent;
    @label(lost)
    message(any sent, node from, node to)
        ensures !arrived;
}
)";

struct Row {
  const char* model;
  bool agreement, validity;
};
class OralMessages : public testing::TestWithParam<Row> {};

TEST_P(OralMessages, AreAsComputedByHand) {
  Unrolled om1(under(GetParam().model, "examples/protocols/om1.leto"));
  ASSERT_TRUE(om1.good()) << om1.front().messages();
  EXPECT_TRUE(om1.runs(3));
  EXPECT_FALSE(om1.runs(4));
  EXPECT_EQ(om1.holds("agreement", 3), GetParam().agreement);
  EXPECT_EQ(om1.holds("validity", 3), GetParam().validity);
  EXPECT_FALSE(om1.lowered().blocking.empty());
  EXPECT_TRUE(om1.discharged(om1.lowered().blocking));
  EXPECT_FALSE(om1.lowered().refinement.empty());
  EXPECT_TRUE(om1.discharged(om1.lowered().refinement));
}

INSTANTIATE_TEST_SUITE_P(
    Table, OralMessages,
    testing::Values(Row{"fault_free", true, true}, Row{"one_silent", true, true},
                    Row{"one_liar", true, true}, Row{"one_traitor", true, true},
                    Row{"two_silent", true, false}, Row{"silent_and_liar", true, false},
                    Row{"two_liars", true, false}, Row{"silent_and_traitor", true, false},
                    Row{"liar_and_traitor", true, false}, Row{"two_traitors", false, false}),
    [](const testing::TestParamInfo<Row>& row) { return std::string(row.param.model); });

TEST(Message, ThatIsLostLeavesTheVariableAsItIs) {
  Unrolled system(std::string(kPair) + R"(
system s {
    nodes n(2);
    uint x = 5;
    bool sent = false;
    step send when !sent { x = message.(7, n(0), n(1)); sent = true; }
    always old_or_new: x == 5 || x == 7;
    always never_lost: sent -> x == 7;
    always always_lost: sent -> x == 5;
}
)");
  ASSERT_TRUE(system.good()) << system.front().messages();
  EXPECT_TRUE(system.holds("old_or_new", 1));
  EXPECT_TRUE(system.fails("never_lost", 1));
  EXPECT_TRUE(system.fails("always_lost", 1));
}

TEST(Failure, IsNoDisabledStep) {
  Unrolled system(R"(
system s {
    uint x = 0;
    trust x < 5;
    step down { x = x - 1; }
    always small: x < 5;
}
)");
  ASSERT_TRUE(system.good()) << system.front().messages();
  EXPECT_TRUE(system.fails("never fails: down: a value of type uint is negative", 1));
  EXPECT_TRUE(system.holds("small", 2));
}

TEST(Failure, LeavesTheNameToVariables) {
  Unrolled system(R"(
system s {
    uint failed = 1;
    step down { --failed; }
    always small: failed <= 1;
}
)");
  ASSERT_TRUE(system.good()) << system.front().messages();
  EXPECT_EQ(transition::find_fault(system.system()), std::nullopt);
  EXPECT_TRUE(system.holds("small", 2));
}

TEST(Choice, ThatLaterOnesBlockIsAnObligationOfItsOwn) {
  Unrolled system(R"(
system s {
    int x = 0;
    int y = 0;
    step go {
        choose x with 0 <= x <= 10;
        choose y with 2 * y == x;
    }
    always even: x % 2 == 0;
}
)");
  ASSERT_TRUE(system.good()) << system.front().messages();
  EXPECT_TRUE(system.holds("even", 2));
  EXPECT_FALSE(system.discharged(system.lowered().blocking));
}

// Under what a general may do, of two nodes of whatever kinds of faults.
std::string hybrid(const std::string& counts, const std::string& system) {
  return read("models/hybrid.leto") + "model here refines hybrid {\n" + counts +
         "import hybrid.delivered; import hybrid.silent; import hybrid.same_lie; "
         "import hybrid.any_lie;\n}\nuse model here;\n" +
         system;
}
const char* const kOneLiar = "hybrid.benign = 0; hybrid.symmetric = 1; hybrid.asymmetric = 0;\n";

TEST(Message, OfEveryTypeMeetsFaults) {
  for (const char* type : {"uint", "bool", "colour", "man", "real"}) {
    const std::string value = std::string(type) == "bool"     ? "true"
                              : std::string(type) == "colour" ? "red"
                              : std::string(type) == "man"    ? "man(1)"
                                                              : "1";
    Unrolled system(
        hybrid(kOneLiar, std::string("system s { nodes man(2); enum colour { red, green }\n") +
                             type + " x = " + value + "; step go { x = message.(" + value +
                             ", man(0), man(1)); } always right: x == " + value + "; }"));
    ASSERT_TRUE(system.good()) << system.front().messages();
    EXPECT_TRUE(system.fails("right", 1)) << type;
  }
}

TEST(Message, OfATypeStaysInIt) {
  Unrolled system(hybrid(kOneLiar, R"(
system s {
    nodes man(2);
    enum colour { red, green }
    uint x = 1;
    colour c = red;
    man m = man(0);
    step go {
        x = message.(x, man(0), man(1));
        c = message.(c, man(0), man(1));
        m = message.(m, man(0), man(1));
    }
    always in_range: x >= 0 && (c == red || c == green) && (m == man(0) || m == man(1));
}
)"));
  ASSERT_TRUE(system.good()) << system.front().messages();
  EXPECT_TRUE(system.holds("in_range", 2));
}

// A value and its successor in two statements: a symmetric liar can lie in both of them.
TEST(Round, HasALieForEachBroadcast) {
  Unrolled system(hybrid(kOneLiar, R"(
system s {
    nodes boss(1), man(2);
    const int v = 5;
    int first(man) = 0;
    int second(man) = 0;
    bool done = false;
    step tell when !done {
        for (man p) { first[p] = message.(v, boss(0), p); }
        for (man p) { second[p] = message.(v + 1, boss(0), p); }
        done = true;
    }
    always no_wrong_value: done -> forall(man p)(second[p] == first[p] + 1 -> first[p] == v);
    always alike: done -> first[man(0)] == first[man(1)] && second[man(0)] == second[man(1)];
}
)"));
  ASSERT_TRUE(system.good()) << system.front().messages();
  EXPECT_TRUE(system.fails("no_wrong_value", 1));
  EXPECT_TRUE(system.holds("alike", 1));
}

TEST(State, OfOneNodeChangesAlone) {
  Unrolled system(read("models/crash.leto") + R"(
use model one_crash;
system s {
    nodes man(3);
    int x = 0;
    step go { x = message.(x + 1, man(0), man(1)); }
    always only_the_sender: !model.down[man(1)] && !model.down[man(2)];
    always nobody: model.correct(man(0));
}
)");
  ASSERT_TRUE(system.good()) << system.front().messages();
  EXPECT_TRUE(system.holds("only_the_sender", 2));
  EXPECT_TRUE(system.fails("nobody", 1));
  EXPECT_TRUE(system.holds("invariant of crash", 2));
  EXPECT_TRUE(system.discharged(system.lowered().blocking));
  EXPECT_TRUE(system.discharged(system.lowered().refinement));
}

TEST(Message, WithoutOutcomeIsAnObligation) {
  for (const char* clauses :
       {"ensures arrived && result == sent && result != sent", "when sent > 0"}) {
    Unrolled system(std::string("use model m; model m { message(int sent, node from, node to) ") +
                    clauses +
                    "; } system s { nodes man(2); int x = 0; "
                    "step go { x = message.(x, man(0), man(1)); } always fine: x == 0; }");
    ASSERT_TRUE(system.good()) << system.front().messages();
    EXPECT_FALSE(system.discharged(system.lowered().blocking)) << clauses;
  }
}

TEST(Refinement, IsOfTheNodesAtHand) {
  const auto text = [](int nodes) {
    return "use model few; model many { const uint most = 3; node bool bad;\n"
           "@label(any) message(any sent, node from, node to)\n"
           " when count(node p)(bad[p]) <= most; }\n"
           "model few refines many { @label(all) message(any sent, node from, node to)\n"
           " when true refines many.any; }\n"
           "system s { nodes man(" +
           std::to_string(nodes) +
           "); int x = 0;\n"
           "step go { x = message.(1, man(0), man(1)); } always fine: true; }";
  };
  Unrolled three(text(3)), four(text(4));
  ASSERT_TRUE(three.good()) << three.front().messages();
  EXPECT_TRUE(three.discharged(three.lowered().refinement));
  EXPECT_FALSE(four.discharged(four.lowered().refinement));
}

TEST(Refinement, LeavesOutOnlyWhatCannotBe) {
  const auto text = [](int benign) {
    return read("models/hybrid.leto") +
           "use model sub; model sub refines hybrid { hybrid.benign = " + std::to_string(benign) +
           "; hybrid.symmetric = 0; hybrid.asymmetric = 0; import hybrid.delivered; }\n"
           "system s { nodes man(2); int x = 0; step go { x = message.(1, man(0), man(1)); }"
           " always fine: true; }";
  };
  Unrolled without(text(0)), with_one(text(1));
  ASSERT_TRUE(without.good()) << without.front().messages();
  EXPECT_TRUE(without.discharged(without.lowered().refinement));
  EXPECT_FALSE(with_one.discharged(with_one.lowered().refinement));
}

TEST(Refinement, SeesStateThatOnlyTheSubModelChanges) {
  const auto text = [](const std::string& clauses) {
    return "use model sub; model super { bool flag = false;\n"
           "@label(plain) message(int sent, node from, node to) ensures arrived && result == sent; "
           "}\n"
           "model sub refines super { uint own = 0; @label(other)\n"
           "message(int sent, node from, node to) ensures arrived && result == sent " +
           clauses +
           " refines super.plain; }\n"
           "system s { nodes man(2); int x = 0; step go { x = message.(1, man(0), man(1)); }"
           " always fine: true; }";
  };
  Unrolled own(text("modifies own")), other(text("modifies flag"));
  ASSERT_TRUE(own.good()) << own.front().messages();
  EXPECT_TRUE(own.discharged(own.lowered().refinement));
  EXPECT_FALSE(other.discharged(other.lowered().refinement));
}

TEST(Elapse, StopsAtWhatIsReached) {
  Unrolled system(R"(
system s {
    @clock real now = 0;
    real timeout = 1;
    uint fired = 0;
    step fire when now == timeout && fired == 0 { fired = 1; }
    elapse now to timeout;
    always early: now <= 1;
}
)");
  ASSERT_TRUE(system.good()) << system.front().messages();
  EXPECT_TRUE(system.holds("early", 4));
  EXPECT_TRUE(system.holds("no missed moment", 4));
  EXPECT_TRUE(system.fails("time goes on", 2));  // it fired, and is not set anew
  EXPECT_TRUE(system.runs(2));
  EXPECT_FALSE(system.runs(3));
}

TEST(Elapse, GoesToTheEarliestOfWhatCounts) {
  Unrolled system(R"(
system s {
    nodes man(2);
    @clock real now = 0;
    real at(man);
    bool on(man) = true;
    initially at[man(0)] == 3 && at[man(1)] == 5;
    step fire(man p) when on[p] && now == at[p] { on[p] = false; }
    elapse now to at[p] for (man p) when on[p];
    always missed_none: now > 3 -> !on[man(0)];
    always never_late: now < 5;
}
)");
  ASSERT_TRUE(system.good()) << system.front().messages();
  EXPECT_TRUE(system.holds("missed_none", 4));
  EXPECT_TRUE(system.fails("never_late", 3));
  EXPECT_TRUE(system.holds("no missed moment", 4));
  EXPECT_TRUE(system.holds("time goes on", 4));
  EXPECT_FALSE(system.runs(5));  // nothing counts any more
}

TEST(Elapse, DoesNotReachBackwards) {
  Unrolled system(R"(
system s {
    @clock real now = 0;
    real timeout;
    step reset when now == timeout { timeout = now + 1; }
    elapse now to timeout;
    always forwards: now >= 0;
}
)");
  ASSERT_TRUE(system.good()) << system.front().messages();
  EXPECT_TRUE(system.fails("no missed moment", 0));
  EXPECT_TRUE(system.holds("forwards", 3));
}

TEST(Trust, HoldsAtBothEndsAndHidesNoClaimElsewhere) {
  Unrolled system(R"(
system s {
    int x;
    int y = 0;
    trust x < 2;
    step up { x = x + 1; y = 1; }
    always at_the_start: x < 2;
    always behind: y == 1 -> x < 2;
    always below: x < 1;
}
)");
  ASSERT_TRUE(system.good()) << system.front().messages();
  EXPECT_TRUE(system.holds("at_the_start", 0));
  EXPECT_TRUE(system.holds("behind", 2));
  EXPECT_TRUE(system.fails("below", 0));
  ASSERT_EQ(system.lowered().trusted.size(), 1u);
}

TEST(Stop, IsAStateInWhichNoStepCanBeTaken) {
  Unrolled system(R"(
system s {
    uint x = 0;
    step up when x < 1 { x = x + 1; }
    step down when x == 7 { x = x - 8; }
    always fine: true;
}
)");
  ASSERT_TRUE(system.good()) << system.front().messages();
  logic::TermTable& t = system.t();
  const logic::Term x = system.system().variables[0].now;
  EXPECT_FALSE(system.valid({t.eq(x, t.integer(1))}, system.lowered().can_go_on));
  EXPECT_TRUE(system.valid({t.eq(x, t.integer(0))}, system.lowered().can_go_on));
  EXPECT_TRUE(system.valid({t.eq(x, t.integer(7))}, system.lowered().can_go_on));
}

TEST(OralMessagesMutants, AreRefuted) {
  const std::string om1 = under("one_traitor", "examples/protocols/om1.leto");
  const auto with = [&](const std::string& what, const std::string& by) {
    const std::string changed = std::regex_replace(om1, std::regex(what), by);
    EXPECT_NE(changed, om1) << what;
    return changed;
  };
  const std::vector<std::string> mutants{
      with("lieutenant\\(3\\)", "lieutenant(2)"),
      // The relay round is left out: everyone believes what he heard.
      with("told.p..q. = message.*", "told[p][q] = heard[p];"),
      // One vote is enough.
      with("q != r && told", "told"),
  };
  for (const std::string& mutant : mutants) {
    Unrolled system(mutant);
    ASSERT_TRUE(system.good()) << system.front().messages();
    EXPECT_TRUE(system.fails("agreement", 3) || system.fails("validity", 3)) << mutant;
  }
}

}  // namespace
}  // namespace leto::protocol
