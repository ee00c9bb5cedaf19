// Engines that lie or die cost their time, and nothing else. Random systems against a search of all
// their states, which knows nothing of terms or solvers.
#include "transition/portfolio.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <random>
#include <set>

#include "transition/foreign.h"
#include "transition/test_systems.h"

namespace leto::transition {

namespace {

using test::system_of;

Decision decided(const System& system, const Means& means) {
  const Allowance allowance;
  return decide(system, 0, means, allowance, [](const std::string&) {});
}

// A program that says something, whatever it is asked, instead of `leto-engine`.
class Liar {
 public:
  explicit Liar(const std::string& script) {
    std::string path = testing::TempDir() + "leto-liar-XXXXXX";
    const int fd = mkstemp(path.data());
    EXPECT_GE(fd, 0);
    close(fd);
    path_ = path;
    std::ofstream(path_) << "#!/bin/sh\n" << script << "\n";
    chmod(path_.c_str(), 0700);
  }
  ~Liar() { unlink(path_.c_str()); }
  Liar(const Liar&) = delete;
  Liar& operator=(const Liar&) = delete;

  // Alone, or beside our own engines.
  [[nodiscard]] Means means(bool alone, double seconds = 5) const {
    Means out;
    out.cpu_seconds = seconds;
    out.engine_program = path_;
    if (alone) out.engines = {"pdr", "spacer", "spacer-normalised", "pdkind"};
    return out;
  }

