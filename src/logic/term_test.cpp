// Making a term simplifies it: whatever is made means what was asked for. Random trees are
// evaluated as they stand, and as the terms that the table makes of them.
#include <gtest/gtest.h>

#include <random>

#include "logic/test_evaluator.h"

namespace leto::logic {

namespace {

// What was asked for, untouched.
struct Tree {
  Kind kind;
  Sort sort;
  std::string text = {};  // of a number
  std::size_t which = 0;  // of a symbol or a bound variable
  std::vector<Tree> args = {};
  std::vector<Sort> bound = {};  // of a quantifier; the body is its argument
};

constexpr Sort kInts{SortBase::Int, 1};
constexpr Sort kSorts[] = {kBool, kInt, kReal, kInts};
constexpr std::size_t kSymbols = 3;  // of each sort

class Maker {
 public:
  explicit Maker(std::uint32_t seed) : random_(seed) {}

  Tree tree(Sort sort, int depth) {
    if (depth == 0 || below(6) == 0) return leaf(sort);
    const auto of = [&](Kind kind, std::vector<Sort> sorts) {
      Tree out{kind, sort};
      for (Sort s : sorts) out.args.push_back(tree(s, depth - 1));
      return out;
    };
    if (below(6) == 0) {
      Tree out = of(Kind::Ite, {kBool, sort, sort});
      if (below(3) == 0) out.args[2] = out.args[1];
      return out;
    }
    if (sort == kInts) return of(Kind::Store, {kInts, kInt, kInt});
    if (sort == kBool) return formula(depth, of);
    if (sort == kReal && below(5) == 0) return of(Kind::ToReal, {kInt});
    if (sort == kInt && below(9) == 0) return of(Kind::ToInt, {kReal});
    if (sort == kInt && below(5) == 0) return of(Kind::Select, {kInts, kInt});
    constexpr Kind kInteger[] = {Kind::Add, Kind::Sub, Kind::Mul, Kind::IntDiv, Kind::IntMod};
    constexpr Kind kFraction[] = {Kind::Add, Kind::Sub, Kind::Mul, Kind::RealDiv};
    if (below(6) == 0) return of(Kind::Neg, {sort});
    return of(sort == kInt ? kInteger[below(5)] : kFraction[below(4)], {sort, sort});
  }

  std::size_t below(std::size_t n) { return random_() % n; }

 private:
  template <class Of>
  Tree formula(int depth, Of of) {
    const Sort compared = kSorts[below(4)];
    const Sort ordered = below(2) == 0 ? kInt : kReal;
    switch (below(9)) {
      case 0:
        return of(Kind::Not, {kBool});
      case 1:
        return of(Kind::And, std::vector<Sort>(1 + below(3), kBool));
      case 2:
        return of(Kind::Or, std::vector<Sort>(1 + below(3), kBool));
      case 3:
        return of(Kind::Implies, {kBool, kBool});
      case 4:
        return of(Kind::Eq, {compared, compared});
      case 5:
        return of(Kind::Lt, {ordered, ordered});
      case 6:
        return of(Kind::Le, {ordered, ordered});
    }
    if (scope_.size() > 2) return leaf(kBool);
    Tree out{below(3) == 0 ? Kind::Exists : Kind::Forall, kBool};
    for (std::size_t n = 1 + below(2); n > 0; --n) out.bound.push_back(kSorts[below(2)]);
    scope_.insert(scope_.end(), out.bound.begin(), out.bound.end());
    out.args.push_back(tree(kBool, depth - 1));
    scope_.resize(scope_.size() - out.bound.size());
    return out;
  }
  Tree leaf(Sort sort) {
    if (!scope_.empty() && below(2) == 0)
      if (const std::size_t i = below(scope_.size()); scope_[i] == sort)
        return {Kind::Bound, sort, {}, i};
    if (sort == kInts && below(3) == 0) return {Kind::Zero, sort};
    if (sort == kBool && below(3) == 0) return {below(2) == 0 ? Kind::True : Kind::False, sort};
    if (sort == kBool || sort == kInts || below(3) == 0)
      return {Kind::Symbol, sort, {}, below(kSymbols)};
    static const char* const kIntegers[] = {"0", "1", "2", "007", "3", "999999999", "1000000000"};
    static const char* const kReals[] = {"0", "1", "0.5", "5e-1", "0.50", "2", "1e2"};
    return {Kind::Number, sort, sort == kInt ? kIntegers[below(7)] : kReals[below(7)]};
  }

