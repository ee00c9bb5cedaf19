#include "situation_gen.h"

#include <fmt/core.h>

namespace leto::soundness {

namespace {

class Situations {
 public:
  explicit Situations(World& world) : dice_(world.dice) {}

  void write(Nodes& items) {
    switch (dice_.pick(22)) {
      case 0:
        return add_to_state(items);
      case 1:
        return return_from_loop(items);
      case 2:
        return start_below_zero(items);
      case 3:
        return take_remainder(items);
      case 4:
        return promise_nothing(items);
      case 5:
        return ask_outside(items);
      case 6:
        return climb_in_test(items);
      case 7:
        return set_state_in_test(items);
      case 8:
        return return_later(items);
      case 9:
        return loop_alone(items);
      case 10:
      case 11:
        return come_to_an_end(items);
      case 12:
        return rely_on_return(items);
      case 13:
        return end_together(items);
      case 14:
      case 15:
        return break_apart(items);
      case 16:
        return define_something(items);
      case 17:
        return rest_on_wish(items);
      case 18:
        return rest_on_itself(items);
      case 19:
        return require_of_original(items);
      case 20:
        return make_in_each_run(items);
      default:
        return call_alone(items);
    }
  }

  // A definition whose equation has no solution, or none outside of its domain. Where it occurs,
  // and is not looked at, nothing follows.
  void define_something(Nodes& items) {
    const bool half = dice_.chance(60);
    items.push_back(
        line(half ? "define uint half(uint k) decreases k: if (k == 0) 0 else 1 + half(k / 2);"
                  : "define int lost(int k) decreases k: if (k > 0) 0 else lost(k) + 1;"));
    Nodes body;
    const std::string used = half ? "half(n - 1)" : "lost(n)";
    maybe(40, claim(half ? "assert n == 0 || half(n) > half(0);" : "assert n >= 0 || n < 0;"),
          body);
    body.push_back(claim(fmt::format("assert n {} || (n < 0 && {} == 0);",
                                     dice_.any({"> 0", ">= 0", "!= 0", "> 1"}), used)));
    maybe(50, claim(fmt::format("assert n > 0 -> {0} == {0};", used)), body);
    define({}, half ? "void f(uint n)" : "void f(int n)", std::move(body), items);
  }

  // A lemma that is not proved, and what rests on it: itself, by way of another lemma, or by way of
  // a function.
  void rest_on_wish(Nodes& items) {
    use("m", {line("operator +(int a, int b) ensures result == a + b;")}, items);
    const std::string said = dice_.any({"lx > 0", "lx >= 1", "lx != 0", "false"});
    Nodes wrong;
    maybe(25, line("assume lx > 0;"), wrong);
    define({line("ensures " + said)}, "lemma wish(int lx)", std::move(wrong), items);
    std::string used = "wish";
    if (dice_.chance(40)) {
      define({line("ensures lx >= 0")}, "lemma rests(int lx)", {line("wish(lx);")}, items);
      used = "rests";
    }
    const std::string call = used + "(x);";
    Nodes body = fit_in(call, items);
    for (const char* text : {"assert x >= 0;", "assert x != 0 - 1;", "assert_r x<o> >= 0;",
                             "assert_r x<r> > 0 || x<r> == 0;", "assert x > 0;"})
      maybe(60, claim(text), body);
    define({line("requires_r eq(*)")}, "void f(int x)", std::move(body), items);
  }

  // A lemma that is called in the middle of things, perhaps by a function of its own.
  Nodes fit_in(const std::string& call, Nodes& items) {
    switch (dice_.pick(4)) {
      case 0:
        define({}, "void g(int x)", {line(call)}, items);
        return {line("g(x);")};
      case 1:
        return {block("for (uint i = 0; i < 2; ++i)", {line(call)})};
      default:
        return {line(call)};
    }
  }

