#include "driver/workspace.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>

#include "driver/execution.h"

namespace leto::driver {

namespace fs = std::filesystem;
using namespace syntax;

namespace {

constexpr std::uintmax_t kMaxBytes = 256u << 20;
constexpr std::size_t kMaxImportChain = 200;

const ModelItem* find_model(const Tree& tree, Name name) {
  for (const Item& item : tree.items)
    if (const auto* model = std::get_if<ModelItem>(&item.node))
      if (!name.valid() || model->name.name == name) return model;
  return nullptr;
}

std::string normal(const std::string& path) {
  return fs::path(path).lexically_normal().string();
}

}  // namespace

FileSystem::Content RealFileSystem::read(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return {std::nullopt, "it is a directory"};
  const std::uintmax_t size = fs::file_size(path, error);
  if (!error && size > kMaxBytes) return {std::nullopt, "it is larger than 256 MiB"};
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) return {std::nullopt, errno != 0 ? std::strerror(errno) : "it cannot be opened"};
  std::ostringstream text;
  text << in.rdbuf();
  if (in.bad()) return {std::nullopt, "reading it failed"};
  return {std::move(text).str(), {}};
}

bool RealFileSystem::exists(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

std::vector<std::string> RealFileSystem::list(const std::string& directory) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".leto") found.push_back(it->path().string());
  std::sort(found.begin(), found.end());
  return found;
}

void Workspace::tell(const DiagnosticList& problems, DiagnosticSink& sink) {
  for (const Diagnostic& one : problems.all()) sink.report(one);
}

const Tree* Workspace::parse(const std::string& path, std::string text, DiagnosticSink& sink) {
  const FileId id = sources_.add(path, std::move(text));
  Parsed& parsed = trees_.emplace_back();
  parsed.tree = syntax::parse(sources_[id], id, names_, parsed.problems);
  tell(parsed.problems, sink);
  by_path_[normal(path)] = &parsed;
  return &parsed.tree;
}

const Tree* Workspace::open(const std::string& path, std::optional<Span> from,
                            DiagnosticSink& sink) {
  if (const auto it = by_path_.find(normal(path)); it != by_path_.end()) {
    tell(it->second->problems, sink);
    return &it->second->tree;
  }
  FileSystem::Content content = files_.read(path);
  if (!content.text) {
    sink.report({DiagnosticKind::CannotRead, from, {path, content.problem}, {}, {}});
    return nullptr;
  }
  return parse(path, std::move(*content.text), sink);
}

std::string Workspace::resolve(const std::string& importing, const std::string& path) {
  const fs::path beside = fs::path(importing).parent_path() / path;
  if (fs::path(path).is_absolute() || files_.exists(beside.string()))
    return normal(beside.string());
  for (const std::string& directory : model_path_) {
    const fs::path there = fs::path(directory) / path;
    if (files_.exists(there.string())) return normal(there.string());
  }
  return normal(beside.string());
}

// Depth first, so that imported files come before those that import them.
void Workspace::follow(const Tree& tree, const std::string& path, Program& program,
                       std::vector<std::string>& chain, DiagnosticSink& sink) {
  chain.push_back(normal(path));
  for (const Item& item : tree.items) {
    const auto* import = std::get_if<ImportItem>(&item.node);
    if (import == nullptr) continue;
    const std::string target = resolve(path, import->path);
    const auto open_already = std::find(chain.begin(), chain.end(), normal(target));
    if (open_already != chain.end()) {
      std::string cycle;
      for (auto it = open_already; it != chain.end(); ++it)
        cycle += fs::path(*it).filename().string() + " -> ";
      sink.report({DiagnosticKind::ImportCycle,
                   import->path_span,
                   {cycle + fs::path(target).filename().string()},
                   {},
                   {}});
      continue;
    }
    if (chain.size() >= kMaxImportChain) {
      sink.report({DiagnosticKind::TooDeep,
                   import->path_span,
                   {std::to_string(kMaxImportChain)},
                   {},
                   Help{"imports form a chain that is too long", {}}});
      continue;
    }
    const Tree* imported = open(target, import->path_span, sink);
    if (imported == nullptr) continue;
    if (std::find(program.trees.begin(), program.trees.end(), imported) != program.trees.end())
      continue;
    follow(*imported, target, program, chain, sink);
  }
  chain.pop_back();
  program.trees.push_back(&tree);
}

Program Workspace::load(const std::string& path, DiagnosticSink& sink) {
  Program program;
  program.directory = fs::path(path).parent_path().string();
  const Tree* tree = open(path, std::nullopt, sink);
  if (tree == nullptr) return program;
  std::vector<std::string> chain;
  follow(*tree, path, program, chain, sink);
  for (const Item& item : tree->items) {
    const auto* use = std::get_if<UseModelItem>(&item.node);
    if (use == nullptr) continue;
    if (program.default_model)
      sink.report(Diagnostic{DiagnosticKind::SeveralDefaults, use->model.span, {}, {}, {}}
                      .note(program.default_model->span, "the first one is named here")
                      .helping("name the others on the command line with '--model'"));
    else
      program.default_model = use->model;
  }
  return program;
}

Program Workspace::load_text(const std::string& path, std::string text, DiagnosticSink& sink) {
  DiagnosticList told_by_load;
  parse(path, std::move(text), told_by_load);
  return load(path, sink);
}

std::vector<std::string> Workspace::search_path(const Program& program) const {
  std::vector<std::string> directories{program.directory.empty() ? "." : program.directory};
  directories.insert(directories.end(), model_path_.begin(), model_path_.end());
  return directories;
}

