#include "generate.h"

#include <fmt/core.h>

#include <array>
#include <functional>

namespace leto::soundness {

namespace {

Node line(std::string text) {
  Node n;
  n.text = std::move(text);
  return n;
}
Node claim(std::string text, bool invariant = false) {
  Node n = line(std::move(text));
  n.claim = true;
  n.invariant = invariant;
  return n;
}

void render(std::vector<Node>& nodes, int indent, std::string& out, std::vector<Node*>& by_line) {
  const auto put = [&](const std::string& text, Node* node, int at) {
    out += std::string(static_cast<std::size_t>(at) * 4, ' ') + text + "\n";
    by_line.push_back(node);
  };
  for (Node& node : nodes) {
    if (node.gone || node.invariant) continue;
    if (!node.block) {
      put(node.text, &node, indent);
      continue;
    }
    put(node.text, nullptr, indent);
    for (Node& child : node.body)
      if (child.invariant && !child.gone) put(child.text, &child, indent + 2);
    put("{", nullptr, indent);
    render(node.body, indent + 1, out, by_line);
    put("}", nullptr, indent);
  }
}

}  // namespace

std::string Program::text(std::vector<Node*>& by_line) {
  by_line.assign(1, nullptr);
  std::string out;
  render(model.lines, 0, out, by_line);
  out += "use model m;\n";
  by_line.push_back(nullptr);
  for (Piece& f : functions) render(f.lines, 0, out, by_line);
  return out;
}

std::size_t Program::claims() {
  std::size_t count = 0;
  const std::function<void(std::vector<Node>&)> walk = [&](std::vector<Node>& nodes) {
    for (Node& n : nodes) {
      if (n.gone) continue;
      if (n.claim && !n.invariant) ++count;
      walk(n.body);
    }
  };
  for (Piece& f : functions) walk(f.lines);
  return count;
}

// Models -----------------------------------------------------------------------------------------

void Generator::model(Program& program) {
  has_budget_ = chance(50);
  direction_ = 2;
  has_less_ = chance(35);
  has_region_ = chance(35);
  Node m = line("model m");
  m.block = true;
  m.body.push_back(line(chance(80)   ? "bool upset = false;"
                        : chance(50) ? "bool upset = true;"
                                     : "bool upset;"));
  if (has_budget_) m.body.push_back(line(fmt::format("uint left = {};", pick(3))));
  // The ways in which an outcome E can come out wrong, all finite.
  const auto wrong = [&](const std::string& exact, const std::string& result) -> std::string {
    const unsigned way = pick(6);
    if (direction_ == 2) direction_ = way == 5 ? -1 : way == 1 || way == 3 ? 1 : 0;
    switch (way) {
      case 5:
        return fmt::format("{0} - 1 <= {1} <= {0}", exact, result);
      case 0:
        return fmt::format("{0} - 1 <= {1} <= {0} + 1", exact, result);
      case 1:
        return fmt::format("{} == {} + 1", result, exact);
      case 2:
        return fmt::format("({0} == {1} || {0} == 0)", result, exact);
      case 3:
        return fmt::format("{1} <= {0} <= {1} + 1", result, exact);
      default:
        return fmt::format("-1 <= {} <= 1", result);
    }
  };
  const auto specification = [&](const std::string& head, const std::string& exact,
                                 const std::string& result, const std::string& operand,
                                 bool boolean) {
    const auto add = [&](const std::string& when, const std::string& modifies,
                         const std::string& ensures) {
      std::string text = head;
      if (!when.empty()) text += " when " + when;
      if (!modifies.empty()) text += " modifies " + modifies;
      m.body.push_back(line(text + " ensures " + ensures + ";"));
    };
    const std::string right =
        boolean ? fmt::format("{} == ({})", result, exact) : fmt::format("{} == {}", result, exact);
    const auto off = [&] {
      return boolean ? std::string(chance(50) ? result : "true") : wrong(exact, result);
    };
    // Mostly exact unless a guard says otherwise; now and then never.
    if (chance(85))
      add(chance(12) ? "!upset" : chance(12) ? fmt::format("{} < 2", operand) : "", "", right);
    switch (pick(has_budget_ ? 7 : 5)) {
      case 0:
      case 1:
        add("!upset", "upset", "upset && " + off());
        break;
      case 2:
        add(fmt::format("!upset && {} > 0", operand), "upset", "upset && " + off());
        break;
      case 3:
        add(chance(50) ? "upset" : "!upset", "", off());
        break;
      case 4:
        // What can block, or what leaves modified state open.
        if (chance(30))
          add("!upset", "upset",
              fmt::format("upset && {} < {} < {} + {}", boolean ? "0" : exact,
                          boolean ? "1" : result, boolean ? "0" : exact, 1 + pick(2)));
        else
          add("!upset", "upset", off());
        break;
      default:
        add("left > 0", "left", "left == old(left) - 1 && " + off());
        break;
    }
  };
  specification("operator +(int a, int b)", "a + b", "result", "a", false);
  if (chance(60)) specification("operator *(int a, int b)", "a * b", "result", "b", false);
  if (has_less_) specification("operator <(int a, int b)", "a < b", "result", "a", true);
  if (has_region_)
    specification("@region(far) write(int dest, int src)", "src", "dest", "src", false);
  program.model.lines.push_back(std::move(m));
}

// Expressions ------------------------------------------------------------------------------------

std::string Generator::variable(const Scope& scope) {
  std::vector<std::string> all = scope.ints;
  all.insert(all.end(), scope.reads.begin(), scope.reads.end());
  return any(all);
}

std::string Generator::expression(const Scope& scope) {
  const std::string v = variable(scope);
  switch (pick(5)) {
    case 0:
      return std::to_string(pick(3));
    case 1:
      return fmt::format("{} + {}", v, 1 + pick(2));
    case 2:
      return fmt::format("{} - {}", v, variable(scope));
    default:
      return v;
  }
}

std::string Generator::relaxed(const Scope& scope) {
  const std::string a = variable(scope);
  const std::string b = chance(40) ? variable(scope) : std::to_string(pick(3));
  return fmt::format("{} {}. {}", a, chance(70) ? "+" : "*", b);
}

std::string Generator::condition(const Scope& scope) {
  static const std::vector<std::string> kTests{"<", "<=", "==", "!=", ">"};
  if (has_less_ && chance(35)) return fmt::format("{} <. {}", variable(scope), variable(scope));
  return fmt::format("{} {} {}", variable(scope), any(kTests),
                     chance(50) ? variable(scope) : std::to_string(pick(3)));
}

// Something that may hold of both runs.
std::string Generator::relation(const Scope& scope) {
  const std::string v = variable(scope);
  if (!scope.vectors.empty() && chance(25)) {
    const std::string& w = any(scope.vectors);
    return chance(50) ? fmt::format("eq({})", w) : fmt::format("model.upset || eq({})", w);
  }
  if (!scope.labels.empty() && chance(25)) {
    const std::string& l = any(scope.labels);
    return chance(50) ? fmt::format("{}[model.upset] || model.upset || eq({})", l, v)
                      : fmt::format("{0}[model.upset] -> model.upset", l);
  }
  switch (pick(has_budget_ ? 9 : 8)) {
    case 0:
    case 1:
      return fmt::format("eq({})", v);
    case 2:
    case 3:
      return fmt::format("model.upset || eq({})", v);
    case 4:
      return fmt::format("abs({0}<o> - {0}<r>) <= {1}", v, 1 + pick(3));
    case 5:
      return fmt::format("{0}<o> <= {0}<r>", v);
    case 6:
      return chance(50) ? "!model.upset" : "model.upset";
    case 7:
      return fmt::format("{0}<r> <= {0}<o> + {1}", v, pick(2));
    default:
      return fmt::format("model.left == {} || eq({})", pick(3), v);
  }
}

void Generator::claims(const Scope& scope, std::vector<Node>& out) {
  const unsigned count = 1 + pick(3);
  for (unsigned i = 0; i < count; ++i) {
    if (chance(25)) {
      // A failing one ends the run: the original's is trusted.
      out.push_back(
          claim(fmt::format("{} {} {} {};", chance(50) ? "assert" : "assume", variable(scope),
                            chance(40)   ? "<="
                            : chance(50) ? ">="
                                         : "!=",
                            1 + pick(4))));
    } else {
      out.push_back(claim(fmt::format("assert_r {};", relation(scope))));
    }
  }
}

// Statements -------------------------------------------------------------------------------------

void Generator::loop(Program& program, Scope scope, std::vector<Node>& out) {
  program.features.loop = true;
  Node n;
  n.block = true;
  const std::string i = fmt::format("i{}", fresh_++);
  std::string label;
  if (chance(30)) {
    label = fmt::format("l{}", fresh_++);
    program.features.label = true;
  }
  const std::string head = label.empty() ? "" : fmt::format("@label({}) ", label);
  unsigned kind = pick(has_less_ ? 4 : 3);
  if (kind == 0 && scope.callee) kind = 2;
  const std::string counted = any(scope.ints);
  bool counter = false;
  const unsigned bound = kind == 1 ? pick(2) : 1 + pick(2);
  switch (kind) {
    case 0:
      n.text = fmt::format("{}for (uint {} = 0; {} < n; ++{})", head, i, i, i);
      counter = true;
      break;
    case 1:
      n.text = fmt::format("{}while ({} > {})", head, counted, bound);
      break;
    case 2:
      n.text = fmt::format("{}for (uint {} = 0; {} < {}; ++{})", head, i, i, 1 + pick(2), i);
      counter = true;
      break;
    default:
      n.text = fmt::format("{}while ({} <. {})", head, counted, bound);
      break;
  }
  Scope inner = scope;
  ++inner.depth;
  if (!label.empty()) inner.labels.push_back(label);
  if (counter) {
    n.body.push_back(claim(fmt::format("invariant_r eq({})", i), true));
    if (kind == 0) n.body.push_back(claim(fmt::format("invariant {} <= n", i), true));
  }
  // As much as may hold; what does not is dropped.
  for (const std::string& v : scope.ints) {
    n.body.push_back(
        claim(fmt::format("invariant_r {}", chance(50) ? fmt::format("eq({})", v)
                                                       : fmt::format("model.upset || eq({})", v)),
              true));
    if (chance(15))
      n.body.push_back(claim(fmt::format("invariant {} <= {}", v, 1 + pick(4)), true));
  }
  for (const std::string& v : scope.vectors)
    n.body.push_back(
        claim(fmt::format("invariant_r {}eq({})", chance(50) ? "model.upset || " : "", v), true));
  for (unsigned k = pick(3); k > 0; --k)
    n.body.push_back(claim(fmt::format("invariant_r {}", relation(scope)), true));
  if (!counter) {  // how far the runs can be apart in what the test reads
    n.body.push_back(claim(fmt::format("invariant_r model.upset || eq({})", counted), true));
    switch (direction_ == -1 ? 1 : direction_ == 1 ? 2 : pick(3)) {
      case 0:
        n.body.push_back(
            claim(fmt::format("invariant_r abs({0}<o> - {0}<r>) <= 1", counted), true));
        break;
      case 1:
        n.body.push_back(claim(fmt::format("invariant_r {0}<r> <= {0}<o>", counted), true));
        break;
      default:
        n.body.push_back(claim(fmt::format("invariant_r {0}<o> <= {0}<r>", counted), true));
    }
  }
  if (kind == 1)
    n.body.push_back(line(chance(70) ? fmt::format("{0} = {0} - {1};", counted, 1 + pick(2))
                                     : fmt::format("{0} = {0} +. -1;", counted)));
  if (kind == 3)
    n.body.push_back(line(chance(70) ? fmt::format("{0} = {0} + 1;", counted)
                                     : fmt::format("{0} = {0} +. 1;", counted)));
  if (counter && kind == 0 && !scope.vectors.empty() && chance(70)) {
    const std::string& w = any(scope.vectors);
    n.body.push_back(line(chance(50) ? fmt::format("w[{0}] = {1}[{0}] +. 1;", i, w)
                                     : fmt::format("w[{0}] = {1}[{0}];", i, w)));
  }
  // Something else that each iteration changes.
  if (!counter && scope.ints.size() > 1 && chance(50)) {
    const std::string& other = scope.ints[scope.ints[0] == counted ? 1 : 0];
    n.body.push_back(line(fmt::format("{0} = {0} + 1;", other)));
    n.body.push_back(claim(fmt::format("invariant_r eq({})", other), true));
  }
  // The runs may be apart when they come here.
  if (kind == 1 && chance(50)) out.push_back(line(fmt::format("{0} = {0} +. 1;", counted)));
  if (counter || chance(50)) statements(program, inner, 1 + static_cast<int>(pick(2)), n.body);
  out.push_back(std::move(n));
  // What a run that has left by its own test knows.
  if (kind == 1 && chance(40))
    out.push_back(claim(fmt::format("assert {} <= {};", counted, bound)));
  // What would follow if it had counted down one by one from above.
  if (kind == 1 && chance(40))
    out.push_back(claim(fmt::format("assert_r {}<r> >= {};", counted, bound)));
  if (kind == 3 && chance(60))
    out.push_back(claim(fmt::format("assert {} >= {};", counted, bound)));
}

void Generator::statements(Program& program, Scope scope, int count, std::vector<Node>& out) {
  for (int i = 0; i < count; ++i) {
    const std::string& target = any(scope.ints);
    switch (pick(12)) {
      case 0:
      case 1:
      case 2:
        out.push_back(line(fmt::format("{} = {};", target, relaxed(scope))));
        break;
      case 3:
        out.push_back(line(fmt::format("{} = {};", target, expression(scope))));
        break;
      case 4:
      case 5: {
        if (scope.depth >= 2) break;
        program.features.branch = true;
        Scope inner = scope;
        ++inner.depth;
        Node then = line(fmt::format("if ({})", condition(scope)));
        then.block = true;
        statements(program, inner, 1 + static_cast<int>(pick(2)), then.body);
        Node otherwise = line("else");
        otherwise.block = true;
        statements(program, inner, static_cast<int>(pick(3)), otherwise.body);
        const bool has_else = chance(60);
        out.push_back(std::move(then));
        if (has_else) out.push_back(std::move(otherwise));
        break;
      }
      case 6:
      case 7:
        if (scope.depth < 2) loop(program, scope, out);
        break;
      case 8:
        if (has_plain_ && chance(40)) {
          program.features.call = true;
          out.push_back(line(fmt::format("{} = plain({});", target, variable(scope))));
        } else if (has_contract_) {
          program.features.call = true;
          const std::string call = fmt::format("{} = agreed({});", target, variable(scope));
          if (scope.depth < 2 && chance(50)) {  // where the runs may have parted
            Node then = line(fmt::format("if ({})", condition(scope)));
            then.block = true;
            then.body.push_back(line(call));
            if (chance(60))
              then.body.push_back(claim(fmt::format("assert {} <= {};", target, 1 + pick(4))));
            out.push_back(std::move(then));
          } else {
            out.push_back(line(call));
          }
        }
        break;
      case 9:
        if (scope.ghost) {
          program.features.ghost = true;
          out.push_back(line(fmt::format("g = {};", chance(50) ? "g + 1" : "a")));
        }
        break;
      case 10:
        if (chance(40))
          out.push_back(line(fmt::format("model.upset = {};", chance(75) ? "false" : "true")));
        else if (has_region_ && !scope.callee) {
          program.features.region = true;
          out.push_back(line(fmt::format("far1 = {};", expression(scope))));
        } else if (scope.vectors.size() > 1) {
          out.push_back(line("w = v;"));
        }
        break;
      default:
        claims(scope, out);
        break;
    }
  }
}

Piece Generator::callee(Program& program, bool contract) {
  Piece f;
  Scope scope;
  scope.callee = true;
  scope.ints = {"q"};
  scope.reads = {"p"};
  if (contract) {
    if (chance(60)) f.lines.push_back(claim("requires_r eq(p)"));
    if (chance(40)) f.lines.push_back(claim(fmt::format("requires p <= {}", pick(3))));
    static const std::vector<std::string> kEnsures{
        "eq(result)",   "model.upset || eq(result)", "abs(result<o> - result<r>) <= 1",
        "!model.upset", "result<o> <= result<r>",    "abs(result<o> - result<r>) <= 2"};
    f.lines.push_back(claim("ensures_r " + any(kEnsures)));
    if (chance(50)) f.lines.push_back(claim(fmt::format("ensures result <= {}", 1 + pick(4))));
  }
  Node body = line(fmt::format("int {}(int p)", contract ? "agreed" : "plain"));
  body.block = true;
  // What the original asserts, the relaxed run has from the relation alone.
  if (contract && chance(50)) body.body.push_back(claim(fmt::format("assert p <= {};", pick(3))));
  body.body.push_back(line(fmt::format("int q = p{};", chance(50) ? " +. 1" : "")));
  scope.depth = 1;
  statements(program, scope, static_cast<int>(pick(3)), body.body);
  body.body.push_back(line("return q;"));
  f.lines.push_back(std::move(body));
  return f;
}

Program Generator::program() {
  Program p;
  fresh_ = 0;
  has_plain_ = has_contract_ = false;
  model(p);
  const bool plain = chance(20), contract = chance(35);
  if (plain) p.functions.push_back(callee(p, false));
  has_plain_ = plain;
  if (contract) p.functions.push_back(callee(p, true));
  has_contract_ = contract;
  Piece main;
  Scope scope;
  scope.reads = {"a"};
  const bool vectors = chance(35);
  const bool two_sizes = vectors && chance(30);
  if (chance(80)) {
    main.lines.push_back(line("requires_r eq(*)"));
  } else {
    main.lines.push_back(line(vectors ? "requires_r eq(a) && eq(n)" : "requires_r eq(a)"));
    if (chance(50) && vectors) main.lines.back() = line("requires_r eq(a)");
  }
  if (chance(20)) main.lines.push_back(line(fmt::format("requires a <= {}", 1 + pick(2))));
  Node f = line(fmt::format("int f(int a, int b, uint n{})", vectors ? ", vector<int> v(n)" : ""));
  f.block = true;
  f.body.push_back(line("int x = a;"));
  f.body.push_back(line(fmt::format("int y = {};", chance(50) ? "b" : "0")));
  scope.ints = {"x", "y"};
  if (chance(60)) scope.reads.push_back("b");
  if (vectors) {
    f.body.push_back(line("vector<int> w(n);"));
    scope.vectors = {"v", "w"};
    if (two_sizes) {
      f.body.push_back(line("assume 1 <= n;"));
      f.body.push_back(line("vector<int> u(n - 1);"));
      scope.vectors.push_back("u");
    }
  } else if (chance(10)) {
    f.body.push_back(line("vector<int> w(n);"));
    scope.vectors = {"w"};
  }
  if (has_region_) {
    f.body.push_back(line("@region(far) int far1 = 0;"));
    scope.reads.push_back("far1");
  }
  if (chance(25)) {
    f.body.push_back(line("specvar int g = 0;"));
    scope.ghost = true;
  }
  statements(p, scope, 2 + static_cast<int>(pick(4)), f.body);
  claims(scope, f.body);
  if (scope.ghost && p.features.ghost) f.body.push_back(claim("assert_r g == x<r>;"));
  f.body.push_back(line("return x;"));
  main.lines.push_back(std::move(f));
  p.functions.push_back(std::move(main));
  return p;
}

// Refinement
// ---------------------------------------------------------------------------------------

Generator::Refined Generator::refined() {
  static const std::vector<std::array<std::string, 3>> kSpecs{
      {"", "", "result == a + b"},
      {"!upset", "upset", "upset && a + b - 1 <= result <= a + b + 1"},
      {"left > 0", "left", "left == old(left) - 1 && result == a + b + 1"},
      {"!upset || left == 0", "", "result == a + b"},
      {"upset", "", "a + b <= result <= a + b + 1"},
      {"left == 0", "", "result == a + b"},
      {"a > 0", "", "result == a + b"},
  };
  Refined r;
  r.models =
      "model sup {\n    bool upset = false;\n    uint left = " + std::to_string(pick(3)) + ";\n";
  const unsigned count = 1 + pick(3);
  std::vector<std::array<std::string, 3>> specs;
  const auto write = [&](const std::array<std::string, 3>& s, const std::string& label,
                         const std::string& refines) {
    r.models += "\n    @label(" + label + ")\n    operator +(int a, int b)\n" + refines;
    if (!s[0].empty()) r.models += "        when " + s[0] + "\n";
    if (!s[1].empty()) r.models += "        modifies " + s[1] + "\n";
    r.models += "        ensures " + s[2] + ";\n";
  };
  for (unsigned i = 0; i < count; ++i) {
    specs.push_back(any(kSpecs));
    write(specs.back(), fmt::format("s{}", i), "");
  }
  r.models += "}\n\nmodel sub refines sup {\n";
  for (unsigned i = 0; i < count; ++i) {
    if (chance(55)) {
      r.models += fmt::format("    import sup.s{};\n", i);
    } else if (chance(50)) {
      auto narrow = specs[i];
      static const std::vector<std::string> kGuards{"a > 0", "!upset", "left > 1", "b == 1"};
      narrow[0] = narrow[0].empty() ? any(kGuards) : narrow[0] + " && " + any(kGuards);
      write(narrow, fmt::format("t{}", i), fmt::format("        refines sup.s{}\n", i));
    }
  }
  r.models += "}\n";
  static const std::vector<std::string> kClaims{"eq(x)",
                                                "model.upset || eq(x)",
                                                "abs(x<o> - x<r>) <= 1",
                                                "x<o> <= x<r>",
                                                "model.upset || model.left == 0 || eq(x)",
                                                "abs(x<o> - x<r>) <= 2",
                                                "x<r> <= x<o> + 2"};
  r.program = "requires_r eq(*)\nint f(int a, int b) {\n    int x = a +. b;\n";
  if (chance(50)) r.program += "    x = x +. 1;\n";
  r.program += "    assert_r " + any(kClaims) + ";\n    return x;\n}\n";
  return r;
}

}  // namespace leto::soundness
