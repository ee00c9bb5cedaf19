// Bounds on what a problem calls right, R(P(inputs; outputs)): each against the truth, found by
// running every combination of faults. What is right is computed here, not by the tool.
#include <gtest/gtest.h>

#include "reliability_shorthand.h"

namespace leto::tests {

namespace {

// Two results are right for each x, so that a check of them is perfect for none.
const char* kNear =
    "problem near { input int x; output int y; right y >= x && y <= x + 1;\n"
    "  example (x = 1, y = 2) right; example (x = 1, y = 3) wrong; }\n"
    "checker in_range for near { return y >= x && y <= x + 1; }\n"
    "checker picky for near { return y == x; }\n"
    "checker struck for near { int d = y -. x; return d >= 0 && d <= 1; }\n"
    "checker by_distance for near with (int w) certifies w == y - x exists assumed \"it is one\" "
    "{\n"
    "  return w == y - x && w >= 0 && w <= 1; }\n";

bool is_near(std::int64_t x, const interp::Number& y) {
  return !(y < interp::Number(x)) && !(interp::Number(x + 1) < y);
}

// As much as one fault in a run, and a checker that allows for it.
const char* kOnce =
    "model once { bool hit = false;\n"
    "  operator -(int a, int b) ensures result == a - b;\n"
    "  @rate(0.1) operator -(int a, int b) when !hit modifies hit ensures hit;\n"
    "  operator +(int a, int b) ensures result == a + b;\n"
    "  @rate(0.1) operator +(int a, int b) when !hit modifies hit ensures hit; }\n"
    "use model once;\n";
const char* kTwice =
    "checker twice for near sound under once complete under once unless model.hit {\n"
    "  int d = y -. x; int e = y -. x; return d == e && d >= 0 && d <= 1; }\n";

struct Decided {
  reliability::Bound bound;
  checks::Recoveries recoveries;
};
Decided decided_of(const Loaded& l) {
  EXPECT_EQ(l.problem, "");
  checks::Recoveries found = proofs().of(l.program);
  Options options;
  options.recoveries = found.known;
  options.right = found.right;
  Options best = options;
  best.recoveries = found.at_best;
  best.right = found.right_at_best;
  auto bounds = reliability::decide_all(l.program, options, best);
  EXPECT_EQ(bounds.size(), 1u);
  return {bounds.at(0), std::move(found)};
}

// The largest chance, over inputs and over what faults do, that a run hands out what is wrong.
mpq_class most_wrong(const Loaded& l) {
  const interp::Machine machine(l.program, nullptr);
  mpq_class most = 0;
  for (const std::int64_t x : {-1, 0, 3})
    for (std::uint64_t seed = 0; seed < kStrategies; ++seed) {
      mpq_class wrong = 0;
      const auto watch = [&](const interp::Outcome& o, const mpq_class& p) {
        if (o.end == interp::End::Done && !is_near(x, o.relaxed.at(0).scalar)) wrong += p;
      };
      const auto odds =
          find_odds(machine, l.last(), same_inputs(machine, l.last(), std::vector<std::int64_t>{x}),
                    {seed}, watch);
      if (odds) most = std::max(most, wrong);  // else the original run fails
    }
  return most;
}

std::string bounded(const std::string& model, const std::string& bound, const std::string& body) {
  return model + kNear + (model == kOnce ? kTwice : "") + "reliability " + bound +
         " <= R(near(x; result))\nint f(int x) {" + body + "}\n";
}

// The chance that is found, which is never more than there is. `tight`: it is what there is.
Chance right_chance(const std::string& body, bool tight = false,
                    const std::string& rates = model("0.1")) {
  const Loaded l(bounded(rates, "0", body));
  const Decided known = decided_of(l);
  const Chance found =
      known.bound.analysis.problems.empty() ? known.bound.analysis.before.chance : Chance();
  const mpq_class least = 1 - most_wrong(l);
  EXPECT_LE(found.low(), least) << body;
  EXPECT_TRUE(!tight || found.low() == least) << body;
  return found;
}
std::string doubts_of_right(const std::string& body, const std::string& rates = model("0.1")) {
  const Loaded l(bounded(rates, "0", body));
  std::string all;
  for (const auto& [key, doubts] : decided_of(l).recoveries.right_doubts)
    for (const checks::Doubt& doubt : doubts) all += doubt.text + "\n";
  return all;
}

const std::string kTry = " int y = 0; try { y = x +. 1; } ";

}  // namespace

// What the original run hands out is right, and the relaxed run hands out the same.
TEST(Right, IsWhatIsEqualToSomethingRight) {
  EXPECT_EQ(right_chance(" int y = x +. 1; return y; ", true), q("0.9"));
  EXPECT_EQ(right_chance(" int y = x +. 1; int z = y -. 0; return z; "), q("0.81"));
  EXPECT_EQ(right_chance(" int y = x +. 2; return y; "),
            Chance());  // of the original that is wrong
}

// What the original asserts is trusted of it elsewhere. It may be just what is to be shown.
TEST(Right, RestsOnNothingThatTheOriginalAsserts) {
  EXPECT_EQ(right_chance(" int y = x +. 2; assert near.right(x; y); return y; "), Chance());
  EXPECT_EQ(right_chance(" int y = x +. 2; assume near.right(x; y); return y; "), Chance());
  EXPECT_EQ(right_chance(" int y = x + 2; try { y = x +. 2; assert near.right(x; y); } "
                         "check (in_range(x, y)) recover { y = x +. 0; } return y; "),
            Chance());
}

// A check that passes only what is right, and all that was computed well: p + (1 - p) * r2.
TEST(Right, IsWhatACheckPassesOrRecoverMends) {
  const std::string check = "check (in_range(x, y)) recover ";
  EXPECT_EQ(right_chance(kTry + check + "{ y = x; } return y; ", true), q("1"));
  EXPECT_EQ(right_chance(kTry + check + "{ y = x +. 0; } return y; ", true), q("0.99"));
  EXPECT_EQ(right_chance(kTry + check + "redo(1); return y; ", true), q("0.99"));
  // What recover leaves is wrong.
  EXPECT_EQ(right_chance(kTry + check + "{ y = x + 2; } return y; "), q("0.9"));
}

// T12: sound, but not complete for what 'try' computes: what went well is done again.
TEST(Right, IsNoBetterThanRecoverIfTheCheckFailsWhatIsRight) {
  const std::string body = kTry + "check (y == x) recover { y = x +. 0; } return y; ";
  EXPECT_EQ(right_chance(body), q("0.9"));
  EXPECT_NE(doubts_of_right(body).find("the check: "), std::string::npos);
}

// A checker that is not what it promises to its callers.
TEST(Right, RestsOnNoContractThatIsNotShown) {
  const std::string body = kTry + "check (picky(x, y)) recover { y = x +. 0; } return y; ";
  EXPECT_EQ(right_chance(body), Chance());
  EXPECT_NE(doubts_of_right(body).find("the contract of 'picky', which is not shown"),
            std::string::npos);
}

// A check that is struck itself passes what is wrong, though its exact run is proved.
TEST(Right, IsNotWhatACheckSaysThatIsStruck) {
  EXPECT_EQ(right_chance(kTry + "check (struck(x, y)) recover { y = x; } return y; "), q("0.81"));
  EXPECT_NE(doubts_of_right(kTry + "check (struck(x, y)) recover { y = x; } return y; ")
                .find("the check: it may pass what is wrong"),
            std::string::npos);
}

// With what is claimed of it under the model, and proved.
TEST(Right, IsWhatACheckPassesThatIsSoundUnderTheModel) {
  const std::string body = kTry + "check (twice(x, y)) recover { y = x; } return y; ";
  EXPECT_EQ(right_chance(body, false, kOnce), q("1"));
}

// A witness is computed like all else, and trusted as little.
TEST(Right, NeedsTheWitness) {
  const std::string check = "check (by_distance(x, y, w)) recover { y = x +. 0; } return y; ";
  EXPECT_EQ(right_chance(" int y = 0; int w = 0; try { y = x +. 1; w = y -. x; } " + check),
            q("0.981"));
  EXPECT_EQ(right_chance(" int y = 0; int w = 7; try { y = x +. 1; } " + check, true), q("0.9"));
}

// What is done to the result behind the block is done to what was checked.
TEST(Right, IsLostWhereTheResultIsChangedBehind) {
  const std::string check = "check (in_range(x, y)) recover { y = x; } ";
  EXPECT_EQ(right_chance(kTry + check + "int z = y; return z; "), q("1"));
  EXPECT_EQ(right_chance(kTry + check + "y = y +. 0; return y; "), q("0.81"));
  EXPECT_EQ(right_chance(kTry + check + "y = y + 1; return y; "), Chance());
  EXPECT_EQ(right_chance(kTry + check + "if (x > 0) { y = x; } return y; "), q("0.9"));
}

// What the block stands on has to be right before it.
TEST(Right, NeedsWhatTheBlockStandsOn) {
  EXPECT_EQ(right_chance(" int a = x +. 0; int y = 0; try { y = a +. 1; } "
                         "check (in_range(a, y)) recover { y = a; } return y; "),
            Chance(q("0.81")));
  EXPECT_EQ(right_chance(" int a = x +. 0; int y = 0; try { y = a +. 1; } "
                         "check (in_range(x, y)) recover { y = x; } return y; "),
            q("0.9"));
}

// It is right for what was given, not for what became of it.
TEST(Right, IsOfWhatWasGiven) {
  const std::string body = " x = x + 5; int y = x +. 1; return y; ";
  EXPECT_EQ(right_chance(body), Chance());
  EXPECT_NE(doubts_of_right(body).find("the function changes its input 'x'"), std::string::npos);
}

// A bound is compared with what is found.
TEST(Right, IsBounded) {
  const std::string body = kTry + "check (in_range(x, y)) recover { y = x +. 0; } return y; ";
  EXPECT_TRUE(decided_of(Loaded(bounded(model("0.1"), "0.99", body))).bound.holds());
  EXPECT_EQ(decided_of(Loaded(bounded(model("0.1"), "0.991", body))).bound.verdict,
            reliability::Verdict::Fails);
}

// Of more programs: blocks, checks and what recovers.
TEST(Right, IsNeverLessLikelyThanClaimed) {
  int shown = 0;
  for (const char* tried : {"y = x +. 1;", "int a = x +. 1; y = a -. 1;"})
    for (const char* checked : {"in_range(x, y)", "struck(x, y)", "y == x +. 0"})
      for (const char* recovered : {"{ y = x +. 2; }", "redo(1);"}) {
        const std::string body = std::string(" int y = 0; try { ") + tried + " } check (" +
                                 checked + ") recover " + recovered + " return y; ";
        if (right_chance(body, false, model("0.3")).low() > 0) ++shown;
      }
  EXPECT_GT(shown, 0);
}

}  // namespace leto::tests
