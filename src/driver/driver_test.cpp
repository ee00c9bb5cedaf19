// The command line without a process: what it says of misuse, what shells complete, what '-' is.
#include "driver/driver.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "driver/completions.h"
#include "driver/programs.h"
#include "driver/usage.h"

namespace leto::driver {

namespace {

struct Said {
  ExitCode code;
  std::string out, err;
};

Said leto(const std::vector<std::string>& arguments, const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out, err;
  Streams streams{in, out, err, false, false, ""};
  const ExitCode code = run(arguments, streams);
  return {code, out.str(), err.str()};
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A table of commands like our own, and small.
struct Table {
  CLI::App app{"", "leto"};
  std::string model, format;
  bool quiet = false;
  Table() {
    CLI::App* verify = app.add_subcommand("verify", "Proves it's so");
    verify->add_option("-m,--model", model, "Under [this] model");
    verify->add_flag("--quiet", quiet, "Says less");
    CLI::App* cache = app.add_subcommand("cache", "Answers");
    cache->add_subcommand("clear", "Forgets them");
  }
  std::string misuse(const std::vector<std::string>& arguments) {
    return describe_misuse(app, arguments, CLI::ParseError("a reason", 1));
  }
};

}  // namespace

// Misuse -----------------------------------------------------------------------------------------

TEST(Usage, TheNearestCommandOrOptionIsOffered) {
  Table t;
  EXPECT_TRUE(has(t.misuse({"verfy"}), "there is no command 'verfy'; did you mean 'verify'?"));
  EXPECT_TRUE(has(t.misuse({"verify", "--modle", "m"}),
                  "'leto verify' has no option '--modle'; did you mean '--model'?"));
  EXPECT_TRUE(has(t.misuse({"verify", "--modle=m"}), "'--modle'; did you mean '--model'?"));
  EXPECT_TRUE(has(t.misuse({"cache", "clean"}), "did you mean 'clear'?"));
}

TEST(Usage, WhatACommandDoesAnywayIsSaid) {
  Table t;
  t.app.add_subcommand("inject", "Runs it often");
  EXPECT_TRUE(has(t.misuse({"inject", "--random-input"}), "every run has random inputs"));
  EXPECT_FALSE(has(t.misuse({"verify", "--random-input"}), "every run"));
}

TEST(Usage, NothingIsOfferedThatIsFarOff) {
  Table t;
  EXPECT_FALSE(has(t.misuse({"bake"}), "did you mean"));
  EXPECT_FALSE(has(t.misuse({"verify", "--xyzzy"}), "did you mean"));
}

TEST(Usage, WhatIsMissingOrElseWrongIsSaid) {
  Table t;
  EXPECT_TRUE(has(t.misuse({}), "'leto' needs a command"));
  EXPECT_TRUE(has(t.misuse({"cache"}), "'leto cache' needs a command"));
  EXPECT_TRUE(has(t.misuse({"verify", "--", "--modle"}), "a reason"));
  EXPECT_TRUE(has(t.misuse({"verify"}), "'leto verify --help' shows what there is"));
}

TEST(Usage, MisuseHasItsExitCodeAndGoesToTheErrors) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {}, {"verfy"}, {"check", "--no-such"}, {"verify", "--jobs", "x"}}) {
    const Said said = leto(arguments);
    EXPECT_EQ(said.code, ExitCode::Usage);
    EXPECT_EQ(said.out, "");
    EXPECT_TRUE(said.err.starts_with("leto: error: ")) << said.err;
  }
}

// Completions ------------------------------------------------------------------------------------

TEST(Completions, EveryShellKnowsCommandsAndOptions) {
  Table t;
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const auto script = completion_script(t.app, shell);
    ASSERT_TRUE(script.has_value()) << shell;
    for (const char* word : {"verify", "cache", "clear", "model", "quiet"})
      EXPECT_TRUE(has(*script, word)) << shell << ": " << word;
  }
  EXPECT_EQ(completion_script(t.app, "tcsh"), std::nullopt);
}

