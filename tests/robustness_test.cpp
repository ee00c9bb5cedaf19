// Inputs that nobody writes on purpose: each gives a diagnostic or works, and
// never a crash. And the list of diagnostics for three independent mistakes is
// exactly three long.
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "lower/lower.h"
#include "workspace/workspace.h"

namespace leto::tests {

std::vector<std::string> codes(const std::string& text) {
  workspace::RealFileSystem files;
  workspace::Workspace workspace(files, {});
  DiagnosticList diagnostics;
  workspace::Program program = workspace.load_text("test.leto", text, diagnostics);
  const workspace::PickedModel picked = workspace.pick_model(program, "", diagnostics);
  (void)check::check(program.trees, {picked.name, picked.bad}, workspace.names(), diagnostics);
  diagnostics.sort_and_unique();
  std::vector<std::string> found;
  for (const Diagnostic& d : diagnostics.all()) found.emplace_back(info(d.kind).code);
  return found;
}

using Codes = std::vector<std::string>;

std::string repeat(std::string_view text, std::size_t n) {
  std::string out;
  out.reserve(text.size() * n);
  for (std::size_t i = 0; i < n; ++i) out += text;
  return out;
}

TEST(Robustness, DeepNesting) {
  const std::size_t n = 100000;
  EXPECT_EQ(codes("const int x = " + repeat("(", n) + "1" + repeat(")", n) + ";\n"),
            Codes{"L0205"});
  EXPECT_EQ(codes("const int x = " + repeat("(", n)), Codes{"L0205"});
  EXPECT_EQ(codes("const bool x = " + repeat("!", n) + "true;\n"), Codes{"L0205"});
  EXPECT_EQ(codes("const int x = " + repeat("1 + ", n) + "1;\n"), Codes{"L0205"});
  EXPECT_EQ(codes("const bool x = " + repeat("true -> ", n) + "true;\n"), Codes{"L0205"});
  EXPECT_EQ(codes("const int x = a" + repeat("[0]", n) + ";\n").front(), "L0205");
  EXPECT_EQ(codes("void f() " + repeat("{", n)).front(), "L0205");
  EXPECT_EQ(codes("void f() { " + repeat("if (true) {} else ", n) + "{} }\n"), Codes{"L0205"});
  EXPECT_EQ(codes("const bool x = " + repeat("forall(int i)(", n)).front(), "L0205");
  EXPECT_EQ(codes("const int x = " + repeat("f(", n)).front(), "L0205");
  // Just within the limit.
  EXPECT_EQ(codes("const int x = " + repeat("(", 490) + "1" + repeat(")", 490) + ";\n"), Codes{});
  EXPECT_EQ(codes("const int x = " + repeat("1 + ", 490) + "1;\n"), Codes{});
}

TEST(Robustness, LongChainsOfDeclarations) {
  std::string properties, models, functions;
  for (int i = 0; i < 5000; ++i) {
    const std::string a = std::to_string(i), b = std::to_string(i + 1);
    properties += "property p" + a + "(int x): p" + b + "(x);\n";
    models += "model m" + a + " refines m" + b + " {}\n";
    functions += "requires n > 0\nvoid f" + a + "(uint n) { f" + b + "(n); }\n";
  }
  properties += "property p5000(int x): x > 0;\n";
  models += "model m5000 {}\n";
  functions += "void f5000(uint n) { f0(n); }\n";
  EXPECT_EQ(codes(properties).front(), "L0205");
  EXPECT_EQ(codes(models).front(), "L0205");
  EXPECT_EQ(codes(functions), Codes{"L0310"});  // only the last one has no contract
}

TEST(Robustness, LongLines) {
  const std::string line = "const bool x = true; " + repeat("/* much ado */ ", 700000) + "oops\n";
  ASSERT_GT(line.size(), 10u << 20);
  EXPECT_EQ(codes(line), Codes{"L0203"});
  EXPECT_EQ(codes("// " + std::string(10 << 20, 'x')), Codes{});
  EXPECT_EQ(codes("import \"" + std::string(10 << 20, 'x')), Codes{"L0104"});
  EXPECT_EQ(codes("const int " + std::string(10 << 20, 'x') + " = 1;"), Codes{});
  EXPECT_EQ(codes("const int x = " + std::string(10 << 20, '1') + ";"), Codes{"L0105"});
  EXPECT_EQ(codes("const real x = 1e999999999999;"), Codes{"L0105"});
  EXPECT_EQ(codes("const int x = 1" + repeat(" + 1", 2500000) + ";"), Codes{"L0205"});
}

TEST(Robustness, OddBytes) {
  EXPECT_EQ(codes(""), Codes{});
  EXPECT_EQ(codes("\n"), Codes{});
  EXPECT_EQ(codes("\xef\xbb\xbf"), Codes{});
  EXPECT_EQ(codes("\xef\xbb\xbfvoid f() {}"), Codes{});
  EXPECT_EQ(codes("void f() {\r\n    int x = 1;\r\n    ++x;\r\n}\r\n"), Codes{});
  EXPECT_EQ(codes("// comment\r\n/* and\r\n another */\r\nvoid f() {}\r\n"), Codes{});
  EXPECT_EQ(codes("void f() {\xff\xfe}"), Codes{"L0101"});
  EXPECT_EQ(codes("void f() {\xc0\x80}"), Codes{"L0101"});      // overlong
  EXPECT_EQ(codes("void f() {\xed\xa0\x80}"), Codes{"L0101"});  // surrogate
  EXPECT_EQ(codes("void f() {\xf4\x90\x80\x80}"), Codes{"L0101"});
  EXPECT_EQ(codes("// \xff\n"), Codes{"L0101"});
  EXPECT_EQ(codes(std::string("void f() {\0}", 12)), Codes{"L0102"});
  EXPECT_EQ(codes(std::string("void f() {\0\0\0\0}", 15)), Codes{"L0102"});
  EXPECT_EQ(codes(std::string(1 << 20, '\0')), Codes{"L0102"});
  EXPECT_EQ(codes(std::string(1 << 20, '\xff')), Codes{"L0101"});
  EXPECT_EQ(codes("void f() {} \xe2\x80\x8b"), Codes{"L0102"});  // a blank without a width
}

TEST(Robustness, MistakesAreReportedOnceEachWithoutFollowers) {
  // Three mistakes in three statements.
  EXPECT_EQ(codes("real f(real x) {\n"
                  "    real y = x + ;\n"
                  "    y = zz * 2;\n"
                  "    y = y (3;\n"
                  "    return y;\n"
                  "}\n"),
            (Codes{"L0202", "L0301", "L0204"}));
  // In three functions, the second with a broken head.
  EXPECT_EQ(
      codes(
          "real f(real x) {\n    return x[0];\n}\n"
          "real g(real x real y) {\n    return x;\n}\n"
          "real h(real x) {\n    if (x = 1) {\n        return 2;\n    }\n    return g(x, x);\n}\n"),
      (Codes{"L0403", "L0204", "L0213", "L0405"}));
  // What is declared in a broken statement is not reported as unknown.
  EXPECT_EQ(codes("void f() {\n    uint n = = 3;\n    n = 4;\n    vector<real> v(n;\n    v[0] = "
                  "1;\n    m = 1;\n}\n"),
            (Codes{"L0202", "L0204", "L0301"}));
  // A beginner's program: every line of it is read, and nothing is said twice.
  EXPECT_EQ(codes("// A running mean with a relaxed sum.\n"
                  "use model aditive_seu;\n"
                  "\n"
                  "property_r near(real a)\n"
                  "    abs(a<o> - a<r>) < model.eps;\n"
                  "\n"
                  "real mean(uint n, vector<real> x(n))\n"
                  "    requires n > 0\n"
                  "{\n"
                  "    real sum = 0;\n"
                  "    specvar exact = 0;\n"
                  "    for (uint i = 0; i < n; i++)\n"
                  "        invariant_r near(sum)\n"
                  "    {\n"
                  "        sum += x[i];\n"
                  "        exact += x[i];\n"
                  "    }\n"
                  "    assert near(sum);\n"
                  "    return exact / n;\n"
                  "}\n"),
            (Codes{"L0305", "L0201", "L0209", "L0201", "L0211", "L0509"}));
  // Missing semicolons do not cost the next statement.
  EXPECT_EQ(codes("void f(real x) {\n    x = 1\n    x = true;\n    x = 2\n}\n"),
            (Codes{"L0212", "L0401", "L0212"}));
  // In a model: a bad member, a bad operator, a bad clause.
  EXPECT_EQ(
      codes("model m {\n    bool upset = 3;\n    operator *(real a)\n        ensures result == a;\n"
            "    operator +(real a, real b)\n        when nope\n        ensures result == a + "
            "b;\n}\n"),
      (Codes{"L0401", "L0214", "L0301"}));
  // In the clauses of a loop.
  EXPECT_EQ(codes("void f(uint n) {\n    for (uint i = 0; i < n; ++i)\n        invariant i <=\n    "
                  "    invariant_r i == 0\n"
                  "        invariant old(i) == 0\n    {\n        n = q;\n    }\n}\n"),
            (Codes{"L0202", "L0501", "L0507", "L0301"}));
  // A brace too few: the next item is still read.
  EXPECT_EQ(
      codes("void f(real x) {\n    if (x > 0) {\n        x = 1;\n\nproperty p(int y):\n    y;\n"),
      (Codes{"L0204", "L0401"}));
  // A brace too many.
  EXPECT_EQ(codes("void f() {}\n}\nvoid g() {\n    y = 1;\n}\n"), (Codes{"L0203", "L0301"}));
  // One wrong name used many times is still many mistakes; one wrong declaration is one.
  EXPECT_EQ(codes("void f() {\n    vector<real> v = 1;\n    v[0] = 2;\n    v[1] = 3;\n}\n"),
            (Codes{"L0406", "L0401"}));
  EXPECT_EQ(codes("use model nowhere;\n\nvoid f() {\n    model.x = 1;\n    assert_r model.y;\n}\n"),
            (Codes{"L0305"}));
  EXPECT_EQ(codes("model m refines nowhere {\n    import nowhere.a;\n    nowhere.b = 1;\n}\n"),
            (Codes{"L0305"}));
}

// Each phase asks whether there is still something left of the budget, and none gives half an
// answer.
std::vector<std::string> dictionary() {
  std::ifstream in(LETO_SOURCE_DIR "/fuzz/leto.dict");
  std::vector<std::string> words;
  for (std::string line; std::getline(in, line);)
    if (line.size() > 2 && line.front() == '"') words.push_back(line.substr(1, line.size() - 2));
  return words;
}

// Whatever stands on a line of its own where something else belongs: reading gets to the end.
TEST(Robustness, EveryWordIsPassedEverywhere) {
  const std::vector<std::string> words = dictionary();
  ASSERT_GT(words.size(), 90u);
  for (const std::string& place :
       {std::string("record s {\nreal x;\n"), std::string("model m {\nreal x;\n"),
        std::string("model m {\noperator+(real x, real y)\n"), std::string("void f() {\n"),
        std::string("void f(real x,\n"), std::string("lemma l(int n)\n"),
        std::string("define int d(int n):\n"), std::string("int f()\nensures\n"),
        std::string("void f() {\nwhile (true)\n"), std::string("void f() {\ntry {\n"),
        std::string("vector<int> v = {\n"), std::string()})
    for (const std::string& first : words)
      for (const std::string& second : {first, std::string("x"), std::string("}")})
        EXPECT_LT(codes(place + first + "\n" + second + "\nx;\n").size(), 20u)
            << place << first << "\n"
            << second;
}

TEST(Robustness, EveryPhaseEndsWithTheBudget) {
  const std::string text = "requires n > 0\nint f(int n) {\n    return n + 1;\n}\n";
  Allowance allowance;
  workspace::RealFileSystem files;
  workspace::Workspace workspace(files, {}, &allowance);
  DiagnosticList diagnostics;
  const workspace::Program program = workspace.load_text("test.leto", text, diagnostics);
  const syntax::Tree& tree = *program.own;
  const check::Checked checked =
      check::check(program.trees, workspace.options({}), workspace.names(), diagnostics);
  EXPECT_EQ(diagnostics.errors(), 0u);
  EXPECT_EQ(lower::lower(checked, workspace.names()).functions.size(), 1u);

  allowance.end(Allowance::End::Time);
  const auto ends_while = [](const auto& phase) -> std::string {
    try {
      phase();
      return "nothing";
    } catch (const Spent& spent) {
      return spent.doing;
    }
  };
  workspace::Workspace later(files, {}, &allowance);
  EXPECT_EQ(ends_while([&] { (void)later.load_text("test.leto", text, diagnostics); }), "reading");
  EXPECT_EQ(ends_while([&] {
              (void)check::check(program.trees, workspace.options({}), workspace.names(),
                                 diagnostics);
            }),
            "checking");
  EXPECT_EQ(ends_while([&] { (void)lower::lower(checked, workspace.names()); }), "lowering");
  EXPECT_EQ(ends_while([&] {
              (void)syntax::format(tree, workspace.names(), nullptr, {.allowance = &allowance});
            }),
            "formatting");
}

// A file with mistakes costs as much as it is long, however often it is imported.
TEST(Robustness, MistakesAreToldOfOnce) {
  class Memory final : public workspace::FileSystem {
   public:
    Content read(const std::string& path, files::NamedBy) override {
      if (path == "bad.leto") return {"int 7;\n", {}};
      if (path != "top.leto") return {"import \"bad.leto\";\n", {}};
      std::string text;
      for (int i = 0; i < 50; ++i) text += "import \"" + std::to_string(i) + ".leto\";\n";
      return {text, {}};
    }
    bool exists(const std::string&) override { return true; }
    std::string real_path(const std::string& path) override { return path; }
    bool lies_in(const std::string&, const std::string&) override { return true; }
    std::optional<std::vector<std::string>> list(const std::string&) override {
      return std::vector<std::string>{};
    }
  } memory;
  workspace::Workspace workspace(memory, {});
  DiagnosticList diagnostics;
  EXPECT_EQ(workspace.load("top.leto", diagnostics).trees.size(), 52u);
  EXPECT_EQ(diagnostics.all().size(), 1u);
  // Another program that imports it is told too.
  (void)workspace.load("0.leto", diagnostics);
  EXPECT_EQ(diagnostics.all().size(), 2u);
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
