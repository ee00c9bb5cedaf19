// Exact numbers, domains and choosers. Whole programs are run by cli_test and leto-soundness.
#include "interp/interp.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/test_builder.h"
#include "interp/results.h"

namespace leto::interp {

TEST(Number, ReadsAndWritesExactly) {
  EXPECT_EQ(Number::parse("3")->text(), "3");
  EXPECT_EQ(Number::parse("-4/6")->text(), "-2/3");
  EXPECT_EQ(Number::parse("0.25")->text(), "1/4");
  EXPECT_EQ(Number::parse("1e-3")->text(), "1/1000");
  EXPECT_EQ(Number::parse("123456789012345678901234567890")->text(),
            "123456789012345678901234567890");
  for (const char* wrong : {"", "-", "x", "1/0", "1/", "1.2.3", "1e", "0x10"})
    EXPECT_FALSE(Number::parse(wrong)) << wrong;
}

TEST(Number, DoesNotOverflow) {
  const Number big(INT64_MAX);
  EXPECT_EQ((big + Number(1)).text(), "9223372036854775808");
  EXPECT_EQ((big + Number(1) - Number(1)).text(), big.text());
  EXPECT_EQ((big * big - big * big).sign(), 0);
  EXPECT_EQ((Number(INT64_MIN) - Number(1)).text(), "-9223372036854775809");
}

// Around the limits of a machine word, where numbers change their form, against GMP itself.
TEST(Number, FractionsAreGmpsWhateverTheirForm) {
  std::vector<mpq_class> values;
  const char* tops[] = {"0",
                        "1",
                        "-1",
                        "6",
                        "-35",
                        "9223372036854775807",
                        "-9223372036854775808",
                        "9223372036854775808",
                        "4294967296",
                        "-3037000500"};
  const char* bottoms[] = {"1",         "2", "21", "9223372036854775807", "9223372036854775808",
                           "4294967296"};
  for (const char* top : tops)
    for (const char* bottom : bottoms) {
      values.emplace_back(std::string(top) + "/" + bottom);
      values.back().canonicalize();
    }
  for (const mpq_class& a : values)
    for (const mpq_class& b : values) {
      const Number x(a), y(b);
      EXPECT_EQ((x + y).text(), mpq_class(a + b).get_str());
      EXPECT_EQ((x - y).text(), mpq_class(a - b).get_str());
      EXPECT_EQ((x * y).text(), mpq_class(a * b).get_str());
      if (b != 0) {
        EXPECT_EQ(quotient(x, y).text(), mpq_class(a / b).get_str());
      }
      for (const Number& before : {Number(7), x}) {
        Number sum = before, difference = before, product = before;
        sum.become_sum(x, y);
        difference.become_difference(x, y);
        product.become_product(x, y);
        EXPECT_TRUE(sum == x + y && difference == x - y && product == x * y) << a << " " << b;
      }
      EXPECT_EQ(compare(x, y), a < b ? -1 : a > b ? 1 : 0) << a << " " << b;
      EXPECT_EQ(x == y, a == b);
    }
  for (const mpq_class& a : values) {
    mpz_class down, up;
    mpz_fdiv_q(down.get_mpz_t(), a.get_num_mpz_t(), a.get_den_mpz_t());
    mpz_cdiv_q(up.get_mpz_t(), a.get_num_mpz_t(), a.get_den_mpz_t());
    EXPECT_EQ(Number(a).floor().text(), down.get_str());
    EXPECT_EQ(Number(a).ceiling().text(), up.get_str());
    EXPECT_EQ(Number(a).sign(), sgn(a));
    EXPECT_EQ(Number(a).is_integer(), a.get_den() == 1);
    Number copy = Number(a), other = copy;
    other = copy;
    copy = Number(7);
    EXPECT_EQ(other.text(), a.get_str());
  }
}

Number number(const char* text) {
  return *Number::parse(text);
}

TEST(Number, RootsAreFractionsOrRoots) {
  const auto root = [](const char* text) -> std::string {
    const std::optional<Number> found = number(text).root();
    return found ? found->text() : "none";
  };
  EXPECT_EQ(root("0"), "0");
  EXPECT_EQ(root("25"), "5");
  EXPECT_EQ(root("4/9"), "2/3");
  EXPECT_EQ(root("1e40"), "100000000000000000000");
  EXPECT_EQ(root("2"), "sqrt(2)");
  EXPECT_EQ(root("8/9"), "sqrt(8/9)");
  EXPECT_EQ(root("-4"), "none");
  EXPECT_EQ(root("sqrt(2)"), "none");
  EXPECT_EQ(number("-sqrt(2)").text(), "-sqrt(2)");
  EXPECT_EQ(number("sqrt(16)").text(), "4");
  for (const char* text : {"sqrt()", "sqrt(-2)", "sqrt(2", "sqrt(x)"})
    EXPECT_FALSE(Number::parse(text)) << text;
}

TEST(Number, ProductsAndSomeSumsOfRootsAreExact) {
  const Number two = number("sqrt(2)"), eight = number("sqrt(8)");
  EXPECT_EQ(two * two, Number(2));
  EXPECT_EQ(two * eight, Number(4));
  EXPECT_EQ(quotient(eight, two), Number(2));
  EXPECT_EQ(quotient(Number(2), two), two);
  EXPECT_EQ(two + two, eight);
  EXPECT_EQ(two - eight, -two);
  EXPECT_EQ(two - two, Number(0));
  EXPECT_EQ(two * Number(0), Number(0));
  EXPECT_EQ(two + Number(0), two);
  EXPECT_EQ(Number(0) - two, number("-sqrt(2)"));
  EXPECT_FALSE(two == Number(1));
  EXPECT_FALSE(two == -two);
  EXPECT_LT(two, number("1.5"));
  EXPECT_LT(number("-1.4"), two);
  EXPECT_LT(-two, number("-1.4"));
  EXPECT_LT(two, number("sqrt(3)"));
  EXPECT_LT(number("-sqrt(3)"), -two);
  EXPECT_EQ(two.floor(), Number(1));
  EXPECT_EQ((-two).floor(), Number(-2));
  EXPECT_EQ((-two).sign(), -1);
  EXPECT_FALSE(two.is_integer());
}

TEST(Number, OtherSumsOfRootsAreDecidedWhereDigitsSuffice) {
  const Number two = number("sqrt(2)"), three = number("sqrt(3)"), sum = two + three;
  EXPECT_TRUE(sum.is_approximate());
  EXPECT_LT(number("3.14626"), sum);
  EXPECT_LT(sum, number("3.14627"));
  EXPECT_FALSE(sum == Number(3));
  EXPECT_LT(sum * sum, Number(10));
  EXPECT_LT(number("9.89"), sum * sum);
  EXPECT_LT(quotient(Number(1), sum), number("0.32"));
  EXPECT_LT(number("-3.2"), -sum);
  EXPECT_EQ(sum.floor(), Number(3));
  EXPECT_EQ(sum.sign(), 1);
  EXPECT_FALSE(sum.is_integer());
  const Number nothing = sum - two - three;
  EXPECT_THROW((void)nothing.sign(), Undecidable);
  EXPECT_THROW((void)(nothing == Number(0)), Undecidable);
  EXPECT_THROW((void)(nothing <= Number(0)), Undecidable);
  EXPECT_THROW((void)nothing.floor(), Undecidable);
  EXPECT_THROW((void)nothing.is_integer(), Undecidable);
  EXPECT_THROW((void)quotient(Number(1), nothing), Undecidable);
  EXPECT_THROW((void)(sum == sum), Undecidable);
}

// Numbers of all forms against machine numbers: what is decided is decided rightly.
TEST(Number, RootsFollowMachineNumbers) {
  std::uint64_t seed = 1;
  const auto draw = [&](std::uint64_t n) {
    return static_cast<std::int64_t>((seed = mix(seed, 7)) % n);
  };
  struct Both {
    Number exact;
    double machine;
  };
  for (int round = 0; round < 2000; ++round) {
    const auto make = [&]() -> Both {
      const std::int64_t top = draw(40), bottom = 1 + draw(6);
      const double value = static_cast<double>(top) / static_cast<double>(bottom);
      const Number fraction = quotient(top, bottom);
      if (draw(3) == 0) return {fraction, value};
      return draw(2) == 0 ? Both{*fraction.root(), std::sqrt(value)}
                          : Both{-*fraction.root(), -std::sqrt(value)};
    };
    Both now = make();
    for (int step = 0; step < 3; ++step) {
      const Both next = make();
      const std::int64_t what = draw(next.machine == 0 ? 3 : 4);
      now = what == 0   ? Both{now.exact + next.exact, now.machine + next.machine}
            : what == 1 ? Both{now.exact - next.exact, now.machine - next.machine}
            : what == 2 ? Both{now.exact * next.exact, now.machine * next.machine}
                        : Both{quotient(now.exact, next.exact), now.machine / next.machine};
      EXPECT_NEAR(now.exact.approximate(), now.machine, 1e-6 * (1 + std::abs(now.machine)));
      const Both other = make();
      if (std::abs(now.machine - other.machine) < 1e-6) continue;
      EXPECT_EQ(compare(now.exact, other.exact), now.machine < other.machine ? -1 : 1);
      EXPECT_FALSE(now.exact == other.exact);
    }
  }
}

TEST(Number, IntegerDivisionIsEuclidean) {
  // By hand: a = b * q + r with 0 <= r < |b|.
  const struct {
    int a, b, q, r;
  } cases[] = {{7, 2, 3, 1}, {-7, 2, -4, 1}, {7, -2, -3, 1}, {-7, -2, 4, 1}, {6, -3, -2, 0}};
  for (const auto& c : cases) {
    EXPECT_EQ(euclidean_quotient(c.a, c.b).text(), std::to_string(c.q)) << c.a << " / " << c.b;
    EXPECT_EQ((Number(c.a) - Number(c.b) * euclidean_quotient(c.a, c.b)).text(),
              std::to_string(c.r));
  }
  EXPECT_EQ(quotient(7, 2).floor().text(), "3");
  EXPECT_EQ(quotient(-7, 2).floor().text(), "-4");
  EXPECT_EQ(quotient(-7, 2).ceiling().text(), "-3");
}

TEST(Domain, KnowsItsBounds) {
  const Domain open{{core::Base::Real, false, 0}, Bound{0, true}, Bound{1, true}, 5};
  EXPECT_FALSE(open.contains(0));
  EXPECT_FALSE(open.contains(1));
  EXPECT_TRUE(open.contains(quotient(1, 2)));
  EXPECT_TRUE(open.contains(nearest(open)));
  const Domain whole{{core::Base::Int, false, 0}, Bound{quotient(1, 2), false}, Bound{3, true}, 9};
  EXPECT_EQ(nearest(whole).text(), "2");
  EXPECT_FALSE(whole.contains(quotient(3, 2)));
}

TEST(Choosers, ExhaustiveTriesEveryValueOnce) {
  ExhaustiveChooser chooser;
  std::vector<std::string> seen;
  const Domain three{{core::Base::Int, false, 0}, Bound{-1, false}, Bound{1, false}, 0};
  const Domain truth{{core::Base::Bool, false, 0}, {}, {}, 0};
  do {
    const std::string a = chooser.value(three, {}).text();
    seen.push_back(a + chooser.value(truth, {}).text());
  } while (chooser.next());
  EXPECT_EQ(seen, (std::vector<std::string>{"-10", "-11", "00", "01", "10", "11"}));
  EXPECT_TRUE(chooser.complete());
}

TEST(Choosers, ExhaustiveSaysWhenItIsNot) {
  ExhaustiveChooser chooser;
  (void)chooser.value({{core::Base::Int, false, 0}, {}, {}, 0}, {});
  EXPECT_FALSE(chooser.complete());
}

TEST(Choosers, RandomValuesAreInTheDomain) {
  const Domain domains[] = {
      {{core::Base::Real, false, 0}, Bound{0, true}, Bound{1, true}, 0},
      {{core::Base::Real, false, 0}, Bound{3, true}, {}, 0},
      {{core::Base::Real, false, 0}, {}, Bound{-3, true}, 0},
      {{core::Base::Int, true, 0}, Bound{2, true}, {}, 0},
      {{core::Base::Int, false, 0}, Bound{-2, false}, Bound{2, true}, 7},
      {{core::Base::Bool, false, 0}, {}, {}, 0},
  };
  const core::FaultSite site{"*", {0, 1}};
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomChooser chooser(seed, {0, 1});
    (void)chooser.specification({0, {}, site, {0, 1}, {true, false}});
    for (const Domain& d : domains) EXPECT_TRUE(d.contains(chooser.value(d, {})));
  }
}

