// Facts that runs show false, and those of which they say nothing.
#include "diagnose/falsify.h"

#include <gtest/gtest.h>

#include "core/test_builder.h"

namespace leto::diagnose {

namespace {

using core::ExprId;
using core::FunctionId;
using core::Op;
using core::VarId;

// Counts to n, which is the same in both runs or not.
struct Counting {
  core::Builder b;
  VarId n = b.param("n"), i = b.local("i");
  core::LoopId loop;
  FunctionId f;

  explicit Counting(bool same = true) {
    core::While counting = b.loop(b.op(Op::Lt, b.ref(i), b.ref(n)),
                                  {b.assign(i, b.op(Op::Add, b.ref(i), b.num("1")))});
    counting.visible = {n, i};
    loop = counting.loop;
    f = b.function("f", {n}, {b.declare(i), b.stmt(counting)});
    if (same) b.program.functions[f].requires_ = {{b.equal(n), true}};
  }
  std::vector<bool> show(const std::vector<vcgen::Candidate>& facts) {
    prove::Proposals proposals(b.program.loops.size());
    for (const vcgen::Candidate& fact : facts) proposals[loop.value].push_back({fact});
    return make_falsifier(b.program, nullptr)->find_false(f, false, proposals)[loop];
  }
};

}  // namespace

TEST(Falsify, WhatARunBreaksIsFalse) {
  Counting c;
  const ExprId zero = c.b.op(Op::Eq, c.b.ref(c.i), c.b.num("0"));
  const ExprId not_negative = c.b.op(Op::Ge, c.b.ref(c.i), c.b.num("0"));
  EXPECT_EQ(c.show({{zero, false}, {not_negative, false}, {c.b.equal(c.i), true}}),
            (std::vector<bool>{true, false, false}));
}

// Where one run has left the loop, or another one does it by itself, other facts stand.
TEST(Falsify, WhereOnlyOneRunIsNothingIsLookedAt) {
  Counting c(false);
  EXPECT_EQ(c.show({{c.b.equal(c.i), true}}), std::vector<bool>{false});
}

// Nobody meets the requirements, so nobody says anything.
TEST(Falsify, WithoutARunNothingIsFalse) {
  Counting c;
  c.b.program.functions[c.f].requires_.push_back({c.b.truth(false), false});
  EXPECT_EQ(c.show({{c.b.truth(false), false}}), std::vector<bool>{false});
}

TEST(Falsify, WhenTheTimeIsOverNothingIsFalse) {
  Counting c;
  Allowance allowance;
  allowance.end(Allowance::End::Time);
  prove::Proposals proposals(c.b.program.loops.size());
  proposals[c.loop.value].push_back({{c.b.truth(false), false}});
  EXPECT_EQ(make_falsifier(c.b.program, &allowance)->find_false(c.f, false, proposals).at(c.loop),
            std::vector<bool>{false});
}

}  // namespace leto::diagnose
