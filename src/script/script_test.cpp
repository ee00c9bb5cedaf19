// Inputs as JSON: what is refused. What is taken is tested with the whole tool, and by fuzz_inputs.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "script/inputs.h"
#include "script/parse.h"

namespace leto::script {

namespace {

// int f(int x), and a constant K.
core::Program made() {
  core::Program program;
  core::Var x, k;
  x.name = "x";
  x.kind = core::VarKind::Param;
  x.type = {core::Base::Int, false, 0};
  k = x;
  k.name = "K";
  k.kind = core::VarKind::Constant;
  const core::VarId x_id = program.vars.add(x), k_id = program.vars.add(k);
  program.constants.push_back({k_id, {}});
  core::Function f;
  f.name = "f";
  f.params = {x_id};
  f.body = program.stmts.add({{}, core::Block{}});
  program.functions.add(f);
  return program;
}

// Why these inputs cannot be used for it; empty if they can.
std::string why_refused(const char* inputs) {
  const core::Program program = made();
  const interp::Machine machine(program);
  std::string why;
  (void)inputs_from_json(machine, core::FunctionId{0}, nlohmann::json::parse(inputs), why);
  return why;
}

}  // namespace

// A constant is one in both runs; with a side, it would be two.
TEST(Inputs, AConstantHasNoSide) {
  EXPECT_EQ(why_refused(R"({"x": 1, "K": 2})"), "");
  EXPECT_EQ(why_refused(R"({"x<o>": 1, "x<r>": 3, "K": 2})"), "");
  EXPECT_EQ(why_refused(R"({"x": 1, "K<o>": 2, "K<r>": 3})"),
            "'K' is the same in both runs: give it without a side");
}

TEST(Inputs, WhatIsMissingOrUnknownIsNamed) {
  EXPECT_EQ(why_refused(R"({"K": 2})"), "the parameter 'x' is not given");
  EXPECT_EQ(why_refused(R"({"x": 1, "z": 2})"),
            "there is no parameter or constant 'z'; there are x, K");
  EXPECT_EQ(why_refused(R"({"x": [1]})"),
            "'x': [1] is not a number, a truth value or a text such as \"1/2\"");
}

// Two readers would believe different ones.
TEST(Parse, ANameThatComesTwiceIsRefused) {
  std::string problem;
  EXPECT_FALSE(parse_json(R"({"x": 1, "x": 2})", problem));
  EXPECT_EQ(problem, "'x' comes twice");
}

// A binary fraction is not what the user wrote.
TEST(Parse, NumbersStayExact) {
  std::string problem;
  const auto found = parse_json(R"({"x": 0.1, "y": 123456789012345678901})", problem);
  ASSERT_TRUE(found) << problem;
  EXPECT_EQ((*found)["x"], "0.1");
  EXPECT_EQ((*found)["y"], "123456789012345678901");
}

TEST(Parse, WhatIsNestedTooDeeplyIsRefused) {
  std::string problem;
  EXPECT_FALSE(parse_json(std::string(40, '[') + std::string(40, ']'), problem));
  EXPECT_EQ(problem, "it is nested too deeply");
}

}  // namespace leto::script
