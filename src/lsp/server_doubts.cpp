#include <fmt/core.h>

#include "lsp/server.h"

namespace leto::lsp {

// A change of it has not been understood. What it said before is not what the editor shows.
void Server::doubt_all(const std::string& why) {
  for (auto& [uri, document] : documents_) document.lost = why;
  weigh_doubts();
}

// The document that is named, or all, if none is.
void Server::doubt_named(const json& params, const std::string& why) {
  const json& uri = member(params, "textDocument/uri");
  if (!uri.is_string()) {
    doubt_all(why);
  } else if (Document* named = find_document(uri.get<std::string>()); named != nullptr) {
    named->lost = why;
    weigh_doubts();
  }
}

// Two texts of one file: which of them is meant where it is imported, nobody knows.
void Server::find_rivals() {
  std::map<std::string, std::vector<Document*>> by_place;
  for (auto& [uri, document] : documents_) by_place[place_of(document.path)].push_back(&document);
  for (const auto& [place, open] : by_place)
    for (Document* document : open) {
      const std::string rival = open.size() == 1 ? "" : open[open[0] == document ? 1 : 0]->uri;
      if (document->rival == rival) continue;
      document->rival = rival;
      document->untold = true;
    }
}

// From now on nothing rests on a text that is not known.
void Server::weigh_doubts() {
  find_rivals();
  std::set<std::string> unknown;
  for (const auto& [uri, document] : documents_)
    if (!doubt_of(document).empty()) unknown.insert(place_of(document.path));
  if (!files_.set_unknown(std::move(unknown))) return;
  for (auto& [uri, document] : documents_) {
    if (doubt_of(document).empty()) continue;
    cancel_proofs_of(uri);
    document.analysis = nullptr;
    document.problems = document.claims = {};
    document.proof = nullptr;
  }
  forget_all();
}

std::string Server::doubt_of(const Document& document) {
  if (!document.lost.empty())
    return fmt::format(
        "nobody knows what is written here, so nothing is verified: {}\n"
        "help: close the document and open it again",
        document.lost);
  if (!document.rival.empty())
    return fmt::format(
        "'{}' is open too and is the same file: nobody knows which of the texts counts, so nothing "
        "is verified\n"
        "help: close one of them",
        document.rival);
  return {};
}

void Server::expect_known(const Document& document) {
  if (std::string doubt = doubt_of(document); !doubt.empty())
    throw RequestError{ErrorCode::Failed, std::move(doubt)};
}

}  // namespace leto::lsp