// Of a value that cannot be evaluated nothing is known, and nothing is thrown.
TEST(Inputs, AStateThatCannotBeEvaluatedHasNoInputs) {
  core::Program program;
  const core::VarId q = program.vars.add({core::VarKind::Bound, "q", {}, {}});
  const core::ExprId ref = program.exprs.add({{}, {}, core::VarRef{q, core::Side::Open}});
  const core::ExprId body =
      program.exprs.add({{core::Base::Bool}, {}, core::Apply{core::Op::Eq, {ref, ref}}});
  const core::ExprId init =
      program.exprs.add({{core::Base::Bool}, {}, core::Quant{true, {q}, body}});
  const core::VarId state = program.vars.add({core::VarKind::State, "s", {core::Base::Bool}, {}});
  program.model.states.push_back({state, init});
  core::Function f{};
  f.body = program.stmts.add({{}, core::Block{}});
  const core::FunctionId id = program.functions.add(f);
  const Machine machine(program);
  EXPECT_EQ(empty_inputs(machine).values.relaxed[state.value].scalar.text(), "0");
  EXPECT_FALSE(random_inputs(machine, id, 1, {}));
}

// Two sizes that are small by themselves need not be so together.
TEST(Machine, RefusesAMatrixThatIsTooLarge) {
  const core::Type matrix{core::Base::Int, false, 2};
  for (const char* size : {"1000", "100000"}) {
    core::Program program;
    const core::VarId var = program.vars.add({core::VarKind::Local, "a", matrix, {}});
    const core::ExprId n = program.exprs.add({{}, {}, core::NumberConst{size}});
    const core::StmtId body = program.stmts.add({{}, core::Declare{var, {n, n}}});
    core::Function f{};
    f.body = body;
    const core::FunctionId id = program.functions.add(f);
    const Machine machine(program);
    ExactChooser chooser;
    const Outcome o = machine.run(id, empty_inputs(machine), chooser, {});
    EXPECT_EQ(o.end, std::string_view(size) == "1000" ? End::Done : End::Undecidable) << size;
  }
}