  std::mt19937 random_;
  std::vector<Sort> scope_;
};

// The same symbols for the tree and for the terms.
struct Symbols {
  explicit Symbols(TermTable& table) {
    for (Sort sort : kSorts)
      for (std::size_t i = 0; i < kSymbols; ++i) terms.push_back(table.symbol("x", sort));
  }
  [[nodiscard]] Term at(Sort sort, std::size_t which) const {
    std::size_t first = 0;
    while (!(kSorts[first] == sort)) ++first;
    return terms[first * kSymbols + which];
  }
  std::vector<Term> terms;
};

Assignment random_values(const TermTable& table, const Symbols& symbols, Maker& maker) {
  Assignment values;
  const auto small = [&] { return meaning(static_cast<long>(maker.below(5)) - 2); };
  for (Term symbol : symbols.terms) {
    if (table.sort(symbol) == kBool) {
      values[symbol] = meaning(static_cast<long>(maker.below(2)));
    } else if (table.sort(symbol) == kInts) {
      for (long i = -1; i < 3; ++i)
        values[symbol] = operate(Kind::Store, {values[symbol], meaning(i), small()});
    } else {
      values[symbol] = small();
    }
  }
  return values;
}

Term build(TermTable& table, const Symbols& symbols, const Tree& t, std::vector<Term>& scope) {
  if (t.kind == Kind::Symbol) return symbols.at(t.sort, t.which);
  if (t.kind == Kind::Bound) return scope[t.which];
  if (t.kind == Kind::Number) return table.number(t.text, t.sort);
  if (t.kind == Kind::Zero) return table.zero(t.sort);
  std::vector<Term> fresh;
  for (Sort sort : t.bound) fresh.push_back(table.bound("k", sort));
  scope.insert(scope.end(), fresh.begin(), fresh.end());
  std::vector<Term> args;
  for (const Tree& arg : t.args) args.push_back(build(table, symbols, arg, scope));
  scope.resize(scope.size() - fresh.size());
  switch (t.kind) {
    case Kind::True:
    case Kind::False:
      return table.boolean(t.kind == Kind::True);
    case Kind::Not:
      return table.not_(args[0]);
    case Kind::And:
      return table.and_(args);
    case Kind::Or:
      return table.or_(args);
    case Kind::Implies:
      return table.implies(args[0], args[1]);
    case Kind::Ite:
      return table.ite(args[0], args[1], args[2]);
    case Kind::Eq:
      return table.eq(args[0], args[1]);
    case Kind::Lt:
      return table.lt(args[0], args[1]);
    case Kind::Le:
      return table.le(args[0], args[1]);
    case Kind::Neg:
      return table.neg(args[0]);
    case Kind::ToReal:
      return table.to_real(args[0]);
    case Kind::ToInt:
      return table.to_int(args[0]);
    case Kind::Select:
      return table.select(args[0], args[1]);
    case Kind::Store:
      return table.store(args[0], args[1], args[2]);
    case Kind::Forall:
    case Kind::Exists:
      return table.quant(t.kind == Kind::Forall, fresh, args[0]);
    case Kind::Add:
    case Kind::Sub:
    case Kind::Mul:
    case Kind::RealDiv:
    case Kind::IntDiv:
    case Kind::IntMod:
      return table.arith(t.kind, args[0], args[1]);
    case Kind::Number:
    case Kind::Symbol:
    case Kind::Bound:
    case Kind::Zero:
    case Kind::Call:
    case Kind::Bits:  // words have tests of their own
      break;
  }
  throw std::logic_error("done above");
}

Meaning plainly(const Symbols& symbols, const Tree& t, const Assignment& values,
                std::vector<Meaning>& scope) {
  if (t.kind == Kind::Symbol) return values.at(symbols.at(t.sort, t.which));
  if (t.kind == Kind::Bound) return scope[t.which];
  if (t.kind == Kind::Number) return decimal(t.text);
  if (!t.bound.empty()) {
    const bool universal = t.kind == Kind::Forall;
    const std::function<bool(std::size_t)> from = [&](std::size_t next) {
      if (next == t.bound.size()) return plainly(symbols, t.args[0], values, scope).holds();
      bool all = true, any = false;
      for (const Meaning& value : domain(t.bound[next])) {
        scope.push_back(value);
        const bool holds = from(next + 1);
        scope.pop_back();
        all = all && holds;
        any = any || holds;
      }
      return universal ? all : any;
    };
    return meaning(from(0) ? 1 : 0);
  }
  std::vector<Meaning> args;
  for (const Tree& arg : t.args) args.push_back(plainly(symbols, arg, values, scope));
  return operate(t.kind, args);
}

}  // namespace

TEST(Terms, WhatIsMadeMeansWhatWasAskedFor) {
  int compared = 0;
  for (std::uint32_t seed = 0; seed < 4000; ++seed) {
    Maker maker(seed);
    TermTable table;
    const Symbols symbols(table);
    const Tree tree = maker.tree(kSorts[seed % 4], 4);
    std::vector<Term> scope;
    const Term term = build(table, symbols, tree, scope);
    for (int round = 0; round < 3; ++round) {
      Assignment values = random_values(table, symbols, maker);
      std::vector<Meaning> none;
      try {
        const Meaning wanted = plainly(symbols, tree, values, none);
        ASSERT_TRUE(evaluate(table, term, values) == wanted) << "seed " << seed;
        ++compared;
      } catch (const std::overflow_error&) {
      }
    }
  }
  EXPECT_GT(compared, 11'000);
}

// Asking for the same again gives the same term, in the same table and, as text, in another.
TEST(Terms, EqualTreesAreOneTerm) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    TermTable table;
    const Symbols symbols(table);
    Maker maker(seed);
    Tree tree = maker.tree(kBool, 3);
    while (!tree.bound.empty()) tree = tree.args[0];
    std::vector<Term> scope(4, table.bound("k", kInt));
    scope[1] = scope[3] = table.bound("k", kBool);
    if (tree.kind == Kind::Bound) continue;
    const auto has_quantifier = [](const auto& self, const Tree& t) -> bool {
      return !t.bound.empty() || t.kind == Kind::Bound ||
             std::any_of(t.args.begin(), t.args.end(),
                         [&](const Tree& arg) { return self(self, arg); });
    };
    if (has_quantifier(has_quantifier, tree)) continue;
    const Term first = build(table, symbols, tree, scope);
    const std::uint32_t size = table.size();
    EXPECT_EQ(build(table, symbols, tree, scope), first) << "seed " << seed;
    EXPECT_EQ(table.size(), size);
  }
}

