// The front door, on programs made by hand. What is emitted is compiled and run by tests/emit.
#include "emit/emit.h"

#include <gtest/gtest.h>

#include "core/test_builder.h"
#include "emit/names.h"

namespace leto::emit {
namespace {

using core::Builder;
using core::Op;
using core::VarId;
using core::VarKind;

// A checker of one input, one output and a challenger: y[0] == x.
struct Checker : Builder {
  VarId x = param("x"), y = param("y", core::kIntVector), z = param("z");
  VarId result = var(VarKind::Result, "result", core::kBoolType);
  Request request;

  void finish(core::ExprId verdict) {
    core::Function f;
    f.name = "accepts";
    f.params = {x, y, z};
    f.sizes = {{y, 0, num("1")}};
    f.results = {result};
    f.body = block({assign(result, verdict)});
    request.function = program.functions.add(std::move(f));
    request.roles = {Role::Input, Role::Output, Role::Ghost};
    request.checker = true;
    request.name = "accepts";
  }
  bool has(const std::string& text, const std::string& part) const {
    return text.find(part) != std::string::npos;
  }
};

TEST(Emit, ACheckerReturnsAVerdictAndKnowsNoChallenger) {
  Checker c;
  c.finish(c.op(Op::Eq, c.select(c.y, c.num("0")), c.ref(c.x)));
  DiagnosticList diagnostics;
  const auto out = emit(c.program, c.request, diagnostics);
  ASSERT_TRUE(out.has_value());
  EXPECT_TRUE(c.has(out->header,
                    "inline leto::verdict accepts([[maybe_unused]] std::int64_t x, "
                    "[[maybe_unused]] std::span<const std::int64_t> y) noexcept"));
  // An output of another size is not accepted, and nothing is undecided about it.
  EXPECT_TRUE(c.has(out->header, "(y.size()) != 1) return leto::why::value;"));
  EXPECT_TRUE(c.has(out->c_header, "int accepts(int64_t x, const int64_t* y, size_t y_size);"));
  EXPECT_EQ(out->inputs.size(), 2u);
}

TEST(Emit, AChallengerThatReachesTheVerdictIsRefused) {
  Checker c;
  c.finish(c.op(Op::Eq, c.ref(c.z), c.ref(c.x)));
  DiagnosticList diagnostics;
  EXPECT_FALSE(emit(c.program, c.request, diagnostics).has_value());
  ASSERT_EQ(diagnostics.errors(), 1u);
  EXPECT_EQ(diagnostics.all()[0].kind, DiagnosticKind::NotEmitted);
  EXPECT_TRUE(c.has(diagnostics.all()[0].message(), "'z'"));
}

TEST(Emit, EveryNumberIsWatchedAndWhatDoesNotCountIsNot) {
  Checker c;
  const auto sum = [&] { return c.op(Op::Add, c.ref(c.x), c.num("1")); };
  c.finish(c.op(Op::And, c.op(Op::Gt, c.ref(c.x), c.num("0")), c.op(Op::Gt, sum(), c.num("3"))));
  const core::Program watched = watch_numbers(c.program, false);
  EXPECT_EQ(watched.vars.size(), c.program.vars.size() + 1);
  const core::Function& f = watched.functions[c.request.function];
  const auto& steps = std::get<core::Block>(watched.stmts[f.body].node).body;
  ASSERT_EQ(steps.size(), 1u);
  const auto& inside = std::get<core::Block>(watched.stmts[steps[0]].node).body;
  ASSERT_EQ(inside.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<core::If>(watched.stmts[inside[0]].node));
}

TEST(Names, AreWordsOfNoLanguageAndGivenOnce) {
  EXPECT_EQ(identifier("s.x"), "s_x");
  EXPECT_EQ(identifier("*."), "t");
  EXPECT_EQ(identifier("class"), "class_x");
  EXPECT_EQ(identifier("__a__b"), "a_b");
  for (const char* taken : {"delete", "main", "errno", "sqrt", "std", "size_t", "test", "emitted"})
    EXPECT_FALSE(can_be_name(taken)) << taken;
  EXPECT_TRUE(can_be_name("by_counts"));
  Names names;
  EXPECT_EQ(names.fresh("a"), "a");
  EXPECT_EQ(names.fresh("a"), "a_2");
}

}  // namespace
}  // namespace leto::emit
