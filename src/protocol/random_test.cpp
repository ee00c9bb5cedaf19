// Random systems: the steps that are written out are those that an explicit search finds, no more
// and no fewer, and so are the initial states and the states in which claims hold.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <random>

#include "protocol/test_explicit.h"
#include "protocol/test_unroll.h"

namespace leto::protocol {
namespace {

// Small texts in which everything is of few values, so that all can be tried.
class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  std::string make() {
    const int model = pick(4);
    std::string text = model == 0 ? "" : "use model m;\n" + faults(model);
    has_node_state_ = model == 2;
    text += "system s {\n  nodes boss(1), man(2);\n  enum colour { red, green, blue }\n";
    text +=
        "  bool flag = false;\n  bool on(man);\n  colour paint = red;\n  colour seen(man) = "
        "green;\n";
    text += "  man first = man(0);\n  uint left = 1;\n  const bool open;\n";
    if (pick(3) == 0) text += "  initially " + truth(2) + ";\n";
    if (pick(4) == 0) text += "  trust " + truth(2) + ";\n";
    for (int i = 1 + pick(2); i > 0; --i) text += step(i);
    text += "  always claimed: " + truth(3) + ";\n}\n";
    return text;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

  static std::string faults(int which) {
    switch (which) {
      case 1:
        return "model m {\n round any lie;\n const node bool bad;\n"
               " requires count(node p)(bad[p]) <= 1;\n"
               " message(any sent, node from, node to) when !bad[from]\n"
               "  ensures arrived && result == sent;\n"
               " message(any sent, node from, node to) when bad[from]\n"
               "  ensures arrived -> result == lie[from];\n}\n";
      case 2:
        return "model m {\n node bool down = false;\n"
               " property correct(node p): !down[p];\n"
               " message(any sent, node from, node to) when !down[from]\n"
               "  ensures arrived && result == sent;\n"
               " message(any sent, node from, node to) when count(node p)(down[p]) < 1\n"
               "  ensures down[from] && (arrived -> result == sent) modifies down[from];\n"
               " message(any sent, node from, node to) when down[from] ensures !arrived;\n}\n";
      case 3:
        return "model m {\n bool used = false;\n"
               " message(any sent, node from, node to)\n"
               "  ensures (result == sent || !old(used)) && (used == (old(used) || result != "
               "sent))\n"
               "  modifies used;\n}\n";
    }
    LETO_ASSERT(false);
  }

  std::string man() {
    std::vector<std::string> all{"man(0)", "man(1)", "first"};
    all.insert(all.end(), men_.begin(), men_.end());
    if (may_fail_ && pick(8) == 0) return "man(left)";
    return all[static_cast<std::size_t>(pick(static_cast<int>(all.size())))];
  }
  std::string colour(int depth) {
    switch (pick(depth > 0 ? 6 : 4)) {
      case 0:
        return "paint";
      case 1:
        return "seen[" + man() + "]";
      case 2:
        return "red";
      case 3:
        return "blue";
      case 4:
        return "(if (" + truth(depth - 1) + ") " + colour(depth - 1) + " else " +
               colour(depth - 1) + ")";
      case 5:
        return old_ ? "old(" + colour(depth - 1) + ")" : "paint";
    }
    LETO_ASSERT(false);
  }
  std::string truth(int depth) {
    switch (pick(depth > 0 ? 13 : 5)) {
      case 0:
        return "flag";
      case 1:
        return "on[" + man() + "]";
      case 2:
        return "open";
      case 3:
        return "left < 2";
      case 4:
        return man() + " == " + man();
      case 5:
        return colour(depth - 1) + " == " + colour(depth - 1);
      case 6:
        return "!(" + truth(depth - 1) + ")";
      case 7:
        return "(" + truth(depth - 1) + " && " + truth(depth - 1) + ")";
      case 8:
        return "(" + truth(depth - 1) + " || " + truth(depth - 1) + ")";
      case 9:
        return "(" + truth(depth - 1) + " -> " + truth(depth - 1) + ")";
      case 10: {
        const std::string name = "q" + std::to_string(names_++);
        men_.push_back(name);
        const std::string inside = truth(depth - 1);
        men_.pop_back();
        const int kind = pick(3);
        if (kind == 2) return "count(man " + name + ")(" + inside + ") > 1";
        return (kind == 0 ? "forall(man " : "exists(man ") + name + ")(" + inside + ")";
      }
      case 11:
        return has_node_state_ ? "model.correct(" + man() + ")" : "model.correct(boss(0))";
      case 12:
        return old_ ? "old(" + truth(depth - 1) + ")" : "flag";
    }
    LETO_ASSERT(false);
  }

