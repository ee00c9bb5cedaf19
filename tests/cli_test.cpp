// The command line as its users meet it: exit codes, what goes where, formats,
// files changed in place, colour only on a terminal.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "base/assert.h"
#include "base/diagnostic.h"
#include "driver/driver.h"
#include "golden.h"

namespace leto::tests {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kSource = LETO_SOURCE_DIR;

struct Result {
  int code = -1;
  std::string out;
  std::string err;
};

Result leto(const std::vector<std::string>& arguments, const std::string& input = {}) {
  std::istringstream in(input);
  std::ostringstream out, err;
  driver::Streams streams{in, out, err, false, false, fs::path(LETO_BINARY).parent_path().string()};
  const int code = static_cast<int>(driver::run(arguments, streams));
  return {code, out.str(), err.str()};
}

// The real executable, through a shell.
Result shell(const std::string& command) {
  Result result;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  char buffer[4096];
  std::size_t n;
  while ((n = fread(buffer, 1, sizeof buffer, pipe)) > 0) result.out.append(buffer, n);
  const int status = pclose(pipe);
  result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

class Cli : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "leto-cli-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { fs::remove_all(directory_); }
  std::string file(const std::string& name, const std::string& text) {
    write_file(directory_ / name, text);
    return (directory_ / name).string();
  }
  fs::path directory_;
};

const std::string kGood = "real f(real x) {\n    return x + 1;\n}\n";
const std::string kBad = "real f(real value) {\n    return valeu + 1;\n}\n";
const std::string kUgly = "real f(real x){return x+1;}\n";

TEST_F(Cli, ExitCodes) {
  const std::string binary = LETO_BINARY;
  const std::string good = file("good.leto", kGood), bad = file("bad.leto", kBad),
                    ugly = file("ugly.leto", kUgly);
  EXPECT_EQ(shell(binary + " check " + good).code, 0);
  EXPECT_EQ(shell(binary + " --help").code, 0);
  EXPECT_EQ(shell(binary + " --version").code, 0);
  EXPECT_EQ(shell(binary + " fmt --check " + good).code, 0);
  EXPECT_EQ(shell(binary + " fmt --check " + ugly).code, 1);
  EXPECT_EQ(shell(binary + " check " + bad).code, 3);
  EXPECT_EQ(shell(binary + " check " + directory_.string() + "/missing.leto").code, 3);
  EXPECT_EQ(shell(binary + " check " + directory_.string()).code, 3);
  EXPECT_EQ(shell(binary + " check " + good + " --model no_such_model").code, 3);
  EXPECT_EQ(shell(binary + " fmt " + directory_.string() + "/missing.leto").code, 3);
  EXPECT_EQ(shell(binary).code, 4);
  EXPECT_EQ(shell(binary + " chekc " + good).code, 4);
  EXPECT_EQ(shell(binary + " check").code, 4);
  EXPECT_EQ(shell(binary + " check --format xml " + good).code, 4);
  EXPECT_EQ(shell(binary + " explain L9999").code, 4);
}

TEST_F(Cli, AFailedAssertionIsAnInternalError) {
  EXPECT_EXIT(assertion_failed("1 == 2", "here.cpp", 7), testing::ExitedWithCode(5),
              "internal error at here.cpp:7: 1 == 2");
}

TEST_F(Cli, WarningsDoNotFail) {
  const Result result =
      leto({"check", "-"}, "use model multicycle;\nreal f(real x) {\n    return x +. 1;\n}\n");
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.err.find("<stdin>:3:14: warning: model 'multicycle' does not mention '+.'"),
            std::string::npos)
      << result.err;
}

TEST_F(Cli, TextShowsPlaceLineCaretAndHelp) {
  const std::string bad = file("bad.leto", kBad);
  const Result result = leto({"check", bad});
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, bad +
                            ":2:12: error: no variable named 'valeu' is in scope [L0301]\n"
                            "    2 |     return valeu + 1;\n"
                            "      |            ^^^^^\n"
                            "  help: did you mean 'value'?\n"
                            "\n"
                            "1 error. 'leto explain L0301' says more.\n");
}

TEST_F(Cli, CaretStandsBehindTabsAndWideText) {
  const Result result = leto({"check", "-"}, "void f() {\n\t/* \xc3\xa9 */ x = 1;\n}\n");
  EXPECT_NE(result.err.find("<stdin>:2:10: error"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("    2 |     /* \xc3\xa9 */ x = 1;\n      |             ^\n"),
            std::string::npos)
      << result.err;
}

TEST_F(Cli, SeveralErrorsInOneRunAndAtMostSoMany) {
  std::string text = "void f() {\n";
  for (int i = 0; i < 150; ++i) text += "    x" + std::to_string(i) + " = 1;\n";
  text += "}\n";
  const Result result = leto({"check", "-"}, text);
  EXPECT_NE(result.err.find("150 errors (50 not shown; see --max-errors)"), std::string::npos);
  const Result few = leto({"check", "-", "--max-errors", "2"}, text);
  EXPECT_NE(few.err.find("(148 not shown"), std::string::npos);
}

TEST_F(Cli, SourceTextCannotSteerTheTerminal) {
  const Result result = leto({"check", "-"}, "void f() {\n    x = 1; // \x1b[31m\xc2\x9b\x07\n}\n");
  EXPECT_EQ(result.err.find('\x1b'), std::string::npos);
  EXPECT_EQ(result.err.find('\x07'), std::string::npos);
  EXPECT_EQ(result.err.find("\xc2\x9b"), std::string::npos);
}

TEST_F(Cli, ColourOnlyOnATerminal) {
  const std::string bad = file("bad.leto", kBad);
  const std::string binary = LETO_BINARY;
  EXPECT_EQ(shell(binary + " check " + bad).out.find('\033'), std::string::npos);
  EXPECT_NE(shell(binary + " check --color always " + bad).out.find('\033'), std::string::npos);
  const auto on_terminal = [&](const char* no_colour) {
    int terminal = -1;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
    if (child == 0) {
      if (no_colour != nullptr)
        setenv("NO_COLOR", no_colour, 1);
      else
        unsetenv("NO_COLOR");
      execl(binary.c_str(), "leto", "check", bad.c_str(), nullptr);
      _exit(127);
    }
    std::string out;
    char buffer[4096];
    ssize_t n;
    while ((n = read(terminal, buffer, sizeof buffer)) > 0)
      out.append(buffer, static_cast<std::size_t>(n));
    close(terminal);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 3);
    return out;
  };
  EXPECT_NE(on_terminal(nullptr).find("\033[1;31m"), std::string::npos);
  EXPECT_EQ(on_terminal("1").find('\033'), std::string::npos);
}

TEST_F(Cli, Json) {
  const std::string bad = file("bad.leto", kBad);
  const Result result = leto({"check", bad, "--format", "json"});
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(result.err, "");
  const json parsed = json::parse(result.out);
  EXPECT_EQ(parsed.at("errors"), 1);
  const json& d = parsed.at("diagnostics").at(0);
  EXPECT_EQ(d.at("code"), "L0301");
  EXPECT_EQ(d.at("file"), bad);
  EXPECT_EQ(d.at("range").at("start"), (json{{"line", 2}, {"column", 12}}));
  EXPECT_EQ(d.at("range").at("end"), (json{{"line", 2}, {"column", 17}}));
  EXPECT_EQ(d.at("help").at("edit").at("replacement"), "value");
  // Bytes that are not UTF-8 must not break the output.
  EXPECT_TRUE(json::accept(leto({"check", "-", "--format", "json"}, "\xff\xfe x").out));
}

// What the SARIF 2.1.0 schema requires of the parts that we produce.
void expect_sarif(const json& log) {
  ASSERT_TRUE(log.is_object());
  EXPECT_EQ(log.at("version"), "2.1.0");
  EXPECT_TRUE(log.at("$schema").is_string());
  ASSERT_TRUE(log.at("runs").is_array());
  const auto region = [](const json& r) {
    for (const char* key : {"startLine", "startColumn", "endLine", "endColumn"}) {
      ASSERT_TRUE(r.at(key).is_number_integer());
      EXPECT_GE(r.at(key).get<int>(), 1);
    }
  };
  const auto message = [](const json& m) {
    ASSERT_TRUE(m.at("text").is_string());
    EXPECT_FALSE(m.at("text").get<std::string>().empty());
  };
  const auto location = [&](const json& l) {
    const json& physical = l.at("physicalLocation");
    EXPECT_TRUE(physical.at("artifactLocation").at("uri").is_string());
    region(physical.at("region"));
  };
  for (const json& run : log.at("runs")) {
    const json& tool = run.at("tool").at("driver");
    EXPECT_EQ(tool.at("name"), "leto");
    ASSERT_TRUE(tool.at("rules").is_array());
    std::set<std::string> ids;
    for (const json& rule : tool.at("rules")) {
      EXPECT_TRUE(ids.insert(rule.at("id").get<std::string>()).second);
      message(rule.at("shortDescription"));
      message(rule.at("help"));
      const std::string level = rule.at("defaultConfiguration").at("level");
      EXPECT_TRUE(level == "error" || level == "warning");
    }
    const std::string kind = run.at("columnKind");
    EXPECT_TRUE(kind == "utf16CodeUnits" || kind == "unicodeCodePoints");
    ASSERT_TRUE(run.at("results").is_array());
    for (const json& result : run.at("results")) {
      message(result.at("message"));
      const std::string level = result.at("level");
      EXPECT_TRUE(level == "none" || level == "note" || level == "warning" || level == "error");
      EXPECT_EQ(tool.at("rules").at(result.at("ruleIndex").get<std::size_t>()).at("id"),
                result.at("ruleId"));
      if (result.contains("locations"))
        for (const json& l : result.at("locations")) location(l);
      if (result.contains("relatedLocations"))
        for (const json& l : result.at("relatedLocations")) location(l);
      if (!result.contains("fixes")) continue;
      for (const json& fix : result.at("fixes")) {
        ASSERT_FALSE(fix.at("artifactChanges").empty());
        for (const json& change : fix.at("artifactChanges")) {
          EXPECT_TRUE(change.at("artifactLocation").at("uri").is_string());
          ASSERT_FALSE(change.at("replacements").empty());
          for (const json& replacement : change.at("replacements")) {
            region(replacement.at("deletedRegion"));
            EXPECT_TRUE(replacement.at("insertedContent").at("text").is_string());
          }
        }
      }
    }
  }
}

TEST_F(Cli, SarifOfEveryRejectedProgramHasTheRequiredStructure) {
  std::size_t results = 0;
  for (const fs::path& path : golden_files(kSource / "tests/rejects")) {
    const Result result = leto({"check", path.string(), "--format", "sarif"});
    const json log = json::parse(result.out);
    expect_sarif(log);
    results += log.at("runs").at(0).at("results").size();
  }
  EXPECT_GE(results, all_diagnostics().size());
  expect_sarif(json::parse(leto({"check", "-", "--format", "sarif"}, kGood).out));
}

