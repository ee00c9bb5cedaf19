#include "core/record_text.h"

#include <gtest/gtest.h>

#include "core/test_builder.h"

namespace leto::core {

namespace {

struct Two {
  Builder b;
  VarId x, y, n, other;

  explicit Two(Type type = kIntType) {
    x = b.param("s.x", type);
    y = b.param("s.y", type);
    n = b.param("n");
    other = b.param("t.x", type);
    b.program.vars[x].record = b.program.vars[y].record = 1;
    b.program.vars[other].record = 2;
  }
};

}  // namespace

TEST(RecordText, PutsFieldsTogetherWhereTheFirstStands) {
  const Two t;
  const std::vector<std::vector<std::size_t>> groups{{0, 3}, {1}, {2}};
  EXPECT_EQ(gather_records(t.b.program, {t.x, t.n, t.other, t.y}), groups);
  EXPECT_EQ(record_name(t.b.program.vars[t.x]), "s");
  EXPECT_EQ(field_name(t.b.program.vars[t.y]), "y");
}

// What was passed is another record than what is there now.
TEST(RecordText, KeepsWhatWasPassedApart) {
  Two t;
  t.b.program.vars[t.y].passed = true;
  EXPECT_EQ(gather_records(t.b.program, {t.x, t.y}).size(), 2u);
}

TEST(RecordText, ShowsWhereTheRunsDifferAndWhatIsLeftOut) {
  const Two t;
  const auto text = [&](const std::vector<FieldText>& fields) {
    return record_text(t.b.program, fields).value_or("none");
  };
  EXPECT_EQ(text({{t.x, "1", "1"}, {t.y, "2", "2"}}), "{x: 1, y: 2}");
  EXPECT_EQ(text({{t.x, "1", "1"}, {t.y, "2", "3"}}), "{x: 1, y<o>: 2, y<r>: 3}");
  EXPECT_EQ(text({{t.x, "", "1"}, {t.y, "", "3"}}), "{x: 1, y: 3}");
  EXPECT_EQ(text({{t.y, "2", ""}}), "{y: 2, ...}");
  EXPECT_EQ(text({{t.other, "2", "2"}}), "{x: 2}");
}

TEST(RecordText, TurnsVectorsOfFieldsIntoVectorsOfRecords) {
  const Two t(kIntVector);
  const auto text = [&](const std::vector<FieldText>& fields, std::size_t most = 0) {
    return record_text(t.b.program, fields, most).value_or("none");
  };
  EXPECT_EQ(text({{t.x, "[1, 2]", "[1, 2]"}, {t.y, "[3, 4]", "[3, 5]"}}),
            "[{x: 1, y: 3}, {x: 2, y<o>: 4, y<r>: 5}]");
  EXPECT_EQ(text({{t.x, "[]", "[]"}, {t.y, "[]", "[]"}}), "[]");
  EXPECT_EQ(text({{t.x, "[1, ... 9]", ""}, {t.y, "[2, ... 8]", ""}}),
            "[{x: 1, y: 2}, ... {x: 9, y: 8}]");
  EXPECT_EQ(text({{t.x, "[1, 2, 3]", ""}, {t.y, "[4, 5, 6]", ""}}, 2),
            "[{x: 1, y: 4}, ... {x: 3, y: 6}]");
  // Those of different sizes are no records.
  EXPECT_EQ(text({{t.x, "[1, 2]", ""}, {t.y, "[3]", ""}}), "none");
  EXPECT_EQ(text({{t.x, "[1, 2]", ""}, {t.y, "no value", ""}}), "none");
}

TEST(RecordText, SaysWhatEachIs) {
  const Two t, v(kIntVector);
  EXPECT_EQ(equations(t.b.program, {{t.n, "1", "1"}}), "n = 1");
  EXPECT_EQ(equations(t.b.program, {{t.n, "1", "2"}}), "n<o> = 1, n<r> = 2");
  EXPECT_EQ(equations(t.b.program, {{t.x, "1", "1"}, {t.y, "2", "3"}}),
            "s = {x: 1, y<o>: 2, y<r>: 3}");
  EXPECT_EQ(equations(v.b.program, {{v.x, "[1]", "[]"}, {v.y, "[2]", "[]"}}),
            "s<o> = [{x: 1, y: 2}], s<r> = []");
}

}  // namespace leto::core
