// The examples of the documentation are true: a block marked `leto` is accepted
// without a complaint, one marked `leto wrong CODE` is rejected with just that
// code. And every relative link leads somewhere.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "check/session.h"
#include "driver/driver.h"
#include "golden.h"
#include "syntax/lexer.h"
#include "workspace/workspace.h"

namespace leto::tests {

namespace fs = std::filesystem;
const fs::path kSource = LETO_SOURCE_DIR;

std::vector<fs::path> pages() {
  std::vector<fs::path> list{kSource / "README.md", kSource / "CHANGELOG.md"};
  for (const auto& entry : fs::directory_iterator(kSource / "docs"))
    if (entry.path().extension() == ".md") list.push_back(entry.path());
  std::sort(list.begin(), list.end());
  return list;
}

TEST(Docs, ExamplesAreTrue) {
  std::size_t blocks = 0;
  for (const fs::path& page : pages()) {
    std::istringstream in(read_file(page));
    std::string line;
    std::size_t number = 0;
    while (std::getline(in, line)) {
      ++number;
      if (line != "```leto" && !line.starts_with("```leto wrong ")) continue;
      const std::string wanted = line == "```leto" ? "" : line.substr(14);
      const std::size_t start = number;
      std::string text;
      while (std::getline(in, line) && line != "```") {
        text += line + "\n";
        ++number;
      }
      ++number;
      workspace::RealFileSystem files;
      // Programs that are shown may import what stands beside them.
      workspace::Workspace workspace(
          files, {{(kSource / "models").string(), (kSource / "examples/reliability").string()}});
      DiagnosticList diagnostics;
      workspace::Program program = workspace.load_text("example.leto", text, diagnostics);
      const workspace::PickedModel picked = workspace.pick_model(program, "", diagnostics);
      (void)check::check(program.trees, {picked.name, picked.bad}, workspace.names(), diagnostics);
      diagnostics.sort_and_unique();
      std::string found;
      for (const Diagnostic& d : diagnostics.all())
        found += (found.empty() ? "" : " ") + std::string(info(d.kind).code);
      EXPECT_EQ(found, wanted) << page << ":" << start << "\n"
                               << (diagnostics.all().empty() ? "" : diagnostics.all()[0].message());
      // What is shown is formatted as the formatter would.
      const syntax::Tree& tree = *program.trees.back();
      if (!tree.has_errors) {
        EXPECT_EQ(syntax::format(tree, workspace.names(), &workspace.sources()[tree.file]), text)
            << page << ":" << start;
      }
      ++blocks;
    }
  }
  EXPECT_GE(blocks, 30u);
}

// The blocks of a page with the given mark, in order.
std::vector<std::string> blocks_of(const fs::path& page, const std::string& mark) {
  std::vector<std::string> found;
  std::istringstream in(read_file(page));
  std::string line;
  while (std::getline(in, line)) {
    if (line != "```" + mark && !line.starts_with("```" + mark + " ")) continue;
    found.emplace_back();
    while (std::getline(in, line) && line != "```") found.back() += line + "\n";
  }
  return found;
}

std::set<std::string> words_in(const std::string& text, const std::regex& word) {
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), word), end; it != end; ++it)
    found.insert((*it)[1].str());
  return found;
}

// The lists of words are those of the lexer, of the grammar below them and of the parser.
TEST(Docs, TheLanguagePageListsEveryWord) {
  const fs::path page = kSource / "docs/language.md";
  const std::regex any("([A-Za-z_]+)"), quoted("\"([A-Za-z_]+)\"");
  const std::vector<std::string> blocks = blocks_of(page, "text");
  ASSERT_GE(blocks.size(), 3u);
  const std::vector<std::string_view>& keywords = syntax::keywords();
  const std::set<std::string> reserved(keywords.begin(), keywords.end());
  EXPECT_EQ(words_in(blocks[0], any), reserved);
  const std::set<std::string> others = words_in(blocks[1], any);
  std::set<std::string> of_grammar = words_in(blocks.back(), quoted);
  for (const std::string& word : reserved) of_grammar.erase(word);
  of_grammar.erase("result");  // it has a paragraph of its own
  EXPECT_EQ(others, of_grammar);
  // 'out' is only known so that it can be answered with 'inout'.
  const std::regex asked("at_word\\(\"([a-z_]+)\"\\)");
  for (const auto& entry : fs::directory_iterator(kSource / "src/syntax"))
    for (const std::string& word : words_in(read_file(entry.path()), asked))
      EXPECT_TRUE(others.contains(word) || word == "result" || word == "out") << word;
}

