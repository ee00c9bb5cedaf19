// What was proved of a program is remembered, and an edit that makes it false is seen: in the
// function, in what it calls, in the model, in a constant, in who calls it. Each edit is verified
// with the memory of the program before it, and without any.
#include <gtest/gtest.h>

#include <memory>

#include "engine/memory.h"
#include "golden.h"
#include "prove/test_shelf.h"
#include "workbench/verifying.h"
#include "workspace/workspace.h"

namespace leto::tests {

namespace {

const std::string kProgram = R"(model flips {
    const real eps = 2;
    bool upset = false;
    operator +(real a, real b) ensures result == a + b;
    operator +(real a, real b) when !upset modifies upset
        ensures upset && abs(result - (a + b)) <= eps;
}
use model flips;

const real most = 5;

real step(real x) {
    return x +. 1;
}

requires x >= 0
ensures result >= 1
real count(real x) {
    return x + 1;
}

requires_r eq(*)
ensures_r abs(result<o> - result<r>) <= 2
real once(real x) {
    real y = step(x);
    return y;
}

requires_r eq(*)
real limited(real x) {
    real y = x +. 1;
    assert_r abs(y<o> - y<r>) <= most;
    return y;
}

requires_r eq(*)
real sums(uint n, vector<real> v(n)) {
    real s = 0;
    for (uint i = 0; i < n; ++i)
    {
        s = s + v[i];
    }
    assert_r eq(s);
    real c = count(1);
    assert c >= 1;
    return s;
}
)";

// Which of its questions a solver fails to answer, the first being 0.
struct Failures {
  unsigned first = 0, last = 0;  // without the last
};

// Z3, unless it is told to fail.
class Failing final : public solver::Solver {
 public:
  Failing(const Failures& failures, const Allowance& allowance)
      : failures_(failures),
        z3_(solver::make_process_solver(solver::z3_command(), {}, allowance)) {}
  std::string identity() override { return z3_->identity(); }
  std::string script(const solver::Query& query) const override { return z3_->script(query); }
  solver::Answer solve(const solver::Query& query) override {
    const unsigned number = asked_++;
    if (number < failures_.first || number >= failures_.last) return z3_->solve(query);
    solver::Answer answer;
    answer.reason = solver::Reason::Crash;
    return answer;
  }

 private:
  const Failures& failures_;
  unsigned asked_ = 0;
  std::unique_ptr<solver::Solver> z3_;
};

class Bench {
 public:
  // By claim: where, what and whether it is proved, in the order of the report.
  [[nodiscard]] std::vector<std::string> verify(const std::string& text, engine::Cache* cache,
                                                const prove::VerifySettings& settings = {}) {
    workspace::RealFileSystem files;
    workspace::Workspace workspace(files, {});
    DiagnosticList diagnostics;
    workspace::Program program = workspace.load_text("program.leto", text, diagnostics);
    const workspace::PickedModel picked = workspace.pick_model(program, "", diagnostics);
    const check::Checked checked =
        check::check(program.trees, {picked.name, picked.bad}, workspace.names(), diagnostics);
    EXPECT_EQ(diagnostics.errors(), 0u) << diagnostics.all()[0].message();
    if (diagnostics.errors() > 0) return {};
    const workbench::Verified v =
        workbench::verify(checked, workspace.names(), settings, crew_, cache, {});
    questions = v.cost.questions;
    std::vector<std::string> out;
    for (const prove::Claim& claim : v.claims) {
      const SourceFile& file = workspace.sources()[claim.id.at.file];
      out.push_back(std::to_string(file.position(claim.id.at.begin).line) + " " +
                    claim.id.function + ": " + core::claimed(claim.id) + ": " +
                    std::string(describe(claim.status)));
    }
    for (const auto& one : v.inferred)
      out.push_back(
          std::to_string(workspace.sources()[one.body.file].position(one.body.begin).line) + " " +
          one.text);
    return out;
  }
  std::size_t questions = 0;  // of the last verification
  Failures failures;          // of the first verification

