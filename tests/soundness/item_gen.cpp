#include "item_gen.h"

#include <fmt/core.h>

#include "spec_gen.h"

namespace leto::soundness {

void write_constants(World& world, Nodes& items) {
  Dice& dice = world.dice;
  const bool wanted = world.about(Theme::Constants);
  if (!wanted && !dice.chance(8)) return;
  const auto add = [&](Scalar type, const std::string& name, const std::string& value) {
    items.push_back(line(
        fmt::format("const {} {}{};", spelling(type), name, value.empty() ? "" : " = " + value)));
    world.constants.push_back({name, type});
  };
  if (dice.chance(60)) {
    add(Scalar::Uint, "ROUNDS", dice.any({"2", "1", "3 - 1", "02"}));
  } else {
    add(Scalar::Uint, "ROUNDS", "");
    items.push_back(line(fmt::format(
        "requires {};", dice.any({"ROUNDS <= 2", "1 <= ROUNDS <= 2", "ROUNDS == 1 || ROUNDS == 2",
                                  "forall(uint k)(k < ROUNDS -> k < 2)"}))));
  }
  if (dice.chance(50)) add(world.number, "TOP", dice.any({"2", "ROUNDS + 1", "2 * ROUNDS", "3"}));
  if (dice.chance(25)) add(Scalar::Bool, "STRICT", dice.any({"false", "true", "1 < 2", ""}));
  if (dice.chance(50)) {
    const bool uint = world.number == Scalar::Uint;
    items.push_back(
        line(fmt::format("const vector<{}> TABLE(3) = [{}, {}, {}];", spelling(world.number),
                         dice.any({"1", "0", "2"}), dice.any({"ROUNDS", "2", uint ? "3" : "-1"}),
                         dice.any({"0", "1 + 1", world.number == Scalar::Real ? "0.5" : "1"}))));
    world.tables.push_back({"TABLE", world.number});
  }
  if (!world.model.bound.empty() && dice.chance(50))
    items.push_back(line(fmt::format("requires model.{} <= 2;", world.model.bound)));
}

namespace {

// Each with its text; the blanks are the type, and what excuses a difference.
struct Pattern {
  const char* text;
  Property property;
};

std::vector<Pattern> known_properties() {
  const Scalar any = Scalar::Int;
  return {
      {"property small({0} px, {0} most): px <= most;",
       {"small", false, false, any, Shape::Scalar, true}},
      {"property all_small(vector<{0}> pv, uint pn): forall(uint k)(k < pn -> pv[k] <= 2);",
       {"all_small", false, false, any, Shape::Vector, false}},
      {"property_r near({0} px, {0} most): {1}abs(px<o> - px<r>) <= most;",
       {"near", true, false, any, Shape::Scalar, true}},
      {"property_r same(vector<{0}> pv, uint pn): {1}forall(uint k)(k < pn<r> -> pv<o>[k] == "
       "pv<r>[k]);",
       {"same", true, false, any, Shape::Vector, false}},
      {"property_r at_most({0} value, {0} most): value <= most;",
       {"at_most", true, true, any, Shape::Scalar, true}},
      {"property_r agree({0} px): {1}eq(px);", {"agree", true, false, any, Shape::Scalar, false}},
  };
}

}  // namespace

void write_properties(World& world, Nodes& items) {
  if (!world.about(Theme::Properties)) return;
  Dice& dice = world.dice;
  const std::string unless = world.model.flag.empty() || dice.chance(50)
                                 ? ""
                                 : fmt::format("model.{} || ", world.model.flag);
  for (auto& [text, property] : known_properties()) {
    if (!dice.chance(60) && !(property.name == "agree" && world.properties.empty())) continue;
    items.push_back(line(fill_in(text, spelling(world.number), unless)));
    Property known = property;
    known.scalar = world.number;
    world.properties.push_back(known);
    // One that hands its parameter on.
    if (known.name != "near" || !dice.chance(40)) continue;
    items.push_back(line(
        fmt::format("property_r close({} px): near(px, 1) || eq(px);", spelling(world.number))));
    world.properties.push_back({"close", true, false, world.number, Shape::Scalar, false});
  }
}

void write_definitions(World& world, Nodes& items) {
  Dice& dice = world.dice;
  if (!dice.chance(world.about(Theme::Properties) ? 70 : world.about(Theme::Matrices) ? 50 : 15))
    return;
  struct Known {
    const char* text;
    Definition definition;
  };
  const std::vector<Known> all = {
      {"define {0} total(vector<{0}> dv, uint dn) decreases dn: if (dn == 0) 0 else "
       "total(dv, dn - 1) + dv[dn - 1];",
       {"total", Shape::Vector, false, false}},
      {"define uint hits(vector<{0}> dv, uint dn, {0} dx) decreases dn: if (dn == 0) 0 else "
       "hits(dv, dn - 1, dx) + (if (dv[dn - 1] == dx) 1 else 0);",
       {"hits", Shape::Vector, false, true}},
      {"define bool level(vector<{0}> dv, uint dn): forall(uint k)(k < dn -> dv[k] <= 2);",
       {"level", Shape::Vector, true, false}},
      {"define {0} twice({0} dx): dx + dx;", {"twice", Shape::Scalar, false, false}},
      {"define {0} clip({0} dx, {0} most): if (dx > most) most else dx;",
       {"clip", Shape::Scalar, false, true}},
  };
  for (const auto& [text, definition] : all) {
    if (!dice.chance(60)) continue;
    items.push_back(line(fill_in(text, spelling(world.number))));
    world.definitions.push_back(definition);
  }
  // What computes is used in the same way.
  const std::vector<Known> pure = {
      {"pure {0} kept({0} dx) {{ return dx; }}", {"kept", Shape::Scalar, false, false}},
      {"ensures result >= dx pure {0} above({0} dx) {{ if (dx > 2) {{ return dx; }} return dx + 1; "
       "}}",
       {"above", Shape::Scalar, false, false}},
      {"requires dx > 0 ensures result == dx pure {0} positive({0} dx) {{ assert dx > 0; return "
       "dx; }}",
       {"positive", Shape::Scalar, false, false}},
  };
  for (const auto& [text, definition] : pure) {
    if (!dice.chance(20)) continue;
    items.push_back(line(fill_in(text, spelling(world.number))));
    world.definitions.push_back(definition);
  }
  // What is not defined by this: nothing may be proved by it.
  if (dice.chance(3) && world.number != Scalar::Uint) {
    items.push_back(
        line(fmt::format("define {0} lost({0} dx, uint dn) decreases dn: lost(dx, dn) + 1;",
                         spelling(world.number))));
    world.definitions.push_back({"lost", Shape::Scalar, false, true});
  }
}

void write_checkers(World& world, Nodes& items) {
  if (!world.about(Theme::Rates)) return;
  world.checkers.push_back("plausible");
  items.push_back(line(fmt::format("checker plausible false_positive {} false_negative {};",
                                   world.dice.any({"0.05", "0", "1e-1"}),
                                   world.dice.any({"0.125", "0.5", "0"}))));
}

namespace {

// What is said of a function that is defined elsewhere; now and then nothing, or too much.
void say_of_extern(World& world, const Function& f, Nodes& clauses) {
  Dice& dice = world.dice;
  const bool truth = f.result == Scalar::Bool;
  const std::string x = f.params[0].name;
  const bool number = f.params[0].scalar != Scalar::Bool;
  if (number && dice.chance(25))
    clauses.push_back(claim(fmt::format("requires {} {}", x, dice.any({">= 0", "<= 3", "!= 1"}))));
  if (dice.chance(15)) clauses.push_back(claim(fmt::format("requires_r eq({})", x)));
  if (!truth && dice.chance(70)) {
    const bool low = f.result == Scalar::Uint;
    clauses.push_back(line(
        fmt::format("ensures {}", low && dice.chance(50)
                                      ? std::string("result <= 2")
                                      : dice.any({"0 <= result <= 1", "result == 0 || result == 1",
                                                  "0 <= result && result < 3"}))));
  }
  if (truth && number && dice.chance(40))
    clauses.push_back(line(fmt::format("ensures {} -> {}", dice.any({"result", "!result"}),
                                       fmt::format("{} {} 1", x, dice.any({"<=", ">"})))));
  if (dice.chance(50)) {
    const std::string order = truth
                                  ? dice.any({"result<r> -> result<o>", "result<o> -> result<r>"})
                                  : dice.any({"result<r> <= result<o>", "result<o> <= result<r>"});
    clauses.push_back(line(fmt::format(
        "ensures_r {}", dice.chance(60)   ? fmt::format("eq({}) -> eq(result)", x)
                        : dice.chance(50) ? fmt::format("{0}<o> != {0}<r> -> ({1})", x, order)
                                          : order)));
  }
  if (world.about(Theme::Contradiction) && !truth && dice.chance(50)) {
    clauses.push_back(line(dice.any(
        {"ensures result > 2 && result < 1", "ensures false", "ensures result == result + 1"})));
    clauses.back().tag = "contradiction";
  }
  if (world.about(Theme::Rates) && dice.chance(50))
    clauses.push_back(line(fmt::format("reliability result >= 0.5 * R({})", x)));
}

}  // namespace

void write_externs(World& world, Nodes& items) {
  Dice& dice = world.dice;
  const bool wanted = world.about(Theme::Externs);
  if (!wanted && !(world.about(Theme::Tests) && dice.chance(45)) &&
      !(world.about(Theme::Contradiction) && dice.chance(25)))
    return;
  for (unsigned count = 1 + dice.pick(2); count > 0; --count) {
    Function f;
    f.external = true;
    f.name = world.name("ext");
    f.result = dice.chance(60) ? world.number : Scalar::Bool;
    if (world.about(Theme::Vectors) && dice.chance(30)) {
      f.params = {given("n", Scalar::Uint), vector("pv", world.number, "n")};
    } else {
      f.params = {given("px", dice.chance(80) ? world.number : Scalar::Uint)};
      if (dice.chance(25)) f.params.push_back(given("py", Scalar::Bool));
    }
    std::string params;
    for (const Variable& p : f.params) params += (params.empty() ? "" : ", ") + declare(p);
    Nodes parts;
    say_of_extern(world, f, parts);
    parts.push_back(line(fmt::format("extern {} {}({});", spelling(f.result), f.name, params)));
    items.push_back(group(std::move(parts)));
    world.functions.push_back(std::move(f));
  }
}

}  // namespace leto::soundness
