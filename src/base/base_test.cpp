#include "base/base.h"

#include <gtest/gtest.h>

namespace leto {

TEST(Names, AreEqualExactlyWhenTheirSpellingsAre) {
  NameTable names;
  const Name a = names.intern("alpha");
  EXPECT_EQ(a, names.intern(std::string("al") + "pha"));
  EXPECT_NE(a, names.intern("Alpha"));
  EXPECT_EQ(names.text(a), "alpha");
  EXPECT_FALSE(names.find("beta").valid());
  // Views stay valid however many names follow.
  const std::string_view text = names.text(a);
  for (int i = 0; i < 10000; ++i) names.intern("n" + std::to_string(i));
  EXPECT_EQ(text, "alpha");
}

std::string nearest(std::string_view wanted, std::initializer_list<std::string_view> among) {
  NearestName best(wanted);
  for (std::string_view name : among) best.offer(name);
  return std::string(best.best());
}

TEST(Names, NearestIsAMisspellingOrNothing) {
  EXPECT_EQ(nearest("valeu", {"value", "vault", "x"}), "value");  // neighbours exchanged
  EXPECT_EQ(nearest("colum", {"column", "volume"}), "column");
  EXPECT_EQ(nearest("upsett", {"upset", "reset"}), "upset");
  EXPECT_EQ(nearest("yy", {"y", "x"}), "y");
  EXPECT_EQ(nearest("a", {"b", "c"}), "");
  EXPECT_EQ(nearest("product", {"sum", "length"}), "");
  EXPECT_EQ(nearest("same", {"same"}), "");  // that would be no help
  // Independent of the order in which candidates come.
  EXPECT_EQ(nearest("cat", {"car", "bat"}), nearest("cat", {"bat", "car"}));
}

TEST(Source, PositionsCountCodePointsAndLines) {
  SourceStore sources;
  const FileId id = sources.add("f", "ab\n\xc3\xa9x\r\nlast");
  const SourceFile& file = sources[id];
  EXPECT_EQ(file.line_count(), 3u);
  EXPECT_EQ(file.line_text(2), "\xc3\xa9x");
  EXPECT_EQ(file.position(0).line, 1u);
  EXPECT_EQ(file.position(5).line, 2u);
  EXPECT_EQ(file.position(5).column, 2u);
  EXPECT_EQ(file.position(file.size()).line, 3u);
  EXPECT_EQ(file.position(file.size()).column, 5u);
  const FileId marked = sources.add("g", "\xef\xbb\xbfx");
  EXPECT_EQ(sources[marked].position(3).column, 1u);
}

TEST(Source, Utf8) {
  EXPECT_EQ(utf8_length("a"), 1u);
  EXPECT_EQ(utf8_length("\xc3\xa9"), 2u);
  EXPECT_EQ(utf8_length("\xe2\x88\x80"), 3u);
  EXPECT_EQ(utf8_length("\xf0\x9f\x98\x80"), 4u);
  for (const char* bad :
       {"\x80", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff"})
    EXPECT_EQ(utf8_length(bad), 0u);
}

TEST(Diagnostics, AreSortedAndKeptOnce) {
  SourceStore sources;
  const FileId id = sources.add("f", "some text");
  DiagnosticList list;
  const Diagnostic late{DiagnosticKind::VoidValue, Span{id, 5, 6}, {"x"}, {}, {}};
  list.report(late);
  list.report({DiagnosticKind::VoidValue, Span{id, 1, 2}, {"y"}, {}, {}});
  list.report(late);
  list.report({DiagnosticKind::OperatorNotInModel, Span{id, 1, 2}, {"y", "z", "t"}, {}, {}});
  EXPECT_EQ(list.errors(), 3u);
  list.sort_and_unique();
  EXPECT_EQ(list.errors(), 2u);
  ASSERT_EQ(list.all().size(), 3u);
  EXPECT_EQ(list.all()[2].span->begin, 5u);
  EXPECT_EQ(list.all()[2].message(), "'x' returns nothing that could be used here");
  EXPECT_EQ(diagnostic_by_code("l0410"), DiagnosticKind::VoidValue);
  EXPECT_EQ(diagnostic_by_code("L041"), std::nullopt);
}

}  // namespace leto
