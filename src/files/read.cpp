#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <istream>

#include "files/descriptor.h"
#include "files/files.h"

namespace leto::files {

namespace fs = std::filesystem;

namespace {

bool starts_with_directory(const std::string& path, std::string_view directory) {
  return path == directory || (path.starts_with(directory) && path.size() > directory.size() &&
                               path[directory.size()] == '/');
}

// What the system makes up when it is read has no end, or tells secrets.
bool is_of_the_system(const std::string& path) {
  for (std::string_view directory : {"/dev", "/proc", "/sys"})
    if (starts_with_directory(path, directory)) return true;
  return false;
}

// What the shell puts in the place of `<(...)`, and standard input by its name.
bool is_handed_over(const std::string& path) {
  return path == "/dev/stdin" || path.starts_with("/dev/fd/");
}

std::string describe(mode_t mode) {
  if (S_ISDIR(mode)) return "it is a directory";
  if (S_ISFIFO(mode)) return "it is a pipe, and only files are read here";
  if (S_ISSOCK(mode)) return "it is a socket, not a file";
  return "it is a device, not a file";
}

// The system takes such a name to its first NUL only, and opens another file.
bool has_nul(const std::string& path) {
  return path.find('\0') != std::string::npos;
}

std::string too_large(std::uint64_t most) {
  return fmt::format("it is larger than {} MiB", most >> 20);
}

// Why it is not to be read; empty: it may be.
std::string refuse(const std::string& path, NamedBy who, mode_t mode) {
  const bool pipe = S_ISFIFO(mode) || S_ISCHR(mode);
  if (who == NamedBy::User && is_handed_over(path) && (pipe || S_ISREG(mode))) return {};
  if (is_of_the_system(path) || is_of_the_system(real_path(path)))
    return "it belongs to the system, which makes it up when it is read";
  if (S_ISREG(mode)) return {};
  if (who == NamedBy::User && S_ISFIFO(mode)) return {};
  return describe(mode);
}

}  // namespace

std::string read_parts(const std::string& path, NamedBy who, std::uint64_t most,
                       const std::function<void(std::string_view)>& take) {
  if (has_nul(path)) return "no file can be called so";
  // Looked at before it is opened: opening a pipe or a device may wait, or do something.
  struct stat before {};
  if (::stat(path.c_str(), &before) != 0) return reason_of(errno);
  if (std::string why = refuse(path, who, before.st_mode); !why.empty()) return why;
  const int waiting = S_ISREG(before.st_mode) ? O_NONBLOCK : 0;
  int number = -1;
  do number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | waiting);
  while (number < 0 && errno == EINTR);
  const Descriptor file(number);
  if (!file.open()) return reason_of(errno);
  struct stat now {};
  if (::fstat(file.get(), &now) != 0) return reason_of(errno);
  if ((now.st_mode & S_IFMT) != (before.st_mode & S_IFMT) || now.st_ino != before.st_ino)
    return "it was exchanged while it was opened";
  std::uint64_t all = 0;
  std::array<char, 1 << 16> part;
  while (true) {
    const ssize_t got = ::read(file.get(), part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return "reading it failed: " + reason_of(errno);
    if (got == 0) return {};
    all += static_cast<std::uint64_t>(got);
    if (all > most) return too_large(most);
    take({part.data(), static_cast<std::size_t>(got)});
  }
}

Content read(const std::string& path, NamedBy who, std::uint64_t most) {
  Content content{std::string{}};
  content.problem =
      read_parts(path, who, most, [&](std::string_view part) { content.text->append(part); });
  if (!content.problem.empty()) content.text.reset();
  return content;
}

Content read(std::istream& in, std::uint64_t most) {
  std::string text;
  std::array<char, 1 << 16> part;
  do {
    in.read(part.data(), part.size());
    const auto got = static_cast<std::size_t>(in.gcount());
    if (text.size() + got > most) return {std::nullopt, too_large(most)};
    text.append(part.data(), got);
  } while (in);
  if (in.bad() || !in.eof()) return {std::nullopt, "reading it failed"};
  return {std::move(text), {}};
}

bool exists(const std::string& path) {
  struct stat found {};
  return !has_nul(path) && ::stat(path.c_str(), &found) == 0;
}

std::optional<std::vector<std::string>> list(const std::string& directory,
                                             std::string_view ending) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
    if (it->path().native().ends_with(ending)) found.push_back(it->path().string());
  if (error) return std::nullopt;
  std::sort(found.begin(), found.end());
  return found;
}

std::string real_path(const std::string& path) {
  if (has_nul(path)) return {};
  char* found = ::realpath(path.c_str(), nullptr);
  if (found == nullptr) return {};
  std::string out(found);
  std::free(found);
  return out;
}

bool lies_in(const std::string& path, const std::string& directory) {
  const std::string inner = real_path(path), outer = real_path(directory.empty() ? "." : directory);
  return !inner.empty() && !outer.empty() && (outer == "/" || starts_with_directory(inner, outer));
}

}  // namespace leto::files
