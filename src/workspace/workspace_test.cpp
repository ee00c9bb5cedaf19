// Documents in front of files, and what a program may open.
#include "workspace/workspace.h"

#include <gtest/gtest.h>

#include "workspace/documents.h"

namespace leto::workspace {

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