TEST_F(Cli, FmtInPlaceCheckAndStandardInput) {
  const std::string ugly = file("ugly.leto", kUgly);
  fs::permissions(ugly, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  EXPECT_EQ(leto({"fmt", "--check", ugly}).out, ugly + ": not formatted\n");
  EXPECT_EQ(read_file(ugly), kUgly);
  EXPECT_EQ(leto({"fmt", ugly}).out, ugly + ": formatted\n");
  EXPECT_EQ(read_file(ugly), kGood);
  EXPECT_EQ(fs::status(ugly).permissions(),
            fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
  EXPECT_EQ(leto({"fmt", ugly}).out, "");
  const Result filtered = leto({"fmt", "-"}, kUgly);
  EXPECT_EQ(filtered.code, 0);
  EXPECT_EQ(filtered.out, kGood);
  EXPECT_EQ(leto({"fmt", "--check", "-"}, kUgly).code, 1);
  // A file with mistakes is not touched.
  const std::string broken = file("broken.leto", "real f( {\n");
  EXPECT_EQ(leto({"fmt", broken}).code, 3);
  EXPECT_EQ(read_file(broken), "real f( {\n");
  // Nothing is left behind.
  std::size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(directory_)) ++entries;
  EXPECT_EQ(entries, 2u);
}

TEST_F(Cli, ModelsAreFoundByNameAndByFile) {
  const std::string program = file("p.leto", "real f(real x) {\n    return x *. model.eps;\n}\n");
  EXPECT_EQ(leto({"check", program, "--model", "additive_seu"}).code, 0);
  EXPECT_EQ(leto({"check", program, "-m", "additive_seu", "-m", "multicycle"}).out,
            program + ": no errors under additive_seu, multicycle\n");
  EXPECT_EQ(leto({"check", program, "--model", "unbounded_seu"}).code, 3);  // has no eps
  const std::string own =
      "model mine {\n    const real eps;\n\n    operator *(real a, real b)\n        ensures result "
      "== a * b;\n}\n";
  file("mine.leto", own);
  EXPECT_EQ(leto({"check", program, "--model", "mine"}).code, 0);  // beside the program
  fs::create_directory(directory_ / "models");
  write_file(directory_ / "models/other.leto",
             "model first {}\n\nmodel other {\n    const real eps;\n}\n");
  EXPECT_EQ(leto({"check", program, "--model", "other"}).code, 3);
  EXPECT_EQ(
      leto({"check", program, "--model", "other", "--model-path", (directory_ / "models").string()})
          .code,
      0);
  setenv("LETO_MODEL_PATH", (directory_ / "models").c_str(), 1);
  EXPECT_EQ(leto({"check", program, "--model", "other"}).code, 0);
  unsetenv("LETO_MODEL_PATH");
  const std::string path = (directory_ / "models/other.leto").string();
  EXPECT_EQ(leto({"check", program, "--model", path}).code, 3);  // `first` has no eps
  EXPECT_EQ(leto({"check", program, "--model", path + ":other"}).code, 0);
  const Result listed = leto({"models"});
  for (const char* name :
       {"reliable", "unbounded_seu", "additive_seu", "multiplicative_seu", "multicycle",
        "refined_seu", "switchable_rowhammer", "read_upset", "stuck_at"})
    EXPECT_NE(listed.out.find(name), std::string::npos) << name;
}

TEST_F(Cli, TheLemmasOfTheLibraryProveWithBothSolvers) {
  std::vector<std::string> files;
  for (const fs::path& path : golden_files(kSource / "models/library"))
    files.push_back(path.string());
  EXPECT_GE(files.size(), 4u);
  for (const char* solver : {"z3", "cvc5"}) {
    std::vector<std::string> words = {"verify", "--no-cache",      "-q", "--solver",
                                      solver,   "--question-time", "120"};  // machines can be busy
    words.insert(words.end(), files.begin(), files.end());
    const Result result = leto(words);
    EXPECT_EQ(result.code, 0) << solver << "\n" << result.out << result.err;
  }
}

TEST_F(Cli, EveryExampleChecksUnderItsModelWithoutAWarning) {
  std::size_t files = 0;
  for (const char* directory : {"examples", "models", "models/library"})
    for (const fs::path& path : golden_files(kSource / directory)) {
      const Result result = leto({"check", path.string()});
      EXPECT_EQ(result.code, 0) << result.err;
      EXPECT_EQ(result.err, "");
      ++files;
    }
  EXPECT_GE(files, 15u);
}

TEST_F(Cli, VerifyExitCodesAndReport) {
  const std::string cache = (directory_ / "cache").string();
  const std::string product = (kSource / "examples/vector_product.leto").string();
  const Result proved = leto({"verify", product, "--cache", cache});
  EXPECT_EQ(proved.code, 0) << proved.out << proved.err;
  EXPECT_NE(proved.out.find("16 proved of 16 claims"), std::string::npos) << proved.out;
  const Result again = leto({"verify", product, "--cache", cache});
  EXPECT_NE(again.out.find("from the cache"), std::string::npos) << again.out;
  const Result refuted = leto(
      {"verify", (kSource / "tests/refutes/product_unrelated_inputs.leto").string(), "--no-cache"});
  EXPECT_EQ(refuted.code, 1);
  EXPECT_NE(refuted.out.find("refuted"), std::string::npos);
  EXPECT_NE(refuted.out.find("x<o> = ["), std::string::npos) << refuted.out;
  const Result vacuous =
      leto({"verify", (kSource / "tests/refutes/rule02_contradictory_requires.leto").string(),
            "--no-cache"});
  EXPECT_EQ(vacuous.code, 1);
  EXPECT_NE(vacuous.out.find("contradicts itself"), std::string::npos);
  const Result undecided = leto({"verify", product, "--no-cache", "--resource", "1"});
  EXPECT_EQ(undecided.code, 2) << undecided.out;
  EXPECT_NE(undecided.out.find("stopped at its resource limit"), std::string::npos)
      << undecided.out;
  EXPECT_EQ(leto({"verify", file("bad.leto", kBad), "--no-cache"}).code, 3);
  EXPECT_EQ(leto({"verify"}).code, 4);
}

TEST_F(Cli, AProgramThatDoesNotParseIsRefusedByEveryCommand) {
  const std::string program =
      file("broken.leto", "real f(real x) {\n    real old = 1;\n    x = ;\n    return x;\n}\n");
  for (const char* command :
       {"verify", "infer", "stats", "stability", "reliability", "core", "run", "inject", "emit"}) {
    const Result r = leto({command, program});
    EXPECT_EQ(r.code, 3) << command << "\n" << r.out << r.err;
    EXPECT_NE(r.err.find("broken.leto:2:10: error"), std::string::npos) << command << r.err;
    EXPECT_EQ(r.err.find("internal error"), std::string::npos) << command << r.err;
  }
}

// A bound that rests on another function's clause is no better than that clause.
TEST_F(Cli, ReliabilityRestsOnClauses) {
  const std::string program = (kSource / "examples/reliability/filter.leto").string();
  EXPECT_EQ(leto({"reliability", program}).code, 0);
  const Result naive = leto({"reliability", program, "--no-recovery-rule"});
  EXPECT_EQ(naive.code, 1);
  EXPECT_EQ(naive.out.find("holds"), std::string::npos) << naive.out;
  EXPECT_NE(naive.out.find("it rests on the clause of 'tap'"), std::string::npos) << naive.out;
  const json j =
      json::parse(leto({"reliability", program, "--no-recovery-rule", "--format", "json"}).out);
  EXPECT_EQ(j["programs"][0]["bounds"][1]["rests_on"], "tap");
  EXPECT_EQ(j["programs"][0]["bounds"][1]["holds"], false);
}

TEST_F(Cli, ReliabilitySaysWhatToDo) {
  const Result slow = leto({"reliability", (kSource / "examples/reliability/power.leto").string()});
  EXPECT_EQ(slow.code, 1);
  EXPECT_NE(slow.out.find("it would hold with model.p of at most 0.000501128"), std::string::npos);
  EXPECT_NE(slow.out.find("put it into 'try'"), std::string::npos);
  const Result copies =
      leto({"reliability", (kSource / "examples/reliability/copies.leto").string()});
  EXPECT_EQ(copies.code, 1);
  EXPECT_NE(copies.out.find("it may pass what is wrong"), std::string::npos);
  EXPECT_NE(copies.out.find("as with x = "), std::string::npos) << copies.out;
  EXPECT_NE(copies.out.find(" and '*' at "), std::string::npos) << copies.out;
  EXPECT_NE(copies.out.find("as long as the rule for recovery cannot be used"), std::string::npos);
}

TEST_F(Cli, ExternalFunctionsAreNamed) {
  const std::string program = (kSource / "examples/reliability/distance.leto").string();
  const Result verified = leto({"verify", program});
  EXPECT_EQ(verified.code, 0);
  EXPECT_NE(verified.out.find("rests on what is declared of external functions: root"),
            std::string::npos);
  const json j = json::parse(leto({"reliability", program, "--format", "json"}).out);
  EXPECT_EQ(j["programs"][0]["declared"][0]["function"], "root");
  const Result run = leto({"run", program, "--function", "root", "--random-input"});
  EXPECT_NE(run.code, 0);
  EXPECT_NE(run.err.find("is external"), std::string::npos);
  // One function in its place is not every function that could be there.
  const std::string guess =
      file("guess.leto", "extern int guess(int x);\nint f(int x) {\n    return guess(x);\n}\n");
  const Result tried = leto({"run", guess, "--random-input", "--exhaustive"});
  EXPECT_EQ(tried.code, 2) << tried.out << tried.err;
  EXPECT_NE(tried.out.find("had one result for each"), std::string::npos) << tried.out;
  // Its stand-in goes wrong as often as is declared.
  const Result injected = leto({"inject", program, "--runs", "20000", "--format", "json"});
  const json counts = json::parse(injected.out)["classes"];
  EXPECT_GT(counts["masked"]["high"].get<double>(), 0.9999);
  EXPECT_LT(counts["masked"]["low"].get<double>(), 0.9999);
  // And if it does, it gives what its contract allows.
  const std::string wrong =
      file("wrong.leto",
           "ensures result >= 3\nreliability result >= 0.5 * R(x)\nextern int guess(int x);\n\n"
           "requires_r eq(*)\nint f(int x) {\n    int y = guess(x);\n    assert y >= 3;\n"
           "    return y;\n}\n");
  const json classes =
      json::parse(leto({"inject", wrong, "--function", "f", "--runs", "400", "--format", "json"})
                      .out)["classes"];
  EXPECT_GT(classes["acceptable"]["runs"].get<int>(), 100);
  EXPECT_EQ(classes["detected"]["runs"], 0);
}

// Each program in tests/unrolled says with which N it ends how, and what is said then.
TEST_F(Cli, UnrollSaysWhatItHasLookedAt) {
  std::size_t tried = 0;
  for (const auto& entry : std::filesystem::directory_iterator(LETO_SOURCE_DIR "/tests/unrolled")) {
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      static const std::regex kWanted(R"(// --unroll (\d+): (\d), (.*))");
      std::smatch wanted;
      if (!std::regex_match(line, wanted, kWanted)) continue;
      ++tried;
      const Result r = leto({"verify", entry.path().string(), "--unroll", wanted[1].str()});
      EXPECT_EQ(std::to_string(r.code), wanted[2].str()) << entry.path() << "\n" << r.out << r.err;
      EXPECT_NE(r.out.find(wanted[3].str()), std::string::npos) << line << "\n" << r.out;
      // What was not looked at wholly is not called proved anywhere.
      EXPECT_EQ(r.out.find("proved: nothing goes beyond") == std::string::npos, r.code != 0);
    }
  }
  EXPECT_GT(tried, 20u);
}

TEST_F(Cli, UnrollIsToldToMachines) {
  const std::string program = LETO_SOURCE_DIR "/tests/unrolled/largest.leto";
  const auto told = [&](const char* most) {
    const Result r = leto({"verify", program, "--unroll", most, "--format", "json"});
    return json::parse(r.out)["verifications"][0];
  };
  EXPECT_EQ(told("4")["unrolled"]["result"], "proved");
  EXPECT_EQ(told("2")["unrolled"]["result"], "no-counterexample");
  EXPECT_EQ(told("2")["status"], "unknown");
  EXPECT_EQ(told("2")["unrolled"]["up_to"], 2);
  // A proof up to a bound is not remembered as one without, nor is one that took invariants.
  EXPECT_TRUE(
      json::parse(leto({"verify", program, "--format", "json"}).out)["verifications"][0]["unrolled"]
          .is_null());
  EXPECT_EQ(told("1")["unrolled"]["result"], "no-counterexample");
  const json sarif =
      json::parse(leto({"verify", program, "--unroll", "2", "--format", "sarif"}).out);
  EXPECT_EQ(sarif["runs"][0]["properties"]["unrolled"][0]["result"], "no-counterexample");
}

// A bounded proof trusts nobody, and misses no invariant.
TEST_F(Cli, UnrollGoesWithoutTrustAndSuggestions) {
  const std::string program = LETO_SOURCE_DIR "/tests/unrolled/largest.leto";
  for (const char* other : {"--trust-original", "--suggest", "--apply"})
    EXPECT_EQ(leto({"verify", program, "--unroll", "3", other}).code, 4) << other;
  EXPECT_EQ(leto({"verify", program, "--unroll", "0"}).code, 4);
}

