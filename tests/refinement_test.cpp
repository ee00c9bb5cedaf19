// The theorem behind refinement, tested: for random pairs of models, if the sub-model
// is proved to refine the super-model, then every program that verifies under the
// super-model verifies under the sub-model. LETO_TEST_SEED repeats a run;
// LETO_TEST_PAIRS sets how many pairs.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <random>

#include "driver/verification.h"
#include "driver/workspace.h"

namespace leto::tests {

std::atomic<bool> g_never{false};

class RandomModels {
 public:
  explicit RandomModels(unsigned seed) : random_(seed) {}

  // A super-model `sup` and a sub-model `sub`.
  std::string pair() {
    const std::string initial = flip() ? " = false" : flip() ? " = true" : "";
    const std::string budget = flip() ? "" : fmt::format(" = {}", pick(3));
    std::string text = fmt::format(
        "model sup {{\n    const real eps;\n    requires eps > 0;\n    bool a{};\n    uint n{};\n",
        initial, budget);
    const int count = 1 + pick(3);
    std::vector<Spec> specs;
    for (int i = 0; i < count; ++i) {
      specs.push_back(spec());
      text += operation(specs.back(), fmt::format("@label(s{})", i), "");
    }
    text += "}\n\nmodel sub refines sup {\n";
    if (budget.empty() && flip()) text += fmt::format("    sup.n = {};\n", pick(3));
    if (initial.empty() && flip())
      text += fmt::format("    sup.a = {};\n", flip() ? "true" : "false");
    for (int i = 0; i < count; ++i) {
      const unsigned what = pick(4);
      if (what <= 1) {
        text += fmt::format("    import sup.s{};\n", i);
      } else if (what == 2) {
        Spec narrow = specs[static_cast<std::size_t>(i)];
        static const char* const kGuards[] = {"x > 0", "n > 1", "!a", "true"};
        static const char* const kMore[] = {"result == x * y", "result >= x * y",
                                            "result == x * y + eps / 2", "true"};
        narrow.when =
            narrow.when.empty() ? kGuards[pick(4)] : narrow.when + " && " + kGuards[pick(4)];
        narrow.ensures += std::string(" && ") + kMore[pick(4)];
        if (pick(5) == 0) narrow.when.clear();  // wider than it may be
        text += operation(narrow, fmt::format("@label(t{})", i),
                          fmt::format("        refines sup.s{}\n", i));
      }
    }
    return text + "}\n";
  }

  std::string program() {
    static const char* const kClaims[] = {
        "eq(p)",
        "abs(p<o> - p<r>) < model.eps",
        "!model.a -> eq(p)",
        "model.a || eq(p)",
        "eq(p) || eq(q)",
        "abs(q<o> - q<r>) < 2 * model.eps || !eq(p)",
        "model.n == 0 -> eq(q) || eq(p)",
        "p<r> >= p<o>",
        "model.n <= 2 || true",
    };
    std::string text =
        "requires_r eq(*)\nvoid f(real x, real y) {\n    real p = x *. y;\n    real q = y *. 2;\n";
    if (pick(3) == 0) text += "    model.a = false;\n    q = q *. 1;\n";
    return text + fmt::format("    assert_r {};\n}}\n", kClaims[pick(9)]);
  }

 private:
  struct Spec {
    std::string when, modifies, ensures;
  };
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool flip() { return pick(2) == 1; }
  Spec spec() {
    static const Spec kSpecs[] = {
        {"", "", "result == x * y"},
        {"!a", "a", "a && x * y - eps < result < x * y + eps"},
        {"n > 0", "n", "n == old(n) - 1 && x * y - eps < result < x * y + eps"},
        {"!a || n == 0", "", "result == x * y"},
        {"a", "", "x * y <= result < x * y + eps"},
        {"!a && n > 0", "a, n", "a && n == old(n) - 1"},
        {"", "", "x * y - eps < result < x * y + eps"},
        {"n == 0", "", "result == x * y"},
    };
    return kSpecs[pick(8)];
  }
  static std::string operation(const Spec& s, const std::string& label,
                               const std::string& refines) {
    std::string text = "\n    " + label + "\n    operator *(real x, real y)\n" + refines;
    if (!s.when.empty()) text += "        when " + s.when + "\n";
    if (!s.modifies.empty()) text += "        modifies " + s.modifies + "\n";
    return text + "        ensures " + s.ensures + ";\n";
  }
  std::mt19937 random_;
};

struct Checked {
  driver::RealFileSystem files;
  std::unique_ptr<driver::Workspace> workspace;
  check::Checked checked;
  bool good = false;
};

std::unique_ptr<Checked> check_text(const std::string& text, const std::string& model) {
  auto result = std::make_unique<Checked>();
  result->workspace =
      std::make_unique<driver::Workspace>(result->files, std::vector<std::string>{});
  DiagnosticList diagnostics;
  driver::Program program = result->workspace->load_text("random.leto", text, diagnostics);
  const driver::PickedModel picked = result->workspace->pick_model(program, model, diagnostics);
  result->checked = check::check(program.trees, {picked.name, picked.bad},
                                 result->workspace->names(), diagnostics);
  result->good = diagnostics.errors() == 0;
  EXPECT_TRUE(result->good) << text << diagnostics.all()[0].message();
  return result;
}

TEST(Refinement, WhatVerifiesUnderTheSuperModelVerifiesUnderTheSubModel) {
  const char* seed_text = std::getenv("LETO_TEST_SEED");
  const unsigned seed =
      seed_text ? static_cast<unsigned>(std::atoi(seed_text)) : std::random_device{}();
  std::printf("seed %u\n", seed);
  const char* pairs_text = std::getenv("LETO_TEST_PAIRS");
  const int pairs = pairs_text ? std::atoi(pairs_text) : 60;
  RandomModels random(seed);
  solver::Limits limits;
  limits.resource = 2'000'000;
  prove::Crew crew(
      2, [&] { return solver::make_process_solver(solver::z3_command(), limits, g_never); });
  const driver::VerifySettings settings;
  int accepted = 0, carried = 0;
  for (int i = 0; i < pairs; ++i) {
    const std::string models = random.pair();
    const auto sub = check_text(models, "sub");
    ASSERT_TRUE(sub->good);
    const check::ModelId super = sub->checked.models[sub->checked.model].supers.at(0);
    const driver::Verification refinement = driver::verify_refinement(
        sub->checked, sub->workspace->names(), super, settings, crew, nullptr, {});
    std::vector<std::string> programs;
    for (int k = 0; k < 4; ++k) programs.push_back(random.program());
    if (refinement.status() != prove::Status::Proved) continue;
    ++accepted;
    for (const std::string& program : programs) {
      const auto status = [&](const std::string& model) {
        const auto c = check_text(models + "\n" + program, model);
        return driver::verify(c->checked, c->workspace->names(), settings, crew, nullptr, {})
            .status();
      };
      if (status("sup") != prove::Status::Proved) continue;
      ++carried;
      // Undecided is the solver's affair; refuted would be ours.
      const prove::Status below = status("sub");
      EXPECT_TRUE(below == prove::Status::Proved || below == prove::Status::Unknown)
          << describe(below) << "\n"
          << models << program;
    }
  }
  std::printf("%d pairs, %d refinements accepted, %d proofs carried over\n", pairs, accepted,
              carried);
  EXPECT_GE(accepted, pairs / 12);
  EXPECT_GE(carried, 1);
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
