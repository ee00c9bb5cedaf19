// The rules of reliability. Expected values are computed by hand, or by running a small program in
// every way that the model allows and adding up the chances of those runs whose result is right.
#include "reliability/reliability.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>

#include "driver/checkers.h"
#include "driver/workspace.h"
#include "golden.h"
#include "inject/inject.h"
#include "interp/interp.h"
#include "lower/lower.h"

namespace leto::tests {

using reliability::Chance;
using reliability::Options;

std::atomic<bool> g_never{false};

std::string model(const std::string& rate, const std::string& second = "0") {
  std::string out;
  for (const auto& [name, p] :
       {std::pair<std::string, std::string>{"wrong", rate}, {"second", second}}) {
    out += "model " + name + " { const real p = " + p + ";\n";
    for (const char* op : {"+", "-", "*"})
      out += fmt::format(
          "operator {0}(int a, int b) ensures result == a {0} b;\n"
          "@label(w{1}) @rate(p) operator {0}(int a, int b) ensures true;\n",
          op,
          op[0] == '+'   ? 1
          : op[0] == '-' ? 2
                         : 3);
    out += "}\n";
  }
  return out + "use model wrong;\n";
}

struct Loaded {
  driver::RealFileSystem files;
  driver::Workspace workspace{files,
                              {(std::filesystem::path(LETO_SOURCE_DIR) / "models").string()}};
  core::Program program;

