// Invariants that nobody wrote: what is inferred can be pasted, is proved of both runs, and
// gets less, never wrong, when the solver fails.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <limits>
#include <set>
#include <sstream>

#include "driver/driver.h"
#include "golden.h"
#include "workbench/verifying.h"
#include "workspace/workspace.h"

namespace leto::tests {

namespace fs = std::filesystem;
const fs::path kSource = LETO_SOURCE_DIR;
const Allowance g_never;

// The time of a command, by questions: when none is left it is over.
struct Clock {
  std::atomic<int> left{std::numeric_limits<int>::max()};
  Allowance allowance;
};

// Fails now and then, as a solver does that runs out of memory: on one of `period` questions. When
// the time is over it answers nothing more.
class Flaky final : public solver::Solver {
 public:
  Flaky(std::unique_ptr<solver::Solver> inner, unsigned period, Clock& clock)
      : inner_(std::move(inner)), period_(period), clock_(clock) {}
  std::string identity() override { return inner_->identity(); }
  std::string script(const solver::Query& query) const override { return inner_->script(query); }
  solver::Answer solve(const solver::Query& query) override {
    if (--clock_.left < 0) {
      clock_.allowance.end(Allowance::End::Time);
      solver::Answer answer;
      answer.reason = solver::Reason::Interrupted;
      return answer;
    }
    if (period_ > 0 && std::hash<std::string>{}(query.text) % period_ == 0) {
      solver::Answer answer;
      answer.reason = solver::Reason::Memory;
      return answer;
    }
    return inner_->solve(query);
  }

 private:
  std::unique_ptr<solver::Solver> inner_;
  unsigned period_;
  Clock& clock_;
};

workbench::Verified verify(const std::string& text, bool infer, unsigned period = 0,
                           std::uint64_t memory_mb = 2048, bool trust_original = false,
                           const fs::path& folder = {}, int questions = -1,
                           std::size_t summed_up_from = vcgen::kSummedUpFrom) {
  workspace::RealFileSystem files;
  workspace::Workspace workspace(files, {{(kSource / "models").string()}});
  DiagnosticList diagnostics;
  workspace::Program program =
      workspace.load_text((folder / "program.leto").string(), text, diagnostics);
  const workspace::PickedModel picked = workspace.pick_model(program, "", diagnostics);
  const check::Checked checked =
      check::check(program.trees, {picked.name, picked.bad}, workspace.names(), diagnostics);
  EXPECT_EQ(diagnostics.errors(), 0u) << text << diagnostics.all()[0].message();
  if (diagnostics.errors() > 0) return {};
  solver::Limits limits;
  limits.memory_mb = memory_mb;
  limits.resource = 2'000'000;
  limits.seconds = 3;
  Clock clock;
  if (questions >= 0) clock.left = questions;
  engine::Crew crew(2, [&] {
    return std::make_unique<Flaky>(
        solver::make_process_solver(solver::z3_command(), limits, g_never), period, clock);
  });
  prove::VerifySettings settings;
  settings.allowance = &clock.allowance;
  settings.infer = infer;
  settings.trust_original = trust_original;
  settings.summed_up_from = summed_up_from;
  return workbench::verify(checked, workspace.names(), settings, crew, nullptr, {});
}

std::set<std::string> texts(const workbench::Verified& v) {
  std::set<std::string> out;
  for (const auto& invariant : v.inferred) out.insert(invariant.text);
  return out;
}

std::set<std::string> proved(const workbench::Verified& v) {
  std::set<std::string> out;
  for (const prove::Claim& claim : v.claims)
    if (claim.status == prove::Status::Proved)
      out.insert(fmt::format("{} {} {}", claim.id.at.begin, static_cast<int>(claim.id.kind),
                             core::claimed(claim.id)));
  return out;
}

std::string leto(const std::vector<std::string>& arguments, int& code) {
  std::istringstream in;
  std::ostringstream out, err;
  driver::Streams streams{in, out, err, false, false, fs::path(LETO_BINARY).parent_path().string()};
  code = static_cast<int>(driver::run(arguments, streams));
  return out.str();
}

class Paste : public testing::TestWithParam<fs::path> {};

TEST_P(Paste, WhatIsInferredSufficesWithoutInference) {
  int code = -1;
  const std::string annotated = leto({"infer", GetParam().string(), "--no-cache"}, code);
  ASSERT_EQ(code, 0);
  // Those about reliability claim little; of the others each needs something.
  const fs::path folder = GetParam().parent_path();
  if (folder.filename() == "examples") {
    EXPECT_NE(annotated, read_file(GetParam()));
  }
  const workbench::Verified v = verify(annotated, false, 0, 2048, false, folder);
  EXPECT_EQ(v.status(), prove::Status::Proved);
  EXPECT_TRUE(v.inferred.empty());  // but for the counter of a 'repeat', which nobody can name
}

INSTANTIATE_TEST_SUITE_P(Examples, Paste, testing::ValuesIn(golden_programs(kSource / "examples")),
                         [](const testing::TestParamInfo<fs::path>& one) {
                           return one.param.parent_path().stem().string() + "_" +
                                  one.param.stem().string();
                         });

const char* const kCount = R"(use model unbounded_seu;
requires_r eq(*)
real f(uint n, vector<real> a(n)) {
    real s = 0;
    {} for (uint i = 0; i < n; ++i) {
        s = s +. a[i];
    }
    assert_r !model.upset -> eq(s);
    return s;
}
)";

