#include "function_gen.h"

#include <fmt/core.h>

namespace leto::soundness {

bool is_relaxed(const std::string& text, const std::vector<Function>& known) {
  if (text.find("@region") != std::string::npos) return true;
  for (std::size_t at = text.find(". "); at != std::string::npos; at = text.find(". ", at + 1))
    if (at > 0 && std::string("+-*/%<>=!&|").find(text[at - 1]) != std::string::npos) return true;
  for (const Function& f : known)
    if (f.relaxed && text.find(f.name + "(") != std::string::npos) return true;
  return false;
}

Scope Functions::scope_of(const Function& f) const {
  Scope scope;
  scope.variables = f.params;
  scope.is_void = f.is_void;
  scope.result = f.result;
  return scope;
}

void Functions::finish(Function f, Nodes clauses, Nodes body, Nodes& items) {
  std::string params;
  for (const Variable& p : f.params) params += (params.empty() ? "" : ", ") + declare(p);
  const std::string type = f.is_void ? "void"
                           : f.shape == Shape::Scalar
                               ? spelling(f.result)
                               : fmt::format("vector<{}>", spelling(f.result));
  Program inside;
  inside.items = body;
  const bool recursive = inside.text().find(f.name + "(") != std::string::npos;
  for (const Variable& p : f.params)
    if (recursive && p.shape == Shape::Scalar && p.scalar == Scalar::Uint && dice_.chance(40)) {
      clauses.push_back(claim("decreases " + p.name));
      break;
    }
  clauses.push_back(
      block(fmt::format("{}{} {}({})", dice_.chance(8) ? "ends " : "", type, f.name, params),
            std::move(body)));
  Program alone;
  alone.items.push_back(group(std::move(clauses)));
  f.relaxed = f.relaxed || is_relaxed(alone.text(), world_.functions);
  items.push_back(std::move(alone.items[0]));
  world_.functions.push_back(std::move(f));
}

// Contracts --------------------------------------------------------------------------------------

void Functions::promise(const Scope& before, const Function& f, unsigned percent, Nodes& clauses) {
  Scope after = before;
  if (!f.is_void) {
    Variable result = scalar("result", f.result);
    if (f.shape == Shape::Vector) result = vector("result", f.result, f.size);
    after.variables.push_back(result);
    after.focus = "result";
  }
  Specifications specs(world_, after);
  if (dice_.chance(percent)) clauses.push_back(claim("ensures " + specs.unary()));
  if (dice_.chance(percent / 4)) clauses.push_back(claim("ensures " + specs.unary()));
  if (dice_.chance(percent)) clauses.push_back(claim("ensures_r " + specs.relational()));
  if (dice_.chance(percent / 3)) clauses.push_back(claim("ensures_r " + specs.relational()));
}

void Functions::bound_chances(const Function& f, Nodes& clauses) {
  if (!world_.about(Theme::Rates) || !dice_.chance(60)) return;
  const std::string x = f.params.empty() ? "" : f.params[0].name;
  if (f.is_void) {
    if (!x.empty()) clauses.push_back(line(fmt::format("reliability 0.5 <= R({})", x)));
    return;
  }
  if (dice_.chance(60))
    clauses.push_back(
        line(fmt::format("reliability {} <= R(result{})", dice_.any({"0.25", "0.5", "1e-1"}),
                         !x.empty() && dice_.chance(30) ? ", " + x : "")));
  else
    clauses.push_back(line(fmt::format("reliability result >= 0.25 * R({})", x)));
}

// Callees ----------------------------------------------------------------------------------------

void Functions::write_plain(Nodes& items, bool contract) {
  Function f;
  f.name = world_.name("g");
  f.result = dice_.chance(75) ? world_.number : Scalar::Bool;
  f.params = {given("p", dice_.chance(85) ? world_.number : Scalar::Uint)};
  if (dice_.chance(30))
    f.params.push_back(given("q", dice_.chance(50) ? Scalar::Bool : world_.number));
  if (dice_.chance(20)) f.params[0].fixed = f.params[0].pure = false;
  Nodes clauses;
  Scope scope = scope_of(f);
  if (contract) {
    require(f, clauses);
    promise(scope, f, 75, clauses);
    bound_chances(f, clauses);
  }
  Nodes body;
  const std::string r = world_.name("t");
  const auto relaxed = dice_.chance(60) ? exprs_.relaxed(scope, f.result) : std::nullopt;
  body.push_back(line(fmt::format("{} {} = {};", spelling(f.result), r,
                                  relaxed ? *relaxed : exprs_.exact(scope, f.result))));
  scope.variables.push_back(scalar(r, f.result));
  scope.focus = r;
  scope.can_return = dice_.chance(25);
  scope.depth = 1;
  if (dice_.chance(40)) writer_.claims(scope, 1, body);
  writer_.statements(scope, dice_.pick(2), body);
  if (scope.can_return && dice_.chance(60)) writer_.return_early(scope, body);
  body.push_back(line(fmt::format("return {};", r)));
  finish(std::move(f), std::move(clauses), std::move(body), items);
}

// It changes the model's state, and what it returns depends on that.
void Functions::write_tick(Nodes& items) {
  if (world_.model.states.empty()) return write_plain(items, dice_.chance(50));
  Function f;
  f.name = world_.name("tick");
  f.result = dice_.chance(65) ? Scalar::Bool : world_.number;
  f.params = {given("p", dice_.chance(65) ? Scalar::Bool : world_.number)};
  Named s = dice_.any(world_.model.states);
  if (!world_.model.hits.empty() && dice_.chance(60)) s = {world_.model.hits, Scalar::Uint};
  const bool number = s.scalar != Scalar::Bool;
  const std::string x = "model." + s.name;
  Nodes clauses, body;
  const Scope scope = scope_of(f);
  if (dice_.chance(30)) promise(scope, f, 60, clauses);
  const std::string change = number
                                 ? dice_.any({"{0} = {0} + 1;", "++{0};", "{0} += 1;", "{0} = 0;"})
                                 : dice_.any({"{0} = !{0};", "{0} = true;", "{0} = false;"});
  body.push_back(loose(fill_in(change, x)));
  const std::string seen =
      number ? fmt::format("{} {} {}", x, dice_.any({">=", "<", "==", ">="}), 1 + dice_.pick(3))
             : (dice_.chance(50) ? x : "!" + x);
  const std::string p = f.params[0].scalar == Scalar::Bool ? "p" : "p > 0";
  if (f.result == Scalar::Bool) {
    const std::string pattern = dice_.any({"{0} -> {1}", "{1}", "{0} -> {1}", "!({0}) -> {1}"});
    body.push_back(line(fmt::format("return {};", fill_in(pattern, p, enclose(seen)))));
  } else {
    body.push_back(
        block(fmt::format("if ({})", seen), {line(fmt::format("return {};", dice_.pick(2)))}));
    body.push_back(line(fmt::format("return {};", exprs_.atom(scope, f.result))));
  }
  finish(std::move(f), std::move(clauses), std::move(body), items);
}

// Claims about its parameters, which are those of one run only where one run calls.
void Functions::write_claimer(Nodes& items) {
  Function f;
  f.name = world_.name("h");
  f.is_void = dice_.chance(70);
  f.result = world_.number;
  f.params = {given("p", world_.number)};
  if (dice_.chance(30)) f.params.push_back(given("q", Scalar::Bool));
  Nodes clauses, body;
  Scope scope = scope_of(f);
  scope.focus = "p";
  scope.depth = 1;
  if (dice_.chance(50)) require(f, clauses);
  if (dice_.chance(30)) promise(scope, f, 60, clauses);
  body.push_back(
      claim(dice_.any({"assert_r eq(p);", "assert_r p<r> >= 0;", "assert_r p<o> <= p<r>;",
                       "assert_r p<r> == p<o> + 1;", "assert p <= 2;"})));
  if (dice_.chance(50)) writer_.claims(scope, 1, body);
  if (dice_.chance(40)) {
    const std::string i = world_.name("i");
    Node n = block(fmt::format("for (uint {0} = 0; {0} < 1; ++{0})", i));
    n.body.push_back(invariant(fmt::format("invariant_r {}", dice_.any({"eq(p)", "p<r> >= 0"}))));
    n.body.push_back(invariant(fmt::format("invariant_r eq({})", i)));
    writer_.claims(scope, 1, n.body);
    body.push_back(std::move(n));
  }
  if (f.is_void && dice_.chance(30)) body.push_back(line("return;"));
  if (!f.is_void) body.push_back(line(fmt::format("return {};", exprs_.exact(scope, f.result))));
  finish(std::move(f), std::move(clauses), std::move(body), items);
}

// It counts, with invariants about both runs, which only hold where both call.
void Functions::write_counter(Nodes& items) {
  Function f;
  f.name = world_.name("count");
  f.result = world_.number;
  f.params = {given("p", world_.number)};
  Nodes clauses, body;
  Scope scope = scope_of(f);
  if (dice_.chance(70)) {
    if (dice_.chance(80)) clauses.push_back(claim("requires_r eq(p)"));
    clauses.push_back(claim(dice_.any({"ensures_r eq(result)", "ensures_r eq(p) -> eq(result)"})));
    if (dice_.chance(50)) clauses.push_back(claim("ensures result >= 0"));
  }
  const std::string k = world_.name("t");
  body.push_back(line(fmt::format("{} {} = 0;", spelling(f.result), k)));
  Node n = block(fmt::format("while ({} < p)", k));
  n.body.push_back(invariant(fmt::format("invariant_r eq({})", k)));
  n.body.push_back(invariant(fmt::format("invariant {0} <= p {1} {0} == 0", k,
                                         f.result == Scalar::Real ? "+ 1 ||" : "||")));
  if (dice_.chance(40)) n.body.push_back(invariant("invariant_r eq(p)"));
  n.body.push_back(line(fmt::format("{0} = {0} + 1;", k)));
  body.push_back(std::move(n));
  scope.variables.push_back(scalar(k, f.result));
  scope.focus = k;
  if (dice_.chance(40)) writer_.claims(scope, 1, body);
  body.push_back(line(fmt::format("return {};", k)));
  finish(std::move(f), std::move(clauses), std::move(body), items);
}

// A vector goes in and one comes out.
void Functions::write_copier(Nodes& items) {
  Function f;
  f.name = world_.name("c");
  f.result = world_.number;
  f.shape = Shape::Vector;
  f.size = "n";
  f.params = {given("n", Scalar::Uint), vector("pv", world_.number, "n")};
  Nodes clauses, body;
  Scope scope = scope_of(f);
  if (dice_.chance(70)) clauses.push_back(claim("requires_r eq(*)"));
  if (dice_.chance(60)) promise(scope, f, 70, clauses);
  body.push_back(
      line(declare(vector("pw", world_.number, "n")) + (dice_.chance(70) ? " = pv;" : ";")));
  scope.variables.push_back(vector("pw", world_.number, "n"));
  scope.result_vector = "pw";
  scope.depth = 1;
  writer_.vectors(scope, body);
  body.push_back(line(fmt::format("return {};", dice_.any({"pw", "pw", "pv"}))));
  finish(std::move(f), std::move(clauses), std::move(body), items);
}

// What it promises is wrong, or right by way of itself only.
void Functions::write_promiser(Nodes& items) {
  Function f;
  f.name = world_.name("w");
  f.result = world_.number;
  f.is_void = dice_.chance(30);
  f.params = {given("p", world_.number)};
  Nodes clauses, body;
  if (dice_.chance(50)) clauses.push_back(claim("requires_r eq(*)"));
  const auto clause = [&](const std::string& text) {
    clauses.push_back(claim(text));
    clauses.back().tag = "contradiction";
  };
  if (dice_.chance(35))
    clause(dice_.any({"requires p > 1 && p < 1", "ensures false", "ensures_r false"}));
  if (!f.is_void)
    clause(fmt::format("ensures result == p + {}", dice_.pick(2)));
  else
    clause(dice_.any({"ensures p < p", "ensures p > 1", "ensures_r p<r> > p<o>"}));
  if (dice_.chance(40)) {
    // A recursive function has to keep some clause.
    clauses.insert(clauses.begin(), line("requires p == p"));
    body.push_back(
        loose(f.is_void ? fmt::format("{}(p);", f.name) : fmt::format("p = {}(p);", f.name)));
    f.params[0].fixed = f.params[0].pure = false;
  }
  if (!f.is_void) body.push_back(line(fmt::format("return p{};", dice_.any({"", " + 1", " + 1"}))));
  finish(std::move(f), std::move(clauses), std::move(body), items);
}

}  // namespace leto::soundness
