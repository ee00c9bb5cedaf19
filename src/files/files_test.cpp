#include "files/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace leto::files {
namespace {

namespace fs = std::filesystem;

// A directory of one's own for each test.
class Files : public testing::Test {
 protected:
  Files() : top_(fs::path(testing::TempDir()) / ("leto-files-" + std::to_string(::getpid()))) {
    fs::create_directories(top_);
  }
  ~Files() override { fs::remove_all(top_); }
  [[nodiscard]] std::string at(const std::string& name) const { return (top_ / name).string(); }
  std::string make(const std::string& name, const std::string& text) const {
    std::ofstream(at(name)) << text;
    return at(name);
  }
  static std::string text_of(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(top_), fs::directory_iterator()));
  }

  fs::path top_;
};

TEST_F(Files, ReadGivesWhatIsThere) {
  const std::string odd("a\0b\xff\n", 5);
  EXPECT_EQ(read(make("f", odd), NamedBy::Program).text, odd);
  EXPECT_EQ(read(make("empty", ""), NamedBy::Program).text, "");
}

TEST_F(Files, WhatCannotBeReadIsNotEmpty) {
  EXPECT_FALSE(read(at("missing"), NamedBy::User).text);
  EXPECT_EQ(read(top_.string(), NamedBy::User).problem, "it is a directory");
  EXPECT_FALSE(read("/proc/self/mem", NamedBy::User).text);
  EXPECT_FALSE(read("/proc/self/environ", NamedBy::User).text);
  EXPECT_FALSE(read("/dev/zero", NamedBy::User).text);
}

TEST_F(Files, ALinkToTheSystemIsOfTheSystem) {
  fs::create_symlink("/proc/self/environ", top_ / "innocent");
  EXPECT_FALSE(read(at("innocent"), NamedBy::Program).text);
  EXPECT_FALSE(read(at("innocent"), NamedBy::User).text);
}

TEST_F(Files, ReadingStopsAtTheLimit) {
  EXPECT_EQ(read(make("f", "12345"), NamedBy::User, 5).text, "12345");
  EXPECT_FALSE(read(make("f", "123456"), NamedBy::User, 5).text);
}

TEST_F(Files, PipesAreForUsers) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  // Nobody writes to it: whoever opened it would wait forever.
  EXPECT_FALSE(read(at("pipe"), NamedBy::Program).text);
  std::thread writer([&] { std::ofstream(at("pipe")) << "through it"; });
  EXPECT_EQ(read(at("pipe"), NamedBy::User).text, "through it");
  writer.join();
}

// A signal that is handled is no reason to give up a pipe.
TEST_F(Files, ASignalDoesNotEndReading) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  struct sigaction nothing {
  }, before{};
  nothing.sa_handler = [](int) {};
  ::sigaction(SIGUSR1, &nothing, &before);  // without SA_RESTART
  const pthread_t reader = ::pthread_self();
  std::thread writer([&] {
    for (int i = 0; i < 5; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      ::pthread_kill(reader, SIGUSR1);
    }
    std::ofstream(at("pipe")) << "through it";
  });
  EXPECT_EQ(read(at("pipe"), NamedBy::User).text, "through it");
  writer.join();
  ::sigaction(SIGUSR1, &before, nullptr);
}

TEST_F(Files, WhatCannotBeListedIsNotEmpty) {
  EXPECT_FALSE(list(make("f", "no folder"), ".leto"));
  EXPECT_FALSE(list(at("missing"), ".leto"));
}

// Who could not set these bits must not get them by having a file formatted.
TEST_F(Files, ReplaceDropsSetUserId) {
  const std::string path = make("f", "old");
  ASSERT_EQ(::chmod(path.c_str(), 06755), 0);
  EXPECT_EQ(replace(path, "old", "new"), "");
  struct stat now {};
  ASSERT_EQ(::stat(path.c_str(), &now), 0);
  EXPECT_EQ(now.st_mode & 07777, 0755u);
}

// Whenever it comes: the file is the old one or the new one, and lies there alone.
TEST_F(Files, SignalsLeaveNoTemporaryBehind) {
  const std::string path = make("f", "0");
  for (const int signal : {SIGHUP, SIGQUIT, SIGTERM, SIGINT})
    for (int i = 1; i <= 5; ++i) {
      const std::string start = text_of(path);
      const pid_t child = ::fork();
      if (child == 0) {
        const rlimit no_core{0, 0};
        ::setrlimit(RLIMIT_CORE, &no_core);
        std::string now = start;
        for (;;) {
          const std::string next = now == "0" ? "1" : "0";
          if (!replace(path, now, next).empty()) ::_exit(1);
          now = next;
        }
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(3 * i));
      ASSERT_EQ(::kill(child, signal), 0);
      int status = 0;
      ASSERT_EQ(::waitpid(child, &status, 0), child);
      EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal);
      const std::string end = text_of(path);
      EXPECT_TRUE(end == "0" || end == "1") << end;
      EXPECT_EQ(count(), 1u);
    }
}

TEST_F(Files, ReplacePutsTheNewTextThere) {
  const std::string path = make("f", "old");
  ::chmod(path.c_str(), 0640);
  EXPECT_EQ(replace(path, "old", "new"), "");
  EXPECT_EQ(text_of(path), "new");
  struct stat now {};
  ::stat(path.c_str(), &now);
  EXPECT_EQ(now.st_mode & 07777, 0640u);
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, ReplaceLeavesAloneWhatHasChanged) {
  const std::string path = make("f", "somebody else's");
  EXPECT_NE(replace(path, "old", "new"), "");
  EXPECT_EQ(text_of(path), "somebody else's");
  EXPECT_EQ(count(), 1u);
}

