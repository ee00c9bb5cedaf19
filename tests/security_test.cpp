// What files, models, caches, solvers and names of strangers may not do. Each attempt is made with
// the real executable, in a folder of its own.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "golden.h"

namespace leto::tests {

namespace fs = std::filesystem;
using nlohmann::json;

// A claim that is false as soon as a sum may be off.
const std::string kFalse =
    "use model additive_seu;\n"
    "requires_r eq(a) && eq(b)\n"
    "real sum(real a, real b) {\n"
    "    real s = a +. b;\n"
    "    assert_r s<r> == s<o>;\n"
    "    return s;\n"
    "}\n";
const std::string kFine = "int same(int n) {\n    return n;\n}\n";

struct Seen {
  int code = -1;
  std::string text;
};

class Stranger : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "leto-stranger-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    top_ = pattern;
  }
  void TearDown() override { fs::remove_all(top_); }

  void write(const std::string& name, const std::string& text) {
    fs::create_directories((top_ / name).parent_path());
    write_file(top_ / name, text);
  }
  // In the folder, with nothing of the user's own around; not for longer than it may take.
  Seen leto(const std::string& arguments, const std::string& before = "",
            const std::string& errors = "2>&1") {
    const std::string line =
        fmt::format("cd '{}' && {} HOME='{}' timeout 60 '{}' {} {}", top_.string(), before,
                    top_.string(), LETO_BINARY, arguments, errors);
    Seen seen;
    FILE* pipe = popen(("env -u XDG_CACHE_HOME -u XDG_STATE_HOME -u LETO_CACHE -u LETO_MODEL_PATH "
                        "sh -c " +
                        quoted(line))
                           .c_str(),
                       "r");
    char buffer[4096];
    std::size_t n;
    while ((n = fread(buffer, 1, sizeof buffer, pipe)) > 0) seen.text.append(buffer, n);
    const int status = pclose(pipe);
    seen.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return seen;
  }
  static std::string quoted(const std::string& text) {
    std::string out = "'";
    for (char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
  }
  void sql(const std::string& database, const std::string& statement) {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open((top_ / database).c_str(), &db), SQLITE_OK);
    char* error = nullptr;
    EXPECT_EQ(sqlite3_exec(db, statement.c_str(), nullptr, nullptr, &error), SQLITE_OK)
        << (error ? error : "");
    sqlite3_close(db);
  }
  fs::path top_;
};

// Files
// ------------------------------------------------------------------------------------------------

TEST_F(Stranger, FormattingFollowsNoLinkThatLiesThere) {
  write("u.leto", "int   f( int x ){return x;}\n");
  write("precious", "mine");
  for (const char* name : {"u.leto.leto-fmt-tmp", "u.leto.tmp", "u.leto~", ".u.leto.tmp"})
    fs::create_symlink(top_ / "precious", top_ / name);
  EXPECT_EQ(leto("fmt u.leto").code, 0);
  EXPECT_EQ(read_file(top_ / "precious"), "mine");
  EXPECT_EQ(read_file(top_ / "u.leto"), "int f(int x) {\n    return x;\n}\n");
}

TEST_F(Stranger, WhatIsHandedOverIsNotReplaced) {
  const std::string untidy = "int   f( int x ){return x;}\n";
  write("u.leto", untidy);
  EXPECT_EQ(leto("fmt /dev/stdin < u.leto").code, 3);
  EXPECT_EQ(read_file(top_ / "u.leto"), untidy);
}

TEST_F(Stranger, DirectoriesThatAreNamedMustBeThere) {
  write("p.leto", kFine);
  EXPECT_EQ(leto("check p.leto --allow-import nowhere").code, 4);
  EXPECT_EQ(leto("check p.leto --model-path nowhere").code, 4);
}

TEST_F(Stranger, WhatCannotBeReadIsNoProgram) {
  fs::create_directory(top_ / "folder.leto");
  write("locked.leto", kFalse);
  for (const char* path : {"/proc/self/mem", "folder.leto", "missing.leto"})
    for (const char* command : {"verify", "check", "fmt", "infer", "reliability"})
      EXPECT_EQ(leto(fmt::format("{} {}", command, path)).code, 3) << command << " " << path;
}

TEST_F(Stranger, AFullDiskIsNoSuccess) {
  write("w.leto", kFine);
  write("l.leto", kFalse);
  for (const char* command :
       {"core w.leto", "check w.leto", "verify --no-cache w.leto", "explain --list", "models",
        "inject --runs 5 l.leto", "verify --no-cache --format json w.leto"})
    EXPECT_NE(leto(command, "", "> /dev/full 2> /dev/null").code, 0) << command;
  EXPECT_EQ(leto("inject --runs 5 l.leto --plot /dev/full").code, 3);
  EXPECT_EQ(leto("run --random-input l.leto --save /dev/full").code, 3);
  EXPECT_EQ(leto("verify --no-cache l.leto --dump /proc/self/there").code, 3);
}

