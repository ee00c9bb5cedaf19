// Random systems, small enough to go through all of their states. What the engines say is compared
// with that search, which shares nothing with them, and their certificates are checked.
//
// LETO_TEST_SYSTEMS=N tries N systems for each engine, LETO_TEST_FIRST=S begins at number S.

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>
#include <random>

#include "fixpoint/test_bench.h"

namespace leto::fixpoint {
namespace {

// Three Booleans and two integers, of which one has more values than are told apart one by one.
constexpr std::array kNames = {"p", "q", "r", "few", "many"};
constexpr std::array kSizes = {2, 2, 2, 4, 12};
constexpr std::size_t kVariables = kNames.size();
using State = std::array<int, kVariables>;

struct Literal {
  std::size_t variable;
  bool at_most;  // else at least
  int value;
  [[nodiscard]] bool holds(const State& state) const {
    return at_most ? state[variable] <= value : state[variable] >= value;
  }
  [[nodiscard]] std::string text() const {
    const std::string name = kNames[variable];
    if (kSizes[variable] == 2) return value == 1 ? name : "(not " + name + ")";
    return std::string(at_most ? "(<= " : "(>= ") + name + " " + std::to_string(value) + ")";
  }
};

struct Assignment {
  enum Kind { Keep, Constant, Add, Choose } kind = Keep;
  std::size_t from = 0;
  int value = 0;
};

struct Command {
  std::vector<Literal> guard;
  std::array<Assignment, kVariables> assignments;
};

bool all_hold(const std::vector<Literal>& literals, const State& state) {
  for (const Literal& literal : literals)
    if (!literal.holds(state)) return false;
  return true;
}

bool is_boolean(std::size_t variable) {
  return kSizes[variable] == 2;
}

struct RandomSystem {
  std::vector<Literal> init;
  std::vector<Command> commands;
  std::vector<Literal> claim;  // one of them holds

  explicit RandomSystem(unsigned seed) : random(seed) {
    for (std::size_t v = 0; v < kVariables; ++v)
      if (draw(5) > 0) {
        const int value = draw(kSizes[v] > 2 ? 3 : 2);
        init.push_back({v, is_boolean(v) ? value == 0 : true, value});
        if (!is_boolean(v)) init.push_back({v, false, value});
      }
    for (int i = 2 + draw(4); i > 0; --i) commands.push_back(command());
    for (int i = 1 + draw(3); i > 0; --i) claim.push_back(literal());
  }

  [[nodiscard]] bool claim_holds(const State& state) const {
    for (const Literal& literal : claim)
      if (literal.holds(state)) return true;
    return false;
  }