 private:
  std::string path_;
};

// Both count for ever; `y` is what nobody's induction sees.
const char* const kSteps = "(and (= x' (+ x 1)) (= y' (+ y 2)))";
System true_claim() {
  return system_of("((x Int) (y Int))", "(and (= x 0) (= y 0))", kSteps, "(query T (/= y 7))");
}
System false_claim() {
  return system_of("((x Int) (y Int))", "(and (= x 0) (= y 0))", kSteps, "(query T (/= y 6))");
}

TEST(Portfolio, BelievesNobodyWhoSaysValid) {
  for (const char* term : {"true", "false", "(not (= x1 7))", "(<= x1 (* 2 x0))", "nonsense", ""}) {
    const Liar liar(std::string("echo 'valid 1 ") + term + "'");
    const Decision alone = decided(true_claim(), liar.means(true));
    EXPECT_EQ(alone.verdict, Verdict::Unknown) << term;
    // Others go on, and find the run.
    const Decision wrong = decided(false_claim(), liar.means(false));
    EXPECT_EQ(wrong.verdict, Verdict::Invalid) << term;
    EXPECT_EQ(wrong.steps.size(), 3u);
  }
  const Liar liar("echo 'valid 1 true'");
  EXPECT_EQ(decided(true_claim(), liar.means(true)).dismissed.size(), 4u) << "they are named";
}

TEST(Portfolio, TakesACertificateFromAnybody) {
  const Liar honest("echo 'progress thinking'; echo 'valid 1 (= x1 (* 2 x0))'");
  const Decision decision = decided(true_claim(), honest.means(false));
  ASSERT_EQ(decision.verdict, Verdict::Valid) << decision.why;
  EXPECT_EQ(decision.checked_by.size(), 2u);
  // With the same words about a claim that is false it is nothing.
  EXPECT_EQ(decided(false_claim(), honest.means(false)).verdict, Verdict::Invalid);
}

TEST(Portfolio, BelievesNobodyWhoSaysInvalid) {
  const Liar liar("echo 'invalid 3'");
  EXPECT_EQ(decided(true_claim(), liar.means(true)).verdict, Verdict::Unknown);
  EXPECT_EQ(decided(true_claim(), liar.means(false, 3)).verdict, Verdict::Unknown);
  EXPECT_EQ(decided(false_claim(), liar.means(false)).verdict, Verdict::Invalid);
  const System simple = system_of("((x Int))", "(= x 0)", "(= x' (+ x 1))", "(query T (>= x 0))");
  EXPECT_EQ(decided(simple, liar.means(false)).verdict, Verdict::Valid);
}

TEST(Portfolio, OutlivesThoseWhoDie) {
  for (const char* script :
       {"kill -9 $$", "exit 3", "echo unknown because", "echo 'valid 1'", "echo 'valid x true'",
        "cat > /dev/null; sleep 600", "exec 1>&-; sleep 600", "yes progress | head -100000"}) {
    const Liar liar(script);
    EXPECT_EQ(decided(false_claim(), liar.means(false)).verdict, Verdict::Invalid) << script;
  }
  const Liar silent("cat > /dev/null; exec sleep 600");
  Means alone = silent.means(true);
  alone.engines = {"pdr"};
  EXPECT_EQ(decided(true_claim(), alone).verdict, Verdict::Unknown);
  Means nobody;
  nobody.cpu_seconds = 2;
  nobody.engine_program = "/nonexistent/leto-engine";
  EXPECT_EQ(decided(true_claim(), nobody).verdict, Verdict::Unknown);
}

TEST(Portfolio, CallsAClaimAboutNothingVacuous) {
  const System system =
      system_of("((x Int))", "(= x 0)", "true", "(assume T (> x 0))(query T (> x 0))");
  EXPECT_EQ(decided(system, {}).verdict, Verdict::Vacuous);
}

// An engine that adds what it was told to what is assumed certifies itself; the certificate is not
// asked with that.
TEST(Portfolio, AsksCertificatesWithoutFacts) {
  const System system = true_claim();
  const Term wrong = system.terms->le(system.variables[1].now, system.terms->integer(5));
  const std::string text = write_for_engine(system, system.claims[0], {wrong});
  EXPECT_NE(text.find("(define-fun facts () Bool (<= x1 5))"), std::string::npos);
  const Allowance allowance;
  EXPECT_EQ(
      check_certificate(system, system.claims[0], {1, system.claims[0].formula}, {}, allowance)
          .result,
      Check::Refused);
  EXPECT_EQ(check_certificate(system, system.claims[0], {1, wrong}, {}, allowance).result,
            Check::Refused);
}

// What was proved of the same system helps, and stands in the certificate. What was not proved does
// not come through, whoever says it.
TEST(Portfolio, UsesWhatWasProvedBefore) {
  const System system = true_claim();
  TermTable& t = *system.terms;
  const Term x = system.variables[0].now, y = system.variables[1].now;
  const Term twice = t.eq(y, t.arith(logic::Kind::Add, x, x));
  Means means;
  means.cpu_seconds = 3;
  means.engines = {"k-induction"};
  const Allowance allowance;
  const auto decide_with = [&](const std::vector<Certificate>& facts) {
    return decide(
        system, 0, means, allowance, [](const std::string&) {}, facts);
  };
  EXPECT_EQ(decide_with({}).verdict, Verdict::Unknown) << "nobody's induction sees it";
  const Decision helped = decide_with({{1, twice}});
  EXPECT_EQ(helped.verdict, Verdict::Valid) << helped.why;
  EXPECT_EQ(check_certificate(system, system.claims[0], *helped.certificate, {}, allowance).result,
            Check::Accepted)
      << "by itself";
  EXPECT_EQ(decide_with({{4, twice}}).certificate->k, 4u);
  EXPECT_NE(decide_with({{1, t.le(y, t.integer(5))}}).verdict, Verdict::Valid) << "wrong";
  EXPECT_NE(decide_with({{1, t.boolean(false)}}).verdict, Verdict::Valid);
  // An engine that adds what it was told to what is assumed would call this valid at once.
  const Liar liar("cat > /dev/null; echo 'valid 1 true'");
  Means others = liar.means(true, 3);
  EXPECT_NE(
      decide(system, 0, others, allowance, [](const std::string&) {}, {{1, t.le(y, t.integer(5))}})
          .verdict,
      Verdict::Valid);
}

// Why nothing is known is said by what a user can do about it.
TEST(Portfolio, SaysWhyNothingIsKnown) {
  const auto why = [](const Means& means) { return decided(true_claim(), means).why; };
  Means alone;
  alone.cpu_seconds = 1;
  alone.engines = {"bounded-search"};
  EXPECT_EQ(why(alone), "no engine has an answer within 1 seconds");
  alone.engines = {"pdr"};
  EXPECT_NE(why(alone).find("there is no engine to ask; 'leto-engine' is not beside 'leto'"),
            std::string::npos)
      << why(alone);
  EXPECT_EQ(why(Liar("cat > /dev/null; echo 'unknown'").means(true)), "no engine knows");
  EXPECT_EQ(why(Liar("cat > /dev/null; echo 'valid 1 true'").means(true)),
            "no answer of an engine could be checked");
}

// Systems of three Booleans and two integers from 0 to 3, as text and as functions.
struct Small {
  std::array<int, 5> v;  // b0, b1, b2, n0, n1
  friend auto operator<=>(const Small&, const Small&) = default;
};
using Predicate = std::function<bool(const Small&)>;
struct RandomFormula {
  std::string text;
  Predicate holds;
};

const char* const kNames[] = {"b0", "b1", "b2", "n0", "n1"};

class RandomSystem {
 public:
  explicit RandomSystem(std::uint32_t seed) : random_(seed) {
    initial_ = formula(2);
    assumed_ =
        below(3) == 0 ? formula(2) : RandomFormula{"true", [](const Small&) { return true; }};
    claim_ = formula(3);
    const RandomFormula weaker = formula(2), one = claim_;
    if (below(2) == 0)
      claim_ = {"(or " + one.text + " " + weaker.text + " (< n0 3))",
                [=](const Small& s) { return one.holds(s) || weaker.holds(s) || s.v[3] < 3; }};
    for (unsigned n = 1 + below(4); n > 0; --n) add_step();
  }

