#include "workspace/workspace.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>

#include "problem/problem.h"

namespace leto::workspace {

namespace fs = std::filesystem;
using namespace syntax;

namespace {

constexpr std::size_t kMaxImportChain = 200;

const ModelItem* find_model(const Tree& tree, Name name) {
  for (const Item& item : tree.items)
    if (const auto* model = std::get_if<ModelItem>(&item.node))
      if (!name.valid() || model->name.name == name) return model;
  return nullptr;
}

// As it is said in messages. A file may be called as the standard input is.
std::string shown_name(const std::string& path, const Identity& identity) {
  if (identity.is_standard_input()) return kStandardInputShown;
  return path == kStandardInput || path == kStandardInputShown ? "./" + path : path;
}

}  // namespace

FileSystem::Content RealFileSystem::read(const std::string& path, files::NamedBy who) {
  return files::read(path, who);
}

bool RealFileSystem::exists(const std::string& path) {
  return files::exists(path);
}

std::string RealFileSystem::real_path(const std::string& path) {
  return files::real_path(path);
}

bool RealFileSystem::lies_in(const std::string& path, const std::string& directory) {
  return files::lies_in(path, directory);
}

std::optional<std::vector<std::string>> RealFileSystem::list(const std::string& directory) {
  return files::list(directory, ".leto");
}

void Workspace::tell(const Parsed& parsed, Program& program, DiagnosticSink& sink) {
  if (!program.told_of.insert(&parsed.tree).second) return;
  for (const Diagnostic& one : parsed.problems.all()) sink.report(one);
}

const Workspace::Parsed& Workspace::parse(const std::string& path, const Identity& identity,
                                          std::string text) {
  const FileId id = sources_.add(shown_name(path, identity), std::move(text));
  Parsed& parsed = trees_.emplace_back();
  parsed.tree = syntax::parse(sources_[id], id, names_, parsed.problems, allowance_);
  return parsed;
}

const Tree* Workspace::open(Program& program, const std::string& path, files::NamedBy who,
                            std::optional<Span> from, DiagnosticSink& sink) {
  demand(allowance_, "reading");
  const Identity identity = files_.identify(path, who);
  auto it = read_.find(identity);
  if (it == read_.end()) {
    FileSystem::Content content = files_.read(path, who);
    if (!content.text) {
      sink.report({DiagnosticKind::CannotRead, from, {path, content.problem}, {}, {}});
      return nullptr;
    }
    it = read_.emplace(identity, &parse(path, identity, std::move(*content.text))).first;
  }
  tell(*it->second, program, sink);
  return &it->second->tree;
}

std::string Workspace::resolve(const std::string& importing, const std::string& path) {
  const fs::path beside = fs::path(importing).parent_path() / path;
  if (fs::path(path).is_absolute() || files_.exists(beside.string()))
    return files_.shorten(beside.string());
  const std::string among_models = find_among_models(path);
  return among_models.empty() ? beside.string() : among_models;
}

std::string Workspace::find_among_models(const std::string& path) {
  for (const std::string& directory : places_.models) {
    const fs::path there = fs::path(directory) / path;
    if (files_.exists(there.string())) return files_.shorten(there.string());
  }
  return "";
}

std::string Workspace::find_library(const ImportItem& import, DiagnosticSink& sink) {
  std::string found = find_among_models(import.path);
  if (found.empty()) unknown_library(import, sink);
  return found;
}

void Workspace::unknown_library(const ImportItem& import, DiagnosticSink& sink) {
  const std::string wanted = syntax::library_name(import);
  Diagnostic d{DiagnosticKind::UnknownLibrary, import.path_span, {wanted}, {}, {}};
  NearestName nearest(wanted);
  std::string all, searched;
  for (const std::string& directory : places_.models) {
    searched += (searched.empty() ? "" : ", ") + (fs::path(directory) / "library").string();
    const auto listed = files_.list((fs::path(directory) / "library").string());
    for (const std::string& path : listed.value_or(std::vector<std::string>{})) {
      const std::string name = fs::path(path).stem().string();
      nearest.offer(name);
      all += (all.empty() ? "" : ", ") + name;
    }
  }
  if (!nearest.best().empty())
    d.help = Help{fmt::format("did you mean '<{}>'?", nearest.best()),
                  Edit{import.path_span, fmt::format("<{}>", nearest.best())}};
  else
    d.help = Help{fmt::format("known libraries: {}", all.empty() ? "none" : all), std::nullopt};
  d.notes.push_back({std::nullopt, fmt::format("looked for '{}.leto' in {}", wanted,
                                               searched.empty() ? "no directory" : searched)});
  sink.report(std::move(d));
}

bool Workspace::may_import(const Program& program, const std::string& path) const {
  // Of what is not there only the place counts: who imports it learns nothing of other places.
  fs::path there = path;
  while (!files_.exists(there.string()) && there.has_relative_path()) there = there.parent_path();
  const auto allows = [&](const std::string& directory) {
    return files_.lies_in(there.empty() ? "." : there.string(), directory);
  };
  const auto any = [&](const std::vector<std::string>& list) {
    return std::any_of(list.begin(), list.end(), allows);
  };
  return any(program.homes) || any(places_.models) || any(places_.imports);
}

bool Workspace::is_allowed(const Program& program, const std::string& path,
                           std::optional<Span> from, DiagnosticSink& sink) const {
  if (may_import(program, path)) return true;
  const std::string real = files_.real_path(path);
  const bool links = !real.empty() && real != fs::absolute(path).lexically_normal().string();
  const std::string directory = fs::path(links ? real : path).parent_path().string();
  Diagnostic d{DiagnosticKind::ImportOutside, from, {path}, {}, {}};
  if (links)
    d.notes.push_back({std::nullopt, fmt::format("it is a link that leads to '{}'", real)});
  sink.report(
      std::move(d).helping(fmt::format("if you trust it, allow its directory: --allow-import {}",
                                       files::shell_word(directory.empty() ? "." : directory))));
  return false;
}

std::string Workspace::real_folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return files_.real_path(folder.empty() ? "." : folder);
}