  explicit Loaded(const std::string& text) {
    DiagnosticList diagnostics;
    driver::Program trees = workspace.load_text("test.leto", text, diagnostics);
    const driver::PickedModel picked = workspace.pick_model(trees, "", diagnostics);
    const check::Checked checked =
        check::check(trees.trees, {picked.name, picked.bad}, workspace.names(), diagnostics);
    EXPECT_EQ(diagnostics.errors(), 0u) << diagnostics.all()[0].message() << "\n" << text;
    if (diagnostics.errors() == 0) program = lower::lower(checked, workspace.names());
  }
};

// All checks taken for perfect, or for as good as is said.
Options with_checkers(const core::Program& program, Chance positive = {}, Chance negative = {}) {
  Options options;
  for (std::size_t i = 0; i < program.recoveries.size(); ++i)
    options.checkers[i] = {positive, negative, "declared"};
  return options;
}

reliability::Analysis of(const Loaded& l, const Options& options) {
  const core::FunctionId last{l.program.functions.size() - 1};
  return reliability::analyse(l.program, last, {l.program.functions[last].result}, options);
}

Chance q(const char* text) {
  return Chance::parse(text).value();
}

TEST(Chance, IsExactAndThenAnInterval) {
  EXPECT_EQ(q("0.999").text(), "0.999");
  EXPECT_EQ(q("1e-3").complement(), q("0.999"));
  EXPECT_EQ(q("1/3").text(4), "0.3333");
  EXPECT_FALSE(Chance::parse("x").has_value());
  EXPECT_FALSE(Chance::parse("1e").has_value());
  EXPECT_EQ(q("0.5").power(10), q("1/1024"));
  EXPECT_TRUE(q("0.999").power(100).exact());
  const Chance far = q("0.999999999").power(1'000'000'000);
  EXPECT_FALSE(far.exact());
  // (1 - 1/n)^n lies below 1/e and close to it.
  EXPECT_TRUE(far.at_least(q("0.367879440")));
  EXPECT_FALSE(far.at_least(q("0.367879442")));
  EXPECT_LT(far.low(), far.high());
  EXPECT_LT(mpq_class(far.high() - far.low()).get_d(), 1e-30);
}

TEST(Rules, AssignmentAndChoice) {
  const Loaded l(model("0.001") +
                 "int f(int x, int y) { int u = x *. y; int v = u +. 1; int idle = x *. x;\n"
                 " int w = v; return w; }");
  const auto a = of(l, {});
  EXPECT_EQ(a.before.chance, q("0.998001"));  // 0.999 squared; what is idle does not count
  EXPECT_EQ(a.before.vars.size(), 2u);
  ASSERT_EQ(a.shares.size(), 2u);
  EXPECT_NEAR(a.shares[0].weight, a.shares[1].weight, 1e-12);
}

TEST(Rules, ConditionalsTakeTheWorseBranchAndTheConditionCounts) {
  const Loaded l(model("0.1") +
                 "int f(int x, int y, int z) { int c = x +. 1; int r = 0;\n"
                 " if (c > 0) { r = y; } else { r = z *. z; r = r *. z; } return r; }");
  const auto a = of(l, {});
  EXPECT_EQ(a.before.chance, q("0.729"));  // two in the worse branch, one in the condition
  EXPECT_EQ(a.before.vars.size(), 3u);
  // A branch that sets nothing that matters changes nothing.
  const Loaded idle(model("0.1") +
                    "int f(int x) { int c = x +. 1; int s = 0; if (c > 0) { s = 1; } return x; }");
  EXPECT_EQ(of(idle, {}).before.chance, q("1"));
}

TEST(Rules, PerfectChecker) {
  const Loaded l(
      model("0.1") +
      "int f(int x) { int y = 0; try { y = x *. x; } check (y == x * x) recover { y = x *. x; } "
      "return y; }");
  EXPECT_EQ(of(l, with_checkers(l.program)).before.chance, q("0.99"));  // 0.9 + 0.1 * 0.9
  Options naive = with_checkers(l.program);
  naive.recovery_rule = false;
  EXPECT_EQ(of(l, naive).before.chance, q("0.81"));
  EXPECT_EQ(of(l, {}).before.chance, q("0.81"));  // nothing is known of the check
  const Loaded exact(
      model("0.1") +
      "int f(int x) { int y = 0; try { y = x *. x; } check (y == x * x) recover { y = x * x; } "
      "return y; }");
  EXPECT_EQ(of(exact, with_checkers(exact.program)).before.chance, q("1"));
}

TEST(Rules, ImperfectChecker) {
  const Loaded l(
      model("0.1") +
      "int f(int x) { int y = 0; try { y = x *. x; } check (y == x * x) recover { y = x *. x; } "
      "return y; }");
  // 0.9 * 0.8 + 0.9 * 0.2 * 0.9 + 0.1 * 0.7 * 0.9
  EXPECT_EQ(of(l, with_checkers(l.program, q("0.2"), q("0.3"))).before.chance, q("0.945"));
  // A check that always passes is none; one that never does makes a second attempt of it.
  EXPECT_EQ(of(l, with_checkers(l.program, q("0"), q("1"))).before.chance, q("0.9"));
  EXPECT_EQ(of(l, with_checkers(l.program, q("1"), q("0"))).before.chance, q("0.9"));
}

TEST(Rules, RedoIsTriedSoOften) {
  const Loaded l(model("0.1") +
                 "int f(int x) { int y = 0; try { y = x *. x; } check (y == x * x) recover "
                 "redo(3); return y; }");
  EXPECT_EQ(l.program.recoveries.size(), 3u);
  EXPECT_EQ(of(l, with_checkers(l.program)).before.chance, q("0.9999"));  // 1 - 0.1^4
}

TEST(Rules, TheWholeBlockHasToGoWell) {
  // Only y matters, but z going wrong makes the check fail too: 0.81 + 0.19 * 0.9.
  const Loaded l(model("0.1") +
                 "int f(int x) { int y = 0; int z = 0; try { y = x *. x; z = x +. x; } "
                 "check (y == x * x && z == x + x) recover { z = x + x; y = x *. x; } return y; }");
  EXPECT_EQ(of(l, with_checkers(l.program)).before.chance, q("0.981"));
  // And over paths it is the worst that counts: 0.81 + 0.19 * 1.
  const Loaded paths(model("0.1") +
                     "int f(int x) { int y = 0; try { if (x > 0) { y = x *. x; y = y +. 1; } else "
                     "{ y = x +. 1; } } "
                     "check (y > 0) recover { y = 5; } return y; }");
  EXPECT_EQ(of(paths, with_checkers(paths.program)).before.chance, q("1"));
  const Loaded again(model("0.1") +
                     "int f(int x) { int y = 0; try { int u = 0; if (x > 0) { u = x *. x; y = u +. "
                     "1; } else { y = x +. 1; } } "
                     "check (y > 0) recover { y = x +. 1; } return y; }");
  EXPECT_EQ(of(again, with_checkers(again.program)).before.chance, q("0.981"));
}

// What the published rule presupposes.
TEST(Traps, WhatCannotBeDoneAgainIsRefused) {
  const auto problem = [](const std::string& body) {
    const Loaded l(model("0.1") + body);
    const auto a = of(l, with_checkers(l.program));
    EXPECT_EQ(a.before.chance, q("0")) << body;
    return a.problems.empty() ? "" : a.problems[0].text;
  };
  EXPECT_NE(problem("int f(int x) { int y = x; try { y = y *. x; } check (y == 0) recover redo(1); "
                    "return y; }")
                .find("reads 'y' and then sets it"),
            std::string::npos);
  // Where the test of a branch goes wrong, the first attempt leaves something behind.
  EXPECT_NE(problem("int f(int x) { int y = 0; int z = 0; int t = 0; try { t = x +. 1; if (t > 0) "
                    "{ y = 1; } else { z = 1; } } "
                    "check (t == x + 1) recover redo(1); return y + z; }")
                .find("on every path"),
            std::string::npos);
  EXPECT_NE(problem("int f(int x) { int y = 0; int z = 0; try { y = x *. x; z = 1; } check (y == x "
                    "* x) recover { y = x * x; } "
                    "return y + z; }")
                .find("may set 'z'"),
            std::string::npos);
  // An index that went wrong has spoilt another element.
  EXPECT_NE(
      problem("int f(int x, uint i) { vector<int> v(4); int k = 0; try { k = x +. 1; v[k] = 1; } "
              "check (k == x + 1) recover { k = x + 1; v[k] = 1; } return v[0]; }")
          .find("another element is spoilt"),
      std::string::npos);
  EXPECT_NE(problem("int f(int x) { int y = 0; int z = 0; try { y = x *. x; } check (y == x * x) "
                    "recover { y = x * x; z = 1; } "
                    "return y + z; }")
                .find("'recover' sets 'z'"),
            std::string::npos);
  // What recovers starts from what was spoilt.
  EXPECT_NE(problem("int f(int x) { int y = 0; int t = 0; try { t = x *. x; y = t + 1; } "
                    "check (y == x * x + 1) recover { y = t + 1; t = x * x; } return y; }")
                .find("'recover' reads 't'"),
            std::string::npos);
}

// A block inside another one has to be one that can be put right, even if what it sets is not
// looked at: how likely the outer one goes well depends on it.
TEST(Traps, WhatIsInsideCounts) {
  const Loaded l(
      model("0.1") +
      "int f(int x) { int y = 0; int w = x; try { try { w = w +. 1; } check (w == x + 1) "
      "recover redo(1); y = x +. 1; } check (y == x + 1) recover { y = x + 1; w = 0; } "
      "return y; }");
  const auto a = of(l, with_checkers(l.program));
  ASSERT_FALSE(a.problems.empty());
  EXPECT_NE(a.problems[0].text.find("'w'"), std::string::npos);
}

TEST(Traps, ACheckOfWrongValuesSaysNothing) {
  const Loaded l(model("0.1") +
                 "int f(int x, int y) { int limit = x *. y; int z = 0; try { z = x +. y; } check "
                 "(z == limit) recover { z = x + y; } "
                 "return z; }");
  EXPECT_EQ(of(l, with_checkers(l.program)).before.chance, q("0.9"));
}

TEST(Traps, RatesMustBeKnown) {
  const Loaded l(
      "model m { operator *(int a, int b) ensures result == a * b;\n"
      "@label(odd) operator *(int a, int b) ensures true; }\nuse model m;\n"
      "int f(int x) { return x *. x; }");
  const auto a = of(l, {});
  ASSERT_FALSE(a.problems.empty());
  EXPECT_NE(a.problems[0].text.find("no rate is known"), std::string::npos);
  EXPECT_EQ(a.before.chance, q("0"));
  const Loaded loop(model("0.1") +
                    "int f(int x) { int y = x; while (y > 0) { y = y -. 1; } return y; }");
  ASSERT_FALSE(of(loop, {}).problems.empty());
  EXPECT_NE(of(loop, {}).problems[0].text.find("no bound"), std::string::npos);
  // Without loss a loop needs none.
  const Loaded fine(model("0.1") +
                    "int f(int x) { int y = x; while (y > 0) { y = y - 1; } return y; }");
  EXPECT_EQ(of(fine, {}).before.chance, q("1"));
}

// A loop that is left by 'return' is not always done to its end: what its first iteration returns
// has to be right, not only what the last one would.
TEST(Traps, LoopsThatAreLeftEarly) {
  const Loaded l(
      model("0.1") +
      "int f(int x) { int v = x +. 1; int u = x; repeat 2 { int t = v; v = u; return t; } "
      "return 0; }");
  EXPECT_LE(of(l, {}).before.chance.high(), mpq_class(9, 10));
  EXPECT_GT(of(l, {}).before.chance.low(), 0);
}

TEST(Loops, AreNotUnrolled) {
  const auto program = [](const char* n) {
    return model("0.000000001") + fmt::format(
                                      "int f(int x, int y) {{ int a = x; int b = y; repeat {} {{ "
                                      "int t = a; a = b +. 1; b = t; }} "
                                      "return a; }}",
                                      n);
  };
  const Loaded small(program("1000")), large(program("1000000000"));
  const auto timed = [](const Loaded& l) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 200; ++i) (void)of(l, {});
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  // The two take turns: half of the additions count for one of them.
  EXPECT_EQ(of(small, {}).before.chance, q("0.999999999").power(500));
  EXPECT_TRUE(of(large, {}).before.chance.at_least(q("0.606530659")));
  EXPECT_FALSE(of(large, {}).before.chance.at_least(q("0.606530660")));
  (void)timed(small);
  EXPECT_LT(timed(large), 2 * timed(small) + 0.05);
}

// Neither do loops in loops, nor functions that call functions twice: each is walked once for each
// set of variables.
TEST(Loops, NestingDoesNotMultiply) {
  std::string body = "a = b +. a; b = c; c = a;";
  std::string functions = "int g0(int x) { return x +. 1; }\n";
  for (int depth = 0; depth < 40; ++depth) {
    body = "repeat 3 {\n" + body + "\n}\n";
    functions +=
        fmt::format("int g{0}(int x) {{ int y = g{1}(x); return g{1}(y); }}\n", depth + 1, depth);
  }
  const auto start = std::chrono::steady_clock::now();
  const Loaded loops(model("0.1") + "int f(int x) { int a = x; int b = x; int c = x;\n" + body +
                     "return c; }");
  const auto deep = of(loops, {});
  EXPECT_TRUE(deep.problems.empty());
  EXPECT_EQ(deep.shares.size(), 1u);
  const Loaded calls(model("0.1") + functions);
  const auto chain = of(calls, {});
  EXPECT_TRUE(chain.problems.empty());
  ASSERT_EQ(chain.shares.size(), 1u);
  // 2^40 operations: what is lost is so often the logarithm of 0.9.
  EXPECT_NEAR(chain.shares[0].weight / (-std::log(0.9) * std::pow(2.0, 40)), 1, 1e-9);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

// Done again under another model, with its rates: 0.9 + 0.1 * 0.99, and so on.
TEST(Rules, RedoUnderAnotherModel) {
  const auto chance = [](const std::string& second, const std::string& redo) {
    const Loaded l(model("0.1", second) +
                   "int f(int x) { int z = 0; try { z = x +. 1; } check (z == x + 1) recover " +
                   redo + "; return z; }");
    const auto a = of(l, with_checkers(l.program));
    EXPECT_TRUE(a.problems.empty());
    return a.before.chance;
  };
  EXPECT_EQ(chance("0.01", "redo under second"), q("0.999"));
  EXPECT_EQ(chance("0.01", "redo(2) under second"), q("0.99999"));
  EXPECT_EQ(chance("0", "redo under second"), q("1"));
  EXPECT_EQ(chance("0", "redo under wrong"), q("0.99"));
  // The naive reading, by the rates of the picked model, would give 0.99.
  EXPECT_EQ(chance("0.5", "redo under second"), q("0.95"));
}

TEST(Rules, ExternalFunctions) {
  const std::string twice = "int f(int x, int y) { return g(g(x, y), x +. y); }";
  const Loaded known(model("0.1") + "reliability result >= 0.8 * R(x) extern int g(int x, int y);" +
                     twice);
  // Of the outer call only its first argument matters, and of the inner one too.
  EXPECT_EQ(of(known, {}).before.chance, q("0.64"));
  EXPECT_EQ(of(known, {}).before.vars.size(), 1u);
  const Loaded open(model("0.1") + "extern int g(int x, int y);" + twice);
  const auto a = of(open, {});
  ASSERT_EQ(a.problems.size(), 1u);
  EXPECT_NE(a.problems[0].text.find("'g' is external"), std::string::npos);
  EXPECT_EQ(a.before.chance, q("0"));
  // Nor may what is tried call it, though its result is not looked at.
  const Loaded tried(
      model("0.1") +
      "extern int g(int x); int f(int x) { int z = 0; try { int w = g(x); z = x +. 1; } "
      "check (z == x + 1) recover { z = x + 1; } return z; }");
  EXPECT_EQ(of(tried, with_checkers(tried.program)).problems.size(), 1u);
}

TEST(Proved, OrNot) {
  solver::Limits limits;
  prove::Crew crew(
      1, [&] { return solver::make_process_solver(solver::z3_command(), limits, g_never); });
  prove::Engine engine{{}, crew, nullptr};
  const std::string doubled =
      "real f(real x, real y) { real z = 0; real w = 0; try { z = x *. y; w = x *. y; } check (z "
      "== w) "
      "recover { z = x * y; w = z; } return z; }";
  // Of two copies one upset can spoil one.
  EXPECT_EQ(driver::prove_checkers(Loaded("use model unbounded_seu;\n" + doubled).program, engine)
                .proved.size(),
            1u);
  // Two upsets can spoil both alike.
  const std::string twice =
      "model twice { operator *(real a, real b) ensures result == a * b; operator *(real a, real "
      "b) ensures true; }\n"
      "use model twice;\n";
  EXPECT_EQ(driver::prove_checkers(Loaded(twice + doubled).program, engine).proved.size(), 0u);
  // A range does not tell wrong from right.
  EXPECT_EQ(
      driver::prove_checkers(Loaded(twice + "real f(real x) { real z = 0; try { z = x *. x; } "
                                            "check (z >= 0) recover { z = x * x; } return z; }")
                                 .program,
                             engine)
          .proved.size(),
      0u);
  // Unless every error leaves it.
  const std::string flipped =
      "model flips { operator *(real a, real b) ensures result == a * b; "
      "operator *(real a, real b) ensures result == -1 - a * b; }\nuse model flips;\n";
  EXPECT_EQ(
      driver::prove_checkers(Loaded(flipped + "real f(real x) { real z = 0; try { z = x *. x; } "
                                              "check (z >= 0) recover { z = x * x; } return z; }")
                                 .program,
                             engine)
          .proved.size(),
      1u);
  // Sorting two numbers by a comparison that may go wrong: being in order is being right.
  const std::string swapped =
      "model swaps { operator <(real a, real b) ensures result == (a < b); "
      "operator <(real a, real b) ensures true; }\nuse model swaps;\n"
      "real least(real a, real b) { real low = 0; real high = 0; try { bool less = a <. b; "
      "if (less) { low = a; high = b; } else { low = b; high = a; } } check (low <= high";
  const std::string mended = ") recover { low = min(a, b); high = max(a, b); } return low; }";
  EXPECT_EQ(driver::prove_checkers(Loaded(swapped + mended).program, engine).proved.size(), 1u);
  EXPECT_EQ(driver::prove_checkers(Loaded(swapped + " && low < high" + mended).program, engine)
                .proved.size(),
            0u);
  // What a proof rests on has to be shown too: here an invariant that does not hold, and a contract
  // that promises too much. Either would make any check perfect.
  const std::string head = "use model unbounded_seu;\n";
  const std::string claimed =
      "requires_r eq(*) real f(real x) { real z = 0; try { z = x *. x; uint k = 0; while (k < 1) "
      "invariant_r eq(z) && eq(k) { k = k + 1; } } check (true) recover { z = x * x; } return z; }";
  const driver::Checkers by_invariant =
      driver::prove_checkers(Loaded(head + claimed).program, engine);
  EXPECT_EQ(by_invariant.proved.size(), 0u);
  EXPECT_NE(by_invariant.doubts.at(0).text.find("rests on"), std::string::npos);
  const std::string promised =
      "requires_r eq(*) ensures_r eq(result) real g(real x) { return x *. x; }\n"
      "requires_r eq(*) real f(real x) { real z = 0; try { z = g(x); } check (true) "
      "recover { z = x * x; } return z; }";
  const driver::Checkers by_contract =
      driver::prove_checkers(Loaded(head + promised).program, engine);
  EXPECT_EQ(by_contract.proved.size(), 0u);
  EXPECT_NE(by_contract.doubts.at(0).text.find("the contract of 'g'"), std::string::npos);
  // So has what the model says of itself: an invariant that its operations do not keep.
  const std::string unkept =
      "model broken { bool hit = false; invariant !hit;\n"
      "operator *(real a, real b) ensures result == a * b;\n"
      "operator *(real a, real b) when hit ensures true;\n"
      "operator +(real a, real b) modifies hit ensures result == a + b && hit; }\n"
      "use model broken;\n"
      "real f(real x) { real z = 0; try { z = x *. x; } check (true) recover { z = x * x; } "
      "real s = x +. z; return z; }";
  const driver::Checkers by_model = driver::prove_checkers(Loaded(unkept).program, engine);
  EXPECT_EQ(by_model.proved.size(), 0u);
  EXPECT_NE(by_model.doubts.at(0).text.find("the model"), std::string::npos);
  // One that refuses what is right is not perfect either.
  EXPECT_EQ(
      driver::prove_checkers(Loaded(flipped + "real f(real x) { real z = 0; try { z = x *. x; } "
                                              "check (z > 0) recover { z = x * x; } return z; }")
                                 .program,
                             engine)
          .proved.size(),
      0u);
}

// Random programs --------------------------------------------------------------------------------

class Maker {
 public:
  Maker(unsigned seed, unsigned sites) : random_(seed), sites_(sites) {}

  std::string run() {
    std::string body =
        "reliability result >= 0.75 * R(x)\nextern int outside(int x);\n"
        "int f(int x, int y) {\n int a = x; int b = y; int c = 1; int d = 0; int e = 0;\n";
    body += block(2, 2 + roll(3));
    return body + " return " + variable() + ";\n}\n";
  }

 private:
  unsigned roll(unsigned n) { return static_cast<unsigned>(random_() % n); }
  std::string variable() { return std::string(1, static_cast<char>('a' + roll(5))); }
  bool relaxed() {
    if (sites_ < weight_ || roll(3) == 0) return false;
    sites_ -= weight_;
    return true;
  }
  std::string operation(const std::string& l, const std::string& r) {
    const char* ops[] = {"+", "-", "*"};
    return l + " " + ops[roll(3)] + (relaxed() ? ". " : " ") + r;
  }
  std::string block(unsigned depth, unsigned n) {
    std::string out;
    for (unsigned i = 0; i < n; ++i) out += statement(depth);
    return out;
  }
  std::string statement(unsigned depth) {
    const std::string v = variable();
    switch (roll(depth > 0 ? 6 : 2)) {
      case 0:
        if (roll(4) == 0)
          return "if (" + variable() + " > " + std::to_string(roll(4)) + ") {\n return " +
                 variable() + ";\n}\n";
        [[fallthrough]];
      case 1:
      case 2:
        return v + " = " + operation(variable(), variable()) + ";\n";
      case 3:
        return "if (" + variable() + " > " + std::to_string(roll(3)) + ") {\n" +
               block(depth - 1, 1 + roll(2)) + "} else {\n" + block(depth - 1, roll(2)) + "}\n";
      case 4: {
        const unsigned n = 1 + roll(3), outer = weight_;
        weight_ *= n;
        const std::string body = block(depth - 1, 1 + roll(2));
        weight_ = outer;
        return "repeat " + std::to_string(n) + " {\n" + body +
               (roll(5) == 0 ? "return " + variable() + ";\n" : "") + "}\n";
      }
      default: {
        std::string l = variable(), r = variable();
        while (l == v || r == v) l = r = variable();
        if (sites_ < 2 * weight_) return v + " = " + l + ";\n";
        sites_ -= 2 * weight_;
        if (roll(3) == 0) {  // one site is too many here
          sites_ += weight_;
          return v + " = outside(" + l + ");\n";
        }
        const std::string tried = "try { " + v + " = " + l + " +. " + r + "; } check (" + v +
                                  " == " + l + " + " + r + ") recover ";
        if (roll(2) == 0) return tried + "redo under second;\n";
        return tried + "{ " + v + " = " + l + " +. " + r + "; }\n";
      }
    }
  }

  std::mt19937 random_;
  unsigned sites_;  // that may still be met in a run
  unsigned weight_ = 1;
};

TEST(Random, NotUnrollingChangesNothing) {
  unsigned loops = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const std::string text = model("0.125", "0.25") + Maker(seed, 1000).run();
    const Loaded l(text);
    Options options = with_checkers(l.program), unrolled = options;
    unrolled.unroll = true;
    const auto a = of(l, options), b = of(l, unrolled);
    EXPECT_TRUE(a.before.chance.exact());
    EXPECT_EQ(a.before, b.before) << text;
    EXPECT_EQ(a.problems, b.problems) << text;
    loops += text.find("repeat") != std::string::npos;
  }
  EXPECT_GT(loops, 300u);
}

// Each site goes well or wrong, in every combination.
class Combinations final : public interp::Chooser {
 public:
  Combinations(const interp::Machine& machine, const interp::Inputs& inputs, std::int64_t off)
      : machine_(machine), inputs_(inputs), off_(off) {}
  std::size_t specification(const interp::SitePoint& point) override {
    if (next_ == wrong_.size()) wrong_.push_back(false);
    interp::Scope scope{inputs_.values, core::Side::Relaxed};
    rates_.resize(next_);
    rates_.emplace_back(
        machine_.evaluator()
            .number(machine_.program().specifications[point.enabled.back()].rate, scope)
            .text());
    const bool wrong = wrong_[next_++];
    return wrong ? point.enabled.size() - 1 : 0;  // the exact one stands first
  }
  std::size_t alternative(std::size_t) override { return 0; }
  interp::Number value(const interp::Domain& d, core::VarId) override {
    return d.usual + interp::Number(off_);
  }
  bool next() {
    wrong_.resize(next_);
    next_ = 0;
    while (!wrong_.empty() && wrong_.back()) wrong_.pop_back();
    if (wrong_.empty()) return false;
    wrong_.back() = true;
    return true;
  }
  [[nodiscard]] mpq_class chance() const {
    mpq_class p = 1;
    for (std::size_t i = 0; i < next_; ++i) p *= wrong_[i] ? rates_[i] : mpq_class(1 - rates_[i]);
    return p;
  }

