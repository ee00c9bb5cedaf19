// What is remembered of a function that was proved, and when it is not.
#include "prove/records.h"

#include <gtest/gtest.h>

#include "core/test_builder.h"
#include "prove/test_shelf.h"

namespace leto::prove {

namespace {

// g has a loop and f calls it; h stands beside.
struct Calls : core::Builder {
  core::VarId x = local("x");
  core::FunctionId g, f, h;
  core::LoopId loop_g;
  core::StmtId claim_g, claim_f, claim_h;

  explicit Calls(int before = 0) {
    for (int i = 0; i < before; ++i) next();
    g = begin("g");
    claim_g = claim(truth(true));
    core::While inner = loop(truth(false), {claim_g});
    loop_g = inner.loop;
    end(g, {stmt(inner)});
    f = begin("f");
    claim_f = claim(truth(true));
    end(f, {call(g, {}), claim_f});
    h = begin("h");
    claim_h = claim(truth(true));
    end(h, {claim_h});
  }
  // What is proved of f: a claim of its own and one in g.
  [[nodiscard]] Done done() const {
    Done out;
    for (core::StmtId id : {claim_f, claim_g}) {
      Claim claim{{core::ClaimKind::Assert, "f", at(id), core::Side::Original, {"a b", ""}}};
      claim.status = Status::Proved;
      claim.obligations = 3;
      claim.resource = 70;
      claim.hardest = 40;
      claim.situation = "when 1 + 1 == 2";
      out.settled.claims.push_back(claim);
    }
    out.settled.cost.obligations = 6;
    out.settled.cost.plain = 2;
    out.settled.cost.hardest = 40;
    out.trusted = {1, 2, 3, 4};
    out.loops.push_back({loop_g, true, false, {{true, "eq(i)", false}, {false, "i <= n", true}}});
    out.candidates = 11;
    out.rounds = 5;
    return out;
  }

 private:
  core::FunctionId begin(std::string name) {
    core::Function one;
    one.name = std::move(name);
    one.span = next();
    return program.functions.add(std::move(one));
  }
  // Its text ends with its last statement.
  void end(core::FunctionId id, std::vector<core::StmtId> body) {
    program.functions[id].body = block(std::move(body));
    program.functions[id].span.end = at(program.functions[id].body).end;
  }
};

}  // namespace

TEST(Records, WhatIsFoundIsWhatWasKept) {
  const Calls calls;
  Shelf shelf;
  const Records records(calls.program, &shelf, "code", "manner");
  EXPECT_FALSE(records.find(calls.f, "z3", false));
  const Done kept = calls.done();
  records.keep(calls.f, "z3", false, kept);
  const std::optional<Done> found = records.find(calls.f, "z3", false);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->settled.claims.size(), 2u);
  for (std::size_t i : {0, 1}) {
    const Claim &one = found->settled.claims[i], &before = kept.settled.claims[i];
    EXPECT_EQ(one.id, before.id);
    EXPECT_EQ(one.status, Status::Proved);
    EXPECT_EQ(one.obligations, 3u);
    EXPECT_EQ(one.resource, 70u);
    EXPECT_EQ(one.hardest, 40u);
    EXPECT_EQ(one.situation, "when 1 + 1 == 2");
  }
  EXPECT_EQ(found->settled.cost.obligations, 6u);
  EXPECT_EQ(found->settled.cost.plain, 2u);
  EXPECT_EQ(found->settled.cost.cached, 4u);
  EXPECT_EQ(found->settled.cost.questions, 0u);
  EXPECT_EQ(found->trusted.assumed, 4u);
  ASSERT_EQ(found->loops.size(), 1u);
  EXPECT_EQ(found->loops[0].loop, calls.loop_g);
  EXPECT_TRUE(found->loops[0].of_both);
  EXPECT_FALSE(found->loops[0].of_one);
  ASSERT_EQ(found->loops[0].facts.size(), 2u);
  EXPECT_EQ(found->loops[0].facts[1].text, "i <= n");
  EXPECT_TRUE(found->loops[0].facts[1].implied);
  EXPECT_FALSE(found->loops[0].facts[1].relational);
  EXPECT_EQ(found->candidates, 11u);
  EXPECT_EQ(found->rounds, 5u);
}