// Runs that say nothing are said first if they are many, and why.
TEST_F(Cli, InjectSaysWhyRunsSayNothing) {
  const std::string endless = file(
      "endless.leto",
      "void f(uint n, vector<int> v(n)) {\n    assert forall(int i)(i < n -> v[i] < 1000);\n}\n");
  const std::string said = leto({"inject", endless, "--runs", "50"}).out;
  const std::size_t first = said.find("50 of 50 runs say nothing, more than a tenth");
  EXPECT_LT(first, said.find("masked")) << said;
  EXPECT_NE(said.find("100.000 %  of all runs say nothing; the shares above are of the others"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("no lower bound was found for 'i' (endless.leto:2"), std::string::npos)
      << said;
  EXPECT_EQ(said.find("original run failed"), std::string::npos) << said;
  const json machine =
      json::parse(leto({"inject", endless, "--runs", "50", "--format", "json"}).out);
  EXPECT_EQ(machine["void_causes"][0]["runs"], 50);
  const std::string failing = file("failing.leto", "void f(int n) {\n    assert n > 0;\n}\n");
  const std::string failed = leto({"inject", failing, "--runs", "50"}).out;
  EXPECT_NE(failed.find("the original run failed"), std::string::npos) << failed;
}

// A core that is wrong in the same way each time.
const char* const kMercurial =
    "model mercurial {\n    const bool bad(int a, int b);\n    const int wrong(int a, int b);\n"
    "    requires forall(int a, int b)(bad(a, b) -> wrong(a, b) != a * b);\n"
    "    requires forall(int a, int b)(!(bad(a, b) && bad(b, a)));\n"
    "    operator *(int a, int b)\n        when !bad(a, b)\n        ensures result == a * b;\n"
    "    @label(wrong)\n    operator *(int a, int b)\n        when bad(a, b)\n"
    "        ensures result == wrong(a, b);\n}\nuse model mercurial;\n"
    "requires_r eq(*)\nensures_r eq(result)\nint f(int x, int y) {\n    int p = x *. y;\n"
    "    int q = x *. y;\n    if (p != q) {\n        p = x * y;\n    }\n    return p;\n}\n"
    "reliability 0 <= R(result)\nint g(int x) {\n    return x *. x;\n}\n";

TEST_F(Cli, FunctionsThatNobodyKnowsAreDrawnAndRepeated) {
  const std::string program = file("mercurial.leto", kMercurial);
  const json drawn = json::parse(
      leto({"inject", program, "--function", "f", "--runs", "400", "--format", "json"}).out);
  EXPECT_GT(drawn["classes"]["sdc"]["runs"].get<int>(), 50);
  EXPECT_GT(drawn["fault_free"]["masked"].get<int>(), 50);
  EXPECT_EQ(drawn["classes"]["void"]["runs"], 0);
  // Given inputs do not say what the functions are.
  const json given = json::parse(leto({"inject", program, "--function", "f", "--runs", "400",
                                       "--format", "json", "--input", R"({"x": 3, "y": 4})"})
                                     .out);
  EXPECT_GT(given["classes"]["sdc"]["runs"].get<int>(), 50);
  EXPECT_GT(given["fault_free"]["masked"].get<int>(), 50);
  // A script has what they were, so that the same is found again.
  const std::string script =
      R"({"inputs": {"x": 3, "y": 4}, "faults": [], "functions": {"bad": [[[3, 4], true]],)"
      R"( "wrong": [[[3, 4], 5]], "default": false}})";
  const Result again =
      leto({"run", program, "--function", "f", "--faults", script, "--format", "json"});
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  const json run = json::parse(again.out);
  EXPECT_EQ(run["functions"]["wrong"], json::parse("[[[3, 4], 5]]"));
  EXPECT_EQ(run["functions"]["bad"], json::parse("[[[3, 4], true], [[4, 3], false]]"));
  // One that breaks a constraint shows nothing.
  const std::string broken =
      R"({"inputs": {"x": 3, "y": 4}, "faults": [], "functions": {"bad": [[[3, 4], true],)"
      R"( [[4, 3], true]], "default": 5}})";
  const Result nothing = leto({"run", program, "--function", "f", "--faults", broken});
  EXPECT_EQ(nothing.code, 2) << nothing.out << nothing.err;
  EXPECT_NE(nothing.out.find("break a constraint of the model"), std::string::npos) << nothing.out;
  // All ways of the model are not all functions.
  const Result all = leto({"run", program, "--function", "f", "--random-input", "--exhaustive"});
  EXPECT_NE(all.code, 0) << all.out;
  EXPECT_NE(all.out.find("others were not tried"), std::string::npos) << all.out;
  // Nor is it a matter of chance whether they are bad.
  const Result bounds = leto({"reliability", program});
  EXPECT_NE(bounds.out.find("proved: 0 * R(x)"), std::string::npos) << bounds.out << bounds.err;
  EXPECT_NE(leto({"reliability", program, "--solve", "bad"}).err.find("is a function"),
            std::string::npos);
}

const char* const kHalf =
    "model half {\n    const real p = 0.5;\n"
    "    operator *(real a, real b)\n        ensures result == a * b;\n"
    "    @label(wrong) @rate(p)\n    operator *(real a, real b)\n        ensures true;\n}\n"
    "use model half;\n";

// What a bound rests on of an original run that was not proved stands below it, and of others
// not.
TEST_F(Cli, ReliabilitySaysWhatItTrusts) {
  const std::string program =
      file("trusts.leto",
           std::string(kHalf) +
               "requires_r eq(*)\nreliability 1 <= R(result)\nreal f(real x, real y) {\n"
               "    real z = 0;\n    try {\n        assert y == x;\n        z = x *. y;\n"
               "    } check (z == x * x) recover {\n        z = x * y;\n    }\n    return z;\n}\n"
               "requires_r eq(*)\nreliability 1 <= R(result)\nreal g(real x) {\n"
               "    return x * x;\n}\n");
  const Result text = leto({"reliability", program});
  EXPECT_EQ(text.code, 0) << text.out;
  const std::string trusted = "trusted of the original run, not proved: 1 assertions";
  const std::size_t first = text.out.find(trusted);
  EXPECT_NE(first, std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("trusted", first + 1), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("rests on an original run that ends and does not fail"),
            std::string::npos);
  const json j = json::parse(leto({"reliability", program, "--format", "json"}).out)["programs"][0];
  EXPECT_EQ(j["bounds"][0]["trusted_of_original"]["assertions"], 1);
  EXPECT_EQ(j["bounds"][1]["trusted_of_original"]["assertions"], 0);
  EXPECT_EQ(j["rests_on"]["original_run"]["assertions"], 1);
}

// A proof about a block starts from what the model's invariants say: a program that breaks them
// before has no such proof.
TEST_F(Cli, ReliabilityNeedsTheInvariantsOfTheModelToBeKept) {
  const auto bounded = [&](const std::string& name, const std::string& before) {
    return leto(
        {"reliability", file(name,
                             "model quiet {\n    const real p = 0.5;\n    bool quiet = true;\n"
                             "    invariant quiet;\n"
                             "    operator *(real a, real b)\n        ensures result == a * b;\n"
                             "    @label(noise) @rate(p)\n    operator *(real a, real b)\n"
                             "        when !quiet\n        ensures true;\n}\nuse model quiet;\n"
                             "requires_r eq(*)\nreliability 1 <= R(result)\nreal f(real x) {\n"
                             "    real z = 0;\n" +
                                 before +
                                 "    try {\n        z = x *. x;\n    } check (true) recover {\n"
                                 "        z = x * x;\n    }\n    return z;\n}\n")});
  };
  EXPECT_EQ(bounded("kept.leto", "").code, 0);
  const Result broken = bounded("broken.leto", "    model.quiet = false;\n");
  EXPECT_EQ(broken.code, 1) << broken.out;
}

// What is claimed of the original run and is no failure of it is shown before a bound rests on
// it.
TEST_F(Cli, ReliabilityDoesNotRestOnFalseContracts) {
  const auto bounded = [&](const std::string& name, const std::string& promise) {
    return leto({"reliability",
                 file(name, std::string(kHalf) + promise +
                                "real same(real x) {\n    return x;\n}\n"
                                "requires_r eq(*)\nreliability 1 <= R(result)\nreal f(real x) {\n"
                                "    real z = 0;\n    try {\n        z = same(x) *. x;\n"
                                "    } check (z == x * x) recover {\n        z = x * x;\n    }\n"
                                "    return z;\n}\n")});
  };
  EXPECT_EQ(bounded("true.leto", "ensures result == x\nensures_r eq(x) -> eq(result)\n").code, 0);
  const Result lie = bounded("false.leto", "ensures result == x && result != x\n");
  EXPECT_EQ(lie.code, 1) << lie.out;
}

TEST_F(Cli, ReliabilityDoesNotCountWhatARunContradicts) {
  const std::string program =
      file("weak.leto", std::string(kHalf) +
                            "checker weak false_positive 0 false_negative 0;\n"
                            "requires_r eq(*)\nreliability 0.9 <= R(result)\nreal f(real x) {\n"
                            "    real z = 0;\n    try {\n        z = x *. x;\n"
                            "    } check weak (true) recover {\n        z = x * x;\n    }\n"
                            "    return z;\n}\n");
  const Result r = leto({"reliability", program});
  EXPECT_EQ(r.code, 1) << r.out;
  EXPECT_NE(r.out.find("declared as 'weak', which is not so"), std::string::npos) << r.out;
}

// A block that looks back at a loop around it has no proof of its own, and that is all.
TEST_F(Cli, ReliabilityOfABlockWithALabelFromOutside) {
  const std::string program =
      file("label.leto", std::string(kHalf) +
                             "requires_r eq(*)\nreliability 0.1 <= R(result)\nreal f(real x) {\n"
                             "    real z = 0;\n    uint i = 0;\n"
                             "    @label(l) while (i < 1) {\n        i = i + 1;\n        try {\n"
                             "            assert l[i] + 1 == i;\n            z = x *. x;\n"
                             "        } check (z == x * x) recover {\n            z = x * x;\n"
                             "        }\n    }\n    return z;\n}\n");
  const Result r = leto({"reliability", program});
  EXPECT_NE(r.code, 5) << r.err;
  EXPECT_NE(r.out.find("looks at a loop around it"), std::string::npos) << r.out;
}

// Up to the value that '--solve' names, whatever is required of the constant's own.
TEST_F(Cli, SolvingForgetsWhatIsRequiredOfTheConstant) {
  const std::string program =
      file("solve.leto",
           "model m {\n    const real p = 0.001;\n    requires p <= 0.01;\n"
           "    operator *(real a, real b)\n        ensures result == a * b;\n"
           "    @label(wrong) @rate(p)\n    operator *(real a, real b)\n        ensures true;\n}\n"
           "use model m;\nrequires_r eq(*)\nreliability 0.75 <= R(result)\nreal f(real x) {\n"
           "    real z = 0;\n    try {\n        z = x *. x;\n"
           "    } check (z == x * x || model.p > 0.01) recover {\n        z = x *. x;\n    }\n"
           "    return z;\n}\n");
  const Result r = leto({"reliability", program, "--solve", "p"});
  EXPECT_EQ(r.out.find("p = 0.5"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("p = 0.13397459"), std::string::npos) << r.out;  // without the rule
}

// What keeps a file from being verified is in every format, and on the terminal.
TEST_F(Cli, VerifyReportsWhatItCannotRead) {
  const std::string bad = file("bad.leto", "void f( {\n");
  for (const std::string& path : {bad, std::string("missing.leto")})
    for (const char* format : {"json", "sarif", "junit"}) {
      const Result r = leto({"verify", path, "--format", format});
      EXPECT_EQ(r.code, 3);
      EXPECT_FALSE(r.err.empty()) << format;
      if (std::string(format) == "json") {
        EXPECT_FALSE(json::parse(r.out)["diagnostics"].empty()) << r.out;
      } else if (std::string(format) == "sarif") {
        EXPECT_FALSE(json::parse(r.out)["runs"].back()["results"].empty()) << r.out;
      } else {
        EXPECT_NE(r.out.find("<error message="), std::string::npos) << r.out;
      }
    }
}

// A run in which the original fails breaks what is claimed of it.
TEST_F(Cli, RunsOfAnOriginalThatFailsDoNotHold) {
  const std::string program = file("fails.leto",
                                   "void f(int x) {\n    assert x > 0;\n}\n"
                                   "void g(int x) {\n    assume x > 0;\n}\n");
  EXPECT_EQ(leto({"run", program, "--function", "f", "--input", R"({"x": 0})"}).code, 1);
  EXPECT_EQ(leto({"run", program, "--function", "g", "--input", R"({"x": 0})"}).code, 2);
}

// What a solver gives up on is neither a failure nor a success.
TEST_F(Cli, ReliabilityCanBeUndecided) {
  const std::string program =
      file("hard.leto", std::string(kHalf) +
                            "requires_r eq(*)\nreliability 1 <= R(result)\nreal f(real x) {\n"
                            "    real z = 0;\n    try {\n        z = x *. x;\n"
                            "    } check (z == x * x) recover {\n"
                            "        z = (x + 1) * (x - 1) + 1;\n    }\n    return z;\n}\n");
  EXPECT_EQ(leto({"reliability", program, "--no-cache"}).code, 0);
  const Result poor = leto({"reliability", program, "--no-cache", "--resource", "1"});
  EXPECT_EQ(poor.code, 2) << poor.out << poor.err;
  EXPECT_NE(poor.out.find("which is undecided"), std::string::npos) << poor.out;
  EXPECT_NE(poor.out.find("  unknown "), std::string::npos) << poor.out;
  EXPECT_EQ(poor.out.find("holds"), std::string::npos) << poor.out;
}

TEST_F(Cli, ReliabilityOfTheExample) {
  const std::string program = (kSource / "examples/reliability/pagerank.leto").string();
  const Result good = leto({"reliability", program, "--explain"});
  EXPECT_EQ(good.code, 0) << good.out << good.err;
  EXPECT_NE(good.out.find("proved to pass only what is right"), std::string::npos) << good.out;
  EXPECT_NE(good.out.find("proved: 1 * R("), std::string::npos) << good.out;
  const Result naive = leto({"reliability", program, "--no-recovery-rule"});
  EXPECT_EQ(naive.code, 1);
  EXPECT_NE(naive.out.find("FAILS"), std::string::npos) << naive.out;
  EXPECT_NE(naive.out.find("0.976273986"), std::string::npos) << naive.out;
  const json j = json::parse(leto({"reliability", program, "--format", "json"}).out);
  EXPECT_EQ(j.at("programs").at(0).at("bounds").at(0).at("holds"), true);
  EXPECT_EQ(j.at("programs").at(0).at("checks").at(0).at("known"), "proved");
  const Result solved = leto({"reliability", program, "--solve", "p"});
  EXPECT_NE(solved.out.find("all bounds hold up to p = 1\n"), std::string::npos) << solved.out;
  const Result unknown = leto({"reliability", program, "--solve", "none"});
  EXPECT_EQ(unknown.code, 4);
  EXPECT_NE(unknown.err.find("there is model.p"), std::string::npos);
}

TEST_F(Cli, VerifyJson) {
  const Result result =
      leto({"verify", (kSource / "tests/refutes/rule05_original_iterates_alone.leto").string(),
            "--no-cache", "--format", "json"});
  const json v = json::parse(result.out).at("verifications").at(0);
  EXPECT_EQ(v.at("status"), "refuted");
  bool seen = false;
  for (const json& claim : v.at("claims"))
    if (claim.at("status") == "refuted") {
      EXPECT_EQ(claim.at("kind"), "invariant-kept");
      EXPECT_EQ(claim.at("situation"), "when only the original run iterates");
      const json& e = claim.at("explanation");
      EXPECT_EQ(e.at("cause"), "real");
      EXPECT_TRUE(e.at("run").at("script").contains("inputs"));
      EXPECT_FALSE(e.at("run").at("steps").empty());
      EXPECT_FALSE(e.at("run").at("claim").empty());
      seen = true;
    }
  EXPECT_TRUE(seen);
}

TEST_F(Cli, AFailingRunCanBeRepeatedByTheLineThatIsPrinted) {
  const std::string program = (kSource / "tests/refutes/rule04_runs_part.leto").string();
  const Result shown = leto({"verify", program, "--no-cache", "-q"});
  const std::size_t again = shown.out.find("again   leto run ");
  ASSERT_NE(again, std::string::npos) << shown.out;
  const std::size_t from = again + std::string_view("again   leto ").size();
  const std::string line = shown.out.substr(from, shown.out.find('\n', from) - from);
  const Result r = shell(std::string(LETO_BINARY) + " " + line);
  EXPECT_EQ(r.code, 1) << r.out << r.err;
  EXPECT_NE(r.out.find("assert_r does not hold"), std::string::npos) << r.out;
  EXPECT_EQ(leto({"run", program, "--faults", "{\"faults\": ["}).code, 3);
}

TEST_F(Cli, SuggestionsCloseTheClaimTheyAreMadeFor) {
  const std::string text = read_file(kSource / "tests/refutes/weak_divisor.leto");
  const std::string program = file("weak.leto", text);
  const Result none = leto({"verify", program, "--no-cache", "-q", "--no-explain"});
  EXPECT_EQ(none.code, 1);
  EXPECT_EQ(none.out.find("NOT EXCLUDED"), std::string::npos) << none.out;
  const Result shown = leto({"verify", program, "--no-cache", "-q", "--suggest"});
  EXPECT_EQ(shown.code, 1);
  for (const char* expected :
       {"NOT EXCLUDED", "No run was found", "add to this loop:\n      invariant"})
    EXPECT_NE(shown.out.find(expected), std::string::npos) << expected << "\n" << shown.out;
  EXPECT_EQ(read_file(program), text);
  const Result written = leto({"verify", program, "--no-cache", "-q", "--apply"});
  EXPECT_EQ(written.code, 1);
  EXPECT_NE(written.err.find("written into"), std::string::npos) << written.err;
  EXPECT_NE(read_file(program), text);
  EXPECT_EQ(leto({"verify", program, "--no-cache", "-q"}).code, 0);
  EXPECT_EQ(leto({"fmt", "--check", program}).code, 0);
  // Nothing to suggest, nothing to write.
  const Result real = leto({"verify", (kSource / "tests/refutes/rule04_runs_part.leto").string(),
                            "--no-cache", "-q", "--suggest"});
  EXPECT_NE(real.out.find("no invariant was found that would close a claim"), std::string::npos)
      << real.out;
}

// '-' is the standard input: read where something is read, once, and refused where it makes no
// sense before anything is done.
TEST_F(Cli, TheStandardInputIsReadOnceAndNeverWritten) {
  const std::string text = "int f(int n) {\n    assert n != 3;\n    return n;\n}\n";
  const std::string program = file("p.leto", text);
  EXPECT_EQ(leto({"run", program, "--input", "-"}, R"({"n": 3})").code, 1);
  EXPECT_EQ(leto({"run", program, "--input", "-"}, R"({"n": 4})").code, 0);
  EXPECT_EQ(leto({"run", program, "--faults", "-"}, R"({"inputs": {"n": 3}, "faults": []})").code,
            1);
  EXPECT_EQ(leto({"run", "-", "--input", R"({"n": 3})"}, text).code, 1);
  EXPECT_EQ(leto({"inject", program, "--runs", "1", "--input", "-"}, R"({"n": 4})").code, 0);
  const std::vector<std::pair<std::vector<std::string>, std::string>> refused = {
      {{"run", "-", "--input", "-"}, "FILE and --input both ask for the standard input"},
      {{"run", program, "--input", "-", "--faults", "-"}, "--input and --faults both ask"},
      {{"inject", "-", "--input", "-"}, "FILE and --input both ask"},
      {{"run", program, "--input", "{}", "--save", "-"}, "the script is written to a file"},
      {{"inject", program, "--plot", "-"}, "the chart is written to a file"},
      {{"verify", program, "--dump", "-"}, "the questions are written to a directory"},
      {{"refine", "-"}, "a model is not read from the standard input"},
      {{"verify", program, "--model", "-"}, "a model is not read from the standard input"},
      {{"run", program, "--model", "-"}, "a model is not read from the standard input"},
      {{"verify", "-", "--apply"}, "--apply writes into files, and '-' is none"},
      {{"infer", program, "-", "--in-place"}, "--in-place writes into files, and '-' is none"}};
  for (const auto& [arguments, expected] : refused) {
    const Result result = leto(arguments, text);
    EXPECT_EQ(result.code, 4) << expected << "\n" << result.err;
    EXPECT_NE(result.err.find(expected), std::string::npos) << expected << "\n" << result.err;
    EXPECT_EQ(result.out, "") << expected;
  }
}

TEST_F(Cli, TheStandardInputHasOneNameAndNoUri) {
  const std::string text = "int f(int n) {\n    assert n != 3;\n    return n;\n}\n";
  const json machine = json::parse(leto({"verify", "-", "--format", "json"}, text).out);
  const json& one = machine.at("verifications").at(0);
  EXPECT_EQ(one.at("file"), "<stdin>");
  EXPECT_EQ(one.at("claims").at(0).at("file"), "<stdin>") << one.dump(1);
  EXPECT_EQ(one.at("rests_on").at("files").at(0).at("path"), "<stdin>");
  for (const char* command : {"verify", "check"}) {
    const std::string wrong = std::string(command) == "check" ? "int f() { return x; }\n" : text;
    const Result sarif = leto({command, "-", "--format", "sarif"}, wrong);
    EXPECT_EQ(sarif.out.find("%3Cstdin"), std::string::npos) << sarif.out;
    const json place = json::parse(sarif.out)
                           .at("runs")
                           .at(0)
                           .at("results")
                           .at(0)
                           .at("locations")
                           .at(0)
                           .at("physicalLocation");
    EXPECT_FALSE(place.at("artifactLocation").contains("uri"));
    EXPECT_EQ(place.at("artifactLocation").at("description").at("text"), "the standard input");
  }
}

// What is written in has the line ends of the file, and nothing else is touched.
TEST_F(Cli, InvariantsAreWrittenInWithTheLineEndsOfTheFile) {
  std::string text, odd = "//  not   in the house style\r\n";
  for (const char c : read_file(kSource / "tests/refutes/weak_divisor.leto"))
    text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const std::string program = file("weak.leto", odd + text + "int   odd( ){return 1;}\r\n");
  EXPECT_EQ(leto({"verify", program, "--no-cache", "-q", "--apply"}).code, 1);
  const std::string now = read_file(program);
  EXPECT_EQ(std::count(now.begin(), now.end(), '\n'), std::count(now.begin(), now.end(), '\r'));
  EXPECT_TRUE(now.starts_with(odd)) << now;
  EXPECT_TRUE(now.ends_with("int   odd( ){return 1;}\r\n")) << now;
  EXPECT_NE(now.find("\r\n        invariant"), std::string::npos) << now;
  EXPECT_EQ(leto({"verify", program, "--no-cache", "-q"}).code, 0);
}

TEST_F(Cli, StabilityReportsTheSpreadAndFailsOnFlips) {
  const std::string product = (kSource / "examples/vector_product.leto").string();
  const Result stable = leto({"stability", product, "--seeds", "3"});
  EXPECT_EQ(stable.code, 0) << stable.out << stable.err;
  EXPECT_NE(stable.out.find("0 flip, 0 proved with none"), std::string::npos) << stable.out;
  const json j = json::parse(leto({"stability", product, "--seeds", "2", "--format", "json"}).out);
  EXPECT_EQ(j.at("programs").at(0).at("seeds"), 2);
  EXPECT_GT(j.at("programs").at(0).at("hardest").get<std::uint64_t>(), 0u);
  // A limit that some seeds keep and others do not.
  bool flipped = false;
  for (int limit = 400; limit < 2000 && !flipped; limit += 50) {
    const Result r = leto(
        {"stability", product, "--seeds", "6", "--resource", std::to_string(limit), "--no-infer"});
    flipped = r.code == 1;
    if (flipped) {
      EXPECT_NE(r.out.find("FLIPS"), std::string::npos) << r.out;
      EXPECT_NE(r.out.find("by luck"), std::string::npos) << r.out;
    }
  }
  EXPECT_TRUE(flipped);
}

TEST_F(Cli, VerifySarifAndJunit) {
  const std::string program = (kSource / "tests/refutes/rule04_runs_part.leto").string();
  const json log = json::parse(leto({"verify", program, "--no-cache", "--format", "sarif"}).out);
  EXPECT_EQ(log.at("version"), "2.1.0");
  const json& result = log.at("runs").at(0).at("results").at(0);
  EXPECT_EQ(result.at("ruleId"), "assert_r");
  EXPECT_EQ(result.at("level"), "error");
  EXPECT_EQ(result.at("properties").at("cause"), "real");
  const json& threads = result.at("codeFlows").at(0).at("threadFlows");
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_EQ(threads.at(0).at("id"), "original");
  EXPECT_EQ(threads.at(1).at("id"), "relaxed");
  bool fault = false;
  for (const json& step : threads.at(1).at("locations"))
    fault =
        fault ||
        step.at("location").at("message").at("text").get<std::string>().find("fault: mul_upset") !=
            std::string::npos;
  EXPECT_TRUE(fault) << threads.dump(2);
  EXPECT_GT(
      result.at("locations").at(0).at("physicalLocation").at("region").at("startLine").get<int>(),
      1);
  const std::string junit = leto({"verify", program, "--no-cache", "--format", "junit"}).out;
  EXPECT_NE(junit.find("failures=\"1\""), std::string::npos) << junit;
  EXPECT_NE(junit.find("<failure message=\"refuted\">"), std::string::npos) << junit;
}

TEST_F(Cli, VerifyUnderSeveralModelsPrintsAMatrix) {
  const std::string product = (kSource / "examples/vector_product.leto").string();
  const Result result = leto({"verify", product, "-m", "additive_seu", "-m", "multicycle", "-m",
                              "refined_seu", "--no-cache"});
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("  additive_seu  proved\n"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("  multicycle    proved\n"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("  refined_seu   follows from multicycle\n"), std::string::npos)
      << result.out;
  const Result all = leto({"verify", product, "--all-models", "--no-cache"});
  EXPECT_EQ(all.code, 1);  // switchable_rowhammer's eps can be zero
  EXPECT_NE(all.out.find("does not fit: model 'reliable' has no state variable or constant 'eps'"),
            std::string::npos)
      << all.out;
}

TEST_F(Cli, TheOriginalRunIsProvedUnlessItIsTrusted) {
  // The original run may index out of bounds.
  const std::string text =
      "requires_r eq(*)\nreal f(uint n, vector<real> v(n), uint i) {\n    return v[i];\n}\n";
  const std::string program = file("trust.leto", text);
  const Result absolute = leto({"verify", program, "--no-cache"});
  EXPECT_EQ(absolute.code, 1);
  EXPECT_NE(absolute.out.find("out of bounds, in the original run"), std::string::npos)
      << absolute.out;
  EXPECT_EQ(absolute.out.find("relative"), std::string::npos);
  // What is relative is called so in the first line and in the summary, and for machines.
  const Result relative = leto({"verify", program, "--no-cache", "--trust-original"});
  EXPECT_EQ(relative.code, 0);
  const std::string first = relative.out.substr(0, relative.out.find('\n'));
  EXPECT_NE(first.find("relative: trusts 0 assertions, 1 checks"), std::string::npos) << first;
  EXPECT_NE(relative.out.find("relative: trusts", first.size()), std::string::npos) << relative.out;
  const auto machine = nlohmann::json::parse(
      leto({"verify", program, "--no-cache", "--trust-original", "--format", "json"}).out);
  EXPECT_TRUE(machine["verifications"][0]["relative"].is_string());
  const auto sarif = nlohmann::json::parse(
      leto({"verify", program, "--no-cache", "--trust-original", "--format", "sarif"}).out);
  EXPECT_EQ(sarif["runs"][0]["properties"]["relative"].size(), 1u);
  EXPECT_NE(leto({"verify", program, "--no-cache", "--trust-original", "--format", "junit"})
                .out.find("relative: trusts"),
            std::string::npos);
  EXPECT_FALSE(nlohmann::json::parse(leto({"verify", program, "--no-cache", "--format", "json"})
                                         .out)["verifications"][0]["relative"]
                   .get<bool>());
}

TEST_F(Cli, WhatIsAssumedOfTheOriginalIsSaid) {
  const std::string program =
      file("assume.leto", "requires_r eq(*)\nvoid f(int x) {\n    assume x > 0;\n}\n");
  const Result r = leto({"verify", program, "--no-cache"});
  EXPECT_EQ(r.code, 0) << r.out;
  EXPECT_NE(r.out.find("rests on 1 'assume' of the original run"), std::string::npos) << r.out;
}

TEST_F(Cli, NumbersThatMakeNoSenseAreUsageErrors) {
  const std::string program = file("empty.leto", "void f() {}\n");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"inject", program, "-n", "-5"},
        {"inject", program, "--runs", "0"},
        {"inject", program, "--jobs", "-1"},
        {"inject", program, "--seed", "-1"},
        {"run", program, "--steps", "-3"},
        {"verify", program, "--time", "-1"},
        {"verify", program, "--question-time", "0"},
        {"verify", program, "--resource", "-7"},
        {"verify", program, "--memory", "0"},
        {"verify", program, "--jobs", "-2"},
        {"verify", program, "--steps", "none"},
        {"check", program, "--max-errors", "-1"}}) {
    const Result r = leto(arguments);
    EXPECT_EQ(r.code, 4) << arguments.back() << r.out << r.err;
    EXPECT_NE(r.err.find(arguments[2].substr(arguments[2].find_first_not_of('-'))),
              std::string::npos)
        << r.err;
  }
}

