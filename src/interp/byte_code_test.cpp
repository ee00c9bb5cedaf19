// Byte code against the tree, on programs by hand; random ones are compared by leto-soundness
// --agree. And the random numbers that both are given.
#include <gtest/gtest.h>

#include <random>

#include "core/test_builder.h"
#include "interp/interp.h"

namespace leto::interp {

namespace {

using core::Builder;
using core::ExprId;
using core::Op;
using core::VarId;

// The events, what was taken and how it ended, as one text.
std::string told(const Outcome& o) {
  std::string out;
  for (const Event& e : o.events)
    out += std::to_string(static_cast<int>(e.kind)) + " " + e.what + " " + e.value + "\n";
  for (const Taken& t : o.taken) {
    out += "taken " + std::to_string(t.occurrence) + " " + t.outcome.text() +
           (t.faulty ? ", faulty" : "");
    for (const auto& [var, n] : t.states) out += " " + std::to_string(var.value) + "=" + n.text();
    out += "\n";
  }
  for (const Violation& v : o.violations) out += std::string(describe(v.kind)) + "\n";
  return out + std::string(describe(o.end)) + " " + o.why + " after " + std::to_string(o.steps) +
         " steps, " + std::to_string(o.sites) + " sites, " + std::to_string(o.claims) + " claims";
}

// What the tree says, after the byte code has said the same for some seeds.
std::string run_both(const core::Program& program, core::FunctionId function,
                     std::uint64_t steps = 1000) {
  const Machine machine(program);
  ByteMachine bytes(machine, function);
  EXPECT_TRUE(bytes.compiled());
  std::string out;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto inputs = random_inputs(machine, function, seed, {});
    if (!inputs) continue;
    Options options;
    options.events = options.all_taken = true;
    options.limits.steps = steps;
    RandomChooser one(seed, {0, 0.5}), other(seed, {0, 0.5});
    out = told(machine.run(function, *inputs, one, options));
    EXPECT_EQ(out, told(bytes.run(*inputs, other, options))) << seed;
    EXPECT_EQ(one.alternative(SIZE_MAX), other.alternative(SIZE_MAX)) << seed;
  }
  return out;
}

// `result` in a function that gives it back, from two parameters.
struct TwoOperands {
  Builder b;
  VarId x, y, result;
  explicit TwoOperands(core::Type type = core::kIntType)
      : x(b.param("x", type)), y(b.param("y", type)), result(b.local("result", type)) {}
  core::FunctionId returns(std::vector<core::StmtId> body) {
    const core::FunctionId id = b.function("f", {x, y}, std::move(body));
    b.program.functions[id].results = {result};
    return id;
  }
};

}  // namespace

TEST(Random, IsTheStandardsTwister) {
  for (std::uint64_t seed : {0ull, 1ull, 5489ull, 0xffffffffffffffffull}) {
    Random ours(seed);
    std::mt19937_64 standard(seed);
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(ours(), standard()) << seed << " " << i;
  }
}

TEST(ByteCode, EveryOperatorIsTheTrees) {
  for (const core::Type& type : {core::kIntType, core::kRealType})
    for (Op op : {Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Mod, Op::Min, Op::Max, Op::Neg, Op::Abs,
                  Op::Floor, Op::ToNatural}) {
      if (op == Op::Mod && type.base == core::Base::Real) continue;
      TwoOperands c(type);
      std::vector<ExprId> args{c.b.ref(c.x)};
      if (op > Op::ToNatural) args.push_back(c.b.ref(c.y));
      run_both(c.b.program, c.returns({c.b.assign(c.result, c.b.op(op, args))}));
    }
  for (Op op : {Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq, Op::Ne}) {
    TwoOperands c;
    const ExprId test = c.b.op(op, c.b.ref(c.x), c.b.ref(c.y));
    run_both(c.b.program, c.returns({c.b.branch(test, {c.b.assign(c.result, c.b.num("1"))},
                                                {c.b.assign(c.result, c.b.num("2"))})}));
  }
  for (Op op : {Op::And, Op::Or, Op::Implies}) {
    TwoOperands c(core::kBoolType);
    const ExprId both = c.b.op(op, c.b.ref(c.x), c.b.ref(c.y));
    const ExprId nested = c.b.op(op, both, c.b.op(Op::Not, {c.b.op(op, c.b.ref(c.y), both)}));
    run_both(c.b.program, c.returns({c.b.assign(c.result, nested)}));
  }
}

