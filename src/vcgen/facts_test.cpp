// What is known at a moment, and what of it can matter, compared with looking at everything.
#include "vcgen/facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>

#include "vcgen/relevance.h"

namespace leto::vcgen {

namespace {

// A log that branches at random, with facts over a few symbols.
struct RandomLog {
  explicit RandomLog(unsigned seed) : random(seed) {
    for (int i = 0; i < 12; ++i) symbols.push_back(terms.symbol("s", logic::kInt));
    log->hubs.insert(symbols[0]);
    before.push_back(0);
    for (std::uint32_t i = 0; i < 120; ++i) {
      const std::uint32_t from = pick(3) == 0 ? pick(log->size() + 1) : log->size();
      const Term fact = terms.lt(symbols[pick(12)], terms.integer(i));
      const Term both =
          pick(3) == 0 ? terms.and_(fact, terms.lt(symbols[pick(12)], symbols[1])) : fact;
      before.push_back(from);
      EXPECT_EQ(log->add(both, from), i + 1);
    }
  }
  std::uint32_t pick(std::uint32_t below) { return random() % below; }
  // Step by step.
  [[nodiscard]] bool leads(std::uint32_t earlier, std::uint32_t later) const {
    while (later > earlier) later = before[later];
    return later == earlier;
  }

  std::mt19937 random;
  logic::TermTable terms;
  std::vector<Term> symbols;
  std::shared_ptr<Log> log = std::make_shared<Log>();
  std::vector<std::uint32_t> before;
};

}  // namespace

TEST(Log, JumpsLeadWhereStepsDo) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const RandomLog r(seed);
    for (std::uint32_t a = 0; a <= r.log->size(); ++a)
      for (std::uint32_t b = 0; b <= r.log->size(); ++b)
        ASSERT_EQ(r.log->leads_to(a, b), r.leads(a, b)) << a << " " << b;
  }
}

// Vectors can be chosen when a small state is looked for, and what is true of their elements goes
// with the choice. Nobody chooses a history, so what is true of its elements has to be said.
TEST(Log, OnlyWhatIsTrueOfVectorsIsSetApart) {
  logic::TermTable terms;
  Log log;
  const auto positive = [&](Term array) {
    const Term k = terms.bound("k", logic::kInt);
    return terms.quant(true, {k}, terms.le(terms.zero(logic::kInt), terms.select(array, k)));
  };
  const Term vector = terms.symbol("vector", {logic::SortBase::Int, 1});
  const Term history = terms.symbol("history", {logic::SortBase::Int, 1});
  for (Term array : {vector, history}) log.typing[array] = {positive(array)};
  log.shapes[vector] = {vector, {}, true};
  const Term zero = terms.zero(logic::kInt);
  const Term goal = terms.eq(terms.select(vector, zero), terms.select(history, zero));
  const Known known = log.everything(terms, 0, goal);
  EXPECT_EQ(known.array_facts, log.typing[vector]);
  EXPECT_EQ(known.facts, log.typing[history]);
}

// All facts on the way that are connected with the goal by symbols, hubs left out, until nothing
// is added.
TEST(Relevance, IsWhatSharesSymbolsByWayOfOthers) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    RandomLog r(seed);
    Symbols symbols(r.terms);
    Relevance relevance(r.terms);
    const std::uint32_t known = 1 + r.pick(r.log->size());
    const Term goal = r.terms.lt(r.symbols[r.pick(12)], r.symbols[0]);
    std::set<Term> reached(symbols.of(goal).begin(), symbols.of(goal).end()), expected;
    reached.erase(r.symbols[0]);
    for (bool grows = true; grows;) {
      grows = false;
      for (std::uint32_t entry = known; entry != 0; entry = r.before[entry]) {
        const Term fact = r.log->fact(entry);
        const auto& own = symbols.of(fact);
        const bool of_hubs = std::all_of(own.begin(), own.end(),
                                         [&](Term symbol) { return symbol == r.symbols[0]; });
        const bool shares = std::any_of(own.begin(), own.end(),
                                        [&](Term symbol) { return reached.contains(symbol); });
        if ((!of_hubs && !shares) || !expected.insert(fact).second) continue;
        reached.insert(own.begin(), own.end());
        reached.erase(r.symbols[0]);
        grows = true;
      }
    }
    const std::vector<Term> found = relevance.find(r.log, known, goal).facts;
    EXPECT_EQ(std::set<Term>(found.begin(), found.end()), expected);
  }
}

TEST(Facts, WhatIsKnownIsNotAddedAgain) {
  logic::TermTable terms;
  Symbols symbols(terms);
  Log log;
  Facts facts(symbols, log);
  const Term fact = terms.symbol("p", logic::kBool);
  facts.add(fact);
  facts.add(fact);
  EXPECT_EQ(facts.size(), 1u);
  EXPECT_TRUE(facts.has(fact));
  facts.truncate(0);
  EXPECT_FALSE(facts.has(fact));
}

// Consequences of inputs only are many and say nothing new; what is assumed of them does.
TEST(Facts, ConsequencesOfInputsAreRelevantButNotNear) {
  logic::TermTable terms;
  Symbols symbols(terms);
  Log log;
  Facts facts(symbols, log);
  const Term n = terms.symbol("n", logic::kInt);
  log.hubs.insert(n);
  const Term assumed = terms.lt(terms.integer(9), n), follows = terms.lt(terms.integer(5), n);
  facts.add(assumed);
  facts.add(follows, Facts::Origin::Consequence);
  const Term goal = terms.lt(terms.integer(3), n);
  EXPECT_EQ(facts.near(goal), std::vector{assumed});
  EXPECT_EQ(facts.relevant(goal), (std::vector{assumed, follows}));
  facts.truncate(1);
  EXPECT_EQ(facts.near(goal), std::vector{assumed});
}

// What is recent leaves out what came before, also where it is about the same, but for what is
// assumed of inputs.
TEST(Facts, WhatIsRecentIsSaidSince) {
  logic::TermTable terms;
  Symbols symbols(terms);
  Log log;
  Facts facts(symbols, log);
  const Term n = terms.symbol("n", logic::kInt), x = terms.symbol("x", logic::kInt);
  const Term y = terms.symbol("y", logic::kInt), z = terms.symbol("z", logic::kInt);
  log.hubs.insert(n);
  const Term of_input = terms.lt(terms.integer(9), n);
  const Term before = terms.lt(x, y), since = terms.lt(y, z), of_others = terms.lt(x, n);
  facts.add(of_input);
  facts.add(terms.lt(terms.integer(5), n), Facts::Origin::Consequence);
  facts.add(before);
  const std::size_t now = facts.size();
  facts.add(since);
  facts.add(of_others);
  const Term goal = terms.lt(terms.integer(0), z);
  EXPECT_EQ(facts.recent(now, goal), (std::vector{of_input, since}));
  EXPECT_EQ(facts.recent(0, goal), (std::vector{of_input, before, since, of_others}));
  EXPECT_EQ(facts.relevant(goal).size(), 5u);
}

}  // namespace leto::vcgen
