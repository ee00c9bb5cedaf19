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

namespace {

// Why a script's functions cannot be used, for bool bad(uint a); what is then known of bad(3).
std::string functions_refused(const char* script, bool* of_three = nullptr) {
  core::Program program = made();
  core::Var a = program.vars[core::VarId{0}];
  a.kind = core::VarKind::Bound;
  a.type.natural = true;
  core::Definition bad;
  bad.name = "model.bad";
  bad.type = {core::Base::Bool, false, 0};
  bad.params = {program.vars.add(a)};
  bad.rigid = true;
  const core::DefinitionId id = program.definitions.add(bad);
  const interp::Machine machine(program);
  interp::Inputs inputs = interp::empty_inputs(machine);
  std::string why;
  functions_from_json(program, nlohmann::json::parse(script), inputs, why);
  const interp::Number* found = inputs.values.tables->find(id, {3});
  if (of_three != nullptr) *of_three = found != nullptr && found->truth();
  if (why.empty()) {
    const auto again = script_to_json(program, core::FunctionId{0}, inputs, {});
    interp::Inputs other = interp::empty_inputs(machine);
    functions_from_json(program, again, other, why);
    EXPECT_EQ(script_to_json(program, core::FunctionId{0}, other, {}), again);
  }
  return why;
}

}  // namespace

TEST(Functions, AreReadAndWrittenPointByPoint) {
  bool of_three = false;
  EXPECT_EQ(
      functions_refused(R"({"functions": {"bad": [[[3], true]], "default": false}})", &of_three),
      "");
  EXPECT_TRUE(of_three);
  EXPECT_EQ(functions_refused(R"({"functions": {"model.bad": [[[3], true]]}})", &of_three), "");
  EXPECT_TRUE(of_three);
  EXPECT_EQ(functions_refused(R"({"functions": {"default": true}})"), "");
  EXPECT_EQ(functions_refused(R"({"faults": []})"), "");
}

TEST(Functions, WhatIsNoPointIsRefused) {
  for (const char* wrong :
       {R"({"functions": []})", R"({"functions": {"worse": []}})", R"({"functions": {"bad": 1}})",
        R"({"functions": {"bad": [[3, true]]}})", R"({"functions": {"bad": [[[3, 4], true]]}})",
        R"({"functions": {"bad": [[[-3], true]]}})", R"({"functions": {"bad": [[[3], 2]]}})",
        R"({"functions": {"bad": [[[3], true], [[3], false]]}})",
        R"({"functions": {"default": []}})"})
    EXPECT_NE(functions_refused(wrong), "") << wrong;
}

}  // namespace leto::script