TEST_F(Files, ReplaceKeepsALink) {
  const std::string path = make("f", "old");
  fs::create_symlink("f", top_ / "link");
  EXPECT_EQ(replace(at("link"), "old", "new"), "");
  EXPECT_TRUE(fs::is_symlink(top_ / "link"));
  EXPECT_EQ(text_of(path), "new");
}

TEST_F(Files, ReplaceLeavesAloneWhatSomebodyHolds) {
  const std::string path = make("f", "old");
  const int other = ::open(path.c_str(), O_RDONLY);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  EXPECT_EQ(replace(path, "old", "new"), "somebody else is writing it");
  ::close(other);
  EXPECT_EQ(replace(path, "old", "new"), "");
}

TEST_F(Files, OfTwoWritersOneIsTold) {
  for (int round = 0; round < 50; ++round) {
    const std::string path = make("f", "old");
    std::string first, second;
    std::thread a([&] { first = replace(path, "old", "first"); });
    std::thread b([&] { second = replace(path, "old", "second"); });
    a.join();
    b.join();
    EXPECT_NE(first.empty(), second.empty());
    EXPECT_EQ(text_of(path), first.empty() ? "first" : "second");
  }
}

TEST_F(Files, ReplaceWithoutPermissionChangesNothing) {
  if (::geteuid() == 0) GTEST_SKIP() << "nothing is forbidden to root";
  const std::string path = make("f", "old");
  fs::permissions(top_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_NE(replace(path, "old", "new"), "");
  fs::permissions(top_, fs::perms::owner_all);
  EXPECT_EQ(text_of(path), "old");
}

TEST_F(Files, WriteFollowsNoLink) {
  const std::string victim = make("victim", "precious");
  fs::create_symlink("victim", top_ / "link");
  EXPECT_NE(write(at("link"), "x"), "");
  EXPECT_EQ(text_of(victim), "precious");
}

TEST_F(Files, WriteSaysWhatFails) {
  EXPECT_EQ(write(at("f"), "longer"), "");
  EXPECT_EQ(write(at("f"), "short"), "");
  EXPECT_EQ(text_of(at("f")), "short");
  EXPECT_NE(write("/dev/full", "x"), "");
  EXPECT_NE(write(at("no/such/place"), "x"), "");
  EXPECT_NE(write_new(at("f"), "x"), "");
  EXPECT_EQ(text_of(at("f")), "short");
}

TEST_F(Files, WhatLiesIn) {
  fs::create_directories(top_ / "in");
  fs::create_directories(top_ / "inside");
  make("in/f", "");
  make("inside/g", "");
  fs::create_symlink("../inside/g", top_ / "in" / "out");
  EXPECT_TRUE(lies_in(at("in/f"), at("in")));
  EXPECT_TRUE(lies_in(at("in/../in/f"), at("in")));
  EXPECT_FALSE(lies_in(at("inside/g"), at("in")));
  EXPECT_FALSE(lies_in(at("in/out"), at("in")));
  EXPECT_FALSE(lies_in(at("in/missing"), at("in")));
}

TEST_F(Files, ASecretIsMadeOnceAndKept) {
  const Secret first = own_secret(at("state/key"), 32);
  ASSERT_TRUE(first.bytes) << first.problem;
  EXPECT_EQ(first.bytes->size(), 32u);
  EXPECT_EQ(own_secret(at("state/key"), 32).bytes, first.bytes);
  EXPECT_NE(own_secret(at("state/other"), 32).bytes, first.bytes);
  struct stat now {};
  ::stat(at("state/key").c_str(), &now);
  EXPECT_EQ(now.st_mode & 0777, 0600u);
}

TEST_F(Files, ASecretThatOthersCanReadIsNone) {
  (void)own_secret(at("key"), 32);
  ::chmod(at("key").c_str(), 0644);
  EXPECT_FALSE(own_secret(at("key"), 32).bytes);
  ::chmod(at("key").c_str(), 0600);
  std::ofstream(at("key")) << "short";
  EXPECT_FALSE(own_secret(at("key"), 32).bytes);
  fs::create_symlink("key", top_ / "link");
  EXPECT_FALSE(own_secret(at("link"), 5).bytes);
}

TEST_F(Files, OfTwoThatMakeASecretBothHaveTheSame) {
  Secret first, second;
  std::thread a([&] { first = own_secret(at("k/key"), 32); });
  a.join();
  std::thread b([&] { second = own_secret(at("k/key"), 32); });
  b.join();
  EXPECT_EQ(first.bytes, second.bytes);
}

// To the system such a name ends before.
TEST_F(Files, ANameWithANulIsNobodys) {
  make("a", "text");
  const std::string odd = at("a") + std::string("\0b", 2);
  EXPECT_FALSE(read(odd, NamedBy::User).text);
  EXPECT_FALSE(exists(odd));
  EXPECT_EQ(real_path(odd), "");
}

TEST_F(Files, AFolderThatOthersWriteInIsNotOurs) {
  EXPECT_EQ(owned_folder(at("mine")), "");
  ::chmod(at("mine").c_str(), 0777);
  EXPECT_NE(owned_folder(at("mine")), "");
}

TEST_F(Files, DirectoriesForTheOwnerAlone) {
  EXPECT_EQ(make_directory(at("a/b"), true), "");
  struct stat now {};
  ::stat(at("a/b").c_str(), &now);
  EXPECT_EQ(now.st_mode & 0777, 0700u);
  make("file", "");
  EXPECT_NE(make_directory(at("file")), "");
}

}  // namespace
}  // namespace leto::files
