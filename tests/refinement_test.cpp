// The theorem behind refinement, tested: for random pairs of models, if the sub-model
// is proved to refine the super-model, then every program that verifies under the
// super-model verifies under the sub-model. LETO_TEST_SEED repeats a run;
// LETO_TEST_PAIRS sets how many pairs.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <random>

#include "workbench/verifying.h"
#include "workspace/workspace.h"

namespace leto::tests {

const Allowance g_never;

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
        if (pick(5) == 0) narrow.when.clear();      // wider than it may be
        if (pick(5) == 0) narrow.ensures = "true";  // and weaker
        text += operation(narrow, fmt::format("@label(t{})", i),
                          fmt::format("        refines sup.s{}\n", i));
      }
    }
    return text + "}\n";
  }

  // The same over others: the lower layer of `sub` is that of `sup`, or is said to refine it.
  std::string layered_pair() {
    std::string text = pair();
    const auto replace = [&](const std::string& what, const std::string& with) {
      for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
        text.replace(at, what.size(), with);
    };
    replace("x * y", "exact");
    replace("ensures true", "ensures exact <= result || result <= exact");
    // Every specification says something of what is below.
    replace("ensures a && n == old(n) - 1;", "ensures a && n == old(n) - 1 && result >= exact;");
    replace("n == old(n) - 1 && true;", "n == old(n) - 1 && result >= exact;");
    static const char* const kOwn[] = {"result == x * y", "result == x * y + 0.5",
                                       "x * y <= result <= x * y + 2", "result <= x * y"};
    const bool same = flip();
    replace("model sup {", "model sup over low {");
    replace("model sub refines sup",
            fmt::format("model sub over {} refines sup", same ? "low" : "narrow"));
    return "model low {\n    @label(k)\n    operator *(real x, real y)\n"
           "        ensures x * y <= result <= x * y + 1;\n}\n\n"
           "model narrow refines low {\n    operator *(real x, real y)\n"
           "        refines low.k\n        ensures " +
           std::string(kOwn[pick(4)]) + ";\n}\n\n" + text;
  }

  // Two models, `left` and `right`, that refine one, and `sub`, which refines both by an import.
  // It may be that nothing does.
  std::string diamond() {
    static const Spec kLoose[] = {
        {"", "n", "result == x * y"},
        {"", "a, n", "x * y - eps < result < x * y + eps"},
        {"!a", "a", "a && x * y - eps < result < x * y + eps"},
        {"", "n", "n == old(n) && result == x * y"},
    };
    const Spec general = kLoose[pick(4)];
    std::string text =
        "model top {\n    const real eps;\n    requires eps > 0;\n    bool a;\n    uint n;\n" +
        operation(general, "@label(s)", "") + "}\n";
    for (const char* side : {"left", "right"}) {
      text += fmt::format("\nmodel {} refines top {{\n", side);
      if (pick(3) == 0) text += fmt::format("    top.n = {};\n", pick(2));
      if (pick(4) == 0) text += fmt::format("    top.eps = {};\n", 1 + pick(2));
      Spec own = general;
      if (flip()) own.modifies.clear();
      if (flip()) own.ensures += " && result >= x * y";
      text +=
          flip() ? "    import top.s;\n" : operation(own, "@label(s)", "        refines top.s\n");
      text += "}\n";
    }
    return text + "\nmodel sub refines left, right {\n    import left.s refines right.s;\n}\n";
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
        "model.n == 0 || model.n == 1 || !eq(p)",
        "model.n == 1 && model.eps == 1 || !eq(q)",
    };
    std::string text =
        "requires_r eq(*)\nvoid f(real x, real y) {\n    real p = x *. y;\n    real q = y *. 2;\n";
    if (pick(3) == 0) text += "    model.a = false;\n    q = q *. 1;\n";
    return text + fmt::format("    assert_r {};\n}}\n", kClaims[pick(11)]);
  }

  std::string layered_program() {
    static const char* const kClaims[] = {
        "p<r> >= p<o>",
        "!model.a -> p<r> >= p<o>",
        "p<o> <= p<r> && p<r> <= p<o> + 1",
        "abs(p<o> - p<r>) <= model.eps + 1",
        "!model.a -> p<o> <= p<r> && p<r> <= p<o> + 1",
        "model.n == 0 -> p<r> <= p<o> + 1",
        "abs(p<o> - p<r>) <= 1 || abs(q<o> - q<r>) <= 1",
    };
    return fmt::format(
        "requires_r eq(*)\nvoid f(real x, real y) {{\n    real p = x *. y;\n    real q = y *. x;\n"
        "    assert_r {};\n}}\n",
        kClaims[pick(7)]);
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
  workspace::RealFileSystem files;
  std::unique_ptr<workspace::Workspace> workspace;
  check::Checked checked;
  bool good = false;
};

