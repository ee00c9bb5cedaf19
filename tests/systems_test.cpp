// `leto protocol` on systems: the tables of the examples, what stands above the verdicts, and what
// other commands say of systems.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "driver/driver.h"
#include "golden.h"

namespace leto::tests {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kSource = LETO_SOURCE_DIR;
const std::string kOralMessages = (kSource / "examples/protocols/om1.leto").string();

struct Result {
  int code = -1;
  std::string out, err;
};

Result leto(std::vector<std::string> arguments) {
  std::istringstream in;
  std::ostringstream out, err;
  driver::Streams streams{in, out, err, false, false, fs::path(LETO_BINARY).parent_path().string()};
  const int code = static_cast<int>(driver::run(arguments, streams));
  return {code, out.str(), err.str()};
}

class Systems : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "leto-systems-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { fs::remove_all(directory_); }
  std::string file(const std::string& text) {
    write_file(directory_ / "s.leto", text);
    return (directory_ / "s.leto").string();
  }
  fs::path directory_;
};

// Verdicts by model and claim.
std::map<std::string, std::string> verdicts(const Result& result) {
  std::map<std::string, std::string> out;
  const json all = json::parse(result.out, nullptr, false);
  if (all.is_discarded()) return out;
  for (const json& one : all.value("claims", json::array()))
    out[one.value("model", "") + ": " + one.value("claim", "")] = one.value("verdict", "");
  return out;
}

TEST_F(Systems, OralMessagesUnderTenModels) {
  std::vector<std::string> arguments{"protocol", kOralMessages, "--format", "json"};
  std::map<std::string, std::string> expected;
  const auto row = [&](const std::vector<std::string>& models, const char* agreement,
                       const char* validity) {
    for (const std::string& model : models) {
      arguments.insert(arguments.end(), {"--model", model});
      expected[model + ": agreement"] = agreement;
      expected[model + ": validity"] = validity;
    }
  };
  row({"fault_free", "one_silent", "one_liar", "one_traitor"}, "valid", "valid");
  row({"two_silent", "silent_and_liar", "two_liars", "silent_and_traitor", "liar_and_traitor"},
      "valid", "invalid");
  row({"two_traitors"}, "invalid", "invalid");
  const Result result = leto(arguments);
  EXPECT_EQ(verdicts(result), expected) << result.err << result.out;
  EXPECT_EQ(result.code, 1);
}

TEST_F(Systems, OralMessagesUnderOtherModels) {
  const Result result =
      leto({"protocol", kOralMessages, "--format", "json", "--model", "none", "--model", "lossy",
            "--model", (kSource / "models/crash.leto:one_crash").string()});
  const std::map<std::string, std::string> found = verdicts(result);
  EXPECT_EQ(found.at("none: agreement"), "valid") << result.err;
  EXPECT_EQ(found.at("none: validity"), "valid");
  EXPECT_EQ(found.at("lossy: validity"), "invalid");
  EXPECT_EQ(found.at("one_crash: agreement"), "valid");
}

// Some claims hold and some fail, and no model leaves one open.
TEST_F(Systems, ExamplesAreAsTheirCommentsSay) {
  const auto decide = [](const std::string& name, const std::vector<std::string>& models) {
    std::vector<std::string> arguments{"protocol",
                                       (kSource / "examples/protocols" / (name + ".leto")).string(),
                                       "--format", "json"};
    for (const std::string& model : models) arguments.insert(arguments.end(), {"--model", model});
    const Result result = leto(arguments);
    std::map<std::string, std::string> found = verdicts(result);
    EXPECT_FALSE(found.empty()) << result.err;
    for (const auto& [claim, verdict] : found)
      EXPECT_TRUE(verdict == "valid" || verdict == "invalid") << name << " " << claim << verdict;
    return found;
  };
  auto commit = decide("two_phase_commit", {"none", "one_lost", "one_crash", "one_traitor"});
  EXPECT_EQ(commit["none: all_know"], "valid");
  EXPECT_EQ(commit["one_lost: agreement"], "valid");
  EXPECT_EQ(commit["one_lost: all_know"], "invalid");
  EXPECT_EQ(commit["one_crash: agreement"], "valid");
  EXPECT_EQ(commit["one_crash: invariant of crash"], "valid");
  EXPECT_EQ(commit["one_traitor: agreement"], "invalid");
  auto leader = decide("leader", {"none", "one_crash", "lossy", "one_liar"});
  EXPECT_EQ(leader["one_crash: agreement"], "valid");
  EXPECT_EQ(leader["lossy: agreement"], "invalid");
  EXPECT_EQ(leader["one_liar: a_rank"], "invalid");
  auto heartbeat = decide("heartbeat", {"prompt", "slow", "lossy", "none"});
  EXPECT_EQ(heartbeat["none: no_false_alarm"], "valid");
  EXPECT_EQ(heartbeat["prompt: no_false_alarm"], "valid");
  EXPECT_EQ(heartbeat["slow: no_false_alarm"], "invalid");
  EXPECT_EQ(heartbeat["lossy: no_false_alarm"], "invalid");
  EXPECT_EQ(heartbeat["slow: no missed moment"], "valid");
}

