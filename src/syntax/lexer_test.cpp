#include "syntax/lexer.h"

#include <gtest/gtest.h>

namespace leto::syntax {

// Kinds with a dot behind relaxed ones, separated by blanks.
std::string kinds(const std::string& text) {
  SourceStore sources;
  const FileId id = sources.add("f", text);
  DiagnosticList diagnostics;
  std::string out;
  for (const Token& token : lex(sources[id], id, diagnostics).tokens)
    if (token.kind != TokenKind::End)
      out += std::string(describe(token.kind)) + (token.dotted ? ". " : " ");
  return out;
}

TEST(Lexer, SidesStandRightBehindANameOrAnElement) {
  EXPECT_EQ(kinds("x<o>"), "a name '<o>' ");
  EXPECT_EQ(kinds("r<r>==o<o>"), "a name '<r>' '==' a name '<o>' ");
  EXPECT_EQ(kinds("x <r> y"), "a name '<' a name '>' a name ");
  EXPECT_EQ(kinds("x<rr>"), "a name '<' a name '>' ");
  EXPECT_EQ(kinds("v[i]<r>"), "a name '[' a name ']' '<r>' ");
  EXPECT_EQ(kinds("vector<real>"), "'vector' '<' 'real' '>' ");
  EXPECT_EQ(kinds("x<o>[y<r>]"), "a name '<o>' '[' a name '<r>' ']' ");
}

TEST(Lexer, ADotBehindAnOperatorMakesItRelaxed) {
  EXPECT_EQ(kinds("a *. b"), "a name '*'. a name ");
  EXPECT_EQ(kinds("a*.b<=.c"), "a name '*'. a name '<='. a name ");
  EXPECT_EQ(kinds("a +=. 1"), "a name '+='. a number ");
  EXPECT_EQ(kinds("a +. 1.5"), "a name '+'. a number ");
  EXPECT_EQ(kinds("M.x = 1"), "a name '.' a name '=' a number ");
  EXPECT_EQ(kinds("a ->. !.b"), "a name '->'. '!'. a name ");
}

TEST(Lexer, Numbers) {
  EXPECT_EQ(kinds("0 12 1.5 1e3 2.5e-10 1E+2"),
            "a number a number a number a number a number a number ");
  EXPECT_EQ(kinds("1.x"), "a number '.' a name ");
}

TEST(Lexer, CommentsAreKeptAside) {
  SourceStore sources;
  const FileId id = sources.add("f", "a // one\r\n/* two\n */ b /**/");
  DiagnosticList diagnostics;
  const Tokens tokens = lex(sources[id], id, diagnostics);
  ASSERT_EQ(tokens.comments.size(), 3u);
  EXPECT_EQ(sources.text({id, tokens.comments[0].begin, tokens.comments[0].end}), "// one");
  EXPECT_EQ(sources.text({id, tokens.comments[1].begin, tokens.comments[1].end}), "/* two\n */");
  EXPECT_TRUE(tokens.comments[2].block);
  EXPECT_EQ(tokens.tokens.size(), 3u);
}

}  // namespace leto::syntax
