#include "reliability_programs.h"

#include <fmt/core.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

namespace leto::tests {

namespace {

// Relaxed operations made exact.
std::string without_dots(std::string text) {
  for (std::size_t at = 0; (at = text.find(". ", at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
}

class Maker {
 public:
  Maker(unsigned seed, unsigned sites) : random_(seed), sites_(sites) {}

  MadeProgram run() {
    MadeProgram made;
    made.model = models();
    const bool counts = one_in(2);  // state that is never set is never known
    const std::string declared =
        std::string(
            " int a = x; int b = y; int c = 1; int d = 0; int e = 2;\n"
            " vector<int> u(2), w(2); w[0] = x; w[1] = 5;\n @region(cell) int g;\n") +
        (counts ? " model.hits = 0;\n" : "");
    const std::string body =
        roll(8) == 0 ? measured(declared, made.probe)
                     : block(2, 1 + roll(3)) + recovery_statement(2) + block(1, roll(2));
    const bool vector = one_in(body.find("u[") == std::string::npos ? 8 : 2);
    const std::string result = vector                ? "u"
                               : counts && one_in(2) ? variable() + " + model.hits"
                               : one_in(2)           ? variable()
                                                     : variable() + " + 3 * " + variable();
    made.text = functions() + "reliability 0 <= R(result)\n" + (vector ? "vector<int>" : "int") +
                " f(int x, int y) {\n" + declared + body + " return " + result + ";\n}\n";
    if (vector) {  // what returns early returns a vector too
      static const std::string kEarly = "return ";
      for (const char v : {'a', 'b', 'c', 'd', 'e'})
        replace_all(made.text, kEarly + v + ";", kEarly + "w;");
    }
    return made;
  }

 private:
  unsigned roll(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool one_in(unsigned n) { return roll(n) == 0; }
  std::string variable() { return std::string(1, static_cast<char>('a' + roll(5))); }
  std::string outer() { return pick({"x", "y"}); }
  std::string pick(std::vector<std::string> from) {
    return from[roll(static_cast<unsigned>(from.size()))];
  }

  // One recovery, with a check whose rates are measured by `probe`.
  std::string measured(const std::string& declared, std::string& probe) {
    // What stands before goes well: the rates are those of a check of right things.
    const unsigned sites = std::exchange(sites_, 0);
    returns_ = false;
    const std::string before = block(1, roll(2));
    sites_ = sites;
    const Tried tried = attempt();
    const std::string body = before + "try {\n" + tried.body + "} check measured (" +
                             loose_check(tried) + ") recover " + recovery(tried);
    probe = "vector<int> probe(int x, int y) {\n" + declared + before + tried.body +
            "vector<int> out(11); out[0] = 0;\nif (" + last_check_ +
            ") { out[0] = 1; }\nout[1] = a; out[2] = b; out[3] = c; out[4] = d; out[5] = e; "
            "out[6] = u[0]; out[7] = u[1]; out[8] = w[0]; out[9] = w[1]; out[10] = g;\nreturn "
            "out;\n}\n";
    return body;
  }

  // Models ---------------------------------------------------------------------------------------

  // One that is always possible; or one that is not, of which nothing may be concluded.
  std::string exact(const char* op, bool guarded) {
    return fmt::format("operator {0}(int a, int b) {1}ensures result == (a {0} b);\n", op,
                       guarded ? "when hits < 1 " : "");
  }
  std::string faults(const char* op, const std::string& rate, unsigned kind, int number) {
    const auto one = [&](const char* which, const std::string& chance, const std::string& rest) {
      return fmt::format("@label(w{}{}) @rate({}) operator {}(int a, int b) {}\n", number, which,
                         chance, op, rest);
    };
    switch (kind) {
      case 0:  // counts as well
        return one("", rate, "modifies hits ensures hits == old(hits) + 1;");
      case 1:  // does nothing but count
        return one(
            "", rate,
            fmt::format("modifies hits ensures hits == old(hits) + 1 ensures result == (a {} b);",
                        op));
      case 2:  // one of two
        return one("", rate, "ensures true;") +
               one("b", "q",
                   op[0] == '<' ? "ensures true;"
                                : fmt::format("ensures result == a {} b + 1;", op));
      case 3:  // once only
        return one("", rate, "when hits < 1 modifies hits ensures hits == old(hits) + 1;");
      default:
        return one("", rate, "ensures true;");
    }
  }
  std::string models() {
    const bool guarded = one_in(14);
    const unsigned kind = guarded && one_in(2) ? 0 : roll(8);
    std::string out = "model wrong { const real p = RATE; const real q = 0.0625; int hits = 0;\n";
    int number = 0;
    for (const char* op : {"+", "-", "*", "<"})
      out += exact(op, guarded) + faults(op, "p", kind, ++number);
    out +=
        "@region(cell) write(int dest, int src) ensures dest == src;\n"
        "@label(lost) @region(cell) @rate(p) write(int dest, int src) ensures dest == old(dest);\n";
    out +=
        fmt::format("}}\nmodel second {{ const real s = {}; const real q = 0.0625; int hits = 0;\n",
                    pick({"0.25", "0.0625", "0"}));
    for (const char* op : {"+", "-", "*", "<"})
      out += exact(op, false) + faults(op, "s", roll(2) == 0 ? 0 : 9, ++number);
    return out + "}\nuse model wrong;\nchecker measured false_positive 1 false_negative 1;\n";
  }
  std::string functions() {
    return std::string("reliability result >= 0.75 * R(x)\nextern int outside(int x);\n") +
           (one_in(2) ? "reliability result >= 0.5 * R(x)\n" : "") +
           "int helper(int x) { return x +. 1; }\n"
           "int pure(int x) { return x + 2; }\n"
           "int counting(int x) { model.hits = model.hits + 1; return x; }\n"
           "int peek(int x) { return x + model.hits; }\n"
           "void fuzzy(int x) { model.hits = x *. x; }\n"
           "int note(int z, int n) { model.hits = z; return n; }\n";
  }

  // Statements -----------------------------------------------------------------------------------

  bool relaxed() {
    if (sites_ < weight_ || one_in(3)) return false;
    sites_ -= weight_;
    return true;
  }
  std::string operation(const std::string& l, const std::string& r) {
    return l + " " + pick({"+", "-", "*"}) + (relaxed() ? ". " : " ") + r;
  }
  std::string block(unsigned depth, unsigned n) {
    std::string out;
    for (unsigned i = 0; i < n; ++i) out += statement(depth);
    return out;
  }
  std::string statement(unsigned depth) {
    const std::string v = variable();
    switch (roll(depth > 0 ? 17 : 9)) {
      case 0:
        return fmt::format("model.hits = {};\n", pick({"0", v, "model.hits + 1"}));
      case 1:
        return v + " = " + pick({"model.hits", "peek(" + variable() + ")"}) + ";\n";
      case 2:
        return call(v);
      case 3:
        return fmt::format("{}[{}] = {};\n", pick({"u", "w"}), index(), variable());
      case 4:
        return pick({"u = w;\n", "w = u;\n", v + " = u[" + index() + "];\n"});
      case 5:
        if (returns_ && one_in(2))
          return fmt::format("if ({} > {}) {{\nreturn {};\n}}\n", v, roll(4), variable());
        return fmt::format("assert {} < {};\n", v, 3 + roll(9));
      case 6:
        if (one_in(2) || sites_ < weight_) return v + " = g;\n";
        sites_ -= weight_;
        return "g = " + v + ";\n";
      case 7:
      case 8:
      case 9:
        return v + " = " + operation(variable(), variable()) + ";\n";
      case 10:
      case 11:
        return fmt::format("if ({} > {}) {{\n{}}} else {{\n{}}}\n", v, roll(3),
                           block(depth - 1, 1 + roll(2)), block(depth - 1, roll(2)));
      case 12:
        return repeated(depth, v);
      case 13:
        return loop(depth);
      default:
        return recovery_statement(depth);
    }
  }
  std::string call(const std::string& v) {
    const std::string arg = variable();
    if (sites_ < weight_) return v + " = pure(" + arg + ");\n";
    const unsigned which = roll(5);
    if (which < 3) sites_ -= weight_;
    switch (which) {
      case 0:
        return "fuzzy(" + arg + ");\n";
      case 1:
        return v + " = helper(" + arg + ");\n";
      case 2:
        return v + " = outside(" + arg + ");\n";
      default:
        return v + " = counting(" + arg + ");\n";
    }
  }
  // Sometimes one that may be wrong.
  std::string index() { return pick({"0", "1", variable() + " % 2"}); }
  std::string repeated(unsigned depth, const std::string& v) {
    const unsigned n = roll(4), weight = weight_;
    weight_ *= std::max(n, 1u);
    const std::string inside = block(depth - 1, 1 + roll(2));
    weight_ = weight;
    const bool left = returns_ && one_in(4);
    if (left && one_in(2))  // what the first iteration returns is not what others would
      return fmt::format("repeat {} {{\ne = {};\n{}{} = {};\nreturn e;\n}}\n", n, v, inside, v,
                         outer());
    return fmt::format("repeat {} {{\n{}{}}}\n", n, inside, left ? "return " + v + ";\n" : "");
  }
  // It ends, whatever goes wrong.
  std::string loop(unsigned depth) {
    const std::string k = fmt::format("k{}", ++counters_), outer = variable();
    const unsigned weight = weight_;
    weight_ = 1000;  // without loss: else there is no bound
    const std::string inside = block(depth - 1, roll(2));
    weight_ = weight;
    if (one_in(2))
      return fmt::format(
          "int {0} = {1};\nwhile (note({2}, {0}) > 0) {{\n{3}{0} = {0} - 1;\n{4}}}\n", k,
          1 + roll(2), outer, inside, one_in(2) ? "model.hits = 0;\n" : "");
    return fmt::format("int {0} = {1} % 3;\nwhile ({0} > 0) {{\n{2}{0} = {0} - 1;\n}}\n", k, outer,
                       inside);
  }

  // Recoveries -----------------------------------------------------------------------------------

  struct Tried {
    std::string before;  // `try`
    std::string body;
    std::vector<std::string> checks;  // of which all together are likely perfect
    std::vector<std::string> mends;   // statements that likely put all right
    bool calls = false;               // functions that go wrong themselves
  };

  std::string recovery_statement(unsigned depth) {
    const unsigned weight = weight_;
    if (sites_ < 2 * weight_) return "";
    weight_ *= 2;  // at least once more
    const std::string before = one_in(4) ? "e = a;\n" : "";
    const Tried tried = attempt();
    weight_ = weight;
    std::string out = before + tried.before + "try {\n" + tried.body + "} check (" + check(tried) +
                      ") recover " + recovery(tried);
    if (depth > 0 && one_in(5)) out = "repeat 2 {\n" + out + "}\n";
    return out;
  }

  // What is tried: pieces in a row.
  Tried attempt() {
    Tried tried;
    const unsigned n = 1 + roll(2);
    for (unsigned i = 0; i < n; ++i) piece(tried);
    return tried;
  }
  std::string risky(const std::string& l, const char* op, const std::string& r) {
    if (sites_ >= weight_) {
      sites_ -= weight_;
      return fmt::format("{} {}. {}", l, op, r);
    }
    return fmt::format("{} {} {}", l, op, r);
  }
  void piece(Tried& t) {
    switch (roll(14)) {
      case 0:
        return one_value(t);
      case 1:
        return two_values(t);
      case 2:
        return branch(t);
      case 3:
      case 12:
        return element(t);
      case 4:
        return element_on_a_path(t);
      case 5:
      case 13:
        return filled_in_a_loop(t);
      case 6:
        return state(t);
      case 7:
        return in_place(t);
      case 8:
        return called(t);
      case 9:
        return nested(t);
      case 10:
        return in_region(t);
      default:
        return asserted(t);
    }
  }
  void one_value(Tried& t) {
    const std::string v = pick({"a", "b"}), r = pick({"x", "y", "c"}), l = outer();
    const char* op = one_in(2) ? "+" : "*";
    t.body += fmt::format("{} = {};\n", v, risky(l, op, r));
    t.checks.push_back(fmt::format("{} == {} {} {}", v, l, op, r));
    t.mends.push_back(fmt::format("{} = {} {} {};\n", v, l, op, r));
  }
  void two_values(Tried& t) {
    const std::string l = outer(), r = pick({"x", "y", "2"});
    t.body += fmt::format("a = {};\nb = {};\n", risky(l, "*", r), risky("a", "-", l));
    t.checks.push_back(fmt::format("b == {0} * {1} - {0}", l, r));
    if (!one_in(3)) t.checks.push_back(fmt::format("a == {} * {}", l, r));
    t.mends.push_back(fmt::format("a = {} * {};\n", l, r));
    t.mends.push_back(fmt::format("b = {0} * {1} - {0};\n", l, r));
  }
  void branch(Tried& t) {
    const std::string v = pick({"a", "b", "d"}), w = one_in(2) ? v : pick({"a", "b", "d"});
    t.body += fmt::format("c = {};\nif (c > {}) {{ {} = 1; }} else {{ {} = 4; }}\n",
                          risky("x", "+", "y"), roll(3), v, w);
    t.checks.push_back("c == x + y");
    t.mends.push_back(without_dots(t.body.substr(t.body.rfind("c = "))));
  }
  void element(Tried& t) {
    const std::string i = pick({"0", "1", "c % 2"}), l = outer();
    const bool computed = i[0] == 'c' && !one_in(3);
    if (computed) t.body += fmt::format("c = {};\n", risky("x", "+", "y"));
    if (computed) t.checks.push_back("c == x + y");
    if (one_in(4)) t.body += pick({"u = w;\n", "if (c > 0) { u = w; }\n"});
    t.body += fmt::format("u[{}] = {};\n", i, risky(l, "*", "x"));
    t.checks.push_back(fmt::format("u[{}] == {} * x", i, l));
    if (computed) t.mends.push_back("c = x + y;\n");
    t.mends.push_back(fmt::format("u[{}] = {} * x;\n", i, l));
  }
  void element_on_a_path(Tried& t) {
    const bool wrong = one_in(2);
    if (wrong) t.body += fmt::format("c = {};\n", risky("x", "+", "1"));
    if (wrong) t.checks.push_back("c == x + 1");
    const std::string other = pick({"", " else { u[1] = 3; }", " else { u[0] = y; }"});
    t.body += fmt::format("if ({} > 0) {{ u[0] = {}; }}{}\n", wrong ? "c" : "y",
                          wrong ? "1" : risky("x", "*", "x"), other);
    if (!wrong) t.checks.push_back("(y > 0 -> u[0] == x * x)");
    if (wrong) t.mends.push_back("c = x + 1;\n");
    t.mends.push_back(fmt::format("if ({} > 0) {{ u[0] = {}; }}{}\n",
                                  one_in(4) ? "-y" : (wrong ? "c" : "y"), wrong ? "1" : "x * x",
                                  other));
  }
  void filled_in_a_loop(Tried& t) {
    const std::string k = fmt::format("k{}", ++counters_);
    weight_ *= 2;
    const std::string value = risky("x", "*", "y");
    weight_ /= 2;
    const std::string start = one_in(2) ? risky("x", "+", "0") : "2";
    const std::string head = start == "2" ? "2" : "abs(d) % 3";
    if (start != "2") t.body += fmt::format("d = {};\n", start), t.checks.push_back("d == x + 0");
    const bool elements = one_in(2);
    t.body += fmt::format("int {0} = {1};\nwhile ({0} > 0) {{ {0} = {0} - 1; {2} = {3}; }}\n", k,
                          head, elements ? "u[" + k + "]" : "b", value);
    t.checks.push_back(elements ? "u[0] == x * y && u[1] == x * y" : "b == x * y");
    t.mends.push_back(elements ? "u[0] = x * y;\nu[1] = x * y;\n"
                               : fmt::format("repeat {} {{ b = x * y; }}\n", roll(2)));
    if (start != "2") t.mends.push_back("d = x;\n");
  }
  void state(Tried& t) {
    switch (roll(4)) {
      case 0:
        t.body += "model.hits = model.hits + 1;\n";
        t.mends.push_back(pick({"", "model.hits = model.hits + 1;\n"}));
        break;
      case 1:
        t.body += "a = model.hits;\n";
        t.mends.push_back("a = model.hits;\n");
        break;
      case 2:
        t.body += fmt::format("a = {};\nmodel.hits = a;\n", risky("x", "*", "y"));
        t.checks.push_back("a == x * y");
        t.mends.push_back("a = x * y;\n");
        if (one_in(2)) t.mends.push_back("model.hits = a;\n");
        break;
      default:
        t.body += "a = counting(x);\n";
        t.mends.push_back("a = x;\n");
    }
  }
  // Reads what it sets: there it cannot be done again.
  void in_place(Tried& t) {
    if (one_in(2)) t.body += "e = a;\n";
    t.body += fmt::format("a = {};\n", risky("a", "+", "x"));
    t.checks.push_back("a == e + x");
    t.mends.push_back("a = e + x;\n");
  }
  void called(Tried& t) {
    const bool faulty = sites_ >= weight_ && one_in(2);
    if (faulty) sites_ -= weight_;
    t.calls = t.calls || faulty;
    t.body += faulty ? "b = helper(y);\n" : fmt::format("b = pure({});\n", risky("y", "+", "0"));
    t.checks.push_back(faulty ? "b == y + 1" : "b == y + 2");
    t.mends.push_back(faulty ? "b = y + 1;\n" : "b = y + 2;\n");
  }
  void nested(Tried& t) {
    if (sites_ < 3 * weight_) return one_value(t);
    t.body += fmt::format("try {{\nd = {};\n}} check ({}) recover {{ d = {}; }}\n",
                          risky("x", "+", "y"), pick({"d == x + y", "d > 0", "true"}),
                          one_in(2) ? "x + y" : risky("x", "+", "y"));
    t.checks.push_back("d == x + y");
    t.mends.push_back("d = x + y;\n");
  }
  void in_region(Tried& t) {
    if (sites_ < weight_) return one_value(t);
    sites_ -= weight_;
    t.body += "g = x * y;\n";
    t.checks.push_back("g == x * y");
    t.mends.push_back("g = x * y;\n");
  }
  // What the original run asserts decides whether there is anything to be compared.
  void asserted(Tried& t) {
    t.body += fmt::format("d = {};\n{}b = {};\n", risky("c", "+", "0"),
                          pick({"assert d == 1;\n", "while (d != 1) {}\n"}), risky("x", "*", "y"));
    if (one_in(2)) t.body += "e = c;\n";
    const bool also = t.body.ends_with("e = c;\n");
    if (one_in(2)) t.before = fmt::format("c = {};\nc = c + 1;\n", risky("x", "*", "0"));
    t.checks.push_back(also ? "(e != 1 || b == x * y)" : "(c != 1 || b == x * y)");
    t.mends.push_back("d = 1;\nb = x * y;\n");
    if (also) t.mends.push_back("e = 1;\n");
  }

  std::string all_of(const std::vector<std::string>& parts) {
    std::string out;
    for (const std::string& part : parts) out += (out.empty() ? "" : " && ") + part;
    return out.empty() ? "true" : out;
  }
  std::string check(const Tried& t) {
    std::vector<std::string> parts = t.checks;
    switch (roll(9)) {
      case 0:
        if (!parts.empty()) parts.erase(parts.begin() + roll(static_cast<unsigned>(parts.size())));
        return all_of(parts);
      case 1:
        return all_of(parts) + pick({" || d > 2", " || model.hits > 0", " || true"});
      case 2:
        if (sites_ >= weight_) {
          sites_ -= weight_;
          parts.push_back(pick({"x <. x + 1", "x -. 1 == x - 1"}));
        }
        return all_of(parts);
      case 3:
        parts.push_back(pick({"pure(c) > -9", "model.hits < 9", "counting(c) == c"}));
        return all_of(parts);
      default:
        return all_of(parts);
    }
  }
  // Of a check with rates: it may fail in the original run too.
  std::string loose_check(const Tried& t) {
    last_check_ = one_in(2) ? all_of(t.checks) : pick({"false", "x > 1", "a > 0", "true"});
    if (sites_ >= weight_ && one_in(4)) {  // always false, if it does not go wrong
      sites_ -= weight_;
      return last_check_ = "x <. x";
    }
    if (sites_ >= weight_ && one_in(2)) {
      sites_ -= weight_;
      last_check_ = fmt::format("({}) == (x <. y)", last_check_);
    }
    return last_check_;
  }

  std::string recovery(const Tried& t) {
    std::vector<std::string> mends = t.mends;
    const std::string exact = without_dots(t.body);
    switch (roll(12)) {
      case 0:
      case 1:
        return "redo(1);\n";
      case 2:
        return "redo(2);\n";
      case 3:
        return t.calls ? "redo(1);\n" : pick({"redo under second;\n", "redo(2) under second;\n"});
      case 4:
        return braced(exact);
      case 5:
        return braced(t.body);
      case 6:
      case 7:
        return braced(joined(mends));
      case 8:  // nearly
        if (!mends.empty()) mends.erase(mends.begin() + roll(static_cast<unsigned>(mends.size())));
        return braced(joined(mends));
      case 9:
        return braced(spoilt(joined(mends)));
      case 10:
        return braced(before_assertion() + (one_in(3) ? joined(mends) : spoilt(joined(mends))));
      default:
        return braced(
            pick({"a = 7;\n", "b = x;\nu[0] = 1;\n", "d = 3;\n", "c = x + y;\na = 2;\n"}));
    }
  }
  static std::string joined(const std::vector<std::string>& parts) {
    std::string out;
    for (const std::string& part : parts) out += part;
    return out;
  }
  std::string braced(std::string text) {
    // Counters that are declared twice need two names.
    if (const std::size_t at = text.find("int k"); at != std::string::npos) {
      const std::string name = text.substr(at + 4, text.find(' ', at + 4) - at - 4);
      replace_all(text, name + " ", fmt::format("m{} ", counters_ + 50));
      replace_all(text, name + "]", fmt::format("m{}]", counters_ + 50));
      ++counters_;
    }
    return "{\n" + text + "}\n";
  }
  std::string spoilt(std::string text) {
    switch (roll(4)) {
      case 0:
        return fmt::format("if ({} > 0) {{\n{}}}\n", variable(), text);
      case 1:
        return fmt::format("repeat {} {{\n{}}}\n", roll(2), text);
      case 2:
        replace_all(text, "x", "y");
        return text;
      default:
        return text + pick({"a = a + 1;\n", "w[0] = 1;\n", "d = a;\n"});
    }
  }
  // Without a fault it fails here, with one it goes on.
  std::string before_assertion() {
    if (sites_ < weight_) return "";
    sites_ -= weight_;
    return pick({"int z = x +. 0;\nassert z != x;\n", "int z = x *. 1;\nassert z > 1;\n"});
  }

  std::mt19937 random_;
  unsigned sites_;  // that may still be met in a run
  unsigned weight_ = 1;
  unsigned counters_ = 0;
  bool returns_ = true;
  std::string last_check_;
};

}  // namespace

std::string MadeProgram::whole(const std::string& rate) const {
  std::string out = model + probe + text;
  replace_all(out, "RATE", rate);
  return out;
}

MadeProgram make_program(unsigned seed, unsigned sites) {
  return Maker(seed, sites).run();
}

}  // namespace leto::tests