// What is in a help cannot end a string of the script.
TEST(Completions, HelpIsQuoted) {
  Table t;
  const std::string fish = *completion_script(t.app, "fish");
  EXPECT_FALSE(has(fish, "'Proves it's so'"));
  const std::string zsh = *completion_script(t.app, "zsh");
  EXPECT_TRUE(has(zsh, "Under \\[this\\] model"));
}

TEST(Completions, OurOwnCommandsAreAllThere) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const Said said = leto({"completions", shell});
    EXPECT_EQ(said.code, ExitCode::Fine);
    for (const char* word :
         {"check", "verify", "checker", "refine", "infer", "run", "inject", "reliability",
          "stability", "emit", "fmt", "explain", "models", "cache"})
      EXPECT_TRUE(has(said.out, word)) << shell << ": " << word;
  }
  EXPECT_NE(leto({"completions", "tcsh"}).code, ExitCode::Fine);
}

// Programs ---------------------------------------------------------------------------------------

// It can be read once only, and is asked for again.
TEST(Programs, TheStandardInputIsReadOnce) {
  std::istringstream in("void f() {}\n");
  Programs programs(in);
  for (int i = 0; i < 2; ++i) {
    const auto content = programs.read("-", files::NamedBy::User);
    ASSERT_TRUE(content.text.has_value());
    EXPECT_EQ(*content.text, "void f() {}\n");
  }
}

// A program that imports "-" means a file, and there is none.
TEST(Programs, AnImportIsNeverTheStandardInput) {
  std::istringstream in("secret");
  Programs programs(in);
  EXPECT_FALSE(programs.read("-", files::NamedBy::Program).text.has_value());
  EXPECT_FALSE(programs.exists("/no/such/file"));
}

// Commands ---------------------------------------------------------------------------------------

TEST(Commands, CheckSaysWhatIsWrongAndWhere) {
  EXPECT_EQ(leto({"check", "-"}, "void f() {}\n").code, ExitCode::Fine);
  const Said said = leto({"check", "-"}, "void f() { x = 1; }\n");
  EXPECT_EQ(said.code, ExitCode::BadInput);
  EXPECT_TRUE(has(said.out + said.err, "L0301"));
  EXPECT_EQ(leto({"check", "/no/such/file.leto"}).code, ExitCode::BadInput);
}

TEST(Commands, FmtPrintsTheHouseStyle) {
  const Said said = leto({"fmt", "-"}, "void   f( ){}\n");
  EXPECT_EQ(said.code, ExitCode::Fine);
  EXPECT_EQ(said.out, "void f() {}\n");
  EXPECT_EQ(leto({"fmt", "--check", "-"}, "void   f( ){}\n").code, ExitCode::DoesNotHold);
}

TEST(Commands, ExplainKnowsEveryCode) {
  EXPECT_EQ(leto({"explain", "L0301"}).code, ExitCode::Fine);
  EXPECT_EQ(leto({"explain", "l0301"}).out, leto({"explain", "L0301"}).out);
  EXPECT_EQ(leto({"explain", "L9999"}).code, ExitCode::Usage);
}

TEST(Commands, HelpAndVersionGoToTheOutput) {
  for (const char* option : {"--help", "--version"}) {
    const Said said = leto({option});
    EXPECT_EQ(said.code, ExitCode::Fine);
    EXPECT_FALSE(said.out.empty());
    EXPECT_EQ(said.err, "");
  }
}

// Outcomes have exit codes: what breaks in a run does not hold.
TEST(Commands, RunExecutesAFunction) {
  const std::string program = "int f(int x) {\n    assert x != 2;\n    return x + 1;\n}\n";
  const auto at = [&](const std::string& x) {
    return leto({"run", "-", "--no-faults", "--input", "{\"x\": " + x + "}"}, program);
  };
  EXPECT_EQ(at("1").code, ExitCode::Fine) << at("1").err;
  EXPECT_TRUE(has(at("1").out, "2"));
  EXPECT_NE(at("2").code, ExitCode::Fine);
  EXPECT_EQ(leto({"run", "-", "--function", "none"}, program).code, ExitCode::BadInput);
}

}  // namespace leto::driver
