// `leto protocol` on systems: the tables of the examples, what stands above the verdicts, and what
// other commands say of systems.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
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

// What becomes of the claims of a file under one model after the other.
std::map<std::string, std::string> decide(const std::string& path,
                                          const std::vector<std::string>& models) {
  std::vector<std::string> arguments{"protocol", path, "--format", "json"};
  for (const std::string& model : models) arguments.insert(arguments.end(), {"--model", model});
  const Result result = leto(arguments);
  std::map<std::string, std::string> found = verdicts(result);
  EXPECT_FALSE(found.empty()) << result.err;
  for (const auto& [claim, verdict] : found)
    EXPECT_TRUE(verdict == "valid" || verdict == "invalid") << path << " " << claim << verdict;
  return found;
}
std::string example(const std::string& name) {
  return (kSource / "examples/protocols" / (name + ".leto")).string();
}

// Some claims hold and some fail, and no model leaves one open.
TEST_F(Systems, ExamplesAreAsTheirCommentsSay) {
  auto commit =
      decide(example("two_phase_commit"), {"none", "one_lost", "one_crash", "one_traitor"});
  EXPECT_EQ(commit["none: all_know"], "valid");
  EXPECT_EQ(commit["one_lost: agreement"], "valid");
  EXPECT_EQ(commit["one_lost: all_know"], "invalid");
  EXPECT_EQ(commit["one_crash: agreement"], "valid");
  EXPECT_EQ(commit["one_crash: invariant of crash"], "valid");
  EXPECT_EQ(commit["one_traitor: agreement"], "invalid");
  auto leader = decide(example("leader"), {"none", "one_crash", "lossy", "one_liar"});
  EXPECT_EQ(leader["one_crash: agreement"], "valid");
  EXPECT_EQ(leader["lossy: agreement"], "invalid");
  EXPECT_EQ(leader["one_liar: a_rank"], "invalid");
  auto heartbeat = decide(example("heartbeat"), {"prompt", "slow", "lossy", "none"});
  EXPECT_EQ(heartbeat["none: no_false_alarm"], "valid");
  EXPECT_EQ(heartbeat["prompt: no_false_alarm"], "valid");
  EXPECT_EQ(heartbeat["slow: no_false_alarm"], "invalid");
  EXPECT_EQ(heartbeat["lossy: no_false_alarm"], "invalid");
  EXPECT_EQ(heartbeat["slow: no missed moment"], "valid");
}

// Worked out by hand: what is left in the middle when two of four are not what they should be.
TEST_F(Systems, ApproximateAgreementIsAsWorkedOut) {
  std::vector<std::string> models;
  std::map<std::string, std::string> expected;
  const auto row = [&](const char* model, const char* validity, const char* convergence) {
    models.emplace_back(model);
    expected[std::string(model) + ": validity"] = validity;
    expected[std::string(model) + ": convergence"] = convergence;
  };
  row("fault_free", "valid", "valid");
  row("one_silent", "valid", "valid");
  row("one_liar", "valid", "valid");
  row("one_traitor", "valid", "valid");
  row("two_silent", "valid", "invalid");
  row("two_liars", "invalid", "valid");
  row("two_traitors", "invalid", "invalid");
  EXPECT_EQ(decide(example("approximate"), models), expected);
}

TEST_F(Systems, MembershipIsAsWorkedOut) {
  std::vector<std::string> models;
  std::map<std::string, std::string> expected{{"one_crash: invariant of crash", "valid"}};
  const auto row = [&](const char* model, const char* agreement, const char* validity) {
    models.emplace_back(model);
    expected[std::string(model) + ": agreement"] = agreement;
    expected[std::string(model) + ": validity"] = validity;
  };
  row("none", "valid", "valid");
  row("one_silent", "valid", "valid");
  row("two_silent", "valid", "valid");
  row("one_liar", "valid", "valid");
  row("one_omission", "invalid", "valid");
  row("one_crash", "invalid", "valid");
  row("one_lost", "invalid", "invalid");
  row("one_traitor", "invalid", "valid");
  EXPECT_EQ(decide(example("membership"), models), expected);
}

