// Values as solvers write them, and questions as we do: what is written is read back by a reader of
// its own and means the same.
#include "logic/smtlib.h"

#include <gtest/gtest.h>

#include <random>

#include "logic/ring.h"
#include "logic/test_reader.h"

namespace leto::logic {

namespace {

// A question with every kind of term in it, over few symbols.
struct Question {
  TermTable t;
  Term x = t.symbol("x", kInt), y = t.symbol("y", kInt), p = t.symbol("p", kBool),
       r = t.symbol("r", kReal), a = t.symbol("a", {SortBase::Int, 1});
  std::vector<Term> facts;
  Term goal;

  Question() {
    const Term k = t.bound("k", kInt), j = t.bound("j", kInt);
    const Term sum = t.arith(Kind::Add, x, y), half = t.number("0.5", kReal);
    facts.push_back(t.or_(p, t.lt(sum, t.integer(2))));
    facts.push_back(t.implies(p, t.le(t.arith(Kind::Mul, sum, t.integer(3)), t.integer(4))));
    facts.push_back(
        t.quant(true, {k}, t.implies(t.le(t.integer(0), k), t.le(t.integer(0), t.select(a, k)))));
    facts.push_back(t.quant(false, {j}, t.lt(t.select(a, j), sum)));
    facts.push_back(t.lt(t.arith(Kind::RealDiv, r, half), t.to_real(sum)));
    facts.push_back(t.not_(t.eq(a, t.zero({SortBase::Int, 1}))));
    const Term stored = t.store(a, x, t.neg(y));
    const Term odd = t.arith(Kind::IntMod, t.select(stored, y), t.integer(2));
    const Term piece = t.ite(p, t.arith(Kind::IntDiv, x, t.integer(2)), t.arith(Kind::Sub, x, y));
    goal = t.and_(t.le(odd, piece), t.le(t.number("1.5", kReal), r));
  }
  [[nodiscard]] bool plainly(Assignment& values) const {
    for (Term fact : facts)
      if (!evaluate(t, fact, values).holds()) return false;
    return !evaluate(t, goal, values).holds();
  }
};

Assignment some_values(const Question& q, unsigned number) {
  const auto next = [&](unsigned n) {
    return static_cast<long>(std::exchange(number, number / n) % n);
  };
  Assignment values;
  for (Term symbol : {q.x, q.y, q.r}) values[symbol] = meaning(next(4) - 1);
  values[q.p] = meaning(next(2));
  for (long i = 0; i < 2; ++i)
    values[q.a] = operate(Kind::Store, {values[q.a], meaning(i), meaning(next(3) - 1)});
  return values;
}

}  // namespace

// For all small values: what was written is satisfied exactly if the facts hold and the goal does
// not. Another salt gives other names, and the same.
TEST(Questions, WhatIsWrittenMeansWhatIsAsked) {
  int satisfied = 0;
  for (const std::uint32_t salt : {0u, 12345u}) {
    Question q;
    SmtWriter writer(q.t, salt);
    const std::string text = writer.question(q.facts, q.goal);
    for (unsigned number = 0; number < 4 * 4 * 4 * 2 * 9; ++number) {
      Assignment values = some_values(q, number);
      Reader reader;
      for (Term symbol : {q.x, q.y, q.p, q.r, q.a})
        reader.values[writer.term(symbol)] = values[symbol];
      const bool wanted = q.plainly(values);
      ASSERT_EQ(reader.satisfied(text), wanted) << number << "\n" << text;
      satisfied += wanted ? 1 : 0;
    }
  }
  EXPECT_GT(satisfied, 0);
}

TEST(Questions, SymbolsAreDeclaredWithTheirSorts) {
  Question q;
  SmtWriter writer(q.t);
  Reader reader;
  const std::string text = writer.question({}, q.t.and_(q.p, q.t.lt(q.x, q.y)));
  reader.values = {{writer.term(q.p), meaning(0)},
                   {writer.term(q.x), meaning(0)},
                   {writer.term(q.y), meaning(0)}};
  EXPECT_TRUE(reader.satisfied(text));
  EXPECT_EQ(reader.sorts,
            (std::map<std::string, std::string>{{"v0", "Bool"}, {"v1", "Int"}, {"v2", "Int"}}));
}

// The text depends on nothing but the question.
TEST(Questions, EqualQuestionsHaveEqualTexts) {
  Question q, other;
  (void)other.t.symbol("something else", kReal);
  SmtWriter first(q.t), second(other.t);
  EXPECT_EQ(first.question(q.facts, q.goal), second.question(other.facts, other.goal));
  EXPECT_EQ(first.question(q.facts, q.goal), second.question(other.facts, other.goal));
  SmtWriter salted(q.t, 7);
  EXPECT_NE(salted.question(q.facts, q.goal), first.question(q.facts, q.goal));
}

// With a symbol for the claim, what is asserted says nothing until the symbol does.
TEST(Questions, AClaimCanBeLeftOpen) {
  Question q;
  SmtWriter writer(q.t);
  Reader reader;
  const std::string text = writer.question({}, q.p, Products::Exact, "claimed");
  reader.values[writer.term(q.p)] = meaning(1);
  for (const long claimed : {0L, 1L}) {
    reader.values["claimed"] = meaning(claimed);
    EXPECT_EQ(reader.satisfied(text), claimed == 0);
  }
}

TEST(Questions, ProductsOfUnknownsAreNoticedAndCanBeOpaque) {
  Question q;
  SmtWriter writer(q.t);
  const auto positive = [&](Kind kind, Term a, Term b) {
    return q.t.lt(q.t.zero(q.t.sort(a)), q.t.arith(kind, a, b));
  };
  (void)writer.question({}, positive(Kind::Mul, q.x, q.t.integer(3)));
  EXPECT_TRUE(writer.linear());
  const std::pair<Kind, const char*> kinds[] = {{Kind::Mul, "(product v0 v1)"},
                                                {Kind::IntDiv, "(quotient v0 v1)"},
                                                {Kind::IntMod, "(remainder v0 v1)"}};
  for (const auto& [kind, opaque] : kinds) {
    const std::string text = writer.question({}, positive(kind, q.x, q.y), Products::Opaque);
    EXPECT_FALSE(writer.linear());
    EXPECT_NE(text.find(opaque), std::string::npos) << text;
  }
  const std::string text =
      writer.question({}, positive(Kind::RealDiv, q.r, q.t.to_real(q.x)), Products::Opaque);
  EXPECT_NE(text.find("(real-quotient v0 (to_real v1))"), std::string::npos) << text;
}

namespace {

// Sums, products and what stands for itself in them, at random.
class Arithmetic {
 public:
  Arithmetic(Question& q, Term bound, unsigned seed) : q_(q), bound_(bound), random_(seed) {}
  Term make(Sort sort, int depth) {
    if (depth == 0 || roll(5) == 0) return sort == kInt ? whole() : real();
    const Kind kinds[] = {Kind::Add, Kind::Sub, Kind::Mul, Kind::Mul};
    if (roll(7) == 0) return q_.t.neg(make(sort, depth - 1));
    const Term a = make(sort, depth - 1);
    return q_.t.arith(kinds[roll(4)], a, make(sort, depth - 1));
  }