// A lemma that makes k of n, and who calls it with x and claims something of what it got.
struct MakerBench : core::Builder {
  core::VarId n = param("n"), k = local("k"), x = param("x");
  core::VarId got = var(core::VarKind::Temp, "got");
  core::FunctionId lemma = function("l", {n}, {});

  // The lemma makes n + 1, behind these.
  void set_body(std::vector<core::StmtId> before) {
    before.push_back(stmt(core::Declare{k, {}, true}));
    before.push_back(assign(k, op(core::Op::Add, ref(n), num("1"))));
    core::Function& f = program.functions[lemma];
    f.lemma = f.ends = true;
    f.results = {k};
    f.body = block(std::move(before));
  }
  Outcome run(core::ExprId needs, core::ExprId ensures, core::ExprId claimed) {
    const core::StmtId recall = stmt(core::Recall{
        lemma, false, {{core::NeedKind::Requires, needs}}, {ensures}, {{got, {}}}, {ref(x)}});
    const core::FunctionId f = function("f", {x}, {recall, claim(claimed)});
    const Machine machine(program);
    Inputs inputs = empty_inputs(machine);
    inputs.values.original[x.value].scalar = 3;
    inputs.values.relaxed[x.value].scalar = 5;
    ExactChooser chooser;
    return machine.run(f, inputs, chooser, {});
  }
  core::ExprId next() { return op(core::Op::Eq, ref(got), op(core::Op::Add, ref(x), num("1"))); }
};

