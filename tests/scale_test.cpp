// Checking and formatting take time linear in the size of the program: a
// generated program of 100,000 lines against one of 10,000, in one run. The
// allowance over 10 is for caches.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "driver/workspace.h"

namespace leto::tests {

// One file with functions, properties, loops, contracts and calls of earlier functions.
std::string program(std::size_t lines) {
  std::string text = "use model additive_seu;\n\n";
  std::size_t written = 2;
  for (std::size_t k = 0; written < lines; ++k) {
    const std::string n = std::to_string(k);
    const std::string before = k == 0 ? "" : std::to_string(k - 1);
    std::string one =
        "// Kernel number " + n +
        ".\n"
        "property_r close_" +
        n +
        "(vector<real> v, uint n):\n"
        "    forall(uint i)(i < n<r> -> abs(v<o>[i] - v<r>[i]) < model.eps);\n"
        "\n"
        "requires n > 0 && x[0] >= 0\n"
        "requires_r eq(n) && eq(x) && eq(y)\n"
        "ensures_r abs(result<o> - result<r>) <= n<r> * model.eps || true\n"
        "real kernel_" +
        n +
        "(uint n, vector<real> x(n), vector<real> y(n)) {\n"
        "    vector<real> z(n);\n"
        "    specvar real exact = 0;\n"
        "    @label(outer) for (uint i = 0; i < n; ++i)\n"
        "        invariant i <= n\n"
        "        invariant_r eq(i) && close_" +
        n +
        "(z, i)\n"
        "    {\n"
        "        z[i] = x[i] *. y[i] + " +
        n +
        ";\n"
        "        exact = exact + x[i] * y[i];\n"
        "        if (z[i] < 0 || x[i] == y[i]) {\n"
        "            z[i] = -z[i];  // mirrored\n"
        "        } else {\n"
        "            z[i] += 1;\n"
        "        }\n"
        "        assert_r !outer[model.upset] -> close_" +
        n +
        "(z, i) || true;\n"
        "    }\n" +
        (k == 0 ? "    real sum = 0;\n" : "    real sum = kernel_" + before + "(n, x, z);\n") +
        "    while (sum > 1)\n"
        "        invariant_r eq(sum) || sum<r> >= 0\n"
        "    {\n"
        "        sum = sum / 2;\n"
        "    }\n"
        "    return sum;\n"
        "}\n"
        "\n";
    written += static_cast<std::size_t>(std::count(one.begin(), one.end(), '\n'));
    text += one;
  }
  text.pop_back();  // no blank line at the end
  return text;
}

struct Times {
  double check = 0;
  double format = 0;
};

Times measure(const std::string& text) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> checks, formats;
  for (int round = 0; round < 5; ++round) {
    driver::RealFileSystem files;
    driver::Workspace workspace(files, {std::string(LETO_SOURCE_DIR) + "/models"});
    DiagnosticList diagnostics;
    const auto start = Clock::now();
    driver::Program loaded = workspace.load_text("scale.leto", text, diagnostics);
    const driver::PickedModel picked = workspace.pick_model(loaded, "", diagnostics);
    const check::Checked checked =
        check::check(loaded.trees, {picked.name, picked.bad}, workspace.names(), diagnostics);
    const auto middle = Clock::now();
    EXPECT_EQ(diagnostics.all().size(), 0u);
    const syntax::Tree& tree = *loaded.trees.back();
    const std::string formatted =
        syntax::format(tree, workspace.names(), &workspace.sources()[tree.file]);
    const auto end = Clock::now();
    EXPECT_TRUE(formatted == text);
    checks.push_back(std::chrono::duration<double>(middle - start).count());
    formats.push_back(std::chrono::duration<double>(end - middle).count());
  }
  std::sort(checks.begin(), checks.end());
  std::sort(formats.begin(), formats.end());
  return {checks[2], formats[2]};
}

TEST(Scale, TimeIsLinearInTheProgramsSize) {
  const Times small = measure(program(10000));
  const Times large = measure(program(100000));
  std::printf("check:  %.3f s for 10,000 lines, %.3f s for 100,000 lines, ratio %.1f\n",
              small.check, large.check, large.check / small.check);
  std::printf("format: %.3f s for 10,000 lines, %.3f s for 100,000 lines, ratio %.1f\n",
              small.format, large.format, large.format / small.format);
  EXPECT_LE(large.check / small.check, 13);
  EXPECT_LE(large.format / small.format, 13);
}

// Many mistakes must not cost more than linear time either.
TEST(Scale, SoAreMistakes) {
  using Clock = std::chrono::steady_clock;
  const auto time = [](int n) {
    std::string text = "void f() {\n";
    for (int i = 0; i < n; ++i)
      text += "    x" + std::to_string(i) + " = y" + std::to_string(i) + ";\n";
    text += "}\n";
    std::vector<double> times;
    for (int round = 0; round < 5; ++round) {
      driver::RealFileSystem files;
      driver::Workspace workspace(files, {});
      DiagnosticList diagnostics;
      const auto start = Clock::now();
      const driver::Program loaded = workspace.load_text("scale.leto", text, diagnostics);
      (void)check::check(loaded.trees, {}, workspace.names(), diagnostics);
      times.push_back(std::chrono::duration<double>(Clock::now() - start).count());
      EXPECT_EQ(diagnostics.errors(), static_cast<std::size_t>(2 * n));
    }
    std::sort(times.begin(), times.end());
    return times[2];
  };
  const double small = time(10000), large = time(100000);
  std::printf("errors: %.3f s for 20,000, %.3f s for 200,000, ratio %.1f\n", small, large,
              large / small);
  EXPECT_LE(large / small, 25);  // 200,000 diagnostics outgrow the caches; quadratic would be 100
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