// So that 'tools/outputs --check' compares it: no screen of the tutorial is written by hand.
TEST(Docs, TheTutorialShowsOnlyWhatIsMade) {
  const std::string text = read_file(kSource / "docs/tutorial.md");
  std::istringstream in(text);
  std::string before, line;
  std::size_t made = 0, screens = 0, number = 0;
  while (++number, std::getline(in, line)) {
    if (line == "```text" || line.starts_with("```leto")) {
      EXPECT_TRUE(before.starts_with("<!-- screen: ") || before.starts_with("<!-- program: ") ||
                  before.starts_with("<!-- part: "))
          << "line " << number;
      ++made;
      screens += line == "```text" ? 1 : 0;
    }
    before = line;
  }
  EXPECT_GE(made, 40u);
  EXPECT_GE(screens, 20u);
  for (const fs::path& path : golden_files(kSource / "examples/tutorial"))
    EXPECT_NE(text.find("<!-- program: examples/tutorial/" + path.filename().string() + " -->"),
              std::string::npos)
        << path;
}

TEST(Docs, TheReadmeShowsWhatIsPrinted) {
  const std::vector<std::string> programs = blocks_of(kSource / "README.md", "leto");
  const std::vector<std::string> screens = blocks_of(kSource / "README.md", "console");
  ASSERT_EQ(programs.size(), 2u);
  ASSERT_EQ(screens.size(), 2u);
  const fs::path before = fs::current_path();
  std::string directory = (fs::temp_directory_path() / "leto-docs-XXXXXX").string();
  ASSERT_NE(mkdtemp(directory.data()), nullptr);
  fs::current_path(directory);
  for (std::size_t i = 0; i < 2; ++i) {
    write_file("scale.leto", programs[i]);
    std::istringstream in;
    std::ostringstream out;
    driver::Streams streams{in,    out,   out,
                            false, false, fs::path(LETO_BINARY).parent_path().string()};
    (void)driver::run({"check", "scale.leto"}, streams);
    EXPECT_EQ("$ leto check scale.leto\n" + out.str(), screens[i]);
  }
  fs::current_path(before);
  fs::remove_all(directory);
}

// All that there is to say on the command line.
std::string said_by(const std::vector<std::string>& arguments) {
  std::istringstream in;
  std::ostringstream out;
  driver::Streams streams{in, out, out, false, false, fs::path(LETO_BINARY).parent_path().string()};
  (void)driver::run(arguments, streams);
  return out.str();
}

std::vector<std::string> all_commands() {
  const std::string all = said_by({"--help"});
  std::istringstream lines(all.substr(all.find("Subcommands:")));
  std::vector<std::string> commands;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && line.starts_with("  "))
    if (line[2] != ' ') commands.push_back(line.substr(2, line.find(' ', 2) - 2));
  EXPECT_GT(commands.size(), 12u) << all;
  return commands;
}

// What the help of a command offers: "--model".
std::set<std::string> options_of(const std::string& command) {
  const std::regex option(R"((--[a-z][a-z-]*))");
  std::string text = said_by({command, "--help"});
  text.resize(std::min(text.find("Examples:"), text.size()));
  std::set<std::string> all;
  for (std::sregex_iterator it(text.begin(), text.end(), option), end; it != end; ++it)
    all.insert((*it)[1].str());
  return all;
}

// Of a page in roff, what is wrong with it; empty if nothing is.
std::string complaints_about(const fs::path& page) {
  FILE* pipe = popen(("groff -man -ww -Tutf8 -z '" + page.string() + "' 2>&1").c_str(), "r");
  std::string said;
  for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) said += static_cast<char>(c);
  pclose(pipe);
  return said;
}

TEST(Docs, ThePageOfLemmasKnowsEveryOne) {
  const std::string page = read_file(kSource / "docs/lemmas.md");
  std::size_t names = 0;
  for (const fs::path& path : golden_files(kSource / "models/library")) {
    EXPECT_NE(page.find("`<" + path.stem().string() + ">`"), std::string::npos) << path;
    const std::string text = read_file(path);
    const std::regex said("\n(?:lemma|define \\w+) (\\w+)\\(");
    for (std::sregex_iterator it(text.begin(), text.end(), said), end; it != end; ++it, ++names)
      EXPECT_NE(page.find("`" + (*it)[1].str() + "("), std::string::npos) << (*it)[1];
  }
  EXPECT_GT(names, 40u);
}