TEST(ByteCode, SitesAreDecidedAlike) {
  TwoOperands c;
  const VarId upset = c.b.state("upset", core::kBoolType, c.b.truth(false));
  const std::uint32_t exact = c.b.exact_addition();
  const Builder::Operands over = c.b.operands();
  const ExprId sum = c.b.op(Op::Add, c.b.ref(over.first), c.b.ref(over.second));
  const ExprId close =
      c.b.op(Op::Le, c.b.op(Op::Abs, {c.b.op(Op::Sub, c.b.ref(over.outcome), sum)}), c.b.num("3"));
  const std::uint32_t off =
      c.b.specification(over, c.b.op(Op::Not, {c.b.ref(upset)}), {c.b.ref(upset), close}, {upset});
  const Builder::Operands choice = c.b.operands();
  const std::uint32_t either =
      c.b.specification(choice, {},
                        {c.b.op(Op::Or, c.b.op(Op::Eq, c.b.ref(choice.outcome), c.b.num("7")),
                                c.b.op(Op::Gt, c.b.ref(choice.outcome), c.b.ref(choice.first)))});
  std::vector<core::StmtId> body;
  for (int i = 0; i < 4; ++i)
    body.push_back(c.b.relaxed_op(c.result, {exact, off, either}, {c.b.ref(c.x), c.b.ref(c.y)},
                                  c.b.op(Op::Add, c.b.ref(c.x), c.b.ref(c.y))));
  body.push_back(c.b.relate(c.b.equal(c.result)));
  EXPECT_NE(run_both(c.b.program, c.returns(body)).find("4 sites, 1 claims"), std::string::npos);
}

TEST(ByteCode, NoSpecificationThatCanBeFollowed) {
  TwoOperands c;
  const Builder::Operands over = c.b.operands();
  const std::uint32_t never =
      c.b.specification(over, {}, {c.b.op(Op::Lt, c.b.ref(over.outcome), c.b.ref(over.outcome))});
  const core::StmtId site = c.b.relaxed_op(c.result, {never}, {c.b.ref(c.x), c.b.ref(c.y)},
                                           c.b.op(Op::Add, c.b.ref(c.x), c.b.ref(c.y)));
  EXPECT_NE(run_both(c.b.program, c.returns({site})).find("no value that"), std::string::npos);
}

TEST(ByteCode, LoopsAreCutOffAtTheSameStep) {
  for (std::uint64_t steps = 1; steps < 30; ++steps) {
    TwoOperands c;
    core::While loop =
        c.b.loop(c.b.op(Op::Lt, c.b.ref(c.result), c.b.ref(c.x)),
                 {c.b.assign(c.result, c.b.op(Op::Add, c.b.ref(c.result), c.b.num("1")))});
    loop.invariants.push_back({c.b.op(Op::Le, c.b.ref(c.result), c.b.num("2")), false});
    run_both(c.b.program, c.returns({c.b.declare(c.result), c.b.stmt(loop)}), steps);
  }
}

TEST(ByteCode, QuantifiersFindTheirRanges) {
  TwoOperands c;
  const VarId k = c.b.var(core::VarKind::Bound, "k");
  const auto cmp = [&](Op op, ExprId a, ExprId b) { return c.b.op(op, a, b); };
  const ExprId twice = c.b.op(Op::Mul, c.b.num("2"), c.b.ref(k));
  const ExprId guard = c.b.op(Op::And, cmp(Op::Lt, c.b.ref(c.x), twice),
                              cmp(Op::Le, c.b.op(Op::Sub, c.b.ref(k), c.b.num("3")), c.b.ref(c.y)));
  const ExprId all =
      c.b.forall(k, c.b.op(Op::Implies, guard, cmp(Op::Ne, c.b.ref(k), c.b.ref(c.y))));
  // By a factor that is a variable: the tree is walked. Without bounds: not to be decided.
  const ExprId scaled = cmp(Op::Lt, c.b.op(Op::Mul, c.b.ref(c.x), c.b.ref(k)), c.b.num("9"));
  const ExprId walked = c.b.forall(k, c.b.op(Op::Implies, c.b.op(Op::And, guard, scaled),
                                             cmp(Op::Ge, c.b.ref(k), c.b.ref(c.x))));
  const ExprId endless = c.b.forall(k, cmp(Op::Eq, c.b.ref(k), c.b.ref(k)));
  EXPECT_NE(
      run_both(c.b.program, c.returns({c.b.relate(all), c.b.relate(walked), c.b.relate(endless)}))
          .find("no bounds were found for 'k'"),
      std::string::npos);
}

// What a range leaves out at either end is the only instance that fails.
TEST(ByteCode, TheFirstAndTheLastInstanceCount) {
  TwoOperands c;
  const VarId k = c.b.var(core::VarKind::Bound, "k");
  const auto cmp = [&](Op op, ExprId a, ExprId b) { return c.b.op(op, a, b); };
  const auto all_between = [&](Op low, Op high, VarId but) {
    const ExprId guard =
        c.b.op(Op::And, cmp(low, c.b.ref(c.x), c.b.ref(k)), cmp(high, c.b.ref(k), c.b.ref(c.y)));
    const ExprId next = c.b.op(Op::Sub, c.b.ref(but), c.b.num(but == c.x ? "-1" : "1"));
    const ExprId here = cmp(Op::Ne, c.b.ref(k), low == Op::Lt ? next : c.b.ref(but));
    return c.b.relate(c.b.forall(k, c.b.op(Op::Implies, guard, here)));
  };
  run_both(c.b.program,
           c.returns({all_between(Op::Lt, Op::Lt, c.x), all_between(Op::Lt, Op::Lt, c.y),
                      all_between(Op::Le, Op::Le, c.x), all_between(Op::Le, Op::Le, c.y)}));
}

