// Documents in front of files, and what a program may open.
#include "workspace/workspace.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "workspace/documents.h"

namespace leto::workspace {

namespace fs = std::filesystem;

namespace {

// A disk with a few files and no links.
class Disk final : public FileSystem {
 public:
  std::map<std::string, std::string> texts;

  Content read(const std::string& path, files::NamedBy) override {
    const auto it = texts.find(path);
    if (it == texts.end()) return {std::nullopt, "it is not there"};
    return {it->second};
  }
  bool exists(const std::string& path) override {
    return texts.contains(path) || !real_path(path).empty();
  }
  std::string real_path(const std::string& path) override {
    for (const auto& [name, text] : texts)
      if (name == path || name.starts_with(path + "/")) return path;
    return "";
  }
  bool lies_in(const std::string& path, const std::string& directory) override {
    return path == directory || path.starts_with(directory + "/");
  }
  std::optional<std::vector<std::string>> list(const std::string& directory) override {
    std::vector<std::string> out;
    for (const auto& [name, text] : texts)
      if (name.starts_with(directory + "/")) out.push_back(name);
    return out;
  }
};

std::string first_of(const DiagnosticList& diagnostics) {
  return diagnostics.all().empty() ? "" : diagnostics.all()[0].message();
}

}  // namespace

TEST(Documents, WhatIsOpenHidesWhatIsOnTheDisk) {
  Disk disk;
  disk.texts["/p/a.leto"] = "old";
  Documents documents(disk);
  documents.put("/p/a.leto", "new");
  EXPECT_EQ(documents.read("/p/./a.leto", files::NamedBy::User).text, "new");
  documents.close("/p/a.leto");
  EXPECT_EQ(documents.read("/p/a.leto", files::NamedBy::User).text, "old");
}

TEST(Documents, WhatIsInNoFileCanBeImported) {
  Disk disk;
  disk.texts["/p/main.leto"] = "import \"lib.leto\";\nint f() { return g(); }\n";
  Documents documents(disk);
  documents.put("/p/lib.leto", "int g() { return 1; }\n");
  Workspace workspace(documents, {});
  DiagnosticList diagnostics;
  Program program;
  EXPECT_TRUE(load_checked(workspace, "/p/main.leto", "", program, diagnostics))
      << first_of(diagnostics);
}

// An editor may hold any text under any name: that makes no way out of the program's folder.
TEST(Documents, WhatIsOpenElsewhereIsNotAllowedEither) {
  Disk disk;
  disk.texts["/p/main.leto"] = "import \"../q/lib.leto\";\n";
  disk.texts["/q/other.leto"] = "";
  Documents documents(disk);
  documents.put("/q/lib.leto", "int g() { return 1; }\n");
  Workspace workspace(documents, {});
  DiagnosticList diagnostics;
  (void)workspace.load("/p/main.leto", diagnostics);
  EXPECT_EQ(diagnostics.errors(), 1u);
}

TEST(Documents, AFolderThatIsNowhereIsGoneByItsName) {
  Disk disk;
  Documents documents(disk);
  documents.put("/n/main.leto", "import \"lib.leto\";\n");
  documents.put("/n/lib.leto", "int g() { return 1; }\n");
  documents.put("/m/lib.leto", "");
  EXPECT_TRUE(documents.lies_in("/n/lib.leto", "/n"));
  EXPECT_FALSE(documents.lies_in("/m/lib.leto", "/n"));
  EXPECT_FALSE(documents.lies_in("/n/lib.leto", "/n/deeper"));
}

// On the real disk, where one file has several names.
class Links : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "leto-links-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    top_ = fs::canonical(pattern);
    fs::create_directories(top_ / "real/deep");
    fs::create_symlink("real", top_ / "link");
    put("real/b.leto", "old");
  }
  void TearDown() override { fs::remove_all(top_); }
  void put(const std::string& name, const std::string& text) const {
    std::ofstream(top_ / name) << text;
  }
  [[nodiscard]] std::string at(const std::string& name) const { return (top_ / name).string(); }
  std::string read(const std::string& name) {
    return documents_.read(at(name), files::NamedBy::Program).text.value_or("nothing");
  }

  fs::path top_;
  RealFileSystem disk_;
  Documents documents_{disk_};
};

TEST_F(Links, WhatIsOpenStandsBeforeItsFileByAnyName) {
  fs::create_symlink("b.leto", top_ / "real/c.leto");
  for (const char* name : {"real/b.leto", "link/b.leto", "real/c.leto", "real/deep/../b.leto"}) {
    documents_.put(at(name), "new");
    for (const char* asked : {"real/b.leto", "link/b.leto", "real/c.leto", "link/deep/../b.leto"})
      EXPECT_EQ(read(asked), "new") << name << " " << asked;
    documents_.close(at(name));
    EXPECT_EQ(read("real/b.leto"), "old") << name;
  }
  const std::string relative = fs::relative(top_ / "link/b.leto").string();
  documents_.put(relative, "new");
  EXPECT_EQ(read("real/b.leto"), "new");
}

