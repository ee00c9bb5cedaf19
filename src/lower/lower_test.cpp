// Every construct of the language in its core form, written by hand. A kind of statement or
// expression that no row uses fails.
#include "lower/lower.h"

#include <gtest/gtest.h>

#include <random>
#include <regex>

#include "check/test_front.h"

namespace leto::lower {

namespace {

struct Row {
  const char* what;
  std::string body;                // of a function; see `whole`
  std::vector<std::string> lines;  // of its core form
};

// Something of everything that a body may need.
std::string whole(const std::string& body) {
  return "model m { int s = 0; bool up = false; const bool bad(int a, real b);\n"
         "operator *(real a, real b) ensures result == a * b;\n"
         "operator *(real a, real b) when !up modifies up ensures up;\n"
         "operator -(real a) ensures result == -a;\n"
         "@region(d) read(int stored) ensures result == stored;\n"
         "@region(d) write(int stored, int given) ensures stored == given;\n"
         "@region(d) write(real stored, real given) ensures stored == given; }\n"
         "use model m;\n"
         "const int c = 3;\n"
         "property small(int p): p < c;\n"
         "property_r near(int p): p<o> - p<r> < 1;\n"
         "requires p > 0 ensures p + q > 0 lemma at_least(int p, uint q) {}\n"
         "define real first(vector<real> u, uint k): if (k == 0) 0 else u[k - 1];\n"
         "checker crc false_positive 0.1 false_negative 0.2;\n"
         "record pair { int a; bool b; }\n"
         "pair turn(inout pair t, int z) { return t; }\n"
         "int id(int a) { return a; }\n"
         "(int a, uint b) two(inout int s, int t) { s = t; return s, 1; }\n"
         "void nothing() {}\n"
         "int f(int x, uint n, real r, bool b, vector<real> v(n), matrix<real> A(2, n)) {" +
         body + "}\n";
}

// The last function's body, without the numbers of variables and the outer braces.
std::vector<std::string> body_of(const core::Program& program) {
  const std::string all = core::print(program);
  std::string text = all.substr(all.rfind("\nfunction "));
  text = std::regex_replace(text, std::regex(R"(([-+*/%])\.\.[0-9]+)"), "$1.");
  text = std::regex_replace(text, std::regex(R"(([A-Za-z_][A-Za-z_0-9]*)\.[0-9]+)"), "$1");
  std::vector<std::string> lines;
  std::istringstream stream(text.substr(text.find("\n{\n") + 3));
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line.substr(std::min(line.find_first_not_of(' '), line.size())));
  lines.pop_back();
  return lines;
}

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      {"a declaration is zero first",
       "int y = x; return y;",
       {"var int y", "y := x", "result := y"}},
      {"a vector's size is not negative",
       "vector<real> w(x); return 0;",
       {"check (x >= 0)", "var vector<real> w(x)", "result := 0"}},
      {"a record is a variable for each field",
       "pair p; pair q = p; q.a = x; p = (q); return p.a;",
       {"var int p.a", "var bool p.b", "var int q.a", "var bool q.b", "q.a := p.a", "q.b := p.b",
        "q.a := x", "p.a := q.a", "p.b := q.b", "result := p.a"}},
      {"all fields are read before one is written, and only those that the model mentions",
       "@region(d) pair p; @region(d) pair q; q = p; return 0;",
       {"var int p.a", "var bool p.b", "var int q.a", "var bool q.b",
        "p.a := relaxed read of d {#3} (p.a) exactly p.a", "q.a := write write to d {#4} p.a",
        "q.b := p.b", "result := 0"}},
      {"records are equal if all fields are",
       "pair p; pair q; b = p == q; b = p != q; return 0;",
       {"var int p.a", "var bool p.b", "var int q.a", "var bool q.b",
        "b := ((p.a == q.a) && (p.b == q.b))", "b := !((p.a == q.a) && (p.b == q.b))",
        "result := 0"}},
      {"a call takes, changes and gives all fields",
       "pair p; pair q; q = turn(p, p.a); return 0;",
       {"var int p.a", "var bool p.b", "var int q.a", "var bool q.b",
        "turn, turn, p.a, p.b := call turn(p.a, p.b, p.a)", "q.a := turn", "q.b := turn",
        "result := 0"}},
      {"an element's field",
       "vector<pair> w(2); w[x].a = w[1].a; w[0] = w[1]; return 0;",
       {"var vector<int> w.a(2)", "var vector<bool> w.b(2)", "check (1 < size0(w.a))",
        "check ((0 <= x) && (x < size0(w.a)))", "w.a[x] := w.a[1]", "check (1 < size0(w.a))",
        "check (1 < size0(w.b))", "check (0 < size0(w.a))", "check (0 < size0(w.b))",
        "w.a[0] := w.a[1]", "w.b[0] := w.b[1]", "result := 0"}},
      {"several in one",
       "int y, z = 1; return z;",
       {"var int y", "var int z", "z := 1", "result := z"}},
      {"an int for a uint is checked",
       "n = x; return 0;",
       {"check (x >= 0)", "n := x", "result := 0"}},
      {"what becomes a uint is checked",
       "x = uint(x) + uint(n); return 0;",
       {"check (x >= 0)", "x := (uint(x) + n)", "result := 0"}},
      {"but only where it is looked at",
       "b = x > 0 && uint(x) > n; return if (b) uint(x) else x;",
       {"check ((x > 0) -> (x >= 0))", "b := ((x > 0) && (uint(x) > n))", "check (b -> (x >= 0))",
        "result := if(b, uint(x), x)"}},
      {"and not in a specification",
       "assert uint(x) == x; return floor(r) + floor(x);",
       {"assert (uint(x) == x)", "result := (floor(r) + floor(real(x)))"}},
      {"real(i) is a real",
       "r = real(x) / real(r); return 0;",
       {"check (r != 0)", "r := (real(x) / r)", "result := 0"}},
      {"an element is within bounds",
       "v[x] = 1; return 0;",
       {"check ((0 <= x) && (x < size0(v)))", "v[x] := 1", "result := 0"}},
      {"a matrix has two bounds",
       "A[0][n] = r; return 0;",
       {"check ((0 < size0(A)) && (n < size1(A)))", "A[0][n] := r", "result := 0"}},
      {"+= reads, adds and writes", "x += 2; return x;", {"x := (x + 2)", "result := x"}},
      {"++ and --", "++x; --x; return x;", {"x := (x + 1)", "x := (x - 1)", "result := x"}},
      {"-- of a uint is checked",
       "--n; return 0;",
       {"check ((n - 1) >= 0)", "n := (n - 1)", "result := 0"}},
      {"a quotient is defined",
       "x = x / c % 2; return x;",
       {"check (c != 0)", "check (2 != 0)", "x := ((x / c) % 2)", "result := x"}},
      {"an exact operation is an expression",
       "r = -(r * 0.5) + x; return 0;",
       {"r := (-(r * 0.5) + x)", "result := 0"}},
      {"a relaxed one is a step",
       "r = r *. 2; return 0;",
       {"*. := relaxed * {#0, #1} (r, 2) exactly (r * 2)", "r := *.", "result := 0"}},
      {"a relaxed one with one operand",
       "r = -.r; return 0;",
       {"-. := relaxed - {#2} (r) exactly -r", "r := -.", "result := 0"}},
      {"what the model does not mention is exact",
       "x = x *. x; return x;",
       {"x := (x * x)", "result := x"}},
      {"a region is read and written under the model",
       "@region(d) int y = 1; x = y; return x;",
       {"var int y", "y := write write to d {#4} 1", "y := relaxed read of d {#3} (y) exactly y",
        "x := y", "result := x"}},
      {"a whole vector is written element by element",
       "@region(d) vector<real> w(n) = v; return 0;",
       {"var vector<real> w(n)", "check (size0(w) == size0(v))",
        "w := each element write to d {#5} v", "result := 0"}},
      {"state is read when it is read",
       "x = model.s + id(x); return x;",
       {"model.s := model.s", "id := call id(x)", "x := (model.s + id)", "result := x"}},
      {"if with both branches",
       "if (b) { x = 1; } else { x = 2; } return x;",
       {"if b", "{", "x := 1", "}", "else", "{", "x := 2", "}", "result := x"}},
      {"what follows && is looked at only behind it",
       "b = x > 0 && v[n] > 0; return 0;",
       {"check ((x > 0) -> (n < size0(v)))", "b := ((x > 0) && (v[n] > 0))", "result := 0"}},
      {"and done only there if it does anything",
       "b = b || id(x) > 0; return 0;",
       {"condition := true", "if !b", "{", "id := call id(x)", "condition := (id > 0)", "}",
        "b := condition", "result := 0"}},
      {"a -> in a program", "b = b -> x > 0; return 0;", {"b := (b -> (x > 0))", "result := 0"}},
      {"a chain is a conjunction that stops",
       "b = 0 <= x < id(x); return 0;",
       {"condition := false", "if (0 <= x)", "{", "id := call id(x)", "condition := (x < id)", "}",
        "b := condition", "result := 0"}},
      {"an if that is a value",
       "x = if (b) 6 / x else 7 / x; return x;",
       {"check (b -> (x != 0))", "check (!b -> (x != 0))", "x := if(b, (6 / x), (7 / x))",
        "result := x"}},
      {"and what it does is done only where it is chosen",
       "x = if (b) id(x) else x; return x;",
       {"var int if", "if b", "{", "id := call id(x)", "if := id", "}", "else", "{", "if := x", "}",
        "x := if", "result := x"}},
      {"behind && too",
       "b = b && (if (b) id(x) else x) > 0; return 0;",
       {"condition := false", "if b", "{", "var int if", "if b", "{", "id := call id(x)",
        "if := id", "}", "else", "{", "if := x", "}", "condition := (if > 0)", "}",
        "b := condition", "result := 0"}},
      {"abs, min, max",
       "x = max(abs(x), min(x, 2)); return x;",
       {"x := max(abs(x), min(x, 2))", "result := x"}},
      {"a call",
       "nothing(); x = id(x); return x;",
       {"call nothing()", "id := call id(x)", "x := id", "result := x"}},
      {"while",
       "while (x > 0) invariant x < 9 invariant_r eq(x) { --x; } return x;",
       {"while loop0", "invariant (x < 9)", "invariant_r (x<o> == x<r>)", "before each test", "{",
        "}", "test (x > 0)", "{", "x := (x - 1)", "}", "result := x"}},
      {"the test is computed before each test",
       "@noinf while (id(x) > 0) { --x; } return x;",
       {"while loop0 (no inference)", "before each test", "{", "id := call id(x)", "}",
        "test (id > 0)", "{", "x := (x - 1)", "}", "result := x"}},
      {"for",
       "for (int i = 0; i < x; ++i) { r = r + 1; } return 0;",
       {"var int i", "i := 0", "while loop0", "before each test", "{", "}", "test (i < x)", "{",
        "r := (r + 1)", "i := (i + 1)", "}", "result := 0"}},
      {"for without anything",
       "for (;;) { x = 1; } return x;",
       {"while loop0", "before each test", "{", "}", "test true", "{", "x := 1", "}",
        "result := x"}},
      {"repeat counts by itself",
       "repeat 3 { ++x; } return x;",
       {"repetition := 0", "while loop0", "before each test", "{", "}", "test (repetition < 3)",
        "{", "x := (x + 1)", "repetition := (repetition + 1)", "}", "result := x"}},
      {"a label",
       "@label(l) while (x > 0) { --x; assert l[x] == l.entry[x]; } return x;",
       {"while l", "before each test", "{", "}", "test (x > 0)", "{", "x := (x - 1)",
        "assert (l[x] == l.entry[x])", "}", "result := x"}},
      {"an early return is a flag",
       "if (b) { return 1; } x = 2; return x;",
       {"returned := false", "if b", "{", "result := 1", "returned := true", "}", "if !returned",
        "{", "x := 2", "result := x", "returned := true", "}"}},
      {"and leaves its loop",
       "while (b) { return 1; } return 2;",
       {"returned := false", "while loop0", "before each test", "{", "if !returned", "{", "}", "}",
        "test (!returned && b)", "{", "result := 1", "returned := true", "}", "if !returned", "{",
        "result := 2", "returned := true", "}"}},
      {"a break is a flag of its loop",
       "while (b) { if (x > 1) { break; } x = 2; } return x;",
       {"broken off := false",
        "while loop0",
        "before each test",
        "{",
        "if !broken off",
        "{",
        "}",
        "}",
        "test (!broken off && b)",
        "{",
        "if (x > 1)",
        "{",
        "broken off := true",
        "}",
        "if !broken off",
        "{",
        "x := 2",
        "}",
        "}",
        "result := x"}},
      {"and a continue one of the iteration, behind which the step is done",
       "for (x = 0; b; ++x) { if (x > 1) { continue; } x = 2; } return x;",
       {"x := 0", "while loop0", "before each test", "{", "}", "test b", "{", "skipped := false",
        "if (x > 1)", "{", "skipped := true", "}", "if !skipped", "{", "x := 2", "}",
        "x := (x + 1)", "}", "result := x"}},
      {"recovery by another way",
       "try { x = 1; } check (x > 0) recover { x = 2; } return x;",
       {"{", "{", "x := 1", "}", "{", "}", "if (x > 0)", "{", "}", "else", "{", "x := 2", "}", "}",
        "result := x"}},
      {"recovery by doing it again, twice",
       "try { x = 1; } check (x > 0) recover redo(2); return x;",
       {"{",    "{",    "x := 1", "}",      "{", "}", "if (x > 0)", "{",          "}",
        "else", "{",    "{",      "x := 1", "}", "{", "}",          "if (x > 0)", "{",
        "}",    "else", "{",      "x := 1", "}", "}", "}",          "result := x"}},
      {"a block",
       "{ int y = 1; x = y; } return x;",
       {"var int y", "y := 1", "x := y", "result := x"}},
      {"claims",
       "assert x > 0; assume true; assert_r x<o> <= x<r>; return x;",
       {"assert (x > 0)", "assume true", "assert_r (x<o> <= x<r>)", "result := x"}},
      {"a chain in a claim",
       "assert 0 < x < c; return x;",
       {"assert ((0 < x) && (x < c))", "result := x"}},
      {"eq of an element",
       "assert_r eq(v[n]); return x;",
       {"assert_r (v<o>[n<o>] == v<r>[n<r>])", "result := x"}},
      {"properties are written out",
       "assert small(x + 1); assert_r near(x); return x;",
       {"assert ((x + 1) < c)", "assert_r ((x<o> - x<r>) < 1)", "result := x"}},
      {"definitions keep their names, and take rows and vectors with another element",
       "assert first(v, n) == first(A[x], 2) && v[n := 1] == v; return x;",
       {"assert ((first(v, n) == first(A[x], 2)) && (v[n := real(1)] == v))", "result := x"}},
      {"function constants keep their names too",
       "assert model.bad(x, 2) || small(x); return x;",
       {"assert (model.bad(x, real(2)) || (x < c))", "result := x"}},
      {"what a lemma says is written out where it is called",
       "at_least(x, 2 - x); return x;",
       {"recall at_least", "needs ((2 - x) >= 0)", "needs (x > 0)", "ensures ((x + (2 - x)) > 0)",
        "result := x"}},
      {"or for all values in a range, of both runs",
       "forall(uint k; k < n<r>) { at_least(x<o>, k); } return x;",
       {"recall_r at_least", "needs forall(uint k)(((k < n<r>) -> (x<o> > 0)))",
        "ensures forall(uint k)(((k < n<r>) -> ((x<o> + k) > 0)))", "result := x"}},
      {"parts of words, and words made wider",
       "bits<8> w = bits<8>(x); bits<4> q = w[5:2]; w = zero_extend<8>(q); return x;",
       {"var bits<8> w", "w := bits(x)", "var bits<4> q", "q := part.2(w)", "w := zero_extend(q)",
        "result := x"}},
      {"quantifiers",
       "assert forall(uint k)(k < n -> v[k] > 0) && exists(int j)(j == x); return x;",
       {"assert (forall(uint k)(((k < n) -> (v[k] > 0))) && exists(int j)((j == x)))",
        "result := x"}},
      {"what comes back is what is returned, and then what is changed in place",
       "int y; two(y, x); y, n = two(x, y + 1); return y;",
       {"var int y", "two, two, y := call two(y, x)", "two, two, x := call two(x, (y + 1))",
        "y := two", "n := two", "result := y"}},
      {"a specvar without a side is the relaxed run's",
       "specvar int g = x; assert_r g == x<o>; return x;",
       {"var int g", "g := x", "assert_r (g<r> == x<o>)", "result := x"}},
      {"the model's state in a relation is the relaxed run's",
       "assert_r !model.up; return x;",
       {"assert_r !model.up<r>", "result := x"}},
  };
  return all;
}