  [[nodiscard]] std::string text() const {
    std::string steps;
    for (const Move& move : moves_) steps += " (and " + move.guard.text + move.assigned + ")";
    const std::string range = "(<= 0 n0 3) (<= 0 n1 3)";
    return "(define-state-type s ((b0 Bool) (b1 Bool) (b2 Bool) (n0 Int) (n1 Int)))"
           "(define-transition-system T s (and " +
           range + " " + initial_.text +
           ")"
           " (and (<= 0 n0' 3) (<= 0 n1' 3) (or false" +
           steps +
           ")))"
           "(assume T " +
           assumed_.text + ")(query T " + claim_.text + ")";
  }

  // The length of a shortest run that breaks the claim; -1: none; -2: there is no initial state.
  [[nodiscard]] int search() const {
    std::set<Small> seen;
    std::vector<Small> level;
    for (const Small& state : all())
      if (initial_.holds(state) && assumed_.holds(state)) level.push_back(state);
    if (level.empty()) return -2;
    seen.insert(level.begin(), level.end());
    for (int depth = 0; !level.empty(); ++depth) {
      std::vector<Small> next;
      for (const Small& state : level) {
        if (!claim_.holds(state)) return depth;
        for (const Small& after : all())
          if (!seen.contains(after) && assumed_.holds(after) && leads(state, after)) {
            seen.insert(after);
            next.push_back(after);
          }
      }
      level = std::move(next);
    }
    return -1;
  }

 private:
  // Some variables become what an expression says, some stay, some are anything.
  struct Move {
    RandomFormula guard;
    std::string assigned;
    std::vector<std::function<bool(const Small&, const Small&)>> agrees;
  };

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  static std::vector<Small> all() {
    std::vector<Small> out;
    for (int i = 0; i < 128; ++i)
      out.push_back({{i & 1, i >> 1 & 1, i >> 2 & 1, i >> 3 & 3, i >> 5}});
    return out;
  }

  bool leads(const Small& a, const Small& b) const {
    return std::any_of(moves_.begin(), moves_.end(), [&](const Move& move) {
      return move.guard.holds(a) && std::all_of(move.agrees.begin(), move.agrees.end(),
                                                [&](const auto& agrees) { return agrees(a, b); });
    });
  }

  RandomFormula formula(int depth) {
    if (depth == 0 || below(5) == 0) return atom();
    const RandomFormula a = formula(depth - 1), b = formula(depth - 1);
    switch (below(5)) {
      case 0:
        return {"(and " + a.text + " " + b.text + ")",
                [=](const Small& s) { return a.holds(s) && b.holds(s); }};
      case 1:
        return {"(=> " + a.text + " " + b.text + ")",
                [=](const Small& s) { return !a.holds(s) || b.holds(s); }};
      case 2:
        return {"(not " + a.text + ")", [=](const Small& s) { return !a.holds(s); }};
      case 3:
        return {"(= " + a.text + " " + b.text + ")",
                [=](const Small& s) { return a.holds(s) == b.holds(s); }};
      case 4:
        return {"(or " + a.text + " " + b.text + ")",
                [=](const Small& s) { return a.holds(s) || b.holds(s); }};
    }
    return atom();
  }