  std::string step(int number) {
    std::string text = fmt::format("  step go{}", number);
    men_.clear();
    if (pick(2) == 0) {
      text += "(man p)";
      men_.push_back("p");
    }
    may_fail_ = pick(3) == 0;
    if (pick(2) == 0) text += " when " + truth(2);
    old_ = true;
    sends_ = 2;
    text += " {\n";
    for (int i = 1 + pick(3); i > 0; --i) text += statement(2, false);
    text += "  }\n";
    old_ = may_fail_ = false;
    men_.clear();
    return text;
  }
  std::string statement(int depth, bool in_loop) {
    switch (pick(depth > 0 ? 10 : 6)) {
      case 0:
        return "   flag = " + truth(2) + ";\n";
      case 1:
        return "   on[" + man() + "] = " + truth(2) + ";\n";
      case 2:
        return "   seen[" + man() + "] = " + colour(2) + ";\n";
      case 3:
        return pick(2) == 0 ? "   paint = " + colour(2) + ";\n" : "   first = " + man() + ";\n";
      case 4:
        if (!may_fail_) return "   flag = !flag;\n";
        return pick(2) == 0 ? "   --left;\n" : "   assert " + truth(1) + ";\n";
      case 5:
        return "   ++left;\n";
      case 6:
        return "   if (" + truth(2) + ") {\n" + statement(depth - 1, in_loop) + "   } else {\n" +
               statement(depth - 1, in_loop) + "   }\n";
      case 7: {
        const std::string name = "q" + std::to_string(names_++);
        men_.push_back(name);
        std::string text = "   for (man " + name + ") {\n" + statement(depth - 1, true) + "   }\n";
        men_.pop_back();
        return text;
      }
      case 8:
        switch (pick(3)) {
          case 0:
            return "   choose paint;\n";
          case 1:
            return "   choose flag with flag || " + truth(1) + ";\n";
          case 2:
            return "   choose on[" + man() + "], first with on[first] || " + truth(1) + ";\n";
        }
        break;
      case 9: {
        if (sends_-- <= 0 || in_loop) return "   flag = false;\n";
        const std::string from = pick(2) == 0 ? "boss(0)" : "man(0)";
        return (pick(2) == 0 ? "   seen[man(1)] = message.(" + colour(1)
                             : "   flag = message.(" + truth(1)) +
               ", " + from + ", man(1));\n";
      }
    }
    LETO_ASSERT(false);
  }

  std::mt19937 random_;
  std::vector<std::string> men_;
  int names_ = 0, sends_ = 0;
  bool old_ = false, may_fail_ = false, has_node_state_ = false;
};

// Says of states what a solver says of formulas.
class Compared {
 public:
  explicit Compared(const std::string& text) : unrolled_(text) {}

  [[nodiscard]] bool good() const { return unrolled_.good(); }
  Unrolled& unrolled() { return unrolled_; }