// Depth first, so that imported files come before those that import them.
void Workspace::follow(const Tree& tree, const std::string& path, files::NamedBy who,
                       Program& program, std::vector<Step>& chain, DiagnosticSink& sink) {
  if (!program.followed.emplace(&tree, real_folder_of(path)).second) return;
  const Identity identity = files_.identify(path, who);
  chain.push_back({identity, shown_name(fs::path(path).filename().string(), identity)});
  for (const Item& item : tree.items)
    if (const auto* import = std::get_if<ImportItem>(&item.node))
      follow(*import, path, program, chain, sink);
  chain.pop_back();
  if (std::find(program.trees.begin(), program.trees.end(), &tree) == program.trees.end())
    program.trees.push_back(&tree);
}

void Workspace::follow(const ImportItem& import, const std::string& path, Program& program,
                       std::vector<Step>& chain, DiagnosticSink& sink) {
  const std::string target =
      import.library ? find_library(import, sink) : resolve(path, import.path);
  if (target.empty()) return;
  if (!may_go_on(import, target, chain, sink)) return;
  if (!is_allowed(program, target, import.path_span, sink)) return;
  const Tree* imported = open(program, target, files::NamedBy::Program, import.path_span, sink);
  if (imported != nullptr) follow(*imported, target, files::NamedBy::Program, program, chain, sink);
}

bool Workspace::may_go_on(const ImportItem& import, const std::string& target,
                          const std::vector<Step>& chain, DiagnosticSink& sink) {
  const Identity identity = files_.identify(target, files::NamedBy::Program);
  const auto open_already = std::find_if(
      chain.begin(), chain.end(), [&](const Step& step) { return step.identity == identity; });
  if (open_already != chain.end()) {
    std::string cycle;
    for (auto it = open_already; it != chain.end(); ++it) cycle += it->name + " -> ";
    cycle += fs::path(target).filename().string();
    sink.report({DiagnosticKind::ImportCycle, import.path_span, {std::move(cycle)}, {}, {}});
    return false;
  }
  if (chain.size() < kMaxImportChain) return true;
  sink.report({DiagnosticKind::TooDeep,
               import.path_span,
               {std::to_string(kMaxImportChain)},
               {},
               Help{"imports form a chain that is too long", {}}});
  return false;
}

Program Workspace::load(const std::string& path, DiagnosticSink& sink) {
  Program program;
  program.directory = fs::path(path).parent_path().string();
  program.homes = {program.directory};
  program.own = open(program, path, files::NamedBy::User, std::nullopt, sink);
  if (program.own != nullptr) complete(program, path, sink);
  return program;
}

Program Workspace::load_text(const std::string& path, std::string text, DiagnosticSink& sink) {
  Program program;
  program.directory = fs::path(path).parent_path().string();
  program.homes = {program.directory};
  const Parsed& parsed = parse(path, files_.identify(path, files::NamedBy::User), std::move(text));
  tell(parsed, program, sink);
  program.own = &parsed.tree;
  complete(program, path, sink);
  return program;
}

