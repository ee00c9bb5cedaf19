// Core expressions as terms: each operation means what the language says it means, for all small
// values of its operands.
#include "encode/encode.h"

#include <gtest/gtest.h>

#include "core/test_builder.h"
#include "encode/values.h"
#include "logic/test_evaluator.h"

namespace leto::encode {

namespace {

using core::Op;
using core::Side;
using core::VarId;
using logic::Term;

// Each variable has a symbol, another one in each run; old values and those of labels too.
class World final : public Environment {
 public:
  World(const core::Builder& b, Encoder& encoder) : b_(b), encoder_(encoder) {}
  Value variable(VarId var, Side side) override { return at(var, static_cast<int>(side)); }
  Value old_state(VarId var) override { return at(var, 3); }
  Environment& snapshot(core::LoopId, bool entry) override {
    auto& inner = entry ? entry_ : head_;
    if (!inner) inner = std::make_unique<World>(b_, encoder_);
    return *inner;
  }
  Value at(VarId var, int which) {
    const auto [it, is_new] = values_.try_emplace({var, which});
    if (is_new) {
      const core::Type type = b_.program.vars[var].type;
      std::vector<Term> sizes;
      for (int d = 0; d < type.rank; ++d)
        sizes.push_back(encoder_.terms().symbol("size", logic::kInt));
      it->second = encoder_.fresh(b_.program.vars[var].name, type, std::move(sizes));
    }
    return it->second;
  }

 private:
  const core::Builder& b_;
  Encoder& encoder_;
  std::map<std::pair<VarId, int>, Value> values_;
  std::unique_ptr<World> entry_, head_;
};

struct Bench {
  core::Builder b;
  logic::TermTable terms;
  Encoder encoder{b.program, terms};
  World world{b, encoder};

