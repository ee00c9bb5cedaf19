#include "lsp/server.h"

namespace leto::lsp {

json Server::initialize(const json& params) {
  if (phase_ != Phase::New)
    throw RequestError{ErrorCode::InvalidRequest, "'initialize' comes once"};
  client_ = Client::of(member(params, "capabilities"));
  settings_.take(member(params, "initializationOptions"));
  phase_ = Phase::Serving;
  json rename = true;
  if (client_.prepares_rename) rename = {{"prepareProvider", true}};
  return {{"serverInfo", {{"name", "leto-lsp"}, {"version", LETO_VERSION}}},
          {"capabilities",
           {{"positionEncoding", "utf-16"},
            {"textDocumentSync",
             {{"openClose", true}, {"change", 2}, {"save", {{"includeText", true}}}}},
            {"hoverProvider", true},
            {"definitionProvider", true},
            {"referencesProvider", true},
            {"documentSymbolProvider", true},
            {"documentFormattingProvider", true},
            {"completionProvider", {{"triggerCharacters", json::array({".", "@", " "})}}},
            {"codeActionProvider", {{"codeActionKinds", json::array({"quickfix"})}}},
            {"renameProvider", std::move(rename)},
            {"executeCommandProvider", {{"commands", json::array({"leto.verify"})}}}}}};
}

json Server::shut_down(const json&) {
  phase_ = Phase::ShutDown;
  asked_to_end_ = true;
  cancel_proof([](const Task&) { return true; });
  return nullptr;
}

void Server::initialized(const json&) {
  ask_for_settings();
}

void Server::ask_for_settings() {
  if (!client_.configuration) return;
  ask("workspace/configuration", {{"items", json::array({{{"section", "leto"}}})}},
      [this](const json& answered) {
        const json& result = member(answered, "result");
        if (result.is_array() && !result.empty()) take_settings(result[0]);
      });
}

void Server::take_settings(const json& said) {
  const Settings before = settings_;
  settings_.take(said);
  if (!(settings_ == before)) forget_all();
}

void Server::change_configuration(const json& params) {
  const json& said = member(params, "settings/leto");
  if (said.is_object())
    take_settings(said);
  else
    ask_for_settings();
}

// Something that a document imports may be another one by now.
void Server::change_files(const json&) {
  forget_all();
}

}  // namespace leto::lsp