// With what it imports, and the model that it names.
void Workspace::complete(Program& program, const std::string& path, DiagnosticSink& sink) {
  std::vector<Step> chain;
  follow(*program.own, path, files::NamedBy::User, program, chain, sink);
  for (const Item& item : program.own->items) {
    const auto* use = std::get_if<UseModelItem>(&item.node);
    if (use == nullptr) continue;
    if (program.default_model)
      sink.report(Diagnostic{DiagnosticKind::SeveralDefaults, use->model.span, {}, {}, {}}
                      .note(program.default_model->span, "the first one is named here")
                      .helping("name the others on the command line with '--model'"));
    else
      program.default_model = use->model;
  }
  expand(program, sink);
}

void Workspace::expand(Program& program, DiagnosticSink& sink) {
  // What cannot be read stands for nothing.
  for (const Tree* tree : program.trees)
    if (tree->has_errors) return;
  for (Tree& tree : problem::expand(program.trees, names_, sink)) {
    derived_.push_back(std::move(tree));
    program.trees.insert(program.trees.end() - 1, &derived_.back());
  }
}

std::vector<std::string> Workspace::search_path(const Program& program) const {
  // The user's and the library's come first: a file that lies beside a program takes nobody's
  // place.
  std::vector<std::string> directories = places_.models;
  directories.push_back(program.directory.empty() ? "." : program.directory);
  return directories;
}

const Tree* Workspace::add(Program& program, const std::string& path, files::NamedBy who,
                           std::optional<Span> from, DiagnosticSink& sink) {
  const Tree* tree = open(program, path, who, from, sink);
  if (tree == nullptr) return nullptr;
  if (program.followed.contains({tree, real_folder_of(path)})) return tree;
  // Imported files first, the program's own last.
  Program other;
  other.homes = program.homes;
  other.told_of = program.told_of;
  std::vector<Step> chain;
  follow(*tree, path, who, other, chain, sink);
  program.told_of = std::move(other.told_of);
  program.followed.merge(other.followed);
  for (const Tree* one : program.trees)
    if (std::find(other.trees.begin(), other.trees.end(), one) == other.trees.end())
      other.trees.push_back(one);
  program.trees = std::move(other.trees);
  return tree;
}

bool Workspace::find_by_name(Program& program, const std::string& wanted, files::NamedBy who,
                             std::optional<Span> from, DiagnosticSink& sink) {
  const Name name = names_.intern(wanted);
  for (const Tree* tree : program.trees)
    if (find_model(*tree, name) != nullptr) {
      look_for_namesakes(program, wanted, *tree, who, from, sink);
      return true;
    }
  const Tree* taken = nullptr;
  std::vector<std::string> others;
  for (const std::string& directory : search_path(program)) {
    const std::string path = files_.shorten((fs::path(directory) / (wanted + ".leto")).string());
    if (!files_.exists(path)) continue;
    if (taken != nullptr) {
      others.push_back(path);
      continue;
    }
    if (!is_allowed(program, path, from, sink)) continue;
    const Tree* tree = add(program, path, files::NamedBy::Program, from, sink);
    if (tree != nullptr && find_model(*tree, name) != nullptr) taken = tree;
  }
  if (taken != nullptr) tell_of_others(wanted, *taken, others, from, sink);
  return taken != nullptr;
}

void Workspace::look_for_namesakes(Program& program, const std::string& wanted, const Tree& own,
                                   files::NamedBy who, std::optional<Span> from,
                                   DiagnosticSink& sink) {
  for (const std::string& directory : search_path(program)) {
    const std::string path = files_.shorten((fs::path(directory) / (wanted + ".leto")).string());
    if (!files_.exists(path) || same_text(path, std::string(sources_[own.file].text()))) continue;
    const bool known =
        std::find(places_.models.begin(), places_.models.end(), directory) != places_.models.end();
    // With both of them, there are two declarations of one name.
    if (who == files::NamedBy::User && known)
      (void)add(program, path, files::NamedBy::Program, from, sink);
    else
      tell_of_others(wanted, own, {path}, from, sink);
  }
}

bool Workspace::same_text(const std::string& path, const std::string& text) {
  const files::Content content = files_.read(path, files::NamedBy::Program);
  return content.text == text;
}