  Term term(core::ExprId id) { return encoder.value(id, world).term; }
  bool valid(Term formula) { return !logic::SmallModels(terms).against({}, formula); }
};

struct Case {
  Op op;
  std::function<long(long, long)> means;
};

long euclidean(long a, long b) {
  long q = a / b;
  if (a - q * b < 0) q += b > 0 ? -1 : 1;
  return q;
}

// What language.md says.
const std::vector<Case>& integer_cases() {
  static const std::vector<Case> cases = {
      {Op::Neg, [](long a, long) { return -a; }},
      {Op::Abs, [](long a, long) { return a < 0 ? -a : a; }},
      {Op::ToReal, [](long a, long) { return a; }},
      {Op::Floor, [](long a, long) { return a; }},
      {Op::ToNatural, [](long a, long) { return a < 0 ? 0 : a; }},
      {Op::Add, [](long a, long b) { return a + b; }},
      {Op::Sub, [](long a, long b) { return a - b; }},
      {Op::Mul, [](long a, long b) { return a * b; }},
      {Op::Div, [](long a, long b) { return b == 0 ? 0 : euclidean(a, b); }},
      {Op::Mod, [](long a, long b) { return b == 0 ? 0 : a - b * euclidean(a, b); }},
      {Op::Eq, [](long a, long b) { return a == b; }},
      {Op::Ne, [](long a, long b) { return a != b; }},
      {Op::Lt, [](long a, long b) { return a < b; }},
      {Op::Le, [](long a, long b) { return a <= b; }},
      {Op::Gt, [](long a, long b) { return a > b; }},
      {Op::Ge, [](long a, long b) { return a >= b; }},
      {Op::Min, [](long a, long b) { return std::min(a, b); }},
      {Op::Max, [](long a, long b) { return std::max(a, b); }},
  };
  return cases;
}
const std::vector<Case>& boolean_cases() {
  static const std::vector<Case> cases = {
      {Op::Not, [](long a, long) { return a == 0; }},
      {Op::And, [](long a, long b) { return a != 0 && b != 0; }},
      {Op::Or, [](long a, long b) { return a != 0 || b != 0; }},
      {Op::Implies, [](long a, long b) { return a == 0 || b != 0; }},
      {Op::Eq, [](long a, long b) { return a == b; }},
      {Op::Ne, [](long a, long b) { return a != b; }},
  };
  return cases;
}

void compare(const Case& c, core::Type type, long low, long high) {
  Bench t;
  const VarId x = t.b.local("x", type), y = t.b.local("y", type);
  std::vector<core::ExprId> args{t.b.ref(x)};
  if (c.op > Op::ToNatural) args.push_back(t.b.ref(y));
  const Term term = t.term(t.b.op(c.op, args));
  for (long a = low; a <= high; ++a)
    for (long b = low; b <= high; ++b) {
      logic::Assignment values{{t.world.at(x, 0).term, logic::meaning(a)},
                               {t.world.at(y, 0).term, logic::meaning(b)}};
      EXPECT_TRUE(logic::evaluate(t.terms, term, values) == logic::meaning(c.means(a, b)))
          << core::spelling(c.op) << " of " << a << " and " << b;
    }
}

}  // namespace

TEST(Encoder, OperationsMeanWhatTheLanguageSays) {
  std::set<Op> done;
  for (const Case& c : integer_cases()) {
    compare(c, core::kIntType, -7, 7);
    done.insert(c.op);
  }
  for (const Case& c : boolean_cases()) {
    compare(c, core::kBoolType, 0, 1);
    done.insert(c.op);
  }
  EXPECT_EQ(done.size(), static_cast<std::size_t>(Op::Max) + 1);  // none is left out
}

namespace {

constexpr unsigned kWidth = 4;
constexpr core::Type kWord{core::Base::Word, false, 0, kWidth};

core::Type word_of(unsigned width) {
  return {core::Base::Word, false, 0, static_cast<std::uint16_t>(width)};
}

struct WordCase {
  core::WordOp op;
  core::Type first, second, result;
  std::function<long(long, long)> means;
  std::uint16_t low = 0;
};

long sign(long a) {
  return a >= 8 ? a - 16 : a;
}

// What language.md says of words of four bits.
std::vector<WordCase> word_cases() {
  using W = core::WordOp;
  const core::Type word = kWord, truth = core::kBoolType, number = core::kIntType,
                   natural = core::kUintType;
  const auto shift = [](long b) { return std::min(b, 4L); };
  const auto trunc = [](long a, long b) { return a - b * (a / b); };
  return {
      {W::Not, word, word, word, [](long a, long) { return 15 - a; }},
      {W::Neg, word, word, word, [](long a, long) { return (16 - a) % 16; }},
      {W::And, word, word, word, [](long a, long b) { return a & b; }},
      {W::Or, word, word, word, [](long a, long b) { return a | b; }},
      {W::Xor, word, word, word, [](long a, long b) { return a ^ b; }},
      {W::ShiftLeft, word, word, word, [=](long a, long b) { return (a << shift(b)) % 16; }},
      {W::ShiftRight, word, word, word, [=](long a, long b) { return a >> shift(b); }},
      {W::ShiftSigned, word, word, word,
       [=](long a, long b) { return (sign(a) >> shift(b)) & 15; }},
      {W::Add, word, word, word, [](long a, long b) { return (a + b) % 16; }},
      {W::Sub, word, word, word, [](long a, long b) { return (a - b + 16) % 16; }},
      {W::Mul, word, word, word, [](long a, long b) { return a * b % 16; }},
      {W::Div, word, word, word, [](long a, long b) { return b == 0 ? 0 : a / b; }},
      {W::Mod, word, word, word, [](long a, long b) { return b == 0 ? 0 : a % b; }},
      {W::SignedDiv, word, word, word,
       [](long a, long b) { return b == 0 ? 0 : (sign(a) / sign(b)) & 15; }},
      {W::SignedRem, word, word, word,
       [=](long a, long b) { return b == 0 ? 0 : trunc(sign(a), sign(b)) & 15; }},
      {W::Less, word, word, truth, [](long a, long b) { return a < b; }},
      {W::AtMost, word, word, truth, [](long a, long b) { return a <= b; }},
      {W::Greater, word, word, truth, [](long a, long b) { return a > b; }},
      {W::AtLeast, word, word, truth, [](long a, long b) { return a >= b; }},
      {W::SignedLess, word, word, truth, [](long a, long b) { return sign(a) < sign(b); }},
      {W::Join, word, word, word_of(8), [](long a, long b) { return a * 16 + b; }},
      {W::Part, word, word, word_of(2), [](long a, long) { return a / 2 % 4; }, 1},
      {W::ZeroExtend, word, word, word_of(6), [](long a, long) { return a; }},
      {W::SignExtend, word, word, word_of(6), [](long a, long) { return sign(a) & 63; }},
      {W::ToNatural, word, word, natural, [](long a, long) { return a; }},
      {W::ToInt, word, word, number, [](long a, long) { return sign(a); }},
      {W::OfInt, number, word, word, [](long a, long) { return ((a % 16) + 16) % 16; }},
      {W::Bit, word, number, truth,
       [](long a, long i) { return i >= 0 && i < 4 && (a >> i) % 2 == 1; }},
      {W::WithBit, word, number, word,
       [](long a, long i) { return i >= 0 && i < 4 ? a | (1L << i) : a; }},
      {W::Ones, word, word, natural, [](long a, long) { return __builtin_popcountl(a); }},
      {W::Parity, word, word, truth, [](long a, long) { return __builtin_popcountl(a) % 2; }},
  };
}

void compare(const WordCase& c) {
  Bench t;
  const VarId x = t.b.local("x", c.first), y = t.b.local("y", c.second);
  std::vector<core::ExprId> args{t.b.ref(x)};
  if (operands_of(c.op) > 1) args.push_back(t.b.ref(y));
  if (operands_of(c.op) > 2) args.push_back(t.b.truth(true));
  const Term term = t.term(t.b.expr(c.result, core::Word{c.op, args, c.low}));
  EXPECT_EQ(t.terms.sort(term), sort_of(c.result));
  const auto from = [](const core::Type& type) { return type == core::kIntType ? -20L : 0L; };
  for (long a = from(c.first); a <= (c.first == core::kIntType ? 40 : 15); ++a)
    for (long b = from(c.second); b <= 15; ++b) {
      logic::Assignment values{{t.world.at(x, 0).term, logic::meaning(a)},
                               {t.world.at(y, 0).term, logic::meaning(b)}};
      EXPECT_TRUE(logic::evaluate(t.terms, term, values) == logic::meaning(c.means(a, b)))
          << core::spelling(c.op) << " of " << a << " and " << b;
    }
}

}  // namespace

TEST(Encoder, OperationsOnWordsMeanWhatTheLanguageSays) {
  std::set<core::WordOp> done;
  for (const WordCase& c : word_cases()) {
    compare(c);
    done.insert(c.op);
  }
  EXPECT_EQ(done.size(), static_cast<std::size_t>(core::WordOp::Parity) + 1);  // none is left out
}

// popcount(x) compared with a number that is written down is another formula.
TEST(Encoder, HowManyBitsAreSetIsComparedByClearingThem) {
  for (const Op op : {Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge})
    for (const bool turned : {false, true})
      for (int n = 0; n <= 6; ++n) {
        Bench t;
        const VarId x = t.b.local("x", kWord);
        const core::ExprId ones =
            t.b.expr(core::kUintType, core::Word{core::WordOp::Ones, {t.b.ref(x)}});
        const core::ExprId number = t.b.num(std::to_string(n));
        const Term term = t.term(turned ? t.b.op(op, number, ones) : t.b.op(op, ones, number));
        for (long a = 0; a < 16; ++a) {
          const int count = __builtin_popcountl(a);
          const int left = turned ? n : count, right = turned ? count : n;
          const bool wanted = op == Op::Eq   ? left == right
                              : op == Op::Ne ? left != right
                              : op == Op::Lt ? left < right
                              : op == Op::Le ? left <= right
                              : op == Op::Gt ? left > right
                                             : left >= right;
          logic::Assignment values{{t.world.at(x, 0).term, logic::meaning(a)}};
          EXPECT_EQ(logic::evaluate(t.terms, term, values).holds(), wanted)
              << a << " " << core::spelling(op) << " " << n;
        }
      }
}

// Without a conversion there is none in the question.
TEST(Encoder, WordsAloneStayBitVectors) {
  Bench t;
  const VarId x = t.b.local("x", kWord);
  const Term bit =
      t.term(t.b.expr(core::kBoolType, core::Word{core::WordOp::Bit, {t.b.ref(x), t.b.num("2")}}));
  logic::SmtWriter writer(t.terms);
  const std::string question = writer.question({}, bit, logic::Products::Exact, "");
  EXPECT_EQ(question.find("bv2nat"), std::string::npos);
  EXPECT_EQ(question.find("Int"), std::string::npos);
}

// Of uint(b) a solver is told how large it can be.
TEST(Encoder, TheValueOfAWordHasItsBounds) {
  Bench t;
  const VarId x = t.b.local("x", kWord);
  const Term number =
      t.term(t.b.expr(core::kUintType, core::Word{core::WordOp::ToNatural, {t.b.ref(x)}}));
  ASSERT_EQ(t.terms.told(number).size(), 2u);
}

TEST(Encoder, AQuotientOfRealsIsExactAndByZeroItIsZero) {
  Bench t;
  const VarId x = t.b.local("x", core::kRealType), y = t.b.local("y", core::kRealType);
  const Term term = t.term(t.b.op(Op::Div, t.b.ref(x), t.b.ref(y)));
  const auto at = [&](long a, long b) {
    logic::Assignment values{{t.world.at(x, 0).term, logic::meaning(a)},
                             {t.world.at(y, 0).term, logic::meaning(b)}};
    return logic::evaluate(t.terms, term, values).number;
  };
  EXPECT_TRUE(at(1, 2) == (logic::Rational{1, 2}));
  EXPECT_TRUE(at(-3, -6) == (logic::Rational{1, 2}));
  EXPECT_TRUE(at(5, 0) == (logic::Rational{0, 1}));
}

// Where one operand is real the other becomes one.
TEST(Encoder, IntegersBecomeRealsBesideReals) {
  Bench t;
  const VarId x = t.b.local("x"), r = t.b.local("r", core::kRealType);
  EXPECT_EQ(t.terms.sort(t.term(t.b.op(Op::Add, t.b.ref(x), t.b.ref(r)))), logic::kReal);
  EXPECT_EQ(t.terms.sort(t.term(t.b.op(Op::Add, t.b.ref(x), t.b.ref(x)))), logic::kInt);
  const Value coerced = t.encoder.coerce(t.world.at(x, 0), core::kRealType);
  EXPECT_EQ(t.terms.sort(coerced.term), logic::kReal);
  EXPECT_EQ(t.encoder.coerce(t.world.at(x, 0), core::kUintType).term, t.world.at(x, 0).term);
}

TEST(Encoder, EachSideOldValueAndLabelIsReadWhereItBelongs) {
  Bench t;
  const VarId x = t.b.local("x");
  EXPECT_EQ(t.term(t.b.original(x)), t.world.at(x, 1).term);
  EXPECT_EQ(t.term(t.b.relaxed(x)), t.world.at(x, 2).term);
  EXPECT_EQ(t.term(t.b.old(x)), t.world.at(x, 3).term);
  const auto then = [&](bool entry) {
    return t.term(t.b.expr(core::kIntType, core::Snapshot{core::LoopId{0}, entry, t.b.ref(x)}));
  };
  const std::set<Term> distinct{t.term(t.b.ref(x)), t.term(t.b.original(x)), t.term(t.b.old(x)),
                                then(true), then(false)};
  EXPECT_EQ(distinct.size(), 5u);
}

// Vectors ----------------------------------------------------------------------------------------

TEST(Encoder, VectorsAreEqualIfTheirSizesAndElementsAre) {
  Bench t;
  const VarId v = t.b.local("v", core::kIntVector);
  const Value a = t.world.at(v, 1), b = t.world.at(v, 2);
  const Term equal = t.encoder.equal(a, b);
  EXPECT_TRUE(t.valid(t.terms.implies(equal, t.terms.eq(a.sizes[0], b.sizes[0]))));
  EXPECT_TRUE(t.valid(t.terms.implies(equal, t.terms.eq(a.term, b.term))));
  EXPECT_EQ(t.term(t.b.equal(v)), equal);
  t.encoder.sizes_count = false;  // as the trap has it
  EXPECT_FALSE(t.valid(t.terms.implies(t.encoder.equal(a, b), t.terms.eq(a.sizes[0], b.sizes[0]))));
}

TEST(Encoder, WhatIsStoredIsSelectedAndNothingElseChanges) {
  for (const std::uint8_t rank : {1, 2}) {
    Bench t;
    const VarId v = t.b.local("v", {core::Base::Int, false, rank});
    const Value before = t.world.at(v, 0);
    const Term i = t.terms.symbol("i", logic::kInt), x = t.terms.symbol("x", logic::kInt);
    const std::vector<Term> here(rank, i), there(rank, t.terms.integer(0));
    const Value after = t.encoder.store(before, here, x);
    EXPECT_EQ(after.sizes, before.sizes);
    EXPECT_TRUE(t.valid(t.terms.eq(t.encoder.select(after, here), x)));
    const Term same = t.terms.eq(t.encoder.select(after, there), t.encoder.select(before, there));
    EXPECT_TRUE(t.valid(t.terms.or_(t.terms.eq(i, t.terms.integer(0)), same)));
    EXPECT_FALSE(t.valid(same));
  }
}

TEST(Encoder, BoundsAreFromZeroToTheSize) {
  Bench t;
  const VarId v = t.b.local("v", core::kIntVector);
  const Value vector{t.world.at(v, 0).term, {t.terms.integer(2)}};
  const auto inside = [&](long i) {
    return t.terms.is_true(t.encoder.in_bounds(vector, {t.terms.integer(i)}));
  };
  EXPECT_FALSE(inside(-1));
  EXPECT_TRUE(inside(0));
  EXPECT_TRUE(inside(1));
  EXPECT_FALSE(inside(2));
}

TEST(Encoder, WhatIsDeclaredIsZeroEverywhere) {
  Bench t;
  const Value zero = t.encoder.zero(core::kIntVector, {t.terms.integer(3)});
  const Term i = t.terms.symbol("i", logic::kInt);
  EXPECT_EQ(t.encoder.select(zero, {i}), t.terms.integer(0));
  EXPECT_TRUE(t.terms.is_false(t.encoder.zero(core::kBoolType, {}).term));
}

// Facts ------------------------------------------------------------------------------------------

TEST(EncodedFacts, AUintIsNotNegativeAndNothingIsSaidOfOthers) {
  Bench t;
  const Value x = t.encoder.fresh("x", core::kUintType, {});
  const auto facts = t.encoder.typing(x, core::kUintType);
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_EQ(facts[0], t.terms.le(t.terms.integer(0), x.term));
  for (const core::Type& type :
       {core::kIntType, core::kRealType, core::kBoolType, core::kIntVector})
    EXPECT_TRUE(t.encoder.typing(t.encoder.fresh("x", type, {}), type).empty());
}

TEST(EncodedFacts, ElementsOfUintVectorsAreNotNegative) {
  Bench t;
  const core::Type type{core::Base::Int, true, 1};
  const Value v = t.encoder.fresh("v", type, {t.terms.integer(2)});
  const auto facts = t.encoder.typing(v, type);
  ASSERT_EQ(facts.size(), 1u);
  for (const long element : {-1L, 0L, 1L}) {
    logic::Assignment values{
        {v.term,
         logic::operate(logic::Kind::Store, {{}, logic::meaning(1), logic::meaning(element)})}};
    EXPECT_EQ(logic::evaluate(t.terms, facts[0], values).holds(), element >= 0);
  }
}

TEST(EncodedFacts, OutsideOfBoundsThereIsNothing) {
  Bench t;
  const Value v = t.encoder.fresh("v", core::kIntVector, {t.terms.integer(1)});
  const auto facts = t.encoder.outside(v, core::kIntVector);
  ASSERT_EQ(facts.size(), 1u);
  for (const long at : {-1L, 0L, 1L}) {
    logic::Assignment values{
        {v.term, logic::operate(logic::Kind::Store, {{}, logic::meaning(at), logic::meaning(7)})}};
    EXPECT_EQ(logic::evaluate(t.terms, facts[0], values).holds(), at == 0) << at;
  }
  EXPECT_TRUE(t.encoder.outside(t.encoder.fresh("x", core::kIntType, {}), core::kIntType).empty());
}

// Quantifiers ------------------------------------------------------------------------------------

// forall(uint k)(k >= 0) is true, of an int it is not; and the other way round for exists.
TEST(EncodedQuantifiers, AUintRangesOverWhatIsNotNegative) {
  for (const bool natural : {true, false}) {
    Bench t;
    const VarId k = t.b.var(core::VarKind::Bound, "k", natural ? core::kUintType : core::kIntType);
    const core::ExprId low = t.b.op(Op::Lt, t.b.ref(k), t.b.num("0"));
    const core::ExprId high = t.b.op(Op::Ge, t.b.ref(k), t.b.num("0"));
    EXPECT_EQ(t.valid(t.term(t.b.forall(k, high))), natural);
    const core::ExprId some = t.b.expr(core::kBoolType, core::Quant{false, {k}, low});
    EXPECT_EQ(t.valid(t.term(some)), !natural);
  }
}

// In a search they are tried one by one.
TEST(EncodedQuantifiers, AreWrittenOutUpToABound) {
  Bench t;
  t.encoder.expand = 2;
  const VarId x = t.b.local("x"), k = t.b.var(core::VarKind::Bound, "k", core::kUintType);
  const Term all = t.term(t.b.forall(k, t.b.op(Op::Ne, t.b.ref(k), t.b.ref(x))));
  EXPECT_TRUE(t.terms[all].free.empty());
  for (long value = -2; value < 5; ++value) {
    logic::Assignment values{{t.world.at(x, 0).term, logic::meaning(value)}};
    EXPECT_EQ(logic::evaluate(t.terms, all, values).holds(), value < 0 || value > 2) << value;
  }
  const VarId r = t.b.var(core::VarKind::Bound, "r", core::kRealType);
  const Term reals = t.term(t.b.forall(r, t.b.op(Op::Eq, t.b.ref(r), t.b.ref(r))));
  EXPECT_TRUE(t.terms.is_true(reals));
}

// Values of variables -------------------------------------------------------------------------

// Copies share what is the same in both; who writes does not write into the other.
TEST(ValuesOfVariables, ACopyKeepsWhatItWasMadeOf) {
  logic::TermTable terms;
  const auto value = [&](const char* name) { return Value{terms.symbol(name, logic::kInt), {}}; };
  const Value a = value("a"), b = value("b");
  Values one;
  for (std::uint32_t var = 0; var < 40; ++var) one[VarId{var}] = a;
  const Values before = one;
  one[VarId{3}] = b;
  one.erase(VarId{20});
  one.emplace(VarId{4}, b);  // has one
  one.emplace(VarId{100}, b);
  EXPECT_EQ(before.at(VarId{3}).term, a.term);
  EXPECT_TRUE(before.contains(VarId{20}));
  EXPECT_EQ(before.find(VarId{100}), nullptr);
  EXPECT_EQ(one.at(VarId{3}).term, b.term);
  EXPECT_EQ(one.at(VarId{4}).term, a.term);
  EXPECT_FALSE(one.contains(VarId{20}));
  EXPECT_EQ(one.at(VarId{100}).term, b.term);
}

TEST(ValuesOfVariables, ComeInTheOrderOfTheirNumbers) {
  logic::TermTable terms;
  const Value a{terms.symbol("a", logic::kInt), {}};
  Values all;
  for (const std::uint32_t var : {33u, 2u, 17u, 15u, 16u}) all[VarId{var}] = a;
  all.erase(VarId{2});
  std::vector<std::uint32_t> seen;
  for (const auto& [var, value] : all) {
    seen.push_back(var.value);
    EXPECT_EQ(value.term, a.term);
  }
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{15, 16, 17, 33}));
}

}  // namespace leto::encode