TEST(Machine, RunsALemmaForWhatItMakes) {
  MakerBench b;
  b.set_body({b.claim(b.truth(false))});  // claimed of the lemma, and not here
  const Outcome o = b.run(b.truth(true), b.truth(true), b.next());
  EXPECT_EQ(o.end, End::Done);
  EXPECT_TRUE(o.violations.empty());
}

TEST(Machine, SaysThatALemmaMakesSomethingElse) {
  MakerBench b;
  b.set_body({});
  const Outcome o = b.run(b.truth(true), b.op(core::Op::Eq, b.ref(b.got), b.num("4")), b.next());
  EXPECT_EQ(o.end, End::Done);
  ASSERT_EQ(o.violations.size(), 1u);  // of the original it holds
  EXPECT_EQ(o.violations[0].kind, ViolationKind::LemmaEnsures);
  EXPECT_EQ(o.violations[0].side, core::Side::Relaxed);
}

TEST(Machine, HasZeroFromALemmaThatIsNotMet) {
  MakerBench b;
  b.set_body({});
  const Outcome o = b.run(b.op(core::Op::Gt, b.ref(b.x), b.num("5")), b.truth(false),
                          b.op(core::Op::Eq, b.ref(b.got), b.num("0")));
  EXPECT_EQ(o.end, End::Done);
  ASSERT_EQ(o.violations.size(), 2u);
  for (const Violation& v : o.violations) EXPECT_EQ(v.kind, ViolationKind::LemmaRequires);
}

