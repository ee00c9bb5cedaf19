// Every rule of the checker has a program that breaks it, and nothing else, and one that keeps it.
// A kind of diagnostic without a row fails.
#include "check/check.h"

#include <gtest/gtest.h>

#include "check/test_front.h"

namespace leto::check {

namespace {

struct Rule {
  const char* code;
  std::string wrong, right;
};

// A model with one operator that can go wrong, and picked; then the rest.
std::string under_model(const std::string& rest) {
  return "model m { bool upset = false; uint left; const real eps;\n"
         "@label(exact) operator *(real a, real b) ensures result == a * b;\n"
         "@label(wild) operator *(real a, real b) when !upset modifies upset ensures upset; }\n"
         "use model m;\n" +
         rest;
}
std::string refining(const std::string& members) {
  return "model m { bool upset = false; uint length;\n"
         "@label(exact) operator *(real a, real b) ensures result == a * b; }\n"
         "model n refines m { " +
         members + " }\n";
}
std::string in_function(const std::string& body) {
  return "void f(int x, real r, bool b, vector<real> v(2), matrix<real> A(2, 2)) { " + body + " }";
}

// A property of properties that doubles with every step.
std::string doubling(int steps) {
  std::string text = "property p0(int x): x > 0;\n";
  for (int i = 1; i <= steps; ++i) {
    const std::string before = "p" + std::to_string(i - 1) + "(x)";
    text += "property p" + std::to_string(i) + "(int x): " + before + " && " + before + ";\n";
  }
  return text + "void f(int x) { assert p" + std::to_string(steps) + "(x); }";
}

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = {
      {"L0215", doubling(30), doubling(3)},
      // Names.
      {"L0301", in_function("x = y;"), in_function("int y = 1; x = y;")},
      {"L0302", in_function("int y; int y;"), in_function("int y; int z;")},
      {"L0303", in_function("{ int x; }"), in_function("{ int y; } { int y; }")},
      {"L0304", "int g() { return 1; } int f() { return g + 1; }",
       "int g() { return 1; } int f() { return g() + 1; }"},
      {"L0306", under_model("void f() { model.up = false; }"),
       under_model("void f() { model.upset = false; }")},
      {"L0307", "model a { bool u; } model b { bool u; } model c refines a, b { invariant u; }",
       "model a { bool u; } model b { bool u; } model c refines a, b { invariant a.u; }"},
      {"L0308", "void f(uint n) { @label(l) while (n > 0) { n = n - 1; } assert l[n] >= n; }",
       "void f(uint n) { @label(l) while (n > 0) { n = n - 1; assert l[n] >= n; } }"},
      {"L0309", "property p(int x): x == 0 || p(x - 1);",
       "property q(int x): x == 0; property p(int x): x == 0 || q(x - 1);"},
      {"L0310", "int f(int x) { int y = f(x); return y; }",
       "requires true int f(int x) { int y = f(x); return y; }"},
      {"L0312", "model m { const int a; } model n refines m { m.a = a + 1; }",
       "model m { const int a; const int b = 1; } model n refines m { m.a = b + 1; }"},
      {"L0313", "const int result = 1;", "const int results = 1;"},
      {"L0314", "record s { int x; } int f(s t) { return t.y; }",
       "record s { int x; } int f(s t) { return t.x; }"},
      // Types.
      {"L0401", in_function("x = r;"), in_function("r = x;")},
      {"L0402", in_function("b = r && b;"), in_function("b = r > 0 && b;")},
      {"L0403", in_function("r = r[0];"), in_function("r = v[0];")},
      {"L0404", in_function("r = A[0];"), in_function("r = A[0][1];")},
      {"L0405", in_function("r = max(r);"), in_function("r = max(r, 1);")},
      {"L0406", in_function("vector<real> w;"), in_function("vector<real> w(3);")},
      {"L0407", "const int c = 1; void f() { c = 2; }", "void f() { int c = 1; c = 2; }"},
      {"L0408", "int f(int x) { if (x > 0) { return x; } }",
       "int f(int x) { if (x > 0) { return x; } else { return 0; } }"},
      {"L0409", in_function("return x;"), in_function("return;")},
      {"L0410", "void g() {} int f() { return g() + 1; }",
       "void g() {} int f() { g(); return 1; }"},
      {"L0411", "model m { vector<bool> u; }", "model m { bool u; }"},
      {"L0412", "const int a = b; const int b = 1;", "const int b = 1; const int a = b;"},
      {"L0413", "extern void e(real x);", "extern real e(real x);"},
      {"L0415", "lemma l(inout int x) {}", "lemma l(int x) {}"},
      {"L0419", "record s { int x; } extern int e(s t);", "record s { int x; } void f(s t) {}"},
      {"L0416", "int g(inout int x) { return x; } int f(int x) { return g(x); }",
       "int g(inout int x) { return x; } int f(int x) { int y = g(x); return y; }"},
      {"L0417", "void g(inout int x) {} void f(int x) { g(x + 1); }",
       "void g(inout int x) {} void f(int x) { g(x); }"},
      {"L0418", "(int a, int b) g() { return 1, 2; } void f(int x) { x, x = g(); }",
       "(int a, int b) g() { return 1, 2; } void f(int x, int y) { x, y = g(); }"},
      {"L0420", "const vector<int> t(2) = [1, 2, 3];", "const vector<int> t(3) = [1, 2, 3];"},
      {"L0421", in_function("bits<8> w = 256;"), in_function("bits<8> w = 255;")},
      {"L0414", in_function("break;"), in_function("while (true) { break; }")},
      // The two runs.
      {"L0501", in_function("assert_r x > 0;"), in_function("assert_r x<o> > x<r>;")},
      {"L0502", in_function("assert eq(x);"), in_function("assert_r eq(x);")},
      {"L0503", in_function("specvar int s = x; x = s;"), in_function("specvar int s = x; s = x;")},
      {"L0504", under_model(in_function("real y = r *. r; specvar real s = y;")),
       under_model(in_function("real y = r * r; specvar real s = y;"))},
      {"L0505", under_model(in_function("assert r *. r >= 0;")),
       under_model(in_function("assert r * r >= 0;"))},
      {"L0506", "int g() { return 1; } void f() { assert g() == 1; }",
       "property g(int x): x == 1; void f() { assert g(1); }"},
      {"L0507", in_function("assert x == old(x);"),
       "model m { int s; operator +(int a, int b) modifies s ensures s == old(s); }"},
      {"L0508", under_model(in_function("assert !model.upset;")),
       under_model(in_function("assert_r !model.upset;"))},
      {"L0509", "property_r p(int x): eq(x); void f(int y) { assert p(y); }",
       "property_r p(int x): eq(x); void f(int y) { assert_r p(y); }"},
      {"L0510", "property_r p(int x): x<o> < x<r>; void f(int y) { assert_r p(y<r>); }",
       "property_r p(int x): x<o> < x<r>; void f(int y) { assert_r p(y); }"},
      {"L0511", "property_r p(int x): x<r> < x;", "property_r p(int x): x<r> < x<o>;"},
      {"L0512", in_function("assert_r eq(*);"), "requires_r eq(*) void f(int x) {}"},
      {"L0513", in_function("b = forall(int k)(k == k);"),
       in_function("assert forall(int k)(k == k);")},
      {"L0514", "const int c = 1; void f(int x) { assert_r x<r> < c<r>; }",
       "const int c = 1; void f(int x) { assert_r x<r> < c; }"},
      {"L0515",
       "model m { const bool bad(int a); const int k = 1; int s = 1; } model n refines m "
       "{ const int j = if (bad(1)) 1 else 2; }",
       "model m { const bool bad(int a); const int k = 1; int s = 1; } model n refines m "
       "{ requires bad(1); }"},
      {"L0516", "void f(int x) { specvar snapshot int y = x; assert y == x; }",
       "void f(int x) { specvar int y = x; assert y == x; }"},
      {"L0517", "void f(vector<int> v(3)) { assert v[3] == 0; }",
       "void f(vector<int> v(3)) { assert v[2] == 0; }"},
      {"L0518", "void f(int x, int y) { assert x / y == 1; }",
       "void f(int x, int y) { assert y != 0 -> x / y == 1; }"},
      // Models.
      {"L0601",
       "model m { @label(a) operator *(real x, real y) ensures true;"
       " @label(a) operator +(real x, real y) ensures true; }",
       "model m { @label(a) operator *(real x, real y) ensures true;"
       " @label(b) operator +(real x, real y) ensures true; }"},
      {"L0602", refining("import m.exakt;"), refining("import m.exact;")},
      {"L0603", refining("import m.exact; m.upset = true;"),
       refining("import m.exact; m.length = 1;")},
      {"L0604", refining("operator *(real a, real b) ensures true;"),
       refining("operator *(real a, real b) refines m.exact ensures true;")},
      {"L0605", refining("operator +(real a, real b) refines m.exact ensures true;"),
       refining("operator *(real a, real b) refines m.exact ensures true;")},
      {"L0606", "model m refines n {} model n refines m {}", "model m {} model n refines m {}"},
      {"L0607", "model m { uint l; } model n { m.l = 1; }",
       "model m { uint l; } model n refines m { m.l = 1; }"},
      {"L0608", "model m { const int c; operator *(int a, int b) modifies c ensures true; }",
       "model m { int c; operator *(int a, int b) modifies c ensures true; }"},
      {"L0609", "model m { operator *(int a, int b) when result > 0 ensures true; }",
       "model m { operator *(int a, int b) when a > 0 ensures result > 0; }"},
      {"L0610", under_model(in_function("r = r +. r;")), under_model(in_function("r = r *. r;"))},
      {"L0611",
       "model m { @region(d) write(int old_value, int src) ensures true; } use model m;"
       " void f() { @region(e) int x = 1; }",
       "model m { @region(d) write(int old_value, int src) ensures old_value == src; } use model m;"
       " void f() { @region(d) int x = 1; }"},
      {"L0612", in_function("model.upset = true;"),
       under_model(in_function("model.upset = true;"))},
      {"L0613", "model m { write(int d, int s) ensures true; }",
       "model m { @region(q) write(int d, int s) ensures true; }"},
      {"L0614",
       under_model("model k refines m { import m.exact; import m.wild; }"
                   "void f(real x) { real z; try { z = x *. x; } check (z > 0) recover redo under "
                   "k; }"),
       under_model("model k { operator *(real a, real b) ensures true; }"
                   "void f(real x) { real z; try { z = x *. x; } check (z > 0) recover redo under "
                   "k; }")},
      {"L0615",
       "model m { const int c; } model a refines m { m.c = 1; } model b refines m { m.c = 2; }"
       "model t refines a, b {}",
       "model m { const int c; } model a refines m { m.c = 1; } model b refines m {}"
       "model t refines a, b {}"},
      {"L0617",
       "model l { int s = 0; operator -(int a) ensures result == exact; }"
       "model u over l { int s = 0; operator -(int a) ensures result == exact; }",
       "model l { int s = 0; operator -(int a) ensures result == exact; }"
       "model u over l { int t = 0; operator -(int a) ensures result == exact; }"},
      {"L0618",
       "model l { operator -(int a) ensures result == exact; }"
       "model u over l { operator -(int a) ensures result == -a; }",
       "model l { operator -(int a) ensures result == -a; }"
       "model u over l { @replaces operator -(int a) ensures result == 0; }"},
      {"L0619",
       "model l { @label(n) operator -(int a) ensures result == exact; }"
       "model u over l refines l { import l.n; }",
       "model l { @label(n) operator -(int a) ensures result == exact; }"
       "model u over l {} model v over l refines u {}"},
  };
  return all;
}

}  // namespace

