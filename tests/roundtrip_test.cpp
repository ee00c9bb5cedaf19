// parse(print(t)) equals t for random trees; formatting twice changes nothing
// more; comments survive wherever they stand. 10,000 trees each by default;
// RC_PARAMS sets another number or repeats a seed.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <filesystem>

#include "golden.h"
#include "syntax/syntax.h"
#include "tree_maker.h"

namespace leto::tests {

using namespace syntax;

struct Parsed {
  SourceStore sources;
  FileId id;
  DiagnosticList diagnostics;
  Tree tree;
};

std::unique_ptr<Parsed> parse_text(std::string text, NameTable& names) {
  auto parsed = std::make_unique<Parsed>();
  parsed->id = parsed->sources.add("test.leto", std::move(text));
  parsed->tree = parse(parsed->sources[parsed->id], parsed->id, names, parsed->diagnostics);
  return parsed;
}

std::string first_error(const Parsed& parsed) {
  return parsed.diagnostics.all().empty() ? "" : parsed.diagnostics.all()[0].message();
}

TEST(RoundTrip, RandomTreesComeBackEqual) {
  std::size_t trees = 0;
  const bool ok = rc::check("parse(print(t)) == t", [&](const std::vector<std::uint8_t>& tape) {
    ++trees;
    NameTable names;
    const Tree tree = TreeMaker(tape, names).make();
    const std::string text = format(tree, names, nullptr);
    RC_LOG() << text;
    const auto again = parse_text(text, names);
    RC_LOG() << first_error(*again);
    RC_ASSERT(again->diagnostics.errors() == 0u);
    RC_ASSERT(equal(tree, again->tree));
    RC_ASSERT(format(again->tree, names, &again->sources[again->id]) == text);
  });
  EXPECT_TRUE(ok);
  EXPECT_GE(trees, std::getenv("LETO_TEST_TREES") ? 1u : 10000u);
}

std::vector<std::string> comment_texts(const Parsed& parsed) {
  std::vector<std::string> texts;
  for (const Comment& comment : parsed.tree.comments)
    texts.emplace_back(parsed.sources.text({parsed.id, comment.begin, comment.end}));
  return texts;
}

TEST(RoundTrip, CommentsSurviveAnywhere) {
  const bool ok = rc::check("comments survive", [](const std::vector<std::uint8_t>& tape,
                                                   const std::vector<std::uint16_t>& places) {
    NameTable names;
    const Tree tree = TreeMaker(tape, names).make();
    const std::string text = format(tree, names, nullptr);
    // Comments go between tokens; each has a text of its own.
    const auto plain = parse_text(text, names);
    DiagnosticList ignored;
    const Tokens tokens = lex(plain->sources[plain->id], plain->id, ignored);
    std::map<std::uint32_t, std::string> insertions;
    int number = 0;
    for (std::uint16_t place : places) {
      const Token& token = tokens.tokens[(place >> 3) % tokens.tokens.size()];
      if (token.kind == TokenKind::SideO || token.kind == TokenKind::SideR) continue;
      // The second half of a shift.
      if (token.kind == TokenKind::Greater && text[token.begin - 1] == '>') continue;
      const std::string label = "c" + std::to_string(number++);
      switch (place & 7) {
        case 0:
        case 1:
          insertions[token.begin] += " // " + label + "  \n";
          break;
        case 2:
          insertions[token.begin] += "\n\n\n// " + label + "\n\n\n";
          break;
        case 3:
          insertions[token.begin] += "\n/* " + label + "\n   more */\n";
          break;
        default:
          insertions[token.begin] += " /* " + label + " */ ";
      }
    }
    std::string commented;
    std::uint32_t at = 0;
    for (const auto& [where, what] : insertions) {
      commented += text.substr(at, where - at) + what;
      at = where;
    }
    commented += text.substr(at);
    const auto before = parse_text(commented, names);
    RC_LOG() << commented;
    RC_ASSERT(before->diagnostics.errors() == 0u);
    RC_ASSERT(equal(tree, before->tree));
    const std::string once = format(before->tree, names, &before->sources[before->id]);
    RC_LOG() << "-----\n" << once;
    const auto after = parse_text(once, names);
    RC_ASSERT(after->diagnostics.errors() == 0u);
    RC_ASSERT(equal(tree, after->tree));
    std::vector<std::string> kept = comment_texts(*before);
    for (std::string& comment : kept)
      while (comment.starts_with("//") && comment.back() == ' ') comment.pop_back();
    RC_ASSERT(comment_texts(*after) == kept);
    RC_ASSERT(format(after->tree, names, &after->sources[after->id]) == once);
  });
  EXPECT_TRUE(ok);
}

TEST(RoundTrip, ProgramsOfTheRepositoryAreFormattedAndComeBackEqual) {
  const std::filesystem::path root = LETO_SOURCE_DIR;
  std::size_t files = 0;
  for (const char* directory : {"models", "models/library", "examples"}) {
    for (const auto& path : golden_files(root / directory)) {
      NameTable names;
      const std::string text = read_file(path);
      const auto parsed = parse_text(text, names);
      ASSERT_EQ(parsed->diagnostics.errors(), 0u) << path;
      EXPECT_EQ(format(parsed->tree, names, &parsed->sources[parsed->id]), text) << path;
      // Without its layout, the same tree.
      const auto bare = parse_text(format(parsed->tree, names, nullptr), names);
      EXPECT_TRUE(equal(parsed->tree, bare->tree)) << path;
      ++files;
    }
  }
  EXPECT_GE(files, 15u);
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const char* trees = std::getenv("LETO_TEST_TREES");
  const std::string params =
      "max_success=" + std::string(trees ? trees : "10000") + " max_size=300";
  setenv("RC_PARAMS", params.c_str(), 0);
  return RUN_ALL_TESTS();
}
