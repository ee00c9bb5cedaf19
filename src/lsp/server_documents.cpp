#include <fmt/core.h>

#include <utility>

#include "lsp/server.h"
#include "lsp/uri.h"
#include "workspace/places.h"

namespace leto::lsp {

namespace {

std::string checked_path(const json& params) {
  const std::string uri = text_member(params, "textDocument/uri");
  std::optional<std::string> path = path_of(uri);
  if (!path)
    throw RequestError{ErrorCode::InvalidParams, fmt::format("'{}' names no document", uri)};
  return std::move(*path);
}

}  // namespace

// By its URI, or by another name of the same file, if only one document can be meant. Null if none.
Server::Document* Server::find_document(const std::string& uri) {
  if (const auto found = documents_.find(uri); found != documents_.end()) return &found->second;
  const std::optional<std::string> path = path_of(uri);
  if (!path) return nullptr;
  const std::string place = place_of(*path);
  Document* meant = nullptr;
  for (auto& [open, document] : documents_) {
    if (place_of(document.path) != place) continue;
    if (meant != nullptr) return nullptr;
    meant = &document;
  }
  return meant;
}

Server::Document& Server::document_of(const json& params) {
  const std::string uri = text_member(params, "textDocument/uri");
  Document* found = find_document(uri);
  if (found == nullptr) {
    (void)checked_path(params);
    throw RequestError{ErrorCode::InvalidParams, fmt::format("'{}' is not open", uri)};
  }
  last_used_ = found->uri;
  return *found;
}

// Nobody knows yet what it says.
Server::Document& Server::add_document(const json& params) {
  const std::string path = checked_path(params);
  const std::string uri = text_member(params, "textDocument/uri");
  cancel_proofs_of(uri);
  Document& document = documents_[uri] = {};
  document.uri = uri;
  document.path = path;
  document.lost = "its text has not come";
  files_.put(path, "");
  last_used_ = uri;
  weigh_doubts();
  return document;
}

void Server::open_document(const json& params) {
  Document& document = add_document(params);
  std::string text = text_member(params, "textDocument/text");
  document.version = member(params, "textDocument/version");
  set_text(document, std::move(text));
  forget_all();
}

// All of the changes, or the text is not known any more.
void Server::change_document(const json& params) {
  const bool is_open = find_document(text_member(params, "textDocument/uri")) != nullptr;
  Document& document = is_open ? document_of(params) : add_document(params);
  const json& changes = member(params, "contentChanges");
  if (!changes.is_array())
    throw RequestError{ErrorCode::InvalidParams, "'contentChanges' has to be a list"};
  std::optional<std::string> text;
  if (document.lost.empty()) text = document.text;
  for (const json& change : changes) {
    std::string with = text_member(change, "text");
    if (member(change, "range").is_null())
      text = std::move(with);
    else if (const Range range = range_member(change, "range"); text)
      text = replaced(*text, range, with);
  }
  document.version = member(params, "textDocument/version");
  cancel_proofs_of(document.uri);
  if (text) set_text(document, std::move(*text));
}

void Server::save_document(const json& params) {
  Document& document = document_of(params);
  const json& text = member(params, "text");
  if (text.is_string() &&
      (!document.lost.empty() || text.get_ref<const std::string&>() != document.text))
    set_text(document, text.get<std::string>());
  if (!settings_.verify_on_save) return;
  cancel_proofs_of(document.uri);
  order_proof(document, nullptr, nullptr);
}

void Server::close_document(const json& params) {
  const Document& document = document_of(params);
  const std::string path = document.path, uri = document.uri;
  cancel_proofs_of(uri);
  documents_.erase(uri);
  files_.close(path);
  for (const auto& [other, open] : documents_)  // the same file by another name, perhaps
    if (place_of(open.path) == place_of(path)) files_.put(open.path, open.text);
  if (last_used_ == uri) last_used_.clear();
  send(notification("textDocument/publishDiagnostics",
                    {{"uri", uri}, {"diagnostics", json::array()}}));
  weigh_doubts();
  forget_all();
}

// Whatever was known of it, or with the help of it, is not known any more.
void Server::set_text(Document& document, std::string text) {
  document.text = std::move(text);
  document.stale = true;
  files_.put(document.path, document.text);
  if (!std::exchange(document.lost, {}).empty()) weigh_doubts();
  const std::string place = place_of(document.path);
  for (auto& [uri, other] : documents_) {
    if (other.analysis && other.analysis->reads(place)) other.stale = true;
    if (!other.proof || !other.proof->reads(place)) continue;
    other.proof = nullptr;
    other.claims = {};
    other.untold = true;
  }
}

void Server::forget_all() {
  for (auto& [uri, document] : documents_) document.stale = true;
  forget_proofs();
}

// Of texts that are others by now, here or on the disk.
void Server::forget_proofs() {
  for (auto& [uri, document] : documents_) {
    if (!document.proof || document.proof->is_about(files_)) continue;
    document.proof = nullptr;
    document.claims = {};
    document.untold = true;
  }
}

AnalysisInput Server::input_for(const Document& document) const {
  OpenUris open;
  for (const auto& [uri, other] : documents_) open[other.path] = uri;
  workspace::Places places =
      workspace::all_places({settings_.model_path, settings_.imports}, library_);
  return {document.path, settings_.model, std::move(places), std::move(open)};
}

void Server::analyse(Document& document, bool may_be_interrupted) {
  expect_known(document);
  auto analysis = std::make_unique<Analysis>(files_, input_for(document));
  if (may_be_interrupted) events_.end_on_arrival(&analysis->allowance());
  try {
    analysis->run();
    events_.end_on_arrival(nullptr);
  } catch (...) {
    events_.end_on_arrival(nullptr);
    throw;
  }
  analysis->allowance().renew();
  document.problems = tell_problems(*analysis, client_);
  document.analysis = std::move(analysis);
  document.stale = false;
  document.untold = true;
}

Analysis& Server::analysis_of(Document& document) {
  expect_known(document);
  if (document.stale || !document.analysis) analyse(document, false);
  return *document.analysis;
}

std::vector<Analysis*> Server::all_analyses() {
  std::vector<Analysis*> all;
  for (auto& [uri, document] : documents_)
    if (doubt_of(document).empty()) all.push_back(&analysis_of(document));
  return all;
}

void Server::publish(Document& document) {
  document.untold = false;
  if (const std::string doubt = doubt_of(document); !doubt.empty()) {
    // Of no version: nobody knows which one the editor has.
    send(notification("textDocument/publishDiagnostics",
                      {{"uri", document.uri}, {"diagnostics", tell_doubt(doubt).diagnostics}}));
    return;
  }
  json all = document.problems.diagnostics;
  for (const json& claim : document.claims.diagnostics) all.push_back(claim);
  json params = {{"uri", document.uri}, {"diagnostics", std::move(all)}};
  if (document.version.is_number_integer()) params["version"] = document.version;
  send(notification("textDocument/publishDiagnostics", std::move(params)));
}

// When the editor is silent: looks at what has changed, until it says something again.
void Server::settle() {
  for (auto& [uri, document] : documents_) {
    if (!document.stale && !document.untold) continue;
    if (events_.has_arrival()) return;
    try {
      const bool known = doubt_of(document).empty();
      if (document.stale && known) analyse(document, true);
      document.stale = document.stale && known;
      publish(document);
    } catch (const Spent&) {
      return;
    } catch (const std::exception& error) {
      document.stale = document.untold = false;
      warn(fmt::format("{}: {}", document.uri, error.what()));
    }
  }
}

}  // namespace leto::lsp
