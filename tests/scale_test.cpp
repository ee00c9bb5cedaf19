// Checking and formatting take time linear in the size of the program: a generated
// program of 100,000 lines against ten of 10,000, which are all kept, so that either
// fills the caches alike. Quadratic time would be ten times as long. So do bounds, with as many
// questions to a solver as there are recoveries that differ. What is inferred for a loop costs no
// more for the loops before it.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "prove/verification.h"
#include "reliability_support.h"
#include "workbench/bounding.h"
#include "workspace/workspace.h"

namespace leto::tests {

// One file with functions, properties, loops, contracts and calls of earlier functions.
std::string program(std::size_t lines) {
  std::string text = "use model additive_seu;\n\n";
  std::size_t written = 2;
  for (std::size_t k = 0; written < lines; ++k) {
    const std::string n = std::to_string(k);
    const std::string before = k == 0 ? "" : std::to_string(k - 1);
    std::string one =
        "// Kernel number " + n +
        ".\n"
        "property_r close_" +
        n +
        "(vector<real> v, uint n):\n"
        "    forall(uint i)(i < n<r> -> abs(v<o>[i] - v<r>[i]) < model.eps);\n"
        "\n"
        "requires n > 0 && x[0] >= 0\n"
        "requires_r eq(n) && eq(x) && eq(y)\n"
        "ensures_r abs(result<o> - result<r>) <= n<r> * model.eps || true\n"
        "real kernel_" +
        n +
        "(uint n, vector<real> x(n), vector<real> y(n)) {\n"
        "    vector<real> z(n);\n"
        "    specvar real exact = 0;\n"
        "    @label(outer) for (uint i = 0; i < n; ++i)\n"
        "        invariant i <= n\n"
        "        invariant_r eq(i) && close_" +
        n +
        "(z, i)\n"
        "    {\n"
        "        z[i] = x[i] *. y[i] + " +
        n +
        ";\n"
        "        exact = exact + x[i] * y[i];\n"
        "        if (z[i] < 0 || x[i] == y[i]) {\n"
        "            z[i] = -z[i];  // mirrored\n"
        "        } else {\n"
        "            z[i] += 1;\n"
        "        }\n"
        "        assert_r !outer[model.upset] -> close_" +
        n +
        "(z, i) || true;\n"
        "    }\n" +
        (k == 0 ? "    real sum = 0;\n" : "    real sum = kernel_" + before + "(n, x, z);\n") +
        "    while (sum > 1)\n"
        "        invariant_r eq(sum) || sum<r> >= 0\n"
        "    {\n"
        "        sum = sum / 2;\n"
        "    }\n"
        "    return sum;\n"
        "}\n"
        "\n";
    written += static_cast<std::size_t>(std::count(one.begin(), one.end(), '\n'));
    text += one;
  }
  text.pop_back();  // no blank line at the end
  return text;
}

struct Times {
  double check = 1e9;
  double format = 1e9;
};

// `count` times `text`; the better of what was measured before and now.
void measure(const std::string& text, int count, Times& best) {
  using Clock = std::chrono::steady_clock;
  workspace::RealFileSystem files;
  const std::vector<std::string> models = {std::string(LETO_SOURCE_DIR) + "/models"};
  std::vector<std::unique_ptr<workspace::Workspace>> workspaces;
  std::vector<workspace::Program> programs;
  std::vector<check::Checked> checked;
  std::vector<std::string> formatted;
  const auto start = Clock::now();
  for (int k = 0; k < count; ++k) {
    workspaces.push_back(std::make_unique<workspace::Workspace>(files, workspace::Places{models}));
    workspace::Workspace& workspace = *workspaces.back();
    DiagnosticList diagnostics;
    programs.push_back(workspace.load_text("scale.leto", text, diagnostics));
    const workspace::PickedModel picked = workspace.pick_model(programs.back(), "", diagnostics);
    checked.push_back(check::check(programs.back().trees, {picked.name, picked.bad},
                                   workspace.names(), diagnostics));
    EXPECT_EQ(diagnostics.all().size(), 0u);
  }
  const auto middle = Clock::now();
  for (int k = 0; k < count; ++k) {
    workspace::Workspace& workspace = *workspaces[static_cast<std::size_t>(k)];
    const syntax::Tree& tree = *programs[static_cast<std::size_t>(k)].trees.back();
    formatted.push_back(syntax::format(tree, workspace.names(), &workspace.sources()[tree.file]));
  }
  const auto end = Clock::now();
  for (const std::string& one : formatted) EXPECT_TRUE(one == text);
  best.check = std::min(best.check, std::chrono::duration<double>(middle - start).count());
  best.format = std::min(best.format, std::chrono::duration<double>(end - middle).count());
}

TEST(Scale, TimeIsLinearInTheProgramsSize) {
  const std::string small = program(10000), large = program(100000);
  Times ten, one;
  for (int round = 0; round < 7; ++round) {
    measure(small, 10, ten);
    measure(large, 1, one);
  }
  std::printf("check:  %.3f s for 10 times 10,000 lines, %.3f s for 100,000 lines, ratio %.2f\n",
              ten.check, one.check, one.check / ten.check);
  std::printf("format: %.3f s for 10 times 10,000 lines, %.3f s for 100,000 lines, ratio %.2f\n",
              ten.format, one.format, one.format / ten.format);
  EXPECT_LE(one.check / ten.check, 2);
  EXPECT_LE(one.format / ten.format, 2);
}

// Many mistakes must not cost more than linear time either.
TEST(Scale, SoAreMistakes) {
  using Clock = std::chrono::steady_clock;
  const auto time = [](std::size_t n, std::size_t count) {
    std::string text = "void f() {\n";
    for (std::size_t i = 0; i < n; ++i)
      text += "    x" + std::to_string(i) + " = y" + std::to_string(i) + ";\n";
    text += "}\n";
    workspace::RealFileSystem files;
    std::vector<std::unique_ptr<workspace::Workspace>> workspaces;
    std::vector<workspace::Program> programs;
    std::vector<DiagnosticList> diagnostics(count);
    const auto start = Clock::now();
    for (DiagnosticList& list : diagnostics) {
      workspaces.push_back(std::make_unique<workspace::Workspace>(files, workspace::Places{}));
      programs.push_back(workspaces.back()->load_text("scale.leto", text, list));
      (void)check::check(programs.back().trees, {}, workspaces.back()->names(), list);
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    for (const DiagnosticList& list : diagnostics) EXPECT_EQ(list.errors(), 2 * n);
    return seconds;
  };
  double ten = 1e9, one = 1e9;
  for (int round = 0; round < 5; ++round) {
    ten = std::min(ten, time(10000, 10));
    one = std::min(one, time(100000, 1));
  }
  std::printf("errors: %.3f s for 10 times 20,000, %.3f s for 200,000, ratio %.2f\n", ten, one,
              one / ten);
  EXPECT_LE(one / ten, 2.5);
}

// Reliability ------------------------------------------------------------------------------------

const char* const kHardware =
    "model fast {\n"
    "    const real p = 0.001;\n"
    "    operator +(real a, real b) ensures result == a + b;\n"
    "    @rate(p) operator +(real a, real b) ensures true;\n"
    "    operator *(real a, real b) ensures result == a * b;\n"
    "    @rate(p) operator *(real a, real b) ensures true;\n"
    "}\n"
    "model slow {\n"
    "    operator +(real a, real b) ensures result == a + b;\n"
    "    operator *(real a, real b) ensures result == a * b;\n"
    "}\n"
    "use model fast;\n";

// Functions with a recovery each, all different.
std::string recoveries(std::size_t count) {
  std::string text = kHardware;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string n = std::to_string(k);
    text +=
        "requires_r eq(*)\n"
        "reliability result >= 0.9 * R(a, b, x)\n"
        "real t" +
        n +
        "(real a, real b, real x) {\n"
        "    real s = 0;\n"
        "    try {\n"
        "        real u = a *. x;\n"
        "        s = u +. b;\n"
        "        s = s +. " +
        n +
        ";\n"
        "    } check (s == a * x + b + " +
        n +
        ") recover redo under slow;\n"
        "    return s;\n"
        "}\n";
  }
  return text;
}

// Functions without contracts, each of which calls the one before it twice.
std::string inlined(std::size_t count) {
  std::string text = kHardware;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string before = "u" + std::to_string(k - 1);
    text += "real u" + std::to_string(k) +
            "(real a, real b, real x) {\n"
            "    real s = a *. x;\n"
            "    s = s +. b + " +
            (k == 0 ? "1" : before + "(a, b, x) + " + before + "(a, b, x + 1)") +
            ";\n"
            "    return s;\n"
            "}\n";
  }
  return text +
         "requires_r eq(*)\nreliability 0.0 <= R(result)\nreal top(real a, real b, real x) {\n" +
         "    return u" + std::to_string(count - 1) + "(a, b, x);\n}\n";
}

