// Loops of every form, with as many invariants as may hold; what does not is dropped.
#include <fmt/core.h>

#include "stmt_gen.h"

namespace leto::soundness {

// Heads ------------------------------------------------------------------------------------------

Writer::Head Writer::for_head(Scope& scope, Nodes& out) {
  Head head;
  const unsigned kind = dice_.weighted({55, 10, 10, 10, 8});
  if (kind == 2 || kind == 3) {  // a variable of the program counts
    const std::string x = target(scope, world_.number, out);
    head.moved = x;
    head.text = kind == 2 ? fmt::format("for (; {0} > {1}; --{0})", x, dice_.pick(2))
                          : fmt::format("for ({0} = 0; {0} < {1}; ++{0})", x, 1 + dice_.pick(2));
    return head;
  }
  const std::string i = world_.name("i");
  head.counter = i;
  if (kind == 1) {
    head.bound = std::to_string(1 + dice_.pick(2));
    head.text = fmt::format("for (int {0} = {1}; {0} > 0; {2})", i, head.bound,
                            dice_.chance(50) ? "--" + i : i + " -= 1");
    scope.variables.push_back(given(i, Scalar::Int));
    return head;
  }
  const auto sizes = scope.select([](const Variable& v) {
    return v.shape == Shape::Scalar && v.scalar == Scalar::Uint && v.pure && !v.ghost;
  });
  head.bound = !sizes.empty() && dice_.chance(60) ? dice_.any(sizes)->name
                                                  : std::to_string(1 + dice_.pick(2));
  if (!world_.constants.empty() && dice_.chance(20) && world_.constants[0].scalar == Scalar::Uint)
    head.bound = world_.constants[0].name;
  const bool last = kind == 4;
  const std::string step = dice_.chance(70)   ? "++" + i
                           : dice_.chance(50) ? i + " += 1"
                                              : fmt::format("{0} = {0} + 1", i);
  const Scalar type = dice_.chance(85) ? Scalar::Uint : Scalar::Int;
  head.text = fmt::format("for ({0} {1} = 0; {1} < {2};{3})", spelling(type), i, head.bound,
                          last ? "" : " " + step);
  if (last) head.last.push_back(line(step + ";"));
  scope.variables.push_back(given(i, type));
  scope.indices.push_back({i, head.bound});
  return head;
}

Writer::Head Writer::while_head(Scope& scope, Nodes& out) {
  Head head;
  if (dice_.chance(35)) {  // a counter of its own, which can be spoken of afterwards
    const std::string i = world_.name("i");
    const std::string n = exprs_.exactly(scope, Scalar::Uint);
    head.counter = i;
    head.bound = n.empty() || dice_.chance(40) ? std::to_string(1 + dice_.pick(2)) : n;
    out.push_back(line(fmt::format("uint {} = 0;", i)));
    scope.variables.push_back(given(i, Scalar::Uint));
    head.text = fmt::format("while ({} < {})", i, head.bound);
    head.last.push_back(
        line(dice_.chance(60) ? fmt::format("++{};", i) : fmt::format("{0} = {0} + 1;", i)));
    return head;
  }
  const std::string x = target(scope, world_.number, out);
  head.moved = x;
  const std::string k = std::to_string(dice_.pick(2));
  const auto has = [&](const char* sign) {
    for (const Operation& op : world_.model.operations)
      if (op.sign == sign && op.operand == world_.number && !op.unary) return true;
    return false;
  };
  if (dice_.chance(35)) {
    const std::string up = std::to_string(1 + dice_.pick(2));
    head.bound = up;
    head.text = fmt::format("while ({} {} {})", x, has("<") && dice_.chance(80) ? "<." : "<", up);
    head.last.push_back(line(has("+") && dice_.chance(30) ? fmt::format("{0} = {0} +. 1;", x)
                                                          : fmt::format("{0} = {0} + 1;", x)));
    return head;
  }
  head.bound = k;
  head.text = fmt::format("while ({} {} {})", x, has(">") && dice_.chance(80) ? ">." : ">", k);
  if (dice_.chance(25)) {
    std::string b = exprs_.readable(scope, Scalar::Bool);
    if (!world_.model.flag.empty() && (b.empty() || dice_.chance(40)))
      b = (dice_.chance(50) ? "!model." : "model.") + world_.model.flag;
    if (!b.empty()) head.text = fmt::format("while ({} && {} > {})", b, x, k);
  }
  head.last.push_back(line(has("-") && world_.number != Scalar::Uint && dice_.chance(30)
                               ? fmt::format("{0} = {0} -. 1;", x)
                               : fmt::format("{0} = {0} - 1;", x)));
  return head;
}

Writer::Head Writer::choose_head(Scope& scope, Nodes& out) {
  const bool constants = world_.about(Theme::Constants);
  switch (dice_.weighted({40, 40, constants ? 50u : 20u})) {
    case 0:
      return for_head(scope, out);
    case 1:
      return while_head(scope, out);
    default: {
      Head head;
      std::string times = std::to_string(1 + dice_.pick(2));
      if (dice_.chance(6)) times = "0";
      for (const Named& c : world_.constants)
        if ((c.scalar == Scalar::Uint || c.scalar == Scalar::Int) && dice_.chance(60))
          times = c.name;
      head.text = "repeat " + times;
      return head;
    }
  }
}

std::string Writer::attributes(Scope& inner, bool jumps) {
  std::string text;
  if (dice_.chance(world_.about(Theme::Labels) ? 85 : jumps ? 60 : 12)) {
    const std::string label = world_.name("l");
    text += fmt::format("@label({}) ", label);
    inner.labels.push_back({label, inner.variables.size()});
  }
  if (dice_.chance(10)) text += "@noinf ";
  return text;
}

// What may hold ----------------------------------------------------------------------------------

void Writer::invariants(const Scope& scope, const Head& head, Nodes& body) {
  Specifications specs(world_, scope);
  measure(scope, head, body);
  if (!head.counter.empty()) {
    body.push_back(invariant(fmt::format("invariant_r eq({})", head.counter)));
    if (!head.bound.empty())
      body.push_back(invariant(fmt::format(
          "invariant {}", dice_.chance(85)
                              ? fmt::format("{} <= {}", head.counter, head.bound)
                              : fmt::format("0 <= {} < {}", head.counter, head.bound))));
  }
  if (!head.moved.empty()) {  // how far the runs can be apart in what the test reads
    const std::string& x = head.moved;
    body.push_back(invariant(fmt::format("invariant_r {}eq({})", specs.unless_struck(), x)));
    if (dice_.chance(50))
      body.push_back(invariant("invariant_r " +
                               fill_in(dice_.any({"{0}<o> <= {0}<r>", "{0}<r> <= {0}<o>"}), x)));
    if (dice_.chance(40))
      body.push_back(invariant("invariant_r " + specs.relational(*scope.find(x))));
  }
  for (const Variable& v : scope.variables) {
    if (v.fixed || !dice_.chance(70)) continue;
    const std::string unless = dice_.chance(50)   ? ""
                               : dice_.chance(10) ? "left<o> || left<r> || "
                                                  : specs.unless_struck();
    body.push_back(invariant(fmt::format("invariant_r {}eq({})", unless, v.name)));
    if (dice_.chance(15)) body.push_back(invariant(fmt::format("invariant {}", specs.unary(v))));
  }
  for (unsigned more = dice_.pick(3); more > 0; --more) {
    const bool both = dice_.chance(60);
    body.push_back(invariant(both ? fmt::format("invariant_r {}", specs.relational())
                                  : fmt::format("invariant {}", specs.unary())));
  }
}

// What may fall: towards the bound, and some of the model's state before it.
void Writer::measure(const Scope& scope, const Head& head, Nodes& body) {
  const std::string x = head.moved.empty() ? head.counter : head.moved;
  const Variable* v = scope.find(x);
  if (head.bound.empty() || v == nullptr || v->scalar == Scalar::Real || !dice_.chance(30)) return;
  const std::string ways[] = {head.bound + " - " + x, x, x + " - " + head.bound};
  std::string text = ways[dice_.pick(3)];
  if (dice_.chance(25)) text = fmt::format("{}, {}", dice_.pick(2), text);
  if (!world_.model.hits.empty() && dice_.chance(40))
    text = fmt::format("{} - model.{}, {}", 1 + dice_.pick(2), world_.model.hits, text);
  body.push_back(invariant("decreases " + text));
}

void Writer::after_loop(const Scope& scope, const Head& head, Nodes& out) {
  const std::string x = head.moved.empty() ? head.counter : head.moved;
  if (scope.find(x) == nullptr) return claims(scope, dice_.pick(2), out);
  if (!head.bound.empty() && dice_.chance(60))
    out.push_back(claim(fmt::format("{} {} {} {};", dice_.chance(70) ? "assert" : "assume", x,
                                    dice_.any({"<=", ">=", "==", "<"}), head.bound)));
  const std::string bound = scope.find(head.bound) == nullptr ? head.bound : head.bound + "<r>";
  if (!head.bound.empty() && dice_.chance(40))
    out.push_back(
        claim(fmt::format("assert_r {}<r> {} {};", x, dice_.any({"<=", ">=", "=="}), bound)));
  claim_about(scope, x, 1 + dice_.pick(2), out);
}

// Nothing else is to change what the test reads, or the loop may never end; seldom it may.
void Writer::keep_moving(Scope& scope, const Head& head) {
  for (Variable& v : scope.variables)
    if (v.name == head.moved) v.fixed = dice_.chance(92);
}

// Loops ------------------------------------------------------------------------------------------

void Writer::loop(Scope& scope, Nodes& out) {
  Scope inner = inside(scope);
  const Head head = choose_head(inner, out);
  // What was declared before the head is there afterwards too.
  if (!head.moved.empty() && scope.find(head.moved) == nullptr)
    scope.variables.push_back(*inner.find(head.moved));
  const bool outside = head.text.starts_with("while") && !head.counter.empty();
  if (outside) scope.variables.push_back(*inner.find(head.counter));
  // The runs may be apart when they come here.
  if (!head.moved.empty() && dice_.chance(40))
    for (const Operation& op : world_.model.operations)
      if (op.sign == "+" && op.operand == world_.number) {
        out.push_back(loose(fmt::format("{0} = {0} +. 1;", head.moved)));
        break;
      }
  const bool jumps = dice_.chance(world_.about(Theme::Returns) ? 40 : 18);
  Node n = block(attributes(inner, jumps) + head.text);
  invariants(inner, head, n.body);
  keep_moving(inner, head);
  statements(inner, head.moved.empty() ? 1 + dice_.pick(2) : dice_.pick(3), n.body);
  if ((world_.about(Theme::Recovery) || world_.about(Theme::RedoUnder)) && dice_.chance(35))
    recover(inner, n.body, world_.about(Theme::RedoUnder));
  if (dice_.chance(35)) claims(inner, 1, n.body);
  if (inner.can_return && dice_.chance(25)) return_early(inner, n.body);
  if (jumps) jump(inner, head, n.body);
  for (const Node& last : head.last) n.body.push_back(last);
  n.loose = true;
  out.push_back(std::move(n));
  after_loop(scope, head, out);
}

// The inner one forgets what the outer one knows, and the candidates for its invariants fall.
void Writer::nested_loops(Scope& scope, Nodes& out) {
  Scope inner = inside(scope);
  const std::string x = target(inner, world_.number, out);
  if (scope.find(x) == nullptr) scope.variables.push_back(scalar(x, world_.number));
  Head head = for_head(inner, out);
  Node outer = block(attributes(inner) + head.text);
  invariants(inner, head, outer.body);
  keep_moving(inner, head);
  inner.focus = x;
  if (dice_.chance(50)) claims(inner, 1, outer.body);
  Scope deep = inside(inner);
  const Head second = dice_.chance(50) ? Head{fmt::format("repeat {}", 1 + dice_.pick(2))}
                                       : for_head(deep, outer.body);
  Node nested = block(attributes(deep) + second.text);
  if (dice_.chance(60)) invariants(deep, second, nested.body);
  keep_moving(deep, second);
  if (dice_.chance(60))
    nested.body.push_back(
        claim(fmt::format("assert_r {0}<r> * {0}<r> != {1};", exprs_.readable(deep, world_.number),
                          dice_.any({"4", "1", "2"}))));
  assign_relaxed(deep, nested.body);
  if (dice_.chance(50)) claims(deep, 1, nested.body);
  if (dice_.chance(25)) jump(deep, second, nested.body);
  for (const Node& last : second.last) nested.body.push_back(last);
  nested.loose = true;
  outer.body.push_back(std::move(nested));
  claims(inner, dice_.pick(2), outer.body);
  for (const Node& last : head.last) outer.body.push_back(last);
  outer.loose = true;
  out.push_back(std::move(outer));
  after_loop(scope, head, out);
}

// A loop, or an iteration, is left from its middle.
void Writer::jump(Scope& scope, const Head& head, Nodes& out) {
  Scope inner = inside(scope);
  Nodes body;
  if (dice_.chance(40)) claims(inner, 1, body);
  const bool leaves = dice_.chance(55);
  std::string target_loop;
  if (!scope.in_try && !scope.labels.empty() && dice_.chance(70))
    target_loop = " " + dice_.any(scope.labels).name;
  // Who goes on without the step may never come to an end.
  if (!leaves && dice_.chance(95))
    for (const Node& last : head.last) body.push_back(last);
  body.push_back(line((leaves ? "break" : "continue") + target_loop + ";"));
  out.push_back(loosely(block(fmt::format("if ({})", exprs_.condition(scope)), std::move(body))));
  claims(scope, 1, out);
}

// A test that does more than look: it calls, with whatever that does to the model's state, or its
// comparison is relaxed. Nothing if there is nothing to call.
std::string Writer::busy_test(const Scope& scope, const std::string& i) {
  const auto truth = exprs_.call(scope, Scalar::Bool);
  const auto number = exprs_.call(scope, world_.number);
  if (!truth && !number) return "";
  const unsigned most = 2 + dice_.pick(2);
  if (truth && (!number || dice_.chance(60))) switch (dice_.weighted({60, 20, 15})) {
      case 0:
        return fmt::format("{} < {} && {}", i, most, *truth);
      case 1:
        return fmt::format("{} && {} < {}", *truth, i, most);
      default:
        return *truth;
    }
  bool less = false;
  for (const Operation& op : world_.model.operations)
    less = less || (op.sign == "<" && op.operand == world_.number);
  const std::string sign = less && dice_.chance(75) ? "<." : "<";
  const auto second = exprs_.call(scope, world_.number);
  switch (dice_.weighted({35, 25, second ? 15u : 0u, 12})) {
    case 0:
      return fmt::format("{} + {} {} {}", i, *number, sign, most);
    case 1:
      return fmt::format("{} + 0 * {} {} {}", i, *number, sign, most);
    case 2:
      return fmt::format("{} + 0 * {} + 0 * {} {} {}", i, *number, *second, sign, most);
    default:
      return fmt::format("{} < {} < {}", i, *number, most);
  }
}

// How far one run's counter may be ahead of the other's, and when.
std::vector<std::string> Writer::ahead(const Scope& scope, const std::string& i) {
  Specifications specs(world_, scope);
  const bool original = dice_.chance(50);
  const std::string fast = i + (original ? "<o>" : "<r>"), slow = i + (original ? "<r>" : "<o>");
  std::string state = world_.model.flag.empty() ? "" : "model." + world_.model.flag;
  if (!world_.model.hits.empty() && (state.empty() || dice_.chance(50)))
    state = "model." + world_.model.hits + " >= 1";
  std::vector<std::string> list{fmt::format("{}eq({})", specs.unless_struck(), i),
                                fmt::format("{} <= {} + 1", fast, slow),
                                fmt::format("eq({}) || {} == {} + 1", i, fast, slow)};
  if (!state.empty()) {
    list.push_back(fmt::format("eq({}) || ({} && {} == {} + 1)", i, state, fast, slow));
    list.push_back(fmt::format("{} <= {} + 1 || !({})", fast, slow, state));
  }
  // What would follow if something false were known of the inputs.
  const auto inputs = scope.select([&](const Variable& v) {
    return v.pure && v.shape == Shape::Scalar && v.scalar == world_.number && v.name != i;
  });
  if (inputs.size() > 1 && dice_.chance(25))
    for (std::string& text : list)
      text += fmt::format(" || {}<r> == {}<r>", inputs[0]->name, inputs[1]->name);
  return list;
}

void Writer::loop_with_test(Scope& scope, Nodes& out) {
  const std::string i = world_.name("i");
  const std::string test = busy_test(scope, i);
  if (test.empty()) return loop(scope, out);
  const Scalar type = world_.number == Scalar::Uint ? Scalar::Uint : Scalar::Int;
  out.push_back(line(fmt::format("{} {} = 0;", spelling(type), i)));
  scope.variables.push_back(given(i, type));
  Scope inner = inside(scope);
  const bool step = dice_.chance(30);
  Node n = block(attributes(inner) + (step ? fmt::format("for (; {}; ++{})", test, i)
                                           : fmt::format("while ({})", test)));
  const std::vector<std::string> claimed = ahead(inner, i);
  for (const std::string& text : claimed)
    if (dice_.chance(70)) n.body.push_back(invariant("invariant_r " + text));
  invariants(inner, {}, n.body);
  if (dice_.chance(40)) statements(inner, 1, n.body);
  if (!step) n.body.push_back(line(fmt::format("{0} = {0} + 1;", i)));
  n.loose = true;
  out.push_back(std::move(n));
  for (const std::string& text : claimed)
    if (dice_.chance(60)) out.push_back(claim(fmt::format("assert_r {};", text)));
  claim_about(scope, i, 1, out);
}

// It is left by `return` only, so nothing comes after it.
void Writer::endless_loop(Scope& scope, Nodes& out) {
  Scope inner = inside(scope);
  const std::string i = world_.name("i");
  out.push_back(line(fmt::format("uint {} = 0;", i)));
  inner.variables.push_back(given(i, Scalar::Uint));
  Head head;
  head.counter = i;
  head.bound = std::to_string(1 + dice_.pick(2));
  Node n = block(attributes(inner) + dice_.any({"for (;;)", "while (true)"}));
  invariants(inner, head, n.body);
  if (dice_.chance(50)) statements(inner, 1, n.body);
  Nodes leave;
  if (dice_.chance(40)) claims(inner, 1, leave);
  leave.push_back(line(scope.is_void ? "return;"
                       : scope.result_vector.empty()
                           ? fmt::format("return {};", exprs_.atom(inner, scope.result))
                           : fmt::format("return {};", scope.result_vector)));
  n.body.push_back(block(fmt::format("if ({} >= {})", i, head.bound), std::move(leave)));
  claims(inner, 1, n.body);
  n.body.push_back(line(fmt::format("++{};", i)));
  out.push_back(std::move(n));
}

}  // namespace leto::soundness