// Protocols that are wrong in one place: each is refuted, by a run that was replayed.
TEST_F(Systems, MutantsOfTheExamplesAreRefuted) {
  using Changes = std::vector<std::pair<std::string, std::string>>;
  const auto refuted = [&](const std::string& name, const Changes& changes,
                           const std::string& model, const std::string& claim) {
    std::string text = read_file(example(name));
    for (const auto& [right, wrong] : changes) {
      const std::size_t at = text.find(right);
      ASSERT_NE(at, std::string::npos) << name << ": " << right;
      text.replace(at, right.size(), wrong);
    }
    const Result result =
        leto({"protocol", file(text), "--model", model, "--claim", claim, "--format", "json"});
    const json all = json::parse(result.out, nullptr, false);
    ASSERT_FALSE(all.is_discarded()) << result.err;
    EXPECT_EQ(all["claims"][0]["verdict"], "invalid") << name << ": " << changes[0].second;
    EXPECT_GE(all["claims"][0].value("trace", json::array()).size(), 2u) << changes[0].second;
  };
  const std::string middle = "(total - low - high) / 2";
  refuted("approximate", {{middle, "total / 4"}}, "one_traitor", "validity");
  refuted("approximate", {{middle, "(total - low) / 3"}}, "one_traitor", "validity");
  refuted("approximate", {{"width / 2", "width / 4"}}, "one_traitor", "convergence");
  refuted("approximate", {{"worker(4)", "worker(3)"}, {middle, "total - low - high"}},
          "one_traitor", "convergence");
  refuted("approximate", {{"else value[p]", "else -1"}}, "two_silent", "validity");
  refuted("membership", {{"if (!heard)", "if (heard)"}}, "none", "validity");
  refuted("membership", {{"message.(true, s, p)", "message.(true, p, s)"}}, "one_lost", "validity");
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

// A question beside the claims that nobody can answer leaves them their time, and is said.
TEST_F(Systems, WhatIsHardBesideTheClaimsDoesNotStarveThem) {
  const std::string hard = file(
      "system s {\n    int x = 0;\n    int y = 0;\n    int z = 0;\n    bool b = false;\n"
      "    step go {\n        choose x, y, z with x * x * x + y * y * y + z * z * z == 114;\n    "
      "}\n"
      "    always still: !b;\n    always other: b;\n}\n");
  const Result result = leto({"protocol", hard, "--budget", "6", "--time", "40"});
  EXPECT_NE(result.out.find("(not decided)"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("was asked within 1.5 s"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("still: unknown, behaviours may be hidden"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("other: invalid"), std::string::npos) << result.out;
}

// A claim that holds because nothing happens does not look like one that holds.
TEST_F(Systems, WhatNeverHappensIsSaid) {
  const Result some =
      leto({"protocol", file("system s {\n    int x = 0;\n    bool b = false;\n"
                             "    step never when x > 0 && x < 0 { b = true; }\n"
                             "    step late when x > 5 { b = true; }\n"
                             "    step stay when x >= 0 { x = 0; }\n    always still: !b;\n}\n")});
  EXPECT_NE(some.out.find("step 'never' can never be taken"), std::string::npos) << some.out;
  EXPECT_NE(some.out.find("step 'late' is taken in no run of up to 10 steps"), std::string::npos)
      << some.out;
  EXPECT_EQ(some.out.find("step 'stay'"), std::string::npos) << some.out;
  EXPECT_EQ(some.out.find("can stop"), std::string::npos) << some.out;
  EXPECT_EQ(some.out.find("nothing ever happens"), std::string::npos) << some.out;
  const Result none = leto({"protocol",
                            file("system s {\n    nodes w(2);\n    bool b = false;\n"
                                 "    step never(w p) when p == w(0) && p == w(1) { b = true; }\n"
                                 "    always still: !b;\n}\n"),
                            "--format", "json"});
  EXPECT_NE(none.out.find("nothing ever happens"), std::string::npos) << none.out;
  EXPECT_NE(none.out.find("can stop after 0 steps"), std::string::npos) << none.out;
  // Found at the last moment that is looked at, by one of its nodes only.
  const Result last =
      leto({"protocol", file("system s {\n    nodes w(2);\n    int x = 0;\n    bool b = false;\n"
                             "    step up { x = x + 1; }\n"
                             "    step at(w p) when x == 9 && p == w(1) { b = true; }\n"
                             "    step past when x == 10 { b = true; }\n"
                             "    always still: !b;\n}\n")});
  EXPECT_EQ(last.out.find("step 'at'"), std::string::npos) << last.out;
  EXPECT_NE(last.out.find("step 'past' is taken in no run"), std::string::npos) << last.out;
}

TEST_F(Systems, ConditionsOnTheModelAreTrusted) {
  const auto said = [&](const std::string& condition) {
    const Result result =
        leto({"protocol",
              file("import \"hybrid.leto\";\n\nsystem s {\n    nodes w(2);\n    int x = 0;\n"
                   "    const int k = 1;\n    uint few = model.asymmetric;\n    " +
                   condition + "\n    step go { x = message.(0, w(0), w(1)) else 5; }\n" +
                   "    always zero: x == 0;\n}\n"),
              "--model", "hybrid", "--budget", "5", "--format", "json"});
    EXPECT_EQ(result.code == 3, false) << result.err;
    return result.out;
  };
  EXPECT_NE(said("requires model.benign == 0;").find("this 'requires' speaks of the model"),
            std::string::npos);
  EXPECT_NE(said("initially model.correct(w(0));").find("this 'initially' speaks of the model"),
            std::string::npos);
  EXPECT_NE(said("initially few == 0;").find("this 'initially' speaks of the model"),
            std::string::npos)
      << "by a variable that begins as what the model has";
  EXPECT_EQ(said("requires k >= 0; initially x == 0;").find("speaks of the model"),
            std::string::npos);
}

// What stands behind 'else' is not evaluated where the message arrives.
TEST_F(Systems, WhatIsForLostMessagesCannotFailWhereTheyArrive) {
  const std::string text =
      "model fine {\n    message(any sent, node from, node to) ensures arrived && result == sent;\n"
      "}\nmodel maybe {\n    message(any sent, node from, node to) ensures arrived -> result == "
      "sent;\n}\nsystem s {\n    nodes w(2);\n    uint x = 0;\n    uint y = 0;\n"
      "    step go { x = message.(0, w(0), w(1)) else y - 1; }\n    always small: x == 0;\n}\n";
  const char* const failure = "never fails: go: a value of type uint is negative";
  const auto under = [&](const char* model) {
    return verdicts(leto({"protocol", file(text), "--model", model, "--format", "json"}));
  };
  EXPECT_EQ(under("none").contains(std::string("none: ") + failure), false);
  EXPECT_EQ(under("fine").at(std::string("fine: ") + failure), "valid");
  EXPECT_EQ(under("maybe").at(std::string("maybe: ") + failure), "invalid");
}

TEST_F(Systems, ClocksThatDriftSendOtherThingsToThemselves) {
  const auto found = verdicts(leto(
      {"protocol",
       file("import \"drift.leto\";\n\nmodel ten refines drift {\n    drift.rho = 10;\n"
            "    import drift.reading;\n    import drift.kept;\n    import drift.delivered;\n}\n"
            "system s {\n    nodes w(2);\n    int x = 0;\n    real r = 0;\n    real t = 0;\n"
            "    step go {\n        x = message.(7, w(0), w(0));\n"
            "        r = message.(100, w(0), w(0));\n        t = message.(5, w(0), w(1));\n    }\n"
            "    always whole: x == 0 || x == 7;\n    always off: r == 0 || 90 <= r <= 110;\n"
            "    always less: r == 0 || 90 < r;\n    always exact: t == 0 || t == 5;\n}\n"),
       "--model", "ten", "--format", "json"}));
  const std::map<std::string, std::string> expected{{"ten: whole", "valid"},
                                                    {"ten: off", "valid"},
                                                    {"ten: less", "invalid"},
                                                    {"ten: exact", "valid"}};
  EXPECT_EQ(found, expected);
}

TEST_F(Systems, ExamplesOfWhatIsHiddenTellWhatWasChosenBefore) {
  const Result result =
      leto({"protocol",
            file("system s {\n    nodes w(2);\n    int x(w) = 0;\n    int y = 0;\n"
                 "    int limit = 10;\n    step go(w p) {\n        choose x[p] with 0 <= x[p] "
                 "<= 10;\n        choose y with 2 * y == x[p] + limit;\n    }\n"
                 "    always even: y >= 0;\n}\n")});
  EXPECT_NE(result.out.find("this choice has no value for step go(w(0)), x[0] (chosen) = "),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find(", limit = "), std::string::npos) << result.out;
}

// Refused before it is slow: by the work, not by what the work leaves behind.
TEST_F(Systems, LoopsThatAreTooLongAreRefusedAtOnce) {
  const auto begun = std::chrono::steady_clock::now();
  const Result result =
      leto({"protocol",
            file("system s {\n    nodes n(64);\n    int x(n);\n    int y = 0;\n    step go {\n"
                 "        for (n a, n b, n c, n d) { y = x[a]; }\n    }\n"
                 "    always small: y == y;\n}\n")});
  EXPECT_NE(result.err.find("[L1007]"), std::string::npos) << result.err << result.out;
  EXPECT_EQ(result.code, 3);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
}

const char* const kHelped =
    "system s {\n    int x = 0;\n    int y = 0;\n    int z = 0;\n    always still: z == 0;\n"
    "    lemma same: x == y;\n    lemma wrong: x < 4;\n    lemma above: x >= 0;\n"
    "    step go { if (x == 900) { z = x - y; } x = x + 1; y = y + 1; }\n}\n";

// A lemma helps all claims, also those before it, if it is proved; verdicts come as in the file.
TEST_F(Systems, LemmasThatAreProvedHelp) {
  const std::string with = file(kHelped);
  const Result all = leto({"protocol", with, "--engine", "k-induction", "--budget", "5"});
  EXPECT_NE(all.out.find("still: valid"), std::string::npos) << all.out;
  EXPECT_NE(all.out.find("wrong: invalid"), std::string::npos) << all.out;
  EXPECT_LT(all.out.find("still: "), all.out.find("same: ")) << all.out;
  EXPECT_LT(all.out.find("same: "), all.out.find("wrong: ")) << all.out;
  const Result one =
      leto({"protocol", with, "--engine", "k-induction", "--budget", "5", "--claim", "still"});
  EXPECT_NE(one.out.find("1 claim: 1 valid"), std::string::npos) << one.out;
  std::string without = kHelped;
  without.erase(without.find("    lemma same"), std::string("    lemma same: x == y;\n").size());
  const Result alone =
      leto({"protocol", file(without), "--engine", "k-induction", "--budget", "2"});
  EXPECT_NE(alone.out.find("still: unknown"), std::string::npos)
      << "not from a lemma that is wrong\n"
      << alone.out;
}

TEST_F(Systems, CertificatesAreCheckedAgain) {
  const std::string with = file(kHelped), to = (directory_ / "c.smt2").string();
  const auto ask = [&](const std::string& of, std::vector<std::string> more) {
    more.insert(more.begin(), {"protocol", of, "--budget", "10"});
    return leto(more);
  };
  EXPECT_EQ(ask(with, {"--certificate", to}).code, 4) << "of which claim?";
  EXPECT_EQ(ask(with, {"--claim", "still", "--certificate", with}).code, 4) << "over what is read";
  ASSERT_EQ(ask(with, {"--claim", "still", "--certificate", to}).code, 0);
  const Result good = ask(with, {"--claim", "still", "--check", to});
  EXPECT_EQ(good.code, 0) << good.err;
  EXPECT_NE(good.out.find("still under none: valid, checked by z3 and cvc5"), std::string::npos)
      << good.out;
  EXPECT_EQ(ask(with, {"--claim", "above", "--check", to}).code, 3) << "another claim";
  // Another model is another system.
  const std::string of_one = (directory_ / "om1.smt2").string();
  const std::vector<std::string> validity{"--claim", "validity", "--model", "one_liar"};
  std::vector<std::string> write = validity, check = validity;
  write.insert(write.end(), {"--certificate", of_one});
  check.insert(check.end(), {"--check", of_one});
  ASSERT_EQ(ask(kOralMessages, write).code, 0);
  EXPECT_EQ(ask(kOralMessages, check).code, 0);
  check[3] = "one_traitor";
  const Result other = ask(kOralMessages, check);
  EXPECT_EQ(other.code, 3);
  EXPECT_NE(other.err.find("about another system"), std::string::npos) << other.err;
}

// A certificate says nothing of what may be hidden: that is asked when it is checked.
TEST_F(Systems, CertificatesDoNotHideWhatIsHidden) {
  const std::string hidden = file(
      "system s {\n    int x = 0;\n    int y = 0;\n    step go {\n        choose x with 0 <= x <= "
      "10;\n        choose y with 2 * y == x;\n    }\n    always even: x % 2 == 0;\n}\n");
  const std::string to = (directory_ / "c.smt2").string();
  ASSERT_EQ(leto({"protocol", hidden, "--allow-blocking", "--certificate", to}).code, 0);
  EXPECT_EQ(leto({"protocol", hidden, "--allow-blocking", "--check", to}).code, 0);
  const Result refused = leto({"protocol", hidden, "--check", to});
  EXPECT_EQ(refused.code, 2) << refused.out;
  EXPECT_NE(refused.out.find("not accepted: behaviours may be hidden"), std::string::npos)
      << refused.out;
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
