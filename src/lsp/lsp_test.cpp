#include <gtest/gtest.h>

#include <cstring>

#include "lsp/framing.h"
#include "lsp/protocol.h"
#include "lsp/text_index.h"
#include "lsp/uri.h"

namespace leto::lsp {
namespace {

// Places ---------------------------------------------------------------------------------------

TEST(TextIndex, CountsUtf16Units) {
  const std::string text = "a\xc3\xa4\xf0\x9f\x98\x80z\nsecond";  // a, a umlaut, an emoji, z
  const TextIndex index(text);
  EXPECT_EQ(index.point(0), (Point{0, 0}));
  EXPECT_EQ(index.point(1), (Point{0, 1}));
  EXPECT_EQ(index.point(3), (Point{0, 2}));
  EXPECT_EQ(index.point(7), (Point{0, 4}));  // the emoji has two
  EXPECT_EQ(index.point(8), (Point{0, 5}));
  EXPECT_EQ(index.point(9), (Point{1, 0}));
  EXPECT_EQ(index.offset({0, 2}), 3u);
  EXPECT_EQ(index.offset({0, 4}), 7u);
  EXPECT_EQ(index.offset({1, 3}), 12u);
}

TEST(TextIndex, InsideOfACharacterIsItsBeginning) {
  const std::string text = "\xf0\x9f\x98\x80z";
  const TextIndex index(text);
  EXPECT_EQ(index.offset({0, 1}), 0u);
  EXPECT_EQ(index.point(2), (Point{0, 0}));
}

TEST(TextIndex, OutsideIsTheNearestPlace) {
  const TextIndex index("ab\ncd");
  EXPECT_EQ(index.offset({0, 99}), 2u);
  EXPECT_EQ(index.offset({99, 0}), 5u);
  EXPECT_EQ(index.offset({0x7fffffff, 0x7fffffff}), 5u);
  EXPECT_EQ(index.point(99), (Point{1, 2}));
  EXPECT_EQ(TextIndex("").offset({3, 3}), 0u);
  EXPECT_EQ(TextIndex("").point(3), (Point{0, 0}));
}

TEST(TextIndex, KnowsAllEndsOfLines) {
  const std::string text = "a\r\nb\rc\nd";
  const TextIndex index(text);
  EXPECT_EQ(index.point(3), (Point{1, 0}));
  EXPECT_EQ(index.point(5), (Point{2, 0}));
  EXPECT_EQ(index.point(7), (Point{3, 0}));
  EXPECT_EQ(index.offset({0, 9}), 1u);
  EXPECT_EQ(index.offset({1, 9}), 4u);
  EXPECT_EQ(index.point(2), (Point{0, 1}));  // between the two halves of an end
}

TEST(TextIndex, TheMarkOfAFileDoesNotCount) {
  const std::string text = "\xef\xbb\xbfxy\nz";
  EXPECT_EQ(TextIndex(text, true).point(4), (Point{0, 1}));
  EXPECT_EQ(TextIndex(text, true).offset({0, 1}), 4u);
  EXPECT_EQ(TextIndex(text, false).point(4), (Point{0, 2}));
}

TEST(TextIndex, GoesThereAndBackEverywhere) {
  std::string text;
  for (int i = 0; i < 400; ++i)
    text += i % 7 == 0    ? "\xf0\x9f\x98\x80"
            : i % 5 == 0  ? "\xe2\x82\xac"
            : i % 61 == 0 ? "\n"
                          : "x";
  const TextIndex index(text);
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0u) == 0x80u) continue;
    EXPECT_EQ(index.offset(index.point(at)), at);
  }
}

TEST(TextIndex, SurvivesBytesThatAreNoText) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += static_cast<char>(i * 37);
  const TextIndex index(text);
  for (std::size_t at = 0; at <= text.size(); ++at)
    EXPECT_LE(index.offset(index.point(at)), text.size());
}

// Edits ------------------------------------------------------------------------------------------