const Tree* Workspace::add(Program& program, const std::string& path, std::optional<Span> from,
                           DiagnosticSink& sink) {
  const Tree* tree = open(path, from, sink);
  if (tree == nullptr) return nullptr;
  if (std::find(program.trees.begin(), program.trees.end(), tree) != program.trees.end())
    return tree;
  // Imported files first, the program's own last.
  Program other;
  std::vector<std::string> chain;
  follow(*tree, path, other, chain, sink);
  for (const Tree* one : program.trees)
    if (std::find(other.trees.begin(), other.trees.end(), one) == other.trees.end())
      other.trees.push_back(one);
  program.trees = std::move(other.trees);
  return tree;
}

bool Workspace::find_by_name(Program& program, const std::string& wanted, std::optional<Span> from,
                             DiagnosticSink& sink) {
  const Name name = names_.intern(wanted);
  for (const Tree* tree : program.trees)
    if (find_model(*tree, name) != nullptr) return true;
  for (const std::string& directory : search_path(program)) {
    const std::string path = normal((fs::path(directory) / (wanted + ".leto")).string());
    if (!files_.exists(path)) continue;
    const Tree* tree = add(program, path, from, sink);
    if (tree != nullptr && find_model(*tree, name) != nullptr) return true;
  }
  return false;
}

void Workspace::unknown_model(const Program& program, const std::string& wanted,
                              std::optional<Span> from, DiagnosticSink& sink) {
  Diagnostic d{DiagnosticKind::UnknownModel, from, {wanted}, {}, {}};
  NearestName nearest(wanted);
  std::string all;
  DiagnosticList ignored;  // only names are asked for
  for (const Listed& listed : list_models(ignored)) {
    nearest.offer(listed.name);
    all += (all.empty() ? "" : ", ") + listed.name;
  }
  if (!nearest.best().empty()) {
    d.help = Help{fmt::format("did you mean '{}'?", nearest.best()), std::nullopt};
    if (from) d.help->edit = Edit{*from, std::string(nearest.best())};
  } else {
    d.help = Help{fmt::format("known models: {}", all.empty() ? "none" : all), std::nullopt};
  }
  std::string searched;
  for (const std::string& directory : search_path(program))
    searched += (searched.empty() ? "" : ", ") + directory;
  d.notes.push_back({std::nullopt, fmt::format("looked for '{}.leto' in {}", wanted, searched)});
  sink.report(std::move(d));
}

PickedModel Workspace::pick_model(Program& program, const std::string& wanted,
                                  DiagnosticSink& sink) {
  const std::vector<const Tree*> trees = program.trees;
  for (const Tree* tree : trees)
    for (const Stmt& stmt : tree->stmts)
      if (const auto* attempt = std::get_if<TryStmt>(&stmt.node);
          attempt != nullptr && attempt->under) {
        const std::string name(names_.text(attempt->under->name));
        if (!find_by_name(program, name, attempt->under->span, sink))
          unknown_model(program, name, attempt->under->span, sink);
      }
  std::string spec = wanted;
  std::optional<Span> span;
  if (spec.empty()) {
    if (!program.default_model) return {};
    spec = names_.text(program.default_model->name);
    span = program.default_model->span;
  }
  // FILE or FILE:NAME
  const std::size_t colon = spec.rfind(".leto:");
  const bool is_file = spec.ends_with(".leto") || colon != std::string::npos;
  if (is_file) {
    const std::string path = colon == std::string::npos ? spec : spec.substr(0, colon + 5);
    const Name name = colon == std::string::npos ? Name{} : names_.intern(spec.substr(colon + 6));
    const Tree* tree = add(program, path, span, sink);
    if (tree == nullptr) return {{}, true};
    if (const ModelItem* model = find_model(*tree, name)) return {model->name.name, false};
  } else if (find_by_name(program, spec, span, sink)) {
    return {names_.intern(spec), false};
  }
  unknown_model(program, spec, span, sink);
  return {{}, true};
}

std::vector<Workspace::Listed> Workspace::list_models(DiagnosticSink& sink) {
  std::vector<Listed> listed;
  for (const std::string& directory : model_path_) {
    for (const std::string& path : files_.list(directory)) {
      const Tree* tree = open(path, std::nullopt, sink);
      if (tree == nullptr) continue;
      const SourceFile& file = sources_[tree->file];
      std::string summary;
      if (!tree->comments.empty()) {
        const Comment& first = tree->comments.front();
        summary = file.text().substr(first.begin, first.end - first.begin);
        summary.erase(0, summary.find_first_not_of("/* "));
        summary.erase(std::min(summary.find('\n'), summary.size()));
      }
      for (const Item& item : tree->items)
        if (const auto* model = std::get_if<ModelItem>(&item.node))
          listed.push_back({std::string(names_.text(model->name.name)), path, summary});
    }
  }
  return listed;
}

void tell_if_unmodelled(const check::Checked& checked, const SourceStore& sources,
                        std::ostream& out) {
  if (!checked.unmodelled) return;
  out << fmt::format(
      "leto: warning: {}: no model is picked, so this is exact and nothing can go wrong; "
      "pick one with '--model NAME', or write 'use model NAME;'\n",
      place(sources, *checked.unmodelled));
}

std::optional<check::Checked> load_checked(Workspace& workspace, const std::string& path,
                                           const std::string& model, Program& program,
                                           DiagnosticList& diagnostics) {
  const std::size_t before = diagnostics.errors();
  program = workspace.load(path, diagnostics);
  if (program.trees.empty() || diagnostics.errors() != before) return std::nullopt;
  const PickedModel picked = workspace.pick_model(program, model, diagnostics);
  check::Checked checked =
      check::check(program.trees, {picked.name, picked.bad}, workspace.names(), diagnostics);
  if (diagnostics.errors() != before) return std::nullopt;
  return checked;
}

}  // namespace leto::driver