 private:
  Allowance never_;
  engine::Crew crew_{1, [this] { return std::make_unique<Failing>(failures, never_); }};
};

bool all_proved(const std::vector<std::string>& claims) {
  return std::all_of(claims.begin(), claims.end(), [](const std::string& claim) {
    return claim.find(": refuted") == std::string::npos &&
           claim.find(": unknown") == std::string::npos &&
           claim.find(": vacuous") == std::string::npos &&
           claim.find(": not proved") == std::string::npos;
  });
}

std::string edited(const std::string& what, const std::string& by) {
  std::string text = kProgram;
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  text.replace(at, what.size(), by);
  return text;
}

}  // namespace

TEST(RecordsOfPrograms, TheSecondRunAsksNothingAndSaysTheSame) {
  Bench bench;
  engine::Memory memory;
  const auto first = bench.verify(kProgram, &memory);
  EXPECT_TRUE(all_proved(first)) << testing::PrintToString(first);
  const std::size_t found = memory.found();
  EXPECT_EQ(bench.verify(kProgram, &memory), first);
  EXPECT_EQ(bench.questions, 0u);
  // Not even to the memory of answers, but for the model; and five functions are found.
  EXPECT_LE(memory.found() - found, 12u + 5u);
}

TEST(RecordsOfPrograms, AnEditThatMakesItFalseIsSeen) {
  Bench bench;
  engine::Memory memory;
  ASSERT_TRUE(all_proved(bench.verify(kProgram, &memory)));
  const std::vector<std::pair<std::string, std::string>> edits{
      {"const real eps = 2;", "const real eps = 9;"},    // the model's constant
      {"<= eps;\n}", "<= eps + 9;\n}"},                  // its operator
      {"const real most = 5;", "const real most = 1;"},  // the program's constant
      {"return x +. 1;\n}\n\nrequires x", "return 2 * (x +. 1);\n}\n\nrequires x"},  // callee
      {"ensures result >= 1\n", "ensures result >= 2\n"},                            // its contract
      {"requires x >= 0", "requires x >= 2"},  // what callers have to show
      {"abs(result<o> - result<r>) <= 2", "abs(result<o> - result<r>) <= 1"},
      {"s = s + v[i];", "s = s +. v[i];"},
      {"requires_r eq(*)\nreal sums", "real sums"},
      {"return s;\n}\n", "assert s >= 0;\n    return s;\n}\n"},
      {"assert c >= 1;", "assert c >= 3;"},
      {"ensures_r abs", "requires x > 0 && x < 0\nensures_r abs"},  // a proof of nothing
  };
  for (const auto& [what, by] : edits) {
    const std::string text = edited(what, by);
    const auto fresh = bench.verify(text, nullptr);
    EXPECT_FALSE(all_proved(fresh)) << what << " -> " << by;
    EXPECT_EQ(bench.verify(text, &memory), fresh) << what << " -> " << by;
  }
  EXPECT_TRUE(all_proved(bench.verify(kProgram, &memory)));
}

// A function that is called has to hold from any state of the model.
TEST(RecordsOfPrograms, WhoCallsCounts) {
  Bench bench;
  engine::Memory memory;
  const std::string alone =
      "model flips {\n    bool upset = false;\n    operator +(real a, real b) ensures result == a "
      "+ b;\n    operator +(real a, real b) when !upset modifies upset ensures upset;\n}\nuse "
      "model "
      "flips;\n\nrequires_r eq(*)\nreal low(real x) {\n    assert_r !model.upset;\n    return "
      "x;\n}\n";
  const std::string called = alone +
                             "requires_r eq(*)\nreal high(real x) {\n    real y = x +. "
                             "1;\n    real z = low(x);\n    return z;\n}\n";
  EXPECT_TRUE(all_proved(bench.verify(alone, &memory)));
  const auto fresh = bench.verify(called, nullptr);
  EXPECT_FALSE(all_proved(fresh));
  EXPECT_EQ(bench.verify(called, &memory), fresh);
}

