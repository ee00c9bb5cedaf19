// Functions that change what they are passed, or give several values, and calls of them.
#include <fmt/core.h>

#include "function_gen.h"

namespace leto::soundness {

namespace {

// Facts about what was passed and what it has become; the blank is the parameter.
const std::vector<std::string>& known_changes() {
  static const std::vector<std::string> kAll = {
      "ensures {0} >= old({0})",
      "ensures {0} == old({0})",
      "ensures {0} <= old({0}) + 2",
      "ensures_r eq(old({0})) -> eq({0})",
      "ensures_r eq({0})",
      "ensures_r {0}<r> >= old({0}<r>)",
      "ensures_r {0}<o> == old({0}<o>)",
      "ensures {0} != old({0})",
      "ensures_r old({0}<o>) <= {0}<r>",
      "ensures {0} == old({0}) + 1",
  };
  return kAll;
}

// Of a vector and its size n.
const std::vector<std::string>& known_vector_changes() {
  static const std::vector<std::string> kAll = {
      "ensures forall(uint k)(k < n -> {0}[k] == old({0})[k])",
      "ensures n > 0 -> {0}[0] >= old({0})[0]",
      "ensures_r eq(n) && eq(old({0})) -> eq({0})",
      "ensures_r forall(uint k)(k < n<r> -> {0}<r>[k] == old({0}<r>)[k])",
      "ensures n > 0 -> {0} == old({0})[0 := {0}[0]]",
  };
  return kAll;
}

}  // namespace

// One variable or more in place; what is left of it is claimed, rightly or not.
void Functions::write_changer(Nodes& items) {
  Changer made;
  made.name = world_.name("ch");
  const bool of_vector = world_.about(Theme::Vectors) && dice_.chance(50);
  if (of_vector) {
    made.params = {given("n", Scalar::Uint), vector("cv", world_.number, "n")};
    made.changed = {false, true};
  } else {
    made.params = {scalar("cx", world_.number)};
    made.changed = {true};
    if (dice_.chance(35)) {
      made.params.push_back(scalar("cy", world_.number));
      made.changed.push_back(true);
    }
  }
  if (dice_.chance(50)) {
    made.params.push_back(given("q", world_.number));
    made.changed.push_back(false);
  }
  if (dice_.chance(40))
    made.results = {world_.number, dice_.chance(50) ? Scalar::Bool : world_.number};
  else if (dice_.chance(35))
    made.results = {world_.number};
  Nodes clauses, body;
  promise_changes(made, clauses);
  change(made, body);
  finish_changer(std::move(made), std::move(clauses), std::move(body), items);
}

void Functions::promise_changes(const Changer& made, Nodes& clauses) {
  if (dice_.chance(40)) clauses.push_back(claim("requires_r eq(*)"));
  if (dice_.chance(30)) return;
  for (std::size_t i = 0; i < made.params.size(); ++i) {
    if (!made.changed[i]) continue;
    const bool is_vector = made.params[i].shape == Shape::Vector;
    const auto& all = is_vector ? known_vector_changes() : known_changes();
    clauses.push_back(claim(fill_in(dice_.any(all), made.params[i].name)));
    if (dice_.chance(30)) clauses.push_back(claim(fill_in(dice_.any(all), made.params[i].name)));
  }
  if (made.results.size() < 2) return;
  clauses.push_back(claim(dice_.any(
      {"ensures result.a >= 0", "ensures_r eq(result.a)", "ensures_r result<r>.a >= result<o>.a",
       "ensures_r result<o>.a == result<r>.a", "ensures_r eq(result.b) || true"})));
}

void Functions::change(const Changer& made, Nodes& body) {
  Scope scope;
  scope.variables = made.params;
  scope.is_void = made.results.empty();
  scope.result = made.results.empty() ? world_.number : made.results[0];
  scope.depth = 1;
  for (std::size_t i = 0; i < made.params.size(); ++i) {
    const Variable& p = made.params[i];
    if (!made.changed[i] || p.shape != Shape::Scalar) continue;
    scope.focus = p.name;
    const auto relaxed = dice_.chance(50) ? exprs_.relaxed(scope, p.scalar) : std::nullopt;
    const std::string value = relaxed            ? *relaxed
                              : dice_.chance(50) ? p.name + " + 1"
                                                 : exprs_.exact(scope, p.scalar);
    body.push_back(loose(fmt::format("{} = {};", p.name, value)));
    if (dice_.chance(25)) body.push_back(claim(fmt::format("assert {0} >= old({0});", p.name)));
  }
  if (made.params.size() > 1 && made.params[1].shape == Shape::Vector) {
    scope.result_vector = "cv";
    writer_.vectors(scope, body);
  }
  if (dice_.chance(40)) writer_.claims(scope, 1, body);
  std::string given_back;
  for (Scalar type : made.results)
    given_back += (given_back.empty() ? "" : ", ") + exprs_.atom(scope, type);
  if (!given_back.empty()) body.push_back(line(fmt::format("return {};", given_back)));
}

void Functions::finish_changer(Changer made, Nodes clauses, Nodes body, Nodes& items) {
  std::string params;
  for (std::size_t i = 0; i < made.params.size(); ++i)
    params += (i == 0 ? "" : ", ") + std::string(made.changed[i] ? "inout " : "") +
              declare(made.params[i]);
  const std::string type =
      made.results.empty() ? "void"
      : made.results.size() == 1
          ? spelling(made.results[0])
          : fmt::format("({} a, {} b)", spelling(made.results[0]), spelling(made.results[1]));
  clauses.push_back(block(fmt::format("{} {}({})", type, made.name, params), std::move(body)));
  Program alone;
  alone.items.push_back(group(std::move(clauses)));
  made.relaxed = is_relaxed(alone.text(), world_.functions);
  items.push_back(std::move(alone.items[0]));
  world_.changers.push_back(std::move(made));
}

// What is changed in place, and what results are put into, are different variables.
void Writer::change_in_place(Scope& scope, Nodes& out) {
  if (world_.changers.empty()) return assign(scope, out);
  const Changer& f = dice_.any(world_.changers);
  if (f.relaxed && scope.in_again) return assign(scope, out);
  std::vector<std::string> used;
  const auto fresh = [&](Scalar type) {
    const auto found = scope.select([&](const Variable& v) {
      const bool taken = std::find(used.begin(), used.end(), v.name) != used.end();
      return v.shape == Shape::Scalar && v.scalar == type && !v.fixed && !v.ghost && !v.pure &&
             v.region.empty() && !taken;
    });
    if (!found.empty() && dice_.chance(80)) {
      used.push_back(dice_.any(found)->name);
    } else {
      used.push_back(world_.name("t"));
      out.push_back(
          line(fmt::format("{} {} = {};", spelling(type), used.back(), exprs_.number(type, 2))));
      scope.variables.push_back(scalar(used.back(), type));
    }
    return used.back();
  };
  std::string targets, args, size;
  for (std::size_t i = 0; i < f.params.size(); ++i) {
    const Variable& p = f.params[i];
    std::string arg;
    if (p.shape == Shape::Vector) {
      const auto found = scope.select([&](const Variable& v) {
        return v.shape == Shape::Vector && v.scalar == p.scalar && !v.fixed && !v.ghost &&
               v.region.empty();
      });
      if (found.empty()) return assign(scope, out);
      arg = dice_.any(found)->name;
      args = scope.find(arg)->rows;  // its size stands before it
    } else if (f.changed[i]) {
      arg = fresh(p.scalar);
    } else if (p.name == "n") {
      continue;
    } else {
      arg = exprs_.atom(scope, p.scalar);
    }
    args += (args.empty() ? "" : ", ") + arg;
    if (f.changed[i]) scope.focus = arg;
  }
  for (Scalar type : f.results) targets += (targets.empty() ? "" : ", ") + fresh(type);
  const bool kept =
      !targets.empty() && (f.results.size() > 1 ? dice_.chance(85) : dice_.chance(70));
  out.push_back(loose(fmt::format("{}{}({});", kept ? targets + " = " : "", f.name, args)));
}

}  // namespace leto::soundness
