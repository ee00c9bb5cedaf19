#include "lsp/completion.h"
#include "lsp/hover.h"
#include "lsp/outline.h"
#include "lsp/server.h"
#include "workbench/formatting.h"

namespace leto::lsp {

std::uint32_t Server::offset_in(Document& document, const json& params) {
  const Point point = point_member(params, "position");
  return static_cast<std::uint32_t>(TextIndex(document.text).offset(point));
}

json Server::version_of(const std::string& uri) const {
  const auto found = documents_.find(uri);
  return found == documents_.end() ? json() : found->second.version;
}

json Server::answer_hover(const json& params) {
  Document& document = document_of(params);
  const std::uint32_t offset = offset_in(document, params);
  Analysis& analysis = analysis_of(document);
  if (!document.proof) return hover(analysis, nullptr, offset, client_);
  const Inferred inferred = document.proof->own_invariants();
  return hover(analysis, &inferred, offset, client_);
}

json Server::answer_definition(const json& params) {
  Document& document = document_of(params);
  const std::uint32_t offset = offset_in(document, params);
  Analysis& analysis = analysis_of(document);
  const Entity* entity = entity_at(analysis, offset);
  return entity == nullptr ? json() : definition_of(analysis, *entity);
}

json Server::answer_references(const json& params) {
  Document& document = document_of(params);
  const std::uint32_t offset = offset_in(document, params);
  const std::vector<Analysis*> all = all_analyses();
  Analysis& analysis = analysis_of(document);
  const Entity* entity = entity_at(analysis, offset);
  if (entity == nullptr) return nullptr;
  const bool with_declaration = flag(params, "context/includeDeclaration", true);
  json found = json::array();
  for (const Site& site : sites_of(analysis, *entity, all))
    if (with_declaration || !site.declares)
      found.push_back({{"uri", site.uri}, {"range", to_json(site.range)}});
  return found;
}

json Server::answer_symbols(const json& params) {
  return outline(analysis_of(document_of(params)), client_.nested_symbols);
}

json Server::answer_completion(const json& params) {
  Document& document = document_of(params);
  const std::uint32_t offset = offset_in(document, params);
  const json& trigger = member(params, "context/triggerCharacter");
  return completions(analysis_of(document), offset,
                     trigger.is_string() ? trigger.get<std::string>() : "");
}

json Server::answer_formatting(const json& params) {
  Document& document = document_of(params);
  expect_known(document);
  SourceStore sources;
  DiagnosticList ignored;
  const workbench::Formatted made =
      workbench::format_text(document.path, document.text, sources, ignored, nullptr);
  if (!made.parsed) return nullptr;
  const std::string text = with_line_ends_of(document.text, made.text);
  if (text == document.text) return json::array();
  const Range all{{}, TextIndex(document.text).point(document.text.size())};
  return json::array({{{"range", to_json(all)}, {"newText", text}}});
}

json Server::answer_actions(const json& params) {
  Document& document = document_of(params);
  const Range range = range_member(params, "range");
  if (const json& only = member(params, "context/only"); only.is_array()) {
    bool wanted = false;
    const auto is_any = [](const json& kind) {
      return kind.is_string() && kind.get<std::string>().empty();
    };
    for (const json& kind : only) wanted = wanted || kind == "quickfix" || is_any(kind);
    if (!wanted) return json::array();
  }
  if (!client_.literal_actions) return json::array();
  (void)analysis_of(document);
  std::vector<Fix> fixes = document.problems.fixes;
  fixes.insert(fixes.end(), document.claims.fixes.begin(), document.claims.fixes.end());
  return code_actions(fixes, range, client_,
                      [this](const std::string& uri) { return version_of(uri); });
}

RenameContext Server::rename_context() {
  for (const auto& [uri, document] : documents_) expect_known(document);
  return {all_analyses(), library_, files_};
}

json Server::answer_prepare_rename(const json& params) {
  Document& document = document_of(params);
  const std::uint32_t offset = offset_in(document, params);
  const RenameContext context = rename_context();
  const Renameable what = renameable_at(analysis_of(document), offset, context);
  return {{"range", to_json(what.range)}, {"placeholder", what.name}};
}

json Server::answer_rename(const json& params) {
  Document& document = document_of(params);
  const std::uint32_t offset = offset_in(document, params);
  const std::string name = text_member(params, "newName");
  const RenameContext context = rename_context();
  const Renameable what = renameable_at(analysis_of(document), offset, context);
  return workspace_edit(rename_to(what, name, context), client_,
                        [this](const std::string& uri) { return version_of(uri); });
}

}  // namespace leto::lsp
