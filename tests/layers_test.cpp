// Layered models against the two steps that they stand for. Pairs of small models are drawn as
// data; what they can do is enumerated from that data alone, and the same models, as text, are
// executed in every possible way and proved. LETO_TEST_SEED repeats a run; LETO_TEST_PAIRS sets how
// many pairs.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <set>

#include "check/test_front.h"
#include "core/core.h"
#include "interp/interp.h"
#include "lower/lower.h"
#include "workbench/verifying.h"
#include "workspace/workspace.h"

namespace leto::tests {

const Allowance g_never;

// Of `operator +(int a, int b)`: when `guard`, the outcome is `exact` plus one of the offsets, or,
// if it replaces that, one of the offsets itself; the budget falls by one if it is used.
struct Spec {
  enum class Guard { None, BudgetLeft, ExactAbove, ExactEven, FirstAbove } guard = Guard::None;
  int bound = 0;
  bool uses = false, replaces = false;
  std::vector<int> offsets;
};
struct Layer {
  int budget = 0;
  std::vector<Spec> specs;
};

class RandomLayers {
 public:
  explicit RandomLayers(unsigned seed) : random_(seed) {}

  Layer layer() {
    Layer made;
    made.budget = pick(3);
    for (int n = 1 + pick(3); n > 0; --n) made.specs.push_back(spec());
    // Most of the time something is always enabled.
    if (pick(4) != 0) made.specs[0].guard = Spec::Guard::None;
    if (made.specs[0].guard == Spec::Guard::None) made.specs[0].uses = false;
    return made;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  Spec spec() {
    Spec made;
    made.guard = static_cast<Spec::Guard>(pick(5));
    made.bound = pick(4);
    made.uses = made.guard == Spec::Guard::BudgetLeft && pick(2) == 0;
    made.replaces = pick(5) == 0;
    for (int n = 1 + pick(2); n > 0; --n) made.offsets.push_back(pick(5) - 2);
    return made;
  }
  std::mt19937 random_;
};

// Numbered from below.
std::string text_of(const Layer& layer, std::size_t number) {
  const std::string budget = fmt::format("budget{}", number);
  const std::string below = number == 0 ? "" : fmt::format(" over layer{}", number - 1);
  std::string text =
      fmt::format("model layer{}{} {{\n    int {} = {};\n", number, below, budget, layer.budget);
  for (const Spec& spec : layer.specs) {
    text += spec.replaces && number > 0 ? "    @replaces\n" : "";
    text += "    operator +(int a, int b)\n";
    const std::string guards[] = {"", budget + " > 0", fmt::format("exact > {}", spec.bound),
                                  "exact % 2 == 0", fmt::format("a > {}", spec.bound)};
    const std::string& guard = guards[static_cast<std::size_t>(spec.guard)];
    if (!guard.empty()) text += "        when " + guard + "\n";
    if (spec.uses) text += "        modifies " + budget + "\n";
    std::string outcomes;
    for (int offset : spec.offsets)
      outcomes += fmt::format("{}result == {}{}", outcomes.empty() ? "" : " || ",
                              spec.replaces ? "" : "exact + ", offset);
    text += "        ensures " + outcomes;
    if (spec.uses) text += fmt::format("\n        ensures {0} == old({0}) - 1", budget);
    text += ";\n";
  }
  return text + "}\n";
}

// Two operations, then everything that there is to see, as one number.
std::string program_of(std::size_t layers) {
  std::string text = fmt::format(
      "use model layer{};\nrequires_r eq(*)\nint f(int x, int y) {{\n    int p = x +. y;\n"
      "    int q = p +. 1;\n    return (p * 1000 + q) * 1000",
      layers - 1);
  for (std::size_t i = 0; i < layers; ++i)
    text += fmt::format(" + model.budget{} * {}", i, i == 0 ? 1 : i == 1 ? 10 : 100);
  return text + ";\n}\n";
}
std::string whole_text(const std::vector<Layer>& layers) {
  std::string text;
  for (std::size_t i = 0; i < layers.size(); ++i) text += text_of(layers[i], i);
  return text + program_of(layers.size());
}

// The enumeration: one step of one layer after the other.
struct Situation {
  int value = 0;
  std::vector<int> budgets;
  friend auto operator<=>(const Situation&, const Situation&) = default;
};
struct Enumerated {
  std::set<Situation> reached;
  bool stuck = false;
};

bool is_enabled(const Spec& spec, int first, int exact, int budget) {
  switch (spec.guard) {
    case Spec::Guard::None:
      return true;
    case Spec::Guard::BudgetLeft:
      return budget > 0;
    case Spec::Guard::ExactAbove:
      return exact > spec.bound;
    case Spec::Guard::ExactEven:
      return exact % 2 == 0;
    case Spec::Guard::FirstAbove:
      return first > spec.bound;
  }
  return false;
}

void one_step(const Layer& layer, std::size_t number, int first, const Situation& from,
              Enumerated& out) {
  bool any = false;
  for (const Spec& spec : layer.specs) {
    if (!is_enabled(spec, first, from.value, from.budgets[number])) continue;
    any = true;
    for (int offset : spec.offsets) {
      Situation to = from;
      to.value = spec.replaces ? offset : from.value + offset;
      if (spec.uses) --to.budgets[number];
      out.reached.insert(to);
    }
  }
  out.stuck = out.stuck || !any;
}

// a + b, in the situation `from`.
Enumerated operation(const std::vector<Layer>& layers, int a, int b, Situation from) {
  from.value = a + b;
  Enumerated now{{from}, false};
  for (std::size_t i = 0; i < layers.size(); ++i) {
    Enumerated next;
    next.stuck = now.stuck;
    for (const Situation& one : now.reached) one_step(layers[i], i, a, one, next);
    now = std::move(next);
  }
  return now;
}

struct Outcomes {
  std::set<long> results;
  bool stuck = false;
  friend bool operator==(const Outcomes&, const Outcomes&) = default;
};
Outcomes enumerate(const std::vector<Layer>& layers, int x, int y) {
  Outcomes out;
  Situation start;
  for (const Layer& layer : layers) start.budgets.push_back(layer.budget);
  const Enumerated first = operation(layers, x, y, start);
  out.stuck = first.stuck;
  for (const Situation& p : first.reached) {
    const Enumerated second = operation(layers, p.value, 1, p);
    out.stuck = out.stuck || second.stuck;
    for (const Situation& q : second.reached) {
      long result = (p.value * 1000L + q.value) * 1000L;
      const int weights[] = {1, 10, 100};
      for (std::size_t i = 0; i < q.budgets.size(); ++i) result += q.budgets[i] * weights[i];
      out.results.insert(result);
    }
  }
  return out;
}

// The same by execution, in every possible way.
class Executed {
 public:
  explicit Executed(const std::string& text)
      : front_(text),
        program_(front_.said.errors() == 0 ? lower::lower(front_.checked, front_.names)
                                           : core::Program()) {}
  [[nodiscard]] bool good() const { return front_.said.errors() == 0; }
  [[nodiscard]] std::string complaints() const { return front_.messages(); }