TEST(Terms, EqualNumbersAreOneTerm) {
  TermTable table;
  EXPECT_EQ(table.number("007", kInt), table.number("7", kInt));
  EXPECT_EQ(table.number("0.50", kReal), table.number("5e-1", kReal));
  EXPECT_EQ(table.number("100", kReal), table.number("1e2", kReal));
  EXPECT_EQ(table.number("0.000", kReal), table.number("0", kReal));
  EXPECT_NE(table.number("1", kInt), table.number("1", kReal));
  TermTable trapped(Trap::NumbersAsTexts);
  EXPECT_TRUE(trapped.number("01", kInt) != trapped.number("1", kInt));
}

TEST(Terms, SymbolsOfOneNameAreTwo) {
  TermTable table;
  EXPECT_NE(table.symbol("x", kInt), table.symbol("x", kInt));
}

// What is stored is found again without a solver; what is not known to be elsewhere is not skipped.
TEST(Terms, AnElementIsFoundBehindStoresToOtherPlaces) {
  TermTable table;
  const Term a = table.symbol("a", kInts), i = table.symbol("i", kInt);
  const auto number = [&](int n) { return table.integer(n); };
  const Term stored = table.store(table.store(a, number(0), number(5)), number(1), number(6));
  EXPECT_EQ(table.select(stored, number(0)), number(5));
  EXPECT_EQ(table.select(stored, number(1)), number(6));
  EXPECT_EQ(table.select(stored, number(2)), table.select(a, number(2)));
  EXPECT_EQ(table[table.select(stored, i)].kind, Kind::Select);
  EXPECT_EQ(table.select(table.store(stored, i, number(7)), i), number(7));
  EXPECT_NE(table.select(table.store(stored, i, number(7)), number(1)), number(6));
  EXPECT_EQ(table.select(table.zero(kInts), i), number(0));
}

