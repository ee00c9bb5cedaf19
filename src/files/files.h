// The front door of `files`: everything that is read from a disk or written to one goes through
// here. What is read may come from a stranger, and what is written may be all that its owner
// has. So: only files that have an end, never more than was agreed to, and an error is never the
// end of a file; what is replaced is replaced wholly or not at all, and never if somebody else
// has changed it.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leto::files {

constexpr std::uint64_t kMostBytes = 64u << 20;

// Who named a file: the user may mean a pipe, a program that somebody wrote may not.
enum class NamedBy : std::uint8_t { User, Program };

struct Content {
  std::optional<std::string> text;
  std::string problem = {};  // why there is no text, as the end of a sentence: "it is a directory"
};
[[nodiscard]] Content read(const std::string& path, NamedBy who, std::uint64_t most = kMostBytes);
// The same, part by part, for what is too large to be kept. Why not all was read; empty: it was.
[[nodiscard]] std::string read_parts(const std::string& path, NamedBy who, std::uint64_t most,
                                     const std::function<void(std::string_view)>& take);
// All of a stream that is open already, such as the standard input.
[[nodiscard]] Content read(std::istream& in, std::uint64_t most = kMostBytes);

// Whether it is there, and a file that `read` may try.
[[nodiscard]] bool exists(const std::string& path);
// The files of a directory with that ending, sorted; nothing if it cannot be listed, or not all.
[[nodiscard]] std::optional<std::vector<std::string>> list(const std::string& directory,
                                                           std::string_view ending);
// The one path without links that leads there; empty if none does.
[[nodiscard]] std::string real_path(const std::string& path);
// Whether a path, all links followed, lies in the directory or below it.
[[nodiscard]] bool lies_in(const std::string& path, const std::string& directory);

// A path, or any other word, as a shell takes it: for commands that people are told to run.
[[nodiscard]] std::string shell_word(std::string_view text);

// Why something could not be written; empty: it was, and is on the disk.
using Problem = std::string;

// Puts `text` in the place of `before`, which is what was read there. A file that says something
// else by now is left alone. Permissions stay; a link stays a link.
[[nodiscard]] Problem replace(const std::string& path, const std::string& before,
                              const std::string& text);
// Writes a file that the user asked for. A link is not followed, and what is no regular file
// is not written to, unless it is a pipe or a terminal.
[[nodiscard]] Problem write(const std::string& path, const std::string& text);
// The same for a file that must not be there yet.
[[nodiscard]] Problem write_new(const std::string& path, const std::string& text,
                                unsigned mode = 0666);
// Makes a directory, and those above it, if need be; readable by its owner alone if `own`.
[[nodiscard]] Problem make_directory(const std::string& path, bool own = false);
// The same, and nobody else can write there.
[[nodiscard]] Problem owned_folder(const std::string& path);

// Holds a folder as long as what it gives back lives; one process at a time. Waits for a second or
// two; null if somebody else has it for longer.
[[nodiscard]] std::shared_ptr<void> hold(const std::string& directory);
// Removes a file, which need not be there. A link is removed, not followed.
[[nodiscard]] Problem remove(const std::string& path);
// Why it is not a regular file with this one name; empty: it is, or is not there.
[[nodiscard]] Problem has_one_name(const std::string& path);

// A secret of the user's own, made on first use; nobody else can read it.
struct Secret {
  std::optional<std::string> bytes;
  std::string problem = {};
};
[[nodiscard]] Secret own_secret(const std::string& path, std::size_t size);

}  // namespace leto::files
