#include "lsp/client.h"

namespace leto::lsp {

Client Client::of(const json& capabilities) {
  Client client;
  const json& text = member(capabilities, "textDocument");
  client.related_information = flag(text, "publishDiagnostics/relatedInformation");
  client.document_changes = flag(capabilities, "workspace/workspaceEdit/documentChanges");
  client.progress = flag(capabilities, "window/workDoneProgress");
  client.configuration = flag(capabilities, "workspace/configuration");
  client.prepares_rename = flag(text, "rename/prepareSupport");
  client.nested_symbols = flag(text, "documentSymbol/hierarchicalDocumentSymbolSupport");
  client.literal_actions = member(text, "codeAction/codeActionLiteralSupport").is_object();
  const json& formats = member(text, "hover/contentFormat");
  if (formats.is_array())
    for (const json& format : formats) client.markdown = client.markdown || format == "markdown";
  return client;
}

}  // namespace leto::lsp