  // The fewest steps to a state without the claim.
  [[nodiscard]] std::optional<unsigned> search() const {
    std::map<State, unsigned> seen;
    std::vector<State> open;
    for_all_states([&](const State& state) {
      if (all_hold(init, state) && seen.emplace(state, 0).second) open.push_back(state);
    });
    for (std::size_t i = 0; i < open.size(); ++i) {
      const State state = open[i];
      const unsigned depth = seen.at(state);
      if (!claim_holds(state)) return depth;
      for (const Command& one : commands)
        if (all_hold(one.guard, state))
          for_each_result(one, state, 0, state, [&](const State& next) {
            if (seen.emplace(next, depth + 1).second) open.push_back(next);
          });
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string text() const {
    std::string declared, declarations, range;
    for (std::size_t v = 0; v < kVariables; ++v) {
      const std::string name = kNames[v], sort = is_boolean(v) ? "Bool" : "Int";
      declared += "; state " + name + " |" + name + "'|\n";
      declarations +=
          "(declare-const " + name + " " + sort + ")(declare-const |" + name + "'| " + sort + ")\n";
      if (is_boolean(v)) continue;
      const std::string last = std::to_string(kSizes[v] - 1);
      range += " (<= 0 " + name + ") (<= " + name + " " + last + ")";
    }
    std::string steps;
    for (const Command& one : commands) steps += "\n  " + text_of(one);
    std::string cases;
    for (const Literal& one : claim) cases += " " + one.text();
    return declared + declarations + "(define-fun init () Bool (and true" + texts(init) + range +
           "))\n(define-fun trans () Bool (or false" + steps + "))\n(define-fun claim () Bool (or" +
           cases + "))\n(define-fun facts () Bool true)\n";
  }

 private:
  int draw(int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); }

  Literal literal() {
    const auto v = static_cast<std::size_t>(draw(kVariables));
    const int value = draw(kSizes[v]);
    return {v, is_boolean(v) ? value == 0 : draw(2) == 0, value};
  }

  Command command() {
    Command made;
    for (int i = draw(3); i > 0; --i) made.guard.push_back(literal());
    for (std::size_t v = 0; v < kVariables; ++v) {
      Assignment& one = made.assignments[v];
      const int kind = draw(8);
      if (kind < 4) continue;
      if (kind == 7 && draw(2) == 0) {
        one.kind = Assignment::Choose;
      } else if (is_boolean(v) || kind == 4) {
        one = {Assignment::Constant, 0, draw(kSizes[v])};
      } else {
        const int change = draw(4);
        one = {Assignment::Add, static_cast<std::size_t>(3 + draw(2)), change == 3 ? -1 : change};
      }
    }
    return made;
  }

  static std::string texts(const std::vector<Literal>& literals) {
    std::string all;
    for (const Literal& one : literals) all += " " + one.text();
    return all;
  }

  static std::string text_of(const Command& one) {
    std::string all = "(and true" + texts(one.guard);
    for (std::size_t v = 0; v < kVariables; ++v) {
      const Assignment& assignment = one.assignments[v];
      const std::string name = kNames[v], next = "|" + name + "'|";
      const std::string value = std::to_string(assignment.value);
      switch (assignment.kind) {
        case Assignment::Keep:
          all += " (= " + next + " " + name + ")";
          break;
        case Assignment::Constant:
          all += is_boolean(v) ? (assignment.value == 1 ? " " + next : " (not " + next + ")")
                               : " (= " + next + " " + value + ")";
          break;
        case Assignment::Add:
          all += " (= " + next + " (+ " + kNames[assignment.from] + " " +
                 (assignment.value < 0 ? "(- 1)" : value) + "))";
          break;
        case Assignment::Choose:
          break;
      }
      if (!is_boolean(v))
        all += " (<= 0 " + next + ") (<= " + next + " " + std::to_string(kSizes[v] - 1) + ")";
    }
    return all + ")";
  }

  template <class Take>
  static void for_all_states(Take take) {
    State state{};
    for (;;) {
      take(state);
      std::size_t v = 0;
      while (v < kVariables && ++state[v] == kSizes[v]) state[v++] = 0;
      if (v == kVariables) return;
    }
  }

  // What is outside of its range blocks the step.
  template <class Take>
  static void for_each_result(const Command& one, const State& from, std::size_t v, State next,
                              const Take& take) {
    if (v == kVariables) {
      take(next);
      return;
    }
    const Assignment& assignment = one.assignments[v];
    if (assignment.kind == Assignment::Choose) {
      for (next[v] = 0; next[v] < kSizes[v]; ++next[v])
        for_each_result(one, from, v + 1, next, take);
      return;
    }
    if (assignment.kind == Assignment::Constant) next[v] = assignment.value;
    if (assignment.kind == Assignment::Add) next[v] = from[assignment.from] + assignment.value;
    if (next[v] < 0 || next[v] >= kSizes[v]) return;
    for_each_result(one, from, v + 1, next, take);
  }

  std::mt19937 random;
};

// A few states with an arrow or two from each, in no order: what holds of most says little.
struct RandomGraph {
  static constexpr unsigned kStates = 12;
  std::array<std::vector<unsigned>, kStates> arrows;
  unsigned begin, end;

  explicit RandomGraph(unsigned seed) {
    std::mt19937 random(seed);
    for (std::vector<unsigned>& some : arrows)
      for (unsigned i = 1 + random() % 2; i > 0; --i) some.push_back(random() % kStates);
    begin = random() % kStates;
    end = random() % kStates;
  }