  // A lemma that is proved by itself, with a measure that does not fall, or for ever.
  void rest_on_itself(Nodes& items) {
    use("m", {line("operator +(int a, int b) ensures result == a + b;")}, items);
    const bool natural = dice_.chance(60);
    const std::string less = dice_.any({"", "", " - 1", " - 2", " + 1"});
    Nodes body{line(fmt::format("turns(lx{});", less))};
    if (dice_.chance(40)) body = {block("if (lx > 0)", std::move(body))};
    if (natural && dice_.chance(25))
      body = {block("forall(uint lk; lk < lx + 1)", {line("turns(lk);")})};
    const std::string said = dice_.any({"{} > 1", "{} >= 2", "{} == 3", "{} != 1"});
    define({line("ensures " + fill_in(said, "lx")), line("decreases lx")},
           fmt::format("lemma turns({} lx)", natural ? "uint" : "int"), std::move(body), items);
    Nodes calling{line(dice_.any({"turns(x);", "turns(x);", "turns(x<r>);", "turns(x<o>);",
                                  "forall(uint k; k < 3) { turns(k); }"}))};
    for (const char* side : {"x<o>", "x<r>"})
      maybe(60, claim(fmt::format("assert_r {};", fill_in(said, side))), calling);
    maybe(70, claim(fmt::format("assert {};", fill_in(said, "x"))), calling);
    define({line("requires_r eq(*)")}, natural ? "void f(uint x)" : "void f(int x)",
           std::move(calling), items);
  }

  // What the lemma requires is known of one run only, or of a run that parts from the other.
  void require_of_original(Nodes& items) {
    use("m",
        {line("operator +(int a, int b) ensures result == a + b;"),
         line(fmt::format("operator +(int a, int b) ensures result == a + b + {};",
                          1 + dice_.pick(2)))},
        items);
    const std::string least = number(3), side = dice_.any({"o", "r", "r"});
    define({line(fmt::format("requires lx >= {}", least)),
            line(fmt::format("ensures lx * lx >= {}", least))},
           "lemma squares(int lx)", {}, items);
    Nodes body{line("int y = x +. 0;")};
    if (dice_.chance(30)) body.push_back(line(fmt::format("y = y - x + {};", least)));
    Nodes calling{line(dice_.any({"squares(x);", "squares(x);", "squares(y);", "squares(y - 1);",
                                  "squares(x<r>);", "squares(y<r>);"}))};
    maybe(60, claim(fmt::format("assert x >= {};", least)), calling);
    maybe(40, claim(fmt::format("assert_r x<o> >= {};", least)), calling);
    maybe(40, claim(fmt::format("assert_r y<o> * y<o> >= {};", least)), calling);
    if (dice_.chance(40))
      body.push_back(block(dice_.any({"if (y == x)", "if (y > x)"}), std::move(calling)));
    else
      for (Node& node : calling) body.push_back(std::move(node));
    Nodes clauses{line(fmt::format("requires_r x<{}> >= {}", side, least))};
    maybe(25, line("requires_r eq(*)"), clauses);
    clauses.push_back(block("void f(int x)", std::move(body)));
    items.push_back(group(std::move(clauses)));
  }

