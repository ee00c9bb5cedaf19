// What `leto checker` says of each program in tests/checkers. Its first lines say what is expected:
//
//   //? exit 1
//   //? sound 2: refuted
//   //? rejected: L0813
//
// names an exit code and lines of the report, of the last checker in the file. The examples of
// examples/checkers are all proved.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "driver/driver.h"
#include "golden.h"

namespace leto::tests {

namespace fs = std::filesystem;

namespace {

struct Said {
  int code = -1;
  std::string out, err;
};

Said run_checker(const fs::path& path, const std::vector<std::string>& more = {}) {
  std::istringstream in;
  std::ostringstream out, err;
  driver::Streams streams{in, out, err, false, false, fs::path(LETO_BINARY).parent_path().string()};
  std::vector<std::string> words{"checker", path.string(), "--no-cache", "--jobs", "2"};
  words.insert(words.end(), more.begin(), more.end());
  const int code = static_cast<int>(driver::run(words, streams));
  return {code, out.str(), err.str()};
}

std::vector<fs::path> programs_in(const std::string& directory) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(fs::path(LETO_SOURCE_DIR) / directory))
    if (entry.path().extension() == ".leto" && entry.path().filename().string()[0] != '_')
      found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

// The last line of the report that begins so; empty: there is none.
std::string line_of(const std::string& report, const std::string& what) {
  std::istringstream lines(report);
  std::string line, found;
  while (std::getline(lines, line))
    if (line.starts_with("  " + what + " ") && !line.starts_with("  " + what + " under "))
      found = line;
  return found;
}

std::string name_of(const testing::TestParamInfo<fs::path>& info) {
  return info.param.stem().string();
}

}  // namespace

class CheckerProgram : public testing::TestWithParam<fs::path> {};
class CheckerExample : public testing::TestWithParam<fs::path> {};

TEST_P(CheckerProgram, IsJudgedAsItSays) {
  const Said said = run_checker(GetParam());
  std::istringstream program(read_file(GetParam()));
  std::string line;
  int expected = 0;
  while (std::getline(program, line) && line.starts_with("//? ")) {
    ++expected;
    const std::string rest = line.substr(4);
    if (rest.starts_with("exit ")) {
      EXPECT_EQ(said.code, std::stoi(rest.substr(5))) << said.out << said.err;
      continue;
    }
    const std::size_t colon = rest.find(": ");
    ASSERT_NE(colon, std::string::npos) << rest;
    if (rest.starts_with("rejected")) {
      EXPECT_NE(said.err.find(rest.substr(colon + 2)), std::string::npos) << said.out << said.err;
      continue;
    }
    const std::string found = line_of(said.out, rest.substr(0, colon));
    EXPECT_NE(found.find(rest.substr(colon + 2)), std::string::npos) << "expected " << rest << "\n"
                                                                     << said.out << said.err;
  }
  EXPECT_GT(expected, 1) << "the program says too little of what is expected";
  // A checker has one run, and nobody wrote the functions that stand for it; but where something is
  // claimed under a model, faults are told.
  if (GetParam().filename().string().find("under") != std::string::npos) return;
  for (const char* word :
       {"original", "relaxed", ", exactly", ", against 1", ", against 2", "fault"})
    EXPECT_EQ(said.out.find(word), std::string::npos) << word << "\n" << said.out;
}

// All that their proofs need is written down.
TEST_P(CheckerExample, IsProved) {
  const Said said = run_checker(GetParam(), {"--no-infer"});
  EXPECT_EQ(said.code, 0) << said.out << said.err;
}

// It is counted how many values quantifiers try, not how long that takes.
TEST(Checkers, DoNotTryAllValuesOfManyQuantifiers) {
  const Said said = run_checker(fs::path(LETO_SOURCE_DIR) / "tests/checkers/many_values.leto",
                                {"--bounded", "3"});
  EXPECT_EQ(said.code, 2) << said.out << said.err;
  EXPECT_NE(line_of(said.out, "sound 2").find("unknown (bounded 3): no pair"), std::string::npos)
      << said.out;
  EXPECT_NE(line_of(said.out, "examples").find("could not be decided"), std::string::npos)
      << said.out;
  EXPECT_EQ(said.err, "");
}