std::unique_ptr<Checked> check_text(const std::string& text, const std::string& model,
                                    bool must_be_good = true) {
  auto result = std::make_unique<Checked>();
  result->workspace = std::make_unique<workspace::Workspace>(result->files, workspace::Places{});
  DiagnosticList diagnostics;
  workspace::Program program = result->workspace->load_text("random.leto", text, diagnostics);
  const workspace::PickedModel picked = result->workspace->pick_model(program, model, diagnostics);
  result->checked = check::check(program.trees, {picked.name, picked.bad},
                                 result->workspace->names(), diagnostics);
  result->good = diagnostics.errors() == 0;
  if (must_be_good && !result->good) ADD_FAILURE() << text << diagnostics.all()[0].message();
  return result;
}

unsigned chosen_seed() {
  const char* text = std::getenv("LETO_TEST_SEED");
  const unsigned seed = text ? static_cast<unsigned>(std::atoi(text)) : std::random_device{}();
  std::printf("seed %u\n", seed);
  return seed;
}
int chosen_pairs() {
  const char* text = std::getenv("LETO_TEST_PAIRS");
  return text ? std::atoi(text) : 60;
}

// What is proved under super-models of `sub`, tried under `sub`.
class Carrying {
 public:
  Carrying()
      : crew_(2, [] {
          solver::Limits limits;
          limits.resource = 2'000'000;
          return solver::make_process_solver(solver::z3_command(), limits, g_never);
        }) {}

  void look_at(const std::string& models, const std::vector<std::string>& programs) {
    const auto sub = check_text(models, "sub");
    ASSERT_TRUE(sub->good);
    for (check::ModelId super : sub->checked.models[sub->checked.model].supers) {
      const workbench::Verified refinement = workbench::verify_refinement(
          sub->checked, sub->workspace->names(), super, settings_, crew_, nullptr, {});
      if (refinement.status() != prove::Status::Proved) continue;
      ++accepted;
      const std::string name(sub->workspace->names().text(sub->checked.models[super].name));
      for (const std::string& program : programs) carry(models, program, name);
    }
  }

  int accepted = 0, carried = 0;

 private:
  prove::Status status(const std::string& text, const std::string& model) {
    const auto c = check_text(text, model);
    return workbench::verify(c->checked, c->workspace->names(), settings_, crew_, nullptr, {})
        .status();
  }
  void carry(const std::string& models, const std::string& program, const std::string& super) {
    const std::string text = models + "\n" + program;
    if (status(text, super) != prove::Status::Proved) return;
    ++carried;
    // Undecided is the solver's affair; refuted would be ours.
    const prove::Status below = status(text, "sub");
    EXPECT_TRUE(below == prove::Status::Proved || below == prove::Status::Unknown)
        << describe(below) << " but proved under " << super << "\n"
        << text;
  }

  const prove::VerifySettings settings_;
  engine::Crew crew_;
};

TEST(Refinement, WhatVerifiesUnderTheSuperModelVerifiesUnderTheSubModel) {
  RandomModels random(chosen_seed());
  const int pairs = chosen_pairs();
  Carrying carrying;
  for (int i = 0; i < pairs; ++i) {
    const std::string models = random.pair();
    std::vector<std::string> programs;
    for (int k = 0; k < 4; ++k) programs.push_back(random.program());
    carrying.look_at(models, programs);
  }
  std::printf("%d pairs, %d refinements accepted, %d proofs carried over\n", pairs,
              carrying.accepted, carrying.carried);
  EXPECT_GE(carrying.accepted, pairs / 12);
  EXPECT_GE(carrying.carried, 1);
}

// If S refines M and K refines L, what verifies under M over L verifies under S over K.
TEST(Refinement, WhatVerifiesUnderLayersVerifiesUnderLayersThatRefineThem) {
  RandomModels random(chosen_seed());
  const int pairs = chosen_pairs();
  Carrying carrying;
  for (int i = 0; i < pairs; ++i) {
    const std::string models = random.layered_pair();
    std::vector<std::string> programs;
    for (int k = 0; k < 4; ++k) programs.push_back(random.layered_program());
    carrying.look_at(models, programs);
  }
  std::printf("%d pairs, %d refinements accepted, %d proofs carried over\n", pairs,
              carrying.accepted, carrying.carried);
  EXPECT_GE(carrying.accepted, pairs / 12);
  EXPECT_GE(carrying.carried, 1);
}

TEST(Refinement, WhatVerifiesUnderEitherSuperModelVerifiesUnderTheSubModel) {
  RandomModels random(chosen_seed());
  const int diamonds = chosen_pairs();
  Carrying carrying;
  int refused = 0;
  for (int i = 0; i < diamonds; ++i) {
    const std::string models = random.diamond();
    std::vector<std::string> programs;
    for (int k = 0; k < 3; ++k) programs.push_back(random.program());
    if (check_text(models, "sub", false)->good)
      carrying.look_at(models, programs);
    else
      ++refused;  // two values for one thing
  }
  std::printf("%d diamonds, %d refused, %d refinements accepted, %d proofs carried over\n",
              diamonds, refused, carrying.accepted, carrying.carried);
  EXPECT_GE(carrying.accepted, diamonds / 12);
  EXPECT_LT(refused, diamonds);
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