  RandomFormula atom() {
    const std::size_t i = below(3), n = 3 + below(2);
    const int c = static_cast<int>(below(4));
    const std::string name = kNames[n], number = std::to_string(c);
    switch (below(4)) {
      case 0:
        return {"(< " + name + " " + number + ")", [=](const Small& s) { return s.v[n] < c; }};
      case 1:
        return {"(/= " + name + " " + number + ")", [=](const Small& s) { return s.v[n] != c; }};
      case 2:
        return {"(>= n0 (+ n1 " + std::to_string(c - 1 < 0 ? 0 : c - 1) + "))",
                [=](const Small& s) { return s.v[3] >= s.v[4] + (c - 1 < 0 ? 0 : c - 1); }};
      case 3:
        return {kNames[i], [=](const Small& s) { return s.v[i] != 0; }};
    }
    return {"true", [](const Small&) { return true; }};
  }

  void add_step() {
    Move move{formula(2), "", {}};
    for (std::size_t i = 0; i < 5; ++i) {
      const std::string next = std::string(" (= ") + kNames[i] + "' ";
      switch (below(6)) {
        case 0:  // anything
          break;
        case 1:
        case 2:
          if (i < 3) {
            const RandomFormula value = formula(1);
            move.assigned += next + value.text + ")";
            move.agrees.push_back(
                [=](const Small& a, const Small& b) { return (b.v[i] != 0) == value.holds(a); });
          } else {
            const std::size_t from = 3 + below(2);
            const int by = static_cast<int>(below(3)) - 1;
            move.assigned +=
                next + "(- " + kNames[from] + " " + (by < 0 ? "(- 1)" : std::to_string(by)) + "))";
            move.agrees.push_back(
                [=](const Small& a, const Small& b) { return b.v[i] == a.v[from] - by; });
          }
          break;
        case 3:
        case 4:
        case 5:
          move.assigned += next + kNames[i] + ")";
          move.agrees.push_back([=](const Small& a, const Small& b) { return b.v[i] == a.v[i]; });
      }
    }
    moves_.push_back(std::move(move));
  }

  std::mt19937 random_;
  RandomFormula initial_, assumed_, claim_;
  std::vector<Move> moves_;
};

TEST(Portfolio, AgreesWithASearchOfAllStates) {
  unsigned valid = 0, invalid = 0, vacuous = 0;
  for (std::uint32_t seed = 1; seed <= 100; ++seed) {
    const RandomSystem random(seed);
    const int expected = random.search();
    const std::vector<System> systems = test::systems_of(random.text());
    ASSERT_EQ(systems.size(), 1u);
    ASSERT_EQ(find_fault(systems[0]), std::nullopt);
    Means means;
    means.cpu_seconds = 1;
    const Decision decision = decided(systems[0], means);
    switch (decision.verdict) {
      case Verdict::Valid:
        EXPECT_EQ(expected, -1) << random.text();
        ++valid;
        break;
      case Verdict::Invalid:
        EXPECT_EQ(expected, static_cast<int>(decision.steps.size())) << random.text();
        ++invalid;
        break;
      case Verdict::Vacuous:
        EXPECT_EQ(expected, -2) << random.text();
        ++vacuous;
        break;
      case Verdict::Unknown:  // k-induction alone is not complete
        EXPECT_EQ(expected, -1) << random.text();
        break;
      case Verdict::Contradiction:
        FAIL() << decision.why << random.text();
    }
    if (expected < 0) continue;
    // What the search leaves out is never the only shortest run.
    means.engines = {"bounded-search"};
    means.cpu_seconds = 5;
    const Decision searched = decided(systems[0], means);
    ASSERT_EQ(searched.verdict, Verdict::Invalid) << random.text();
    EXPECT_EQ(expected, static_cast<int>(searched.steps.size())) << random.text();
  }
  EXPECT_GE(valid, 10u);
  EXPECT_GE(invalid, 10u);
  EXPECT_GE(vacuous, 1u);
}

}  // namespace

}  // namespace leto::transition
