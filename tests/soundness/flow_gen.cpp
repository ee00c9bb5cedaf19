// Where the runs part, where one of them is alone, where they return and where they recover.
#include <fmt/core.h>

#include "stmt_gen.h"

namespace leto::soundness {

namespace {

Node tagged(Node n, std::string_view tag) {
  n.tag = tag;
  return n;
}

}  // namespace

// Where the runs part ----------------------------------------------------------------------------

// A variable that the other run may not have.
void Writer::declare_alone(Scope& scope, Nodes& out) {
  const Scalar t = world_.number;
  const std::string z = world_.name("z");
  out.push_back(line(fmt::format("{} {} = {};", spelling(t), z, exprs_.exact(scope, t))));
  scope.variables.push_back(scalar(z, t));
  Specifications specs(world_, scope);
  const Variable& v = scope.variables.back();
  out.push_back(claim(fmt::format("assert_r {};", specs.fact(v, View::Relaxed))));
  out.push_back(claim(fmt::format(
      "assert_r {};", dice_.chance(50) ? fmt::format("eq({})", z) : specs.relational(v))));
}

// A loop whose invariants relate the runs, though only one of them may be in it.
void Writer::loop_alone(Scope& scope, Nodes& out) {
  const std::string x = target(scope, world_.number, out);
  const std::string i = world_.name("i");
  const bool counts = dice_.chance(40);
  const unsigned times = 1 + dice_.pick(2);
  Node n = block(counts ? fmt::format("for (uint {0} = 0; {0} < {1}; ++{0})", i, times)
                        : fmt::format("repeat {}", times));
  Specifications specs(world_, scope);
  n.body.push_back(invariant(
      fmt::format("invariant_r {}eq({})", dice_.chance(50) ? "" : specs.unless_struck(), x)));
  if (dice_.chance(50)) n.body.push_back(invariant("invariant " + specs.unary(*scope.find(x))));
  if (dice_.chance(50))
    n.body.push_back(invariant("invariant_r " + specs.relational(*scope.find(x))));
  n.body.push_back(loose(fmt::format("{0} = {0} + 1;", x)));
  n.loose = true;
  out.push_back(std::move(n));
  scope.focus = x;
  claim_about(scope, x, 1, out);
}

void Writer::alone(Scope& scope, Nodes& out) {
  switch (dice_.weighted({15, world_.functions.empty() ? 0u : 28u, 20, 14, 12, 24})) {
    case 0:
      return declare_alone(scope, out);
    case 1:
      call(scope, out);
      return claims(scope, 2, out);
    case 2:
      return loop_alone(scope, out);
    case 3:
      return return_early(scope, out);
    case 4:
      return state(scope, out);
    default:
      statements(scope, 1, out);
      return claims(scope, 2, out);
  }
}

// A test that comes out differently where a fault has struck; in one way only, or in both.
std::string Writer::parting_test(const Scope& scope, const std::string& y) {
  if (!world_.model.flag.empty() && dice_.chance(20))
    return (dice_.chance(75) ? "!model." : "model.") + world_.model.flag;
  if (dice_.chance(30))
    if (const auto relaxed = exprs_.relaxed(scope, Scalar::Bool)) return *relaxed;
  return fmt::format("{} {} {}", y, dice_.any({">", "<", "==", "<=", ">="}),
                     exprs_.number(world_.number, 2));
}

void Writer::part(Scope& scope, Nodes& out) {
  const Scalar t = world_.number;
  const std::string y = target(scope, t, out);
  if (const auto r = exprs_.relaxed(scope, t)) out.push_back(loose(fmt::format("{} = {};", y, *r)));
  Nodes parts;
  std::string touched = y;
  const auto way = [&](const std::string& head) {
    Scope inner = inside(scope);
    Nodes body;
    alone(inner, body);
    if (scope.find(inner.focus) != nullptr) touched = inner.focus;
    parts.push_back(block(head, std::move(body)));
  };
  way(fmt::format("if ({})", parting_test(scope, y)));
  if (dice_.chance(35)) way("else");
  out.push_back(loosely(group(std::move(parts))));
  claim_about(scope, touched, 2, out);
  claims(scope, 1, out);
}

// Early returns ----------------------------------------------------------------------------------

void Writer::return_early(Scope& scope, Nodes& out) {
  if (scope.in_try || !scope.can_return) return claims(scope, 2, out);
  Scope inner = inside(scope);
  Nodes body;
  if (dice_.chance(40)) claims(inner, 1, body);
  body.push_back(line(scope.is_void ? "return;"
                      : !scope.result_vector.empty()
                          ? fmt::format("return {};", scope.result_vector)
                          : fmt::format("return {};", exprs_.value(inner, scope.result))));
  if (dice_.chance(8)) claims(inner, 1, body);  // where nobody comes
  const std::string test = exprs_.condition(scope);
  out.push_back(loosely(block(fmt::format("if ({})", test), std::move(body))));
  // Who is still here knows that the test failed, in the own run.
  claims(scope, 1 + dice_.pick(2), out);
  if (dice_.chance(30) && test.find('(') == std::string::npos &&
      test.find('.') == std::string::npos && test.find("model") == std::string::npos)
    out.push_back(claim(fmt::format("{} !({});", dice_.any({"assert", "assume"}), test)));
}

// Recovery ---------------------------------------------------------------------------------------

std::string Writer::checks(const Scope& scope, const std::string& y, const std::string& exact) {
  const Variable& v = *scope.find(y);
  if (v.scalar == Scalar::Bool) return fmt::format("{} == ({})", y, exact);
  switch (dice_.weighted({50, 12, 10, 10, 5, 5})) {
    case 0:
      return fmt::format("{} == {}", y, exact);
    case 1:
      return fmt::format("{} {} {}", y, dice_.any({">=", "<=", "!="}), exprs_.number(v.scalar, 2));
    case 2:
      return fmt::format("{} {} {}", y, dice_.any({">=", "<="}), exact);
    case 3: {
      const std::string z = exprs_.readable(scope, v.scalar);
      return fmt::format("{} == {}", y, z.empty() || z == y ? "0" : z);
    }
    case 4:
      return "true";
    default:
      if (const auto r = exprs_.relaxed(scope, Scalar::Bool)) return *r;
      return fmt::format("{} == {}", y, exact);
  }
}

// What is tried: one step, or a loop around it, and perhaps something else.
void Writer::attempt_it(Scope& scope, const std::string& y, const std::string& value, Nodes& out) {
  const std::string set = fmt::format("{} = {};", y, value);
  if (dice_.chance(30)) {
    out.push_back(loose(fmt::format("{} = {};", y, exprs_.number(scope.find(y)->scalar, 2))));
    Scope inner = inside(scope);
    const std::string i = world_.name("i");
    const unsigned kind = dice_.pick(3), times = 1 + dice_.pick(2);
    if (kind == 1) out.push_back(line(fmt::format("uint {} = 0;", i)));
    Node again = block(kind == 0   ? fmt::format("repeat {}", times)
                       : kind == 1 ? fmt::format("while ({} < {})", i, times)
                                   : fmt::format("for (uint {0} = 0; {0} < {1}; ++{0})", i, times));
    if (kind != 0) {
      again.body.push_back(invariant(fmt::format("invariant_r eq({})", i)));
      again.body.push_back(invariant(fmt::format("invariant {} <= {}", i, times)));
    }
    again.body.push_back(loose(set));
    if (dice_.chance(30)) claim_about(scope, y, 1, again.body);
    if (kind == 1) again.body.push_back(line(fmt::format("++{};", i)));
    out.push_back(loosely(std::move(again)));
  } else {
    out.push_back(loose(set));
  }
  if (!world_.functions.empty() && dice_.chance(40)) call(scope, out);
  if (dice_.chance(25)) statements(scope, 1, out);
}

void Writer::recover(Scope& scope, Nodes& out, bool under) {
  Scope inner = inside(scope);
  inner.in_try = true;
  under = under && world_.spare;
  inner.in_again = inner.in_again || under;
  const Operation& op = dice_.any(world_.model.operations);
  const std::string y = target(scope, op.result(), out);
  if (inner.find(y) == nullptr) inner.variables.push_back(*scope.find(y));
  const auto r = exprs_.relaxed(inner, op.result());
  const std::string value = r ? *r : exprs_.exact(inner, op.result());
  std::string exact = value;  // the same without its dots
  for (std::size_t at = exact.find(". "); at != std::string::npos; at = exact.find(". "))
    exact.erase(at, 1);
  Node attempt = block("try");
  attempt_it(inner, y, value, attempt.body);
  if (dice_.chance(25)) claims(inner, 1, attempt.body);
  const std::string who =
      !world_.checkers.empty() && dice_.chance(60) ? dice_.any(world_.checkers) + " " : "";
  const std::string check = fmt::format("check {}({}) recover", who, checks(scope, y, exact));
  Nodes parts;
  parts.push_back(std::move(attempt));
  if (under) {
    const std::string times = dice_.chance(40) ? fmt::format("({})", 1 + dice_.pick(2)) : "";
    parts.push_back(
        line(fmt::format("{} redo{} under {};", check, times, dice_.chance(90) ? "spare" : "m")));
  } else if (dice_.chance(40)) {
    parts.push_back(line(fmt::format("{} redo({});", check, 1 + dice_.pick(2))));
  } else {
    Scope mend = inside(scope);
    mend.in_try = true;
    Nodes body;
    body.push_back(loose(fmt::format("{} = {};", y, dice_.chance(80) ? exact : value)));
    if (dice_.chance(20)) statements(mend, 1, body);
    parts.push_back(block(check, std::move(body)));
  }
  out.push_back(loosely(group(std::move(parts))));
  out.push_back(claim(fmt::format("assert_r eq({});", y)));
  const std::string right = scope.find(y)->scalar == Scalar::Bool ? "(" + exact + ")" : exact;
  if (exact.find(y) == std::string::npos && exact.find("g(") == std::string::npos &&
      dice_.chance(40))
    out.push_back(claim(fmt::format("assert {} == {};", y, right)));
  claim_about(scope, y, 1, out);
}

// Facts ------------------------------------------------------------------------------------------

// What is known of an input is known by way of another variable.
void Writer::derive_input(Scope& scope, Nodes& out) {
  const auto inputs = scope.select([](const Variable& v) {
    return v.pure && v.shape == Shape::Scalar && v.scalar != Scalar::Bool && !v.ghost;
  });
  if (inputs.empty()) return claims(scope, 2, out);
  const std::string x = dice_.any(inputs)->name;
  const std::string y = world_.name("t");
  const std::string sign = dice_.any({">", "<", "==", ">="});
  const unsigned k = dice_.pick(2);
  out.push_back(line(fmt::format("int {} = 0;", y)));
  scope.variables.push_back(scalar(y, Scalar::Int));
  Nodes parts;
  parts.push_back(
      block(fmt::format("if ({} {} {})", x, sign, k), {loose(fmt::format("{} = 1;", y))}));
  if (dice_.chance(30))
    parts.push_back(
        block("else", {loose(fmt::format("{} = {};", y, dice_.any({"2", "0", "-1"})))}));
  out.push_back(tagged(loosely(group(std::move(parts))), "fact by way of another variable"));
  if (dice_.chance(30)) statements(scope, 1, out);
  // Whoever comes past the test has y == 1, and so knows x.
  const std::string known = fmt::format("{}<r> {} {}", x, sign, k);
  if (dice_.chance(50) && scope.can_return && !scope.in_try) {
    out.push_back(
        loosely(block(fmt::format("if ({} != 1)", y),
                      {line(scope.is_void ? "return;"
                            : scope.result_vector.empty()
                                ? fmt::format("return {};", exprs_.atom(scope, scope.result))
                                : fmt::format("return {};", scope.result_vector))})));
    out.push_back(claim(fmt::format("assert {} {} {};", x, sign, k)));
    out.push_back(claim(fmt::format("assert_r {};", known)));
  } else {
    out.push_back(claim(fmt::format("assume {} {} 1;", y, dice_.any({"==", ">=", "<="}))));
    out.push_back(claim(fmt::format("assert_r {}<r> == 1 -> {};", y, known)));
    out.push_back(claim(fmt::format("assert_r {};", known)));
  }
  claim_about(scope, x, 1, out);
}

// Assumptions that no run can meet; what is behind them would follow.
void Writer::contradict(Scope& scope, Nodes& out) {
  const std::string x = exprs_.readable(scope, world_.number);
  if (x.empty()) return claims(scope, 1, out);
  if (dice_.chance(50) && scope.can_return) return_early(scope, out);
  Nodes body;
  const unsigned low = dice_.pick(2), high = low + dice_.pick(3);
  body.push_back(claim(fmt::format("assume {} > {};", x, high)));
  body.push_back(claim(fmt::format("assume {} < {};", x, low + 1)));
  body.push_back(claim(fmt::format("assert_r {}<r> == 2;", x)));
  if (dice_.chance(30)) body.push_back(claim("assert false;"));
  for (Node& n : body) n.tag = "contradiction";
  if (dice_.chance(50)) {
    for (Node& n : body) out.push_back(std::move(n));
    return;
  }
  out.push_back(loosely(block(
      dice_.chance(50) ? fmt::format("if ({})", exprs_.condition(scope)) : "repeat 1", body)));
}

void Writer::chain(Scope& scope, Nodes& out) {
  const std::string b = target(scope, Scalar::Bool, out);
  scope.focus = b;
  const std::string text = exprs_.chain(scope);
  out.push_back(loose(fmt::format("{} = {};", b, text)));
  // The operands of a division that may not be reached.
  const std::size_t slash = text.find(" / ");
  if (slash != std::string::npos) {
    const std::string divisor = text.substr(slash + 3, text.find(' ', slash + 3) - slash - 3);
    if (scope.find(divisor) != nullptr) {
      out.push_back(claim(fmt::format("assert_r {}<r> != 0;", divisor)));
      out.push_back(claim(fmt::format("assert {} != 0;", divisor)));
    }
  }
  claim_about(scope, b, 1, out);
  claims(scope, 2, out);
}

void Writer::odd_numbers(Scope& scope, Nodes& out) {
  assign(scope, out);
  claims(scope, 3, out);
}

}  // namespace leto::soundness
