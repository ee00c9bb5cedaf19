// One small program for each thing that a rule has to think of. Expected values are computed by
// hand; each comment says what would be wrong otherwise.
#include <gtest/gtest.h>

#include "reliability_compare.h"
#include "reliability_shorthand.h"

namespace leto::tests {

namespace {

Chance chance_of(const std::string& text) {
  return of(Loaded(text), {}).before.chance;
}
// With all that can be proved; and it is not more than there is, by every combination of faults.
Chance proved_of(const std::string& text) {
  std::string claimed = text;
  claimed.insert(claimed.find("int f("), "reliability 0 <= R(result)\n");
  EXPECT_EQ(Comparison(proofs().engine(), Trap::None).violation(claimed, false), "") << text;
  return proved(Loaded(text)).before.chance;
}
// The only problem, and nothing is known then.
void has_problem(const std::string& text, const std::string& why) {
  const auto a = of(Loaded(text), {});
  ASSERT_EQ(a.problems.size(), 1u) << text;
  EXPECT_NE(a.problems[0].text.find(why), std::string::npos) << a.problems[0].text;
  EXPECT_EQ(a.before.chance, q("0")) << text;
}

// Writes to a region are lost with this chance, and sums are wrong.
std::string cells(const std::string& rate) {
  return "model cells { const real p = " + rate +
         ";\n"
         "@region(cell) write(int dest, int src) ensures dest == src;\n"
         "@label(lost) @rate(p) @region(cell) write(int dest, int src) ensures dest == old(dest);\n"
         "operator +(int a, int b) ensures result == a + b;\n"
         "@label(w) @rate(p) operator +(int a, int b) ensures true; }\nuse model cells;\n";
}

// A model of one's own, of products and differences.
std::string own(const std::string& operations) {
  return "model own { const real p = 0.1; int hits = 0;\n" + operations + "}\nuse model own;\n";
}
const char* const kWrongProduct = "@label(w) @rate(p) operator *(int a, int b) ensures true;\n";
const char* const kSquare = "int f(int x) { return x *. x; }\n";

const char* const kSeldom = "checker seldom false_positive 0.5 false_negative 0.5;\n";

// The block cannot be put right, and it is said why.
void is_not_mended(const std::string& text, const std::string& why) {
  EXPECT_NE(doubts_of(text).mending.find(why), std::string::npos)
      << "'" << doubts_of(text).mending << "'\n"
      << text;
  EXPECT_TRUE(proved(Loaded(text)).recoveries.empty()) << text;
}

std::string squared(const std::string& recover, const std::string& functions = "") {
  return model("0.1") + functions +
         "int f(int x) { int y = 0; try { y = x *. x; } check (y == x * x) recover { " + recover +
         " } return y; }\n";
}

}  // namespace

// Numbers -----------------------------------------------------------------------------------------

// What lies inside of what was rounded is not known to be reached.
TEST(Numbers, ABoundInsideOfAnIntervalIsNotReached) {
  const Chance far = q("0.999999999").power(1'000'000'000);
  ASSERT_LT(far.low(), far.high());
  EXPECT_TRUE(far.at_least(Chance(far.low())));
  EXPECT_FALSE(far.at_least(Chance(far.high())));
  EXPECT_FALSE(far.at_least(Chance(mpq_class((far.low() + far.high()) / 2))));
}

// One minus an interval is an interval: its lower end comes from the upper one.
TEST(Numbers, ComplementsOfIntervals) {
  const Chance far = q("0.999999999").power(1'000'000'000), rest = far.complement();
  EXPECT_EQ(rest.low(), mpq_class(1 - far.high()));
  EXPECT_EQ(rest.high(), mpq_class(1 - far.low()));
}

// Rounded powers are compared with exact ones: else more might be claimed than there is.
TEST(Numbers, PowersAreRoundedOutwards) {
  const auto encloses = [](const mpq_class& base, unsigned long n) {
    mpz_class above, below;
    mpz_pow_ui(above.get_mpz_t(), base.get_num_mpz_t(), n);
    mpz_pow_ui(below.get_mpz_t(), base.get_den_mpz_t(), n);
    const mpq_class exact(above, below);
    const Chance rounded = Chance(base).power(n);
    EXPECT_FALSE(rounded.exact());
    EXPECT_LE(rounded.low(), exact);
    EXPECT_GE(rounded.high(), exact);
  };
  // So small that it is next to nothing: rounded up at any step it would be something.
  encloses(mpq_class(7, 10), 10'000);
  encloses(mpq_class(999, 1000), 5'000);
  // A number that is hardly larger than a binary fraction: rounded up first, it stays above.
  const mpz_class unit = mpz_class(1) << 600;
  encloses(mpq_class(unit - (mpz_class(1) << 300) + 1, unit), 64);
}

// Rates -------------------------------------------------------------------------------------------

// If no specification is exact, what rates leave is nothing that is right.
TEST(Rates, WhatIsLeftHasToBeExact) {
  has_problem(own(kWrongProduct) + kSquare, "no exact specification");
}

// Each layer has a site of its own: neither is struck.
std::string layered(const std::string& upper) {
  return "model below { operator *(int a, int b) ensures result == exact;\n"
         "@label(w) @rate(0.1) operator *(int a, int b) ensures true; }\n"
         "model own over below { " +
         upper + "}\nuse model own;\n";
}
const char* const kHandsOn = "operator *(int a, int b) ensures result == exact;\n";
const char* const kWrongAbove =
    "@label(v) @rate(0.2) @replaces operator *(int a, int b) ensures true;\n";

TEST(Rates, LayersAreStruckOneByOne) {
  EXPECT_EQ(proved_of(layered(std::string(kHandsOn) + kWrongAbove) + kSquare), q("0.72"));
  EXPECT_EQ(proved_of(layered("operator -(int a) ensures result == exact;\n") + kSquare), q("0.9"));
  EXPECT_EQ(proved_of(layered("@region(cell) write(int dest, int src) ensures dest == exact;\n"
                              "@label(v) @rate(0.2) @region(cell) write(int dest, int src) ensures "
                              "dest == old(dest) || dest == exact;\n") +
                      "int f(int x) { @region(cell) int y = 0; y = x *. x; return y; }\n"),
            q("0.72"));
}

// In an upper layer only what is below is exact: an operand is as wrong as anything, though it is
// what a read or a write stores without a model.
TEST(Rates, AnUpperLayerIsExactWhereItHandsOn) {
  EXPECT_EQ(chance_of(layered("@replaces operator *(int a, int b) ensures result == b;\n" +
                              std::string(kWrongAbove)) +
                      kSquare),
            q("0"));
}

// The rates of one operation cannot be more than all of it.
TEST(Rates, AddUpToOneAtMost) {
  const std::string exact = "operator *(int a, int b) ensures result == a * b;\n";
  const auto with = [&](const std::string& a, const std::string& b) {
    return own(exact + "@label(a) @rate(" + a + ") operator *(int a, int b) ensures true;\n" +
               "@label(b) @rate(" + b + ") operator *(int a, int b) ensures true;\n") +
           kSquare;
  };
  EXPECT_EQ(chance_of(with("0.6", "0.3")), q("0.1"));
  has_problem(with("0.6", "0.6"), "more than 1");
}

// A specification that sets state, is about other operands or is another operation is a fault.
TEST(Rates, WhatIsExact) {
  const auto product = [](const std::string& specification) {
    return own("operator *(int a, int b) ensures result == a * b;\n" + specification) + kSquare;
  };
  EXPECT_EQ(chance_of(product("")), q("1"));
  has_problem(product("@label(o) operator *(int a, int b) modifies hits ensures result == a * b;"),
              "no rate is known");
  has_problem(product("@label(o) operator *(int a, int b) ensures result == a + b;"),
              "no rate is known");
  const std::string difference = "int f(int x, int y) { return x -. y; }\n";
  EXPECT_EQ(chance_of(own("operator -(int a, int b) ensures a - b == result;\n") + difference),
            q("1"));
  has_problem(own("operator -(int a, int b) ensures result == a - b;\n"
                  "@label(o) operator -(int a, int b) ensures result == b - a;\n") +
                  difference,
              "no rate is known");
}

// To leave what was there is no way to write.
TEST(Rates, WhatIsAnExactWrite) {
  const std::string write = "int f(int x) { @region(cell) int c = 0; c = x; return c; }\n";
  EXPECT_EQ(chance_of(cells("0.1") + write), q("0.9"));
  has_problem(own("@region(cell) write(int dest, int src) ensures dest == src;\n"
                  "@label(o) @region(cell) write(int dest, int src) ensures dest == old(dest);\n") +
                  write,
              "no rate is known");
}

// Statements --------------------------------------------------------------------------------------

// The other elements of a vector stay what they were, and had to be right before.
TEST(Statements, AnElementLeavesTheOthers) {
  EXPECT_EQ(chance_of(model("0.1") +
                      "int f(int x) { vector<int> v(3); v[0] = x +. 1; v[1] = 5; return v[0]; }\n"),
            q("0.9"));
  // In a region both writes count.
  EXPECT_EQ(chance_of(cells("0.1") +
                      "int f(int x) { @region(cell) vector<int> v(3); v[0] = x; v[1] = 5; return "
                      "v[0]; }\n"),
            q("0.81"));
}

// Copied as a whole, each element may go wrong: that is not one write.
TEST(Statements, VectorsAreManyWrites) {
  const std::string copy =
      "int f(int x) { vector<int> v(3); v[0] = x; @region(cell) vector<int> w(3); w = v; return "
      "w[0]; }\n";
  has_problem(cells("0.1") + copy, "how many elements");
  EXPECT_EQ(chance_of(cells("0") + copy), q("1"));
}

// What an iteration needs that is set two iterations before.
TEST(Statements, LoopsHandOn) {
  EXPECT_EQ(
      chance_of(model("0.1") + "int f(int x) { int a = x; int b = x; int c = x +. 1; int k = 3;\n"
                               "while (k > 0) { a = b; b = c; k = k - 1; } return a; }\n"),
      q("0.9"));
}

// Two variables take turns. Iterations that do not fill a turn count too, and which variable is
// needed before them all depends on how many there are.
TEST(Statements, RepetitionsThatTakeTurns) {
  const auto turns = [](int times, const std::string& a, const std::string& b) {
    return chance_of(model("0.1") +
                     fmt::format("int f(int x, int y) {{ int a = {}; int b = {}; repeat {} {{ "
                                 "int t = a; a = b +. 1; b = t; }} return a; }}\n",
                                 a, b, times));
  };
  EXPECT_EQ(turns(4, "x", "y"), q("0.81"));
  EXPECT_EQ(turns(5, "x", "y"), q("0.729"));
  EXPECT_EQ(turns(4, "x", "y *. y"), q("0.81"));
  EXPECT_EQ(turns(5, "x", "y *. y"), q("0.6561"));
  EXPECT_EQ(turns(4, "x *. x", "y"), q("0.729"));
  EXPECT_EQ(turns(5, "x *. x", "y"), q("0.729"));
}

// Every argument that matters has to be right, not only the first.
TEST(Statements, AllArgumentsOfACall) {
  const std::string call = "int f(int x, int y) { return g(x, y +. 1); }\n";
  EXPECT_EQ(chance_of(model("0.1") + "int g(int a, int b) { return a + b; }\n" + call), q("0.9"));
  EXPECT_EQ(chance_of(model("0.1") +
                      "reliability result >= 0.5 * R(b) extern int g(int a, int b);\n" + call),
            q("0.45"));
  EXPECT_EQ(chance_of(model("0.1") + "int g(int a, int b) { return a; }\n" + call), q("1"));
}

// Faults before the call may have changed the model's state, so nothing is known of it.
TEST(Statements, StateAtTheBeginningIsNotKnown) {
  has_problem(model("0.1") + "int f(int x) { return x + model.hits; }\n", "the model's own");
  EXPECT_EQ(chance_of(model("0.1") + "int f(int x) { model.hits = 1; return x + model.hits; }\n"),
            q("1"));
  // Nor of what a function finds that is called.
  EXPECT_EQ(chance_of(model("0.1") + "int get() { return model.hits; }\n"
                                     "int f(int x) { model.hits = x +. 1; return get(); }\n"),
            q("0.9"));
}

// Bounds ------------------------------------------------------------------------------------------

// A bound that uses the clause of a function stands only if that clause does.
TEST(Bounds, RestOnTheClausesOfFunctions) {
  const auto decided = [](const char* clause) {
    const Loaded l(model("0.1") + "reliability result >= " + clause +
                   " * R(x)\nint g(int x) { return x +. 1; }\n"
                   "reliability 0.85 <= R(result)\nint h(int x) { return g(x); }\n"
                   "reliability 0.85 <= R(result)\nint f(int x) { return x +. 1; }\n");
    EXPECT_EQ(l.problem, "");
    return reliability::decide_all(l.program, {});
  };
  const auto good = decided("0.9");
  ASSERT_EQ(good.size(), 3u);
  EXPECT_TRUE(reliability::all_hold(good));
  const auto bad = decided("0.95");
  ASSERT_EQ(bad.size(), 3u);
  EXPECT_FALSE(bad[0].holds());
  EXPECT_EQ(bad[1].verdict, reliability::Verdict::Fails);
  EXPECT_EQ(bad[1].unshown, "g");
  EXPECT_TRUE(bad[2].holds());
}

// A bound in terms of some parameters says that no others matter.
TEST(Bounds, NameAllParametersThatMatter) {
  const auto decided = [](const char* named) {
    const Loaded l(model("0.1") + "reliability result >= 0.9 * R(" + named +
                   ")\nint f(int x, int y) { return x +. y; }\n");
    EXPECT_EQ(l.problem, "");
    return reliability::decide_all(l.program, {}).at(0);
  };
  EXPECT_TRUE(decided("x, y").holds());
  EXPECT_FALSE(decided("x").holds());
  EXPECT_EQ(decided("x").missing, "y");
}

// Recovery: how often ---------------------------------------------------------------------------

// A declared check passes if all is right that was computed, not only what it looks at.
TEST(RecoveryRule, DeclaredRatesAreAboutAllThatWasTried) {
  const Loaded l(model("0.1") +
                 "int f(int x) { int y = 0; int z = 0; try { y = x *. x; z = x +. 1; } "
                 "check (y == x * x) recover redo(1); return y + z; }\n");
  // 0.81 + 0.19 * 0.81
  EXPECT_EQ(of(l, declared(l.program, q("0"), q("0"))).before.chance, q("0.9639"));
}

// What a block inside stands on has to be right before the outer one, even if it is set later on.
TEST(RecoveryRule, WhatInnerBlocksStandOn) {
  const auto with = [](const std::string& v) {
    return model("0.1") + "int f(int x) { int v = " + v +
           "; int y = 0;\n"
           "try { try { y = x *. x; if (x > 0) { v = 1; } } check (y == x * x)\n"
           "      recover { y = x * x; if (x > 0) { v = 1; } }\n"
           "      v = 5; } check (y == x * x) recover { y = x * x; v = 5; }\n"
           "return y; }\n";
  };
  EXPECT_EQ(proved_of(with("x")), q("1"));
  EXPECT_EQ(proved_of(with("x +. 1")), q("0.9"));
}

// Without faults these never come to their end; with one they may, with something wrong. So every
// operation counts, 0.9 + 0.1 * 0.9, although `y` is not computed from `z`.
TEST(RecoveryRule, RecoverNeedNotEnd) {
  EXPECT_EQ(proved_of(squared("int z = x +. 0; assert z != x; y = 3;")), q("0.99"));
  EXPECT_EQ(proved_of(squared("int z = x +. 0; int t = 1 / (z - x); y = 3;")), q("0.99"));
  EXPECT_EQ(proved_of(squared("int z = x +. 0; while (z <= x) { z = z - 1; } y = x * x;")),
            q("0.99"));
  EXPECT_EQ(proved_of(squared("y = g(x);",
                              "int g(int x) { int z = x +. 0; assert z != x; return 3; }\n")),
            q("0.99"));
  // Where nothing can fail, it does not count.
  EXPECT_EQ(proved_of(squared("int z = x +. 0; y = x * x;")), q("1"));
}

// All operations count: in either branch, in each iteration, in functions that are called.
TEST(RecoveryRule, NoFaultAtAllInRecover) {
  const std::string may_fail = "assert x == x; ";
  EXPECT_EQ(proved_of(squared(may_fail + "if (x > 0) { y = x * x; } else { y = x *. x; }")),
            q("0.99"));
  EXPECT_EQ(proved_of(squared(may_fail + "if (x > 0) { y = x *. x; } else { y = x * x; }")),
            q("0.99"));
  EXPECT_EQ(proved_of(squared("repeat 3 { int t = x +. 1; } y = x * x;")), q("0.9729"));
  EXPECT_EQ(proved_of(squared("y = g(x);", "int g(int x) { return x *. x; }\n")), q("0.99"));
}

// Recovery: what is done again
// ----------------------------------------------------------------------

// It is other code if it calls another function or is repeated more often.
TEST(DoneAgain, OtherCodeIsNotTheSame) {
  is_not_mended(model("0.1") +
                    "int g(int x) { return x *. x; }\nint h(int x) { return x *. x + 1; }\n"
                    "int f(int x) { int y = 0; try { y = g(x); } check (y == x * x) "
                    "recover { y = h(x); } return y; }\n",
                "it may leave 'y' wrong");
  const auto repeated = [](const std::string& times) {
    return model("0.1") + kSeldom +
           "int f(int x) { int y = 0; try { y = 0; repeat 2 { y = y +. x; } } "
           "check seldom (y == x + x) recover { y = 0; repeat " +
           times + " { y = y +. x; } } return y; }\n";
  };
  EXPECT_EQ(doubts_of(repeated("2")).mending, "");
  EXPECT_NE(doubts_of(repeated("3")).mending, "");
}

// What `try` has spoilt, and `recover` reads: in a vector, in one branch, by a call.
TEST(DoneAgain, SpoiltIsWhatIsReadAnywhere) {
  const std::string head = model("0.1") + kSeldom;
  is_not_mended(head +
                    "int f(int x) { vector<int> v(2); int s = 0; v[1] = x; "
                    "try { v[0] = 1; s = v[1] +. x; v[1] = s; } check seldom (s > x) "
                    "recover redo(1); return v[1]; }\n",
                "'recover' reads 'v'");
  is_not_mended(head +
                    "int f(int x) { int y = x; int s = 0; "
                    "try { if (x > 0) { s = 1; } else { s = y; } y = s +. 1; } "
                    "check seldom (y > x) recover redo(1); return y; }\n",
                "'recover' reads 'y'");
  const auto state = [&](const std::string& functions) {
    return head + functions +
           "int f(int x) { model.hits = x; int h = 0; "
           "try { h = get(); model.hits = h +. 1; } check seldom (h >= x) "
           "recover redo(1); return h; }\n";
  };
  is_not_mended(state("int get() { return model.hits; }\n"), "'recover' reads 'model.hits'");
  is_not_mended(state("int deep() { return model.hits; }\nint get() { return deep(); }\n"),
                "'recover' reads 'model.hits'");
  // The check has spoilt it.
  is_not_mended(model("0.1") +
                    "int note(int n) { model.hits = 1; return n; }\n"
                    "int f(int x) { model.hits = 0; int h = 0; int y = 0; "
                    "try { h = model.hits; y = x *. x; } check (note(y) == x * x) "
                    "recover redo(1); return h; }\n",
                "'recover' reads 'model.hits'");
}

// An assertion reads too. Then it is not sure that what is done again comes to its end, and every
// operation of it counts: 0.9 + 0.1 * 0.81.
TEST(DoneAgain, AssertionsRead) {
  const auto with = [](const std::string& assertion) {
    return model("0.1") + "int f(int x) { int y = x; try { " + assertion +
           "y = x *. x; int i = x +. 1; } check (y == x * x) recover redo(1); return y; }\n";
  };
  EXPECT_EQ(proved_of(with("")), q("0.99"));
  EXPECT_EQ(proved_of(with("assert y == x; ")), q("0.981"));
}

// What may be wrong about whether something is set: an outer condition, how often a test is done,
// state that a fault sets, what a function gives.
TEST(DoneAgain, WhatDecidesMayBeWrong) {
  const std::string why = "whether 'try' sets 'y' depends on";
  is_not_mended(model("0.1") +
                    "int f(int x) { int y = 0; int t = 0; "
                    "try { t = x +. 1; if (t > 0) { if (x < 5) { y = 1; } } } "
                    "check (t == x + 1) recover redo(1); return y; }\n",
                why);
  is_not_mended(model("0.1") + kSeldom +
                    "int bump() { model.hits = model.hits + 1; return model.hits; }\n"
                    "int f(int x) { int y = 0; int t = 0; "
                    "try { t = x +. 1; model.hits = 0; while (bump() < t) { } "
                    "if (model.hits > 2) { y = 1; } } "
                    "check seldom (t == x + 1) recover redo(1); return y; }\n",
                why);
  is_not_mended(own("operator *(int a, int b) ensures result == a * b;\n"
                    "@label(w) @rate(p) operator *(int a, int b) modifies hits "
                    "ensures hits == old(hits) + 1;\n") +
                    kSeldom +
                    "int f(int x) { int y = 0; int a = 0; "
                    "try { model.hits = 0; a = x *. x; if (model.hits > 0) { y = 1; } } "
                    "check seldom (a == x * x) recover redo(1); return y; }\n",
                why);
  is_not_mended(model("0.1") +
                    "int g(int x) { return x +. 1; }\n"
                    "int f(int x) { int y = 0; int t = 0; "
                    "try { t = g(x); if (t > 0) { y = 1; } } "
                    "check (t == x + 1) recover redo(1); return y; }\n",
                why);
  // Another element of a vector in a region.
  is_not_mended(cells("0.1") + kSeldom +
                    "int f(int x) { @region(cell) vector<int> u(4); int k = 0; "
                    "try { k = x +. 1; u[k] = 1; } check seldom (k == x + 1) "
                    "recover redo(1); return u[0]; }\n",
                "another element is then spoilt for good");
}

// Recovery: proofs
// ----------------------------------------------------------------------------------

namespace {

bool is_perfect(const std::string& text, std::size_t which = 0, std::size_t steps = 0) {
  const Loaded l(text);
  EXPECT_EQ(l.problem, "");
  checks::RecoverySettings settings;
  if (steps > 0) settings.steps = steps;
  const auto found = checks::prove_recoveries(l.program, proofs().engine(), settings);
  return found.known.contains(which) && found.known.at(which).check_proved;
}

}  // namespace

// The block may be reached in any state of the model, not only in the initial one.
TEST(RecoveryProofs, StartFromAnyState) {
  EXPECT_FALSE(is_perfect(model("0.1") +
                          "int f(int x) { int y = 0; try { y = x *. x; } check (y == x * x || "
                          "model.hits > 0) recover { y = x * x; } return y; }\n"));
}

// A walk that was given up has shown nothing.
TEST(RecoveryProofs, ThatWereGivenUpAreNone) {
  const std::string text =
      model("0.1") +
      "int f(int x) { int y = 0; try { y = x *. x; y = y +. 0; } check (y == x * x) "
      "recover { y = x * x; } return y; }\n";
  EXPECT_TRUE(is_perfect(text));
  EXPECT_FALSE(is_perfect(text, 0, 1));
}

// Each check has a proof of its own.
TEST(RecoveryProofs, OneForEachCheck) {
  const std::string text =
      model("0.1") +
      "int f(int x) { int y = 0; int z = 0;\n"
      "try { y = x *. x; } check (y == x * x) recover { y = x * x; }\n"
      "try { z = y +. x; } check (z > x) recover { z = y + x; }\nreturn z; }\n";
  EXPECT_TRUE(is_perfect(text, 0));
  EXPECT_FALSE(is_perfect(text, 1));
  EXPECT_EQ(proved_of(text), q("0.9"));
}

// A contract that is kept only because the function fails is not kept; and one whose requirements
// are not met says nothing. Each would make any check perfect.
TEST(RecoveryProofs, ContractsAreKeptAndTheirRequirementsMet) {
  const auto fears = [](const std::string& text, const char* why) {
    EXPECT_FALSE(is_perfect(model("0.1") + text));
    const std::string doubt = doubts_of(model("0.1") + text).check;
    EXPECT_NE(doubt.find(why), std::string::npos) << doubt;
  };
  fears(
      "requires_r eq(*) ensures_r eq(result) int g(int x) { int z = x *. x; assert z == x * x; "
      "return z; }\n"
      "int f(int x) { int y = 0; try { y = g(x); } check (true) recover { y = x * x; } "
      "return y; }\n",
      "the contract of 'g'");
  fears(
      "requires_r eq(*) ensures_r eq(result) int g(int x) { return x * x; }\n"
      "int f(int x) { int y = 0; try { int t = x *. x; y = g(t); } check (true) "
      "recover { y = g(x * x); } return y; }\n",
      "rests on");
}

}  // namespace leto::tests