TEST_F(Cli, AModelThatDoesNotParseIsAnErrorAndNotAnEmptyOne) {
  std::filesystem::create_directories(directory_ / "models");
  file("models/bent.leto", "model bent {\n    bool upset = ;\n    operator * ensures +;\n}\n");
  const std::string program =
      file("program.leto", "requires_r eq(n)\nint f(int n) {\n    return n + 1;\n}\n");
  const Result all = leto({"verify", program, "--no-cache", "--all-models", "--model-path",
                           (directory_ / "models").string()});
  EXPECT_EQ(all.code, 3) << all.out;
  EXPECT_NE(all.err.find("bent.leto:2"), std::string::npos) << all.err;
  EXPECT_EQ(leto({"models", "--model-path", (directory_ / "models").string()}).code, 3);
}

TEST_F(Cli, AFileThatDoesNotParseIsToldToEveryProgramThatImportsIt) {
  file("library.leto", "int twice(int x) {\n    return x ** 2;\n}\n");
  const std::string text = "import \"library.leto\";\n\nint f(int n) {\n    return n;\n}\n";
  const std::string one = file("one.leto", text), two = file("two.leto", text);
  for (const char* command : {"verify", "check", "reliability", "infer", "stats"}) {
    const Result r = leto({command, one, two});
    EXPECT_EQ(r.code, 3) << command << r.out << r.err;
    EXPECT_NE(r.err.find("library.leto:2"), std::string::npos) << command << r.err;
  }
}