  [[nodiscard]] std::optional<unsigned> search() const {
    std::map<unsigned, unsigned> seen{{begin, 0}};
    std::vector<unsigned> open{begin};
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (open[i] == end) return seen.at(end);
      for (const unsigned next : arrows[open[i]])
        if (seen.emplace(next, seen.at(open[i]) + 1).second) open.push_back(next);
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string text() const {
    std::string steps;
    for (unsigned from = 0; from < kStates; ++from)
      for (const unsigned to : arrows[from])
        steps += " (and (= x " + std::to_string(from) + ") (= |x'| " + std::to_string(to) + "))";
    return "; state x |x'|\n(declare-const x Int)(declare-const |x'| Int)\n"
           "(define-fun init () Bool (= x " +
           std::to_string(begin) + "))\n(define-fun trans () Bool (or" + steps +
           "))\n(define-fun claim () Bool (not (= x " + std::to_string(end) +
           ")))\n(define-fun facts () Bool true)\n";
  }
};

unsigned number_in(const char* name, unsigned otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : static_cast<unsigned>(std::atoi(text));
}

// How many answers were valid, and how many invalid.
struct Count {
  unsigned valid = 0, invalid = 0;
};

template <class RandomCase>
void compare(unsigned seed, const Options& options, Count& count) {
  const RandomCase system(seed);
  const std::string text = system.text();
  const auto depth = system.search();
  const Told told = tell(text, options);
  if (depth) {
    ++count.invalid;
    ASSERT_EQ(told.verdict, "invalid") << seed << "\n" << text << told.text;
    if (!told.rest.empty()) {
      ASSERT_GE(std::stoul(told.rest), *depth) << seed << "\n" << text << told.text;
    }
  } else {
    ++count.valid;
    ASSERT_EQ(told.verdict, "valid") << seed << "\n" << text << told.text;
    ASSERT_TRUE(is_certificate(text, told)) << seed << "\n" << text << told.text;
  }
}

struct Case {
  const char* name;
  Options options;
  unsigned systems;
};

class OfRandomSystems : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Engines, OfRandomSystems,
                         testing::Values(Case{"pdr", {Engine::Pdr}, 80},
                                         Case{"pdkind", {Engine::PdKind}, 80},
                                         Case{"pdkind3", {Engine::PdKind, 3}, 60},
                                         Case{"pdkind8", {Engine::PdKind, 8}, 60},
                                         Case{"spacer", {Engine::Spacer}, 20},
                                         Case{"normalised", {Engine::SpacerNormalised}, 20}),
                         [](const auto& one) { return one.param.name; });

TEST_P(OfRandomSystems, AnswersAreWhatASearchFinds) {
  const unsigned first = number_in("LETO_TEST_FIRST", 1);
  const unsigned number = number_in("LETO_TEST_SYSTEMS", GetParam().systems);
  Count count;
  for (unsigned seed = first; seed < first + number && !HasFatalFailure(); ++seed) {
    compare<RandomSystem>(seed, GetParam().options, count);
    compare<RandomGraph>(seed, GetParam().options, count);
  }
  // Else it would say nothing.
  EXPECT_GT(count.valid, number / 5);
  EXPECT_GT(count.invalid, number / 5);
}

// What is told as a lemma is inductive, whatever becomes of the claim.
TEST(OfRandomSeeds, AreInductive) {
  const unsigned first = number_in("LETO_TEST_FIRST", 1);
  const unsigned number = number_in("LETO_TEST_SYSTEMS", 30);
  unsigned lemmas = 0;
  for (unsigned seed = first; seed < first + number; ++seed) {
    const RandomSystem system(seed);
    const std::string text = system.text();
    const Told told = tell(text, {Engine::Seeds});
    if (told.verdict == "valid") {
      ASSERT_TRUE(is_certificate(text, told)) << seed << "\n" << text << told.text;
      ASSERT_FALSE(system.search().has_value()) << seed;
      continue;
    }
    ASSERT_EQ(told.verdict, "unknown") << told.text;
    for (std::size_t at = told.text.find("lemma "); at != std::string::npos;
         at = told.text.find("lemma ", at + 1)) {
      const std::string lemma = told.text.substr(at + 6, told.text.find('\n', at) - at - 6);
      const Certificate found = check_certificate(text, {"valid", "1 " + lemma, ""});
      ASSERT_TRUE(found.initial && found.inductive) << seed << "\n" << text << told.text;
      ++lemmas;
    }
  }
  EXPECT_GT(lemmas, number / 5);
}

struct Weakened {
  const char* name;
  Options options;
  unsigned first;  // number to try, close to one that is known to be answered wrongly
};

// Whether `valid` is told where the claim is broken. That is refused, or the check is wrong. The
// mutant `one-level` knows that the claim holds, and says something else than why.
template <class RandomCase>
bool is_wrong(unsigned seed, const Options& options) {
  const RandomCase system(seed);
  const bool broken = system.search().has_value();
  if (broken == (options.mutant == Mutant::OneLevel)) return false;
  const std::string text = system.text();
  const Told told = tell(text, options);
  if (told.verdict != "valid") return false;
  const bool accepted = is_certificate(text, told);
  if (broken) {
    EXPECT_FALSE(accepted) << seed << "\n" << text << told.text;
  }
  return broken || !accepted;
}

// Where an engine is wrong its certificate says so.
class OfWeakenedEngines : public testing::TestWithParam<Weakened> {};
INSTANTIATE_TEST_SUITE_P(Engines, OfWeakenedEngines,
                         testing::Values(Weakened{"skip-init-check", {Engine::Pdr}, 1},
                                         Weakened{"push-without-check", {Engine::Pdr}, 1},
                                         Weakened{"one-level", {Engine::Pdr}, 340},
                                         Weakened{"no-init", {Engine::PdKind, 3}, 1},
                                         Weakened{"drop-weakened", {Engine::PdKind, 3}, 1},
                                         Weakened{"loose-np", {Engine::PdKind, 8}, 45212},
                                         Weakened{"ignore-np", {Engine::PdKind, 8}, 470}),
                         [](const auto& one) {
                           std::string name = one.param.name;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST_P(OfWeakenedEngines, WrongAnswersAreRefused) {
  Options options = GetParam().options;
  options.mutant = *mutant_of(GetParam().name);
  const unsigned first = number_in("LETO_TEST_FIRST", GetParam().first);
  const unsigned most = number_in("LETO_TEST_SYSTEMS", 100);
  unsigned wrong = 0;
  for (unsigned seed = first; seed < first + most && wrong == 0; ++seed) {
    if (is_wrong<RandomSystem>(seed, options) || is_wrong<RandomGraph>(seed, options)) ++wrong;
    if (wrong > 0) std::printf("%s: wrong about number %u\n", GetParam().name, seed);
  }
  EXPECT_GT(wrong, 0U) << "no answer was wrong";
}

}  // namespace
}  // namespace leto::fixpoint
