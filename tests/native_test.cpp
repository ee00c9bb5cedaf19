// Native campaigns against the interpreter, run by run. Each program of tests/native says in its
// first lines what it is run on, and what is expected:
//
//   //? input {"n": 2}
//   //? steps 3000
//   //? integers            every run is in the class that the interpreter gives it
//   //? voids 3             doubles cannot decide at most so many in a hundred; all others agree
//   //? refused WHAT        it is refused, with these words
#include "workbench/native.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "driver/driver.h"
#include "driver/programs.h"
#include "golden.h"
#include "script/inputs.h"

namespace leto::tests {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kRuns = 3000;

struct Expected {
  std::string input, refused;
  std::uint64_t steps = 1'000'000, voids = 0;
};

Expected read_expected(const fs::path& path) {
  std::ifstream in(path);
  Expected out;
  for (std::string line; std::getline(in, line) && line.starts_with("//? ");) {
    const std::string word = line.substr(4, line.find(' ', 4) - 4);
    const std::string rest = line.size() > 5 + word.size() ? line.substr(5 + word.size()) : "";
    if (word == "input") out.input = rest;
    if (word == "refused") out.refused = rest;
    if (word == "steps") out.steps = std::stoull(rest);
    if (word == "voids") out.voids = std::stoull(rest);
  }
  return out;
}

}  // namespace

// A program that is ready to run.
class NativeExamples : public testing::Test {
 protected:
  void prepare(const fs::path& path, const std::string& input) {
    DiagnosticList diagnostics;
    std::string problem;
    files_.emplace(in_);
    workspace::Places places;
    places.models = {std::string(LETO_SOURCE_DIR) + "/models"};
    workspace_.emplace(*files_, places, &allowance_);
    e_ = workbench::prepare(*workspace_, {path.string(), "", ""}, allowance_, diagnostics, problem);
    ASSERT_TRUE(e_) << path << problem;
    settings_.function = e_->function;
    settings_.inputs =
        script::inputs_from_json(*e_->machine, e_->function, nlohmann::json::parse(input), problem);
    ASSERT_EQ(problem, "");
  }
  // Run by run. How many the doubles could not decide.
  std::uint64_t compare(std::uint64_t runs) {
    DiagnosticList diagnostics;
    std::string problem;
    settings_.runs = runs;
    const auto campaign =
        workbench::NativeCampaign::build(*e_, settings_, allowance_, diagnostics, problem);
    EXPECT_TRUE(campaign) << problem << diagnostics.all().size();
    if (!campaign) return 0;
    const std::vector<inject::Class> found = campaign->classes(0, runs, allowance_);
    EXPECT_EQ(found.size(), runs);
    inject::Counts counts{};
    std::uint64_t voids = 0, wrong = 0;
    for (std::uint64_t i = 0; i < found.size(); ++i) {
      const inject::Class right =
          inject::classify(inject::run_one(*e_->machine, settings_, i).outcome);
      ++counts[static_cast<std::size_t>(right)];
      if (found[i] == right) continue;
      if (found[i] == inject::Class::Void) ++voids;
      if (found[i] == inject::Class::Void || ++wrong > 5) continue;
      ADD_FAILURE() << "run " << i << " is " << inject::name(found[i])
                    << ", but for the interpreter " << inject::name(right);
    }
    std::string all;
    for (std::size_t c = 0; c < counts.size(); ++c)
      all += std::string(inject::name(static_cast<inject::Class>(c))) + " " +
             std::to_string(counts[c]) + " ";
    RecordProperty("classes", all);
    EXPECT_EQ(wrong, 0u) << all;
    return voids;
  }

  Allowance allowance_;
  std::istringstream in_;
  std::optional<driver::Programs> files_;
  std::optional<workspace::Workspace> workspace_;
  std::unique_ptr<workbench::Executable> e_;
  inject::Settings settings_;
};
class Native : public NativeExamples, public testing::WithParamInterface<fs::path> {};

namespace {

std::vector<fs::path> all_programs() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(fs::path(LETO_SOURCE_DIR) / "tests/native"))
    if (entry.path().extension() == ".leto") out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

TEST_P(Native, AgreesWithTheInterpreterOrIsRefused) {
  const Expected expected = read_expected(GetParam());
  ASSERT_NO_FATAL_FAILURE(prepare(GetParam(), expected.input));
  settings_.limits.steps = expected.steps;
  if (expected.refused.empty()) {
    EXPECT_LE(compare(kRuns) * 100, expected.voids * kRuns);
    return;
  }
  DiagnosticList diagnostics;
  std::string problem;
  EXPECT_FALSE(workbench::NativeCampaign::build(*e_, settings_, allowance_, diagnostics, problem));
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].kind, DiagnosticKind::NotInjected);
  EXPECT_NE(diagnostics.all()[0].args[0].find(expected.refused), std::string::npos)
      << diagnostics.all()[0].args[0];
}

INSTANTIATE_TEST_SUITE_P(Programs, Native, testing::ValuesIn(all_programs()),
                         [](const auto& one) { return one.param.stem().string(); });

// The examples that are measured.
TEST_F(NativeExamples, VectorProduct) {
  ASSERT_NO_FATAL_FAILURE(prepare(fs::path(LETO_SOURCE_DIR) / "examples/vector_product.leto",
                                  R"({"N": 5, "x": [1, "1/3", 0, -2, 7], "y": [2, 3, 4, "1/7", 6],
                                      "model.eps": "1/3"})"));
  EXPECT_LE(compare(1000), 30u);
}

TEST_F(NativeExamples, Jacobi) {
  ASSERT_NO_FATAL_FAILURE(
      prepare(fs::path(LETO_SOURCE_DIR) / "examples/jacobi.leto",
              R"({"N": 3, "sweeps": 3, "A": [[24, 1, -1], [0, 24, 1], [1, "1/3", 24]],
                                      "b": [1, 2, 3], "x": [0, 0, 0], "model.e_rel": "1/8", "E": 1,
                                      "D": 3, "EPS": 1})"));
  EXPECT_LE(compare(1000), 30u);
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