 private:
  unsigned roll(unsigned n) { return static_cast<unsigned>(random_() % n); }
  Term whole() {
    const Term all[] = {q_.t.integer(static_cast<std::int64_t>(roll(5)) - 2),
                        q_.t.select(q_.a, q_.x),
                        q_.t.arith(Kind::IntDiv, q_.x, q_.t.integer(2)),
                        bound_,
                        q_.x,
                        q_.y};
    return all[roll(6)];
  }
  Term real() {
    const Term all[] = {q_.t.number("0.5", kReal), q_.t.number("3", kReal),
                        q_.t.to_real(make(kInt, 1)), q_.r, q_.r};
    return all[roll(5)];
  }
  Question& q_;
  Term bound_;
  std::mt19937 random_;
};

}  // namespace

// In normal form too.
TEST(Questions, OpaqueProductsMeanWhatIsAsked) {
  int satisfied = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    Question q;
    const Term k = q.t.bound("k", kInt);
    Arithmetic some(q, k, seed);
    q.facts = {q.t.quant(true, {k}, q.t.le(some.make(kInt, 3), some.make(kInt, 2)))};
    q.goal = q.t.quant(false, {k}, q.t.lt(some.make(kReal, 4), some.make(kReal, 3)));
    SmtWriter writer(q.t);
    const std::string text = writer.question(q.facts, q.goal, Products::Opaque);
    for (unsigned number = 0; number < 4 * 4 * 4 * 2 * 9; number += 5) {
      Assignment values = some_values(q, number);
      Reader reader;
      for (Term symbol : {q.x, q.y, q.r, q.a})
        if (const std::string name = writer.term(symbol); !name.empty())
          reader.values[name] = values[symbol];
      const bool wanted = q.plainly(values);
      ASSERT_EQ(reader.satisfied(text), wanted) << number << "\n" << text;
      satisfied += wanted ? 1 : 0;
    }
  }
  EXPECT_GT(satisfied, 0);
}