TEST(Checker, EveryRuleRefusesWhatBreaksItAndNothingElse) {
  for (const Rule& rule : rules()) {
    const Front wrong(rule.wrong);
    EXPECT_EQ(wrong.codes(), std::set<std::string_view>{rule.code}) << rule.wrong << "\n"
                                                                    << wrong.messages();
  }
}

TEST(Checker, EveryRuleAcceptsWhatKeepsIt) {
  for (const Rule& rule : rules()) {
    const Front right(rule.right);
    EXPECT_TRUE(right.said.all().empty()) << rule.code << ": " << rule.right << "\n"
                                          << right.messages();
  }
}

// L0305 and L0311 are said where models are looked for, and L0422 of problems, which is not here.
TEST(Checker, EveryKindOfDiagnosticHasARow) {
  std::set<std::string_view> rows{"L0305", "L0311", "L0422"};
  for (const Rule& rule : rules()) rows.insert(rule.code);
  for (const DiagnosticInfo& d : all_diagnostics()) {
    const bool ours = d.code >= "L0300" && d.code < "L0700";
    EXPECT_TRUE(!ours || rows.contains(d.code)) << d.code;
  }
}

// Types ------------------------------------------------------------------------------------------

TEST(CheckedTypes, NumbersWidenAndNothingElseDoes) {
  using syntax::Scalar;
  const Type uint = scalar_type(Scalar::Uint), integer = scalar_type(Scalar::Int),
             real = scalar_type(Scalar::Real), boolean = scalar_type(Scalar::Bool);
  EXPECT_EQ(join(uint, integer), integer);
  EXPECT_EQ(join(integer, real), real);
  EXPECT_EQ(join(uint, uint), uint);
  EXPECT_TRUE(fits(uint, real));
  EXPECT_TRUE(fits(integer, uint));  // that it is not negative is proved
  EXPECT_FALSE(fits(real, integer));
  EXPECT_FALSE(fits(boolean, integer));
  EXPECT_FALSE(fits(integer, boolean));
  EXPECT_TRUE(fits(error_type(), boolean));
}