 private:
  const interp::Machine& machine_;
  const interp::Inputs& inputs_;
  std::int64_t off_;
  std::vector<bool> wrong_;
  std::vector<mpq_class> rates_;
  std::size_t next_ = 0;
};

TEST(Random, WhatIsProvedIsNeverMoreThanThereIs) {
  unsigned lossy = 0, recoveries = 0, tight = 0, elsewhere = 0, outside = 0, early = 0;
  const char* wanted = std::getenv("LETO_TEST_PROGRAMS");
  const unsigned programs = wanted == nullptr ? 250 : static_cast<unsigned>(std::stoul(wanted));
  for (unsigned seed = 5000; seed < 5000 + programs; ++seed) {
    const std::string text = model("0.125", "0.25") + Maker(seed, 9).run();
    const Loaded l(text);
    const auto a = of(l, with_checkers(l.program));
    if (!a.problems.empty()) continue;
    const interp::Machine machine(l.program);
    const core::FunctionId f{1};
    elsewhere += text.find("under second") == std::string::npos ? 0 : 1;
    for (const core::Stmt& stmt : l.program.stmts)
      if (const auto* loop = std::get_if<core::While>(&stmt.node))
        early += loop->returned.valid() ? 1 : 0;
    outside += text.find("= outside(") == std::string::npos ? 0 : 1;
    recoveries += l.program.recoveries.empty() ? 0 : 1;
    lossy += a.before.chance == q("1") ? 0 : 1;
    for (const std::int64_t off : {1, -3}) {
      interp::Inputs inputs = interp::empty_inputs(machine);
      for (core::VarId param : l.program.functions[f].params)
        inputs.values.original[param.value].scalar = inputs.values.relaxed[param.value].scalar =
            static_cast<std::int64_t>(seed % 7) - 2;
      Combinations chooser(machine, inputs, off);
      mpq_class right = 0, all = 0;
      do {
        const interp::Outcome o = machine.run(f, inputs, chooser, {});
        ASSERT_EQ(o.end, interp::End::Done) << text;
        const mpq_class p = chooser.chance();
        all += p;
        if (interp::equal(*o.original, *o.relaxed)) right += p;
      } while (chooser.next());
      EXPECT_EQ(all, 1) << text;  // these are all runs there are
      EXPECT_LE(a.before.chance.high(), right) << text;
      tight += a.before.chance.high() == right ? 1 : 0;
    }
  }
  EXPECT_GT(lossy, 100u);
  EXPECT_GT(recoveries, 60u);
  EXPECT_GT(elsewhere, 30u);
  EXPECT_GT(outside, 30u);
  EXPECT_GT(early, 10u);
  EXPECT_GT(tight, 100u);  // mostly it is just what there is
}

TEST(Injection, DrawsFaultsByTheirRates) {
  const Loaded l(
      model("0.02") +
      "requires_r eq(*) int f(int x, int y) { int a = x; repeat 5 { a = a +. y; } int b = 0; "
      "try { b = a -. 1; } check (b == a - 1) recover { b = a -. 1; } return b; }");
  const auto a = of(l, with_checkers(l.program));
  EXPECT_EQ(a.before.chance, q("0.98").power(5) * q("0.9996"));
  const interp::Machine machine(l.program);
  inject::Settings settings;
  settings.function = core::FunctionId{0};
  settings.runs = 20'000;
  settings.seed = 3;
  const inject::Result r = inject::campaign(machine, settings, g_never, [](std::uint64_t) {});
  const auto right = static_cast<std::size_t>(inject::Class::Masked);
  const inject::Interval interval = inject::wilson(r.counts[right], r.valid());
  EXPECT_GE(interval.high, a.before.chance.approximate());
  EXPECT_LE(interval.low, 0.93);  // not far above it: errors are seldom masked here
  EXPECT_GE(r.valid(), 19'000u);
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