  Outcomes run(int x, int y, bool by_byte_code) {
    const interp::Machine machine(program_);
    const core::FunctionId f{0};
    interp::ByteMachine fast(machine, f);
    EXPECT_TRUE(fast.compiled());
    interp::Inputs inputs = interp::empty_inputs(machine);
    for (const core::StateVar& state : program_.model.states)
      for (core::Side side : {core::Side::Original, core::Side::Relaxed}) {
        interp::Scope scope{inputs.values, side};
        inputs.values.side(side)[state.var.value].scalar =
            machine.evaluator().value(state.init, scope).scalar;
      }
    const int given[] = {x, y};
    for (std::size_t i = 0; i < 2; ++i)
      for (core::Side side : {core::Side::Original, core::Side::Relaxed})
        inputs.values.side(side)[program_.functions[f].params[i].value].scalar = given[i];
    Outcomes out;
    interp::ExhaustiveChooser all;
    do {
      const interp::Outcome one =
          by_byte_code ? fast.run(inputs, all, {}) : machine.run(f, inputs, all, {});
      if (one.end == interp::End::Done) {
        out.results.insert(*one.relaxed.at(0).scalar.small());
        EXPECT_EQ(*one.original.at(0).scalar.small() / 1000, (x + y) * 1000 + x + y + 1);
      } else {
        EXPECT_EQ(one.end, interp::End::Stuck) << one.why;
        out.stuck = true;
      }
    } while (all.next());
    EXPECT_TRUE(all.complete());
    return out;
  }

