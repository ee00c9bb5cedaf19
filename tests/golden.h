// Golden tests: a file, one claim, the expected diagnostics beside the guilty
// line. A line that starts with `//^` is an expectation for the line above:
//
//     return valeu + 1;
//     //^ error[L0301] 12-16: no variable named 'valeu' is in scope
//     //^ help: did you mean 'value'?
//
// Columns are those of the caret. Notes give their distance in lines. A file
// whose mistake would swallow comments keeps its expectations in FILE.expect.
// `//! model NAME` picks a model. Files that begin with `_` are parts of others.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace leto::tests {

struct GoldenFile {
  std::filesystem::path path;
  std::vector<std::string> expected;  // expectation lines, in order of the file
  std::vector<std::string> found;
  std::string updated;  // the file with the expectations that were found
  bool sidecar = false;
  std::vector<std::string> codes;  // that were found
  bool has_errors = false;
};

[[nodiscard]] std::vector<std::filesystem::path> golden_files(
    const std::filesystem::path& directory);
// Without checkers and systems, which 'leto checker' and 'leto protocol' prove.
[[nodiscard]] std::vector<std::filesystem::path> golden_programs(
    const std::filesystem::path& directory);
[[nodiscard]] GoldenFile run_golden(const std::filesystem::path& path,
                                    const std::filesystem::path& models);
[[nodiscard]] std::string read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, const std::string& text);

}  // namespace leto::tests