void Workspace::tell_of_others(const std::string& wanted, const Tree& tree,
                               const std::vector<std::string>& others, std::optional<Span> from,
                               DiagnosticSink& sink) {
  const std::string taken = sources_[tree.file].path();
  const std::string text(sources_[tree.file].text());
  for (const std::string& other : others) {
    if (files_.lies_in(other, taken) || same_text(other, text)) continue;  // it is the same model
    sink.report(
        Diagnostic{DiagnosticKind::SeveralModels, from, {wanted, taken, other}, {}, {}}.helping(
            fmt::format("to take the other one, say '--model {}'",
                        other.find('/') == std::string::npos ? "./" + other : other)));
  }
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

// One of several in a file that is called otherwise, if no other file has one of that name.
bool Workspace::add_listed(Program& program, const std::string& wanted, std::optional<Span> from,
                           DiagnosticSink& sink) {
  DiagnosticList ignored;
  std::vector<std::string> paths;
  for (const Listed& listed : list_models(ignored))
    if (listed.name == wanted) paths.push_back(listed.path);
  if (paths.size() != 1) return false;
  const Tree* tree = add(program, paths[0], files::NamedBy::Program, from, sink);
  return tree != nullptr && find_model(*tree, names_.intern(wanted)) != nullptr;
}

PickedModel Workspace::pick_model(Program& program, const std::string& wanted,
                                  DiagnosticSink& sink) {
  const std::vector<const Tree*> trees = program.trees;
  for (const Tree* tree : trees)
    for (const Stmt& stmt : tree->stmts)
      if (const auto* attempt = std::get_if<TryStmt>(&stmt.node);
          attempt != nullptr && attempt->under) {
        const std::string name(names_.text(attempt->under->name));
        if (!find_by_name(program, name, files::NamedBy::Program, attempt->under->span, sink))
          unknown_model(program, name, attempt->under->span, sink);
      }
  for (const problem::FoundChecker& checker : problem::find_checkers(trees))
    for (const problem::Under& under : problem::unders_of(*checker.item)) {
      const std::string name(names_.text(under.model.name));
      if (!find_by_name(program, name, files::NamedBy::Program, under.model.span, sink))
        unknown_model(program, name, under.model.span, sink);
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
    program.homes.push_back(fs::path(path).parent_path().string());
    const Tree* tree = add(program, path, files::NamedBy::User, span, sink);
    if (tree == nullptr) return {{}, true};
    if (const ModelItem* model = find_model(*tree, name)) return {model->name.name, false};
  } else {
    if (program.own == nullptr) program.homes.push_back(program.directory);
    const files::NamedBy who = wanted.empty() ? files::NamedBy::Program : files::NamedBy::User;
    if (find_by_name(program, spec, who, span, sink)) return {names_.intern(spec), false};
    if (add_listed(program, spec, span, sink)) return {names_.intern(spec), false};
  }
  unknown_model(program, spec, span, sink);
  return {{}, true};
}

namespace {

bool has_messages(const ModelItem& model) {
  return std::any_of(model.members.begin(), model.members.end(), [](const syntax::Member& member) {
    return std::holds_alternative<syntax::MessageMember>(member.node);
  });
}

}  // namespace

std::vector<Workspace::Listed> Workspace::list_models(DiagnosticSink& sink) {
  std::vector<Listed> listed;
  std::set<std::string> of_messages;
  std::vector<std::pair<std::string, std::string>> refining;  // by whom, whom
  Program nobody;
  for (const std::string& directory : places_.models) {
    if (!files_.exists(directory)) continue;
    const auto paths = files_.list(directory);
    if (!paths)
      sink.report(
          {DiagnosticKind::CannotRead, std::nullopt, {directory, "it cannot be listed"}, {}, {}});
    for (const std::string& path : paths.value_or(std::vector<std::string>{})) {
      if (!is_allowed(nobody, path, std::nullopt, sink)) continue;
      const Tree* tree = open(nobody, path, files::NamedBy::Program, std::nullopt, sink);
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
        if (const auto* model = std::get_if<ModelItem>(&item.node)) {
          const std::string name(names_.text(model->name.name));
          listed.push_back({name, path, summary});
          if (has_messages(*model)) of_messages.insert(name);
          for (const syntax::Ident& super : model->supers)
            refining.emplace_back(name, names_.text(super.name));
        }
    }
  }
  // What refines one of them is one of them.
  for (bool more = true; more;) {
    more = false;
    for (const auto& [sub, super] : refining)
      if (of_messages.contains(super)) more = of_messages.insert(sub).second || more;
  }
  for (Listed& one : listed) one.of_messages = of_messages.contains(one.name);
  return listed;
}

std::optional<check::Checked> load_checked(Workspace& workspace, const std::string& path,
                                           const std::string& model, Program& program,
                                           DiagnosticList& diagnostics) {
  const std::size_t before = diagnostics.errors();
  program = workspace.load(path, diagnostics);
  if (program.trees.empty() || diagnostics.errors() != before) return std::nullopt;
  const PickedModel picked = workspace.pick_model(program, model, diagnostics);
  check::Checked checked =
      check::check(program.trees, workspace.options(picked), workspace.names(), diagnostics);
  if (diagnostics.errors() != before) return std::nullopt;
  return checked;
}

}  // namespace leto::workspace