std::string with(const std::string& attribute) {
  std::string text = kCount;
  return text.replace(text.find("{}"), 2, attribute);
}

TEST(Inference, CanBeTurnedOffForOneLoopAndForAll) {
  EXPECT_EQ(verify(with(""), true).status(), prove::Status::Proved);
  EXPECT_NE(verify(with(""), false).status(), prove::Status::Proved);
  const workbench::Verified off = verify(with("@noinf"), true);
  EXPECT_NE(off.status(), prove::Status::Proved);
  EXPECT_TRUE(off.inferred.empty());
}

TEST(Inference, KeepsExactlyWhatHolds) {
  const std::set<std::string> found = texts(verify(with("@label(l)"), true));
  EXPECT_TRUE(found.contains("invariant_r eq(i)"));
  EXPECT_TRUE(found.contains("invariant i <= n"));
  EXPECT_TRUE(found.contains("invariant_r !model.upset -> eq(s)"));
  EXPECT_TRUE(found.contains("invariant_r l.entry[model.upset] -> model.upset"));
  EXPECT_FALSE(found.contains("invariant_r eq(s)"));         // an upset may strike
  EXPECT_FALSE(found.contains("invariant_r !model.upset"));  // and has then
}

// What is promised of the result is tried of the variable that is returned.
// eq(i) falls on entry to the inner loop, where what is known of the runs without an upset is still
// needed.
TEST(Inference, SomethingWeakerComesForWhatFallsOnEntry) {
  const auto v = verify(read_file(kSource / "tests/proves/labels_of_inner_loops.leto"), true);
  EXPECT_TRUE(texts(v).contains("invariant_r !model.upset -> eq(i)"));
}

TEST(Inference, ThePromiseIsTriedOfWhatIsReturned) {
  const workbench::Verified v = verify(R"(use model additive_seu;
requires_r eq(*)
ensures_r abs(result<o> - result<r>) <= model.eps
real sum(uint n, vector<real> a(n)) {
    real s = 0;
    for (uint i = 0; i < n; ++i) {
        s = s +. a[i];
    }
    return s;
}
)",
                                       true);
  EXPECT_EQ(v.status(), prove::Status::Proved);
  EXPECT_TRUE(texts(v).contains("invariant_r abs(s<o> - s<r>) <= model.eps"));
}

// However many candidates there are, those that the claims need are among them: here of the last
// variables, of what one of them is computed from, and of the counter.
TEST(Inference, WhatIsNeededIsTriedHoweverManyThereAre) {
  std::string declared, done;
  for (int k = 0; k < 250; ++k) {
    declared += fmt::format("    real x{} = {};\n", k, k);
    done += fmt::format("        x{0} = x{0} +. a[i];\n", k);
  }
  const workbench::Verified v =
      verify(fmt::format("use model unbounded_seu;\nrequires_r eq(*)\n"
                         "real f(uint n, vector<real> a(n)) {{\n{}    real y = 0;\n"
                         "    for (uint i = 0; i < n; ++i) {{\n{}        y = y + x248;\n    }}\n"
                         "    assert_r !model.upset -> eq(x249);\n"
                         "    assert_r !model.upset -> eq(y);\n    return x0;\n}}\n",
                         declared, done),
             true);
  EXPECT_EQ(v.status(), prove::Status::Proved);
  EXPECT_TRUE(texts(v).contains("invariant_r eq(i)"));
  EXPECT_FALSE(texts(v).contains("invariant_r !model.upset -> eq(x240)"));
}