// Counts what a solver is asked.
class Counting final : public solver::Solver {
 public:
  struct Count {
    std::size_t asked = 0, bytes = 0;
  };
  Counting(std::unique_ptr<solver::Solver> real, Count& count)
      : real_(std::move(real)), count_(count) {}
  std::string identity() override { return real_->identity(); }
  [[nodiscard]] std::string script(const solver::Query& query) const override {
    return real_->script(query);
  }
  solver::Answer solve(const solver::Query& query) override {
    ++count_.asked;
    count_.bytes += query.text.size();
    return real_->solve(query);
  }

 private:
  std::unique_ptr<solver::Solver> real_;
  Count& count_;
};
engine::Crew count_in(Counting::Count& count, const Allowance& allowance) {
  return {0, [&] {
            return std::make_unique<Counting>(
                solver::make_process_solver(solver::z3_command(), {}, allowance), count);
          }};
}

struct Cost {
  double seconds = 1e9;
  std::size_t asked = 0;
};

// Decides the bounds of a program so many times; they all hold.
void bound(const core::Program& program, int count, Cost& best) {
  using Clock = std::chrono::steady_clock;
  Allowance never;
  Counting::Count count_of_all;
  engine::Crew crew = count_in(count_of_all, never);
  prove::Engine engine{{}, crew, nullptr};
  const auto start = Clock::now();
  for (int k = 0; k < count; ++k)
    EXPECT_TRUE(reliability::all_hold(workbench::examine(program, true, {}, engine).bounds));
  best.seconds =
      std::min(best.seconds, std::chrono::duration<double>(Clock::now() - start).count());
  best.asked = count_of_all.asked;
}