// A file may not grow beyond what the user's shell allows: that is no reason to leave half of one.
TEST_F(Stranger, ALimitOfTheShellLeavesNothingBehind) {
  std::string untidy;
  for (int i = 0; i < 200; ++i) untidy += fmt::format("int   f{}( int x ){{return x;}}\n", i);
  write("u/u.leto", untidy);
  EXPECT_EQ(leto("fmt u/u.leto", "ulimit -f 1;").code, 3);
  EXPECT_EQ(read_file(top_ / "u/u.leto"), untidy);
  EXPECT_EQ(std::distance(fs::directory_iterator(top_ / "u"), fs::directory_iterator()), 1);
}

TEST_F(Stranger, LimitsThatNoMachineHasAreRefused) {
  write("w.leto", kFine);
  for (const char* memory : {"-1", "0", "18446744073709551615", "99999999999999999999", "1e3"})
    EXPECT_EQ(leto(fmt::format("verify --no-cache w.leto --memory {}", memory)).code, 4) << memory;
}

TEST_F(Stranger, AClosedStandardInputIsNoObstacle) {
  write("w.leto", kFine);
  EXPECT_EQ(leto("verify --no-cache w.leto", "", "2>&1 <&-").code, 0);
}

TEST_F(Stranger, OneFileTwiceIsOneFile) {
  write("w.leto", kFine);
  EXPECT_EQ(leto("infer ./w.leto w.leto --no-cache").code, 0);
  EXPECT_EQ(leto("verify ./w.leto w.leto ../$(basename $PWD)/w.leto --no-cache").code, 0);
}

// Imports
// ------------------------------------------------------------------------------------------------

TEST_F(Stranger, ImportsStayWhereTheProgramIs) {
  write("out/secret.leto", "// s3cr3t\nconst int hidden = 1;\n");
  write("in/shared/part.leto", "const int shown = 1;\n");
  fs::create_symlink(top_ / "out", top_ / "in/way");
  write("in/good.leto", "import \"shared/part.leto\";\n" + kFine);
  EXPECT_EQ(leto("check in/good.leto").code, 0);
  for (const std::string& path :
       {std::string("../out/secret.leto"), std::string("way/secret.leto"),
        (top_ / "out/secret.leto").string(), std::string("shared/../../out/secret.leto")}) {
    write("in/bad.leto", fmt::format("import \"{}\";\n", path) + kFine);
    const Seen seen = leto("check in/bad.leto");
    EXPECT_EQ(seen.code, 3) << path;
    EXPECT_NE(seen.text.find("L0703"), std::string::npos) << seen.text;
    EXPECT_EQ(seen.text.find("s3cr3t"), std::string::npos) << seen.text;
    EXPECT_EQ(leto("check in/bad.leto --allow-import out").code, 0) << path;
  }
}

TEST_F(Stranger, DevicesAndPipesAreNotImported) {
  ASSERT_EQ(mkfifo((top_ / "pipe").c_str(), 0600), 0);
  for (const char* path :
       {"/proc/self/environ", "/dev/zero", "/dev/stdin", "pipe", "/sys/kernel"}) {
    write("p.leto", fmt::format("import \"{}\";\n", path));
    for (const char* more : {"", " --allow-import /"}) {
      const Seen seen = leto(fmt::format("check p.leto{}", more), "SECRET=s3cr3t");
      EXPECT_EQ(seen.code, 3) << path << more << seen.text;
      EXPECT_EQ(seen.text.find("s3cr3t"), std::string::npos) << seen.text;
    }
  }
}

// Models
// ------------------------------------------------------------------------------------------------

TEST_F(Stranger, AModelBesideTheProgramDoesNotReplaceTheLibrarys) {
  write("p.leto", kFalse);
  write("additive_seu.leto",
        "model additive_seu {\n    const real eps;\n    bool upset = false;\n"
        "    operator +(real a, real b) ensures result == a + b;\n}\n");
  const Seen library = leto("verify --no-cache p.leto");
  EXPECT_EQ(library.code, 1) << library.text;
  EXPECT_NE(library.text.find("L0704"), std::string::npos) << library.text;
  const Seen own = leto("verify --no-cache p.leto -m ./additive_seu.leto:additive_seu");
  EXPECT_EQ(own.code, 0) << own.text;
}

