// The library as a program uses it: texts that change, work that is cancelled, limits.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "workbench/formatting.h"
#include "workbench/leto.h"

namespace leto::api {

namespace {

const char* const kModel =
    "model flaky {\n    int hits = 0;\n    operator +(int a, int b)\n        ensures result == a + "
    "b;\n    @label(hit) operator +(int a, int b)\n        when hits < 1\n        modifies hits\n"
    "        ensures hits == 1;\n}\nuse model flaky;\n";

std::string asserting(const std::string& claim) {
  return "requires x > 0\nvoid f(int x) {\n    assert " + claim + ";\n}\n";
}

Options small() {
  Options options;
  options.jobs = 1;
  return options;
}

Status status_of(Session& session, const std::string& text) {
  session.open("p.leto", text);
  return session.verify("p.leto").status;
}

}  // namespace

TEST(Session, RemarksHaveCodesPlacesAndEdits) {
  Session session(small());
  session.open("p.leto", "int f(int value) {\n    return valeu;\n}\n");
  const auto remarks = session.check("p.leto");
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_TRUE(remarks[0].error);
  EXPECT_EQ(remarks[0].code, "L0301");
  EXPECT_EQ(remarks[0].at.line, 2u);
  EXPECT_EQ(remarks[0].at.column, 12u);
  EXPECT_EQ(remarks[0].at.end_column, 17u);
  EXPECT_NE(remarks[0].help.find("value"), std::string::npos);
}

TEST(Session, WithErrorsThereAreNoClaims) {
  Session session(small());
  session.open("p.leto", "int f() { return; }");
  const Verdict verdict = session.verify("p.leto");
  EXPECT_EQ(verdict.status, Status::Unknown);
  EXPECT_TRUE(verdict.claims.empty());
  EXPECT_FALSE(verdict.remarks.empty());
}

TEST(Session, AProgramThatDoesNotExistIsARemark) {
  Session session(small());
  const auto remarks = session.check("/nowhere/at/all.leto");
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0].code, "L0701");
  EXPECT_EQ(session.format("/nowhere/at/all.leto"), std::nullopt);
}

// Every status, by one word in a program.
TEST(Session, VerdictsAreTheWorstOfTheirClaims) {
  Session session(small());
  EXPECT_EQ(status_of(session, asserting("x >= 1")), Status::Proved);
  EXPECT_EQ(status_of(session, asserting("x >= 2")), Status::Refuted);
  EXPECT_EQ(status_of(session, "requires x < 0\n" + asserting("x == 7")), Status::Vacuous);
}

TEST(Session, WhatIsRefutedHasAReasonAndAScript) {
  Session session(small());
  session.open("p.leto", asserting("x >= 2"));
  const Verdict verdict = session.verify("p.leto");
  bool found = false;
  for (const Claim& claim : verdict.claims) {
    if (claim.status != Status::Refuted || claim.script.empty()) continue;
    found = true;
    EXPECT_EQ(claim.kind, "assert");
    EXPECT_EQ(claim.at.line, 3u);
    EXPECT_EQ(claim.why, "a run breaks it");
    EXPECT_FALSE(claim.advice.empty());
    EXPECT_NE(claim.script.find("\"inputs\""), std::string::npos);
  }
  EXPECT_TRUE(found);
}

// A verdict is about the text as it is when it is asked for.
TEST(Session, AChangedTextIsProvedAnewAndTheRestIsRemembered) {
  Session session(small());
  const std::string other = "requires y > 2\nvoid g(int y) {\n    assert y + y > 5;\n}\n";
  session.open("p.leto", asserting("x + x >= 2") + other);
  const Verdict first = session.verify("p.leto");
  EXPECT_EQ(first.status, Status::Proved);
  EXPECT_GT(first.asked, 0u);
  EXPECT_EQ(session.verify("p.leto").asked, 0u);
  session.open("p.leto", asserting("x + x >= 3") + other);
  const Verdict changed = session.verify("p.leto");
  EXPECT_EQ(changed.status, Status::Refuted);
  EXPECT_GT(changed.remembered, 0u);
  session.open("p.leto", asserting("x + x >= 2") + other);
  EXPECT_EQ(session.verify("p.leto").status, Status::Proved);
}

TEST(Session, AnImportThatChangesChangesWhoImportsIt) {
  Session session(small());
  session.open("lib.leto", "property good(int x): x > 0;\n");
  session.open("p.leto", "import \"lib.leto\";\n" + asserting("good(x)"));
  EXPECT_EQ(session.verify("p.leto").status, Status::Proved);
  session.open("lib.leto", "property good(int x): x > 1;\n");
  EXPECT_EQ(session.verify("p.leto").status, Status::Refuted);
}

