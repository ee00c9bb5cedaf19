// `leto protocol` as its users meet it. What is said of files that are refused is compared with
// FILE.expect beside them; screens in docs/protocols.md with what is printed.
//   protocol_test --update   writes FILE.expect instead
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>

#include "base/diagnostic.h"
#include "driver/driver.h"
#include "golden.h"

namespace leto::tests {

namespace fs = std::filesystem;
const fs::path kSource = LETO_SOURCE_DIR;
const fs::path kProtocols = kSource / "tests/protocols";
bool g_update = false;

struct Ran {
  int code;
  std::string out, err;
};

Ran protocol(const std::vector<std::string>& files, std::vector<std::string> more = {},
             const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out, err;
  driver::Streams streams{in, out, err, false, false, "", nullptr, false};
  std::vector<std::string> arguments{"protocol"};
  for (const std::string& file : files)
    arguments.push_back(file == "-" ? file : (kProtocols / file).string());
  arguments.insert(arguments.end(), more.begin(), more.end());
  const auto code = static_cast<int>(driver::run(arguments, streams));
  return {code, out.str(), err.str()};
}

// Without what differs from one machine to another.
std::string settled(std::string text) {
  text = std::regex_replace(text, std::regex(kProtocols.string() + "/"), "");
  return std::regex_replace(text, std::regex(R"(, [0-9.]+ s\n)"), ", S s\n");
}

std::string over(const std::string& rest) {
  return "(define-state-type s ((x Int)))"
         "(define-transition-system T s (= x 0) (= x' (+ x 1)))" +
         rest;
}

TEST(Protocol, RefusesWithAPlace) {
  std::set<std::string> seen;
  for (const auto& entry : fs::directory_iterator(kProtocols / "rejects")) {
    if (entry.path().extension() != ".mcmt") continue;
    const Ran ran = protocol({"rejects/" + entry.path().filename().string()});
    const std::string said = settled(ran.out + ran.err);
    const fs::path expected = entry.path().string() + ".expect";
    if (g_update) write_file(expected, said);
    EXPECT_EQ(said, read_file(expected)) << entry.path();
    EXPECT_EQ(ran.code, 3) << entry.path();
    EXPECT_EQ(ran.out, "") << entry.path();
    for (const DiagnosticInfo& row : all_diagnostics())
      if (said.find("[" + std::string(row.code) + "]") != std::string::npos)
        seen.insert(std::string(row.code));
  }
  for (const DiagnosticInfo& row : all_diagnostics()) {
    const bool ours = row.code.starts_with("L11");
    EXPECT_TRUE(!ours || seen.contains(std::string(row.code))) << row.code << " is never said";
  }
}

TEST(Protocol, ExitCodesAreThoseOfVerify) {
  EXPECT_EQ(protocol({"-"}, {}, over("(query T (>= x 0))")).code, 0);
  EXPECT_EQ(protocol({"-"}, {}, over("(query T (>= x 0))(query T (< x 3))")).code, 1);
  EXPECT_EQ(protocol({"-"}, {}, over("(assume T (= x 1))(query T (= x 1))")).code, 1) << "vacuous";
  const Ran open = protocol({"-"}, {"--budget", "0.5"},
                            "(define-state-type s ((x Int) (y Int)))"
                            "(define-transition-system T s (and (= x 0) (= y 0)) (and (= x' (+ x "
                            "1)) (= y' (+ y x y))))(query T (/= y (- 7)))");
  EXPECT_TRUE(open.code == 2 || open.code == 0) << open.out;
  EXPECT_EQ(
      protocol({"-"}, {"--budget", "0.5", "--engine", "bounded-search"}, over("(query T (>= x 0))"))
          .code,
      2);
  EXPECT_EQ(protocol({"-"}, {}, over("(query T (>= y 0))")).code, 3);
  EXPECT_EQ(protocol({"missing.mcmt"}).code, 3);
  EXPECT_EQ(protocol({"-"}, {}, over("")).code, 4) << "no query";
  EXPECT_EQ(protocol({"-"}, {"--claim", "other"}, over("(query T (>= x 0))")).code, 4);
}

TEST(Protocol, AnAssumptionServesNoQueryBeforeIt) {
  const Ran ran = protocol({"assumed.mcmt"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.out.find("small: invalid"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("query 2: valid"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("query 3: invalid"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("query 4: vacuous"), std::string::npos) << ran.out;
}

// One system for each place at which an assumption counts, or must not.
TEST(Protocol, AssumptionsCountAtBothEndsOfAStep) {
  const auto said = [](const std::string& rest) {
    return protocol({"-"}, {"--budget", "3"}, over(rest)).out;
  };
  const auto has = [](const std::string& text, const char* what) {
    return text.find(what) != std::string::npos;
  };
  EXPECT_TRUE(has(said("(assume T (/= x 2))(query T (< x 2))"), "valid")) << "behind a step";
  EXPECT_TRUE(has(said("(assume T (< x 2))(query T (< x 2))"), ": valid"));
  EXPECT_TRUE(has(said("(assume T (/= x 2))(query T (/= x 1))"), "invalid after") ||
              has(said("(assume T (/= x 2))(query T (/= x 1))"), "after 1 step"));
  EXPECT_TRUE(has(said("(assume T (/= x 0))(query T (/= x 1))"), "vacuous")) << "at the beginning";
}

TEST(Protocol, BindingsInSequenceReadAsMeant) {
  EXPECT_NE(protocol({"clocks.mcmt"}).out.find("near: valid"), std::string::npos);
}

TEST(Protocol, ProvesTheTurnsAndBreaksThemWhereTheyAreTaken) {
  const Ran right = protocol({"turns.mcmt"}, {"--claim", "tidy"});
  EXPECT_EQ(right.code, 0) << right.out;
  const Ran wrong = protocol({"turns_taken.mcmt"});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_NE(wrong.out.find("alone: invalid by k-induction, after 6 steps"), std::string::npos)
      << wrong.out;
}

TEST(Protocol, SaysTheSameToMachines) {
  const Ran ran = protocol({"clocks.mcmt"}, {"--format", "json"});
  const auto json = nlohmann::json::parse(ran.out);
  ASSERT_EQ(json["claims"].size(), 2u);
  EXPECT_EQ(json["claims"][0]["verdict"], "valid");
  EXPECT_EQ(json["claims"][0]["checked_by"], (nlohmann::json{"z3", "cvc5"}));
  const auto& broken = json["claims"][1];
  EXPECT_EQ(broken["verdict"], "invalid");
  EXPECT_EQ(broken["trace"].size(), broken["depth"].get<std::size_t>() + 1);
  EXPECT_TRUE(broken["trace"][1]["inputs"].contains("drift_left"));
}

class Scratch {
 public:
  explicit Scratch(const char* name)
      : path_(fs::temp_directory_path() / ("leto-" + std::to_string(getpid()) + name)) {}
  ~Scratch() { fs::remove(path_); }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

TEST(Protocol, WritesCertificatesThatAreCheckedAgain) {
  const Scratch file("certificate.smt2");
  const std::vector<std::string> near{"--claim", "near", "--certificate", file.path()};
  ASSERT_EQ(protocol({"clocks.mcmt"}, near).code, 0);
  const std::vector<std::string> check{"--claim", "near", "--check", file.path()};
  const Ran checked = protocol({"clocks.mcmt"}, check);
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_NE(checked.out.find("valid, checked by z3 and cvc5"), std::string::npos);
  // Any solver can check it.
  const std::string command = "z3 " + file.path() + " | sort -u | tr '\\n' ' ' > " + file.path() +
                              ".said; cvc5 --incremental " + file.path() + " | sort -u >> " +
                              file.path() + ".said";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(read_file(file.path() + ".said"), "unsat unsat\n");
  fs::remove(file.path() + ".said");
  // Another claim, an edited text, no text.
  EXPECT_EQ(protocol({"clocks.mcmt"}, {"--claim", "nearer", "--check", file.path()}).code, 3);
  std::string text = read_file(file.path());
  write_file(file.path(), std::regex_replace(text, std::regex("unsat"), "sat"));
  EXPECT_EQ(protocol({"clocks.mcmt"}, check).code, 3);
  const std::string asked = "(assert (not claim.0))";
  ASSERT_NE(text.find(asked), std::string::npos);
  write_file(file.path(), text.replace(text.find(asked), asked.size(), "(assert claim.0)"));
  const Ran edited = protocol({"clocks.mcmt"}, check);
  EXPECT_EQ(edited.code, 3);
  EXPECT_NE(edited.err.find("it was edited"), std::string::npos) << edited.err;
  write_file(file.path(), "");
  EXPECT_EQ(protocol({"clocks.mcmt"}, check).code, 3);
}

// In the order of the file, though the claims are of two systems; and each has a name of its own.
TEST(Protocol, TellsClaimsInTheirOrder) {
  const std::string two =
      "(define-state-type s ((x Int)))(define-states small s (< x 9))"
      "(define-transition-system T s (= x 0) (= x' 0))"
      "(define-transition-system U s (= x 1) (= x' 1))\n"
      "(query T small)\n(query U small)\n(query T (= x 0))\n(query U (= x 1))";
  const Ran all = protocol({"-"}, {}, two);
  EXPECT_EQ(all.code, 0) << all.out;
  const auto at = [&](const char* what) { return all.out.find(what); };
  EXPECT_LT(at("small: "), at("small (query 2): ")) << all.out;
  EXPECT_LT(at("small (query 2): "), at("query 3: ")) << all.out;
  EXPECT_LT(at("query 3: "), at("query 4: ")) << all.out;
  const Ran one = protocol({"-"}, {"--claim", "small (query 2)"}, two);
  EXPECT_NE(one.out.find("1 claim: 1 valid"), std::string::npos) << one.out;
}

TEST(Protocol, WritesHornClausesThatMeanTheSame) {
  const Scratch file("clauses.smt2");
  const auto answer = [&](const std::string& rest) {
    EXPECT_EQ(protocol({"-"}, {"--write-horn", file.path()}, over(rest)).code, 0);
    const std::string said = file.path() + ".said";
    EXPECT_EQ(std::system(("z3 fp.engine=spacer " + file.path() + " > " + said).c_str()), 0);
    const std::string out = read_file(said);
    fs::remove(said);
    return out;
  };
  EXPECT_EQ(answer("(query T (>= x 0))"), "sat\n");
  EXPECT_EQ(answer("(query T (/= x 3))"), "unsat\n");
  EXPECT_EQ(answer("(assume T (/= x 3))(query T (<= x 3))"), "sat\n");
  EXPECT_EQ(answer("(assume T (/= x 3))(query T (<= x 1))"), "unsat\n");
}

// Every block of the page that begins with a command shows what the command prints.
TEST(Protocol, ThePageShowsWhatIsPrinted) {
  std::istringstream page(read_file(kSource / "docs/protocols.md"));
  std::string line;
  unsigned blocks = 0;
  const std::string begin = "$ leto protocol ";
  while (std::getline(page, line)) {
    if (!line.starts_with(begin)) continue;
    std::istringstream words(line.substr(begin.size()));
    std::vector<std::string> files, more;
    for (std::string word; words >> word;)
      (word.ends_with(".mcmt") && more.empty() ? files : more).push_back(word);
    std::string shown;
    while (std::getline(page, line) && !line.starts_with("```")) shown += line + "\n";
    EXPECT_EQ(settled(shown), settled(protocol(files, more).out)) << begin << files.at(0);
    ++blocks;
  }
  EXPECT_GE(blocks, 3u);
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  leto::tests::g_update = argc > 1 && std::string(argv[1]) == "--update";
  return RUN_ALL_TESTS();
}