// What is the same by the rules of rings has the same text.
TEST(Questions, EqualPolynomialsHaveEqualTexts) {
  Question q;
  TermTable& t = q.t;
  const auto add = [&](Term a, Term b) { return t.arith(Kind::Add, a, b); };
  const auto sub = [&](Term a, Term b) { return t.arith(Kind::Sub, a, b); };
  const auto mul = [&](Term a, Term b) { return t.arith(Kind::Mul, a, b); };
  const Term z = t.select(q.a, q.x), two = t.integer(2);
  const std::pair<Term, Term> equal[] = {
      {mul(q.x, q.y), mul(q.y, q.x)},
      {mul(q.x, add(q.y, z)), add(mul(z, q.x), mul(q.x, q.y))},
      {mul(mul(q.x, q.y), z), mul(q.x, mul(z, q.y))},
      {mul(sub(q.x, q.y), add(q.x, q.y)), sub(mul(q.x, q.x), mul(q.y, q.y))},
      {mul(add(q.x, q.y), add(q.x, q.y)),
       add(add(mul(q.x, q.x), mul(two, mul(q.y, q.x))), mul(q.y, q.y))},
      {sub(mul(q.x, q.y), mul(q.y, q.x)), sub(mul(z, z), mul(z, z))},
  };
  for (const auto& [a, b] : equal) {
    const auto written = [&](Term one) {
      SmtWriter writer(t);
      // So that all symbols come in the same order.
      (void)writer.question({t.lt(q.x, q.y), t.lt(z, q.y)}, t.eq(one, q.x), Products::Opaque);
      return writer.term(one);
    };
    EXPECT_EQ(written(a), written(b));
  }
}

// What is added for products holds whatever the symbols are, and is there where it is needed.
TEST(Questions, StepsOfRingsAlwaysHold) {
  std::size_t steps = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    Question q;
    const Term k = q.t.bound("k", kInt), j = q.t.bound("j", kInt);
    Arithmetic some(q, k, seed), ground(q, q.x, seed + 1000);
    const std::vector<Term> facts = {
        q.t.quant(true, {k}, q.t.eq(q.t.select(q.a, k), some.make(kInt, 2))),
        q.t.quant(false, {j}, q.t.eq(q.t.select(q.a, j), ground.make(kInt, 2))),
        q.t.eq(q.y, q.t.ite(q.p, ground.make(kInt, 2), ground.make(kInt, 3))),
        q.t.eq(q.r, ground.make(kReal, 2))};
    for (Term step : Ring(q.t).find_steps(facts, q.t.lt(ground.make(kInt, 4), q.x))) {
      ++steps;
      for (unsigned number = 0; number < 4 * 4 * 4 * 2 * 9; number += 7) {
        Assignment values = some_values(q, number);
        ASSERT_TRUE(evaluate(q.t, step, values).holds());
      }
    }
  }
  EXPECT_GT(steps, 100u);
}

TEST(Questions, AFactorIsReplacedByWhatItIs) {
  Question q;
  TermTable& t = q.t;
  const Term k = t.bound("k", kInt), sum = t.arith(Kind::Add, q.x, k);
  const Term every = t.quant(true, {k}, t.eq(t.select(q.a, k), sum));
  const Term factor = t.select(q.a, t.integer(3)), product = t.arith(Kind::Mul, q.y, factor);
  const Term is = t.arith(Kind::Add, q.x, t.integer(3));
  const Term step = t.implies(t.eq(factor, is), t.eq(product, t.arith(Kind::Mul, q.y, is)));
  EXPECT_EQ(Ring(t).find_steps({every}, t.lt(product, q.x)), std::vector{step});
  EXPECT_TRUE(Ring(t).find_steps({every}, t.lt(factor, q.x)).empty());
}

// A normal form that would be large is none: the text grows with the number of terms.
TEST(Questions, LongSumsOfProductsStayShort) {
  for (const Kind kind : {Kind::Add, Kind::Mul}) {
    std::size_t sizes[2] = {};
    for (int times = 1; times <= 2; ++times) {
      Question q;
      Term sum = q.x;
      for (int i = 0; i < times * 500; ++i) {
        const Term more = q.t.arith(Kind::Mul, q.t.select(q.a, q.t.integer(i)), q.y);
        sum = q.t.arith(kind, q.t.arith(Kind::Add, sum, more), i % 3 == 0 ? sum : more);
      }
      SmtWriter writer(q.t);
      sizes[times - 1] = writer.question({}, q.t.lt(sum, q.y), Products::Opaque).size();
    }
    EXPECT_LT(sizes[1], 3 * sizes[0]);
  }
}