  // What a lemma makes, of arguments that may differ between the runs: what it ensures is all that
  // is known of it, and the lemma may not hold.
  void make_in_each_run(Nodes& items) {
    use("m", {line("operator +(int a, int b) ensures result == a + b;")}, items);
    const std::string step = number(3);
    const std::string said = fill_in(
        dice_.any({"lk > lx", "lk >= lx", "lk != lx", "lk >= lx && lk >= 0", "lk == lx + {}"}),
        step);
    Nodes making;
    maybe(85,
          line(fill_in(
              dice_.any({"lk = lx + {};", "lk = lx + {};", "lk = max(lx + 1, 0);", "lk = 0 - lx;"}),
              step)),
          making);
    if (dice_.chance(25)) making = {block("if (lx > 0)", std::move(making))};
    maybe(25, line("lk = max(lk, lx + 1);"), making);
    define({line("ensures " + said)}, "lemma beyond(int lx) returns (int lk)", std::move(making),
           items);
    Nodes calling{line(dice_.any({"k = beyond(x);", "k = beyond(x);", "k = beyond(k);"}))};
    Nodes body{line("specvar int k = 0;"), line("specvar int j = beyond(x);")};
    switch (dice_.pick(4)) {
      case 0:
        body.push_back(block("for (uint i = 0; i < 2; ++i)", std::move(calling)));
        break;
      case 1:
        body.push_back(block("if (x > 0)", std::move(calling)));
        break;
      default:
        body.push_back(std::move(calling[0]));
    }
    for (const char* text :
         {"assert_r eq(k);", "assert_r eq(j);", "assert k == j;", "assert j > x;",
          "assert_r j<o> > x<r>;", "assert_r j<r> >= x<o>;", "assert k >= x;", "assert j != 0;"})
      maybe(50, claim(text), body);
    Nodes clauses;
    maybe(35, line("requires_r eq(*)"), clauses);
    maybe(25, line("requires_r x<o> <= x<r>"), clauses);
    define(std::move(clauses), "void f(int x)", std::move(body), items);
  }

  // A function without a contract that is called with equal values and with others, by both runs
  // and by one, before a fault and behind it.
  void sum_up(Nodes& items) {
    use("m",
        {line("bool upset = false;"), line("operator +(int a, int b) ensures result == a + b;"),
         line(fmt::format(
             "operator +(int a, int b) when !upset modifies upset ensures upset && {};",
             dice_.any({"result == a + b + 1", "result == a + b - 2", "result >= a + b"})))},
        items);
    Nodes deep{line("int s = p;")};
    maybe(30, block("for (uint i = 0; i < 2; ++i)", {line("s = s + 1;")}), deep);
    deep.push_back(line("return s;"));
    define({}, "int h(int p)", std::move(deep), items);
    Nodes middle;
    for (const char* text : {"assert_r p<o> == p<o>;", "assert_r !model.upset;"})
      maybe(40, claim(text), middle);
    middle.push_back(line("int s = h(p) + q;"));
    maybe(50, line(dice_.any({"s = s +. 1;", "s = q +. s;", "model.upset = true;"})), middle);
    middle.push_back(line("return s;"));
    define({}, "int g(int p, int q)", std::move(middle), items);
    Nodes body{line("int x = 0;")};
    maybe(50, line("x = g(a, b);"), body);
    maybe(50, claim(dice_.any({"assert_r !model.upset;", "assert_r eq(x);"})), body);
    body.push_back(line("int y = a +. b;"));
    maybe(50,
          block(dice_.any({"if (y != a + b)", "if (y == a + b)", "if (y > 0)"}),
                {line("x = g(y, b);")}),
          body);
    body.push_back(
        line(fmt::format("int z = g({});", dice_.any({"a, b", "y, b", "a, y", "x, a"}))));
    for (const char* text : {"assert_r eq(z);", "assert_r !model.upset -> eq(z);",
                             "assert_r !model.upset;", "assert_r model.upset;", "assert_r eq(x);"})
      maybe(60, claim(text), body);
    define({line("requires_r eq(*)")}, "void f(int a, int b)", std::move(body), items);
  }

 private:
  [[nodiscard]] std::string number(unsigned below) { return std::to_string(dice_.pick(below)); }
  static void use(const std::string& head, Nodes members, Nodes& items) {
    items.push_back(block("model " + head, std::move(members)));
    items.push_back(line(fmt::format("use model {};", head)));
    items.back().needed = true;
  }
  static void define(Nodes clauses, const std::string& head, Nodes body, Nodes& items) {
    clauses.push_back(block(head, std::move(body)));
    items.push_back(group(std::move(clauses)));
  }
  // Often, not always: so that the claims differ.
  void maybe(unsigned percent, Node n, Nodes& out) {
    if (dice_.chance(percent)) out.push_back(std::move(n));
  }