// One quantifier for each thing that is said, and none for what nobody mentions.
TEST(Terms, QuantifiersAreTakenApart) {
  TermTable table;
  const Term a = table.symbol("a", kInts), k = table.bound("k", kInt), j = table.bound("j", kInt);
  const Term positive = table.lt(table.integer(0), table.select(a, k));
  const Term small = table.lt(table.select(a, k), table.integer(9));
  const Term both = table.quant(true, {k, j}, table.and_(positive, small));
  EXPECT_EQ(both, table.and_(table.quant(true, {k}, positive), table.quant(true, {k}, small)));
  EXPECT_EQ(table[both].kind, Kind::And);
  EXPECT_TRUE(table[both].free.empty());
  const Term p = table.symbol("p", kBool);
  EXPECT_EQ(table.quant(false, {k}, p), p);
  const Term nested =
      table.quant(true, {k}, table.implies(positive, table.quant(true, {j}, small)));
  EXPECT_EQ(table[nested].kind, Kind::Forall);
}

TEST(Terms, LargeNumbersAreLeftToTheSolver) {
  TermTable table;
  const Term large = table.number("1000000000", kInt);
  EXPECT_FALSE(table.integer(large));
  EXPECT_EQ(table[table.arith(Kind::Add, large, large)].kind, Kind::Add);
  EXPECT_EQ(table.integer(table.integer(-5)), -5);
  EXPECT_EQ(table.neg(table.integer(-5)), table.integer(5));
}

// Of bound variables they become twins; of others they stay what they are.
TEST(Calls, UnfoldingIsStoppedUnderQuantifiersOnly) {
  TermTable t;
  const Term x = t.symbol("x", kInt), k = t.bound("k", kInt);
  const auto f = [&](Term arg) { return t.call("f", kInt, {arg}); };
  const Term all = t.quant(true, {k}, t.le(f(x), f(k)));
  EXPECT_EQ(t.unfolding_stopped(all), all) << "it has no twin";
  t.has_twin("f");
  EXPECT_EQ(t.unfolding_stopped(f(x)), f(x));
  EXPECT_EQ(t.unfolding_stopped(all),
            t.quant(true, {k}, t.le(f(x), t.call(TermTable::twin("f"), kInt, {k}))));
}

TEST(Calls, WhatIsToldGoesWithThem) {
  TermTable t;
  const Term x = t.symbol("x", kInt), k = t.bound("k", kInt);
  const Term of_x = t.call("f", kInt, {x}), of_k = t.call("f", kInt, {k});
  const Term one = t.le(x, of_x), all = t.quant(true, {k}, t.le(k, of_k));
  t.tell(of_x, {one});
  t.tell("f", {all});
  EXPECT_EQ(t.told(of_x), std::vector{one});
  EXPECT_EQ(t.told(of_k), std::vector{all});
  EXPECT_TRUE(t.told(t.call("g", kInt, {x})).empty());
}

}  // namespace leto::logic
