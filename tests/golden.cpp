#include "golden.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "protocol/protocol.h"
#include "workspace/workspace.h"

namespace leto::tests {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::vector<fs::path> golden_files(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory))
    if (entry.path().extension() == ".leto" && !entry.path().filename().string().starts_with("_"))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> golden_programs(const fs::path& directory) {
  std::vector<fs::path> files = golden_files(directory);
  std::erase_if(files, [](const fs::path& file) {
    const fs::path folder = file.parent_path().filename();
    return folder == "checkers" || folder == "protocols";
  });
  return files;
}

namespace {

bool is_expectation(std::string_view line) {
  const std::size_t at = line.find_first_not_of(" \t");
  return at != std::string_view::npos && line.substr(at).starts_with("//^");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::string line;
  std::istringstream in(text);
  while (std::getline(in, line)) lines.push_back(line);
  return lines;
}

}  // namespace

GoldenFile run_golden(const fs::path& path, const fs::path& models) {
  GoldenFile golden;
  golden.path = path;
  const fs::path sidecar = path.string() + ".expect";
  golden.sidecar = fs::exists(sidecar);
  const std::string text = read_file(path);
  const std::vector<std::string> lines = lines_of(text);
  // The program is checked without its expectations.
  std::string clean;
  std::vector<std::string> model_names;
  std::size_t logical = 0;
  for (const std::string& line : lines) {
    if (!golden.sidecar && is_expectation(line)) {
      golden.expected.push_back(fmt::format("{}: {}", logical, line.substr(line.find("//^"))));
      continue;
    }
    ++logical;
    clean += line + "\n";
    if (line.starts_with("//! model ")) model_names.push_back(line.substr(10));
  }
  if (golden.sidecar) {
    clean = text;
    golden.expected = lines_of(read_file(sidecar));
  } else if (!text.empty() && text.back() != '\n' && !clean.empty()) {
    clean.pop_back();
  }

  workspace::RealFileSystem files;
  workspace::Workspace workspace(files, {{models.string()}});
  DiagnosticList diagnostics;
  workspace::Program loaded = workspace.load_text(path.string(), clean, diagnostics);
  if (model_names.empty()) model_names.emplace_back();
  for (const std::string& name : model_names) {
    workspace::Program program = loaded;
    const workspace::PickedModel picked = workspace.pick_model(program, name, diagnostics);
    const check::Checked checked =
        check::check(program.trees, {picked.name, picked.bad}, workspace.names(), diagnostics);
    // Some of what is wrong with a system shows when it is written out.
    if (diagnostics.errors() == 0)
      for (const check::sys::System& system : checked.systems)
        (void)protocol::lower(system, diagnostics);
  }
  diagnostics.sort_and_unique();
  golden.has_errors = diagnostics.errors() > 0;

  std::map<std::size_t, std::vector<std::string>> by_line;
  for (const Diagnostic& d : diagnostics.all()) {
    golden.codes.emplace_back(info(d.kind).code);
    std::size_t line = 0;
    std::string columns;
    if (d.span) {
      const SourceFile& file = workspace.sources()[d.span->file];
      const Position from = file.position(d.span->begin), to = file.position(d.span->end);
      line = from.line;
      const std::uint32_t last =
          to.line == from.line ? std::max(from.column, to.column - 1) : from.column;
      columns = from.column == last ? fmt::format(" {}", from.column)
                                    : fmt::format(" {}-{}", from.column, last);
      if (to.line != from.line) columns += "...";
      if (file.path() != path.string())
        columns = fmt::format(" {}:{}{}", fs::path(file.path()).filename().string(), line, columns);
      if (file.path() != path.string()) line = 1;
    }
    const std::string message = d.message();
    auto& here = by_line[line];
    // Directories differ from machine to machine; the rest of the text does not.
    const auto portable = [&](std::string s) {
      for (const std::string& directory : {path.parent_path().string(), models.string(),
                                           path.parent_path().parent_path().string()})
        for (std::size_t at; (at = s.find(directory + "/")) != std::string::npos;)
          s.erase(at, directory.size() + 1);
      for (const std::string& directory : {path.parent_path().string(), models.string()})
        for (std::size_t at; (at = s.find(directory)) != std::string::npos;)
          s.replace(at, directory.size(), ".");
      return s;
    };
    here.push_back(fmt::format("//^ {}[{}]{}: {}",
                               d.severity() == Severity::Error ? "error" : "warning",
                               info(d.kind).code, columns, portable(message)));
    for (const Note& note : d.notes) {
      std::string where;
      if (note.span) {
        const SourceFile& file = workspace.sources()[note.span->file];
        const Position at = file.position(note.span->begin);
        if (file.path() == path.string())
          where = fmt::format(" {:+}:{}", static_cast<long>(at.line) - static_cast<long>(line),
                              at.column);
        else
          where = fmt::format(" {}:{}:{}", fs::path(file.path()).filename().string(), at.line,
                              at.column);
      }
      here.push_back(fmt::format("//^ note{}: {}", where, portable(note.text)));
    }
    if (d.help) here.push_back(fmt::format("//^ help: {}", portable(d.help->text)));
  }
  for (const auto& [line, list] : by_line)
    for (const std::string& one : list) golden.found.push_back(fmt::format("{}: {}", line, one));

  if (golden.sidecar) {
    for (const std::string& one : golden.found) golden.updated += one + "\n";
    return golden;
  }
  std::size_t number = 0;
  const auto emit = [&](std::size_t line, const std::string& indent) {
    for (const std::string& one : by_line[line]) golden.updated += indent + one + "\n";
  };
  emit(0, "");
  for (const std::string& line : lines_of(clean)) {
    ++number;
    golden.updated += line + "\n";
    const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    emit(number, std::string(indent == line.size() ? 0 : indent, ' '));
  }
  for (const auto& [line, list] : by_line)
    if (line > number) emit(line, "");
  return golden;
}

}  // namespace leto::tests
