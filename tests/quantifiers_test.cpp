// Which quantifiers run, and with which answer: by the tree, by byte code and by the oracle.
#include "oracle_case.h"
#include "soundness/ready.h"

namespace leto::oracle {
namespace {

const char* const kProgram =
    "property near(int a, int b) : abs(a - b) <= 1;\n"
    "property among(int a, int m) : 0 <= a && a < m;\n"
    "void f(uint n, vector<int> v(n), int x, real y, bool c) { assert ";

// n == 3, v == [4, 5, 6], x == -7, y == 1/2, c is false.
// Said are "true", "false" or why not.
std::string told(const interp::Outcome& outcome) {
  if (outcome.end == interp::End::Done) return "true";
  if (outcome.end == interp::End::OriginalFailed) return "false";
  return outcome.why;
}

std::string told(End end) {
  return end == End::Done ? "true" : end == End::OriginalFailed ? "false" : "undecidable";
}

// What the tree says, and whether byte code says the same.
std::string ours(const std::string& claim) {
  std::string problem;
  const auto ready = soundness::prepare(kProgram + claim + "; }", "", &problem);
  if (!ready) return problem;
  const core::Program& program = *ready->program;
  const interp::Machine machine(program);
  const core::FunctionId f{0};
  interp::Inputs inputs = interp::empty_inputs(machine);
  const auto& params = program.functions[f].params;
  auto v = std::make_shared<interp::Array>(interp::Array{{3}, {4, 5, 6}});
  const std::vector<interp::Value> values = {
      {3, nullptr}, {0, v}, {-7, nullptr}, {quotient(interp::Number(1), 2), nullptr}, {0, nullptr}};
  for (std::size_t i = 0; i < values.size(); ++i)
    for (interp::Variables* side : {&inputs.values.original, &inputs.values.relaxed})
      (*side)[params[i].value] = values[i];
  interp::ExactChooser one, other;
  const std::string tree = told(machine.run(f, inputs, one, {}));
  interp::ByteMachine bytes(machine, f);
  const std::string byte_code = told(bytes.run(inputs, other, {}));
  return tree == byte_code ? tree : "tree: " + tree + "; byte code: " + byte_code;
}

std::string theirs(const std::string& claim) {
  Case c(kProgram + claim + "; }");
  c.both("n", 3).both("v", vector({4, 5, 6})).both("x", -7).both("y", Number(1, 2));
  return told(c.both("c", 0).run().end);
}

// The oracle reads less: it may say that it does not know.
void expect(const std::string& claim, const std::string& wanted, bool by_oracle = true) {
  EXPECT_EQ(ours(claim), wanted) << claim;
  if (by_oracle)
    EXPECT_EQ(theirs(claim), wanted) << claim;
  else
    EXPECT_TRUE(theirs(claim) == wanted || theirs(claim) == "undecidable") << claim;
}

TEST(QuantifiersRun, OverRangesOfEveryShape) {
  for (const char* claim : {
           "forall(uint i)(i < n -> v[i] == 4 + i)",
           "forall(int i)(0 <= i && i < n -> v[i] == 4 + i)",
           "forall(uint i)(i + 1 < n -> v[i] < v[i + 1])",
           "forall(int i)(-1 < i && 2 * i < n -> i <= 1)",
           "forall(int i)(x <= 2 * i && 2 * i <= n -> -3 <= i <= 1)",
           "forall(uint i, uint j)(i < j < n -> v[i] < v[j])",
           "forall(uint i, uint j)(i < j && j < n -> v[i] < v[j])",
           "forall(int i, int j)(0 <= i && i < j && j < n -> v[i] < v[j])",
           "forall(uint i, uint j)(i + j < n -> v[i] + v[j] < 11)",
           "forall(uint i)(forall(uint j)(i < j && j < n -> v[i] < v[j]))",
           "forall(uint i)(v[i] > 0 -> forall(uint j)(i < j && j < n -> v[i] < v[j]))",
           "forall(int i)(0 <= i -> forall(int j)(i < j -> (j < n -> v[i] < v[j])))",
           "forall(uint i)(i < n -> exists(uint j)(j < n && v[j] >= v[i]))",
           "exists(int i)(i == x && i < 0)",
           "exists(real r)(r == y && 2 * r == 1)",
           "forall(real r)(2 * r == y -> r < y)",
           "forall(int i, int j)(j == i + 1 && 0 <= i && j < n -> v[i] + 1 == v[j])",
           "forall(int i)(n <= i || i < 0 || v[i] == 4 + i)",
           "forall(int i)(!(0 <= i && i < n) || v[i] > 3)",
           "exists(int i)(!(i < 0 || n <= i) && v[i] == 6)",
           "exists(int i)(i == 2 || i == 1000000000)",
           "forall(int i)((i == 0 || i == 2) -> v[i] != 5)",
           "forall(int i)(among(i, n) -> v[i] > 3)",
           "forall(int i, int j)(among(i, n) && among(j, n) && i == j -> v[i] == v[j])",
           "forall(uint i)(i < 0 -> false)",
           "!exists(uint i)(i < 0)",
           "forall(bool b)(b || !b)",
       })
    expect(claim, "true", std::string(claim).find("1000000000") == std::string::npos);
  for (const char* claim : {
           "forall(int i, int j)(i <= j && j <= i + 2 && 0 <= i + j && i + j < 9 -> i < 5)",
           "forall(uint i)(i < n -> forall(int j)(near(i, j) -> abs(i - j) < 2))",
           "exists(int i)(abs(i) < n && i * i == 4 && i < 0)",
           "exists(uint i)(i * i <= 9 && i * i == 9)",
           "forall(int i)(i / 2 == 1 -> i == 2 || i == 3)",
           "forall(int i)(max(i, -i) < n -> -3 < i < 3)",
           "forall(int i)((c || 0 <= i) && (c || i < n) -> v[i] > 3)",
           "forall(int i)((if (c) true else 0 <= i && i < n) -> v[i] > 3)",
           "forall(int i, int unused)(0 <= i && i < n -> v[i] > 3)",
           "exists(uint i)(i < 1000000000 && (i == 3 || i == 999999999))",
           "forall(bool b)(b == (0 <= x) -> !b)",
       })
    expect(claim, "true", false);
}

// Each is false by one value only, at an end of its range.
TEST(QuantifiersRun, WithTheValueThatDecides) {
  for (const char* claim : {
           "forall(uint i)(i < n -> v[i] != 6)",
           "forall(int i)(0 <= i && i < n -> v[i] != 4)",
           "forall(int i)(0 <= i && 2 * i < n -> i != 1)",
           "forall(int i)(0 <= i && 2 * i <= n + 1 -> i != 2)",
           "forall(int i)(x <= 2 * i && i < 0 -> i != -3)",
           "forall(int i)(0 < -2 * i && -2 * i < 7 -> i != -3)",
           "forall(uint i, uint j)(i + j < n -> i != 2)",
           "forall(uint i, uint j)(i + j < n -> j != 2)",
           "forall(int i, int j)(0 <= i && i < j && j < n -> v[j] != 6)",
           "forall(int i)(0 <= i -> forall(int j)(i < j -> (j < n -> !(i == 1 && j == 2))))",
           "forall(int i)((i == 0 || i == 2) -> v[i] != 6)",
           "exists(int i)(0 <= i && i < n && v[i] == 7)",
           "exists(real r)(2 * r == 1 && r != y)",
       })
    expect(claim, "false");
  for (const char* claim : {
           "forall(int i, int j)(i <= j && j <= i + 2 && 0 <= i + j && i + j < 9 -> i != -1)",
           "forall(int i, int j)(i <= j && j <= i + 2 && 0 <= i + j && i + j < 9 -> j != 5)",
           "forall(int i)(abs(i) < n -> i != -2)",
           "forall(int i)(abs(i) < n -> i != 2)",
           "forall(int i)(i / 2 == -1 -> i != -2)",
           "forall(int i)(i / 2 == -1 -> i != -1)",
           "forall(int i)(i * i <= 9 -> i != -3)",
           "forall(int i, int j)((exists(int k)(k == 0 && i == k)) && "
           "(exists(int k)(k == 5 && j == k)) -> !(i == 0 && j == 5))",
       })
    expect(claim, "false", false);
}

// What looks like a bound and is none.
TEST(QuantifiersRun, NotWhereNothingBoundsThem) {
  const std::string what = "a quantifier cannot be tried out: ";
  const auto refused = [&](const char* claim, const std::string& why) {
    EXPECT_EQ(ours(claim), what + why) << claim;
    EXPECT_EQ(theirs(claim), "undecidable") << claim;
  };
  refused("forall(int i)(i < n -> v[i] < 9)", "no lower bound was found for 'i'");
  refused("exists(int i)(i >= 0 && v[i] == 9)", "no upper bound was found for 'i'");
  refused("forall(uint i)(v[i] == 0)", "no upper bound was found for 'i'");
  refused("forall(int i)(v[i] < 9)", "no bounds were found for 'i'");
  // Under `||`, and denied.
  refused("exists(uint i)((i < n || v[i] == 9) && v[i] == 8)", "no upper bound was found for 'i'");
  refused("forall(uint i)(!(i < n) -> v[i] < 9)", "no upper bound was found for 'i'");
  refused("exists(uint i)(i < n -> v[i] == 9)", "no upper bound was found for 'i'");
  refused("forall(uint i)(i < n && v[i] < 9)", "no upper bound was found for 'i'");
  refused("forall(int i)((c -> 0 <= i && i < n) -> v[i] < 9)", "no bounds were found for 'i'");
  // By each other only.
  refused("forall(uint i, uint j)(i < j && j < i + 2 -> v[i] < 9)",
          "no upper bound was found for 'i'");
  refused("forall(uint i, int j)(i < j -> v[i] < 9)", "no upper bound was found for 'i'");
  refused("forall(int i)(i % 2 == 0 -> v[i] < 9)", "no bounds were found for 'i'");
  refused("forall(int i)(x * 0 <= 0 * i -> v[i] < 9)", "no bounds were found for 'i'");
  refused("exists(real r)(0 < r && r < 1 && r == r * r)",
          "'r' is a real number, and nothing fixes its value");
  refused("forall(uint i)(i < 1e9 -> v[i] < 9)", "'i' can have more than 1000000 values");
}

}  // namespace
}  // namespace leto::oracle