core::Program lowered(check::Front& front, Trap trap = Trap::None) {
  EXPECT_EQ(front.said.errors(), 0u) << front.messages();
  return lower(front.checked, front.names, trap);
}

}  // namespace

TEST(Lowering, EveryConstructHasItsCoreForm) {
  for (const Row& row : rows()) {
    check::Front front(whole(row.body));
    ASSERT_EQ(front.said.errors(), 0u) << row.what << "\n" << front.messages();
    const core::Program program = lower(front.checked, front.names);
    EXPECT_EQ(core::validate(program), "") << row.what;
    EXPECT_EQ(body_of(program), row.lines) << row.what;
  }
}

// So that a new kind has a row. What stands for mistakes is never lowered; eq(*), old and M.x stand
// outside of bodies and are below.
TEST(Lowering, EveryKindOfNodeHasARow) {
  std::vector<bool> statements(std::variant_size_v<decltype(syntax::Stmt::node)>);
  std::vector<bool> expressions(std::variant_size_v<decltype(syntax::Expr::node)>);
  const auto look_at = [&](const std::string& text) {
    const check::Front front(text);
    for (const syntax::Stmt& s : front.tree.stmts) statements[s.node.index()] = true;
    for (const syntax::Expr& e : front.tree.exprs) expressions[e.node.index()] = true;
  };
  for (const Row& row : rows()) look_at(whole(row.body));
  look_at(
      "requires_r eq(*) ensures_r result<o>.a == result<r>.b (int a, int b) f(int x) { return x, "
      "x; }"
      "model m { int s; operator +(int a, int b) modifies s ensures s == old(s); }");
  statements[decltype(syntax::Stmt::node)(syntax::ErrorStmt{}).index()] = true;
  expressions[decltype(syntax::Expr::node)(syntax::ErrorExpr{}).index()] = true;
  // Those of systems are lowered elsewhere.
  statements[decltype(syntax::Stmt::node)(syntax::ChooseStmt{}).index()] = true;
  statements[decltype(syntax::Stmt::node)(syntax::NodesStmt{}).index()] = true;
  statements[decltype(syntax::Stmt::node)(syntax::MessageStmt{}).index()] = true;
  expressions[decltype(syntax::Expr::node)(syntax::CountExpr{}).index()] = true;
  for (std::size_t i = 0; i < statements.size(); ++i) EXPECT_TRUE(statements[i]) << i;
  for (std::size_t i = 0; i < expressions.size(); ++i) EXPECT_TRUE(expressions[i]) << i;
}

