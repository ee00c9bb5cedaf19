// No value that matters is left out: on random formulas, against trying everything out.
#include <gtest/gtest.h>

#include "core/test_builder.h"
#include "interp/evaluate.h"
#include "interp/random.h"

namespace leto::interp {

namespace {

using core::ExprId;
using core::Op;
using core::VarId;

constexpr int kFarthest = 9;

// Formulas over three variables of which one may be bound inside, with all that is read and with
// some that is not.
class FormulaMaker {
 public:
  core::Builder b;
  std::vector<VarId> vars;
  VarId inner;

  explicit FormulaMaker(std::uint64_t seed) : random_(seed) {
    vars = {b.var(core::VarKind::Bound, "i"), b.var(core::VarKind::Bound, "j", core::kUintType)};
    inner = b.var(core::VarKind::Bound, "k");
  }

  ExprId formula(int depth, bool inside = false) {
    if (depth == 0) return comparison(inside);
    switch (pick(7)) {
      case 0:
        return b.op(Op::Not, {formula(depth - 1, inside)});
      case 1:
        return both(Op::Or, depth, inside);
      case 2:
        return both(Op::Implies, depth, inside);
      case 3:
        return both(pick(2) == 0 ? Op::Eq : Op::Ne, depth, inside);
      case 4:
        return inside ? comparison(inside) : quantifier(depth);
    }
    return both(Op::And, depth, inside);
  }

 private:
  std::uint64_t pick(std::uint64_t count) { return random_() % count; }
  ExprId both(Op op, int depth, bool inside) {
    const ExprId first = formula(depth - 1, inside);
    return b.op(op, first, formula(depth - 1, inside));
  }
  // Between bounds, so that it can be evaluated.
  ExprId quantifier(int depth) {
    const bool universal = pick(2) == 0;
    const ExprId low = b.op(Op::Le, b.num("-3"), b.ref(inner));
    const ExprId range = b.op(Op::And, low, b.op(Op::Le, b.ref(inner), b.num("3")));
    const ExprId body = formula(depth - 1, true);
    return b.expr(
        core::kBoolType,
        core::Quant{universal, {inner}, b.op(universal ? Op::Implies : Op::And, range, body)});
  }
  ExprId comparison(bool inside) {
    constexpr Op kAll[] = {Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Ne};
    const ExprId first = sum(inside);
    return b.op(kAll[pick(6)], first, pick(2) == 0 ? number() : sum(inside));
  }
  ExprId number() { return b.num(std::to_string(static_cast<int>(pick(9)) - 4)); }
  ExprId variable(bool inside) {
    return b.ref(inside && pick(2) == 0 ? inner : vars[pick(vars.size())]);
  }
  ExprId sum(bool inside) {
    const ExprId x = variable(inside);
    switch (pick(11)) {
      case 0:
        return b.op(Op::Mul, number(), x);
      case 1:
        return b.op(Op::Add, x, variable(inside));
      case 2:
        return b.op(Op::Sub, x, variable(inside));
      case 3:
        return b.op(Op::Abs, {b.op(Op::Sub, x, variable(inside))});
      case 4:
        return b.op(pick(2) == 0 ? Op::Min : Op::Max, x, variable(inside));
      case 5:
        return b.op(pick(2) == 0 ? Op::Div : Op::Mod, x, number());
      case 6:
        return b.op(Op::Mul, x, variable(inside));
      case 7:
        return b.op(Op::Neg, {x});
      case 8:
        return b.op(Op::ToNatural, {b.op(Op::Sub, x, variable(inside))});
      case 9:
        return b.op(Op::Floor, {b.op(Op::Div, b.op(Op::ToReal, {x}), b.num("2"))});
    }
    return x;
  }

  Random random_;
};

bool contains(const std::vector<Stretch>& stretches, const Number& n) {
  for (const Stretch& part : stretches)
    if ((!part.low || *part.low <= n) && (!part.high || n <= *part.high)) return true;
  return false;
}

}  // namespace

TEST(Ranges, LeaveOutNothing) {
  std::size_t bounded = 0, met = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    FormulaMaker maker(seed);
    const ExprId formula = maker.formula(static_cast<int>(seed % 4));
    const Evaluator evaluator(maker.b.program);
    Pair now;
    now.original.resize(maker.b.program.vars.size());
    now.relaxed.resize(maker.b.program.vars.size());
    Scope scope{now};
    RangeReader reader(maker.b.program,
                       [&](ExprId id) { return std::optional(evaluator.number(id, scope)); });
    std::vector<std::vector<Stretch>> found[2];
    for (const bool wanted : {false, true})
      for (const VarId var : maker.vars) {
        found[wanted].push_back(reader.stretches(formula, wanted, var, maker.vars));
        if (!found[wanted].back().empty() && found[wanted].back().front().low) ++bounded;
      }
    for (int i = -kFarthest; i <= kFarthest; ++i)
      for (int j = 0; j <= kFarthest; ++j) {
        scope.bound = {{maker.vars[0], i}, {maker.vars[1], j}};
        const bool truth = evaluator.truth(formula, scope);
        ASSERT_TRUE(contains(found[truth][0], i) && contains(found[truth][1], j))
            << seed << ": " << i << " " << j << " " << truth;
        ++met;
      }
  }
  // Else nothing was tested.
  EXPECT_GT(bounded, 600u);
  EXPECT_GT(met, 100'000u);
}

// 1/2 < x < 1/2, x == 1/2, and x between two numbers.
TEST(Ranges, OfRealsAreOneNumberOrNone) {
  core::Builder b;
  const VarId x = b.var(core::VarKind::Bound, "x", core::kRealType);
  const auto half = [&] { return b.num("0.5", core::kRealType); };
  const auto between = [&](Op low, Op high) {
    return b.op(Op::And, b.op(low, half(), b.ref(x)), b.op(high, b.ref(x), half()));
  };
  const Evaluator evaluator(b.program);
  const auto stretches = [&](ExprId formula, bool wanted) {
    const Evaluator all(b.program);
    Pair now;
    Scope scope{now};
    RangeReader reader(b.program, [&](ExprId id) { return std::optional(all.number(id, scope)); });
    return reader.stretches(formula, wanted, x, {x});
  };
  EXPECT_TRUE(stretches(between(Op::Lt, Op::Lt), true).empty());
  EXPECT_TRUE(stretches(between(Op::Le, Op::Lt), true).empty());
  const std::vector<Stretch> one = stretches(between(Op::Le, Op::Le), true);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].low->text(), "1/2");
  EXPECT_EQ(one[0].high->text(), "1/2");
  const std::vector<Stretch> many = stretches(between(Op::Lt, Op::Lt), false);
  ASSERT_EQ(many.size(), 1u);
  EXPECT_FALSE(many[0].low || many[0].high);
}

// Values far from each other are tried, not those in between.
TEST(Ranges, AreSeveral) {
  core::Builder b;
  const VarId i = b.var(core::VarKind::Bound, "i");
  const auto is = [&](const char* n) { return b.op(Op::Eq, b.ref(i), b.num(n)); };
  const ExprId formula = b.op(Op::Or, is("1000000000"), b.op(Op::Or, is("3"), is("4")));
  const Evaluator evaluator(b.program);
  Pair now;
  Scope scope{now};
  RangeReader reader(b.program,
                     [&](ExprId id) { return std::optional(evaluator.number(id, scope)); });
  EXPECT_EQ(reader.stretches(formula, true, i, {i}).size(), 3u);
}

}  // namespace leto::interp