TEST_F(Cli, WhereNoModelFitsNothingIsProved) {
  const std::string program =
      file("unfit.leto", "requires_r eq(*)\nvoid f(int x) {\n    assert_r model.unheard_of;\n}\n");
  const Result r = leto({"verify", program, "--no-cache", "--all-models"});
  EXPECT_EQ(r.code, 3) << r.out;
  EXPECT_NE(r.err.find("no model fits"), std::string::npos) << r.err;
}

TEST_F(Cli, AProofDoesNotFollowIntoAModelWhoseStateTheProgramSets) {
  file("pair.leto",
       "model calm {\n    bool primed = false;\n\n    @label(right)\n    operator +(int a, int "
       "b)\n"
       "        ensures result == a + b;\n}\n\nmodel touchy refines calm {\n"
       "    invariant !primed;\n\n    operator +(int a, int b)\n        refines calm.right\n"
       "        ensures primed || result == a + b;\n}\n");
  const std::string program = file(
      "primes.leto",
      "import \"pair.leto\";\n\nrequires_r eq(*)\nint f(int x) {\n"
      "    model.primed = true;\n    int y = x +. 4;\n    assert_r eq(y);\n    return y;\n}\n");
  const std::string models = (directory_ / "pair.leto").string();
  const Result r = leto({"verify", program, "--no-cache", "--model", models + ":calm", "--model",
                         models + ":touchy"});
  EXPECT_EQ(r.code, 1) << r.out;
  EXPECT_EQ(r.out.find("follows"), std::string::npos) << r.out;
}

// Two models of one name, in two files: one exact, one not.
TEST_F(Cli, AProofFollowsOnlyForTheSameModel) {
  const std::string same =
      "requires_r eq(*)\nreal f(real x) {\n    real y = x *. x;\n    assert_r eq(y);\n"
      "    return y;\n}\n";
  const std::string exact =
      "model top {\n    @label(p)\n    operator *(real a, real b)\n        ensures result == a * "
      "b;"
      "\n}\n";
  const std::string any =
      "model top {\n    @label(p)\n    operator *(real a, real b)\n        ensures true;\n}\n";
  const std::string below = "model below refines top {\n    import top.p;\n}\n";
  const std::string program = file("same.leto", same);
  const std::string good = file("good.leto", exact + below), bad = file("bad.leto", any + below);
  // Of the same file it follows.
  const Result fine =
      leto({"verify", program, "--no-cache", "--model", good + ":top", "--model", good + ":below"});
  EXPECT_EQ(fine.code, 0) << fine.out << fine.err;
  EXPECT_NE(fine.out.find("follows from top"), std::string::npos) << fine.out;
  const Result other =
      leto({"verify", program, "--no-cache", "--model", good + ":top", "--model", bad + ":below"});
  EXPECT_EQ(other.code, 1) << other.out;
  EXPECT_EQ(other.out.find("follows"), std::string::npos) << other.out;
  // Both have their line in the table.
  const Result both =
      leto({"verify", program, "--no-cache", "--model", bad + ":top", "--model", good + ":top"});
  EXPECT_EQ(both.code, 1) << both.out;
  EXPECT_NE(both.out.find("bad.leto:top   refuted\n"), std::string::npos) << both.out;
  EXPECT_NE(both.out.find("good.leto:top  proved\n"), std::string::npos) << both.out;
  // A refinement that holds in one program says nothing of another program's.
  const std::string loose =
      exact +
      "model below refines top {\n    operator *(real a, real b)\n        refines top.p\n"
      "        ensures true;\n}\n";
  const Result two =
      leto({"verify", file("one.leto", exact + below + same), file("two.leto", loose + same),
            "--no-cache", "--model", "top", "--model", "below"});
  EXPECT_EQ(two.code, 1) << two.out;
  EXPECT_EQ(two.out.find("two.leto under below\n  follows"), std::string::npos) << two.out;
}

// The file of a model can bring in what changes the program.
TEST_F(Cli, AProofFollowsOnlyForTheSameProgram) {
  const std::string program =
      file("open.leto",
           "requires_r eq(*)\nreal f(real x) {\n    real y = x *. x;\n    assert_r eq(y);\n"
           "    return y;\n}\n");
  file("upper.leto",
       "model upper {\n    const real k;\n\n    @label(p)\n    operator *(real a, real b)\n"
       "        ensures result == a * b;\n}\n");
  const std::string lower =
      "import \"upper.leto\";\n\nmodel lower refines upper {\n"
      "    upper.k = 1;\n    import upper.p;\n}\n";
  const auto both = [&](const std::string& text) {
    return leto({"verify", program, "--no-cache", "--model", "upper", "--model",
                 file("lower.leto", text) + ":lower"});
  };
  const Result same = both(lower);
  EXPECT_EQ(same.code, 0) << same.out << same.err;
  EXPECT_NE(same.out.find("follows from upper"), std::string::npos) << same.out;
  const Result impossible = both(lower + "\nconst int n;\nrequires n > 1 && n < 1;\n");
  EXPECT_EQ(impossible.code, 1) << impossible.out;
  EXPECT_EQ(impossible.out.find("follows"), std::string::npos) << impossible.out;
  // What is required can be met under the one and not under the other.
  const std::string strict =
      file("strict.leto",
           "requires model.k > 2\nrequires_r eq(*)\nreal f(real x) {\n    real y = x *. x;\n"
           "    assert_r eq(y);\n    return y;\n}\n");
  const Result vacuous = leto({"verify", strict, "--no-cache", "--model", "upper", "--model",
                               file("lower.leto", lower) + ":lower"});
  EXPECT_EQ(vacuous.code, 1) << vacuous.out;
  EXPECT_EQ(vacuous.out.find("follows"), std::string::npos) << vacuous.out;
  // Also where a local variable, or the test of a loop, stands between.
  for (const char* start : {"real k = model.k;\n    assume k > 2;\n",
                            "real n = 0;\n    while (model.k == 1) {\n"
                            "        n = n + 1;\n    }\n"}) {
    const std::string around =
        file("around.leto", "requires_r eq(*)\nreal f(real x) {\n    " + std::string(start) +
                                "    real y = x *. x;\n    assert_r eq(y);\n    return y;\n}\n");
    const Result r = leto({"verify", around, "--no-cache", "--model", "upper", "--model",
                           file("lower.leto", lower) + ":lower"});
    EXPECT_EQ(r.code, 1) << r.out << r.err;
    EXPECT_EQ(r.out.find("follows"), std::string::npos) << r.out;
  }
}

// Seven numbers below six that all differ: to see that there are none takes longer than most
// claims do, but a claim would have the time, and must not be proved by it.
TEST_F(Cli, AProofHasNoMoreTimeThanTheSearchForContradictions) {
  const auto differ = [](const std::string& stem) {
    std::string all;
    for (int i = 0; i < 7; ++i) {
      all += fmt::format("{}0 <= {}{} < 6", i == 0 ? "" : " && ", stem, i);
      for (int k = 0; k < i; ++k) all += fmt::format(" && {0}{1} != {0}{2}", stem, i, k);
    }
    return all;
  };
  // So many sets of seven, of which one has to exist.
  const auto holes = [&](const std::string& name, int sets) {
    std::string any, params;
    for (int k = 0; k < sets; ++k) {
      const std::string stem(1, static_cast<char>('a' + k));
      any += fmt::format("{}({})", k == 0 ? "" : " || ", differ(stem));
      for (int i = 0; i < 7; ++i)
        params += fmt::format("{}int {}{}", params.empty() ? "" : ", ", stem, i);
    }
    return file(name,
                fmt::format("requires {}\nvoid f({}) {{\n    assert 1 == 2;\n}}\n", any, params));
  };
  const std::string program = holes("holes.leto", 2), harder = holes("harder.leto", 4);
  const Result r = leto({"verify", program, "--no-cache", "--no-explain"});
  EXPECT_EQ(r.code, 1) << r.out;
  EXPECT_NE(r.out.find("vacuous"), std::string::npos) << r.out;
  // What the first run has found out the second one knows, with all that follows from it.
  const std::string cache = (directory_ / "cache").string();
  for (int run = 0; run < 2; ++run)
    EXPECT_EQ(leto({"verify", program, "--cache", cache, "--no-explain"}).code, 1) << run;
  // cvc5 does not count what a question costs. Where it gives up, that is no proof either.
  EXPECT_NE(leto({"verify", harder, "--no-cache", "--no-explain", "--solver", "cvc5"}).code, 0);
}

// A train of gears that turns as all of its gears do, and does not. Who multiplies gives up; who
// takes products for what they are sees it at once, and so must the search for contradictions.
TEST_F(Cli, AProofHasNoOtherWayThanTheSearchForContradictions) {
  constexpr int kGears = 7;
  std::string requires_all, product = "w0", params = "real x, int w0";
  for (int i = 1; i <= kGears; ++i) {
    for (const char* when : {"", "!"})
      requires_all += fmt::format("requires {0}wet{1} -> w{1} == w{2} * g{1}\n", when, i, i - 1);
    product += fmt::format(" * g{}", i);
    params += fmt::format(", bool wet{0}, int g{0}, int w{0}", i);
  }
  const std::string program =
      file("gears.leto", fmt::format("use model unbounded_seu;\nrequires_r eq(*)\n{}requires {} != "
                                     "w{}\nensures_r eq(result)\nreal f({}) {{\n    return x *. x;"
                                     "\n}}\n",
                                     requires_all, product, kGears, params));
  for (const char* solver : {"z3", "cvc5"}) {
    const Result r = leto({"verify", program, "--no-cache", "--no-explain", "--solver", solver});
    EXPECT_EQ(r.code, 1) << r.out << r.err;
    EXPECT_NE(r.out.find("vacuous"), std::string::npos) << r.out;
  }
}

// The same of a model's constants: nothing is proved under such a model, nor follows to it.
TEST_F(Cli, ConstantsThatCannotBeAreLookedForThoroughly) {
  std::string constants, differ;
  for (int i = 0; i < 8; ++i) {
    constants += fmt::format("    const int c{};\n", i);
    differ += fmt::format("    requires 0 <= c{} < 7;\n", i);
    for (int k = 0; k < i; ++k) differ += fmt::format("    requires c{} != c{};\n", i, k);
  }
  const std::string models =
      "model calm {\n    @label(exact)\n    operator *(real a, real b)\n"
      "        ensures result == a * b;\n}\n"
      "model wild refines calm {\n" +
      constants + differ +
      "    @label(odd)\n    operator *(real a, real b)\n        refines calm.exact\n"
      "        ensures result == a * b + 1 && result == a * b + 2;\n}\n";
  const std::string program =
      file("wild.leto", models +
                            "requires_r eq(*)\nensures_r eq(result)\nreal f(real x) {\n"
                            "    return x *. x;\n}\n");
  const Result both =
      leto({"verify", program, "--model", "calm", "--model", "wild", "--no-cache", "--no-explain"});
  EXPECT_NE(both.code, 0);
  EXPECT_EQ(both.out.find("follows"), std::string::npos) << both.out;
}

// What was meant is said, and where to look.
TEST_F(Cli, WhatMakesNoSenseGetsASuggestion) {
  const auto misused = [&](std::vector<std::string> arguments) {
    const Result r = leto(std::move(arguments));
    EXPECT_EQ(r.code, 4);
    EXPECT_EQ(r.out, "");
    return r.err;
  };
  EXPECT_EQ(misused({"verfy", "a.leto"}),
            "leto: error: there is no command 'verfy'; did you mean 'verify'?\n"
            "  'leto --help' shows what there is\n");
  EXPECT_EQ(misused({"verify", "--modle", "m", "a.leto"}),
            "leto: error: 'leto verify' has no option '--modle'; did you mean '--model'?\n"
            "  'leto verify --help' shows what there is\n");
  EXPECT_EQ(misused({}),
            "leto: error: 'leto' needs a command\n  'leto --help' shows what there is\n");
  EXPECT_EQ(misused({"cache", "claer"}),
            "leto: error: there is no command 'claer'; did you mean 'clear'?\n"
            "  'leto cache --help' shows what there is\n");
  EXPECT_EQ(misused({"inject", "--random-input", "a.leto"}),
            "leto: error: 'leto inject' has no option '--random-input': without '--input', every "
            "run has random inputs of its own\n  'leto inject --help' shows what there is\n");
  const std::string format = misused({"verify", "--format", "xml", "a.leto"});
  EXPECT_NE(format.find("xml"), std::string::npos) << format;
  EXPECT_NE(format.find("'xml' is none of json, junit, sarif, text"), std::string::npos) << format;
}