TEST_F(Links, TheLastChangeOfAFileCounts) {
  documents_.put(at("real/b.leto"), "first");
  documents_.put(at("link/b.leto"), "second");
  EXPECT_EQ(read("real/b.leto"), "second");
  documents_.put(at("real/./b.leto"), "third");
  EXPECT_EQ(read("link/b.leto"), "third");
  documents_.close(at("link/b.leto"));
  EXPECT_EQ(read("link/b.leto"), "third");  // the other one is still open
  documents_.close(at("real/b.leto"));
  EXPECT_EQ(read("link/b.leto"), "old");
}

TEST_F(Links, ADocumentThatComesToTheDiskStaysOpen) {
  documents_.put(at("link/new.leto"), "new");
  EXPECT_EQ(read("real/new.leto"), "new");
  put("real/elsewhere.leto", "disk");
  fs::create_symlink("elsewhere.leto", top_ / "real/new.leto");
  EXPECT_EQ(read("link/new.leto"), "new");
  EXPECT_EQ(read("real/elsewhere.leto"), "new");
  documents_.close(at("link/new.leto"));
  EXPECT_EQ(read("link/new.leto"), "disk");
}

TEST_F(Links, WhatIsNotThereIsGoneByItsNameBehindTheLastFolderThatIs) {
  const auto path_of = [&](const std::string& name) {
    return disk_.identify(at(name), files::NamedBy::User).path;
  };
  EXPECT_EQ(path_of("link/no/such.leto"), at("real/no/such.leto"));
  EXPECT_EQ(path_of("link/../none.leto"), at("none.leto"));
  EXPECT_NE(path_of("no/../real/b.leto"), at("real/b.leto"));  // no system finds it there
  EXPECT_EQ(disk_.shorten(at("real/deep/../b.leto")), at("real/b.leto"));
  EXPECT_EQ(disk_.shorten(at("link/.././b.leto")), at("link/../b.leto"));
}

// Several can live side by side: none of them knows of the others.
TEST(Workspace, EachHasItsOwnNamesAndFiles) {
  Disk disk;
  disk.texts["/p/a.leto"] = "int f() { return 1; }\n";
  Workspace one(disk, {}), two(disk, {});
  DiagnosticList diagnostics;
  const Program a = one.load("/p/a.leto", diagnostics), b = two.load("/p/a.leto", diagnostics);
  EXPECT_NE(a.own, b.own);
  EXPECT_EQ(diagnostics.errors(), 0u);
}

// What is wrong with a file stays with it: each program that uses it is told.
TEST(Workspace, AMistakeIsToldOfInEveryProgramThatUsesIt) {
  Disk disk;
  disk.texts["/p/lib.leto"] = "int g( { return 1; }\n";
  disk.texts["/p/a.leto"] = disk.texts["/p/b.leto"] = "import \"lib.leto\";\n";
  Workspace workspace(disk, {});
  for (const char* path : {"/p/a.leto", "/p/b.leto"}) {
    DiagnosticList diagnostics;
    (void)workspace.load(path, diagnostics);
    EXPECT_GT(diagnostics.errors(), 0u) << path;
  }
}

// A file beside the program takes nobody's place.
TEST(Workspace, LibrariesAreFoundWhereModelsAreAndNowhereElse) {
  Disk disk;
  disk.texts["/p/a.leto"] = "import <sums>;\n";
  disk.texts["/p/library/sums.leto"] = disk.texts["/p/sums.leto"] = "int wrong( {}\n";
  disk.texts["/m/library/sums.leto"] = "define int one(): 1;\n";
  Workspace workspace(disk, {{"/m"}});
  DiagnosticList diagnostics;
  const Program program = workspace.load("/p/a.leto", diagnostics);
  EXPECT_EQ(diagnostics.errors(), 0u) << first_of(diagnostics);
  EXPECT_EQ(program.trees.size(), 2u);
}

TEST(Workspace, AnUnknownLibraryIsAnsweredWithOneThatIsThere) {
  Disk disk;
  disk.texts["/p/a.leto"] = "import <summs>;\n";
  disk.texts["/m/library/sums.leto"] = "define int one(): 1;\n";
  Workspace workspace(disk, {{"/m"}});
  DiagnosticList diagnostics;
  (void)workspace.load("/p/a.leto", diagnostics);
  ASSERT_EQ(diagnostics.errors(), 1u);
  EXPECT_EQ(first_of(diagnostics), "there is no library '<summs>'");
  ASSERT_TRUE(diagnostics.all()[0].help);
  EXPECT_EQ(diagnostics.all()[0].help->text, "did you mean '<sums>'?");
}

TEST(Workspace, ImportsInACircleAreRefused) {
  Disk disk;
  disk.texts["/p/a.leto"] = "import \"b.leto\";\n";
  disk.texts["/p/b.leto"] = "import \"a.leto\";\n";
  Workspace workspace(disk, {});
  DiagnosticList diagnostics;
  (void)workspace.load("/p/a.leto", diagnostics);
  ASSERT_EQ(diagnostics.errors(), 1u);
  EXPECT_NE(first_of(diagnostics).find("a.leto -> b.leto -> a.leto"), std::string::npos)
      << first_of(diagnostics);
}

}  // namespace leto::workspace