// Ten programs against one that is ten times as large.
void compare(const char* what, const std::string& small_text, const std::string& large_text) {
  const Loaded small(small_text), large(large_text);
  ASSERT_EQ(small.problem, "");
  ASSERT_EQ(large.problem, "");
  Cost ten, one;
  for (int round = 0; round < 3; ++round) {
    bound(small.program, 10, ten);
    bound(large.program, 1, one);
  }
  std::printf(
      "%s: %.3f s and %zu questions for ten, %.3f s and %zu for one of ten times the size\n", what,
      ten.seconds, ten.asked, one.seconds, one.asked);
  EXPECT_LE(one.asked, ten.asked);
  EXPECT_LE(one.seconds / ten.seconds, 2);
}

TEST(Scale, RecoveriesCostWhatTheyReach) {
  compare("recoveries", recoveries(40), recoveries(400));
}

// What is looked into is looked into once, and what is lost there is not written out at each call.
TEST(Scale, CallsAreNotMultiplied) {
  compare("inlined", inlined(100), inlined(1000));
}

// Inference --------------------------------------------------------------------------------------

const char* const kUpsets =
    "model upsets {\n"
    "    bool upset = false;\n"
    "    operator +(real a, real b) ensures result == a + b;\n"
    "    operator +(real a, real b) when !upset modifies upset ensures upset;\n"
    "    operator *(real a, real b) ensures result == a * b;\n"
    "    operator *(real a, real b) when !upset modifies upset ensures upset;\n"
    "}\n"
    "use model upsets;\n"
    "requires_r eq(*)\n";

// A matrix is multiplied so many times; each product is a nest of three loops.
std::string products(std::size_t count) {
  std::string text = std::string(kUpsets) +
                     "matrix<real> f(uint n, matrix<real> A(n, n)) {\n"
                     "    matrix<real> C(n, n);\n"
                     "    C = A;\n";
  for (std::size_t k = 0; k < count; ++k) {
    const std::string d = "D" + std::to_string(k);
    text += "matrix<real> " + d +
            "(n, n);\n"
            "for (uint i = 0; i < n; ++i) {\n"
            "    for (uint j = 0; j < n; ++j) {\n"
            "        real s = 0;\n"
            "        for (uint l = 0; l < n; ++l) {\n"
            "            s = s +. C[i][l] *. A[l][j];\n"
            "        }\n        " +
            d +
            "[i][j] = s;\n"
            "    }\n"
            "}\n"
            "C = " +
            d + ";\n";
  }
  return text + "assert_r !model.upset -> eq(C);\nreturn C;\n}\n";
}