// What is used often is written once, so the text grows with the number of terms.
TEST(Questions, SharedTermsAreWrittenOnce) {
  TermTable table;
  Term sum = table.symbol("x", kInt);
  for (int i = 0; i < 200; ++i) sum = table.arith(Kind::Mul, sum, sum);
  SmtWriter writer(table);
  EXPECT_LT(writer.question({}, table.lt(sum, table.integer(0))).size(), 20'000u);
}

TEST(Questions, ATermOutsideTheQuestionHasNoText) {
  Question q;
  SmtWriter writer(q.t);
  (void)writer.question({}, q.p);
  EXPECT_EQ(writer.term(q.x), "");
  EXPECT_EQ(writer.term(q.t.not_(q.p)), "(not v0)");
}

TEST(Readable, NumbersAsPeopleWriteThem) {
  EXPECT_EQ(readable("7.0"), "7");
  EXPECT_EQ(readable("(- 3)"), "-3");
  EXPECT_EQ(readable("(/ 1.0 2.0)"), "1/2");
  EXPECT_EQ(readable("(- (/ 1.0 2.0))"), "-1/2");
  EXPECT_EQ(readable("(/ (- 1.0) 2.0)"), "-1/2");
  EXPECT_EQ(readable("(root-obj x 1)"), "(root-obj x 1)");
}

// However deep: a solver that has lost its way must not take us with it.
TEST(Readable, WhatIsNestedDeeplyIsLeftAsItIs) {
  std::string value;
  for (int i = 0; i < 200'000; ++i) value += "(- ";
  EXPECT_EQ(readable(value + "1" + std::string(200'000, ')')).substr(0, 8), "-----(- ");
}

// What is told of a call is asserted where the call occurs, and what that brings along too.
TEST(Questions, HaveWhatIsToldOfFunctions) {
  TermTable t;
  const Term x = t.symbol("x", kInt);
  const Term inner = t.call("g", kInt, {x}), outer = t.call("f", kInt, {x});
  t.tell(outer, {t.eq(outer, inner)});
  t.tell(inner, {t.eq(inner, t.integer(7))});
  SmtWriter writer(t);
  const std::string text = writer.question({}, t.le(outer, x));
  EXPECT_NE(text.find("(declare-fun f0 (Int) Int)"), std::string::npos) << text;
  EXPECT_NE(text.find("7"), std::string::npos) << text;
  EXPECT_FALSE(writer.has_twins());
  EXPECT_EQ(writer.question({}, t.le(x, t.integer(0))).find("f0"), std::string::npos);
  EXPECT_TRUE(writer.term(outer).empty()) << "it is not in the question";
}

// A function under its own name calls for what is said of all arguments; a twin only where there is
// nothing else.
TEST(Questions, QuantifiersAreMatchedByFunctions) {
  TermTable t;
  const Term k = t.bound("k", kInt), x = t.symbol("x", kInt);
  const Term own = t.call("f", kInt, {k}), twin = t.call(TermTable::twin("f"), kInt, {k});
  SmtWriter writer(t);
  const auto patterns = [&](Term fact) {
    const std::string text = writer.question({fact}, t.le(x, x));
    std::size_t count = 0;
    for (std::size_t at = text.find(":pattern"); at != std::string::npos;
         at = text.find(":pattern", at + 1))
      ++count;
    return count;
  };
  EXPECT_EQ(patterns(t.quant(true, {k}, t.eq(own, twin))), 1u);
  EXPECT_TRUE(writer.has_twins());
  EXPECT_EQ(patterns(t.quant(true, {k}, t.le(k, twin))), 1u);
  EXPECT_EQ(patterns(t.quant(true, {k}, t.le(k, x))), 0u);
  // An element beside a twin, unless its neighbour is named too.
  const Term v = t.symbol("v", {SortBase::Int, 1}), here = t.select(v, k);
  EXPECT_EQ(patterns(t.quant(true, {k}, t.eq(here, twin))), 2u);
  EXPECT_EQ(patterns(t.quant(true, {k}, t.eq(here, own))), 1u);
  const Term next = t.select(v, t.arith(Kind::Add, k, t.integer(1)));
  EXPECT_EQ(patterns(t.quant(true, {k}, t.or_(t.eq(here, twin), t.le(here, next)))), 1u);
}

}  // namespace leto::logic
