// Recursive functions, and the function that all is about.
#include <fmt/core.h>

#include "function_gen.h"

namespace leto::soundness {

// Recursion --------------------------------------------------------------------------------------

// The call, and what is left of the parameters after it.
void Functions::recurse(const Function& f, const std::string& depth, Nodes& body) {
  Scope scope = scope_of(f);
  scope.depth = 1;
  const std::string r = world_.name("t"), k = world_.name("t");
  const Scalar t = f.result;
  const bool kept = dice_.chance(60);
  if (kept) {
    body.push_back(line(fmt::format("uint {} = {};", k, depth)));
    scope.variables.push_back(given(k, Scalar::Uint));
  }
  body.push_back(line(fmt::format("{} {} = {};", spelling(t), r, dice_.pick(2))));
  scope.variables.push_back(scalar(r, t));
  const std::string more =
      f.params.size() > 1
          ? ", " + (dice_.chance(60) ? f.params[1].name : exprs_.exact(scope, f.params[1].scalar))
          : "";
  const std::string call = fmt::format("{}({} - 1{})", f.name, depth, more);
  Nodes inner;
  inner.push_back(loose(
      fmt::format("{} = {};", r, dice_.chance(70) ? call : fmt::format("{} + {}", call, depth))));
  if (dice_.chance(12)) inner.push_back(loose(fmt::format("{0} = {0} + {1};", r, call)));
  if (kept)
    inner.push_back(
        claim(dice_.chance(50)
                  ? fmt::format("assert_r {}<r> == {}<r>{};", depth, k, dice_.any({"", " - 1"}))
                  : fmt::format("assert {} == {}{};", depth, k, dice_.any({"", " - 1"}))));
  scope.focus = dice_.chance(50) ? depth : r;
  writer_.claims(scope, 1, inner);
  if (dice_.chance(50)) writer_.assign_relaxed(scope, inner);
  if (dice_.chance(60)) {
    body.push_back(block(fmt::format("if ({} == 0)", depth),
                         {line(fmt::format("return {};", dice_.pick(2)))}));
    for (Node& n : inner) body.push_back(std::move(n));
  } else {
    body.push_back(block(fmt::format("if ({} > 0)", depth), std::move(inner)));
  }
  const std::string last = dice_.any({"{0}", "{0} + {1}", "{1}", "2 * {1}", "{0} + 1", "{0}"});
  body.push_back(line(fmt::format("return {};", fill_in(last, r, depth))));
}

void Functions::write_recursive(Nodes& items) {
  Function f;
  f.name = world_.name("rec");
  f.result = dice_.chance(80) ? world_.number : Scalar::Uint;
  f.bounded = true;
  f.params = {given("n", Scalar::Uint)};
  if (dice_.chance(40))
    f.params.push_back(given("p", dice_.chance(80) ? world_.number : Scalar::Bool));
  Nodes clauses, body;
  clauses.push_back(line("requires n <= 3"));
  if (dice_.chance(75))
    clauses.push_back(claim(dice_.any({"requires_r eq(*)", "requires_r eq(n)"})));
  clauses.push_back(claim(fmt::format(
      "ensures {}", dice_.any({"result == n", "result >= 0", "result <= n + 1", "result == 2 * n",
                               "2 * result == n * (n + 1)", "result == 2 * n - 2 || n == 0",
                               "result <= 3", "n > 0 -> result >= 1"}))));
  Scope scope = scope_of(f);
  promise(scope, f, 50, clauses);
  clauses.push_back(claim(dice_.any({"ensures_r eq(result)", "ensures_r eq(n) -> eq(result)",
                                     "ensures_r result<o> <= result<r>"})));
  recurse(f, "n", body);
  finish(std::move(f), std::move(clauses), std::move(body), items);
}

// Two that call one another.
void Functions::write_mutual(Nodes& items) {
  const std::string even = world_.name("even"), odd = world_.name("odd");
  for (const bool first : {true, false}) {
    Function f;
    f.name = first ? even : odd;
    f.result = Scalar::Bool;
    f.bounded = true;
    f.params = {given("n", Scalar::Uint)};
    Nodes clauses, body;
    clauses.push_back(line("requires n <= 3"));
    if (dice_.chance(60)) clauses.push_back(claim("requires_r eq(n)"));
    clauses.push_back(
        claim(fmt::format("ensures result == (n % 2 == {})", dice_.chance(85) == first ? 0 : 1)));
    if (dice_.chance(70)) clauses.push_back(claim("ensures_r eq(result)"));
    body.push_back(block("if (n == 0)", {line(fmt::format("return {};", first))}));
    body.push_back(line(fmt::format("bool b = {}(n - 1);", first ? odd : even)));
    if (dice_.chance(60))
      body.push_back(
          claim(dice_.any({"assert n > 0;", "assert_r eq(n);", "assert b == (n % 2 == 1);"})));
    body.push_back(line("return b;"));
    finish(std::move(f), std::move(clauses), std::move(body), items);
  }
}

// Callees ----------------------------------------------------------------------------------------

void Functions::write_callees(Nodes& items) {
  const auto about = [&](Theme theme) { return world_.about(theme); };
  if (about(Theme::Recursion)) {
    if (dice_.chance(25))
      write_mutual(items);
    else
      write_recursive(items);
  }
  if (about(Theme::Contradiction) && dice_.chance(50)) write_promiser(items);
  if ((about(Theme::Tests) && dice_.chance(65)) || (about(Theme::State) && dice_.chance(30)))
    write_tick(items);
  if (dice_.chance(about(Theme::Tests) ? 30 : about(Theme::Calls) ? 15 : 0)) write_counter(items);
  if (about(Theme::Tests) && dice_.chance(15)) write_recursive(items);
  if ((about(Theme::Parting) || about(Theme::Returns)) && dice_.chance(50)) write_claimer(items);
  if (about(Theme::Vectors) && dice_.chance(about(Theme::Calls) ? 60 : 15)) write_copier(items);
  if (dice_.chance(about(Theme::Calls) ? 45 : 11)) write_changer(items);
  if (dice_.chance(about(Theme::Regions) ? 30 : 6)) write_records(items);
  if (about(Theme::Calls)) {
    write_plain(items, dice_.chance(50));
    if (dice_.chance(50)) write_claimer(items);
    if (dice_.chance(40)) write_plain(items, dice_.chance(50));
  } else if (dice_.chance(
                 about(Theme::Tests) || about(Theme::Parting) || about(Theme::Chains) ? 45 : 12)) {
    write_plain(items, dice_.chance(50));
  }
}

// The function itself ----------------------------------------------------------------------------

void Functions::choose_params(Function& f) {
  const Scalar t = world_.number;
  const auto about = [&](Theme theme) { return world_.about(theme); };
  f.params = {given("a", t)};
  if (dice_.chance(60)) f.params.push_back(given("b", t));
  for (Variable& v : f.params)
    if (dice_.chance(20)) v.fixed = v.pure = false;
  if (dice_.chance(about(Theme::Bools) ? 90 : about(Theme::Tests) ? 60 : 12))
    f.params.push_back(given("p", Scalar::Bool));
  const bool sized = about(Theme::Vectors) || about(Theme::Matrices) || about(Theme::Ghosts);
  if (dice_.chance(sized                                                                 ? 80
                   : about(Theme::Loops) || about(Theme::Nested) || about(Theme::Labels) ? 50
                                                                                         : 12))
    f.params.push_back(given("n", Scalar::Uint));
  const bool has_n = f.params.back().name == "n";
  if (about(Theme::Vectors)) {
    Variable v = vector("v", t, has_n ? "n" : "2");
    v.fixed = dice_.chance(60);
    f.params.push_back(v);
  }
  if (about(Theme::Matrices) && dice_.chance(70)) {
    const std::string rows = has_n && dice_.chance(60) ? "n" : "2";
    Variable A = matrix("A", t, rows, has_n && dice_.chance(40) ? "n" : dice_.any({"1", "2"}));
    A.fixed = dice_.chance(60);
    f.params.push_back(A);
  }
  if (!world_.model.regions.empty() && dice_.chance(40)) {
    Variable c = scalar("cell", world_.model.regions[0].scalar);
    c.region = world_.model.regions[0].name;
    f.params.push_back(c);
  }
}

// How the runs' inputs are related.
std::vector<std::string> Functions::relate_inputs(const Function& f) {
  const Variable& a = f.params[0];
  const bool number = a.scalar != Scalar::Bool && a.shape == Shape::Scalar;
  const bool main = f.name == "f", tests = main && world_.about(Theme::Tests);
  switch (dice_.weighted({main ? 75u : 35u, 20, number ? 5u : 0u, main ? 8u : 0u,
                          tests  ? 30u
                          : main ? 6u
                                 : 20u})) {
    case 0:
      return {"eq(*)"};
    case 1: {
      std::vector<std::string> list{fmt::format("eq({})", a.name)};
      if (f.params.size() > 1 && dice_.chance(60))
        list.push_back(fmt::format("eq({})", f.params[1].name));
      return list;
    }
    case 2:
      return {fill_in(
          dice_.any({"{0}<o> <= {0}<r>", "{0}<r> == {0}<o> + 1", "abs({0}<o> - {0}<r>) <= 1"}),
          a.name)};
    case 3:
      if (world_.model.flag.empty()) return {fmt::format("eq({})", a.name)};
      return {fmt::format("eq({}) && (model.{} || true)", a.name, world_.model.flag)};
    default:
      break;
  }
  std::vector<std::string> list;
  for (const Variable& p : f.params)
    if (p.scalar == Scalar::Bool && p.shape == Shape::Scalar && main && dice_.chance(70))
      list.push_back(fill_in(dice_.any({"!{0}<o> && {0}<r>", "{0}<o> && !{0}<r>"}), p.name));
  return list;
}

// What both runs, and each of them, start from.
void Functions::require(const Function& f, Nodes& clauses) {
  const Variable& a = f.params[0];
  const bool main = f.name == "f";
  const auto add = [&](const std::string& text) {
    clauses.push_back(main ? line(text) : claim(text));
  };
  for (const std::string& text : relate_inputs(f)) add("requires_r " + text);
  if (a.scalar != Scalar::Bool && a.shape == Shape::Scalar && dice_.chance(30))
    add("requires " +
        fill_in(dice_.any({"{0} <= 2", "0 <= {0} <= 2", "{0} >= 0", "{0} != 1", "{0} > 0"}),
                a.name));
  if (!world_.model.suspects.empty() && a.scalar == world_.number && a.shape == Shape::Scalar &&
      dice_.chance(40))
    add(fmt::format("requires {}model.{}({})", dice_.chance(75) ? "!" : "", world_.model.suspects,
                    a.name));
  for (const Variable& p : f.params)
    if (p.name == "n" && main && dice_.chance(50))
      add("requires " + dice_.any({"n == 2", "n >= 1", "1 <= n <= 2", "n == 1"}));
}

void Functions::write_body(Scope& scope, Nodes& body) {
  const Scalar t = world_.number;
  const auto declare = [&](const char* name, const std::string& value) {
    body.push_back(line(fmt::format("{} {} = {};", spelling(t), name, value)));
    scope.variables.push_back(scalar(name, t));
  };
  declare("x", dice_.chance(75) ? "a" : exprs_.exact(scope, t));
  if (dice_.chance(80)) declare("y", dice_.chance(60) ? "0" : exprs_.exact(scope, t));
  scope.can_return = dice_.chance(world_.about(Theme::Returns) ? 100 : 25);
  writer_.prepare(scope, body);
  for (const Theme theme : world_.themes.list()) {
    if (dice_.chance(25)) writer_.statements(scope, 1, body);
    writer_.motif(theme, scope, body);
  }
  writer_.statements(scope, 1 + dice_.pick(2), body);
  if (!world_.changers.empty() && dice_.chance(70)) writer_.change_in_place(scope, body);
  if (!world_.lemmas.empty()) writer_.recall(scope, body);
  writer_.claims(scope, 1 + dice_.pick(2), body);
  if (scope.can_return && dice_.chance(world_.about(Theme::Returns) ? 25 : 5))
    writer_.endless_loop(scope, body);
}

void Functions::write_main(Nodes& items) {
  const Scalar t = world_.number;
  Function f;
  f.name = "f";
  choose_params(f);
  const bool returns_vector = world_.about(Theme::Vectors) && dice_.chance(20);
  f.is_void = !returns_vector && dice_.chance(15);
  f.result = !returns_vector && dice_.chance(12) ? Scalar::Bool : t;
  Scope scope = scope_of(f);
  if (returns_vector) {
    f.shape = Shape::Vector;
    f.size = scope.find("v")->rows;
    scope.result_vector = "v";
  }
  Nodes clauses, body;
  require(f, clauses);
  promise(scope, f, 45, clauses);
  bound_chances(f, clauses);
  write_body(scope, body);
  if (!f.is_void) {
    const std::string r = returns_vector                      ? "v"
                          : dice_.chance(70) && f.result == t ? "x"
                                                              : exprs_.value(scope, f.result);
    body.push_back(line(fmt::format("return {};", r)));
  }
  finish(std::move(f), std::move(clauses), std::move(body), items);
}

}  // namespace leto::soundness