// Else a lemma that fails would excuse the original run.
TEST(Machine, KnowsNothingBehindALemmaThatMakesNothing) {
  MakerBench fails;
  fails.set_body({fails.stmt(core::Check{core::CheckKind::Bounds, fails.truth(false)})});
  EXPECT_EQ(fails.run(fails.truth(true), fails.truth(true), fails.next()).end, End::Undecidable);
  MakerBench turns;
  const core::StmtId again = turns.stmt(core::Recall{turns.lemma,
                                                     false,
                                                     {},
                                                     {},
                                                     {{turns.var(core::VarKind::Temp, "t"), {}}},
                                                     {turns.ref(turns.n)}});
  turns.set_body({again});
  EXPECT_EQ(turns.run(turns.truth(true), turns.truth(true), turns.next()).end, End::Undecidable);
}

// Enough for several blocks.
Variables make_variables() {
  Variables out;
  out.resize(1000);
  for (std::size_t i = 0; i < out.size(); i += 100) out[i].scalar = static_cast<std::int64_t>(i);
  return out;
}

TEST(Variables, ACopyIsNotChangedWithWhatItWasMadeFrom) {
  Variables first = make_variables();
  const Variables second = first;
  first[300].scalar = -1;
  EXPECT_EQ(second[300].scalar.text(), "300");
  EXPECT_EQ(first[300].scalar.text(), "-1");
  EXPECT_EQ(first[301].scalar.text(), "0");
}

TEST(Variables, ADuplicateLeavesReferencesGood) {
  Variables first = make_variables();
  Value& kept = first[300];
  const Variables second = first.duplicate();
  kept.scalar = -1;
  EXPECT_EQ(first[300].scalar.text(), "-1");
  EXPECT_EQ(second[300].scalar.text(), "300");
}

TEST(Variables, AreSetWhereTheyAre) {
  Variables first;
  first.resize(1000);
  Value& kept = first[300];
  const Variables other = make_variables();
  first.set_all(other);
  EXPECT_EQ(kept.scalar.text(), "300");
  kept.scalar = -1;
  EXPECT_EQ(first[300].scalar.text(), "-1");
  EXPECT_EQ(first[900].scalar.text(), "900");
  EXPECT_EQ(other[300].scalar.text(), "300");
}

