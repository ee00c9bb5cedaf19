#include "stmt_gen.h"

#include <fmt/core.h>

namespace leto::soundness {

Scalar Writer::some_type() {
  return dice_.chance(80) ? world_.number : dice_.chance(40) ? Scalar::Bool : Scalar::Uint;
}

Scope Writer::inside(const Scope& scope) const {
  Scope inner = scope;
  ++inner.depth;
  return inner;
}

std::string Writer::target(Scope& scope, Scalar type, Nodes& out) {
  const std::string found = exprs_.assignable(scope, type);
  if (!found.empty()) return found;
  const std::string fresh = world_.name(type == Scalar::Bool ? "b" : "t");
  out.push_back(line(fmt::format("{} {} = {};", spelling(type), fresh, exprs_.number(type, 2))));
  scope.variables.push_back(scalar(fresh, type));
  return fresh;
}

// Claims -----------------------------------------------------------------------------------------

void Writer::claims(const Scope& scope, unsigned count, Nodes& out) {
  Specifications specs(world_, scope);
  for (unsigned i = 0; i < count; ++i) {
    if (dice_.chance(35))
      out.push_back(
          claim(fmt::format("{} {};", dice_.chance(65) ? "assert" : "assume", specs.unary())));
    else
      out.push_back(claim(fmt::format("assert_r {};", specs.relational())));
  }
}

void Writer::claim_about(const Scope& scope, const std::string& variable, unsigned count,
                         Nodes& out) {
  Scope focused = scope;
  focused.focus = variable;
  claims(focused, count, out);
}

// Assignments ------------------------------------------------------------------------------------

void Writer::step(const std::string& x, Scalar type, Nodes& out) {
  const bool up = dice_.chance(60);
  if (up || type != Scalar::Uint) {
    out.push_back(loose(fmt::format("{}{};", up ? "++" : "--", x)));
    return;
  }
  Nodes inner;
  inner.push_back(loose(fmt::format("--{};", x)));
  out.push_back(loosely(block(fmt::format("if ({} > 0)", x), std::move(inner))));
}

void Writer::assign_with(const Scope& scope, const std::string& x, Scalar type, Nodes& out) {
  const bool real = type == Scalar::Real, natural = type == Scalar::Uint;
  switch (dice_.pick(6)) {
    case 0:
      out.push_back(loose(fmt::format("{} += {};", x, exprs_.atom(scope, type))));
      break;
    case 1:
      if (natural) {
        Nodes inner;
        inner.push_back(loose(fmt::format("{} -= 1;", x)));
        out.push_back(loosely(block(fmt::format("if (1 <= {})", x), std::move(inner))));
      } else {
        out.push_back(loose(fmt::format("{} -= {};", x, exprs_.atom(scope, type))));
      }
      break;
    case 2:
      out.push_back(loose(fmt::format("{} *= {};", x, dice_.any({"2", "0", "1", "3"}))));
      break;
    case 3:
      out.push_back(loose(fmt::format("{} /= {};", x, dice_.any({"2", "1", "3"}))));
      break;
    default:
      out.push_back(loose(real ? fmt::format("{} /= 2;", x)
                               : fmt::format("{} %= {};", x, dice_.any({"2", "3"}))));
      break;
  }
}

void Writer::assign(Scope& scope, Nodes& out) {
  const Scalar type = some_type();
  const std::string x = target(scope, type, out);
  scope.focus = x;
  if (type != Scalar::Bool && dice_.chance(20)) return step(x, type, out);
  if (type != Scalar::Bool && dice_.chance(25)) return assign_with(scope, x, type, out);
  if (type == Scalar::Int && dice_.chance(4))  // that it is not zero has to be shown
    if (const std::string y = exprs_.readable(scope, type); !y.empty() && y != x) {
      Nodes inner;
      inner.push_back(loose(
          fmt::format("{} = {} {} {};", x, exprs_.atom(scope, type), dice_.any({"/", "%"}), y)));
      out.push_back(loosely(block(fmt::format("if ({} {})", y, dice_.any({"!= 0", "> 0", "!= 1"})),
                                  std::move(inner))));
      return;
    }
  out.push_back(loose(fmt::format("{} = {};", x, exprs_.value(scope, type))));
}

void Writer::assign_relaxed(Scope& scope, Nodes& out) {
  const Operation& op = dice_.any(world_.model.operations);
  const Scalar type = op.result();
  const std::string x = target(scope, type, out);
  scope.focus = x;
  // As an assignment with an operator: the target is the first operand.
  if (!op.unary && op.operand == type && type != Scalar::Bool && dice_.chance(40)) {
    const std::string b =
        op.sign == "/" || op.sign == "%" ? dice_.any({"2", "3", "1"}) : exprs_.atom(scope, type);
    out.push_back(loose(fmt::format("{} {}=. {};", x, op.sign, b)));
    return;
  }
  const auto r = exprs_.relaxed(scope, type);
  out.push_back(loose(fmt::format("{} = {};", x, r ? *r : exprs_.exact(scope, type))));
}

void Writer::declare_some(Scope& scope, Nodes& out) {
  const Scalar type = some_type();
  const std::string first = world_.name("t");
  std::string text = fmt::format("{} {}", spelling(type), first);
  if (dice_.chance(80)) {
    const auto r = dice_.chance(40) ? exprs_.relaxed(scope, type) : std::nullopt;
    text += " = " + (r ? *r : exprs_.exact(scope, type));
  }
  scope.variables.push_back(scalar(first, type));
  if (dice_.chance(30)) {
    const std::string second = world_.name("t");
    text += ", " + second;
    if (dice_.chance(50)) text += " = " + exprs_.exact(scope, type);
    scope.variables.push_back(scalar(second, type));
  }
  scope.focus = first;
  out.push_back(line(text + ";"));
}

// Branches, calls --------------------------------------------------------------------------------

void Writer::branch(Scope& scope, Nodes& out) {
  Nodes parts;
  const auto part = [&](const std::string& head) {
    Scope inner = inside(scope);
    Nodes body;
    statements(inner, 1 + dice_.pick(2), body);
    if (dice_.chance(30)) claims(inner, 1, body);
    parts.push_back(block(head, std::move(body)));
  };
  part(fmt::format("if ({})", exprs_.condition(scope)));
  if (dice_.chance(15)) part(fmt::format("else if ({})", exprs_.condition(scope)));
  if (dice_.chance(50)) part("else");
  out.push_back(loosely(group(std::move(parts))));
}

void Writer::call(Scope& scope, Nodes& out) {
  if (world_.functions.empty()) return assign(scope, out);
  const Function& f = dice_.any(world_.functions);
  const auto text = exprs_.call(scope, f);
  if (!text) return assign(scope, out);
  if (f.shape == Shape::Vector) {
    const auto found = scope.select([&](const Variable& v) {
      return v.shape == Shape::Vector && v.scalar == f.result && !v.fixed && !v.ghost;
    });
    if (found.empty()) return assign(scope, out);
    scope.focus = dice_.any(found)->name;
    out.push_back(loose(fmt::format("{} = {};", scope.focus, *text)));
    return;
  }
  if (f.is_void || dice_.chance(12)) {
    out.push_back(loose(*text + ";"));
    return;
  }
  const std::string x = target(scope, f.result, out);
  scope.focus = x;
  if (f.result != Scalar::Bool && dice_.chance(25)) {
    const auto again = exprs_.call(scope, f.result);
    out.push_back(loose(fmt::format("{} = {} + {};", x, *text, again ? *again : "1")));
    return;
  }
  out.push_back(loose(fmt::format("{} = {};", x, *text)));
}

// Statements -------------------------------------------------------------------------------------

void Writer::motif(Theme theme, Scope& scope, Nodes& out) {
  switch (theme) {
    case Theme::Bools:
      return bools(scope, out);
    case Theme::Vectors:
      return vectors(scope, out);
    case Theme::Matrices:
      return matrices(scope, out);
    case Theme::Regions:
      regions(scope, out);
      return regions(scope, out);
    case Theme::Ghosts:
      return ghosts(scope, out);
    case Theme::Labels:
    case Theme::Loops:
    case Theme::Constants:
      return loop(scope, out);
    case Theme::Nested:
      return nested_loops(scope, out);
    case Theme::Recovery:
    case Theme::Rates:
      return recover(scope, out, false);
    case Theme::RedoUnder:
      return recover(scope, out, true);
    case Theme::Recursion:
    case Theme::Externs:
    case Theme::Calls:
      call(scope, out);
      return claims(scope, 2, out);
    case Theme::Returns:
      return_early(scope, out);
      return claims(scope, 1, out);
    case Theme::Properties:
    case Theme::Quantifiers:
      assign_relaxed(scope, out);
      return claims(scope, 3, out);
    case Theme::State:
    case Theme::Refinement:
      return state(scope, out);
    case Theme::Numbers:
      return odd_numbers(scope, out);
    case Theme::Chains:
      return chain(scope, out);
    case Theme::Parting:
      return part(scope, out);
    case Theme::Contradiction:
      return contradict(scope, out);
    case Theme::Hub:
      return derive_input(scope, out);
    case Theme::Tests:
      return loop_with_test(scope, out);
  }
}

void Writer::statement(Scope& scope, Nodes& out) {
  const bool nests = scope.depth < 3 && world_.budget > 0;
  --world_.budget;
  switch (dice_.weighted({26, 26, 6, nests ? 14u : 0u, nests ? 9u : 0u, 16,
                          world_.functions.empty() ? 0u : 14u, nests ? 30u : 0u,
                          world_.lemmas.empty() ? 0u : 25u, world_.changers.empty() ? 0u : 25u,
                          nests ? 2u : 0u})) {
    case 0:
      return assign(scope, out);
    case 1:
      return assign_relaxed(scope, out);
    case 2:
      return declare_some(scope, out);
    case 3:
      return branch(scope, out);
    case 4:
      return loop(scope, out);
    case 5:
      return claims(scope, 1 + dice_.pick(2), out);
    case 6:
      return call(scope, out);
    case 7:
      return motif(dice_.any(world_.themes.list()), scope, out);
    case 8:
      return recall(scope, out);
    case 9:
      return change_in_place(scope, out);
    default: {
      Scope inner = inside(scope);
      Node n = block("");
      statements(inner, 1 + dice_.pick(2), n.body);
      out.push_back(loosely(std::move(n)));
      return;
    }
  }
}

void Writer::statements(Scope& scope, unsigned count, Nodes& out) {
  for (unsigned i = 0; i < count; ++i) statement(scope, out);
}

}  // namespace leto::soundness
