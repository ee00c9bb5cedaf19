#include "generate.h"

#include <fmt/core.h>

#include "function_gen.h"
#include "item_gen.h"
#include "model_gen.h"
#include "reliable_gen.h"
#include "situation_gen.h"

namespace leto::soundness {

namespace {

// Not a theme among others: the whole program.
constexpr const char* kSituations = "situations";
constexpr const char* kSummaries = "summaries";

void choose_themes(World& world, const std::string& wanted) {
  Dice& dice = world.dice;
  for (unsigned i = 0; i < kThemes; ++i)
    if (theme_names()[i] == wanted) world.themes.add(static_cast<Theme>(i));
  const unsigned count = dice.weighted({0, 42, 43, 15});
  for (unsigned i = 0; i < count; ++i) world.themes.add(static_cast<Theme>(dice.pick(kThemes)));
  const unsigned type = dice.weighted({66, 12, 22});
  world.number = type == 0 ? Scalar::Int : type == 1 ? Scalar::Uint : Scalar::Real;
  world.budget = 5;
}

}  // namespace

std::vector<std::string> Generator::themes() {
  std::vector<std::string> all = theme_names();
  all.emplace_back(kSituations);
  all.emplace_back(kSummaries);
  return all;
}

Program Generator::program() const {
  World world(seed_);
  if (theme_ == kSummaries || (theme_.empty() && seed_ % 50 == 0)) {
    Program p;
    write_calls(world, p.items);
    return p;
  }
  if (theme_ == kSituations || (theme_.empty() && world.dice.chance(4))) {
    Program p;
    write_situation(world, p.items);
    return p;
  }
  choose_themes(world, theme_);
  Program p;
  write_models(world, p.items);
  write_constants(world, p.items);
  write_properties(world, p.items);
  write_definitions(world, p.items);
  write_lemmas(world, p.items);
  write_checkers(world, p.items);
  write_externs(world, p.items);
  Functions functions(world);
  functions.write_callees(p.items);
  functions.write_main(p.items);
  return p;
}

Program Generator::reliable() const {
  World world(seed_);
  Program p;
  write_reliable(world, p.items);
  return p;
}

Generator::Refined Generator::refined() const {
  World world(seed_);
  Program models;
  write_refinement(world, models.items);
  Refined r;
  r.models = models.text();
  Dice& dice = world.dice;
  const std::string flag = world.model.flag.empty() ? "" : "model." + world.model.flag;
  const auto relaxed = [&](const char* a, const char* b) {
    return fmt::format("{} {}. {}", a, dice.any(world.model.operations).sign, b);
  };
  r.program =
      fmt::format("requires_r eq(*)\nint f(int a, int b) {{\n    int x = {};\n", relaxed("a", "b"));
  if (r.models.find("uint mode") != std::string::npos && dice.chance(60))
    r.program += fmt::format("    model.mode = {};\n", 1 + dice.pick(2));
  if (dice.chance(50)) r.program += fmt::format("    x = {};\n", relaxed("x", "1"));
  if (!flag.empty() && dice.chance(15)) r.program += fmt::format("    {} = true;\n", flag);
  if (dice.chance(30)) r.program += fmt::format("    x = {};\n", relaxed("x", "a"));
  const std::string unless = flag.empty() || dice.chance(50) ? "" : flag + " || ";
  r.program += fmt::format("    assert_r {}{};\n    return x;\n}}\n", unless,
                           dice.any({"eq(x)", "abs(x<o> - x<r>) <= 1", "x<o> <= x<r>",
                                     "abs(x<o> - x<r>) <= 2", "x<r> <= x<o> + 2"}));
  return r;
}

}  // namespace leto::soundness