// As deep as there are elements, and with what was found before.
TEST(Definitions, AreEvaluatedWithoutTheNativeStack) {
  core::Builder b;
  const core::VarId v = b.param("v", core::kIntVector), n = b.param("n", core::kUintType);
  const core::ExprId total = b.defined(b.sum(), {b.ref(v), b.ref(n)});
  const Evaluator evaluator(b.program);
  Pair now;
  for (Variables* side : {&now.original, &now.relaxed}) {
    side->resize(b.program.vars.size());
    (*side)[v.value].array = std::make_shared<Array>(Array{{200'000}, {}});
    (*side)[v.value].array->elements.resize(200'000, Number(3));
    (*side)[n.value].scalar = 200'000;
  }
  Results results;
  Scope scope{now, core::Side::Relaxed, nullptr, {}, {}, &results};
  EXPECT_EQ(evaluator.number(total, scope).text(), "600000");
  EXPECT_EQ(evaluator.number(total, scope).text(), "600000");
  // Another vector has another sum.
  now.relaxed[v.value].array = std::make_shared<Array>(*now.relaxed[v.value].array);
  now.relaxed[v.value].array->elements[7] = 4;
  EXPECT_EQ(evaluator.number(total, scope).text(), "600001");
  // Outside of the domain there is no value.
  now.relaxed[n.value].scalar = -1;
  EXPECT_THROW((void)evaluator.number(total, scope), Undecidable);
}

// A body that hands on a vector that no variable has is looked at several times, and makes it each
// time: w(v, n) = if n == 0 then v[0] else w(v[0 := v[0] + n], n - 1).
TEST(Definitions, HandOnVectorsThatNoVariableHas) {
  core::Builder b;
  const auto bound = [&](const char* name, core::Type type) {
    return b.var(core::VarKind::Bound, name, type);
  };
  const core::VarId u = bound("u", core::kIntVector), k = bound("k", core::kUintType);
  const core::DefinitionId w = b.definition("w", {u, k});
  const core::ExprId more = b.op(core::Op::Add, b.select(u, b.num("0")), b.ref(k));
  const core::ExprId changed = b.expr(core::kIntVector, core::Update{b.ref(u), b.num("0"), more});
  const core::ExprId rest = b.defined(w, {changed, b.op(core::Op::Sub, b.ref(k), b.num("1"))});
  b.program.definitions[w].body = b.expr(
      core::kIntType,
      core::Apply{core::Op::Choose,
                  {b.op(core::Op::Eq, b.ref(k), b.num("0")), b.select(u, b.num("0")), rest}});
  const core::VarId v = b.param("v", core::kIntVector);
  const core::ExprId used = b.defined(w, {b.ref(v), b.num("10")});
  const Evaluator evaluator(b.program);
  Pair now;
  now.original.resize(b.program.vars.size());
  now.relaxed.resize(b.program.vars.size());
  now.relaxed[v.value].array = std::make_shared<Array>(Array{{2}, {Number(5), Number(0)}});
  Scope scope{now};
  EXPECT_EQ(evaluator.number(used, scope).text(), "60");
}

TEST(Definitions, ThatNeedThemselvesHaveNoValue) {
  core::Builder b;
  const core::VarId k = b.var(core::VarKind::Bound, "k");
  const core::DefinitionId lost = b.definition("lost", {k});
  const core::ExprId body = b.op(core::Op::Add, b.defined(lost, {b.ref(k)}), b.num("1"));
  b.program.definitions[lost].body = body;
  const core::ExprId used = b.defined(lost, {b.num("3")});
  const Evaluator evaluator(b.program);
  const Pair now;
  Scope scope{now};
  EXPECT_THROW((void)evaluator.number(used, scope), Undecidable);
}

}  // namespace leto::interp