// A model that the program declares or imports does not replace the library's either: who asks for
// a name means the library's.
TEST_F(Stranger, AProgramDoesNotDeclareAModelOfTheLibrary) {
  const std::string harmless =
      "model additive_seu {\n    const real eps;\n    bool upset = false;\n"
      "    operator +(real a, real b) ensures result == a + b;\n}\n";
  write("inline.leto", kFalse + harmless);
  write("part.leto", harmless);
  write("imports.leto", "import \"part.leto\";\n" + kFalse);
  for (const char* program : {"inline.leto", "imports.leto"}) {
    const Seen named = leto(fmt::format("verify --no-cache -m additive_seu {}", program));
    EXPECT_EQ(named.code, 3) << named.text;
    const Seen own = leto(fmt::format("verify --no-cache {}", program));
    EXPECT_EQ(own.code, 0) << own.text;  // its own, and you are told
    EXPECT_NE(own.text.find("L0704"), std::string::npos) << own.text;
    const Seen all = leto(fmt::format("verify --no-cache --all-models {}", program));
    EXPECT_EQ(all.text.find("additive_seu           proved"), std::string::npos) << all.text;
  }
}

TEST_F(Stranger, ModelsAreNotFoundByLinksThatLeadOut) {
  write("secret.txt", "s3cr3t\n");
  fs::create_directories(top_ / "in/models");
  fs::create_symlink(top_ / "secret.txt", top_ / "in/leak.leto");
  fs::create_symlink(top_ / "secret.txt", top_ / "in/models/leak.leto");
  write("in/p.leto", "use model leak;\n" + kFine);
  write("in/m.leto", "import \"../secret.txt\";\nmodel m {}\n");
  for (const char* arguments :
       {"check in/p.leto", "check in/p.leto --model-path in/models",
        "models --model-path in/models", "refine in/m.leto",
        "verify --no-cache --all-models --model-path in/models in/p.leto"}) {
    const Seen seen = leto(arguments);
    EXPECT_EQ(seen.text.find("s3cr3t"), std::string::npos) << arguments << seen.text;
    EXPECT_NE(seen.text.find("L0703"), std::string::npos) << arguments << seen.text;
    EXPECT_EQ(seen.code, 3) << arguments << seen.text;
  }
  // What is not there and what may not be seen look alike.
  write("in/there.leto", "import \"../secret.txt\";\n");
  write("in/nowhere.leto", "import \"../secrex.txt\";\n");
  EXPECT_NE(leto("check in/nowhere.leto").text.find("L0703"), std::string::npos);
  EXPECT_NE(leto("check in/there.leto").text.find("L0703"), std::string::npos);
}

TEST_F(Stranger, AVerdictSaysWhatItRestsOn) {
  write("w.leto", kFalse);
  const Seen text = leto("verify --no-cache w.leto");
  EXPECT_NE(text.text.find("rests on the model additive_seu ("), std::string::npos) << text.text;
  EXPECT_NE(text.text.find("z3 (/"), std::string::npos) << text.text;
  EXPECT_NE(text.text.find("\n    w.leto (sha256 "), std::string::npos) << text.text;
  // A claim of this run is refuted: nobody has proved all that is said of the original one.
  EXPECT_NE(text.text.find("without a cache; the original run is not proved"), std::string::npos)
      << text.text;
  const auto rests = [&](const std::string& arguments) {
    return json::parse(leto("verify --format json w.leto " + arguments, "", "2>/dev/null").text)
        .at("verifications")
        .at(0)
        .at("rests_on");
  };
  const json plain = rests("--no-cache --solver both");
  EXPECT_EQ(plain["model"]["sha256"].get<std::string>().size(), 64u);
  EXPECT_EQ(plain["solvers"].size(), 2u);
  EXPECT_TRUE(plain["cache"].is_null());
  EXPECT_EQ(plain["original"], "open");
  EXPECT_EQ(plain["files"][0]["path"], "w.leto");
  const json other = rests("--cache kept --trust-original");
  EXPECT_TRUE(other["cache"].is_string());
  EXPECT_EQ(other["original"], "trusted");
  write("fine.leto", kFine);
  EXPECT_NE(leto("verify --no-cache fine.leto").text.find("the original run is proved too"),
            std::string::npos);
}

// Whatever was read for a verdict can change it: what the model imports, too.
TEST_F(Stranger, AllFilesThatAVerdictRestsOnAreNamed) {
  write("m/base.leto",
        "model base {\n    @label(add) operator +(real a, real b) ensures result == a + b;\n}\n");
  write("m/team.leto",
        "import \"base.leto\";\nmodel team refines base {\n"
        "    import base.add;\n}\n");
  write("m/again.leto",
        "model again {\n    operator +(real a, real b) ensures result == a + b;\n}\n");
  write("p.leto",
        "use model team;\nreal f(real a, real b) {\n    real s = 0;\n    try {\n"
        "        s = a +. b;\n    } check (s == a + b) recover redo under again;\n"
        "    return s;\n}\n");
  for (const char* format : {"text", "json", "sarif", "junit"}) {
    const Seen seen =
        leto(fmt::format("verify --no-cache --model-path m --format {} p.leto", format));
    EXPECT_LE(seen.code, 2) << seen.text;
    for (const char* file : {"m/base.leto", "m/team.leto", "m/again.leto", "p.leto"})
      EXPECT_NE(seen.text.find(file), std::string::npos) << format << ": " << file << seen.text;
    EXPECT_NE(seen.text.find("sha256"), std::string::npos) << format;
  }
}

