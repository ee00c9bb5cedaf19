#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "files/descriptor.h"
#include "files/files.h"

namespace leto::files {

namespace {

// Why a file or a folder is not its owner's alone; empty: it is.
Problem belongs_to_us(const struct stat& found, mode_t forbidden) {
  if (found.st_uid != ::geteuid()) return "it belongs to another user";
  if ((found.st_mode & forbidden) != 0)
    return "others have access to it; take that away with chmod go-rwx";
  return {};
}

Secret read_secret(const std::string& path, std::size_t size) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!file.open()) return {std::nullopt, reason_of(errno)};
  struct stat found {};
  if (::fstat(file.get(), &found) != 0) return {std::nullopt, reason_of(errno)};
  if (!S_ISREG(found.st_mode)) return {std::nullopt, "it is no regular file"};
  if (Problem problem = belongs_to_us(found, 077); !problem.empty()) return {std::nullopt, problem};
  std::string bytes(size + 1, '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::read(file.get(), bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return {std::nullopt, reason_of(errno)};
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  if (done != size) return {std::nullopt, "it has another length than it should"};
  bytes.resize(size);
  return {std::move(bytes), {}};
}

std::string random_bytes(std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t done = 0;
  while (done < size) {
    const ssize_t got = ::getrandom(bytes.data() + done, size - done, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace

Problem owned_folder(const std::string& path) {
  if (Problem problem = make_directory(path, true); !problem.empty()) return problem;
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) return reason_of(errno);
  if (S_ISLNK(found.st_mode)) return "it is a link, which is not followed";
  return belongs_to_us(found, 022);
}

Secret own_secret(const std::string& path, std::size_t size) {
  Secret there = read_secret(path, size);
  if (there.bytes || exists(path)) return there;
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (Problem problem = owned_folder(folder); !problem.empty()) return {std::nullopt, problem};
  const std::string bytes = random_bytes(size);
  if (bytes.empty()) return {std::nullopt, "there is no randomness"};
  // Two that start at once: one of them makes it, and both read it.
  const std::string name = random_bytes(sizeof(std::uint64_t));
  std::uint64_t number = 0;
  std::memcpy(&number, name.data(), name.size());
  const std::string fresh = path + "." + std::to_string(number);
  Problem problem = write_new(fresh, bytes, 0600);
  if (problem.empty() && ::link(fresh.c_str(), path.c_str()) != 0 && errno != EEXIST)
    problem = reason_of(errno);
  ::unlink(fresh.c_str());
  if (!problem.empty()) return {std::nullopt, problem};
  return read_secret(path, size);
}

}  // namespace leto::files
