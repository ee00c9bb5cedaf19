#include <fcntl.h>
#include <fmt/core.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <thread>

#include "files/descriptor.h"
#include "files/files.h"

namespace leto::files {

namespace fs = std::filesystem;

namespace {

Problem write_all(int file, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t wrote = ::write(file, text.data() + done, text.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return reason_of(errno);
    if (wrote == 0) return "nothing more could be written";
    done += static_cast<std::size_t>(wrote);
  }
  return {};
}

// Names of temporaries cannot be guessed, so nobody can put a link there in advance.
std::string random_name() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number)) return {};
  return fmt::format("{:016x}", number);
}

// While it lives, the user's signals wait: nothing is left behind by them.
class Undisturbed {
 public:
  Undisturbed() {
    sigset_t ends{};
    sigemptyset(&ends);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&ends, signal);
    pthread_sigmask(SIG_BLOCK, &ends, &before_);
  }
  ~Undisturbed() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

 private:
  sigset_t before_{};
};

// A file beside its target that is gone again unless it has taken the target's place.
class Temporary {
 public:
  Temporary(const std::string& target, mode_t mode) {
    const std::string name = random_name();
    if (name.empty()) {
      problem_ = "there is no randomness for the name of a temporary file";
      return;
    }
    path_ = fmt::format("{}.{}.tmp", target, name);
    number_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (number_ < 0) problem_ = reason_of(errno);
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (number_ >= 0) ::close(number_);
    if (made() && !moved_) ::unlink(path_.c_str());
  }

  [[nodiscard]] const Problem& problem() const { return problem_; }
  // On the disk, with the permissions of the file whose place it takes.
  [[nodiscard]] Problem fill(const std::string& text, std::optional<mode_t> mode) {
    if (Problem problem = write_all(number_, text); !problem.empty()) return problem;
    if (mode && ::fchmod(number_, *mode & 0777) != 0) return reason_of(errno);
    if (::fsync(number_) != 0) return reason_of(errno);
    const int closed = ::close(std::exchange(number_, -1));
    filled_ = true;
    return closed == 0 ? Problem{} : reason_of(errno);
  }
  [[nodiscard]] Problem move_to(const std::string& target) {
    if (::rename(path_.c_str(), target.c_str()) != 0) return reason_of(errno);
    moved_ = true;
    return {};
  }

 private:
  [[nodiscard]] bool made() const { return problem_.empty() || filled_; }

  Undisturbed undisturbed_;
  std::string path_;
  Problem problem_;
  int number_ = -1;
  bool filled_ = false, moved_ = false;
};

// The new name is on the disk once its directory is.
void sync_directory_of(const std::string& path) {
  const std::string directory = fs::path(path).parent_path().string();
  const Descriptor file(
      ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.open()) (void)::fsync(file.get());  // some file systems cannot
}

constexpr const char* kChanged = "it has changed since it was read";

Problem write_to(const std::string& path, const std::string& text, int flags, mode_t mode) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | flags, mode));
  if (!file.open())
    return errno == ELOOP ? "it is a link, which is not followed" : reason_of(errno);
  struct stat now {};
  if (::fstat(file.get(), &now) != 0) return reason_of(errno);
  const bool regular = S_ISREG(now.st_mode);
  if (!regular && !S_ISFIFO(now.st_mode) && !S_ISCHR(now.st_mode))
    return "it is neither a file nor a pipe";
  if (regular && ::ftruncate(file.get(), 0) != 0) return reason_of(errno);
  if (Problem problem = write_all(file.get(), text); !problem.empty()) return problem;
  if (regular && ::fsync(file.get()) != 0) return reason_of(errno);
  return file.close() ? Problem{} : reason_of(errno);
}

}  // namespace

Problem replace(const std::string& path, const std::string& before, const std::string& text) {
  if (path.starts_with("/dev/")) return "it was handed over, and is not for writing; '-' filters";
  const std::string target = real_path(path);
  if (target.empty()) return reason_of(errno);
  if (::access(target.c_str(), W_OK) != 0) return reason_of(errno);  // its directory may allow it
  const Descriptor file(::open(target.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!file.open()) return reason_of(errno);
  // Who writes holds the file that is there; who waited for it finds another one in its place.
  if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK ? "somebody else is writing it" : reason_of(errno);
  struct stat held {
  }, there{};
  if (::fstat(file.get(), &held) != 0 || ::lstat(target.c_str(), &there) != 0)
    return reason_of(errno);
  if (held.st_ino != there.st_ino || held.st_dev != there.st_dev) return kChanged;
  const Content content = read(target, NamedBy::Program);
  if (!content.text) return content.problem;
  if (*content.text != before) return kChanged;
  Temporary temporary(target, 0600);
  if (!temporary.problem().empty()) return temporary.problem();
  if (Problem problem = temporary.fill(text, held.st_mode); !problem.empty()) return problem;
  if (Problem problem = temporary.move_to(target); !problem.empty()) return problem;
  sync_directory_of(target);
  return {};
}

Problem write(const std::string& path, const std::string& text) {
  struct stat there {};
  const bool exists = ::lstat(path.c_str(), &there) == 0;
  if (!exists && errno != ENOENT) return reason_of(errno);
  if (exists && S_ISLNK(there.st_mode)) return "it is a link, which is not followed";
  if (exists && !S_ISREG(there.st_mode)) return write_to(path, text, 0, 0666);
  Temporary temporary(path, exists ? 0600 : 0666);
  if (!temporary.problem().empty()) return temporary.problem();
  const auto mode = exists ? std::optional<mode_t>(there.st_mode) : std::nullopt;
  if (Problem problem = temporary.fill(text, mode); !problem.empty()) return problem;
  if (Problem problem = temporary.move_to(path); !problem.empty()) return problem;
  sync_directory_of(path);
  return {};
}

Problem write_new(const std::string& path, const std::string& text, unsigned mode) {
  return write_to(path, text, O_EXCL, mode);
}

std::shared_ptr<void> hold(const std::string& directory) {
  auto folder =
      std::make_shared<Descriptor>(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder->open()) return nullptr;
  for (int attempt = 0; attempt < 150; ++attempt) {
    if (::flock(folder->get(), LOCK_EX | LOCK_NB) == 0) return folder;
    if (errno != EWOULDBLOCK && errno != EINTR) return nullptr;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return nullptr;
}

Problem remove(const std::string& path) {
  return ::unlink(path.c_str()) == 0 || errno == ENOENT ? Problem{} : reason_of(errno);
}

Problem has_one_name(const std::string& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) return errno == ENOENT ? Problem{} : reason_of(errno);
  if (!S_ISREG(found.st_mode)) return path + " is no regular file";
  return found.st_nlink == 1 ? Problem{} : path + " has another name too, and is not written to";
}

Problem make_directory(const std::string& path, bool own) {
  std::error_code error;
  const fs::path parent = fs::path(path).parent_path();
  if (!parent.empty() && !exists(parent.string()))
    if (Problem problem = make_directory(parent.string(), own); !problem.empty()) return problem;
  if (::mkdir(path.c_str(), own ? 0700 : 0777) == 0) return {};
  const int failed = errno;
  struct stat found {};
  if (::stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode)) return {};
  return failed == EEXIST ? "something else has its name" : reason_of(failed);
}

}  // namespace leto::files