// Functions --------------------------------------------------------------------------------------

TEST(Lowering, ContractsSizesAndReliability) {
  check::Front front(
      "requires n > 0 requires_r eq(*) ensures result > 0 ensures_r eq(result)\n"
      "reliability 0.9 <= R(result) reliability result >= 0.5 * R(n, v)\n"
      "int f(uint n, vector<real> v(n)) { return 1; }");
  const core::Program program = lowered(front);
  const core::Function& f = program.functions[core::FunctionId{0}];
  ASSERT_EQ(f.requires_.size(), 2u);
  EXPECT_FALSE(f.requires_[0].relational);
  EXPECT_EQ(core::source(program, f.requires_[1].expr), "eq(n) && eq(v)");
  ASSERT_EQ(f.ensures.size(), 2u);
  EXPECT_EQ(core::source(program, f.ensures[1].expr), "eq(result)");
  ASSERT_EQ(f.sizes.size(), 1u);
  EXPECT_EQ(f.sizes[0].param, f.params[1]);
  ASSERT_EQ(f.reliability.size(), 2u);
  EXPECT_EQ(f.reliability[0].vars, std::vector{f.result()});
  EXPECT_EQ(f.reliability[1].number, "0.5");
  EXPECT_EQ(f.reliability[1].vars, f.params);
}

