#include "problem/problem.h"

#include <gtest/gtest.h>

#include "syntax/syntax.h"

namespace leto::problem {

namespace {

struct Expanded {
  NameTable names;
  SourceStore sources;
  DiagnosticList diagnostics;
  syntax::Tree tree;
  std::deque<syntax::Tree> trees;

  explicit Expanded(const std::string& text) {
    const FileId id = sources.add("p.leto", text);
    tree = syntax::parse(sources[id], id, names, diagnostics);
    trees = expand({&tree}, names, diagnostics);
  }
  // The text of the function of that name; empty: there is none.
  [[nodiscard]] std::string function(const std::string& name) {
    for (const syntax::Tree& one : trees)
      if (names.text(std::get<syntax::FunctionItem>(one.items[0].node).name.name) == name)
        return syntax::format(one, names, nullptr, {});
    return "";
  }
  [[nodiscard]] std::string first() {
    return diagnostics.all().empty() ? "" : diagnostics.all()[0].message();
  }
};

constexpr const char* kSquare = R"(problem square {
    input uint n;
    output uint s;
    requires n > 0;
    right s == n * n;
    right against (uint t) when t * t == n: t <= s;
    example (n = 2, s = 4) right;
    example (n = 2, s = 5) wrong;
}
)";

}  // namespace

TEST(Problem, ACheckerIsAFunctionWithAContract) {
  Expanded e(std::string(kSquare) +
             "checker c for square { assert s <= t && n > 0; return s == n *. n; }\n");
  EXPECT_EQ(e.diagnostics.errors(), 0u) << e.first();
  EXPECT_EQ(e.function(exact_name("c")),
            "requires n > 0\n"
            "ensures result -> s == n * n\n"
            "ensures s == n * n -> result\n"
            "pure bool c, exactly(uint n, uint s) {\n"
            "    assert n > 0;\n"
            "    return s == n * n;\n"
            "}\n");
  // What a program calls keeps its relaxed operations.
  EXPECT_NE(e.function("c").find("return s == n *. n;"), std::string::npos) << e.function("c");
}

TEST(Problem, AChallengerIsKnownInItsOwnCopyOnly) {
  Expanded e(std::string(kSquare) +
             "checker c for square { specvar uint q = t; assert q <= s; return s == n * n; }\n");
  EXPECT_EQ(e.function(exact_name("c")).find("specvar"), std::string::npos);
  const std::string against = e.function(against_name("c", 1));
  EXPECT_NE(against.find("requires t * t == n"), std::string::npos) << against;
  EXPECT_NE(against.find("ensures result -> t <= s"), std::string::npos) << against;
  EXPECT_NE(against.find("assert q <= s"), std::string::npos) << against;
  EXPECT_EQ(against.find("-> result"), std::string::npos) << against;
}

TEST(Problem, WithoutExamplesItIsRefused) {
  Expanded e("problem p { input int x; output int y; right y == x; }\n");
  EXPECT_EQ(e.first(), "problem 'p' has no example that is right");
}

TEST(Problem, ACheckerMustNotChangeWhatItChecks) {
  Expanded e(std::string(kSquare) + "checker c for square { s = n * n; return true; }\n");
  EXPECT_EQ(e.first(), "a checker cannot change 's', which it checks");
}

TEST(Problem, ACheckerThatNeverAcceptsIsRefused) {
  Expanded e(std::string(kSquare) + "checker c for square { return false; }\n");
  EXPECT_EQ(e.first(), "checker 'c' never accepts: it returns nothing but false");
}

TEST(Problem, WhatIsRequiredNamesNoOutput) {
  Expanded e(
      "problem p { input int x; output int y; requires y > 0; right y == x;\n"
      "example (x = 1, y = 1) right; example (x = 1, y = 2) wrong; }\n");
  EXPECT_EQ(e.first(), "what a problem requires is about its inputs, and this names an output");
}

TEST(Problem, ExamplesGiveAllValuesInTheirForm) {
  Expanded e(
      "problem p { input uint n, vector<int> v(n); output int y; right y == v[0];\n"
      "example (n = 1, v = 3, y = 3) right; example (n = 1, y = 2) wrong; }\n");
  EXPECT_EQ(e.first(), "'v' takes a list, such as [1, 2]");
  ASSERT_EQ(e.diagnostics.all().size(), 2u);
  EXPECT_EQ(e.diagnostics.all()[1].message(), "the example says nothing of 'v'");
}

}  // namespace leto::problem