// What is closed is what the disk says.
TEST(Session, AClosedDocumentIsAFileAgain) {
  std::string folder = (std::filesystem::temp_directory_path() / "leto-session-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string path = folder + "/p.leto";
  std::ofstream(path) << asserting("x >= 1");
  Session session(small());
  session.open(path, "nonsense");
  EXPECT_FALSE(session.check(path).empty());
  session.close(path);
  EXPECT_TRUE(session.check(path).empty());
  EXPECT_EQ(session.verify(path).status, Status::Proved);
  std::filesystem::remove_all(folder);
  EXPECT_FALSE(session.check(path).empty());
}

TEST(Session, WhatIsCancelledIsNotProved) {
  Session session(small());
  session.open("p.leto", asserting("x + x >= 2"));
  int told = 0;
  const Verdict cancelled = session.verify("p.leto", "", [&](const Progress& progress) {
    EXPECT_LE(progress.done, progress.of);
    EXPECT_FALSE(progress.what.empty());
    ++told;
    return false;
  });
  EXPECT_GT(told, 0);
  EXPECT_TRUE(cancelled.cancelled);
  EXPECT_EQ(cancelled.status, Status::Unknown);
  const Verdict again = session.verify("p.leto");
  EXPECT_FALSE(again.cancelled);
  EXPECT_EQ(again.status, Status::Proved);
}

TEST(Session, TimeThatIsOverIsNotProvedAndNotCancelled) {
  Options options = small();
  options.seconds = 1e-9;
  Session session(options);
  session.open("p.leto", asserting("x + x >= 2"));
  const Verdict verdict = session.verify("p.leto");
  EXPECT_EQ(verdict.status, Status::Unknown);
  EXPECT_FALSE(verdict.cancelled);
}

// Faults are the model's: with none picked there are none.
TEST(Session, TheModelDecides) {
  const std::string sum =
      "requires_r eq(*)\nensures_r eq(result)\nint f(int a) {\n    return a +. a;\n}\n";
  Session session(small());
  EXPECT_EQ(status_of(session, kModel + sum), Status::Refuted);
  const Verdict picked = session.verify("p.leto");
  EXPECT_EQ(picked.model, "flaky");
  EXPECT_EQ(status_of(session, sum), Status::Proved);
  EXPECT_EQ(session.verify("p.leto").model, "none");
  EXPECT_FALSE(session.check("p.leto", "no_such_model").empty());
}

TEST(Session, InvariantsAreFoundIfTheyAreLookedFor) {
  const std::string loop =
      "void f(uint n) {\n    int i = 0;\n    while (i < n) {\n        i = i + 1;\n    }\n"
      "    assert i <= n;\n}\n";
  Session session(small());
  session.open("p.leto", loop);
  const Verdict found = session.verify("p.leto");
  EXPECT_EQ(found.status, Status::Proved);
  ASSERT_FALSE(found.inferred.empty());
  EXPECT_EQ(found.inferred[0].loop.line, 3u);
  Options options = small();
  options.infer = options.explain = false;
  Session strict(options);
  strict.open("p.leto", loop);
  EXPECT_NE(strict.verify("p.leto").status, Status::Proved);
}

TEST(Session, FormattingIsStableAndRefusesWhatDoesNotParse) {
  Session session(small());
  session.open("p.leto", "void   f( ){ /* kept */ }");
  const auto once = session.format("p.leto");
  ASSERT_TRUE(once.has_value());
  EXPECT_NE(once->find("/* kept */"), std::string::npos);
  session.open("p.leto", *once);
  EXPECT_EQ(session.format("p.leto"), once);
  session.open("p.leto", "void f( {");
  EXPECT_EQ(session.format("p.leto"), std::nullopt);
}

TEST(Session, SessionsDoNotKnowOneAnother) {
  Session one(small()), two(small());
  one.open("p.leto", asserting("x >= 1"));
  EXPECT_FALSE(two.check("p.leto").empty());
  Session moved = std::move(one);
  EXPECT_TRUE(moved.check("p.leto").empty());
}

TEST(Session, ModelsInFoldersAreListed) {
  std::string folder = (std::filesystem::temp_directory_path() / "leto-models-XXXXXX").string();
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::ofstream(folder + "/calm.leto") << "// Nothing happens.\n\nmodel calm {\n}\n";
  Options options = small();
  options.model_path = {folder};
  Session session(options);
  bool found = false;
  for (const Model& model : session.models()) found = found || model.name == "calm";
  EXPECT_TRUE(found);
  session.open("p.leto", asserting("x >= 1"));
  EXPECT_TRUE(session.check("p.leto", "calm").empty());
  std::filesystem::remove_all(folder);
}

}  // namespace leto::api

namespace leto::workbench {

// Invariants are written in before the body, with the line ends of the file; all else stays.
TEST(Formatting, InvariantsAreWrittenIn) {
  for (const char* ends : {"\n", "\r\n"}) {
    const std::string end = ends;
    const auto lines = [&](std::initializer_list<const char*> all) {
      std::string text;
      for (const char* line : all) text += line + end;
      return text;
    };
    const std::string text =
        lines({"void  f(int n) {", "    while (n > 0) {", "        n = 0;", "    }", "}"});
    const SourceFile file("p.leto", text);
    const auto body = static_cast<std::uint32_t>(text.find("{" + end + "        n"));
    const auto loop = static_cast<std::uint32_t>(text.find("while"));
    const auto stop = static_cast<std::uint32_t>(text.rfind("    }") + 5);
    EXPECT_EQ(
        with_invariants(
            file, {{"f", {FileId{0}, loop, stop}, {FileId{0}, body, stop}, "invariant n >= 0"}}),
        lines({"void  f(int n) {", "    while (n > 0)", "        invariant n >= 0", "    {",
               "        n = 0;", "    }", "}"}));
  }
}

}  // namespace leto::workbench