TEST_F(Systems, TracesSpeakOfStepsLabelsAndValues) {
  const Result result =
      leto({"protocol", kOralMessages, "--model", "two_silent", "--claim", "validity"});
  for (const char* part : {"om1 under two_silent", "validity: invalid", "1 order", "2 relay",
                           "3 vote", "silent lieutenant(", ": lost", "benign_faulty", "ordering"})
    EXPECT_NE(result.out.find(part), std::string::npos) << part << "\n" << result.out;
  EXPECT_EQ(result.code, 1);
}

TEST_F(Systems, WhatIsHiddenStandsAboveTheVerdicts) {
  const std::string text =
      "system s {\n    int x = 0;\n    int y = 0;\n\n    step go {\n"
      "        choose x with 0 <= x <= 10;\n        choose y with 2 * y == x;\n    }\n\n"
      "    always even: x % 2 == 0;\n}\n";
  const Result hidden = leto({"protocol", file(text)});
  EXPECT_NE(hidden.out.find("behaviours may be hidden: this choice has no value"),
            std::string::npos)
      << hidden.out;
  EXPECT_NE(hidden.out.find("even: unknown"), std::string::npos) << hidden.out;
  EXPECT_EQ(hidden.code, 2);
  const Result allowed = leto({"protocol", file(text), "--allow-blocking"});
  EXPECT_NE(allowed.out.find("even: valid"), std::string::npos) << allowed.out;
  EXPECT_NE(allowed.out.find("behaviours may be hidden"), std::string::npos);
  EXPECT_EQ(allowed.code, 0);
}

TEST_F(Systems, AModelThatIsNoneOfItsKindProvesNothing) {
  const std::string text =
      "import \"hybrid.leto\";\n\nmodel wrong refines hybrid {\n    hybrid.benign = 1;\n"
      "    hybrid.symmetric = 0;\n    hybrid.asymmetric = 0;\n    import hybrid.delivered;\n}\n\n"
      "system s {\n    nodes man(2);\n    int x = 0;\n\n    step go {\n"
      "        x = message.(0, man(0), man(1));\n    }\n\n    always zero: x == 0;\n}\n";
  const Result result = leto({"protocol", file(text), "--model", "wrong"});
  EXPECT_NE(result.out.find("left out, and can be taken"), std::string::npos)
      << result.out << result.err;
  EXPECT_EQ(result.out.find("zero: valid"), std::string::npos) << result.out;
}