TEST(CheckedTypes, EveryExpressionHasOne) {
  const Front front(in_function("r = x + v[0] * 2; b = x < 3 && !b;"));
  ASSERT_TRUE(front.said.all().empty()) << front.messages();
  std::map<std::string, std::string> types;
  for (std::uint32_t i = 0; i < front.tree.exprs.size(); ++i)
    types[syntax::format(front.tree, front.names, syntax::ExprId{i})] =
        describe(front.checked.facts[0].types[i]);
  EXPECT_EQ(types["x + v[0] * 2"], "real");
  EXPECT_EQ(types["v[0]"], "real");
  EXPECT_EQ(types["v"], "vector<real>");
  EXPECT_EQ(types["x"], "int");
  EXPECT_EQ(types["2"], "uint");
  EXPECT_EQ(types["x < 3 && !b"], "bool");
}

// Models -----------------------------------------------------------------------------------------

TEST(CheckedModels, InheritedPartsAreListedWithTheirOwn) {
  Front front(refining("import m.exact; m.length = 3; bool other = true;") + "use model n;");
  ASSERT_TRUE(front.said.all().empty()) << front.messages();
  const Model& n = front.checked.models[front.checked.model];
  EXPECT_EQ(front.names.text(n.name), "n");
  EXPECT_EQ(n.states.size(), 3u);
  EXPECT_EQ(n.operators.size(), 1u);
  EXPECT_EQ(front.names.text(n.operators[0].label), "exact");
  EXPECT_EQ(front.checked.models[n.supers[0]].states.size(), 2u);
}