// A fact about both runs that neither has, but one would lend to the other.
TEST(Inference, NothingIsTrustedOfTheOriginal) {
  const workbench::Verified v = verify(R"(use model reliable;
requires_r eq(*)
void f(int n) {
    int x = 0;
    while (x < n) {
        x = x + 2;
    }
    assert_r x<r> <= n<r>;
}
)",
                                       true);
  EXPECT_FALSE(texts(v).contains("invariant x <= n"));
  EXPECT_EQ(v.status(), prove::Status::Refuted);
}

// The same loop where the runs have parted: what holds in lockstep does not hold there.
TEST(Inference, OneSetHasToDoWhereverTheLoopIsMet) {
  const workbench::Verified v = verify(R"(use model unbounded_seu;
requires_r eq(*)
real f(uint n, real a, real b) {
    real s = 0;
    uint i = 0;
    if (a *. b < 1) {
        while (i < n) {
            s = s + a;
            ++i;
        }
    }
    assert_r !model.upset -> eq(s) && eq(i);
    return s;
}
)",
                                       true);
  EXPECT_EQ(v.status(), prove::Status::Proved);
  EXPECT_FALSE(texts(v).contains("invariant_r eq(i)"));
  EXPECT_TRUE(texts(v).contains("invariant_r !model.upset -> eq(i)"));
}

TEST(Inference, TheOriginalCanBeProvedWithIt) {
  const workbench::Verified v = verify(with("@label(l)"), true, 0, 2048, true);
  EXPECT_EQ(v.status(), prove::Status::Proved);
}

// Names that a property binds are not those of the program.
TEST(Inference, BoundVariablesHideNothing) {
  const workbench::Verified v = verify(R"(use model reliable;
property_r small(vector<uint> x, uint upto):
    forall(uint v)(v < upto<r> -> x<r>[v] <= v);
requires_r eq(*)
void f(uint n) {
    vector<uint> x(n);
    for (uint v = 0; v < n; ++v) {
        x[v] = v;
    }
    assert_r small(x, n);
}
)",
                                       true);
  EXPECT_EQ(v.status(), prove::Status::Proved);
  EXPECT_TRUE(texts(v).contains("invariant_r forall(uint v2)(v2 < n<r> -> x<r>[v2] <= v2)"));
}

TEST(Inference, SurvivesASolverThatFails) {
  const std::string text = read_file(kSource / "examples/ss_sd.leto");
  const workbench::Verified whole = verify(text, true);
  ASSERT_EQ(whole.status(), prove::Status::Proved);
  const std::set<std::string> all = proved(whole);
  for (unsigned period : {2u, 3u, 5u, 11u}) {
    const workbench::Verified v = verify(text, true, period);
    EXPECT_LE(v.inferred.size(), whole.inferred.size() * 2);  // weaker facts may stand instead
    for (const std::string& claim : proved(v)) EXPECT_TRUE(all.contains(claim)) << claim;
    for (const prove::Claim& claim : v.claims)
      EXPECT_NE(claim.status, prove::Status::Vacuous) << core::claimed(claim.id);
  }
}

// Whenever the time is over there is an answer, and what is proved is proved with more time too.
TEST(Inference, SurvivesTheEndOfTheTime) {
  const std::string text =
      "requires_r eq(*)\nuint f(uint n) {\n    uint i = 0;\n    uint s = 0;\n    while (i < n) {\n"
      "        s = s + 1;\n        i = i + 1;\n    }\n    assert i <= n;\n    assert_r eq(s);\n"
      "    return s;\n}\n";
  const workbench::Verified whole = verify(text, true);
  ASSERT_EQ(whole.status(), prove::Status::Proved);
  const std::set<std::string> all = proved(whole);
  const int enough = static_cast<int>(whole.cost.questions) + 5;
  for (int questions = 0; questions < enough; ++questions) {
    const workbench::Verified v = verify(text, true, 0, 2048, false, {}, questions);
    for (const std::string& claim : proved(v)) EXPECT_TRUE(all.contains(claim)) << claim;
    EXPECT_EQ(v.count(prove::Status::Refuted), 0u) << questions;
  }
}