// Caches and solvers
// ------------------------------------------------------------------------------------------------

TEST_F(Stranger, AForgedCacheIsNotBelieved) {
  write("p.leto", kFalse);
  ASSERT_EQ(leto("verify -q --cache c p.leto").code, 1);
  sql("c/answers.db", "UPDATE answers SET verdict = 0, vals = ''");
  EXPECT_EQ(leto("verify -q --cache c p.leto").code, 1);
  // Somebody else's cache, sealed with somebody else's secret.
  fs::remove_all(top_ / ".local");
  EXPECT_EQ(leto("verify -q --cache c p.leto").code, 1);
}

TEST_F(Stranger, ACacheWithMoreThanOurTableIsNotUsed) {
  write("w.leto", kFine);
  ASSERT_EQ(leto("verify -q --cache c w.leto").code, 0);
  sql("c/answers.db", "CREATE TRIGGER t AFTER INSERT ON answers BEGIN DELETE FROM answers; END");
  const Seen seen = leto("verify -q --cache c w.leto");
  EXPECT_EQ(seen.code, 0);
  EXPECT_NE(seen.text.find("the cache is not used"), std::string::npos) << seen.text;
}

TEST_F(Stranger, ACacheIsNotReachedByALink) {
  write("p.leto", kFalse);
  write("elsewhere/keep", "");
  ASSERT_EQ(leto("verify -q --cache elsewhere p.leto").code, 1);
  fs::create_directory(top_ / "c");
  fs::permissions(top_ / "c", fs::perms::owner_all);
  fs::create_symlink(top_ / "elsewhere/answers.db", top_ / "c/answers.db");
  const Seen seen = leto("verify -q --cache c p.leto");
  EXPECT_EQ(seen.code, 1);
  EXPECT_NE(seen.text.find("the cache is not used"), std::string::npos) << seen.text;
}

