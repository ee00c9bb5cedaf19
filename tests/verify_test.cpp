// Whole-tool golden tests of the verifier: every program in tests/proves is proved,
// every one in tests/refutes is not, and there exactly the claims fail that its
// comments say, and for the reason that they say. A comment `//^ refuted, real: CLAIM` stands
// behind the claim's line. With sanitizers the reasons are left out, for they take too long. A
// program that says `// verify: --trust-original` is verified so. The same programs are proved, and
// no others, if what they call is summed up.
//   verify_test --update   rewrites the expectations instead
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>

#include "engine/memory.h"
#include "golden.h"
#include "report/render_explanation.h"
#include "script/inputs.h"
#include "workbench/verifying.h"
#include "workspace/workspace.h"

namespace leto::tests {

namespace fs = std::filesystem;
const fs::path kSource = LETO_SOURCE_DIR;
bool g_update = false;
const Allowance g_never;

struct VerifyRun {
  std::string clean;  // the program without expectations
  std::set<std::pair<std::size_t, std::string>> expected, found;
  std::size_t claims = 0;
  bool undecided = false;
  std::optional<prove::Status> with_summaries;  // if it calls something that can be summed up
};

#ifdef LETO_SANITIZED
constexpr bool kReasons = false;
#else
constexpr bool kReasons = true;
#endif

// Without the reason.
std::string plain(std::string text) {
  const std::size_t comma = text.find(", "), colon = text.find(": ");
  if (comma < colon) text.erase(comma, colon - comma);
  return text;
}

// What is shown fits on a screen and says what to do; what is called real is executed once more,
// from the script that a user is given.
void look_at(const workbench::Verified& v, const prove::Claim& claim, const SourceStore& sources) {
  const diagnose::Explanation& e = *v.explanation(claim);
  const std::string page = report::render(v, claim, sources, {});
  EXPECT_LE(std::count(page.begin(), page.end(), '\n'), 42) << page;
  EXPECT_NE(page.find("\n    next "), std::string::npos) << page;
  EXPECT_EQ(e.cause == diagnose::Cause::Real, e.plan.has_value());
  if (e.cause != diagnose::Cause::Real) return;
  EXPECT_EQ(v.program->functions[e.function].name, claim.id.function);
  const interp::Machine machine(*v.program);
  std::string problem;
  const std::string text = report::script_of(v, e);
  const auto script = nlohmann::json::parse(text);
  interp::Inputs inputs =
      script::inputs_from_json(machine, e.function, script.at("inputs"), problem);
  ASSERT_EQ(problem, "") << text;
  script::functions_from_json(*v.program, script, inputs, problem);
  ASSERT_EQ(problem, "") << text;
  interp::ScriptChooser faults(script::script_from_json(*v.program, script, problem));
  ASSERT_EQ(problem, "") << text;
  const interp::Outcome o = machine.run(e.function, inputs, faults, {});
  EXPECT_TRUE(o.end == interp::End::AssertFailed || o.end == interp::End::CheckFailed ||
              o.end == interp::End::Stuck || o.end == interp::End::OriginalFailed ||
              !o.violations.empty())
      << report::rerun_command(v, e);
}

// Whether anything in the program would be summed up, if it were large.
bool calls_something(const core::Program& program) {
  vcgen::Options options;
  options.summed_up_from = 0;
  vcgen::Generator generator(program, options);
  for (std::uint32_t i = 0; i < program.functions.size(); ++i)
    if (generator.is_worth_summaries(core::FunctionId{i})) return true;
  return false;
}

VerifyRun run(const fs::path& path, std::uint64_t resource) {
  VerifyRun result;
  std::istringstream in(read_file(path));
  std::string line;
  std::size_t number = 0;
  while (std::getline(in, line)) {
    const std::size_t at = line.find("//^ ");
    if (at != std::string::npos && line.find_first_not_of(" ") == at) {
      result.expected.emplace(number, kReasons ? line.substr(at + 4) : plain(line.substr(at + 4)));
      continue;
    }
    ++number;
    result.clean += line + "\n";
  }
  workspace::RealFileSystem files;
  workspace::Workspace workspace(files, {{(kSource / "models").string()}});
  DiagnosticList diagnostics;
  workspace::Program program = workspace.load_text(path.string(), result.clean, diagnostics);
  const workspace::PickedModel picked = workspace.pick_model(program, "", diagnostics);
  const check::Checked checked =
      check::check(program.trees, {picked.name, picked.bad}, workspace.names(), diagnostics);
  EXPECT_EQ(diagnostics.errors(), 0u) << path << ": " << diagnostics.all()[0].message();
  if (diagnostics.errors() > 0) return result;
  solver::Limits limits;
  limits.resource = resource;
  if (path.filename().string().starts_with("unknown")) limits.seconds = 1;
  // What ends a search for contradictions must not be the clock of a busy machine: that is unknown.
  if (path.filename().string().starts_with("vacuous")) limits.seconds = 120;
  engine::Crew crew(
      1, [&] { return solver::make_process_solver(solver::z3_command(), limits, g_never); });
  prove::VerifySettings settings;
  settings.trust_original = result.clean.find("// verify: --trust-original\n") != std::string::npos;
  engine::Memory memory, other_memory;  // so that nothing is asked twice
  workbench::Verified v =
      workbench::verify(checked, workspace.names(), settings, crew, &memory, {});
  std::vector<prove::Status> statuses;  // before anybody ran anything
  for (const prove::Claim& claim : v.claims) statuses.push_back(claim.status);
  if (calls_something(*v.program)) {
    prove::VerifySettings by_summaries = settings;
    by_summaries.summed_up_from = 0;
    result.with_summaries =
        workbench::verify(checked, workspace.names(), by_summaries, crew, &other_memory, {})
            .status();
  }
  prove::Engine engine{{}, crew, &memory};
  if (kReasons) workbench::explain(v, {false, resource, limits.seconds, settings, nullptr}, engine);
  for (const prove::Claim& claim : v.claims)
    if (v.explanation(claim) != nullptr) look_at(v, claim, workspace.sources());
  result.claims = v.claims.size();
  for (std::size_t i = 0; i < v.claims.size(); ++i) {
    const prove::Claim& claim = v.claims[i];
    if (claim.status == prove::Status::Proved) continue;
    const SourceFile& file = workspace.sources()[claim.id.at.file];
    const std::size_t where =
        file.path() == path.string() ? file.position(claim.id.at.begin).line : 1;
    // With quantifiers a solver may fail to find the counterexample that there is.
    const bool undecided = statuses[i] == prove::Status::Unknown;
    result.undecided = result.undecided || undecided;
    result.found.emplace(
        where,
        fmt::format(
            "{}{}: {}", undecided ? "not proved" : describe(claim.status),
            v.explanation(claim) ? ", " + std::string(name(v.explanation(claim)->cause)) : "",
            core::claimed(claim.id)));
  }
  return result;
}

class Verify : public testing::TestWithParam<fs::path> {};

TEST_P(Verify, ClaimsHaveTheExpectedStatus) {
  // Connected components need a few large proofs; elsewhere, what is proved takes far less.
  const std::string name = GetParam().filename().string();
  const VerifyRun r =
      run(GetParam(), name == "sc_cc.leto" || name == "property_in_itself.leto" ? 20'000'000
                      : name.starts_with("sc_cc")                               ? 6'000'000
                      : name.starts_with("unknown")                             ? 100'000
                                                                                : 1'000'000);
  if (g_update) {
    std::istringstream in(r.clean);
    std::string line, updated;
    std::size_t number = 0;
    while (std::getline(in, line)) {
      ++number;
      updated += line + "\n";
      const std::size_t indent = std::min(line.find_first_not_of(" "), line.size());
      for (const auto& [where, text] : r.found)
        if (where == number) updated += std::string(indent, ' ') + "//^ " + text + "\n";
    }
    write_file(GetParam(), updated);
    return;
  }
  // What is expected to be refuted must be; what the solver could not decide it may decide
  // one day, but never the other way.
  std::set<std::pair<std::size_t, std::string>> expected, found;
  for (const auto& [line, text] : r.expected) expected.emplace(line, text);
  for (auto [line, text] : r.found) {
    const std::string claim = text.substr(std::string_view("refuted").size());
    if (text.starts_with("refuted") && expected.contains({line, "not proved" + claim}))
      text = "not proved" + claim;
    found.emplace(line, text);
  }
  // Nor need a claim stay undecided that holds; below, something in the file has to fail.
  std::erase_if(expected, [&](const auto& e) {
    return e.second.starts_with("not proved") && !found.contains(e);
  });
  EXPECT_EQ(expected, found);
  EXPECT_GT(r.claims, 0u);
  const bool refuted = GetParam().string().find("/refutes/") != std::string::npos;
  EXPECT_EQ(!r.found.empty(), refuted) << (refuted ? "proved, and must not be" : "not proved");
  EXPECT_EQ(r.with_summaries.value_or(refuted ? prove::Status::Refuted : prove::Status::Proved) ==
                prove::Status::Proved,
            !refuted)
      << "with summaries";
}

std::string test_name(const testing::TestParamInfo<fs::path>& info) {
  std::string name = fs::relative(info.param, kSource).string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return name;
}

// What is too hard for the solver takes long; with sanitizers one such program has to do.
std::vector<fs::path> refuted_programs() {
  std::vector<fs::path> all = golden_files(kSource / "tests/refutes");
  if (!kReasons)
    std::erase_if(all, [](const fs::path& path) {
      return path.filename().string().starts_with("unknown") &&
             path.filename() != "unknown_every_second.leto";
    });
  return all;
}

INSTANTIATE_TEST_SUITE_P(Proves, Verify, testing::ValuesIn(golden_files(kSource / "tests/proves")),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Refutes, Verify, testing::ValuesIn(refuted_programs()), test_name);
INSTANTIATE_TEST_SUITE_P(Examples, Verify, testing::ValuesIn(golden_programs(kSource / "examples")),
                         test_name);

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  leto::tests::g_update = argc > 1 && std::string(argv[1]) == "--update";
  return RUN_ALL_TESTS();
}