TEST_F(Cli, EveryCommandReadsTheStandardInput) {
  const std::string program = "int same(int n) {\n    assert n == n;\n    return n;\n}\n";
  for (const char* command : {"check", "verify", "infer", "stats", "core", "reliability"})
    EXPECT_EQ(leto({command, "-"}, program).code, 0) << command;
  EXPECT_EQ(leto({"run", "-", "--random-input"}, program).code, 0);
  EXPECT_EQ(leto({"inject", "-", "--runs", "3"}, program).code, 0);
  const Result wrong = leto({"verify", "-"}, "int f(int n) {\n    return m;\n}\n");
  EXPECT_EQ(wrong.code, 3);
  EXPECT_NE(wrong.err.find("<stdin>:2:12"), std::string::npos) << wrong.err;
}

// A checker that is declared to be what a run shows it is not: no rate is found by believing it.
TEST_F(Cli, SolvingBelievesNoDeclarationThatARunRefutes) {
  const std::string program = file(
      "vain.leto",
      "model m {\n    const real p = 0.3;\n\n    operator *(real a, real b)\n"
      "        ensures result == a * b;\n\n    @label(w) @rate(p)\n    operator *(real a, real "
      "b)\n"
      "        ensures true;\n}\nuse model m;\nchecker perfect false_positive 0 false_negative "
      "0;\n"
      "requires_r eq(*)\nreliability 1 <= R(result)\nreal f(real x) {\n    real d = 0;\n"
      "    try {\n        d = x *. 2;\n    } check perfect (true) recover {\n        d = x + x;\n"
      "    }\n    return d;\n}\n");
  const Result r = leto({"reliability", program, "--no-cache", "--solve", "p"});
  EXPECT_EQ(r.code, 1) << r.out;
  EXPECT_NE(r.out.find("all bounds hold up to p = 0\n"), std::string::npos) << r.out;
}

TEST_F(Cli, WithoutAModelNothingGoesWrongAndThatIsSaid) {
  const std::string program = file("exact.leto",
                                   "requires_r eq(*)\nensures_r eq(result)\nreal f(real x) {\n"
                                   "    return x *. x;\n}\n");
  for (const char* command : {"verify", "reliability"}) {
    const Result none = leto({command, program, "--no-cache"});
    EXPECT_EQ(none.code, 0) << none.out;
    EXPECT_NE(none.err.find("no model is picked"), std::string::npos) << none.err;
    const Result some = leto({command, program, "--no-cache", "--model", "additive_seu"});
    EXPECT_EQ(some.err.find("no model is picked"), std::string::npos) << some.err;
  }
}

TEST_F(Cli, OptionsThatMakeNoSenseTogetherAreRefused) {
  const std::string program = file("plain.leto", "int f(int x) {\n    return x;\n}\n");
  EXPECT_EQ(leto({"verify", program, "--suggest", "--no-explain"}).code, 4);
  EXPECT_EQ(leto({"verify", program, "--apply", "--no-explain"}).code, 4);
  EXPECT_EQ(leto({"verify", program, "--jobs", "100000"}).code, 4);
  for (const char* command : {"infer", "stability", "stats"})
    EXPECT_EQ(leto({command, program, "-m", "additive_seu", "-m", "multicycle"}).code, 4);
}

TEST_F(Cli, WhatIsNeverProvedIsNotStable) {
  const std::string program =
      file("never.leto", "requires_r eq(*)\nvoid f(int x) {\n    assert_r x<r> == 3;\n}\n");
  const Result r = leto({"stability", program, "--seeds", "2"});
  EXPECT_EQ(r.code, 1) << r.out;
  EXPECT_NE(r.out.find("1 proved with none"), std::string::npos) << r.out;
}

// Programs whose turn does not come are named, in every format.
TEST_F(Cli, ProgramsThatWereNotLookedAtAreNamed) {
  std::string slow = "requires_r eq(*)\nvoid f(int a, int b, int c) {\n";
  // They hold, so that no run is found that breaks one; and no solver knows why.
  for (int i = 1; i <= 30; ++i)
    slow +=
        fmt::format("    assert a * a * a + b * b * b != c * c * c || {} * a * b * c == 0;\n", i);
  const std::string first = file("slow.leto", slow + "}\n");
  const std::string second = file("late.leto", "void f() {\n    assert 1 == 1;\n}\n");
  const Result text = leto({"verify", first, second, "--no-cache", "--no-explain", "--time", "1"});
  EXPECT_EQ(text.code, 2) << text.out << text.err;
  EXPECT_NE(text.out.find("late.leto"), std::string::npos) << text.out;
  const Result machine = leto(
      {"verify", first, second, "--no-cache", "--no-explain", "--time", "1", "--format", "json"});
  EXPECT_EQ(json::parse(machine.out)["verifications"].size(), 2u) << machine.out;
}

TEST_F(Cli, WithoutAModelItsStateMeansNothing) {
  const std::string program = file("none.leto", "void f() {\n    assert_r model.x == 0;\n}\n");
  for (const char* command : {"check", "verify", "core", "infer", "reliability"}) {
    const Result r = leto({command, program});
    EXPECT_EQ(r.code, 3) << command << r.out << r.err;
    EXPECT_NE(r.err.find("L0612"), std::string::npos) << command << r.err;
  }
  const Result run = leto({"run", program, "--function", "f"});
  EXPECT_EQ(run.code, 3) << run.out << run.err;
}

TEST_F(Cli, ThereIsAnAnswerWhenTheTimeIsOver) {
  // Three times a hundred attempts inside one another: more than anybody can look at.
  std::string text =
      "use model unbounded_seu;\n\nrequires_r eq(*)\nvoid f(real x) {\n    real y = 0;\n";
  for (int i = 0; i < 3; ++i) text += "    try {\n";
  text += "        y = x *. x;\n";
  for (int i = 0; i < 3; ++i) text += "    } check (y == x * x) recover redo(99);\n";
  const std::string program = file("again.leto", text + "}\n");
  const Result limited = leto({"verify", program, "--no-cache"});
  EXPECT_EQ(limited.code, 2) << limited.out;
  EXPECT_NE(limited.out.find("all of the function is looked at"), std::string::npos);
  const Result late =
      leto({"verify", program, "--no-cache", "--steps", "1000000000", "--time", "1"});
  EXPECT_EQ(late.code, 2) << late.out;
  EXPECT_NE(late.err.find("the time is over"), std::string::npos) << late.err;
}

TEST_F(Cli, BothSolversAgreeOnTheVectorProduct) {
  const Result result = leto({"verify", (kSource / "examples/vector_product.leto").string(),
                              "--no-cache", "--solver", "both", "--question-time", "5"});
  EXPECT_EQ(result.code, 0) << result.out << result.err;
}

TEST_F(Cli, DumpedQuestionsCanBeReplayed) {
  const std::string dump = (directory_ / "dump").string();
  EXPECT_EQ(leto({"verify", (kSource / "examples/vector_product.leto").string(), "--no-cache",
                  "--dump", dump})
                .code,
            0);
  // Each claim has a question, from few facts or from more, that its proof was the answer to.
  std::map<std::string, bool> proved;
  for (const auto& entry : fs::directory_iterator(dump)) {
    const std::string name = entry.path().filename().string();
    if (name.find("smoke") != std::string::npos || name.find("inferred") != std::string::npos ||
        name.find("part") != std::string::npos)
      continue;
    // "product-00012-near.smt2"
    const std::string number = name.substr(0, name.find('-', name.find('-') + 1));
    proved[number] = proved[number] || shell("z3 " + entry.path().string()).out == "unsat\n";
  }
  EXPECT_GE(proved.size(), 5u);
  for (const auto& [number, is_proved] : proved) EXPECT_TRUE(is_proved) << number;
}

TEST_F(Cli, Refine) {
  EXPECT_EQ(leto({"refine", "refined_seu", "--no-cache"}).code, 0);
  EXPECT_EQ(leto({"refine", "additive_seu", "--no-cache"}).code, 4);  // refines nothing
  const std::string general =
      "model general {\n    const real eps;\n    requires eps > 0;\n    uint left;\n\n"
      "    @label(exact)\n    operator *(real a, real b)\n        ensures result == a * b;\n\n"
      "    @label(off)\n    operator *(real a, real b)\n        when left > 0\n        modifies "
      "left\n"
      "        ensures left == old(left) - 1 && a * b - eps < result < a * b + eps;\n\n"
      "    @label(sum)\n    operator +(real a, real b)\n        ensures result == a + b + "
      "eps;\n}\n\n";
  const auto refine = [&](const std::string& body) {
    return leto(
        {"refine",
         file("m.leto", general + "model special refines general {\n" + body + "}\n") + ":special",
         "--no-cache"});
  };
  const std::string sum = "    import general.sum;\n";
  const std::string exact = "    import general.exact;\n";
  EXPECT_EQ(refine(exact + sum).code, 0);
  const std::string narrow =
      "    operator *(real a, real b)\n        refines general.off\n        when left > 1\n      "
      "  "
      "modifies left\n        ensures left == old(left) - 1 && result == a * b + eps / 2;\n";
  EXPECT_EQ(refine(exact + sum + narrow).code, 0) << refine(exact + sum + narrow).out;
  // It can be taken where the super-model's cannot.
  const std::string wide_guard =
      "    operator *(real a, real b)\n        refines general.off\n        modifies left\n      "
      "  "
      "ensures left == old(left) - 1 && result == a * b;\n";
  EXPECT_EQ(refine(exact + sum + wide_guard).code, 1);
  // It ensures less.
  const std::string weak =
      "    operator *(real a, real b)\n        refines general.off\n        when left > 0\n      "
      "  "
      "modifies left\n        ensures left == old(left) - 1;\n";
  EXPECT_EQ(refine(exact + sum + weak).code, 1);
  // The published rule accepts these two: nothing is enabled once `left` is used up, and an
  // operator that is not mentioned is exact although the super-model never is.
  const Result stuck = refine("    import general.off;\n" + sum);
  EXPECT_EQ(stuck.code, 1);
  EXPECT_NE(stuck.out.find("can go on wherever it can under general"), std::string::npos)
      << stuck.out;
  const Result left_out = refine(exact);
  EXPECT_EQ(left_out.code, 1);
  EXPECT_NE(left_out.out.find("operator +(real, real) is exact here, which general does not allow"),
            std::string::npos)
      << left_out.out;
}

// An operator that is as good as the one that it refines, but is there always.
TEST_F(Cli, RefineProvesTheGuard) {
  const auto refine = [&](const std::string& guard) {
    return leto({"refine",
                 file("guard.leto",
                      "model general {\n    bool armed;\n\n    @label(exact)\n"
                      "    operator *(real a, real b)\n        ensures result == a * b;\n\n"
                      "    @label(off)\n    operator *(real a, real b)\n        when armed\n"
                      "        ensures a * b <= result;\n}\n\n"
                      "model special refines general {\n    import general.exact;\n\n"
                      "    operator *(real a, real b)\n        refines general.off\n" +
                          guard + "        ensures a * b <= result;\n}\n") +
                     ":special",
                 "--no-cache"});
  };
  EXPECT_EQ(refine("        when armed\n").code, 0);
  const Result always = refine("");
  EXPECT_EQ(always.code, 1) << always.out;
  EXPECT_NE(always.out.find("an operator can be taken where general.'off' cannot"),
            std::string::npos)
      << always.out;
}

// Where a model does not mention a region, what is written is there.
TEST_F(Cli, RefineByExactPlaces) {
  const auto refine = [&](const std::string& ensures) {
    return leto({"refine",
                 file("places.leto",
                      "model general {\n    @label(kept) @region(cells)\n"
                      "    write(uint dest, uint src)\n        ensures " +
                          ensures + ";\n}\n\nmodel silent refines general {}\n") +
                     ":silent",
                 "--no-cache"})
        .code;
  };
  EXPECT_EQ(refine("dest == src"), 0);
  EXPECT_EQ(refine("dest == old(dest)"), 1);
}

// However an operator comes into a model, it leaves alone what the refined one does.
TEST_F(Cli, RefineProvesTheFrame) {
  const auto refine = [&](const std::string& clauses) {
    return leto(
        {"refine",
         file("diamond.leto",
              "model top {\n    uint n = 0;\n\n    @label(p)\n    operator *(real a, real b)\n"
              "        modifies n\n        ensures result == a * b" +
                  clauses +
                  ";\n}\n\nmodel busy refines top {\n    import top.p;\n}\n\n"
                  "model quiet refines top {\n    @label(p)\n    operator *(real a, real b)\n"
                  "        refines top.p\n        ensures result == a * b" +
                  clauses +
                  ";\n}\n\nmodel both refines busy, quiet {\n"
                  "    import busy.p refines quiet.p;\n}\n") +
             ":both",
         "--no-cache"});
  };
  const Result broken = refine("");
  EXPECT_EQ(broken.code, 1) << broken.out;
  EXPECT_NE(broken.out.find("may change model.n"), std::string::npos) << broken.out;
  // It may be modified in name only.
  EXPECT_EQ(refine(" && n == old(n)").code, 0) << refine(" && n == old(n)").out;
}

// What contradicts itself refines nothing.
TEST_F(Cli, RefineIsNotVacuous) {
  const auto refine = [&](const std::string& more) {
    return leto({"refine",
                 file("void.leto",
                      "model top {\n    const real k;\n    real level;\n\n    @label(p)\n"
                      "    operator *(real a, real b)\n        ensures result == a * b;\n}\n\n"
                      "model loose refines top {\n" +
                          more +
                          "    operator *(real a, real b)\n        refines top.p\n"
                          "        ensures true;\n}\n") +
                     ":loose",
                 "--no-cache"});
  };
  EXPECT_EQ(refine("").code, 1);
  const Result constants = refine("    top.k = 1;\n    requires k > 1;\n");
  EXPECT_EQ(constants.code, 1) << constants.out;
  EXPECT_NE(constants.out.find("exclude one another"), std::string::npos) << constants.out;
  // Not only is the contradiction told: what follows from it is not called proved.
  for (const char* claim :
       {"an operator can be taken only where top.'p' can",
        "an operator ensures what top.'p' ensures", "can go on wherever it can under top"}) {
    const std::size_t at = constants.out.find(claim);
    ASSERT_NE(at, std::string::npos) << constants.out;
    const std::size_t line = constants.out.rfind('\n', at) + 1;
    EXPECT_EQ(constants.out.compare(line, 11, "  vacuous  "), 0) << constants.out;
  }
  EXPECT_EQ(refine("    invariant level > 0 && level < 0;\n").code, 1);
  EXPECT_EQ(refine("    const uint n = 0 - 1;\n").code, 1);
  EXPECT_EQ(refine("    top.k = k + 1;\n").code, 3);
}