// Loops in a row, each of which modifies some of twenty variables.
std::string loops(std::size_t count) {
  std::string text = std::string(kUpsets) + "real f(uint n, vector<real> a(n)) {\n";
  for (std::size_t j = 0; j < 20; ++j) text += "    real x" + std::to_string(j) + " = 0;\n";
  for (std::size_t l = 0; l < count; ++l) {
    text += "for (uint i = 0; i < n; ++i) {\n";
    for (std::size_t q = 0; q < 5; ++q) {
      const std::string x = "x" + std::to_string((l * 5 + q) % 20);
      text += "    " + x + " = " + x + " +. a[i] * " + std::to_string(l) + ";\n";
    }
    text += "}\n";
  }
  return text + "assert_r !model.upset -> eq(x0);\nreturn x0;\n}\n";
}

// What a solver is told until all is proved. That is the same on every machine.
std::size_t bytes_asked(const std::string& text) {
  Loaded loaded(text);
  EXPECT_EQ(loaded.problem, "");
  Allowance never;
  Counting::Count count;
  engine::Crew crew = count_in(count, never);
  const prove::Verification v = prove::verify(std::move(loaded.program), {}, crew, nullptr, {});
  for (const prove::Claim& claim : v.claims) EXPECT_EQ(claim.status, prove::Status::Proved);
  std::printf("%zu questions, %zu bytes\n", count.asked, count.bytes);
  return count.bytes;
}

// An invariant of a loop is tried from the loop's own facts. From those of all loops before it too,
// sixteen products took three times as much.
TEST(Scale, LoopsCostWhatTheyWouldByThemselves) {
  EXPECT_LE(bytes_asked(products(16)), 16u * 100'000);
  EXPECT_LE(bytes_asked(loops(40)), 4 * bytes_asked(loops(10)));
}

// Functions without contracts, each of which calls the one below twice; at the bottom a loop.
std::string levels_of_calls(int levels) {
  std::string text =
      "use model unbounded_seu;\n\n"
      "real ground(real w) {\n"
      "    real sum = 1;\n"
      "    for (uint k = 0; k < 4; ++k) {\n"
      "        sum = sum * 2 + w;\n"
      "    }\n"
      "    return sum;\n"
      "}\n";
  std::string below = "ground";
  for (int k = 1; k <= levels; ++k) {
    const std::string name = fmt::format("floor_{}", k);
    text +=
        fmt::format("real {0}(real w) {{\n    return {1}(w * {2}) - {1}(w);\n}}\n", name, below, k);
    below = name;
  }
  return text + fmt::format(
                    "requires_r eq(*)\nensures_r eq(result)\nreal roof(real w) {{\n    return "
                    "{}(w);\n}}\n",
                    below);
}

// A level more costs as many questions as the one before, not twice as many.
TEST(Scale, LevelsOfCallsAreNotMultiplied) {
  const auto verify = [](int levels) {
    const Loaded loaded(levels_of_calls(levels));
    EXPECT_EQ(loaded.problem, "");
    const Allowance never;
    engine::Crew crew(1,
                      [&] { return solver::make_process_solver(solver::z3_command(), {}, never); });
    return prove::verify(loaded.program, {}, crew, nullptr, {});
  };
  const prove::Verification small = verify(12), large = verify(24);
  EXPECT_EQ(small.status(), prove::Status::Proved);
  EXPECT_EQ(large.status(), prove::Status::Proved);
  std::printf("doubling: %zu obligations, %zu questions for 12 levels, %zu and %zu for 24\n",
              small.cost.obligations, small.cost.questions, large.cost.obligations,
              large.cost.questions);
  EXPECT_LE(large.cost.questions, 2 * small.cost.questions);
  EXPECT_LE(large.cost.obligations, 4 * small.cost.obligations);
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