  // A state as a formula, over the variables now or next.
  logic::Term is(const Explicit::Values& state, bool next) {
    logic::TermTable& t = unrolled_.t();
    std::vector<logic::Term> all;
    std::size_t block = 0;
    const sys::System& source = unrolled_.front().checked.systems.front();
    for (std::uint32_t v = 0; v < source.variables.size(); ++v) {
      if (source.variables[v].constant && source.variables[v].init.valid()) continue;
      const VariableBlock& elements = unrolled_.lowered().blocks[block++];
      for (std::size_t i = 0; i < elements.variables.size(); ++i) {
        const transition::Variable& variable = unrolled_.system().variables[elements.variables[i]];
        const logic::Term symbol = next ? variable.next : variable.now;
        all.push_back(variable.sort == logic::kBool ? (state[v][i] != 0 ? symbol : t.not_(symbol))
                                                    : t.eq(symbol, t.integer(state[v][i])));
      }
    }
    return t.and_(std::move(all));
  }
  // 'failed', if there is such a variable, is as said.
  logic::Term failed(bool is_so, bool next) {
    logic::TermTable& t = unrolled_.t();
    for (const transition::Variable& variable : unrolled_.system().variables)
      if (variable.name == "step.failed") {
        const logic::Term none = t.eq(next ? variable.next : variable.now, t.integer(0));
        return is_so ? t.not_(none) : none;
      }
    return t.boolean(!is_so);
  }

 private:
  Unrolled unrolled_;
};

class RandomSystems : public testing::TestWithParam<unsigned> {};

TEST_P(RandomSystems, AreWrittenOutAsTheyRun) {
  std::size_t compared = 0, failing = 0;
  for (unsigned n = 0; n < 8; ++n) {
    const std::string text = Maker(GetParam() * 1000 + n).make();
    Compared both(text);
    ASSERT_TRUE(both.good()) << text << both.unrolled().front().messages();
    const sys::System& source = both.unrolled().front().checked.systems.front();
    Explicit search(source);
    logic::TermTable& t = both.unrolled().t();
    const transition::System& system = both.unrolled().system();
    const std::set<Explicit::Values> start = search.initial();
    std::vector<logic::Term> starts;
    for (const Explicit::Values& state : start) starts.push_back(both.is(state, false));
    const logic::Term initial = t.and_(system.initial, system.assumed);
    EXPECT_TRUE(both.unrolled().valid({initial}, t.and_(t.or_(starts), both.failed(false, false))))
        << text;
    std::set<Explicit::Values> seen = start;
    std::vector<Explicit::Values> to_do(start.begin(), start.end());
    for (std::size_t i = 0; i < to_do.size() && i < 6; ++i) {
      const Explicit::Values state = to_do[i];
      if (start.contains(state)) {
        EXPECT_FALSE(both.unrolled().valid({initial, both.is(state, false)}, t.boolean(false)));
      }
      EXPECT_EQ(search.holds(source.claims[0].expr, state),
                both.unrolled().valid({both.is(state, false)}, system.claims[0].formula))
          << text;
      const Explicit::Successors next = search.successors(state);
      failing += next.fails;
      transition::Substitution later = transition::to_next(system);
      const std::vector<logic::Term> known{both.is(state, false), both.failed(false, false),
                                           transition::relation_of(system), later(system.assumed)};
      std::vector<logic::Term> allowed;
      for (const Explicit::Values& one : next.states)
        allowed.push_back(t.and_(both.is(one, true), both.failed(false, true)));
      if (next.fails) allowed.push_back(t.and_(both.is(state, true), both.failed(true, true)));
      EXPECT_TRUE(both.unrolled().valid(known, t.or_(allowed))) << "a step too many\n" << text;
      for (logic::Term one : allowed) {
        std::vector<logic::Term> here = known;
        here.push_back(one);
        EXPECT_FALSE(both.unrolled().valid(here, t.boolean(false))) << "a step is missing\n"
                                                                    << text;
      }
      ++compared;
      for (const Explicit::Values& one : next.states)
        if (seen.insert(one).second && to_do.size() < 40) to_do.push_back(one);
    }
  }
  EXPECT_GT(compared, 8u);
  RecordProperty("failing", static_cast<int>(failing));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSystems, testing::Range(1u, 9u));

}  // namespace
}  // namespace leto::protocol