// How many answers came from the cache, and how many obligations were asked at all.
std::pair<int, int> cached_of(const std::string& out) {
  int asked = 0, cached = 0;
  const std::size_t a = out.find(" obligations asked");
  const std::size_t c = out.find(" from the cache");
  const auto number_before = [&](std::size_t end) {
    std::size_t begin = end;
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(out[begin - 1])) != 0) --begin;
    return std::stoi(out.substr(begin, end - begin));
  };
  if (a != std::string::npos) asked = number_before(a);
  if (c != std::string::npos) cached = number_before(c);
  return {cached, asked};
}

const std::string kTwoFunctions =
    "use model additive_seu;\n\nrequires_r eq(x)\nreal one(real x) {\n    real y = x *. x;\n    "
    "assert_r abs(y<o> - y<r>) < model.eps;\n    return y;\n}\n\nrequires_r eq(x)\nreal two(real "
    "x) "
    "{\n    real y = x +. 1;\n    assert_r abs(y<o> - y<r>) <= model.eps;\n    return y;\n}\n";

TEST_F(Cli, ASecondRunAsksNothingAndAChangeAsksOnlyWhatItTouches) {
  const std::string program = file("two.leto", kTwoFunctions);
  const std::string cache = (directory_ / "cache").string();
  const auto verify = [&](const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"verify", program, "--cache", cache};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Result r = leto(arguments);
    EXPECT_EQ(r.code, 0) << r.out << r.err;
    return cached_of(r.out);
  };
  const auto [none, all] = verify();
  EXPECT_EQ(none, 0);
  ASSERT_GE(all, 4);
  const auto [again, same] = verify();
  EXPECT_EQ(again, all);
  EXPECT_EQ(same, all);
  const json second =
      json::parse(leto({"verify", program, "--cache", cache, "--format", "json"}).out);
  EXPECT_EQ(second["verifications"][0]["solver_calls"], 0);
  // Another text for one claim: one obligation is new.
  std::string changed = kTwoFunctions;
  changed.replace(changed.find("<= model.eps"), 12, "< 2 * model.eps");
  file("two.leto", changed);
  EXPECT_EQ(verify().first, all - 1);
  // Limits, options and seeds are part of the question.
  file("two.leto", kTwoFunctions);
  EXPECT_EQ(verify().first, all);
  EXPECT_EQ(verify({"--resource", "19000000"}).first, 0);
  EXPECT_EQ(verify({"--question-time", "19"}).first, 0);
  EXPECT_EQ(verify({"--memory", "2000"}).first, 0);
  EXPECT_EQ(verify({"--seed", "7"}).first, 0);
  EXPECT_EQ(verify().first, all);
}

TEST_F(Cli, TwoProcessesShareACache) {
  const std::string cache = (directory_ / "cache").string();
  const std::string command = std::string(LETO_BINARY) + " verify -q " +
                              (kSource / "examples/ss_sd.leto").string() + " --cache " + cache;
  const Result both = shell("(" + command + " & " + command + "; wait)");
  EXPECT_EQ(both.out.find("not proved"), std::string::npos) << both.out;
  EXPECT_EQ(both.out.find("refuted"), std::string::npos) << both.out;
  EXPECT_EQ(both.out.find("warning"), std::string::npos) << both.out;
  const auto [cached, asked] = cached_of(shell(command).out);
  EXPECT_EQ(cached, asked);
  EXPECT_GT(asked, 50);
}

TEST_F(Cli, ClaimsAreToldAsTheyAreSettled) {
  const std::string program = file("two.leto", kTwoFunctions);
  const Result r = leto({"verify", program, "--no-cache"});
  std::size_t lines = 0;
  for (std::size_t at = r.out.find("\n  proved"); at != std::string::npos;
       at = r.out.find("\n  proved", at + 1))
    ++lines;
  EXPECT_GE(lines, 4u) << r.out;
  EXPECT_LT(r.out.find("two.leto:6:"), r.out.find("two.leto:13:"));
  EXPECT_EQ(leto({"verify", program, "--no-cache", "-q"}).out.find("\n  proved"),
            std::string::npos);
}