  // What is added to the model's state changes that state as well.
  void add_to_state(Nodes& items) {
    const std::string set = dice_.any({"used == 5", "used == old(used) + 1", "used == 0"});
    use("m",
        {line(fmt::format("int used = {};", number(3))),
         line("operator +(int a, int b) ensures result == a + b;"),
         line(fmt::format("operator +(int a, int b) modifies used ensures result == a + b + {} && "
                          "{};",
                          number(2), set))},
        items);
    const std::string start = number(3);
    Nodes body{
        line(fmt::format("model.used = {};", start)),
        line(fmt::format("model.used {} x +. {};", dice_.any({"+=", "+=", "-="}), number(2)))};
    for (int i = 0; i < 4; ++i)
      body.push_back(claim(fmt::format("assert_r model.used {} x<r> + {};",
                                       dice_.any({"!=", "==", "!=", "<="}), number(8))));
    define({line("requires_r eq(*)")}, "void f(int x)", std::move(body), items);
  }

  // The loop is left from its middle, where its invariant does not hold.
  void return_from_loop(Nodes& items) {
    use("m", {line("operator *(int a, int b) ensures result == a * b;")}, items);
    const std::string first = number(2), last = number(6);
    const std::string second = dice_.chance(60) ? "d" : number(3);
    const std::string sign = dice_.any({"==", "<=", "<="});
    Nodes clauses{line(dice_.any({"requires_r eq(*)", "requires_r n<o> <= n<r>"}))};
    for (int i = 0; i < 2; ++i)
      clauses.push_back(
          claim(fmt::format("ensures_r result<{}> {} {}", dice_.any({"o", "r"}),
                            dice_.any({"==", "!=", "<="}), dice_.chance(50) ? last : number(6))));
    Nodes loop{invariant(fmt::format("invariant x {} {}", sign, first))};
    maybe(50, invariant(fmt::format("invariant_r {}", dice_.any({"eq(x)", "eq(n)"}))), loop);
    loop.push_back(line(fmt::format("x = {};", second)));
    loop.push_back(dice_.chance(60) ? line(fmt::format("return {};", dice_.any({"x", "n"})))
                                    : block("if (n == 1)", {line("return x;")}));
    loop.push_back(line(fmt::format("x = {};", first)));
    loop.push_back(line("n = n - 1;"));
    Nodes body{line(fmt::format("int x = {};", first)),
               block(dice_.any({"while (n > 0)", "@noinf while (n > 0)"}), std::move(loop))};
    maybe(50, claim(fmt::format("assert_r x<r> == {};", first)), body);
    body.push_back(line(fmt::format("return {};", last)));
    define(std::move(clauses), "int f(int n, int d)", std::move(body), items);
  }

  // One run has left the loop when the other returns from it.
  void return_later(Nodes& items) {
    use("m", {line("operator *(int a, int b) ensures result == a * b;")}, items);
    const std::string late = dice_.any({"o", "o", "r"}), early = late == "o" ? "r" : "o";
    const std::string limit = number(2);
    Nodes loop{invariant(fmt::format("invariant z <= {}", limit))};
    maybe(30, invariant(fmt::format("invariant_r z<{}> <= {}", late, limit)), loop);
    loop.push_back(block("if (i == 1)", {line(fmt::format("z = {};", dice_.any({"d", "d", "3"}))),
                                         line("return 1;")}));
    loop.push_back(line("++i;"));
    Nodes body{line("uint i = 0;"), line("uint z = 0;"), block("while (i < n)", std::move(loop))};
    for (const char* side : {"o", "r"})
      maybe(80, claim(fmt::format("assert_r z<{}> <= {};", side, limit)), body);
    body.push_back(line("return 2;"));
    define({line(fmt::format("requires_r n<{}> == 2 && n<{}> == {}", late, early, number(2)))},
           "uint f(uint n, uint d)", std::move(body), items);
  }