TEST(Inference, SurvivesAMemoryLimit) {
  const std::string text = read_file(kSource / "examples/jacobi.leto");
  const std::size_t whole = verify(text, true).claims.size();
  for (std::uint64_t memory : {20u, 66u, 68u}) {
    const workbench::Verified v = verify(text, true, 0, memory);
    EXPECT_FALSE(v.claims.empty());
    EXPECT_LE(v.count(prove::Status::Proved), whole);
    EXPECT_EQ(v.count(prove::Status::Vacuous), 0u);
    if (memory == 20) {
      EXPECT_GT(v.count(prove::Status::Unknown), 0u);  // no solver can even start
    }
  }
}

// What is called is summed up, however small it is.
workbench::Verified sum_up(const std::string& text, unsigned period = 0, int questions = -1) {
  return verify(text, true, period, 2048, false, {}, questions, 0);
}

const char* const kSummedUp =
    "use model unbounded_seu;\n"
    "real g(real x) {\n    real s = x;\n    for (uint i = 0; i < 3; ++i) {\n        s = s + x;\n"
    "    }\n    return s;\n}\n"
    "real h(real x) {\n    return g(x) + g(x + 1);\n}\n";

// Of a sum nothing is known but that it is equal in both runs.
TEST(Summaries, WhatTheyDoNotShowIsShownInPlace) {
  const std::string text =
      "real g(real x) {\n    return x + 1;\n}\n"
      "requires_r eq(*)\nreal f(real x) {\n    real y = g(x);\n    assert y == x + 1;\n"
      "    assert_r eq(y);\n    return y;\n}\n";
  EXPECT_EQ(sum_up(text).status(), prove::Status::Proved);
}

// What is said then is what is said without them.
TEST(Summaries, WhatIsNotProvedIsLookedAtInPlace) {
  const std::string text = std::string(kSummedUp) +
                           "real f(real x) {\n    real y = h(x);\n"
                           "    assert_r eq(y);\n    return y;\n}\n";
  const workbench::Verified by_summaries = sum_up(text), in_place = verify(text, true);
  EXPECT_EQ(by_summaries.status(), prove::Status::Refuted);
  ASSERT_EQ(by_summaries.claims.size(), in_place.claims.size());
  for (std::size_t i = 0; i < in_place.claims.size(); ++i) {
    EXPECT_EQ(by_summaries.claims[i].id, in_place.claims[i].id);
    EXPECT_EQ(by_summaries.claims[i].status, in_place.claims[i].status);
  }
}

// With 5 for x, g never returns; with other numbers it does. And what is assumed of it.
TEST(Summaries, WhatCannotBeLeftIsFoundAsBefore) {
  const auto calling = [](const std::string& inside) {
    return "real g(real x) {\n    " + inside +
           "\n    return x;\n}\n"
           "requires_r eq(*)\nreal f(real x) {\n    real y = g(5);\n    assert_r eq(y);\n"
           "    return y;\n}\n";
  };
  for (const char* inside : {"while (x == 5) {\n    }", "assume x != 5;",
                             "if (x == 5) {\n        assume false;\n    }"}) {
    const prove::Status usual = verify(calling(inside), true).status();
    EXPECT_NE(usual, prove::Status::Proved) << inside;
    EXPECT_EQ(sum_up(calling(inside)).status(), usual) << inside;
  }
}

TEST(Summaries, SurviveASolverThatFailsAndTheEndOfTheTime) {
  const std::string text = std::string(kSummedUp) +
                           "requires_r eq(*)\nensures_r eq(result)\nreal f(real x) {\n"
                           "    return h(x) + h(x + 2);\n}\n";
  const workbench::Verified whole = sum_up(text);
  ASSERT_EQ(whole.status(), prove::Status::Proved);
  const std::set<std::string> all = proved(whole);
  const auto look_at = [&](const workbench::Verified& v) {
    for (const std::string& claim : proved(v)) EXPECT_TRUE(all.contains(claim)) << claim;
    EXPECT_EQ(v.count(prove::Status::Refuted), 0u);
  };
  for (unsigned period : {2u, 3u, 5u, 11u}) look_at(sum_up(text, period));
  const int enough = static_cast<int>(whole.cost.questions) + 5;
  for (int questions = 0; questions < enough; questions += 3) look_at(sum_up(text, 0, questions));
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  signal(SIGPIPE, SIG_IGN);  // a solver that is gone is no reason to be
  return RUN_ALL_TESTS();
}
