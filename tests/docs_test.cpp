// The examples of the documentation are true: a block marked `leto` is accepted
// without a complaint, one marked `leto wrong CODE` is rejected with just that
// code. And every relative link leads somewhere.
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <sstream>

#include "driver/driver.h"
#include "driver/workspace.h"
#include "golden.h"

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
      driver::RealFileSystem files;
      driver::Workspace workspace(files, {(kSource / "models").string()});
      DiagnosticList diagnostics;
      driver::Program program = workspace.load_text("example.leto", text, diagnostics);
      const driver::PickedModel picked = workspace.pick_model(program, "", diagnostics);
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

TEST(Docs, ManPageCompletionAndReadmeKnowEveryCommand) {
  for (const char* page : {"man/leto.1", "completions/leto.bash", "README.md"}) {
    const std::string text = read_file(kSource / page);
    for (const char* command :
         {"check", "verify", "refine", "core", "cache", "fmt", "explain", "models"})
      EXPECT_NE(text.find(command), std::string::npos) << page << " lacks " << command;
  }
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