  // A loop that one run comes to alone, with invariants about both.
  void loop_alone(Nodes& items) {
    use("m",
        {line("operator <(int a, int b) ensures result == (a < b);"),
         line(fmt::format("operator <(int a, int b) ensures {};",
                          dice_.any({"!result", "result", "true"})))},
        items);
    const std::string side = dice_.any({"o", "r"}), other = side == "o" ? "r" : "o";
    const std::string apart = fmt::format("x<{}> <= x<{}> + {}", side, other, number(3));
    Nodes loop{invariant("invariant_r " + apart), line("x = x + 1;")};
    Nodes body{line("int x = 0;"), line(fmt::format("bool go = {} <. b;", number(2))),
               block("if (go)", {block(dice_.any({"while (x < a)", "@noinf while (x < a)"}),
                                       std::move(loop))}),
               claim(fmt::format("assert_r {};", apart)), claim("assert_r eq(x);")};
    define({line("requires_r eq(*)")}, "void f(int a, int b)", std::move(body), items);
  }

  // A natural number of the model whose first value is none.
  void start_below_zero(Nodes& items) {
    use("m",
        {line(fmt::format("uint left = {} - {};", number(3), number(4))),
         line("operator +(int a, int b) ensures result == a + b;"),
         line("operator +(int a, int b) when left > 0 modifies left ensures left == old(left) - "
              "1;")},
        items);
    define({line("requires_r eq(*)")}, "int f(int x)",
           {line("x = x +. 1;"), claim(dice_.any({"assert_r eq(x);", "assert_r model.left >= 0;"})),
            claim(fmt::format("assert_r model.left {} {};", dice_.any({"<=", ">="}), number(3))),
            line("return x;")},
           items);
  }

  // A remainder that a fault makes negative, or large.
  void take_remainder(Nodes& items) {
    use("m",
        {line("operator %(int a, int b) ensures result == a % b;"),
         line(fmt::format("operator %(int a, int b) ensures {};",
                          dice_.any({"-1 <= result <= 1", "result == a % b - 1", "result == -1",
                                     "a % b <= result <= a % b + 1"})))},
        items);
    Nodes body{line(fmt::format("int y = x %. {};", 2 + dice_.pick(2)))};
    for (const char* text :
         {"assert y >= 0;", "assert_r y<r> != -1;", "assert y <= 1;", "assert_r y<r> >= 0 - 1;"})
      maybe(70, claim(text), body);
    maybe(40, block("if (y < 0)", {claim("assert_r y<r> == 7;")}), body);
    define({line("requires_r eq(*)")}, "void f(int x)", std::move(body), items);
  }

  // What is promised cannot be, so nothing comes behind it.
  void promise_nothing(Nodes& items) {
    use("m", {line("operator *(int a, int b) ensures result == a * b;")}, items);
    const bool relational = dice_.chance(40);
    const std::string promise =
        relational ? dice_.any({"ensures_r result<r> > result<o> && result<r> < result<o>",
                                "ensures_r result<r> == result<o> + 1 && eq(result)"})
                   : dice_.any({"ensures result > p && result < p", "ensures result == result + 1",
                                "ensures false"});
    items.push_back(group({line(promise), line("extern int g(int p);")}));
    Nodes call{line("x = g(x);"), claim("assert_r eq(x);"), claim("assert x == 3;")};
    Nodes body;
    if (dice_.chance(30))
      body.push_back(block("repeat 2", std::move(call)));
    else
      body = std::move(call);
    body.push_back(line("return x;"));
    define({line("requires_r eq(*)")}, "int f(int x)", std::move(body), items);
  }