// A claim that no solver decides soon: the interrupt arrives while it is at work.
TEST_F(Cli, AnInterruptEndsEverythingAtOnceAndTellsWhatWasDone) {
  const std::string program =
      file("hard.leto",
           "use model additive_seu;\n\nrequires x > 2\nrequires y > 2\nrequires z > 2\n"
           "requires_r eq(*)\nvoid f(uint x, uint y, uint z) {\n"
           "    assert_r eq(x);\n"
           "    assert_r x<r> * x<r> * x<r> + y<r> * y<r> * y<r> != z<r> * z<r> * z<r>;\n}\n");
  const fs::path out = directory_ / "out";
  const pid_t child = fork();
  if (child == 0) {
    if (freopen(out.c_str(), "w", stdout) == nullptr ||
        freopen(out.c_str(), "a", stderr) == nullptr)
      _exit(90);
    execl(LETO_BINARY, LETO_BINARY, "verify", program.c_str(), "--no-cache", "--time", "100",
          "--resource", "2000000000", static_cast<char*>(nullptr));
    _exit(91);
  }
  // Wait until the first claim is told, then interrupt.
  for (int i = 0; i < 500 && read_file(out).find("hard.leto:8") == std::string::npos; ++i)
    usleep(10'000);
  usleep(300'000);
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(kill(child, SIGINT), 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_LT(seconds, 20.0);  // of the hundred that it had; sanitizers take their time
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  const std::string text = read_file(out);
  EXPECT_NE(text.find("proved   " + program + ":8"), std::string::npos) << text;
  EXPECT_NE(text.find("interrupted"), std::string::npos) << text;
  EXPECT_NE(text.find("unknown"), std::string::npos) << text;
  EXPECT_EQ(shell("pgrep -P " + std::to_string(child)).out, "");
}

TEST_F(Cli, WhereNothingIsClaimedNothingIsProved) {
  const std::string empty = file("empty.leto", ""),
                    some = file("some.leto", "void f() {\n    assert 1 < 2;\n}\n");
  const std::string warning = "nothing is claimed here, so nothing was proved";
  for (const char* command : {"verify", "infer", "stats"}) {
    const Result result = leto({command, empty});
    EXPECT_EQ(result.code, 0) << command;
    EXPECT_NE(result.err.find(empty + ": " + warning), std::string::npos) << result.err;
    EXPECT_EQ(leto({command, some}).err.find(warning), std::string::npos) << command;
  }
  const json both = json::parse(leto({"verify", empty, some, "--format", "json"}).out);
  EXPECT_EQ(both.at("verifications").at(0).at("nothing_claimed"), true);
  EXPECT_EQ(both.at("verifications").at(1).at("nothing_claimed"), false);
}

// Whoever ends a command, it says who.
TEST_F(Cli, WhatEndedItIsSaid) {
  const std::string many = file(
      "many.leto",
      "model off {\n    @label(exact)\n    operator +(int a, int b)\n        ensures result == "
      "a + b;\n\n    @label(off)\n    operator +(int a, int b)\n        ensures result == a + b "
      "+ 1;\n}\nuse model off;\nint f(int n) {\n    int s = 0;\n    int i = 0;\n    while (i < "
      "n) {\n        s = s +. 1;\n        i = i + 1;\n    }\n    return s;\n}\n");
  const Result late = leto({"run", many, "--input", "{\"n\": 60}", "--exhaustive", "--max-runs",
                            "1000000000", "--time", "0.5"});
  EXPECT_EQ(late.code, 2);
  EXPECT_NE(late.out.find("not all possibilities were tried: the time was over"), std::string::npos)
      << late.out << late.err;
  const Result stopped =
      shell(fmt::format("timeout -s INT 1 {} run {} --input '{{\"n\": 60}}' --exhaustive "
                        "--max-runs 1000000000; true",
                        LETO_BINARY, many));
  EXPECT_NE(stopped.out.find("not all possibilities were tried: it was interrupted"),
            std::string::npos)
      << stopped.out;
  const std::string hard =
      file("hard.leto",
           "void hard(uint a, uint b, uint c) {\n    assert a < 1 || b < 1 || c < 1 || a * a * a + "
           "b * b * b != c * c * c;\n}\n");
  const Result stats = leto({"stats", hard, "--no-cache", "--time", "0.5"});
  EXPECT_EQ(stats.code, 2);
  EXPECT_NE(stats.err.find("the time is over, 0.5 s"), std::string::npos) << stats.err;
}

const std::string kSum =
    "model counted {\n    uint left = 1;\n\n    @label(exact)\n    operator +(int a, int b)\n"
    "        ensures result == a + b;\n\n    @label(off)\n    operator +(int a, int b)\n"
    "        when left > 0\n        modifies left\n"
    "        ensures left == old(left) - 1 && a + b <= result <= a + b + 2;\n}\n\n"
    "use model counted;\n\nrequires_r eq(*)\nint sum(int x, int y) {\n    int s = x +. y;\n"
    "    if (s > 3) {\n        s = s +. 1;\n    }\n    assert_r s<r> <= s<o> + 2;\n    return "
    "s;\n}\n";

// Machines get each field by itself, as inputs name them.
TEST_F(Cli, RecordsAreToldAsRecords) {
  const std::string program = file("records.leto",
                                   "record pair {\n    int a;\n    bool b;\n}\n\nensures_r "
                                   "eq(result)\npair f(pair p, vector<pair> v(2)) {\n    pair q = "
                                   "p;\n    v[1] = q;\n    v[0].a = 7;\n    return v[1];\n}\n");
  const std::string input = file("in.json",
                                 "{\"p.a<o>\": 1, \"p.a<r>\": 2, \"p.b\": true, \"v.a\": [3, 4], "
                                 "\"v.b\": [false, true]}\n");
  const Result run = leto({"run", program, "--input", input, "--trace"});
  EXPECT_EQ(run.code, 1) << run.err;
  for (const char* expected :
       {"p = {a<o>: 1, a<r>: 2, b: true}, v = [{a: 3, b: false}, {a: 4, b: true}]",
        "8:14  q = {a: 2, b: true}", "9:5  v[1] = {a: 1, b: true}", "10:5  v[0].a = 7",
        "original   {a: 1, b: true}", "relaxed    {a: 2, b: true}\n"})
    EXPECT_NE(run.out.find(expected), std::string::npos) << expected << "\n" << run.out;
  const json machine =
      json::parse(leto({"run", program, "--input", input, "--format", "json"}).out);
  EXPECT_EQ(machine["relaxed"]["result.a"], "2");
  EXPECT_EQ(machine["inputs"]["p.b"], true);
  const Result verify = leto({"verify", program, "--no-cache"});
  EXPECT_NE(verify.out.find("inputs  p = {"), std::string::npos) << verify.out;
  EXPECT_NE(verify.out.find("requires_r eq(p)"), std::string::npos) << verify.out;
  const Result states = leto({"verify", program, "--no-cache", "--format", "json"});
  EXPECT_NE(states.out.find("\"p."), std::string::npos) << states.out;
}

TEST_F(Cli, WhatIsSaidOfConstantsIsNotTheModels) {
  const Result r = leto({"verify", "--no-cache",
                         file("constants.leto",
                              "const int n;\nrequires n > 1;\nconst uint m = n - 5;\n\nvoid "
                              "f(uint i) {\n    assert i + m >= 0;\n}\n")});
  EXPECT_NE(r.out.find("it rests on what the program says of its constants"), std::string::npos)
      << r.out;
  EXPECT_NE(r.out.find("THE CONSTANTS"), std::string::npos) << r.out;
  EXPECT_EQ(r.out.find("THE MODEL"), std::string::npos) << r.out;
}

TEST_F(Cli, RunShowsBothRunsFaultsAndClaims) {
  const std::string program = file("sum.leto", kSum);
  const std::string input = file("in.json", "{\"x\": 1, \"y\": 2}\n");
  const Result exact = leto({"run", program, "--input", input, "--no-faults"});
  EXPECT_EQ(exact.code, 0) << exact.out << exact.err;
  EXPECT_NE(exact.out.find("relaxed    3, the same"), std::string::npos) << exact.out;
  // 1 + 2 comes out as 5, the runs part at the test, 5 + 1 is 6: more than 3 + 2.
  const std::string script =
      file("faults.json",
           "{\"faults\": [{\"site\": 0, \"specification\": \"off\", \"outcome\": 5, \"state\": "
           "{\"model.left\": 0}}]}\n");
  const Result faulty = leto({"run", program, "--input", input, "--faults", script, "--trace"});
  EXPECT_EQ(faulty.code, 1) << faulty.err;
  for (const char* expected :
       {"took off: 5 instead of 3", "original   3", "relaxed    6", "assert_r does not hold",
        "the runs part: if is false in the original run, true in the relaxed run"})
    EXPECT_NE(faulty.out.find(expected), std::string::npos) << expected << "\n" << faulty.out;
  // What the model does not allow is not done.
  const std::string impossible =
      file("no.json",
           "{\"faults\": [{\"site\": 0, \"specification\": \"off\", \"outcome\": 9, \"state\": "
           "{\"model.left\": 0}}]}\n");
  const Result refused = leto({"run", program, "--input", input, "--faults", impossible});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.out.find("does not allow 9 here"), std::string::npos) << refused.out;
}

TEST_F(Cli, ExhaustiveRunsAreAllThereAre) {
  // By hand, from 1 and 2: exact (3); off at the first: 3, 4, 5. Where 4 or 5 came out the
  // budget is used up, so the second sum is exact; where it was exact, there is no second sum.
  const Result r = leto({"run", file("sum.leto", kSum), "--input",
                         file("in.json", "{\"x\": 1, \"y\": 2}"), "--exhaustive"});
  EXPECT_EQ(r.code, 1);
  EXPECT_NE(r.out.find("4 runs: 4 both runs ended; 1 with a claim that does not hold"),
            std::string::npos)
      << r.out;
  EXPECT_NE(r.out.find("these are all runs from these inputs"), std::string::npos);
}

TEST_F(Cli, AllRunsAreToldToMachinesAndSoIsThatThereIsNone) {
  const json j = json::parse(
      leto({"run", file("sum.leto", kSum), "--input", file("in.json", "{\"x\": 1, \"y\": 1}"),
            "--exhaustive", "--format", "json"})
          .out);
  EXPECT_GT(j["runs"], 1);
  EXPECT_EQ(j["ends"]["both runs ended"], j["runs"]);
  EXPECT_EQ(j["all"], true);
  EXPECT_EQ(j["violated"], 1);
  EXPECT_EQ(j["first"]["violations"].size(), 1u);
  // Functions that were drawn so that a constraint does not hold are none.
  const std::string same = file(
      "same.leto",
      "model same {\n    const int k(int a);\n    requires forall(int a)(k(a) == k(a + 1));\n\n"
      "    operator *(int a, int b)\n        ensures result == a * b + k(a) - k(b);\n}\n\n"
      "use model same;\n\nrequires_r eq(*)\nint f(int x, int y) {\n    return x *. y;\n}\n");
  const std::string inputs = file("in.json", "{\"x\": 3, \"y\": 4}");
  const Result none = leto({"run", same, "--input", inputs, "--exhaustive", "--seed", "1"});
  EXPECT_EQ(none.code, 2) << none.out;
  EXPECT_NE(none.out.find("  no run: none is possible, the functions that nobody knows break a "
                          "constraint of the model\n"),
            std::string::npos)
      << none.out;
  const json told = json::parse(
      leto({"run", same, "--input", inputs, "--exhaustive", "--seed", "1", "--format", "json"})
          .out);
  EXPECT_EQ(told["runs"], 0);
  EXPECT_EQ(told["all"], false);
  EXPECT_NE(told["impossible"], "");
}

TEST_F(Cli, RunSaysWhatIsWrongWithInputs) {
  const std::string program = file("sum.leto", kSum);
  const auto problem = [&](const std::string& inputs) {
    const Result r = leto({"run", program, "--input", file("in.json", inputs)});
    EXPECT_EQ(r.code, 3);
    return r.err;
  };
  EXPECT_NE(problem("{\"x\": 1}").find("'y' is not given"), std::string::npos);
  EXPECT_NE(problem("{\"x\": 1, \"z\": 2}").find("no parameter or constant 'z'"),
            std::string::npos);
  EXPECT_NE(problem("{\"x\": [1], \"y\": 2}").find("is not a number"), std::string::npos);
  EXPECT_NE(problem("{\"x<o>\": 1, \"x<r>\": 2, \"y\": 2}").find("relational requirement"),
            std::string::npos);
  EXPECT_NE(problem("{\"x\": 1").find("is not JSON"), std::string::npos);
  EXPECT_EQ(leto({"run", program}).code, 4);  // no inputs at all
}

TEST_F(Cli, AnOutcomeThatNeedsASolverIsFoundByOne) {
  // Neither an equation nor a bound of the outcome: a square.
  const std::string program = file(
      "root.leto",
      "model roots {\n    operator +(int a, int b)\n        ensures result * result == a * b && "
      "result >= 0;\n}\n\nuse model roots;\n\nrequires_r eq(*)\nint f(int x) {\n    int r = x +. "
      "x;\n    return r;\n}\n");
  const Result r = leto({"run", program, "--input", file("in.json", "{\"x\": 7919}")});
  EXPECT_NE(r.out.find("7919 instead of 15838"), std::string::npos) << r.out << r.err;
}

TEST_F(Cli, CampaignsAreReproducibleWithAnyNumberOfWorkers) {
  const std::string program = file("sum.leto", kSum);
  const auto campaign = [&](const char* workers, const char* format) {
    const Result r = leto(
        {"inject", program, "--runs", "3000", "--seed", "5", "-j", workers, "--format", format});
    EXPECT_EQ(r.code, 1) << r.err;
    return r.out;
  };
  const std::string one = campaign("1", "json");
  EXPECT_EQ(one, campaign("2", "json"));
  EXPECT_EQ(campaign("1", "text"), campaign("3", "text"));
  const json result = json::parse(one);
  EXPECT_EQ(result["runs"], 3000);
  EXPECT_GT(result["classes"]["sdc"]["runs"], 0);
  EXPECT_EQ(result["classes"]["failed"]["runs"], 0);
  EXPECT_NE(campaign("2", "csv").find("\"all\",\"\",sdc,"), std::string::npos);
  // The first corruption, repeated by its script.
  const std::string number = std::to_string(result["classes"]["sdc"]["first"].get<int>());
  const Result script = leto({"inject", program, "--seed", "5", "--script", number});
  const Result again = leto({"run", program, "--faults", file("script.json", script.out)});
  EXPECT_EQ(again.code, 1) << again.out << again.err;
  EXPECT_NE(again.out.find("assert_r does not hold"), std::string::npos) << again.out;
}

// What is claimed of runs without a fault is tried without one.
TEST_F(Cli, CampaignsTryRunsWithoutFaults) {
  const std::string program =
      file("guarded.leto",
           "use model unbounded_seu;\n\nrequires_r eq(*)\nensures_r model.upset || result<r> > "
           "result<o>\nreal f(real x) {\n    return x *. x;\n}\n");
  const Result r = leto({"inject", program, "--runs", "200"});
  EXPECT_EQ(r.code, 1) << r.out;
  EXPECT_NE(r.out.find("no fault           20             counted apart: 20 sdc\n"),
            std::string::npos)
      << r.out;
  EXPECT_NE(r.out.find("--script 9 > script.json"), std::string::npos) << r.out;
  const json j = json::parse(leto({"inject", program, "--runs", "200", "--format", "json"}).out);
  EXPECT_EQ(j["fault_free"]["sdc"], 20);
  EXPECT_EQ(j["classes"]["sdc"]["runs"], 0);
  EXPECT_EQ(j["without_faults"], 20);
  const Result script = leto({"inject", program, "--script", "9"});
  EXPECT_EQ(leto({"run", program, "--faults", file("script.json", script.out)}).code, 1);
  // Another share, or none at all.
  const Result half = leto({"inject", program, "--runs", "200", "--fault-free", "2"});
  EXPECT_NE(half.out.find("counted apart: 100 sdc\n"), std::string::npos) << half.out;
  EXPECT_NE(half.out.find("--fault-free 2 --script 1 >"), std::string::npos) << half.out;
  EXPECT_EQ(leto({"inject", program, "--runs", "200", "--fault-free", "0"}).code, 0);
  EXPECT_NE(leto({"inject", program, "--runs", "200", "--format", "csv"})
                .out.find("\"no fault\",\"\",sdc,20,"),
            std::string::npos);
  // Rates say how many runs meet no fault; they count as all others.
  const json rated = json::parse(
      leto({"inject", (kSource / "examples/reliability/power.leto").string(), "--format", "json"})
          .out);
  EXPECT_EQ(rated["fault_free"]["masked"], 0);
  EXPECT_GT(rated["classes"]["masked"]["runs"], 9000);
}

// Where hardly anything was tried nothing is decided, and nothing is said to hold.
TEST_F(Cli, CampaignsThatSayLittleAreUndecided) {
  const std::string program = file(
      "mostly_void.leto",
      "use model unbounded_seu;\n\nrequires_r eq(*)\nensures_r eq(x)\nreal f(real x, int k) {\n"
      "    assert forall(real z)(z < k -> z * z != 2);\n    return x *. x;\n}\n");
  const Result r = leto({"inject", program, "--runs", "300"});
  EXPECT_EQ(r.code, 2) << r.out;
  EXPECT_NE(r.out.find("nothing is decided: more than half of the runs say nothing"),
            std::string::npos)
      << r.out;
  const Result run = leto({"run", program, "--input", file("in.json", "{\"x\": 1, \"k\": 0}")});
  EXPECT_NE(run.out.find("claims     none evaluated\n"), std::string::npos) << run.out;
  EXPECT_EQ(run.out.find("all hold"), std::string::npos) << run.out;
}

// A program that fails on hardware that behaves is wrong, however its faults are masked.
TEST_F(Cli, CampaignsShowWhatIsWrongWithoutAFault) {
  const std::string program =
      file("wrong.leto", "requires_r eq(*)\nensures result != 2\nuint f(uint x) { return x; }\n");
  const Result r = leto({"inject", program, "--runs", "300"});
  EXPECT_EQ(r.code, 1) << r.out;
  EXPECT_NE(r.out.find("the program is wrong without any fault"), std::string::npos) << r.out;
  EXPECT_NE(r.out.find("at wrong.leto:2:9: its ensures does not hold"), std::string::npos) << r.out;
  const std::size_t script = r.out.find("--script ");
  ASSERT_NE(script, std::string::npos) << r.out;
  const std::string number = r.out.substr(script + 9, r.out.find(' ', script + 9) - script - 9);
  const std::string first = leto({"inject", program, "--script", number}).out;
  EXPECT_EQ(leto({"run", program, "--faults", file("script.json", first)}).code, 1);
}

// Sizes that the requirements need are found without being asked for, and a campaign without any
// inputs ends at once.
TEST_F(Cli, RandomVectorsAreAsLongAsTheyHaveToBe) {
  const std::string program =
      file("long.leto",
           "requires k + 9 <= n\nint f(uint n, vector<int> x(n), uint k) { return x[k + 8]; }\n");
  EXPECT_EQ(leto({"run", program, "--random-input"}).code, 0);
  EXPECT_EQ(leto({"run", program, "--random-input", "--max-size", "5"}).code, 3);
  EXPECT_EQ(leto({"inject", program, "--runs", "50"}).code, 0);
  const std::string none =
      file("none.leto", "requires k > 9 && k < 3\nint f(uint k) { return k; }\n");
  const Result r = leto({"inject", none});
  EXPECT_EQ(r.code, 2);
  EXPECT_NE(r.out.find("give some with --input, or try --max-size"), std::string::npos) << r.out;
}

TEST_F(Cli, CampaignsDrawTheirOutcomes) {
  const std::string plot = (directory_ / "plot.svg").string();
  (void)leto({"inject", file("sum.leto", kSum), "--runs", "500", "--plot", plot});
  const std::string svg = read_file(plot);
  for (const char* expected : {"<svg", "masked", "sdc", "Wilson", "</svg>"})
    EXPECT_NE(svg.find(expected), std::string::npos) << expected;
}

TEST_F(Cli, ARunThatNeverEndsIsHung) {
  const std::string program =
      file("loop.leto",
           "model early {\n    operator +(int a, int b)\n        ensures result == a + b - "
           "1;\n}\n\nuse model early;\n\nrequires_r eq(*)\nint f(int x) {\n    while (x < 5) {\n "
           "       "
           "x = x +. 1;\n    }\n    return x;\n}\n");
  const Result r =
      leto({"run", program, "--input", file("in.json", "{\"x\": 1}"), "--steps", "500"});
  EXPECT_EQ(r.code, 1);
  EXPECT_NE(r.out.find("took too many steps"), std::string::npos) << r.out;
}

TEST_F(Cli, CacheCommands) {
  const std::string cache = (directory_ / "cache").string();
  EXPECT_EQ(
      leto({"verify", (kSource / "examples/vector_product.leto").string(), "--cache", cache}).code,
      0);
  EXPECT_EQ(leto({"cache", "--cache", cache, "stat"}).out.find(": 0 answers"), std::string::npos);
  EXPECT_NE(leto({"cache", "--cache", cache, "verify", "--sample", "5"}).out.find("0 different"),
            std::string::npos);
  EXPECT_EQ(leto({"cache", "--cache", cache, "clear"}).code, 0);
  EXPECT_NE(leto({"cache", "--cache", cache, "stat"}).out.find(": 0 answers"), std::string::npos);
}

TEST_F(Cli, CoreFormIsPrinted) {
  const Result result = leto({"core", (kSource / "examples/ss_sd.leto").string()});
  EXPECT_EQ(result.code, 0);
  EXPECT_NE(result.out.find("relaxed * {#4, #5}"), std::string::npos) << result.out;
}

TEST_F(Cli, HelpHasExamples) {
  for (const char* command :
       {"check", "verify", "refine", "core", "cache", "fmt", "explain", "models"}) {
    const Result help = leto({command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_NE(help.out.find("Example"), std::string::npos) << command;
  }
}

TEST_F(Cli, ExplainIsForPeopleAndLists) {
  const Result text = leto({"explain", "l0503"});
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.out.find("L0503"), std::string::npos);
  EXPECT_EQ(text.out.find("```"), std::string::npos);
  const Result list = leto({"explain", "--list"});
  for (const DiagnosticInfo& row : all_diagnostics())
    EXPECT_NE(list.out.find(row.code), std::string::npos) << row.code;
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
