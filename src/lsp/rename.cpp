#include "lsp/rename.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "lsp/open_texts.h"

namespace leto::lsp {

namespace {

[[noreturn]] void refuse_rename(const std::string& why) {
  throw RequestError{ErrorCode::Failed, why};
}

bool is_name(const std::string& text) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && letter(text[0]) && std::all_of(text.begin(), text.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9');
  });
}

void expect_new_name(const std::string& name) {
  if (!is_name(name)) refuse_rename(fmt::format("'{}' is not a name", name));
  const auto& words = syntax::keywords();
  if (std::find(words.begin(), words.end(), name) != words.end())
    refuse_rename(fmt::format("'{}' is a keyword", name));
  for (const char* taken : {"result", "abs", "min", "max", "floor"})
    if (name == taken) refuse_rename(fmt::format("'{}' has a meaning of its own", name));
}

// Which entity each occurrence means, numbered as they come.
std::vector<std::uint32_t> shape_of(const Occurrences& occurrences) {
  std::map<std::uint32_t, std::uint32_t> numbers;
  std::vector<std::uint32_t> shape;
  for (const Occurrence& o : occurrences.all)
    shape.push_back(numbers.emplace(o.entity, numbers.size()).first->second);
  return shape;
}

// The texts as they would be, by path.
std::map<std::string, std::string> renamed_texts(const Renameable& what, const std::string& name,
                                                 workspace::FileSystem& files) {
  std::map<std::string, std::string> texts;
  for (auto site = what.sites.rbegin(); site != what.sites.rend(); ++site) {
    auto it = texts.find(site->path);
    if (it == texts.end()) {
      const auto content = files.read(site->path, files::NamedBy::Program);
      if (!content.text) refuse_rename(fmt::format("'{}' cannot be read", site->path));
      it = texts.emplace(site->path, *content.text).first;
    }
    if (site->end > it->second.size() ||
        it->second.compare(site->begin, site->end - site->begin, what.name) != 0)
      refuse_rename(fmt::format("'{}' has changed meanwhile", site->path));
    it->second.replace(site->begin, site->end - site->begin, name);
  }
  return texts;
}

}  // namespace

Renameable renameable_at(Analysis& analysis, std::uint32_t offset, const RenameContext& context) {
  const Entity* entity = entity_at(analysis, offset);
  if (entity == nullptr) refuse_rename("there is no name here that could be renamed");
  if (entity->kind == Entity::Kind::File) refuse_rename("files are not renamed here");
  if (entity->kind == Entity::Kind::Right)
    refuse_rename("'right' belongs to the language: rename the problem");
  if (entity->kind == Entity::Kind::Symbol && !entity->declared)
    refuse_rename("'result' belongs to the language");
  if (analysis.diagnostics().errors() > 0)
    refuse_rename("the program has errors: nobody knows what all of its names mean");
  const Occurrence* o = analysis.occurrences().at(analysis.own()->file, offset);
  Renameable what{analysis.locator().range(o->span), entity->name,
                  sites_of(analysis, *entity, context.open)};
  for (const Site& site : what.sites)
    for (const std::string& folder : context.library)
      if (context.files.lies_in(site.path, folder))
        refuse_rename(fmt::format("'{}' belongs to the library of models", entity->name));
  return what;
}

std::vector<FileEdit> rename_to(const Renameable& what, const std::string& name,
                                const RenameContext& context) {
  expect_new_name(name);
  workspace::Documents trial(context.files);
  for (auto& [path, text] : renamed_texts(what, name, context.files))
    trial.put(path, std::move(text));
  for (Analysis* before : context.open) {
    const bool concerned = std::any_of(what.sites.begin(), what.sites.end(), [&](const Site& s) {
      return before->reads(place_of(s.path));
    });
    if (!concerned) continue;
    Analysis after(trial, before->input());
    after.run();
    if (after.diagnostics().errors() != before->diagnostics().errors() || after.own() == nullptr ||
        shape_of(after.occurrences()) != shape_of(before->occurrences()))
      refuse_rename(fmt::format("'{}' means something else there already", name));
  }
  std::vector<FileEdit> edits;
  for (const Site& site : what.sites) edits.push_back({site.uri, site.range, name});
  return edits;
}

}  // namespace leto::lsp