TEST(Replaced, TakesRangesAsTheyCome) {
  const std::string text = "one\ntwo \xf0\x9f\x98\x80 three\n";
  EXPECT_EQ(replaced(text, {{0, 0}, {0, 3}}, "1"), "1\ntwo \xf0\x9f\x98\x80 three\n");
  EXPECT_EQ(replaced(text, {{1, 4}, {1, 6}}, ""), "one\ntwo  three\n");
  EXPECT_EQ(replaced(text, {{1, 4}, {1, 5}}, ""), "one\ntwo \xef\xbf\xbd three\n");
  EXPECT_EQ(replaced(text, {{1, 5}, {1, 6}}, ""), "one\ntwo \xef\xbf\xbd three\n");
  EXPECT_EQ(replaced(text, {{1, 5}, {1, 5}}, "+"), "one\ntwo \xef\xbf\xbd+\xef\xbf\xbd three\n");
  EXPECT_EQ(replaced(text, {{0, 3}, {1, 0}}, " "), "one two \xf0\x9f\x98\x80 three\n");
  EXPECT_EQ(replaced(text, {{9, 0}, {9, 9}}, "end"), text + "end");
  EXPECT_EQ(replaced(text, {{0, 3}, {0, 0}}, "1"), "1\ntwo \xf0\x9f\x98\x80 three\n");
}

TEST(LineEnds, AreThoseOfTheDocument) {
  EXPECT_EQ(with_line_ends_of("x\r\ny\r\n", "a\nb\r\nc"), "a\r\nb\r\nc");
  EXPECT_EQ(with_line_ends_of("x\ny\r\n", "a\nb"), "a\nb");
  EXPECT_EQ(with_line_ends_of("x", "a\nb"), "a\nb");
  EXPECT_EQ(with_line_ends_of("\nx", "a\nb"), "a\nb");
}

// URIs -------------------------------------------------------------------------------------------

TEST(Uri, IsDecoded) {
  EXPECT_EQ(path_of("file:///a/b%20c/%C3%A4.leto"), "/a/b c/\xc3\xa4.leto");
  EXPECT_EQ(path_of("FILE:///a/../b.leto"), "/b.leto");
  EXPECT_EQ(path_of("file://localhost/x.leto"), "/x.leto");
  EXPECT_EQ(path_of("file:///x.leto?query#part"), "/x.leto");
  EXPECT_EQ(path_of("untitled:Untitled-1"), "untitled:Untitled-1");
  EXPECT_EQ(path_of("file://elsewhere/x.leto"), std::nullopt);
  EXPECT_EQ(path_of("file:///a%zz"), std::nullopt);
  EXPECT_EQ(path_of("file:///a%2"), std::nullopt);
  EXPECT_EQ(path_of("file:///a%00b"), std::nullopt);
  EXPECT_EQ(path_of("file:relative"), std::nullopt);
  EXPECT_EQ(path_of("/no/scheme"), std::nullopt);
  EXPECT_EQ(path_of(""), std::nullopt);
}

TEST(Uri, GoesThereAndBack) {
  const std::string path = "/a b/\xc3\xa4#?%.leto";
  EXPECT_EQ(uri_of(path), "file:///a%20b/%C3%A4%23%3F%25.leto");
  EXPECT_EQ(path_of(uri_of(path)), path);
}

// Frames -----------------------------------------------------------------------------------------

// Hands out so many bytes at a time.
Frames frames_of(const std::string& bytes, std::size_t step) {
  return Frames([bytes, step, at = std::size_t{0}](char* into, std::size_t most) mutable {
    const std::size_t part = std::min({step, most, bytes.size() - at});
    std::memcpy(into, bytes.data() + at, part);
    at += part;
    return part;
  });
}

std::vector<std::string> bodies_of(const std::string& bytes, std::size_t step = 1000) {
  Frames frames = frames_of(bytes, step);
  std::vector<std::string> out;
  Frame frame;
  while (frames.next(frame))
    out.push_back(frame.problem.empty() ? frame.body : "! " + frame.problem);
  return out;
}

TEST(Frames, AreCutOutWhateverTheyComeIn) {
  const std::string bytes =
      framed("one") + "content-type: x\r\nCONTENT-LENGTH:  5 \r\n\r\nthree" + framed("");
  for (std::size_t step : {1, 2, 3, 7, 1000})
    EXPECT_EQ(bodies_of(bytes, step), (std::vector<std::string>{"one", "three", ""}));
}