// Then it was not asked whether what the model says and what the function says go together.
TEST(RecordsOfPrograms, UnderAModelThatIsNotShownNothingIsRemembered) {
  Bench failing, honest;
  failing.failures = {0, 3};
  prove::Shelf records;
  EXPECT_FALSE(all_proved(failing.verify(kProgram, &records)));
  EXPECT_TRUE(all_proved(honest.verify(kProgram, &records)));
  const std::size_t asked = honest.questions;
  EXPECT_TRUE(all_proved(honest.verify(kProgram, &records)));
  EXPECT_GT(asked, 4 * honest.questions);
}

// The requirements exclude one another, and whoever does not see that proves what is false.
const std::string kVacuous = R"(model calm {
    operator +(real a, real b) ensures result == a + b;
}
use model calm;

requires forall(uint k)(k < n -> v[k] > w)
requires n > 3 && v[2] < w
requires_r eq(*)
real f(uint n, vector<real> v(n), real w) {
    real s = 0;
    for (uint i = 0; i < n; ++i) {
        s = s + v[i];
    }
    assert s > w;
    return s;
}
)";

// Whichever questions fail, what is remembered is what is proved when none does.
TEST(RecordsOfPrograms, WhatATroubledRunMissedIsNotRemembered) {
  Bench honest;
  for (const std::string& text : {kProgram, kVacuous}) {
    const auto fresh = honest.verify(text, nullptr);
    const unsigned all = static_cast<unsigned>(honest.questions) + 8;  // those about contradictions
    for (const unsigned length : {1u, 3u, 1000u})
      for (unsigned first = 0; first < all; first += length == 1 ? 1 : 3) {
        Bench failing;
        failing.failures = {first, first + length};
        prove::Shelf records;
        const auto troubled = failing.verify(text, &records);
        EXPECT_FALSE(text == kVacuous && all_proved(troubled)) << first << " " << length;
        EXPECT_EQ(honest.verify(text, &records), fresh) << first << " " << length;
      }
  }
}

TEST(RecordsOfPrograms, TheMannerCounts) {
  Bench bench;
  engine::Memory memory;
  ASSERT_TRUE(all_proved(bench.verify(kProgram, &memory)));
  prove::VerifySettings plain;
  plain.infer = false;
  EXPECT_EQ(bench.verify(kProgram, &memory, plain), bench.verify(kProgram, nullptr, plain));
  prove::VerifySettings little;
  little.steps = 2;
  EXPECT_EQ(bench.verify(kProgram, &memory, little), bench.verify(kProgram, nullptr, little));
  EXPECT_FALSE(all_proved(bench.verify(kProgram, &memory, little)));
  prove::VerifySettings salted;  // who asks in other words wants to be answered
  salted.salt = 7;
  static_cast<void>(bench.verify(kProgram, &memory, salted));
  EXPECT_GT(bench.questions, 0u);
  prove::VerifySettings trusting;
  trusting.trust_original = true;
  EXPECT_EQ(bench.verify(kProgram, &memory, trusting), bench.verify(kProgram, nullptr, trusting));
}

// Lines before a function, and a function that was touched, leave the others where they are.
TEST(RecordsOfPrograms, OnlyWhatIsTouchedIsProvedAgain) {
  Bench bench;
  engine::Memory memory;
  ASSERT_TRUE(all_proved(bench.verify(kProgram, &memory)));
  const std::string moved = edited("real step(", "// A remark.\n\nreal step(");
  EXPECT_EQ(bench.verify(moved, &memory), bench.verify(moved, nullptr));
  static_cast<void>(bench.verify(moved, &memory));
  EXPECT_EQ(bench.questions, 0u);
  const std::string touched =
      edited("real y = x +. 1;\n    assert_r", "real y = x +. 2;\n    assert_r");
  const auto fresh = bench.verify(touched, nullptr);
  const std::size_t all = bench.questions;
  EXPECT_EQ(bench.verify(touched, &memory), fresh);
  EXPECT_GT(bench.questions, 0u);
  EXPECT_LT(bench.questions, all / 2);
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