  // The test asks somebody who may answer differently the next time, of each run.
  void ask_outside(Nodes& items) {
    use("m", {line("operator *(int a, int b) ensures result == a * b;")}, items);
    const bool original = dice_.chance(50);
    const std::string early = original ? "o" : "r", late = original ? "r" : "o";
    items.push_back(
        group({line(fmt::format("ensures_r level<o> != level<r> -> (result<{}> -> result<{}>)",
                                late, early)),
               line("extern bool goes_on(int level);")}));
    const std::string most = number(3);
    const std::string apart = fmt::format("level<{}> <= level<{}> + {}", dice_.any({"o", "r"}),
                                          dice_.any({"o", "r"}), number(2));
    const std::string more =
        fmt::format("level<{}> <= level<{}> + 1", dice_.any({"o", "r"}), dice_.any({"o", "r"}));
    Nodes loop{invariant("invariant_r " + apart), invariant("invariant_r " + more),
               line("level = level + 1;")};
    Nodes body{line("int level = 0;"),
               block(dice_.any({"@noinf while (goes_on(level))", "while (goes_on(level))",
                                "while (goes_on(level) && level < 3)"}),
                     std::move(loop)),
               claim(fmt::format("assert_r {};", apart)), claim(fmt::format("assert_r {};", more))};
    define({}, "void f()", std::move(body), items);
  }

  // A function with invariants about both runs, in a test that one run may evaluate alone.
  void climb_in_test(Nodes& items) {
    use("m",
        {line("bool upset = false;"), line("operator <(int a, int b) ensures result == (a < b);"),
         line(
             fmt::format("operator <(int a, int b) when !upset modifies upset ensures upset && {};",
                         dice_.any({"!result", "result == !(a < b)"})))},
        items);
    Nodes climb{block("while (k < limit)",
                      {invariant("invariant_r eq(k)"), invariant("invariant k == 0 || k <= limit"),
                       line("k = k + 1;")})};
    climb.insert(climb.begin(), line("int k = 0;"));
    climb.push_back(line("return k;"));
    Nodes contract;
    if (dice_.chance(50)) contract = {claim("requires_r eq(limit)"), claim("ensures_r eq(result)")};
    define(std::move(contract), "int climb(int limit)", std::move(climb), items);
    const std::string side = dice_.any({"o", "r"}), other = side == "o" ? "r" : "o";
    const std::string apart =
        fmt::format("eq(i) || a<r> == b<r> || (model.upset && i<{}> == i<{}> + 1)", side, other);
    Nodes body{
        line("int i = 0;"),
        block(fmt::format("while (i + 0 * climb(a) + 0 * climb(b) <. {})", 2 + dice_.pick(3)),
              {invariant("invariant_r " + apart), line("i = i + 1;")}),
        claim(fmt::format("assert_r a<r> == b<r> || i<{}> <= i<{}> + 1;", side, other))};
    define({line(fmt::format("requires a >= {} && b >= {}", number(3), number(3))),
            line("requires_r eq(*)")},
           "void f(int a, int b)", std::move(body), items);
  }

  // A test that sets the model's state in a function that it calls, without a relaxed operation.
  void set_state_in_test(Nodes& items) {
    use("m", {line("uint asked = 0;"), line("operator *(real a, real b) ensures result == a * b;")},
        items);
    define({}, "bool ask(bool patient)",
           {line("model.asked = model.asked + 1;"),
            line(fmt::format("return !patient || model.asked {} {};", dice_.any({">=", "<", "=="}),
                             1 + dice_.pick(3)))},
           items);
    const std::string side = dice_.any({"o", "r"}), other = side == "o" ? "r" : "o";
    Nodes loop{invariant(fmt::format(
        "invariant_r eq(i) || (model.asked >= {} && i<{}> == i<{}> + 1)", number(2), side, other))};
    maybe(50, invariant(fmt::format("invariant_r i<{}> <= i<{}> + 1", side, other)), loop);
    loop.push_back(line("i = i + 1;"));
    Nodes body{line("int i = 0;"),
               block(dice_.any({"while (i < 4 && ask(patient))", "while (ask(patient) && i < 3)"}),
                     std::move(loop)),
               claim(fmt::format("assert_r i<{}> <= i<{}> + 1;", side, other)),
               claim("assert_r eq(i);")};
    define({line(dice_.any({"requires_r !patient<o> && patient<r>",
                            "requires_r patient<o> && !patient<r>", "requires_r eq(patient)"}))},
           "void f(bool patient)", std::move(body), items);
  }