TEST(Frames, WithoutALengthAreRefused) {
  const auto told = bodies_of("X: y\r\n\r\n" + framed("good"));
  ASSERT_EQ(told.size(), 2u);
  EXPECT_TRUE(told[0].starts_with("! there is no header"));
  EXPECT_EQ(told[1], "good");
}

TEST(Frames, OfNoLengthAreRefused) {
  for (const char* length : {"-3", "x", "", "1e3", "99999999999999999999"}) {
    const auto told =
        bodies_of("Content-Length: " + std::string(length) + "\r\n\r\n" + framed("good"));
    ASSERT_EQ(told.size(), 2u) << length;
    EXPECT_TRUE(told[0].starts_with("! ")) << length;
    EXPECT_EQ(told[1], "good");
  }
}

TEST(Frames, AreFoundBehindGarbage) {
  for (const std::string& garbage :
       {std::string(10000, '#'), std::string("{\"lost\": 1}"), std::string("{\"lost\": 1}\r\n")})
    EXPECT_EQ(bodies_of(garbage + framed("good")),
              (std::vector<std::string>{"! there is something between two messages that is none",
                                        "good"}));
  // The body that nobody could know the length of stands before the next header.
  EXPECT_EQ(bodies_of("\r\n{\"lost\": 1}" + framed("good")).back(), "good");
}

TEST(Frames, ThatAreTooLongAreSkipped) {
  const std::size_t much = Frames::kMostBytes + 1;
  const auto told = bodies_of("Content-Length: " + std::to_string(much) + "\r\n\r\n" +
                                  std::string(much, 'x') + framed("good"),
                              1 << 20);
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0], "! the message is too long");
  EXPECT_EQ(told[1], "good");
}

TEST(Frames, ThatAreCutOffAreNone) {
  const std::string whole = framed("{\"a\": 1}");
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_TRUE(bodies_of(whole.substr(0, length)).empty()) << length;
}

// Halves of characters ---------------------------------------------------------------------------

TEST(WholeCharacters, AreMadeOfHalves) {
  const std::pair<std::string, std::string> cases[] = {
      {R"("\ud83d")", R"("\ufffd")"},
      {R"("\uDE00x")", R"("\ufffdx")"},
      {R"("\ud83d\ude00")", R"("\ud83d\ude00")"},
      {R"("\ud83d\ud83d\ude00")", R"("\ufffd\ud83d\ude00")"},
      {R"("\ud83d\ude00\ude00")", R"("\ud83d\ude00\ufffd")"},
      {R"("\ud83d\n")", R"("\ufffd\n")"},
      {R"("\\ud83d")", R"("\\ud83d")"},
      {R"("\\\ud83d")", R"("\\\ufffd")"},
      {R"("\u00e4")", R"("\u00e4")"},
      {R"("\ud8)", R"("\ud8)"},
      {R"("\)", R"("\)"},
  };
  for (const auto& [given, wanted] : cases) EXPECT_EQ(with_whole_characters(given), wanted);
}

// Members ----------------------------------------------------------------------------------------

TEST(Members, NeedNotBeThere) {
  const json message = {{"a", {{"b", 1}, {"c", "text"}}}};
  EXPECT_EQ(member(message, "a/b"), 1);
  EXPECT_TRUE(member(message, "a/b/c").is_null());
  EXPECT_TRUE(member(json(3), "a").is_null());
  EXPECT_EQ(text_member(message, "a/c"), "text");
  EXPECT_THROW((void)text_member(message, "a/b"), RequestError);
  EXPECT_THROW((void)point_member(message, "a"), RequestError);
}

TEST(Members, NumbersAreBroughtIntoReach) {
  const json message = {{"p", {{"line", -5}, {"character", 18446744073709551615u}}}};
  EXPECT_EQ(point_member(message, "p"), (Point{0, 0x7fffffff}));
}

}  // namespace
}  // namespace leto::lsp