// The last loop before a claim need not be the one whose invariants it rests on.
TEST(Checkers, AreAdvisedOfTheLoopThatComputesWhatIsClaimed) {
  const Said said =
      run_checker(fs::path(LETO_SOURCE_DIR) / "tests/checkers/_two_loops.leto", {"--no-infer"});
  EXPECT_NE(said.out.find("after the loop at 19:5"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("as an invariant of the loop at 11:5"), std::string::npos) << said.out;
}

TEST(Checkers, AreAdvisedOfProducts) {
  const Said said = run_checker(fs::path(LETO_SOURCE_DIR) / "tests/checkers/_cubes.leto",
                                {"--resource", "100000"});
  EXPECT_EQ(said.code, 2) << said.out << said.err;
  EXPECT_NE(said.out.find("what is accepted is right by this clause, in checker c"),
            std::string::npos)
      << said.out;
  EXPECT_NE(said.out.find("It speaks of a product of variables"), std::string::npos) << said.out;
  EXPECT_NE(said.out.find("(docs/lemmas.md)"), std::string::npos) << said.out;
}

TEST(Checkers, AreListedWhereOneIsNotThere) {
  const Said said = run_checker(fs::path(LETO_SOURCE_DIR) / "examples/checkers/sorting.leto",
                                {"--checker", "by_bag"});
  EXPECT_NE(said.code, 0);
  EXPECT_EQ(said.err,
            "leto: error: there is no checker 'by_bag'; what there is: by_places, by_table\n");
}

// A checker is a function with a contract to who calls it.
TEST(Checkers, AreCalledByPrograms) {
  std::istringstream in;
  std::ostringstream out, err;
  driver::Streams streams{in, out, err, false, false, fs::path(LETO_BINARY).parent_path().string()};
  const fs::path path = fs::path(LETO_SOURCE_DIR) / "tests/checkers/_calls.leto";
  EXPECT_EQ(static_cast<int>(driver::run({"verify", path.string(), "--no-cache"}, streams)), 0)
      << out.str() << err.str();
  EXPECT_NE(out.str().find("assert holds"), std::string::npos) << out.str();
}

// T22: that the exact run is proved says nothing of a relaxed one.
TEST(Checkers, AreNotBelievedInRelaxedRuns) {
  const fs::path path = fs::path(LETO_SOURCE_DIR) / "tests/checkers/_calls_relaxed.leto";
  EXPECT_EQ(run_checker(path).code, 0);
  std::istringstream in;
  std::ostringstream out, err;
  driver::Streams streams{in, out, err, false, false, fs::path(LETO_BINARY).parent_path().string()};
  EXPECT_EQ(static_cast<int>(driver::run({"verify", path.string(), "--no-cache"}, streams)), 1)
      << out.str() << err.str();
}

// T16: that it does not accept says nothing.
TEST(Checkers, SayNothingWhereTheyGiveUp) {
  std::istringstream in;
  std::ostringstream out, err;
  driver::Streams streams{in, out, err, false, false, fs::path(LETO_BINARY).parent_path().string()};
  const fs::path path = fs::path(LETO_SOURCE_DIR) / "tests/checkers/_calls_gives_up.leto";
  EXPECT_EQ(static_cast<int>(driver::run({"verify", path.string(), "--no-cache"}, streams)), 1)
      << out.str() << err.str();
  EXPECT_NE(out.str().find("_calls_gives_up.leto:22:9: assert holds"), std::string::npos)
      << out.str();
}

// What is derived is a checker like any other, and proved as it comes.
TEST(Checkers, AreDerivedAndProved) {
  const fs::path folder = fs::path(testing::TempDir()) / "leto_derived";
  fs::remove_all(folder);
  fs::copy(fs::path(LETO_SOURCE_DIR) / "examples/checkers", folder, fs::copy_options::recursive);
  fs::copy(fs::path(LETO_SOURCE_DIR) / "tests/checkers/_derive.leto", folder / "derive.leto");
  const std::vector<std::pair<std::string, std::string>> problems = {
      {"derive", "distinct"},
      {"derive", "total"},
      {"derive", "sorted"},
      {"derive", "largest"},
      {"derive", "equations"},
      {"derive", "derived"},
      {"derive", "largest_at"},
      {"division", "division"},
      {"linear_system", "linear_system"},
      {"threesum", "threesum"},
      {"perfect_matching", "perfect_matching"},
      {"sorting", "sorting"}};
  for (const auto& [file, problem] : problems) {
    const fs::path path = folder / (file + ".leto");
    const Said derived = run_checker(path, {"--derive", problem});
    ASSERT_EQ(derived.code, 0) << derived.err;
    const std::string name = derived.out.substr(8, derived.out.find(' ', 8) - 8);
    const fs::path whole = folder / (file + "_" + problem + ".leto");
    std::ofstream(whole) << read_file(path) << "\n" << derived.out;
    const Said said = run_checker(whole, {"--checker", name, "--no-infer"});
    EXPECT_EQ(said.code, 0) << derived.out << said.out << said.err;
  }
  fs::remove_all(folder);
}

// And where no rule is known, that is said, and of what.
TEST(Checkers, AreNotDerivedWithoutARule) {
  const fs::path path = fs::path(LETO_SOURCE_DIR) / "tests/checkers/_derive_none.leto";
  const std::vector<std::pair<std::string, std::string>> problems = {
      {"beaten", "against challengers"},
      {"all_numbers", "does not range over uints"},
      {"unbounded", "nothing bounds 'z' from above"},
      {"for_each", "a witness would be needed for each case"},
      {"power", "not of the form 'if (k == 0)"},
      {"beats_named", "a challenger is arbitrary"}};
  for (const auto& [problem, why] : problems) {
    const Said said = run_checker(path, {"--derive", problem});
    EXPECT_EQ(said.code, 2) << said.out;
    EXPECT_EQ(said.out, "");
    EXPECT_NE(said.err.find(why), std::string::npos) << said.err;
  }
  EXPECT_EQ(run_checker(path, {"--derive", "nothing"}).code, 4);
}

INSTANTIATE_TEST_SUITE_P(Checkers, CheckerProgram, testing::ValuesIn(programs_in("tests/checkers")),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Checkers, CheckerExample,
                         testing::ValuesIn(programs_in("examples/checkers")), name_of);

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
