#include "lsp/actions.h"

#include <algorithm>
#include <map>

namespace leto::lsp {

json workspace_edit(const std::vector<FileEdit>& edits, const Client& client,
                    const VersionOf& version) {
  std::map<std::string, json> by_uri;
  for (const FileEdit& edit : edits) {
    json& list = by_uri.emplace(edit.uri, json::array()).first->second;
    list.push_back({{"range", to_json(edit.range)}, {"newText", edit.text}});
  }
  if (!client.document_changes) {
    json changes = json::object();
    for (auto& [uri, list] : by_uri) changes[uri] = std::move(list);
    return {{"changes", std::move(changes)}};
  }
  json changes = json::array();
  for (auto& [uri, list] : by_uri)
    changes.push_back(
        {{"textDocument", {{"uri", uri}, {"version", version(uri)}}}, {"edits", std::move(list)}});
  return {{"documentChanges", std::move(changes)}};
}

json code_actions(const std::vector<Fix>& fixes, Range range, const Client& client,
                  const VersionOf& version) {
  json actions = json::array();
  for (const Fix& fix : fixes) {
    const Range at = range_member(fix.diagnostic, "range");
    if (at.end < range.start || range.end < at.start) continue;
    json edit = workspace_edit(fix.edits, client, version);
    const auto same = std::find_if(actions.begin(), actions.end(),
                                   [&](const json& other) { return other["edit"] == edit; });
    if (same != actions.end()) {
      (*same)["diagnostics"].push_back(fix.diagnostic);
      continue;
    }
    actions.push_back({{"title", fix.title},
                       {"kind", "quickfix"},
                       {"isPreferred", true},
                       {"diagnostics", json::array({fix.diagnostic})},
                       {"edit", std::move(edit)}});
  }
  return actions;
}

}  // namespace leto::lsp