TEST(CheckedModels, ConstantsComeAfterThoseThatTheirValuesUse) {
  Front front(
      "model m { const int a; const int b; const int c; }"
      "model n refines m { m.a = b + c; m.b = c + 1; } use model n;");
  ASSERT_TRUE(front.said.all().empty()) << front.messages();
  const Model& n = front.checked.models[front.checked.model];
  const ConstantOrder order = order_constants(front.checked, n);
  EXPECT_TRUE(order.cycle.empty());
  std::string text;
  for (std::size_t i : order.order)
    text += front.names.text(front.checked.symbols[n.constants[i].symbol].name);
  EXPECT_EQ(text, "cba");
}

TEST(CheckedModels, WhatWouldBeRelaxedIsNoticedWithoutAModel) {
  const Front none(in_function("r = r *. r;"));
  EXPECT_TRUE(none.checked.unmodelled.has_value());
  const Front exact(in_function("r = r * r;"));
  EXPECT_FALSE(exact.checked.unmodelled.has_value());
  const Front modelled(under_model(in_function("r = r *. r;")));
  EXPECT_FALSE(modelled.checked.unmodelled.has_value());
}

TEST(CheckedModels, CheckersAreFoundByName) {
  Front front("checker crc false_positive 0.05 false_negative 0.01;");
  ASSERT_TRUE(front.said.all().empty()) << front.messages();
  const FoundChecker crc = find_checker(front.checked, front.names.intern("crc"));
  ASSERT_NE(crc.item, nullptr);
  EXPECT_EQ(crc.tree, &front.tree);
  EXPECT_EQ(find_checker(front.checked, front.names.intern("md5")).item, nullptr);
}

}  // namespace leto::check
