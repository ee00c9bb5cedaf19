// The rules of reliability. Expected values are computed by hand. Each rule that could be wrong in
// a way that somebody might think of has a program here of which too much is proved if it is
// (Teeth): what there is is found by running the program in every way that the model allows.
#include "reliability/reliability.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <ctime>

#include "inject/inject.h"
#include "reliability_compare.h"
#include "reliability_programs.h"
#include "reliability_shorthand.h"

namespace leto::tests {

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

// The wrong element may be set: then neither is what it should be.
TEST(Rules, WhereAnElementIsSetCounts) {
  const std::string set =
      "int f(int x) { vector<int> v(3); int i = x +. 1; v[i] = 7; return v[1]; }";
  EXPECT_EQ(of(Loaded(model("0.1") + set), {}).before.chance, q("0.9"));
  const std::string read = "int f(int x) { vector<int> v(3); int i = x +. 1; return v[i]; }";
  EXPECT_EQ(of(Loaded(model("0.1") + read), {}).before.chance, q("0.9"));
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
  const std::string tried =
      "int f(int x) { int y = 0; try { y = x *. x; } check (y == x * x) recover ";
  const Loaded l(model("0.1") + tried + "{ y = x *. x; } return y; }");
  EXPECT_EQ(proved(l).before.chance, q("0.99"));  // 0.9 + 0.1 * 0.9
  Options naive = proofs().options(l.program);
  naive.recovery_rule = false;
  EXPECT_EQ(of(l, naive).before.chance, q("0.81"));
  EXPECT_EQ(of(l, {}).before.chance, q("0.81"));  // nothing is known of the block
  const Loaded exact(model("0.1") + tried + "{ y = x * x; } return y; }");
  EXPECT_EQ(proved(exact).before.chance, q("1"));
  // Other code that computes the same.
  const Loaded other(model("0.1") + tried + "{ y = 0; y = x * x + y; } return y; }");
  EXPECT_EQ(proved(other).before.chance, q("1"));
}

TEST(Rules, ImperfectChecker) {
  const Loaded l(
      model("0.1") +
      "int f(int x) { int y = 0; try { y = x *. x; } check (y == x * x) recover { y = x *. x; } "
      "return y; }");
  const auto chance = [&](const char* positive, const char* negative) {
    return of(l, declared(l.program, q(positive), q(negative))).before.chance;
  };
  // 0.9 * 0.8 + 0.9 * 0.2 * 0.9 + 0.1 * 0.7 * 0.9
  EXPECT_EQ(chance("0.2", "0.3"), q("0.945"));
  // A check that always passes is none; one that never does makes a second attempt of it.
  EXPECT_EQ(chance("0", "1"), q("0.9"));
  EXPECT_EQ(chance("1", "0"), q("0.9"));
}

TEST(Rules, RedoIsTriedSoOften) {
  const Loaded l(model("0.1") +
                 "int f(int x) { int y = 0; try { y = x *. x; } check (y == x * x) recover "
                 "redo(3); return y; }");
  EXPECT_EQ(l.program.recoveries.size(), 3u);
  EXPECT_EQ(proved(l).before.chance, q("0.9999"));  // 1 - 0.1^4
}

TEST(Rules, TheWholeBlockHasToGoWell) {
  // Only y matters, but z going wrong makes the check fail too: 0.81 + 0.19 * 0.9.
  const Loaded l(model("0.1") +
                 "int f(int x) { int y = 0; int z = 0; try { y = x *. x; z = x +. x; } "
                 "check (y == x * x && z == x + x) recover { z = x + x; y = x *. x; } return y; }");
  EXPECT_EQ(proved(l).before.chance, q("0.981"));
  // And over paths it is the worst that counts, in `try` and in `recover`.
  const std::string paths =
      "int f(int x) { int y = 0; try { if (x > 0) { y = x *. x; y = y +. 1; } else { y = x +. 1; } "
      "} "
      "check (x > 0 && y == x * x + 1 || x <= 0 && y == x + 1) recover ";
  const Loaded mended(model("0.1") + paths +
                      "{ if (x > 0) { y = x * x + 1; } else { y = x + 1; } } return y; }");
  EXPECT_EQ(proved(mended).before.chance, q("1"));
  const Loaded again(model("0.1") + paths +
                     "{ if (x > 0) { y = x * x + 1; } else { y = x +. 1; } } return y; }");
  EXPECT_EQ(proved(again).before.chance, q("0.981"));
}

// Of what cannot be put right it is said why, and the block counts as a branch.
TEST(Recovery, WhatIsNotMendedIsNamed) {
  const auto names = [](const std::string& body, const std::string& why) {
    const std::string text = model("0.1") + body;
    EXPECT_NE(doubts_of(text).mending.find(why), std::string::npos)
        << doubts_of(text).mending << "\n"
        << body;
    const Loaded l(text);
    Options naive;
    naive.recovery_rule = false;
    EXPECT_EQ(proved(l).before.chance, of(l, naive).before.chance) << body;
    EXPECT_TRUE(proved(l).recoveries.empty()) << body;
  };
  names(
      "int f(int x) { int y = x; int e = 0; try { e = y; y = y *. x; } check (y == e * x) "
      "recover redo(1); return y; }",
      "'recover' reads 'y'");
  // Where the test of a branch goes wrong, the first attempt leaves something behind.
  names(
      "int f(int x) { int y = 0; int z = 0; int t = 0; try { t = x +. 1; if (t > 0) "
      "{ y = 1; } else { z = 1; } } check (t == x + 1) recover redo(1); return y + z; }",
      "whether 'try' sets 'y' depends on");
  names(
      "int f(int x) { int y = 0; int z = 0; try { y = x *. x; z = y; } check (y == x * x) "
      "recover { y = x * x; } return y + z; }",
      "it may leave 'z' wrong");
  names(
      "int f(int x) { int y = 0; int z = 0; try { y = x *. x; } check (y == x * x) "
      "recover { y = x * x; z = 1; } return y + z; }",
      "it may leave 'z' wrong");
  // An index that went wrong has spoilt another element.
  names(
      "int f(int x) { vector<int> v(4); int k = 0; try { k = x +. 1; v[k] = 1; } "
      "check (k == x + 1) recover redo(1); return v[0]; }",
      "another element is then spoilt for good");
  // What recovers starts from what was spoilt.
  names(
      "int f(int x) { int y = 0; int t = 0; try { t = x *. x; y = t + 1; } "
      "check (y == x * x + 1 && t == x * x) recover { y = t + 1; t = x * x; } return y; }",
      "it may leave 'y' wrong");
}

// A block inside another one that cannot be put right counts as what it is.
TEST(Recovery, WhatIsInsideCounts) {
  const Loaded l(
      model("0.1") +
      "int f(int x) { int y = 0; int w = 0; int e = 0; try { w = x; try { e = w; w = w +. 1; } "
      "check (w == e + 1) recover redo(1); y = x +. 1; } check (y == x + 1 && w == x + 1 && e == "
      "x) "
      "recover { y = x +. 1; w = x + 1; e = x; } return y; }");
  // `w` twice, with its test, and `y`: 0.9 * 0.9 * 0.9; then `y` once more.
  EXPECT_EQ(proved(l).before.chance, q("0.9729"));
}

TEST(Recovery, ACheckOfWrongValuesSaysNothing) {
  const Loaded l(
      model("0.1") +
      "int f(int x, int y) { int limit = x *. y; int z = 0; try { z = limit +. y; } check "
      "(z == limit + y) recover { z = limit + y; } return z; }");
  EXPECT_EQ(proved(l).before.chance, q("0.9"));  // `limit` has to be right
}

TEST(Rules, RatesMustBeKnown) {
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
TEST(Loops, LoopsThatAreLeftEarly) {
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
    const std::clock_t start = std::clock();  // of this process: others may be busy as well
    for (int i = 0; i < 200; ++i) (void)of(l, {});
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
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
    const auto a = proved(l);
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
  // Nobody knows how often what is tried goes well then. What recovers is right all the same; but
  // done again, an external function need not give the same.
  const std::string tried =
      "extern int g(int x); int f(int x) { int z = 0; int w = 0; try { w = g(x); z = x +. 1; } "
      "check (z == x + 1 && w == x) recover ";
  const Loaded mended(model("0.1") + tried + "{ z = x +. 1; w = x; } return z; }");
  EXPECT_EQ(proved(mended).before.chance, q("0"));  // the original need not pass the check
  const Loaded local(
      model("0.1") +
      "extern int g(int x); int f(int x) { int z = 0; try { int w = g(x); z = x +. 1; } "
      "check (z == x + 1) recover { z = x +. 1; } return z; }");
  EXPECT_EQ(proved(local).before.chance, q("0.99"));  // nobody looks at it
  EXPECT_NE(
      doubts_of(
          model("0.1") +
          "checker seldom false_positive 0 false_negative 0;\n"
          "extern int g(int x); int f(int x) { int z = 0; int w = 0; try { w = g(x); z = x +. 1; } "
          "check seldom (z == x + 1) recover redo(1); return z + w; }")
          .mending.find("external function"),
      std::string::npos);
}

// What a checker declares counts, each rate in its place.
TEST(Rules, DeclaredRatesAreThoseOfTheChecker) {
  const Loaded l(model("0.1") +
                 "checker seldom false_positive 0.25 false_negative 0.5;\n"
                 "int f(int x) { int z = 0; try { z = x +. 1; } check seldom (z > x) recover "
                 "{ z = x +. 1; } return z; }");
  // 0.9 * 0.75 + 0.9 * 0.25 * 0.9 + 0.1 * 0.5 * 0.9
  EXPECT_EQ(proved(l).before.chance, q("0.9225"));
}

// Checks that are proved, or not. -----------------------------------------------------------------

bool check_is_proved(const std::string& text) {
  const Loaded l(text);
  EXPECT_EQ(l.problem, "");
  const checks::Recoveries found = proofs().of(l.program);
  return found.known.contains(0) && found.known.at(0).check_proved;
}

const char* const kTwice =
    "model twice { operator *(real a, real b) ensures result == a * b;\n"
    "operator *(real a, real b) ensures true; }\nuse model twice;\n";

TEST(Checks, CopiesAndRanges) {
  const std::string doubled =
      "real f(real x, real y) { real z = 0; real w = 0; try { z = x *. y; w = x *. y; } "
      "check (z == w) recover { z = x * y; w = z; } return z; }";
  // Of two copies one upset can spoil one; two can spoil both alike.
  EXPECT_TRUE(check_is_proved("use model unbounded_seu;\n" + doubled));
  EXPECT_FALSE(check_is_proved(kTwice + doubled));
  // A range does not tell wrong from right, unless every error leaves it.
  const std::string range =
      "real f(real x) { real z = 0; try { z = x *. x; } check (z >= 0) recover { z = x * x; } "
      "return z; }";
  const std::string flips =
      "model flips { operator *(real a, real b) ensures result == a * b;\n"
      "operator *(real a, real b) ensures result == -1 - a * b; }\nuse model flips;\n";
  EXPECT_FALSE(check_is_proved(kTwice + range));
  EXPECT_TRUE(check_is_proved(flips + range));
  // One that refuses what is right is not perfect either.
  EXPECT_FALSE(check_is_proved(flips +
                               "real f(real x) { real z = 0; try { z = x *. x; } check (z > 0) "
                               "recover { z = x * x; } return z; }"));
}

// Sorting two numbers by a comparison that may go wrong: being in order is being right.
TEST(Checks, Order) {
  const std::string swapped =
      "model swaps { operator <(real a, real b) ensures result == (a < b); "
      "operator <(real a, real b) ensures true; }\nuse model swaps;\n"
      "real least(real a, real b) { real low = 0; real high = 0; try { bool less = a <. b; "
      "if (less) { low = a; high = b; } else { low = b; high = a; } } check (low <= high";
  const std::string mended = ") recover { low = min(a, b); high = max(a, b); } return low; }";
  EXPECT_TRUE(check_is_proved(swapped + mended));
  EXPECT_FALSE(check_is_proved(swapped + " && low < high" + mended));
}

// What a proof rests on has to be shown too. Each of these would make any check perfect.
TEST(Checks, WhatProofsRestOnIsShown) {
  const std::string head = "use model unbounded_seu;\n";
  const auto fears = [](const std::string& text, const char* why) {
    EXPECT_FALSE(check_is_proved(text));
    EXPECT_NE(doubts_of(text).check.find(why), std::string::npos) << doubts_of(text).check;
  };
  fears(head +
            "requires_r eq(*) real f(real x) { real z = 0; try { z = x *. x; uint k = 0; while (k "
            "< 1) "
            "invariant_r eq(z) && eq(k) { k = k + 1; } } check (true) recover { z = x * x; } "
            "return z; }",
        "rests on");
  fears(head +
            "requires_r eq(*) ensures_r eq(result) real g(real x) { return x *. x; }\n"
            "requires_r eq(*) real f(real x) { real z = 0; try { z = g(x); } check (true) "
            "recover { z = x * x; } return z; }",
        "the contract of 'g'");
  // A lemma, also by way of a contract; a definition.
  const std::string wish = "ensures a == b lemma wish(real a, real b) {}\n";
  fears(head + wish +
            "requires_r eq(*) real f(real x) { real z = 0; try { z = x *. x; wish(z, x * x); } "
            "check (true) recover { z = x * x; } return z; }",
        "lemma 'wish'");
  fears(head + wish +
            "requires_r eq(*) ensures_r eq(result) real g(real x) { real y = x *. x; wish(y, x * "
            "x); return y; }\n"
            "requires_r eq(*) real f(real x) { real z = 0; try { z = g(x); } check (true) "
            "recover { z = x * x; } return z; }",
        "lemma 'wish'");
  fears(head +
            "define int up(int n) decreases n: if (n == 0) 0 else up(n) + 1;\n"
            "requires_r eq(*) real f(real x) { real z = 0; try { z = x *. x; int d = if (z == x * "
            "x) 0 else 1; assert_r up(d<r>) == 0; } check (true) recover { z = x * x; } return "
            "z; }",
        "'up' is not proved total");
  fears(head +
            "ensures result == b pure real one(real a, real b) { return a; }\n"
            "requires_r eq(*) real f(real x) { real z = 0; try { z = x *. x; z = one(z, x * x); } "
            "check (true) recover { z = x * x; } return z; }",
        "the contract of 'one'");
  fears(
      "model broken { bool hit = false; invariant !hit;\n"
      "operator *(real a, real b) ensures result == a * b;\n"
      "operator *(real a, real b) when hit ensures true;\n"
      "operator +(real a, real b) modifies hit ensures result == a + b && hit; }\n"
      "use model broken;\n"
      "real f(real x) { real z = 0; try { z = x *. x; } check (true) recover { z = x * x; } "
      "real s = x +. z; return z; }",
      "the model");
}

// The program breaks the model's invariant, where only a caller can see it.
TEST(Checks, InvariantsThatTheProgramBreaksAreNoStart) {
  const std::string model =
      "model counted { uint n = 0; invariant n <= 1;\n"
      "operator *(real a, real b) ensures result == a * b;\n"
      "operator *(real a, real b) ensures true; }\n"
      "use model counted;\n";
  const auto square = [](const std::string& before) {
    return "real f(real x) { real y = 0; " + before +
           "try { y = x *. x; } check (y == x * x || model.n == 2) recover { y = x * x; } "
           "return y; }\n";
  };
  const std::string steps =
      "void first() { model.n = 1; }\n"
      "void second() { if (model.n == 0) { model.n = 1; } else { model.n = 2; } }\n";
  EXPECT_TRUE(check_is_proved(model + steps + square("first(); ")));
  EXPECT_FALSE(check_is_proved(model + steps + square("first(); second(); ")));
  const std::string asks =
      "requires !b void set(bool b) { if (b) { model.n = 2; } else { model.n = 1; } }\n";
  EXPECT_TRUE(check_is_proved(model + asks + square("set(false); ")));
  EXPECT_FALSE(check_is_proved(model + asks + square("set(true); ")));
}

// Teeth -------------------------------------------------------------------------------------------

// A program of which too much is proved if a rule is as `trap` has it; and what is proved if it is
// not. `rest` stands behind the models (rates of 0.5 and 0), or has its own.
struct Tooth {
  const char* name;
  Trap trap;
  const char* honest;
  std::string text;
  bool own_model = false;
};

std::string function(const std::string& type, const std::string& body) {
  return "reliability 0 <= R(result)\n" + type + " f(int x, int y) {\n" + body + "}\n";
}

std::string own_model(const std::string& operations) {
  return "model own { const real p = 0.5; int hits = 0;\n" + operations + "}\nuse model own;\n";
}

const char* const kCounts =
    "operator *(int a, int b) ensures result == a * b;\n"
    "@label(w) @rate(p) operator *(int a, int b) modifies hits "
    "ensures hits == old(hits) + 1 && result == a * b;\n";

std::vector<Tooth> of_mending() {
  const std::string area = "int a = 0;\ntry { a = x *. y; } check (a == x * y) recover ";
  return {
      {"a constant", Trap::RecoverNotCompared, "0.5",
       function("int", area + "{ a = 12; }\nreturn a;\n")},
      {"a slip", Trap::RecoverNotCompared, "0.5",
       function("int", area + "{ a = x * x; }\nreturn a;\n")},
      {"not if there is nothing to do", Trap::RecoverNotCompared, "0.5",
       function("int",
                area + "{ int k = x; while (k > 0) { a = x * y; k = k - 1; } }\nreturn a;\n")},
      {"no times", Trap::RecoverNotCompared, "0.5",
       function("int", area + "{ repeat 0 { a = x * y; } }\nreturn a;\n")},
      {"under the opposite condition", Trap::RecoverNotCompared, "0.5",
       function("vector<int>",
                "vector<int> u(2);\nu[0] = 6;\n"
                "try { if (y > 1) { u[0] = x *. x; } } check (y <= 1 || u[0] == x * x)\n"
                "recover { if (y <= 1) { u[0] = x * x; } }\nreturn u;\n")},
      {"a loose check", Trap::CheckNotProved, "0.5",
       function("int",
                "int a = 0;\ntry { a = x *. y; } check (a >= 0 - 50) recover { a = x * y; "
                "}\nreturn a;\n")},
      {"past an assertion", Trap::RecoverAlwaysEnds, "0.75",
       function("int", area + "{ int z = x +. 0; assert z != x; a = 3; }\nreturn a;\n")},
      {"an original that fails", Trap::CheckNeedsLess, "0.5",
       function(
           "int",
           "int c = x *. 1;\nint b = 0;\nint d = 0;\nint e = 0;\n"
           "try { d = c +. 0; assert d == x; b = x *. y; e = c; } check (e != x || b == x * y)\n"
           "recover { d = x; b = x * y; e = x; }\nreturn b;\n")},
      {"an original that never ends", Trap::CheckNeedsLess, "0.5",
       function("int",
                "int c = x *. 1;\nint b = 0;\nint d = 0;\nint e = 0;\n"
                "try { d = c +. 0; while (d != x) { } b = x *. y; e = c; } check (e != x || b == x "
                "* y)\n"
                "recover { d = x; b = x * y; e = x; }\nreturn b;\n")},
  };
}

std::vector<Tooth> of_doing_again() {
  const std::string corner = "vector<int> u(2);\nint c = 0;\n";
  const std::string side = "bool c = false;\nvector<int> u(2);\nvector<int> w(2);\nw[1] = 8;\n";
  return {
      {"one of two paths", Trap::ElementsOnEitherPath, "0.5",
       function("vector<int>", side +
                                   "try { c = x <. y; if (c) { u[0] = 1; } } check (c == (x < y))\n"
                                   "recover redo under second;\nreturn u;\n")},
      {"either path", Trap::ElementsOnEitherPath, "0.5",
       function("vector<int>", side +
                                   "try { c = x <. y; if (c) { u[0] = 1; } else { u[1] = 2; } }\n"
                                   "check (c == (x < y)) recover redo under second;\nreturn u;\n")},
      {"the whole on one path", Trap::ElementsOnEitherPath, "0.5",
       function("vector<int>", side +
                                   "try { c = x <. y; if (c) { u = w; } u[0] = 1; }\n"
                                   "check (c == (x < y)) recover redo under second;\nreturn u;\n")},
      {"another element", Trap::IndexIsRight, "0.5",
       function("vector<int>", corner +
                                   "try { c = x +. y; u[abs(c) % 2] = 3; } check (c == x + y)\n"
                                   "recover redo under second;\nreturn u;\n")},
      {"what was spoilt", Trap::SpoiltIsRead, "0.5",
       function("int",
                "int a = x;\nint e = 0;\ntry { e = a; a = a +. y; } check (a == e + y)\n"
                "recover redo under second;\nreturn a;\n")},
  };
}

std::vector<Tooth> of_state() {
  return {
      {"a fault that only counts", Trap::StateIsNoData, "0.5",
       own_model(kCounts) + function("int",
                                     "model.hits = 0;\nint a = x *. y;\nint z = 0;\nif (model.hits "
                                     "> 0) { z = 1; }\nreturn z;\n"),
       true},
      {"in a callee", Trap::CalleeKeepsState, "0.5",
       "void store(int q) { model.hits = q *. q; }\n" +
           function("int",
                    "model.hits = 0;\nstore(x);\nint z = 0;\nif (model.hits > 2) { z = 1; "
                    "}\nreturn z;\n")},
      {"in a callee with a clause", Trap::CalleeKeepsState, "0.125",
       own_model(kCounts) +
           "reliability result >= 0.5 * R(q)\nint square(int q) { return q *. q; }\n" +
           function("int",
                    "model.hits = 0;\nrepeat 3 { int a = square(x); }\nint n = model.hits;\nreturn "
                    "n;\n"),
       true},
      {"done twice", Trap::RedoForgetsState, "0.5",
       function("int",
                "model.hits = 0;\nint a = 0;\ntry { a = x *. y; model.hits = model.hits + 1; }\n"
                "check (a == x * y) recover redo under second;\nreturn model.hits;\n")},
      {"left as it was", Trap::RedoForgetsState, "0.5",
       function("int",
                "model.hits = 0;\nint a = 0;\ntry { a = x *. y; model.hits = a; }\n"
                "check (a == x * y) recover { a = x * y; }\nreturn model.hits;\n")},
      {"a test that sets it", Trap::TestChangesNothing, "0.5",
       "int note(int z, int n) { model.hits = z; return n; }\n" +
           function("int",
                    "int v = x +. 1;\nint k = 1;\nmodel.hits = 0;\nwhile (note(v, k) > 0) { k = k "
                    "- 1; model.hits = 0; }\n"
                    "return model.hits;\n")},
  };
}

std::vector<Tooth> of_rates() {
  return {
      {"a loop that is left", Trap::LoopsAreNotLeft, "0.5",
       function(
           "int",
           "int v = x +. 1;\nint u = x;\nrepeat 2 { int t = v; v = u; return t; }\nreturn 0;\n")},
      {"two faults of one operation", Trap::RatesOfOne, "0.25",
       own_model(
           "operator +(int a, int b) ensures result == a + b;\n"
           "@label(one) @rate(p) operator +(int a, int b) ensures result == a + b + 1;\n"
           "@label(two) @rate(0.25) operator +(int a, int b) ensures result == a + b + 2;\n") +
           function("int", "return x +. y;\n"),
       true},
      {"an exact one with a guard", Trap::GuardedIsExact, "0",
       own_model("operator +(int a, int b) when hits < 1 ensures result == a + b;\n"
                 "@label(w) @rate(p) operator +(int a, int b) modifies hits ensures hits == "
                 "old(hits) + 1;\n") +
           function("int", "int u = x +. 1;\nint v = x +. y;\nreturn v;\n"),
       true},
  };
}

void try_tooth(const Tooth& tooth) {
  SCOPED_TRACE(tooth.name);
  const std::string text = (tooth.own_model ? "" : model("0.5")) + tooth.text;
  const Loaded l(text);
  EXPECT_EQ(proved(l).before.chance, q(tooth.honest));
  EXPECT_EQ(Comparison(proofs().engine(), Trap::None).violation(text, false), "");
  EXPECT_NE(Comparison(proofs().engine(), tooth.trap).violation(text, false), "");
}

TEST(Teeth, Mending) {
  for (const Tooth& tooth : of_mending()) try_tooth(tooth);
}

TEST(Teeth, DoingAgain) {
  for (const Tooth& tooth : of_doing_again()) try_tooth(tooth);
}

TEST(Teeth, State) {
  for (const Tooth& tooth : of_state()) try_tooth(tooth);
}

TEST(Teeth, RatesAndLoops) {
  for (const Tooth& tooth : of_rates()) try_tooth(tooth);
}

// With a check whose rates are what they are on the inputs that are tried: `probe` measures them.
void try_measured(const std::string& text, Trap trap) {
  const std::string whole =
      model("0.5") + "checker measured false_positive 1 false_negative 1;\n" + text;
  EXPECT_EQ(Loaded(whole).problem, "");
  EXPECT_EQ(Comparison(proofs().engine(), Trap::None).violation(whole, true), "");
  EXPECT_NE(Comparison(proofs().engine(), trap).violation(whole, true), "");
}

// A check with rates may fail in the original run as well, and then it recovers too: what it
// computes is not what a check that goes wrong lets pass.
TEST(Teeth, TheOriginalRecoversToo) {
  try_measured(
      "vector<int> probe(int x, int y) { vector<int> out(2); int a = x *. y; out[0] = 0;\n"
      "if (x <. x) { out[0] = 1; } out[1] = a; return out; }\n" +
          function("int",
                   "int a = 0;\ntry { a = x *. y; } check measured (x <. x) recover { a = 17; "
                   "}\nreturn a;\n"),
      Trap::OriginalNeverRecovers);
}

// Where the first attempt has done a loop that the second one does not do, something is left.
TEST(Teeth, ALoopNeedNotRun) {
  const std::string tried =
      "d = x +. 0;\nint k = min(d, 2);\nwhile (k > 0) { k = k - 1; b = 7; }\n";
  try_measured(
      "vector<int> probe(int x, int y) { vector<int> out(3); int b = 0; int d = 0;\n" + tried +
          "out[0] = 0;\nif (d == x) { out[0] = 1; } out[1] = d; out[2] = b; return out; }\n" +
          function("int", "int b = 0;\nint d = 0;\ntry {\n" + tried +
                              "} check measured (d == x) recover redo under second;\nreturn b;\n"),
      Trap::LoopAlwaysRuns);
}

// Rates that are searched for ---------------------------------------------------------------------

std::optional<std::string> largest_rate(const std::string& text, Trap trap = Trap::None) {
  const Loaded l(text);
  EXPECT_EQ(l.problem, "");
  const Options options = proofs().options(l.program);
  checks::RecoverySettings settings;
  settings.trap = trap;
  checks::RateSearch search(l.program, options, proofs().engine(), settings);
  core::VarId rate;
  for (const core::ConstantVar& c : l.program.constants)
    if (l.program.vars[c.var].name == "model.p") rate = c.var;
  return search.largest(rate, [&](const Options& with) {
    return reliability::all_hold(reliability::decide_all(l.program, with));
  });
}

// What is proved for the rate that stands there need not hold for others: this check gives up where
// faults are frequent.
TEST(Solve, ProofsAreMadeAnew) {
  const std::string text =
      model("0.01") +
      "reliability 0.99 <= R(result)\n"
      "int f(int x, int y) { int a = 0; try { a = x *. y; } check (a == x * y || 20 * model.p > 1) "
      "recover { a = x * y; } return a; }\n";
  EXPECT_EQ(largest_rate(text), "0.05");
  EXPECT_EQ(largest_rate(text, Trap::SolveKeepsChecks), "1");  // the mistake
  // Just above it the bound does not hold.
  std::string above = text;
  above.replace(above.find("0.01"), 4, "0.06");
  EXPECT_EQ(proved(Loaded(above)).before.chance, q("0.94"));
}

TEST(Solve, TellsNothingElseFromNone) {
  const auto loop = [](const char* bound, const char* p) {
    return model(p) + "reliability " + bound +
           " <= R(result)\nint f(int x) { int y = 1; while (y < x) { y = y +. 1; } return y; }\n";
  };
  EXPECT_EQ(largest_rate(loop("0.5", "0")), "0");
  EXPECT_EQ(largest_rate(loop("0.5", "0.1")), "0");
  // A rate that has nothing to do with it.
  EXPECT_EQ(
      largest_rate(model("0.1") + "reliability 1 <= R(result)\nint f(int x) { return x + 1; }\n"),
      "1");
  EXPECT_EQ(largest_rate(model("0.1") + "extern int g(int x);\nreliability 0.5 <= R(result)\nint "
                                        "f(int x) { return g(x +. 1); }\n"),
            std::nullopt);
}

// What a solver gives up on is no reason to say that a bound fails; and none to say that it holds.
TEST(Undecided, IsNeitherNorNor) {
  const Loaded l(model("0.5") +
                 "reliability 0.9 <= R(result)\n"
                 "int f(int x, int y) { int a = 0; try { a = x *. y; } check (a == x * y) "
                 "recover { a = x * y; } return a; }\n");
  Allowance over;
  over.end(Allowance::End::Time);
  checks::RecoverySettings settings;
  settings.allowance = &over;
  const checks::Recoveries none = checks::prove_recoveries(l.program, proofs().engine(), settings);
  Options options;
  options.recoveries = none.known;
  Options best;
  best.recoveries = none.at_best;
  EXPECT_EQ(reliability::decide_all(l.program, options, best).at(0).verdict,
            reliability::Verdict::Undecided);
  // One that fails even if all of that were so does fail.
  const Loaded worse(model("0.5") +
                     "reliability 0.9 <= R(result)\n"
                     "int f(int x, int y) { int a = 0; try { a = x *. y; } check (a == x * y) "
                     "recover { a = x *. y; } return a; }\n");
  const checks::Recoveries still =
      checks::prove_recoveries(worse.program, proofs().engine(), settings);
  options.recoveries = still.known;
  best.recoveries = still.at_best;
  EXPECT_EQ(reliability::decide_all(worse.program, options, best).at(0).verdict,
            reliability::Verdict::Fails);
}

// Random programs ---------------------------------------------------------------------------------

TEST(Random, NotUnrollingChangesNothing) {
  unsigned loops = 0, bounded = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const std::string text = make_program(seed, 1000).whole();
    const Loaded l(text);
    EXPECT_EQ(l.problem, "");
    Options options;
    for (std::size_t i = 0; i < l.program.recoveries.size(); ++i)
      options.recoveries[i] = {true, std::nullopt, Known::Mending::Again};
    Options unrolled = options;
    unrolled.unroll = true;
    const auto a = of(l, options), b = of(l, unrolled);
    EXPECT_TRUE(a.before.chance.exact());
    EXPECT_EQ(a.before, b.before) << text;
    EXPECT_EQ(a.problems, b.problems) << text;
    loops += text.find("repeat") != std::string::npos ? 1 : 0;
    bounded += a.problems.empty() ? 1 : 0;
  }
  EXPECT_GT(loops, 300u);
  EXPECT_GT(bounded, 300u);
}

TEST(Injection, DrawsFaultsByTheirRates) {
  const Loaded l(
      model("0.02") +
      "requires_r eq(*) int f(int x, int y) { int a = x; repeat 5 { a = a +. y; } int b = 0; "
      "try { b = a -. 1; } check (b == a - 1) recover { b = a -. 1; } return b; }");
  const auto a = proved(l);
  EXPECT_EQ(a.before.chance, q("0.98").power(5) * q("0.9996"));
  const interp::Machine machine(l.program);
  inject::Settings settings;
  settings.function = core::FunctionId{0};
  settings.runs = 20'000;
  settings.seed = 3;
  const Allowance never;
  const inject::Result r = inject::campaign(machine, settings, never, [](std::uint64_t) {});
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
