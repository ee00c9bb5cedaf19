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

}  // namespace
}  // namespace leto::protocol