 private:
  check::Front front_;
  core::Program program_;
};

unsigned chosen_seed() {
  const char* text = std::getenv("LETO_TEST_SEED");
  const unsigned seed = text ? static_cast<unsigned>(std::atoi(text)) : std::random_device{}();
  std::printf("seed %u\n", seed);
  return seed;
}
int chosen_pairs() {
  const char* text = std::getenv("LETO_TEST_PAIRS");
  return text ? std::atoi(text) : 300;
}

TEST(Layers, HaveTheOutcomesOfTheStepsInSequence) {
  RandomLayers random(chosen_seed());
  const int pairs = chosen_pairs();
  int stuck = 0, several = 0;
  for (int i = 0; i < pairs; ++i) {
    std::vector<Layer> layers;
    for (int n = i % 4 == 3 ? 3 : 2; n > 0; --n) layers.push_back(random.layer());
    const std::string text = whole_text(layers);
    Executed executed(text);
    ASSERT_TRUE(executed.good()) << text << executed.complaints();
    for (int x = 0; x < 3; ++x) {
      const Outcomes expected = enumerate(layers, x, 1);
      stuck += expected.stuck ? 1 : 0;
      several += expected.results.size() > 1 ? 1 : 0;
      EXPECT_EQ(executed.run(x, 1, false), expected) << text << "x = " << x;
      EXPECT_EQ(executed.run(x, 1, true), expected) << text << "x = " << x;
    }
  }
  std::printf("%d stacks of layers, %d cases can get stuck, %d have several outcomes\n", pairs,
              stuck, several);
  EXPECT_GT(stuck, pairs / 4);
  EXPECT_GT(several, pairs / 2);
}

struct Verifier {
  Verifier()
      : crew(2, [] {
          solver::Limits limits;
          limits.resource = 2'000'000;
          return solver::make_process_solver(solver::z3_command(), limits, g_never);
        }) {}

  // Whether it is claimed and proved of `f(x, 1)`; refuted or unknown is no.
  prove::Status status(const std::string& text) {
    workspace::RealFileSystem files;
    workspace::Workspace workspace(files, workspace::Places{});
    DiagnosticList diagnostics;
    workspace::Program program = workspace.load_text("random.leto", text, diagnostics);
    const workspace::PickedModel picked = workspace.pick_model(program, "", diagnostics);
    const check::Checked checked =
        check::check(program.trees, {picked.name, picked.bad}, workspace.names(), diagnostics);
    EXPECT_EQ(diagnostics.errors(), 0u) << text;
    return workbench::verify(checked, workspace.names(), {}, crew, nullptr, {}).status();
  }
  engine::Crew crew;
};

// That the result is one of those that there are is proved exactly if no run gets stuck; that it is
// none but one of them is not, whichever is left out.
TEST(Layers, AreProvedToHaveTheOutcomesOfTheStepsInSequence) {
  RandomLayers random(chosen_seed() + 1);
  const int pairs = std::max(chosen_pairs() / 15, 10);
  Verifier verifier;
  int proved = 0;
  for (int i = 0; i < pairs; ++i) {
    const std::vector<Layer> layers{random.layer(), random.layer()};
    const Outcomes expected = enumerate(layers, 1, 1);
    std::string models;
    for (std::size_t k = 0; k < 2; ++k) models += text_of(layers[k], k);
    const auto text = [&](long without) {
      std::string any = "false";
      for (long result : expected.results)
        if (result != without) any += fmt::format(" || result<r> == {}", result);
      std::string program = program_of(2);
      program.insert(program.find("requires_r"),
                     "requires x == 1 && y == 1\nensures_r " + any + "\n");
      return models + program;
    };
    const prove::Status all = verifier.status(text(-1));
    if (expected.stuck) {
      EXPECT_NE(all, prove::Status::Proved) << text(-1);
    } else {
      EXPECT_EQ(all, prove::Status::Proved) << text(-1);
      proved += all == prove::Status::Proved ? 1 : 0;
    }
    if (expected.results.empty()) continue;
    EXPECT_NE(verifier.status(text(*expected.results.begin())), prove::Status::Proved)
        << text(*expected.results.begin());
    EXPECT_NE(verifier.status(text(*expected.results.rbegin())), prove::Status::Proved)
        << text(*expected.results.rbegin());
  }
  std::printf("%d pairs, %d proved to have no other outcome\n", pairs, proved);
  EXPECT_GT(proved, pairs / 5);
}

// A over (B over C) is (A over B) over C: the stack is the same, however it is put together. Models
// are put over one another one by one, so what there is to test is that a layer does not care what
// the one below it stands over.
TEST(Layers, AMiddleLayerDoesNotCareWhatItStandsOver) {
  RandomLayers random(chosen_seed() + 2);
  for (int i = 0; i < 20; ++i) {
    std::vector<Layer> three{random.layer(), random.layer(), random.layer()};
    Layer nothing;  // hands through what is below
    nothing.specs.push_back({});
    nothing.specs[0].offsets = {0};
    for (std::size_t at = 0; at < 3; ++at) {
      std::vector<Layer> with = three;
      with[at] = nothing;
      std::vector<Layer> without = three;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(at));
      const auto values = [](const Outcomes& all) {
        std::set<long> found;
        for (long one : all.results) found.insert((one - one % 1000) / 1000);
        return std::pair(found, all.stuck);
      };
      Executed one(whole_text(with)), other(whole_text(without));
      ASSERT_TRUE(one.good() && other.good()) << whole_text(with) << one.complaints();
      EXPECT_EQ(values(one.run(2, 1, false)), values(other.run(2, 1, false))) << whole_text(with);
    }
  }
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