// Right with its chance, else whatever it ensures.
// A step for each layer that mentions the operation, from below; what a step gives is exact for the
// next one, and only the last one is stored.
TEST(Lowering, EachLayerIsAStepOfItsOwn) {
  check::Front front(
      "model l { @label(q) operator *(real a, real b) ensures result == exact;\n"
      "@region(d) write(int stored, int given) ensures exact <= stored;\n"
      "@region(d) read(int given) ensures exact <= result; }\n"
      "model u over l { operator *(real a, real b) when exact > a ensures result == exact;\n"
      "@region(d) write(int stored, int given) ensures exact <= stored; }\n"
      "use model u;\n"
      "void f(real x, vector<int> v(2)) { real y = x *. x; @region(d) int z; z = z + 1;\n"
      "@region(d) vector<int> w(2); w = v; w[1] = 2; }");
  const std::string text = core::print(lowered(front));
  for (const char* line : {
           "specification #0(real a.0, real b.1) -> real result.2 above real exact.3\n",
           "when (exact.3 > a.0)\n",
           "specification #2 l.q(real a.8, real b.9) -> real result.10\n",
           "ensures (result.10 == (a.8 * b.9))\n",
           "*..18 := relaxed * of l {#2} (x.16, x.16) exactly (x.16 * x.16)\n",
           "*..19 := relaxed * {#0} (x.16, x.16) exactly *..18\n",
           "z.22 := relaxed read of d of l {#4} (z.21) exactly z.21\n",
           "z.23 := relaxed write to d of l {#3} (z.21, (z.22 + 1)) exactly (z.22 + 1)\n",
           "z.21 := write write to d {#1} (z.22 + 1) above z.23\n",
           "w.25 := w.24\n",
           "w.25 := each element write to d of l {#3} v.17\n",
           "w.24 := each element write to d {#1} v.17 above w.25\n",
           "w.26 := relaxed write to d of l {#3} (w.24[1], 2) exactly 2\n",
           "w.24[1] := write write to d {#1} 2 above w.26\n",
       })
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST(Lowering, AnExternalFunctionWithAReliabilityIsAFaultSite) {
  check::Front front("ensures result > x reliability result >= 0.75 * R(x) extern int e(int x);");
  const core::Program program = lowered(front);
  const core::Function& e = program.functions[core::FunctionId{0}];
  EXPECT_TRUE(e.external());
  ASSERT_EQ(e.site.specifications.size(), 2u);
  const core::Specification& wrong = program.specifications[e.site.specifications[1]];
  EXPECT_FALSE(wrong.of_model);
  EXPECT_EQ(core::source(program, wrong.rate), "1 - 0.75");
  ASSERT_EQ(wrong.ensures.size(), 1u);
  const auto& greater = std::get<core::Apply>(program.exprs[wrong.ensures[0]].node);
  EXPECT_EQ(std::get<core::VarRef>(program.exprs[greater.args[0]].node).var, wrong.outcome);
}

TEST(Lowering, ALoopThatReturnsHasNoHeadBehindThat) {
  check::Front front("int f(int x) { while (x > 0) invariant x < 9 { return 1; } return 2; }");
  const core::Program program = lowered(front);
  for (const core::Stmt& stmt : program.stmts)
    if (const auto* loop = std::get_if<core::While>(&stmt.node)) {
      ASSERT_EQ(loop->invariants.size(), 1u);
      EXPECT_TRUE(loop->invariants[0].only_if.valid());
      EXPECT_EQ(loop->exits.size(), 1u);
      return;
    }
  ADD_FAILURE() << "there is no loop";
}

TEST(Lowering, ACheckerHasItsRates) {
  check::Front front(whole("try { x = 1; } check crc (x > 0) recover redo(1); return x;"));
  const core::Program program = lowered(front);
  ASSERT_EQ(program.recoveries.size(), 1u);
  EXPECT_EQ(program.recoveries[0].checker, "crc");
  EXPECT_EQ(program.recoveries[0].false_positive, "0.1");
  EXPECT_EQ(program.recoveries[0].false_negative, "0.2");
}

// Done again, it runs under another model.
TEST(Lowering, RedoUnderAnotherModelUsesItsSpecifications) {
  check::Front front(
      "model m { operator *(real a, real b) ensures true; }"
      "model safe { operator *(real a, real b) ensures result == a * b; } use model m;"
      "void f(real r) { real z; try { z = r *. r; } check (z > 0) recover redo under safe; }");
  const core::Program program = lowered(front);
  std::set<std::vector<std::uint32_t>> sites;
  for (const core::Stmt& stmt : program.stmts)
    if (const auto* relaxed = std::get_if<core::Relaxed>(&stmt.node))
      sites.insert(relaxed->site.specifications);
  EXPECT_EQ(sites, (std::set<std::vector<std::uint32_t>>{{0}, {1}}));
}

// Models -----------------------------------------------------------------------------------------

TEST(Lowering, AConstantVectorHasItsElements) {
  check::Front front(
      "const int c = 3; const vector<real> t(3) = [1, -0.5, c];\n"
      "real f(uint i) { return t[i]; }");
  const core::Program program = lowered(front);
  ASSERT_EQ(program.constants.size(), 2u);
  EXPECT_EQ(core::source(program, program.constants[1].value), "[real(1), -0.5, real(c)]");
  EXPECT_EQ(core::find_elements(program, program.constants[0]), nullptr);
  EXPECT_EQ(body_of(program), (std::vector<std::string>{"check (i < size0(t))", "result := t[i]"}));
}

TEST(Lowering, TheModelIsWovenIn) {
  check::Front front(
      "model m { const real eps = 0.5; requires eps > 0; uint left = 2; invariant left < 3;\n"
      "@label(flip) @rate(0.01) operator +(real a, real b) when left > 0 when a > b modifies left\n"
      "ensures left == old(left) - 1 && result < a + eps; } use model m;");
  const core::Program program = lowered(front);
  EXPECT_EQ(program.model.name, "m");
  ASSERT_EQ(program.constants.size(), 1u);
  EXPECT_EQ(core::source(program, program.constants[0].value), "0.5");
  ASSERT_EQ(program.constraints.size(), 1u);
  ASSERT_EQ(program.model.states.size(), 1u);
  EXPECT_EQ(core::source(program, program.model.states[0].init), "2");
  ASSERT_EQ(program.model.invariants.size(), 1u);
  const core::Specification& flip = program.specifications.at(0);
  EXPECT_EQ(flip.label, "flip");
  EXPECT_EQ(core::conjuncts(program, flip.when).size(), 2u);
  EXPECT_EQ(flip.modifies, std::vector{program.model.states[0].var});
  EXPECT_EQ(core::source(program, flip.rate), "0.01");
  const std::string ensures = core::print(program, flip.ensures.at(0));
  EXPECT_NE(ensures.find("(old(model.left) - 1)"), std::string::npos) << ensures;
}

// In what a write ensures, its first parameter is what is stored then.
TEST(Lowering, TheDestinationOfAWriteIsItsOutcome) {
  check::Front front(
      "model m { @region(d) write(int stored, int given) when stored > 0 ensures stored == given; }"
      "use model m;");
  const core::Program program = lowered(front);
  const core::Specification& write = program.specifications.at(0);
  const auto reads = [&](core::ExprId e) {
    std::set<core::VarId> vars;
    core::for_each_read(program, e, [&](core::VarId var, core::Side) { vars.insert(var); });
    return vars;
  };
  EXPECT_EQ(reads(write.when), std::set{write.params[0]});
  EXPECT_EQ(reads(write.ensures.at(0)), (std::set{write.params[1], write.outcome}));
}

TEST(Lowering, ARefinementHasPairsAndGroups) {
  check::Front front(
      "model m { @label(p) operator *(real a, real b) ensures true;"
      " @label(q) operator +(real a, real b) ensures true; }"
      "model n refines m { operator *(real a, real b) refines m.p ensures result == a * b; }"
      "use model n;");
  ASSERT_EQ(front.said.errors(), 0u) << front.messages();
  const check::ModelId super = front.checked.models[front.checked.model].supers.at(0);
  const core::Refinement r = lower_refinement(front.checked, front.names, super);
  EXPECT_EQ(r.super, "m");
  ASSERT_EQ(r.pairs.size(), 1u);
  EXPECT_EQ(r.program.specifications[r.pairs[0].super].label, "p");
  ASSERT_EQ(r.groups.size(), 2u);  // * and +, of which the sub-model mentions one
  EXPECT_EQ(r.groups[0].sub.empty() + r.groups[1].sub.empty(), 1);
}

// As it would be written -------------------------------------------------------------------------

namespace {

// A random formula over what `whole` declares, in more parentheses than are needed.
class Formulas {
 public:
  Formulas(unsigned seed, bool relational) : random_(seed), relational_(relational) {}

  std::string truth(int depth) {
    if (depth == 0) return below(2) == 0 ? var("b") : "true";
    const auto two = [&](const char* sign) {
      return "(" + truth(depth - 1) + sign + truth(depth - 1) + ")";
    };
    switch (below(8)) {
      case 0:
        return two(" && ");
      case 1:
        return two(" || ");
      case 2:
        return two(" -> ");
      case 3:
        return "!(" + truth(depth - 1) + ")";
      case 4:
        return two(" == ");
      case 5:
        return quantified(depth);
      case 6:
        if (relational_) return below(2) == 0 ? "eq(x)" : "eq(v[n])";
        break;
    }
    static const char* const kSigns[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    return "(" + number(depth - 1) + kSigns[below(6)] + number(depth - 1) + ")";
  }

 private:
  std::string number(int depth) {
    if (depth == 0) {
      const std::size_t which = below(4 + bound_);
      if (which >= 4) return "k" + std::to_string(which - 4);
      return which == 0 ? "7" : which == 1 ? "c" : which == 2 ? var("n") : var("x");
    }
    const auto two = [&](const std::string& before, const char* sign) {
      return before + "(" + number(depth - 1) + sign + number(depth - 1) + ")";
    };
    switch (below(11)) {
      case 0:
        return two("", " + ");
      case 1:
        return two("", " - ");
      case 2:
        return two("", " * ");
      case 3:
        return two("", " / ");
      case 4:
        return two("", " % ");
      case 5:
        return "-(" + number(depth - 1) + ")";
      case 6:
        return two("min", ", ");
      case 7:
        return "abs(" + number(depth - 1) + ")";
      case 8:
        return "uint(" + number(depth - 1) + ")";
      case 9:
        return "floor(real(" + number(depth - 1) + ") / 2)";
    }
    return var("v") + "[" + number(depth - 1) + "]";
  }
  std::string quantified(int depth) {
    if (bound_ > 2) return "true";
    const std::string head = below(2) == 0 ? "forall(uint k" : "exists(int k";
    const std::string name = std::to_string(bound_++);
    const std::string body = truth(depth - 1);
    --bound_;
    return head + name + ")(" + body + ")";
  }
  std::string var(const std::string& name) {
    return !relational_ ? name : name + (below(2) == 0 ? "<o>" : "<r>");
  }
  std::size_t below(std::size_t n) { return random_() % n; }

  std::mt19937 random_;
  bool relational_;
  std::size_t bound_ = 0;
};

// The last claim of a program, as we see it and as its user does.
struct Claimed {
  std::string printed, source;
};
std::optional<Claimed> claimed(const std::string& word, const std::string& formula) {
  check::Front front(whole(word + " " + formula + "; return 0;"));
  if (front.said.errors() > 0) return std::nullopt;
  const core::Program program = lower(front.checked, front.names);
  for (const core::Stmt& stmt : program.stmts)
    if (const auto* claim = std::get_if<core::Claim>(&stmt.node))
      return Claimed{std::regex_replace(core::print(program, claim->expr),
                                        std::regex(R"(([a-z][a-z0-9]*)\.[0-9]+)"), "$1"),
                     core::source(program, claim->expr)};
  return std::nullopt;
}

}  // namespace

// What is suggested can be pasted: read again, it is the same.
TEST(Source, WhatIsWrittenIsReadAsWhatItWas) {
  int compared = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    const bool relational = seed % 2 == 0;
    const char* word = relational ? "assert_r" : "assert";
    const std::string formula = Formulas(seed, relational).truth(4);
    const auto first = claimed(word, formula);
    if (!first) continue;  // a real where an integer is wanted
    const auto again = claimed(word, first->source);
    ASSERT_TRUE(again.has_value()) << formula << "\n" << first->source;
    EXPECT_EQ(again->printed, first->printed) << first->source;
    ++compared;
  }
  EXPECT_GT(compared, 150);
}

// Traps ------------------------------------------------------------------------------------------

// Each brings a mistake back, and is seen.
TEST(Lowering, TrapsChangeWhatTheySay) {
  const auto text = [](const std::string& body, Trap trap) {
    check::Front front(whole(body));
    return body_of(lowered(front, trap));
  };
  const std::string chain = "b = 0 <= x < id(x); return 0;";
  EXPECT_EQ(
      text(chain, Trap::ChainNeverStops),
      (std::vector<std::string>{"id := call id(x)", "b := ((0 <= x) && (x < id))", "result := 0"}));
  const std::string state = "x = model.s + id(x); return x;";
  EXPECT_EQ(text(state, Trap::CompoundReadsLast)[0], "id := call id(x)");
}

}  // namespace leto::lower
