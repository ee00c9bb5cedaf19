#include "transition/mcmt.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <random>

#include "transition/expressions.h"
#include "transition/text.h"
#include "transition/value.h"

namespace leto::transition {

namespace {

struct Reading {
  SourceStore sources;
  DiagnosticList diagnostics;
  std::vector<System> systems;

  explicit Reading(const std::vector<std::string>& texts) {
    std::vector<FileId> files;
    for (const std::string& text : texts) files.push_back(sources.add("test.mcmt", text));
    systems = read_mcmt(sources, files, diagnostics);
  }
  [[nodiscard]] std::string codes() const {
    std::string out;
    for (const Diagnostic& d : diagnostics.all()) out += std::string(info(d.kind).code) + " ";
    return out;
  }
  // Where the first complaint points to.
  [[nodiscard]] std::string_view at() const {
    return diagnostics.all().empty() ? "" : sources.text(*diagnostics.all()[0].span);
  }
};

std::string around(const std::string& variables, const std::string& initial,
                   const std::string& steps, const std::string& rest) {
  return "(define-state-type s (" + variables + "))(define-states i s " + initial +
         ")(define-transition t s " + steps + ")(define-transition-system T s i t)" + rest;
}
std::string asking(const std::string& query) {
  return around("(x Real) (y Real) (b Bool) (n Int) (v (_ BitVec 4))", "true", "true",
                "(query T " + query + ")");
}
std::string codes_of(const std::string& query) {
  return Reading({asking(query)}).codes();
}

TEST(Mcmt, DialectsMeanTheSame) {
  const Reading plain(
      {around("(x Real)", "(= x 0)", "(= next.x (+ state.x 1))", "(query T (>= x 0))")});
  const Reading other({around("(x Real)", "(= x 0)", "(= x' (+ x 1))", "(query T (>= x 0))")});
  ASSERT_EQ(plain.codes() + other.codes(), "");
  for (const Reading* reading : {&plain, &other}) {
    const System& system = reading->systems.at(0);
    EXPECT_EQ(find_fault(system), std::nullopt);
    TermTable& t = *system.terms;
    const Variable& x = system.variables.at(0);
    EXPECT_EQ(relation_of(system),
              t.eq(x.next, t.arith(logic::Kind::Add, x.now, t.number("1", logic::kReal))));
  }
}

TEST(Mcmt, WhatCanBeReadInTwoWaysIsRefused) {
  const auto codes = [](const std::string& text) { return Reading({text}).codes(); };
  EXPECT_EQ(codes("(define-state-type s ((x Real) (x' Real)))"), "L1103 ");
  EXPECT_EQ(codes("(define-state-type s ((x Real) (state.x Real)))"), "L1103 ");
  EXPECT_EQ(codes("(define-state-type s ((next.x Real) (x Real)))"), "L1103 ");
  EXPECT_EQ(codes("(define-state-type s ((x Real)) ((x Real)))"), "L1103 ");
  EXPECT_EQ(codes("(define-state-type s ((input.i Real)) ((i Real)))"), "L1103 ");
  EXPECT_EQ(codes("(define-constant x 1)(define-state-type s ((x Real)))"), "L1103 ");
  EXPECT_EQ(codes("(define-state-type s ((x Real)))(define-constant x 1)"), "L1103 ");
  EXPECT_EQ(codes("(define-state-type s ((x Real)))(define-constant x' 1)"), "L1103 ");
  EXPECT_EQ(codes("(define-constant c 1)(define-constant c 1)"), "L1103 ");
  EXPECT_EQ(codes_of("(let ((x y)) (= x y))"), "L1103 ");
  EXPECT_EQ(codes_of("(let ((i y)) (= i y))"), "L1103 ");
  EXPECT_EQ(codes_of("(let ((a x) (a y)) (= a y))"), "L1103 ");
}

TEST(Mcmt, BindingsAreReadInSequence) {
  const Reading reading({asking("(let ((a x) (c (+ a 1))) (= c y))")});
  ASSERT_EQ(reading.codes(), "");
  const System& system = reading.systems.at(0);
  TermTable& t = *system.terms;
  const Term sum = t.arith(logic::Kind::Add, system.variables[0].now, t.number("1", logic::kReal));
  EXPECT_EQ(system.claims.at(0).formula, t.eq(sum, system.variables[1].now));
  // Side by side, `c` would be the outer `a`.
  EXPECT_EQ(codes_of("(let ((a y)) (let ((a x) (c (+ a 1))) (= c y)))"), "L1108 ");
  EXPECT_EQ(codes_of("(let ((a y)) (let ((a x)) (= a y)))"), "");
}

TEST(Mcmt, AnAssumptionHoldsForTheQueriesBehindIt) {
  const Reading reading({around("(x Real)", "true", "true",
                                "(query T (<= x 1))(query T (<= x 2))(assume T (<= x 0))"
                                "(query T (<= x 3))(assume T (>= x 0))(query T (= x 0))")});
  ASSERT_EQ(reading.codes(), "");
  ASSERT_EQ(reading.systems.size(), 3u);
  TermTable& t = *reading.systems[0].terms;
  EXPECT_EQ(reading.systems[0].claims.size(), 2u);
  EXPECT_TRUE(t.is_true(reading.systems[0].assumed));
  EXPECT_EQ(reading.systems[1].assumed,
            t.le(reading.systems[1].variables[0].now, t.number("0", logic::kReal)));
  EXPECT_EQ(reading.systems[2].claims.at(0).name, "query 4");
  EXPECT_EQ(t[reading.systems[2].assumed].args.size(), 2u);
}

// What stands behind a comment is not part of it, whatever ends the line.
TEST(Mcmt, ACommentEndsWithItsLine) {
  for (const char* end : {"\n", "\r\n", "\r"}) {
    const Reading reading(
        {around("(x Real)", "true", "true",
                std::string("(query T (<= x 1)); the first") + end + "(query T (<= x 2))")});
    ASSERT_EQ(reading.codes(), "");
    EXPECT_EQ(reading.systems.at(0).claims.size(), 2u);
  }
}

TEST(Mcmt, AnAssumptionIsAboutStates) {
  const auto assuming = [](const std::string& formula) {
    return Reading({"(define-state-type s ((x Real)) ((i Real)))"
                    "(define-transition-system T s true true)(assume T " +
                    formula + ")"})
        .codes();
  };
  EXPECT_EQ(assuming("(<= x 0)"), "");
  EXPECT_EQ(assuming("(<= next.x 0)"), "L1107 ");
  EXPECT_EQ(assuming("(<= x' 0)"), "L1107 ");
  EXPECT_EQ(assuming("(<= i 0)"), "L1107 ");
  EXPECT_EQ(assuming("(<= input.i 0)"), "L1107 ");
}

TEST(Mcmt, NumbersAreRealWhereARealIsWanted) {
  EXPECT_EQ(codes_of("(= x 1)"), "");
  EXPECT_EQ(codes_of("(= n 1)"), "");
  EXPECT_EQ(codes_of("(= x 0.5)"), "");
  EXPECT_EQ(codes_of("(= n 0.5)"), "L1104 ");
  EXPECT_EQ(codes_of("(= x n)"), "L1104 ");
  EXPECT_EQ(codes_of("(< (+ x 1) (+ n 1))"), "L1104 ");
  EXPECT_EQ(codes_of("(= x (ite b 1 2))"), "");
  EXPECT_EQ(codes_of("(= b 1)"), "L1104 ");
  EXPECT_EQ(codes_of("(= v 1)"), "L1104 ");
  EXPECT_EQ(codes_of("(and b x)"), "L1104 ");
  EXPECT_EQ(codes_of("x"), "L1104 ");
  // One constant, of either sort.
  EXPECT_EQ(Reading({"(define-constant c (* 2 3))" + asking("(and (= x c) (= n c))")}).codes(), "");
}

TEST(Mcmt, DivisionIsByConstantsOtherThanZero) {
  EXPECT_EQ(codes_of("(= (/ x 2) 1)"), "");
  EXPECT_EQ(codes_of("(= x (/ 1 5))"), "");
  EXPECT_EQ(codes_of("(= (/ x 0) 1)"), "L1105 ");
  EXPECT_EQ(codes_of("(= (/ x (- 1 1)) 1)"), "L1105 ");
  EXPECT_EQ(codes_of("(= (/ x y) 1)"), "L1105 ");
  EXPECT_EQ(codes_of("(= (/ x (- y y)) 1)"), "L1105 ");
  EXPECT_EQ(codes_of("(= (/ n 2) 1)"), "L1104 ");
  EXPECT_EQ(codes_of("(= n (/ 4 2))"), "L1104 ") << "a quotient is real";
}

TEST(Mcmt, ComplaintsPointToThePlace) {
  EXPECT_EQ(Reading({asking("(= z 1)")}).at(), "z");
  EXPECT_EQ(Reading({asking("(= (/ x y) 1)")}).at(), "y");
  EXPECT_EQ(Reading({"(define-state-type s ((x Integer)))"}).at(), "Integer");
  EXPECT_EQ(Reading({asking("(cond (b true))")}).at(), "(cond (b true))");
}

TEST(Mcmt, GarbageIsRefusedAndNothingElse) {
  const std::string good = asking("(let ((a x)) (cond ((= a 1) b) (else (bvult v #b0101))))");
  ASSERT_EQ(Reading({good}).codes(), "");
  std::mt19937 random(7);
  const std::string letters = "() x'1.;|#bletcond_\n/=";
  unsigned refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = good;
    for (unsigned edits = 1 + random() % 3; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      if (random() % 2 == 0)
        text.erase(at, 1 + random() % 4);
      else
        text.insert(at, 1, letters[random() % letters.size()]);
    }
    const Reading reading({text});
    if (reading.diagnostics.errors() > 0) {
      ++refused;
      continue;
    }
    for (const System& system : reading.systems) {
      EXPECT_EQ(find_fault(system), std::nullopt) << text;
    }
  }
  EXPECT_GT(refused, 2000u);
}

TEST(Mcmt, DeepAndSharedTermsStayLinear) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "(not ";
  EXPECT_EQ(codes_of(deep + "b" + std::string(100'000, ')')), "L1101 ");
  std::string shared = "(let (";
  for (int i = 0; i < 20'000; ++i) {
    const std::string before = i == 0 ? "x" : fmt::format("a{}", i - 1);
    shared += fmt::format("(a{} (+ {} {}))", i, before, before);
  }
  const Reading reading({asking(shared + ") (= a19999 y))")});
  ASSERT_EQ(reading.codes(), "");
  Script script(reading.systems[0]);
  script.add("c", reading.systems[0].claims[0].formula);
  EXPECT_LT(script.define("c", 0).size(), 2'000'000u);
  std::string nested;
  for (int i = 0; i < 50'000; ++i)
    nested += fmt::format("(let ((a{} {})) ", i, i == 0 ? "b" : fmt::format("(not a{})", i - 1));
  EXPECT_EQ(codes_of(nested + "a49999" + std::string(50'000, ')')), "");
}

// What is written is read as the same term.
TEST(Text, IsReadBack) {
  const std::vector<std::string> formulas = {
      "(and b (or (= x (/ 1 5)) (< (* 2 x) (- y))) (=> b (= n (- 3))))",
      "(= (ite b x (+ x y 1)) (ite b x (+ x y 1)))",
      "(bvult (bvadd v #b0001) (concat #b00 #b11))",
      "(= ((_ extract 2 1) v) #b01)",
      "(distinct x y 1.5)",
      "(xor b (= x y) (= n 3))"};
  for (const std::string& formula : formulas) {
    const Reading reading({asking(formula)});
    ASSERT_EQ(reading.codes(), "") << formula;
    const System& system = reading.systems[0];
    TermWriter writer(*system.terms, "$");
    for (const Variable& variable : system.variables) writer.name(variable.now, variable.name);
    SourceStore sources;
    const FileId file = sources.add("again", writer.write(system.claims[0].formula));
    DiagnosticList complaints;
    Sexprs sexprs(sources);
    const auto read = sexprs.read(file, complaints);
    Expressions expressions(*system.terms, sexprs, Notation::SmtLib, complaints);
    const Term again = expressions.read_formula(read.at(0), [&](SexprId atom) {
      for (const Variable& variable : system.variables)
        if (variable.name == sexprs[atom].text) return std::optional(Typed{variable.now});
      return std::optional<Typed>();
    });
    EXPECT_EQ(again, system.claims[0].formula) << formula;
  }
}

}  // namespace

}  // namespace leto::transition
