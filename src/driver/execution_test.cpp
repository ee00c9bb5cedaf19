// Inputs as JSON: what is refused. What is taken is tested with the whole tool, and by fuzz_inputs.
#include "driver/execution.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace leto::driver {

namespace {

// One program, and nothing else.
class OneFile final : public FileSystem {
 public:
  Content read(const std::string&, files::NamedBy) override {
    return {"const int K;\nrequires K > 0;\nint f(int x) { return x + K; }\n"};
  }
  bool exists(const std::string&) override { return true; }
  std::string real_path(const std::string& path) override { return path; }
  bool lies_in(const std::string&, const std::string&) override { return true; }
  std::optional<std::vector<std::string>> list(const std::string&) override {
    return std::vector<std::string>{};
  }
};

}  // namespace

// A constant is one in both runs; with a side, it would be two.
TEST(Inputs, AConstantHasNoSide) {
  OneFile files;
  Workspace workspace(files, {});
  std::istringstream in;
  std::ostringstream out, err;
  Streams streams{in, out, err, false, false, ""};
  ExecuteOptions options;
  options.file = "f.leto";
  const Allowance allowance;
  const auto executable = prepare(workspace, options, allowance, streams);
  ASSERT_TRUE(executable) << err.str();
  const auto problem = [&](const char* text) {
    std::string why;
    (void)inputs_from_json(*executable, nlohmann::json::parse(text), why);
    return why;
  };
  EXPECT_EQ(problem(R"({"x": 1, "K": 2})"), "");
  EXPECT_EQ(problem(R"({"x<o>": 1, "x<r>": 3, "K": 2})"), "");
  EXPECT_EQ(problem(R"({"x": 1, "K<o>": 2, "K<r>": 3})"),
            "'K' is the same in both runs: give it without a side");
}

}  // namespace leto::driver