TEST_F(Systems, WhatIsTrustedIsListedAndStopsAreClaimed) {
  const std::string text =
      "system s {\n    uint x = 0;\n    trust x < 3;\n\n    step up {\n        ++x;\n    }\n\n"
      "    step idle when x == 7 {\n    }\n\n    always small: x < 3;\n}\n";
  const Result result = leto({"protocol", file(text), "--deadlocks"});
  EXPECT_NE(result.out.find("trusted: it can cut 1 of 2 steps"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("small: valid"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("never stops: valid"), std::string::npos) << result.out;
}

TEST_F(Systems, AFailureIsAClaimOfItsOwn) {
  const Result result = leto(
      {"protocol", file("system s {\n    uint x = 1;\n\n    step down {\n        --x;\n    }\n\n"
                        "    always small: x <= 1;\n}\n")});
  EXPECT_NE(result.out.find("small: valid"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("never fails: down: a value of type uint is negative: invalid"),
            std::string::npos)
      << result.out;
  EXPECT_EQ(result.code, 1);
}

TEST_F(Systems, AContradictionAtTheBeginningIsVacuous) {
  const Result result =
      leto({"protocol", file("system s {\n    int x = 0;\n    initially x > 0;\n\n    step idle {\n"
                             "    }\n\n    always wrong: x == 5;\n}\n")});
  EXPECT_NE(result.out.find("wrong: vacuous"), std::string::npos) << result.out;
  EXPECT_NE(result.code, 0);
}

TEST_F(Systems, NoModelIsNoAccident) {
  const std::string sends = file(
      "system s {\n    nodes man(2);\n    int x = 0;\n\n    step go {\n"
      "        x = message.(0, man(0), man(1));\n    }\n\n    always zero: x == 0;\n}\n");
  const Result nothing = leto({"protocol", sends});
  EXPECT_NE(nothing.err.find("[L1004]"), std::string::npos) << nothing.err;
  EXPECT_EQ(nothing.code, 3);
  EXPECT_EQ(leto({"protocol", sends, "--model", "none"}).code, 0);
  const Result other = leto({"protocol", sends, "--model", "additive_seu"});
  EXPECT_NE(other.err.find("[L1004]"), std::string::npos) << other.err;
}

// Several models may stand in one file of the library; programs that send nothing are not offered
// any.
// Between two messages of a step nothing is trusted: a sub-model that leaves out what can happen
// there is none.
TEST_F(Systems, WhatIsTrustedIsNotAssumedInTheMiddleOfAStep) {
  const std::string system = file(R"(model base {
    const uint most;
    uint n = 0;
    @label(ok) message(any sent, node from, node to)
        when n == 0 ensures arrived && result == sent && n == 1 modifies n;
    @label(back) message(any sent, node from, node to)
        when n == 1 ensures arrived && result == sent && n == 0 modifies n;
    @label(bad) message(any sent, node from, node to) when n == 1 ensures !arrived && n == 0 modifies n;
}
model less refines base { base.most = 1; import base.ok; import base.back; }
system two {
    nodes w(2);
    uint x = 0;
    trust model.n == 0;
    step s {
        x = message.(0, w(0), w(1)) else 5;
        x = message.(0, w(1), w(0)) else 5;
    }
    always one: x == 0;
}
)");
  const Result base = leto({"protocol", system, "--model", "base", "--format", "json"});
  EXPECT_EQ(verdicts(base)["base: one"], "invalid") << base.out << base.err;
  const Result less = leto({"protocol", system, "--model", "less", "--format", "json"});
  EXPECT_EQ(verdicts(less)["less: one"], "unknown") << less.out << less.err;
  EXPECT_NE(less.out.find("'bad' of model 'base' is left out"), std::string::npos) << less.out;
}

// What stands above the verdicts is there for machines too.
TEST_F(Systems, JsonHasWhatIsHiddenAndTrusted) {
  const std::string system = file(
      "system even {\n    int x = 0;\n    trust x >= 0;\n    step s {\n        choose x with x == "
      "x + 1;\n"
      "    }\n    always positive: x >= 0;\n}\n");
  const Result result = leto({"protocol", system, "--allow-blocking", "--format", "json"});
  EXPECT_NE(result.out.find("behaviours may be hidden"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("trusted: it can cut"), std::string::npos) << result.out;
}

TEST_F(Systems, ModelsOfTheLibraryAreFoundByName) {
  const std::string still = file(
      "system s {\n    bool b = false;\n    step go { b = false; }\n    always never: !b;\n}\n");
  EXPECT_EQ(leto({"protocol", still, "--model", "two_silent"}).code, 0);
  const Result unknown = leto({"protocol", still, "--model", "two_silnt"});
  EXPECT_EQ(unknown.code, 3);
  EXPECT_NE(unknown.err.find("did you mean 'two_silent'?"), std::string::npos) << unknown.err;
  const std::string program = (kSource / "examples/vector_product.leto").string();
  const Result all = leto({"verify", program, "--all-models", "--no-cache"});
  EXPECT_NE(all.out.find("additive_seu"), std::string::npos) << all.out;
  for (const char* model : {"hybrid", "two_silent", "one_crash"})
    EXPECT_EQ(all.out.find(model), std::string::npos) << all.out;
}

TEST_F(Systems, OtherCommandsSayWhatToUse) {
  for (const char* command : {"verify", "run", "inject", "core"}) {
    const Result result = leto({command, kOralMessages});
    EXPECT_NE(result.err.find("[L1006]"), std::string::npos) << command << result.err;
    EXPECT_NE(result.err.find("leto protocol"), std::string::npos) << command;
    EXPECT_NE(result.code, 0) << command;
  }
  const std::string program = file("real f(real x) {\n    return x *. 2;\n}\n");
  const Result under = leto({"verify", program, "--model", "hybrid"});
  EXPECT_NE(under.err.find("[L1006]"), std::string::npos) << under.err;
  const Result refine = leto({"refine", "one_crash"});
  EXPECT_NE(refine.code, 0) << refine.out;
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