// A vector that was copied, or passed, is not changed by a store into the copy.
TEST(ByteCode, StoresChangeOneVectorOfOneRun) {
  TwoOperands c;
  const VarId v = c.b.local("v", core::kIntVector), w = c.b.local("w", core::kIntVector);
  const auto inside = [&](VarId index) {
    return c.b.stmt(core::Check{core::CheckKind::Bounds,
                                c.b.op(Op::And, c.b.op(Op::Le, c.b.num("0"), c.b.ref(index)),
                                       c.b.op(Op::Lt, c.b.ref(index), c.b.length(v)))});
  };
  const auto store = [&](VarId into, VarId index, const char* value) {
    return c.b.stmt(core::Store{into, {c.b.ref(index)}, c.b.num(value)});
  };
  const core::FunctionId f = c.returns(
      {c.b.declare(v, {c.b.num("4")}), inside(c.x), inside(c.y), store(v, c.x, "5"),
       c.b.assign(w, c.b.ref(v)), store(w, c.y, "6"),
       c.b.assign(c.result, c.b.select(v, c.b.ref(c.y))),
       c.b.assign(c.result, c.b.op(Op::Add, c.b.ref(c.result), c.b.select(w, c.b.num("9")))),
       c.b.relate(c.b.equal(v)), c.b.relate(c.b.equal(w)), c.b.relate(c.b.equal(c.result))});
  run_both(c.b.program, f);
}

// One upset is all there is: which element it strikes depends on the order.
TEST(ByteCode, WholeVectorsAreWrittenElementByElement) {
  TwoOperands c;
  const VarId upset = c.b.state("upset", core::kBoolType, c.b.truth(false));
  const Builder::Operands right = c.b.operands(), over = c.b.operands();
  const std::uint32_t exact =
      c.b.specification(right, {}, {c.b.op(Op::Eq, c.b.ref(right.outcome), c.b.ref(right.second))});
  const std::uint32_t off = c.b.specification(
      over, c.b.op(Op::Not, {c.b.ref(upset)}),
      {c.b.ref(upset), c.b.op(Op::Gt, c.b.ref(over.outcome), c.b.ref(over.second))}, {upset});
  const VarId v = c.b.local("v", core::kIntVector), w = c.b.local("w", core::kIntVector);
  std::vector<core::StmtId> body;
  for (VarId vector : {v, w}) body.push_back(c.b.declare(vector, {c.b.num("4")}));
  for (int i = 0; i < 4; ++i)
    body.push_back(c.b.stmt(core::Store{v, {c.b.num(std::to_string(i))}, c.b.ref(c.x)}));
  body.push_back(c.b.stmt(core::Write{w, {"=", {exact, off}}, {}, c.b.ref(v), true}));
  body.push_back(c.b.stmt(
      core::Write{w, {"=", {exact, off}}, {c.b.num("2")}, c.b.select(w, c.b.num("1")), false}));
  body.push_back(c.b.relate(c.b.equal(w)));
  EXPECT_NE(run_both(c.b.program, c.returns(body)).find("5 sites, 1 claims"), std::string::npos);
}

TEST(ByteCode, CallsWantTheSizesThatAreDeclared) {
  TwoOperands c;
  const VarId n = c.b.param("n", core::kUintType), a = c.b.param("a", core::kIntVector);
  const VarId first = c.b.local("first"), v = c.b.local("v", core::kIntVector);
  const core::FunctionId g =
      c.b.function("g", {n, a}, {c.b.assign(first, c.b.select(a, c.b.num("0")))});
  c.b.program.functions[g].results = {first};
  c.b.program.functions[g].sizes.push_back({a, 0, c.b.ref(n)});
  const core::FunctionId f = c.returns(
      {c.b.declare(v, {c.b.num("2")}), c.b.call(g, {c.b.ref(c.x), c.b.ref(v)}, c.result)});
  run_both(c.b.program, f);
}

TEST(ByteCode, WhatIsExternalIsLeftToTheTree) {
  TwoOperands c;
  const VarId given = c.b.local("given");
  const core::FunctionId other = c.b.external("other", {}, given);
  const core::FunctionId f = c.returns({c.b.call(other, {}, c.result)});
  const Machine machine(c.b.program);
  ByteMachine bytes(machine, f);
  EXPECT_FALSE(bytes.compiled());
  ExactChooser chooser;
  EXPECT_EQ(bytes.run(empty_inputs(machine), chooser, {}).end, End::Done);
}

}  // namespace leto::interp
