#include <fmt/core.h>

#include "lsp/server.h"
#include "lsp/uri.h"

namespace leto::lsp {

// A change of it has not been understood. What it said before is not what the editor shows.
void Server::doubt(Document& document, const std::string& why) {
  document.lost = why;
  cancel_proofs_of(document.path);
}

void Server::doubt_all(const std::string& why) {
  for (auto& [path, document] : documents_) doubt(document, why);
  weigh_doubts();
}

// The document that is named, or all, if none is.
void Server::doubt_named(const json& params, const std::string& why) {
  const json& uri = member(params, "textDocument/uri");
  if (!uri.is_string()) {
    doubt_all(why);
    return;
  }
  const auto found = documents_.find(path_of(uri.get<std::string>()).value_or(""));
  if (found == documents_.end()) return;
  doubt(found->second, why);
  weigh_doubts();
}

// From now on nothing rests on a text that is not known.
void Server::weigh_doubts() {
  std::set<std::string> unknown;
  for (auto& [path, document] : documents_)
    if (!doubt_of(document).empty()) unknown.insert(place_of(document.path));
  if (!files_.set_unknown(std::move(unknown))) return;
  for (auto& [path, document] : documents_) {
    if (doubt_of(document).empty()) continue;
    document.analysis = nullptr;
    document.problems = document.claims = {};
    document.proof = nullptr;
  }
  forget_all();
}

std::string Server::doubt_of(const Document& document) {
  if (document.lost.empty()) return {};
  return fmt::format(
      "nobody knows what is written here, so nothing is verified: {}\n"
      "help: close the document and open it again",
      document.lost);
}

void Server::expect_known(const Document& document) {
  if (std::string doubt = doubt_of(document); !doubt.empty())
    throw RequestError{ErrorCode::Failed, std::move(doubt)};
}

}  // namespace leto::lsp