  // Something falls, or seems to: in one run, from below zero, or as long as the test is right.
  void come_to_an_end(Nodes& items) {
    const std::string sign = dice_.any({"<", "!=", ">"});
    use("m",
        {line("uint spare = 1;"),
         line(fmt::format("operator {}(int a, int b) ensures result == (a "
                          "{} b);",
                          sign, sign)),
         line(fmt::format("operator {}(int a, int b) {}ensures {};", sign,
                          dice_.chance(50) ? "when spare > 0 modifies spare " : "",
                          dice_.any({"result", "!result", "true"}))),
         line("operator +(int a, int b) ensures result == a + b;"),
         line("operator +(int a, int b) when spare > 0 modifies spare ensures result >= a && spare "
              "== old(spare) - 1;")},
        items);
    const bool rises = sign == "<" || (sign == "!=" && dice_.chance(50));
    const std::string end = number(3), dot = dice_.chance(60) ? "." : "";
    const std::string distance = rises ? end + " - x" : "x - " + end;
    const std::string measures[] = {distance, distance, "model.spare, " + distance,
                                    rises ? "0 - x" : "x"};
    const std::string measure = measures[dice_.pick(4)];
    Nodes loop{invariant("decreases " + measure)};
    maybe(60, invariant(rises ? "invariant x <= " + end : "invariant x >= " + end), loop);
    maybe(50, invariant("invariant_r eq(x)"), loop);
    maybe(25, block("if (x == d)", {line("return;")}), loop);
    const std::string step = dice_.any({"x = x + 1;", "x = x + 1;", "x = x +. 1;"});
    loop.push_back(line(rises ? step : "x = x - 1;"));
    Nodes body{line("int x = s;"),
               block(fmt::format("while (x {}{} {})", sign, dot, end), std::move(loop)),
               claim("assert_r eq(d);")};
    Nodes clauses{line(dice_.any({"requires_r eq(*)", "requires_r s<o> <= s<r>"}))};
    maybe(60, line(rises ? "requires s <= " + end : "requires s >= " + end), clauses);
    clauses.push_back(block(fmt::format("{}void f(int s, int d)", dice_.chance(60) ? "ends " : ""),
                            std::move(body)));
    items.push_back(group(std::move(clauses)));
  }

  // One run leaves from the middle, where the invariant does not hold, and the other goes on.
  void break_apart(Nodes& items) {
    use("m",
        {line("bool upset = false;"), line("operator +(int a, int b) ensures result == a + b;"),
         line(
             fmt::format("operator +(int a, int b) when !upset modifies upset ensures upset && {};",
                         dice_.any({"result == a + b + 1", "result == a", "true"})))},
        items);
    const std::string kept = number(2), set = std::to_string(2 + dice_.pick(3));
    const std::string head =
        dice_.any({"for (; i < 3; i = i + 1)", "while (i < 3)", "while (true)"});
    Nodes loop;
    maybe(80, invariant("invariant x == " + kept), loop);
    maybe(60, invariant("invariant_r model.upset || eq(i)"), loop);
    maybe(30, invariant("invariant_r !left<o> && !left<r> -> eq(i)"), loop);
    maybe(40, invariant("decreases 3 - i"), loop);
    loop.push_back(line("int y = i +. 0;"));
    Nodes leave;
    maybe(85, line(fmt::format("x = {};", set)), leave);
    leave.push_back(line(dice_.any({"break;", "break;", "break;", "return;", "continue;"})));
    loop.push_back(
        block(dice_.any({"if (y == d)", "if (y >= d)", "if (y != i)"}), std::move(leave)));
    maybe(40, claim("assert x == " + kept + ";"), loop);
    if (head == "while (true)") loop.push_back(block("if (i >= 3)", {line("break;")}));
    if (!head.starts_with("for")) loop.push_back(line("i = i + 1;"));
    Nodes body{line("int i = 0;"), line(fmt::format("int x = {};", kept)),
               block(head, std::move(loop))};
    for (const std::string& text :
         {std::string("eq(x)"), std::string("eq(i)"), std::string("!model.upset -> eq(x) && eq(i)"),
          "x<r> == " + kept, "x<o> == " + kept, std::string("i<r> == 3"),
          "i<r> < 3 -> x<r> == " + set, "x<r> == " + kept + " -> i<r> == 3"})
      maybe(45, claim(fmt::format("assert_r {};", text)), body);
    define({line(dice_.any({"requires_r eq(*)", "requires_r d<o> <= d<r>"}))}, "void f(int d)",
           std::move(body), items);
  }

