// Runs the golden files below tests/accepts and tests/rejects.
//   golden_test --update   rewrites the expectations instead
#include "golden.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "base/diagnostic.h"
#include "emit/emit.h"
#include "emit/native.h"
#include "lower/lower.h"
#include "report/pages.h"
#include "transition/mcmt.h"
#include "workspace/workspace.h"

namespace leto::tests {

namespace fs = std::filesystem;

const fs::path kSource = LETO_SOURCE_DIR;
const fs::path kModels = kSource / "models";

bool g_update = false;

class Golden : public testing::TestWithParam<fs::path> {};

TEST_P(Golden, HasTheExpectedDiagnostics) {
  const GoldenFile golden = run_golden(GetParam(), kModels);
  if (g_update) {
    write_file(golden.sidecar ? golden.path.string() + ".expect" : golden.path.string(),
               golden.updated);
    return;
  }
  EXPECT_EQ(golden.expected, golden.found) << "run golden_test --update and look at the difference";
  // Rejected exactly where the folder says so.
  const bool should_fail = GetParam().string().find("/rejects/") != std::string::npos;
  if (should_fail)
    EXPECT_FALSE(golden.codes.empty());
  else
    EXPECT_FALSE(golden.has_errors);
}

std::string test_name(const testing::TestParamInfo<fs::path>& info) {
  std::string name = fs::relative(info.param, kSource / "tests").string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Rejects, Golden,
                         testing::ValuesIn(golden_files(kSource / "tests/rejects")), test_name);
INSTANTIATE_TEST_SUITE_P(Accepts, Golden,
                         testing::ValuesIn(golden_files(kSource / "tests/accepts")), test_name);

TEST(Coverage, EveryKindHasAGoldenTest) {
  std::set<std::string> seen;
  for (const fs::path& path : golden_files(kSource / "tests/rejects")) {
    const GoldenFile golden = run_golden(path, kModels);
    for (const std::string& line : golden.expected)
      for (const DiagnosticInfo& row : all_diagnostics())
        if (line.find("[" + std::string(row.code) + "]") != std::string::npos)
          seen.insert(std::string(row.code));
  }
  for (const DiagnosticInfo& row : all_diagnostics())
    // `leto check` has nothing against what `leto emit` refuses: that is emit_test's. What is said
    // of MCMT is protocol_test's.
    EXPECT_TRUE(seen.contains(std::string(row.code)) || row.kind == DiagnosticKind::NotEmitted ||
                row.kind == DiagnosticKind::NotInjected || row.code.starts_with("L11"))
        << row.code << " " << row.name << " has no golden test in tests/rejects";
}

TEST(Coverage, EveryConstructIsAcceptedAndRejectedSomewhere) {
  std::istringstream in(read_file(kSource / "tests/constructs.txt"));
  std::string line;
  std::size_t constructs = 0;
  while (std::getline(in, line)) {
    if (line.starts_with("#") || line.empty()) continue;
    std::istringstream rest(line.substr(line.find(':') + 1));
    std::string accepted, rejected;
    rest >> accepted >> rejected;
    EXPECT_FALSE(run_golden(kSource / "tests" / accepted, kModels).has_errors) << line;
    EXPECT_TRUE(run_golden(kSource / "tests" / rejected, kModels).has_errors) << line;
    ++constructs;
  }
  EXPECT_GE(constructs, 29u);
}

TEST(Coverage, CodesAreUnique) {
  std::set<std::string_view> codes;
  for (const DiagnosticInfo& row : all_diagnostics())
    EXPECT_TRUE(codes.insert(row.code).second) << row.code;
}

// Files of an example, in memory, with the standard models beside them.
class ExampleFiles final : public workspace::FileSystem {
 public:
  explicit ExampleFiles(const report::Example& example) : example_(example) {}
  Content read(const std::string& path, files::NamedBy who) override {
    for (const auto& file : example_.files)
      if (file.name == path) return {file.text, {}};
    return real_.read(path, who);
  }
  // All files of an example lie beside one another; others lie nowhere near.
  std::string real_path(const std::string& path) override { return path; }
  bool lies_in(const std::string& path, const std::string& directory) override {
    for (const auto& file : example_.files)
      if (file.name == path) return directory.empty() && path.find('/') == std::string::npos;
    return real_.lies_in(path, directory);
  }
  bool exists(const std::string& path) override {
    for (const auto& file : example_.files)
      if (file.name == path) return true;
    return real_.exists(path);
  }
  std::optional<std::vector<std::string>> list(const std::string& directory) override {
    return real_.list(directory);
  }

 private:
  const report::Example& example_;
  workspace::RealFileSystem real_;
};

std::vector<std::string> codes_of(DiagnosticList& diagnostics) {
  diagnostics.sort_and_unique();
  std::vector<std::string> codes;
  for (const Diagnostic& d : diagnostics.all()) codes.emplace_back(info(d.kind).code);
  return codes;
}

std::vector<std::string> codes_of_mcmt(const report::Example& example) {
  SourceStore sources;
  std::vector<FileId> files;
  for (const auto& file : example.files) files.push_back(sources.add(file.name, file.text));
  DiagnosticList diagnostics;
  (void)transition::read_mcmt(sources, files, diagnostics);
  return codes_of(diagnostics);
}

// Of `leto check`, or of emitting the last function, or of `leto protocol`.
std::vector<std::string> codes_of(const report::Example& example, DiagnosticKind kind) {
  if (example.files.at(0).name.ends_with(".mcmt")) return codes_of_mcmt(example);
  ExampleFiles files(example);
  workspace::Workspace workspace(files, {{kModels.string()}});
  DiagnosticList diagnostics;
  workspace::Program program = workspace.load(example.files.at(0).name, diagnostics);
  const workspace::PickedModel picked = workspace.pick_model(program, "", diagnostics);
  const check::Checked checked =
      check::check(program.trees, {picked.name, picked.bad}, workspace.names(), diagnostics);
  if (diagnostics.errors() == 0 &&
      (kind == DiagnosticKind::NotEmitted || kind == DiagnosticKind::NotInjected)) {
    const core::Program lowered = lower::lower(checked, workspace.names());
    emit::Request request;
    request.function = core::FunctionId{lowered.functions.size() - 1};
    request.name = "example";
    if (kind == DiagnosticKind::NotEmitted)
      (void)emit::emit(lowered, request, diagnostics);
    else
      (void)emit::emit_injection(lowered, request.function, diagnostics);
  }
  return codes_of(diagnostics);
}

TEST(Explain, EveryKindHasAPageWhoseExamplesAreTrue) {
  for (const DiagnosticInfo& row : all_diagnostics()) {
    const std::string page = report::explanation(row.code);
    ASSERT_FALSE(page.empty()) << row.code << " has no page in docs/diagnostics";
    EXPECT_TRUE(page.starts_with("# " + std::string(row.code) + ": ")) << row.code;
    const std::vector<report::Example> list = report::examples(page);
    ASSERT_EQ(list.size(), 2u) << row.code << " needs a wrong and a right example";
    EXPECT_TRUE(list[0].wrong && !list[1].wrong) << row.code;
    EXPECT_EQ(codes_of(list[0], row.kind), std::vector<std::string>{std::string(row.code)})
        << row.code;
    EXPECT_EQ(codes_of(list[1], row.kind), std::vector<std::string>{}) << row.code;
  }
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  leto::tests::g_update = argc > 1 && std::string(argv[1]) == "--update";
  return RUN_ALL_TESTS();
}