TEST(Records, AllThatItRestsOnHasToBeTheSame) {
  const Calls calls;
  Shelf shelf;
  Records(calls.program, &shelf, "code", "manner").keep(calls.f, "z3", false, calls.done());
  const auto is_found = [&](const core::Program& program, const char* code, const char* manner,
                            const char* solver, bool any_state) {
    return Records(program, &shelf, code, manner).find(calls.f, solver, any_state).has_value();
  };
  EXPECT_TRUE(is_found(calls.program, "code", "manner", "z3", false));
  EXPECT_FALSE(is_found(calls.program, "other code", "manner", "z3", false));
  EXPECT_FALSE(is_found(calls.program, "code", "other manner", "z3", false));
  EXPECT_FALSE(is_found(calls.program, "code", "manner", "cvc5", false));
  EXPECT_FALSE(is_found(calls.program, "code", "manner", "z3", true));
  EXPECT_FALSE(is_found(calls.program, "", "manner", "z3", false));
  Calls changed;  // what f calls
  std::get<core::Claim>(changed.program.stmts[changed.claim_g].node).expr = changed.truth(false);
  EXPECT_FALSE(is_found(changed.program, "code", "manner", "z3", false));
  Calls beside;
  std::get<core::Claim>(beside.program.stmts[beside.claim_h].node).expr = beside.truth(false);
  EXPECT_TRUE(is_found(beside.program, "code", "manner", "z3", false));
  EXPECT_FALSE(Records(calls.program, &shelf, "code", "manner").find(calls.g, "z3", false));
}

TEST(Records, PlacesMoveWithTheirFunctions) {
  const Calls calls, moved(100);
  Shelf shelf;
  Records(calls.program, &shelf, "code", "").keep(calls.f, "z3", false, calls.done());
  const auto found = Records(moved.program, &shelf, "code", "").find(moved.f, "z3", false);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->settled.claims[0].id.at, moved.at(moved.claim_f));
  EXPECT_EQ(found->settled.claims[1].id.at, moved.at(moved.claim_g));
}

TEST(Records, OnlyWhatIsWhollyProvedIsKept) {
  const Calls calls;
  Shelf shelf;
  const Records records(calls.program, &shelf, "code", "");
  const auto is_kept = [&](const std::function<void(Done&)>& change) {
    Done done = calls.done();
    change(done);
    records.keep(calls.f, "z3", false, done);
    return !shelf.records.empty();
  };
  for (Status status : {Status::Refuted, Status::Unknown, Status::Vacuous})
    EXPECT_FALSE(is_kept([&](Done& done) { done.settled.claims[1].status = status; }));
  EXPECT_FALSE(is_kept([](Done& done) { done.settled.claims[0].unfounded = true; }));
  EXPECT_FALSE(
      is_kept([](Done& done) { done.settled.contradictions.push_back(done.settled.claims[0]); }));
  EXPECT_FALSE(is_kept([](Done& done) { done.settled.constants_contradict = true; }));
  EXPECT_FALSE(is_kept([](Done& done) { done.settled.mismatch = true; }));
  EXPECT_FALSE(is_kept([](Done& done) { done.settled.cost.disagreement = true; }));
  EXPECT_FALSE(is_kept([](Done& done) { done.troubled = true; }));
  EXPECT_TRUE(is_kept([](Done&) {}));
}

// What it does not reach could change, or move, and nobody would see it.
TEST(Records, WhatLiesElsewhereIsNotKept) {
  const Calls calls;
  Shelf shelf;
  const Records records(calls.program, &shelf, "code", "");
  const auto is_kept = [&](const Span& at) {
    shelf.records.clear();
    Done done = calls.done();
    done.settled.claims[0].id.at = at;
    records.keep(calls.f, "z3", false, done);
    return !shelf.records.empty();
  };
  EXPECT_TRUE(is_kept(calls.at(calls.claim_g)));
  EXPECT_FALSE(is_kept(calls.at(calls.claim_h)));
  EXPECT_FALSE(is_kept({FileId{0}, 0, 1}));
  EXPECT_FALSE(is_kept({FileId{1}, 3, 4}));
  EXPECT_FALSE(is_kept({}));
  const Span last = calls.at(calls.claim_h);
  EXPECT_FALSE(is_kept({FileId{0}, calls.at(calls.claim_f).begin, last.end}));
}

TEST(Records, TwoFunctionsWithOneNameAreNotRemembered) {
  Calls calls;
  calls.program.functions[calls.h].name = "g";
  Shelf shelf;
  Records(calls.program, &shelf, "code", "").keep(calls.f, "z3", false, calls.done());
  EXPECT_TRUE(shelf.records.empty());
}

TEST(Records, WhatWasCutOffOrChangedIsNone) {
  const Calls calls;
  Shelf shelf;
  const Records records(calls.program, &shelf, "code", "");
  records.keep(calls.f, "z3", false, calls.done());
  ASSERT_EQ(shelf.records.size(), 1u);
  std::string& text = shelf.records.begin()->second;
  const std::string whole = text;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    text = whole.substr(0, size);
    EXPECT_FALSE(records.find(calls.f, "z3", false)) << size;
  }
  text = whole + "0 ";
  EXPECT_FALSE(records.find(calls.f, "z3", false));
  for (std::size_t i = 0; i < whole.size(); ++i) {  // it may be read, but nothing worse happens
    text = whole;
    text[i] = static_cast<char>(text[i] ^ 7);
    static_cast<void>(records.find(calls.f, "z3", false));
  }
}

}  // namespace leto::prove