  // It falls as long as both runs are in the loop; one of them stays.
  void end_together(Nodes& items) {
    use("m",
        {line("operator +(int a, int b) ensures result == a + b;"),
         line(fmt::format("operator +(int a, int b) ensures {};",
                          dice_.any({"true", "result != 0", "result == a"})))},
        items);
    const std::string first = number(3);
    Nodes loop{invariant("decreases " + std::string(dice_.any({"m", "m", "1, m"}))),
               invariant(fmt::format("invariant_r x<o> != 0 -> m<r> == {}", first))};
    loop.push_back(line(dice_.any({"m = m - 1;", "m = m - 1;", "m = 0;"})));
    loop.push_back(line(fmt::format("x = {} +. 0;", dice_.any({"z", "z", "s"}))));
    define({line("requires_r eq(*)")}, "void f(int s)",
           {line("int x = 1;"), line("int z = 0;"), line(fmt::format("int m = {};", first)),
            block("while (x != 0)", std::move(loop)), claim("assert_r eq(s);")},
           items);
  }

  // A contract, and who relies on it to come back.
  void rely_on_return(Nodes& items) {
    use("m", {line("operator +(int a, int b) ensures result == a + b;")}, items);
    const std::string ends = dice_.chance(40) ? "ends " : "";
    Nodes loop;
    maybe(50, invariant("decreases x"), loop);
    loop.push_back(line(dice_.any({"x = x - 1;", "x = x - 1;", "x = x + 0;"})));
    Nodes inner{line("int x = p;"),
                block(dice_.any({"while (x != 0)", "while (x > 0)"}), std::move(loop))};
    define({line("requires_r eq(*)"), claim(dice_.any({"ensures true", "ensures p == p"}))},
           ends + "void g(int p)", std::move(inner), items);
    define({line("requires_r eq(*)")}, "ends void f(int a)",
           {line(fmt::format("g({});", dice_.any({"a", "1", "0 - 1"})))}, items);
  }

  // A function that both runs have called is called by one of them alone.
  void call_alone(Nodes& items) {
    use("m",
        {line("operator +(int a, int b) ensures result == a + b;"),
         line(fmt::format("operator +(int a, int b) ensures result == a + b + {};",
                          1 + dice_.pick(2)))},
        items);
    Nodes claims;
    for (const char* text : {"assert_r p<o> <= p<r>;", "assert_r eq(p);", "assert_r p<r> >= p<o>;",
                             "assert_r p<o> == p<o>;"})
      maybe(50, claim(text), claims);
    claims.push_back(claim("assert_r p<r> >= p<r>;"));
    define({}, "void h(int p)", std::move(claims), items);
    Nodes inner{line(fmt::format("h({});", dice_.any({"x", "x + 1", "y"})))};
    Nodes body{line("h(x);"), line("int y = x +. 1;"),
               block(dice_.any({"if (y > x + 1)", "if (y == x + 1)", "if (y != x + 1)"}),
                     std::move(inner))};
    if (dice_.chance(30)) body.push_back(line("h(y);"));
    define({line("requires_r eq(*)")}, "void f(int x)", std::move(body), items);
  }

  Dice& dice_;
};

}  // namespace

void write_situation(World& world, Nodes& items) {
  Situations(world).write(items);
}

void write_calls(World& world, Nodes& items) {
  Situations(world).sum_up(items);
}

}  // namespace leto::soundness