// A journal that lies there says what to write back, and which file to remove behind it.
TEST_F(Stranger, AJournalThatLiesThereIsNotFollowed) {
  write("p.leto", kFalse);
  write("precious.txt", "precious\n");
  ASSERT_EQ(leto("verify -q --cache c p.leto").code, 1);
  sql("c/answers.db", "PRAGMA journal_mode=DELETE");
  const std::string name = (top_ / "precious.txt").string();
  std::string journal("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8);
  const auto number = [](std::uint32_t n) {
    return std::string{static_cast<char>(n >> 24), static_cast<char>(n >> 16),
                       static_cast<char>(n >> 8), static_cast<char>(n)};
  };
  journal += number(0) + number(0) + number(3) + number(512) + number(4096);
  journal.resize(512, '\0');
  std::uint32_t sum = 0;
  for (char c : name) sum += static_cast<std::uint32_t>(static_cast<signed char>(c));
  journal += number(0x40000000 / 4096 + 1) + name +
             number(static_cast<std::uint32_t>(name.size())) + number(sum) +
             std::string("\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", 8);
  write("c/answers.db-journal", journal);
  EXPECT_EQ(leto("verify -q --cache c p.leto").code, 1);
  EXPECT_TRUE(fs::exists(top_ / "precious.txt"));
  EXPECT_FALSE(fs::exists(top_ / "c/answers.db-journal"));
}

TEST_F(Stranger, ACacheWithTwoNamesIsNotWritten) {
  write("p.leto", kFalse);
  write("precious.txt", "precious\n");
  for (const char* part : {"answers.db", "answers.db-wal", "answers.db-shm"}) {
    fs::remove_all(top_ / "c");
    ASSERT_EQ(leto("verify -q --cache c p.leto").code, 1);
    fs::remove(top_ / "c" / part);
    fs::create_hard_link(top_ / "precious.txt", top_ / "c" / part);
    const Seen seen = leto("verify -q --cache c p.leto");
    EXPECT_EQ(seen.code, 1) << seen.text;
    EXPECT_NE(seen.text.find("another name"), std::string::npos) << seen.text;
    EXPECT_EQ(read_file(top_ / "precious.txt"), "precious\n") << part;
  }
  fs::remove_all(top_ / "c");
  fs::create_directories(top_ / "real");
  fs::permissions(top_ / "real", fs::perms::owner_all);
  fs::create_directory_symlink(top_ / "real", top_ / "way");
  EXPECT_NE(leto("verify -q --cache way p.leto").text.find("it is a link"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(top_ / "real"));
}

// A database that is not ours is left as it is.
TEST_F(Stranger, ADatabaseOfSomebodyElseIsNotChanged) {
  fs::create_directories(top_ / "c");
  fs::permissions(top_ / "c", fs::perms::owner_all);
  sql("c/answers.db", "CREATE TABLE other (x)");
  const std::string before = read_file(top_ / "c/answers.db");
  EXPECT_EQ(leto("cache --cache c stat").code, 3);
  EXPECT_EQ(read_file(top_ / "c/answers.db"), before);
}

// What is named in the footing is what is run: not one that lies where the user stands.
TEST_F(Stranger, SolversAreNotTakenFromTheCurrentFolder) {
  write("p.leto", kFalse);
  write("z3", "#!/bin/sh\ntouch PWNED\n");
  fs::permissions(top_ / "z3", fs::perms::owner_all);
  for (const char* path : {":/usr/bin:/bin", ".:/usr/bin:/bin", "/usr/bin:/bin:", "sub/..:/bin"})
    (void)leto("verify --no-cache p.leto", fmt::format("PATH='{}'", path));
  EXPECT_FALSE(fs::exists(top_ / "PWNED"));
}

// Somebody who locks it costs a second, not one for each question, and is named.
TEST_F(Stranger, ALockedCacheIsGivenUp) {
  write("p.leto", kFalse);
  ASSERT_EQ(leto("verify -q --cache c p.leto").code, 1);
  sqlite3* db = nullptr;
  ASSERT_EQ(sqlite3_open((top_ / "c/answers.db").c_str(), &db), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(db, "PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE;", nullptr, nullptr,
                         nullptr),
            SQLITE_OK);
  const Seen seen = leto("verify -q --cache c p.leto");
  EXPECT_EQ(seen.code, 1) << seen.text;
  EXPECT_NE(seen.text.find("the cache is not used"), std::string::npos) << seen.text;
  sqlite3_close(db);
}

TEST_F(Stranger, ACacheOfSomebodyElseIsNamedSo) {
  write("p.leto", kFalse);
  ASSERT_EQ(leto("verify -q --cache c p.leto").code, 1);
  EXPECT_EQ(leto("cache --cache c verify").code, 0);
  fs::remove(top_ / ".local/state/leto/cache-key");
  const Seen stat = leto("cache --cache c stat");
  EXPECT_NE(stat.text.find("0 proved, 0 refuted"), std::string::npos) << stat.text;
  EXPECT_NE(stat.text.find("sealed by somebody else"), std::string::npos) << stat.text;
  EXPECT_EQ(leto("cache --cache c verify").code, 2);
  EXPECT_EQ(leto("cache --cache nowhere stat").code, 3);
  EXPECT_FALSE(fs::exists(top_ / "nowhere"));
}

TEST_F(Stranger, AnswersDoNotOutliveTheSolverThatGaveThem) {
  write("p.leto", kFalse);
  write("bin/z3",
        "#!/usr/bin/env python3\n"
        "import subprocess, sys\n"
        "if '--version' in sys.argv:\n"
        "    print('Z3 version 4.8.12 - 64 bit')\n"
        "    sys.exit()\n"
        "asked = ''\n"
        "for line in sys.stdin:\n"
        "    asked += line\n"
        "    if line.startswith('(check-sat'):\n"
        "        print('sat' if '(assert (not false))' in asked else 'unsat')\n"
        "        asked = ''\n"
        "    elif line.startswith('(get-info :rlimit'):\n"
        "        print('(:rlimit 5)')\n"
        "    elif line.startswith('(echo'):\n"
        "        print(line.split('\"')[1])\n"
        "    sys.stdout.flush()\n");
  fs::permissions(top_ / "bin/z3", fs::perms::owner_all);
  (void)leto("verify -q --cache c p.leto", "PATH=\"$PWD/bin:$PATH\"");
  EXPECT_EQ(leto("verify -q --cache c p.leto").code, 1);
}

// Time and memory
// ------------------------------------------------------------------------------------------------

// Not longer than `timeout`, which ends it with 124.
TEST_F(Stranger, NothingTakesForEver) {
  write("many.leto",
        "int f(int n) {\n"
        "    assert forall(uint i)(i < 900000 -> forall(uint j)(j < 900000 -> i + j + n >= i));\n"
        "    return n;\n}\n");
  const Seen run = leto("run many.leto --random-input --time 1");
  EXPECT_EQ(run.code, 2) << run.text;
  EXPECT_NE(run.text.find("--time gives it more"), std::string::npos) << run.text;
  EXPECT_NE(leto("inject many.leto --time 1").code, 124);
  EXPECT_NE(leto("verify --no-cache --time 1 many.leto").code, 124);
  std::string doubling = "property_r p0(int x): x<r> == x<o>;\n";
  for (int i = 1; i < 30; ++i)
    doubling += fmt::format("property_r p{0}(int x): p{1}(x) && p{1}(x);\n", i, i - 1);
  write("doubling.leto", doubling + "requires_r p29(n)\nvoid f(int n) {\n}\n");
  EXPECT_EQ(leto("verify --no-cache --time 5 doubling.leto").code, 3);
}

// A limit that is over before anything is done: every command says so, and that nothing is known.
TEST_F(Stranger, EveryCommandHasALimit) {
  write("p.leto", kFalse);
  for (const char* command :
       {"check p.leto", "fmt --check p.leto", "core p.leto", "run p.leto --random-input",
        "inject p.leto", "verify --no-cache p.leto", "infer --no-cache p.leto",
        "stats --no-cache p.leto", "stability p.leto", "reliability --no-cache p.leto",
        "refine additive_seu", "models", "cache stat"}) {
    const Seen help =
        leto(std::string(command).substr(0, std::string(command).find(' ')) + " --help");
    EXPECT_NE(help.text.find("--time"), std::string::npos) << command;
    EXPECT_NE(help.text.find("--own-memory"), std::string::npos) << command;
  }
  const Seen waiting = leto("check p.leto q --time 0.5", "mkfifo q; sleep 30 > q &");
  EXPECT_EQ(waiting.code, 2) << waiting.text;
  EXPECT_NE(waiting.text.find("--time gives it more"), std::string::npos) << waiting.text;
}

// What the time was not enough for is listed as unknown.
TEST_F(Stranger, TheEndOfTheTimeLeavesAWholeDocument) {
  write("p.leto", kFalse);
  std::string large;
  for (int i = 0; i < 200'000; ++i) large += fmt::format("int f{}(int n) {{ return n; }}\n", i);
  write("large.leto", large);
  const Seen seen =
      leto("verify --no-cache --format json --time 0.4 large.leto p.leto", "", "2>/dev/null");
  EXPECT_EQ(seen.code, 2);
  ASSERT_TRUE(json::accept(seen.text)) << seen.text;
  EXPECT_EQ(json::parse(seen.text)["verifications"].size(), 2u) << seen.text;
}

TEST_F(Stranger, TheStandardInputHasAnEnd) {
  for (const char* command : {"check -", "fmt -"}) {
    const Seen seen = leto(command, "yes '// y' |");
    EXPECT_EQ(seen.code, 3) << seen.text;
    EXPECT_NE(seen.text.find("larger than"), std::string::npos) << seen.text;
    EXPECT_EQ(leto(fmt::format("{} < .", command)).code, 3);  // reading a directory fails
  }
}

// What ends before anything is known of an assumption is explained too.
TEST_F(Stranger, AnEarlyEndIsNoCrash) {
  write("hard.leto",
        "requires a > 0 && b > 0 && c > 0 && a * a * a + b * b * b == c * c * c\n"
        "int f(int a, int b, int c) {\n    assert a + b > c;\n    return a;\n}\n");
  for (const char* seconds : {"0.02", "0.05", "0.1", "0.2", "0.4"}) {
    const Seen seen = leto(fmt::format("verify --no-cache --time {} hard.leto", seconds));
    EXPECT_TRUE(seen.code >= 0 && seen.code <= 2) << seen.code << seen.text;
  }
  std::string chain = "property p0(int x): x > 0;\n";
  for (int i = 1; i < 20'000; ++i) chain += fmt::format("property p{}(int x): p{}(x);\n", i, i - 1);
  write("chain.leto", chain + "requires p19999(n)\nint f(int n) {\n    return n;\n}\n");
  EXPECT_EQ(leto("core chain.leto").code, 3);
}

// Standard streams that are closed do not become a way to the solver.
TEST_F(Stranger, ClosedStreamsLeadNowhere) {
  write("p.leto", kFalse);
  write("w.leto",
        "int f() { // | (set-option :regular-output-channel \"PWNED\") (echo \"x\")\n"
        "    return nothing;\n}\n");
  EXPECT_NE(leto("verify -q -j1 --no-cache p.leto w.leto p.leto", "", ">&- 2>&-").code, 0);
  EXPECT_FALSE(fs::exists(top_ / "PWNED"));
  EXPECT_EQ(leto("verify --no-cache p.leto", "", "2>&1 <&-").code, 1);
}

// Nobody reads what it says: it ends all the same.
TEST_F(Stranger, AFullPipeDoesNotHoldIt) {
  std::string many;
  for (int i = 0; i < 20'000; ++i) many += fmt::format("int f{}() {{ return no{}; }}\n", i, i);
  write("many.leto", many);
  const Seen seen = leto("check --max-errors 100000 --time 0.5 many.leto",
                         "mkfifo q; sleep 30 < q > /dev/null 2>&1 &", "> q 2>&1");
  EXPECT_EQ(seen.code, 2) << seen.text;
}

// One program's folder is not another's.
TEST_F(Stranger, EachProgramHasAFolderOfItsOwn) {
  write("secret/s.txt", "s3cr3t\n");
  write("secret/ok.leto", kFine);
  write("d/t.leto", "import \"../secret/s.txt\";\n");
  const Seen seen = leto("check secret/ok.leto d/t.leto");
  EXPECT_EQ(seen.code, 3);
  EXPECT_EQ(seen.text.find("s3cr3t"), std::string::npos) << seen.text;
}

TEST_F(Stranger, TheStandardInputIsNoFile) {
  write("<stdin>", "garbage");
  EXPECT_EQ(leto("check - '<stdin>' < /dev/null").code, 3);
}

// A file called '-' and the standard input are two things, in whichever order they are named.
TEST_F(Stranger, AFileCalledDashIsNotTheStandardInput) {
  write("-", kFine);
  write("bad.leto", kFalse);
  EXPECT_EQ(leto("verify -q ./- - < bad.leto").code, 1);
  EXPECT_EQ(leto("verify -q - ./- < bad.leto").code, 1);
  write("-", "const real K = 3;\n");
  write("p.leto", "import \"-\";\nreal f(real x) {\n    assert K == 4;\n    return x;\n}\n");
  EXPECT_EQ(leto("verify -q - p.leto", "echo 'const real K = 4;' |").code, 1);
  // A program from the standard input may import it.
  EXPECT_EQ(leto("check - < p.leto").code, 0);
  const json seen = json::parse(leto("verify --format json p.leto", "", "2>/dev/null").text);
  EXPECT_EQ(seen["verifications"][0]["rests_on"]["files"][0]["path"], "./-") << seen.dump(1);
}

// What is behind a link is beside where it leads, as the system has it.
TEST_F(Stranger, ADetourOverALinkLeadsElsewhere) {
  write("there/deep/nothing", "");
  write("here/x.leto", kFine);
  write("there/x.leto", kFalse);
  fs::create_symlink("../there/deep", top_ / "here/link");
  EXPECT_EQ(leto("verify -q x.leto link/../x.leto", "cd here &&").code, 1);
  EXPECT_EQ(leto("verify -q link/../x.leto x.leto", "cd here &&").code, 1);
  write("here/lib.leto", "const real K = 3;\n");
  write("there/lib.leto", "const real K = 4;\n");
  write("there/p.leto", "import \"lib.leto\";\nvoid f() {\n    assert K == 3;\n}\n");
  EXPECT_EQ(leto("verify -q link/../p.leto", "cd here &&").code, 1);
  write("there/p.leto", "import \"lib.leto\";\nvoid f() {\n    assert K == 4;\n}\n");
  EXPECT_EQ(leto("verify -q link/../p.leto", "cd here &&").code, 0);
}

// One file under two names is read once; what it imports lies beside each of the names.
TEST_F(Stranger, AFileOfTwoFoldersImportsFromBoth) {
  write("a/x.leto", "import \"lib.leto\";\n");
  write("a/lib.leto", "const real K = 3;\n");
  write("b/lib.leto", "const real K = 4;\n");
  fs::create_symlink("../a/x.leto", top_ / "b/x.leto");
  write("p.leto",
        "import \"a/x.leto\";\nimport \"b/x.leto\";\nvoid f() {\n    assert K == 3;\n}\n");
  EXPECT_EQ(leto("verify -q p.leto").code, 3);
  write("a/c.leto", "import \"d.leto\";\n");
  fs::create_symlink("c.leto", top_ / "a/d.leto");
  EXPECT_NE(leto("check a/c.leto").text.find("L0702"), std::string::npos);
}

// Numbers are what is written, not what a machine word makes of them.
TEST_F(Stranger, NumbersInInputsAreExact) {
  write("n.leto", "int f(int n) {\n    assert n % 10 != 3;\n    return n;\n}\n");
  EXPECT_EQ(leto("run n.leto --input '{\"n\": 12345678901234567890123}'").code, 1);
  write("r.leto",
        "real f(real x) {\n    assert x != 0.1000000000000000000001;\n    return x;\n}\n");
  EXPECT_EQ(leto("run r.leto --input '{\"x\": 0.1000000000000000000001}'").code, 1);
  EXPECT_EQ(leto("run r.leto --input '{\"x\": true}'").code, 3);
  EXPECT_EQ(leto("run r.leto --input '{\"x\": 1, \"x\": 2}'").code, 3);
}

TEST_F(Stranger, DeepAndOddInputsAreRefused) {
  write("w.leto", kFine);
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  write("deep.json", deep);
  write("within.json", "{\"n\": " + deep + "}");
  write("bytes.json", "{\"n\": \"\xff\xfe\"}");
  write("huge.json", "{\"n\": \"1e999999999\"}");
  for (const char* name : {"deep.json", "within.json", "bytes.json", "huge.json"})
    for (const char* command : {"run", "inject --runs 3"})
      EXPECT_EQ(leto(fmt::format("{} w.leto --input {}", command, name)).code, 3)
          << command << " " << name;
  EXPECT_EQ(leto("run w.leto --faults within.json").code, 3);
}

TEST_F(Stranger, StateWithoutAModelIsAnError) {
  write("n.leto", "void f() {\n    model.upset = false;\n}\n");
  EXPECT_EQ(leto("verify --no-cache n.leto").code, 3);
}

// What is printed
// ------------------------------------------------------------------------------------------------

TEST_F(Stranger, TerminalsAreNotSteeredByPrograms) {
  std::string program = kFalse;
  program.insert(program.find("s<o>"), "/* \x1b]0;title\x07 */ ");
  program += "// \x1b[2K\x1b[1A\xe2\x80\xae proved\n";
  program += "// " + std::string("\0\x1b[2K\0\r", 7) + "\n";
  write("e.leto", program);
  write("e.json", "{\"\\u0000\\u001b[2K\": 1}");
  for (const char* arguments :
       {"verify --no-cache e.leto", "verify --no-cache --color always e.leto", "core e.leto",
        "inject --runs 5 e.leto", "run e.leto --input e.json", "run e.leto --faults e.json"}) {
    const std::string text = leto(arguments).text;
    EXPECT_EQ(text.find("\x1b]"), std::string::npos) << arguments;
    EXPECT_EQ(text.find("\x1b[2K"), std::string::npos) << arguments;
    EXPECT_EQ(text.find("\xe2\x80\xae"), std::string::npos) << arguments;
  }
}

// A program that goes on to a file or a pipe is the program, whatever stands in its comments.
TEST_F(Stranger, ProgramsPassThroughUnchanged) {
  const std::string text = "// \x1b[2K \xe2\x80\xae\n" + kFine;
  write("p.leto", text);
  EXPECT_EQ(leto("fmt - < p.leto").text, text);
  EXPECT_EQ(leto("infer --no-cache p.leto", "", "2>/dev/null").text, text);
}

TEST_F(Stranger, PrintedCommandsRunNothingElse) {
  const std::string name = "x'$(touch PWNED)`touch PWNED`\n.leto";
  write(name, kFalse);
  for (const char* command : {"verify --no-cache", "inject --runs 200"}) {
    const std::string text = leto(fmt::format("{} {}", command, quoted(name))).text;
    std::size_t at = text.find("leto run"), found = 0;
    while (at != std::string::npos) {
      const std::string line = text.substr(at, text.find('\n', at) - at);
      (void)!std::system(
          fmt::format("cd '{}' && bash -c {} > /dev/null 2>&1", top_.string(), quoted(": " + line))
              .c_str());
      at = text.find("leto run", at + 1);
      ++found;
    }
    EXPECT_GT(found, 0u) << command << text;
    EXPECT_FALSE(fs::exists(top_ / "PWNED")) << command;
  }
}

// A name with everything in it that means something somewhere, in every format of every command.
TEST_F(Stranger, OddNamesBreakNoFormat) {
  const std::string name = "o\"d'd<&>\n\t\x1b[31m\xff\xef\xbf\xbe,;%20.leto";
  write(name, kFalse + "// \xff\xfe \x1b[0m ]]> <!--\n");
  const std::string wrong = "w" + name;
  write(wrong, "int f() {\n    return \"\xff\";\n}\n");
  for (const std::string& file : {name, wrong}) {
    for (const char* command :
         {"check --format json", "check --format sarif", "verify --no-cache --format json",
          "verify --no-cache --format sarif", "reliability --no-cache --format json",
          "stability --seeds 1 --format json", "stats --no-cache --format json",
          "inject --runs 5 --format json", "run --random-input --format json"}) {
      const Seen seen = leto(fmt::format("{} {}", command, quoted(file)), "", "2>/dev/null");
      EXPECT_LE(seen.code, 3) << command;
      if (seen.text.empty()) continue;  // what cannot be run has no results
      EXPECT_TRUE(json::accept(seen.text)) << command << "\n" << seen.text;
    }
    write("parse.py", "import sys, xml.dom.minidom\nxml.dom.minidom.parse(sys.stdin.buffer)\n");
    const Seen junit = leto(fmt::format("verify --no-cache --format junit {}", quoted(file)), "",
                            "2>/dev/null | python3 parse.py");
    EXPECT_EQ(junit.code, 0) << junit.text;
    for (const char* command :
         {"check", "verify --no-cache", "reliability --no-cache", "infer", "run --random-input",
          "inject --runs 5", "fmt --check", "stats", "stability --seeds 1"}) {
      const Seen seen = leto(fmt::format("{} {}", command, quoted(file)));
      EXPECT_LE(seen.code, 3) << command;
      EXPECT_EQ(seen.text.find('\x1b'), std::string::npos) << command << "\n" << seen.text;
      EXPECT_EQ(seen.text.find('\xff'), std::string::npos) << command << "\n" << seen.text;
    }
  }
}

}  // namespace leto::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