// Whoever uses one without its library is told which one has it.
TEST(Docs, EveryDefinitionOfALibraryIsFound) {
  std::size_t names = 0;
  for (const fs::path& path : golden_files(kSource / "models/library")) {
    const std::string text = read_file(path);
    const std::regex said("\n(?:define|pure extern) \\w+ (\\w+)\\(");
    for (std::sregex_iterator it(text.begin(), text.end(), said), end; it != end; ++it, ++names)
      EXPECT_EQ(check::find_library((*it)[1].str()), path.stem().string()) << (*it)[1];
  }
  EXPECT_GT(names, 10u);
  EXPECT_EQ(check::find_library("length"), "");
}

TEST(Docs, TheManPageKnowsEveryCommandAndOption) {
  std::string problem;
  const auto page = driver::manual(read_file(kSource / "man/leto.1.in"), problem);
  ASSERT_TRUE(page) << problem;
  EXPECT_NE(page->find(".TP\n\\fB2\\fR\nundecided\n"), std::string::npos) << "an exit code";
  for (const std::string& command : all_commands()) {
    const std::size_t start = page->find("\n.SS leto " + command + "\n");
    ASSERT_NE(start, std::string::npos) << "the man page lacks " << command;
    const std::string part = page->substr(start, page->find("\n.S", start + 1) - start);
    for (const std::string& option : options_of(command)) {
      const std::string written = std::regex_replace(option, std::regex("-"), "\\-");
      EXPECT_NE(part.find("\\fB" + written + "\\fR"), std::string::npos)
          << "the man page of " << command << " lacks " << option;
    }
  }
}

TEST(Docs, TheManPageAndTheTableHaveToFit) {
  std::string problem;
  EXPECT_FALSE(driver::manual("@command check@\n@options check@\n", problem));
  EXPECT_EQ(problem, "'@command cache@' is missing");
  EXPECT_FALSE(driver::manual("@command chekc@\n", problem));
  EXPECT_EQ(problem, "there is no command for '@command chekc@', or it comes twice");
}

TEST(Docs, ManPagesRender) {
  if (std::system("command -v groff > /dev/null") != 0) GTEST_SKIP() << "there is no groff";
  std::string problem;
  const auto page = driver::manual(read_file(kSource / "man/leto.1.in"), problem);
  ASSERT_TRUE(page) << problem;
  const fs::path file = fs::temp_directory_path() / ("leto-man-" + std::to_string(getpid()));
  std::ofstream(file) << *page;
  EXPECT_EQ(complaints_about(file), "");
  fs::remove(file);
  EXPECT_EQ(complaints_about(kSource / "man/leto-lsp.1"), "");
}

TEST(Docs, CompletionAndReadmeKnowEveryCommand) {
  const std::vector<std::string> commands = all_commands();
  for (const std::string& command : commands) {
    EXPECT_NE(read_file(kSource / "README.md").find("`leto " + command), std::string::npos)
        << "the README lacks " << command;
  }
  // Whatever a command's help offers, the shell completes.
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = said_by({"completions", shell});
    for (const std::string& command : commands) {
      EXPECT_NE(script.find(command), std::string::npos) << shell << " lacks " << command;
      for (const std::string& name : options_of(command)) {
        const std::string written = shell == std::string("fish") ? "-l " + name.substr(2) : name;
        EXPECT_NE(script.find(written), std::string::npos)
            << "the completion of " << command << " for " << shell << " lacks " << name;
      }
    }
  }
}

// What bash offers behind a few beginnings.
TEST(Docs, BashCompletesCommandsOptionsAndValues) {
  const auto offered = [](const std::string& words) {
    const std::string leto = fs::path(LETO_BINARY).parent_path().string();
    const std::string line =
        "PATH=" + leto + ":$PATH; eval \"$(leto completions bash)\"; COMP_WORDS=(" + words +
        "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _leto; echo \"${COMPREPLY[@]}\"";
    FILE* pipe = popen(("bash -c '" + line + "'").c_str(), "r");
    char buffer[4096] = {};
    const std::size_t n = fread(buffer, 1, sizeof buffer - 1, pipe);
    pclose(pipe);
    return std::string(buffer, n);
  };
  EXPECT_EQ(offered("leto ver"), "verify\n");
  EXPECT_EQ(offered("leto verify --all-"), "--all-models\n");
  EXPECT_EQ(offered("leto verify --format s"), "sarif\n");
  EXPECT_EQ(offered("leto check --format j"), "json\n");
  EXPECT_EQ(offered("leto verify -m additive"), "additive_seu\n");
  EXPECT_EQ(offered("leto cache st"), "stat\n");
}

TEST(Docs, LinksLeadSomewhere) {
  const std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
  for (const fs::path& page : pages()) {
    const std::string text = read_file(page);
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
      const fs::path target = page.parent_path() / (*it)[1].str();
      EXPECT_TRUE(fs::exists(target)) << page << " links to " << target;
    }
  }
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
